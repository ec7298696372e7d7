//! Which symbols a change is about: the types and members whose uses are its impact.
//!
//! Must not know: who uses them.

use super::next::Member;
use crate::{changes::Pair, diff_context::compared::Compared, type_half::TypeHalf};
use cortex_derived::doc_ids::DocIds;
use cortex_look::{QueryError, follow::renames::Aliases};
use cortex_wire::{CodeLineKind, MemberChange, MemberChangeKind, TypeChange, UseSide};

use std::collections::BTreeSet;

use cortex_index::MemberTag;
use cortex_model::{Accessibility, ChangeClass, DeclKind, TypeKey};
use rustc_hash::FxHashSet;

/// A changed type or member.
pub(crate) struct ChangedSymbol {
    /// The side that its uses are looked for on.
    pub(crate) side: UseSide,
    /// The type that it is or belongs to, on that side.
    pub(crate) key: TypeKey,
    /// The member; `None` for the type.
    pub(crate) member: Option<MemberTag>,
    /// Its documentation id.
    pub(crate) id: String,
    /// Canonical name of the type.
    pub(crate) ty: String,
    /// The member's simple name.
    pub(crate) name: Option<String>,
    /// What happened to it.
    pub(crate) change: MemberChangeKind,
    /// Whether it has another name, as a type with the same signature, as a member with everything as it was, or is private
    /// now, or other attributes that tell people something: who names it runs what it ran.
    pub(crate) is_renamed: bool,
    /// Whether it overrides a member of a base class.
    pub(crate) is_override: bool,
    /// Whether it is a property or field that objects start with a value of.
    pub(crate) is_initial: bool,
}

impl TypeHalf<'_> {
    fn symbol(&self, at: Option<usize>, change: MemberChangeKind) -> ChangedSymbol {
        let member = at.map(|at| &self.ids.symbols.members[at]);
        ChangedSymbol {
            side: self.side,
            key: self.key,
            member: at.map(|at| self.ids.symbols.tag(at)),
            id: at.map_or_else(|| self.ids.id.clone(), |at| self.ids.member(at)),
            ty: self.node.fqn.clone(),
            name: member.map(|member| member.simple_name().to_owned()),
            change,
            is_renamed: false,
            is_override: false,
            is_initial: false,
        }
    }
}

/// The members of the newer side among changed symbols.
pub(super) fn changed_members(symbols: &[ChangedSymbol]) -> FxHashSet<Member> {
    let there = symbols.iter().filter(|it| it.side == UseSide::New);
    there.filter_map(|it| Some((it.key, it.member?))).collect()
}

/// Those of them that run otherwise than before, by key: neither documentation alone differs, nor where they are registered.
pub(crate) fn running_otherwise(symbols: &[ChangedSymbol]) -> BTreeSet<Member> {
    let runs = symbols.iter().filter(|it| {
        let is_same = matches!(
            it.change,
            MemberChangeKind::Docs | MemberChangeKind::Registered
        );
        it.side == UseSide::New && !is_same
    });
    runs.filter_map(|it| Some((it.key, it.member?))).collect()
}

/// The changed symbols of a difference, in the order of the changed types: the type where its own declaration
/// changed, then members as they are told, then what the compiler makes. Tells the members their ids.
pub(crate) fn changed_symbols<'a>(
    compared: &Compared,
    aliases: &Aliases,
    types: impl Iterator<Item = (&'a mut TypeChange, &'a Pair<'a>)>,
) -> Result<Vec<ChangedSymbol>, QueryError> {
    let mut old_ids = DocIds::new(&compared.old);
    let mut new_ids = DocIds::new(&compared.new);
    let mut out = Vec::new();
    for (told, pair) in types {
        if told.class > ChangeClass::Internal {
            continue;
        }
        let old_key = aliases.old_of(pair.key).unwrap_or(pair.key);
        let old = match pair.old {
            Some(node) => TypeHalf::new(&mut old_ids, UseSide::Old, old_key, node)?,
            None => None,
        };
        let new = match pair.new {
            Some(node) => TypeHalf::new(&mut new_ids, UseSide::New, pair.key, node)?,
            None => None,
        };
        let of_type = match (&old, &new) {
            (Some(old), None) => Some((old, MemberChangeKind::Removed)),
            (None, Some(new)) => Some((new, MemberChangeKind::Added)),
            // Who uses a type of another assembly must see that one.
            (Some(_), Some(new)) => (told.old_signature.is_some()
                || told.renamed_from.is_some()
                || told.new_signature.is_some()
                || told.moved_from_assembly.is_some())
            .then_some((new, MemberChangeKind::Signature)),
            (None, None) => None,
        };
        out.extend(of_type.map(|(half, change)| ChangedSymbol {
            is_renamed: told.renamed_from.is_some() && told.old_signature.is_none(),
            ..half.symbol(None, change)
        }));
        let mut seen: FxHashSet<(UseSide, usize)> = FxHashSet::default();
        for member in &mut told.members {
            let (half, signature) = match member.change {
                MemberChangeKind::Removed => (&old, &member.old_signature),
                _ => (&new, &member.new_signature),
            };
            let (Some(half), Some(signature)) = (half, signature) else {
                continue;
            };
            let Some(&at) = half.by_signature.get(signature) else {
                continue;
            };
            member.doc_id = Some(half.ids.member(at));
            // A first value that stands for none is nothing that its users see.
            let is_told = match member.change {
                MemberChangeKind::Docs => false,
                _ if member.follows_moves => false,
                // Whoever can name it stands in the same type.
                _ if member.is_only_renamed() && was_private(member) => false,
                _ if member.is_unnoticed() => false,
                MemberChangeKind::Body => !member.is_annotation_only(),
                _ => true,
            };
            if is_told && seen.insert((half.side, at)) {
                out.push(ChangedSymbol {
                    is_renamed: member.is_only_renamed()
                        || member.is_only_narrower()
                        || member.is_only_described_otherwise(),
                    is_override: member.is_override(),
                    is_initial: is_initial(member),
                    ..half.symbol(Some(at), member.change)
                });
            }
        }
        if !told.follows_moves {
            out.extend(made_by_compiler(old.as_ref(), new.as_ref()));
        }
    }
    Ok(out)
}

/// Whether a member was private and is so.
fn was_private(member: &MemberChange) -> bool {
    let was = member.old_signature.as_deref();
    member.accessibility == Accessibility::Private
        && was.is_some_and(|signature| signature.starts_with("private "))
}

/// Whether objects start with a value of a member: it is a field, or a property with an initializer.
fn is_initial(member: &MemberChange) -> bool {
    let is_of_type = |it: &String| it == "static" || it == "const";
    if member.modifiers.iter().any(is_of_type) {
        return false;
    }
    match member.kind {
        DeclKind::Field => true,
        DeclKind::Property => {
            let lines = member
                .code
                .iter()
                .filter(|it| it.kind != CodeLineKind::Removed);
            let text: String = lines.map(|it| it.text.as_str()).collect();
            let accessors = text
                .split_once('{')
                .filter(|(head, _)| !head.contains("=>"));
            // Behind the list of accessors, which have no bodies then.
            let rest = accessors.and_then(|(_, rest)| rest.split_once('}'));
            rest.is_some_and(|(_, rest)| rest.trim_start().starts_with('='))
        }
        _ => false,
    }
}

impl ChangedSymbol {
    /// Whether it is on both sides and runs otherwise than before, or runs now where what it overrides ran.
    pub(crate) fn runs_otherwise(&self) -> bool {
        if self.change == MemberChangeKind::Added && self.is_override {
            return true;
        }
        let is_changed = matches!(
            self.change,
            MemberChangeKind::Signature
                | MemberChangeKind::Shape
                | MemberChangeKind::Body
                | MemberChangeKind::Registered
        );
        is_changed && !self.is_renamed
    }
}

/// Members that no declaration stands for, as far as they differ.
fn made_by_compiler(old: Option<&TypeHalf<'_>>, new: Option<&TypeHalf<'_>>) -> Vec<ChangedSymbol> {
    let written = |half: Option<&TypeHalf<'_>>| -> FxHashSet<usize> {
        half.into_iter()
            .flat_map(|half| half.by_signature.values().copied())
            .collect()
    };
    let (in_old, in_new) = (written(old), written(new));
    let mut out = Vec::new();
    let twin = |other: Option<&TypeHalf<'_>>, id: &str| {
        let members = &other?.ids.symbols.members;
        let at = members.iter().position(|it| &*it.id == id)?;
        Some((at, members[at].shape))
    };
    if let Some(half) = old {
        for (at, member) in half.ids.symbols.members.iter().enumerate() {
            if member.synthesized && !in_old.contains(&at) && twin(new, &member.id).is_none() {
                out.push(half.symbol(Some(at), MemberChangeKind::Removed));
            }
        }
    }
    if let Some(half) = new {
        for (at, member) in half.ids.symbols.members.iter().enumerate() {
            if !member.synthesized || in_new.contains(&at) {
                continue;
            }
            match twin(old, &member.id) {
                None => out.push(half.symbol(Some(at), MemberChangeKind::Added)),
                Some((_, shape)) if shape != member.shape => {
                    out.push(half.symbol(Some(at), MemberChangeKind::Signature));
                }
                Some(_) => {}
            }
        }
    }
    out
}
