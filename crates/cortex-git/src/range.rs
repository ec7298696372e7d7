//! Ranges: what two sides to compare, meant as `git diff` means it.

use cortex_model::{CommitId, TreeId};

use crate::{
    error::{Advice, GitError},
    history::Commit,
    repository::Repository,
    revision::Resolved,
};

/// How many commits of a range are read; all are counted up to [`MAX_COUNTED`].
pub const MAX_RANGE_COMMITS: usize = 256;
/// Where counting the commits of a range ends.
const MAX_COUNTED: usize = 20_000;

/// Whether the new side is the index.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Cached {
    /// No: it is a commit or the work tree.
    #[default]
    No,
    /// Yes, as `git diff --cached`.
    Yes,
}

/// A range as the user wrote it.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct RangeSpec {
    /// None, one or two revisions; one alone may be `A..B`, `A...B` or `A^!`.
    pub revisions: Vec<String>,
    /// Whether the new side is the index.
    pub cached: Cached,
    /// Path patterns, relative to the folder that the repository was opened from. Empty means all.
    pub paths: Vec<String>,
}

/// One side of a comparison.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Side {
    /// No files: before the first commit.
    Empty,
    /// A commit.
    Commit {
        /// The commit.
        commit: CommitId,
        /// Its files.
        tree: TreeId,
    },
    /// What is staged.
    Index,
    /// The checked-out files.
    WorkTree,
}

impl Side {
    /// The tree of a commit; `None` for the empty side, the index and the work tree.
    pub fn tree(self) -> Option<TreeId> {
        match self {
            Self::Commit { tree, .. } => Some(tree),
            Self::Empty | Self::Index | Self::WorkTree => None,
        }
    }
}

/// A range, resolved.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Range {
    /// What is compared from.
    pub old: Side,
    /// What is compared to.
    pub new: Side,
    /// The commits that the new side has and the old one does not, those merged included, newest first; at most
    /// [`MAX_RANGE_COMMITS`]. For the index and the work tree, those of `HEAD`.
    pub commits: Vec<Commit>,
    /// How many such commits there are; 20,000 means "or more".
    pub n_commits: usize,
    /// The path patterns as given.
    pub paths: Vec<String>,
}

impl Repository {
    /// Resolves a range.
    ///
    /// - nothing: the work tree against `HEAD` (`git diff HEAD`: what is staged counts, unlike in plain `git diff`);
    /// - `A`: the work tree against `A`; with [`Cached::Yes`] the index against `A`, or against `HEAD`;
    /// - `A B` and `A..B`: `B` against `A`; an omitted side is `HEAD`;
    /// - `A...B`: `B` against the merge base of both;
    /// - `A^!`: `A` against its first parent.
    ///
    /// A bare repository has `HEAD`'s commit for a work tree. On a branch without commits the old side is empty.
    ///
    /// # Errors
    /// [`GitError::InvalidRange`], and those of [`Repository::resolve`].
    pub fn resolve_range(&self, spec: &RangeSpec) -> Result<Range, GitError> {
        let invalid = |reason: &str, advice: Option<Advice>| GitError::InvalidRange {
            spec: spec.revisions.join(" "),
            reason: reason.into(),
            advice,
        };
        let parsed = match spec.revisions.as_slice() {
            [] => Parsed::Against(None),
            [one] => parse(one),
            [a, b] => match (parse(a), parse(b)) {
                (Parsed::Against(Some(a)), Parsed::Against(Some(b))) => Parsed::Between(a, b),
                _ => {
                    return Err(invalid(
                        "two revisions cannot be ranges themselves",
                        Some(Advice::text("write `A..B`, or `A B`")),
                    ));
                }
            },
            [_, _, third, ..] => {
                return Err(invalid(
                    "there are more than two revisions",
                    Some(Advice::text(format!(
                        "to limit it to a path, write `-- {third}`"
                    ))),
                ));
            }
        };
        if spec.cached == Cached::Yes && !matches!(parsed, Parsed::Against(_)) {
            return Err(invalid(
                "the index is compared with one revision",
                Some(Advice::OneRevision),
            ));
        }
        let (old, new, hidden) = match parsed {
            Parsed::Against(revision) => {
                let old = match revision {
                    Some(revision) => self.side(revision)?,
                    None => self.head_side()?,
                };
                let new = match spec.cached {
                    Cached::Yes => Side::Index,
                    Cached::No if self.is_bare() => self.head_side()?,
                    Cached::No => Side::WorkTree,
                };
                (old, new, old)
            }
            Parsed::Between(a, b) => {
                let old = self.side(a)?;
                (old, self.side(b)?, old)
            }
            Parsed::MergeBase(a, b) => {
                let (side_a, side_b) = (self.side(a)?, self.side(b)?);
                let (Side::Commit { commit: a, .. }, Side::Commit { commit: b, .. }) =
                    (side_a, side_b)
                else {
                    return Err(invalid("a merge base needs two commits", None));
                };
                let base = self.merge_base(a, b)?.ok_or_else(|| {
                    invalid(
                        "the two have no common ancestor",
                        Some(Advice::text("write `A..B` to compare them nevertheless")),
                    )
                })?;
                (self.commit_side(base)?, side_b, side_a)
            }
            Parsed::Alone(revision) => {
                let new = self.side(revision)?;
                let parent = match new {
                    Side::Commit { commit, .. } => self.commit(commit)?.parents.first().copied(),
                    Side::Empty | Side::Index | Side::WorkTree => None,
                };
                let old = parent.map_or(Ok(Side::Empty), |parent| self.commit_side(parent))?;
                (old, new, old)
            }
        };
        let (commits, n_commits) = self.commits_of(hidden, new)?;
        Ok(Range {
            old,
            new,
            commits,
            n_commits,
            paths: spec.paths.clone(),
        })
    }

    fn commits_of(&self, old: Side, new: Side) -> Result<(Vec<Commit>, usize), GitError> {
        let tip = match new {
            Side::Empty => None,
            Side::Commit { commit, .. } => Some(commit),
            Side::Index | Side::WorkTree => self.head()?,
        };
        let hidden = match old {
            Side::Commit { commit, .. } => Some(commit),
            Side::Empty | Side::Index | Side::WorkTree => None,
        };
        match tip {
            Some(tip) if hidden != Some(tip) => {
                self.commits_between(hidden, tip, MAX_RANGE_COMMITS, MAX_COUNTED)
            }
            _ => Ok((Vec::new(), 0)),
        }
    }

    fn side(&self, revision: &str) -> Result<Side, GitError> {
        match self.resolve_side(revision)? {
            Resolved::Commit(commit) => self.commit_side(commit),
            Resolved::EmptyTree => Ok(Side::Empty),
        }
    }

    fn head_side(&self) -> Result<Side, GitError> {
        self.head()?
            .map_or(Ok(Side::Empty), |commit| self.commit_side(commit))
    }

    fn commit_side(&self, commit: CommitId) -> Result<Side, GitError> {
        let tree = self.commit(commit)?.tree;
        Ok(Side::Commit { commit, tree })
    }
}

/// The form of a range.
#[derive(PartialEq, Eq, Debug)]
enum Parsed<'a> {
    /// The index or the work tree against a revision, or against `HEAD`.
    Against(Option<&'a str>),
    /// `A..B`.
    Between(&'a str, &'a str),
    /// `A...B`.
    MergeBase(&'a str, &'a str),
    /// `A^!`.
    Alone(&'a str),
}

fn parse(text: &str) -> Parsed<'_> {
    let or_head = |side: &'static str, text| if str::is_empty(text) { side } else { text };
    // Dots inside `@{…}`, `^{…}` and `:/…` belong to the revision.
    let mut depth = 0_usize;
    for (at, byte) in text.bytes().enumerate() {
        match byte {
            b'{' => depth += 1,
            b'}' => depth = depth.saturating_sub(1),
            b':' if depth == 0 => break,
            b'.' if depth == 0 && text[at..].starts_with("...") => {
                let (a, b) = (&text[..at], &text[at + 3..]);
                return Parsed::MergeBase(or_head("HEAD", a), or_head("HEAD", b));
            }
            b'.' if depth == 0 && text[at..].starts_with("..") => {
                let (a, b) = (&text[..at], &text[at + 2..]);
                return Parsed::Between(or_head("HEAD", a), or_head("HEAD", b));
            }
            _ => {}
        }
    }
    match text.strip_suffix("^!") {
        Some(revision) => Parsed::Alone(or_head("HEAD", revision)),
        None => Parsed::Against(Some(text)),
    }
}

#[cfg(test)]
mod tests {
    use super::{Parsed, parse};

    #[test]
    fn a_range_is_split_where_git_splits_it() {
        assert_eq!(parse("a..b"), Parsed::Between("a", "b"));
        assert_eq!(parse("..b"), Parsed::Between("HEAD", "b"));
        assert_eq!(parse("a.."), Parsed::Between("a", "HEAD"));
        assert_eq!(parse("a...b"), Parsed::MergeBase("a", "b"));
        assert_eq!(parse("..."), Parsed::MergeBase("HEAD", "HEAD"));
        assert_eq!(parse("v1.2.3"), Parsed::Against(Some("v1.2.3")));
        assert_eq!(parse("HEAD^!"), Parsed::Alone("HEAD"));
        assert_eq!(parse("a^{/x..y}"), Parsed::Against(Some("a^{/x..y}")));
        assert_eq!(parse(":/fix..it"), Parsed::Against(Some(":/fix..it")));
    }
}
