//! An assembly read from a file of ECMA-335 metadata.
//!
//! Owns: the way from bytes to the model. Nothing is decoded before it is asked for. The bytes are not
//! trusted: every read is bounds-checked, every walk bounded, and what makes no sense reads as absent.
//! Must not know: which assemblies belong together.

mod attributes;
mod bytes;
mod extensions;
mod heads;
mod image;
mod members;
mod params;
mod signature;
mod tables;
mod types;

use std::{
    collections::BTreeSet,
    path::Path,
    sync::{Arc, OnceLock},
};

use cortex_model::Accessibility;

use self::{
    attributes::{Known, KnownCache},
    heads::{HeadCache, split_arity},
    members::MemberMaps,
    tables::{Metadata, Table, Token},
};
use crate::{
    error::MetadataError,
    names::{ForwardEntry, Names, TypeEntry},
};

/// The metadata of one assembly.
pub(crate) struct PeFile {
    metadata: Metadata,
    /// The simple name.
    pub(crate) name: Arc<str>,
    pub(crate) version: [u16; 4],
    /// The assemblies that see its internals, in metadata order.
    pub(crate) friends: Vec<String>,
    heads: HeadCache,
    known: KnownCache,
    maps: OnceLock<MemberMaps>,
}

impl PeFile {
    pub(crate) fn open(path: &Path) -> Result<Self, MetadataError> {
        Self::from_metadata(image::read_metadata(path)?)
    }

    pub(crate) fn from_bytes(bytes: Vec<u8>) -> Result<Self, MetadataError> {
        Self::from_metadata(image::cut_metadata(bytes)?)
    }

    fn from_metadata(bytes: Vec<u8>) -> Result<Self, MetadataError> {
        let metadata = Metadata::read(bytes)?;
        if metadata.rows(Table::Assembly) == 0 {
            return Err(MetadataError::Image("a module without an assembly"));
        }
        let name = metadata.text(Table::Assembly, 1, 7).into();
        let part = |column| metadata.cell(Table::Assembly, 1, column) as u16;
        let mut file = Self {
            version: [part(1), part(2), part(3), part(4)],
            name,
            friends: Vec::new(),
            heads: HeadCache::default(),
            known: KnownCache::default(),
            maps: OnceLock::new(),
            metadata,
        };
        file.friends = file.read_friends();
        Ok(file)
    }

    /// What tells this build of the assembly from others.
    pub(crate) fn module_id(&self) -> &[u8] {
        self.metadata.guid(Table::Module, 1, 2)
    }

    pub(crate) fn names(&self) -> Names {
        let metadata = &self.metadata;
        let types = self.type_entries();
        let mut namespaces = BTreeSet::new();
        for row in 1..=metadata.rows(Table::TypeDef) {
            let name = metadata.text(Table::TypeDef, row, 1);
            if self.type_flags(row) & 7 < 2 && !name.starts_with('<') {
                namespaces.insert(metadata.text(Table::TypeDef, row, 2));
            }
        }
        let forwards = (1..=metadata.rows(Table::ExportedType)).filter_map(|row| {
            let implementation = metadata.token(Table::ExportedType, row, 4)?;
            let reference = implementation.of(Table::AssemblyRef)?;
            let (name, arity) = split_arity(metadata.text(Table::ExportedType, row, 2));
            Some(ForwardEntry {
                namespace: metadata.text(Table::ExportedType, row, 3),
                name,
                arity,
                assembly: metadata.text(Table::AssemblyRef, reference, 6),
            })
        });
        Names::new(types, forwards, namespaces.into_iter())
    }

    /// The types that other assemblies may name, in metadata order.
    pub(crate) fn type_entries(&self) -> impl Iterator<Item = TypeEntry<'_>> {
        (1..=self.metadata.rows(Table::TypeDef)).filter_map(|row| {
            if !self.keeps(self.accessibility(row)) {
                return None;
            }
            let (name, arity) = self.def_name(row);
            if name.is_empty() || name.starts_with('<') {
                return None;
            }
            Some(TypeEntry {
                row,
                namespace: self.metadata.text(Table::TypeDef, row, 2),
                name,
                arity,
                outer: self.outer_row(row),
            })
        })
    }

    /// The names of extension methods and of the members of extension blocks with the rows of their classes,
    /// sorted, without repetition.
    pub(crate) fn extension_members(&self) -> Vec<(&str, u32)> {
        let metadata = &self.metadata;
        let mut found = self.names_in_blocks();
        for row in 1..=metadata.rows(Table::CustomAttribute) {
            let Some(method) = metadata
                .token(Table::CustomAttribute, row, 0)
                .and_then(|parent| parent.of(Table::MethodDef))
            else {
                continue;
            };
            let flags = metadata.cell(Table::MethodDef, method, 2);
            if self.known_attribute(row) == Some(Known::Extension)
                && self.keeps(members::accessibility(flags))
            {
                let owner = metadata.list_owner(Table::TypeDef, 5, method);
                if self.keeps(self.accessibility(owner)) {
                    found.push((metadata.text(Table::MethodDef, method, 3), owner));
                }
            }
        }
        found.sort_unstable();
        found.dedup();
        found
    }

    /// Whether declarations of an accessibility are read: internal ones only where there are friends.
    fn keeps(&self, accessibility: Accessibility) -> bool {
        match accessibility {
            Accessibility::Public | Accessibility::Protected | Accessibility::ProtectedInternal => {
                true
            }
            Accessibility::Internal | Accessibility::PrivateProtected => !self.friends.is_empty(),
            Accessibility::Private | Accessibility::File => false,
        }
    }

    fn type_flags(&self, row: u32) -> u32 {
        self.metadata.cell(Table::TypeDef, row, 0)
    }

    fn read_friends(&self) -> Vec<String> {
        self.attributes(Token::new(Table::Assembly, 1))
            .filter(|(attribute, _)| *attribute == Known::InternalsVisibleTo)
            .filter_map(|(_, blob)| {
                // The public key of a signed friend follows a comma.
                let name = blob.text()?.split(',').next()?.trim();
                Some(name.to_owned())
            })
            .collect()
    }
}
