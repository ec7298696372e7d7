//! Which objects a call may have before its dot, and with that which overrides and implementations it may run.
//!
//! Owns: that the constructed type of a receiver decides. Must not know: which calls there are.

use crate::{
    QueryError,
    family::{derives, subtypes},
};
use cortex_derived::doc_ids::DocIds;

use cortex_index::{DeclBindings, FileBindings};
use cortex_model::TypeKey;
use rustc_hash::{FxHashMap, FxHashSet};

/// What a key says without the assembly.
type Bare = [u8; 10];

fn bare(key: TypeKey) -> Bare {
    let mut out = Bare::default();
    out.copy_from_slice(key.bare());
    out
}

/// The type of what a name is called on, then the types among its type arguments; empty
/// where nothing is known.
#[must_use]
pub fn receiver_at(bindings: &FileBindings, decl: &DeclBindings, offset: u32) -> Vec<TypeKey> {
    let found = decl.receivers.binary_search_by_key(&offset, |it| it.offset);
    let found = found.ok().map(|at| decl.receivers[at].types.iter());
    let types = found.into_iter().flatten();
    types
        .filter_map(|&it| bindings.targets[it as usize].key())
        .collect()
}

/// Answers for many calls, what is read of the snapshot kept.
#[derive(Default)]
pub struct Dispatch {
    /// What the objects may be that run a member of a type.
    objects: FxHashMap<TypeKey, Vec<Bases>>,
    bases: FxHashMap<TypeKey, Bases>,
}

/// What a type is by what it and the types above it say of their bases. Types are the same whichever project compiles
/// their files.
#[derive(Clone, Default)]
struct Bases {
    /// The type and all that it derives from.
    types: FxHashSet<Bare>,
    /// The arguments of these.
    arguments: Vec<TypeKey>,
    /// All above its arguments, they themselves included.
    above_arguments: FxHashSet<Bare>,
    /// It has type parameters: its arguments may be any.
    is_open: bool,
    /// Not all of its bases are known.
    is_partial: bool,
}

impl Dispatch {
    /// Whether a call on a receiver may run a member that a type declares. `receiver`: its type, then the types among
    /// its type arguments; empty where nothing is known.
    ///
    /// It may where an object of the type, or of one derived from it, can be of the receiver's type. Type parameters
    /// may be any type.
    ///
    /// # Errors
    /// Those of the index.
    pub fn may_run(
        &mut self,
        ids: &mut DocIds<'_>,
        owner: TypeKey,
        receiver: &[TypeKey],
    ) -> Result<bool, QueryError> {
        let Some((&ty, arguments)) = receiver.split_first() else {
            return Ok(true);
        };
        if !self.objects.contains_key(&owner) {
            let found = self.objects_of(ids, owner)?;
            self.objects.insert(owner, found);
        }
        let mut above: Vec<(TypeKey, FxHashSet<Bare>)> = Vec::new();
        for &argument in arguments {
            above.push((argument, self.bases_of(ids, argument)?.types));
        }
        let objects = &self.objects[&owner];
        Ok(objects.iter().any(|object| {
            if object.is_partial {
                return true;
            }
            let is_type = object.types.contains(&bare(ty));
            is_type && (object.is_open || above.iter().all(|it| object.may_have(it.0, &it.1)))
        }))
    }

    fn objects_of(
        &mut self,
        ids: &mut DocIds<'_>,
        owner: TypeKey,
    ) -> Result<Vec<Bases>, QueryError> {
        let mut out = Vec::new();
        for key in subtypes(ids.snapshot(), owner)? {
            let bases = self.bases_of(ids, key)?;
            // Subtypes are also those that have it as an argument of a base.
            if bases.types.contains(&bare(owner)) {
                out.push(bases);
            }
        }
        Ok(out)
    }

    fn bases_of(&mut self, ids: &mut DocIds<'_>, key: TypeKey) -> Result<Bases, QueryError> {
        if let Some(known) = self.bases.get(&key) {
            return Ok(known.clone());
        }
        let mut out = Bases::default();
        let mut todo = vec![key];
        while let Some(at) = todo.pop() {
            if !out.types.insert(bare(at)) {
                continue;
            }
            let Some(header) = ids.snapshot().type_header(at)? else {
                continue;
            };
            out.is_open |= at == key && header.fqn.contains('`');
            todo.extend(&header.bases);
            let bases: FxHashSet<Bare> = header.bases.iter().map(|&it| bare(it)).collect();
            if let Some(own) = ids.ty(at)? {
                let signature = &own.symbols.signature;
                let named = signature.source.iter();
                let named = named.filter(|edge| derives(edge.kinds));
                let named: Vec<TypeKey> = named.map(|edge| edge.target).collect();
                let outside = signature.external.iter();
                let n_outside = outside.filter(|edge| derives(edge.kinds)).count();
                let written: FxHashSet<_> = header.base_list.iter().collect();
                out.is_partial |= written.len() > named.len() + n_outside;
                let arguments = named.into_iter();
                out.arguments
                    .extend(arguments.filter(|&it| !bases.contains(&bare(it))));
            }
        }
        // An argument may be a base as well.
        out.above_arguments.extend(&out.types);
        out.arguments.sort_unstable();
        out.arguments.dedup();
        let mut todo = out.arguments.clone();
        while let Some(at) = todo.pop() {
            if out.above_arguments.insert(bare(at))
                && let Some(header) = ids.snapshot().type_header(at)?
            {
                todo.extend(&header.bases);
            }
        }
        self.bases.insert(key, out.clone());
        Ok(out)
    }
}

impl Bases {
    /// Whether an argument of a base may be this type, or one that variance lets stand for it.
    fn may_have(&self, argument: TypeKey, above: &FxHashSet<Bare>) -> bool {
        let mut arguments = self.arguments.iter();
        self.above_arguments.contains(&bare(argument))
            || arguments.any(|&it| above.contains(&bare(it)))
    }
}
