//! `git cortex api`.

use std::{path::Path, process::ExitCode};

use cortex_change::Allowed;
use cortex_context::{ApiShown, RenderOptions};
use cortex_wire::{ApiAnswer, ApiRequest, ErrorCode, Hint, WireError};

use crate::{
    arguments::{self, ApiFormat, FailOn, Global},
    commands::{print_envelope, print_json_text, print_lines, print_long, print_text},
    failure::{Failure, with_context},
    session::Session,
};

/// The exit code of a gate where something could not be decided.
const UNDECIDED: u8 = 2;

pub(crate) fn run(global: &Global, options: &arguments::Api) -> Result<ExitCode, Failure> {
    let allowed = allowed(&global.directory, options)?;
    let session = Session::new(global)?;
    let request = ApiRequest {
        revisions: options.revisions.clone(),
        cached: options.cached,
        assemblies: options.assemblies.clone(),
    };
    let mut envelope = session.ask("api", cortex_service::api, &request)?;
    allowed.mark(&mut envelope.answer);
    let answer = &envelope.answer;
    let shown = match options.all {
        true => ApiShown::All,
        false => ApiShown::Notable,
    };
    match options.format {
        ApiFormat::Text => print_lines(&cortex_context::api_text(answer, shown))?,
        ApiFormat::Md => {
            let phrase = session.phrase();
            let render = RenderOptions {
                budget: options.budget,
                tokenizer: options.tokenizer.tokenizer(),
                phrase: &phrase,
            };
            print_long(&cortex_context::api_markdown(answer, shown, &render))?;
        }
        ApiFormat::Json => print_envelope(&envelope)?,
        ApiFormat::Jsonl => print_json_text(&cortex_context::api_jsonl(answer))?,
        ApiFormat::Sarif => print_json_text(&cortex_context::api_sarif(answer, shown))?,
        ApiFormat::Github => print_text(&cortex_context::api_github(answer, shown))?,
    }
    session.settle();
    Ok(match options.exit_code {
        true => verdict(answer, options),
        false => ExitCode::SUCCESS,
    })
}

/// What the user accepts; files as seen from the folder that `-C` gives.
fn allowed(directory: &Path, options: &arguments::Api) -> Result<Allowed, Failure> {
    let mut allowed = Allowed::of_rules(&options.allow);
    for file in &options.allow_file {
        let read = || format!("read the suppression file `{}`", file.display());
        let text = with_context(std::fs::read_to_string(directory.join(file)), read)?;
        let text = text.strip_prefix('\u{feff}').unwrap_or(&text);
        allowed.add_file(text).map_err(|error| {
            let message = format!("failed to {}", read());
            WireError::new(ErrorCode::InvalidFilter, message)
                .with_causes(vec![error.to_string()])
                .with_hint(Hint::WriteSuppressions)
        })?;
    }
    Ok(allowed)
}

fn verdict(answer: &ApiAnswer, options: &arguments::Api) -> ExitCode {
    let counts = cortex_context::api_counts(answer);
    let n_severities = match options.fail_on {
        FailOn::Breaking => 1,
        FailOn::SourceBreaking => 2,
        FailOn::Behavioral => 3,
        FailOn::Any => 4,
    };
    let is_undecided = answer.assemblies.iter().any(|it| !it.undecided.is_empty());
    if counts[..n_severities].iter().any(|&n| n > 0) {
        ExitCode::FAILURE
    } else if is_undecided && !options.allow_undecided {
        ExitCode::from(UNDECIDED)
    } else {
        ExitCode::SUCCESS
    }
}
