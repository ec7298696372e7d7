//! Names as bytes, for later processes, read where they lie.
//!
//! Owns: the form. Must not know: where bytes are kept. Reading refuses what is cut short or points nowhere.
//!
//! ```text
//! table := version  paths  projects  types  names
//! paths, projects := count { front-coded text }
//! types := count { front-coded name  key:14  kind  accessibility  project  path  line  column  fan-in }
//! names := count { front-coded name  length { type  kind  accessibility  member  path  line  column } }
//! ```
//! Numbers are LEB128. A name stands once, with everything that is called so behind it.

use std::collections::BTreeMap;

use cortex_model::{Accessibility, DeclKind, RepoPath, TypeKey, TypeKind, put_varint, take_varint};

use super::{MemberRow, Spot, TypeRow, simple_name};

/// The version of the form and of what it says.
const VERSION: u32 = 1;

/// In place of the kind of a member: the type itself.
const TYPE: u8 = u8::MAX;

/// All names of a snapshot.
pub(crate) struct NameTable {
    bytes: Vec<u8>,
    paths: Texts,
    projects: Texts,
    fqns: Texts,
    types: Vec<TypeHead>,
    /// Where the names begin.
    names: usize,
}

/// Texts in one piece.
struct Texts {
    all: String,
    ends: Vec<u32>,
}

#[derive(Clone, Copy)]
struct TypeHead {
    key: TypeKey,
    kind: TypeKind,
    accessibility: Accessibility,
    project: u32,
    path: u32,
    line: u32,
    column: u32,
    fan_in: u32,
}

/// A type as a question sees it.
#[derive(Clone, Copy)]
pub(crate) struct NamedType<'t> {
    pub(crate) key: TypeKey,
    pub(crate) fqn: &'t str,
    pub(crate) kind: TypeKind,
    pub(crate) project: &'t str,
    pub(crate) fan_in: u32,
}

/// A type or member of a name.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct NamedMember {
    /// The number of the type.
    pub(crate) ty: u32,
    /// `None` for the type itself.
    pub(crate) kind: Option<DeclKind>,
    pub(crate) accessibility: Accessibility,
    /// Which of the type's members it is.
    pub(crate) at: u32,
    path: u32,
    pub(crate) line: u32,
    pub(crate) column: u32,
}

impl Texts {
    fn get(&self, at: u32) -> &str {
        let at = at as usize;
        let start = at
            .checked_sub(1)
            .map_or(0, |before| self.ends[before] as usize);
        &self.all[start..self.ends[at] as usize]
    }
}

/// Writes rows, which are in order.
pub(super) fn encode(rows: &[TypeRow]) -> Vec<u8> {
    let mut paths: BTreeMap<&str, u32> = BTreeMap::new();
    let mut projects: BTreeMap<&str, u32> = BTreeMap::new();
    let mut names: BTreeMap<&str, Vec<(u32, Option<&MemberRow>)>> = BTreeMap::new();
    for (ty, row) in rows.iter().enumerate() {
        paths.insert(row.at.path.as_str(), 0);
        projects.insert(row.project.as_str(), 0);
        names
            .entry(simple_name(&row.fqn))
            .or_default()
            .push((ty as u32, None));
        for member in &row.members {
            paths.insert(member.spot.path.as_str(), 0);
            names
                .entry(&member.name)
                .or_default()
                .push((ty as u32, Some(member)));
        }
    }
    let mut out = Vec::new();
    put_varint(&mut out, VERSION);
    for texts in [&mut paths, &mut projects] {
        put_varint(&mut out, texts.len() as u32);
        let mut before = "";
        for (at, (text, number)) in texts.iter_mut().enumerate() {
            *number = at as u32;
            put_text(&mut out, before, text);
            before = text;
        }
    }
    put_varint(&mut out, rows.len() as u32);
    let mut before = "";
    for row in rows {
        put_text(&mut out, before, &row.fqn);
        before = &row.fqn;
        out.extend_from_slice(row.key.as_bytes());
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
    }
    put_varint(&mut out, names.len() as u32);
    let (mut before, mut found) = ("", Vec::new());
    for (name, all) in &names {
        put_text(&mut out, before, name);
        before = name;
        found.clear();
        for (ty, member) in all {
            put_varint(&mut found, *ty);
            match member {
                None => found.push(TYPE),
                Some(member) => {
                    found.push(member.kind as u8);
                    found.push(member.accessibility as u8);
                    let numbers = [
                        member.at,
                        paths[member.spot.path.as_str()],
                        member.spot.line,
                        member.spot.column,
                    ];
                    numbers
                        .iter()
                        .for_each(|&number| put_varint(&mut found, number));
                }
            }
        }
        put_varint(&mut out, found.len() as u32);
        out.extend_from_slice(&found);
    }
    out
}

/// Appends a text without what it shares with the one before.
fn put_text(out: &mut Vec<u8>, before: &str, text: &str) {
    let shared = before
        .bytes()
        .zip(text.bytes())
        .take_while(|(a, b)| a == b)
        .count();
    // A character stays whole.
    let shared = (0..=shared)
        .rev()
        .find(|&at| text.is_char_boundary(at))
        .unwrap_or(0);
    put_varint(out, shared as u32);
    put_varint(out, (text.len() - shared) as u32);
    out.extend_from_slice(&text.as_bytes()[shared..]);
}

/// Reads a text behind the one that is in `text`.
fn take_text(input: &mut &[u8], text: &mut Vec<u8>) -> Option<()> {
    let shared = take_varint(input)? as usize;
    let len = take_varint(input)? as usize;
    let (rest, behind) = input.split_at_checked(len)?;
    *input = behind;
    text.truncate(shared);
    text.extend_from_slice(rest);
    Some(())
}

/// Texts on their way in.
#[derive(Default)]
struct TakenTexts {
    all: Vec<u8>,
    ends: Vec<u32>,
    last: Vec<u8>,
}

impl TakenTexts {
    fn take(&mut self, input: &mut &[u8]) -> Option<()> {
        take_text(input, &mut self.last)?;
        self.all.extend_from_slice(&self.last);
        self.ends.push(u32::try_from(self.all.len()).ok()?);
        Some(())
    }

    /// `None` where they are not UTF-8 each.
    fn into_texts(self) -> Option<Texts> {
        let all = String::from_utf8(self.all).ok()?;
        let is_sound = self
            .ends
            .iter()
            .all(|&end| all.is_char_boundary(end as usize));
        let ends = self.ends;
        is_sound.then_some(Texts { all, ends })
    }
}

fn take_texts(input: &mut &[u8]) -> Option<Texts> {
    let mut out = TakenTexts::default();
    for _ in 0..take_varint(input)? {
        out.take(input)?;
    }
    out.into_texts()
}

fn take_byte(input: &mut &[u8]) -> Option<u8> {
    let (&byte, rest) = input.split_first()?;
    *input = rest;
    Some(byte)
}

impl NameTable {
    /// Reads what [`encode`] wrote; `None` for anything else. Names are read when they are asked for.
    pub(super) fn decode(bytes: Vec<u8>) -> Option<Self> {
        let mut input = bytes.as_slice();
        if take_varint(&mut input)? != VERSION {
            return None;
        }
        let paths = take_texts(&mut input)?;
        let projects = take_texts(&mut input)?;
        let n_types = take_varint(&mut input)?;
        let mut types = Vec::with_capacity((n_types as usize).min(input.len()));
        let mut fqns = TakenTexts::default();
        for _ in 0..n_types {
            fqns.take(&mut input)?;
            let (key, rest) = input.split_first_chunk::<14>()?;
            input = rest;
            let kind = *TypeKind::ALL.get(usize::from(take_byte(&mut input)?))?;
            let accessibility = *Accessibility::ALL.get(usize::from(take_byte(&mut input)?))?;
            let head = TypeHead {
                key: TypeKey::from_bytes(*key),
                kind,
                accessibility,
                project: take_varint(&mut input)?,
                path: take_varint(&mut input)?,
                line: take_varint(&mut input)?,
                column: take_varint(&mut input)?,
                fan_in: take_varint(&mut input)?,
            };
            let is_known = (head.project as usize) < projects.ends.len()
                && (head.path as usize) < paths.ends.len();
            types.push(is_known.then_some(head)?);
        }
        let names = bytes.len() - input.len();
        let fqns = fqns.into_texts()?;
        Some(Self {
            bytes,
            paths,
            projects,
            fqns,
            types,
            names,
        })
    }

    /// A type by its number.
    pub(crate) fn ty(&self, number: u32) -> NamedType<'_> {
        let head = &self.types[number as usize];
        NamedType {
            key: head.key,
            fqn: self.fqns.get(number),
            kind: head.kind,
            project: self.projects.get(head.project),
            fan_in: head.fan_in,
        }
    }

    /// How many types there are; their numbers go by canonical name.
    pub(crate) fn n_types(&self) -> u32 {
        self.types.len() as u32
    }

    /// The file that a type or member is declared in.
    pub(crate) fn path(&self, member: &NamedMember) -> &str {
        self.paths.get(member.path)
    }

    /// Calls `each` with every name in UTF-8, in order, and with what reads what is called so; until it says no.
    pub(crate) fn each_name(&self, each: &mut dyn FnMut(&[u8], Called<'_>) -> bool) {
        let mut input = &self.bytes[self.names..];
        let mut read = || -> Option<()> {
            let n = take_varint(&mut input)?;
            let mut name = Vec::new();
            for _ in 0..n {
                take_text(&mut input, &mut name)?;
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
    pub(super) fn rows(&self) -> Vec<TypeRow> {
        let paths: Vec<RepoPath> = (0..self.paths.ends.len() as u32)
            .map(|at| RepoPath::from(self.paths.get(at)))
            .collect();
        let projects: Vec<RepoPath> = (0..self.projects.ends.len() as u32)
            .map(|at| RepoPath::from(self.projects.get(at)))
            .collect();
        let spot = |path: u32, line, column| Spot {
            path: paths[path as usize].clone(),
            line,
            column,
        };
        let mut rows: Vec<TypeRow> = (self.types.iter().enumerate())
            .map(|(number, head)| TypeRow {
                key: head.key,
                fqn: self.fqns.get(number as u32).to_owned(),
                kind: head.kind,
                accessibility: head.accessibility,
                project: projects[head.project as usize].clone(),
                at: spot(head.path, head.line, head.column),
                fan_in: head.fan_in,
                members: Vec::new(),
            })
            .collect();
        self.each_name(&mut |name, called| {
            let name = String::from_utf8_lossy(name);
            for it in called {
                if let Some(kind) = it.kind {
                    rows[it.ty as usize].members.push(MemberRow {
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
pub(crate) struct Called<'t> {
    table: &'t NameTable,
    bytes: &'t [u8],
}

impl Iterator for Called<'_> {
    type Item = NamedMember;

    fn next(&mut self) -> Option<NamedMember> {
        let input = &mut self.bytes;
        let ty = take_varint(input)?;
        let head = self.table.types.get(ty as usize)?;
        let kind = take_byte(input)?;
        if kind == TYPE {
            return Some(NamedMember {
                ty,
                kind: None,
                accessibility: head.accessibility,
                at: 0,
                path: head.path,
                line: head.line,
                column: head.column,
            });
        }
        let out = NamedMember {
            ty,
            kind: Some(*DeclKind::ALL.get(usize::from(kind))?),
            accessibility: *Accessibility::ALL.get(usize::from(take_byte(input)?))?,
            at: take_varint(input)?,
            path: take_varint(input)?,
            line: take_varint(input)?,
            column: take_varint(input)?,
        };
        ((out.path as usize) < self.table.paths.ends.len()).then_some(out)
    }
}
