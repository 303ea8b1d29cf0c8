//! Bounds the engine's worker: what the linker must know about its stack and memory.

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    if std::env::var("CARGO_CFG_TARGET_ARCH").as_deref() == Ok("wasm32") {
        // 4 MiB of stack for deep templates, and 1 GiB of memory after which an allocation traps instead of taking the tab down.
        println!("cargo::rustc-link-arg-bin=proem-engine=-zstack-size=4194304");
        println!("cargo::rustc-link-arg-bin=proem-engine=--max-memory=1073741824");
    }
}
