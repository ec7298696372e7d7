//! `git cortex search`.

mod safe;

pub(crate) use self::safe::fix;

use std::process::ExitCode;

use cortex_context::RenderOptions;
use cortex_look::{
    FilesQuestion, Limits, SearchCase, SearchMode, SearchQuestion, TextQuery, TextQuestion, Within,
};
use cortex_scope::Counted;
use serde::Serialize;

use crate::{
    arguments::{
        Global, LookFormat, SearchSymbols,
        search::{Search, SearchFiles, SearchText, SearchWhat, Shown, TextMode, TextWithin},
    },
    commands::{Writers, print_json_text, print_lines, print_long, print_look, scope},
    failure::Failure,
    interrupt,
    session::{self, Depth},
};

pub(crate) fn run(global: &Global, options: &Search) -> Result<ExitCode, Failure> {
    match &options.what {
        SearchWhat::Symbols(options) => symbols(global, options),
        SearchWhat::Text(options) => text(global, options),
        SearchWhat::Files(options) => files(global, options),
        SearchWhat::Safe(options) => safe::run(global, options),
    }
}

fn symbols(global: &Global, options: &SearchSymbols) -> Result<ExitCode, Failure> {
    let question = SearchQuestion {
        query: options.query.clone(),
        kinds: options.kinds.clone(),
        external: options.external,
        doc_ids: options.format == LookFormat::Json,
    };
    let (answer, index) = session::look(global, &options.look, |view| {
        cortex_look::search_symbols(view, &question)
    })?;
    let writers = Writers {
        text: cortex_context::search_text,
        markdown: cortex_context::search_markdown,
        json: cortex_context::json,
    };
    print_look(&answer, options.format, &options.look, &writers)?;
    session::settle(&index, global);
    Ok(match answer.total {
        0 => ExitCode::FAILURE,
        _ => ExitCode::SUCCESS,
    })
}

fn text(global: &Global, options: &SearchText) -> Result<ExitCode, Failure> {
    let (scope_text, scope) = scope::read_some(global, options.place.scope.as_deref())?;
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
        scope_text: scope_text.clone(),
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
    let depth = Depth::of(question.scope.as_ref(), Counted::Repository);
    let at = options.place.shown.at.as_deref();
    let answer = session::with_side(global, at, depth, |index, side, bar| {
        let limits = Limits::new(options.limit, options.timeout);
        cortex_look::search_text(index, side, &question, limits, interrupt::asked(), bar)
    });
    let (answer, index) = answer.map_err(|failure| scope::told(failure, &scope_text))?;
    let writers = Writers {
        text: cortex_context::search_text_text,
        markdown: cortex_context::search_text_markdown,
        json: cortex_context::json,
    };
    print(&answer, &options.place.shown, &writers)?;
    session::settle(&index, global);
    Ok(match answer.n_hits == 0 && answer.probably_has_more {
        true => ExitCode::from(Failure::ENVIRONMENT),
        false => found(answer.n_hits),
    })
}

fn files(global: &Global, options: &SearchFiles) -> Result<ExitCode, Failure> {
    let (scope_text, scope) = scope::read_some(global, options.place.scope.as_deref())?;
    let question = FilesQuestion {
        query: options.query.clone(),
        scope,
        scope_text: scope_text.clone(),
        max_files: options.limit,
        ..FilesQuestion::default()
    };
    let depth = Depth::of(question.scope.as_ref(), Counted::Repository);
    let at = options.place.shown.at.as_deref();
    let answer = session::with_side(global, at, depth, |index, side, bar| {
        cortex_look::search_files(index, side, &question, bar)
    });
    let (answer, index) = answer.map_err(|failure| scope::told(failure, &scope_text))?;
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

/// Prints an answer in the form that is asked for.
pub(super) fn print<T: Serialize>(
    answer: &T,
    shown: &Shown,
    writers: &Writers<T>,
) -> Result<(), Failure> {
    let options: RenderOptions<'_> = shown.render();
    match shown.format {
        LookFormat::Text => print_lines(&(writers.text)(answer, &shown.render())),
        LookFormat::Md => print_long(&(writers.markdown)(answer, &options)),
        LookFormat::Json => print_json_text(&(writers.json)(answer)),
    }
}
