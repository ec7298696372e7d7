//! What of an edited type decides about code that names nothing of the edit: whether it may be a type argument, which members
//! the compiler makes of it, and which are used without being named. A member that is declared in the place of a made one has
//! the same id; of two that fit, code uses neither.

use std::collections::{BTreeMap, BTreeSet};

use cortex_index::{FileSummary, Symbols, is_used_unnamed};
use cortex_model::{Accessibility, RepoPath, TypeKey};
use cortex_semantics::{ArgumentTraits, MemberFlags, TypeFlags, TypeOrigin};
use cortex_syntax::Sections;

use super::{NewSide, OldSide};
use crate::{EditError, plan::Plan};

/// What decides about users of a type, however they name it.
#[derive(PartialEq, Eq)]
struct TypeFacts {
    as_argument: ArgumentTraits,
    /// The documentation ids of the members that the compiler makes.
    made: BTreeSet<String>,
    /// Those of the members that code uses without naming them.
    unnamed: BTreeSet<String>,
    /// The names of the members that new objects must set.
    required: BTreeSet<String>,
    accessibility: Accessibility,
    /// Whether it has objects of its own, and types that derive from it.
    flags: [bool; 3],
}

/// The files of the old side that have to do with types for which that differs. O(types in edited files) where none does.
///
/// # Errors
/// Those of the index.
pub(super) fn files_concerned(
    (old, new): (&OldSide<'_>, &NewSide<'_>),
    plan: &Plan,
) -> Result<Vec<FileSummary>, EditError> {
    let snapshot = &old.side.snapshot;
    let mut next: Vec<RepoPath> = plan.files.keys().cloned().collect();
    let mut read: BTreeSet<RepoPath> = next.iter().cloned().collect();
    let mut types = BTreeSet::new();
    let mut out = Vec::new();
    // A struct holds what its fields hold, which other files declare.
    while let Some(path) = next.pop() {
        let declared = declared_in(old.symbols, &path)?;
        let before = facts_of(old.symbols, &declared)?;
        let after = facts_of(new.symbols, &declared)?;
        for (key, facts) in before {
            let is_same = after.get(&key).is_none_or(|after| *after == facts);
            if is_same || !types.insert(key) {
                continue;
            }
            for file in snapshot.referrers(key, None)? {
                if read.insert(file.path.clone()) {
                    next.push(file.path.clone());
                }
                out.push(file);
            }
        }
    }
    Ok(out)
}

/// What is so of types of a side.
fn facts_of(
    symbols: &Symbols,
    types: &BTreeSet<TypeKey>,
) -> Result<BTreeMap<TypeKey, TypeFacts>, EditError> {
    let facts = symbols.read(|c| {
        let found = types.iter().filter_map(|&key| {
            let ty = c.source_type(key)?;
            let members = c.members(ty).all.iter().copied();
            let made = (members.clone()).filter(|&it| c.member(it).is(MemberFlags::SYNTHESIZED));
            let unnamed = members.filter(|&it| is_used_unnamed(c.text(c.member(it).name)));
            let required = c.required_members(c.instance_type(ty));
            let has = |flag| c.header(ty).flags.has(flag);
            let facts = TypeFacts {
                as_argument: c.argument_traits(ty),
                made: made.map(|it| c.member_doc_id(it)).collect(),
                unnamed: unnamed.map(|it| c.member_doc_id(it)).collect(),
                required: required.map(|it| c.text(it).to_owned()).collect(),
                accessibility: c.def(ty).accessibility,
                flags: [TypeFlags::ABSTRACT, TypeFlags::STATIC, TypeFlags::SEALED].map(has),
            };
            Some((key, facts))
        });
        Ok(found.collect())
    })?;
    Ok(facts)
}

/// The types that a file declares.
fn declared_in(symbols: &Symbols, path: &RepoPath) -> Result<BTreeSet<TypeKey>, EditError> {
    let mut out = BTreeSet::new();
    for project in symbols.projects_of(path)? {
        let Some(facts) = symbols.facts(path, project, Sections::All)? else {
            continue;
        };
        let unit = cortex_index::unit_key(&(path.clone(), project));
        let keys = symbols.read(|c| {
            let unit = c.unit_id(&unit);
            let types = (0..facts.decls.len() as u32).filter_map(|it| c.type_of_decl(unit, it));
            let keys = types.filter_map(|ty| match c.def(ty).origin {
                TypeOrigin::Source { key, .. } => Some(key),
                TypeOrigin::External { .. } => None,
            });
            Ok(keys.collect::<Vec<TypeKey>>())
        })?;
        out.extend(keys);
    }
    Ok(out)
}
