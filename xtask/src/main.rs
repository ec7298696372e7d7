//! The program behind `cargo xtask`; everything it does is in the library.

use std::process::ExitCode;

fn main() -> ExitCode {
    xtask::main(std::env::args_os().skip(1))
}
