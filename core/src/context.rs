//! What stands around an opening in a model's context: the text fetched for one turn ([`preface`]), and what a fork is given of its
//! template ([`seed`]). Knows no other part of the core.

pub mod preface;
pub mod seed;
