//! Unchanged types that one needs to understand a change, and committed context that it makes stale.

use std::collections::BTreeMap;

use cortex_model::{ChangeClass, EdgeKind, RepoPath, TypeKey};
use rayon::prelude::*;
use rustc_hash::FxHashSet;

use crate::{
    QueryError,
    answer::{Outline, StaleEntry, TypeChange},
    changes::{ChangedType, type_ref},
    diff_context::Compared,
};

/// How many outlines are given.
const MAX_OUTLINES: usize = 60;

/// Bases, interfaces and types in the signatures of changed types, most named first.
pub(crate) fn to_read(
    compared: &Compared,
    changed: &[ChangedType],
) -> Result<Vec<Outline>, QueryError> {
    let is_changed: FxHashSet<TypeKey> = changed.iter().map(|ty| ty.key).collect();
    let mut wanted: BTreeMap<TypeKey, (u32, &str)> = BTreeMap::new();
    let of_new = (changed.par_iter())
        .filter(|ty| ty.class <= ChangeClass::Internal)
        .filter_map(|ty| Some((ty.key, ty.new.as_ref()?)));
    let edges = of_new.map(|(key, node)| Ok((node, compared.new.edges(key)?)));
    for (node, edges) in edges.collect::<Result<Vec<_>, QueryError>>()? {
        for edge in edges
            .source
            .iter()
            .filter(|edge| edge.kinds.is_structural())
        {
            let is_base = edge.kinds.contains(EdgeKind::Inherits)
                || edge.kinds.contains(EdgeKind::Implements);
            let weight = if is_base { 10 } else { 1 };
            let only_nested = edge
                .kinds
                .iter()
                .filter(|kind| kind.is_structural())
                .all(|kind| kind == EdgeKind::Nested);
            if only_nested || is_changed.contains(&edge.target) {
                continue;
            }
            let entry = wanted.entry(edge.target).or_insert((0, node.fqn.as_str()));
            entry.0 += weight;
        }
    }
    let mut ranked: Vec<_> = wanted.into_iter().collect();
    ranked.sort_by_key(|&(key, (weight, _))| (std::cmp::Reverse(weight), key));
    let mut out = Vec::new();
    for (key, (_, because)) in ranked.into_iter().take(MAX_OUTLINES) {
        let Some(node) = compared.new.type_node(key)? else {
            continue;
        };
        let part = node.parts.first();
        let members = node
            .members
            .iter()
            .filter(|member| member.accessibility.is_visible());
        out.push(Outline {
            ty: type_ref(&compared.new, key, &node)?,
            signature: node.signature.clone(),
            because: because.to_owned(),
            path: part.map_or_else(|| RepoPath::from(""), |part| part.path.clone()),
            line: part.map_or(1, |part| part.line),
            members: members
                .map(|member| {
                    format!(
                        "{} {}{}{}",
                        member.accessibility, member.head, member.name, member.tail
                    )
                })
                .collect(),
        });
    }
    Ok(out)
}

/// Outlines, semantics and packs under `.context/` that speak of a changed type, by path.
pub(crate) fn stale(compared: &Compared, types: &[TypeChange]) -> Vec<StaleEntry> {
    let Some(tree) = &compared.context_files else {
        return Vec::new();
    };
    let mut out = Vec::new();
    for path in tree {
        let named = types
            .iter()
            .find(|ty| path.file_name().contains(ty.ty.id.as_str()));
        if let Some(ty) = named.filter(|ty| ty.class < ChangeClass::Cosmetic) {
            out.push(StaleEntry {
                path: path.clone(),
                reason: format!("{} changed ({})", ty.ty.name, ty.class),
            });
        }
    }
    out
}
