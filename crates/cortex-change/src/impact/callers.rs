//! By which members of its type a changed private member runs for others.
//!
//! Owns: the climb from private members to their callers in the type. Must not know: who uses those.

use crate::impact::{
    symbols::ChangedSymbol,
    uses::{Want, Wanted, find},
};
use cortex_derived::doc_ids::DocIds;
use cortex_look::QueryError;
use cortex_wire::UseSide;

use std::collections::{BTreeMap, BTreeSet};

use cortex_index::MemberTag;
use cortex_model::{Accessibility, TypeKey};

/// So many callers above a changed member are looked at.
const MAX_CLIMB: usize = 8;

/// A member that others see.
pub(crate) struct Outer {
    pub(crate) key: TypeKey,
    pub(crate) tag: MemberTag,
    /// Its documentation id.
    pub(crate) id: String,
    /// The changed private members that it runs, by index, ascending.
    pub(crate) runs: Vec<usize>,
}

/// The members, not private and not changed themselves, that run changed private members of one side, directly or by
/// other private ones; by type and tag. O(files of the types, for each step).
pub(crate) fn outer_callers(
    ids: &mut DocIds<'_>,
    symbols: &[ChangedSymbol],
    side: UseSide,
) -> Result<Vec<Outer>, QueryError> {
    let of_side = (symbols.iter().enumerate()).filter(|(_, symbol)| symbol.side == side);
    let changed: BTreeSet<(TypeKey, MemberTag)> = of_side
        .clone()
        .filter_map(|(_, symbol)| Some((symbol.key, symbol.member?)))
        .collect();
    let mut wanted = Wanted::new();
    for (at, symbol) in of_side {
        // What is new or gone shows in its callers, which changed for that.
        if let Some(tag) = symbol.member.filter(|_| symbol.runs_otherwise())
            && is_private(ids, symbol.key, tag)?
        {
            wanted.entry(symbol.key).or_default().push(want(tag, at));
        }
    }
    let mut seen: BTreeSet<(usize, TypeKey, MemberTag)> = BTreeSet::new();
    let mut outer: BTreeMap<(TypeKey, MemberTag), BTreeSet<usize>> = BTreeMap::new();
    for _ in 0..MAX_CLIMB {
        if wanted.is_empty() {
            break;
        }
        let places = find(ids.snapshot(), &std::mem::take(&mut wanted))?;
        for found in places.found {
            let Some((key, Some(tag))) = found.inside else {
                continue;
            };
            let at = found.want.symbol;
            if changed.contains(&(key, tag)) || !seen.insert((at, key, tag)) {
                continue;
            }
            if is_private(ids, key, tag)? {
                wanted.entry(key).or_default().push(want(tag, at));
            } else {
                outer.entry((key, tag)).or_default().insert(at);
            }
        }
    }
    let mut out = Vec::new();
    for ((key, tag), runs) in outer {
        if let Some(id) = ids.of(key, Some(tag))? {
            out.push(Outer {
                key,
                tag,
                id,
                runs: runs.into_iter().collect(),
            });
        }
    }
    Ok(out)
}

fn want(member: MemberTag, symbol: usize) -> Want {
    Want::of(Some(member), symbol)
}

fn is_private(ids: &mut DocIds<'_>, key: TypeKey, tag: MemberTag) -> Result<bool, QueryError> {
    let Some(own) = ids.ty(key)? else {
        return Ok(false);
    };
    let at = own.index(tag);
    Ok(at.is_some_and(|at| own.symbols.members[at].accessibility == Accessibility::Private))
}
