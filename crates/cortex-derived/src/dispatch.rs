//! Which objects a call may have before its dot, and with that which overrides and implementations it may run.
//!
//! Owns: that the constructed type of a receiver decides. Must not know: which calls there are, where types are read.

use cortex_index::Receiver;
use cortex_model::TypeKey;
use rustc_hash::{FxHashMap, FxHashSet};
use std::rc::Rc;

/// What a key says without the assembly: types are the same whichever project compiles their files.
type Bare = [u8; 10];

fn bare(key: TypeKey) -> Bare {
    let mut out = Bare::default();
    out.copy_from_slice(key.bare());
    out
}

/// What a type says of its bases.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Header {
    /// Those of the repository.
    pub bases: Vec<TypeKey>,
    /// Types of the repository among the arguments of bases.
    pub arguments: Vec<TypeKey>,
    /// It or a type around it has type parameters.
    pub is_open: bool,
    /// Not all bases are known.
    pub is_partial: bool,
}

/// The types of a snapshot, as far as they derive from each other.
pub trait Hierarchy {
    /// What keeps types from being read.
    type Error;

    /// What a type says of its bases; `None` where there is no such type.
    ///
    /// # Errors
    /// Those of reading.
    fn header(&mut self, key: TypeKey) -> Result<Option<Header>, Self::Error>;

    /// A type and all that derive from it, and at will others that name it in their bases.
    ///
    /// # Errors
    /// Those of reading.
    fn subtypes(&mut self, key: TypeKey) -> Result<Vec<TypeKey>, Self::Error>;
}

/// A type from which more derive is not looked into: any object may be of it.
const MAX_SUBTYPES: usize = 4_000;

/// The bases of a type that has more of them are not all known.
const MAX_BASES: usize = 250;

/// Answers for many calls, what is read of the hierarchy kept.
#[derive(Default)]
pub struct Dispatch {
    /// What the objects may be that run a member of a type; `None` where they are too many.
    objects: FxHashMap<TypeKey, Option<Vec<Rc<Bases>>>>,
    bases: FxHashMap<TypeKey, Rc<Bases>>,
}

/// What a type is by what it and the types above it say of their bases.
#[derive(Default)]
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
    /// Whether a call of another member on a receiver may run a member that a type declares in its place.
    ///
    /// It may where an object of the type, or of one derived from it, can be of the receiver's type. Type parameters
    /// may be any type.
    ///
    /// # Errors
    /// Those of the hierarchy.
    pub fn may_run<H: Hierarchy>(
        &mut self,
        hierarchy: &mut H,
        owner: TypeKey,
        receiver: &Receiver,
    ) -> Result<bool, H::Error> {
        let types = match receiver {
            Receiver::Any => return Ok(true),
            Receiver::Base => return Ok(false),
            Receiver::Of(types) => types,
        };
        let Some((&ty, arguments)) = types.split_first() else {
            return Ok(true);
        };
        if !self.objects.contains_key(&owner) {
            let found = self.objects_of(hierarchy, owner)?;
            self.objects.insert(owner, found);
        }
        let mut above: Vec<(TypeKey, Rc<Bases>)> = Vec::new();
        for &argument in arguments {
            above.push((argument, self.bases_of(hierarchy, argument)?));
        }
        let Some(objects) = &self.objects[&owner] else {
            return Ok(true);
        };
        Ok(objects.iter().any(|object| {
            if object.is_partial {
                return true;
            }
            let may_have = |it: &(TypeKey, Rc<Bases>)| object.may_have(it.0, &it.1);
            object.types.contains(&bare(ty)) && (object.is_open || above.iter().all(may_have))
        }))
    }

    fn objects_of<H: Hierarchy>(
        &mut self,
        hierarchy: &mut H,
        owner: TypeKey,
    ) -> Result<Option<Vec<Rc<Bases>>>, H::Error> {
        let all = hierarchy.subtypes(owner)?;
        if all.len() > MAX_SUBTYPES {
            return Ok(None);
        }
        let mut out = Vec::new();
        for key in all {
            let bases = self.bases_of(hierarchy, key)?;
            // Subtypes may be such that have it as an argument of a base.
            if bases.types.len() > MAX_BASES || bases.types.contains(&bare(owner)) {
                out.push(bases);
            }
        }
        Ok(Some(out))
    }

    fn bases_of<H: Hierarchy>(
        &mut self,
        hierarchy: &mut H,
        key: TypeKey,
    ) -> Result<Rc<Bases>, H::Error> {
        if let Some(known) = self.bases.get(&key) {
            return Ok(known.clone());
        }
        let mut out = Bases::default();
        let mut todo = vec![key];
        while let Some(at) = todo.pop() {
            if !out.types.insert(bare(at)) {
                continue;
            }
            if out.types.len() > MAX_BASES {
                out.is_partial = true;
                break;
            }
            let Some(header) = hierarchy.header(at)? else {
                continue;
            };
            out.is_open |= at == key && header.is_open;
            out.is_partial |= header.is_partial;
            out.arguments.extend(header.arguments);
            todo.extend(header.bases);
        }
        // An argument may be a base as well.
        out.above_arguments.extend(&out.types);
        out.arguments.sort_unstable();
        out.arguments.dedup();
        let mut todo = out.arguments.clone();
        while let Some(at) = todo.pop() {
            if out.above_arguments.len() > 2 * MAX_BASES {
                out.is_partial = true;
                break;
            }
            if out.above_arguments.insert(bare(at))
                && let Some(header) = hierarchy.header(at)?
            {
                todo.extend(header.bases);
            }
        }
        let out = Rc::new(out);
        self.bases.insert(key, out.clone());
        Ok(out)
    }
}

impl Bases {
    /// Whether an argument of a base may be this type, or one that variance lets stand for it.
    fn may_have(&self, argument: TypeKey, above: &Self) -> bool {
        let mut arguments = self.arguments.iter();
        self.above_arguments.contains(&bare(argument))
            || above.is_partial
            || arguments.any(|&it| above.types.contains(&bare(it)))
    }
}
