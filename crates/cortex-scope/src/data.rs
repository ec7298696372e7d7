//! What travels: atoms, programs and their answers as plain data, never nested and the same on every machine.
//!
//! Must not know: how it is evaluated.

use serde::{Deserialize, Serialize};

use crate::diagnostic::Diagnostic;

/// What a scope is made of.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ScopeAtom {
    /// What tokens call it.
    pub atom_id: String,
    /// Which of the fields below count.
    pub kind: AtomKind,
    /// The stable name of the same scope in a catalog; stands for the fields where these are missing.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub scope_ref_id: Option<String>,
    /// Of [`AtomKind::Standard`].
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub standard_scope_id: Option<String>,
    /// Of [`AtomKind::Module`].
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub module_name: Option<String>,
    /// Of [`AtomKind::Module`]; the module alone where it is missing.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub module_flavor: Option<ModuleFlavor>,
    /// Of [`AtomKind::NamedScope`].
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub named_scope_name: Option<String>,
    /// Of [`AtomKind::NamedScope`]; the first holder that has the name where it is missing.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub named_scope_holder_id: Option<String>,
    /// Of [`AtomKind::Pattern`].
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pattern_text: Option<String>,
    /// Of [`AtomKind::Directory`].
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub directory_url: Option<String>,
    /// Of [`AtomKind::Files`].
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub file_urls: Vec<String>,
    /// Of [`AtomKind::ProviderScope`].
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub provider_scope_id: Option<String>,
    /// What happens outside of strict programs where the atom means nothing.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub on_resolve_failure: Option<FailureMode>,
}

impl ScopeAtom {
    /// An atom without any field of its kind.
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
    /// A scope that every repository has.
    Standard,
    /// A project.
    Module,
    /// A scope that somebody named.
    NamedScope,
    /// A pattern.
    Pattern,
    /// All below a directory.
    Directory,
    /// Files, one by one.
    Files,
    /// What git and the index know.
    ProviderScope,
}

impl AtomKind {
    /// As it travels.
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

/// What belongs to a module's scope beside its own files.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum ModuleFlavor {
    /// Nothing.
    #[default]
    Module,
    /// The modules that it references, directly or through others.
    ModuleWithDependencies,
    /// The libraries that it sees.
    ModuleWithLibraries,
    /// Both, and the libraries that those modules see.
    ModuleWithDependenciesAndLibraries,
}

impl ModuleFlavor {
    /// All, in the order of catalogs.
    pub const ALL: [Self; 4] = [
        Self::Module,
        Self::ModuleWithDependencies,
        Self::ModuleWithLibraries,
        Self::ModuleWithDependenciesAndLibraries,
    ];

    /// As it travels.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Module => "MODULE",
            Self::ModuleWithDependencies => "MODULE_WITH_DEPENDENCIES",
            Self::ModuleWithLibraries => "MODULE_WITH_LIBRARIES",
            Self::ModuleWithDependenciesAndLibraries => "MODULE_WITH_DEPENDENCIES_AND_LIBRARIES",
        }
    }

    /// The flavor that is written so.
    pub fn of_str(text: &str) -> Option<Self> {
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

/// What happens where an atom means nothing.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum FailureMode {
    /// The program fails.
    Fail,
    /// The atom means no file.
    #[default]
    EmptyScope,
    /// The atom drops out with the operation that needs it.
    Skip,
}

/// One step of a program.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ScopeToken {
    /// What it does.
    pub op: TokenOp,
    /// Of [`TokenOp::PushAtom`] alone.
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

    /// Combines what is on the stack.
    pub fn operator(op: TokenOp) -> Self {
        Self { op, atom_id: None }
    }
}

/// What a step of a program does.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum TokenOp {
    /// Pushes what an atom means.
    PushAtom,
    /// Pops two, pushes what is in both.
    And,
    /// Pops two, pushes what is in either.
    Or,
    /// Pops a global one, pushes all other files.
    Not,
}

impl TokenOp {
    /// As it travels.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::PushAtom => "PUSH_ATOM",
            Self::And => "AND",
            Self::Or => "OR",
            Self::Not => "NOT",
        }
    }
}

/// A program with how to treat what fails in it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ScopeRequest {
    /// In any order.
    pub atoms: Vec<ScopeAtom>,
    /// In reverse Polish notation.
    pub tokens: Vec<ScopeToken>,
    /// Whether an atom that means nothing fails the program whatever it says itself.
    #[serde(default = "strict")]
    pub strict: bool,
    /// Whether scopes count that only an editor could tell.
    #[serde(default)]
    pub allow_ui_interactive_scopes: bool,
    /// For atoms that say nothing themselves.
    #[serde(default)]
    pub non_strict_default_failure_mode: FailureMode,
}

fn strict() -> bool {
    true
}

impl ScopeRequest {
    /// A strict program.
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
    /// As it travels.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Global => "GLOBAL",
            Self::Local => "LOCAL",
            Self::Mixed => "MIXED",
        }
    }

    /// Of what is in both.
    pub fn and(self, other: Self) -> Self {
        match (self, other) {
            (Self::Global, Self::Global) => Self::Global,
            (Self::Local, _) | (_, Self::Local) => Self::Local,
            _ => Self::Mixed,
        }
    }

    /// Of what is in either.
    pub fn or(self, other: Self) -> Self {
        match (self, other) {
            (Self::Global, Self::Global) => Self::Global,
            (Self::Local, Self::Local) => Self::Local,
            _ => Self::Mixed,
        }
    }
}

/// A program that was understood.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ScopeDescriptor {
    /// Of this form: 1.
    pub version: u32,
    /// As asked, with their reference ids.
    pub atoms: Vec<ScopeAtom>,
    /// As asked.
    pub tokens: Vec<ScopeToken>,
    /// The program in infix notation.
    pub display_name: String,
    /// What it gives.
    pub scope_shape: ScopeShape,
    /// What was left out or looks wrong, by token.
    pub diagnostics: Vec<Diagnostic>,
}

impl ScopeDescriptor {
    /// The version of this form.
    pub const VERSION: u32 = 1;
}

/// A scope that one can choose.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct CatalogItem {
    /// Its stable name.
    pub scope_ref_id: String,
    /// What people call it.
    pub display_name: String,
    /// The kind of atom that means it.
    pub kind: AtomKind,
    /// What it gives.
    pub scope_shape: ScopeShape,
    /// The IDE's name for it that is the same in every language.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub serialization_id: Option<String>,
    /// Whether something must be added before it means anything.
    pub requires_user_input: bool,
    /// Whether it means something else at another time.
    pub unstable: bool,
    /// Why it means nothing here.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub unavailable: Option<String>,
}

/// All scopes that one can choose.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Catalog {
    /// Predefined ones, providers, named ones, modules with their flavors.
    pub items: Vec<CatalogItem>,
    /// Named scopes that mean nothing, and why.
    pub diagnostics: Vec<String>,
}

/// What a pattern's text is.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct PatternReport {
    /// Whether it is a pattern.
    pub valid: bool,
    /// As the IDE writes it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub normalized: Option<String>,
    /// Its stable name.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub scope_ref_id: Option<String>,
    /// Why it is none, with the position.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
    /// Where, 1-based and in characters.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub position: Option<usize>,
}
