//! The other expressions, arguments and declaration expressions.

use super::{Builder, Head, Work, is_operand, operands, undeclared::Undeclared};
use crate::{
    arena::{Node, NodeId},
    body::{BodyKind, ref_kind},
    kind::{Field, Kind},
};

/// `flags` of [`BodyKind::Range`].
const HAS_LEFT: u8 = 1;
pub(super) const HAS_RIGHT: u8 = 2;
pub(super) const BOTH_SIDES: u8 = HAS_LEFT | HAS_RIGHT;

impl Builder<'_, '_> {
    pub(super) fn expression(&mut self, id: NodeId, node: Node) {
        let arena = self.arena;
        let start = node.start;
        match node.kind {
            Kind::Parenthesized => {
                let head = match self.checked_before(start) {
                    Some(keyword) => self.checked_head(keyword),
                    None => Head::new(BodyKind::Parenthesized, start),
                };
                self.open(head);
                let operand = self.operand(id);
                self.then_visit_or_error(operand, start);
                self.then_close();
            }
            Kind::Conditional => self.fields(
                BodyKind::Conditional,
                id,
                &[Field::Condition, Field::Consequence, Field::Alternative],
            ),
            Kind::Tuple => {
                self.open(Head::new(BodyKind::Tuple, start));
                self.then_each_argument(id);
                self.then_close();
            }
            Kind::DeclarationExpression => {
                self.open(Head::new(BodyKind::DeclarationExpression, start));
                let ty = self.part(id, Field::Type);
                self.then_visit_or_error(ty, start);
                if let Some(name) = self.part(id, Field::Name) {
                    self.then(Work::Designation(name));
                }
                self.then_close();
            }
            Kind::Is => {
                self.open(Head::new(BodyKind::Is, start));
                let left = self.part(id, Field::Left);
                self.then_visit_or_error(left, start);
                self.then_is_type(id);
                self.then_close();
            }
            Kind::IsPattern => {
                self.open(Head::new(BodyKind::Is, start));
                let left = self.part(id, Field::Expression);
                self.then_visit_or_error(left, start);
                let pattern = self.part(id, Field::Pattern);
                self.then_is_pattern(id, pattern);
                self.then_close();
            }
            Kind::As => self.fields(BodyKind::As, id, &[Field::Left, Field::Right]),
            Kind::TypeOf => self.fields(BodyKind::TypeOf, id, &[Field::Type]),
            Kind::SizeOf => self.fields(BodyKind::SizeOf, id, &[Field::Type]),
            Kind::Default => match self.part(id, Field::Type) {
                Some(ty) => {
                    self.then_around(Head::new(BodyKind::Default, start), Work::Visit(ty));
                }
                None => self.leaf(Head::new(BodyKind::DefaultLiteral, start)),
            },
            Kind::InterpolatedString => self.interpolated_string(id, start),
            Kind::Range => self.range(id, start),
            Kind::SwitchExpression => self.switch_expression(id, start),
            Kind::ThrowExpression => self.all(BodyKind::ThrowExpression, id),
            Kind::RefExpression => self.all(BodyKind::RefExpression, id),
            Kind::CheckedExpression => self.all_with(self.checked_head(start), id),
            Kind::Arrow | Kind::ExpressionElement => {
                let operand = self.operand(id);
                self.then_visit_or_error(operand, start);
            }
            _ => {
                self.open(Head::new(BodyKind::OtherExpression, start));
                for child in operands(arena, id) {
                    self.then_visit(child);
                }
                self.then_close();
            }
        }
    }

    /// `checked` or `unchecked` at this offset.
    fn checked_head(&self, keyword: u32) -> Head {
        let is_unchecked = self.arena.text.get(keyword as usize) == Some(&b'u');
        Head::new(BodyKind::Checked, keyword).flags(u8::from(is_unchecked))
    }

    pub(super) fn arguments(&mut self, list: NodeId) {
        let arena = self.arena;
        self.open(Head::new(BodyKind::Arguments, arena.node(list).start));
        self.then_each_argument(list);
        self.then_close();
    }

    fn then_each_argument(&mut self, list: NodeId) {
        let arena = self.arena;
        for argument in operands(arena, list) {
            let name = arena.child(argument, Field::Name);
            let value = self.argument_value(argument);
            let is_assigned =
                arena.kind(argument) == Kind::AttributeArgument && self.has_token(argument, b"=");
            let start = arena.node(argument).start;
            let undeclared = value
                .filter(|_| self.ref_flags(argument) == ref_kind::NONE)
                .and_then(|value| Undeclared::of(arena, list, value));
            match name {
                Some(name) if is_assigned => {
                    self.then_open(Head::new(BodyKind::MemberInit, arena.node(name).start));
                    self.then_visit(name);
                }
                Some(name) => {
                    let flags = self.ref_flags(argument);
                    let name_id = self.name_of(name);
                    let head = Head::new(BodyKind::Argument, arena.node(name).start);
                    self.then_open(head.flags(flags).value(name_id + 1));
                }
                None => {
                    let flags = self.ref_flags(argument);
                    let offset = value.map_or(start, |value| arena.node(value).start);
                    self.then_open(Head::new(BodyKind::Argument, offset).flags(flags));
                }
            }
            match undeclared {
                Some(undeclared) => self.then_undeclared(undeclared),
                None => self.then_visit_or_error(value, start),
            }
            self.then_close();
        }
    }

    /// The expression of an argument.
    pub(super) fn argument_value(&self, argument: NodeId) -> Option<NodeId> {
        let arena = self.arena;
        let name = arena.child(argument, Field::Name);
        operands(arena, argument).find(|&child| Some(child) != name)
    }

    fn interpolated_string(&mut self, id: NodeId, start: u32) {
        let arena = self.arena;
        self.open(Head::new(BodyKind::InterpolatedString, start));
        for hole in arena.children(id) {
            if arena.kind(hole) != Kind::Interpolation {
                continue;
            }
            let offset = arena.node(hole).start;
            let has_format = arena
                .child_of_kind(hole, Kind::InterpolationFormat)
                .is_some();
            let head = Head::new(BodyKind::Interpolation, offset).value(u32::from(has_format));
            self.then_open(head);
            let mut n_parts = 0;
            for part in operands(arena, hole) {
                match arena.kind(part) {
                    Kind::InterpolationFormat | Kind::InterpolationBrace => {}
                    Kind::InterpolationAlignment => {
                        let alignment = self.operand(part);
                        self.then_visit_or_error(alignment, offset);
                    }
                    _ => {
                        n_parts += 1;
                        self.then_visit(part);
                    }
                }
            }
            if n_parts == 0 {
                self.then_visit_or_error(None, offset);
            }
            self.then_close();
        }
        self.then_close();
    }

    /// The type of `e is T`.
    pub(super) fn then_is_type(&mut self, id: NodeId) {
        match self.part(id, Field::Right) {
            Some(ty) if self.may_be_constant(ty) => self.then(Work::TypePattern(ty)),
            ty => self.then_visit_or_error(ty, self.arena.node(id).start),
        }
    }

    /// The pattern of `e is P`.
    pub(super) fn then_is_pattern(&mut self, id: NodeId, pattern: Option<NodeId>) {
        match pattern {
            Some(pattern) => {
                let work = match self.type_of_pattern(pattern) {
                    Some(ty) => Work::Visit(ty),
                    None => Work::Pattern(pattern),
                };
                self.then(work);
            }
            None => self.then_visit_or_error(None, self.arena.node(id).start),
        }
    }

    /// What stands left and right of the dots.
    pub(super) fn range_sides(&self, id: NodeId) -> (Option<NodeId>, Option<NodeId>) {
        let arena = self.arena;
        let start = arena.node(id).start;
        let dots = self.token_child(id, b"..").map_or(start, |dots| dots.start);
        let mut sides = (None, None);
        for operand in operands(arena, id) {
            match arena.node(operand).start < dots {
                true => sides.0 = Some(operand),
                false => sides.1 = Some(operand),
            }
        }
        sides
    }

    fn range(&mut self, id: NodeId, start: u32) {
        let sides = self.range_sides(id);
        let flag = |side: Option<NodeId>, flag| if side.is_some() { flag } else { 0 };
        let flags = flag(sides.0, HAS_LEFT) | flag(sides.1, HAS_RIGHT);
        self.open(Head::new(BodyKind::Range, start).flags(flags));
        for side in [sides.0, sides.1].into_iter().flatten() {
            self.then_visit(side);
        }
        self.then_close();
    }

    fn switch_expression(&mut self, id: NodeId, start: u32) {
        self.open(Head::new(BodyKind::SwitchExpression, start));
        let value = operands(self.arena, id).find(|&part| self.arena.kind(part) != Kind::SwitchArm);
        self.then_visit_or_error(value, start);
        self.then_arms(id);
        self.then_close();
    }

    /// The arms of a switch expression.
    pub(super) fn then_arms(&mut self, id: NodeId) {
        let arena = self.arena;
        for part in operands(arena, id) {
            if arena.kind(part) != Kind::SwitchArm {
                continue;
            }
            let offset = arena.node(part).start;
            self.then_open(Head::new(BodyKind::Arm, offset));
            let mut n_parts = 0;
            for piece in arena.children(part) {
                match arena.kind(piece) {
                    Kind::WhenClause => self.then_when(piece),
                    _ if !is_operand(arena, piece) => {}
                    _ if n_parts == 0 => {
                        n_parts = 1;
                        self.then(Work::Pattern(piece));
                    }
                    _ => {
                        n_parts += 1;
                        self.then_visit(piece);
                    }
                }
            }
            if n_parts < 2 {
                self.then_visit_or_error(None, offset);
            }
            self.then_close();
        }
    }
}
