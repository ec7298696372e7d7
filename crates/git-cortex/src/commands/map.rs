//! `git cortex map`.

use std::process::ExitCode;

use cortex_look::{MapOptions, TestsShown};
use cortex_wire::{Area, MapAnswer};

use crate::{
    arguments::{self, Global, Look, LookFormat, MapDocs},
    commands::{outline::members_shown, print_json_text, print_lines, print_long},
    failure::Failure,
    session,
};

/// So many members of a type are told.
pub(super) const N_MEMBERS: usize = 12;

/// No type has fewer tokens on average, its members counted.
const MIN_TOKENS: usize = 40;

pub(crate) fn run(global: &Global, options: &arguments::Map) -> Result<ExitCode, Failure> {
    let wanted = MapOptions {
        focus: options.focus.clone(),
        area: Area::Repository,
        tests: match options.look.test {
            true => TestsShown::With,
            false => TestsShown::Without,
        },
        members: members_shown(options.members),
        docs: match options.docs {
            MapDocs::None => cortex_look::MapDocs::Without,
            MapDocs::First => cortex_look::MapDocs::With,
        },
        n_types: n_types(&options.look, options.format),
        n_members: N_MEMBERS,
    };
    let (answer, index) = session::look(global, &options.look, |view| {
        cortex_look::map(view, &wanted)
    })?;
    print(&answer, options.format, &options.look)?;
    session::settle(&index, global);
    Ok(ExitCode::SUCCESS)
}

/// How many types are worth reading: more than a budget can hold are not shown.
pub(super) fn n_types(look: &Look, format: LookFormat) -> usize {
    match format {
        LookFormat::Json => look.limit,
        LookFormat::Text | LookFormat::Md => look.limit.min(look.budget / MIN_TOKENS + 1),
    }
}

pub(super) fn print(answer: &MapAnswer, format: LookFormat, look: &Look) -> Result<(), Failure> {
    match format {
        LookFormat::Text => print_lines(&cortex_context::map_text(answer, &look.render())),
        LookFormat::Md => print_long(&cortex_context::map_markdown(answer, &look.render())),
        LookFormat::Json => print_json_text(&cortex_context::json(answer)),
    }
}
