//! Expressions (C# specification, §12), but for calls, operators and queries.
//!
//! Owns: which rule binds which node. Must not know: how candidates of a call are compared, what
//! converts to what.

mod assignment;
mod collections;
mod conditional;
mod constant_rules;
mod creation;
mod creation_rules;
mod instance_rules;
mod literals;
mod members;
mod names;
mod operators;
mod position;
mod setters;
mod strings;
mod writing_rules;

use cortex_model::EdgeKind;
use cortex_syntax::{BodyId, BodyKind};

use crate::{
    binder::Binder,
    expr::{Expr, ExprKind},
    local_names::Recording,
    output::Misfit,
    special::Special,
    ty::Ty,
};

pub(crate) use constant_rules::ConstantFor;
pub(crate) use names::Reading;
pub(crate) use writing_rules::Given;

impl Binder<'_, '_> {
    /// An expression, bound as far as it can be without the type that its place wants.
    pub(crate) fn bind(&mut self, node: BodyId) -> Expr {
        let expr = self
            .deeper(|binder| binder.bind_expression(node))
            .unwrap_or_else(|| Expr::error(node));
        self.touch(expr.ty);
        self.record_typed(&expr, false);
        expr
    }

    /// The same, finished on its own: for operands, receivers, statements.
    pub(crate) fn bind_value(&mut self, node: BodyId) -> Expr {
        let expr = self.bind(node);
        self.finish(expr)
    }

    /// The same, converted to a type.
    pub(crate) fn bind_to(&mut self, node: BodyId, ty: Ty) -> Expr {
        if self.body_kind(node) == BodyKind::ArrayInitializer {
            return self.bind_array_initializer(node, ty);
        }
        let expr = self.bind(node);
        self.convert(expr, ty)
    }

    fn bind_expression(&mut self, node: BodyId) -> Expr {
        match self.body_kind(node) {
            BodyKind::Name | BodyKind::GenericName => self.bind_simple_name(node),
            BodyKind::MemberAccess => self.bind_member_access_node(node),
            BodyKind::AliasQualified => self.bind_alias_qualified(node),
            BodyKind::ConditionalAccess => self.bind_conditional_access(node),
            BodyKind::MemberBinding => self.bind_member_binding(node),
            BodyKind::ElementBinding => self.bind_element_binding(node),
            BodyKind::Invocation => self.bind_invocation(node),
            BodyKind::ElementAccess => self.bind_element_access_node(node),
            BodyKind::ObjectCreation => self.bind_object_creation(node),
            BodyKind::ImplicitCreation => self.bind_implicit_creation(node),
            BodyKind::ArrayCreation => self.bind_array_creation(node),
            BodyKind::ImplicitArray => self.bind_implicit_array(node),
            BodyKind::ArrayInitializer => self.bind_array_initializer(node, Ty::ERROR),
            BodyKind::Stackalloc => self.bind_stackalloc(node),
            BodyKind::AnonymousObject => self.bind_anonymous_object(node),
            BodyKind::With => self.bind_with(node),
            BodyKind::Lambda | BodyKind::AnonymousMethod => {
                Expr::of(node, Ty::NONE, ExprKind::Lambda)
            }
            BodyKind::Assignment => self.bind_assignment(node),
            BodyKind::Binary => self.bind_binary(node),
            BodyKind::Unary | BodyKind::Postfix => self.bind_unary(node),
            BodyKind::SuppressNull => self.bind_inner(node),
            BodyKind::Checked => {
                let overflow = self.context_of(node);
                self.in_context(overflow, |binder| binder.bind_inner(node))
            }
            BodyKind::Parenthesized => self.bind_parenthesized(node),
            BodyKind::Conditional => self.bind_conditional(node),
            BodyKind::Is => self.bind_is(node),
            BodyKind::As => self.bind_as(node),
            BodyKind::Cast => self.bind_cast(node),
            BodyKind::Tuple => self.bind_tuple(node),
            BodyKind::DeclarationExpression => self.bind_declaration_expression(node),
            BodyKind::TypeOf => self.bind_type_of(node),
            BodyKind::SizeOf => self.bind_size_of(node),
            BodyKind::Default => self.bind_default(node),
            BodyKind::DefaultLiteral => Expr::of(node, Ty::NONE, ExprKind::Default),
            BodyKind::Literal => self.bind_literal(node),
            BodyKind::InterpolatedString => self.bind_interpolated_string(node),
            BodyKind::This => {
                self.check_this(node);
                Expr::variable(node, self.this_type())
            }
            BodyKind::Base => self.bind_base(node),
            BodyKind::Await => self.bind_await(node),
            BodyKind::Range => self.bind_range(node),
            BodyKind::SwitchExpression => self.bind_switch_expression(node),
            BodyKind::ThrowExpression => {
                self.bind_thrown(node);
                Expr::of(node, Ty::NONE, ExprKind::Throw)
            }
            BodyKind::RefExpression => self.bind_ref(node),
            BodyKind::CollectionExpression => self.bind_collection(node),
            BodyKind::Query => self.bind_query(node),
            BodyKind::PredefinedType
            | BodyKind::ArrayType
            | BodyKind::NullableType
            | BodyKind::PointerType
            | BodyKind::TupleType
            | BodyKind::FunctionPointerType => {
                let ty = self.bind_type_node(node, EdgeKind::Static);
                Expr::of(node, ty, ExprKind::Type)
            }
            _ => self.bind_others(node),
        }
    }

    /// What no rule is known for: the expressions in it are bound, it has no type.
    fn bind_others(&mut self, node: BodyId) -> Expr {
        for child in self.children(node) {
            self.bind_value(child);
        }
        Expr::error(node)
    }

    /// The value of the first child.
    fn bind_first(&mut self, node: BodyId) -> Expr {
        match self.first(node) {
            Some(child) => self.bind_value(child),
            None => Expr::error(node),
        }
    }

    /// What `throw` throws, if it says so: an exception (C# specification, §13.10.6).
    pub(crate) fn bind_thrown(&mut self, node: BodyId) {
        let Some(value) = self.first(node) else {
            return;
        };
        let value = self.bind_value(value);
        let exception = self.c.special(Special::Exception);
        if self.recording == Recording::On
            && self.is_misfit(&value, exception)
            && !self.implicit_conversion(&value, exception).exists()
        {
            self.record_misfit_at(self.start_of(value.node), Misfit::Conversion);
        }
    }

    /// `a!`, `checked(a)`: what is inside.
    fn bind_inner(&mut self, node: BodyId) -> Expr {
        match self.first(node) {
            Some(child) => self.bind(child),
            None => Expr::error(node),
        }
    }

    /// §12.8.5. What is finished later keeps its own node, a value begins at the parenthesis.
    fn bind_parenthesized(&mut self, node: BodyId) -> Expr {
        let mut inner = self.bind_inner(node);
        if matches!(inner.kind, ExprKind::Type | ExprKind::Namespace(_)) {
            self.record_misfit_at(self.node(node).offset, Misfit::Value);
        }
        if matches!(inner.kind, ExprKind::Value | ExprKind::Variable) {
            inner.node = node;
        }
        inner
    }

    /// §12.8.15: `base` is the base class; of a struct, the class behind it.
    fn bind_base(&mut self, node: BodyId) -> Expr {
        self.check_this(node);
        let base = self.c.base_type(self.this_type());
        let base = base.unwrap_or_else(|| self.c.special(Special::Object));
        Expr::of(node, base, ExprKind::Base)
    }

    /// §12.9.8.
    fn bind_await(&mut self, node: BodyId) -> Expr {
        let value = self.bind_first(node);
        let ty = self.await_result(&value, self.node(node).offset);
        Expr::value(node, ty)
    }

    /// `ref e`.
    fn bind_ref(&mut self, node: BodyId) -> Expr {
        let inner = self.bind_inner(node);
        if inner.ty.is_none() {
            return inner;
        }
        Expr::variable(node, inner.ty)
    }

    /// §12.12.12.
    fn bind_as(&mut self, node: BodyId) -> Expr {
        let mut children = self.children(node);
        let (Some(value), Some(ty)) = (children.next(), children.next()) else {
            return Expr::error(node);
        };
        let value = self.bind_value(value);
        let ty = self.bind_type_node(ty, EdgeKind::Casts);
        if self.is_never(&value, ty) {
            self.record_misfit_at(self.node(node).offset, Misfit::Conversion);
        }
        Expr::value(node, ty)
    }

    /// §12.9.7.
    fn bind_cast(&mut self, node: BodyId) -> Expr {
        let mut children = self.children(node);
        let (Some(ty), Some(value)) = (children.next(), children.next()) else {
            return Expr::error(node);
        };
        let ty = self.bind_type_node(ty, EdgeKind::Casts);
        if self.c.is_static_class(ty) {
            self.record_misfit_at(self.node(node).offset, Misfit::StaticType);
        }
        let value = self.bind(value);
        let value = self.convert_explicit(value, ty, self.node(node).offset);
        Expr::value(node, ty).with_constant(value.constant)
    }

    /// A type named by the first child, whose use is `kind`.
    fn bind_first_type(&mut self, node: BodyId, kind: EdgeKind) -> Ty {
        match self.first(node) {
            Some(child) => self.bind_type_node(child, kind),
            None => Ty::ERROR,
        }
    }

    /// Notes that what stands here depends on the members of a type, which no name may say.
    pub(crate) fn touch(&mut self, ty: Ty) {
        if self.touched.last() != Some(&ty) {
            self.touched.push(ty);
        }
    }
}
