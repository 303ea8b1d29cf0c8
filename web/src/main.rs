//! Proem's pages in the browser.

fn main() {}
