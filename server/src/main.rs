//! The `svc` binary. All code is in the library: code in this file would be compiled again for each edit.

use std::process::ExitCode;

fn main() -> ExitCode {
    svc::cli::main()
}
