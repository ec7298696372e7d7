//! One side of a changed type, whose members are found by their signatures.
//!
//! Must not know: what changed.

use std::rc::Rc;

use cortex_bind::TypeNode;
use cortex_derived::doc_ids::{DocIds, TypeIds, written_members};
use cortex_index::MemberTag;
use cortex_look::QueryError;
use cortex_model::TypeKey;
use cortex_wire::UseSide;
use rustc_hash::FxHashMap;

/// One side of a changed type.
pub(crate) struct TypeHalf<'a> {
    pub(crate) side: UseSide,
    pub(crate) key: TypeKey,
    pub(crate) node: &'a TypeNode,
    pub(crate) ids: Rc<TypeIds>,
    /// The symbols of members by their signatures, in short and in full: a change tells the one or the other.
    pub(crate) by_signature: FxHashMap<String, usize>,
}

impl<'a> TypeHalf<'a> {
    /// Of a type, by its key on that side; `None` where binding knows nothing of it.
    pub(crate) fn new(
        ids: &mut DocIds<'_>,
        side: UseSide,
        key: TypeKey,
        node: &'a TypeNode,
    ) -> Result<Option<Self>, QueryError> {
        let Some(ids) = ids.ty(key)? else {
            return Ok(None);
        };
        let members = written_members(node, &ids);
        let known = node.members.iter().zip(members);
        let mut by_signature = FxHashMap::default();
        for (member, at) in known {
            let Some(at) = at else { continue };
            by_signature.insert(node.full_member_signature(member), at);
            by_signature
                .entry(node.member_signature(member))
                .or_insert(at);
        }
        Ok(Some(Self {
            side,
            key,
            node,
            ids,
            by_signature,
        }))
    }

    /// The tag of the member of a signature.
    pub(crate) fn tag(&self, signature: &str) -> Option<MemberTag> {
        let at = self.by_signature.get(signature)?;
        Some(self.ids.symbols.tag(*at))
    }
}
