//! What all evaluations of one run share: the table of paths, the parsed files, the budget.
//!
//! Must not know: properties and items.

use std::{
    cell::{Cell, RefCell},
    rc::Rc,
};

use cortex_model::RepoPath;
use rustc_hash::{FxHashMap, FxHashSet};

use crate::{
    document::Document,
    files::{EvaluationOptions, ProjectFiles},
    model::ProjectNote,
    paths::{PathId, PathTable},
    xml::decode,
};

/// How many steps (bytes expanded, paths matched, …) all projects together may take.
const TOTAL_STEPS: u64 = 400_000_000;
/// How many steps one project may take.
const PROJECT_STEPS: u64 = 20_000_000;
/// How many notes one project keeps.
const MAX_NOTES: usize = 200;

pub(crate) struct Workspace<'a> {
    files: &'a dyn ProjectFiles,
    pub(crate) options: &'a EvaluationOptions,
    pub(crate) table: PathTable<'a>,
    /// For each project that a solution lists, the folder of the nearest such solution.
    pub(crate) solution_folders: FxHashMap<RepoPath, String>,
    documents: RefCell<FxHashMap<PathId, Rc<Document>>>,
    steps: Cell<u64>,
}

impl<'a> Workspace<'a> {
    pub(crate) fn new(files: &'a dyn ProjectFiles, options: &'a EvaluationOptions) -> Self {
        Self {
            files,
            options,
            table: PathTable::new(files.paths()),
            solution_folders: FxHashMap::default(),
            documents: RefCell::default(),
            steps: Cell::new(TOTAL_STEPS),
        }
    }

    /// The text of a file, decoded; empty where it cannot be had.
    pub(crate) fn text(&self, id: PathId) -> String {
        self.files
            .read(self.table.path(id))
            .map(|bytes| decode(&bytes))
            .unwrap_or_default()
    }

    /// A project file, parsed when it is first asked for.
    pub(crate) fn document(&self, id: PathId) -> Rc<Document> {
        if let Some(document) = self.documents.borrow().get(&id) {
            return Rc::clone(document);
        }
        let document = Document::parse(self.table.path(id).clone(), &self.text(id));
        let document = Rc::new(document);
        self.documents.borrow_mut().insert(id, Rc::clone(&document));
        document
    }
}

/// The steps that one project has left.
pub(crate) struct Budget<'w> {
    total: &'w Cell<u64>,
    left: u64,
}

impl<'w> Budget<'w> {
    pub(crate) fn new(workspace: &'w Workspace<'_>) -> Self {
        Self {
            total: &workspace.steps,
            left: PROJECT_STEPS,
        }
    }

    /// Takes steps; `false` once there are none left.
    pub(crate) fn take(&mut self, steps: usize) -> bool {
        let steps = steps as u64;
        self.left = self.left.saturating_sub(steps);
        self.total.set(self.total.get().saturating_sub(steps));
        self.left > 0 && self.total.get() > 0
    }
}

/// The notes of one project: each once, and not without end.
#[derive(Default)]
pub(crate) struct Notes {
    seen: FxHashSet<ProjectNote>,
}

impl Notes {
    pub(crate) fn add(&mut self, path: &RepoPath, line: u32, message: String) {
        if self.seen.len() < MAX_NOTES {
            self.seen.insert(ProjectNote {
                path: path.clone(),
                line,
                message,
            });
        }
    }

    pub(crate) fn into_sorted(self) -> Vec<ProjectNote> {
        let mut notes: Vec<ProjectNote> = self.seen.into_iter().collect();
        notes.sort_unstable();
        notes
    }
}
