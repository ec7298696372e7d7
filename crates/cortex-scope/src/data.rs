//! Atoms, programs and their answers as plain data for exchange: never nested, and the same on every machine.
//!
//! Must not know: how programs are evaluated.

use serde::{Deserialize, Serialize};

use crate::diagnostic::Diagnostic;

/// An atom: a scope without operators.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ScopeAtom {
    /// The id that tokens use.
    pub atom_id: String,
    /// The kind, which decides which of the fields below are used.
    pub kind: AtomKind,
    /// The stable name of the scope in a catalog; used where the other fields are missing.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub scope_ref_id: Option<String>,
    /// For [`AtomKind::Standard`].
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub standard_scope_id: Option<String>,
    /// For [`AtomKind::Module`].
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub module_name: Option<String>,
    /// For [`AtomKind::Module`]; by default the module alone.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub module_flavor: Option<ModuleFlavor>,
    /// For [`AtomKind::NamedScope`].
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub named_scope_name: Option<String>,
    /// For [`AtomKind::NamedScope`]; the first holder that has the name where it is missing.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub named_scope_holder_id: Option<String>,
    /// For [`AtomKind::Pattern`].
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pattern_text: Option<String>,
    /// For [`AtomKind::Directory`].
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub directory_url: Option<String>,
    /// For [`AtomKind::Files`].
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub file_urls: Vec<String>,
    /// For [`AtomKind::ProviderScope`].
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub provider_scope_id: Option<String>,
    /// What to do if the atom cannot be resolved in a program that is not strict.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub on_resolve_failure: Option<FailureMode>,
}

impl ScopeAtom {
    /// Creates an atom without the fields of its kind.
    pub fn new(atom_id: impl Into<String>, kind: AtomKind) -> Self {
        Self {
            atom_id: atom_id.into(),
            kind,
            scope_ref_id: None,
            standard_scope_id: None,
            module_name: None,
            module_flavor: None,
            named_scope_name: None,
            named_scope_holder_id: None,
            pattern_text: None,
            directory_url: None,
            file_urls: Vec::new(),
            provider_scope_id: None,
            on_resolve_failure: None,
        }
    }
}

/// Where an atom's files come from.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum AtomKind {
    /// A standard scope, which every repository has.
    Standard,
    /// A project.
    Module,
    /// A named scope.
    NamedScope,
    /// A pattern.
    Pattern,
    /// All files in a directory and below.
    Directory,
    /// Individual files.
    Files,
    /// A provider scope, which git or the index defines.
    ProviderScope,
}

impl AtomKind {
    /// The exchanged form.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Standard => "STANDARD",
            Self::Module => "MODULE",
            Self::NamedScope => "NAMED_SCOPE",
            Self::Pattern => "PATTERN",
            Self::Directory => "DIRECTORY",
            Self::Files => "FILES",
            Self::ProviderScope => "PROVIDER_SCOPE",
        }
    }
}

/// What a module scope includes beside the files of the module.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum ModuleFlavor {
    /// Nothing.
    #[default]
    Module,
    /// The modules that it references, directly or transitively.
    ModuleWithDependencies,
    /// The libraries that it sees.
    ModuleWithLibraries,
    /// Both, and the libraries that those modules see.
    ModuleWithDependenciesAndLibraries,
}

impl ModuleFlavor {
    /// All values, in catalog order.
    pub const ALL: [Self; 4] = [
        Self::Module,
        Self::ModuleWithDependencies,
        Self::ModuleWithLibraries,
        Self::ModuleWithDependenciesAndLibraries,
    ];

    /// The exchanged form.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Module => "MODULE",
            Self::ModuleWithDependencies => "MODULE_WITH_DEPENDENCIES",
            Self::ModuleWithLibraries => "MODULE_WITH_LIBRARIES",
            Self::ModuleWithDependenciesAndLibraries => "MODULE_WITH_DEPENDENCIES_AND_LIBRARIES",
        }
    }

    /// Parses the exchanged form.
    pub fn from_text(text: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|it| it.as_str() == text)
    }

    /// Whether the modules that it references belong to it.
    pub fn has_dependencies(self) -> bool {
        matches!(
            self,
            Self::ModuleWithDependencies | Self::ModuleWithDependenciesAndLibraries
        )
    }

    /// Whether libraries belong to it.
    pub fn has_libraries(self) -> bool {
        matches!(
            self,
            Self::ModuleWithLibraries | Self::ModuleWithDependenciesAndLibraries
        )
    }
}

/// What to do with an atom that cannot be resolved.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum FailureMode {
    /// The program fails.
    Fail,
    /// The atom selects no file.
    #[default]
    EmptyScope,
    /// The atom is skipped, together with the operator that uses it.
    Skip,
}

/// One step of a program.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ScopeToken {
    /// The operation.
    pub op: TokenOp,
    /// The atom, for [`TokenOp::PushAtom`] only.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub atom_id: Option<String>,
}

impl ScopeToken {
    /// Pushes an atom.
    pub fn push(atom_id: impl Into<String>) -> Self {
        Self {
            op: TokenOp::PushAtom,
            atom_id: Some(atom_id.into()),
        }
    }

    /// Combines the top of the stack.
    pub fn operator(op: TokenOp) -> Self {
        Self { op, atom_id: None }
    }
}

/// The operation of a token.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum TokenOp {
    /// Pushes the scope of an atom.
    PushAtom,
    /// Pops two scopes, pushes their intersection.
    And,
    /// Pops two scopes, pushes their union.
    Or,
    /// Pops a global scope, pushes its complement.
    Not,
}

impl TokenOp {
    /// The exchanged form.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::PushAtom => "PUSH_ATOM",
            Self::And => "AND",
            Self::Or => "OR",
            Self::Not => "NOT",
        }
    }
}

/// A program, with how to treat atoms that cannot be resolved.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ScopeRequest {
    /// The atoms, in any order.
    pub atoms: Vec<ScopeAtom>,
    /// The tokens, in reverse Polish notation.
    pub tokens: Vec<ScopeToken>,
    /// Whether an atom that cannot be resolved fails the program, whatever its own failure mode.
    #[serde(default = "strict")]
    pub strict: bool,
    /// Whether scopes are allowed that only an editor knows.
    #[serde(default)]
    pub allow_ui_interactive_scopes: bool,
    /// The failure mode of atoms that have none.
    #[serde(default)]
    pub non_strict_default_failure_mode: FailureMode,
}

fn strict() -> bool {
    true
}

impl ScopeRequest {
    /// Creates a strict program.
    pub fn new(atoms: Vec<ScopeAtom>, tokens: Vec<ScopeToken>) -> Self {
        Self {
            atoms,
            tokens,
            strict: true,
            allow_ui_interactive_scopes: false,
            non_strict_default_failure_mode: FailureMode::default(),
        }
    }
}

impl From<ScopeDescriptor> for ScopeRequest {
    fn from(descriptor: ScopeDescriptor) -> Self {
        Self::new(descriptor.atoms, descriptor.tokens)
    }
}

/// The parts of files that a scope can consist of.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum ScopeShape {
    /// Whole files.
    Global,
    /// Ranges of files.
    Local,
    /// Both.
    Mixed,
}

impl ScopeShape {
    /// The exchanged form.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Global => "GLOBAL",
            Self::Local => "LOCAL",
            Self::Mixed => "MIXED",
        }
    }

    /// The shape of an intersection.
    pub fn and(self, other: Self) -> Self {
        match (self, other) {
            (Self::Global, Self::Global) => Self::Global,
            (Self::Local, _) | (_, Self::Local) => Self::Local,
            _ => Self::Mixed,
        }
    }

    /// The shape of a union.
    pub fn or(self, other: Self) -> Self {
        match (self, other) {
            (Self::Global, Self::Global) => Self::Global,
            (Self::Local, Self::Local) => Self::Local,
            _ => Self::Mixed,
        }
    }
}

/// A valid program with its description.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ScopeDescriptor {
    /// The version of this format: 1.
    pub version: u32,
    /// The atoms of the request, with their stable names.
    pub atoms: Vec<ScopeAtom>,
    /// The tokens of the request.
    pub tokens: Vec<ScopeToken>,
    /// The program in infix notation.
    pub display_name: String,
    /// The shape of the result.
    pub scope_shape: ScopeShape,
    /// Warnings, by token.
    pub diagnostics: Vec<Diagnostic>,
}

impl ScopeDescriptor {
    /// The version of this format.
    pub const VERSION: u32 = 1;
}

/// A scope in a catalog.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct CatalogItem {
    /// The stable name.
    pub scope_ref_id: String,
    /// The name for people.
    pub display_name: String,
    /// The kind of its atom.
    pub kind: AtomKind,
    /// The shape of the result.
    pub scope_shape: ScopeShape,
    /// The IDE's id, which does not depend on its display language.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub serialization_id: Option<String>,
    /// Whether the user must provide an argument or context.
    pub requires_user_input: bool,
    /// Whether the scope can select other files at another time.
    pub unstable: bool,
    /// Why the scope is unavailable.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub unavailable: Option<String>,
}

/// The scopes that a user can choose from.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Catalog {
    /// Standard scopes, provider scopes, named scopes, modules with their flavors.
    pub items: Vec<CatalogItem>,
    /// Problems with named scopes.
    pub diagnostics: Vec<String>,
}

/// The result of validating a pattern.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct PatternReport {
    /// Whether the text is a pattern.
    pub valid: bool,
    /// The normal form, as the IDE writes it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub normalized: Option<String>,
    /// The stable name.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub scope_ref_id: Option<String>,
    /// The error, with its position.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
    /// The position of the error, 1-based and in characters.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub position: Option<usize>,
}
