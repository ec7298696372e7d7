//! `git cortex api`.

use std::{path::Path, process::ExitCode};

use anyhow::Context;
use cortex_change::{Allowed, ApiQuestion};
use cortex_context::ApiShown;
use cortex_git::{Cached, RangeSpec};
use cortex_look::QueryError;
use cortex_wire::ApiAnswer;

use crate::{
    arguments::{self, ApiFormat, FailOn, Global},
    commands::{print_json_text, print_lines, print_long, print_text},
    failure::Failure,
    progress::Bar,
    session,
};

/// The exit code of a gate where something could not be decided.
const UNDECIDED: u8 = 2;

pub(crate) fn run(global: &Global, options: &arguments::Api) -> Result<ExitCode, Failure> {
    let allowed = allowed(&global.directory, options)?;
    let index = session::open(global)?;
    let question = ApiQuestion {
        range: RangeSpec {
            revisions: options.revisions.clone(),
            cached: if options.cached {
                Cached::Yes
            } else {
                Cached::No
            },
            paths: Vec::new(),
        },
        assemblies: options.assemblies.clone(),
    };
    let bar = Bar::new(global.quiet);
    let result = session::mending(&index, QueryError::is_damage, || {
        cortex_change::api(&index, &question, &bar)
    });
    bar.finish();
    session::report_notices(&index, global.quiet);
    let (mut answer, _) = result?;
    allowed.mark(&mut answer);
    index.store.release();
    let shown = match options.all {
        true => ApiShown::All,
        false => ApiShown::Notable,
    };
    match options.format {
        ApiFormat::Text => print_lines(&cortex_context::api_text(&answer, shown))?,
        ApiFormat::Md => print_long(&cortex_context::api_markdown(&answer, shown))?,
        ApiFormat::Json => print_json_text(&cortex_context::json(&answer))?,
        ApiFormat::Jsonl => print_json_text(&cortex_context::api_jsonl(&answer))?,
        ApiFormat::Sarif => print_json_text(&cortex_context::api_sarif(&answer, shown))?,
        ApiFormat::Github => print_text(&cortex_context::api_github(&answer, shown))?,
    }
    session::settle(&index, global);
    Ok(if options.exit_code {
        verdict(&answer, options)
    } else {
        ExitCode::SUCCESS
    })
}

/// What the user accepts; files as seen from the folder that `-C` gives.
fn allowed(directory: &Path, options: &arguments::Api) -> Result<Allowed, Failure> {
    let mut allowed = Allowed::of_rules(&options.allow);
    for file in &options.allow_file {
        let read = || format!("read the suppression file `{}`", file.display());
        let text = std::fs::read_to_string(directory.join(file)).with_context(read)?;
        let text = text.strip_prefix('\u{feff}').unwrap_or(&text);
        allowed.add_file(text).with_context(read)?;
    }
    Ok(allowed)
}

fn verdict(answer: &ApiAnswer, options: &arguments::Api) -> ExitCode {
    let counts = cortex_context::api_counts(answer);
    let n_severities = match options.fail_on {
        FailOn::Breaking => 1,
        FailOn::SourceBreaking => 2,
        FailOn::Behavioural => 3,
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
