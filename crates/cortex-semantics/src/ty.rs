//! Types as the language sees them, interned: equal types have equal numbers.
//!
//! Nullability of reference types is not kept. Must not know: where types are declared.

use elsa::FrozenIndexSet;

use crate::{
    name::Name,
    symbol::{TypeId, TypeParamId},
};

/// An interned type.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Ty(u32);

impl Ty {
    /// Unknown: converts to everything and everything to it; a member of it is unknown as well.
    pub const ERROR: Self = Self(0);
    /// `dynamic`.
    pub const DYNAMIC: Self = Self(1);
    /// The type of `null`, `default`, lambdas, method groups, `new()`, …: none of its own.
    pub const NONE: Self = Self(2);

    /// Whether it is [`Ty::ERROR`].
    pub fn is_error(self) -> bool {
        self == Self::ERROR
    }

    /// Whether it is [`Ty::NONE`].
    pub fn is_none(self) -> bool {
        self == Self::NONE
    }
}

/// What a [`Ty`] is.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum TyKind {
    /// [`Ty::ERROR`].
    Error,
    /// [`Ty::DYNAMIC`].
    Dynamic,
    /// [`Ty::NONE`].
    None,
    /// A class, struct, interface, enum or delegate. `args`: one for each of the definition's type
    /// parameters, those of the types around it first.
    Named {
        /// The definition.
        def: TypeId,
        /// Its arguments.
        args: Box<[Ty]>,
    },
    /// A generic type without arguments, in `typeof(List<>)` and `nameof`.
    Unbound(TypeId),
    /// A type parameter.
    Param(TypeParamId),
    /// An array and its rank.
    Array(Ty, u8),
    /// `T*`.
    Pointer(Ty),
    /// Parameter types, return type last.
    FunctionPointer(Box<[Ty]>),
    /// Two elements or more, with their names. Tuples that differ in names alone are identical to
    /// conversions, see [`crate::Compilation::without_names`].
    Tuple {
        /// Their types.
        elements: Box<[Ty]>,
        /// Their names, as many.
        names: Box<[Option<Name>]>,
    },
    /// `new { A = 1 }`: equal where names and types are, in order.
    Anonymous(Box<[(Name, Ty)]>),
}

/// Every type of a compilation once.
pub(crate) struct Types {
    set: FrozenIndexSet<Box<TyKind>>,
}

impl Default for Types {
    fn default() -> Self {
        let set = FrozenIndexSet::new();
        for kind in [TyKind::Error, TyKind::Dynamic, TyKind::None] {
            set.insert(Box::new(kind));
        }
        Self { set }
    }
}

impl Types {
    pub(crate) fn intern(&self, kind: TyKind) -> Ty {
        let index = match self.set.get_full(&kind) {
            Some((index, _)) => index,
            None => self.set.insert_full(Box::new(kind)).0,
        };
        Ty(index as u32)
    }

    pub(crate) fn kind(&self, ty: Ty) -> &TyKind {
        self.set
            .get_index(ty.0 as usize)
            .expect("a Ty is made by intern alone")
    }
}
