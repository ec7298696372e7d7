//! `foreach` and `yield` (C# specification, §13.9.5, §13.15): the element of a collection.

use cortex_model::{Accessibility, DeclKind};
use cortex_syntax::{BodyId, BodyKind};

use super::{Asynchronous, lambda::written_ref_kind};
use crate::{
    binder::Binder,
    expr::Expr,
    name::{Name, known},
    names::MemberLookup,
    output::{How, Misfit},
    overload::Recorded,
    special::Special,
    symbol::{MemberFlags, RefKind, Sym, TypeFlags, TypeParamOwner},
    ty::{Ty, TyKind},
};

/// What an enumerator gives, and the members that it is asked through.
struct Enumerator {
    ty: Ty,
    element: Ty,
    current: Sym,
    move_next: Sym,
}

impl Binder<'_, '_> {
    pub(super) fn bind_foreach(&mut self, node: BodyId) {
        let data = self.node(node);
        let mut children = self.children(node);
        let (Some(written), Some(declarator), Some(collection)) =
            (children.next(), children.next(), children.next())
        else {
            return;
        };
        let declared = self.written_type(written);
        let collection = self.bind_value(collection);
        let asynchronous = Asynchronous::of_flags(data.flags);
        let element = self.foreach_element(&collection, data.offset, asynchronous);
        let local = self.declare_at(declarator, declared.unwrap_or(element));
        let is_variable = self.body_kind(written) == BodyKind::RefType
            && written_ref_kind(self.node(written).flags) == RefKind::Ref;
        if !is_variable {
            self.keep_values_from(local as usize);
        }
        self.embedded(children.next());
    }

    pub(super) fn bind_foreach_deconstruct(&mut self, node: BodyId) {
        let data = self.node(node);
        let mut children = self.children(node);
        let (Some(target), Some(collection)) = (children.next(), children.next()) else {
            return;
        };
        let node = collection;
        let collection = self.bind_value(collection);
        let asynchronous = Asynchronous::of_flags(data.flags);
        let element = self.foreach_element(&collection, data.offset, asynchronous);
        let before = self.locals.len();
        self.bind_deconstruction(target, Expr::value(node, element), data.offset);
        self.keep_values_from(before);
        self.embedded(children.next());
    }

    /// §13.9.5: the type that `foreach` takes from a collection; its members recorded at `offset`.
    pub(crate) fn foreach_element(
        &mut self,
        collection: &Expr,
        offset: u32,
        asynchronous: Asynchronous,
    ) -> Ty {
        let ty = self
            .c
            .nullable_underlying(collection.ty)
            .unwrap_or(collection.ty);
        match *self.c.kind(ty) {
            TyKind::None => {
                self.record_misfit_at(offset, Misfit::Elements);
                return Ty::ERROR;
            }
            TyKind::Error => return Ty::ERROR,
            TyKind::Dynamic => return Ty::DYNAMIC,
            TyKind::Array(element, _) => return element,
            _ if self.c.is_special(ty, Special::String) => return self.c.special(Special::Char),
            _ => {}
        }
        if let Some((get, enumerator)) = self.enumerator_of(ty, asynchronous) {
            self.record_hidden(offset, get, How::Foreach);
            self.record_enumerator(&enumerator, offset, asynchronous);
            return enumerator.element;
        }
        if let Some(element) = self.enumerable_element(ty, asynchronous) {
            return element;
        }
        let name = get_name(asynchronous);
        let recorded = Recorded::Hidden(offset, How::Foreach);
        let called = self.call_by_name(collection, name, Vec::new(), recorded);
        let given = called.as_ref().map_or(ty, |it| it.ty);
        match called.and_then(|it| self.enumerator(it.ty, asynchronous)) {
            Some(enumerator) => {
                self.record_enumerator(&enumerator, offset, asynchronous);
                enumerator.element
            }
            None => {
                if self.has_known_members(given) {
                    self.record_misfit_at(offset, Misfit::Elements);
                }
                Ty::ERROR
            }
        }
    }

    /// Whether all is known that a type has and inherits, which may not be an inline array.
    pub(super) fn has_known_members(&self, ty: Ty) -> bool {
        let c = self.c;
        let interfaces = c.all_interfaces(ty);
        let mut all = c.self_and_bases(ty).chain(interfaces.iter().copied());
        let is_local = match c.kind(ty) {
            TyKind::Param(id) => matches!(c.type_param(*id).owner, TypeParamOwner::Local(_)),
            _ => false,
        };
        !is_local
            && self.inline_array_element(ty).is_none()
            && all.all(|it| !c.is_partly_unknown(it))
    }

    /// Records what `foreach` uses of an enumerator. It is disposed of by its interface; a `ref struct`, and any type
    /// where that is asynchronous, by a method of the name (§13.9.5.2).
    fn record_enumerator(
        &mut self,
        enumerator: &Enumerator,
        offset: u32,
        asynchronous: Asynchronous,
    ) {
        self.record_hidden(offset, enumerator.move_next, How::Foreach);
        self.record_hidden(offset, enumerator.current, How::Foreach);
        let by_name = match asynchronous {
            Asynchronous::Yes => true,
            Asynchronous::No => (self.c.def_of(enumerator.ty))
                .is_some_and(|ty| self.c.header(ty).flags.has(TypeFlags::REF_LIKE)),
        };
        if by_name {
            self.record_dispose(enumerator.ty, offset, asynchronous);
        }
    }

    /// The pattern: an instance method `GetEnumerator` whose result has `MoveNext` and `Current`.
    fn enumerator_of(&mut self, ty: Ty, asynchronous: Asynchronous) -> Option<(Sym, Enumerator)> {
        let get = self.pattern_method(ty, get_name(asynchronous))?;
        let enumerator = self.enumerator(self.c.type_of(get), asynchronous)?;
        Some((get, enumerator))
    }

    fn enumerator(&mut self, ty: Ty, asynchronous: Asynchronous) -> Option<Enumerator> {
        let move_next = self.pattern_method(
            ty,
            match asynchronous {
                Asynchronous::Yes => known::MOVE_NEXT_ASYNC,
                Asynchronous::No => known::MOVE_NEXT,
            },
        )?;
        self.touch(ty);
        let access = self.access(Some(ty));
        let MemberLookup::Member(current) = self.c.lookup_member(ty, known::CURRENT, None, access)
        else {
            return None;
        };
        let property = self.c.member(current.member);
        let fits = property.kind == DeclKind::Property
            && property.accessibility == Accessibility::Public
            && !property.is_static()
            && property.is(MemberFlags::GETTER);
        fits.then(|| Enumerator {
            ty,
            element: self.c.type_of(current),
            current,
            move_next,
        })
    }

    /// A public instance method that can be called without arguments.
    pub(super) fn pattern_method(&mut self, ty: Ty, name: Name) -> Option<Sym> {
        let access = self.access(Some(ty));
        let MemberLookup::Methods(methods) = self.c.lookup_member(ty, name, Some(0), access) else {
            return None;
        };
        let fitting: Vec<Sym> = methods
            .into_iter()
            .filter(|method| {
                let member = self.c.member(method.member);
                let mut params = member.signature.params.iter();
                member.accessibility == Accessibility::Public
                    && !member.is_static()
                    && member.arity() == 0
                    && params.all(|param| param.is_optional || param.is_params)
            })
            .collect();
        match fitting[..] {
            [] => None,
            [only] => Some(only),
            _ => {
                let without = fitting.iter().copied();
                let exact = without
                    .clone()
                    .find(|method| self.c.member(method.member).signature.params.is_empty());
                exact.or_else(|| Some(self.resolve(&fitting, &[], &[])?.sym))
            }
        }
    }

    /// The only `IEnumerable<T>` of a type, or `IEnumerable`.
    fn enumerable_element(&self, ty: Ty, asynchronous: Asynchronous) -> Option<Ty> {
        let generic = match asynchronous {
            Asynchronous::Yes => Special::IAsyncEnumerableT,
            Asynchronous::No => Special::IEnumerableT,
        };
        if let Some(element) = self.c.arg_of(ty, generic) {
            return Some(element);
        }
        let interfaces = self.c.all_interfaces(ty);
        let mut elements = interfaces
            .iter()
            .filter_map(|&it| self.c.arg_of(it, generic));
        match (elements.next(), elements.next()) {
            (Some(element), None) => return Some(element),
            (Some(_), Some(_)) => return Some(Ty::ERROR),
            _ => {}
        }
        let is_plain = |ty: Ty| self.c.is_special(ty, Special::IEnumerable);
        let is_enumerable = asynchronous == Asynchronous::No
            && (is_plain(ty) || interfaces.iter().any(|&it| is_plain(it)));
        is_enumerable.then(|| self.c.special(Special::Object))
    }

    /// §15.15.4: what `yield return` takes in the iterator around.
    pub(super) fn yielded_type(&mut self, offset: u32) -> Ty {
        const GENERIC: [Special; 4] = [
            Special::IEnumerableT,
            Special::IEnumeratorT,
            Special::IAsyncEnumerableT,
            Special::IAsyncEnumeratorT,
        ];
        let Some(Some(ty)) = self.returns.last().map(|returns| returns.ty) else {
            return Ty::ERROR;
        };
        if let Some(element) = GENERIC.iter().find_map(|&it| self.c.arg_of(ty, it)) {
            return element;
        }
        let plain = [Special::IEnumerable, Special::IEnumerator];
        if plain.iter().any(|&it| self.c.is_special(ty, it)) {
            return self.c.special(Special::Object);
        }
        if !self.c.is_partly_unknown(ty) {
            self.record_misfit_at(offset, Misfit::Yield);
        }
        Ty::ERROR
    }
}

fn get_name(asynchronous: Asynchronous) -> Name {
    match asynchronous {
        Asynchronous::Yes => known::GET_ASYNC_ENUMERATOR,
        Asynchronous::No => known::GET_ENUMERATOR,
    }
}
