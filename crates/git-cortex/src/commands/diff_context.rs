//! `git cortex diff-context`.

use std::process::ExitCode;

use cortex_context::RenderOptions;
use cortex_wire::{CodeShown, DiffContextRequest, HunksShown};

use crate::{
    arguments::{self, CodeOption, Format, Global},
    commands::{print_envelope, print_long, print_patch, scope_text},
    failure::Failure,
    session::Session,
};

pub(crate) fn run(global: &Global, options: &arguments::DiffContext) -> Result<ExitCode, Failure> {
    let session = Session::new(global)?;
    let request = DiffContextRequest {
        revisions: options.revisions.clone(),
        cached: options.cached,
        prove: options.prove,
        paths: options.paths.clone(),
        scope: scope_text(options.scope.as_deref())?,
        uses: match options.format {
            // No line has fewer tokens on average: what lies beyond could not be shown.
            Format::Md => Some(options.budget / 6 + 1),
            Format::Json => None,
            Format::Patch => Some(0),
        },
        hunks: match options.format {
            Format::Md => HunksShown::Counted,
            Format::Json | Format::Patch => HunksShown::All,
        },
        code: match options.code {
            CodeOption::None => CodeShown::None,
            CodeOption::Changed => CodeShown::Changed,
            CodeOption::Full => CodeShown::Full,
        },
    };
    let envelope = session.ask("diff-context", cortex_service::diff_context, &request)?;
    let answer = &envelope.answer;
    match options.format {
        Format::Md => {
            let phrase = session.phrase();
            let options = RenderOptions {
                budget: options.budget,
                tokenizer: options.tokenizer.tokenizer(),
                phrase: &phrase,
            };
            print_long(&cortex_context::markdown(answer, &options))?;
        }
        Format::Json => print_envelope(&envelope)?,
        Format::Patch => print_patch(&cortex_context::patch(answer))?,
    }
    session.settle();
    Ok(match options.exit_code && !answer.files.is_empty() {
        true => ExitCode::FAILURE,
        false => ExitCode::SUCCESS,
    })
}
