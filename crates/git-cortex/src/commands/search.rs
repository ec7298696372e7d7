//! `git cortex search`.

use std::process::ExitCode;

use cortex_wire::{
    Envelope, ErrorClass, SafeSearchMode, SearchFilesRequest, SearchSafeRequest,
    SearchSymbolsRequest, SearchTextRequest, TestScope, TextHit, TextSearchMode, TextSearchPart,
};
use serde::Serialize;

use crate::{
    arguments::{
        Global, LookFormat, SearchSymbols,
        search::{
            SafeModeName, Search, SearchFiles, SearchSafe, SearchText, SearchWhat, Shown, TextMode,
            TextWithin,
        },
    },
    commands::{Writers, print_envelope, print_lines, print_long, print_look, scope_text},
    failure::Failure,
    paint,
    session::Session,
};

pub(crate) fn run(global: &Global, options: &Search) -> Result<ExitCode, Failure> {
    let session = Session::new(global)?;
    match &options.what {
        SearchWhat::Symbols(options) => symbols(&session, options),
        SearchWhat::Text(options) => text(&session, options),
        SearchWhat::Files(options) => files(&session, options),
        SearchWhat::Safe(options) => safe(&session, options),
    }
}

fn symbols(session: &Session<'_>, options: &SearchSymbols) -> Result<ExitCode, Failure> {
    let request = SearchSymbolsRequest {
        kinds: options.kinds.clone(),
        external: options.external,
        doc_ids: options.format == LookFormat::Json,
        at: options.look.at.clone(),
        filter: options.look.filter()?,
        limit: options.look.limit,
        ..SearchSymbolsRequest::new(options.query.as_str())
    };
    let envelope = session.ask("search-symbols", cortex_service::search_symbols, &request)?;
    let writers = Writers {
        text: cortex_context::search_text,
        markdown: cortex_context::search_markdown,
    };
    print_look(session, &envelope, options.format, &options.look, &writers)?;
    session.settle();
    Ok(found(envelope.answer.total))
}

fn text(session: &Session<'_>, options: &SearchText) -> Result<ExitCode, Failure> {
    let request = SearchTextRequest {
        mode: match options.mode {
            TextMode::Plain => TextSearchMode::Plain,
            TextMode::Regex => TextSearchMode::Regex,
            TextMode::Word => TextSearchMode::Word,
            TextMode::Identifier => TextSearchMode::Identifier,
        },
        ignore_case: options.ignore_case,
        masks: options.masks.clone(),
        context: options.context,
        within: match options.within {
            None => TextSearchPart::Any,
            Some(TextWithin::Code) => TextSearchPart::Code,
            Some(TextWithin::Comments) => TextSearchPart::Comments,
            Some(TextWithin::Strings) => TextSearchPart::Strings,
        },
        scope: scope_text(options.place.scope.as_deref())?,
        projects: options.projects.clone(),
        paths: options.paths.clone(),
        tests: match (options.test, options.no_test) {
            (true, _) => TestScope::Only,
            (false, true) => TestScope::Without,
            (false, false) => TestScope::Any,
        },
        at: options.place.shown.at.clone(),
        limit: options.limit,
        ..SearchTextRequest::new(options.query.as_str())
    };
    let envelope = session.ask("search-text", cortex_service::search_text, &request)?;
    let hits = envelope.answer.files.iter().flat_map(|file| &file.hits);
    paint::highlight(hits.filter_map(matched_text));
    let writers = Writers {
        text: cortex_context::search_text_text,
        markdown: cortex_context::search_text_markdown,
    };
    print(session, &envelope, &options.place.shown, &writers)?;
    session.settle();
    let n_hits = envelope.answer.n_hits;
    Ok(match n_hits == 0 && envelope.limits.is_partial() {
        true => ExitCode::from(ErrorClass::Environment.exit_code()),
        false => found(n_hits),
    })
}

fn files(session: &Session<'_>, options: &SearchFiles) -> Result<ExitCode, Failure> {
    let request = SearchFilesRequest {
        scope: scope_text(options.place.scope.as_deref())?,
        at: options.place.shown.at.clone(),
        limit: options.limit,
        ..SearchFilesRequest::new(options.query.as_str())
    };
    let envelope = session.ask("search-files", cortex_service::search_files, &request)?;
    let writers = Writers {
        text: cortex_context::search_files_text,
        markdown: cortex_context::search_files_markdown,
    };
    print(session, &envelope, &options.place.shown, &writers)?;
    session.settle();
    Ok(found(envelope.answer.total))
}

fn safe(session: &Session<'_>, options: &SearchSafe) -> Result<ExitCode, Failure> {
    let request = SearchSafeRequest {
        regex: options.regex,
        area: (options.area != "auto").then(|| options.area.clone()),
        include_areas: options.include_areas.clone(),
        mode: match options.mode {
            SafeModeName::Conservative => SafeSearchMode::Conservative,
            SafeModeName::Balanced => SafeSearchMode::Balanced,
            SafeModeName::Broad => SafeSearchMode::Broad,
        },
        max_files: options.max_files.map(usize::from),
        strict: options.strict,
        files: options.files,
        lines: options.lines,
        at: options.shown.at.clone(),
        ..SearchSafeRequest::new(options.query.as_str())
    };
    let envelope = session.ask("search-safe", cortex_service::search_safe, &request)?;
    let writers = Writers {
        text: cortex_context::search_safe_text,
        markdown: cortex_context::search_safe_markdown,
    };
    print(session, &envelope, &options.shown, &writers)?;
    session.settle();
    Ok(found(envelope.answer.files.len()))
}

/// The text of a hit, as far as its line is shown.
fn matched_text(hit: &TextHit) -> Option<String> {
    let first = hit.text_column.unwrap_or(1);
    let start = hit.column.checked_sub(first)? as usize;
    let units: Vec<u16> = hit.text.encode_utf16().collect();
    let end = start + hit.length as usize;
    Some(String::from_utf16_lossy(
        units.get(start..end.min(units.len()))?,
    ))
}

/// The answer is no where nothing was found.
fn found(n: usize) -> ExitCode {
    match n {
        0 => ExitCode::FAILURE,
        _ => ExitCode::SUCCESS,
    }
}

/// Prints an answer in the form that the arguments choose.
fn print<T: Serialize>(
    session: &Session<'_>,
    envelope: &Envelope<T>,
    shown: &Shown,
    writers: &Writers<T>,
) -> Result<(), Failure> {
    if shown.format != LookFormat::Json {
        session.warn(envelope);
    }
    let phrase = session.phrase();
    let options = shown.render(&phrase);
    match shown.format {
        LookFormat::Text => {
            let text = (writers.text)(envelope, &options);
            match shown.budget {
                Some(_) => print_lines(&cortex_context::cut_text(text, &options)),
                None => print_lines(&text),
            }
        }
        LookFormat::Md => print_long(&(writers.markdown)(envelope, &options)),
        LookFormat::Json => print_envelope(envelope),
    }
}
