//! How code may find a type without its name: by a base or interface that is registered, injected or given to a call.
//!
//! Must not know: who uses the type itself.

use cortex_derived::{doc_ids::DocIds, target::Target};
use cortex_index::FileSummary;
use cortex_model::{TypeKey, TypeKind};
use cortex_wire::{FoundBy, Role};

use crate::{
    QueryError, family,
    places::{Outside, Place, Text, Texts, Wanted, files_using, places},
    usages::TestProjects,
    viewpoint::Viewpoint,
};

/// So many bases are looked at.
const MAX_BASES: usize = 8;

/// The bases and interfaces of a type by which product code may find it, the surest first.
pub(crate) fn found_by(
    view: &Viewpoint<'_>,
    ids: &mut DocIds<'_>,
    texts: &mut Texts<'_>,
    (targets, tests): (&[Target], &TestProjects),
) -> Result<Vec<FoundBy>, QueryError> {
    let snapshot = view.snapshot();
    let mut bases: Vec<TypeKey> = Vec::new();
    for &target in targets {
        let Target::Type(key) = target else { continue };
        let header = snapshot.type_header(key)?;
        let may_be_made =
            header.is_some_and(|it| matches!(it.kind, TypeKind::Class | TypeKind::Record));
        if may_be_made {
            bases.extend(family::bases(ids, key)?);
        }
    }
    bases.dedup();
    bases.truncate(MAX_BASES);
    let mut wanted = Wanted::default();
    for (at, &base) in bases.iter().enumerate() {
        wanted.entry(Target::Type(base)).or_insert(at as u32);
    }
    if wanted.is_empty() {
        return Ok(Vec::new());
    }
    let mut files = files_using(snapshot, &wanted)?;
    files.retain(|file| !tests.compile(file));
    let is_over = || view.limits.is_over();
    let looked = (view.filter, Outside::Skipped);
    let mut found = places(snapshot, &files, &wanted, looked, &is_over)?;
    let is_open =
        |place: &Place| matches!(place.role, Role::Local | Role::Typeof | Role::Parameter);
    found.retain(is_open);
    let mut to_read: Vec<&FileSummary> = (found.iter())
        .map(|place| &files[place.file as usize])
        .collect();
    to_read.dedup_by_key(|file| &file.path);
    texts.load(view, &to_read)?;
    let mut first: Vec<Option<(u8, FoundBy)>> = vec![None; bases.len()];
    for place in &found {
        let file = &files[place.file as usize];
        let text = texts.of(file)?;
        let Some((rank, role)) = way(text, place) else {
            continue;
        };
        let at = place.target as usize;
        match &mut first[at] {
            Some((known, it)) if *known <= rank => it.total += 1,
            known => {
                let total = known.as_ref().map_or(0, |(_, it)| it.total) + 1;
                let Some(doc_id) = ids.of(bases[at], None)? else {
                    continue;
                };
                *known = Some((
                    rank,
                    FoundBy {
                        doc_id,
                        role,
                        file: file.path.clone(),
                        line: text.position(place.offset).line,
                        total,
                    },
                ));
            }
        }
    }
    let mut out: Vec<(u8, FoundBy)> = first.into_iter().flatten().collect();
    out.sort_by_key(|(rank, _)| *rank);
    Ok(out.into_iter().map(|(_, it)| it).collect())
}

/// Whether and how a place leads from a base to types that derive from it; the surest first.
fn way(text: &Text, place: &Place) -> Option<(u8, Role)> {
    let given = text.given_to(place.offset);
    match text.role_of_type(place.offset, place.role) {
        Role::Registration => Some((0, Role::Registration)),
        // All implementations are injected.
        Role::Parameter => {
            let is_many = given.is_some_and(|it| it.name.starts_with("IEnumerable"));
            is_many.then_some((1, Role::Parameter))
        }
        Role::TypeArgument => {
            let is_call = given.is_some_and(|it| it.is_call);
            is_call.then_some((2, Role::TypeArgument))
        }
        Role::Typeof => Some((3, Role::Typeof)),
        _ => None,
    }
}
