//! The workers' side of the engine.

fn main() {}
