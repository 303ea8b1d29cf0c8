//! Session logs: bytes become records, records events, events turns, turns a replay. Knows nothing of templates or pages.

mod event;
mod import;
mod lines;
mod model;
mod name;
mod pace;
mod plain;
mod record;
mod repair;
mod replay;
mod session;
mod span;
mod stamp;
mod turns;

pub use event::Event;
pub use model::*;
pub use name::{is_ephemeral, is_session_id, session_id, session_of_reference};
pub(crate) use pace::Pace;
pub use plain::{clock, label, sentence};
pub use record::{Bucket, Record};
pub use replay::{Detail, replay};
pub(crate) use session::cut;
pub use session::{Log, NotALog, counted};
pub use span::{TurnSpan, find_span};
pub use stamp::{Moment, Stamp, moment, parse_stamp, stamp_text};
