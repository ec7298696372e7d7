//! Names of types: what a token of `TypeDef`, `TypeRef` or `ExportedType` is called and where it is from.

use std::sync::{Arc, OnceLock};

use super::{
    PeFile,
    tables::{Metadata, Table, Token},
};
use crate::model::{NamedSig, Primitive};

/// Types nested deeper than this are not read.
const MAX_NESTING: usize = 64;

/// The assemblies whose `System` types are the primitives.
const CORE_ASSEMBLIES: [&str; 4] = [
    "System.Runtime",
    "System.Private.CoreLib",
    "mscorlib",
    "netstandard",
];

/// The name of a type without type arguments.
#[derive(Clone)]
pub(crate) struct Head {
    pub(crate) namespace: Arc<str>,
    pub(crate) path: Arc<[(Arc<str>, u16)]>,
    pub(crate) assembly: Arc<str>,
    /// Where signatures have a code for the type.
    pub(crate) primitive: Option<Primitive>,
}

impl Head {
    pub(crate) fn open(&self) -> NamedSig {
        NamedSig {
            namespace: self.namespace.clone(),
            path: self.path.clone(),
            args: Vec::new(),
            assembly: self.assembly.clone(),
        }
    }

    fn from_path(namespace: &str, path: Vec<(Arc<str>, u16)>, assembly: Arc<str>) -> Self {
        let primitive = match &*path {
            [(name, 0)] if namespace == "System" => Primitive::ALL
                .iter()
                .copied()
                .find(|primitive| primitive.name() == &**name),
            _ => None,
        };
        Self {
            namespace: namespace.into(),
            path: path.into(),
            assembly,
            primitive,
        }
    }
}

/// The names that were made, so that each is made once.
#[derive(Default)]
pub(crate) struct HeadCache {
    refs: OnceLock<Box<[OnceLock<Option<Head>>]>>,
    defs: OnceLock<Box<[OnceLock<Option<Head>>]>>,
}

/// Splits `List`1` into its simple name and arity.
pub(crate) fn split_arity(name: &str) -> (&str, u16) {
    if let Some((simple, digits)) = name.rsplit_once('`')
        && digits.bytes().all(|byte| byte.is_ascii_digit())
        && let Ok(arity) = digits.parse()
        && !simple.is_empty()
    {
        return (simple, arity);
    }
    (name, 0)
}

impl PeFile {
    /// The name behind a `TypeDef` or `TypeRef` token.
    pub(crate) fn head(&self, token: Token) -> Option<&Head> {
        let (cache, table) = match (token.of(Table::TypeDef), token.of(Table::TypeRef)) {
            (Some(_), _) => (&self.heads.defs, Table::TypeDef),
            (_, Some(_)) => (&self.heads.refs, Table::TypeRef),
            _ => return None,
        };
        let heads = cache.get_or_init(|| {
            (0..self.metadata.rows(table))
                .map(|_| OnceLock::new())
                .collect()
        });
        heads
            .get(token.row.checked_sub(1)? as usize)?
            .get_or_init(|| match table {
                Table::TypeDef => self.make_def_head(token.row),
                _ => self.make_ref_head(token.row),
            })
            .as_ref()
    }

    fn make_ref_head(&self, row: u32) -> Option<Head> {
        let metadata = &self.metadata;
        let mut path = Vec::new();
        let mut at = row;
        for _ in 0..MAX_NESTING {
            let (name, arity) = split_arity(metadata.text(Table::TypeRef, at, 1));
            if name.is_empty() {
                return None;
            }
            path.push((Arc::from(name), arity));
            let scope = metadata.token(Table::TypeRef, at, 0)?;
            if let Some(outer) = scope.of(Table::TypeRef) {
                at = outer;
                continue;
            }
            let assembly = match scope.of(Table::AssemblyRef) {
                Some(reference) => metadata.text(Table::AssemblyRef, reference, 6).into(),
                None => self.name.clone(),
            };
            path.reverse();
            let namespace = metadata.text(Table::TypeRef, at, 2);
            return Some(Head::from_path(namespace, path, assembly));
        }
        None
    }

    fn make_def_head(&self, row: u32) -> Option<Head> {
        let mut path = Vec::new();
        let mut at = row;
        for _ in 0..MAX_NESTING {
            let (name, arity) = self.def_name(at);
            if name.is_empty() {
                return None;
            }
            path.push((Arc::from(name), arity));
            if let Some(outer) = self.outer_row(at) {
                at = outer;
                continue;
            }
            path.reverse();
            let namespace = self.metadata.text(Table::TypeDef, at, 2);
            let mut head = Head::from_path(namespace, path, self.name.clone());
            if !self.is_core() {
                head.primitive = None;
            }
            return Some(head);
        }
        None
    }

    /// The simple name and own arity of a defined type.
    pub(crate) fn def_name(&self, row: u32) -> (&str, u16) {
        let written = self.metadata.text(Table::TypeDef, row, 1);
        let all = self.generic_count(row);
        let outer = self
            .outer_row(row)
            .map_or(0, |outer| self.generic_count(outer));
        let declared = all.saturating_sub(outer);
        match split_arity(written) {
            (simple, arity) if arity == declared => (simple, declared),
            _ => (written, declared),
        }
    }

    fn generic_count(&self, row: u32) -> u16 {
        let token = Token::new(Table::TypeDef, row);
        let rows = self.metadata.rows_of(Table::GenericParam, 2, token);
        u16::try_from(rows.len()).unwrap_or(u16::MAX)
    }

    /// The type that encloses a defined type.
    pub(crate) fn outer_row(&self, row: u32) -> Option<u32> {
        let nested = self.metadata.equal_rows(Table::NestedClass, 0, row);
        let outer = self
            .metadata
            .cell(Table::NestedClass, nested.clone().next()?, 1);
        (outer != 0 && outer != row).then_some(outer)
    }

    /// Whether this is the assembly that defines the primitives.
    pub(crate) fn is_core(&self) -> bool {
        CORE_ASSEMBLIES.contains(&&*self.name)
    }
}

/// Namespace and name of a type as metadata has them, of a `TypeRef` or `TypeDef`.
pub(crate) fn raw_name(metadata: &Metadata, token: Token) -> (&str, &str) {
    match (token.of(Table::TypeRef), token.of(Table::TypeDef)) {
        (Some(row), _) => (
            metadata.text(Table::TypeRef, row, 2),
            metadata.text(Table::TypeRef, row, 1),
        ),
        (_, Some(row)) => (
            metadata.text(Table::TypeDef, row, 2),
            metadata.text(Table::TypeDef, row, 1),
        ),
        _ => ("", ""),
    }
}
