//! Declarations with an attribute whose code changed: a framework runs it for these.
//!
//! Owns: which changed members are those of attributes. Must not know: who else uses them.

use std::collections::BTreeSet;

use cortex_derived::doc_ids::DocIds;
use cortex_look::QueryError;
use cortex_model::{TypeKey, simple_name};
use cortex_wire::{MemberChangeKind, Role, UseSide, Via, ViaRelation};

use crate::{
    diff_context::compared::Compared,
    impact::{
        symbols::ChangedSymbol,
        uses::{Places, Want, Wanted},
    },
};

/// Looks for the places where attributes of product code are applied of which a member runs otherwise than before: of each
/// attribute by the first of these.
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
        let is_attribute = name.ends_with("Attribute") && symbol.member.is_some() && !is_called;
        if symbol.side != UseSide::New || !runs || !is_attribute || !known.insert(symbol.key) {
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

/// Leaves of the places that were found only those where an attribute is applied, each once.
pub(crate) fn finish(places: &mut Places, vias: &[Via]) {
    let mut known = BTreeSet::new();
    places.found.retain(|found| {
        let via = found.want.via.map(|at| vias[at].relation);
        via != Some(ViaRelation::Attribute)
            || found.role == Role::Attribute
                && known.insert((found.want.symbol, found.file, found.project, found.offset))
    });
}
