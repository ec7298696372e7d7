//! `git cortex outline`.

use std::process::ExitCode;

use cortex_look::{MapOptions, MembersShown, OutlineOptions, SourceShown, TestsShown};
use cortex_wire::{DocsShown, MapAnswer, OutlineAnswer};

use crate::{
    arguments::{self, Docs, Global, Members},
    commands::{Writers, print_look},
    failure::Failure,
    session,
};

/// A symbol, or a part of the repository.
enum Answer {
    Symbol(Box<OutlineAnswer>),
    Area(Box<MapAnswer>),
}

pub(crate) fn run(global: &Global, options: &arguments::Outline) -> Result<ExitCode, Failure> {
    let members = members_shown(options.members);
    let wanted = OutlineOptions {
        members,
        depth: options.depth,
        docs: match options.docs {
            Docs::None => DocsShown::None,
            Docs::First => DocsShown::First,
            Docs::Full => DocsShown::Full,
        },
        source: if options.source {
            SourceShown::With
        } else {
            SourceShown::Without
        },
        n_related: options.top,
    };
    let (answer, index) = session::look(global, &options.look, |view| {
        let Some(area) = cortex_look::find_area(view, &options.what)? else {
            let found = cortex_look::outline(view, &options.what, &wanted)?;
            return Ok(Answer::Symbol(Box::new(found)));
        };
        let found = cortex_look::map(
            view,
            &MapOptions {
                focus: Vec::new(),
                area,
                tests: TestsShown::With,
                members,
                docs: match options.docs {
                    Docs::None => cortex_look::MapDocs::Without,
                    Docs::First | Docs::Full => cortex_look::MapDocs::With,
                },
                n_types: super::map::n_types(&options.look, options.format),
                n_members: super::map::N_MEMBERS,
            },
        )?;
        Ok(Answer::Area(Box::new(found)))
    })?;
    match &answer {
        Answer::Symbol(answer) => {
            let writers = Writers {
                text: cortex_context::outline_text,
                markdown: cortex_context::outline_markdown,
                json: cortex_context::json,
            };
            print_look(&**answer, options.format, &options.look, &writers)?;
        }
        Answer::Area(answer) => super::map::print(answer, options.format, &options.look)?,
    }
    session::settle(&index, global);
    Ok(ExitCode::SUCCESS)
}

pub(super) fn members_shown(members: Members) -> MembersShown {
    match members {
        Members::Public => MembersShown::Public,
        Members::All => MembersShown::All,
    }
}
