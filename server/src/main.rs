//! The `svc` binary. All of it is in the library: what is compiled here is compiled again for each edit.

use std::process::ExitCode;

fn main() -> ExitCode {
    svc::cli::main()
}
