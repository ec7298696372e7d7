//! Member access (C# specification, §12.8.7), conditional access (§12.8.8) and element access
//! (§12.8.12).

use std::rc::Rc;

use cortex_model::EdgeKind;
use cortex_syntax::BodyId;
use smallvec::SmallVec;

use super::names::Reading;
use crate::{
    binder::Binder,
    expr::{Expr, ExprKind, Extensions, MethodGroup},
    local_names::{LocalRole, LocalSymbol},
    name::Name,
    names::{Meaning, MemberLookup},
    output::{Receiver, Why},
    symbol::Sym,
    ty::{Ty, TyKind},
};

impl Binder<'_, '_> {
    /// `a.b`, `a->b`.
    pub(super) fn bind_member_access_node(&mut self, node: BodyId) -> Expr {
        let mut children = self.children(node);
        let (Some(left), Some(name)) = (children.next(), children.next()) else {
            return self.bind_others(node);
        };
        let mut receiver = self.bind_receiver(left);
        if self.node(node).flags & 1 != 0 {
            let element = match *self.c.kind(receiver.ty) {
                TyKind::Pointer(element) => element,
                _ => Ty::ERROR,
            };
            receiver = Expr::variable(left, element);
        }
        let mut result = self.bind_member_access(receiver, name);
        result.node = node;
        result
    }

    /// `receiver.name`: `name` is a `Name` or `GenericName`.
    pub(crate) fn bind_member_access(&mut self, receiver: Expr, name: BodyId) -> Expr {
        match receiver.kind {
            ExprKind::Namespace(namespace) => {
                return self.bind_qualified(name, &Meaning::Namespace(namespace), name);
            }
            ExprKind::Type => return self.bind_member_of_type(receiver, name),
            _ => {}
        }
        let text = self.name_of(name);
        self.asked.push(text);
        let offset = self.node(name).offset;
        let args = self.type_arguments(name);
        if receiver.ty.is_error() || receiver.ty == Ty::DYNAMIC || receiver.ty.is_none() {
            let receiver = self.settle(receiver, Reading::Value);
            self.record_unbound(offset, Why::UnknownReceiver);
            return match receiver.ty {
                Ty::DYNAMIC => Expr::value(name, Ty::DYNAMIC),
                _ => Expr::error(name),
            };
        }
        if let Some((at, ty)) = self.element_of_value(receiver.ty, text) {
            self.settle(receiver, Reading::Value);
            self.record_local(offset, LocalSymbol::Element(at), LocalRole::Use);
            return Expr::variable(name, ty);
        }
        self.touch(receiver.ty);
        let through = match receiver.kind {
            ExprKind::Base => None,
            _ => Some(receiver.ty),
        };
        self.record_receiver(offset, through.map_or(Receiver::Base, Receiver::Of));
        let arity = self.arity_of(name);
        let found = self
            .c
            .lookup_member(receiver.ty, text, Some(arity), self.access(through));
        match found {
            MemberLookup::Methods(methods) => {
                let receiver = self.settle_for(receiver, &methods);
                let extensions = match receiver.kind {
                    ExprKind::Base => Extensions::No,
                    _ => Extensions::Allowed,
                };
                self.method_group(name, receiver, methods, args, extensions)
            }
            MemberLookup::Member(sym) => {
                let reading = if self.c.member(sym.member).is_static() {
                    Reading::Type
                } else {
                    Reading::Value
                };
                self.settle(receiver, reading);
                self.member_value(name, offset, sym)
            }
            MemberLookup::Type(def, container) => {
                self.settle(receiver, Reading::Type);
                self.record_type(offset, def, EdgeKind::Static);
                let ty = self.construct(def, Some(container), &args);
                self.record_constructed(offset, ty);
                Expr::of(name, ty, ExprKind::Type)
            }
            MemberLookup::Ambiguous(_) => {
                self.settle(receiver, Reading::Value);
                self.record_unbound(offset, Why::Ambiguous);
                Expr::error(name)
            }
            MemberLookup::None => {
                let receiver = self.settle(receiver, Reading::Value);
                self.bind_extension(name, receiver, args)
            }
        }
    }

    /// A static member or nested type of a type.
    fn bind_member_of_type(&mut self, receiver: Expr, name: BodyId) -> Expr {
        let text = self.name_of(name);
        let offset = self.node(name).offset;
        let args = self.type_arguments(name);
        let arity = self.arity_of(name);
        if receiver.ty.is_error() {
            self.record_unbound(offset, Why::UnknownReceiver);
            return Expr::error(name);
        }
        let ty = match *self.c.kind(receiver.ty) {
            TyKind::Unbound(def) => self.c.instance_type(def),
            _ => receiver.ty,
        };
        match self
            .c
            .lookup_member(ty, text, Some(arity), self.access(None))
        {
            MemberLookup::Methods(methods) => {
                self.method_group(name, receiver, methods, args, Extensions::Allowed)
            }
            MemberLookup::Member(sym) => {
                self.check_named_on_type(offset, sym.member);
                self.member_value(name, offset, sym)
            }
            MemberLookup::Type(def, container) => {
                self.record_type(offset, def, EdgeKind::Static);
                let ty = self.construct(def, Some(container), &args);
                self.record_constructed(offset, ty);
                Expr::of(name, ty, ExprKind::Type)
            }
            MemberLookup::Ambiguous(_) => {
                self.record_unbound(offset, Why::Ambiguous);
                Expr::error(name)
            }
            MemberLookup::None => self.bind_extension(name, receiver, args),
        }
    }

    /// An extension member of a name on a value or type, where it has none of its own: a property, else
    /// methods, which a call chooses from.
    fn bind_extension(&mut self, name: BodyId, receiver: Expr, args: Box<[Ty]>) -> Expr {
        let text = self.name_of(name);
        let offset = self.node(name).offset;
        let in_scope = self.c.extensions_in_scope(&self.scope, text);
        // `base` is no value that an extension could be given.
        let is_base = matches!(receiver.kind, ExprKind::Base);
        if is_base || in_scope.iter().all(Vec::is_empty) {
            self.record_unbound(offset, Why::NotFound);
            return Expr::error(name);
        }
        if args.is_empty()
            && let Some((sym, ty)) = self.extension_property(&receiver, text)
        {
            self.record_member(offset, sym.member, EdgeKind::Reads);
            self.touch(ty);
            return Expr::value(name, ty);
        }
        self.method_group(name, receiver, SmallVec::new(), args, Extensions::Allowed)
    }

    fn method_group(
        &mut self,
        name: BodyId,
        receiver: Expr,
        methods: SmallVec<[Sym; 4]>,
        type_args: Box<[Ty]>,
        extensions: Extensions,
    ) -> Expr {
        let group = MethodGroup {
            name: self.name_of(name),
            offset: self.node(name).offset,
            receiver: Some(receiver),
            methods: methods.into_vec().into(),
            type_args,
            extensions,
        };
        Expr::of(name, Ty::NONE, ExprKind::Methods(Rc::new(group)))
    }

    /// Decides what a name is that is both a value and its type, where all methods agree on it.
    fn settle_for(&mut self, receiver: Expr, methods: &[Sym]) -> Expr {
        let is_static = |sym: &Sym| self.c.member(sym.member).is_static();
        if methods.iter().all(is_static) {
            self.settle(receiver, Reading::Type)
        } else if methods.iter().any(is_static) {
            receiver
        } else {
            self.settle(receiver, Reading::Value)
        }
    }

    /// An element of a tuple by a written name or `ItemN`, a member of an anonymous type: its position and its type.
    pub(crate) fn element_of_value(&self, ty: Ty, name: Name) -> Option<(u16, Ty)> {
        let (at, ty) = match self.c.kind(ty) {
            TyKind::Tuple { elements, names } => {
                let named = names.iter().position(|&it| it == Some(name));
                let numbered = || -> Option<usize> {
                    let number = self.c.text(name).strip_prefix("Item")?;
                    number.parse::<usize>().ok()?.checked_sub(1)
                };
                let at = named.or_else(numbered)?;
                (at, *elements.get(at)?)
            }
            TyKind::Anonymous(members) => {
                let at = members.iter().position(|member| member.0 == name)?;
                (at, members[at].1)
            }
            _ => return None,
        };
        Some((u16::try_from(at).ok()?, ty))
    }

    /// `a?.b…`: the receiver is kept for the bindings in the rest; what that gives is lifted.
    pub(super) fn bind_conditional_access(&mut self, node: BodyId) -> Expr {
        let mut children = self.children(node);
        let (Some(left), Some(rest)) = (children.next(), children.next()) else {
            return self.bind_others(node);
        };
        let mut receiver = self.bind_value(left);
        if let Some(underlying) = self.c.nullable_underlying(receiver.ty) {
            receiver = Expr::value(left, underlying);
        }
        self.conditional.push(receiver);
        let value = self.bind_value(rest);
        self.conditional.pop();
        let ty = if self.c.is_void(value.ty) {
            value.ty
        } else {
            self.c.nullable(value.ty)
        };
        Expr::value(node, ty)
    }

    pub(super) fn bind_member_binding(&mut self, node: BodyId) -> Expr {
        let (Some(name), Some(receiver)) = (self.first(node), self.conditional.last().cloned())
        else {
            return Expr::error(node);
        };
        let mut result = self.bind_member_access(receiver, name);
        result.node = node;
        result
    }

    pub(super) fn bind_element_binding(&mut self, node: BodyId) -> Expr {
        let (Some(args), Some(receiver)) = (self.first(node), self.conditional.last().cloned())
        else {
            return Expr::error(node);
        };
        let mut result = self.bind_element_access(receiver, args, self.node(node).offset);
        result.node = node;
        result
    }

    pub(super) fn bind_element_access_node(&mut self, node: BodyId) -> Expr {
        let mut children = self.children(node);
        let (Some(receiver), Some(args)) = (children.next(), children.next()) else {
            return self.bind_others(node);
        };
        let receiver = self.bind(receiver);
        let receiver = match receiver.kind {
            ExprKind::Base => receiver,
            _ => self.finish(receiver),
        };
        let mut result = self.bind_element_access(receiver, args, self.node(node).offset);
        result.node = node;
        result
    }
}
