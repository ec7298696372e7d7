//! `git cortex history`.

use std::process::ExitCode;

use cortex_context::RenderOptions;
use cortex_wire::{Cosmetic, HistoryRequest, HistoryShown};

use crate::{
    arguments::{self, Global, HistoryFormat},
    commands::{print_envelope, print_lines, print_long},
    failure::Failure,
    session::Session,
};

pub(crate) fn run(global: &Global, options: &arguments::History) -> Result<ExitCode, Failure> {
    let session = Session::new(global)?;
    let request = HistoryRequest {
        range: options.range.clone(),
        first_parent: options.first_parent,
        max_count: options.max_count,
        show: match (options.structure, options.api) {
            (_, true) => HistoryShown::Api,
            (true, false) => HistoryShown::Structure,
            (false, false) => HistoryShown::Changes,
        },
        cosmetic: match options.cosmetic {
            true => Cosmetic::Shown,
            false => Cosmetic::Hidden,
        },
        ..HistoryRequest::new(options.symbol.as_str())
    };
    let envelope = session.ask("history", cortex_service::history, &request)?;
    let answer = &envelope.answer;
    let phrase = session.phrase();
    let render = RenderOptions {
        budget: options.budget,
        tokenizer: options.tokenizer.tokenizer(),
        phrase: &phrase,
    };
    match options.format {
        HistoryFormat::Text => print_lines(&cortex_context::history_text(answer, &render))?,
        HistoryFormat::Md => print_long(&cortex_context::history_markdown(answer, &render))?,
        HistoryFormat::Json => print_envelope(&envelope)?,
    }
    session.settle();
    Ok(ExitCode::SUCCESS)
}
