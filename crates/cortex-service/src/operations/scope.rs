//! Scopes: which exist, and what they cover.

use cortex_look::{ResolvedScope, ScopedFile, Scopes};
use cortex_scope::{
    CallerContext, Catalog, Counted, REPOSITORY, ScopeDescriptor, ScopeRequest, describe,
    validate_pattern,
};
use cortex_wire::{
    Envelope, MissingNames, Note, ScopeDescribeAnswer, ScopeDescribeRequest, ScopeFile,
    ScopeFilesAnswer, ScopeFilesRequest, ScopeListAnswer, ScopeListItem, ScopeListRequest,
    ScopeRange, ScopeResolveAnswer, ScopeResolveRequest, ScopeValidateAnswer, ScopeValidateRequest,
};
use serde_json::Value;

use crate::{
    RequestContext, ServiceError, Workspace,
    error::{problem, word},
    look::{envelope, with_side, with_side_in},
    scopes::{Depth, EditorState, WrittenScope, read, set_missing, url_of},
};

/// The scopes that exist.
///
/// # Errors
/// Those of the request, the repository and the index.
pub fn scope_list(
    workspace: &Workspace,
    context: &RequestContext<'_>,
    request: &ScopeListRequest,
) -> Result<Envelope<ScopeListAnswer>, ServiceError> {
    let side = ("scope-list", request.at.as_deref());
    let found = with_side(workspace, context, side, Depth::Graph, |index, side| {
        Scopes::open(index, side, CallerContext::default(), context)?.catalog()
    })?;
    Ok(found.map(catalog))
}

fn catalog(catalog: Catalog) -> ScopeListAnswer {
    let items = catalog.items.into_iter().map(|item| ScopeListItem {
        scope_ref_id: item.scope_ref_id,
        display_name: item.display_name,
        kind: word(&item.kind),
        scope_shape: word(&item.scope_shape),
        serialization_id: item.serialization_id,
        requires_user_input: item.requires_user_input,
        unstable: item.unstable,
        unavailable: item.unavailable,
    });
    ScopeListAnswer {
        items: items.collect(),
        diagnostics: catalog.diagnostics,
    }
}

/// Checks a pattern, and writes it as the IDE does.
///
/// # Errors
/// [`cortex_wire::ErrorCode::InvalidPattern`].
pub fn scope_validate(
    _workspace: &Workspace,
    _context: &RequestContext<'_>,
    request: &ScopeValidateRequest,
) -> Result<Envelope<ScopeValidateAnswer>, ServiceError> {
    let report = validate_pattern(&request.pattern);
    if !report.valid {
        return Err(ServiceError::pattern(&request.pattern, report));
    }
    let answer = ScopeValidateAnswer {
        valid: report.valid,
        normalized: report.normalized,
        scope_ref_id: report.scope_ref_id,
    };
    Ok(envelope("scope-validate", answer))
}

/// Checks a scope, without looking at any file.
///
/// # Errors
/// [`cortex_wire::ErrorCode::InvalidScope`].
pub fn scope_describe(
    workspace: &Workspace,
    context: &RequestContext<'_>,
    request: &ScopeDescribeRequest,
) -> Result<Envelope<ScopeDescribeAnswer>, ServiceError> {
    let text = request.scope.trim();
    let program = read(workspace, context, text)?;
    let descriptor = describe(&program).map_err(|faults| ServiceError::scope(text, &faults))?;
    Ok(Envelope {
        notes: notes(&descriptor),
        ..envelope(
            "scope-describe",
            ScopeDescribeAnswer {
                descriptor: json(&descriptor),
            },
        )
    })
}

/// A scope of a request, ready to be resolved.
struct ResolvableScope {
    scope: WrittenScope,
    program: ScopeRequest,
    /// What relative paths start from.
    folder: String,
    depth: Depth,
}

impl ResolvableScope {
    fn read(
        workspace: &Workspace,
        context: &RequestContext<'_>,
        text: &str,
        missing: Option<MissingNames>,
        editor: EditorState<'_>,
    ) -> Result<Self, ServiceError> {
        let mut scope = WrittenScope::read(workspace, context, Some(text))?;
        let mut program = scope.request.take().expect("a scope is given");
        set_missing(&mut program, missing);
        Ok(Self {
            depth: depth(editor, &program),
            folder: workspace.folder_in(context)?,
            scope,
            program,
        })
    }
}

/// Finds everything that a scope names.
///
/// # Errors
/// Those of the request, the repository and the index.
pub fn scope_resolve(
    workspace: &Workspace,
    context: &RequestContext<'_>,
    request: &ScopeResolveRequest,
) -> Result<Envelope<ScopeResolveAnswer>, ServiceError> {
    let editor = EditorState {
        open: &request.open,
        current: request.current.as_deref(),
        selection: &request.selection,
    };
    let asked = ResolvableScope::read(workspace, context, &request.scope, request.missing, editor)?;
    let ResolvableScope {
        scope,
        program,
        folder,
        depth,
    } = &asked;
    let side = ("scope-resolve", request.at.as_deref());
    let found = with_side_in(workspace, context, side, *depth, scope, |index, side| {
        let caller = editor.caller_context(index, side, folder)?;
        let counted = (program, Counted::All);
        Scopes::open_for(counted, index, side, caller, context)?.resolve(program)
    })?;
    let found = found.transpose(|faults| ServiceError::scope(&scope.text, &faults))?;
    let mut out = found;
    out.notes.extend(notes(&out.answer.descriptor));
    Ok(out.map(|resolved| ScopeResolveAnswer {
        total: resolved.scope.n_files(),
        descriptor: json(&resolved.descriptor),
    }))
}

/// The files of a scope.
///
/// # Errors
/// Those of the request, the repository and the index.
pub fn scope_files(
    workspace: &Workspace,
    context: &RequestContext<'_>,
    request: &ScopeFilesRequest,
) -> Result<Envelope<ScopeFilesAnswer>, ServiceError> {
    let editor = EditorState {
        open: &request.open,
        current: request.current.as_deref(),
        selection: &request.selection,
    };
    let asked = ResolvableScope::read(workspace, context, &request.scope, request.missing, editor)?;
    let ResolvableScope {
        scope,
        program,
        folder,
        depth,
    } = &asked;
    let side = ("scope-files", request.at.as_deref());
    let limit = request.limit.unwrap_or(usize::MAX);
    let found = with_side_in(workspace, context, side, *depth, scope, |index, side| {
        let caller = editor.caller_context(index, side, folder)?;
        let counted = (program, Counted::All);
        let scopes = Scopes::open_for(counted, index, side, caller, context)?;
        let resolved = match scopes.resolve(program)? {
            Ok(resolved) => resolved,
            Err(faults) => return Ok(Err(faults)),
        };
        let files = match &request.contains {
            None => scopes.files_of(&resolved.scope, request.offset, limit)?,
            Some(path) => {
                let url = url_of(folder, path)?;
                scopes.part_of(&resolved.scope, &url)?.into_iter().collect()
            }
        };
        Ok(Ok((resolved, files)))
    })?;
    let found = found.transpose(|faults| ServiceError::scope(&scope.text, &faults))?;
    let warnings = notes(&found.answer.0.descriptor);
    let mut out = found.map(|(resolved, files)| files_answer(request, &resolved, files));
    out.notes.extend(warnings);
    out.limits.cut = request.contains.is_none()
        && request.offset.saturating_add(out.answer.files.len()) < out.answer.total;
    Ok(out)
}

fn files_answer(
    request: &ScopeFilesRequest,
    resolved: &ResolvedScope,
    files: Vec<ScopedFile>,
) -> ScopeFilesAnswer {
    ScopeFilesAnswer {
        descriptor: json(&resolved.descriptor),
        total: resolved.scope.n_files(),
        contains: request.contains.as_ref().map(|_| !files.is_empty()),
        offset: request.offset,
        files: files.into_iter().map(file).collect(),
    }
}

fn file(file: ScopedFile) -> ScopeFile {
    let ranges = file.ranges.map(|ranges| {
        let ranges = ranges.into_iter().map(|range| ScopeRange {
            start: range.start,
            end: range.end,
            first_line: range.first_line,
            last_line: range.last_line,
        });
        ranges.collect()
    });
    ScopeFile {
        file: file.url.strip_prefix(REPOSITORY).map(str::to_owned),
        url: file.url,
        ranges,
    }
}

/// What a question about the files of a scope needs.
fn depth(editor: EditorState<'_>, program: &ScopeRequest) -> Depth {
    match editor.selection.is_empty() {
        true => Depth::of(Some(program), Counted::All),
        false => Depth::Graph,
    }
}

fn notes(descriptor: &ScopeDescriptor) -> Vec<Note> {
    let all = descriptor.diagnostics.iter();
    all.map(problem).map(Note::Scope).collect()
}

fn json(descriptor: &ScopeDescriptor) -> Value {
    serde_json::to_value(descriptor).expect("scopes hold nothing that JSON cannot")
}
