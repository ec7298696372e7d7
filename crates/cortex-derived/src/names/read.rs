//! Names read off a snapshot: its types, the facts of their files, and the texts for columns.

use crate::{
    DerivedError,
    names::{MemberRow, Spot, TypeRow, sort},
    source::Source,
};

use std::collections::BTreeMap;

use cortex_bind::{MemberNode, TypeNode, main_part};
use cortex_index::Snapshot;
use cortex_model::{DeclKind, LineTable, RepoPath, TypeKey};
use cortex_syntax::{FileFacts, Sections, text::decode};
use rayon::prelude::*;

/// So many files are read by one thread with one reader.
const N_TOGETHER: usize = 64;

/// All of them, in order.
pub(crate) fn all(source: &Source<'_>) -> Result<Vec<TypeRow>, DerivedError> {
    let mut rows = rows_of(source, source.snapshot().types()?)?;
    sort(&mut rows);
    Ok(rows)
}

/// Those of some types, as far as they exist.
pub(crate) fn some(source: &Source<'_>, keys: &[TypeKey]) -> Result<Vec<TypeRow>, DerivedError> {
    let mut types = Vec::with_capacity(keys.len());
    for &key in keys {
        types.extend(source.snapshot().type_node(key)?.map(|node| (key, node)));
    }
    rows_of(source, types)
}

/// Whether a member can be looked for by a name of its own.
pub fn has_name(member: &MemberNode) -> bool {
    !member.name.is_empty()
        && !matches!(
            member.kind,
            DeclKind::Constructor
                | DeclKind::StaticConstructor
                | DeclKind::Finalizer
                | DeclKind::Operator
                | DeclKind::Conversion
                | DeclKind::Indexer
                | DeclKind::TopLevel
        )
}

/// What is looked for in one file: the name of a type, or of a member of it.
#[derive(Clone, Copy)]
struct Sought {
    ty: usize,
    member: Option<usize>,
}

fn rows_of(
    source: &Source<'_>,
    types: Vec<(TypeKey, TypeNode)>,
) -> Result<Vec<TypeRow>, DerivedError> {
    let snapshot = source.snapshot();
    let mut sought: BTreeMap<(&RepoPath, &RepoPath), Vec<Sought>> = BTreeMap::new();
    for (ty, (_, node)) in types.iter().enumerate() {
        if let Some(part) = main_part(&node.fqn, &node.parts) {
            let in_file = sought
                .entry((&part.path, node.project_of(part)))
                .or_default();
            in_file.push(Sought { ty, member: None });
        }
        for (at, member) in node
            .members
            .iter()
            .enumerate()
            .filter(|(_, it)| has_name(it))
        {
            if let Some(part) = node.parts.get(member.part as usize) {
                let in_file = sought
                    .entry((&part.path, node.project_of(part)))
                    .or_default();
                in_file.push(Sought {
                    ty,
                    member: Some(at),
                });
            }
        }
    }
    let sought: Vec<_> = sought.into_iter().collect();
    let found = sought.par_chunks(N_TOGETHER).map(|files| {
        let mut reader = source.blobs();
        let mut out: Vec<(Sought, u32, u32)> = Vec::new();
        for ((path, project), sought) in files {
            let Some(file) = snapshot.file(path)? else {
                continue;
            };
            let Some(facts) = snapshot.facts(&file, project, Sections::Declarations)? else {
                continue;
            };
            let text = reader.read_blob(file.blob)?;
            let lines = LineTable::new(decode(&text).as_bytes());
            for &it in sought {
                let node = &types[it.ty].1;
                let at = match it.member {
                    Some(member) => offset_of_member(&facts, &node.members[member]),
                    None => offset_of_type(&facts, node),
                };
                if let Some(offset) = at {
                    let at = lines.position(offset);
                    out.push((it, at.line, at.column));
                }
            }
        }
        Ok(out)
    });
    let found = found.collect::<Result<Vec<_>, DerivedError>>()?;
    let fan_in = types.par_iter().with_min_len(N_TOGETHER);
    let fan_in = fan_in.map(|(key, _)| fan_in_of(snapshot, *key));
    let fan_in = fan_in.collect::<Result<Vec<u32>, DerivedError>>()?;
    let mut rows: Vec<TypeRow> = (types.iter().zip(fan_in))
        .map(|((key, node), fan_in)| row(*key, node, fan_in))
        .collect();
    for (it, line, column) in found.into_iter().flatten() {
        let row = &mut rows[it.ty];
        let spot = match it.member {
            None => Some(&mut row.at),
            Some(at) => (row.members.iter_mut())
                .find(|member| member.at as usize == at)
                .map(|member| &mut member.spot),
        };
        if let Some(spot) = spot {
            (spot.line, spot.column) = (line, column);
        }
    }
    Ok(rows)
}

fn fan_in_of(snapshot: &Snapshot, key: TypeKey) -> Result<u32, DerivedError> {
    Ok(snapshot.dependents(key)?.len() as u32)
}

/// The name of a member without the interface that it implements explicitly.
pub fn last_part(name: &str) -> &str {
    name.rsplit('.').next().unwrap_or(name)
}

/// The row of a type whose positions are not known yet: lines of types.
fn row(key: TypeKey, node: &TypeNode, fan_in: u32) -> TypeRow {
    let spot = |part: usize| {
        let part = node.parts.get(part);
        Spot {
            path: part.map_or_else(|| RepoPath::from(""), |part| part.path.clone()),
            line: part.map_or(1, |part| part.line),
            column: 1,
        }
    };
    let members = node.members.iter().enumerate();
    TypeRow {
        key,
        fqn: node.fqn.clone(),
        kind: node.kind,
        accessibility: node.effective,
        project: node.project.clone(),
        at: spot(0),
        fan_in,
        members: members
            .filter(|(_, member)| has_name(member))
            .map(|(at, member)| MemberRow {
                name: last_part(&member.name).to_owned(),
                kind: member.kind,
                accessibility: member.accessibility.min(node.effective),
                at: at as u32,
                spot: spot(member.part as usize),
            })
            .collect(),
    }
}

fn offset_of_member(facts: &FileFacts, member: &MemberNode) -> Option<u32> {
    Some(facts.decls.get(member.decl as usize)?.name_range.start)
}

/// The name of a type's first declaration.
fn offset_of_type(facts: &FileFacts, node: &TypeNode) -> Option<u32> {
    let part = main_part(&node.fqn, &node.parts)?;
    let decl = facts.decls.iter().find(|it| it.range == part.range)?;
    Some(decl.name_range.start)
}
