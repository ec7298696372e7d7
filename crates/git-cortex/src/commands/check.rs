//! `git cortex check`.

use std::process::ExitCode;

use cortex_context::Mend;
use cortex_wire::{CheckRequest, CheckVerdict};

use crate::{
    arguments::{
        ErrorForm, Global,
        fresh::{Check, CheckFormat},
    },
    commands::{print_envelope, print_json_text, print_lines, print_text},
    failure::Failure,
    session::Session,
};

/// The exit code where nothing can be said.
const UNDECIDED: u8 = 2;

/// What mends context.
const MEND: Mend<'_> = Mend {
    fix: "git cortex check --fix",
    unpin: "git cortex unpin PIN",
    aliases: "git cortex export-context --aliases",
    restore: "git cortex ops list",
    review: "git cortex review",
    drop: "git cortex ops drop",
};

pub(crate) fn run(global: &Global, options: &Check) -> Result<ExitCode, Failure> {
    let session = Session::new(global)?;
    let request = CheckRequest {
        at: options.at.clone(),
        cached: options.cached,
        base: options.base.clone(),
        policy: options.policy.clone(),
        fix: options.fix,
        explain: options.explain,
    };
    let envelope = match session.ask("check", cortex_service::check, &request) {
        Ok(envelope) => envelope,
        Err(failure) => return Ok(undecided(failure, options.format)),
    };
    let answer = &envelope.answer;
    match options.format {
        CheckFormat::Text => print_lines(&cortex_context::check_text(answer, &MEND))?,
        CheckFormat::Json => print_envelope(&envelope)?,
        CheckFormat::Sarif => print_json_text(&cortex_context::check_sarif(answer, &MEND))?,
        CheckFormat::Github => print_text(&cortex_context::check_github(answer, &MEND))?,
        CheckFormat::Junit => print_text(&cortex_context::check_junit(answer, &MEND))?,
    }
    session.settle();
    Ok(match answer.verdict {
        CheckVerdict::Fresh => ExitCode::SUCCESS,
        CheckVerdict::Stale => ExitCode::FAILURE,
        CheckVerdict::Undecided => ExitCode::from(UNDECIDED),
    })
}

/// A check that fails says neither fresh nor stale, whatever kept it from an answer.
fn undecided(failure: Failure, format: CheckFormat) -> ExitCode {
    let is_interrupted = failure.is_interrupted();
    let form = match format {
        CheckFormat::Json => ErrorForm::Json,
        _ => ErrorForm::Words,
    };
    let code = failure.report(form);
    match is_interrupted {
        true => code,
        false => ExitCode::from(UNDECIDED),
    }
}
