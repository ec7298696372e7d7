//! Provider scopes, which git and the index define: a family with an argument.

use crate::data::ScopeShape;

/// A provider scope: `git:changed:main..HEAD`, `codeowners:@team`, `type:Shop.Cart`.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Provider {
    family: Family,
    // Invariant: empty if and only if the family takes no argument.
    argument: String,
}

impl Provider {
    /// Creates a scope of a family; `None` where an argument is missing or not expected.
    pub fn new(family: Family, argument: impl Into<String>) -> Option<Self> {
        let argument = argument.into();
        (argument.is_empty() == family.argument().is_none()).then_some(Self { family, argument })
    }

    /// Reads `family` or `family:argument`.
    pub fn parse(id: &str) -> Result<Self, UnknownProvider> {
        let family = Family::from_id(id).ok_or(UnknownProvider::Family)?;
        let argument = id[family.id().len()..]
            .strip_prefix(':')
            .unwrap_or_default();
        Self::new(family, argument).ok_or(UnknownProvider::Argument(family))
    }

    /// The family.
    pub fn family(&self) -> Family {
        self.family
    }

    /// The argument after the family, or empty.
    pub fn argument(&self) -> &str {
        &self.argument
    }

    /// The text form.
    pub fn id(&self) -> String {
        match self.argument.is_empty() {
            true => self.family.id().to_owned(),
            false => format!("{}:{}", self.family.id(), self.argument),
        }
    }
}

/// Why a text is not a provider scope.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum UnknownProvider {
    /// The text does not start with a family.
    Family,
    /// The family needs an argument, or takes none.
    Argument(Family),
}

/// A family of provider scopes, in catalog order.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Family {
    /// Files that differ between the ends of a range.
    GitChanged,
    /// Files that differ between `HEAD` and the index.
    GitStaged,
    /// Files that differ between `HEAD` and the work tree.
    GitWorktree,
    /// Untracked files that are not ignored.
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
    /// Files affected by a change.
    Impact,
    /// Files of a pack.
    Pack,
    /// The ranges of a type's declarations.
    Type,
    /// The ranges of the declarations of a type's members.
    Members,
}

impl Family {
    /// All values, in catalog order.
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

    /// The prefix of its scopes.
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

    /// A placeholder for the argument; `None` where the family takes none.
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

    /// The syntax of its scopes, with a placeholder for the argument.
    pub fn usage(self) -> String {
        match self.argument() {
            None => self.id().to_owned(),
            Some(argument) => format!("{}:{argument}", self.id()),
        }
    }

    /// The shape of its scopes.
    pub fn shape(self) -> ScopeShape {
        match self {
            Self::Type | Self::Members => ScopeShape::Local,
            _ => ScopeShape::Global,
        }
    }

    /// Whether its scopes can select other files at another time, on the same snapshot.
    pub fn is_unstable(self) -> bool {
        matches!(
            self,
            Self::GitStaged | Self::GitWorktree | Self::GitUntracked
        )
    }

    /// Finds the family whose id is `text`, or the part of `text` before a `:`.
    pub(crate) fn from_id(text: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|family| {
            text.strip_prefix(family.id())
                .is_some_and(|rest| rest.is_empty() || rest.starts_with(':'))
        })
    }
}
