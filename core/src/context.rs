//! What stands around an opening in a model's context: the text fetched for one turn ([`preface`]), how requests are laid out for the
//! prompt cache ([`cache`]), and what a fork is given of its template ([`seed`]). Knows no other part of the core.

pub mod cache;
pub mod preface;
pub mod seed;
