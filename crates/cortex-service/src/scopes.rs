//! Scopes as requests write them.

use cortex_index::{Index, IndexedSide};
use cortex_look::{QueryError, lines_of};
use cortex_model::RepoPath;
use cortex_scope::{
    CallerContext, Counted, Extent, FailureMode, REPOSITORY, ScopeDescriptor, ScopeRequest, extent,
    infix, written_url,
};
use cortex_wire::{LineRange, MissingNames};
use serde_json::Value;

use crate::{RequestContext, ServiceError, Workspace};

/// A scope with how it was written.
#[derive(Clone, Debug, Default)]
pub(crate) struct WrittenScope {
    /// As written, without white space around it.
    pub(crate) text: String,
    /// What it asks for; `None` for everything.
    pub(crate) request: Option<ScopeRequest>,
}

impl WrittenScope {
    /// Reads a scope where one is given.
    pub(crate) fn read(
        workspace: &Workspace,
        context: &RequestContext<'_>,
        text: Option<&str>,
    ) -> Result<Self, ServiceError> {
        let Some(text) = text else {
            return Ok(Self::default());
        };
        let text = text.trim();
        let request = read(workspace, context, text)?;
        Ok(Self {
            text: text.to_owned(),
            request: Some(request),
        })
    }

    /// An error of a question that is limited to the scope: a fault of the scope names its text.
    pub(crate) fn name_in(&self, error: QueryError) -> ServiceError {
        match &error {
            QueryError::Scope(faults) => ServiceError::scope(&self.text, faults),
            _ => error.into(),
        }
    }
}

/// Reads an expression, or a program or descriptor in JSON. Paths of an expression that start with `./` or `../` are
/// from the folder of the request; those of a program travel.
pub(crate) fn read(
    workspace: &Workspace,
    context: &RequestContext<'_>,
    text: &str,
) -> Result<ScopeRequest, ServiceError> {
    if text.starts_with('{') {
        return program(text).map_err(|error| ServiceError::program(&error));
    }
    // Only where it may matter: a scope can be described outside of a repository.
    let is_relative = text.contains("./") || text.contains("(.") || text.contains("..");
    let folder = match is_relative {
        true => workspace.folder_in(context).unwrap_or_default(),
        false => String::new(),
    };
    infix::compile_in(text, &folder).map_err(|error| ServiceError::expression(text, &error))
}

/// Reads a program, a descriptor of one, or an answer that has a descriptor.
fn program(text: &str) -> Result<ScopeRequest, String> {
    let read = |error: serde_json::Error| error.to_string();
    let mut value: Value = serde_json::from_str(text).map_err(read)?;
    if let Some(descriptor) = value.pointer_mut("/answer/descriptor") {
        value = descriptor.take();
    }
    match value.get("version") {
        None => serde_json::from_value(value).map_err(read),
        Some(version) if *version == ScopeDescriptor::VERSION => {
            let descriptor: Result<ScopeDescriptor, _> = serde_json::from_value(value);
            descriptor.map(ScopeRequest::from).map_err(read)
        }
        Some(version) => Err(format!(
            "unknown version {version} of the form; this program reads {}",
            ScopeDescriptor::VERSION
        )),
    }
}

/// Sets what happens where a name means nothing.
pub(crate) fn set_missing(request: &mut ScopeRequest, missing: Option<MissingNames>) {
    let Some(missing) = missing else {
        return;
    };
    let mode = match missing {
        MissingNames::Fail => FailureMode::Fail,
        MissingNames::Empty => FailureMode::EmptyScope,
        MissingNames::Skip => FailureMode::Skip,
    };
    request.strict = mode == FailureMode::Fail;
    request.non_strict_default_failure_mode = mode;
}

/// What a question needs of a snapshot.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Depth {
    /// Files and their texts; the graph makes the answer richer.
    Files,
    /// Projects, types, members.
    Graph,
}

impl Depth {
    /// What a question about the files of a scope needs.
    pub(crate) fn of(scope: Option<&ScopeRequest>, counted: Counted) -> Self {
        let extent = scope.map_or(Extent::Paths, |scope| extent(scope, counted));
        match extent {
            Extent::Paths => Self::Files,
            Extent::Projects | Extent::Assemblies => Self::Graph,
        }
    }
}

/// What an editor would supply, as a request writes it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct EditorState<'a> {
    pub(crate) open: &'a [String],
    pub(crate) current: Option<&'a str>,
    pub(crate) selection: &'a [LineRange],
}

impl EditorState<'_> {
    /// The same for the resolution of a scope; `folder`: what relative paths start from.
    pub(crate) fn caller_context(
        self,
        index: &Index,
        side: &IndexedSide,
        folder: &str,
    ) -> Result<CallerContext, QueryError> {
        let mut selection = Vec::new();
        for LineRange { path, first, last } in self.selection {
            let url = url_of(folder, path)?;
            let path_in = RepoPath::from(url.strip_prefix(REPOSITORY).unwrap_or(path));
            // A file that does not exist has no selection; that it does not exist is reported with its URL.
            let range = lines_of(index, side, &path_in, *first..=*last)?;
            selection.push((url, range.unwrap_or_default()));
        }
        let open: Result<Vec<String>, QueryError> =
            self.open.iter().map(|path| url_of(folder, path)).collect();
        let open = open?;
        let current = self.current.map(|path| url_of(folder, path)).transpose()?;
        Ok(CallerContext {
            open_files: (!open.is_empty()).then_some(open),
            current_file: current,
            selection: (!selection.is_empty()).then_some(selection),
            ..CallerContext::default()
        })
    }
}

/// The URL of a path as it is written in a request.
pub(crate) fn url_of(folder: &str, path: &str) -> Result<String, QueryError> {
    written_url(path, folder)
        .ok_or_else(|| QueryError::NoSuchFile(format!("`{path}` leads out of the repository")))
}
