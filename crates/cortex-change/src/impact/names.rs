//! What the members of changed files name, before and after.
//!
//! Must not know: what is made of it.

use std::collections::BTreeSet;

use cortex_look::{QueryError, follow::differing::ChangedType};
use cortex_model::{EdgeKind, RepoPath};
use cortex_wire::UseSide;
use rayon::prelude::*;
use rustc_hash::FxHashSet;

use super::{next::Member, uses::symbol};
use crate::{diff_context::compared::Compared, reading::ChangedLines};

/// A member of the repository that code of the product names, but for documentation.
pub(crate) struct Name {
    pub(crate) what: Member,
    /// The member that has the code.
    pub(crate) by: Member,
    /// The 1-based line.
    pub(crate) line: u32,
    /// Whether a line is in question that the other side lacks.
    pub(crate) is_changed: bool,
    /// The text of the assignment without white space, where it is assigned on a changed line.
    pub(crate) assigned: Option<Vec<u8>>,
    /// Whether it is assigned.
    pub(crate) is_written: bool,
    /// Whether it is called.
    pub(crate) is_call: bool,
}

/// The names in the files of changed types of the product that differ, by file and position.
pub(crate) struct ChangedNames {
    pub(crate) old: Vec<Name>,
    pub(crate) new: Vec<Name>,
}

/// Of more changed types, what a few members name says nothing.
const MAX_TYPES: usize = 400;

impl ChangedNames {
    /// Reads the bindings of these files; `None` where these are of very many types.
    pub(crate) fn of(
        compared: &Compared,
        changed: &[ChangedType],
    ) -> Result<Option<Self>, QueryError> {
        if changed.len() > MAX_TYPES {
            return Ok(None);
        }
        Ok(Some(Self {
            old: names(compared, changed, UseSide::Old)?,
            new: names(compared, changed, UseSide::New)?,
        }))
    }

    /// Who named what before.
    pub(crate) fn before(&self) -> FxHashSet<(Member, Member)> {
        self.old.iter().map(|it| (it.by, it.what)).collect()
    }
}

fn names(
    compared: &Compared,
    changed: &[ChangedType],
    side: UseSide,
) -> Result<Vec<Name>, QueryError> {
    let mut files: BTreeSet<(&RepoPath, &RepoPath)> = BTreeSet::new();
    for ty in changed {
        let node = match side {
            UseSide::Old => ty.old.as_ref(),
            UseSide::New => ty.new.as_ref(),
        };
        let Some(node) = node.filter(|node| !compared.is_of_tests(&node.project)) else {
            continue;
        };
        let parts = node.parts.iter();
        files.extend(parts.map(|part| (&part.path, node.project_of(part))));
    }
    let files: Vec<_> = files.into_iter().collect();
    let found = files.par_iter().map(|(path, project)| {
        let (lines, snapshot) = match side {
            UseSide::Old => (ChangedLines::of_old(compared, path), &compared.old),
            UseSide::New => (ChangedLines::of(compared, path), &compared.new),
        };
        let mut out = Vec::new();
        let Some(lines) = lines else {
            return Ok(out);
        };
        let bindings = snapshot.bindings(path, project)?;
        let member = |at: u32| {
            let (key, tag) = symbol(&bindings.targets[at as usize])?;
            Some((key, tag?))
        };
        let code = lines.code();
        for decl in &bindings.decls {
            let Some(by) = decl.symbol.and_then(member) else {
                continue;
            };
            for named in decl.refs.iter().filter(|it| it.kind != EdgeKind::Doc) {
                let Some(what) = member(named.target) else {
                    continue;
                };
                let is_written = named.kind == EdgeKind::Writes;
                let assigned = (is_written.then(|| code.assignment(named.offset))).flatten();
                out.push(Name {
                    what,
                    by,
                    line: lines.line(named.offset),
                    is_changed: assigned.is_some() || lines.has(named.offset),
                    assigned,
                    is_written,
                    is_call: matches!(
                        named.kind,
                        EdgeKind::Calls | EdgeKind::Extension | EdgeKind::Creates
                    ),
                });
            }
        }
        Ok(out)
    });
    let found = found.collect::<Result<Vec<_>, QueryError>>()?;
    Ok(found.into_iter().flatten().collect())
}
