//! What facts say about the members of types, for one type after the other.

use std::{collections::VecDeque, rc::Rc};

use cortex_bind::{MemberDetail, TypeNode, member_detail};
use cortex_model::RepoPath;
use cortex_syntax::{FileFacts, Sections};

use crate::{IndexError, Snapshot};

/// The facts of so many files are kept: types of one file are asked for one after the other, a few of them have
/// several parts.
const MAX_KEPT: usize = 8;

/// Reads the details of members. Types in the order of the files that declare them are read fastest: the facts of
/// a file are decoded once for all of its types.
pub struct MemberDetails<'s> {
    snapshot: &'s Snapshot,
    kept: VecDeque<Kept>,
}

struct Kept {
    path: RepoPath,
    project: RepoPath,
    facts: Option<Rc<FileFacts>>,
}

impl<'s> MemberDetails<'s> {
    /// Of the types of a snapshot. Reads nothing yet.
    pub fn new(snapshot: &'s Snapshot) -> Self {
        Self {
            snapshot,
            kept: VecDeque::new(),
        }
    }

    /// The snapshot.
    pub fn snapshot(&self) -> &'s Snapshot {
        self.snapshot
    }

    /// What facts say about each member of a type, in the order of its members. Reads the facts of
    /// the files that declare it.
    ///
    /// # Errors
    /// Those of [`Snapshot::facts`].
    pub fn of(&mut self, node: &TypeNode) -> Result<Vec<MemberDetail>, IndexError> {
        let parts = node.parts.iter();
        let facts = parts
            .map(|part| self.facts(&part.path, node.project_of(part)))
            .collect::<Result<Vec<_>, _>>()?;
        let detail = |member: &cortex_bind::MemberNode| {
            member_detail(facts.get(member.part as usize)?.as_ref()?, member)
        };
        Ok(node
            .members
            .iter()
            .map(|member| detail(member).unwrap_or_default())
            .collect())
    }

    fn facts(
        &mut self,
        path: &RepoPath,
        project: &RepoPath,
    ) -> Result<Option<Rc<FileFacts>>, IndexError> {
        let mut kept = self.kept.iter();
        if let Some(kept) = kept.find(|it| it.path == *path && it.project == *project) {
            return Ok(kept.facts.clone());
        }
        let file = self.snapshot.file(path)?;
        let facts = match file {
            Some(file) => (self.snapshot).facts(&file, project, Sections::Declarations)?,
            None => None,
        };
        let facts = facts.map(Rc::new);
        self.kept.truncate(MAX_KEPT - 1);
        self.kept.push_front(Kept {
            path: path.clone(),
            project: project.clone(),
            facts: facts.clone(),
        });
        Ok(facts)
    }
}
