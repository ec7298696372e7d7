//! Questions about types alone: substitution, bases, interfaces, kinds of types.
//!
//! Must not know: expressions.

mod accessible;
pub(crate) mod display;
mod hierarchy;
mod managed;
mod shape;
pub(crate) mod signature;
mod structural;
pub(crate) mod substitute;

use cortex_model::TypeKind;

use crate::{
    compilation::Compilation,
    special::Special,
    symbol::TypeId,
    ty::{Ty, TyKind},
};

impl Compilation<'_> {
    /// Whether it is a type that the language treats as a value: structs, enums, tuples, and type
    /// parameters with `struct`. An unknown type is none.
    pub fn is_value_type(&self, ty: Ty) -> bool {
        match self.kind(ty) {
            TyKind::Named { def, .. } => matches!(
                self.def(*def).kind,
                TypeKind::Struct | TypeKind::RecordStruct | TypeKind::Enum
            ),
            TyKind::Tuple { .. } | TyKind::Pointer(_) | TyKind::FunctionPointer(_) => true,
            TyKind::Param(param) => self.constraints(*param).is_value,
            _ => false,
        }
    }

    /// Whether it is known to be a reference type (§8.2), type parameters with `class` or a base class
    /// included.
    pub fn is_reference_type(&self, ty: Ty) -> bool {
        match self.kind(ty) {
            TyKind::Named { def, .. } => matches!(
                self.def(*def).kind,
                TypeKind::Class | TypeKind::Record | TypeKind::Interface | TypeKind::Delegate
            ),
            TyKind::Array(..) | TyKind::Dynamic | TyKind::Anonymous(_) => true,
            TyKind::Param(param) => {
                let constraints = self.constraints(*param);
                constraints.is_reference
                    || constraints.types.iter().any(|&bound| {
                        self.def_of(bound).is_some_and(|def| {
                            matches!(self.def(def).kind, TypeKind::Class | TypeKind::Record)
                        })
                    })
            }
            _ => false,
        }
    }

    /// The kind of a named type.
    pub fn type_kind(&self, ty: Ty) -> Option<TypeKind> {
        self.def_of(ty).map(|def| self.def(def).kind)
    }

    /// Whether it is an interface.
    pub fn is_interface(&self, ty: Ty) -> bool {
        self.type_kind(ty) == Some(TypeKind::Interface)
    }

    /// Whether it is an enum.
    pub fn is_enum(&self, ty: Ty) -> bool {
        self.type_kind(ty) == Some(TypeKind::Enum)
    }

    /// Whether it is a delegate type other than `Delegate` and `MulticastDelegate`.
    pub fn is_delegate(&self, ty: Ty) -> bool {
        self.type_kind(ty) == Some(TypeKind::Delegate)
    }

    /// Whether it is the type that the language knows by this name.
    pub fn is_special(&self, ty: Ty, special: Special) -> bool {
        let def = self.def_of(ty);
        def.is_some() && def == self.well_known(special)
    }

    /// Whether it is `void`.
    pub fn is_void(&self, ty: Ty) -> bool {
        self.is_special(ty, Special::Void)
    }

    /// The only type argument of a type constructed from `special`.
    pub fn arg_of(&self, ty: Ty, special: Special) -> Option<Ty> {
        self.is_special(ty, special)
            .then(|| self.args_of(ty).first().copied())?
    }

    /// The struct `ValueTuple<…>` behind a tuple type; other types stay as they are. Needed where
    /// members of a tuple are looked up.
    pub fn tuple_struct(&self, ty: Ty) -> Ty {
        let TyKind::Tuple { elements, .. } = self.kind(ty) else {
            return ty;
        };
        self.value_tuple(elements)
    }

    fn value_tuple(&self, elements: &[Ty]) -> Ty {
        const TUPLES: [Special; 8] = [
            Special::ValueTuple1,
            Special::ValueTuple2,
            Special::ValueTuple3,
            Special::ValueTuple4,
            Special::ValueTuple5,
            Special::ValueTuple6,
            Special::ValueTuple7,
            Special::ValueTuple8,
        ];
        match elements {
            [] => Ty::ERROR,
            few @ ([_] | [_, ..]) if few.len() < 8 => self.special_of(TUPLES[few.len() - 1], few),
            many => {
                let mut args = many[..7].to_vec();
                args.push(self.value_tuple(&many[7..]));
                self.special_of(Special::ValueTuple8, &args)
            }
        }
    }

    /// Whether a definition derives from or is another (classes only).
    pub fn derives_from(&self, def: TypeId, base: TypeId) -> bool {
        let mut next = Some(def);
        for _ in 0..MAX_BASES {
            let Some(id) = next else { return false };
            if id == base {
                return true;
            }
            next = self.header(id).base.and_then(|ty| self.def_of(ty));
        }
        false
    }
}

/// Base lists that loop (an error in C#) end after this many steps.
pub(crate) const MAX_BASES: usize = 256;
