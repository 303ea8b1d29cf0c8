//! What the two modules of the pages are made of: nothing that compiles templates or reads logs is in the one every page loads.

use std::path::Path;

/// Texts that only a part of the engine holds, and what it is.
const ENGINE: [(&str, &str); 5] = [
    ("minijinja", "the template engine"),
    ("nested deeper than 60", "the guard"),
    ("this template does too much work for one opening", "the engine's problems"),
    ("is not a fact", "the reader of facts"),
    ("did not arrive; open the file again", "the reader of logs"),
];

#[test]
fn nothing_of_the_engine_is_in_the_pages_module() {
    let (pages, engine) = (module("proem-web-"), module("proem-engine-"));
    for (text, what) in ENGINE {
        assert!(holds(&engine, text), "the engine no longer says {text:?}: choose another text of {what} for this test");
        assert!(!holds(&pages, text), "{what} is in the pages' module: it says {text:?}");
    }
}

fn holds(module: &[u8], text: &str) -> bool {
    module.windows(text.len()).any(|window| window == text.as_bytes())
}

/// The one module of `dist` whose name begins so.
fn module(prefix: &str) -> Vec<u8> {
    let dist = Path::new(env!("CARGO_MANIFEST_DIR")).join("../dist");
    let names = std::fs::read_dir(dist).expect("the pages are not built: run scripts/test, or trunk build");
    let mut found = names.map(|entry| entry.unwrap().path()).filter(|path| {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        name.starts_with(prefix) && name.ends_with(".wasm")
    });
    let path = found.next().unwrap_or_else(|| panic!("there is no {prefix}*.wasm in dist"));
    assert!(found.next().is_none(), "there are two {prefix}*.wasm in dist");
    std::fs::read(path).unwrap()
}
