//! Query expressions, flattened.

use super::{Builder, Head, Work, operands};
use crate::{
    arena::{Node, NodeId},
    body::BodyKind,
    kind::{Field, Kind},
};

/// `flags` of [`BodyKind::JoinClause`].
const HAS_INTO: u8 = 1;
const HAS_TYPE: u8 = 2;
/// `flags` of [`BodyKind::OrderKey`].
const DESCENDING: u8 = 1;

impl Builder<'_, '_> {
    pub(super) fn query(&mut self, id: NodeId, node: Node) {
        let arena = self.arena;
        self.open(Head::new(BodyKind::Query, node.start));
        let mut into = node.start;
        for part in arena.children(id) {
            let start = arena.node(part).start;
            match arena.kind(part) {
                Kind::Token if arena.bytes(part) == b"into" => into = start,
                Kind::Identifier => {
                    self.then_open(Head::new(BodyKind::IntoClause, into));
                    self.then_declarator(part);
                    self.then_close();
                }
                Kind::FromClause => self.then_from_clause(part),
                Kind::LetClause => {
                    self.then_open(Head::new(BodyKind::LetClause, start));
                    let mut pieces = operands(arena, part);
                    let (name, value) = (pieces.next(), pieces.next());
                    if let Some(name) = name {
                        self.then_declarator(name);
                    }
                    self.then_visit_or_error(value, start);
                    self.then_close();
                }
                Kind::WhereClause => self.then_clause(BodyKind::WhereClause, part),
                Kind::SelectClause => self.then_clause(BodyKind::SelectClause, part),
                Kind::GroupClause => self.then_clause(BodyKind::GroupClause, part),
                Kind::JoinClause => self.then_join_clause(part),
                Kind::OrderByClause => self.then_order_by_clause(part),
                _ => {}
            }
        }
        self.then_close();
    }

    fn then_clause(&mut self, kind: BodyKind, id: NodeId) {
        let arena = self.arena;
        self.then_open(Head::new(kind, arena.node(id).start));
        for part in operands(arena, id) {
            self.then_visit(part);
        }
        self.then_close();
    }

    fn then_declarator(&mut self, name: NodeId) {
        let head = self.named(BodyKind::Declarator, name);
        self.then_leaf(head);
    }

    fn then_from_clause(&mut self, id: NodeId) {
        let arena = self.arena;
        let start = arena.node(id).start;
        let ty = self.part(id, Field::Type);
        let name = self.part(id, Field::Name);
        self.then_open(Head::new(BodyKind::FromClause, start));
        if let Some(name) = name {
            self.then_declarator(name);
        }
        let source = operands(arena, id).find(|&part| Some(part) != ty && Some(part) != name);
        self.then_visit_or_error(source, start);
        if let Some(ty) = ty {
            self.then_visit(ty);
        }
        self.then_close();
    }

    fn then_join_clause(&mut self, id: NodeId) {
        let arena = self.arena;
        let start = arena.node(id).start;
        let ty = self.part(id, Field::Type);
        let into = arena
            .child_of_kind(id, Kind::JoinInto)
            .and_then(|into| self.operand(into));
        let flag = |is_there: bool, flag: u8| if is_there { flag } else { 0 };
        let flags = flag(into.is_some(), HAS_INTO) | flag(ty.is_some(), HAS_TYPE);
        self.then_open(Head::new(BodyKind::JoinClause, start).flags(flags));
        let mut parts = operands(arena, id)
            .filter(|&part| Some(part) != ty && arena.kind(part) != Kind::JoinInto);
        if let Some(name) = parts.next() {
            self.then_declarator(name);
        }
        for _ in 0..3 {
            self.then_visit_or_error(parts.next(), start);
        }
        if let Some(into) = into {
            self.then_declarator(into);
        }
        if let Some(ty) = ty {
            self.then_visit(ty);
        }
        self.then_close();
    }

    fn then_order_by_clause(&mut self, id: NodeId) {
        let arena = self.arena;
        self.then_open(Head::new(BodyKind::OrderByClause, arena.node(id).start));
        for key in operands(arena, id) {
            let next = arena.node(key).after;
            let is_descending = next < arena.node(id).after && arena.bytes(next) == b"descending";
            let head = Head::new(BodyKind::OrderKey, arena.node(key).start);
            let flags = if is_descending { DESCENDING } else { 0 };
            self.then_around(head.flags(flags), Work::Visit(key));
        }
        self.then_close();
    }
}
