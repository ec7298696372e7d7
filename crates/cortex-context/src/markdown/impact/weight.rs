//! Which changed symbols matter most to those who use them.
//!
//! Owns: the order of changed symbols. Must not know: how they are shown.

use std::{
    borrow::Cow,
    collections::{BTreeMap, BTreeSet},
};

use cortex_model::{DeclKind, RepoPath};
use cortex_wire::{DiffContext, MemberChange, MemberChangeKind, SymbolImpact, TypeChange};

use super::{words::in_words, worth::Worth};
use crate::markdown::{
    code::rank::{added_branch, changes_control_flow, loses_guard, runs_otherwise},
    names::new_name,
};
use crate::text::line;

/// What happened to a symbol, the most telling first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Weight {
    /// Users that did not change with it may no longer compile.
    Breaks,
    /// Its code runs where it did not.
    Widens,
    /// Its code takes other ways.
    Decides,
    /// Its code differs.
    Runs,
    /// Its declaration differs, or a value.
    Declares,
    /// It is gone, and its users changed with it.
    Adapted,
    /// Annotations about null differ, or a program wrote it, or it stands elsewhere now.
    Slight,
}

impl Weight {
    /// Whether users run something else than before, or do not compile.
    pub(super) fn is_behavior(self) -> bool {
        self <= Self::Runs
    }
}

/// What the order is read from.
pub(super) struct Weights<'a> {
    /// Changed members by documentation id.
    members: BTreeMap<&'a str, &'a MemberChange>,
    /// Generated files.
    files: BTreeSet<&'a RepoPath>,
    /// Types that they alone declare.
    types: BTreeSet<&'a str>,
    /// Types that have another name, with the same signature otherwise.
    renamed: BTreeMap<&'a str, &'static str>,
    /// Types of whose declarations nothing differs but that they have more bases: who uses them may go on.
    grown: BTreeSet<&'a str>,
}

impl<'a> Weights<'a> {
    pub(super) fn of(answer: &'a DiffContext) -> Self {
        let members = answer.types.iter().flat_map(|ty| &ty.members);
        let files = answer.files.iter().filter(|file| file.is_generated);
        let files: BTreeSet<&RepoPath> = files.map(|file| &file.path).collect();
        let types = answer
            .types
            .iter()
            .filter(|ty| !ty.files.is_empty() && ty.files.iter().all(|path| files.contains(path)));
        let renamed = (answer.types.iter())
            .filter(|ty| ty.renamed_from.is_some() && ty.old_signature.is_none());
        Self {
            renamed: renamed
                .filter_map(|ty| Some((ty.ty.name.as_str(), new_name(ty)?)))
                .collect(),
            members: members
                .filter_map(|member| Some((member.doc_id.as_deref()?, member)))
                .collect(),
            types: types.map(|ty| ty.ty.name.as_str()).collect(),
            grown: (answer.types.iter())
                .filter(|ty| has_only_more_bases(ty))
                .map(|ty| ty.ty.name.as_str())
                .collect(),
            files,
        }
    }

    /// What to call that a member stands in another type now, where who uses it is told, or that a type has another name;
    /// `None` for all others.
    pub(super) fn moved(&self, symbol: &SymbolImpact) -> Option<&'static str> {
        if symbol.member.is_none() {
            return self.renamed.get(symbol.ty.as_str()).copied();
        }
        let member = self.members.get(symbol.id.as_str());
        member.filter(|it| it.is_moved()).map(|_| "moved")
    }

    /// What happened to a symbol, in words: that it moved, or which branch is all that its body has more.
    pub(super) fn what(&self, symbol: &SymbolImpact) -> Cow<'static, str> {
        if let Some(moved) = self.moved(symbol) {
            return moved.into();
        }
        let member = self.members.get(symbol.id.as_str());
        let branch = member.and_then(|it| added_branch(it));
        match branch.filter(|_| symbol.change == MemberChangeKind::Body) {
            Some(head) => format!("body: only adds `{}`", line(head)).into(),
            None => in_words(symbol.change).into(),
        }
    }

    pub(super) fn of_symbol(&self, symbol: &SymbolImpact, worth: Worth) -> Weight {
        let member = self.members.get(symbol.id.as_str());
        let is_slight = self.types.contains(symbol.ty.as_str())
            || self.moved(symbol).is_some()
            || member.is_some_and(|it| it.is_annotation_only() || self.files.contains(&it.path));
        let has_grown = symbol.member.is_none() && self.grown.contains(symbol.ty.as_str());
        match (worth, member) {
            _ if is_slight => Weight::Slight,
            _ if has_grown => Weight::Declares,
            _ if symbol.change == MemberChangeKind::Registered => Weight::Runs,
            (Worth::Breaks, _) => Weight::Breaks,
            (Worth::Adapted, _) => Weight::Adapted,
            (Worth::Runs, Some(member)) if member.change == MemberChangeKind::Added => {
                Weight::Declares
            }
            (Worth::Runs, Some(member)) if runs_otherwise(member) => {
                match changes_control_flow(member) {
                    // Whoever does not take it runs what it ran.
                    true if added_branch(member).is_some() => Weight::Runs,
                    true if loses_guard(member) => Weight::Widens,
                    true => Weight::Decides,
                    false => Weight::Runs,
                }
            }
            // What its value decides runs otherwise where it is named.
            (Worth::Runs, Some(member)) if has_another_value(member) => Weight::Runs,
            (Worth::Runs, _) => Weight::Declares,
        }
    }
}

/// Whether all that differs of a type's declaration are bases that it has more.
fn has_only_more_bases(ty: &TypeChange) -> bool {
    let (Some(old), Some(new)) = (&ty.old_signature, &ty.new_signature) else {
        return false;
    };
    let parts = |signature: &str| {
        let (head, bases) = signature.split_once(" : ").unwrap_or((signature, ""));
        (head.to_owned(), separated(bases))
    };
    let ((old_head, before), (new_head, after)) = (parts(old), parts(new));
    old_head == new_head && before.iter().all(|base| after.contains(base))
}

/// What commas outside of type arguments separate.
fn separated(list: &str) -> Vec<String> {
    let mut depth = 0;
    let parts = list.split(|c: char| {
        depth += i32::from(matches!(c, '<' | '(')) - i32::from(matches!(c, '>' | ')'));
        c == ',' && depth == 0
    });
    let parts = parts.map(|it| it.trim().to_owned());
    parts.filter(|it| !it.is_empty()).collect()
}

/// Whether a constant or value of an enum has another value.
fn has_another_value(member: &MemberChange) -> bool {
    let is_constant = matches!(member.kind, DeclKind::Constant | DeclKind::EnumMember);
    is_constant && member.change == MemberChangeKind::Body
}

/// The same symbols, each behind the changed ones that its users name in its place: those show the lines.
pub(super) fn contracts_first(symbols: Vec<&SymbolImpact>) -> Vec<&SymbolImpact> {
    let known = symbols.iter().map(|symbol| (symbol.id.as_str(), *symbol));
    let known: BTreeMap<&str, &SymbolImpact> = known.collect();
    let mut placed: BTreeSet<*const SymbolImpact> = BTreeSet::new();
    let mut out: Vec<&SymbolImpact> = Vec::with_capacity(symbols.len());
    for symbol in symbols {
        let named = symbol.uses.iter().filter_map(|used| used.via.as_ref());
        let named = named.filter_map(|via| known.get(via.to.as_str()).copied());
        let named = named.filter(|it| it.change != MemberChangeKind::Added);
        for symbol in named.chain([symbol]) {
            if placed.insert(symbol) {
                out.push(symbol);
            }
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::separated;

    #[test]
    fn commas_in_type_arguments_separate_nothing() {
        assert_eq!(separated("A<B, C>, D"), ["A<B, C>", "D"]);
        assert!(separated("").is_empty());
    }
}
