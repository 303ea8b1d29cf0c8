//! The first-chat welcome, asked for once in the life of a page, and the conversation that was on screen last. Storage may be switched
//! off: then Chat begins anew.

use crate::api;
use futures_channel::oneshot;
use leptos::prelude::window;
use leptos::task::spawn_local;
use proem_core::api::chat::WelcomeAnswer;
use std::cell::RefCell;
use web_sys::Storage;

/// Where the last conversation is kept.
const KEY: &str = "proem.conversation";

enum Greeting {
    NotAsked,
    Asked(Vec<oneshot::Sender<()>>),
    /// The welcome, when it was made just now and nobody has taken it yet.
    Settled(Option<WelcomeAnswer>),
}

thread_local! {
    static GREETING: RefCell<Greeting> = const { RefCell::new(Greeting::NotAsked) };
}

/// Waits until it is known what became of the welcome. It is handed out once, and only when this page has made it; whatever went wrong
/// is Governance's to show.
pub async fn greeting() -> Option<WelcomeAnswer> {
    let wait = GREETING.with_borrow_mut(|greeting| {
        let (settled, wait) = oneshot::channel();
        match greeting {
            Greeting::Settled(_) => return None,
            Greeting::Asked(waiting) => waiting.push(settled),
            Greeting::NotAsked => {
                *greeting = Greeting::Asked(vec![settled]);
                spawn_local(ask());
            }
        }
        Some(wait)
    });
    if let Some(wait) = wait {
        // It is always told.
        let _ = wait.await;
    }
    GREETING.with_borrow_mut(|greeting| if let Greeting::Settled(answer) = greeting { answer.take() } else { None })
}

/// The next to ask asks the server.
pub fn ask_again() {
    GREETING.set(Greeting::NotAsked);
}

async fn ask() {
    let settled = match api::welcome().await {
        Ok(answer) => {
            let answer = Some(answer).filter(|answer| answer.created);
            if let Some(answer) = &answer {
                remember(Some(&answer.session_id));
            }
            Greeting::Settled(answer)
        }
        // Whoever is not known yet asks again after signing in.
        Err(error) if error.code == "unauthorized" => Greeting::NotAsked,
        Err(_) => Greeting::Settled(None),
    };
    if let Greeting::Asked(waiting) = GREETING.replace(settled) {
        for one in waiting {
            // Whoever has gone needs no answer.
            let _ = one.send(());
        }
    }
}

/// The session of the last conversation.
pub fn last() -> Option<String> {
    storage()?.get_item(KEY).ok().flatten()
}

/// Remembers a conversation, or none.
pub fn remember(session: Option<&str>) {
    let Some(storage) = storage() else { return };
    // A full storage keeps the one before.
    let _ = match session {
        Some(session) => storage.set_item(KEY, session),
        None => storage.remove_item(KEY),
    };
}

fn storage() -> Option<Storage> {
    window().local_storage().ok().flatten()
}
