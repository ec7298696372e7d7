//! Creation of objects, arrays and collections, and initializers.

use super::{Builder, Head, Work, operands};
use crate::{
    arena::{Node, NodeId},
    body::BodyKind,
    kind::{Field, Kind},
};

impl Builder<'_, '_> {
    pub(super) fn creation(&mut self, id: NodeId, node: Node) {
        let arena = self.arena;
        let start = node.start;
        match node.kind {
            Kind::ObjectCreation | Kind::ImplicitObjectCreation => {
                let kind = match node.kind {
                    Kind::ObjectCreation => BodyKind::ObjectCreation,
                    _ => BodyKind::ImplicitCreation,
                };
                self.open(Head::new(kind, start));
                for part in operands(arena, id) {
                    self.then(match arena.kind(part) {
                        Kind::ArgumentList => Work::Arguments(part),
                        Kind::Initializer => Work::Members(part),
                        _ => Work::Visit(part),
                    });
                }
                self.then_close();
            }
            Kind::ArrayCreation => self.array(BodyKind::ArrayCreation, 0, id),
            Kind::Stackalloc => self.array(BodyKind::Stackalloc, 1, id),
            Kind::ImplicitStackalloc => self.all(BodyKind::Stackalloc, id),
            Kind::ImplicitArray => {
                let is_comma = |&child: &NodeId| arena.bytes(child) == b",";
                let rank = arena.children(id).filter(is_comma).count() as u32 + 1;
                self.open(Head::new(BodyKind::ImplicitArray, start).value(rank));
                for part in operands(arena, id) {
                    self.then_visit(part);
                }
                self.then_close();
            }
            Kind::AnonymousObject => self.anonymous_object(id, start),
            Kind::With => self.with(id, start),
            Kind::CollectionExpression => self.collection(id, start),
            _ => {
                // The grammar has `[a, b]` for an expression as well.
                self.open(Head::new(BodyKind::CollectionExpression, start));
                for argument in operands(arena, id) {
                    let value = self.argument_value(argument);
                    self.then_visit_or_error(value, start);
                }
                self.then_close();
            }
        }
    }

    fn array(&mut self, kind: BodyKind, flags: u8, id: NodeId) {
        let start = self.arena.node(id).start;
        self.open(Head::new(kind, start).flags(flags));
        let ty = self.part(id, Field::Type);
        self.then_visit_or_error(ty, start);
        if let Some(ty) = ty {
            self.then_sizes(ty);
        }
        if let Some(initializer) = self.arena.child_of_kind(id, Kind::Initializer) {
            self.then_visit(initializer);
        }
        self.then_close();
    }

    /// `{ a, { b } }` of an array, `{ a, b }` of a collection's element.
    pub(super) fn elements(&mut self, id: NodeId, kind: BodyKind) {
        let arena = self.arena;
        self.open(Head::new(kind, arena.node(id).start));
        for element in operands(arena, id) {
            self.then_visit(element);
        }
        self.then_close();
    }

    /// Members are assigned where the first is, or where there are none.
    pub(super) fn members(&mut self, id: NodeId) {
        let arena = self.arena;
        let start = arena.node(id).start;
        let is_member = |element: NodeId| {
            let left = arena.child(element, Field::Left);
            arena.kind(element) == Kind::Assignment
                && left.is_some_and(|left| {
                    matches!(arena.kind(left), Kind::Identifier | Kind::ElementBinding)
                })
        };
        let is_object = operands(arena, id).next().is_none_or(is_member);
        let kind = match is_object {
            true => BodyKind::ObjectInitializer,
            false => BodyKind::CollectionInitializer,
        };
        self.open(Head::new(kind, start));
        for element in operands(arena, id) {
            self.then(match arena.kind(element) {
                _ if is_object => Work::Member(element),
                Kind::Initializer => Work::ElementInitializer(element),
                _ => Work::Visit(element),
            });
        }
        self.then_close();
    }

    /// `A = e`, `[i] = e` in an object initializer; `A = e` after `with`.
    pub(super) fn member(&mut self, id: NodeId) {
        let arena = self.arena;
        let start = arena.node(id).start;
        self.open(Head::new(BodyKind::MemberInit, start));
        let (left, right) = match arena.kind(id) {
            Kind::Assignment => (self.part(id, Field::Left), self.part(id, Field::Right)),
            Kind::WithInitializer => {
                let mut parts = operands(arena, id);
                (parts.next(), parts.next())
            }
            _ => (Some(id), None),
        };
        match left {
            Some(left) if arena.kind(left) == Kind::ElementBinding => {
                let head = Head::new(BodyKind::ElementBinding, arena.node(left).start);
                self.then_around(head, Work::Arguments(left));
            }
            left => self.then_visit_or_error(left, start),
        }
        match right {
            Some(right) if arena.kind(right) == Kind::Initializer => {
                self.then(Work::Members(right));
            }
            right => self.then_visit_or_error(right, start),
        }
        self.then_close();
    }

    fn anonymous_object(&mut self, id: NodeId, start: u32) {
        let arena = self.arena;
        self.open(Head::new(BodyKind::AnonymousObject, start));
        let mut name: Option<NodeId> = None;
        for part in operands(arena, id) {
            let next = arena.node(part).after;
            let is_name = name.is_none()
                && arena.kind(part) == Kind::Identifier
                && next < arena.node(id).after
                && arena.bytes(next) == b"=";
            if is_name {
                name = Some(part);
                continue;
            }
            let offset = arena.node(name.unwrap_or(part)).start;
            let value = name.take().map_or(0, |name| self.name_of(name) + 1);
            let head = Head::new(BodyKind::AnonymousMember, offset).value(value);
            self.then_around(head, Work::Visit(part));
        }
        self.then_close();
    }

    fn with(&mut self, id: NodeId, start: u32) {
        self.open(Head::new(BodyKind::With, start));
        let source = self.operand(id);
        self.then_visit_or_error(source, start);
        self.then_with_members(id);
        self.then_close();
    }

    /// The braces of a `with`.
    pub(super) fn then_with_members(&mut self, id: NodeId) {
        let arena = self.arena;
        let start = arena.node(id).start;
        let brace = self
            .token_child(id, b"{")
            .map_or(start, |brace| brace.start);
        self.then_open(Head::new(BodyKind::ObjectInitializer, brace));
        for part in operands(arena, id) {
            if arena.kind(part) == Kind::WithInitializer {
                self.then(Work::Member(part));
            }
        }
        self.then_close();
    }

    fn collection(&mut self, id: NodeId, start: u32) {
        let arena = self.arena;
        self.open(Head::new(BodyKind::CollectionExpression, start));
        for element in operands(arena, id) {
            let inner = self.operand(element).unwrap_or(element);
            let offset = arena.node(inner).start;
            let value = self.operand(inner);
            match arena.kind(inner) {
                Kind::SpreadElement => {
                    self.then_open(Head::new(BodyKind::Spread, offset));
                    self.then_visit_or_error(value, offset);
                    self.then_close();
                }
                _ => self.then_visit(inner),
            }
        }
        self.then_close();
    }
}
