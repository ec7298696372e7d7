//! Documentation ids of single symbols of a snapshot, read when they are asked for.
//!
//! Owns: which documentation id each written member of a type has. Must not know: what is asked of a symbol.

pub mod members;
pub mod split;

use crate::DerivedError;

use std::rc::Rc;

use cortex_bind::TypeNode;
use cortex_index::{MemberTag, Snapshot, TypeSymbols};
use cortex_model::TypeKey;
use rustc_hash::FxHashMap;

/// A type's documentation id and those of its members.
pub struct TypeIds {
    /// `T:` and the type's name.
    pub id: String,
    /// What binding knows of its members.
    pub symbols: TypeSymbols,
    by_tag: FxHashMap<MemberTag, usize>,
}

impl TypeIds {
    /// Of the type with this canonical name.
    pub fn new(fqn: &str, symbols: TypeSymbols) -> Self {
        let tags = symbols.tags().enumerate();
        let by_tag = tags.map(|(at, tag)| (tag, at)).collect();
        Self {
            id: format!("T:{}", fqn.replace('+', ".")),
            symbols,
            by_tag,
        }
    }

    /// The whole documentation id of a member, by its index among the symbols.
    pub fn member(&self, at: usize) -> String {
        let part = &*self.symbols.members[at].id;
        let (kind, rest) = part.split_once('.').unwrap_or(("M", part));
        format!("{kind}:{}.{rest}", &self.id[2..])
    }

    /// The index of a member among the symbols.
    pub fn index(&self, tag: MemberTag) -> Option<usize> {
        self.by_tag.get(&tag).copied()
    }

    /// The tag of a member by its whole documentation id, if that is one of this type.
    pub fn tag_of(&self, id: &str) -> Option<MemberTag> {
        let (kind, rest) = id.split_once(':')?;
        let rest = rest.strip_prefix(&self.id[2..])?.strip_prefix('.')?;
        let at = self.symbols.member_with_id(&format!("{kind}.{rest}"))?;
        Some(self.symbols.tag(at))
    }
}

/// The ids of one snapshot, each type read once.
pub struct DocIds<'s> {
    snapshot: &'s Snapshot,
    types: FxHashMap<TypeKey, Option<Rc<TypeIds>>>,
}

impl<'s> DocIds<'s> {
    /// None read yet.
    pub fn new(snapshot: &'s Snapshot) -> Self {
        Self {
            snapshot,
            types: FxHashMap::default(),
        }
    }

    /// The snapshot.
    pub fn snapshot(&self) -> &'s Snapshot {
        self.snapshot
    }

    /// The ids of a type; `None` where the snapshot does not have it.
    pub fn ty(&mut self, key: TypeKey) -> Result<Option<Rc<TypeIds>>, DerivedError> {
        if let Some(known) = self.types.get(&key) {
            return Ok(known.clone());
        }
        let found = match self.snapshot.type_header(key)? {
            Some(header) => {
                let symbols = self.snapshot.symbols(key)?;
                Some(Rc::new(TypeIds::new(&header.fqn, symbols)))
            }
            None => None,
        };
        self.types.insert(key, found.clone());
        Ok(found)
    }

    /// The id of a type, or of a member where one is given.
    pub fn of(
        &mut self,
        key: TypeKey,
        member: Option<MemberTag>,
    ) -> Result<Option<String>, DerivedError> {
        let Some(ids) = self.ty(key)? else {
            return Ok(None);
        };
        Ok(match member {
            None => Some(ids.id.clone()),
            Some(tag) => ids.index(tag).map(|at| ids.member(at)),
        })
    }
}

/// The symbol of each written member of a type, in the order of [`TypeNode::members`]: an index into the type's
/// symbols.
pub fn written_members(node: &TypeNode, ids: &TypeIds) -> Vec<Option<usize>> {
    let mut written: Vec<Option<usize>> = ids.symbols.declared().collect();
    written.resize(node.members.len(), None);
    written
}
