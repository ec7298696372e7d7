//! Collection expressions (C# 12: `[a, ..b]`).

use cortex_syntax::{BodyId, BodyKind};

use super::strings::by_value;
use crate::{
    binder::Binder,
    expr::{Element, Expr, ExprKind},
    name::known,
    names::MemberLookup,
    output::How,
    overload::Recorded,
    special::Special,
    statements::Asynchronous,
    symbol::Sym,
    ty::{Ty, TyKind},
};

impl Binder<'_, '_> {
    pub(super) fn bind_collection(&mut self, node: BodyId) -> Expr {
        let mut elements = Vec::new();
        for child in self.children(node) {
            if self.body_kind(child) == BodyKind::Spread {
                elements.push((self.bind_first(child), Element::Spread));
            } else {
                elements.push((self.bind(child), Element::One));
            }
        }
        Expr::of(node, Ty::NONE, ExprKind::Collection(elements.into()))
    }

    /// The type of the elements of a collection type that a collection expression builds (arrays, spans,
    /// builders, collection initializers, interfaces), and whether it is one.
    pub(crate) fn collection_element(&mut self, ty: Ty) -> Option<Ty> {
        let ty = self.c.nullable_underlying(ty).unwrap_or(ty);
        let (def, args) = match self.c.kind(ty) {
            TyKind::Array(element, 1) => return Some(*element),
            TyKind::Named { def, args } => (*def, args),
            TyKind::Param(_) => return self.initialized_element(ty),
            _ => return None,
        };
        const OF_ONE: [Special; 7] = [
            Special::Span,
            Special::ReadOnlySpan,
            Special::IEnumerableT,
            Special::ICollectionT,
            Special::IListT,
            Special::IReadOnlyCollectionT,
            Special::IReadOnlyListT,
        ];
        if let [element] = **args
            && OF_ONE.iter().any(|&it| self.c.well_known(it) == Some(def))
        {
            return Some(element);
        }
        if self.c.header(def).collection_builder.is_some() {
            return self.iterated(ty);
        }
        if self.c.is_interface(ty) || self.c.is_delegate(ty) || self.c.is_enum(ty) {
            return None;
        }
        self.initialized_element(ty)
    }

    /// The element type of a type that collection initializers build: it implements `IEnumerable`.
    fn initialized_element(&mut self, ty: Ty) -> Option<Ty> {
        let interfaces = self.c.all_interfaces(ty);
        let mut is_enumerable = interfaces.iter();
        if !is_enumerable.any(|&it| self.c.is_special(it, Special::IEnumerable)) {
            return None;
        }
        self.iterated(ty)
    }

    /// The type that `foreach` takes from a type.
    fn iterated(&mut self, ty: Ty) -> Option<Ty> {
        let interfaces = self.c.all_interfaces(ty);
        let mut elements = interfaces
            .iter()
            .filter_map(|&it| self.c.arg_of(it, Special::IEnumerableT));
        let only = elements.next().filter(|_| elements.next().is_none());
        if only.is_some() {
            return only;
        }
        let value = Expr::value(0, ty);
        let (element, _) =
            self.speculate(|binder| binder.foreach_element(&value, 0, Asynchronous::No));
        (!element.is_error()).then_some(element)
    }

    /// Finishes a collection expression for a type: elements converted, builder or `Add` recorded.
    pub(crate) fn finish_collection(&mut self, expr: Expr, ty: Ty) -> Expr {
        let node = expr.node;
        let ExprKind::Collection(elements) = expr.kind else {
            return expr;
        };
        self.fill_collection(ty, &elements, self.node(node).offset);
        Expr::value(node, ty)
    }

    /// Converts the elements of a collection that an expression or a call of a `params` method makes, and records at
    /// `made_at` what makes it.
    pub(crate) fn fill_collection(&mut self, ty: Ty, elements: &[(Expr, Element)], made_at: u32) {
        let element_ty = self.collection_element(ty).unwrap_or(Ty::ERROR);
        let built = self.c.nullable_underlying(ty).unwrap_or(ty);
        self.touch(built);
        let builder = self
            .c
            .def_of(built)
            .and_then(|def| self.c.header(def).collection_builder);
        let is_initialized = builder.is_none() && self.is_initialized(built);
        if let Some((builder, method)) = builder {
            self.record_builder(made_at, builder, method);
        }
        // An object is made, and `Add` is called with each element as it is written (C# 12, collection expressions).
        let def = self.c.def_of(built);
        if is_initialized && def.is_some_and(|it| self.c.def(it).is_source()) {
            let n_before = self.out.uses.len();
            self.call_constructor(built, Vec::new(), made_at);
            for used in &mut self.out.uses[n_before..] {
                used.how = How::Other;
            }
        }
        for (element, how) in elements {
            match how {
                Element::One => {
                    let offset = self.start_of(element.node);
                    if !is_initialized || !self.record_add(built, element.clone(), offset) {
                        self.convert(element.clone(), element_ty);
                    }
                }
                Element::Spread if is_initialized && !element_ty.is_error() => {
                    let offset = self.start_of(element.node);
                    let value = Expr::value(element.node, element_ty);
                    self.record_add(built, value, offset);
                }
                Element::Spread => {}
            }
        }
    }

    /// Whether elements are added by an `Add` that the repository may have: to types of source, and to those from outside
    /// that have none, by extension methods.
    fn is_initialized(&self, ty: Ty) -> bool {
        let Some(def) = self.c.def_of(ty) else {
            return false;
        };
        if self.c.is_interface(ty) {
            return false;
        }
        if self.c.def(def).is_source() {
            return true;
        }
        let is_span = [Special::Span, Special::ReadOnlySpan];
        let is_span = is_span.iter().any(|&it| self.c.is_special(ty, it));
        let access = self.access(Some(ty));
        let own = self.c.lookup_member(ty, known::ADD, None, access);
        !is_span && !matches!(own, MemberLookup::Methods(_))
    }

    /// Whether there is an `Add` for the value.
    fn record_add(&mut self, ty: Ty, value: Expr, offset: u32) -> bool {
        let receiver = Expr::variable(value.node, ty);
        let recorded = Recorded::Hidden(offset, How::Other);
        let added = self.call_by_name(&receiver, known::ADD, vec![by_value(value)], recorded);
        added.is_some()
    }

    /// The methods of a builder by name: the language asks for one that takes a span.
    fn record_builder(&mut self, offset: u32, builder: Ty, method: crate::name::Name) {
        self.touch(builder);
        let Some(def) = self.c.def_of(builder) else {
            return;
        };
        let members = self.c.members(def).named(method).iter();
        let takes_span = |sym: &Sym| {
            let signature = &self.c.member(sym.member).signature;
            let last = signature.params.last();
            last.is_some_and(|param| self.c.is_special(param.ty, Special::ReadOnlySpan))
        };
        let mut methods = members.map(|&member| Sym {
            member,
            container: builder,
        });
        if let Some(found) = methods.find(takes_span) {
            self.record_use(offset, found.member, How::Other);
        }
    }
}
