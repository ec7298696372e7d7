//! What git and the index know and an IDE does not: scopes named by a family and its argument.

use crate::data::ScopeShape;

/// A scope of a provider: `git:changed:main..HEAD`, `codeowners:@team`, `type:Shop.Cart`.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Provider {
    family: Family,
    // Invariant: empty exactly where the family takes none.
    argument: String,
}

impl Provider {
    /// A scope of a family; `None` where it lacks its argument or has one too many.
    pub fn new(family: Family, argument: impl Into<String>) -> Option<Self> {
        let argument = argument.into();
        (argument.is_empty() == family.argument().is_none()).then_some(Self { family, argument })
    }

    /// Reads `family` or `family:argument`.
    pub fn parse(id: &str) -> Result<Self, UnknownProvider> {
        let family = Family::of_id(id).ok_or(UnknownProvider::Family)?;
        let argument = id[family.id().len()..]
            .strip_prefix(':')
            .unwrap_or_default();
        Self::new(family, argument).ok_or(UnknownProvider::Argument(family))
    }

    /// Which family.
    pub fn family(&self) -> Family {
        self.family
    }

    /// What follows the family; empty where nothing does.
    pub fn argument(&self) -> &str {
        &self.argument
    }

    /// As it is written.
    pub fn id(&self) -> String {
        match self.argument.is_empty() {
            true => self.family.id().to_owned(),
            false => format!("{}:{}", self.family.id(), self.argument),
        }
    }
}

/// Why a text names no provider's scope.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum UnknownProvider {
    /// It starts with no family.
    Family,
    /// The family wants an argument, or wants none.
    Argument(Family),
}

/// A kind of provider. In the order of catalogs.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Family {
    /// Files that differ between the ends of a range.
    GitChanged,
    /// Files that differ between `HEAD` and the index.
    GitStaged,
    /// Files that differ between `HEAD` and the work tree.
    GitWorktree,
    /// Files that git does not know and does not ignore.
    GitUntracked,
    /// Files that an author changed since a time.
    GitAuthor,
    /// The files that changed most often.
    GitChurn,
    /// Files of an owner.
    CodeOwners,
    /// Files of an area.
    Area,
    /// Files of a submodule.
    Submodule,
    /// Files that a change reaches.
    Impact,
    /// Files of a pack.
    Pack,
    /// The ranges of a type's declarations.
    Type,
    /// The ranges of the declarations of a type's members.
    Members,
}

impl Family {
    /// All, in the order of catalogs.
    pub const ALL: [Self; 13] = [
        Self::GitChanged,
        Self::GitStaged,
        Self::GitWorktree,
        Self::GitUntracked,
        Self::GitAuthor,
        Self::GitChurn,
        Self::CodeOwners,
        Self::Area,
        Self::Submodule,
        Self::Impact,
        Self::Pack,
        Self::Type,
        Self::Members,
    ];

    /// What its scopes start with.
    pub fn id(self) -> &'static str {
        match self {
            Self::GitChanged => "git:changed",
            Self::GitStaged => "git:staged",
            Self::GitWorktree => "git:worktree",
            Self::GitUntracked => "git:untracked",
            Self::GitAuthor => "git:author",
            Self::GitChurn => "git:churn",
            Self::CodeOwners => "codeowners",
            Self::Area => "area",
            Self::Submodule => "submodule",
            Self::Impact => "impact",
            Self::Pack => "pack",
            Self::Type => "type",
            Self::Members => "members",
        }
    }

    /// What the argument is; `None` where there is none.
    pub fn argument(self) -> Option<&'static str> {
        match self {
            Self::GitChanged | Self::Impact => Some("<range>"),
            Self::GitStaged | Self::GitWorktree | Self::GitUntracked => None,
            Self::GitAuthor => Some("<name>:<since>"),
            Self::GitChurn => Some("<n>"),
            Self::CodeOwners => Some("<owner>"),
            Self::Area | Self::Pack => Some("<name>"),
            Self::Submodule => Some("<path>"),
            Self::Type | Self::Members => Some("<symbol>"),
        }
    }

    /// How its scopes are written, with the argument's kind in its place.
    pub fn usage(self) -> String {
        match self.argument() {
            None => self.id().to_owned(),
            Some(argument) => format!("{}:{argument}", self.id()),
        }
    }

    /// What its scopes give.
    pub fn shape(self) -> ScopeShape {
        match self {
            Self::Type | Self::Members => ScopeShape::Local,
            _ => ScopeShape::Global,
        }
    }

    /// Whether its scopes mean something else at another time, on the same snapshot.
    pub fn is_unstable(self) -> bool {
        matches!(
            self,
            Self::GitStaged | Self::GitWorktree | Self::GitUntracked
        )
    }

    /// The family whose id `text` is, or starts with before a `:`.
    pub(crate) fn of_id(text: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|family| {
            text.strip_prefix(family.id())
                .is_some_and(|rest| rest.is_empty() || rest.starts_with(':'))
        })
    }
}
