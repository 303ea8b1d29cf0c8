//! Pure views: data in, callbacks out. None of them fetches, and none knows an address.

mod badge;
mod code_editor;
mod copy_button;
mod dialog;
mod glyph;
mod icon;
mod list_keys;
mod notice;
mod opening_text;
mod problem_list;
mod segmented;
mod situation_tabs;
mod state;
mod theme_switch;
mod time;

pub use badge::{Badge, BadgeTone};
pub use code_editor::CodeEditor;
pub use copy_button::CopyButton;
pub use dialog::use_dialog;
pub use glyph::{OpenerGlyph, SituationGlyph};
pub use icon::{Icon, IconName};
pub use list_keys::use_list_keys;
pub use notice::{NoticeKind, NoticeList, Notices, use_notices};
pub use opening_text::{OpeningText, OpeningView};
pub use problem_list::ProblemList;
pub use segmented::{Segment, Segmented};
pub use situation_tabs::{SituationTabs, status_word};
pub use state::{EmptyState, Failure, Loading};
pub use theme_switch::ThemeSwitch;
pub use time::TimeText;
