//! Digests and graphs as bytes, for later processes.
//!
//! Owns: the form. Must not know: where bytes are kept. Reading refuses what is cut short or points nowhere.

use crate::reach::{
    digest::{
        DeclDigest, Declared, FileDigest, Flags, Kind, MemberDigest, MemberName, RunsOn,
        TypeDigest, Use,
    },
    digests::Digests,
    frameworks::Marks,
    graph::{Entry, MemberGraph, REFLECTION},
};

use std::hash::Hash;

use cortex_index::MemberTag;
use cortex_model::{TypeKey, put_varint, take_varint};
use rustc_hash::FxHashMap;

/// The version of both forms and of what they say.
const VERSION: u32 = 9;

/// Values that are written once and told by their numbers.
struct Table<T> {
    numbers: FxHashMap<T, u32>,
    all: Vec<T>,
}

impl<T: Copy + Eq + Hash> Table<T> {
    fn new() -> Self {
        Self {
            numbers: FxHashMap::default(),
            all: Vec::new(),
        }
    }

    fn number(&mut self, value: T) -> u32 {
        *self.numbers.entry(value).or_insert_with(|| {
            self.all.push(value);
            self.all.len() as u32 - 1
        })
    }
}

struct Out {
    body: Vec<u8>,
    keys: Table<TypeKey>,
    hashes: Table<u64>,
}

impl Out {
    fn number(&mut self, number: u32) {
        put_varint(&mut self.body, number);
    }

    fn tag(&mut self, tag: MemberTag) {
        self.body.extend_from_slice(&tag.0.to_le_bytes());
    }

    fn key(&mut self, key: TypeKey) {
        let number = self.keys.number(key);
        self.number(number);
    }

    fn hash(&mut self, hash: u64) {
        let number = self.hashes.number(hash);
        self.number(number);
    }

    fn list<T>(&mut self, all: &[T], mut each: impl FnMut(&mut Self, &T)) {
        self.number(all.len() as u32);
        all.iter().for_each(|it| each(self, it));
    }

    fn marks(&mut self, marks: Option<Marks>) {
        self.body.push(match marks {
            None => 0,
            Some(Marks::Test) => 1,
            Some(Marks::SetUp) => 2,
        });
    }

    fn ty(&mut self, ty: &TypeDigest) {
        self.key(ty.key);
        self.hash(ty.name);
        self.body.push(ty.flags.0);
        self.body.push(u8::from(ty.is_skipped));
        self.list(&ty.bases, |out, &key| out.key(key));
        self.list(&ty.fixtures, |out, &key| out.key(key));
        self.list(&ty.members, |out, member| {
            out.tag(member.tag);
            out.body.push(member.flags.0);
            out.body.extend_from_slice(&member.name.to_le_bytes());
        });
        self.list(&ty.declared, |out, it| {
            out.hash(it.path);
            out.number(it.decl);
            out.body.push(it.kind as u8 * 2 + u8::from(it.is_static));
            out.marks(it.marks);
            let flags = u8::from(it.is_skipped) + 2 * u8::from(it.takes_rows_of_types);
            out.body.push(flags);
            for names in [&it.names, &it.quoted] {
                out.list(names, |out, name| {
                    out.body.extend_from_slice(&name.to_le_bytes());
                });
            }
        });
        self.list(&ty.implementations, |out, &(member, of)| {
            for (name, tag) in [member, of] {
                out.hash(name);
                out.tag(tag);
            }
        });
    }

    fn file(&mut self, file: &FileDigest) {
        self.hash(file.path);
        self.list(&file.targets, |out, &(key, tag)| {
            out.key(key);
            out.body.push(u8::from(tag.is_some()));
            tag.into_iter().for_each(|tag| out.tag(tag));
        });
        self.list(&file.decls, |out, decl| {
            out.number(decl.decl);
            out.number(decl.symbol);
            out.body.push(decl.flags.0);
            out.marks(decl.marks);
            out.number(decl.first_made.map_or(0, |it| it + 1));
            out.list(&decl.uses, |out, &(it, target)| {
                out.body.push(it as u8);
                out.number(target);
            });
            out.list(&decl.on, |out, it| {
                out.number(it.target);
                out.list(&it.receiver, |out, &ty| out.number(ty));
            });
        });
    }
}

/// Digests as bytes. O(their size).
pub(crate) fn of_digests(digests: &Digests) -> Vec<u8> {
    let mut out = Out {
        body: Vec::new(),
        keys: Table::new(),
        hashes: Table::new(),
    };
    out.hash(digests.projects);
    out.list(&digests.types, Out::ty);
    out.list(&digests.files, Out::file);
    let mut bytes = Vec::with_capacity(out.body.len() + out.keys.all.len() * 14 + 64);
    put_varint(&mut bytes, VERSION);
    put_varint(&mut bytes, out.keys.all.len() as u32);
    for key in &out.keys.all {
        bytes.extend_from_slice(key.as_bytes());
    }
    put_varint(&mut bytes, out.hashes.all.len() as u32);
    for hash in &out.hashes.all {
        bytes.extend_from_slice(&hash.to_le_bytes());
    }
    bytes.extend_from_slice(&out.body);
    bytes
}

struct In<'b> {
    input: &'b [u8],
    keys: Vec<TypeKey>,
    hashes: Vec<u64>,
}

impl<'b> In<'b> {
    /// What follows the version; `None` where it is another one.
    fn of(bytes: &'b [u8]) -> Option<Self> {
        let mut input = Self {
            input: bytes,
            keys: Vec::new(),
            hashes: Vec::new(),
        };
        (input.number()? == VERSION).then_some(input)
    }

    fn number(&mut self) -> Option<u32> {
        take_varint(&mut self.input)
    }

    fn array<const N: usize>(&mut self) -> Option<[u8; N]> {
        let (&found, rest) = self.input.split_first_chunk()?;
        self.input = rest;
        Some(found)
    }

    fn byte(&mut self) -> Option<u8> {
        self.array::<1>().map(|[byte]| byte)
    }

    fn tag(&mut self) -> Option<MemberTag> {
        self.array().map(u32::from_le_bytes).map(MemberTag)
    }

    fn short(&mut self) -> Option<u16> {
        self.array().map(u16::from_le_bytes)
    }

    fn key(&mut self) -> Option<TypeKey> {
        let number = self.number()?;
        self.keys.get(number as usize).copied()
    }

    fn hash(&mut self) -> Option<u64> {
        let number = self.number()?;
        self.hashes.get(number as usize).copied()
    }

    fn list<T>(&mut self, mut each: impl FnMut(&mut Self) -> Option<T>) -> Option<Vec<T>> {
        let n = self.number()? as usize;
        // Each takes a byte at least.
        let mut out = Vec::with_capacity(n.min(self.input.len()));
        for _ in 0..n {
            out.push(each(self)?);
        }
        Some(out)
    }

    fn marks(&mut self) -> Option<Option<Marks>> {
        Some(match self.byte()? {
            0 => None,
            1 => Some(Marks::Test),
            2 => Some(Marks::SetUp),
            _ => return None,
        })
    }

    fn member_name(&mut self) -> Option<MemberName> {
        Some((self.hash()?, self.tag()?))
    }

    fn ty(&mut self) -> Option<TypeDigest> {
        Some(TypeDigest {
            key: self.key()?,
            name: self.hash()?,
            flags: Flags(self.byte()?),
            is_skipped: self.byte()? == 1,
            bases: self.list(Self::key)?,
            fixtures: self.list(Self::key)?,
            members: self.list(|input| {
                Some(MemberDigest {
                    tag: input.tag()?,
                    flags: Flags(input.byte()?),
                    name: input.short()?,
                })
            })?,
            declared: self.list(|input| {
                let (path, decl, kind) = (input.hash()?, input.number()?, input.byte()?);
                let marks = input.marks()?;
                let flags = input.byte()?;
                Some(Declared {
                    path,
                    decl,
                    kind: match kind / 2 {
                        0 => Kind::Constant,
                        1 => Kind::Field,
                        2 => Kind::Property,
                        3 => Kind::Method,
                        4 => Kind::Other,
                        _ => return None,
                    },
                    is_static: kind % 2 == 1,
                    marks,
                    is_skipped: flags & 1 != 0,
                    takes_rows_of_types: flags & 2 != 0,
                    names: input.list(Self::short)?,
                    quoted: input.list(Self::short)?,
                })
            })?,
            implementations: self
                .list(|input| Some((input.member_name()?, input.member_name()?)))?,
        })
    }

    fn file(&mut self) -> Option<FileDigest> {
        let path = self.hash()?;
        let targets = self.list(|input| {
            let key = input.key()?;
            Some(match input.byte()? {
                0 => (key, None),
                _ => (key, Some(input.tag()?)),
            })
        })?;
        let is_target = |target: &u32| (*target as usize) < targets.len();
        let decls = self.list(|input| {
            Some(DeclDigest {
                decl: input.number()?,
                symbol: input.number().filter(is_target)?,
                flags: Flags(input.byte()?),
                marks: input.marks()?,
                first_made: match input.number()? {
                    0 => None,
                    number => Some(number - 1).filter(is_target).map(Some)?,
                },
                uses: input.list(|input| {
                    let it = *Use::ALL.get(usize::from(input.byte()?))?;
                    Some((it, input.number().filter(is_target)?))
                })?,
                on: input.list(|input| {
                    Some(RunsOn {
                        target: input.number().filter(is_target)?,
                        receiver: input.list(|input| input.number().filter(is_target))?,
                    })
                })?,
            })
        })?;
        Some(FileDigest {
            path,
            targets,
            decls,
        })
    }
}

/// Digests from bytes; `None` where they are none of this version.
pub(crate) fn to_digests(bytes: &[u8]) -> Option<Digests> {
    let mut input = In::of(bytes)?;
    input.keys = input.list(|input| input.array().map(TypeKey::from_bytes))?;
    input.hashes = input.list(|input| input.array().map(u64::from_le_bytes))?;
    Some(Digests {
        projects: input.hash()?,
        types: input.list(In::ty)?,
        files: input.list(In::file)?,
    })
}

/// A graph as bytes. O(its size).
pub fn of_graph(graph: &MemberGraph) -> Vec<u8> {
    let mut out = Vec::with_capacity(graph.targets.len() * 2 + graph.tags.len() * 5);
    let mut put = |number: u32| put_varint(&mut out, number);
    put(VERSION);
    put(graph.types.len() as u32);
    graph.first.windows(2).for_each(|it| put(it[1] - it[0]));
    put(graph.limited.len() as u32);
    for members in &graph.limited {
        put(members.len() as u32);
        members.iter().for_each(|&member| put(member));
    }
    put(graph.entries.len() as u32);
    for entry in &graph.entries {
        put(entry.class * 2 + u32::from(entry.is_skipped));
        put(entry.method);
        put(entry.data.len() as u32);
        entry.data.iter().for_each(|&data| put(data));
    }
    for node in graph.starts.windows(2) {
        put(node[1] - node[0]);
        let mut before = 0;
        for &target in &graph.targets[node[0] as usize..node[1] as usize] {
            let to = target & !REFLECTION;
            put((to - before) * 2 + u32::from(target != to));
            before = to;
        }
    }
    for key in &graph.types {
        out.extend_from_slice(key.as_bytes());
    }
    for tag in &graph.tags {
        out.extend_from_slice(&tag.0.to_le_bytes());
    }
    out
}

/// A graph from bytes; `None` where they are none of this version.
pub fn to_graph(bytes: &[u8]) -> Option<MemberGraph> {
    let mut input = In::of(bytes)?;
    let mut graph = MemberGraph {
        first: vec![0],
        ..MemberGraph::default()
    };
    let n_types = input.number()?;
    let mut n_members = 0u32;
    for _ in 0..n_types {
        n_members = n_members.checked_add(input.number()?)?;
        graph.first.push(n_members);
    }
    if n_members as usize > bytes.len() {
        return None;
    }
    let is_member = |member: &u32| *member < n_members;
    graph.limited = input.list(|input| input.list(|input| input.number().filter(is_member)))?;
    graph.entries = input.list(|input| {
        let class = input.number()?;
        Some(Entry {
            class: Some(class / 2).filter(|&ty| ty < n_types)?,
            is_skipped: class % 2 == 1,
            method: input.number().filter(is_member)?,
            data: input.list(|input| input.number().filter(is_member))?,
        })
    })?;
    let n_nodes = MemberGraph::count_nodes(n_members, n_types) + graph.limited.len();
    graph.starts.reserve(n_nodes + 1);
    graph.starts.push(0);
    for _ in 0..n_nodes {
        let mut before = 0u32;
        for _ in 0..input.number()? {
            let found = input.number()?;
            before = before.checked_add(found / 2)?;
            if before as usize >= n_nodes {
                return None;
            }
            let mark = if found % 2 == 1 { REFLECTION } else { 0 };
            graph.targets.push(before | mark);
        }
        graph.starts.push(graph.targets.len() as u32);
    }
    for _ in 0..n_types {
        graph.types.push(TypeKey::from_bytes(input.array()?));
    }
    for _ in 0..n_members {
        graph.tags.push(input.tag()?);
    }
    Some(graph)
}
