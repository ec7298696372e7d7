//! Documentation ids of what a snapshot keeps by key.

use cortex_bind::TypeNode;
use cortex_index::{BoundTarget, MemberTag, Snapshot, TypeSymbols};
use cortex_model::TypeKey;
use rustc_hash::FxHashMap;

use crate::QueryError;

/// A type with the ids of its members.
pub(super) struct TypeIds {
    pub(super) key: TypeKey,
    pub(super) node: TypeNode,
    pub(super) symbols: TypeSymbols,
    pub(super) id: String,
    by_tag: FxHashMap<MemberTag, usize>,
}

/// Every type of a snapshot.
pub(super) struct Ids {
    // By assembly, then id.
    types: Vec<TypeIds>,
    by_key: FxHashMap<TypeKey, usize>,
}

impl Ids {
    pub(super) fn read(snapshot: &Snapshot) -> Result<Self, QueryError> {
        let mut types = Vec::new();
        for (key, node) in snapshot.types()? {
            let symbols = snapshot.symbols(key)?;
            let id = format!("T:{}", node.fqn.replace('+', "."));
            let tags = symbols.members.iter().enumerate();
            let by_tag = tags
                .map(|(index, member)| (MemberTag::new(&member.id), index))
                .collect();
            types.push(TypeIds {
                key,
                node,
                symbols,
                id,
                by_tag,
            });
        }
        types.sort_by(|a, b| {
            (&a.node.assembly, &a.id, a.key).cmp(&(&b.node.assembly, &b.id, b.key))
        });
        let by_key = types
            .iter()
            .enumerate()
            .map(|(index, ty)| (ty.key, index))
            .collect();
        Ok(Self { types, by_key })
    }

    pub(super) fn types(&self) -> &[TypeIds] {
        &self.types
    }

    /// Whether the repository declares a type: one that is seen through a package made of it is the same.
    pub(super) fn declares(&self, assembly: &str, id: &str) -> bool {
        let found = self.types.binary_search_by(|ty| {
            (ty.node.assembly.as_str(), ty.id.as_str()).cmp(&(assembly, id))
        });
        found.is_ok()
    }

    pub(super) fn ty(&self, key: TypeKey) -> Option<&TypeIds> {
        self.by_key.get(&key).map(|&index| &self.types[index])
    }

    /// The id of a type or member of the repository.
    pub(super) fn target(&self, target: &BoundTarget) -> Option<String> {
        match target {
            BoundTarget::Type(key) => Some(self.ty(*key)?.id.clone()),
            BoundTarget::Member(key, tag) => {
                let ty = self.ty(*key)?;
                let index = *ty.by_tag.get(tag)?;
                Some(member(&ty.id, &ty.symbols.members[index].id))
            }
            BoundTarget::External(..) => None,
        }
    }
}

/// The id of a member by its type's and its own part.
pub(super) fn member(ty: &str, part: &str) -> String {
    let (kind, rest) = part.split_once('.').unwrap_or(("M", part));
    format!("{kind}:{}.{rest}", &ty[2..])
}
