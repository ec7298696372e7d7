//! The proof of a rename to a name that nothing else has, which needs the side before it alone.
//!
//! A type gets a name that no code writes, that nothing is declared under, and that would mean nothing in any of the
//! files that use the type. Then whatever is looked up under the new name finds that type, where it was found under the
//! old one; and what is looked up under the old name finds what it found, since it was not that type which it found. So
//! every decision is the same, if the edits write the new name exactly where binding finds the type by its old one.
//! That is what is checked here: each file is bound as it is.
//!
//! Owns: when that holds. Where it does not, or anything is in doubt, both sides are compared.

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::atomic::{AtomicBool, Ordering},
};

use cortex_git::PlannedFile;
use cortex_index::{ComparedSide, FileInProject, Index, Progress, ReadFile, read_fingerprints};
use cortex_model::{Hash, RepoPath};
use cortex_semantics::{CallerNames, Compilation, Fingerprint, Question, TypeId};
use cortex_syntax::{FileFacts, text::token_at};
use rustc_hash::FxHashSet;

use super::{
    OldSide, Others, Proof, Texts, add_caller_texts, doubt_of, doubts_of_file, part,
    units_to_compare,
};
use crate::{
    EditError,
    identifier::bare,
    plan::Plan,
    text_edit::{StartIs, TextEdits},
    written::AsTheyAre,
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
/// Costs what binding the declarations costs that mention the type.
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
    let units = units_to_compare(old, Others::Using(renamed.uses), plan, renamed.old_names)?;
    let units: Vec<FileInProject> = units
        .into_iter()
        .filter_map(|(path, project)| Some((path, old.symbols.project_index(&project)?)))
        .collect();
    let of_file = |path: &RepoPath, facts: &FileFacts| {
        part(facts, renamed.old_names, (Some(renamed.uses), path))
    };
    let side = ComparedSide {
        symbols: old.symbols,
        positions: &AsTheyAre,
        part: &of_file,
    };
    // One file is enough to give up.
    let is_settled = AtomicBool::new(false);
    let interrupted = || is_settled.load(Ordering::Relaxed) || progress.interrupted();
    let keep = |file: ReadFile<'_, '_>, print: Fingerprint| {
        let edits = plan.files.get(file.path).map(|file| &file.edits);
        let is_free = !(renamed.new_names.iter()).any(|name| {
            (file.compilation).may_mean_anything((file.unit, file.facts), name, ty.arity)
        });
        let checked = is_free
            .then(|| Checked::new(&file, print, (edits, &ty)))
            .flatten();
        is_settled.fetch_or(checked.is_none(), Ordering::Relaxed);
        checked
    };
    let checked = read_fingerprints(side, &units, index.parallel, &interrupted, &keep);
    if is_settled.into_inner() {
        return Ok(None);
    }
    let checked: Vec<Checked> = checked?.into_iter().flatten().collect();
    let of_files = (units.iter().zip(&checked)).map(|((path, _), checked)| (path, checked));
    let of_files: Vec<_> = of_files.collect();
    let is_unknown = |units: &[(&RepoPath, &Checked)]| {
        let (_, first) = units[0];
        (first.unknown.iter()).any(|it| units.iter().all(|(_, unit)| unit.unknown.contains(it)))
    };
    if of_files.chunk_by(|a, b| a.0 == b.0).any(is_unknown) {
        return Ok(None);
    }
    let mut texts = Texts::new(index, old, plan);
    let mut found = Proof::default();
    for ((path, _), checked) in units.iter().zip(checked) {
        for &offset in &checked.in_question {
            let text = &texts.of(path)?.0;
            let token = String::from_utf8_lossy(&text[token_at(text, offset).as_usize()]);
            if renamed.old_names.contains(&bare(&token)) {
                return Ok(None);
            }
        }
        found.n_decisions += checked.n_decisions;
        add_caller_texts((path, plan), &checked.caller_texts, &mut texts, &mut found)?;
    }
    found.n_files = units.len() as u64;
    found.compared = units.into_iter().map(|(path, _)| path).collect();
    for path in found.compared.clone() {
        doubts_of_file(old, &path, renamed.old_names, &mut texts, &mut found)?;
    }
    Ok(Some(found))
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

/// What binding says of the type, in every project that declares it.
struct RenamedType {
    /// How many type parameters it has.
    arity: u16,
    /// The answers of names that mean it or its constructors.
    answers: FxHashSet<Hash>,
}

impl RenamedType {
    /// The type whose declarations a plan gives the name; `None` if there are several of it, if it is in another type, where
    /// names behind a dot may find it, or if something has the new name.
    fn find(c: &Compilation<'_>, plan: &Plan, renamed: Renamed<'_>) -> Option<Self> {
        let new_names: Vec<_> = renamed.new_names.iter().map(|name| c.name(name)).collect();
        if (new_names.iter()).any(|&name| !c.source_types_named(name).is_empty()) {
            return None;
        }
        let prints = c.fingerprints(&AsTheyAre);
        let named = c.source_types_named(c.name(renamed.old));
        let mut found: Option<Self> = None;
        for &ty in named.iter().filter(|&&ty| is_declared_by(c, plan, ty)) {
            let def = c.def(ty);
            let is_taken = |&name: &_| c.has_other_named(def.namespace, name);
            if def.outer.is_some() || new_names.iter().any(is_taken) {
                return None;
            }
            let found = found.get_or_insert_with(|| Self {
                arity: def.arity,
                answers: FxHashSet::default(),
            });
            if found.arity != def.arity {
                return None;
            }
            found.answers.extend(prints.answers_of_type(ty));
        }
        found
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
    /// The edits that are at no name which is bound here: another project has to bind it.
    unknown: BTreeSet<u32>,
    /// Where a name is not bound for certain, or means the type and is not edited: it must not be the old name.
    in_question: Vec<u32>,
    /// Calls that pass text of the code around them.
    caller_texts: Vec<CallerNames>,
}

impl Checked {
    /// What binding finds in a file; `None` if an edit is at a name that means something else.
    fn new(
        file: &ReadFile<'_, '_>,
        print: Fingerprint,
        (edits, ty): (Option<&TextEdits>, &RenamedType),
    ) -> Option<Self> {
        let is_edited = |offset: u32| edits.is_some_and(|edits| edits.is_edited(offset));
        let mut known: BTreeSet<u32> = (file.facts.decls.iter())
            .map(|decl| decl.name_range.start)
            .collect();
        let mut in_question = Vec::new();
        for decision in &print.decisions {
            let is_it = ty.answers.contains(&decision.answer);
            let is_named = matches!(
                decision.question,
                Question::Name(..) | Question::Local(_) | Question::Namespace
            );
            let offset = decision.own_offset;
            match (is_named, is_edited(offset)) {
                (true, true) if !is_it => return None,
                (true, true) => _ = known.insert(offset),
                (true, false) if is_it => in_question.push(offset),
                _ => {}
            }
            if doubt_of(decision).is_some() {
                in_question.push(offset);
            }
        }
        let edits = edits.into_iter().flat_map(TextEdits::all);
        let starts = edits.map(|edit| edit.range.start);
        Some(Self {
            unknown: starts.filter(|start| !known.contains(start)).collect(),
            n_decisions: print.decisions.len() as u64,
            in_question,
            caller_texts: print.caller_texts,
        })
    }
}
