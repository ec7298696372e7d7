//! Revisions: names for commits, and what was probably meant where a name does not resolve.

use cortex_model::{CommitId, ObjectId, edit_distance};
use gix::bstr::ByteSlice;

use crate::{
    blobs,
    error::{Advice, GitError},
    ids,
    repository::{Completeness, Repository},
};

/// How many references are compared with a misspelt name.
const MAX_REFS_COMPARED: usize = 10_000;
/// How far back the length of a history is counted for a hint.
const MAX_COUNTED: usize = 100_000;

/// What a revision resolves to.
pub(crate) enum Resolved {
    /// A commit, also through an annotated tag.
    Commit(CommitId),
    /// The tree without files, which is how "nothing" is written.
    EmptyTree,
}

impl Repository {
    /// Resolves one revision, in the syntax of `git rev-parse`, to a commit.
    ///
    /// # Errors
    /// [`GitError::UnknownRevision`] with a suggestion where there is one, [`GitError::MissingObject`] for a full id
    /// that is not here, [`GitError::WrongKind`] for a revision that names no commit.
    pub fn resolve(&self, spec: &str) -> Result<CommitId, GitError> {
        match self.resolve_side(spec)? {
            Resolved::Commit(id) => Ok(id),
            Resolved::EmptyTree => Err(GitError::WrongKind {
                id: ids::from_gix(&self.local().empty_tree().id),
                expected: "commit",
                actual: "tree".into(),
            }),
        }
    }

    pub(crate) fn resolve_side(&self, spec: &str) -> Result<Resolved, GitError> {
        let repo = self.local();
        let id = match repo.rev_parse_single(spec) {
            Ok(id) => id.detach(),
            // The empty tree is known to every git, whether or not it is stored.
            Err(_)
                if gix::ObjectId::from_hex(spec.as_bytes()).is_ok_and(|id| id.is_empty_tree()) =>
            {
                return Ok(Resolved::EmptyTree);
            }
            Err(error) => return Err(self.unresolved(&repo, spec, &error)),
        };
        if id.is_empty_tree() {
            return Ok(Resolved::EmptyTree);
        }
        let object = match repo.try_find_object(id) {
            Ok(Some(object)) => object,
            Ok(None) => {
                return Err(blobs::missing(
                    self.completeness(),
                    ids::from_gix(&id),
                    "commit",
                ));
            }
            Err(error) => return Err(GitError::engine(format!("read object {id}"), error)),
        };
        let peeled = object
            .peel_tags_to_end()
            .map_err(|error| GitError::engine(format!("follow the tag `{spec}`"), error))?;
        if peeled.kind == gix::objs::Kind::Commit {
            Ok(Resolved::Commit(CommitId(ids::from_gix(&peeled.id))))
        } else {
            Err(GitError::WrongKind {
                id: ids::from_gix(&peeled.id),
                expected: "commit",
                actual: peeled.kind.to_string(),
            })
        }
    }

    fn unresolved(&self, repo: &gix::Repository, spec: &str, error: &gix::Error) -> GitError {
        if let Some(id) = ObjectId::from_hex(spec)
            && id.as_slice().len() == repo.object_hash().len_in_bytes()
        {
            return blobs::missing(self.completeness(), id, "commit");
        }
        let cause = error
            .iter_errors()
            .find_map(|cause| cause.downcast_ref::<gix::revision::spec::parse::Error>());
        if let Some(gix::revision::spec::parse::Error::AmbiguousPrefix { .. }) = cause {
            return GitError::UnknownRevision {
                spec: spec.into(),
                reason: "several objects have ids that start like this".into(),
                advice: Some(Advice::text("write more digits of the id")),
            };
        }
        if let Some(error) = self.beyond_history(repo, spec) {
            return error;
        }
        if let Some(error) = self.unreadable_base(repo, spec) {
            return error;
        }
        let base = &spec[..spec.find(['~', '^', '@', ':']).unwrap_or(spec.len())];
        let advice = if matches!(base, "" | "HEAD" | "@")
            && repo.head().is_ok_and(|head| head.is_unborn())
        {
            Some("the current branch has no commit yet".to_owned())
        } else if let Some(name) = nearest_ref(repo, base).filter(|name| name != base) {
            Some(format!("did you mean `{name}{}`?", &spec[base.len()..]))
        } else if repo.workdir().is_some_and(|root| {
            std::fs::symlink_metadata(root.join(self.prefix().unwrap_or("".as_ref())).join(spec))
                .is_ok()
        }) {
            Some(format!("it is a path: write `-- {spec}`"))
        } else {
            None
        };
        GitError::UnknownRevision {
            spec: spec.into(),
            reason: "no reference and no object has this name".into(),
            advice: advice.map(Advice::Text),
        }
    }

    /// The error for a revision from a reference whose object git cannot read.
    fn unreadable_base(&self, repo: &gix::Repository, spec: &str) -> Option<GitError> {
        let base = &spec[..spec.find(['~', '^', '@', ':']).unwrap_or(spec.len())];
        let id = match base {
            "" | "HEAD" => repo.head().ok()?.id()?.detach(),
            name => repo.try_find_reference(name).ok()??.try_id()?.detach(),
        };
        match repo.try_find_object(id) {
            Ok(Some(_)) => None,
            Ok(None) => Some(blobs::missing(
                self.completeness(),
                ids::from_gix(&id),
                "commit",
            )),
            Err(error) => Some(GitError::engine(format!("read commit {id}"), error)),
        }
    }

    /// The error for `X~n` and `X^` where `X` resolves but has fewer ancestors.
    fn beyond_history(&self, repo: &gix::Repository, spec: &str) -> Option<GitError> {
        let suffix = spec.rfind(['~', '^'])?;
        let base = spec[..suffix].trim_end_matches(['~', '^']);
        let base = if base.is_empty() { "HEAD" } else { base };
        let start = CommitId(ids::from_gix(&repo.rev_parse_single(base).ok()?));
        let n_ancestors = self
            .first_parents(start)
            .take(MAX_COUNTED)
            .filter_map(Result::ok)
            .count()
            .checked_sub(1)?;
        let advice = match self.completeness() {
            Completeness::Shallow => Advice::Unshallow,
            Completeness::Full | Completeness::Partial if n_ancestors == 0 => {
                Advice::text(format!(
                    "`{base}` is the first commit; `{}` stands for the state before it",
                    repo.empty_tree().id
                ))
            }
            Completeness::Full | Completeness::Partial => {
                Advice::text(format!("the first commit is `{base}~{n_ancestors}`"))
            }
        };
        Some(GitError::UnknownRevision {
            spec: spec.into(),
            reason: match n_ancestors {
                0 => format!("`{base}` has no parent"),
                1 => format!("`{base}` has only 1 ancestor along first parents"),
                n => format!("`{base}` has no such ancestor ({n} along first parents)"),
            },
            advice: Some(advice),
        })
    }
}

/// The reference whose short name is nearest to `name`, if near at all. Of equally near ones, the first by name.
fn nearest_ref(repo: &gix::Repository, name: &str) -> Option<String> {
    let refs = repo.references().ok()?;
    let mut best: Option<(usize, String)> = None;
    let names = refs
        .all()
        .ok()?
        .take(MAX_REFS_COMPARED)
        .filter_map(Result::ok)
        .map(|reference| reference.name().shorten().to_str_lossy().into_owned())
        .chain(["HEAD".to_owned()]);
    let limit = (name.chars().count() / 3).max(1);
    for candidate in names {
        if let Some(distance) = edit_distance(name, &candidate, limit) {
            let is_better = best
                .as_ref()
                .is_none_or(|(least, nearest)| (distance, &candidate) < (*least, nearest));
            if is_better {
                best = Some((distance, candidate));
            }
        }
    }
    best.map(|(_, name)| name)
}
