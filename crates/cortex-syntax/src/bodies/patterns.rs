//! Patterns and designations.
//!
//! The grammar takes many patterns for expressions, `(1, _)` for a tuple and `P(1)` for a call
//! among them; where only a pattern can stand they are patterns (C# specification, §11.2).

use super::{Builder, Head, Work, is_operand, operands};
use crate::{
    arena::NodeId,
    body::{BodyKind, Op},
    kind::{Field, Kind},
};

/// `flags` of [`BodyKind::BinaryPattern`].
pub(super) const OR: u8 = 1;

impl Builder<'_, '_> {
    /// The type that a pattern is nothing but, where it can be no constant.
    pub(super) fn type_of_pattern(&self, pattern: NodeId) -> Option<NodeId> {
        let arena = self.arena;
        let inner = self.operand(pattern)?;
        let is_type = match arena.kind(pattern) {
            Kind::TypePattern => {
                !self.may_be_constant(inner) && arena.kind(inner) != Kind::TupleType
            }
            Kind::ConstantPattern => self.is_generic(inner),
            _ => false,
        };
        is_type.then_some(inner)
    }

    /// Whether an expression is a name that ends with type arguments.
    pub(super) fn is_generic(&self, expression: NodeId) -> bool {
        match self.arena.kind(expression) {
            Kind::GenericName => true,
            Kind::MemberAccess => !self.may_be_constant(expression),
            _ => false,
        }
    }

    pub(super) fn pattern(&mut self, id: NodeId) {
        let arena = self.arena;
        let node = arena.node(id);
        let start = node.start;
        if node.missing {
            self.error(start);
            return;
        }
        // `[a] when b`, of which a repair made parentheses.
        let first = arena.bytes(id).first().copied();
        if first == Some(b'[') && self.rewritten_list(id) {
            return;
        }
        match node.kind {
            Kind::ConstantPattern => match self.operand(id) {
                Some(inner) => self.pattern(inner),
                None => self.error(start),
            },
            Kind::Discard if first == Some(b'.') => {
                self.leaf(Head::new(BodyKind::SlicePattern, start));
            }
            Kind::Discard => self.leaf(Head::new(BodyKind::DiscardPattern, start)),
            Kind::TypePattern => match self.operand(id) {
                Some(ty) => self.type_pattern(ty),
                None => self.error(start),
            },
            Kind::DeclarationPattern => self.declaration_pattern(id),
            Kind::VarPattern => {
                self.open(Head::new(BodyKind::VarPattern, start));
                self.then_designations(id);
                self.then_close();
            }
            Kind::RecursivePattern => self.recursive_pattern(id),
            Kind::NegatedPattern => self.one_pattern(BodyKind::NotPattern, id),
            Kind::ParenthesizedPattern => self.one_pattern(BodyKind::ParenthesizedPattern, id),
            Kind::RelationalPattern => {
                let head = self.relational_head(id);
                self.open(head);
                let operand = self.operand(id);
                self.then_visit_or_error(operand, start);
                self.then_close();
            }
            Kind::AndPattern | Kind::OrPattern => {
                let flags = if node.kind == Kind::OrPattern { OR } else { 0 };
                self.open(Head::new(BodyKind::BinaryPattern, start).flags(flags));
                for field in [Field::Left, Field::Right] {
                    match self.part(id, field) {
                        Some(side) => self.then(Work::Pattern(side)),
                        None => self.then_visit_or_error(None, start),
                    }
                }
                self.then_close();
            }
            Kind::ListPattern => self.list_pattern(id),
            Kind::Error => self.error(start),
            _ => self.expression_pattern(id),
        }
    }

    /// The node of a relational pattern, without its operand.
    pub(super) fn relational_head(&self, id: NodeId) -> Head {
        let arena = self.arena;
        let token = arena.children(id).find(|&child| !is_operand(arena, child));
        let op = token.and_then(|token| super::operators::relational_op(arena.bytes(token)));
        let flags = op.unwrap_or(Op::Equal) as u8;
        Head::new(BodyKind::RelationalPattern, arena.node(id).start).flags(flags)
    }

    fn one_pattern(&mut self, kind: BodyKind, id: NodeId) {
        let start = self.arena.node(id).start;
        self.open(Head::new(kind, start));
        match self.operand(id) {
            Some(inner) => self.then(Work::Pattern(inner)),
            None => self.then_visit_or_error(None, start),
        }
        self.then_close();
    }

    /// An expression that stands for a pattern.
    fn expression_pattern(&mut self, id: NodeId) {
        let arena = self.arena;
        let node = arena.node(id);
        let start = node.start;
        match node.kind {
            Kind::Identifier if arena.bytes(id) == b"_" => {
                self.leaf(Head::new(BodyKind::DiscardPattern, start));
            }
            Kind::Range if arena.bytes(id).starts_with(b"..") => {
                self.open(Head::new(BodyKind::SlicePattern, start));
                if let Some(pattern) = self.operand(id) {
                    self.then(Work::Pattern(pattern));
                }
                self.then_close();
            }
            Kind::Identifier if !self.is_identifier(id) && arena.bytes(id) == b"." => {
                self.leaf(Head::new(BodyKind::SlicePattern, start));
            }
            Kind::GenericName | Kind::MemberAccess if self.is_generic(id) => {
                self.then_around(Head::new(BodyKind::TypePattern, start), Work::Visit(id));
            }
            Kind::Tuple => {
                self.open(Head::new(BodyKind::RecursivePattern, start));
                self.then_positional(id);
                self.then_close();
            }
            Kind::Invocation => match self.positional_call(id) {
                Some((ty, list)) => {
                    self.open(Head::new(BodyKind::RecursivePattern, start));
                    self.then_visit(ty);
                    self.then_positional(list);
                    self.then_close();
                }
                None => self.constant(id),
            },
            Kind::Binary if let Some([ty, argument, right]) = self.generic_before_bracket(id) => {
                match self.combinator_of(right) {
                    Some((word, list)) => self.generic_and_list(ty, argument, word, list),
                    None => self.generic_array(ty, argument),
                }
            }
            Kind::Parenthesized if self.checked_before(start).is_none() => {
                self.one_pattern(BodyKind::ParenthesizedPattern, id);
            }
            Kind::DeclarationExpression => self.declaration_pattern(id),
            Kind::CollectionExpression => {
                self.open(Head::new(BodyKind::ListPattern, start));
                for element in operands(arena, id) {
                    let inner = self.operand(element).unwrap_or(element);
                    match (arena.kind(inner), self.operand(inner)) {
                        (Kind::SpreadElement, Some(pattern)) => self.then_around(
                            Head::new(BodyKind::SlicePattern, arena.node(inner).start),
                            Work::Pattern(pattern),
                        ),
                        (_, Some(pattern)) => self.then(Work::Pattern(pattern)),
                        _ => {}
                    }
                }
                self.then_close();
            }
            _ => self.constant(id),
        }
    }

    /// The name, the type argument and what follows of `T<A> and [b]` or `T<A>[]`, which the
    /// grammar takes for comparisons with an element of `and` or with `[]`.
    fn generic_before_bracket(&self, id: NodeId) -> Option<[NodeId; 3]> {
        let arena = self.arena;
        let (greater, _) = super::operators::binary_op_of(arena, id)?;
        let less = self.part(id, Field::Left)?;
        let (second, _) = super::operators::binary_op_of(arena, less)?;
        let right = self.part(id, Field::Right)?;
        let is_bracket = match arena.kind(right) {
            Kind::CollectionExpression => operands(arena, right).next().is_none(),
            _ => self.combinator_of(right).is_some(),
        };
        if (second, greater) != (Op::Less, Op::Greater) || !is_bracket {
            return None;
        }
        let ty = self.part(less, Field::Left)?;
        Some([ty, self.part(less, Field::Right)?, right])
    }

    /// The word and the list of `and [b]`.
    fn combinator_of(&self, element: NodeId) -> Option<(NodeId, NodeId)> {
        let arena = self.arena;
        if arena.kind(element) != Kind::ElementAccess {
            return None;
        }
        let word = self.part(element, Field::Expression)?;
        let is_combinator =
            arena.kind(word) == Kind::Identifier && matches!(arena.bytes(word), b"and" | b"or");
        is_combinator.then_some((word, self.part(element, Field::Subscript)?))
    }

    fn generic_array(&mut self, ty: NodeId, argument: NodeId) {
        let start = self.arena.node(ty).start;
        self.open(Head::new(BodyKind::TypePattern, start));
        self.then_open(Head::new(BodyKind::ArrayType, start).value(1));
        self.then_generic(ty, argument);
        self.then_close();
        self.then_close();
    }

    fn generic_and_list(&mut self, ty: NodeId, argument: NodeId, word: NodeId, list: NodeId) {
        let arena = self.arena;
        let start = arena.node(ty).start;
        let flags = if arena.bytes(word) == b"or" { OR } else { 0 };
        self.open(Head::new(BodyKind::BinaryPattern, start).flags(flags));
        self.then_open(Head::new(BodyKind::TypePattern, start));
        self.then_generic(ty, argument);
        self.then_close();
        self.then_open(Head::new(BodyKind::ListPattern, arena.node(list).start));
        for element in operands(arena, list) {
            if let Some(value) = self.argument_value(element) {
                self.then(Work::Pattern(value));
            }
        }
        self.then_close();
        self.then_close();
    }

    /// A name with a type argument.
    pub(super) fn then_generic(&mut self, ty: NodeId, argument: NodeId) {
        let arena = self.arena;
        let start = arena.node(ty).start;
        let qualified = Some(ty).filter(|&ty| arena.kind(ty) == Kind::MemberAccess);
        if let Some(qualified) = qualified {
            let head = self.link_head(qualified, start);
            self.then_open(head);
            let left = self.part(qualified, Field::Expression);
            self.then_visit_or_error(left, start);
        }
        let name = qualified.map_or(Some(ty), |ty| self.part(ty, Field::Name));
        match name.filter(|&name| arena.kind(name) == Kind::Identifier) {
            Some(name) => {
                let head = self.named(BodyKind::GenericName, name);
                self.then_around(head, Work::Visit(argument));
            }
            None => self.then_visit_or_error(name, start),
        }
        if qualified.is_some() {
            self.then_close();
        }
    }

    fn constant(&mut self, id: NodeId) {
        let start = match self.arena.kind(id) {
            Kind::Parenthesized => self.checked_before(self.arena.node(id).start),
            _ => None,
        };
        let start = start.unwrap_or(self.arena.node(id).start);
        self.then_around(Head::new(BodyKind::ConstantPattern, start), Work::Visit(id));
    }

    /// The type and arguments of `P(…)`; `nameof(…)` is a constant.
    fn positional_call(&self, id: NodeId) -> Option<(NodeId, NodeId)> {
        let arena = self.arena;
        let function = self.part(id, Field::Function)?;
        let is_name = match arena.kind(function) {
            Kind::Identifier => arena.bytes(function) != b"nameof",
            Kind::GenericName
            | Kind::QualifiedName
            | Kind::AliasQualifiedName
            | Kind::MemberAccess => true,
            _ => false,
        };
        let list = self.part(id, Field::Arguments)?;
        is_name.then_some((function, list))
    }

    /// The positional clause that a list of arguments stands for.
    pub(super) fn then_positional(&mut self, list: NodeId) {
        let arena = self.arena;
        self.then_open(Head::new(
            BodyKind::PositionalClause,
            arena.node(list).start,
        ));
        for argument in operands(arena, list) {
            let start = arena.node(argument).start;
            self.then_open(Head::new(BodyKind::Subpattern, start));
            if let Some(name) = arena.child(argument, Field::Name) {
                self.then_visit(name);
            }
            match self.argument_value(argument) {
                Some(value) => self.then(Work::Pattern(value)),
                None => self.then_visit_or_error(None, start),
            }
            self.then_close();
        }
        self.then_close();
    }

    /// `(A, B b)` taken for a tuple type.
    pub(super) fn tuple_type_pattern(&mut self, id: NodeId) {
        let arena = self.arena;
        let start = arena.node(id).start;
        self.open(Head::new(BodyKind::RecursivePattern, start));
        self.then_open(Head::new(BodyKind::PositionalClause, start));
        for element in operands(arena, id) {
            let offset = arena.node(element).start;
            self.then_open(Head::new(BodyKind::Subpattern, offset));
            let ty = self.part(element, Field::Type);
            match (ty, self.part(element, Field::Name)) {
                (Some(_), Some(_)) => self.then(Work::Pattern(element)),
                (Some(ty), None) => self.then(Work::TypePattern(ty)),
                _ => self.then_visit_or_error(None, offset),
            }
            self.then_close();
        }
        self.then_close();
        self.then_close();
    }

    /// `T x`, of a pattern, a declaration expression or a tuple element.
    fn declaration_pattern(&mut self, id: NodeId) {
        let arena = self.arena;
        let start = arena.node(id).start;
        let Some(ty) = self.part(id, Field::Type) else {
            self.error(start);
            return;
        };
        let list = arena.child_of_kind(id, Kind::ParenthesizedDesignation);
        if arena.kind(ty) == Kind::ImplicitType {
            self.open(Head::new(BodyKind::VarPattern, start));
            self.then_designations(id);
            self.then_close();
        } else if let Some(list) = list {
            // Only `var` can stand before such a designation.
            self.named_positional(ty, list, start);
        } else {
            self.open(Head::new(BodyKind::DeclarationPattern, start));
            self.then_visit(ty);
            self.then_designations(id);
            self.then_close();
        }
    }

    /// `P(a)` or `nameof(a)`, taken for a type and a designation.
    fn named_positional(&mut self, ty: NodeId, list: NodeId, start: u32) {
        let arena = self.arena;
        let at = arena.node(list).start;
        if arena.bytes(ty) == b"nameof" {
            self.open(Head::new(BodyKind::ConstantPattern, start));
            self.then_open(Head::new(BodyKind::Invocation, start));
            self.then_visit(ty);
            self.then_open(Head::new(BodyKind::Arguments, at));
            for name in operands(arena, list) {
                let offset = arena.node(name).start;
                self.then_around(Head::new(BodyKind::Argument, offset), Work::Visit(name));
            }
            self.then_close();
            self.then_close();
            self.then_close();
            return;
        }
        self.open(Head::new(BodyKind::RecursivePattern, start));
        self.then_visit(ty);
        self.then_open(Head::new(BodyKind::PositionalClause, at));
        for name in operands(arena, list) {
            let offset = arena.node(name).start;
            self.then_around(Head::new(BodyKind::Subpattern, offset), Work::Pattern(name));
        }
        self.then_close();
        self.then_close();
    }

    fn recursive_pattern(&mut self, id: NodeId) {
        let arena = self.arena;
        let start = arena.node(id).start;
        self.open(Head::new(BodyKind::RecursivePattern, start));
        for part in operands(arena, id) {
            let at = arena.node(part).start;
            match arena.kind(part) {
                _ if arena.node(part).field == Field::Type => self.then_visit(part),
                Kind::PositionalPattern => self.clause_of(BodyKind::PositionalClause, part),
                Kind::PropertyPattern => self.clause_of(BodyKind::PropertyClause, part),
                Kind::Discard | Kind::ParenthesizedDesignation => {
                    self.then(Work::Designation(part));
                }
                _ if arena.node(part).field == Field::Name => self.then(Work::Designation(part)),
                // `(A) x`.
                _ => {
                    self.then_open(Head::new(BodyKind::PositionalClause, start));
                    self.then_around(Head::new(BodyKind::Subpattern, at), Work::Pattern(part));
                    self.then_close();
                }
            }
        }
        self.then_close();
    }

    fn clause_of(&mut self, kind: BodyKind, id: NodeId) {
        let arena = self.arena;
        self.then_open(Head::new(kind, arena.node(id).start));
        for subpattern in operands(arena, id) {
            let start = arena.node(subpattern).start;
            self.then_open(Head::new(BodyKind::Subpattern, start));
            let mut parts = operands(arena, subpattern);
            let first = parts.next();
            let second = parts.next();
            if let (Some(name), true) = (first, self.has_token(subpattern, b":")) {
                self.then_visit(name);
                match second {
                    Some(pattern) => self.then(Work::Pattern(pattern)),
                    None => self.then_visit_or_error(None, start),
                }
            } else if let Some(pattern) = first {
                self.then(Work::Pattern(pattern));
            } else {
                self.then_visit_or_error(None, start);
            }
            self.then_close();
        }
        self.then_close();
    }

    fn list_pattern(&mut self, id: NodeId) {
        let arena = self.arena;
        let start = arena.node(id).start;
        self.open(Head::new(BodyKind::ListPattern, start));
        let mut from = start;
        let mut is_closed = false;
        for part in arena.children(id) {
            let node = arena.node(part);
            match node.kind {
                Kind::Token if arena.bytes(part) == b".." => {
                    self.then_leaf(Head::new(BodyKind::SlicePattern, node.start));
                }
                Kind::Token => is_closed |= arena.bytes(part) == b"]",
                _ if !is_operand(arena, part) => {}
                _ if is_closed => self.then(Work::Designation(part)),
                _ => match self.slice_before(from, node.start) {
                    Some(dots) => self
                        .then_around(Head::new(BodyKind::SlicePattern, dots), Work::Pattern(part)),
                    None => self.then(Work::Pattern(part)),
                },
            }
            from = node.end;
        }
        self.then_close();
    }

    /// A list pattern that a repair put parentheses around. Whether it was one.
    fn rewritten_list(&mut self, id: NodeId) -> bool {
        let arena = self.arena;
        let mut list = id;
        let kind = loop {
            match arena.kind(list) {
                Kind::ConstantPattern | Kind::RecursivePattern => match self.operand(list) {
                    Some(inner) => list = inner,
                    None => return false,
                },
                kind => break kind,
            }
        };
        let is_list = matches!(
            kind,
            Kind::Parenthesized
                | Kind::ParenthesizedPattern
                | Kind::Tuple
                | Kind::PositionalPattern
        );
        if !is_list {
            return false;
        }
        self.open(Head::new(BodyKind::ListPattern, arena.node(list).start));
        let mut from = arena.node(list).start;
        for part in arena.children(list) {
            let node = arena.node(part);
            if is_operand(arena, part) {
                let element = match node.kind {
                    Kind::Subpattern => self.operand(part),
                    Kind::Argument => self.argument_value(part),
                    _ => Some(part),
                };
                let work = element.map_or(
                    Work::Leaf(Head::new(BodyKind::ErrorExpression, node.start)),
                    Work::Pattern,
                );
                match self.slice_before(from, node.start) {
                    Some(dots) => {
                        self.then_around(Head::new(BodyKind::SlicePattern, dots), work);
                    }
                    None => self.then(work),
                }
            }
            from = node.end;
        }
        for designation in arena.children(id) {
            if list != id && arena.node(designation).field == Field::Name {
                self.then(Work::Designation(designation));
            }
        }
        self.then_close();
        true
    }

    /// The designations among a node's children: of a pattern the one after its type.
    fn then_designations(&mut self, id: NodeId) {
        let arena = self.arena;
        for part in operands(arena, id) {
            if arena.node(part).field != Field::Type {
                self.then(Work::Designation(part));
            }
        }
    }

    pub(super) fn designation(&mut self, id: NodeId) {
        let arena = self.arena;
        let start = arena.node(id).start;
        match arena.kind(id) {
            Kind::Identifier if arena.bytes(id) != b"_" && self.is_identifier(id) => {
                let head = self.named(BodyKind::SingleDesignation, id);
                self.leaf(head);
            }
            Kind::Argument => match self.argument_value(id) {
                Some(value) => self.designation(value),
                None => self.error(start),
            },
            Kind::ParenthesizedDesignation
            | Kind::TuplePattern
            | Kind::ArgumentList
            | Kind::Tuple => {
                self.open(Head::new(BodyKind::ParenthesizedDesignation, start));
                for part in operands(arena, id) {
                    self.then(Work::Designation(part));
                }
                self.then_close();
            }
            _ => self.leaf(Head::new(BodyKind::DiscardDesignation, start)),
        }
    }
}
