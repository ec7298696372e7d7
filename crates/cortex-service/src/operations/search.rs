//! Searches, and the areas of a repository.

use cortex_look::{
    AreaConfig, AreasQuestion, FilesQuestion, FilterOptions, SafeMode, SafeQuestion, SearchCase,
    SearchMode, SearchQuestion, TextQuery, TextQuestion, Within,
};
use cortex_scope::Counted;
use cortex_wire::{
    AreaRequest, AreasAnswer, AreasRequest, Envelope, FilesAnswer, Reason, SafeAnswer,
    SafeSearchMode, SearchAnswer, SearchFilesRequest, SearchSafeRequest, SearchSymbolsRequest,
    SearchTextRequest, TestScope, TextAnswer, TextSearchMode, TextSearchPart, Timing,
};

use super::look::place;
use crate::{
    RequestContext, ServiceError, Workspace,
    context::micros,
    error::next,
    look::{Where, bounded, look_bounded, with_side, with_side_in},
    scopes::{Depth, WrittenScope},
};

/// Types and members by parts of their names.
///
/// # Errors
/// Those of the request, the repository and the index.
pub fn search_symbols(
    workspace: &Workspace,
    context: &RequestContext<'_>,
    request: &SearchSymbolsRequest,
) -> Result<Envelope<SearchAnswer>, ServiceError> {
    let question = SearchQuestion {
        query: request.query.clone(),
        kinds: request.kinds.clone(),
        external: request.external,
        doc_ids: request.doc_ids,
    };
    let place = place!("search-symbols", request);
    let mut out = look_bounded(workspace, context, place, |view| {
        cortex_look::search_symbols(view, &question)
    })?;
    if out.limits.cut {
        let more = SearchSymbolsRequest {
            limit: out.answer.total,
            ..request.clone()
        };
        out.next = vec![next("search-symbols", &more, Reason::MoreItems)];
    }
    Ok(out)
}

/// Lines that have a text.
///
/// # Errors
/// Those of the request, the repository and the index.
pub fn search_text(
    workspace: &Workspace,
    context: &RequestContext<'_>,
    request: &SearchTextRequest,
) -> Result<Envelope<TextAnswer>, ServiceError> {
    let scope = WrittenScope::read(workspace, context, request.scope.as_deref())?;
    let question = TextQuestion {
        query: TextQuery {
            text: request.query.clone(),
            mode: match request.mode {
                TextSearchMode::Plain => SearchMode::Plain,
                TextSearchMode::Regex => SearchMode::Regex,
                TextSearchMode::Word => SearchMode::Word,
                TextSearchMode::Identifier => SearchMode::Identifier,
            },
            case: match request.ignore_case {
                true => SearchCase::Insensitive,
                false => SearchCase::Sensitive,
            },
        },
        scope: scope.request.clone(),
        scope_text: scope.text.clone(),
        part: FilterOptions {
            projects: request.projects.clone(),
            paths: request.paths.clone(),
            tests: request.tests,
            ..FilterOptions::default()
        },
        masks: request.masks.clone(),
        n_context: request.context,
        within: match request.within {
            TextSearchPart::Any => Within::Any,
            TextSearchPart::Code => Within::Code,
            TextSearchPart::Comments => Within::Comments,
            TextSearchPart::Strings => Within::Strings,
        },
        ..TextQuestion::default()
    };
    let needs_projects = !request.projects.is_empty() || request.tests != TestScope::Any;
    let depth = match needs_projects {
        true => Depth::Graph,
        false => Depth::of(scope.request.as_ref(), Counted::Repository),
    };
    let side = ("search-text", request.at.as_deref());
    let found = with_side_in(workspace, context, side, depth, &scope, |index, side| {
        let limits = context.limits(request.limit);
        cortex_look::search_text(index, side, &question, limits, &context.cancel, context)
    })?;
    let mut out = bounded(found);
    if out.limits.cut {
        let more = SearchTextRequest {
            limit: request.limit.saturating_mul(4),
            ..request.clone()
        };
        out.next = vec![next("search-text", &more, Reason::MoreItems)];
    }
    Ok(out)
}

/// Files by parts of their names or paths.
///
/// # Errors
/// Those of the request, the repository and the index.
pub fn search_files(
    workspace: &Workspace,
    context: &RequestContext<'_>,
    request: &SearchFilesRequest,
) -> Result<Envelope<FilesAnswer>, ServiceError> {
    let scope = WrittenScope::read(workspace, context, request.scope.as_deref())?;
    let question = FilesQuestion {
        query: request.query.clone(),
        scope: scope.request.clone(),
        scope_text: scope.text.clone(),
        max_files: request.limit,
        ..FilesQuestion::default()
    };
    let depth = Depth::of(scope.request.as_ref(), Counted::Repository);
    let side = ("search-files", request.at.as_deref());
    let found = with_side_in(workspace, context, side, depth, &scope, |index, side| {
        cortex_look::search_files(index, side, &question, context)
    })?;
    let mut out = bounded(found);
    if out.limits.cut {
        let more = SearchFilesRequest {
            limit: out.answer.total,
            ..request.clone()
        };
        out.next = vec![next("search-files", &more, Reason::MoreItems)];
    }
    Ok(out)
}

/// What a question is about, in few files and lines.
///
/// # Errors
/// Those of the request, the repository and the index; a question that would find everything is refused.
pub fn search_safe(
    workspace: &Workspace,
    context: &RequestContext<'_>,
    request: &SearchSafeRequest,
) -> Result<Envelope<SafeAnswer>, ServiceError> {
    let question = SafeQuestion {
        query: request.query.clone(),
        is_expression: request.regex,
        area: request.area.clone(),
        include_areas: request.include_areas.iter().map(area).collect(),
        max_files: request.max_files,
        mode: match request.mode {
            SafeSearchMode::Conservative => SafeMode::Conservative,
            SafeSearchMode::Balanced => SafeMode::Balanced,
            SafeSearchMode::Broad => SafeMode::Broad,
        },
        is_strict: request.strict,
        n_shown: request.files,
        n_lines: request.lines,
    };
    let side = ("search-safe", request.at.as_deref());
    let found = with_side(workspace, context, side, Depth::Files, |index, side| {
        let limits = context.limits(usize::MAX);
        cortex_look::search_safe(index, side, &question, limits, &context.cancel)
    })?;
    let timing = Timing {
        overhead_micros: Some(micros(found.answer.overhead)),
        cached: Some(found.answer.is_cached),
        ..Timing::default()
    };
    Ok(Envelope {
        timing: context.timing.is_shown().then_some(timing),
        ..bounded(found.map(|safe| safe.found))
    })
}

fn area(area: &AreaRequest) -> AreaConfig {
    AreaConfig {
        name: area.name.clone(),
        globs: area.globs.clone(),
        exclude: area.exclude.clone(),
        ..AreaConfig::default()
    }
}

/// The areas of a repository: folders with their languages.
///
/// # Errors
/// Those of the request, the repository and the index.
pub fn areas(
    workspace: &Workspace,
    context: &RequestContext<'_>,
    request: &AreasRequest,
) -> Result<Envelope<AreasAnswer>, ServiceError> {
    let question = AreasQuestion {
        sample_limit: request.sample_limit,
        exclude_dirs: request.exclude_dirs.clone(),
    };
    let side = ("areas", request.at.as_deref());
    let found = with_side(workspace, context, side, Depth::Files, |index, side| {
        cortex_look::areas(index, side, &question)
    })?;
    let timing = Timing {
        cached: Some(found.answer.is_cached),
        ..Timing::default()
    };
    Ok(Envelope {
        timing: context.timing.is_shown().then_some(timing),
        ..found.map(|areas| areas.answer)
    })
}
