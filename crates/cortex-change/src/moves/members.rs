//! Bodies that differ in nothing but the names of members, types and parameters that this change renames.
//!
//! Owns: which bodies these are, by their tokens and by what binding says that the names mean. Must not know: how a
//! change is told.

mod parameters;

use std::collections::{BTreeMap, BTreeSet};

use cortex_derived::doc_ids::DocIds;
use cortex_index::{MemberTag, Snapshot};
use cortex_look::{QueryError, follow::renames::Aliases};
use cortex_model::TypeKey;
use cortex_syntax::text::tokens;
use cortex_wire::{CodeLineKind, MemberChange, MemberChangeKind, TypeChange, UseSide};
use rustc_hash::FxHashMap;

use crate::{
    changes::{Described, Pair, tell_class},
    diff_context::compared::Compared,
    impact::uses::{self, Want, Wanted},
    members::side_of,
    moves::names::MovedNames,
    type_half::TypeHalf,
};

use self::parameters::ParameterNames;

/// A member on both sides, the older one first.
type BothSides = [(TypeKey, MemberTag); 2];

/// An old name and the new one that stands for it.
type NewName = (String, String);

/// Members of the change that have other names, by these.
type Renamed = BTreeMap<NewName, Vec<BothSides>>;

/// What has another name, but for parameters.
struct Renames {
    members: Renamed,
    types: BTreeSet<NewName>,
}

/// A body that reads the same once names that are gone are read as the new ones.
struct Candidate {
    /// The type, by index.
    ty: usize,
    /// Its member, by index.
    nth: usize,
    sides: BothSides,
    /// How often it has which new name of a member in place of an old one.
    names: BTreeMap<NewName, usize>,
}

/// Marks the bodies of which nothing differs but that members, types and parameters they use were renamed, and the types
/// of which nothing else differs; whether there are any. Those who use what was renamed are told by its own row. Of a
/// member that another signature has as well, nothing is said of its body any more.
pub(crate) fn follow_renamed(
    compared: &Compared,
    pairs: &[Pair<'_>],
    aliases: &Aliases,
    moved: &MovedNames,
    described: &mut Described,
) -> Result<bool, QueryError> {
    let has_any = |(ty, _): &(TypeChange, usize)| ty.members.iter().any(is_renamed);
    let takes_otherwise =
        |(ty, _): &(TypeChange, usize)| ty.members.iter().any(|it| !it.parameters.is_empty());
    if !described
        .iter()
        .any(|it| has_any(it) || takes_otherwise(it))
    {
        return Ok(false);
    }
    let mut ids = [&compared.old, &compared.new].map(DocIds::new);
    let mut renamed = Renamed::new();
    for (ty, at) in described.iter().filter(|it| has_any(it)) {
        let Some(halves) = halves(&mut ids, &pairs[*at], aliases)? else {
            continue;
        };
        for member in ty.members.iter().filter(|it| is_renamed(it)) {
            if let (Some(was), Some(sides)) = (member.renamed_from(), tags(&halves, member)) {
                let name = (was.to_owned(), member.name.clone());
                renamed.entry(name).or_default().push(sides);
            }
        }
    }
    let renames = Renames {
        members: renamed,
        types: moved.simple_names(),
    };
    let mut found = Vec::new();
    for (ty, (told, at)) in described.iter().enumerate() {
        let of_type = ParameterNames::of_primary_constructor(&pairs[*at]);
        let mut bodies = (told.members.iter().enumerate())
            .filter(|(_, member)| may_follow(member))
            .filter_map(|(nth, member)| {
                let own = ParameterNames::of_member(&pairs[*at], member);
                Some((nth, new_names(member, &renames, &of_type.with(own))?))
            })
            .peekable();
        if bodies.peek().is_none() {
            continue;
        }
        let Some(halves) = halves(&mut ids, &pairs[*at], aliases)? else {
            continue;
        };
        found.extend(bodies.filter_map(|(nth, names)| {
            let sides = tags(&halves, &told.members[nth])?;
            Some(Candidate {
                ty,
                nth,
                sides,
                names,
            })
        }));
    }
    for (snapshot, side) in [(&compared.old, 0), (&compared.new, 1)] {
        retain_bound(snapshot, side, &renames.members, &mut found)?;
    }
    for it in &found {
        let member = &mut described[it.ty].0.members[it.nth];
        match member.change {
            MemberChangeKind::Body => member.follows_moves = true,
            _ => member.notes.retain(|note| note != MemberChange::BODY_TOO),
        }
    }
    let types: BTreeSet<usize> = found.iter().map(|it| it.ty).collect();
    for &ty in &types {
        let (told, at) = &mut described[ty];
        tell_class(told, &pairs[*at]);
    }
    Ok(!types.is_empty())
}

fn is_renamed(member: &MemberChange) -> bool {
    member.renamed_from().is_some()
}

/// Whether a member may differ in names alone: its body, or beside its signature its body too.
fn may_follow(member: &MemberChange) -> bool {
    let has_other_body = || member.notes.iter().any(|it| it == MemberChange::BODY_TOO);
    match member.change {
        MemberChangeKind::Body => !member.follows_moves,
        _ => has_other_body(),
    }
}

/// Both sides of a type that both have.
fn halves<'p>(
    [old_ids, new_ids]: &mut [DocIds<'_>; 2],
    pair: &Pair<'p>,
    aliases: &Aliases,
) -> Result<Option<[TypeHalf<'p>; 2]>, QueryError> {
    let (Some(old), Some(new)) = (pair.old, pair.new) else {
        return Ok(None);
    };
    let old_key = aliases.old_of(pair.key).unwrap_or(pair.key);
    let old = TypeHalf::new(old_ids, UseSide::Old, old_key, old)?;
    let new = TypeHalf::new(new_ids, UseSide::New, pair.key, new)?;
    Ok(old.zip(new).map(Into::into))
}

/// What binding calls a member on both sides.
fn tags([old, new]: &[TypeHalf<'_>; 2], member: &MemberChange) -> Option<BothSides> {
    let before = old.tag(member.old_signature.as_deref()?)?;
    let after = new.tag(member.new_signature.as_deref()?)?;
    Some([(old.key, before), (new.key, after)])
}

/// How often a member has which new name of a member, where nothing of its code differs but names.
fn new_names(
    member: &MemberChange,
    renames: &Renames,
    parameters: &ParameterNames,
) -> Option<BTreeMap<NewName, usize>> {
    let sides = [CodeLineKind::Added, CodeLineKind::Removed];
    let sides = sides.map(|other| words(&side_of(&member.code, other)));
    let [old, new] = &sides;
    if old.len() != new.len() || !parameters.are_followed_in(&sides) {
        return None;
    }
    let mut is_other = false;
    let mut out: BTreeMap<NewName, usize> = BTreeMap::new();
    for (at, name) in old.iter().zip(new).enumerate() {
        let name = (name.0.clone(), name.1.clone());
        if name.0 == name.1 {
            continue;
        }
        is_other = true;
        if renames.members.contains_key(&name) {
            *out.entry(name).or_default() += 1;
        } else if !renames.types.contains(&name) && !parameters.stand_at(&sides, at) {
            return None;
        }
    }
    is_other.then_some(out)
}

/// The tokens of a text.
fn words(text: &str) -> Vec<String> {
    let tokens = tokens(text.as_bytes()).into_iter();
    let tokens = tokens.map(|token| &text[token.range.start as usize..token.range.end as usize]);
    tokens.map(str::to_owned).collect()
}

/// Keeps the bodies in which as many places as have such names are bound to the members that are called so on this side.
fn retain_bound(
    snapshot: &Snapshot,
    side: usize,
    renamed: &Renamed,
    found: &mut Vec<Candidate>,
) -> Result<(), QueryError> {
    let names: BTreeSet<&NewName> = found.iter().flat_map(|it| it.names.keys()).collect();
    let names: Vec<&NewName> = names.into_iter().collect();
    let mut wanted = Wanted::new();
    for (nth, name) in names.iter().enumerate() {
        for sides in &renamed[*name] {
            let (key, tag) = sides[side];
            wanted
                .entry(key)
                .or_default()
                .push(Want::of(Some(tag), nth));
        }
    }
    let places = uses::find(snapshot, &wanted)?;
    // What several projects compile is bound in each.
    let mut bound: FxHashMap<(TypeKey, MemberTag, usize), BTreeSet<(u32, u32)>> =
        FxHashMap::default();
    for place in &places.found {
        if let Some((key, Some(tag))) = place.inside {
            let at = bound.entry((key, tag, place.want.symbol)).or_default();
            at.insert((place.file, place.offset));
        }
    }
    let n_bound = |(key, tag): (TypeKey, MemberTag), name: &NewName| {
        let nth = names.binary_search(&name).ok()?;
        bound.get(&(key, tag, nth)).map(BTreeSet::len)
    };
    let kept: Vec<bool> = (found.iter())
        .map(|it| {
            let mut names = it.names.iter();
            names.all(|(name, &n)| n_bound(it.sides[side], name) == Some(n))
        })
        .collect();
    let mut kept = kept.into_iter();
    found.retain(|_| kept.next().unwrap_or_default());
    Ok(())
}
