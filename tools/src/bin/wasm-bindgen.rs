//! The `wasm-bindgen` command at the version this project is pinned to.

fn main() -> Result<(), Box<dyn std::error::Error>> {
    wasm_bindgen_cli::wasm_bindgen::run_cli_with_args(std::env::args_os())?;
    Ok(())
}
