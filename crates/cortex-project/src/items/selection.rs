//! The items that `Remove`, `Update` and `Exclude` name: by file, by pattern or by name.

use std::rc::Rc;

use rustc_hash::FxHashSet;

use crate::{
    evaluation::Evaluation,
    glob::{Pattern, has_wildcard},
    paths::{Location, PathId, resolve},
};

use super::{Item, Spec};

/// A set of items of one type.
#[derive(Default)]
pub(super) struct Selection {
    by_name: bool,
    patterns: Vec<Pattern>,
    files: FxHashSet<PathId>,
    /// In lower case.
    texts: FxHashSet<Rc<str>>,
}

impl Selection {
    pub(super) fn new(item_type: &str) -> Self {
        Self {
            by_name: Self::is_by_name(item_type),
            ..Self::default()
        }
    }

    /// Whether the items of a type are names, not files.
    pub(super) fn is_by_name(item_type: &str) -> bool {
        matches!(
            item_type,
            "assemblyattribute"
                | "frameworkreference"
                | "globalpackagereference"
                | "internalsvisibleto"
                | "packagereference"
                | "packageversion"
                | "using"
        )
    }

    /// How many steps of the budget it takes to look for one item.
    pub(super) fn cost(&self) -> usize {
        1 + self.patterns.iter().map(Pattern::cost).sum::<usize>()
    }

    pub(super) fn add_pattern(&mut self, pattern: Pattern) {
        self.patterns.push(pattern);
    }

    pub(super) fn add_text(&mut self, text: &str, evaluation: &Evaluation<'_>) {
        if !self.by_name {
            if has_wildcard(text) {
                self.patterns
                    .extend(Pattern::new(evaluation.project_folder, text));
                return;
            }
            self.files.extend(file_of(text, evaluation));
        }
        self.texts.insert(text.to_lowercase().into());
    }

    pub(super) fn add_item(&mut self, item: &Item, evaluation: &Evaluation<'_>) {
        match &item.spec {
            Spec::Tracked(id) => {
                self.files.insert(*id);
            }
            Spec::Text(text) => {
                if !self.by_name {
                    self.files.extend(file_of(text, evaluation));
                }
                self.texts.insert(text.to_lowercase().into());
            }
        }
    }

    pub(super) fn contains(&self, item: &Item, evaluation: &Evaluation<'_>) -> bool {
        match &item.spec {
            Spec::Tracked(id) => self.contains_file(*id, evaluation.workspace.table.as_str(*id)),
            Spec::Text(text) => {
                !self.texts.is_empty() && self.texts.contains(text.to_lowercase().as_str())
                    || (!self.files.is_empty() || !self.patterns.is_empty())
                        && file_of(text, evaluation).is_some_and(|id| {
                            self.contains_file(id, evaluation.workspace.table.as_str(id))
                        })
            }
        }
    }

    pub(super) fn contains_file(&self, id: PathId, path: &str) -> bool {
        self.files.contains(&id) || self.patterns.iter().any(|pattern| pattern.matches(path))
    }
}

/// The tracked file that a text names, relative to the project.
pub(crate) fn file_of(text: &str, evaluation: &Evaluation<'_>) -> Option<PathId> {
    match resolve(evaluation.project_folder, text) {
        Location::Inside(path) => evaluation.workspace.table.find(&path),
        Location::Outside(_) => None,
    }
}
