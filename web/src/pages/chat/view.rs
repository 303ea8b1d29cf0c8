//! What the Chat page does: fetches a conversation, takes the welcome, sends, and keeps the address in step.

use crate::api;
use crate::greeting::{self, greeting};
use crate::navigate::{Navigation, use_navigation};
use crate::page::Page;
use crate::state::talk::Talk;
use leptos::prelude::*;
use leptos::task::spawn_local;
use proem_core::api::chat::ChatAnswer;
use proem_core::api::governance::LedgerQuery;
use proem_core::api::{ApiError, SessionList};

/// Rows of the ledger that are asked who gave the answers on screen.
const ROWS: u32 = 500;

/// What stands in place of the conversation.
#[derive(Clone)]
pub enum Stage {
    /// It is on its way.
    Loading,
    /// A sentence says why not.
    Failed(ApiError),
    /// It was held elsewhere.
    Imported,
    /// Nothing: it is here, or begins.
    Here,
}

/// The conversation of one page. Copy it freely.
#[derive(Clone, Copy)]
pub struct ChatView {
    navigation: Navigation,
    session: Signal<Option<String>>,
    talk: RwSignal<Talk>,
    stage: RwSignal<Stage>,
    draft: RwSignal<String>,
    fault: RwSignal<Option<ApiError>>,
    spoken: RwSignal<String>,
    sessions: LocalResource<Result<SessionList, ApiError>>,
}

impl ChatView {
    /// Shows the conversation of the address, and asks for the welcome.
    pub fn open(session: Signal<Option<String>>) -> ChatView {
        let view = ChatView {
            navigation: use_navigation(),
            session,
            talk: RwSignal::default(),
            stage: RwSignal::new(Stage::Here),
            draft: RwSignal::default(),
            fault: RwSignal::new(None),
            spoken: RwSignal::default(),
            sessions: LocalResource::new(api::sessions),
        };
        Effect::new(move || match (session.get(), greeting::last()) {
            (Some(id), _) if view.is_on(&id) => {}
            (Some(id), _) => view.load(id, false),
            // Chat without a name goes on with the last conversation.
            (None, Some(last)) if view.is_on(&last) => view.show(&last),
            (None, Some(last)) => view.load(last, true),
            (None, None) => view.begin(),
        });
        spawn_local(view.greet());
        view
    }

    /// What was said.
    pub fn talk(&self) -> RwSignal<Talk> {
        self.talk
    }

    /// What stands in its place.
    pub fn stage(&self) -> RwSignal<Stage> {
        self.stage
    }

    /// What is being written.
    pub fn draft(&self) -> RwSignal<String> {
        self.draft
    }

    /// Why the last message was not sent.
    pub fn fault(&self) -> RwSignal<Option<ApiError>> {
        self.fault
    }

    /// The newest answer, for those who hear the page.
    pub fn spoken(&self) -> RwSignal<String> {
        self.spoken
    }

    /// All sessions.
    pub fn sessions(&self) -> LocalResource<Result<SessionList, ApiError>> {
        self.sessions
    }

    /// Leaves the conversation for a new one.
    pub fn begin_anew(self) {
        greeting::remember(None);
        self.begin();
        self.navigation.go(&Page::Chat(None));
    }

    /// Fetches the conversation of the address once more.
    pub fn load_again(self) {
        match self.session.get_untracked() {
            Some(id) => self.load(id, false),
            None => self.begin(),
        }
    }

    /// Sends a text that was not written by hand.
    pub fn ask(self, text: &str) {
        self.draft.set(text.to_owned());
        self.send();
    }

    /// Sends what was written, once it is known what became of the welcome.
    pub fn send(self) {
        let text = self.draft.get_untracked();
        let Some(ticket) = self.talk.try_update(|talk| talk.send(&text)).flatten() else { return };
        self.draft.set(String::new());
        self.fault.set(None);
        spawn_local(async move {
            self.greet().await;
            // The page may have turned to another conversation, or have gone.
            let session = self.talk.try_with_untracked(|talk| talk.awaits(ticket).then(|| talk.session().map(str::to_owned)));
            let Some(session) = session.flatten() else { return };
            match api::say(session, text).await {
                Ok(answer) => self.take(ticket, answer),
                Err(error) => self.give_back(ticket, error),
            }
        });
    }

    fn take(self, ticket: u32, answer: ChatAnswer) {
        let was_unasked = self.talk.try_with_untracked(Talk::is_unasked).unwrap_or_default();
        if self.talk.try_update(|talk| talk.answered(ticket, &answer)) != Some(true) {
            return;
        }
        self.spoken.set(answer.response);
        self.show(&answer.session_id);
        let first = self.sessions.get_untracked().and_then(Result::ok).and_then(|list| Some(list.sessions.first()?.id.clone()));
        // Its title is its first question, and its place that of its last.
        if was_unasked || first.as_ref() != Some(&answer.session_id) {
            self.sessions.refetch();
        }
    }

    fn give_back(self, ticket: u32, error: ApiError) {
        if let Some(text) = self.talk.try_update(|talk| talk.failed(ticket)).flatten() {
            self.draft.set(text);
            self.fault.set(Some(error));
        }
    }

    /// Takes over the welcome, if this page has just made it.
    async fn greet(self) {
        let Some(answer) = greeting().await else { return };
        if self.talk.try_update(|talk| talk.welcome(&answer)) == Some(true) {
            self.stage.set(Stage::Here);
            self.spoken.set(answer.response);
            self.show(&answer.session_id);
        }
        if !self.sessions.is_disposed() {
            self.sessions.refetch();
        }
    }

    fn is_on(self, id: &str) -> bool {
        self.talk.with_untracked(|talk| talk.session() == Some(id))
    }

    /// Gives the conversation its address and remembers it.
    fn show(self, id: &str) {
        greeting::remember(Some(id));
        self.navigation.replace(&Page::Chat(Some(id.to_owned())));
    }

    fn begin(self) {
        self.turn_to(Talk::default(), Stage::Here);
    }

    fn turn_to(self, talk: Talk, stage: Stage) {
        self.talk.update(|now| now.turn_to(talk));
        self.fault.set(None);
        self.spoken.set(String::new());
        self.stage.set(stage);
    }

    /// Fetches a conversation. One that was only remembered, and is not there any more, is forgotten.
    fn load(self, id: String, remembered: bool) {
        self.turn_to(Talk::default(), Stage::Loading);
        spawn_local(async move {
            let fetched = self.fetch(&id).await;
            // Meanwhile the address may name another, or the welcome may have been made.
            let wanted = self.session.try_get_untracked();
            let is_wanted = wanted.is_some_and(|wanted| wanted.as_ref() == Some(&id) || (wanted.is_none() && remembered));
            if !is_wanted || self.talk.with_untracked(|talk| talk.session().is_some()) {
                return;
            }
            match fetched {
                Ok(Some(talk)) => {
                    self.turn_to(talk, Stage::Here);
                    self.show(&id);
                    self.learn(id).await;
                }
                Ok(None) => self.stage.set(Stage::Imported),
                Err(error) if remembered && error.code == "not_found" => {
                    greeting::remember(None);
                    self.begin();
                }
                Err(error) => self.stage.set(Stage::Failed(error)),
            }
        });
    }

    /// A recorded conversation; None when it was imported.
    async fn fetch(self, id: &str) -> Result<Option<Talk>, ApiError> {
        if !api::session(id).await?.live {
            return Ok(None);
        }
        Ok(Some(Talk::recorded(id, &api::session_messages(id).await?.messages)))
    }

    /// Asks the ledger who gave the answers. Without it they are shown all the same.
    async fn learn(self, id: String) {
        let query = LedgerQuery { session: Some(id.clone()), hook: Some("pre_response".to_owned()), ..LedgerQuery::default() };
        let Ok(page) = api::ledger(&query, ROWS).await else { return };
        if self.talk.try_with_untracked(|talk| talk.session() == Some(&id)) == Some(true) {
            self.talk.update(|talk| talk.learn(&page.entries));
        }
    }
}
