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

/// A pattern: sets of files, combined. Shown as its normal form.
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
    /// Reads a whole text.
    pub fn parse(text: &str) -> Result<Self, PatternError> {
        parse::parse(text)
    }

    /// Higher binds weaker.
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

/// A pattern that is not combined: what kind of files, of which modules, and of which names.
#[derive(Clone, Debug)]
pub struct Leaf {
    kind: LeafKind,
    module: Option<ModulePattern>,
    /// With each run of white space as one space.
    body: String,
    /// Made of `body`.
    matcher: Matcher,
}

impl Leaf {
    /// What kind of files.
    pub fn kind(&self) -> LeafKind {
        self.kind
    }

    /// Of which modules or packages; `None` for all.
    pub fn module(&self) -> Option<&ModulePattern> {
        self.module.as_ref()
    }

    /// What is compared with the subject, as written but for runs of white space.
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
        // The IDE leaves out the colon of `:$a`, too, and reads a named scope from what it wrote.
        let is_like_name = self.body.starts_with('$');
        if self.kind != LeafKind::Any || self.module.is_some() || is_like_name {
            f.write_str(":")?;
        }
        f.write_str(&self.body)
    }
}

/// What kind of files a pattern is about, and what of them it compares.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum LeafKind {
    /// `file`: of the repository, by their paths in their modules.
    File,
    /// `ext`: of libraries, by their paths in these.
    Ext,
    /// `projectPath`: of the repository, by their paths in it.
    ProjectPath,
    /// No id: of the repository, by namespace and name, as all that follow.
    Any,
    /// `src`: sources that are no tests.
    Source,
    /// `test`: sources of tests.
    Test,
    /// `lib`: of libraries.
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

    /// As it is written; empty for [`LeafKind::Any`].
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

    fn of_id(id: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.id() == id)
    }

    /// Whether it compares paths.
    pub fn is_file_like(self) -> bool {
        matches!(self, Self::File | Self::Ext | Self::ProjectPath)
    }

    /// What divides its subjects.
    pub fn separator(self) -> Separator {
        match self.is_file_like() {
            true => Separator::Slash,
            false => Separator::Dot,
        }
    }
}
