//! Uses of what a member overrides or implements, counted: each may run it.

use crate::{
    QueryError,
    dispatch::{Dispatch, Types},
    family::{self, is_above},
    places::{Outside, Wanted, files_using, places},
    viewpoint::Viewpoint,
};
use cortex_derived::{doc_ids::DocIds, target::Target};
use cortex_model::TypeKind;
use cortex_wire::{Role, Through};

/// How many uses of members above may run one of these, in roles that count; only members with uses are told, the
/// nearest first.
pub(crate) fn through(
    view: &Viewpoint<'_>,
    ids: &mut DocIds<'_>,
    targets: &[Target],
    counts: impl Fn(Role) -> bool,
) -> Result<Vec<Through>, QueryError> {
    let snapshot = view.snapshot();
    let mut may_be_above = Vec::new();
    for &target in targets {
        let Target::Member(key, _) = target else {
            continue;
        };
        let header = snapshot.type_header(key)?;
        if header.is_some_and(|it| it.kind != TypeKind::Interface) {
            may_be_above.push(target);
        }
    }
    let mut wanted = Wanted::default();
    let mut out = Vec::new();
    for relative in family::above_of(ids, &may_be_above)? {
        let Some(target) = relative.target.filter(|it| !targets.contains(it)) else {
            continue;
        };
        debug_assert!(is_above(relative.relation));
        wanted.entry(target).or_insert(out.len() as u32);
        out.push(Through {
            doc_id: relative.doc_id,
            relation: relative.relation,
            total: 0,
        });
    }
    if wanted.is_empty() {
        return Ok(out);
    }
    let files = files_using(snapshot, &wanted)?;
    let is_over = || view.limits.is_over();
    let filter = (view.filter, Outside::Skipped);
    let mut found = places(snapshot, &files, &wanted, filter, &is_over)?;
    found.sort_by_key(|it| (it.file, it.offset, it.target));
    found.dedup_by_key(|it| (it.file, it.offset));
    let mut dispatch = Dispatch::default();
    for place in found.iter().filter(|place| counts(place.role)) {
        for &target in &may_be_above {
            if dispatch.may_run(&mut Types(ids), target.key(), &place.receiver)? {
                out[place.target as usize].total += 1;
                break;
            }
        }
    }
    out.retain(|it| it.total > 0);
    Ok(out)
}
