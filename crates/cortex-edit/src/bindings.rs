//! What the files of an edit bind to once it is applied: an approval is for that as well, and is void on another base where
//! it differs.
//!
//! Symbols of other files are told apart by their documentation ids, so that code which moves inside of them changes
//! nothing. Must not know: what the edit does.

use std::{
    cell::RefCell,
    collections::{BTreeMap, BTreeSet},
    rc::Rc,
};

use cortex_git::PlannedFile;
use cortex_index::{Progress, Symbols};
use cortex_look::viewpoint::Viewpoint;
use cortex_model::{Hash, Hasher, RepoPath};
use cortex_semantics::{Compilation, FilePositions, Positions, ProjectId, UnitKey};
use cortex_syntax::{Part, Sections};

use crate::{
    EditError,
    op::{Op, Ops, hex, state_of},
    plan::find_file,
};

/// The state of the repository that an edit was planned on or approved on, and what its files bind to after it.
#[derive(Clone, PartialEq, Eq, Debug, Default, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Base {
    /// The snapshots of the work tree, one for each target framework.
    pub snapshots: Vec<String>,
    /// By file, as it will be called: everything that binding decides in it, hashed. Empty until it is approved.
    pub bindings: BTreeMap<RepoPath, String>,
}

impl Base {
    /// That of an edit which is planned on some views.
    pub(crate) fn planned(views: &[Viewpoint<'_>]) -> Self {
        Self {
            snapshots: snapshots_of(views),
            bindings: BTreeMap::new(),
        }
    }
}

/// What an approval that is given now is for. Binds the files of the operation as a whole: O(expressions of them).
///
/// # Errors
/// Those of the index and of the files.
pub fn base_to_approve(
    views: &[Viewpoint<'_>],
    ops: &Ops,
    op: &Op,
    progress: &dyn Progress,
) -> Result<Base, EditError> {
    match changed_file(views, op)? {
        // It cannot be applied to what the files are now.
        Some(_) => Ok(Base::planned(views)),
        None => base_of(views, &planned_files(ops, op)?, progress),
    }
}

/// The base of an edit, with what its files bind to.
fn base_of(
    views: &[Viewpoint<'_>],
    planned: &[PlannedFile],
    progress: &dyn Progress,
) -> Result<Base, EditError> {
    let paths: BTreeSet<RepoPath> = (planned.iter())
        .filter_map(|file| file.new.as_ref())
        .map(|(path, ..)| path.clone())
        .filter(|path| path.extension().eq_ignore_ascii_case("cs"))
        .collect();
    let mut all: BTreeMap<RepoPath, Hasher> = BTreeMap::new();
    for view in views.iter().filter(|_| !paths.is_empty()) {
        let symbols = view.index.symbols(view.side, None)?;
        let base = (view.side, &symbols);
        let after = match view.index.planned_symbols(base, planned, progress)? {
            Some(after) => after,
            None => {
                let (side, _) = view.index.planned(view.side, planned, progress)?;
                view.index.symbols(&side, Some(&symbols))?
            }
        };
        for path in &paths {
            let hasher = (all.entry(path.clone())).or_insert_with(|| Hasher::new("bindings-v1"));
            add_bindings(&after, &paths, path, hasher)?;
        }
    }
    Ok(Base {
        snapshots: snapshots_of(views),
        bindings: (all.into_iter())
            .map(|(path, hasher)| (path, hex(&hasher.finish())))
            .collect(),
    })
}

fn snapshots_of(views: &[Viewpoint<'_>]) -> Vec<String> {
    let roots = views.iter().map(|view| view.side.snapshot.root_hash());
    roots.map(|root| hex(&root)).collect()
}

/// Voids the approval of an operation whose files, or what these bind to, are not what was approved. Elsewhere nothing
/// happens: the approval is for the base as it is.
///
/// # Errors
/// [`EditError::Void`] with the reason; those of the index and of the files.
pub fn check_base(
    views: &[Viewpoint<'_>],
    ops: &Ops,
    op: &mut Op,
    progress: &dyn Progress,
) -> Result<(), EditError> {
    if op.approval.is_none() || op.base.snapshots == snapshots_of(views) {
        return Ok(());
    }
    let reason = match changed_file(views, op)? {
        Some(path) => Some(format!("`{path}` has changed since")),
        None => {
            let now = base_of(views, &planned_files(ops, op)?, progress)?;
            difference(&op.base, &now)
        }
    };
    let Some(reason) = reason else {
        return Ok(());
    };
    let _lock = ops.lock()?;
    let time = views[0].index.now;
    op.approval = None;
    op.voided = Some(reason.clone());
    op.states.push((state_of(op.answer.verdict), time));
    ops.write(op)?;
    Err(EditError::Void {
        id: op.id().to_owned(),
        reason,
    })
}

/// Why the approval of an operation is none for an equal edit that is planned now.
///
/// # Errors
/// Those of the index and of the files.
pub(crate) fn void_reason(
    views: &[Viewpoint<'_>],
    ops: &Ops,
    op: &Op,
    progress: &dyn Progress,
) -> Result<Option<String>, EditError> {
    if op.base.snapshots == snapshots_of(views) {
        return Ok(None);
    }
    let now = base_of(views, &planned_files(ops, op)?, progress)?;
    Ok(difference(&op.base, &now))
}

/// Why an approval on one base is none on another one.
fn difference(approved: &Base, now: &Base) -> Option<String> {
    let both = approved.bindings.keys().chain(now.bindings.keys());
    let mut differing = both.filter(|path| approved.bindings.get(*path) != now.bindings.get(*path));
    let first = differing.next()?;
    Some(format!(
        "code in `{first}` means something else on the files as they are now"
    ))
}

/// The first file of an operation that is not what it was planned on.
fn changed_file(views: &[Viewpoint<'_>], op: &Op) -> Result<Option<RepoPath>, EditError> {
    let view = &views[0];
    for file in &op.files {
        let path = (file.old.as_ref().or(file.new.as_ref())).map(|state| &state.path);
        let Some(path) = path else { continue };
        let found = find_file(view.index, view.side, path)?;
        let is_same = match (&file.old, &found) {
            (Some(old), Some(found)) => found.blob == old.blob,
            (None, None) => true,
            _ => false,
        };
        if !is_same {
            return Ok(Some(path.clone()));
        }
    }
    Ok(None)
}

/// The files of an operation as the index takes them.
fn planned_files(ops: &Ops, op: &Op) -> Result<Vec<PlannedFile>, EditError> {
    let mut planned = Vec::with_capacity(op.files.len());
    for file in &op.files {
        let new = match &file.new {
            None => None,
            Some(new) => {
                let bytes = ops.blob(op, new.blob)?;
                Some((new.path.clone(), new.file_mode(), bytes.into()))
            }
        };
        let old = file.old.as_ref().map(|old| cortex_git::TreeFile {
            path: old.path.clone(),
            blob: old.blob,
            mode: old.file_mode(),
        });
        planned.push(PlannedFile { old, new });
    }
    Ok(planned)
}

/// Adds what binding decides in a file, inside of each project.
fn add_bindings(
    symbols: &Symbols,
    edited: &BTreeSet<RepoPath>,
    path: &RepoPath,
    hasher: &mut Hasher,
) -> Result<(), EditError> {
    for project in symbols.projects_of(path)? {
        let Some(facts) = symbols.facts(path, project, Sections::Bodies)? else {
            continue;
        };
        let unit = UnitKey {
            path: path.clone(),
            project: ProjectId::new(project),
        };
        let print = symbols.read(|compilation| {
            let positions = ByName {
                compilation,
                symbols,
                edited,
                project,
                known: RefCell::default(),
            };
            Ok((compilation.fingerprints(&positions)).of_file(&unit, &facts, &Part::Whole))
        })?;
        hasher.field(b"project");
        for decision in &print.decisions {
            hasher.number(u64::from(decision.own_offset));
            hasher.field(format!("{:?}", decision.question).as_bytes());
            hasher.field(decision.answer.as_bytes());
        }
    }
    Ok(())
}

/// Declarations of files that are not edited by what they declare, those of files that are by where they are.
struct ByName<'a, 'w> {
    compilation: &'a Compilation<'w>,
    symbols: &'a Symbols,
    edited: &'a BTreeSet<RepoPath>,
    project: usize,
    known: RefCell<BTreeMap<RepoPath, Rc<BTreeMap<u32, u32>>>>,
}

impl ByName<'_, '_> {
    /// What stands for the declarations of a file, by where their names are.
    fn declared(&self, path: &RepoPath) -> Rc<BTreeMap<u32, u32>> {
        if let Some(known) = self.known.borrow().get(path) {
            return known.clone();
        }
        let mut ids = BTreeMap::new();
        let projects = self.symbols.projects_of(path).unwrap_or_default();
        // The one that is bound comes last: where `#if` tells projects apart, its declarations count.
        let others = projects.iter().filter(|&&it| it != self.project);
        for &project in others.chain(projects.iter().filter(|&&it| it == self.project)) {
            let facts = self.symbols.facts(path, project, Sections::All);
            let Ok(Some(facts)) = facts else { continue };
            let c = self.compilation;
            let unit = c.unit_id(&UnitKey {
                path: path.clone(),
                project: ProjectId::new(project),
            });
            for (decl, id) in facts.decls.iter().zip(0_u32..) {
                let doc_id = match decl.kind.type_kind() {
                    Some(_) => c.type_of_decl(unit, id).map(|it| c.type_doc_id(it)),
                    None => c.member_of_decl(unit, id).map(|it| c.member_doc_id(it)),
                };
                if let Some(doc_id) = doc_id {
                    ids.insert(
                        decl.name_range.start,
                        (Hash::of(doc_id.as_bytes()).to_u64() >> 32) as u32,
                    );
                }
            }
        }
        let ids = Rc::new(ids);
        (self.known.borrow_mut()).insert(path.clone(), ids.clone());
        ids
    }
}

impl Positions for ByName<'_, '_> {
    fn of_file(&self, path: &RepoPath) -> FilePositions<'_> {
        let offset: Box<dyn Fn(u32) -> Option<u32>> = match self.edited.contains(path) {
            true => Box::new(Some),
            false => {
                let declared = self.declared(path);
                Box::new(move |offset| declared.get(&offset).copied().or(Some(offset)))
            }
        };
        FilePositions {
            path: path.clone(),
            offset,
            side: "now",
        }
    }
}
