//! The types in which a member or nested type of a type is looked up (§12.5).

use std::rc::Rc;

use crate::{
    compilation::Compilation,
    name::Name,
    special::Special,
    symbol::{TypeId, TypeOrigin},
    ty::{Ty, TyKind},
    types::MAX_BASES,
};
use smallvec::SmallVec;

impl Compilation<'_> {
    /// A type and its base classes, most derived first; kept once their heads are loaded.
    pub(crate) fn chain(&self, ty: Ty) -> Rc<[Ty]> {
        if let Some(found) = self.caches.chains.borrow().get(&ty) {
            return found.clone();
        }
        let mut found = vec![ty];
        let mut is_settled = true;
        let mut next = ty;
        while found.len() < MAX_BASES {
            if let Some(def) = self.def_of(next) {
                let def = self.def(def);
                is_settled &= def.header.get().is_some() || !def.loading.get();
            }
            match self.base_type(next) {
                Some(base) => {
                    found.push(base);
                    next = base;
                }
                None => break,
            }
        }
        let found: Rc<[Ty]> = found.into();
        if is_settled {
            self.caches.chains.borrow_mut().insert(ty, found.clone());
        } else {
            self.unsettle();
        }
        found
    }

    /// §15.2.5: the class whose members a type parameter has by its constraints.
    pub(crate) fn effective_base(&self, param: Ty) -> Ty {
        let mut visited = SmallVec::<[Ty; 4]>::new();
        self.effective_base_of(param, &mut visited)
            .unwrap_or_else(|| self.special(Special::Object))
    }

    fn effective_base_of(&self, param: Ty, visited: &mut SmallVec<[Ty; 4]>) -> Option<Ty> {
        let TyKind::Param(id) = self.kind(param) else {
            return None;
        };
        if visited.contains(&param) || visited.len() > MAX_BASES {
            return None;
        }
        visited.push(param);
        let constraints = self.constraints(*id);
        if constraints.is_value {
            return Some(self.special(Special::ValueType));
        }
        let mut best: Option<Ty> = None;
        for &bound in &constraints.types {
            let class = match self.kind(bound) {
                TyKind::Param(_) => self.effective_base_of(bound, visited),
                _ if self.is_interface(bound) => None,
                TyKind::Named { .. } if self.is_value_type(bound) => {
                    Some(self.special(Special::ValueType))
                }
                TyKind::Error => None,
                _ => Some(bound),
            };
            let Some(class) = class else { continue };
            if best.is_none_or(|best| self.chain(class).contains(&best)) {
                best = Some(class);
            }
        }
        best
    }

    /// The interfaces that the constraints of a type parameter name, with those that they extend, each once.
    pub(crate) fn effective_interfaces(&self, param: Ty) -> Vec<Ty> {
        let mut found: Vec<Ty> = Vec::new();
        let mut params = vec![param];
        let mut next = 0;
        while next < params.len() && params.len() < MAX_BASES {
            let TyKind::Param(id) = self.kind(params[next]) else {
                break;
            };
            next += 1;
            for &bound in &self.constraints(*id).types {
                if matches!(self.kind(bound), TyKind::Param(_)) {
                    if !params.contains(&bound) {
                        params.push(bound);
                    }
                } else if self.is_interface(bound) {
                    let inherited = self.all_interfaces(bound);
                    for interface in std::iter::once(bound).chain(inherited.iter().copied()) {
                        if !found.contains(&interface) {
                            found.push(interface);
                        }
                    }
                }
            }
        }
        found
    }

    /// The types of a simple name and any arity that a type declares itself.
    pub(crate) fn nested_named(&self, outer: TypeId, name: Name) -> SmallVec<[TypeId; 2]> {
        match self.def(outer).origin {
            TypeOrigin::Source { .. } => {
                let named = self.source_types_named(name);
                let nested = named.iter().copied();
                nested
                    .filter(|&id| self.def(id).outer == Some(outer))
                    .collect()
            }
            TypeOrigin::External { .. } => {
                let nested = self.nested_externals(outer);
                let nested = nested.iter().copied();
                nested.filter(|&id| self.def(id).name == name).collect()
            }
        }
    }

    fn nested_externals(&self, outer: TypeId) -> Rc<[TypeId]> {
        if let Some(found) = self.caches.nested_externals.borrow().get(&outer) {
            return found.clone();
        }
        let found: Rc<[TypeId]> = match self.def(outer).origin {
            TypeOrigin::External { assembly, row } => {
                let rows = self.world.externals()[assembly.index()].nested(row);
                rows.iter()
                    .map(|&row| self.external_type(assembly, row))
                    .collect()
            }
            TypeOrigin::Source { .. } => Rc::from([]),
        };
        self.caches
            .nested_externals
            .borrow_mut()
            .insert(outer, found.clone());
        found
    }
}
