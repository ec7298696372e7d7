//! Which names may mean something else than before.

use std::collections::BTreeSet;

use cortex_bind::{GlobalUsing, TypeSymbol, Universe};
use cortex_model::{RepoPath, TypeKey, simple_name};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::{IndexError, view::View};

/// Simple names that may mean something else than before.
pub(super) fn changed_names(
    view: &mut View,
    touched: &BTreeSet<TypeKey>,
) -> Result<BTreeSet<String>, IndexError> {
    let mut names = BTreeSet::new();
    if view.base.is_none() {
        namespace_changes(view, &[], &mut names)?;
        names.clear();
        return Ok(names);
    }
    let mut vanished = Vec::new();
    for &key in touched {
        let old_node = view.old_node(key)?;
        let old = match &old_node {
            Some(node) => {
                let base = view.base.as_ref().expect("there is an old node");
                base.types_named(simple_name(&node.fqn))?
                    .into_iter()
                    .find(|symbol| symbol.key == key)
            }
            None => None,
        };
        let new = view.changed.get(&key).cloned().flatten();
        if old != new {
            for symbol in old.iter().chain(&new) {
                names.insert(symbol.name().to_owned());
                if let Some(short) = symbol.name().strip_suffix("Attribute") {
                    names.insert(short.to_owned());
                }
            }
        }
        if let (Some(old), None) = (&old, &new) {
            vanished.push(old.clone());
        }
        member_changes(view, key, old_node.as_deref(), &mut names);
    }
    namespace_changes(view, &vanished, &mut names)?;
    names.extend(namespaces_entered_or_left(view)?);
    view.take_failure()?;
    Ok(names)
}

/// The last names of namespaces that a project has types in now and had not, or the other way round:
/// others may have them all the time, but not everybody sees those.
fn namespaces_entered_or_left(view: &View) -> Result<Vec<String>, IndexError> {
    let mut names = Vec::new();
    for (namespace, differences) in &view.occupied {
        let before: FxHashMap<RepoPath, u32> = match &view.base {
            Some(base) => base.occupants(namespace)?.into_iter().collect(),
            None => FxHashMap::default(),
        };
        let enters_or_leaves = differences.iter().any(|(project, difference)| {
            let before = i64::from(before.get(project).copied().unwrap_or(0));
            (before > 0) != (before + difference > 0)
        });
        if enters_or_leaves {
            let last = namespace.rsplit('.').next().unwrap_or(namespace);
            names.push(last.to_owned());
        }
    }
    Ok(names)
}

/// A member hides a type of its name; only such members matter to what a name means.
pub(super) fn member_changes(
    view: &View,
    key: TypeKey,
    old: Option<&cortex_bind::TypeNode>,
    names: &mut BTreeSet<String>,
) {
    for name in changed_members(view, key, old) {
        if !view.types_named(&name).is_empty() || view.has_namespace(&name) {
            names.insert(name.into());
        }
    }
}

/// Simple names of members that a type has now and had not, or the other way round.
pub(super) fn changed_members(
    view: &View,
    key: TypeKey,
    old: Option<&cortex_bind::TypeNode>,
) -> Vec<Box<str>> {
    let empty = FxHashSet::default();
    let now = view.members.get(&key).unwrap_or(&empty);
    let before: FxHashSet<&str> = old
        .iter()
        .flat_map(|node| &node.members)
        .filter(|member| member.kind.has_simple_name() && member.interface_len == 0)
        .map(|member| member.name.as_str())
        .collect();
    let appeared = now
        .iter()
        .map(|name| &**name)
        .filter(|name| !before.contains(name));
    let gone = before.iter().copied().filter(|name| !now.contains(*name));
    appeared.chain(gone).map(Box::from).collect()
}

/// Works out which namespaces appeared and vanished, innermost first.
pub(super) fn namespace_changes(
    view: &mut View,
    vanished: &[TypeSymbol],
    names: &mut BTreeSet<String>,
) -> Result<(), IndexError> {
    let is_outermost = |symbol: &&TypeSymbol| symbol.outer.is_none() && symbol.namespace_len > 0;
    let mut present: FxHashMap<String, u32> = FxHashMap::default();
    for symbol in view.changed.values().flatten().filter(is_outermost) {
        *present.entry(symbol.namespace().to_owned()).or_default() += 1;
    }
    let mut touched: BTreeSet<(std::cmp::Reverse<usize>, String)> = BTreeSet::new();
    let rank = |namespace: &str| {
        (
            std::cmp::Reverse(namespace.split('.').count()),
            namespace.to_owned(),
        )
    };
    touched.extend(present.keys().map(|namespace| rank(namespace)));
    touched.extend(
        vanished
            .iter()
            .filter(is_outermost)
            .map(|symbol| rank(symbol.namespace())),
    );
    let mut child_exists: FxHashMap<String, bool> = FxHashMap::default();
    while let Some((_, namespace)) = touched.pop_first() {
        let has_types = present.contains_key(&namespace);
        let has_child = child_exists.remove(&namespace).unwrap_or(false);
        let mut existed = false;
        let mut remains = false;
        if let Some(base) = &view.base {
            for entry in base.namespace_entries(&namespace)? {
                existed = true;
                remains |= match entry
                    .get(10..)
                    .and_then(|key| key.try_into().ok())
                    .map(TypeKey::from_bytes)
                {
                    Some(key) => !view.changed.contains_key(&key),
                    None => !view.namespaces.iter().any(|(child, exists)| {
                        !exists && crate::keys::namespace_child(&namespace, child) == entry
                    }),
                };
            }
        }
        let exists = has_types || has_child || remains;
        if exists != existed || view.base.is_none() {
            view.namespaces.insert(namespace.clone(), exists);
            names.insert(
                namespace
                    .rsplit('.')
                    .next()
                    .unwrap_or(&namespace)
                    .to_owned(),
            );
            if let Some(end) = namespace.rfind('.') {
                let parent = &namespace[..end];
                *child_exists.entry(parent.to_owned()).or_default() |= exists;
                touched.insert(rank(parent));
            }
        }
    }
    Ok(())
}

/// Whether a project-wide alias or static using names something whose meaning may have changed.
pub(super) fn mentions(using: &GlobalUsing, names: &BTreeSet<String>) -> bool {
    let target = match using {
        GlobalUsing::Namespace(_) => return false,
        GlobalUsing::Static(target) | GlobalUsing::Alias(_, target) => target,
    };
    target
        .split('.')
        .any(|segment| names.contains(segment.split('`').next().unwrap_or(segment)))
}
