//! An error as programs read it: `{"error": {"code", "message", …}}`.
//!
//! Owns: which code an error has. Must not know: exit codes.

use std::io::ErrorKind;

use cortex_change::SuppressionError;
use cortex_git::GitError;
use cortex_index::IndexError;
use cortex_look::{Candidate, QueryError};
use cortex_store::StoreError;
use serde_json::{Value, json};

use crate::commands::scope::Invalid;

/// The object of an error, with a line break at its end.
pub(super) fn of(error: &anyhow::Error, hint: Option<&str>) -> String {
    if let Some(invalid) = error.chain().find_map(|it| it.downcast_ref::<Invalid>()) {
        return format!("{:#}\n", invalid.json());
    }
    let causes: Vec<String> = error.chain().map(ToString::to_string).collect();
    let mut out = json!({
        "code": code(error),
        "message": format!("failed to {}", causes.join(": ")),
    });
    let asked = error.chain().find_map(|it| it.downcast_ref::<QueryError>());
    match asked {
        Some(QueryError::SymbolNotFound {
            suggestions,
            further,
            ..
        }) => {
            out["suggestions"] = list(suggestions);
            if let Some(further) = further {
                out["hint"] = json!(crate::more::older_commits(further));
            }
        }
        Some(QueryError::AmbiguousSymbol { candidates, .. }) => {
            out["candidates"] = list(candidates);
        }
        _ => {
            if let Some(hint) = hint {
                out["hint"] = json!(hint);
            }
        }
    }
    format!("{:#}\n", json!({ "error": out }))
}

fn list(candidates: &[Candidate]) -> Value {
    let all = candidates.iter().map(|Candidate { name, kind, id }| {
        json!({
            "path": name,
            "kind": kind,
            "id": id,
        })
    });
    all.collect()
}

pub(super) fn code(error: &anyhow::Error) -> &'static str {
    for cause in error.chain() {
        if cause.is::<SuppressionError>() {
            return "InvalidFilter";
        }
        if let Some(error) = cause.downcast_ref::<QueryError>() {
            match error {
                QueryError::SymbolNotFound { .. } => return "SymbolNotFound",
                QueryError::SymbolOutside { .. } => return "SymbolNotFound",
                QueryError::EmptySymbol => return "InvalidQuery",
                QueryError::UnknownKind { .. } => return "InvalidFilter",
                QueryError::TimedOut { .. } => return "LimitExceeded",
                QueryError::AmbiguousSymbol { .. } => return "AmbiguousSymbol",
                QueryError::UnknownProject(_) => return "InvalidFilter",
                QueryError::Git(error) => return git_code(error),
                QueryError::Index(error) => return index_code(error),
                QueryError::Pattern(_) | QueryError::Expression { .. } => {
                    return "InvalidPattern";
                }
                QueryError::FileMask { .. } => return "InvalidFilter",
                QueryError::TooBroad { .. } => return "QueryTooBroad",
                QueryError::UnknownArea { .. } => return "UnknownArea",
                QueryError::FileLimit { .. } => return "LimitExceeded",
                QueryError::Scope(_) => return "InvalidScope",
                QueryError::NoSuchFile(_) => return "NoSuchFile",
                QueryError::Write(_) => {}
            }
        }
        if let Some(error) = cause.downcast_ref::<GitError>() {
            return git_code(error);
        }
        if let Some(error) = cause.downcast_ref::<IndexError>() {
            return index_code(error);
        }
        if let Some(error) = cause.downcast_ref::<StoreError>() {
            return store_code(error);
        }
        if let Some(error) = cause.downcast_ref::<std::io::Error>() {
            return io_code(error);
        }
    }
    "InternalError"
}

fn git_code(error: &GitError) -> &'static str {
    match error {
        GitError::InvalidPath { .. } => "InvalidFilter",
        GitError::NotARepository { .. } => "AccessDenied",
        error if error.is_usage() => "InvalidRange",
        _ => "InternalError",
    }
}

fn index_code(error: &IndexError) -> &'static str {
    match error {
        IndexError::Git(error) => git_code(error),
        IndexError::Store(error) => store_code(error),
        IndexError::Interrupted => "Canceled",
        IndexError::Spill(error) => io_code(error),
        IndexError::Sandbox(_) | IndexError::Damaged { .. } => "InternalError",
    }
}

fn store_code(error: &StoreError) -> &'static str {
    match error {
        StoreError::Busy { .. } => "Busy",
        StoreError::Full => "LimitExceeded",
        StoreError::Newer { .. } => "Conflict",
        StoreError::Io(error) => io_code(error),
        _ => "InternalError",
    }
}

fn io_code(error: &std::io::Error) -> &'static str {
    match error.kind() {
        ErrorKind::PermissionDenied => "AccessDenied",
        ErrorKind::StorageFull => "LimitExceeded",
        _ => "InternalError",
    }
}
