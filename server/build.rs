//! Rebuilds the binary when the pages it carries have changed.

fn main() {
    // A debug build reads the folder while it runs; only a release build carries it. A folder that does not exist counts as
    // changed, so that pages built later are never missed.
    let release = std::env::var("PROFILE").is_ok_and(|profile| profile == "release");
    println!("cargo::rerun-if-changed={}", if release { "../dist" } else { "build.rs" });
}
