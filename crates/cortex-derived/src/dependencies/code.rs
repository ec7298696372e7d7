//! What is kept, as bytes.
//!
//! Owns: the form. Must not know: where bytes are kept. Reading refuses what is cut short or points nowhere.

use crate::dependencies::{
    Dependencies, Dependency, Edges, Project, Type,
    uses::{FileUses, MemberUses, TypeUses, Used, Uses},
};

use cortex_index::MemberTag;
use cortex_model::{
    Accessibility, EdgeKind, EdgeKinds, RepoPath, TypeKey, TypeKind, put_varint, take_varint,
};

/// The version of all three forms and of what they say.
const VERSION: u32 = 1;

pub(crate) fn of_dependencies(all: &Dependencies) -> Vec<u8> {
    let mut out = Vec::with_capacity(all.types.len() * 96);
    put_varint(&mut out, VERSION);
    put_varint(&mut out, all.projects.len() as u32);
    for project in &all.projects {
        put_text(&mut out, project.path.as_str());
        put_text(&mut out, &project.assembly);
        out.push(u8::from(project.is_test));
    }
    put_varint(&mut out, all.paths.len() as u32);
    all.paths
        .iter()
        .for_each(|path| put_text(&mut out, path.as_str()));
    put_varint(&mut out, all.types.len() as u32);
    for ty in &all.types {
        out.extend_from_slice(ty.key.as_bytes());
        put_text(&mut out, &ty.fqn);
        out.push(ty.kind as u8);
        out.push(ty.effective as u8);
        [ty.project, ty.path, ty.line]
            .into_iter()
            .for_each(|it| put_varint(&mut out, it));
    }
    out
}

pub(crate) fn of_edges(edges: &Edges) -> Vec<u8> {
    let mut out = Vec::with_capacity(edges.keys.len() * 14 + edges.all.len() * 5);
    put_varint(&mut out, VERSION);
    put_varint(&mut out, edges.keys.len() as u32);
    for key in &edges.keys {
        out.extend_from_slice(key.as_bytes());
    }
    for at in 0..edges.keys.len() {
        let own = edges.of(at);
        put_varint(&mut out, own.len() as u32);
        let mut before = 0;
        for edge in own {
            put_varint(&mut out, edge.target - before);
            put_varint(&mut out, edge.kinds.bits());
            put_varint(&mut out, edge.count);
            before = edge.target;
        }
    }
    out
}

pub(crate) fn to_edges(mut bytes: &[u8]) -> Option<Edges> {
    let input = &mut bytes;
    version(input)?;
    let n_types = count(input)?;
    let mut out = Edges::default();
    out.keys.reserve(n_types);
    for _ in 0..n_types {
        out.keys.push(key(input)?);
    }
    out.starts.push(0);
    for _ in 0..n_types {
        let mut before = 0u32;
        for _ in 0..count(input)? {
            before = before.checked_add(take_varint(input)?)?;
            out.all.push(Dependency {
                target: Some(before).filter(|&it| (it as usize) < n_types)?,
                kinds: kinds(take_varint(input)?),
                count: take_varint(input)?,
            });
        }
        out.starts.push(out.all.len() as u32);
    }
    input.is_empty().then_some(out)
}

pub(crate) fn to_dependencies(mut heads: &[u8], edges: Edges) -> Option<Dependencies> {
    let input = &mut heads;
    version(input)?;
    let mut out = Dependencies {
        edges,
        ..Dependencies::default()
    };
    for _ in 0..count(input)? {
        out.projects.push(Project {
            path: RepoPath::from(text(input)?),
            assembly: text(input)?.to_owned(),
            is_test: byte(input)? != 0,
        });
    }
    for _ in 0..count(input)? {
        out.paths.push(RepoPath::from(text(input)?));
    }
    let n_types = count(input)?;
    out.types.reserve(n_types);
    for _ in 0..n_types {
        out.types.push(Type {
            key: key(input)?,
            fqn: text(input)?.to_owned(),
            kind: *TypeKind::ALL.get(usize::from(byte(input)?))?,
            effective: *Accessibility::ALL.get(usize::from(byte(input)?))?,
            project: below(input, out.projects.len())?,
            path: below(input, out.paths.len())?,
            line: take_varint(input)?,
        });
    }
    let are_same = out
        .types
        .iter()
        .map(|ty| ty.key)
        .eq(out.edges.keys.iter().copied());
    (input.is_empty() && are_same).then_some(out)
}

pub(crate) fn of_uses(all: &Uses) -> Vec<u8> {
    let mut out = Vec::new();
    put_varint(&mut out, VERSION);
    put_varint(&mut out, all.types.len() as u32);
    for ty in &all.types {
        [ty.outside, ty.tests, ty.docs]
            .into_iter()
            .for_each(|it| put_varint(&mut out, it));
        put_varint(&mut out, ty.members.len() as u32);
        for member in &ty.members {
            out.extend_from_slice(&member.tag.0.to_le_bytes());
            [member.outside, member.tests, member.inside]
                .into_iter()
                .for_each(|it| put_varint(&mut out, it));
        }
    }
    out
}

pub(crate) fn to_uses(mut bytes: &[u8]) -> Option<Uses> {
    let input = &mut bytes;
    version(input)?;
    let mut out = Uses::default();
    for _ in 0..count(input)? {
        let mut ty = TypeUses {
            outside: take_varint(input)?,
            tests: take_varint(input)?,
            docs: take_varint(input)?,
            members: Vec::new(),
        };
        for _ in 0..count(input)? {
            ty.members.push(MemberUses {
                tag: tag(input)?,
                outside: take_varint(input)?,
                tests: take_varint(input)?,
                inside: take_varint(input)?,
            });
        }
        out.types.push(ty);
    }
    input.is_empty().then_some(out)
}

pub(crate) fn of_files(all: &[FileUses]) -> Vec<u8> {
    let mut out = Vec::new();
    put_varint(&mut out, VERSION);
    put_varint(&mut out, all.len() as u32);
    for file in all {
        out.extend_from_slice(&file.path.to_le_bytes());
        out.push(u8::from(file.is_test));
        put_varint(&mut out, file.used.len() as u32);
        let mut before: Option<TypeKey> = None;
        for used in &file.used {
            // What is used of one type stands together.
            let is_same = before == Some(used.key);
            out.push(u8::from(is_same) | u8::from(used.member.is_some()) << 1);
            if !is_same {
                out.extend_from_slice(used.key.as_bytes());
            }
            used.member
                .iter()
                .for_each(|tag| out.extend_from_slice(&tag.0.to_le_bytes()));
            [used.outside, used.inside, used.docs]
                .into_iter()
                .for_each(|it| put_varint(&mut out, it));
            before = Some(used.key);
        }
    }
    out
}

pub(crate) fn to_files(mut bytes: &[u8]) -> Option<Vec<FileUses>> {
    let input = &mut bytes;
    version(input)?;
    let mut out = Vec::new();
    for _ in 0..count(input)? {
        let (path, rest) = input.split_first_chunk()?;
        *input = rest;
        let mut file = FileUses {
            path: u64::from_le_bytes(*path),
            is_test: byte(input)? != 0,
            used: Vec::new(),
        };
        let mut before: Option<TypeKey> = None;
        for _ in 0..count(input)? {
            let flags = byte(input)?;
            let key = if flags & 1 != 0 { before? } else { key(input)? };
            file.used.push(Used {
                key,
                member: if flags & 2 != 0 {
                    Some(tag(input)?)
                } else {
                    None
                },
                outside: take_varint(input)?,
                inside: take_varint(input)?,
                docs: take_varint(input)?,
            });
            before = Some(key);
        }
        out.push(file);
    }
    input.is_empty().then_some(out)
}

fn version(input: &mut &[u8]) -> Option<()> {
    (take_varint(input)? == VERSION).then_some(())
}

fn put_text(out: &mut Vec<u8>, text: &str) {
    put_varint(out, text.len() as u32);
    out.extend_from_slice(text.as_bytes());
}

fn text<'a>(input: &mut &'a [u8]) -> Option<&'a str> {
    let length = take_varint(input)? as usize;
    let (text, rest) = input.split_at_checked(length)?;
    *input = rest;
    std::str::from_utf8(text).ok()
}

/// A count of things that take a byte each at least.
fn count(input: &mut &[u8]) -> Option<usize> {
    let count = take_varint(input)? as usize;
    (count <= input.len()).then_some(count)
}

fn below(input: &mut &[u8], limit: usize) -> Option<u32> {
    take_varint(input).filter(|&it| (it as usize) < limit)
}

fn byte(input: &mut &[u8]) -> Option<u8> {
    let (&byte, rest) = input.split_first()?;
    *input = rest;
    Some(byte)
}

fn key(input: &mut &[u8]) -> Option<TypeKey> {
    let (key, rest) = input.split_first_chunk()?;
    *input = rest;
    Some(TypeKey::from_bytes(*key))
}

fn tag(input: &mut &[u8]) -> Option<MemberTag> {
    let (tag, rest) = input.split_first_chunk()?;
    *input = rest;
    Some(MemberTag(u32::from_le_bytes(*tag)))
}

fn kinds(mut bits: u32) -> EdgeKinds {
    let mut out = EdgeKinds::EMPTY;
    while bits != 0 {
        let lowest = bits.trailing_zeros();
        if let Some(&kind) = EdgeKind::ALL.get(lowest as usize) {
            out = out.with(kind);
        }
        bits &= bits - 1;
    }
    out
}
