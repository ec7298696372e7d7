//! An assembly that answers questions about its types, wherever they come from.

use std::{
    path::{Path, PathBuf},
    sync::{Arc, OnceLock},
};

use cortex_model::{Hash, Hasher};
use rustc_hash::FxHashMap;

use crate::{
    error::MetadataError,
    model::{ExternalExtension, ExternalMember, ExternalType, TypeRow},
    names::Names,
    pe::PeFile,
    table::TableAssembly,
};

/// One assembly. Cheap to open and to share; types and members are decoded when asked for and not kept:
/// who asks twice caches. What only the assembly itself can see is left out; internal declarations are
/// kept where the assembly has [`friends`](Self::friends). Types and members whose names compilers make
/// (`<…`) are left out.
pub struct Assembly {
    source: Source,
    path: Option<PathBuf>,
    digest: Hash,
    names: OnceLock<Names>,
    extensions: OnceLock<FxHashMap<Box<str>, Vec<TypeRow>>>,
}

enum Source {
    Pe(Box<PeFile>),
    Table(Box<TableAssembly>),
    Later(Box<Later>),
}

/// An assembly whose name and version are known: its file is opened when more is asked.
struct Later {
    name: Arc<str>,
    version: [u16; 4],
    file: OnceLock<Option<PeFile>>,
}

/// What answers.
enum Opened<'a> {
    Pe(&'a PeFile),
    Table(&'a TableAssembly),
    /// The file is not what it was.
    Nothing,
}

impl Assembly {
    /// Opens a file. Reads its metadata and decodes nothing.
    pub fn open(path: &Path) -> Result<Self, MetadataError> {
        Ok(Self {
            path: Some(path.to_owned()),
            ..Self::new(PeFile::open(path)?)
        })
    }

    /// Reads the bytes of a file.
    pub fn from_bytes(bytes: Vec<u8>) -> Result<Self, MetadataError> {
        Ok(Self::new(PeFile::from_bytes(bytes)?))
    }

    fn new(source: PeFile) -> Self {
        let digest = digest(&source);
        Self::from_source(Source::Pe(Box::new(source)), digest)
    }

    /// An assembly that was opened before, by another process perhaps.
    pub(crate) fn later(path: PathBuf, name: &str, version: [u16; 4], digest: Hash) -> Self {
        let later = Later {
            name: name.into(),
            version,
            file: OnceLock::new(),
        };
        Self {
            path: Some(path),
            ..Self::from_source(Source::Later(Box::new(later)), digest)
        }
    }

    /// Whether its file turned out to be another one than it was, so that its answers are empty.
    pub(crate) fn is_lost(&self) -> bool {
        match &self.source {
            Source::Later(later) => matches!(later.file.get(), Some(None)),
            Source::Pe(_) | Source::Table(_) => false,
        }
    }

    fn opened(&self) -> Opened<'_> {
        match &self.source {
            Source::Pe(file) => Opened::Pe(file),
            Source::Table(table) => Opened::Table(table),
            Source::Later(later) => {
                let file = later.file.get_or_init(|| {
                    let file = PeFile::open(self.path.as_deref()?).ok()?;
                    (digest(&file) == self.digest).then_some(file)
                });
                file.as_ref().map_or(Opened::Nothing, Opened::Pe)
            }
        }
    }

    pub(crate) fn from_table(source: TableAssembly) -> Self {
        let mut hasher = Hasher::new("table-assembly-v1");
        hasher.field(source.digest.as_bytes());
        Self::from_source(Source::Table(Box::new(source)), hasher.finish())
    }

    fn from_source(source: Source, digest: Hash) -> Self {
        Self {
            source,
            path: None,
            digest,
            names: OnceLock::new(),
            extensions: OnceLock::new(),
        }
    }

    /// The simple name.
    pub fn name(&self) -> &Arc<str> {
        match &self.source {
            Source::Pe(file) => &file.name,
            Source::Table(table) => &table.name,
            Source::Later(later) => &later.name,
        }
    }

    /// The file that it was read from, if it was one.
    pub fn path(&self) -> Option<&Path> {
        self.path.as_deref()
    }

    /// Major, minor, build, revision.
    pub fn version(&self) -> [u16; 4] {
        match &self.source {
            Source::Pe(file) => file.version,
            Source::Table(table) => table.version,
            Source::Later(later) => later.version,
        }
    }

    /// The assemblies that may see its internals, in metadata order, without their keys.
    pub fn friends(&self) -> &[String] {
        match self.opened() {
            Opened::Pe(file) => &file.friends,
            Opened::Table(table) => &table.friends,
            Opened::Nothing => &[],
        }
    }

    /// Tells this build of the assembly from every other one: for cache keys. Equal digests mean equal answers.
    pub fn digest(&self) -> Hash {
        self.digest
    }

    /// The top-level type of a namespace (dotted, empty for the global one), simple name and arity. O(1).
    pub fn find(&self, namespace: &str, name: &str, arity: u16) -> Option<TypeRow> {
        self.names().find(namespace, name, arity)
    }

    /// The top-level types of a name, by arity. O(1).
    pub fn named(
        &self,
        namespace: &str,
        name: &str,
    ) -> impl Iterator<Item = (u16, TypeRow)> + use<'_> {
        self.names().named(namespace, name)
    }

    /// The namespaces and names of its top-level types, in no meaningful order.
    pub(crate) fn type_names(&self) -> impl Iterator<Item = (&str, &str)> {
        let types = self.names().types();
        types.map(|entry| (entry.namespace, entry.name))
    }

    /// The types nested in a type, in metadata order.
    pub fn nested(&self, outer: TypeRow) -> &[TypeRow] {
        self.names().nested(outer)
    }

    /// The simple name of the assembly that a top-level type was moved to.
    pub fn forwarded(&self, namespace: &str, name: &str, arity: u16) -> Option<&str> {
        self.names().forwarded(namespace, name, arity)
    }

    /// Whether it has a namespace: types in it, or in one below it. Forwarded types do not count.
    pub fn has_namespace(&self, namespace: &str) -> bool {
        self.names().has_namespace(namespace)
    }

    /// Its namespaces and those around them, without the global one, sorted.
    pub fn namespaces(&self) -> impl Iterator<Item = &str> {
        self.names().namespaces()
    }

    /// Its top-level types, sorted by row.
    pub fn types(&self) -> Vec<TypeRow> {
        let mut rows: Vec<_> = self
            .names()
            .types()
            .map(|entry| TypeRow(entry.row))
            .collect();
        rows.sort_unstable();
        rows
    }

    /// Decodes a type. A row of another assembly gives an arbitrary type, never a panic.
    pub fn type_def(&self, row: TypeRow) -> ExternalType {
        match self.opened() {
            Opened::Pe(file) => file.type_def(row.0),
            Opened::Table(table) => table.type_def(row.0).unwrap_or_else(ExternalType::empty),
            Opened::Nothing => ExternalType::empty(),
        }
    }

    /// Decodes the members of a type: fields, methods, properties, events, each in metadata order, nested types not among them.
    pub fn members(&self, row: TypeRow) -> Vec<ExternalMember> {
        match self.opened() {
            Opened::Pe(file) => file.members(row.0),
            Opened::Table(table) => table.members(row.0),
            Opened::Nothing => Vec::new(),
        }
    }

    /// Decodes the extension blocks (C# 14) of a static class, in metadata order.
    pub fn extension_blocks(&self, row: TypeRow) -> Vec<ExternalExtension> {
        match self.opened() {
            Opened::Pe(file) => file.extension_blocks(row.0),
            Opened::Table(table) => table.extension_blocks(row.0),
            Opened::Nothing => Vec::new(),
        }
    }

    /// The static classes that declare an extension method of a name, or any member of that name in an
    /// extension block, sorted. The first call builds an index.
    pub fn extension_methods(&self, name: &str) -> &[TypeRow] {
        let index = self.extensions.get_or_init(|| {
            let mut index: FxHashMap<Box<str>, Vec<TypeRow>> = FxHashMap::default();
            for (name, row) in self.listed_extension_members() {
                match index.get_mut(name) {
                    Some(rows) => rows.push(TypeRow(row)),
                    None => drop(index.insert(name.into(), vec![TypeRow(row)])),
                }
            }
            index
        });
        index.get(name).map_or(&[], Vec::as_slice)
    }

    /// Its place in a table, if it is from one.
    #[cfg(test)]
    pub(crate) fn table(&self) -> Option<&TableAssembly> {
        match &self.source {
            Source::Pe(_) | Source::Later(_) => None,
            Source::Table(table) => Some(table),
        }
    }

    pub(crate) fn names(&self) -> &Names {
        self.names.get_or_init(|| match self.opened() {
            Opened::Pe(file) => file.names(),
            Opened::Table(table) => table.names(),
            Opened::Nothing => Names::none(),
        })
    }

    /// The names of extension members with the rows of their classes, sorted, without repetition.
    pub(crate) fn listed_extension_members(&self) -> Vec<(&str, u32)> {
        match self.opened() {
            Opened::Pe(file) => file.extension_members(),
            Opened::Table(table) => table.extension_members(),
            Opened::Nothing => Vec::new(),
        }
    }

    /// All its types with what encloses them, sorted by row.
    pub(crate) fn all_types(&self) -> Vec<(TypeRow, Option<TypeRow>)> {
        let mut all: Vec<_> = self.types().into_iter().map(|row| (row, None)).collect();
        let mut next = 0;
        while let Some(&(outer, _)) = all.get(next) {
            all.extend(self.nested(outer).iter().map(|&row| (row, Some(outer))));
            next += 1;
        }
        all.sort_unstable();
        all
    }
}

/// Tells a build of an assembly from every other one.
fn digest(file: &PeFile) -> Hash {
    let mut hasher = Hasher::new("assembly-v1");
    hasher.field(file.name.as_bytes());
    for part in file.version {
        hasher.number(u64::from(part));
    }
    hasher.field(file.module_id());
    hasher.finish()
}
