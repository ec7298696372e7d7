//! Commits: reading one, walking first parents, the common ancestor of two, those of a range.

use std::collections::{HashMap, HashSet};

use cortex_model::{CommitId, TreeId};
use gix::{bstr::ByteSlice, revision::walk::Sorting, traverse::commit::simple::CommitTimeOrder};

use crate::{
    blobs,
    error::{Advice, GitError},
    ids,
    repository::{Completeness, Repository},
};

/// Commits are looked at more than once in a walk.
const WALK_CACHE_BYTES: usize = 4 << 20;

/// A commit, as far as it matters here.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Commit {
    /// Its id.
    pub id: CommitId,
    /// The root of its files.
    pub tree: TreeId,
    /// The commits that it was made from, the first one first. Empty where history starts or was cut off.
    pub parents: Vec<CommitId>,
    /// The first paragraph of its message, on one line. Data of the repository: not to be trusted.
    pub subject: String,
    /// What its message says below that, without trailers. Data of the repository: not to be trusted.
    pub body: String,
    /// The name of its author. Data of the repository: not to be trusted.
    pub author: String,
    /// The author's address. Data of the repository: not to be trusted.
    pub author_email: String,
    /// When it was committed, in seconds since 1970-01-01T00:00:00Z.
    pub time: i64,
}

/// Which parents of a merge a walk follows.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Parents {
    /// All.
    #[default]
    All,
    /// The first, as `git log --first-parent`.
    First,
}

impl Repository {
    /// The commit that is checked out; `None` on a branch that has no commit yet.
    ///
    /// # Errors
    /// [`GitError::MissingObject`] if it is not there, [`GitError::Engine`] for a damaged `HEAD`.
    pub fn head(&self) -> Result<Option<CommitId>, GitError> {
        let repo = self.local();
        let failed = |error| GitError::engine("read `HEAD`", error);
        let mut head = repo.head().map_err(failed)?;
        if let Some(id) = head.id()
            && !repo.has_object(id)
        {
            return Err(blobs::missing(
                self.completeness(),
                ids::from_gix(&id),
                "commit",
            ));
        }
        let id = head.try_peel_to_id().map_err(failed)?;
        Ok(id.map(|id| CommitId(ids::from_gix(&id))))
    }

    /// Reads a commit. The parents of a commit at which a shallow clone ends are left out, as git does.
    ///
    /// # Errors
    /// [`GitError::MissingObject`], [`GitError::WrongKind`], [`GitError::Engine`].
    pub fn commit(&self, id: CommitId) -> Result<Commit, GitError> {
        read_commit(&self.local(), self.completeness(), id)
    }

    /// The commits that references and `HEAD` point to, annotated tags followed; sorted by id, each once. References
    /// to other objects, and broken ones, are left out. O(references).
    ///
    /// # Errors
    /// [`GitError::Engine`].
    pub fn reference_tips(&self) -> Result<Vec<CommitId>, GitError> {
        let repo = self.local();
        let failed = |error: Box<dyn std::error::Error + Send + Sync>| {
            GitError::engine("list the references", error)
        };
        let references = repo.references().map_err(|error| failed(error.into()))?;
        let mut tips = Vec::new();
        for reference in references.all().map_err(|error| failed(error.into()))? {
            // A reference that does not resolve protects nothing.
            let peeled = reference.ok().and_then(|mut found| found.peel_to_id().ok());
            let is_commit = |id: &gix::Id<'_>| {
                repo.find_header(*id)
                    .is_ok_and(|header| header.kind() == gix::objs::Kind::Commit)
            };
            tips.extend(
                peeled
                    .filter(is_commit)
                    .map(|id| CommitId(ids::from_gix(&id))),
            );
        }
        tips.extend(self.head()?);
        tips.sort();
        tips.dedup();
        Ok(tips)
    }

    /// The commit itself, then its first parent, and so on to the first commit or the end of a shallow clone.
    pub fn first_parents(&self, id: CommitId) -> FirstParents {
        FirstParents {
            repo: self.local(),
            completeness: self.completeness(),
            next: Some(id),
            visited: HashSet::new(),
        }
    }

    /// The best common ancestor of two commits; `None` if they have none. Of several equally good ones, the same
    /// one each time.
    ///
    /// # Errors
    /// [`GitError::MissingObject`] if one of the two is absent, [`GitError::Engine`].
    pub fn merge_base(&self, a: CommitId, b: CommitId) -> Result<Option<CommitId>, GitError> {
        let mut repo = self.local();
        repo.object_cache_size_if_unset(WALK_CACHE_BYTES);
        for id in [a, b] {
            if !repo.has_object(ids::to_gix(id.0)) {
                return Err(blobs::missing(self.completeness(), id.0, "commit"));
            }
        }
        let base = repo
            .merge_bases_many(ids::to_gix(a.0), &[ids::to_gix(b.0)])
            .map_err(|error| {
                GitError::engine(format!("find the merge base of {a} and {b}"), error)
            })?;
        Ok(base.first().map(|id| CommitId(ids::from_gix(id))))
    }

    /// The ends of a range of commits as `git log` takes it: `A..B`, where an end left out is `HEAD`, or `B` for
    /// all that it reaches.
    ///
    /// # Errors
    /// [`GitError::InvalidRange`] for `A...B`, which has no one older end, [`GitError::UnknownRevision`].
    pub fn resolve_history(&self, range: &str) -> Result<(Option<CommitId>, CommitId), GitError> {
        if range.contains("...") {
            return Err(GitError::InvalidRange {
                spec: range.to_owned(),
                reason: "a history has one older end".into(),
                advice: Some(Advice::text("write `A..B`, or `B` for all that it reaches")),
            });
        }
        let end = |text: &str| self.resolve(if text.is_empty() { "HEAD" } else { text });
        Ok(match range.split_once("..") {
            Some((old, new)) => (Some(end(old)?), end(new)?),
            None => (None, end(range)?),
        })
    }

    /// The commits that `new` reaches and `old` does not, oldest first and each after all of its parents; at most
    /// `max_count`, the newest ones. O(commits), as each is read.
    ///
    /// Right where no clock was off by more than two weeks.
    ///
    /// # Errors
    /// [`GitError::MissingObject`], [`GitError::Engine`].
    pub fn history(
        &self,
        old: Option<CommitId>,
        new: CommitId,
        parents: Parents,
        max_count: usize,
    ) -> Result<Vec<Commit>, GitError> {
        let mut repo = self.local();
        repo.object_cache_size_if_unset(WALK_CACHE_BYTES);
        let failed = |error| GitError::engine(format!("list the commits up to {new}"), error);
        let mut hidden = Hidden::new(&repo, old, new)?;
        let mut commits = Vec::new();
        if parents == Parents::First {
            for id in self.first_parents(new).take(max_count) {
                let commit = read_commit(&repo, self.completeness(), id?)?;
                // Its parents are hidden too.
                if hidden.contains(&commit)? {
                    break;
                }
                commits.push(commit);
            }
            commits.reverse();
            return Ok(commits);
        }
        let walk = repo
            .rev_walk([ids::to_gix(new.0)])
            .with_hidden(old.map(|old| ids::to_gix(old.0)))
            .sorting(Sorting::ByCommitTime(CommitTimeOrder::NewestFirst));
        for commit in walk.all().map_err(failed)? {
            if commits.len() >= max_count {
                break;
            }
            let id = CommitId(ids::from_gix(&commit.map_err(failed)?.id));
            let commit = read_commit(&repo, self.completeness(), id)?;
            // The walk itself may miss that where clocks were wrong.
            if !hidden.contains(&commit)? {
                commits.push(commit);
            }
        }
        commits.reverse();
        Ok(parents_first(commits))
    }

    /// The commits that `new` reaches from a time on (`i64::MIN` for all), newest first, as `git log --since` lists them.
    ///
    /// Right where no clock was off by more than two weeks. O(commits since then).
    ///
    /// # Errors
    /// [`GitError::MissingObject`], [`GitError::Engine`].
    pub fn history_since(&self, new: CommitId, since: i64) -> Result<Vec<Commit>, GitError> {
        let mut repo = self.local();
        repo.object_cache_size_if_unset(WALK_CACHE_BYTES);
        let failed = |error| GitError::engine(format!("list the commits up to {new}"), error);
        let walk = repo
            .rev_walk([ids::to_gix(new.0)])
            .sorting(Sorting::ByCommitTimeCutoff {
                order: CommitTimeOrder::NewestFirst,
                seconds: since.saturating_sub(MAX_SKEW),
            });
        let mut commits = Vec::new();
        for commit in walk.all().map_err(failed)? {
            let id = CommitId(ids::from_gix(&commit.map_err(failed)?.id));
            let commit = read_commit(&repo, self.completeness(), id)?;
            if commit.time >= since {
                commits.push(commit);
            }
        }
        Ok(commits)
    }

    /// The commits that `new` reaches and `old` does not, newest first: the first `max_read` of them, and how many
    /// there are, counted up to `max_count`.
    pub(crate) fn commits_between(
        &self,
        old: Option<CommitId>,
        new: CommitId,
        max_read: usize,
        max_count: usize,
    ) -> Result<(Vec<Commit>, usize), GitError> {
        let mut repo = self.local();
        repo.object_cache_size_if_unset(WALK_CACHE_BYTES);
        let failed = |error| GitError::engine(format!("list the commits up to {new}"), error);
        let walk = repo
            .rev_walk([ids::to_gix(new.0)])
            .with_hidden(old.map(|old| ids::to_gix(old.0)))
            .sorting(Sorting::ByCommitTime(CommitTimeOrder::NewestFirst))
            .all()
            .map_err(failed)?;
        let (mut commits, mut n_commits) = (Vec::new(), 0);
        for commit in walk.take(max_count) {
            let id = CommitId(ids::from_gix(&commit.map_err(failed)?.id));
            if commits.len() < max_read {
                commits.push(read_commit(&repo, self.completeness(), id)?);
            }
            n_commits += 1;
        }
        Ok((commits, n_commits))
    }
}

/// How far off a clock may be, in seconds, for a range to be right nevertheless.
const MAX_SKEW: i64 = 14 * 86_400;

/// What the older end of a range reaches, walked as far as it is asked about.
struct Hidden<'r> {
    walk: Option<gix::revision::Walk<'r>>,
    seen: HashSet<CommitId>,
    /// The time of the last commit that was walked.
    reached: i64,
    new: CommitId,
}

impl<'r> Hidden<'r> {
    fn new(
        repo: &'r gix::Repository,
        old: Option<CommitId>,
        new: CommitId,
    ) -> Result<Self, GitError> {
        let failed = |error| GitError::engine(format!("list the commits up to {new}"), error);
        let walk = old.map(|old| {
            repo.rev_walk([ids::to_gix(old.0)])
                .sorting(Sorting::ByCommitTime(CommitTimeOrder::NewestFirst))
                .all()
        });
        Ok(Self {
            walk: walk.transpose().map_err(failed)?,
            seen: HashSet::new(),
            reached: i64::MAX,
            new,
        })
    }

    fn contains(&mut self, commit: &Commit) -> Result<bool, GitError> {
        while let Some(walk) = &mut self.walk
            && self.reached >= commit.time.saturating_sub(MAX_SKEW)
        {
            let Some(next) = walk.next() else {
                self.walk = None;
                break;
            };
            let next = next.map_err(|error| {
                GitError::engine(format!("list the commits up to {}", self.new), error)
            })?;
            self.seen.insert(CommitId(ids::from_gix(&next.id)));
            self.reached = next.commit_time.unwrap_or(self.reached);
        }
        Ok(self.seen.contains(&commit.id))
    }
}

/// Puts each commit after its parents, where clocks were wrong; otherwise the order stays.
fn parents_first(commits: Vec<Commit>) -> Vec<Commit> {
    let place: HashMap<CommitId, usize> = (commits.iter().enumerate())
        .map(|(at, commit)| (commit.id, at))
        .collect();
    let mut is_placed = vec![false; commits.len()];
    // `git replace` can make a commit its own ancestor: such a parent does not come first.
    let mut is_open = vec![false; commits.len()];
    let mut order = Vec::with_capacity(commits.len());
    for start in 0..commits.len() {
        let mut open = vec![start];
        while let Some(&at) = open.last() {
            let parents = commits[at].parents.iter();
            let before = parents.filter_map(|parent| place.get(parent).copied());
            let missing: Vec<usize> = before
                .filter(|&parent| !is_placed[parent] && !is_open[parent])
                .collect();
            if std::mem::replace(&mut is_open[at], true) || missing.is_empty() {
                open.pop();
                if !std::mem::replace(&mut is_placed[at], true) {
                    order.push(at);
                }
            } else {
                // The first parent is placed first.
                open.extend(missing.into_iter().rev());
            }
        }
    }
    let mut commits: Vec<Option<Commit>> = commits.into_iter().map(Some).collect();
    (order.into_iter())
        .filter_map(|at| commits[at].take())
        .collect()
}

/// Commits along first parents, each once; stops after the first error.
pub struct FirstParents {
    repo: gix::Repository,
    completeness: Completeness,
    next: Option<CommitId>,
    /// `git replace` can make a commit its own ancestor.
    visited: HashSet<CommitId>,
}

impl Iterator for FirstParents {
    type Item = Result<CommitId, GitError>;

    fn next(&mut self) -> Option<Self::Item> {
        let id = self.next.take()?;
        if !self.visited.insert(id) {
            return None;
        }
        match read_commit(&self.repo, self.completeness, id) {
            Ok(commit) => {
                self.next = commit.parents.first().copied();
                Some(Ok(id))
            }
            Err(error) => Some(Err(error)),
        }
    }
}

fn read_commit(
    repo: &gix::Repository,
    completeness: Completeness,
    id: CommitId,
) -> Result<Commit, GitError> {
    let mut bytes = Vec::new();
    blobs::read_object(
        repo,
        completeness,
        id.0,
        gix::objs::Kind::Commit,
        &mut bytes,
    )?;
    let failed = |error| GitError::engine(format!("read commit {id}"), error);
    let decoded = gix::objs::CommitRef::from_bytes(&bytes, repo.object_hash()).map_err(failed)?;
    let is_cut_off = match completeness {
        Completeness::Full => false,
        Completeness::Shallow | Completeness::Partial => repo
            .shallow_commits()
            .map_err(failed)?
            .is_some_and(|cut| cut.contains(&ids::to_gix(id.0))),
    };
    let parents = if is_cut_off {
        Vec::new()
    } else {
        decoded
            .parents()
            .map(|parent| CommitId(ids::from_gix(&parent)))
            .collect()
    };
    let author = decoded.author().ok();
    let author = |part: fn(&gix::actor::SignatureRef<'_>) -> String| {
        author.as_ref().map(part).unwrap_or_default()
    };
    Ok(Commit {
        id,
        tree: TreeId(ids::from_gix(&decoded.tree())),
        parents,
        subject: decoded.message().summary().to_str_lossy().into_owned(),
        body: (decoded.message().body()).map_or_else(String::new, |body| {
            body.without_trailer().to_str_lossy().trim().to_owned()
        }),
        author: author(|it| it.name.to_str_lossy().into_owned()),
        author_email: author(|it| it.email.to_str_lossy().into_owned()),
        time: decoded
            .committer()
            .map_or(0, |committer| committer.seconds()),
    })
}
