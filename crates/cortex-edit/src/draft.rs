//! What every kind of edit gives to the proof and to the record.

use std::collections::{BTreeMap, BTreeSet};

use cortex_model::RepoPath;
use cortex_wire::{EditKind, LeftAloneReason, Subject};

use crate::{conflicts::Locals, plan::Plan};

/// An edit that is planned and not proven yet.
#[derive(Clone, Debug)]
pub(crate) struct Draft {
    /// What it does.
    pub(crate) kind: EditKind,
    /// The same as an imperative.
    pub(crate) title: String,
    /// The symbol that it is about, where it is a type or a member.
    pub(crate) subject: Option<Subject>,
    /// How many other symbols change with it.
    pub(crate) n_family: usize,
    /// The names that it takes away or brings, as code may write them.
    pub(crate) names: BTreeSet<String>,
    /// Whether it gives variables another name.
    pub(crate) locals: Locals,
    /// The name that comments and strings may still have.
    pub(crate) old_name: Option<String>,
    /// Files that it was to change and does not.
    pub(crate) left_alone: BTreeMap<RepoPath, LeftAloneReason>,
    /// The files.
    pub(crate) plan: Plan,
}
