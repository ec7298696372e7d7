//! One mapping: from the errors of engines to the one shape that travels.

use std::{error::Error, fmt, io::ErrorKind};

use cortex_edit::EditError;
use cortex_fresh::FreshError;
use cortex_git::{Advice, GitError};
use cortex_index::IndexError;
use cortex_look::{Candidate, QueryError};
use cortex_scope::{Diagnostic, DiagnosticCode, PatternReport, Severity, infix::InfixError};
use cortex_store::StoreError;
use cortex_wire::{
    ErrorCode, ErrorEnvelope, Hint, HistoryFill, IndexRequest, Next, Note, Progress, Reason,
    SafeCall, ScopeProblem, SearchSafeRequest, WireError,
};
use serde::Serialize;

/// So many files that git could not read are named in an error.
const N_NAMED: usize = 3;

/// An error of an operation.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ServiceError(Box<WireError>);

impl ServiceError {
    /// The error as it travels.
    pub fn wire(&self) -> &WireError {
        &self.0
    }

    /// The whole object that travels: `{"error": …}`.
    pub fn envelope(&self) -> ErrorEnvelope {
        ErrorEnvelope {
            error: (*self.0).clone(),
        }
    }

    /// Its code.
    pub fn code(&self) -> ErrorCode {
        self.0.code
    }

    /// A pattern that is none.
    pub(crate) fn pattern(pattern: &str, report: PatternReport) -> Self {
        let mut error = WireError::new(
            ErrorCode::InvalidPattern,
            format!("failed to read the pattern `{pattern}`"),
        )
        .with_causes(report.error.into_iter().collect())
        .with_hint(Hint::WritePattern);
        error.position = report.position;
        error.into()
    }

    /// An expression that is no scope.
    pub(crate) fn expression(text: &str, error: &InfixError) -> Self {
        let hint = match &error.quoted {
            Some(quoted) => Hint::QuoteName {
                quoted: quoted.clone(),
            },
            None => Hint::ListScopes,
        };
        let mut out = WireError::new(
            ErrorCode::InvalidScope,
            format!("failed to read the scope `{text}`"),
        )
        .with_causes(vec![error.to_string()])
        .with_hint(hint);
        out.position = Some(error.position);
        out.into()
    }

    /// A program that is no scope.
    pub(crate) fn program(cause: &str) -> Self {
        let message = "failed to read the scope as a program in JSON";
        WireError::new(ErrorCode::InvalidScope, message)
            .with_causes(vec![cause.to_owned()])
            .with_hint(Hint::ListScopes)
            .into()
    }

    /// A scope that means nothing here.
    pub(crate) fn scope(text: &str, diagnostics: &[Diagnostic]) -> Self {
        let lacks_context = diagnostics
            .iter()
            .any(|it| it.code == DiagnosticCode::MissingContext);
        let faults = diagnostics
            .iter()
            .filter(|it| it.severity == Severity::Error)
            // The positions of a program that was compiled from an expression mean nothing to its author.
            .map(|it| match text.starts_with('{') {
                true => it.to_string(),
                false => it.message.clone(),
            });
        let message = format!("failed to resolve the scope `{text}`");
        let mut error = WireError::new(ErrorCode::InvalidScope, message)
            .with_causes(faults.collect())
            .with_hint(match lacks_context {
                true => Hint::SupplyContext,
                false => Hint::ListScopes,
            });
        error.diagnostics = diagnostics.iter().map(problem).collect();
        error.into()
    }

    /// The same error of a request about a commit that has no C# files.
    pub(crate) fn without_sources(self) -> Self {
        if self.0.code == ErrorCode::SymbolNotFound {
            let cause = "no C# files in this repository".to_owned();
            return WireError::clone(&self.0).with_causes(vec![cause]).into();
        }
        self
    }

    /// The same error of a request that was made without some files: what it did not find may be in them.
    pub(crate) fn beside(self, notes: &[Note]) -> Self {
        let is_unread = |note: &&Note| matches!(note, Note::UnreadFiles { .. });
        let Some(Note::UnreadFiles { files }) = notes.iter().find(is_unread) else {
            return self;
        };
        let named: Vec<String> = (files.iter().take(N_NAMED))
            .map(|file| format!("`{}`", file.file))
            .collect();
        let more = match files.len() - named.len() {
            0 => String::new(),
            n => format!(" and {n} more"),
        };
        let cause = format!("git could not read {}{more}", named.join(", "));
        let mut error = WireError::clone(&self.0);
        let mut causes = std::mem::take(&mut error.causes);
        error.message = self.0.headline().to_owned();
        causes.push(cause);
        error.with_causes(causes).into()
    }

    /// The same error of a request with a deadline: what was interrupted without being canceled ran out of time.
    pub(crate) fn timed_out(mut self) -> Self {
        if self.0.code == ErrorCode::Canceled {
            self.0.code = ErrorCode::Timeout;
            self.0.message = "failed to finish in time; what was indexed is kept".into();
            self.0.hint = Some(Hint::AllowMoreTime);
        }
        self
    }
}

/// A diagnostic as it travels.
pub(crate) fn problem(diagnostic: &Diagnostic) -> ScopeProblem {
    ScopeProblem {
        severity: word(&diagnostic.severity),
        code: word(&diagnostic.code),
        token_index: diagnostic.token_index,
        atom_id: diagnostic.atom_id.clone(),
        message: diagnostic.message.clone(),
    }
}

/// The word of an enumeration on the wire.
pub(crate) fn word(value: &impl Serialize) -> String {
    match serde_json::to_value(value) {
        Ok(serde_json::Value::String(word)) => word,
        _ => String::new(),
    }
}

impl fmt::Display for ServiceError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl Error for ServiceError {}

impl From<WireError> for ServiceError {
    fn from(error: WireError) -> Self {
        Self(Box::new(error))
    }
}

impl From<GitError> for ServiceError {
    fn from(error: GitError) -> Self {
        told(&error, git_code(&error), git_hint(&error)).into()
    }
}

impl From<IndexError> for ServiceError {
    fn from(error: IndexError) -> Self {
        index_error(&error).into()
    }
}

impl From<StoreError> for ServiceError {
    fn from(error: StoreError) -> Self {
        told(&error, store_code(&error), store_hint(&error)).into()
    }
}

impl From<FreshError> for ServiceError {
    fn from(error: FreshError) -> Self {
        let mut out = match &error {
            FreshError::Query(error) => return query_error(error).into(),
            FreshError::NoWorkTree => told(&error, ErrorCode::InvalidRequest, None),
            FreshError::Unsafe { .. } => told(&error, ErrorCode::AccessDenied, None),
            FreshError::Io { source, .. } => told(&error, io_code(source), None),
            FreshError::Scope { .. } | FreshError::UnresolvedScope { .. } => {
                told(&error, ErrorCode::InvalidScope, Some(Hint::ListScopes))
            }
            FreshError::UnstableScope { .. } => told(&error, ErrorCode::InvalidScope, None),
            FreshError::Selection { .. } => told(&error, ErrorCode::InvalidFilter, None),
            FreshError::Filter { source, .. } => {
                let text = source.hint.clone();
                told(&error, ErrorCode::InvalidFilter, Some(Hint::Text { text }))
            }
            FreshError::EmptyPack { .. } | FreshError::PackName { .. } => {
                told(&error, ErrorCode::InvalidFilter, None)
            }
            FreshError::SmallBudget { .. } => told(&error, ErrorCode::LimitExceeded, None),
            FreshError::NoPack { known, .. }
            | FreshError::NoPin { known, .. }
            | FreshError::Policy { known, .. } => {
                let hint = (!known.is_empty()).then_some(Hint::ChooseKnown);
                told(&error, ErrorCode::InvalidFilter, hint)
            }
        };
        match &error {
            FreshError::Scope { source, .. } => out.position = Some(source.position),
            FreshError::Filter { source, .. } => out.position = Some(source.position),
            FreshError::NoPack { known, .. }
            | FreshError::NoPin { known, .. }
            | FreshError::Policy { known, .. } => {
                out.known.clone_from(known);
            }
            _ => {}
        }
        out.into()
    }
}

impl From<EditError> for ServiceError {
    fn from(error: EditError) -> Self {
        let text = |text: String| Some(Hint::Text { text });
        match &error {
            EditError::Query(error) => query_error(error).into(),
            EditError::Encoding { .. } | EditError::NoChange { .. } | EditError::NoWorkTree => {
                told(&error, ErrorCode::InvalidRequest, None).into()
            }
            EditError::NotStaged { .. } => {
                let hint = "stage its files yourself, or undo the operation";
                told(&error, ErrorCode::Conflict, text(hint.to_owned())).into()
            }
            EditError::Refused { help, .. } => {
                let hint = (!help.is_empty()).then(|| help.join("; "));
                told(&error, ErrorCode::InvalidRequest, hint.and_then(text)).into()
            }
            EditError::NoOp { known, .. } => {
                let hint = (!known.is_empty()).then_some(Hint::ChooseKnown);
                let mut out = told(&error, ErrorCode::InvalidFilter, hint);
                out.known.clone_from(known);
                out.into()
            }
            EditError::State { help, .. } => {
                let hint = help.map(str::to_owned).and_then(text);
                told(&error, ErrorCode::Conflict, hint).into()
            }
            EditError::NotReviewed { .. } => {
                let hint = "a person reviews the operation at a terminal first";
                told(&error, ErrorCode::NotReviewed, text(hint.to_owned())).into()
            }
            EditError::Void { .. } => {
                let hint = "review the operation again, or plan the edit again";
                told(&error, ErrorCode::NotReviewed, text(hint.to_owned())).into()
            }
            EditError::NotSigned { .. } => {
                let hint = "one of the signers in `gpg.ssh.allowedSignersFile` of your own configuration signs the operation first";
                told(&error, ErrorCode::NotReviewed, text(hint.to_owned())).into()
            }
            EditError::Changed { .. } => {
                let hint = "plan the edit again, or merge it into the files as they are";
                told(&error, ErrorCode::Conflict, text(hint.to_owned())).into()
            }
            EditError::Unsafe { .. } => told(&error, ErrorCode::AccessDenied, None).into(),
            EditError::Io { source, .. } => told(&error, io_code(source), None).into(),
            EditError::Record { .. } => {
                let hint = "drop the operation, and plan the edit again";
                told(&error, ErrorCode::Damaged, text(hint.to_owned())).into()
            }
        }
    }
}

impl From<QueryError> for ServiceError {
    fn from(error: QueryError) -> Self {
        query_error(&error).into()
    }
}

/// An error in words, with its causes.
fn told(error: &(dyn Error + 'static), code: ErrorCode, hint: Option<Hint>) -> WireError {
    let mut causes = Vec::new();
    let mut cause = error.source();
    while let Some(next) = cause {
        causes.push(next.to_string());
        cause = next.source();
    }
    let mut out = WireError::new(code, format!("failed to {error}")).with_causes(causes);
    out.hint = hint;
    out
}

fn index_error(error: &IndexError) -> WireError {
    let (code, hint) = match error {
        IndexError::Git(error) => (git_code(error), git_hint(error)),
        IndexError::Store(error) => (store_code(error), store_hint(error)),
        IndexError::Interrupted => (ErrorCode::Canceled, None),
        IndexError::Spill(error) => (io_code(error), None),
        IndexError::Sandbox(_) => (ErrorCode::InternalError, None),
        IndexError::Damaged { .. } => (ErrorCode::Damaged, Some(Hint::StartOver)),
    };
    told(error, code, hint)
}

fn query_error(error: &QueryError) -> WireError {
    let told = |code, hint| told(error, code, hint);
    match error {
        QueryError::Git(error) => told(git_code(error), git_hint(error)),
        QueryError::Index(error) => index_error(error),
        QueryError::MergeConflicts { .. } => told(ErrorCode::Conflict, None),
        QueryError::UnknownProject(_) => told(ErrorCode::InvalidFilter, Some(Hint::ListProjects)),
        QueryError::UnknownFramework { known, .. } => {
            let mut out = told(ErrorCode::InvalidFilter, Some(Hint::ChooseKnown));
            out.known.clone_from(known);
            out
        }
        QueryError::SymbolNotFound {
            suggestions,
            further,
            ..
        } => {
            let is_lost = suggestions.is_empty() && further.is_none();
            let hint = is_lost.then_some(Hint::WriteSymbol);
            let mut out = told(ErrorCode::SymbolNotFound, hint);
            out.suggestions = candidates(suggestions);
            if let Some(fill) = further {
                older_commits(&mut out, fill);
            }
            out
        }
        QueryError::EmptySymbol => told(ErrorCode::InvalidQuery, Some(Hint::WriteSymbol)),
        QueryError::SymbolOutside { n, .. } => {
            let hint = Hint::LeaveOutFilter { symbols: *n };
            told(ErrorCode::SymbolNotFound, Some(hint))
        }
        QueryError::UnknownKind { known, .. } => {
            let mut out = told(ErrorCode::InvalidFilter, Some(Hint::ChooseKnown));
            out.known = known.iter().map(ToString::to_string).collect();
            out
        }
        QueryError::TimedOut { .. } => told(ErrorCode::Timeout, Some(Hint::AllowMoreTime)),
        QueryError::AmbiguousSymbol {
            candidates: all, ..
        } => {
            let mut out = told(ErrorCode::AmbiguousSymbol, Some(Hint::WriteMoreOfName));
            out.candidates = candidates(all);
            out
        }
        QueryError::Pattern(_) => told(ErrorCode::InvalidPattern, Some(Hint::SearchPlain)),
        QueryError::Expression { example, .. } => {
            let text = "write the query as words, or escape what has a meaning in expressions";
            let hint = Hint::AskNarrower { text: text.into() };
            let mut out = told(ErrorCode::InvalidPattern, Some(hint));
            out.next = vec![safe_call(example)];
            out
        }
        QueryError::FileMask { .. } => told(ErrorCode::InvalidFilter, Some(Hint::WriteGlobs)),
        QueryError::TooBroad {
            suggestion,
            example,
            ..
        } => {
            let text = suggestion.clone();
            let mut out = told(ErrorCode::QueryTooBroad, Some(Hint::AskNarrower { text }));
            out.next = vec![safe_call(example)];
            out
        }
        QueryError::UnknownArea { known, example, .. } => {
            let mut out = told(ErrorCode::UnknownArea, Some(Hint::ChooseKnown));
            out.known.clone_from(known);
            out.next = match example {
                Some(example) => vec![safe_call(example)],
                None => vec![next("areas", &serde_json::json!({}), Reason::ListNames)],
            };
            out
        }
        QueryError::FileLimit {
            files_processed,
            max_files,
            example,
        } => {
            let text = match example.max_files {
                Some(_) => "add a word that fewer files have, or search more files",
                None => "add a word that fewer files have, or allow a partial search",
            };
            let hint = Hint::AskNarrower { text: text.into() };
            let mut out = told(ErrorCode::LimitExceeded, Some(hint));
            out.next = vec![safe_call(example)];
            out.progress = Some(Progress {
                done: *files_processed as u64,
                limit: *max_files as u64,
            });
            out
        }
        QueryError::Scope(_) => told(ErrorCode::InvalidScope, Some(Hint::ListScopes)),
        QueryError::NoSuchFile(_) => told(ErrorCode::FileNotFound, None),
        QueryError::Write(error) => told(io_code(error), None),
    }
}

/// The request that makes older commits known, or the advice that does.
fn older_commits(out: &mut WireError, fill: &HistoryFill) {
    let request = match fill {
        HistoryFill::Unshallow => {
            out.hint = Some(Hint::Unshallow);
            return;
        }
        HistoryFill::IndexRange { from, to } => IndexRequest {
            history: Some(format!("{from}..{to}")),
            first_parent: true,
            ..IndexRequest::default()
        },
        HistoryFill::IndexCommits { newest, count } => IndexRequest {
            history: Some(newest.clone()),
            first_parent: true,
            max_count: Some(*count),
            ..IndexRequest::default()
        },
    };
    out.next = vec![next("index", &request, Reason::OlderCommits)];
}

fn safe_call(call: &SafeCall) -> Next {
    let request = SearchSafeRequest {
        regex: call.is_expression,
        area: call.area.clone(),
        max_files: call.max_files,
        ..SearchSafeRequest::new(call.query.clone())
    };
    next("search-safe", &request, Reason::Narrower)
}

/// A suggested request.
pub(crate) fn next(operation: &str, request: &impl Serialize, reason: Reason) -> Next {
    Next {
        operation: operation.to_owned(),
        request: serde_json::to_value(request).expect("requests have a JSON form"),
        reason,
    }
}

fn candidates(all: &[Candidate]) -> Vec<cortex_wire::Candidate> {
    let all = all.iter().map(|it| cortex_wire::Candidate {
        path: it.name.clone(),
        kind: it.kind.to_string(),
        id: it.id.clone(),
    });
    all.collect()
}

fn git_code(error: &GitError) -> ErrorCode {
    match error {
        GitError::NotARepository { .. } => ErrorCode::NotARepository,
        GitError::InvalidPath { .. } => ErrorCode::InvalidFilter,
        GitError::Io { source, .. } => io_code(source),
        GitError::TooLarge { .. } => ErrorCode::LimitExceeded,
        GitError::ChangedMeanwhile { .. } => ErrorCode::Conflict,
        error if error.is_usage() => ErrorCode::InvalidRange,
        _ => ErrorCode::Damaged,
    }
}

fn git_hint(error: &GitError) -> Option<Hint> {
    Some(match error.advice()? {
        Advice::NameRepository => Hint::NameRepository,
        Advice::Text(text) => Hint::Text { text },
        Advice::FetchObject(id) => Hint::FetchObject {
            object: id.to_string(),
        },
        Advice::Unshallow => Hint::Unshallow,
        Advice::CheckRepository => Hint::CheckRepository,
        Advice::ConvertReferences => Hint::ConvertReferences,
        Advice::OneRevision => Hint::OneRevision,
    })
}

fn store_code(error: &StoreError) -> ErrorCode {
    match error {
        StoreError::Busy { .. } => ErrorCode::Busy,
        StoreError::Full => ErrorCode::LimitExceeded,
        StoreError::Newer { .. } | StoreError::Stale => ErrorCode::Conflict,
        StoreError::Io(error) => io_code(error),
        StoreError::Damaged(_) | StoreError::DamagedPage(_) => ErrorCode::Damaged,
        _ => ErrorCode::InternalError,
    }
}

fn store_hint(error: &StoreError) -> Option<Hint> {
    match error {
        StoreError::Busy { .. } => Some(Hint::WaitForIndex),
        StoreError::Full => Some(Hint::FreeSpace),
        StoreError::Newer { .. } => Some(Hint::UpdateProgram),
        _ => None,
    }
}

fn io_code(error: &std::io::Error) -> ErrorCode {
    match error.kind() {
        ErrorKind::StorageFull | ErrorKind::QuotaExceeded => ErrorCode::LimitExceeded,
        _ => ErrorCode::AccessDenied,
    }
}
