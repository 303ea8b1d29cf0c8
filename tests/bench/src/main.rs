//! The core's work for the bench, twice: a program that is told over its standard input what to do, and a module for Node.

mod work;

/// Does each piece of work that is asked for, `NAME TAB INPUT` a line, and answers `NANOSECONDS TAB OUTPUT`.
#[cfg(not(target_arch = "wasm32"))]
fn main() -> std::io::Result<()> {
    use std::io::{BufRead, Write};
    let mut bench = work::Bench::default();
    let mut out = std::io::stdout().lock();
    for line in std::io::stdin().lock().lines() {
        let line = line?;
        let (name, input) = line.split_once('\t').unwrap_or((&line, ""));
        let begun = std::time::Instant::now();
        let output = bench.run(name, input);
        let nanoseconds = begun.elapsed().as_nanos();
        writeln!(out, "{nanoseconds}\t{output}")?;
        out.flush()?;
    }
    Ok(())
}

#[cfg(target_arch = "wasm32")]
fn main() {}

/// The same work for Node, which holds the clock.
#[cfg(target_arch = "wasm32")]
#[wasm_bindgen::prelude::wasm_bindgen]
pub fn run(name: &str, input: &str) -> String {
    use std::cell::RefCell;
    thread_local! {
        static BENCH: RefCell<work::Bench> = RefCell::default();
    }
    BENCH.with_borrow_mut(|bench| bench.run(name, input))
}
