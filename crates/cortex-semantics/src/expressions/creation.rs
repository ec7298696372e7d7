//! Objects, arrays and their initializers (C# specification, §12.8.17), anonymous objects, `with`.

use cortex_model::EdgeKind;
use cortex_syntax::{BodyId, BodyKind};

use super::strings::by_value;
use crate::{
    binder::Binder,
    expr::{Arg, Expr, ExprKind},
    local_names::Recording,
    name::{Name, known},
    names::MemberLookup,
    output::{How, Misfit, Why},
    overload::Recorded,
    special::Special,
    ty::{Ty, TyKind},
};

impl Binder<'_, '_> {
    /// `new T(…) { … }`.
    pub(super) fn bind_object_creation(&mut self, node: BodyId) -> Expr {
        let mut children = self.children(node);
        let Some(ty) = children.next() else {
            return Expr::error(node);
        };
        let is_thrown = node > 0
            && matches!(
                self.body_kind(node - 1),
                BodyKind::Throw | BodyKind::ThrowExpression
            );
        let kind = if is_thrown {
            EdgeKind::Throws
        } else {
            EdgeKind::Creates
        };
        let written = ty;
        let ty = self.bind_type_node(written, kind);
        let mut args = Vec::new();
        let mut initializer = None;
        for child in children {
            match self.body_kind(child) {
                BodyKind::Arguments => args = self.bind_arguments(child),
                _ => initializer = Some(child),
            }
        }
        self.create(node, ty, args);
        if self.recording == Recording::On {
            let offset = self.last_name(written);
            self.check_creation((node, ty), initializer, offset);
        }
        if let Some(initializer) = initializer {
            self.bind_initializer(initializer, ty);
        }
        Expr::value(node, ty)
    }

    /// The constructor of a creation; of a delegate, the method that it means (§12.8.17.6).
    fn create(&mut self, node: BodyId, ty: Ty, args: Vec<Arg>) {
        self.touch(ty);
        if !self.c.is_delegate(ty) {
            return self.call_constructor(ty, args, self.node(node).offset);
        }
        for arg in args {
            let wants_delegate = matches!(
                arg.expr.kind,
                ExprKind::Methods(_) | ExprKind::Lambda | ExprKind::AddressOf(_)
            );
            if wants_delegate {
                self.convert(arg.expr, ty);
            } else {
                self.finish(arg.expr);
            }
        }
    }

    /// `new(…)`: its constructor is chosen when its type is known.
    pub(super) fn bind_implicit_creation(&mut self, node: BodyId) -> Expr {
        let mut children = self.children(node);
        let args = match children.next() {
            Some(args) if self.body_kind(args) == BodyKind::Arguments => self.bind_arguments(args),
            _ => Vec::new(),
        };
        Expr::of(node, Ty::NONE, ExprKind::ImplicitNew(args.into()))
    }

    /// Finishes `new(…)` for a type: constructor, initializer.
    pub(crate) fn finish_creation(&mut self, expr: Expr, ty: Ty) -> Expr {
        let node = expr.node;
        let ExprKind::ImplicitNew(args) = expr.kind else {
            return expr;
        };
        let created = self.c.nullable_underlying(ty).unwrap_or(ty);
        self.create(node, created, args.to_vec());
        if self.recording == Recording::On {
            let mut children = self.children(node);
            let initializer = children.find(|&it| self.body_kind(it) != BodyKind::Arguments);
            self.check_creation((node, created), initializer, self.node(node).offset);
        }
        for child in self.children(node) {
            if self.body_kind(child) != BodyKind::Arguments {
                self.bind_initializer(child, created);
            }
        }
        Expr::value(node, created)
    }

    /// An object or collection initializer for a value of a type.
    pub(crate) fn bind_initializer(&mut self, node: BodyId, ty: Ty) {
        self.deeper(|binder| match binder.body_kind(node) {
            BodyKind::ObjectInitializer => {
                for member in binder.children(node) {
                    binder.bind_member_initializer(member, ty);
                }
            }
            BodyKind::CollectionInitializer => {
                for element in binder.children(node) {
                    binder.bind_element_initializer(element, ty);
                }
            }
            _ => {
                binder.bind_value(node);
            }
        });
    }

    /// `a = e`, `[i] = e` (§12.8.17.3).
    fn bind_member_initializer(&mut self, node: BodyId, ty: Ty) {
        let mut children = self.children(node);
        let Some(target) = children.next() else {
            return;
        };
        let Some(value) = children.next() else {
            self.bind_value(target);
            return;
        };
        let member_ty = match self.body_kind(target) {
            BodyKind::Name => {
                let ty = self.initialized_member(ty, target);
                if !matches!(
                    self.body_kind(value),
                    BodyKind::ObjectInitializer | BodyKind::CollectionInitializer
                ) {
                    self.check_initialized(target);
                }
                ty
            }
            BodyKind::ElementBinding => match self.first(target) {
                Some(args) => {
                    let receiver = Expr::variable(target, ty);
                    let offset = self.node(target).offset;
                    self.bind_element_access(receiver, args, offset).ty
                }
                None => Ty::ERROR,
            },
            _ => self.bind_value(target).ty,
        };
        self.bind_initial_value(value, member_ty);
    }

    fn bind_initial_value(&mut self, value: BodyId, ty: Ty) {
        match self.body_kind(value) {
            BodyKind::ObjectInitializer | BodyKind::CollectionInitializer => {
                self.bind_initializer(value, ty);
            }
            _ => {
                self.bind_to(value, ty);
            }
        }
    }

    /// The member of a type that an initializer names, recorded; its type.
    pub(crate) fn initialized_member(&mut self, ty: Ty, target: BodyId) -> Ty {
        let name = self.name_of(target);
        self.asked.push(name);
        let offset = self.node(target).offset;
        if ty.is_error() || ty.is_none() || ty == Ty::DYNAMIC {
            self.record_unbound(offset, Why::UnknownReceiver);
            return if ty == Ty::DYNAMIC { ty } else { Ty::ERROR };
        }
        if let TyKind::Anonymous(members) = self.c.kind(ty) {
            let mut members = members.iter();
            let member = members.find(|member| member.0 == name);
            return member.map_or(Ty::ERROR, |member| member.1);
        }
        match self
            .c
            .lookup_member(ty, name, Some(0), self.access(Some(ty)))
        {
            MemberLookup::Member(sym) => {
                self.record_member(offset, sym.member, EdgeKind::Writes);
                self.c.type_of(sym)
            }
            MemberLookup::Ambiguous(_) => {
                self.record_unbound(offset, Why::Ambiguous);
                Ty::ERROR
            }
            _ => match self.extension_property(&Expr::variable(target, ty), name) {
                Some((sym, ty)) => {
                    self.record_member(offset, sym.member, EdgeKind::Writes);
                    ty
                }
                None => {
                    self.record_unbound(offset, Why::NotFound);
                    Ty::ERROR
                }
            },
        }
    }

    /// An element of a collection initializer: `Add` is called with it (§12.8.17.4).
    fn bind_element_initializer(&mut self, element: BodyId, ty: Ty) {
        let mut args = Vec::new();
        if self.body_kind(element) == BodyKind::ElementInitializer {
            for value in self.children(element) {
                args.push(by_value(self.bind(value)));
            }
        } else {
            args.push(by_value(self.bind(element)));
        }
        let receiver = Expr::variable(element, ty);
        if ty.is_error() || ty.is_none() {
            return self.finish_unknown(args);
        }
        let recorded = Recorded::Hidden(self.start_of(element), How::Add);
        if self
            .call_by_name(&receiver, known::ADD, args.clone(), recorded)
            .is_none()
        {
            let is_known = |arg: &Arg| self.is_known(&arg.expr) && arg.expr.ty != Ty::DYNAMIC;
            if self.is_known(&receiver) && ty != Ty::DYNAMIC && args.iter().all(is_known) {
                self.record_misfit_at(self.start_of(element), Misfit::Arguments);
            }
            self.finish_unknown(args);
        }
    }

    /// Finishes arguments of a call that is not known.
    pub(super) fn finish_unknown(&mut self, args: Vec<Arg>) {
        for arg in args {
            self.convert(arg.expr, Ty::ERROR);
        }
    }

    /// `new T[n] { … }`.
    pub(super) fn bind_array_creation(&mut self, node: BodyId) -> Expr {
        let mut children = self.children(node);
        let Some(ty) = children.next() else {
            return Expr::error(node);
        };
        let ty = self.bind_type_node(ty, EdgeKind::Creates);
        for child in children {
            match self.body_kind(child) {
                BodyKind::ArrayInitializer => {
                    self.bind_array_initializer(child, ty);
                }
                _ => {
                    self.bind_value(child);
                }
            }
        }
        Expr::value(node, ty)
    }

    /// `{ a, { b } }` as an array of a type.
    pub(super) fn bind_array_initializer(&mut self, node: BodyId, ty: Ty) -> Expr {
        let element = match *self.c.kind(ty) {
            TyKind::Array(element, rank) if rank > 1 => self.c.array(element, rank - 1),
            TyKind::Array(element, _) => element,
            _ => self.c.arg_of(ty, Special::Span).unwrap_or(Ty::ERROR),
        };
        self.deeper(|binder| {
            for value in binder.children(node) {
                binder.bind_to(value, element);
            }
        });
        Expr::value(node, ty)
    }

    /// `new[] { … }`: of the best common type of the elements (§12.8.17.5).
    pub(super) fn bind_implicit_array(&mut self, node: BodyId) -> Expr {
        let rank = self.node(node).value.clamp(1, 32) as u8;
        let mut elements = Vec::new();
        for child in self.children(node) {
            self.nested_elements(child, rank, &mut elements);
        }
        let element = self.best_type(&elements).unwrap_or(Ty::ERROR);
        for value in elements {
            self.convert(value, element);
        }
        let ty = if element.is_error() {
            Ty::ERROR
        } else {
            self.c.array(element, rank)
        };
        Expr::value(node, ty)
    }

    /// Binds what stands between nested braces, to a depth.
    fn nested_elements(&mut self, node: BodyId, rank: u8, out: &mut Vec<Expr>) {
        if rank > 0 && self.body_kind(node) == BodyKind::ArrayInitializer {
            for child in self.children(node) {
                self.nested_elements(child, rank - 1, out);
            }
        } else {
            out.push(self.bind(node));
        }
    }

    /// §12.6.3.15, of expressions: those without a type only have to convert to it.
    pub(crate) fn best_type(&mut self, elements: &[Expr]) -> Option<Ty> {
        let mut types: Vec<Ty> = Vec::new();
        for element in elements {
            let ty = if element.ty.is_none() {
                let is_function = matches!(element.kind, ExprKind::Lambda | ExprKind::Methods(_));
                match is_function.then(|| self.natural_type(element)).flatten() {
                    Some(ty) => ty,
                    None => continue,
                }
            } else {
                element.ty
            };
            if !ty.is_error() && !types.contains(&ty) {
                types.push(ty);
            }
        }
        match *types {
            [] => None,
            [only] => Some(only),
            _ => self.c.best_common_type(&types),
        }
    }

    /// `stackalloc T[n] { … }`.
    pub(super) fn bind_stackalloc(&mut self, node: BodyId) -> Expr {
        let mut children = self.children(node);
        let mut element = None;
        if self.node(node).flags & 1 != 0
            && let Some(ty) = children.next()
        {
            let ty = self.bind_type_node(ty, EdgeKind::Creates);
            element = Some(match *self.c.kind(ty) {
                TyKind::Array(element, _) => element,
                _ => ty,
            });
        }
        let mut values = Vec::new();
        for child in children {
            match self.body_kind(child) {
                BodyKind::ArrayInitializer => self.nested_elements(child, 1, &mut values),
                _ => {
                    self.bind_value(child);
                }
            }
        }
        let element = match element {
            Some(element) => element,
            None => self.best_type(&values).unwrap_or(Ty::ERROR),
        };
        for value in values {
            self.convert(value, element);
        }
        let ty = self.c.special_of(Special::Span, &[element]);
        Expr::of(node, ty, ExprKind::Stackalloc)
    }

    /// `new { a = e, b.C }` (§12.8.17.7).
    pub(super) fn bind_anonymous_object(&mut self, node: BodyId) -> Expr {
        let mut members: Vec<(Name, Ty)> = Vec::new();
        for member in self.children(node) {
            let Some(value) = self.first(member) else {
                continue;
            };
            let name = self
                .optional_name_of(member)
                .or_else(|| self.inferred_name(value));
            let value = self.bind_value(value);
            members.push((name.unwrap_or(known::EMPTY), value.ty));
        }
        let ty = self.c.intern(TyKind::Anonymous(members.into()));
        Expr::value(node, ty)
    }

    /// `e with { … }` (§12.10, records).
    pub(super) fn bind_with(&mut self, node: BodyId) -> Expr {
        let mut children = self.children(node);
        let (Some(value), Some(initializer)) = (children.next(), children.next()) else {
            return self.bind_others(node);
        };
        let value = self.bind_value(value);
        self.bind_initializer(initializer, value.ty);
        Expr::value(node, value.ty)
    }
}
