//! `git cortex tests`.

use std::process::ExitCode;

use cortex_context::{MAX_EXPRESSION, RenderOptions, TestsLevel, tests_filter_within};
use cortex_wire::TestsRequest;

use crate::{
    arguments::{self, Global, TestLevel, TestsFormat},
    commands::{print_envelope, print_json_text, print_text, standard_input},
    failure::{Failure, with_context},
    session::Session,
};

/// Tests that are shown to people unless they ask for more.
const SHOWN: usize = 20;

pub(crate) fn run(global: &Global, options: &arguments::Tests) -> Result<ExitCode, Failure> {
    let subjects = match options.stdin {
        true => symbols_of_stdin()?,
        false => options.asked.clone(),
    };
    let max = options.max.unwrap_or(match options.format {
        TestsFormat::Text | TestsFormat::Md => SHOWN,
        TestsFormat::Json
        | TestsFormat::Jsonl
        | TestsFormat::Filter
        | TestsFormat::VstestRunsettings => usize::MAX,
    });
    let paths = match options.format {
        TestsFormat::Jsonl | TestsFormat::Filter | TestsFormat::VstestRunsettings => Some(0),
        TestsFormat::Text | TestsFormat::Md => Some(max),
        TestsFormat::Json => options.max,
    };
    let request = TestsRequest {
        subjects,
        symbols: options.stdin,
        at: options.at.clone(),
        // Those for people count what they leave out.
        limit: options.max.filter(|_| options.format == TestsFormat::Json),
        paths,
    };
    let session = Session::new(global)?;
    let envelope = session.ask("tests", cortex_service::tests, &request)?;
    let answers = &envelope.answer;
    let level = match options.level {
        TestLevel::Class => TestsLevel::Classes,
        TestLevel::Method => TestsLevel::Methods,
    };
    let phrase = session.phrase();
    let render = RenderOptions {
        budget: options.budget,
        tokenizer: options.tokenizer.tokenizer(),
        phrase: &phrase,
    };
    match options.format {
        TestsFormat::Text => print_text(&cortex_context::tests_text(answers, max, &render))?,
        TestsFormat::Md => print_text(&cortex_context::tests_markdown(answers, max, &render))?,
        TestsFormat::Json => print_envelope(&envelope)?,
        TestsFormat::Jsonl => print_json_text(&cortex_context::tests_jsonl(answers, max))?,
        TestsFormat::Filter => {
            let filter = tests_filter_within(answers, level, max, MAX_EXPRESSION);
            if filter.level != Some(level) && !global.quiet {
                let selected = match filter.level {
                    Some(_) => "classes",
                    None => "namespaces",
                };
                anstream::eprintln!(
                    "note: the filter selects whole {selected}, as a longer one may not fit into a command line; \
                     --format vstest-runsettings selects single tests"
                );
            }
            print_text(&format!("{}\n", filter.text))?;
        }
        TestsFormat::VstestRunsettings => {
            print_text(&cortex_context::tests_run_settings(answers, level, max))?;
        }
    }
    session.settle();
    let is_failed = answers.subjects.iter().any(|it| it.error.is_some());
    Ok(match is_failed {
        true => ExitCode::FAILURE,
        false => ExitCode::SUCCESS,
    })
}

fn symbols_of_stdin() -> Result<Vec<String>, Failure> {
    let text = with_context(standard_input(), || {
        "read symbols from standard input".to_owned()
    })?;
    let words = text.lines().map(|line| line.trim().to_owned());
    Ok(words.filter(|line| !line.is_empty()).collect())
}
