//! Declarations with an attribute whose code changed, or with one that names a type (`[JsonConverter(typeof(X))]`) whose code
//! changed: a framework runs it for these.
//!
//! Owns: which changed members are those of attributes, and which a framework calls by their type. Must not know: who else
//! uses them.

use std::collections::BTreeSet;

use cortex_derived::doc_ids::DocIds;
use cortex_look::QueryError;
use cortex_model::{Modifier, TypeKey, simple_name};
use cortex_wire::{MemberChangeKind, Role, UseSide, Via, ViaRelation};

use crate::{
    code::generated::is_named_generated,
    diff_context::compared::Compared,
    impact::{
        declared::declared,
        symbols::ChangedSymbol,
        uses::{Places, Want, Wanted},
    },
};

/// Looks for the places where attributes of product code are applied of which a member runs otherwise than before, and for
/// those where `typeof` names a type of which an override does: of each type by the first of these.
pub(crate) fn want_applied(
    compared: &Compared,
    ids: &mut DocIds<'_>,
    symbols: &[ChangedSymbol],
    wanted: &mut Wanted,
    vias: &mut Vec<Via>,
) -> Result<(), QueryError> {
    let mut known: BTreeSet<TypeKey> = BTreeSet::new();
    for (at, symbol) in symbols.iter().enumerate() {
        let runs = matches!(
            symbol.change,
            MemberChangeKind::Signature | MemberChangeKind::Shape | MemberChangeKind::Body
        );
        // Where it is applied, its constructor is called.
        let is_called = symbol.id.contains("#ctor");
        let name = simple_name(&symbol.ty);
        let is_attribute = name.ends_with("Attribute");
        if symbol.side != UseSide::New || !runs || symbol.member.is_none() || is_called {
            continue;
        }
        if !is_attribute && !is_override(ids, symbol)? || !known.insert(symbol.key) {
            continue;
        }
        let header = ids.snapshot().type_header(symbol.key)?;
        if header.is_none_or(|it| compared.is_of_tests(&it.project)) {
            continue;
        }
        let (Some(own), Some(to)) = (ids.ty(symbol.key)?, ids.of(symbol.key, None)?) else {
            continue;
        };
        let members = own.symbols.members.iter().zip(own.symbols.tags());
        let constructors = members.filter(|(member, _)| member.id.contains("#ctor"));
        let constructors = constructors.filter(|_| is_attribute);
        let tags = constructors.map(|(_, tag)| Some(tag));
        let via = Some(vias.len());
        let wants = tags.chain([None]).map(|tag| Want {
            via,
            ..Want::of(tag, at)
        });
        wanted.entry(symbol.key).or_default().extend(wants);
        vias.push(Via {
            to,
            relation: ViaRelation::Attribute,
        });
    }
    Ok(())
}

/// Whether a changed member overrides one: what has an object of its type by the type alone calls it through a base.
fn is_override(ids: &mut DocIds<'_>, symbol: &ChangedSymbol) -> Result<bool, QueryError> {
    let declared = declared(ids, symbol.key, symbol.member)?;
    let member = declared.and_then(|it| it.member);
    Ok(member.is_some_and(|it| it.modifiers.contains(Modifier::Override)))
}

/// Leaves of the places that were found only those where an attribute is applied, or where `typeof` names another type, each
/// once.
pub(crate) fn finish(places: &mut Places, vias: &[Via]) {
    let mut known = BTreeSet::new();
    let files = &places.files;
    places.found.retain(|found| {
        let via = found.want.via.map(|at| &vias[at]);
        let Some(via) = via.filter(|it| it.relation == ViaRelation::Attribute) else {
            return true;
        };
        let wanted = match via.to.ends_with("Attribute") {
            true => Role::Attribute,
            false => Role::Typeof,
        };
        // What tools write names a type in each of many files.
        let is_written = !is_named_generated(&files[found.file as usize].path);
        found.role == wanted
            && (is_written || wanted == Role::Attribute)
            && known.insert((found.want.symbol, found.file, found.project, found.offset))
    });
}
