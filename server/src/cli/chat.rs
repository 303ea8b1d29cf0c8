//! `proem chat`: a conversation on the terminal, or one message and its answer. It works on the home itself, beside any server.

use super::{Format, fail, home, print, print_json};
use crate::store::{NoAnswer, Place, Store};
use crate::turns::{Said, Turns, message};
use proem_core::api::chat::ChatAnswer;
use std::io::{BufRead, IsTerminal, Write};
use std::path::PathBuf;
use std::process::ExitCode;
use tokio::runtime::Runtime;

/// The channel of everything that is typed here.
const CHANNEL: &str = "console";

/// What `proem chat` takes.
#[derive(clap::Args)]
pub struct ChatArgs {
    /// The folder that holds the database [default: ~/.proem]
    #[arg(long, value_name = "DIR")]
    home: Option<PathBuf>,
    /// The conversation to go on with; a new one without it
    #[arg(long, value_name = "ID")]
    session: Option<String>,
    /// One message: print the answer and end
    #[arg(short = 'p', value_name = "TEXT")]
    text: Option<String>,
    /// How answers are written; without -p, JSON is one document a line
    #[arg(long, value_enum, default_value_t)]
    format: Format,
}

/// Runs `proem chat`.
pub fn run(args: ChatArgs) -> ExitCode {
    home::log("warn");
    match Chat::open(args.home, args.session, args.format) {
        Ok(mut chat) => {
            let code = match args.text {
                Some(text) => chat.once(&text),
                None => chat.converse(),
            };
            chat.runtime.block_on(chat.store.close());
            code
        }
        Err(sentence) => fail(&sentence),
    }
}

/// A conversation under way.
struct Chat {
    runtime: Runtime,
    store: Store,
    turns: Turns,
    session: Option<String>,
    format: Format,
}

/// Why a message got no answer, and whether the whole call is wrong.
struct Unanswered {
    sentence: String,
    wrong_call: bool,
}

impl Chat {
    fn open(folder: Option<PathBuf>, session: Option<String>, format: Format) -> Result<Chat, String> {
        let folder = home::folder(folder)?;
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
        let runtime = runtime.map_err(|error| format!("the chat cannot start: {error}"))?;
        let store = runtime.block_on(Store::open(&folder)).map_err(|error| error.to_string())?;
        Ok(Chat { runtime, store, turns: Turns::of(&folder), session, format })
    }

    /// One message and its answer.
    fn once(&mut self, text: &str) -> ExitCode {
        if let Err(sentence) = message(text) {
            return fail(&sentence);
        }
        self.welcome();
        match self.say(text) {
            Ok(answer) => {
                match self.format {
                    Format::Text => print(&format!("{}\n", answer.response)),
                    Format::Json => print_json(&answer),
                }
                ExitCode::SUCCESS
            }
            Err(unanswered) => unanswered.end(),
        }
    }

    /// Lines until `/quit` or the end of input. A line that gets no answer does not end it.
    fn converse(&mut self) -> ExitCode {
        let person = std::io::stdin().is_terminal();
        self.welcome();
        if person {
            eprintln!("/help tells what is understood; /quit or Ctrl-D ends the conversation.");
        }
        let mut code = ExitCode::SUCCESS;
        loop {
            let line = match next_line(person) {
                Ok(Some(line)) => line,
                Ok(None) => break,
                Err(sentence) => return fail(&sentence),
            };
            let text = line.trim_end_matches(['\n', '\r']);
            match text.trim() {
                "" => continue,
                "/quit" => break,
                _ => {}
            }
            match message(text).map_err(|sentence| Unanswered { sentence, wrong_call: false }).and_then(|text| self.say(text)) {
                Ok(answer) => self.show(&answer),
                Err(unanswered) if unanswered.wrong_call => return unanswered.end(),
                Err(unanswered) => code = unanswered.end(),
            }
        }
        code
    }

    /// Makes the welcome if it is due and shows it; whatever fails, the conversation goes on without it.
    fn welcome(&mut self) {
        if self.format == Format::Json {
            return;
        }
        let place = Place { channel: CHANNEL, audience: "owner" };
        match self.runtime.block_on(self.turns.welcome(&self.store, place, &mut |_| Ok(()))) {
            Ok(welcome) if welcome.created && !welcome.response.trim().is_empty() => {
                print(&format!("{}\n\n", welcome.response));
                self.session.get_or_insert(welcome.session_id);
            }
            Ok(_) => {}
            Err(error) => tracing::debug!("there is no welcome: {error}"),
        }
    }

    fn say(&mut self, text: &str) -> Result<ChatAnswer, Unanswered> {
        let said = Said { session_id: self.session.as_deref(), channel: CHANNEL, text };
        let answer = self.runtime.block_on(self.turns.say(&self.store, said, &mut |_| Ok(())));
        let answer = answer.map_err(|error| Unanswered {
            wrong_call: matches!(error, NoAnswer::NoSession(_) | NoAnswer::Imported(_) | NoAnswer::Full(_)),
            sentence: error.to_string(),
        })?;
        self.session = Some(answer.session_id.clone());
        Ok(answer)
    }

    fn show(&self, answer: &ChatAnswer) {
        match (self.format, serde_json::to_string(answer)) {
            (Format::Text, _) => print(&format!("{}\n", answer.response)),
            (Format::Json, Ok(line)) => print(&format!("{line}\n")),
            (Format::Json, Err(error)) => eprintln!("proem: the answer cannot be written as JSON: {error}"),
        }
    }
}

impl Unanswered {
    fn end(self) -> ExitCode {
        eprintln!("proem: {}", self.sentence);
        ExitCode::from(if self.wrong_call { 2 } else { 1 })
    }
}

/// The next line of standard input; none at its end.
fn next_line(person: bool) -> Result<Option<String>, String> {
    if person {
        // On standard error, so that answers alone are on standard output.
        eprint!("> ");
        let _ = std::io::stderr().flush();
    }
    let mut line = Vec::new();
    match std::io::stdin().lock().read_until(b'\n', &mut line) {
        Ok(0) => Ok(None),
        Ok(_) => String::from_utf8(line).map(Some).map_err(|_| "standard input is not UTF-8 text".to_owned()),
        Err(error) => Err(format!("standard input cannot be read: {error}")),
    }
}
