//! The supervision told one story after another.

use super::*;

fn started() -> Supervision {
    let mut worker = Supervision::new(Some(PREVIEW_MEMORY_LIMIT));
    assert_eq!(worker.ready(), []);
    worker
}

#[test]
fn nothing_is_posted_before_ready() {
    let mut worker = Supervision::new(None);
    let (id, steps) = worker.request(Sort::Other);
    assert_eq!(steps, []);
    assert!(!worker.owes_an_answer(), "the clock must not run against a worker that is still loading");
    assert_eq!(worker.ready(), [Step::Post(id)]);
    assert!(worker.owes_an_answer());
}

#[test]
fn one_request_is_in_flight_and_the_others_wait_in_order() {
    let mut worker = started();
    let (first, steps) = worker.request(Sort::Other);
    assert_eq!(steps, [Step::Post(first)]);
    let (second, steps) = worker.request(Sort::Other);
    assert_eq!(steps, []);
    let (third, _) = worker.request(Sort::Other);
    assert_eq!(worker.answered(first, 0.0), [Step::Deliver(first), Step::Post(second)]);
    assert_eq!(worker.answered(second, 0.0), [Step::Deliver(second), Step::Post(third)]);
    assert_eq!(worker.answered(third, 0.0), [Step::Deliver(third)]);
    assert!(!worker.owes_an_answer());
}

#[test]
fn a_newer_preview_takes_the_place_of_waiting_ones_only() {
    let mut worker = started();
    let (in_flight, _) = worker.request(Sort::Preview);
    let (kept, _) = worker.request(Sort::Other);
    let (older, steps) = worker.request(Sort::Preview);
    assert_eq!(steps, []);
    let (newer, steps) = worker.request(Sort::Preview);
    assert_eq!(steps, [Step::Fail(older, EngineFault::Superseded)]);
    assert_eq!(worker.answered(in_flight, 0.0), [Step::Deliver(in_flight), Step::Post(kept)]);
    assert_eq!(worker.answered(kept, 0.0), [Step::Deliver(kept), Step::Post(newer)]);
}

#[test]
fn questions_and_previews_leave_each_other_alone() {
    let mut worker = started();
    worker.request(Sort::Preview);
    let (preview, _) = worker.request(Sort::Preview);
    let (question, steps) = worker.request(Sort::Question);
    assert_eq!(steps, []);
    assert_eq!(worker.request(Sort::Question).1, [Step::Fail(question, EngineFault::Superseded)]);
    assert_eq!(worker.request(Sort::Preview).1, [Step::Fail(preview, EngineFault::Superseded)]);
}

#[test]
fn silence_costs_one_request_and_the_queue_goes_on() {
    let mut worker = started();
    let (hanging, _) = worker.request(Sort::Preview);
    let (next, _) = worker.request(Sort::Preview);
    let before = worker.generation();
    assert_eq!(worker.silent(), [Step::Fail(hanging, EngineFault::Silent), Step::Report(EngineFault::Silent), Step::Start]);
    assert_eq!(worker.generation(), before + 1);
    assert_eq!(worker.answered(hanging, 0.0), [], "an answer that comes too late is nobody's");
    assert_eq!(worker.ready(), [Step::Post(next)]);
}

#[test]
fn silence_of_a_worker_that_owes_nothing_is_no_fault() {
    assert_eq!(started().silent(), []);
    assert_eq!(Supervision::new(None).silent(), []);
}

#[test]
fn a_trap_is_reported_with_its_words() {
    let mut worker = started();
    let (id, _) = worker.request(Sort::Other);
    let fault = EngineFault::Crashed("unreachable".to_owned());
    assert_eq!(worker.crashed("unreachable"), [Step::Fail(id, fault.clone()), Step::Report(fault), Step::Start]);
    assert_eq!(worker.ready(), []);
}

#[test]
fn three_failed_starts_are_enough() {
    let mut worker = Supervision::new(None);
    let (id, _) = worker.request(Sort::Other);
    assert_eq!(worker.crashed("404"), [Step::Start]);
    assert_eq!(worker.crashed("404"), [Step::Start]);
    let fault = EngineFault::Unavailable("404".to_owned());
    assert_eq!(worker.crashed("404"), [Step::Stop, Step::Fail(id, fault.clone()), Step::Report(fault.clone())]);
    assert_eq!(worker.crashed("again"), []);
    let (late, steps) = worker.request(Sort::Preview);
    assert_eq!(steps, [Step::Fail(late, fault)]);
}

#[test]
fn a_good_start_forgets_the_bad_ones() {
    let mut worker = Supervision::new(None);
    for _ in 0..5 {
        assert_eq!(worker.crashed("network"), [Step::Start]);
        assert_eq!(worker.crashed("network"), [Step::Start]);
        assert_eq!(worker.ready(), []);
        assert_eq!(worker.crashed("trap").last(), Some(&Step::Start));
    }
}

#[test]
fn a_grown_worker_is_replaced_after_its_answer() {
    let mut worker = started();
    let (first, _) = worker.request(Sort::Preview);
    let (second, _) = worker.request(Sort::Preview);
    assert_eq!(worker.answered(first, PREVIEW_MEMORY_LIMIT + 1.0), [Step::Deliver(first), Step::Start]);
    assert_eq!(worker.ready(), [Step::Post(second)]);
    let mut reader = Supervision::new(None);
    reader.ready();
    let (id, _) = reader.request(Sort::Other);
    assert_eq!(reader.answered(id, 1e9), [Step::Deliver(id)], "the reader keeps its logs");
}

#[test]
fn what_nobody_wants_any_more_is_ended_without_a_fault() {
    let mut worker = started();
    let (id, _) = worker.request(Sort::Other);
    let (next, _) = worker.request(Sort::Other);
    assert_eq!(worker.abandoned(), [Step::Fail(id, EngineFault::Superseded), Step::Start]);
    assert_eq!(worker.generation(), 2);
    assert_eq!(worker.ready(), [Step::Post(next)]);
    assert_eq!(worker.answered(next, 0.0), [Step::Deliver(next)]);
    assert_eq!(worker.abandoned(), [], "an idle worker has nothing to give up");
}
