//! What answers contain, at the level of the library: each test is the code, the request and the answer.
//!
//! Arguments, exit codes, streams and forms of answers are tested with the program, in `crates/git-cortex/tests`.

use cortex_check::{Format, Service, Value};

mod api;
mod care;
mod change;
mod counterparts;
mod database;
mod dispatch;
mod edit_laws;
mod external;
mod frameworks;
mod history;
mod hosts;
mod impact;
mod lagging;
mod limited;
mod look;
mod mention_laws;
mod mentions;
mod merges;
mod moves;
mod names;
mod outline;
mod parity;
mod prove;
mod ranges;
mod reach;
mod reach_laws;
mod repositories;
mod scope;
mod scope_paths;
mod scope_warnings;
mod scoped;
mod search;
mod symbol_laws;
mod text_search;
mod unset;
mod user_laws;
mod weighed;
mod workflows;

/// A project of all C# files in its folder and below.
const PROJECT: &str = "<Project Sdk=\"Microsoft.NET.Sdk\">\n  <PropertyGroup>\n    <TargetFramework>net8.0</TargetFramework>\n  </PropertyGroup>\n</Project>\n";

/// The demonstration repository: ten commits of a small solution.
fn demo() -> Service {
    Service::created_by(|folder| {
        xtask::demo::build(&xtask::demo::history(), folder)
            .expect("the demonstration can be built");
    })
}

/// Compares what people see of a request with the stored snapshot of this name.
#[track_caller]
fn check(snapshot: &str, service: &Service, form: Format, operation: &str, request: Value) {
    let place = service.beside("");
    let text = service.show(form, operation, request);
    let text = text.replace(&*place.to_string_lossy(), "[PLACE]/");
    let mut settings = insta::Settings::clone_current();
    settings.set_snapshot_path("../snapshots");
    settings.set_prepend_module_to_snapshot(false);
    settings.set_omit_expression(true);
    settings.bind(|| insta::assert_snapshot!(snapshot, text));
}

/// Compares the change between two states, as Markdown, with the stored snapshot of this name.
#[track_caller]
fn check_change(snapshot: &str, service: &Service, request: Value) {
    check(snapshot, service, Format::Markdown, "diff-context", request);
}
