//! What the program says by itself: saved, copied, restarted. Spoken to screen readers, gone after a while unless it is bad.

use super::icon::{Icon, IconName};
use gloo_timers::future::TimeoutFuture;
use leptos::prelude::*;
use leptos::task::spawn_local;

/// How much a notice matters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NoticeKind {
    /// Goes by itself.
    Done,
    /// Goes by itself, later.
    Warning,
    /// Stays until it is closed.
    Error,
}

#[derive(Clone, Debug, PartialEq)]
struct Notice {
    id: u32,
    kind: NoticeKind,
    text: String,
}

/// The notices on screen. Get it with [`use_notices`].
#[derive(Clone, Copy)]
pub struct Notices {
    shown: RwSignal<Vec<Notice>>,
    next: StoredValue<u32>,
}

impl Notices {
    /// An empty list, put into the context.
    pub fn provide() -> Notices {
        let notices = Notices { shown: RwSignal::default(), next: StoredValue::new(0) };
        provide_context(notices);
        notices
    }

    /// Shows one sentence. The same sentence is not shown twice at once.
    pub fn say(&self, kind: NoticeKind, text: impl Into<String>) {
        let text = text.into();
        let id = self.next.with_value(|id| *id);
        self.next.set_value(id.wrapping_add(1));
        self.shown.update(|shown| {
            // What was warned of before something was done is over.
            let over = |notice: &Notice| kind == NoticeKind::Done && notice.kind == NoticeKind::Warning;
            shown.retain(|notice| notice.text != text && !over(notice));
            shown.push(Notice { id, kind, text });
        });
        let stay_ms = match kind {
            NoticeKind::Done => 5_000,
            NoticeKind::Warning => 10_000,
            NoticeKind::Error => return,
        };
        let notices = *self;
        spawn_local(async move {
            TimeoutFuture::new(stay_ms).await;
            notices.close(id);
        });
    }

    fn close(&self, id: u32) {
        self.shown.try_update(|shown| shown.retain(|notice| notice.id != id));
    }
}

/// The notices of this app.
pub fn use_notices() -> Notices {
    expect_context()
}

/// Where notices appear; the shell holds the only one.
#[component]
pub fn NoticeList(
    /// What to show.
    notices: Notices,
) -> impl IntoView {
    view! {
        <div class="notices" role="status" aria-live="polite">
            <For each=move || notices.shown.get() key=|notice| notice.id let:notice>
                <div class=match notice.kind {
                    NoticeKind::Done => "notice",
                    NoticeKind::Warning => "notice notice-warning",
                    NoticeKind::Error => "notice notice-error",
                }>
                    <p>{notice.text}</p>
                    <button type="button" class="button button-quiet button-glyph" aria-label="Close" on:click=move |_| notices.close(notice.id)>
                        <Icon name=IconName::Close />
                    </button>
                </div>
            </For>
        </div>
    }
}
