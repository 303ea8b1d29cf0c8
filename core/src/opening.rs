//! Openings: the six situations, the facts a template may read, and the assembly of role and skills into one text.

pub mod builtin;
pub mod complete;
pub mod compose;
pub mod contract;
pub mod facts;
pub mod kind;
pub mod reads;
pub mod sample;
pub mod shape;
pub mod suggest;
pub mod table;
pub mod validate;
