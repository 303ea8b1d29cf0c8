//! Uploading logs: in pieces, interrupted, at the wrong place, again, and what is no log at all.

use super::server::{Answer, Server, bearer};
use axum::body::{Body, Bytes};
use axum::http::{Method, StatusCode};
use futures_util::stream;
use proem_core::api::{ApiError, SessionList, StoredSession, UploadState};

const NAME: &str = "session-3fa9c07be21d.jsonl";
const LOG: &[u8] = include_bytes!("../../cases/iris/session-3fa9c07be21d.jsonl");
const MIB: usize = 1024 * 1024;

async fn put(server: &Server, id: &str, name: &str, size: usize, offset: usize, body: Body) -> Answer {
    let path = format!("/api/uploads/{id}?name={name}&size={size}&offset={offset}");
    server.send(bearer(Method::PUT, &path).body(body).unwrap()).await
}

async fn whole(server: &Server, id: &str, name: &str, log: &[u8]) -> Answer {
    put(server, id, name, log.len(), 0, Body::from(log.to_vec())).await
}

async fn received(server: &Server, id: &str) -> u64 {
    server.get(&format!("/api/uploads/{id}")).await.json::<UploadState>().received
}

async fn sessions(server: &Server) -> Vec<StoredSession> {
    server.get("/api/sessions").await.json::<SessionList>().sessions
}

/// The log's lines up to and with line `count`.
fn first_lines(count: usize) -> &'static [u8] {
    let end = LOG.iter().enumerate().filter(|(_, byte)| **byte == b'\n').nth(count - 1).unwrap().0;
    &LOG[..=end]
}

/// A log of a little more than 2.5 MiB that does not repeat itself.
fn large_log() -> Vec<u8> {
    let (mut log, mut number, mut random) = (String::new(), 0u32, 1u64);
    while log.len() < 5 * MIB / 2 {
        random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let (minute, second) = (number / 60 % 60, number % 60);
        log += &format!(
            "{{\"kind\":\"user_message\",\"ts\":\"2026-10-03T08:{minute:02}:{second:02}.000000+00:00\",\"session_id\":\"large\",\"text\":\"{random:x}\"}}\n"
        );
        number += 1;
    }
    log.into_bytes()
}

#[tokio::test]
async fn a_log_in_one_piece_is_stored_as_it_is() {
    let server = Server::start().await;
    let done: UploadState = whole(&server, "00000000000000aa", NAME, LOG).await.json();
    assert_eq!(done.received, LOG.len() as u64);
    let session = done.session.unwrap();
    assert_eq!((session.summary.session_id.as_str(), session.file_name.as_str()), ("3fa9c07be21d", NAME));
    assert_eq!(sessions(&server).await, std::slice::from_ref(&session));
    let path = format!("/api/sessions/{}", session.id);
    assert_eq!(server.get(&path).await.json::<StoredSession>(), session);
    let raw = server.get(&format!("{path}/raw")).await;
    assert_eq!((raw.header("content-type"), raw.header("content-length")), ("application/octet-stream", &*LOG.len().to_string()));
    assert!(raw.bytes == LOG);
    // The file is found again by its fingerprint.
    let known: UploadState = server.get("/api/uploads/00000000000000aa").await.json();
    assert_eq!((known.received, known.session), (LOG.len() as u64, Some(session)));
}

#[tokio::test]
async fn an_interrupted_upload_goes_on_where_it_stopped() {
    let server = Server::start().await;
    let (log, id) = (large_log(), "00000000000000bb");
    assert_eq!(received(&server, id).await, 0);
    // One and a half MiB come through, in chunks that do not fit frames, then the connection breaks.
    let chunks = log[..3 * MIB / 2].chunks(70_001).map(|chunk| Ok(Bytes::copy_from_slice(chunk)));
    let broken = chunks.chain([Err(std::io::Error::other("gone"))]).collect::<Vec<_>>();
    let answer = put(&server, id, "session-large.jsonl", log.len(), 0, Body::from_stream(stream::iter(broken))).await;
    assert_eq!(answer.status, StatusCode::BAD_REQUEST);
    // The whole frame is stored for good, over a restart too; nothing is listed yet.
    let server = server.restart().await;
    assert_eq!(received(&server, id).await, MIB as u64);
    assert!(sessions(&server).await.is_empty());
    for offset in [0, MIB - 1, MIB + 1] {
        let wrong = put(&server, id, "session-large.jsonl", log.len(), offset, Body::from("x")).await;
        let error: ApiError = wrong.json();
        assert_eq!((wrong.status, error.code.as_str(), error.received), (StatusCode::CONFLICT, "stale", Some(MIB as u64)));
    }
    let more: UploadState =
        put(&server, id, "session-large.jsonl", log.len(), MIB, Body::from(log[MIB..2 * MIB + 7].to_vec())).await.json();
    assert_eq!((more.received, more.session), ((2 * MIB + 7) as u64, None));
    let rest: UploadState =
        put(&server, id, "session-large.jsonl", log.len(), 2 * MIB + 7, Body::from(log[2 * MIB + 7..].to_vec())).await.json();
    let session = rest.session.unwrap();
    assert!(server.get(&format!("/api/sessions/{}/raw", session.id)).await.bytes == log);
    // An answer that was lost can be had again.
    let again: UploadState = put(&server, id, "session-large.jsonl", log.len(), log.len(), Body::empty()).await.json();
    assert_eq!(again.session, Some(session));
}

#[tokio::test]
async fn text_that_goes_on_replaces_and_other_text_does_not() {
    let server = Server::start().await;
    let early: UploadState = whole(&server, "00000000000000a1", NAME, first_lines(20)).await.json();
    let early = early.session.unwrap();
    let late: UploadState = whole(&server, "00000000000000a2", NAME, LOG).await.json();
    let late = late.session.unwrap();
    // One session, one address, more turns.
    assert_eq!(late.id, early.id);
    assert!(late.summary.turn_count > early.summary.turn_count);
    assert_eq!(sessions(&server).await, std::slice::from_ref(&late));
    assert!(server.get(&format!("/api/sessions/{}/raw", late.id)).await.bytes == LOG);
    // The same bytes under another fingerprint change nothing.
    let same: UploadState = whole(&server, "00000000000000a3", NAME, LOG).await.json();
    assert_eq!(same.session, Some(late.clone()));
    // Less text, and other text, are conflicts; both leave nothing behind.
    let mut other = LOG.to_vec();
    let place = other.len() / 2;
    other[place] ^= 1;
    let mut sentences = String::new();
    for (id, log) in [("00000000000000a4", first_lines(12)), ("00000000000000a5", &other)] {
        let answer = whole(&server, id, NAME, log).await;
        let error: ApiError = answer.json();
        assert_eq!((answer.status, error.code.as_str()), (StatusCode::CONFLICT, "conflict"));
        assert_eq!(received(&server, id).await, 0);
        sentences += &format!("{}\n", error.message);
    }
    insta::assert_snapshot!(sentences);
    assert_eq!(sessions(&server).await, [late]);
    // Under another name it is another session.
    let copy: UploadState = whole(&server, "00000000000000a5", "session-copy.jsonl", &other).await.json();
    assert_eq!(copy.session.unwrap().summary.session_id, "copy");
    assert_eq!(sessions(&server).await.len(), 2);
}

#[tokio::test]
async fn what_is_no_log_is_refused_and_dropped() {
    let server = Server::start().await;
    let answer = whole(&server, "00000000000000cc", "notes.txt", b"Dear diary,\nnothing happened.\n").await;
    let error: ApiError = answer.json();
    assert_eq!((answer.status, error.code.as_str()), (StatusCode::UNPROCESSABLE_ENTITY, "refused"));
    assert!(!error.message.is_empty());
    assert_eq!(received(&server, "00000000000000cc").await, 0);
    assert!(sessions(&server).await.is_empty());
}

#[tokio::test]
async fn another_file_by_the_same_fingerprint_starts_afresh() {
    let server = Server::start().await;
    let id = "00000000000000dd";
    put(&server, id, NAME, LOG.len() + 1, 0, Body::from("something else")).await;
    let wrong = put(&server, id, NAME, LOG.len(), 14, Body::from("x")).await;
    assert_eq!(wrong.json::<ApiError>().received, Some(0));
    let done: UploadState = whole(&server, id, NAME, LOG).await.json();
    assert!(server.get(&format!("/api/sessions/{}/raw", done.session.unwrap().id)).await.bytes == LOG);
}
