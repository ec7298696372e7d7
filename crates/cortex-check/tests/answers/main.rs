//! What answers contain, at the level of the library: each test is the code, the request and the answer.
//!
//! Arguments, exit codes, streams and forms of answers are tested with the program, in `crates/git-cortex/tests`.

use cortex_check::Service;

mod api;
mod external;
mod history;
mod impact;
mod limited;
mod look;
mod mention_laws;
mod mentions;
mod names;
mod outline;
mod parity;
mod reach;
mod reach_laws;
mod scope;
mod scope_warnings;
mod scoped;
mod search;
mod symbol_laws;
mod text_search;

/// A project of all C# files in its folder and below.
const PROJECT: &str = "<Project Sdk=\"Microsoft.NET.Sdk\">\n  <PropertyGroup>\n    <TargetFramework>net8.0</TargetFramework>\n  </PropertyGroup>\n</Project>\n";

/// The demonstration repository: ten commits of a small solution.
fn demo() -> Service {
    Service::created_by(|folder| {
        xtask::demo::build(&xtask::demo::history(), folder)
            .expect("the demonstration can be built");
    })
}
