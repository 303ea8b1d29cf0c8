//! What was said in the turns near those on screen.

use super::parts::{Part, Parts};
use proem_core::log::Message;

/// What is known of the words of one turn.
pub type Heard = Part<Vec<Message>>;
/// The words that are here.
pub type Said = Parts<Vec<Message>>;
