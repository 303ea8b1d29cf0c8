//! The `proem` binary: the server and the command line in one.

fn main() -> std::process::ExitCode {
    proem::cli::main()
}
