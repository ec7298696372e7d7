//! What a symbol stands below and above: bases and derived types, overridden and overriding members,
//! implementations.
//!
//! Owns: the answers of `hierarchy`, `implementations` and `overrides`. Must not know: how a family is read.

use crate::bounded::{Bounded, limits_of_found};
use crate::{
    QueryError,
    calls::Wheres,
    drawing::Drawing,
    family::{self, derives},
    subject::{Asked, find_asked},
    usages::id_of,
    viewpoint::Viewpoint,
};
use cortex_derived::{doc_ids::DocIds, target::Target};
use cortex_wire::{Kinship, RelativeEntry, RelativesAnswer, Where};

use cortex_wire::{FamilyRelation, Relation, SymbolKind};

use std::collections::BTreeMap;

use cortex_bind::{PartRef, TypeText};
use cortex_index::{Snapshot, TypeHeader};
use cortex_model::{EdgeKind, RepoPath, TypeKey, TypeKind, simple_name};
use rayon::prelude::*;
use rustc_hash::FxHashSet;

/// Finds the relatives of what `text` means.
///
/// # Errors
/// Those of [`crate::subject::find_symbol`].
pub fn relatives(
    view: &Viewpoint<'_>,
    text: &str,
    kinship: Kinship,
) -> Result<Bounded<RelativesAnswer>, QueryError> {
    let asked = find_asked(view, text)?;
    let mut ids = DocIds::new(view.snapshot());
    let (mut up, mut down) = (Vec::new(), Vec::new());
    let keys: Vec<TypeKey> = (asked.targets.iter())
        .filter_map(|target| match target {
            Target::Type(key) => Some(*key),
            Target::Member(..) => None,
        })
        .collect();
    for &key in &keys {
        match kinship {
            Kinship::Implementations => of_type_down(view, key, &mut down)?,
            Kinship::Hierarchy => {
                of_type_up(view, key, &mut up)?;
                of_type_down(view, key, &mut down)?;
            }
            Kinship::Overrides => {
                let Some(own) = ids.ty(key)? else { continue };
                let members: Vec<Target> = (own.symbols.tags())
                    .map(|tag| Target::Member(key, tag))
                    .collect();
                of_members(view, &mut ids, &members, &mut up, &mut down)?;
            }
        }
    }
    if keys.is_empty() {
        of_members(view, &mut ids, &asked.targets, &mut up, &mut down)?;
    }
    let is_down_alone = kinship == Kinship::Implementations;
    if is_down_alone {
        up.clear();
    }
    for list in [&mut up, &mut down] {
        let mut seen: FxHashSet<(String, Option<RepoPath>)> = FxHashSet::default();
        list.sort_by(|a: &RelativeEntry, b| {
            let key = |it: &RelativeEntry| (it.depth, it.doc_id.clone(), it.nearer.clone());
            key(a).cmp(&key(b)).then_with(|| a.at.cmp(&b.at))
        });
        list.retain(|it| {
            let at = it.at.as_ref().map(|at| at.file.clone());
            seen.insert((it.doc_id.clone(), at))
        });
    }
    // Overriding is asked for; implementing is counted.
    let [n_implements, n_implementations] = match kinship {
        Kinship::Overrides => [&mut up, &mut down].map(|list: &mut Vec<RelativeEntry>| {
            let n_all = list.len();
            list.retain(|it| it.relation == Relation::Overrides);
            n_all - list.len()
        }),
        Kinship::Implementations | Kinship::Hierarchy => [0, 0],
    };
    if !view.filter.is_everything() {
        hide_others(&asked, &mut ids, &mut up, &mut down)?;
    }
    let (n_up, n_down) = (up.len(), down.len());
    up.truncate(view.limits.n_items);
    down.truncate(view.limits.n_items);
    let n_items = [up.len() + down.len(), n_up + n_down];
    let limits = limits_of_found(
        "find related types and members",
        n_items,
        view.limits.is_over(),
    )?;
    let Asked { subject, .. } = asked;
    let answer = RelativesAnswer {
        subject,
        up,
        down,
        n_up,
        n_down,
        n_implements,
        n_implementations,
        kinship,
    };
    Ok(Bounded { answer, limits })
}

/// Leaves out the names of relatives on the way that are not told themselves.
fn hide_others(
    asked: &Asked,
    ids: &mut DocIds<'_>,
    up: &mut [RelativeEntry],
    down: &mut [RelativeEntry],
) -> Result<(), QueryError> {
    let mut told: FxHashSet<String> = FxHashSet::default();
    told.extend(asked.subject.resolved.doc_id.clone());
    for &target in &asked.targets {
        told.extend(id_of(ids, target)?);
        // Of a type, the relatives of each of its members are told.
        if let Target::Type(key) = target
            && let Some(own) = ids.ty(key)?
        {
            told.extend((0..own.symbols.members.len()).map(|at| own.member(at)));
        }
    }
    for list in [up, down] {
        let own: FxHashSet<String> = list.iter().map(|it| it.doc_id.clone()).collect();
        let may_tell = |id: &String| told.contains(id) || own.contains(id);
        for entry in list {
            entry.nearer = entry.nearer.take().filter(may_tell);
        }
    }
    Ok(())
}

/// The relatives of members.
fn of_members(
    view: &Viewpoint<'_>,
    ids: &mut DocIds<'_>,
    targets: &[Target],
    up: &mut Vec<RelativeEntry>,
    down: &mut Vec<RelativeEntry>,
) -> Result<(), QueryError> {
    let mut wheres = Wheres::default();
    // What does not pass, with the nearest one that is told instead.
    let mut instead: BTreeMap<String, String> = BTreeMap::new();
    for relative in family::relatives(ids, targets)? {
        let (is_up, relation) = match relative.relation {
            FamilyRelation::Overridden => (true, Relation::Overrides),
            FamilyRelation::Implemented => (true, Relation::Implements),
            FamilyRelation::Override => (false, Relation::Overrides),
            FamilyRelation::Implementation => (false, Relation::Implements),
        };
        let at = match relative.target {
            Some(target) => wheres.of(view, ids, target)?,
            None => None,
        };
        let owner = match relative.target {
            Some(Target::Member(owner, _) | Target::Type(owner)) => Some(owner),
            None => None,
        };
        let passes = match &at {
            Some(at) => view.filter.has_line(&at.file, &at.project, at.line),
            None => is_up && view.filter.has_outside(),
        };
        let nearer = instead.get(&relative.nearer).cloned();
        let nearer = nearer.unwrap_or(relative.nearer);
        if !passes {
            instead.insert(relative.doc_id, nearer);
            continue;
        }
        let stands_elsewhere = relation == Relation::Implements
            && owner.is_some_and(|it| it != relative.at)
            && passes_type(view, relative.at)?;
        let inside = stands_elsewhere.then(|| ids.of(relative.at, None));
        let entry = RelativeEntry {
            frameworks: Vec::new(),
            kind: match (&at, relative.target) {
                (None, None) => SymbolKind::External,
                _ => crate::subject::kind_of_id(&relative.doc_id),
            },
            doc_id: relative.doc_id,
            relation,
            depth: relative.depth,
            nearer: Some(nearer),
            at,
            assembly: None,
            inside: inside.transpose()?.flatten(),
        };
        if is_up { &mut *up } else { &mut *down }.push(entry);
    }
    Ok(())
}

/// All types that derive from a type.
fn of_type_down(
    view: &Viewpoint<'_>,
    key: TypeKey,
    out: &mut Vec<RelativeEntry>,
) -> Result<(), QueryError> {
    let snapshot = view.snapshot();
    let mut names: BTreeMap<TypeKey, String> = BTreeMap::new();
    let Some(first) = snapshot.type_header(key)? else {
        return Ok(());
    };
    names.insert(key, doc_id(&first));
    let mut seen: FxHashSet<TypeKey> = FxHashSet::from_iter([key]);
    let mut ring = vec![key];
    let mut depth = 0;
    while !ring.is_empty() && !view.limits.is_over() {
        depth += 1;
        let found = ring.par_iter().with_min_len(4).map(|&base| {
            let mut found = Vec::new();
            let Some(own) = snapshot.type_header(base)? else {
                return Ok(found);
            };
            for (user, kinds) in snapshot.dependents(base)? {
                if !derives(kinds) {
                    continue;
                }
                let header = snapshot.type_header(user)?;
                let header = header.filter(|it| is_base(it, base, &own.fqn));
                found.extend(header.map(|it| (user, base, it)));
            }
            Ok(found)
        });
        let found = found.collect::<Result<Vec<_>, QueryError>>()?;
        ring.clear();
        for (user, base, header) in found.into_iter().flatten() {
            if !seen.insert(user) {
                continue;
            }
            ring.push(user);
            let id = doc_id(&header);
            let nearer = names.get(&base).cloned().unwrap_or_default();
            let Some(part) = view.filter.part_of(&header) else {
                // Who is told next is below the one that is told before.
                names.insert(user, nearer);
                continue;
            };
            names.insert(user, id.clone());
            let is_interface = snapshot
                .type_header(base)?
                .is_some_and(|it| it.kind == TypeKind::Interface);
            out.push(RelativeEntry {
                frameworks: Vec::new(),
                doc_id: id,
                kind: header.kind.into(),
                relation: if is_interface {
                    Relation::Implements
                } else {
                    Relation::Inherits
                },
                depth,
                nearer: Some(nearer),
                at: Some(place_of(&header, part)),
                assembly: None,
                inside: None,
            });
        }
        ring.sort_unstable();
    }
    Ok(())
}

/// All bases of a type, those from outside as far as the repository names them.
fn of_type_up(
    view: &Viewpoint<'_>,
    key: TypeKey,
    out: &mut Vec<RelativeEntry>,
) -> Result<(), QueryError> {
    let snapshot = view.snapshot();
    let mut seen: FxHashSet<TypeKey> = FxHashSet::from_iter([key]);
    // With each, the one nearest to it on the way that is told.
    let mut ring = vec![(key, None)];
    let mut depth = 0;
    while !ring.is_empty() {
        depth += 1;
        let mut next = Vec::new();
        for (ty, told) in ring {
            let Some(node) = snapshot.type_header(ty)? else {
                continue;
            };
            let nearer: String = told.unwrap_or_else(|| doc_id(&node));
            let mut bases = node.bases.clone();
            for edge in &snapshot.symbols(ty)?.signature.source {
                if derives(edge.kinds) && !bases.contains(&edge.target) {
                    bases.push(edge.target);
                }
            }
            for base in bases {
                let header = snapshot.type_header(base)?;
                let Some(header) = header.filter(|it| is_base(&node, base, &it.fqn)) else {
                    continue;
                };
                if !seen.insert(base) {
                    continue;
                }
                let Some(part) = view.filter.part_of(&header) else {
                    next.push((base, Some(nearer.clone())));
                    continue;
                };
                next.push((base, None));
                out.push(RelativeEntry {
                    frameworks: Vec::new(),
                    doc_id: doc_id(&header),
                    kind: header.kind.into(),
                    relation: match header.kind {
                        TypeKind::Interface => Relation::Implements,
                        _ => Relation::Inherits,
                    },
                    depth,
                    nearer: Some(nearer.clone()),
                    at: Some(place_of(&header, part)),
                    assembly: None,
                    inside: None,
                });
            }
            if !view.filter.is_everything() {
                continue;
            }
            for (id, assembly, relation) in external_bases(snapshot, ty, &node)? {
                out.push(RelativeEntry {
                    frameworks: Vec::new(),
                    doc_id: id,
                    kind: SymbolKind::External,
                    relation,
                    depth,
                    nearer: Some(nearer.clone()),
                    at: None,
                    assembly: Some(assembly),
                    inside: None,
                });
            }
        }
        ring = next;
    }
    Ok(())
}

/// Whether a type derives from another directly, given that it names it among its bases: an argument of a base is
/// none.
fn is_base(header: &TypeHeader, base: TypeKey, fqn: &str) -> bool {
    header.bases.contains(&base)
        || written_bases(header)
            .iter()
            .any(|base| *base == simple_name(fqn))
}

/// The bases of a type that are from outside: id, assembly and relation.
fn external_bases(
    snapshot: &Snapshot,
    key: TypeKey,
    header: &TypeHeader,
) -> Result<Vec<(String, String, Relation)>, QueryError> {
    let written = written_bases(header);
    let mut out = Vec::new();
    for edge in &snapshot.symbols(key)?.signature.external {
        // Arguments of bases are of the same kind, and are not written as bases.
        let name = edge.id.get(2..).unwrap_or_default();
        let is_base = derives(edge.kinds) && written.iter().any(|base| *base == simple_name(name));
        if is_base {
            let relation = match edge.kinds.contains(EdgeKind::Implements) {
                true => Relation::Implements,
                false => Relation::Inherits,
            };
            out.push((edge.id.to_string(), edge.assembly.to_string(), relation));
        }
    }
    Ok(out)
}

/// The simple names of the bases as written.
fn written_bases(header: &TypeHeader) -> Vec<&str> {
    let bases = header.base_list.iter();
    bases.map(TypeText::simple_name).collect()
}

fn doc_id(header: &TypeHeader) -> String {
    format!("T:{}", header.fqn.replace('+', "."))
}

fn place_of(header: &TypeHeader, part: &PartRef) -> Where {
    Where {
        file: part.path.clone(),
        line: part.line,
        project: header.project.clone(),
    }
}

fn passes_type(view: &Viewpoint<'_>, key: TypeKey) -> Result<bool, QueryError> {
    let header = view.snapshot().type_header(key)?;
    Ok(header.is_some_and(|header| view.filter.part_of(&header).is_some()))
}

/// The relatives as a graph, the lower one pointing to the upper one.
pub fn draw_relatives(answer: &RelativesAnswer) -> Drawing {
    let mut out = Drawing::default();
    let own = answer.subject.resolved.doc_id.clone();
    let own = own.unwrap_or_else(|| answer.subject.resolved.path.clone());
    let start = out.node(
        &own,
        &answer.subject.resolved.path,
        answer.subject.resolved.kind.word(),
    );
    let of = |out: &mut Drawing, id: &Option<String>| match id {
        Some(id) => out.find(id).unwrap_or(start),
        None => out.outside(),
    };
    for entry in &answer.up {
        let lower = of(&mut out, &entry.nearer);
        let upper = out.node(&entry.doc_id, &entry.doc_id, entry.kind.word());
        out.edge(lower, upper, entry.relation.word());
    }
    for entry in &answer.down {
        let upper = of(&mut out, &entry.nearer);
        let lower = out.node(&entry.doc_id, &entry.doc_id, entry.kind.word());
        out.edge(lower, upper, entry.relation.word());
    }
    out
}
