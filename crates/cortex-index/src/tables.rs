//! What a snapshot keeps of types: a table for each file, of the types whose first declaration stands in it.
//!
//! A table has each text and each key once; its records refer to them by number ([`crate::interned`]). Most of what
//! types say is the same for their neighbors: their namespace, file, project, what they derive from and use.
//!
//! ```text
//! table    := n-types  n-keys  n-texts  { first byte of key }  { key }  { shared }  { text-length }  { text }
//!             4 × { record-length }  { record }
//! ```
//! The keys of the types themselves have the first numbers; they are computed from what the types are called, and of
//! each there is one byte, by which it is found. Texts are sorted, and written without what they share with
//! the beginning of the one before. Then, of all types one after another: heads, what is
//! written in them, symbols, the rest of their declarations. A head is read without the rest.
//!
//! Must not know: where tables are kept.

use std::sync::OnceLock;

use cortex_bind::{
    MemberNode, PartRef, TypeHashes, TypeNode, TypeShape, TypeSymbol, TypeText, type_key,
};
use cortex_model::{
    Accessibility, Modifiers, RepoPath, TypeKey, TypeKind, put_varint, simple_name, take_varint,
};
use serde::{Deserialize, Serialize};

use crate::{
    interned::{self, Interned, Interner},
    keys,
    records::{TypeEdges, TypeSymbols},
};

/// A type with everything that a table has of it.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct TypeRecord {
    pub(crate) symbol: TypeSymbol,
    pub(crate) node: TypeNode,
    pub(crate) symbols: TypeSymbols,
    /// What it depends on by what is written in it.
    pub(crate) written: TypeEdges,
}

/// What lookups and lists need of a type.
#[derive(Serialize, Deserialize)]
struct Head {
    name: Name,
    accessibility: Accessibility,
    effective: Accessibility,
    modifiers: Modifiers,
    project: RepoPath,
    parts: Vec<PartRef>,
    base_list: Vec<TypeText>,
    bases: Vec<TypeKey>,
    outer: Option<TypeKey>,
    namespace_len: u32,
    symbol_accessibility: Accessibility,
    symbol_project: RepoPath,
}

/// What the key of a type is made of. It names no key.
#[derive(Serialize, Deserialize)]
struct Name {
    fqn: String,
    kind: TypeKind,
    arity: u32,
    assembly: String,
    /// The file of a file-local type.
    file: Option<RepoPath>,
}

impl Name {
    fn key(&self) -> TypeKey {
        type_key(
            &self.fqn,
            self.kind,
            self.arity,
            &self.assembly,
            self.file.as_ref(),
        )
    }
}

/// What a declaration says besides.
#[derive(Serialize, Deserialize)]
struct Rest {
    shapes: Vec<TypeShape>,
    members: Vec<MemberNode>,
    hashes: TypeHashes,
    degraded: bool,
}

/// What every answer shows of a type, without its members.
#[derive(Clone, PartialEq, Debug)]
pub struct TypeHeader {
    /// See [`TypeNode::fqn`].
    pub fqn: String,
    /// See [`TypeNode::kind`].
    pub kind: TypeKind,
    /// See [`TypeNode::effective`].
    pub effective: Accessibility,
    /// See [`TypeNode::project`].
    pub project: RepoPath,
    /// See [`TypeNode::assembly`].
    pub assembly: String,
    /// See [`TypeNode::parts`].
    pub parts: Vec<PartRef>,
    /// See [`TypeNode::base_list`].
    pub base_list: Vec<TypeText>,
    /// See [`TypeNode::bases`].
    pub bases: Vec<TypeKey>,
}

impl TypeHeader {
    /// The project whose facts and bindings speak of a declaration.
    pub fn project_of<'a>(&'a self, part: &'a PartRef) -> &'a RepoPath {
        part.project.as_ref().unwrap_or(&self.project)
    }
}

const N_SECTIONS: usize = 4;

/// Which of the records of a type.
#[derive(Clone, Copy)]
enum Section {
    Head,
    Written,
    Symbols,
    Rest,
}

/// Writes the table of some types, which are sorted by where they stand and then by key.
pub(crate) fn encode(types: &[TypeRecord]) -> Vec<u8> {
    let mut interner = Interner::default();
    for ty in types {
        interner.key(ty.symbol.key);
    }
    // Once to know the texts, once more with their numbers.
    write_sections(&mut interner, types);
    interner.sort_texts();
    let (sections, lengths) = write_sections(&mut interner, types);

    let mut out = Vec::new();
    let counts = [types.len(), interner.keys.len(), interner.texts.len()];
    counts
        .iter()
        .for_each(|&count| put_varint(&mut out, count as u32));
    let (own, others) = interner.keys.split_at(types.len());
    out.extend(own.iter().map(|key| key.as_bytes()[0]));
    for key in others {
        out.extend_from_slice(key.as_bytes());
    }
    let mut before: &[u8] = &[];
    let mut shared = Vec::with_capacity(interner.texts.len());
    for text in &interner.texts {
        let text = text.as_bytes();
        let same = before.iter().zip(text).take_while(|(a, b)| a == b).count();
        shared.push(same);
        put_varint(&mut out, same as u32);
        before = text;
    }
    let rests = || interner.texts.iter().zip(&shared);
    rests().for_each(|(text, shared)| put_varint(&mut out, (text.len() - shared) as u32));
    rests().for_each(|(text, &shared)| out.extend_from_slice(&text.as_bytes()[shared..]));
    lengths
        .iter()
        .for_each(|&length| put_varint(&mut out, length));
    sections
        .iter()
        .for_each(|section| out.extend_from_slice(section));
    out
}

/// The records of all types, section by section, and their lengths.
fn write_sections(
    interner: &mut Interner,
    types: &[TypeRecord],
) -> ([Vec<u8>; N_SECTIONS], Vec<u32>) {
    let mut sections: [Vec<u8>; N_SECTIONS] = Default::default();
    let mut lengths = Vec::with_capacity(N_SECTIONS * types.len());
    for (at, section) in sections.iter_mut().enumerate() {
        for ty in types {
            let before = section.len();
            match at {
                0 => interner.write(section, &Head::of(ty)),
                1 => interner.write(section, &ty.written),
                2 => interner.write(section, &ty.symbols),
                _ => {
                    let node = &ty.node;
                    let rest = (&node.shapes, &node.members, &node.hashes, node.degraded);
                    interner.write(section, &rest);
                }
            }
            lengths.push((section.len() - before) as u32);
        }
    }
    (sections, lengths)
}

impl Head {
    fn of(ty: &TypeRecord) -> Self {
        let TypeRecord { symbol, node, .. } = ty;
        let name = Name {
            fqn: node.fqn.clone(),
            kind: node.kind,
            arity: node.arity,
            assembly: node.assembly.clone(),
            file: symbol.file.clone(),
        };
        debug_assert_eq!(name.key(), symbol.key, "a key is made of the name");
        Self {
            name,
            accessibility: node.accessibility,
            effective: node.effective,
            modifiers: node.modifiers,
            project: node.project.clone(),
            parts: node.parts.clone(),
            base_list: node.base_list.clone(),
            bases: node.bases.clone(),
            outer: symbol.outer,
            namespace_len: symbol.namespace_len,
            symbol_accessibility: symbol.accessibility,
            symbol_project: symbol.project.clone(),
        }
    }
}

/// What the map of names has for the name of a type, and the type's place in its table.
type NameEntry = ([u8; 6], u32);

/// A table, taken apart as far as its records, which are read where they lie.
pub(crate) struct Table {
    // The first bytes of the keys of its types, and these keys as far as somebody asked for them.
    first_bytes: Box<[u8]>,
    own_keys: Box<[OnceLock<[u8; 14]>]>,
    /// Its types by the first byte of their keys.
    by_first_byte: OnceLock<Box<[u32]>>,
    /// Its types by what the map of names has for their names.
    by_name: OnceLock<Box<[NameEntry]>>,
    other_keys: Box<[[u8; 14]]>,
    texts: Vec<u8>,
    text_ends: Vec<u32>,
    records: Box<[u8]>,
    record_ends: Vec<u32>,
}

/// No table has more bytes of texts.
const MAX_TEXTS: usize = 1 << 28;

impl Table {
    /// Finds the parts of a table; `None` for bytes that are none.
    pub(crate) fn parse(bytes: &[u8]) -> Option<Self> {
        let mut input = bytes;
        let mut count = || take_varint(&mut input).map(|count| count as usize);
        let (n_types, n_keys, n_texts) = (count()?, count()?, count()?);
        let (first_bytes, input) = input.split_at_checked(n_types)?;
        let key_bytes = n_keys.checked_sub(n_types)?.checked_mul(14)?;
        let (other_keys, mut input) = input.split_at_checked(key_bytes)?;
        let (other_keys, _) = other_keys.as_chunks();
        let n_records = n_types.checked_mul(N_SECTIONS)?;
        if n_texts > input.len() || n_records > input.len() {
            return None;
        }
        let (texts, text_ends) = take_texts(&mut input, n_texts)?;
        let record_ends = take_ends(&mut input, n_records)?;
        if record_ends.last().copied().unwrap_or(0) as usize != input.len() {
            return None;
        }
        Some(Self {
            first_bytes: first_bytes.into(),
            own_keys: vec![OnceLock::new(); n_types].into(),
            by_first_byte: OnceLock::new(),
            by_name: OnceLock::new(),
            other_keys: other_keys.into(),
            texts,
            text_ends,
            records: input.into(),
            record_ends,
        })
    }

    /// How many types it has.
    pub(crate) fn len(&self) -> usize {
        self.first_bytes.len()
    }

    /// About how many bytes it takes in memory.
    pub(crate) fn n_bytes(&self) -> usize {
        let ends = self.text_ends.len() + self.record_ends.len() + self.len();
        let keys = size_of_val(&*self.own_keys) + size_of_val(&*self.other_keys);
        let names = size_of::<([u8; 6], u32)>() * self.len();
        size_of::<Self>() + self.texts.len() + self.records.len() + keys + names + 4 * ends
    }

    /// The key of a type. Computed: hashes its name.
    pub(crate) fn key_of(&self, at: usize) -> Option<TypeKey> {
        self.own_key(at).map(|key| TypeKey::from_bytes(*key))
    }

    fn own_key(&self, at: usize) -> Option<&[u8; 14]> {
        let cell = self.own_keys.get(at)?;
        if let Some(known) = cell.get() {
            return Some(known);
        }
        let mut head = self.record(at, Section::Head)?;
        let name: Name = interned::read(&mut head, self)?;
        Some(cell.get_or_init(|| *name.key().as_bytes()))
    }

    /// The index of a type. Computes the keys that start like its own, one in 256 of them, once.
    pub(crate) fn find(&self, key: TypeKey) -> Option<usize> {
        let first = |at: &u32| self.first_bytes[*at as usize];
        let sorted = self.by_first_byte.get_or_init(|| {
            let mut all: Box<[u32]> = (0..self.len() as u32).collect();
            all.sort_by_key(first);
            all
        });
        let wanted = key.as_bytes()[0];
        let start = sorted.partition_point(|at| first(at) < wanted);
        let candidates = sorted[start..].iter().take_while(|at| first(at) == wanted);
        let mut candidates = candidates.map(|&at| at as usize);
        candidates.find(|&at| self.own_key(at) == Some(key.as_bytes()))
    }

    /// The simple name of a type.
    pub(crate) fn name(&self, at: usize) -> Option<&str> {
        let mut head = self.record(at, Section::Head)?;
        self.text(take_varint(&mut head)?).map(simple_name)
    }

    /// The indexes of the types of a name, as [`keys::name_prefix`] has it; `None` for a damaged table. Computes that of all
    /// types, once.
    pub(crate) fn named(&self, name: [u8; 6]) -> Option<impl Iterator<Item = usize>> {
        let sorted = match self.by_name.get() {
            Some(sorted) => sorted,
            None => {
                let named = |at| Some((keys::name_prefix(self.name(at)?), at as u32));
                let mut all: Box<[_]> = (0..self.len()).map(named).collect::<Option<_>>()?;
                all.sort_unstable();
                self.by_name.get_or_init(|| all)
            }
        };
        let start = sorted.partition_point(|&(it, _)| it < name);
        let found = sorted[start..]
            .iter()
            .take_while(move |(it, _)| *it == name);
        Some(found.map(|&(_, at)| at as usize))
    }

    pub(crate) fn symbol(&self, at: usize) -> Option<TypeSymbol> {
        let head = self.head(at)?;
        Some(TypeSymbol {
            key: self.key_of(at)?,
            fqn: head.name.fqn,
            outer: head.outer,
            namespace_len: head.namespace_len,
            kind: head.name.kind,
            arity: head.name.arity,
            accessibility: head.symbol_accessibility,
            project: head.symbol_project,
            file: head.name.file,
        })
    }

    pub(crate) fn header(&self, at: usize) -> Option<TypeHeader> {
        let head = self.head(at)?;
        Some(TypeHeader {
            fqn: head.name.fqn,
            kind: head.name.kind,
            effective: head.effective,
            project: head.project,
            assembly: head.name.assembly,
            parts: head.parts,
            base_list: head.base_list,
            bases: head.bases,
        })
    }

    pub(crate) fn node(&self, at: usize) -> Option<TypeNode> {
        let head = self.head(at)?;
        let rest: Rest = self.value(at, Section::Rest)?;
        Some(TypeNode {
            fqn: head.name.fqn,
            kind: head.name.kind,
            arity: head.name.arity,
            accessibility: head.accessibility,
            effective: head.effective,
            modifiers: head.modifiers,
            project: head.project,
            assembly: head.name.assembly,
            parts: head.parts,
            base_list: head.base_list,
            shapes: rest.shapes,
            bases: head.bases,
            members: rest.members,
            hashes: rest.hashes,
            degraded: rest.degraded,
        })
    }

    pub(crate) fn written(&self, at: usize) -> Option<TypeEdges> {
        self.value(at, Section::Written)
    }

    pub(crate) fn symbols(&self, at: usize) -> Option<TypeSymbols> {
        self.value(at, Section::Symbols)
    }

    pub(crate) fn record_of(&self, at: usize) -> Option<TypeRecord> {
        Some(TypeRecord {
            symbol: self.symbol(at)?,
            node: self.node(at)?,
            symbols: self.symbols(at)?,
            written: self.written(at)?,
        })
    }

    fn head(&self, at: usize) -> Option<Head> {
        self.value(at, Section::Head)
    }

    fn value<'t, T: Deserialize<'t>>(&'t self, at: usize, section: Section) -> Option<T> {
        let mut record = self.record(at, section)?;
        let value = interned::read(&mut record, self)?;
        record.is_empty().then_some(value)
    }

    fn record(&self, at: usize, section: Section) -> Option<&[u8]> {
        if at >= self.len() {
            return None;
        }
        let number = section as usize * self.len() + at;
        stretch(&self.records, &self.record_ends, number)
    }
}

impl Interned for Table {
    fn text(&self, number: u32) -> Option<&str> {
        let text = stretch(&self.texts, &self.text_ends, number as usize)?;
        std::str::from_utf8(text).ok()
    }

    fn key(&self, number: u32) -> Option<&[u8; 14]> {
        let number = number as usize;
        match number.checked_sub(self.len()) {
            Some(other) => self.other_keys.get(other),
            None => self.own_key(number),
        }
    }
}

/// All texts one after another, and where they end.
fn take_texts(input: &mut &[u8], count: usize) -> Option<(Vec<u8>, Vec<u32>)> {
    let shared = (0..count).map(|_| take_varint(input));
    let shared: Vec<u32> = shared.collect::<Option<_>>()?;
    let rest_ends = take_ends(input, count)?;
    let n_bytes = rest_ends.last().copied().unwrap_or(0) as usize;
    let (rests, rest) = input.split_at_checked(n_bytes)?;
    *input = rest;
    let mut texts: Vec<u8> = Vec::with_capacity(2 * n_bytes);
    let mut ends = Vec::with_capacity(count);
    let mut before: std::ops::Range<usize> = 0..0;
    for (number, shared) in shared.into_iter().enumerate() {
        let start = texts.len();
        let shared = before.start..before.start.checked_add(shared as usize)?;
        if shared.end > before.end || start > MAX_TEXTS {
            return None;
        }
        texts.extend_from_within(shared);
        texts.extend_from_slice(stretch(rests, &rest_ends, number)?);
        before = start..texts.len();
        ends.push(texts.len() as u32);
    }
    Some((texts, ends))
}

/// Where stretches end whose lengths are written one after another.
fn take_ends(input: &mut &[u8], count: usize) -> Option<Vec<u32>> {
    let mut end = 0_u32;
    let ends = (0..count).map(|_| {
        end = end.checked_add(take_varint(input)?)?;
        Some(end)
    });
    ends.collect()
}

/// The stretch of this number.
fn stretch<'a>(bytes: &'a [u8], ends: &[u32], number: usize) -> Option<&'a [u8]> {
    let end = *ends.get(number)? as usize;
    let start = number
        .checked_sub(1)
        .map_or(0, |before| ends[before] as usize);
    bytes.get(start..end)
}

#[cfg(test)]
mod tests {
    use cortex_bind::{MemberNode, ParamNode};
    use cortex_model::{ByteRange, DeclKind, EdgeKind, EdgeKinds};

    use super::*;
    use crate::records::{Edge, ExternalEdge, Implementation, ImplementationKind, MemberSymbol};

    fn record(name: &str, start: u32) -> TypeRecord {
        let fqn = format!("Some.Namespace.{name}");
        let file = (start == 0).then(|| RepoPath::from("src/App/A.cs"));
        let key = type_key(&fqn, TypeKind::Class, 0, "App", file.as_ref());
        let base = TypeKey::new("Some.Namespace.Base", TypeKind::Class, 0, "App");
        let project = RepoPath::from("src/App/App.csproj");
        let kinds = EdgeKinds::EMPTY.with(EdgeKind::Inherits);
        TypeRecord {
            symbol: TypeSymbol {
                key,
                fqn: fqn.clone(),
                outer: None,
                namespace_len: 14,
                kind: TypeKind::Class,
                arity: 0,
                accessibility: Accessibility::Internal,
                project: project.clone(),
                file,
            },
            node: TypeNode {
                fqn,
                kind: TypeKind::Class,
                arity: 0,
                accessibility: Accessibility::Internal,
                effective: Accessibility::Private,
                modifiers: Modifiers::EMPTY,
                project: project.clone(),
                assembly: "App".to_owned(),
                parts: vec![PartRef {
                    path: RepoPath::from("src/App/A.cs"),
                    range: ByteRange {
                        start,
                        end: start + 100,
                    },
                    doc_range: ByteRange::default(),
                    line: 3,
                    project: None,
                }],
                base_list: vec!["Some.Namespace.Base".into()],
                shapes: vec![TypeShape::default()],
                bases: vec![base],
                members: vec![MemberNode {
                    kind: DeclKind::Method,
                    accessibility: Accessibility::Public,
                    modifiers: Modifiers::EMPTY,
                    ty: Some("int".into()),
                    name: format!("Méthode{name}"),
                    interface_len: 0,
                    params: Some(vec![ParamNode {
                        name: "value".to_owned(),
                        ty: "int".into(),
                        modifiers: Modifiers::EMPTY,
                        is_optional: true,
                    }]),
                    type_params: Vec::new(),
                    attributes: Vec::new(),
                    accessors: Vec::new(),
                    part: 0,
                    decl: 7,
                    primary: false,
                }],
                hashes: TypeHashes {
                    public_impl: u64::MAX,
                    text: u64::from(start) + 1,
                    ..TypeHashes::default()
                },
                degraded: true,
            },
            symbols: TypeSymbols {
                header: 5,
                members: vec![MemberSymbol {
                    id: format!("M.Méthode{name}(System.Int32)").into(),
                    accessibility: Accessibility::Public,
                    synthesized: false,
                    shape: 9,
                }],
                implementations: vec![Implementation {
                    member: "M:Some.Namespace.C.M".into(),
                    of: "M:Some.Namespace.Base.M".into(),
                    how: ImplementationKind::Override,
                }],
                ..TypeSymbols::default()
            },
            written: TypeEdges {
                source: vec![Edge {
                    target: base,
                    kinds,
                    count: 300,
                }],
                external: vec![ExternalEdge {
                    id: "T:System.Int32".into(),
                    assembly: "System.Runtime".into(),
                    kinds,
                }],
            },
        }
    }

    fn records(table: &Table) -> Option<Vec<TypeRecord>> {
        (0..table.len()).map(|at| table.record_of(at)).collect()
    }

    #[test]
    fn a_table_gives_back_every_type_by_its_key() {
        let types = [record("A", 0), record("B", 1_000), record("Ä", 100_000)];
        let bytes = encode(&types);
        let table = Table::parse(&bytes).expect("a table");
        assert_eq!(records(&table).as_deref(), Some(&types[..]));
        for (at, ty) in types.iter().enumerate() {
            assert_eq!(table.find(ty.symbol.key), Some(at));
            assert_eq!(table.name(at), Some(ty.symbol.name()));
            let header = table.header(at).expect("a header");
            assert_eq!((&header.fqn, &header.parts), (&ty.node.fqn, &ty.node.parts));
        }
        assert_eq!(table.find(types[0].node.bases[0]), None);
        assert_eq!(table.record_of(3), None);
    }

    #[test]
    fn a_table_says_what_its_types_have_in_common_once() {
        let types: Vec<TypeRecord> = (0..100).map(|at| record(&format!("T{at}"), at)).collect();
        let bytes = encode(&types).len() - encode(&types[..1]).len();
        assert!(bytes < 99 * 180, "{bytes} bytes");
    }

    #[test]
    fn cut_or_changed_tables_are_refused_or_differ_but_never_panic() {
        let types = [record("A", 0), record("B", 1_000)];
        let bytes = encode(&types);
        for len in 0..bytes.len() {
            assert!(Table::parse(&bytes[..len]).is_none());
        }
        for bit in 0..8 * bytes.len() {
            let mut changed = bytes.clone();
            changed[bit / 8] ^= 1 << (bit % 8);
            if let Some(table) = Table::parse(&changed) {
                let is_found = |ty: &TypeRecord| table.find(ty.symbol.key).is_some();
                let is_same = records(&table).as_deref() == Some(&types[..]);
                assert!(!is_same || !types.iter().all(is_found), "bit {bit}");
            }
        }
    }
}
