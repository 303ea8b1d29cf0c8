//! Chat: a conversation with this server, whose answers come from deterministic handlers. It begins with the welcome.

mod recent;
mod view;

use super::PageHead;
use crate::components::{ChatMessage, Composer, Failure, Loading, SaidLinks, use_list_keys};
use crate::page::{Page, SessionSource, SessionView};
use crate::state::filters;
use crate::state::talk::{Said, Talk};
use crate::state::wording::counted;
use leptos::html::{Div, Textarea};
use leptos::prelude::*;
use recent::Recent;
use view::{ChatView, Stage};
use web_sys::ScrollIntoViewOptions;

/// What can be asked where no model is connected, for whoever does not know.
const SUGGESTIONS: [(&str, &str); 3] =
    [("help", "What can I ask?"), ("skills", "Which skills are on?"), ("time", "What time is it?")];

/// The page of a conversation.
#[component]
pub fn Chat(
    /// Its session; a new conversation without.
    session: Signal<Option<String>>,
) -> impl IntoView {
    use_list_keys();
    let chat = ChatView::open(session);
    let (talk, stage) = (chat.talk(), chat.stage());
    let field = NodeRef::<Textarea>::new();
    let end = NodeRef::<Div>::new();
    let sending = Memo::new(move |_| talk.with(|talk| talk.sending().map(str::to_owned)));
    let said = Memo::new(move |_| talk.with(|talk| talk.said().to_vec()));
    follow(said, sending, field, end);
    let is_here = Memo::new(move |_| stage.with(|stage| matches!(stage, Stage::Here)));
    let disabled = Signal::derive(move || !is_here.get() || sending.with(Option::is_some));
    let state = move || match (stage.get(), sending.with(Option::is_some)) {
        (Stage::Loading, _) => "loading",
        (Stage::Failed(_), _) => "failed",
        (Stage::Imported, _) => "imported",
        (Stage::Here, true) => "sending",
        (Stage::Here, false) => "ready",
    };
    let above = move || match stage.get() {
        Stage::Loading => view! { <Loading text="Loading the conversation…" /> }.into_any(),
        Stage::Failed(error) => view! {
            <Failure error=error on_retry=Callback::new(move |()| chat.load_again()) />
        }
        .into_any(),
        Stage::Imported => view! { <Imported session=session /> }.into_any(),
        Stage::Here => {
            view! { <Conversation talk=talk said=said sending=sending on_ask=Callback::new(move |text| chat.ask(text)) /> }
                .into_any()
        }
    };
    view! {
        <div class="page chat" data-page="chat" data-state=state>
            <PageHead
                title="Chat"
                lead="No model is connected. Deterministic handlers answer, and every turn is checked, recorded and traced like any other."
            >
                <button type="button" class="button" data-new="" on:click=move |_| chat.begin_anew()>"New conversation"</button>
            </PageHead>
            <div class="chat-panes">
                <section class="chat-talk" aria-label="Conversation">
                    {above}
                    <div class="chat-end" node_ref=end></div>
                    <div class="chat-foot" hidden=move || !is_here.get()>
                        <Fault chat=chat />
                        <Composer draft=chat.draft() disabled=disabled field=field on_send=move |()| chat.send() />
                    </div>
                    <p class="visually-hidden" aria-live="polite" data-spoken="">{chat.spoken()}</p>
                </section>
                <Recent sessions=chat.sessions() session=session />
            </div>
        </div>
    }
}

/// What was said, and what is on its way.
#[component]
fn Conversation(
    talk: RwSignal<Talk>,
    said: Memo<Vec<Said>>,
    sending: Memo<Option<String>>,
    on_ask: Callback<&'static str>,
) -> impl IntoView {
    let earlier = Memo::new(move |_| talk.with(|talk| (talk.earlier() as u64, talk.session().unwrap_or_default().to_owned())));
    let unasked = Memo::new(move |_| talk.with(|talk| talk.is_unasked() && talk.sending().is_none()));
    let nothing = Memo::new(move |_| said.with(Vec::is_empty) && sending.with(Option::is_none));
    let links = move |turn: &str| (!turn.is_empty()).then(|| links(&earlier.get_untracked().1, turn));
    // The same words about another turn are another message.
    let key = |said: &Said| format!("{} {} {} {}", said.turn, said.key, said.verdict, said.handler.is_some());
    view! {
        {move || {
            let (count, session) = earlier.get();
            (count > 0)
                .then(|| view! { <p class="chat-earlier">{counted(count, "earlier message")}": " <a href=replay(&session, None)>"read all of it in the replay"</a></p> })
        }}
        {move || nothing.get().then(|| view! { <p class="chat-begin">"A new conversation. Ask something below, or begin with one of these."</p> })}
        <ol class="messages">
            <For each=move || said.get() key=key let:said>{let links = links(&said.turn); view! { <ChatMessage said=said links=links /> }}</For>
            {move || {
                sending.get()
                    .map(|text| view! {
                        <li class="message message-person message-sending" data-said="sending">
                            <p class="visually-hidden">"You wrote"</p>
                            <div class="reading reading-exact" dir="auto">{text}</div>
                            <div class="message-foot" role="status">"Sending…"</div>
                        </li>
                    })
            }}
        </ol>
        {move || unasked.get().then(|| view! {
            <ul class="suggestions" aria-label="What can be asked">
                {SUGGESTIONS.map(|(text, words)| view! {
                    <li><button type="button" class="button" data-suggestion=text on:click=move |_| on_ask.run(text)>{words} " " <code>{text}</code></button></li>
                }).collect_view()}
            </ul>
        })}
    }
}

/// Why the last message could not be sent; its text is in the field again.
#[component]
fn Fault(chat: ChatView) -> impl IntoView {
    move || {
        chat.fault().get().map(|error| {
            view! {
                <div class="chat-fault" role="alert">
                    <p>"Not sent. "{error.message}</p>
                    <button type="button" class="button" data-again="" on:click=move |_| chat.send()>"Try again"</button>
                </div>
            }
        })
    }
}

/// A conversation that another program held.
#[component]
fn Imported(session: Signal<Option<String>>) -> impl IntoView {
    let href = move || replay(&session.get().unwrap_or_default(), None);
    view! {
        <div class="empty" data-imported="">
            <p class="empty-title">"This conversation was held elsewhere"</p>
            <p class="empty-text">"Its log was imported, so it can be read and traced here but not continued."</p>
            <a class="button button-primary" href=href>"Open its replay"</a>
        </div>
    }
}

/// The address of a conversation's replay, or of a turn in it.
fn replay(session: &str, turn: Option<&str>) -> String {
    let source = SessionSource::Stored(session.to_owned());
    Page::Session(SessionView { turn: turn.map(str::to_owned), ..SessionView::of(source) }).to_url()
}

fn links(session: &str, turn: &str) -> SaidLinks {
    let source = SessionSource::Stored(session.to_owned());
    let calls = SessionView { source, turn: Some(turn.to_owned()), node: Some("runtime".to_owned()) };
    SaidLinks {
        replay: replay(session, Some(turn)),
        calls: Page::Session(calls).to_url(),
        decisions: Page::Governance(Box::new(filters::of_turn(turn))).to_url(),
    }
}

/// Keeps the end of the conversation on screen, and gives the focus back to the field once an answer is there, unless it is elsewhere.
fn follow(said: Memo<Vec<Said>>, sending: Memo<Option<String>>, field: NodeRef<Textarea>, end: NodeRef<Div>) {
    Effect::new(move |before: Option<bool>| {
        let count = said.with(Vec::len);
        let is_sending = sending.with(Option::is_some);
        let answered = before == Some(true) && !is_sending;
        if count > 1 || is_sending {
            request_animation_frame(move || {
                if let Some(Some(end)) = end.try_get_untracked() {
                    let nearest = ScrollIntoViewOptions::new();
                    nearest.set_block(web_sys::ScrollLogicalPosition::End);
                    end.scroll_into_view_with_scroll_into_view_options(&nearest);
                }
                let is_free = || document().active_element().is_none_or(|active| active.tag_name() == "BODY");
                if let Some(Some(field)) = field.try_get_untracked()
                    && answered
                    && is_free()
                {
                    // A field that cannot take the focus leaves it where it is.
                    let _ = field.focus();
                }
            });
        }
        is_sending
    });
}
