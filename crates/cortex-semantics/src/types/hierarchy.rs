//! Base classes and interfaces of constructed types.

use std::rc::Rc;

use super::{MAX_BASES, substitute::Substitution};
use crate::{
    compilation::Compilation,
    special::Special,
    ty::{Ty, TyKind},
};

impl Compilation<'_> {
    /// The base class of a type as constructed. Of an array `System.Array`, of a tuple its struct's, of
    /// a type parameter its class constraint or `object`; none for interfaces and `object`.
    pub fn base_type(&self, ty: Ty) -> Option<Ty> {
        match self.kind(ty) {
            TyKind::Named { def, args } => {
                let base = self.header(*def).base?;
                let by = Substitution {
                    types: args,
                    method: None,
                };
                Some(self.substitute(base, by))
            }
            TyKind::Array(..) => Some(self.special(Special::Array)),
            TyKind::Tuple { .. } => self.base_type(self.tuple_struct(ty)),
            TyKind::Anonymous(_) => Some(self.special(Special::Object)),
            TyKind::Param(param) => {
                let constraints = self.constraints(*param);
                let mut types = constraints.types.iter().copied();
                let class = types.find(|&bound| {
                    !self.is_interface(bound) && !matches!(self.kind(bound), TyKind::Param(_))
                });
                Some(class.unwrap_or_else(|| {
                    self.special(if constraints.is_value {
                        Special::ValueType
                    } else {
                        Special::Object
                    })
                }))
            }
            _ => None,
        }
        .filter(|base| !base.is_error())
    }

    /// The type and its base classes, most derived first.
    pub fn self_and_bases(&self, ty: Ty) -> impl Iterator<Item = Ty> + '_ {
        std::iter::successors(Some(ty), |&ty| self.base_type(ty)).take(MAX_BASES)
    }

    /// Every interface of a type, those of its bases and of its interfaces included, each once, nearest
    /// first; of a type parameter, those of its constraints.
    pub fn all_interfaces(&self, ty: Ty) -> Rc<[Ty]> {
        if let Some(found) = self.caches.interfaces.borrow().get(&ty) {
            return found.clone();
        }
        let found: Rc<[Ty]> = self.collect_interfaces(ty).into();
        self.caches
            .interfaces
            .borrow_mut()
            .insert(ty, found.clone());
        found
    }

    fn collect_interfaces(&self, ty: Ty) -> Vec<Ty> {
        let mut found: Vec<Ty> = Vec::new();
        let mut params: Vec<Ty> = Vec::new();
        for class in self.self_and_bases(ty) {
            let mut queue = self.direct_interfaces(class, &mut params);
            let mut next = 0;
            while next < queue.len() && found.len() < 4 * MAX_BASES {
                let interface = queue[next];
                next += 1;
                if found.contains(&interface) {
                    continue;
                }
                found.push(interface);
                queue.extend(self.direct_interfaces(interface, &mut params));
            }
        }
        found
    }

    /// The interfaces that the declaration of a type lists, constructed.
    pub fn own_interfaces(&self, ty: Ty) -> Vec<Ty> {
        self.direct_interfaces(ty, &mut Vec::new())
    }

    /// As written, constructed. `params`: type parameters that were visited, so that loops end.
    fn direct_interfaces(&self, ty: Ty, params: &mut Vec<Ty>) -> Vec<Ty> {
        match self.kind(ty) {
            TyKind::Named { def, args } => {
                let by = Substitution {
                    types: args,
                    method: None,
                };
                let interfaces = self.header(*def).interfaces.iter();
                interfaces.map(|&ty| self.substitute(ty, by)).collect()
            }
            TyKind::Tuple { .. } => self.direct_interfaces(self.tuple_struct(ty), params),
            TyKind::Array(element, 1) => {
                let generic = [Special::IListT, Special::IReadOnlyListT];
                let of_element = generic.iter().map(|&it| self.special_of(it, &[*element]));
                of_element.filter(|ty| !ty.is_error()).collect()
            }
            TyKind::Param(param) => {
                if params.contains(&ty) {
                    return Vec::new();
                }
                params.push(ty);
                let mut found = Vec::new();
                for &bound in &self.constraints(*param).types {
                    if self.is_interface(bound) {
                        found.push(bound);
                    } else if matches!(self.kind(bound), TyKind::Param(_)) {
                        found.extend(self.direct_interfaces(bound, params));
                    }
                }
                found
            }
            _ => Vec::new(),
        }
    }
}
