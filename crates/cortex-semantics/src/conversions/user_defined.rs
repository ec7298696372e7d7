//! Conversion operators that types declare (C# specification, §10.5).
//!
//! Must not know: how an expression that is converted was bound.

use smallvec::SmallVec;

use super::Explicit;
use crate::{
    compilation::Compilation,
    name::known,
    symbol::{MemberId, Sym},
    ty::{Ty, TyKind},
};

/// An operator that applies, as its lifted form where that is the one.
struct Applicable {
    sym: Sym,
    from: Ty,
    to: Ty,
    /// On how many sides it is lifted: a form that is declared so is better.
    n_lifted: u8,
}

impl Compilation<'_> {
    /// §10.5.4, §10.5.5: the user-defined conversion operator for a source type.
    pub(crate) fn user_defined_conversion(
        &self,
        from: Ty,
        to: Ty,
        explicit: Explicit,
    ) -> Option<Sym> {
        if from.is_error() || to.is_error() {
            return None;
        }
        let key = (from, to, explicit);
        if let Some(found) = self.caches.conversion_operators.borrow().get(&key) {
            return *found;
        }
        let found = self.conversion_operator(from, to, explicit, &|wanted| {
            self.standard_implicit(from, wanted)
        });
        let mut cache = self.caches.conversion_operators.borrow_mut();
        cache.insert(key, found);
        found
    }

    /// The same for an expression; `reaches`: whether a standard implicit conversion takes it to a type.
    /// `from`: its type, [`Ty::NONE`] for `null`.
    pub(super) fn conversion_operator(
        &self,
        from: Ty,
        to: Ty,
        explicit: Explicit,
        reaches: &dyn Fn(Ty) -> bool,
    ) -> Option<Sym> {
        if self.is_interface(from)
            || self.is_interface(to)
            || from == Ty::DYNAMIC
            || to == Ty::DYNAMIC
        {
            return None;
        }
        let applicable = self.applicable_conversions(from, to, explicit, reaches);
        let first = applicable.first()?;
        if applicable.len() == 1 {
            return Some(first.sym);
        }
        let source = self.most_specific_source(&applicable, from, explicit, reaches)?;
        let target = self.most_specific_target(&applicable, to, explicit)?;
        (0..=2).find_map(|n_lifted| {
            let mut fitting = applicable.iter().filter(|it| {
                it.n_lifted == n_lifted
                    && self.is_identical(it.from, source)
                    && self.is_identical(it.to, target)
            });
            let first = fitting.next()?;
            fitting.next().is_none().then_some(first.sym)
        })
    }

    fn applicable_conversions(
        &self,
        from: Ty,
        to: Ty,
        explicit: Explicit,
        reaches: &dyn Fn(Ty) -> bool,
    ) -> SmallVec<[Applicable; 4]> {
        let mut found: SmallVec<[Applicable; 4]> = SmallVec::new();
        let is_explicit = explicit == Explicit::Yes;
        let nullable_from = self.nullable_underlying(from).is_some();
        let target_takes_null = !self.is_value_type(to) || self.nullable_underlying(to).is_some();
        let goes = |a: Ty, b: Ty| {
            self.standard_implicit(a, b) || is_explicit && self.standard_implicit(b, a)
        };
        let comes = |x: Ty| reaches(x) || is_explicit && self.standard_implicit(x, from);
        let plain_value = |ty: Ty| self.is_value_type(ty) && self.nullable_underlying(ty).is_none();
        for sym in self.conversion_members(from, to, explicit) {
            let member = self.member(sym.member);
            let [param] = &*member.signature.params else {
                continue;
            };
            let by = self.container_args(sym);
            let x = self.substitute(param.ty, by);
            let y = self.substitute(member.signature.ty, by);
            let lifts = nullable_from && plain_value(x) && target_takes_null;
            let normal = comes(x) && goes(y, to);
            if lifts && (is_explicit || !normal) {
                let from = self.nullable(x);
                let to_nullable = if plain_value(y) { self.nullable(y) } else { y };
                if comes(from) && goes(to_nullable, to) {
                    found.push(Applicable {
                        sym,
                        from,
                        to: to_nullable,
                        n_lifted: 1 + u8::from(to_nullable != y),
                    });
                    continue;
                }
            }
            if normal {
                let promote = self.nullable_underlying(to).is_some() && plain_value(y);
                found.push(Applicable {
                    sym,
                    from: x,
                    to: if promote { self.nullable(y) } else { y },
                    n_lifted: u8::from(promote),
                });
            }
        }
        found
    }

    /// The operators of the types that take part: the source type and its bases, the target type, and for
    /// explicit conversions its bases.
    fn conversion_members(&self, from: Ty, to: Ty, explicit: Explicit) -> SmallVec<[Sym; 8]> {
        let mut found: SmallVec<[Sym; 8]> = SmallVec::new();
        let mut seen: SmallVec<[Ty; 8]> = SmallVec::new();
        let (source, target) = (self.strip_nullable(from), self.strip_nullable(to));
        let target_bases = if explicit == Explicit::Yes {
            usize::MAX
        } else {
            1
        };
        let sources = self.self_and_bases(source);
        let types = sources.chain(self.self_and_bases(target).take(target_bases));
        for ty in types {
            // Operators of the simple types are the language's own.
            if seen.contains(&ty) || self.builtin(ty).is_some() {
                continue;
            }
            seen.push(ty);
            let ty = self.tuple_struct(ty);
            let TyKind::Named { def, .. } = self.kind(ty) else {
                continue;
            };
            if self.is_enum(ty) || self.is_delegate(ty) {
                continue;
            }
            let members = self.members(*def);
            let is_operator = |it: &&MemberId| self.may_be_operator(self.member(**it));
            let implicit = members.named(known::OP_IMPLICIT).iter();
            let implicit = implicit.filter(is_operator);
            found.extend(implicit.map(|&member| Sym {
                member,
                container: ty,
            }));
            if explicit == Explicit::Yes {
                let named = members.named(known::OP_EXPLICIT).iter();
                let named = named.filter(is_operator);
                found.extend(named.map(|&member| Sym {
                    member,
                    container: ty,
                }));
            }
        }
        found
    }

    fn most_specific_source(
        &self,
        applicable: &[Applicable],
        from: Ty,
        explicit: Explicit,
        reaches: &dyn Fn(Ty) -> bool,
    ) -> Option<Ty> {
        let all = || applicable.iter().map(|it| it.from);
        if !from.is_none()
            && let Some(exact) = all().find(|&ty| self.is_identical(ty, from))
        {
            return Some(exact);
        }
        if explicit == Explicit::No {
            return self.most_encompassed(all());
        }
        let reached: SmallVec<[Ty; 4]> = all().filter(|&ty| reaches(ty)).collect();
        if reached.is_empty() {
            self.most_encompassing(all())
        } else {
            self.most_encompassed(reached.into_iter())
        }
    }

    fn most_specific_target(
        &self,
        applicable: &[Applicable],
        to: Ty,
        explicit: Explicit,
    ) -> Option<Ty> {
        let all = || applicable.iter().map(|it| it.to);
        if let Some(exact) = all().find(|&ty| self.is_identical(ty, to)) {
            return Some(exact);
        }
        if explicit == Explicit::No {
            return self.most_encompassing(all());
        }
        let inside: SmallVec<[Ty; 4]> =
            all().filter(|&ty| self.standard_implicit(ty, to)).collect();
        if inside.is_empty() {
            self.most_encompassed(all())
        } else {
            self.most_encompassing(inside.into_iter())
        }
    }

    /// The type that converts to all the others.
    fn most_encompassed(&self, mut types: impl Iterator<Item = Ty> + Clone) -> Option<Ty> {
        let all = types.clone();
        types.find(|&ty| all.clone().all(|other| self.standard_implicit(ty, other)))
    }

    /// The type that all the others convert to.
    fn most_encompassing(&self, mut types: impl Iterator<Item = Ty> + Clone) -> Option<Ty> {
        let all = types.clone();
        types.find(|&ty| all.clone().all(|other| self.standard_implicit(other, ty)))
    }
}
