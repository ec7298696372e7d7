//! Names as bytes, for later processes, read where they lie.
//!
//! Owns: the form. Must not know: where bytes are kept. What was cut short is refused; that bytes are those that were
//! written is for those to check who keep them.
//!
//! ```text
//! paths, projects := text
//! types := key:14  kind  accessibility  project  path  line  column  fan-in  name
//! names := { shared  length  text }                            a run of names, the first of which shares nothing
//! called := { type  what  member  path  line  column }         what has the name of that number
//! ```
//! These are the records of five lists of blocks. Numbers without a width are LEB128. A name stands once, without what
//! it shares with the one before in its run. Questions read all names, which are kept as they are read, and little of
//! the rest, which is compressed.

use crate::{
    blocks::{self, Blocks, Packing},
    kept::{Part, Parts},
    names::{MemberRow, Spot, TypeRow},
};

use std::collections::BTreeMap;

use cortex_model::{
    Accessibility, DeclKind, RepoPath, TypeKey, TypeKind, put_varint, simple_name, take_varint,
};

/// The version of the form and of what it says.
pub(crate) const VERSION: u32 = 5;

/// In place of what a member is: the type itself. Else the kind in the upper five bits, the accessibility below.
const TYPE: u8 = u8::MAX;

/// So many names share what they have in common.
const RUN: usize = 128;

/// The parts, as they are kept.
const PARTS: [&str; 5] = ["paths", "projects", "types", "names", "called"];

/// All names of a snapshot.
pub struct NameTable {
    paths: Blocks,
    projects: Blocks,
    types: Blocks,
    names: Blocks,
    called: Blocks,
}

/// A type as a question sees it.
#[derive(Clone, Copy)]
pub struct NamedType<'t> {
    /// Which type it is.
    pub key: TypeKey,
    /// Canonical name.
    pub fqn: &'t str,
    /// Class, struct, and so on.
    pub kind: TypeKind,
    /// The path of its project.
    pub project: &'t str,
    /// How many types depend on it.
    pub fan_in: u32,
    accessibility: Accessibility,
    path: u32,
    line: u32,
    column: u32,
}

/// A type or member of a name.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct NamedMember {
    /// The number of the type.
    pub ty: u32,
    /// `None` for the type itself.
    pub kind: Option<DeclKind>,
    /// Who can see it.
    pub accessibility: Accessibility,
    /// Which of the type's members it is.
    pub at: u32,
    path: u32,
    /// 1-based.
    pub line: u32,
    /// 1-based, in UTF-16 units.
    pub column: u32,
}

/// Writes rows, which are in order: the five lists.
pub(crate) fn encode(rows: &[TypeRow]) -> [Vec<u8>; 5] {
    let mut paths: BTreeMap<&str, u32> = BTreeMap::new();
    let mut projects: BTreeMap<&str, u32> = BTreeMap::new();
    let mut names: BTreeMap<&str, Vec<(u32, Option<&MemberRow>)>> = BTreeMap::new();
    for (ty, row) in rows.iter().enumerate() {
        paths.insert(row.at.path.as_str(), 0);
        projects.insert(row.project.as_str(), 0);
        let ty = ty as u32;
        let of_type = names.entry(simple_name(&row.fqn)).or_default();
        of_type.push((ty, None));
        for member in &row.members {
            paths.insert(member.spot.path.as_str(), 0);
            let of_member = names.entry(&member.name).or_default();
            of_member.push((ty, Some(member)));
        }
    }
    for texts in [&mut paths, &mut projects] {
        for (number, at) in texts.values_mut().zip(0..) {
            *number = at;
        }
    }
    let types = rows.iter().map(|row| {
        let mut out = row.key.as_bytes().to_vec();
        out.push(row.kind as u8);
        out.push(row.accessibility as u8);
        let numbers = [
            projects[row.project.as_str()],
            paths[row.at.path.as_str()],
            row.at.line,
            row.at.column,
            row.fan_in,
        ];
        for number in numbers {
            put_varint(&mut out, number);
        }
        out.extend_from_slice(row.fqn.as_bytes());
        out
    });
    let called = (names.values()).map(|all| encode_called(all, rows, &paths));
    let texts: Vec<&str> = names.keys().copied().collect();
    [
        blocks::encode(paths.keys(), Packing::Fast),
        blocks::encode(projects.keys(), Packing::Fast),
        blocks::encode(types, Packing::Fast),
        blocks::encode(texts.chunks(RUN).map(encode_run), Packing::None),
        blocks::encode(called, Packing::Fast),
    ]
}

/// Names in order, each without what it shares with the one before.
fn encode_run(names: &[&str]) -> Vec<u8> {
    let (mut out, mut before) = (Vec::new(), "");
    for name in names {
        let pairs = before.bytes().zip(name.bytes());
        let shared = pairs.take_while(|(a, b)| a == b).count();
        put_varint(&mut out, shared as u32);
        put_varint(&mut out, (name.len() - shared) as u32);
        out.extend_from_slice(&name.as_bytes()[shared..]);
        before = name;
    }
    out
}

/// The types and members of one name.
fn encode_called(
    all: &[(u32, Option<&MemberRow>)],
    rows: &[TypeRow],
    paths: &BTreeMap<&str, u32>,
) -> Vec<u8> {
    let mut out = Vec::new();
    for (ty, member) in all {
        put_varint(&mut out, *ty);
        let Some(member) = member else {
            out.push(TYPE);
            continue;
        };
        out.push((member.kind as u8) << 3 | member.accessibility as u8);
        let path = &member.spot.path;
        let path = match *path == rows[*ty as usize].at.path {
            true => 0,
            false => paths[path.as_str()] + 1,
        };
        for number in [member.at, path, member.spot.line, member.spot.column] {
            put_varint(&mut out, number);
        }
    }
    out
}

fn take_byte(input: &mut &[u8]) -> Option<u8> {
    let (&byte, rest) = input.split_first()?;
    *input = rest;
    Some(byte)
}

fn text(blocks: &Blocks, number: u32) -> &str {
    let record = blocks.get(number).unwrap_or_default();
    std::str::from_utf8(record).unwrap_or_default()
}

impl NameTable {
    /// Opens what [`encode`] wrote; `None` where something is missing.
    pub(crate) fn decode(parts: [Vec<u8>; 5]) -> Option<Self> {
        let [paths, projects, types, names, called] = parts;
        Some(Self {
            paths: Blocks::open(paths)?,
            projects: Blocks::open(projects)?,
            types: Blocks::open(types)?,
            names: Blocks::open(names)?,
            called: Blocks::open(called)?,
        })
    }

    /// Opens what is kept.
    pub(crate) fn open(parts: &Parts<'_>) -> Option<Self> {
        let [paths, projects, types, names, called] = PARTS;
        // The second one is about as large as the other four.
        let (others, called) = rayon::join(
            || [paths, projects, types, names].map(|name| parts.get(name)),
            || parts.get(called),
        );
        let [paths, projects, types, names] = others;
        Self::decode([paths?, projects?, types?, names?, called?])
    }

    /// As it is kept.
    pub(crate) fn parts(&self) -> Vec<Part<'_>> {
        let all = [
            &self.paths,
            &self.projects,
            &self.types,
            &self.names,
            &self.called,
        ];
        let parts = PARTS.into_iter().zip(all);
        parts
            .map(|(name, blocks)| Part::in_place(name, blocks.bytes()))
            .collect()
    }

    /// How much memory it takes, about.
    pub(crate) fn n_bytes(&self) -> usize {
        self.parts().iter().map(|part| part.bytes.len() * 2).sum()
    }

    fn try_ty(&self, number: u32) -> Option<NamedType<'_>> {
        let mut input = self.types.get(number)?;
        let (key, rest) = input.split_first_chunk::<14>()?;
        input = rest;
        let kind = *TypeKind::ALL.get(usize::from(take_byte(&mut input)?))?;
        let accessibility = *Accessibility::ALL.get(usize::from(take_byte(&mut input)?))?;
        Some(NamedType {
            key: TypeKey::from_bytes(*key),
            kind,
            accessibility,
            project: text(&self.projects, take_varint(&mut input)?),
            path: take_varint(&mut input)?,
            line: take_varint(&mut input)?,
            column: take_varint(&mut input)?,
            fan_in: take_varint(&mut input)?,
            fqn: std::str::from_utf8(input).ok()?,
        })
    }

    /// A type by its number.
    pub fn ty(&self, number: u32) -> NamedType<'_> {
        // No question gets here with a number that the table has not given.
        self.try_ty(number).unwrap_or(NamedType {
            key: TypeKey::from_bytes([0; 14]),
            fqn: "",
            kind: TypeKind::Class,
            project: "",
            fan_in: 0,
            accessibility: Accessibility::Private,
            path: 0,
            line: 0,
            column: 0,
        })
    }

    /// How many types there are; their numbers go by canonical name.
    pub fn n_types(&self) -> u32 {
        self.types.len()
    }

    /// The file that a type or member is declared in.
    pub fn path(&self, member: &NamedMember) -> &str {
        text(&self.paths, member.path)
    }

    /// How many runs of names there are.
    pub fn n_runs(&self) -> u32 {
        self.names.len()
    }

    /// Calls `each` with every name in UTF-8, in order, with how many bytes it shares with the one before, and with what
    /// reads what is called so; until it says no.
    pub fn each_name(&self, each: &mut dyn FnMut(&[u8], usize, Called<'_>) -> bool) {
        self.each_name_of(0..self.n_runs(), each);
    }

    /// The same for some runs. The first name of a run shares nothing.
    pub fn each_name_of(
        &self,
        runs: std::ops::Range<u32>,
        each: &mut dyn FnMut(&[u8], usize, Called<'_>) -> bool,
    ) {
        let mut name = Vec::new();
        let mut number = runs.start * RUN as u32;
        for run in runs {
            let mut input = self.names.get(run).unwrap_or_default();
            name.clear();
            while let Some(n_shared) = take_name(&mut input, &mut name) {
                let called = Called {
                    table: self,
                    name: number,
                    rest: None,
                };
                number += 1;
                if !each(&name, n_shared, called) {
                    return;
                }
            }
        }
    }

    /// All rows.
    pub(crate) fn rows(&self) -> Vec<TypeRow> {
        let paths: Vec<RepoPath> = (0..self.paths.len())
            .map(|at| RepoPath::from(text(&self.paths, at)))
            .collect();
        let spot = |path: u32, line, column| Spot {
            path: paths
                .get(path as usize)
                .cloned()
                .unwrap_or_else(|| RepoPath::from("")),
            line,
            column,
        };
        let mut rows: Vec<TypeRow> = (0..self.types.len())
            .map(|number| self.ty(number))
            .map(|ty| TypeRow {
                key: ty.key,
                fqn: ty.fqn.to_owned(),
                kind: ty.kind,
                accessibility: ty.accessibility,
                project: RepoPath::from(ty.project),
                at: spot(ty.path, ty.line, ty.column),
                fan_in: ty.fan_in,
                members: Vec::new(),
            })
            .collect();
        self.each_name(&mut |name, _, called| {
            let name = String::from_utf8_lossy(name);
            for it in called {
                if let (Some(kind), Some(row)) = (it.kind, rows.get_mut(it.ty as usize)) {
                    row.members.push(MemberRow {
                        name: name.clone().into_owned(),
                        kind,
                        accessibility: it.accessibility,
                        at: it.at,
                        spot: spot(it.path, it.line, it.column),
                    });
                }
            }
            true
        });
        for row in &mut rows {
            row.members.sort_by_key(|member| member.at);
        }
        rows
    }
}

/// Takes the next name of a run: what it shares with the one before is in `name` already. How many bytes these are.
fn take_name(input: &mut &[u8], name: &mut Vec<u8>) -> Option<usize> {
    let shared = take_varint(input)? as usize;
    let len = take_varint(input)? as usize;
    let (own, rest) = input.split_at_checked(len)?;
    name.truncate(shared);
    name.extend_from_slice(own);
    *input = rest;
    Some(shared)
}

/// What has one name.
#[derive(Clone, Copy)]
pub struct Called<'t> {
    table: &'t NameTable,
    /// The number of the name.
    name: u32,
    /// What is left of it; `None` before any of it was read.
    rest: Option<&'t [u8]>,
}

impl Iterator for Called<'_> {
    type Item = NamedMember;

    fn next(&mut self) -> Option<NamedMember> {
        let table = self.table;
        let input =
            (self.rest).get_or_insert_with(|| table.called.get(self.name).unwrap_or_default());
        let ty = take_varint(input)?;
        let what = take_byte(input)?;
        if what == TYPE {
            let own = table.try_ty(ty)?;
            return Some(NamedMember {
                ty,
                kind: None,
                accessibility: own.accessibility,
                at: 0,
                path: own.path,
                line: own.line,
                column: own.column,
            });
        }
        let kind = *DeclKind::ALL.get(usize::from(what >> 3))?;
        let accessibility = *Accessibility::ALL.get(usize::from(what & 7))?;
        let at = take_varint(input)?;
        let path = match take_varint(input)?.checked_sub(1) {
            Some(path) => path,
            None => table.try_ty(ty)?.path,
        };
        Some(NamedMember {
            ty,
            kind: Some(kind),
            accessibility,
            at,
            path,
            line: take_varint(input)?,
            column: take_varint(input)?,
        })
    }
}
