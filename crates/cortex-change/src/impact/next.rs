//! Who uses the members that use what changed: the next ring, member by member.
//!
//! Must not know: what changed.

use crate::{
    diff_context::compared::Compared,
    impact::{
        promises::promises,
        uses::{Want, Wanted, find},
    },
};
use cortex_derived::doc_ids::DocIds;
use cortex_look::QueryError;
use cortex_wire::NextUser;

use std::collections::{BTreeMap, BTreeSet};

use cortex_index::{MemberTag, Snapshot};
use cortex_model::TypeKey;

/// So many direct users are followed.
const MAX_FOLLOWED: usize = 64;

/// So many files are read for them.
const MAX_FILES: usize = 400;

/// A member by its type and tag.
pub(crate) type Member = (TypeKey, MemberTag);

/// The product members that use some others, by how often, then by name. `direct`: the members that are followed,
/// the most important first; those that very much uses are passed over. `known`: members that need not be told.
pub(crate) fn next_users(
    compared: &Compared,
    ids: &mut DocIds<'_>,
    direct: &[Member],
    known: &BTreeSet<Member>,
) -> Result<Vec<NextUser>, QueryError> {
    let snapshot: &Snapshot = ids.snapshot();
    let mut followed: Vec<(Member, String)> = Vec::new();
    let mut wanted = Wanted::new();
    let mut n_files = 0;
    for &(key, tag) in direct.iter().take(MAX_FOLLOWED) {
        let Some(id) = ids.of(key, Some(tag))? else {
            continue;
        };
        let above = promises(ids, key, &[&id])?;
        let above = above.into_iter().map(|(_, it)| (it.ty, it.tag));
        let named: Vec<Member> = std::iter::once((key, tag)).chain(above).collect();
        let mut n_own = 0;
        for &(key, tag) in &named {
            n_own += snapshot.referrers(key, Some(&[tag]))?.len();
        }
        if n_files + n_own > MAX_FILES {
            continue;
        }
        n_files += n_own;
        for (named, of_named) in named {
            wanted.entry(named).or_default().push(Want {
                member: Some(of_named),
                symbol: followed.len(),
                via: None,
                runs: (named != key).then_some(key),
            });
        }
        followed.push(((key, tag), id));
    }
    let mut places = find(snapshot, &wanted)?;
    places.retain_runnable(ids)?;
    let mut found: BTreeMap<(usize, Member), usize> = BTreeMap::new();
    for place in &places.found {
        let project = &places.files[place.file as usize].projects[place.project as usize];
        let Some((key, Some(tag))) = place.inside else {
            continue;
        };
        let is_told = known.contains(&(key, tag)) || followed[place.want.symbol].0 == (key, tag);
        if !is_told && !compared.is_of_tests(project) {
            *found.entry((place.want.symbol, (key, tag))).or_default() += 1;
        }
    }
    let mut out = Vec::new();
    for ((at, (key, tag)), n_uses) in found {
        if let Some(id) = ids.of(key, Some(tag))? {
            out.push(NextUser {
                id,
                through: followed[at].1.clone(),
                n_uses,
            });
        }
    }
    out.sort_by(|a, b| (b.n_uses, &a.id, &a.through).cmp(&(a.n_uses, &b.id, &b.through)));
    // A file that several projects compile has each of its members once for each.
    out.dedup_by(|a, b| (&a.id, &a.through) == (&b.id, &b.through));
    Ok(out)
}
