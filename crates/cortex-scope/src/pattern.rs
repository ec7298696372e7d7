//! The pattern language of the IDE's scopes, exactly, so that patterns can be exchanged with it.
//!
//! Owns: lexer, grammar, errors with positions, normal form, conversion to regular expressions.
//! Must not know: which files there are.

mod body;
mod lexer;
mod module;
mod parse;

use std::fmt;

use body::Matcher;

pub use body::{Separator, to_regex};
pub use module::ModulePattern;
pub use parse::{PatternError, PatternErrorKind};

/// A pattern: a combination of sets of files. Displayed in its normal form.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum PatternSet {
    /// `a||b`: at least two.
    Or(Vec<PatternSet>),
    /// `a&&b`: at least two.
    And(Vec<PatternSet>),
    /// `!a`
    Not(Box<PatternSet>),
    /// `$Name`, without the `$`.
    Named(String),
    /// `file[M]:src//*`
    Leaf(Leaf),
}

impl PatternSet {
    /// Parses a pattern.
    pub fn parse(text: &str) -> Result<Self, PatternError> {
        parse::parse(text)
    }

    /// The precedence; higher values bind weaker.
    fn priority(&self) -> u8 {
        match self {
            Self::Named(_) | Self::Leaf(_) => 0,
            Self::Not(_) => 1,
            Self::And(_) => 2,
            Self::Or(_) => 3,
        }
    }

    fn write_within(&self, f: &mut fmt::Formatter<'_>, priority: u8) -> fmt::Result {
        if self.priority() > priority {
            write!(f, "({self})")
        } else {
            write!(f, "{self}")
        }
    }
}

impl fmt::Display for PatternSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (sets, operator) = match self {
            Self::Or(sets) => (sets, "||"),
            Self::And(sets) => (sets, "&&"),
            Self::Not(set) => {
                f.write_str("!")?;
                return set.write_within(f, self.priority());
            }
            Self::Named(name) => return write!(f, "${name}"),
            Self::Leaf(leaf) => return leaf.fmt(f),
        };
        for (index, set) in sets.iter().enumerate() {
            if index > 0 {
                f.write_str(operator)?;
            }
            set.write_within(f, self.priority())?;
        }
        Ok(())
    }
}

/// A pattern without operators: the kind of files, their modules, and their names.
#[derive(Clone, Debug)]
pub struct Leaf {
    kind: LeafKind,
    module: Option<ModulePattern>,
    /// The body, with each run of white space as one space.
    body: String,
    /// Compiled from `body`.
    matcher: Matcher,
}

impl Leaf {
    /// The kind of files.
    pub fn kind(&self) -> LeafKind {
        self.kind
    }

    /// The modules or packages; `None` for all.
    pub fn module(&self) -> Option<&ModulePattern> {
        self.module.as_ref()
    }

    /// The body as written, with each run of white space as one space.
    pub fn body(&self) -> &str {
        &self.body
    }

    /// Whether the body matches a whole subject: a path, which ends in `/` for a directory, or a qualified name.
    pub fn matches(&self, subject: &str) -> bool {
        self.matcher.is_match(subject)
    }
}

impl PartialEq for Leaf {
    fn eq(&self, other: &Self) -> bool {
        (self.kind, &self.module, &self.body) == (other.kind, &other.module, &other.body)
    }
}

impl Eq for Leaf {}

impl fmt::Display for Leaf {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.kind.id())?;
        if let Some(module) = &self.module {
            write!(f, "[{}]", module.text())?;
        }
        // The IDE omits the colon of `:$a` and then reads a named scope from its own output; the colon avoids that.
        let is_like_name = self.body.starts_with('$');
        if self.kind != LeafKind::Any || self.module.is_some() || is_like_name {
            f.write_str(":")?;
        }
        f.write_str(&self.body)
    }
}

/// The kind of files that a pattern selects, and the text that it is compared with.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum LeafKind {
    /// `file`: repository files, by their paths in their modules.
    File,
    /// `ext`: library files, by their paths in the library.
    Ext,
    /// `projectPath`: repository files, by their paths from the root.
    ProjectPath,
    /// No id: repository files, by namespace and name, like all kinds below.
    Any,
    /// `src`: production sources.
    Source,
    /// `test`: test sources.
    Test,
    /// `lib`: library files.
    Library,
    /// `problem`: sources with known errors.
    Problem,
}

impl LeafKind {
    const ALL: [Self; 8] = [
        Self::File,
        Self::Ext,
        Self::ProjectPath,
        Self::Any,
        Self::Source,
        Self::Test,
        Self::Library,
        Self::Problem,
    ];

    /// The text form; empty for [`LeafKind::Any`].
    pub fn id(self) -> &'static str {
        match self {
            Self::File => "file",
            Self::Ext => "ext",
            Self::ProjectPath => "projectPath",
            Self::Any => "",
            Self::Source => "src",
            Self::Test => "test",
            Self::Library => "lib",
            Self::Problem => "problem",
        }
    }

    fn from_id(id: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.id() == id)
    }

    /// Whether the pattern is compared with paths.
    pub fn is_file_like(self) -> bool {
        matches!(self, Self::File | Self::Ext | Self::ProjectPath)
    }

    /// The separator between segments.
    pub fn separator(self) -> Separator {
        match self.is_file_like() {
            true => Separator::Slash,
            false => Separator::Dot,
        }
    }
}
