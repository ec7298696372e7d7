//! Documentation ids of single symbols of a snapshot, read when they are asked for.
//!
//! Owns: which documentation id each written member of a type has. Must not know: what is asked of a symbol.

pub mod members;
pub mod split;

use crate::{DerivedError, doc_ids::members::symbols_of_members};

use std::{borrow::Borrow, rc::Rc};

use cortex_bind::TypeNode;
use cortex_index::{BoundTarget, FileBindings, MemberTag, Snapshot, TypeSymbols};
use cortex_model::{RepoPath, TypeKey};
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
        let tags = symbols.members.iter().enumerate();
        let by_tag = tags
            .map(|(at, member)| (MemberTag::new(&member.id), at))
            .collect();
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
        let tag = MemberTag::new(&format!("{kind}.{rest}"));
        self.by_tag.contains_key(&tag).then_some(tag)
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

/// The symbol of each written member of a type, in the order of [`TypeNode::members`]: an index into the
/// type's symbols. What a declaration was bound to decides; where nothing in a declaration had to be bound, it
/// names no types, and its name and its parameters' keywords do.
pub fn written_members(
    snapshot: &Snapshot,
    key: TypeKey,
    node: &TypeNode,
    ids: &TypeIds,
) -> Result<Vec<Option<usize>>, DerivedError> {
    written_members_in(key, node, ids, |path| {
        Ok(snapshot.bindings(path, &node.project)?)
    })
}

/// The same, for those who read what the names of each file mean themselves.
pub fn written_members_in<B: Borrow<FileBindings>, E>(
    key: TypeKey,
    node: &TypeNode,
    ids: &TypeIds,
    mut bindings: impl FnMut(&RepoPath) -> Result<B, E>,
) -> Result<Vec<Option<usize>>, E> {
    let mut files: Vec<Option<B>> = Vec::with_capacity(node.parts.len());
    for (at, part) in node.parts.iter().enumerate() {
        let is_first = node.parts[..at].iter().all(|it| it.path != part.path);
        files.push(match is_first {
            true => Some(bindings(&part.path)?),
            false => None,
        });
    }
    let mut known: Vec<Option<usize>> = Vec::with_capacity(node.members.len());
    for member in &node.members {
        let path = node.parts.get(member.part as usize).map(|part| &part.path);
        let file = (node.parts.iter().zip(&files))
            .find_map(|(part, file)| file.as_ref().filter(|_| Some(&part.path) == path));
        let found = file.filter(|_| !member.primary).and_then(|file| {
            let file: &FileBindings = file.borrow();
            let at = (file.decls).binary_search_by_key(&Some(member.decl), |decl| decl.decl);
            let symbol = file.decls[at.ok()?].symbol?;
            match file.targets[symbol as usize] {
                BoundTarget::Member(owner, tag) if owner == key => ids.index(tag),
                _ => None,
            }
        });
        known.push(found);
    }
    Ok(symbols_of_members(node, &ids.symbols, known))
}
