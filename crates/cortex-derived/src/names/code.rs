//! Names as bytes, for later processes, read where they lie.
//!
//! Owns: the form. Must not know: where bytes are kept. What was cut short is refused; that bytes are those that were
//! written is for those to check who keep them.
//!
//! ```text
//! table := head  paths  projects  types  names
//! head := version  length  { count  ends  start } for paths, projects, types  start of names     each u32
//! paths, projects := { text }, then where each ends                                           u32 each
//! types := { key:14  kind  accessibility  project  path  line  column  fan-in  name }, then where each ends
//! names := count { shared  length  text  length { type  what  member  path  line  column } }
//! ```
//! Numbers without a width are LEB128. A name stands once, without what it shares with the one before, and with
//! everything that is called so behind it. Types and paths are read one by one, names from the first to the last.

use crate::names::{MemberRow, Spot, TypeRow};

use std::collections::BTreeMap;

use cortex_model::{
    Accessibility, DeclKind, RepoPath, TypeKey, TypeKind, put_varint, simple_name, take_varint,
};

/// The version of the form and of what it says.
const VERSION: u32 = 2;

/// In place of what a member is: the type itself. Else the kind in the upper five bits, the accessibility below.
const TYPE: u8 = u8::MAX;

/// Numbers of the head.
const N_HEAD: usize = 12;

/// All names of a snapshot.
pub struct NameTable {
    bytes: Vec<u8>,
    paths: Section,
    projects: Section,
    types: Section,
    /// Where the names begin.
    names: usize,
}

/// Records of one kind, each found by its number.
#[derive(Clone, Copy, Default)]
struct Section {
    n: u32,
    /// Where it is said where each ends.
    ends: usize,
    /// Where the first begins.
    start: usize,
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

/// Writes rows, which are in order.
pub(crate) fn encode(rows: &[TypeRow]) -> Vec<u8> {
    let mut paths: BTreeMap<&str, u32> = BTreeMap::new();
    let mut projects: BTreeMap<&str, u32> = BTreeMap::new();
    let mut names: BTreeMap<&str, Vec<(u32, Option<&MemberRow>)>> = BTreeMap::new();
    for (ty, row) in rows.iter().enumerate() {
        paths.insert(row.at.path.as_str(), 0);
        projects.insert(row.project.as_str(), 0);
        let ty = ty as u32;
        names
            .entry(simple_name(&row.fqn))
            .or_default()
            .push((ty, None));
        for member in &row.members {
            paths.insert(member.spot.path.as_str(), 0);
            names
                .entry(&member.name)
                .or_default()
                .push((ty, Some(member)));
        }
    }
    let mut out = vec![0; N_HEAD * 4];
    let mut head = vec![VERSION, 0];
    for texts in [&mut paths, &mut projects] {
        for (number, at) in texts.values_mut().zip(0..) {
            *number = at;
        }
        let texts = texts.keys().map(|text| text.as_bytes().to_vec());
        put_section(&mut out, &mut head, texts);
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
        numbers
            .iter()
            .for_each(|&number| put_varint(&mut out, number));
        out.extend_from_slice(row.fqn.as_bytes());
        out
    });
    put_section(&mut out, &mut head, types);
    head.push(out.len() as u32);
    put_varint(&mut out, names.len() as u32);
    let (mut before, mut found) = ("", Vec::new());
    for (name, all) in &names {
        let shared = before
            .bytes()
            .zip(name.bytes())
            .take_while(|(a, b)| a == b)
            .count();
        put_varint(&mut out, shared as u32);
        put_varint(&mut out, (name.len() - shared) as u32);
        out.extend_from_slice(&name.as_bytes()[shared..]);
        before = name;
        found.clear();
        for (ty, member) in all {
            put_varint(&mut found, *ty);
            let Some(member) = member else {
                found.push(TYPE);
                continue;
            };
            found.push((member.kind as u8) << 3 | member.accessibility as u8);
            let path = &member.spot.path;
            let is_there = *path == rows[*ty as usize].at.path;
            let numbers = [
                member.at,
                if is_there {
                    0
                } else {
                    paths[path.as_str()] + 1
                },
                member.spot.line,
                member.spot.column,
            ];
            numbers
                .iter()
                .for_each(|&number| put_varint(&mut found, number));
        }
        put_varint(&mut out, found.len() as u32);
        out.extend_from_slice(&found);
    }
    head[1] = out.len() as u32;
    for (number, at) in head.iter().zip((0..).step_by(4)) {
        out[at..at + 4].copy_from_slice(&number.to_le_bytes());
    }
    out
}

/// Appends records, then where each ends; to the head, how many there are and where both begin.
fn put_section(out: &mut Vec<u8>, head: &mut Vec<u32>, records: impl Iterator<Item = Vec<u8>>) {
    let start = out.len() as u32;
    let mut ends = Vec::new();
    for record in records {
        out.extend_from_slice(&record);
        ends.push(out.len() as u32);
    }
    head.extend([ends.len() as u32, out.len() as u32, start]);
    ends.iter()
        .for_each(|end| out.extend_from_slice(&end.to_le_bytes()));
}

fn number_at(bytes: &[u8], at: usize) -> Option<u32> {
    let bytes = bytes.get(at..)?.first_chunk()?;
    Some(u32::from_le_bytes(*bytes))
}

fn take_byte(input: &mut &[u8]) -> Option<u8> {
    let (&byte, rest) = input.split_first()?;
    *input = rest;
    Some(byte)
}

impl NameTable {
    /// Reads the head of what [`encode`] wrote; `None` for another version, and where something is missing.
    pub fn decode(bytes: Vec<u8>) -> Option<Self> {
        let mut head = [0; N_HEAD];
        for (nth, number) in head.iter_mut().enumerate() {
            *number = number_at(&bytes, nth * 4)?;
        }
        let section = |at: usize| Section {
            n: head[at],
            ends: head[at + 1] as usize,
            start: head[at + 2] as usize,
        };
        let is_sound = head[0] == VERSION && head[1] as usize == bytes.len();
        is_sound.then_some(Self {
            paths: section(2),
            projects: section(5),
            types: section(8),
            names: head[11] as usize,
            bytes,
        })
    }

    fn record(&self, section: Section, number: u32) -> Option<&[u8]> {
        let ends = section.ends + number as usize * 4;
        let start = match number {
            0 => section.start,
            _ => number_at(&self.bytes, ends - 4)? as usize,
        };
        let end = number_at(&self.bytes, ends)? as usize;
        (number < section.n).then(|| self.bytes.get(start..end))?
    }

    fn text(&self, section: Section, number: u32) -> &str {
        let record = self.record(section, number).unwrap_or_default();
        std::str::from_utf8(record).unwrap_or_default()
    }

    fn try_ty(&self, number: u32) -> Option<NamedType<'_>> {
        let mut input = self.record(self.types, number)?;
        let (key, rest) = input.split_first_chunk::<14>()?;
        input = rest;
        let kind = *TypeKind::ALL.get(usize::from(take_byte(&mut input)?))?;
        let accessibility = *Accessibility::ALL.get(usize::from(take_byte(&mut input)?))?;
        Some(NamedType {
            key: TypeKey::from_bytes(*key),
            kind,
            accessibility,
            project: self.text(self.projects, take_varint(&mut input)?),
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
        self.types.n
    }

    /// The file that a type or member is declared in.
    pub fn path(&self, member: &NamedMember) -> &str {
        self.text(self.paths, member.path)
    }

    /// Calls `each` with every name in UTF-8, in order, and with what reads what is called so; until it says no.
    pub fn each_name(&self, each: &mut dyn FnMut(&[u8], Called<'_>) -> bool) {
        let mut input = self.bytes.get(self.names..).unwrap_or_default();
        let mut read = || -> Option<()> {
            let n = take_varint(&mut input)?;
            let mut name = Vec::new();
            for _ in 0..n {
                let shared = take_varint(&mut input)? as usize;
                let len = take_varint(&mut input)? as usize;
                let (own, rest) = input.split_at_checked(len)?;
                name.truncate(shared);
                name.extend_from_slice(own);
                input = rest;
                let len = take_varint(&mut input)? as usize;
                let (found, rest) = input.split_at_checked(len)?;
                input = rest;
                let called = Called {
                    table: self,
                    bytes: found,
                };
                if !each(&name, called) {
                    break;
                }
            }
            Some(())
        };
        let _ = read();
    }

    /// All rows.
    pub(crate) fn rows(&self) -> Vec<TypeRow> {
        let texts = |section: Section| -> Vec<RepoPath> {
            (0..section.n)
                .map(|at| RepoPath::from(self.text(section, at)))
                .collect()
        };
        let paths = texts(self.paths);
        let spot = |path: u32, line, column| Spot {
            path: paths
                .get(path as usize)
                .cloned()
                .unwrap_or_else(|| RepoPath::from("")),
            line,
            column,
        };
        let mut rows: Vec<TypeRow> = (0..self.types.n)
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
        self.each_name(&mut |name, called| {
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

/// What has one name.
#[derive(Clone, Copy)]
pub struct Called<'t> {
    table: &'t NameTable,
    bytes: &'t [u8],
}

impl Iterator for Called<'_> {
    type Item = NamedMember;

    fn next(&mut self) -> Option<NamedMember> {
        let input = &mut self.bytes;
        let ty = take_varint(input)?;
        let what = take_byte(input)?;
        if what == TYPE {
            let own = self.table.try_ty(ty)?;
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
            None => self.table.try_ty(ty)?.path,
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
