//! What callers of a service run otherwise since a call registers a type for it, or no longer does.
//!
//! Must not know: who calls, which tests run.

use std::{
    borrow::Cow,
    collections::{BTreeMap, BTreeSet},
};

use cortex_derived::{doc_ids::DocIds, target::Target};
use cortex_git::ReadBlob;
use cortex_index::MemberTag;
use cortex_look::{QueryError, symbol::doc_id::of_doc_id};
use cortex_model::{TypeKey, TypeKind};
use cortex_wire::{MemberChangeKind, UseSide};

use super::named::named;
use crate::{
    diff_context::{blobs::Reader, compared::Compared},
    impact::{dispatch::Hierarchy, next::Member, symbols::ChangedSymbol},
};

/// Of more changed files none is read: what they register moved about.
const MAX_FILES: usize = 200;

/// So many types are followed, and so many members of each.
const MAX_TYPES: usize = 8;
const MAX_MEMBERS: usize = 12;

/// A service and a type that is registered for it.
type Pair = (TypeKey, TypeKey);

/// The methods of types on both sides that stand for those of a service, where calls of changed files register the type for it
/// on one side alone. Reads the changed files of C#.
pub(crate) fn exchanged(
    compared: &Compared,
    reader: &mut Reader<'_>,
) -> Result<Vec<Member>, QueryError> {
    let mut pairs: [BTreeSet<Pair>; 2] = Default::default();
    if compared.files.len() > MAX_FILES {
        return Ok(Vec::new());
    }
    for file in &compared.files {
        let snapshots = [&compared.old, &compared.new];
        let sides = [&file.old, &file.new].into_iter().zip(snapshots);
        for (pairs, (side, snapshot)) in pairs.iter_mut().zip(sides) {
            if let Some(side) = side {
                let read = || Ok(Cow::Owned(reader.read_blob(side.blob)?));
                let named = named(compared, snapshot, side, read)?.into_iter();
                pairs.extend(named.filter_map(|it| Some((it.service?, it.key))));
            }
        }
    }
    let mut ids = DocIds::new(&compared.new);
    let mut hierarchy = Hierarchy::default();
    let mut types: BTreeMap<TypeKey, BTreeSet<TypeKey>> = BTreeMap::new();
    for &(service, key) in pairs[0].symmetric_difference(&pairs[1]) {
        let heads = (
            compared.old.type_header(key)?,
            compared.new.type_header(key)?,
        );
        let (Some(_), Some(header)) = heads else {
            continue;
        };
        let is_class = matches!(header.kind, TypeKind::Class | TypeKind::Record);
        let has_room = types.len() < MAX_TYPES || types.contains_key(&key);
        if is_class && has_room && hierarchy.is_below(&mut ids, key, service)? {
            types.entry(key).or_default().insert(service);
        }
    }
    let mut out = Vec::new();
    for (key, services) in types {
        let Some(own) = ids.ty(key)? else { continue };
        let mut tags: BTreeSet<MemberTag> = BTreeSet::new();
        for found in compared.new.implementations(key)? {
            // What a value is says less than what a method does.
            let is_method = found.member.starts_with("M:");
            if is_method && is_of_service(&mut ids, &mut hierarchy, &found.of, &services)? {
                tags.extend(own.tag_of(&found.member));
            }
        }
        out.extend(tags.into_iter().take(MAX_MEMBERS).map(|tag| (key, tag)));
    }
    Ok(out)
}

/// Whether a member is one of a service or of what this derives from. `id`: its documentation id.
fn is_of_service(
    ids: &mut DocIds<'_>,
    hierarchy: &mut Hierarchy,
    id: &str,
    services: &BTreeSet<TypeKey>,
) -> Result<bool, QueryError> {
    for target in of_doc_id(ids.snapshot(), id)? {
        let Target::Member(contract, _) = target else {
            continue;
        };
        for &service in services {
            if service == contract || hierarchy.is_below(ids, service, contract)? {
                return Ok(true);
            }
        }
    }
    Ok(false)
}

/// Such members as symbols, without those that `changed` has.
pub(in crate::impact) fn exchanged_symbols(
    compared: &Compared,
    members: &[Member],
    changed: &[ChangedSymbol],
) -> Result<Vec<ChangedSymbol>, QueryError> {
    let mut ids = DocIds::new(&compared.new);
    let mut out = Vec::new();
    for &(key, tag) in members {
        let is_known = (changed.iter()).any(|it| it.key == key && it.member == Some(tag));
        let header = compared.new.type_header(key)?;
        let (Some(own), Some(header)) = (ids.ty(key)?, header) else {
            continue;
        };
        let Some(at) = own.index(tag).filter(|_| !is_known) else {
            continue;
        };
        out.push(ChangedSymbol {
            side: UseSide::New,
            key,
            member: Some(tag),
            id: own.member(at),
            ty: header.fqn,
            name: Some(own.symbols.members[at].simple_name().to_owned()),
            change: MemberChangeKind::Registered,
            is_renamed: false,
            is_override: false,
            is_initial: false,
        });
    }
    Ok(out)
}
