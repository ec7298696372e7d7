//! `git cortex history`.

use std::process::ExitCode;

use cortex_change::{Cosmetic, HistoryQuestion, Show};
use cortex_context::RenderOptions;
use cortex_git::Parents;
use cortex_look::QueryError;

use crate::{
    arguments::{self, Global, HistoryFormat},
    commands::{print_json_text, print_lines, print_long},
    failure::Failure,
    progress::Bar,
    session,
};

pub(crate) fn run(global: &Global, options: &arguments::History) -> Result<ExitCode, Failure> {
    let index = session::open(global)?;
    let question = HistoryQuestion {
        symbol: options.symbol.clone(),
        range: options.range.clone(),
        parents: if options.first_parent {
            Parents::First
        } else {
            Parents::All
        },
        max_count: options.max_count,
        show: match (options.structure, options.api) {
            (_, true) => Show::Api,
            (true, false) => Show::Structure,
            (false, false) => Show::Changes,
        },
        cosmetic: if options.cosmetic {
            Cosmetic::Shown
        } else {
            Cosmetic::Hidden
        },
    };
    let bar = Bar::new(global.quiet);
    let result = session::mending(&index, QueryError::is_damage, || {
        cortex_change::history(&index, &question, &bar)
    });
    bar.finish();
    session::report_notices(&index, global.quiet);
    let (answer, _) = result?;
    index.store.release();
    let render = RenderOptions {
        budget: options.budget,
        tokenizer: options.tokenizer.tokenizer(),
        phrase: &crate::more::more,
    };
    match options.format {
        HistoryFormat::Text => print_lines(&cortex_context::history_text(&answer, &render))?,
        HistoryFormat::Md => print_long(&cortex_context::history_markdown(&answer, &render))?,
        HistoryFormat::Json => print_json_text(&cortex_context::json(&answer))?,
    }
    session::settle(&index, global);
    Ok(ExitCode::SUCCESS)
}
