//! What is wrong with a program, and at which token.

use std::fmt;

use serde::{Deserialize, Serialize};

/// One thing to say of a program.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Diagnostic {
    /// Whether the program still means something.
    pub severity: Severity,
    /// For programs.
    pub code: DiagnosticCode,
    /// 0-based; missing where it is about no token.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub token_index: Option<usize>,
    /// The atom that it is about.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub atom_id: Option<String>,
    /// For people: a lower-case fragment.
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

/// Whether a program still means something.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum Severity {
    /// It does not.
    Error,
    /// It does, but maybe not what was meant.
    Warning,
}

/// What is wrong.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum DiagnosticCode {
    /// There are no tokens.
    EmptyProgram,
    /// Two atoms have one id.
    DuplicateAtom,
    /// An atom lacks what its kind needs, or says it in a form that nothing has.
    InvalidAtom,
    /// No token pushes the atom.
    UnusedAtom,
    /// `PUSH_ATOM` says no atom.
    MissingAtomId,
    /// An operator says an atom.
    UnexpectedAtomId,
    /// No atom has the id.
    UnknownAtom,
    /// An operator finds too few operands.
    StackUnderflow,
    /// More than one scope is left at the end.
    LeftoverStack,
    /// `NOT` of what is not global.
    WrongShape,
    /// An atom means nothing here.
    UnresolvedAtom,
    /// A pattern is none.
    InvalidPattern,
    /// Named scopes that refer to each other in a circle.
    CyclicNamedScope,
    /// A pattern refers to a named scope that does not exist: it matches nothing.
    MissingNamedScope,
    /// A pattern is about projects, solution folders or packages that do not exist: it matches nothing.
    MissingModule,
    /// Only who asks can say what the atom means, and has not.
    MissingContext,
    /// Some named scopes are not known, as what holds them cannot be read.
    UnreadNamedScope,
    /// Something was not looked at in full.
    Incomplete,
    /// All atoms dropped out.
    NothingLeft,
}
