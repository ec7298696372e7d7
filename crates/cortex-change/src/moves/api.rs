//! What changes of the public API say that follows from types having other names.
//!
//! Must not know: how API changes are found.

use std::collections::BTreeMap;

use cortex_index::Snapshot;
use cortex_look::QueryError;
use cortex_model::TypeKey;
use cortex_wire::{ApiChange, DiffContext, TypeChange};

use super::names::MovedNames;
use crate::diff_context::compared::Compared;

/// Bases further away than so many are not looked for.
const MAX_BASES: usize = 64;

/// Says of the types that are missed what they are called now, and marks what says no more than that.
pub(crate) fn tell(compared: &Compared, answer: &mut DiffContext) -> Result<(), QueryError> {
    tell_renamed(answer);
    let renamed = answer.types.iter().filter_map(|ty| {
        let old = ty.renamed_from.as_deref()?;
        Some((old, ty.ty.name.as_str()))
    });
    let names = MovedNames::from_names(renamed);
    if names.is_empty() {
        return Ok(());
    }
    let mut types: BTreeMap<&str, &TypeChange> = BTreeMap::new();
    for ty in &answer.types {
        types.insert(&ty.ty.name, ty);
        if let Some(old) = &ty.renamed_from {
            types.entry(old).or_insert(ty);
        }
    }
    for change in &mut answer.api {
        let rule = change.rule.as_deref().unwrap_or_default();
        let new = names.new_of(&change.ty).filter(|_| change.member.is_none());
        if let ("CP0001", "removed", Some(new)) = (rule, change.reason.as_str(), new) {
            change.moved_to = Some(new.to_owned());
            continue;
        }
        let is_follower = match (&change.member, types.get(change.ty.as_str())) {
            (None, _) if change.reason == "added" => names.old_of(&change.ty).is_some(),
            (None, ty) => has_base_still(compared, change, ty.copied(), &names)?,
            (Some(member), Some(ty)) => is_of_follower(member, ty),
            (Some(_), None) => false,
        };
        change.follows_moves = is_follower;
    }
    Ok(())
}

/// Says of members that are missed, and of those that came, that they are the same under another name.
fn tell_renamed(answer: &mut DiffContext) {
    // By type and name; nothing where overloads got several names.
    let mut renamed: BTreeMap<(&str, &str), Option<&str>> = BTreeMap::new();
    for ty in &answer.types {
        for member in &ty.members {
            let Some(old) = member.renamed_from() else {
                continue;
            };
            let new = simple_name(&member.name);
            let known = renamed.entry((&ty.ty.name, old)).or_insert(Some(new));
            *known = known.filter(|known| *known == new);
        }
    }
    let pairs = renamed.iter();
    let pairs = pairs.filter_map(|((ty, old), new)| Some(((*ty, *old), (*new)?)));
    for ((ty, old), new) in pairs {
        let of_type = answer.api.iter_mut().filter(|it| it.ty == ty);
        for change in of_type {
            let name = change.member.as_deref().map(simple_name);
            match change.reason.as_str() {
                "removed" if name == Some(old) => change.reason = format!("renamed to `{new}`"),
                "added" if name == Some(new) => change.reason = format!("renamed from `{old}`"),
                _ => {}
            }
        }
    }
}

/// Whether all changed members of a name differ in names of types alone.
fn is_of_follower(member: &str, ty: &TypeChange) -> bool {
    let name = simple_name(member);
    let is_constructor = name == simple_name(&ty.ty.name);
    let mut members = ty.members.iter().filter(|it| {
        let own = it.name.rsplit('.').next().unwrap_or(&it.name);
        own == name || is_constructor && it.kind == cortex_model::DeclKind::Constructor
    });
    let mut is_any = false;
    members.all(|it| {
        is_any = true;
        it.follows_moves
    }) && is_any
}

/// The name of a member as an API change writes it: `Total` of `Total.get`, `Send` of `Send<T>(Order)`.
fn simple_name(member: &str) -> &str {
    let head = member.split(['(', '[', '<', '`']).next().unwrap_or(member);
    let accessors = [".get", ".set", ".init", ".add", ".remove"];
    let head = (accessors.iter().find_map(|it| head.strip_suffix(it))).unwrap_or(head);
    let word = head.rsplit(' ').next().unwrap_or(head);
    word.rsplit(['.', '+']).next().unwrap_or(word)
}

/// Whether a base that a type has no longer, or has now, is there still or was before, under another name. `ty`: what
/// changed of the type itself.
fn has_base_still(
    compared: &Compared,
    change: &ApiChange,
    ty: Option<&TypeChange>,
    names: &MovedNames,
) -> Result<bool, QueryError> {
    if !matches!(change.rule.as_deref(), Some("CP0007" | "CP0008")) {
        return Ok(false);
    }
    let mut words = change.reason.split([' ', '`', '<', '>', ',']);
    // What it has no longer is looked for on the newer side, what it has now on the older one.
    let found = words.find_map(|word| match (names.new_of(word), names.old_of(word)) {
        (Some(new), _) => Some((&compared.new, new, names.new_of(&change.ty))),
        (None, Some(old)) => Some((&compared.old, old, names.old_of(&change.ty))),
        (None, None) => None,
    });
    let Some((snapshot, base, other_name)) = found else {
        return Ok(false);
    };
    // Its own bases are compared with its signature.
    if ty.is_some_and(|ty| ty.old_signature.is_none() && ty.new_signature.is_none()) {
        return Ok(true);
    }
    let name = other_name.unwrap_or(&change.ty);
    let simple = name.rsplit(['.', '+']).next().unwrap_or(name);
    for found in snapshot.types_named(simple.split('`').next().unwrap_or(simple))? {
        if has_base(snapshot, found.key, name, base)? {
            return Ok(true);
        }
    }
    Ok(false)
}

/// Whether a type of a name has a base of another name, directly or through others.
fn has_base(snapshot: &Snapshot, key: TypeKey, ty: &str, base: &str) -> Result<bool, QueryError> {
    let Some(node) = snapshot.type_node(key)?.filter(|node| node.fqn == ty) else {
        return Ok(false);
    };
    let mut left = node.bases.clone();
    let mut at = 0;
    while let Some(&key) = left.get(at).filter(|_| at < MAX_BASES) {
        at += 1;
        if let Some(node) = snapshot.type_node(key)? {
            if node.fqn == base {
                return Ok(true);
            }
            left.extend(
                node.bases
                    .iter()
                    .filter(|key| !left.contains(key))
                    .copied()
                    .collect::<Vec<_>>(),
            );
        }
    }
    Ok(false)
}
