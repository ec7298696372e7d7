//! Uses that do not name what changed: objects that start with another value, and calls of extension methods of a class that
//! has another namespace.
//!
//! Must not know: who names changed symbols.

use std::collections::BTreeSet;

use cortex_bind::TypeNode;
use cortex_derived::doc_ids::DocIds;
use cortex_look::QueryError;
use cortex_model::{Modifier, TypeKey};
use cortex_wire::{MemberChangeKind, UseSide, Via, ViaRelation};

use crate::{
    diff_context::compared::Compared,
    impact::{
        symbols::ChangedSymbol,
        uses::{Want, Wanted},
    },
};

/// Looks for the places that make objects of product types of which a property or field starts with another value: of each
/// type by the first of these; and for those that call a method of a static class that has another name, which it may extend.
pub(super) fn want_unnamed(
    compared: &Compared,
    ids: &mut DocIds<'_>,
    symbols: &[ChangedSymbol],
    wanted: &mut Wanted,
    vias: &mut Vec<Via>,
) -> Result<(), QueryError> {
    let mut made: BTreeSet<TypeKey> = BTreeSet::new();
    for (at, symbol) in symbols.iter().enumerate() {
        let starts = symbol.is_initial && symbol.change == MemberChangeKind::Body;
        let is_moved = symbol.member.is_none() && symbol.is_renamed;
        if symbol.side != UseSide::New || !(starts && made.insert(symbol.key) || is_moved) {
            continue;
        }
        let node = ids.snapshot().type_node(symbol.key)?;
        let node = node.filter(|it| !compared.is_of_tests(&it.project));
        // Who names a type that has another name is told for all others.
        let is_wanted = |node: &TypeNode| !is_moved || node.modifiers.contains(Modifier::Static);
        if !node.as_ref().is_some_and(is_wanted) {
            continue;
        }
        let Some(own) = ids.ty(symbol.key)? else {
            continue;
        };
        let members = own.symbols.members.iter().zip(own.symbols.tags());
        for (member, tag) in members {
            let is_constructor = member.id.contains("#ctor");
            let is_method = member.id.starts_with("M.") && !member.id.contains('#');
            let (is_wanted, relation) = match is_moved {
                true => (is_method, ViaRelation::Member),
                false => (is_constructor, ViaRelation::Creation),
            };
            let to = ids.of(symbol.key, Some(tag))?;
            let Some(to) = to.filter(|_| is_wanted) else {
                continue;
            };
            wanted.entry(symbol.key).or_default().push(Want {
                via: Some(vias.len()),
                ..Want::of(Some(tag), at)
            });
            vias.push(Via { to, relation });
        }
    }
    Ok(())
}
