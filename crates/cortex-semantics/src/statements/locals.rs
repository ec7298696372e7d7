//! Declarations of local variables and constants (C# specification, §13.6), `using`, `fixed`.

use cortex_model::EdgeKind;
use cortex_syntax::{BodyId, BodyKind, body_flags};

use super::{Asynchronous, lambda::written_ref_kind};
use crate::{
    binder::{Binder, Local},
    expr::{Expr, ExprKind, MethodGroup},
    expressions::ConstantFor,
    local_names::{LocalSymbol, Recording},
    name::known,
    names::Meaning,
    output::Misfit,
    special::Special,
    symbol::RefKind,
    ty::{Ty, TyKind},
};

impl Binder<'_, '_> {
    /// `T a = …, b;`.
    pub(super) fn local_declaration(&mut self, node: BodyId) {
        let flags = self.node(node).flags;
        let mut children = self.children(node);
        let Some(written) = children.next() else {
            return;
        };
        let declared = self.written_type(written);
        let ref_kind = match self.body_kind(written) {
            BodyKind::RefType => written_ref_kind(self.node(written).flags),
            _ => RefKind::None,
        };
        for declarator in children {
            let ty = self.declarator(declarator, declared, ref_kind, flags);
            if flags & body_flags::USING != 0 {
                let offset = self.node(node).offset;
                self.use_resource(ty, offset, Asynchronous::of_flags(flags));
            }
        }
    }

    /// One variable; its type.
    fn declarator(
        &mut self,
        node: BodyId,
        declared: Option<Ty>,
        ref_kind: RefKind,
        flags: u8,
    ) -> Ty {
        let name = self.name_of(node);
        let initial = self.first(node);
        let local = Local {
            name,
            ty: declared.unwrap_or(Ty::ERROR),
            function: None,
            ref_kind,
            constant: None,
            is_constant: flags & body_flags::CONST != 0,
            is_readonly: flags & (body_flags::CONST | body_flags::USING) != 0
                || ref_kind == RefKind::RefReadonly,
            symbol: self.declared_by(node),
        };
        // The variable is in scope in its own initial value.
        let index = self.declare_local(local) as usize;
        let Some(ty) = declared else {
            let ty = initial.map_or(Ty::ERROR, |initial| self.inferred_type(initial));
            if let Some(local) = self.locals.get_mut(index) {
                local.ty = ty;
            }
            self.check_alias(initial, ref_kind);
            return ty;
        };
        if let Some(initial) = initial {
            let value = self.bind_to(initial, ty);
            self.check_alias(Some(initial), ref_kind);
            if flags & body_flags::CONST != 0 {
                self.check_constant(initial, ConstantFor::Value);
                if let Some(local) = self.locals.get_mut(index) {
                    local.constant = value.constant;
                }
            }
        }
        ty
    }

    /// §13.6.2.2: the type of a `var`.
    fn inferred_type(&mut self, initial: BodyId) -> Ty {
        let n_unbound = self.out.unbound.len();
        let value = self.bind(initial);
        if has_no_type(&value) || self.has_no_natural_type(&value) {
            self.record_misfit_at(self.start_of(initial), Misfit::Conversion);
        }
        if matches!(value.kind, ExprKind::Stackalloc)
            && let Some(element) = self.c.arg_of(value.ty, Special::Span)
        {
            self.finish(value);
            return self.c.intern(TyKind::Pointer(element));
        }
        let ty = self.finish(value).ty;
        // What is called on an unknown value may be another member.
        if self.c.is_void(ty) && self.out.unbound.len() == n_unbound {
            self.record_misfit_at(self.start_of(initial), Misfit::Conversion);
        }
        if ty.is_none() || self.c.is_void(ty) {
            Ty::ERROR
        } else {
            ty
        }
    }

    /// Whether a function has no delegate type of its own (C# specification, §12.19.1; *Function types*).
    fn has_no_natural_type(&mut self, value: &Expr) -> bool {
        match &value.kind {
            _ if self.recording == Recording::Off => false,
            ExprKind::Lambda => self.is_untyped_lambda(value.node),
            ExprKind::Methods(group) => self.is_untyped_group(group),
            _ => false,
        }
    }

    /// Whether a lambda lacks the type of a parameter, or what it returns has none.
    fn is_untyped_lambda(&mut self, node: BodyId) -> bool {
        let shape = self.lambda_shape(node);
        let params = shape.params.iter().flatten();
        let types: Option<Vec<Ty>> = params.map(|param| param.ty).collect();
        let (true, Some(types)) = (shape.params.is_some(), types) else {
            return true;
        };
        if shape.return_type.is_some() {
            return false;
        }
        let bound = self.bind_lambda(node, &types, Ty::NONE);
        let is_decided = |it: &Expr| has_no_type(it) || self.is_known(it);
        bound.ty.is_none()
            && !bound.has_errors
            && !bound.returned.is_empty()
            && bound.returned.iter().all(is_decided)
    }

    /// Whether no method of a group takes the type arguments that it has, or none.
    fn is_untyped_group(&self, group: &MethodGroup) -> bool {
        let mut members = group.methods.iter().map(|it| self.c.member(it.member));
        let n_args = group.type_args.len();
        !group.methods.is_empty() && members.all(|it| it.arity() != n_args)
    }

    /// The type that a declaration writes, recorded; `None` for `var`.
    pub(super) fn written_type(&mut self, node: BodyId) -> Option<Ty> {
        if self.is_inferred(node) {
            return None;
        }
        Some(self.bind_type_node(node, EdgeKind::Local))
    }

    /// Whether it is `var` or `ref var`.
    fn is_inferred(&self, node: BodyId) -> bool {
        match self.body_kind(node) {
            BodyKind::Name => {
                self.name_of(node) == known::VAR
                    && (self.c.source_types_named(known::VAR).is_empty()
                        || matches!(
                            self.c.lookup_type_name(&self.scope, known::VAR, 0),
                            Meaning::Unknown | Meaning::Namespace(_)
                        ))
            }
            BodyKind::RefType => {
                let inner = self.first(node);
                inner.is_some_and(|inner| self.is_inferred(inner))
            }
            _ => false,
        }
    }

    /// What `using (…)` takes: a declaration or a value.
    pub(super) fn used_resource(&mut self, using: BodyId, resource: Option<BodyId>) {
        let Some(resource) = resource else { return };
        let data = self.node(using);
        let asynchronous = Asynchronous::of_flags(data.flags);
        if self.body_kind(resource) != BodyKind::LocalDeclaration {
            let ty = self.bind_value(resource).ty;
            self.use_resource(ty, data.offset, asynchronous);
            return;
        }
        let before = self.locals.len();
        self.local_declaration(resource);
        self.keep_values_of(resource);
        if self.node(resource).flags & body_flags::USING == 0
            && let Some(local) = self.locals.get(before)
        {
            self.use_resource(local.ty, data.offset, asynchronous);
        }
    }

    /// Lets no code give another value to the variables of a declaration.
    fn keep_values_of(&mut self, declaration: BodyId) {
        for declarator in self.children(declaration) {
            let symbol = LocalSymbol::Declared(self.node(declarator).offset);
            let mut locals = self.locals.iter_mut();
            if let Some(local) = locals.find(|it| it.symbol == symbol) {
                local.is_readonly = true;
            }
        }
    }

    /// §24.7: `fixed (T* p = e)`: `e` is an array, a string, an address or has `GetPinnableReference`.
    pub(super) fn fixed_declaration(&mut self, node: BodyId) {
        let mut children = self.children(node);
        let Some(written) = children.next() else {
            return;
        };
        let declared = self.written_type(written);
        for declarator in children {
            let value = self.first(declarator).map(|value| self.bind_value(value));
            if let Some(value) = &value
                && self.c.def_of(value.ty).is_some()
                && !self.c.is_special(value.ty, Special::String)
            {
                let offset = self.node(declarator).offset;
                self.use_member(value, known::GET_PINNABLE_REFERENCE, offset);
            }
            self.declare_at(declarator, declared.unwrap_or(Ty::ERROR));
        }
        self.keep_values_of(node);
    }
}

/// Whether an expression has no type until its place wants one, and none is wanted.
fn has_no_type(expr: &Expr) -> bool {
    match &expr.kind {
        ExprKind::Null
        | ExprKind::Default
        | ExprKind::ImplicitNew(_)
        | ExprKind::Collection(_)
        | ExprKind::Type
        | ExprKind::Namespace(_) => true,
        ExprKind::Branches(parts) => expr.ty.is_none() && parts.iter().all(has_no_type),
        ExprKind::Tuple(parts) => parts.iter().any(|(part, _)| has_no_type(part)),
        _ => false,
    }
}
