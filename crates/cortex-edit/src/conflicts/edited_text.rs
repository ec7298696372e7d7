//! A file after an edit, and what is read of it when a rule asks: its tree, what its names mean, and where the edit writes.
//!
//! Must not know: what the rules forbid.

use std::cell::OnceCell;

use cortex_model::{ByteRange, LineTable};
use cortex_semantics::{BoundExpressions, Compilation, LocalBindings, UnitId, UnitKey};
use cortex_syntax::{FileFacts, Identifiers};

use crate::{
    body_tree::BodyTree,
    language_versions::Version,
    plan::{FilePlan, Plan},
    statement_rules::{self, Shadowing, Violation},
    text_edit::StartIs,
    ways::Conditions,
};

/// Whether some file of the repository is so.
pub(super) type AnyFile<'a> = &'a dyn Fn(&dyn Fn(&FileFacts) -> bool) -> bool;

/// A file after an edit, as a project compiles it.
pub(super) struct EditedText<'a, 'w> {
    pub(super) compilation: &'a Compilation<'w>,
    pub(super) unit: UnitId,
    pub(super) key: &'a UnitKey,
    pub(super) facts: &'a FileFacts,
    pub(super) file: &'a FilePlan,
    pub(super) plan: &'a Plan,
    pub(super) source: &'a str,
    pub(super) written: Written,
    pub(super) identifiers: &'a dyn Fn() -> Identifiers,
    /// Whether some file of the repository is so.
    pub(super) any_file: AnyFile<'a>,
    pub(super) read: Read<'a>,
}

/// What is read of a file once, when a rule asks.
#[derive(Default)]
pub(super) struct Read<'a> {
    tree: OnceCell<BodyTree<'a>>,
    lines: OnceCell<LineTable>,
    locals: OnceCell<LocalBindings>,
    bound: OnceCell<BoundExpressions>,
    conditions: OnceCell<Conditions>,
}

impl<'a> EditedText<'a, '_> {
    pub(super) fn tree(&self) -> &BodyTree<'a> {
        (self.read.tree).get_or_init(|| BodyTree::new(self.facts, self.source))
    }

    pub(super) fn lines(&self) -> &LineTable {
        (self.read.lines).get_or_init(|| LineTable::new(self.source.as_bytes()))
    }

    /// What its local names mean.
    pub(super) fn locals(&self) -> &LocalBindings {
        let bind = || {
            let identifiers = (self.identifiers)();
            (self.compilation).local_bindings(self.key, self.facts, &identifiers)
        };
        self.read.locals.get_or_init(bind)
    }

    /// What its names mean, with the types of its expressions.
    pub(super) fn bound(&self) -> &BoundExpressions {
        let bind = || self.compilation.bind_expressions(self.key, self.facts);
        self.read.bound.get_or_init(bind)
    }

    /// The conditions that are constants by what their names mean.
    pub(super) fn conditions(&self) -> &Conditions {
        (self.read.conditions).get_or_init(|| self.bound().conditions())
    }

    /// What is forbidden of its statements.
    pub(super) fn violations(&self, conditions: &Conditions) -> Vec<Violation> {
        statement_rules::violations(self.tree(), conditions, self.shadowing())
    }

    /// Whether the parameters and locals of a nested function may have names that are used around it: since C# 8.
    pub(super) fn shadowing(&self) -> Shadowing {
        match self.language_version() {
            Some((..8, _)) => Shadowing::Forbidden,
            _ => Shadowing::Allowed,
        }
    }

    /// The version of C# that the project is written in. `None` where it is unknown, or is the newest of the compiler:
    /// `latest`, `latestMajor`, `preview` and `default`.
    pub(super) fn language_version(&self) -> Option<Version> {
        let project = self.compilation.project(self.key.project);
        project.csharp_version()
    }
}

/// Where the texts stand that an edit writes, or takes out.
pub(super) struct Written(Vec<ByteRange>);

impl Written {
    pub(super) fn of(file: &FilePlan) -> Self {
        let new = file.edits.all().iter();
        let new = new.filter(|edit| edit.start == StartIs::New);
        let ranges = new.filter_map(|edit| {
            let start = file.edits.new_start(edit)?;
            let end = start + edit.text.len() as u32;
            Some(ByteRange { start, end })
        });
        Self(ranges.collect())
    }

    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Whether one makes what a range of tokens is: it writes one of them, or takes out what stood among them or beside
    /// them.
    pub(super) fn makes(&self, range: ByteRange) -> bool {
        let mut all = self.0.iter();
        all.any(|it| match it.start == it.end {
            true => it.start <= range.end && it.end >= range.start,
            false => it.start < range.end && it.end > range.start,
        })
    }

    /// Whether one stands in a range, or at its borders.
    pub(super) fn touches(&self, range: ByteRange) -> bool {
        let mut all = self.0.iter();
        all.any(|it| it.start < range.end && it.end >= range.start)
    }
}
