//! Implicit reference, boxing and type parameter conversions (C# specification, §10.2.8 to §10.2.12).
//!
//! Owns: going up in the hierarchy, with variance. Must not know: expressions.

use cortex_model::TypeKind;

use super::{builtin::Builtin, standard::MAX_NESTING};
use crate::{
    compilation::Compilation,
    special::Special,
    symbol::{TypeFlags, TypeId, Variance},
    ty::{Ty, TyKind},
};

impl Compilation<'_> {
    /// An implicit reference conversion: both are known to be reference types.
    pub(super) fn reference_at(&self, from: Ty, to: Ty, depth: u32) -> bool {
        self.is_reference_type(from) && self.is_reference_type(to) && self.upcast(from, to, depth)
    }

    /// A reference, boxing or type parameter conversion from a type to a base class, interface, type
    /// parameter or array type of its own.
    pub(super) fn upcast(&self, from: Ty, to: Ty, depth: u32) -> bool {
        if depth > MAX_NESTING {
            return false;
        }
        let from = self.strip_nullable(from);
        match self.kind(from) {
            TyKind::Error => return true,
            TyKind::None | TyKind::Pointer(_) | TyKind::FunctionPointer(_) | TyKind::Unbound(_) => {
                return false;
            }
            TyKind::Named { def, .. } => {
                let kind = self.def(*def).kind;
                let is_struct = matches!(kind, TypeKind::Struct | TypeKind::RecordStruct);
                if is_struct
                    && (self.header(*def).flags.has(TypeFlags::REF_LIKE) || self.is_void(from))
                {
                    return false;
                }
            }
            _ => {}
        }
        if to == Ty::DYNAMIC || self.builtin(to) == Some(Builtin::Object) {
            return true;
        }
        match self.kind(to) {
            TyKind::Param(_) => self.depends_on(from, to),
            TyKind::Array(element, rank) => match self.kind(from) {
                TyKind::Array(of, other) => {
                    rank == other
                        && (self.is_identical(*of, *element)
                            || self.reference_at(*of, *element, depth + 1))
                }
                _ => false,
            },
            TyKind::Named { def, args } => match self.def(*def).kind {
                TypeKind::Class | TypeKind::Record => self.has_base(from, to, *def),
                TypeKind::Interface => self.has_interface(from, *def, args, depth),
                TypeKind::Delegate => {
                    self.def_of(from) == Some(*def)
                        && self.varies(*def, self.args_of(from), args, depth)
                }
                _ => false,
            },
            _ => false,
        }
    }

    fn has_base(&self, from: Ty, to: Ty, def: TypeId) -> bool {
        if let TyKind::Param(param) = self.kind(from) {
            // A class constraint may stand behind another type parameter.
            let types = &self.constraints(*param).types;
            if types
                .iter()
                .any(|&bound| bound != from && matches!(self.kind(bound), TyKind::Param(_)))
            {
                return self.bounds_of(from).into_iter().any(|bound| {
                    let mut bases = self.self_and_bases(bound);
                    bases.any(|base| self.is_identical(base, to))
                });
            }
        }
        let mut bases = self.self_and_bases(from);
        // Constructed bases are compared only where their definition is the right one.
        bases.any(|base| self.def_of(base) == Some(def) && self.is_identical(base, to))
    }

    fn has_interface(&self, from: Ty, def: TypeId, args: &[Ty], depth: u32) -> bool {
        let fits = |ty: Ty| {
            self.def_of(ty) == Some(def) && self.varies(def, self.args_of(ty), args, depth)
        };
        if fits(from) {
            return true;
        }
        if let (TyKind::Array(element, 1), [wanted]) = (self.kind(from), args) {
            const LISTS: [Special; 5] = [
                Special::IEnumerableT,
                Special::IListT,
                Special::ICollectionT,
                Special::IReadOnlyListT,
                Special::IReadOnlyCollectionT,
            ];
            if LISTS.iter().any(|&list| self.well_known(list) == Some(def)) {
                return self.is_identical(*element, *wanted)
                    || self.reference_at(*element, *wanted, depth + 1);
            }
        }
        if let TyKind::Param(_) = self.kind(from) {
            return self
                .bounds_of(from)
                .into_iter()
                .any(|bound| fits(bound) || self.all_interfaces(bound).iter().any(|&ty| fits(ty)));
        }
        self.all_interfaces(from).iter().any(|&ty| fits(ty))
    }

    /// §18.2.3.3: whether a construction of an interface or delegate converts to another by variance.
    fn varies(&self, def: TypeId, from: &[Ty], to: &[Ty], depth: u32) -> bool {
        if from.len() != to.len() {
            return false;
        }
        let params = &self.def(def).type_params;
        from.iter().zip(to).enumerate().all(|(index, (&a, &b))| {
            if self.is_identical(a, b) {
                return true;
            }
            let variance = params
                .get(index)
                .map_or(Variance::None, |&param| self.constraints(param).variance);
            match variance {
                Variance::None => false,
                Variance::Out => self.reference_at(a, b, depth + 1),
                Variance::In => self.reference_at(b, a, depth + 1),
            }
        })
    }

    /// The types that a type parameter is constrained to, through other type parameters as well, its
    /// class or `object` last.
    fn bounds_of(&self, ty: Ty) -> Vec<Ty> {
        let mut found = vec![ty];
        let mut next = 0;
        while next < found.len() && found.len() < 64 {
            if let TyKind::Param(param) = self.kind(found[next]) {
                for &bound in &self.constraints(*param).types {
                    if !found.contains(&bound) {
                        found.push(bound);
                    }
                }
            }
            next += 1;
        }
        found
    }

    fn depends_on(&self, from: Ty, to: Ty) -> bool {
        matches!(self.kind(from), TyKind::Param(_)) && self.bounds_of(from).contains(&to)
    }
}
