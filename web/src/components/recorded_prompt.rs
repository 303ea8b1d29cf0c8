//! Envelopes in what a recorded call was given: each message that holds some, and what should not be about them.

use super::envelope_text::EnvelopeText;
use super::icon::{Icon, IconName};
use super::place_row::code_words;
use crate::state::wording::counted_as;
use leptos::prelude::*;
use proem_core::api::ApiError;
use proem_core::worker::context::PromptMessage;

/// The messages with envelopes; of those that are not here only their number.
#[derive(Clone, Debug, PartialEq)]
pub struct Prompt {
    /// As many as were sent.
    pub messages: Vec<PromptMessage>,
    /// How many there are.
    pub count: usize,
}

/// Whether a node of a trace stands for something that was given a prompt.
pub fn has_prompt(node: &str) -> bool {
    node == "runtime" || node.strip_prefix("llm").is_some_and(|number| number.parse::<usize>().is_ok())
}

/// The messages; nothing when none of them holds an envelope.
#[component]
pub fn RecordedPrompt(
    /// What was found.
    prompt: Result<Prompt, ApiError>,
) -> impl IntoView {
    let Prompt { messages, count } = match prompt {
        Ok(prompt) if prompt.count == 0 => return ().into_any(),
        Ok(prompt) => prompt,
        Err(error) => {
            return view! { <p class="quiet" role="status">"Its envelopes could not be looked for. " {error.message}</p> }
                .into_any();
        }
    };
    let more = count - messages.len().min(count);
    let message = |PromptMessage { position, role, text, envelopes, findings }: PromptMessage| {
        let name =
            if role == "typed" { "What opened the turn".to_owned() } else { format!("Message {} · {role}", position + 1) };
        let finding = |finding: String| view! { <li class="warn-text" data-finding=""><Icon name=IconName::Warning /><span>{code_words(finding)}</span></li> };
        view! {
            <div class="prompt-message" data-prompt-message=position>
                <h5>{name}</h5>
                {(!findings.is_empty()).then(|| view! { <ul class="entry-remarks">{findings.into_iter().map(finding).collect_view()}</ul> })}
                <EnvelopeText text=text found=envelopes />
            </div>
        }
    };
    view! {
        <section class="prompt" aria-label="Retrieved content" data-prompt=count>
            <h4>"Retrieved content"</h4>
            {messages.into_iter().map(message).collect_view()}
            {(more > 0).then(|| view! { <p class="quiet">{counted_as(more, "more message holds", "more messages hold")} " envelopes; they are too long to be shown here."</p> })}
        </section>
    }
    .into_any()
}

#[cfg(test)]
mod tests {
    use super::has_prompt;

    #[test]
    fn model_calls_and_the_runtime_have_prompts() {
        assert_eq!(["llm0", "llm12", "runtime", "llm", "llmx", "tool0"].map(has_prompt), [true, true, true, false, false, false]);
    }
}
