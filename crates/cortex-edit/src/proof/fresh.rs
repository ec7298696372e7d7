//! The proof of a rename to a name that nothing else has, which needs the side before it alone.
//!
//! A type gets a name that no code writes, that nothing is declared under, and that would mean nothing in any of the
//! files that use the type. Then whatever is looked up under the new name finds that type, where it was found under the
//! old one; and what is looked up under the old name finds what it found, since it was not that type which it found. So
//! every decision is the same, if the edits write the new name exactly where binding finds the type by its old one.
//! That is what is checked here, by what the snapshot keeps of how each file was bound.
//!
//! Owns: when that holds. Where it does not, or anything is in doubt, both sides are compared.

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::atomic::{AtomicBool, Ordering},
};

use cortex_git::PlannedFile;
use cortex_index::{
    BoundTarget, ComparedSide, FileBindings, FileInProject, Index, IndexError, Progress,
    ask_of_files, read_fingerprints, unit_key,
};
use cortex_model::{RepoPath, TypeKey, TypeKind};
use cortex_semantics::{AsTheyAre, Certainty, Compilation, TypeId, TypeOrigin};
use cortex_syntax::{
    FileFacts, RefContext, Sections,
    text::{decode, token_at},
};
use rustc_hash::FxHashSet;

use super::{
    OldSide, Others, Proof, Texts, Uses, add_caller_texts, doubts_of_file, units_to_compare,
};
use crate::{
    EditError,
    body_tree::BodyTree,
    conflicts::{
        name_values::{may_decide, renames_in_name_of},
        well_known::may_be_in,
    },
    identifier::bare,
    plan::Plan,
    text_edit::{StartIs, TextEdits},
};

/// A type that gets another name.
#[derive(Clone, Copy)]
pub(crate) struct Renamed<'a> {
    /// What it is called.
    pub(crate) old: &'a str,
    /// The old names that code may write for it.
    pub(crate) old_names: &'a BTreeSet<String>,
    /// The new ones.
    pub(crate) new_names: &'a BTreeSet<String>,
    /// Where code uses it, by file: offsets, ascending.
    pub(crate) uses: &'a BTreeMap<RepoPath, Vec<u32>>,
}

/// Proves a plan that gives a type another name; `None` where the name is not new everywhere, or something is in doubt.
/// Costs what reading the files costs that mention the type; nothing is bound but declarations whose text a call may pass.
///
/// # Errors
/// Those of the index.
pub(crate) fn prove_fresh(
    index: &Index,
    old: &OldSide<'_>,
    plan: &Plan,
    renamed: Renamed<'_>,
    progress: &dyn Progress,
) -> Result<Option<Proof>, EditError> {
    if !writes_names_alone(plan, renamed) || !keeps_projects(index, old, plan, progress)? {
        return Ok(None);
    }
    // The constants that `nameof` makes are other ones.
    if gives_constants(old, plan)? {
        return Ok(None);
    }
    for name in renamed.new_names {
        if !old.side.snapshot.files_mentioning(name)?.is_empty() {
            return Ok(None);
        }
    }
    let Some(ty) = old
        .symbols
        .read(|compilation| Ok(RenamedType::find(compilation, plan, renamed)))?
    else {
        return Ok(None);
    };
    let uses = Uses {
        places: renamed.uses,
        seen_in: None,
    };
    let units = units_to_compare(old, Others::Using(uses), plan, renamed.old_names)?;
    let units: Vec<FileInProject> = units
        .into_iter()
        .filter_map(|(path, project)| Some((path, old.symbols.project_index(&project)?)))
        .collect();
    // One file is enough to give up.
    let is_settled = AtomicBool::new(false);
    let interrupted = || is_settled.load(Ordering::Relaxed) || progress.interrupted();
    let check = |c: &Compilation<'_>, file: &FileInProject| {
        let edits = plan.files.get(&file.0).map(|file| &file.edits);
        let unit = c.unit_id(&unit_key(file));
        let mut new_names = renamed.new_names.iter();
        let checked = match new_names.any(|name| c.may_mean_anything(unit, name, ty.arity)) {
            true => None,
            false => {
                let facts = c.unit(unit).facts(c);
                Checked::read(&bindings_of(old, file)?, &facts, (edits, &ty))
            }
        };
        is_settled.fetch_or(checked.is_none(), Ordering::Relaxed);
        Ok(checked)
    };
    let checked = ask_of_files(old.symbols, &units, index.parallel, &interrupted, &check);
    if is_settled.into_inner() {
        return Ok(None);
    }
    let checked: Vec<Checked> = checked?.into_iter().flatten().collect();
    let of_files: Vec<_> = (units.iter().zip(&checked))
        .map(|((path, _), checked)| (path, checked))
        .collect();
    let is_unknown = |units: &[(&RepoPath, &Checked)]| {
        let (_, first) = units[0];
        (first.unknown.iter()).any(|it| units.iter().all(|(_, unit)| unit.unknown.contains(it)))
    };
    if of_files.chunk_by(|a, b| a.0 == b.0).any(is_unknown) {
        return Ok(None);
    }
    let mut texts = Texts::new(index, old, plan);
    let mut found = Proof::default();
    for ((path, _), checked) in units.iter().zip(&checked) {
        for &offset in &checked.in_question {
            let text = &texts.of(path)?.0;
            let token = String::from_utf8_lossy(&text[token_at(text, offset).as_usize()]);
            if renamed.old_names.contains(&bare(&token)) {
                return Ok(None);
            }
        }
        found.n_decisions += checked.n_decisions;
    }
    let passing = (units.iter().zip(&checked)).filter(|(_, it)| it.passes_argument_texts);
    let passing: Vec<FileInProject> = passing.map(|(unit, _)| unit.clone()).collect();
    let edited = |path: &RepoPath, facts: &FileFacts| {
        let edits = plan.files.get(path).map(|file| file.edits.all());
        let starts = edits.into_iter().flatten().map(|edit| edit.range.start);
        facts.part_mentioning(&|_| false, &starts.collect::<Vec<_>>())
    };
    let side = ComparedSide {
        symbols: old.symbols,
        positions: &AsTheyAre,
        part: &edited,
    };
    let prints = read_fingerprints(side, &passing, index.parallel, &|| progress.interrupted())?;
    for ((path, _), print) in passing.iter().zip(prints) {
        add_caller_texts((path, plan), &print.caller_texts, &mut texts, &mut found)?;
    }
    found.n_files = units.len() as u64;
    found.compared = units.into_iter().map(|(path, _)| path).collect();
    for path in found.compared.clone() {
        doubts_of_file(old, &path, renamed.old_names, &mut texts, &mut found)?;
    }
    Ok(Some(found))
}

/// Whether the new name may be a part of a constant that is more than the argument of a call.
fn gives_constants(old: &OldSide<'_>, plan: &Plan) -> Result<bool, EditError> {
    for (path, file) in &plan.files {
        if !renames_in_name_of(file) {
            continue;
        }
        let source = decode(&file.old_bytes);
        for project in old.symbols.projects_of(path)? {
            let facts = old.symbols.facts(path, project, Sections::Bodies)?;
            let tree = facts.as_ref().map(|it| BodyTree::new(it, source.as_str()));
            if tree.is_some_and(|it| may_decide(&it, file)) {
                return Ok(true);
            }
        }
    }
    Ok(false)
}

/// Whether all that a plan writes is the new name, in the place of names of the type.
fn writes_names_alone(plan: &Plan, renamed: Renamed<'_>) -> bool {
    let is_name_of_it = |path: &RepoPath, edits: &TextEdits| {
        let uses = renamed.uses.get(path).map_or(&[][..], Vec::as_slice);
        edits.all().iter().all(|edit| {
            edit.start == StartIs::Kept
                && uses.binary_search(&edit.range.start).is_ok()
                && renamed.new_names.contains(&bare(&edit.text))
        })
    };
    !plan.edits_strings && (plan.files.iter()).all(|(path, file)| is_name_of_it(path, &file.edits))
}

/// Whether files that get another path are compiled by the projects that compile them now.
fn keeps_projects(
    index: &Index,
    old: &OldSide<'_>,
    plan: &Plan,
    progress: &dyn Progress,
) -> Result<bool, EditError> {
    let moved: Vec<PlannedFile> = (plan.planned_files().into_iter())
        .filter(|file| match (&file.old, &file.new) {
            (Some(old), Some(new)) => old.path != new.0,
            _ => true,
        })
        .collect();
    if moved.is_empty() {
        return Ok(true);
    }
    let there = index.planned_symbols((old.side, old.symbols), &moved, progress)?;
    Ok(there.is_some())
}

/// The type, in every project that declares it.
struct RenamedType<'a> {
    /// The names that code may write for it.
    names: &'a BTreeSet<String>,
    /// How many type parameters it has.
    arity: u16,
    /// Whether its constructors have its name: nothing else in it can (C# specification, 15.3.1).
    has_constructors: bool,
    keys: FxHashSet<TypeKey>,
}

impl<'a> RenamedType<'a> {
    /// The type whose declarations a plan gives the name; `None` if there are several of it, if it is in another type, where
    /// names behind a dot may find it, or if something has the new name.
    fn find(c: &Compilation<'_>, plan: &Plan, renamed: Renamed<'a>) -> Option<Self> {
        let new_names: Vec<_> = renamed.new_names.iter().map(|name| c.name(name)).collect();
        if (new_names.iter()).any(|&name| !c.source_types_named(name).is_empty()) {
            return None;
        }
        let named = c.source_types_named(c.name(renamed.old));
        let mut found: Option<Self> = None;
        for &ty in named.iter().filter(|&&ty| is_declared_by(c, plan, ty)) {
            let def = c.def(ty);
            let is_taken = |&name: &_| c.has_other_named(def.namespace, name);
            // The compiler may look for its name.
            if may_be_in(c.text(def.namespace)) {
                return None;
            }
            if def.outer.is_some() || new_names.iter().any(is_taken) {
                return None;
            }
            let TypeOrigin::Source { key, .. } = def.origin else {
                return None;
            };
            let found = found.get_or_insert_with(|| Self {
                names: renamed.old_names,
                arity: def.arity,
                has_constructors: def.kind != TypeKind::Enum,
                keys: FxHashSet::default(),
            });
            if found.arity != def.arity {
                return None;
            }
            found.keys.insert(key);
        }
        found
    }

    /// Whether a name that means this means the type or one of its constructors.
    fn is(&self, target: &BoundTarget) -> bool {
        match target {
            BoundTarget::Type(key) => self.keys.contains(key),
            BoundTarget::Member(key, _) => self.has_constructors && self.keys.contains(key),
            BoundTarget::External(..) => false,
        }
    }

    /// Whether this is a type from outside that has a name of the type.
    fn is_namesake(&self, target: &BoundTarget) -> bool {
        let BoundTarget::External(id, _) = target else {
            return false;
        };
        let name = id.rsplit(['.', ':']).next().unwrap_or_default();
        let name = name.split('`').next().unwrap_or_default();
        self.names.contains(name)
    }
}

/// Whether a plan gives a type its name.
fn is_declared_by(c: &Compilation<'_>, plan: &Plan, ty: TypeId) -> bool {
    c.units_of(ty).iter().any(|key| {
        let Some(file) = plan.files.get(&key.path) else {
            return false;
        };
        let unit = c.unit(c.unit_id(key));
        let facts = unit.facts(c);
        let mut declarations = unit.head(c).declarations(ty).iter();
        declarations.any(|&it| {
            file.edits
                .is_edited(facts.decls[it as usize].name_range.start)
        })
    })
}

/// What is kept of a file.
struct Checked {
    n_decisions: u64,
    /// The edits in code that is not compiled here, and in comments that mean nothing here: another project has to know
    /// them.
    unknown: BTreeSet<u32>,
    /// Where a name is not bound for certain, or means the type and is not edited: it must not be the old name.
    in_question: Vec<u32>,
    /// Whether calls pass text of the code around them, and something is edited.
    passes_argument_texts: bool,
}

impl Checked {
    /// What the bindings and facts of a file say; `None` if an edit is at a name that means something else.
    fn read(
        bindings: &FileBindings,
        facts: &FileFacts,
        (edits, ty): (Option<&TextEdits>, &RenamedType<'_>),
    ) -> Option<Self> {
        // Where those from outside are named is not kept.
        if bindings.targets.iter().any(|it| ty.is_namesake(it)) {
            return None;
        }
        let is_it: Vec<bool> = bindings.targets.iter().map(|it| ty.is(it)).collect();
        let edited = edits.into_iter().flat_map(TextEdits::all);
        let mut unknown: BTreeSet<u32> = edited.map(|edit| edit.range.start).collect();
        let mut in_question = Vec::new();
        for decl in &bindings.decls {
            for named in &decl.refs {
                let is_edited = edits.is_some_and(|edits| edits.is_edited(named.offset));
                match (is_edited, is_it[named.target as usize]) {
                    (true, false) => return None,
                    (true, true) => _ = unknown.remove(&named.offset),
                    (false, true) => in_question.push(named.offset),
                    (false, false) => {}
                }
                if named.certainty == Certainty::OverloadSet {
                    in_question.push(named.offset);
                }
            }
            in_question.extend(decl.unbound.iter().map(|it| it.offset));
        }
        for decl in &facts.decls {
            unknown.remove(&decl.name_range.start);
        }
        let is_left = |&at: &u32| is_left_alone(facts, at);
        unknown.iter().all(is_left).then(|| Self {
            n_decisions: n_decisions(bindings),
            unknown,
            in_question,
            passes_argument_texts: bindings.passes_argument_texts && edits.is_some(),
        })
    }
}

/// Whether a name that means nothing need not: it stands in code that is not compiled, or in a comment.
fn is_left_alone(facts: &FileFacts, at: u32) -> bool {
    facts.inactive.iter().any(|it| it.range.contains(at))
        || (facts.refs.iter()).any(|it| it.offset == at && it.context == RefContext::Doc)
}

/// What a snapshot keeps of how a file was bound.
fn bindings_of(
    old: &OldSide<'_>,
    (path, project): &FileInProject,
) -> Result<FileBindings, IndexError> {
    let project = &old.symbols.projects()[*project].project.path;
    old.side.snapshot.bindings(path, project)
}

/// How many names and other uses of members of a file are recorded.
fn n_decisions(bindings: &FileBindings) -> u64 {
    let decls = bindings.decls.iter();
    let recorded = decls.map(|it| it.refs.len() + it.uses.len() + it.unbound.len());
    recorded.sum::<usize>() as u64 + u64::from(bindings.outside)
}
