//! Who else could be registered for a service: the other implementations, and where they are.

use std::collections::BTreeSet;

use cortex_derived::doc_ids::DocIds;
use cortex_look::QueryError;
use cortex_model::{Modifier, TypeKey, TypeKind};
use cortex_wire::OtherImplementation;

use super::registrations;
use crate::{
    diff_context::{blobs::Reader, compared::Compared},
    impact::{
        declared::{Declared, declared},
        dispatch::few_subtypes,
        file_lines::FileLines,
    },
};

/// What more classes implement is a contract of the whole repository.
const MAX_OTHERS: usize = 6;

/// The classes of the product that are of a service's type, `own` left out, each with where it is registered for it; none
/// where these are many. By path and line. Reads the files that have to do with one of them and mention a call.
pub(in crate::impact) fn others(
    compared: &Compared,
    ids: &mut DocIds<'_>,
    (service, own): (TypeKey, TypeKey),
    reader: &mut Reader<'_>,
) -> Result<Vec<OtherImplementation>, QueryError> {
    let Some(below) = few_subtypes(&compared.new, service)? else {
        return Ok(Vec::new());
    };
    let mut out: Vec<(TypeKey, OtherImplementation)> = Vec::new();
    for key in below {
        let Some(Declared { node, place, .. }) = declared(ids, key, None)? else {
            continue;
        };
        let is_class = matches!(node.kind, TypeKind::Class | TypeKind::Record)
            && !node.modifiers.contains(Modifier::Abstract);
        let is_other = key != service && key.bare() != own.bare();
        if is_other && is_class && !compared.is_of_tests(&node.project) {
            let registered = Vec::new();
            out.push((
                key,
                OtherImplementation {
                    at: place,
                    registered,
                },
            ));
        }
    }
    if out.is_empty() || out.len() > MAX_OTHERS {
        return Ok(Vec::new());
    }
    let keys: Vec<TypeKey> = out.iter().map(|(key, _)| *key).collect();
    let found = registrations(&compared.new, &keys, reader)?;
    let mut lines = FileLines::default();
    for registered in found
        .registered
        .iter()
        .filter(|it| it.service == Some(service))
    {
        let at = &found.places.found[registered.at];
        let place = lines.place(reader, ids, &found.places, at)?;
        out[registered.ty].1.registered.push(place);
    }
    let out = out.into_iter().map(|(_, mut other)| {
        other.registered.sort_unstable();
        other.registered.dedup();
        other
    });
    let out: BTreeSet<OtherImplementation> = out.collect();
    Ok(out.into_iter().collect())
}
