//! Addresses: every page comes back from its own, and foreign ones never do harm.

use super::context::{PrefaceShow, Side};
use super::*;
use proem_core::context::preface::Mode;

fn back(page: &Page) -> Option<Page> {
    let url = page.to_url();
    let (path, query) = url.split_once('?').unwrap_or((&url, ""));
    Page::parse(path, query)
}

#[test]
fn every_page_comes_back_from_its_address() {
    let mut pages = vec![Page::Skills, Page::Sessions, Page::Rules];
    for situation in OpeningKind::ALL {
        for variant in Variant::ALL {
            for old_server in [false, true] {
                for show in [Show::Whole, Show::Own] {
                    let view = SkillView { situation, variant, old_server, show, ..SkillView::of("current-task") };
                    pages.push(Page::Skill(view));
                }
            }
        }
    }
    pages.extend(Margin::ALL.map(|margin| Page::Skill(SkillView { margin, ..SkillView::of("a") })));
    let file = LocalFile { name: "späte Sitzung & 100% + #1?.jsonl".to_owned(), size: u64::MAX, fingerprint: "0af3".to_owned() };
    for source in [SessionSource::Stored("00ff".to_owned()), SessionSource::Local(file), SessionSource::Example] {
        for turn in [None, Some("0d1e@a/b?c=d&e".to_owned())] {
            for node in [None, Some("agent0".to_owned())] {
                pages.push(Page::Session(SessionView { source: source.clone(), turn: turn.clone(), node }));
            }
        }
    }
    pages.extend([None, Some("3fa9c07be21d".to_owned()), Some("a/b".to_owned())].map(Page::Chat));
    let asked = LedgerQuery {
        decision: vec!["deny".to_owned(), "require_approval".to_owned()],
        turn: Some("0d1e@a/b?c=d&e".to_owned()),
        from: Some("2026-10-05T08:00:00+02:00".to_owned()),
        q: Some("50 % & more".to_owned()),
        cursor: Some("abc=".to_owned()),
        ..LedgerQuery::default()
    };
    pages.extend([LedgerQuery::default(), asked].map(|query| Page::Governance(Box::new(query))));
    for show in PrefaceShow::ALL {
        pages.extend([Mode::Parity, Mode::Hardened].map(|mode| Page::Preface(PrefaceView { show, mode })));
    }
    for side in [Side::Template, Side::Seed] {
        for (is_example, at) in [(false, None), (true, Some(0)), (true, Some(usize::MAX))] {
            pages.push(Page::Seed(SeedView { is_example, at, side }));
        }
    }
    for page in pages {
        assert_eq!(back(&page).as_ref(), Some(&page), "{}", page.to_url());
    }
}

#[test]
fn addresses_are_short_and_plain() {
    assert_eq!(Page::Skill(SkillView::of("current-task")).to_url(), "/skills/current-task");
    let view = SkillView { situation: OpeningKind::TaskResume, variant: Variant::Empty, old_server: true, ..SkillView::of("a") };
    assert_eq!(Page::Skill(view).to_url(), "/skills/a?situation=task-resume&sample=empty&server=old");
    assert_eq!(Page::Session(SessionView::of(SessionSource::Example)).to_url(), "/sessions/example");
    let turn = LedgerQuery { turn: Some("3fa9@cc".to_owned()), decision: vec!["deny".to_owned()], ..LedgerQuery::default() };
    assert_eq!(Page::Preface(PrefaceView::default()).to_url(), "/preface");
    let hardened = PrefaceView { mode: Mode::Hardened, show: PrefaceShow::Write };
    assert_eq!(Page::Preface(hardened).to_url(), "/preface?mode=hardened");
    assert_eq!(Page::Seed(SeedView { is_example: true, at: Some(4), side: Side::Template }).to_url(), "/seed?example=trunk&at=4");
    assert_eq!(Page::Governance(Box::new(turn)).to_url(), "/governance?decision=deny&turn=3fa9%40cc");
}

#[test]
fn the_root_is_the_skills() {
    assert_eq!(Page::parse("/", ""), Some(Page::Skills));
    assert_eq!(Page::parse("/skills/", ""), Some(Page::Skills));
}

#[test]
fn what_is_no_page_is_none() {
    for (path, query) in
        [("/nowhere", ""), ("/skills/a/b", ""), ("/skills/%zz", ""), ("/sessions/local", "name=a"), ("/skills/%ff", "")]
    {
        assert_eq!(Page::parse(path, query), None, "{path}?{query}");
    }
    assert_eq!(Page::parse("/sessions/local", "name=a&size=-1&fingerprint=00"), None);
}

#[test]
fn unknown_values_are_the_first_views() {
    let view = Page::parse("/skills/a", "situation=nonsense&sample=%&server=&x=y&&=");
    assert_eq!(view, Some(Page::Skill(SkillView::of("a"))));
}

#[test]
fn a_place_stays_while_the_query_changes() {
    let view = SkillView { old_server: true, ..SkillView::of("a") };
    assert_eq!(Page::Skill(view).place(), Page::Skill(SkillView::of("a")));
    assert_eq!(Page::Chat(Some("s1".to_owned())).place(), Page::Chat(None).place());
    let asked = LedgerQuery { q: Some("a".to_owned()), ..LedgerQuery::default() };
    assert_eq!(Page::Governance(Box::new(asked)).place(), Page::Governance(Box::default()));
    let example = SeedView { is_example: true, at: Some(3), side: Side::Seed };
    assert_eq!(Page::Seed(example).place(), Page::Seed(SeedView::default()));
    assert_ne!(Page::Skill(SkillView::of("a")).place(), Page::Skill(SkillView::of("b")).place());
}
