//! `git cortex diff-context`.

use std::process::ExitCode;

use cortex_change::{Hunks, Question, UseLines};
use cortex_context::RenderOptions;
use cortex_git::{Cached, RangeSpec};
use cortex_look::QueryError;

use crate::{
    arguments::{self, Format, Global},
    commands::{print_exact, print_json_text, print_long, scope},
    failure::Failure,
    progress::Bar,
    session,
};

pub(crate) fn run(global: &Global, options: &arguments::DiffContext) -> Result<ExitCode, Failure> {
    let (scope_text, scope) = scope::read_some(global, options.scope.as_deref())?;
    let index = session::open(global)?;
    let range = RangeSpec {
        revisions: options.revisions.clone(),
        cached: if options.cached {
            Cached::Yes
        } else {
            Cached::No
        },
        paths: options.paths.clone(),
    };
    let uses = match options.format {
        // No line has fewer tokens on average: what lies beyond could not be shown.
        Format::Md => UseLines::First(options.budget / 6 + 1),
        Format::Json => UseLines::All,
        Format::Patch => UseLines::First(0),
    };
    let hunks = match options.format {
        Format::Md => Hunks::Counted,
        Format::Json | Format::Patch => Hunks::Told,
    };
    let question = Question {
        range,
        scope,
        scope_text: scope_text.clone(),
        uses,
        hunks,
    };
    let bar = Bar::new(global.quiet);
    let result = session::mending(&index, QueryError::is_damage, || {
        cortex_change::diff_context(&index, &question, &bar)
    });
    bar.finish();
    session::report_notices(&index, global.quiet);
    let (answer, outcome) = result.map_err(|error| scope::told(error.into(), &scope_text))?;
    if outcome.parsed > 500 && !global.quiet {
        anstream::eprintln!(
            "note: indexed {} files first; the next question starts from here",
            outcome.parsed
        );
    }
    index.store.release();
    match options.format {
        Format::Md => {
            print_long(&cortex_context::markdown(
                &answer,
                &RenderOptions {
                    budget: options.budget,
                    tokenizer: options.tokenizer.tokenizer(),
                    phrase: &crate::more::more,
                },
            ))?;
        }
        Format::Json => print_json_text(&cortex_context::json(&answer))?,
        Format::Patch => print_exact(&cortex_context::patch(&answer))?,
    }
    session::settle(&index, global);
    let changed = options.exit_code && !answer.files.is_empty();
    Ok(if changed {
        ExitCode::FAILURE
    } else {
        ExitCode::SUCCESS
    })
}
