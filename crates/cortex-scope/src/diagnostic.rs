//! Errors and warnings about a program, with the token that each is about.

use std::fmt;

use serde::{Deserialize, Serialize};

/// One error or warning about a program.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Diagnostic {
    /// Whether the program can still be resolved.
    pub severity: Severity,
    /// The stable code, for programs that read diagnostics.
    pub code: DiagnosticCode,
    /// The 0-based token; missing where the diagnostic is about no token.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub token_index: Option<usize>,
    /// The atom that the diagnostic is about.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub atom_id: Option<String>,
    /// The message for people, a lower-case fragment.
    pub message: String,
}

impl fmt::Display for Diagnostic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(index) = self.token_index {
            write!(f, "token {index}: ")?;
        }
        f.write_str(&self.message)
    }
}

/// Whether a program can still be resolved.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum Severity {
    /// It cannot.
    Error,
    /// It can, but possibly not to what its author intended.
    Warning,
}

/// The kind of a diagnostic.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum DiagnosticCode {
    /// The program has no tokens.
    EmptyProgram,
    /// Two atoms have one id.
    DuplicateAtom,
    /// An atom is missing a field that its kind needs, or the field is malformed.
    InvalidAtom,
    /// No token uses the atom.
    UnusedAtom,
    /// `PUSH_ATOM` has no atom.
    MissingAtomId,
    /// An operator has an atom.
    UnexpectedAtomId,
    /// No atom has the id.
    UnknownAtom,
    /// An operator finds too few operands.
    StackUnderflow,
    /// More than one scope is left at the end.
    LeftoverStack,
    /// `NOT` of a scope that is not global.
    WrongShape,
    /// An atom cannot be resolved in this repository.
    UnresolvedAtom,
    /// The text of a pattern is not a pattern.
    InvalidPattern,
    /// Named scopes refer to each other in a cycle.
    CyclicNamedScope,
    /// A pattern refers to a named scope that does not exist: it matches nothing.
    MissingNamedScope,
    /// A pattern names a project, solution folder or package that does not exist: it matches nothing.
    MissingModule,
    /// The atom depends on the caller's context, which the caller did not provide.
    MissingContext,
    /// Some named scopes are unknown, because the file that has them cannot be read.
    UnreadNamedScope,
    /// Something was not read in full.
    Incomplete,
    /// All atoms were skipped.
    NothingLeft,
}
