//! Members of bases that came or went, with unchanged members of types below that hide them now, or override and implement
//! nothing any longer.
//!
//! Source: C# specification, §15.3.5 (a member hides those that its base has under its name, methods those of its
//! parameters) and §18.6 (implementations of interfaces). Must not know: who uses these members.

use std::collections::{BTreeMap, BTreeSet};

use cortex_derived::doc_ids::{DocIds, written_members};
use cortex_look::QueryError;
use cortex_model::{Accessibility, Modifier, TypeKey, TypeKind};
use cortex_wire::{CodePlace, InheritedMember, MemberChangeKind, UseSide, What};
use rustc_hash::FxHashSet;

use super::{
    declared::{Declared, declared},
    dispatch::{Hierarchy, few_subtypes, implementers},
    next::Member,
    symbols::{ChangedSymbol, changed_members},
};
use crate::diff_context::compared::Compared;

/// So many members are looked at, and so many told.
const MAX_ASKED: usize = 200;
const MAX_TOLD: usize = 6;

/// The members that came to classes under names which types below declare, and those that are gone from bases and that
/// members below were for; in the order of `symbols`, the changed ones. Reads the types below each.
pub(super) fn inherited(
    compared: &Compared,
    symbols: &[ChangedSymbol],
) -> Result<Vec<InheritedMember>, QueryError> {
    let changed = changed_members(symbols);
    let mut below = Below {
        compared,
        changed,
        old: DocIds::new(&compared.old),
        new: DocIds::new(&compared.new),
        hierarchy: Hierarchy::default(),
        named_below: BTreeMap::new(),
    };
    let mut out = Vec::new();
    for symbol in symbols.iter().take(MAX_ASKED) {
        let (what, places) = match (symbol.change, symbol.side) {
            (MemberChangeKind::Added, UseSide::New) => (What::Added, below.hiding(symbol)?),
            (MemberChangeKind::Removed, UseSide::Old) => (What::Removed, below.left(symbol)?),
            _ => continue,
        };
        if !places.is_empty() && out.len() < MAX_TOLD {
            out.push(InheritedMember {
                doc_id: symbol.id.clone(),
                what,
                places: places.into_iter().collect(),
            });
        }
    }
    Ok(out)
}

/// What is read of types below changed ones.
struct Below<'c> {
    compared: &'c Compared,
    /// The members of the newer side that changed themselves.
    changed: FxHashSet<Member>,
    old: DocIds<'c>,
    new: DocIds<'c>,
    hierarchy: Hierarchy,
    /// By the type above them.
    named_below: BTreeMap<TypeKey, NamedMembers>,
}

/// Members by what their documentation ids say behind the name of the type.
type NamedMembers = BTreeMap<String, Vec<Member>>;

impl Below<'_> {
    /// The members of derived classes that hide a new one.
    fn hiding(&mut self, symbol: &ChangedSymbol) -> Result<BTreeSet<CodePlace>, QueryError> {
        let mut out = BTreeSet::new();
        let base = match symbol.member {
            Some(_) => declared(&mut self.new, symbol.key, symbol.member)?,
            None => None,
        };
        let Some(Declared {
            node,
            member: Some(member),
            ..
        }) = base
        else {
            return Ok(out);
        };
        let is_seen =
            member.accessibility != Accessibility::Private && member.interface().is_none();
        if node.kind != TypeKind::Class || !is_seen {
            return Ok(out);
        }
        if !self.named_below.contains_key(&symbol.key) {
            let named = self.named_below(symbol.key)?;
            self.named_below.insert(symbol.key, named);
        }
        let same = self.named_below[&symbol.key].get(tail(&symbol.id));
        for member in same.cloned().unwrap_or_default() {
            out.extend(self.unchanged(member)?);
        }
        Ok(out)
    }

    /// The members of the product below a type that are no overrides and no explicit implementations.
    fn named_below(&mut self, key: TypeKey) -> Result<NamedMembers, QueryError> {
        let mut out = NamedMembers::default();
        let derived = few_subtypes(&self.compared.new, key)?.unwrap_or_default();
        for below in derived.into_iter().filter(|below| *below != key) {
            let node = self.compared.new.type_node(below)?;
            let node = node.filter(|node| !self.compared.is_of_tests(&node.project));
            let (Some(node), Some(own)) = (node, self.new.ty(below)?) else {
                continue;
            };
            let written = written_members(&node, &own).into_iter().zip(&node.members);
            let own_name = written.filter(|(_, it)| {
                it.interface().is_none() && !it.modifiers.contains(Modifier::Override)
            });
            for at in own_name.filter_map(|(at, _)| at) {
                let members = out.entry(tail(&own.member(at)).to_owned()).or_default();
                members.push((below, own.symbols.tag(at)));
            }
        }
        Ok(out)
    }

    /// The members that a member which is gone was for, and that are for nothing now.
    fn left(&mut self, symbol: &ChangedSymbol) -> Result<BTreeSet<CodePlace>, QueryError> {
        let mut out = BTreeSet::new();
        if symbol.member.is_none() {
            return Ok(out);
        }
        let were = implementers(&self.old, &mut self.hierarchy, symbol.key, &symbol.id)?;
        for (key, id) in were {
            let own = self.new.ty(key)?;
            let Some(tag) = own.and_then(|own| own.tag_of(&id)) else {
                continue;
            };
            let implementations = self.compared.new.implementations(key)?;
            if implementations.iter().all(|it| *it.member != *id) {
                out.extend(self.unchanged((key, tag))?);
            }
        }
        Ok(out)
    }

    /// Where the product declares a member that did not change.
    fn unchanged(&mut self, (key, tag): Member) -> Result<Option<CodePlace>, QueryError> {
        if self.changed.contains(&(key, tag)) {
            return Ok(None);
        }
        let declared = declared(&mut self.new, key, Some(tag))?;
        let declared = declared.filter(|it| !self.compared.is_of_tests(&it.node.project));
        Ok(declared.map(|it| it.place))
    }
}

/// What a documentation id says behind the name of the type: `Go(System.Int32)` of `M:A.B.Go(System.Int32)`.
fn tail(id: &str) -> &str {
    let head = id.split('(').next().unwrap_or_default();
    head.rfind('.').map_or(id, |at| &id[at + 1..])
}
