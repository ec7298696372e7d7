//! Documentation ids of what a snapshot keeps by key.

use crate::QueryError;
use cortex_derived::doc_ids::TypeIds;

use cortex_bind::TypeNode;
use cortex_index::{BoundTarget, Snapshot};
use cortex_model::TypeKey;
use rustc_hash::FxHashMap;

/// A type with its ids.
pub(crate) struct Declared {
    pub(crate) key: TypeKey,
    pub(crate) node: TypeNode,
    pub(crate) ids: TypeIds,
}

/// Every type of a snapshot.
pub(crate) struct Ids {
    // By assembly, then id.
    types: Vec<Declared>,
    by_key: FxHashMap<TypeKey, usize>,
}

impl Ids {
    pub(crate) fn read(snapshot: &Snapshot) -> Result<Self, QueryError> {
        let mut types = Vec::new();
        for (key, node) in snapshot.types()? {
            let ids = TypeIds::new(&node.fqn, snapshot.symbols(key)?);
            types.push(Declared { key, node, ids });
        }
        types.sort_by(|a, b| {
            (&a.node.assembly, &a.ids.id, a.key).cmp(&(&b.node.assembly, &b.ids.id, b.key))
        });
        let by_key = types
            .iter()
            .enumerate()
            .map(|(index, ty)| (ty.key, index))
            .collect();
        Ok(Self { types, by_key })
    }

    pub(crate) fn types(&self) -> &[Declared] {
        &self.types
    }

    /// Whether the repository declares a type: one that is seen through a package made of it is the same.
    pub(crate) fn declares(&self, assembly: &str, id: &str) -> bool {
        let found = self.types.binary_search_by(|ty| {
            (ty.node.assembly.as_str(), ty.ids.id.as_str()).cmp(&(assembly, id))
        });
        found.is_ok()
    }

    pub(crate) fn ty(&self, key: TypeKey) -> Option<&Declared> {
        self.by_key.get(&key).map(|&index| &self.types[index])
    }

    /// The id of a type or member of the repository.
    pub(crate) fn target(&self, target: &BoundTarget) -> Option<String> {
        match target {
            BoundTarget::Type(key) => Some(self.ty(*key)?.ids.id.clone()),
            BoundTarget::Member(key, tag) => {
                let ids = &self.ty(*key)?.ids;
                Some(ids.member(ids.index(*tag)?))
            }
            BoundTarget::External(..) => None,
        }
    }
}
