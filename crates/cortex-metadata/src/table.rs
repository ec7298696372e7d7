//! Assemblies packed into one table: the form in which the base class library comes with the program.
//!
//! Owns: the format. Must not know: ECMA-335.
//!
//! A table is a head, one compressed block with the names of all assemblies, and one compressed block for
//! each assembly with its types and members. Opening it reads the head; each block is unpacked when something
//! in it is asked for. Numbers are LEB128. Equal assemblies give equal bytes.
//!
//! The bytes are trusted to be meant well, not to be whole: what is damaged reads as absent.

mod records;
mod write;

use std::sync::{Arc, LazyLock, OnceLock};

use cortex_model::{Hash, take_varint};

use self::records::{Block, Coded, Reader};
use crate::{
    assembly::Assembly,
    error::MetadataError,
    model::{ExternalExtension, ExternalMember, ExternalType},
    names::{ForwardEntry, Names, TypeEntry},
};

pub use self::write::write_table;

const MAGIC: &[u8; 8] = b"cxmeta\x00\x01";
/// No block is unpacked to more bytes than this.
const MAX_BLOCK_BYTES: usize = 32 << 20;
/// No table has more assemblies than this.
const MAX_ASSEMBLIES: u32 = 4096;

static BUILT_IN: &[u8] = include_bytes!("../data/bcl.bin");

/// Assemblies packed together, each belonging to a shared framework.
#[derive(Clone)]
pub struct MetadataTable {
    /// Framework and assembly, in the order in which they were packed.
    assemblies: Vec<(Arc<str>, Arc<Assembly>)>,
    version: Arc<str>,
}

impl MetadataTable {
    /// The table that comes with the program: `Microsoft.NETCore.App` and `Microsoft.AspNetCore.App`.
    /// `None` only where the program was built with a damaged one.
    pub fn built_in() -> Option<&'static Self> {
        static TABLE: LazyLock<Option<MetadataTable>> =
            LazyLock::new(|| MetadataTable::open(BUILT_IN).ok());
        TABLE.as_ref()
    }

    /// Opens a table that lives as long as the program. O(assemblies).
    pub fn open(bytes: &'static [u8]) -> Result<Self, MetadataError> {
        Self::open_shared(Bytes::Static(bytes))
    }

    /// Opens a table from bytes.
    pub fn from_bytes(bytes: Vec<u8>) -> Result<Self, MetadataError> {
        Self::open_shared(Bytes::Owned(bytes.into()))
    }

    fn open_shared(bytes: Bytes) -> Result<Self, MetadataError> {
        if !bytes.get().starts_with(MAGIC) {
            return Err(MetadataError::Table("it is of another version"));
        }
        Self::try_open(bytes).ok_or(MetadataError::Table("it is cut off"))
    }

    fn try_open(bytes: Bytes) -> Option<Self> {
        let mut input = bytes.get().get(MAGIC.len()..)?;
        let version = Arc::from(take_text(&mut input)?);
        let count = take_varint(&mut input)?;
        if count > MAX_ASSEMBLIES {
            return None;
        }
        let mut entries = Vec::new();
        for _ in 0..count {
            entries.push(Entry::take(&mut input)?);
        }
        let names_length = take_varint(&mut input)? as usize;
        let start = bytes.get().len() - input.len();
        let names = start..start.checked_add(names_length)?;
        let file = Arc::new(TableFile {
            bytes,
            names,
            unpacked_names: OnceLock::new(),
        });
        let mut at = file.names.end;
        let mut assemblies = Vec::new();
        for entry in entries {
            let block = at..at.checked_add(entry.block_length)?;
            at = block.end;
            let assembly = TableAssembly {
                file: file.clone(),
                name: entry.name,
                version: entry.version,
                friends: entry.friends,
                digest: entry.digest,
                names: entry.names,
                block,
                unpacked: OnceLock::new(),
            };
            assemblies.push((entry.framework, Arc::new(Assembly::from_table(assembly))));
        }
        Some(Self {
            assemblies,
            version,
        })
    }

    /// The version of the reference assemblies that it was made of.
    pub fn version(&self) -> &str {
        &self.version
    }

    /// All its assemblies, in packed order.
    pub fn assemblies(&self) -> impl Iterator<Item = &Arc<Assembly>> {
        self.assemblies.iter().map(|(_, assembly)| assembly)
    }

    /// The assemblies of a shared framework, such as `Microsoft.NETCore.App`, in packed order.
    pub fn framework(&self, name: &str) -> impl Iterator<Item = &Arc<Assembly>> {
        self.assemblies
            .iter()
            .filter(move |(framework, _)| &**framework == name)
            .map(|(_, assembly)| assembly)
    }
}

/// What the head says of an assembly.
struct Entry {
    framework: Arc<str>,
    name: Arc<str>,
    version: [u16; 4],
    digest: Hash,
    friends: Vec<String>,
    /// Its part of the unpacked names.
    names: std::ops::Range<usize>,
    block_length: usize,
}

impl Entry {
    fn take(input: &mut &[u8]) -> Option<Self> {
        let framework = take_text(input)?.into();
        let name = take_text(input)?.into();
        let mut version = [0; 4];
        for part in &mut version {
            *part = u16::try_from(take_varint(input)?).ok()?;
        }
        let (digest, rest) = input.split_first_chunk::<32>()?;
        *input = rest;
        let mut friends = Vec::new();
        for _ in 0..take_varint(input)? {
            friends.push(take_text(input)?.to_owned());
        }
        let start = take_varint(input)? as usize;
        let end = start.checked_add(take_varint(input)? as usize)?;
        Some(Self {
            framework,
            name,
            version,
            digest: Hash::from_bytes(*digest),
            friends,
            names: start..end,
            block_length: take_varint(input)? as usize,
        })
    }
}

enum Bytes {
    Static(&'static [u8]),
    Owned(Box<[u8]>),
}

impl Bytes {
    fn get(&self) -> &[u8] {
        match self {
            Self::Static(bytes) => bytes,
            Self::Owned(bytes) => bytes,
        }
    }
}

/// The bytes of a table, shared by its assemblies.
struct TableFile {
    bytes: Bytes,
    names: std::ops::Range<usize>,
    unpacked_names: OnceLock<Vec<u8>>,
}

impl TableFile {
    fn unpack(&self, range: std::ops::Range<usize>) -> Option<Vec<u8>> {
        let mut packed = self.bytes.get().get(range)?;
        let length = take_varint(&mut packed)? as usize;
        if length > MAX_BLOCK_BYTES {
            return None;
        }
        zstd::bulk::decompress(packed, length).ok()
    }

    fn names(&self) -> &[u8] {
        self.unpacked_names
            .get_or_init(|| self.unpack(self.names.clone()).unwrap_or_default())
    }
}

/// One assembly of a table.
pub(crate) struct TableAssembly {
    file: Arc<TableFile>,
    pub(crate) name: Arc<str>,
    pub(crate) version: [u16; 4],
    pub(crate) friends: Vec<String>,
    /// Of the assembly that it was made of.
    pub(crate) digest: Hash,
    names: std::ops::Range<usize>,
    block: std::ops::Range<usize>,
    unpacked: OnceLock<Block>,
}

impl TableAssembly {
    pub(crate) fn names(&self) -> Names {
        let listed = self.listed().unwrap_or_default();
        Names::new(
            listed.types.into_iter(),
            listed.forwards.into_iter(),
            listed.namespaces.into_iter(),
        )
    }

    /// The names of extension members with the rows of their classes, sorted.
    pub(crate) fn extension_members(&self) -> Vec<(&str, u32)> {
        self.listed().unwrap_or_default().extensions
    }

    pub(crate) fn type_def(&self, row: u32) -> Option<ExternalType> {
        let block = self.block();
        let (bytes, _) = block.find(row)?;
        ExternalType::take(&mut Reader { bytes, block })
    }

    pub(crate) fn members(&self, row: u32) -> Vec<ExternalMember> {
        let block = self.block();
        let found = block
            .find(row)
            .and_then(|(_, bytes)| Coded::take(&mut Reader { bytes, block }));
        found.unwrap_or_default()
    }

    pub(crate) fn extension_blocks(&self, row: u32) -> Vec<ExternalExtension> {
        let block = self.block();
        let found = block.find(row).and_then(|(_, bytes)| {
            let reader = &mut Reader { bytes, block };
            Vec::<ExternalMember>::take(reader)?;
            Coded::take(reader)
        });
        found.unwrap_or_default()
    }

    fn block(&self) -> &Block {
        self.unpacked.get_or_init(|| {
            let bytes = self.file.unpack(self.block.clone());
            bytes.and_then(Block::new).unwrap_or_default()
        })
    }

    fn listed(&self) -> Option<Listed<'_>> {
        let input = &mut self.file.names().get(self.names.clone())?;
        let mut texts = Vec::new();
        for _ in 0..take_varint(input)? {
            texts.push(take_text(input)?);
        }
        let text = |input: &mut &[u8]| texts.get(take_varint(input)? as usize).copied();
        let mut listed = Listed::default();
        for _ in 0..take_varint(input)? {
            listed.namespaces.push(text(input)?);
        }
        for _ in 0..take_varint(input)? {
            listed.types.push(TypeEntry {
                row: take_varint(input)?,
                outer: take_varint(input)?.checked_sub(1),
                namespace: text(input)?,
                name: take_text(input)?,
                arity: u16::try_from(take_varint(input)?).ok()?,
            });
        }
        for _ in 0..take_varint(input)? {
            listed.forwards.push(ForwardEntry {
                namespace: text(input)?,
                assembly: text(input)?,
                name: take_text(input)?,
                arity: u16::try_from(take_varint(input)?).ok()?,
            });
        }
        for _ in 0..take_varint(input)? {
            let name = take_text(input)?;
            listed.extensions.push((name, take_varint(input)?));
        }
        Some(listed)
    }
}

/// The names of one assembly as they are packed.
#[derive(Default)]
struct Listed<'a> {
    namespaces: Vec<&'a str>,
    types: Vec<TypeEntry<'a>>,
    forwards: Vec<ForwardEntry<'a>>,
    extensions: Vec<(&'a str, u32)>,
}

fn take_text<'a>(input: &mut &'a [u8]) -> Option<&'a str> {
    let length = take_varint(input)? as usize;
    let (text, rest) = input.split_at_checked(length)?;
    *input = rest;
    std::str::from_utf8(text).ok()
}

#[cfg(test)]
mod tests;
