//! `git cortex search`.

use std::process::ExitCode;

use cortex_query::SearchQuestion;

use crate::{
    arguments::{self, Global, LookFormat, SearchSymbols, SearchWhat},
    commands::{Writers, print_look},
    failure::Failure,
    session,
};

pub(crate) fn run(global: &Global, options: &arguments::Search) -> Result<ExitCode, Failure> {
    match &options.what {
        SearchWhat::Symbols(options) => symbols(global, options),
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
        cortex_query::search_symbols(view, &question)
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
