//! `git cortex search`.

mod safe;

pub(crate) use self::safe::fix;

use std::process::ExitCode;

use cortex_context::RenderOptions;
use cortex_query::{
    FilesQuestion, Limits, QueryError, SearchCase, SearchMode, TextQuery, TextQuestion, Within,
};
use cortex_scope::ScopeRequest;
use serde::Serialize;

use crate::{
    arguments::{
        Global, LookFormat,
        search::{Search, SearchFiles, SearchText, SearchWhat, Shown, TextMode, TextWithin, Where},
    },
    commands::{
        Writers, print_json, print_json_text, print_lines, print_long,
        scope::{self, Invalid},
    },
    failure::Failure,
    interrupt, session,
};

pub(crate) fn run(global: &Global, options: &Search) -> Result<ExitCode, Failure> {
    let result = match &options.what {
        SearchWhat::Text(options) => text(global, options),
        SearchWhat::Files(options) => files(global, options),
        SearchWhat::Safe(options) => safe::run(global, options),
    };
    // What is wrong with a scope is told as the commands of scopes do.
    if let Err(failure) = &result
        && options.what.is_json()
        && let Some(invalid) = failure.cause::<Invalid>()
    {
        print_json(&invalid.json())?;
        return Ok(ExitCode::from(Invalid::EXIT));
    }
    result
}

fn text(global: &Global, options: &SearchText) -> Result<ExitCode, Failure> {
    let (scope_text, scope) = scope_of(&options.place)?;
    let question = TextQuestion {
        query: TextQuery {
            text: options.query.clone(),
            mode: match options.mode {
                TextMode::Plain => SearchMode::Plain,
                TextMode::Regex => SearchMode::Regex,
                TextMode::Word => SearchMode::Word,
                TextMode::Identifier => SearchMode::Identifier,
            },
            case: match options.ignore_case {
                true => SearchCase::Insensitive,
                false => SearchCase::Sensitive,
            },
        },
        scope,
        masks: options.masks.clone(),
        n_context: options.context,
        within: match options.within {
            None => Within::Any,
            Some(TextWithin::Code) => Within::Code,
            Some(TextWithin::Comments) => Within::Comments,
            Some(TextWithin::Strings) => Within::Strings,
        },
        ..TextQuestion::default()
    };
    let limits = Limits::new(options.limit, options.timeout);
    let answer = session::with_side(
        global,
        options.place.shown.at.as_deref(),
        |index, side, bar| {
            cortex_query::search_text(index, side, &question, limits, interrupt::asked(), bar)
        },
    );
    let (answer, index) = answer.map_err(|failure| scoped(failure, &scope_text))?;
    let writers = Writers {
        text: cortex_context::search_text_text,
        markdown: cortex_context::search_text_markdown,
        json: cortex_context::json,
    };
    print(&answer, &options.place.shown, &writers)?;
    session::settle(&index, global);
    Ok(found(answer.n_hits))
}

fn files(global: &Global, options: &SearchFiles) -> Result<ExitCode, Failure> {
    let (scope_text, scope) = scope_of(&options.place)?;
    let question = FilesQuestion {
        query: options.query.clone(),
        scope,
        max_files: options.limit,
        ..FilesQuestion::default()
    };
    let answer = session::with_side(
        global,
        options.place.shown.at.as_deref(),
        |index, side, bar| cortex_query::search_files(index, side, &question, bar),
    );
    let (answer, index) = answer.map_err(|failure| scoped(failure, &scope_text))?;
    let writers = Writers {
        text: cortex_context::search_files_text,
        markdown: cortex_context::search_files_markdown,
        json: cortex_context::json,
    };
    print(&answer, &options.place.shown, &writers)?;
    session::settle(&index, global);
    Ok(found(answer.total))
}

/// The answer is no where nothing was found.
fn found(n: usize) -> ExitCode {
    match n {
        0 => ExitCode::FAILURE,
        _ => ExitCode::SUCCESS,
    }
}

/// The scope that is searched, with how it was written.
pub(super) fn scope_of(place: &Where) -> Result<(String, Option<ScopeRequest>), Failure> {
    match &place.scope {
        None => Ok((String::new(), None)),
        Some(scope) => {
            let (text, request) = scope::read(scope)?;
            Ok((text, Some(request)))
        }
    }
}

/// What is wrong with a scope, as the commands of scopes tell it.
pub(super) fn scoped(failure: Failure, text: &str) -> Failure {
    match failure.cause::<QueryError>() {
        Some(QueryError::Scope(faults)) => Invalid::scope(text, faults.clone()).into(),
        _ => failure,
    }
}

/// Prints an answer in the form that is asked for.
pub(super) fn print<T: Serialize>(
    answer: &T,
    shown: &Shown,
    writers: &Writers<T>,
) -> Result<(), Failure> {
    let options: RenderOptions<'_> = shown.render();
    match shown.format {
        LookFormat::Text => print_lines(&(writers.text)(answer)),
        LookFormat::Md => print_long(&(writers.markdown)(answer, &options)),
        LookFormat::Json => print_json_text(&(writers.json)(answer)),
    }
}
