//! Chains of postfix operators: `a.b(c)[d]!.e++`, and what `?.` makes of them.
//!
//! The grammar nests `a?.b.c` as `(a?.b).c`, and `*p.a` as `(*p).a` where `*` reads through a
//! pointer. Here the whole rest of the chain hangs below the `?.` (C# specification, §12.8.8), and
//! below the `*`.

use super::{Builder, Head, Work, is_operand, operands};
use crate::{
    arena::NodeId,
    body::{BodyKind, Op},
    kind::{Field, Kind},
};

/// What stands at the left end of a piece of a chain.
#[derive(Clone, Copy)]
enum Start {
    Operand(NodeId),
    /// The `.b` or `[b]` of a link with `?`.
    Binding(NodeId),
}

impl Builder<'_, '_> {
    /// What a link of a chain is applied to; `None` where the node is no link.
    pub(super) fn left_of_link(&self, id: NodeId) -> Option<NodeId> {
        match self.arena.kind(id) {
            Kind::MemberAccess | Kind::ElementAccess => self.part(id, Field::Expression),
            Kind::Invocation => self.part(id, Field::Function),
            Kind::ConditionalAccess => self.part(id, Field::Condition),
            Kind::PostfixUnary => self.operand(id),
            _ => None,
        }
    }

    fn is_conditional(&self, link: NodeId) -> bool {
        match self.arena.kind(link) {
            Kind::ConditionalAccess => true,
            Kind::MemberAccess | Kind::ElementAccess => self.is_null_conditional_target(link),
            _ => false,
        }
    }

    /// Whether a `?.` stands anywhere in the chain that ends with `top`.
    pub(super) fn has_conditional(&self, top: NodeId) -> bool {
        let mut at = top;
        while let Some(left) = self.left_of_link(at) {
            if self.is_conditional(at) {
                return true;
            }
            at = left;
        }
        false
    }

    /// The operand of a `*` that the grammar took for the start of the chain.
    pub(super) fn indirection(&self, id: NodeId) -> Option<(u32, NodeId)> {
        let arena = self.arena;
        let is_star = arena.kind(id) == Kind::PrefixUnary && arena.bytes(id).starts_with(b"*");
        let operand = self.operand(id).filter(|_| is_star)?;
        Some((arena.node(id).start, operand))
    }

    /// A chain, and the assignment to it where there is a `?.` in it.
    pub(super) fn chain(&mut self, top: NodeId, assignment: Option<NodeId>) {
        self.chain_behind(top, assignment, 0);
    }

    /// A chain without the first ones of the `*` that it begins with, which are operators of the expression around.
    pub(super) fn chain_behind(&mut self, top: NodeId, assignment: Option<NodeId>, n_stars: usize) {
        let arena = self.arena;
        if let Some(list) = self.deconstruction_call(top) {
            self.deconstruction_target(top, list);
            return;
        }
        if let Some((operand, list)) = self.var_pattern_call(top) {
            self.open(Head::new(BodyKind::Is, arena.node(operand).start));
            self.then_visit(operand);
            let start = self
                .part(top, Field::Function)
                .and_then(|is| self.part(is, Field::Right))
                .map_or(arena.node(list).start, |var| arena.node(var).start);
            self.then_around(
                Head::new(BodyKind::VarPattern, start),
                Work::Designation(list),
            );
            self.then_close();
            return;
        }
        // From the last link to the first.
        let mut links = std::mem::take(&mut self.links);
        links.clear();
        let mut stars = Vec::new();
        let mut at = top;
        loop {
            while let Some(left) = self.left_of_link(at) {
                if !self.is_invented_member(at) {
                    links.push(at);
                }
                at = left;
            }
            if !self.disordered.is_empty() && links.iter().any(|&link| self.is_conditional(link)) {
                let last = self.last_operand(at);
                if last != at {
                    at = last;
                    continue;
                }
            }
            match self.indirection(at).filter(|_| !links.is_empty()) {
                Some((star, operand)) => {
                    stars.push(star);
                    at = operand;
                }
                None => break,
            }
        }
        stars.drain(..n_stars.min(stars.len()));
        for &star in &stars {
            let head = Head::new(BodyKind::Unary, star).flags(Op::Dereference as u8);
            self.then_open(head);
        }
        let is_plain = assignment.is_none() && !links.iter().any(|&link| self.is_conditional(link));
        if is_plain {
            self.piece(&links, Start::Operand(at));
        } else {
            self.conditional_chain(&links, at, assignment);
        }
        for _ in &stars {
            self.then_close();
        }
        debug_assert!(arena.node(top).start <= arena.node(at).start);
        self.links = links;
    }

    fn conditional_chain(&mut self, links: &[NodeId], base: NodeId, assignment: Option<NodeId>) {
        let arena = self.arena;
        let is_postfix = |&&link: &&NodeId| arena.kind(link) == Kind::PostfixUnary;
        let n_outer = match assignment {
            None => links.iter().take_while(is_postfix).count(),
            Some(_) => 0,
        };
        let (outer, mut rest) = links.split_at(n_outer);
        for &link in outer {
            let head = self.link_head(link, arena.node(base).start);
            self.then_open(head);
        }
        let mut start = Start::Operand(base);
        let mut n_open = outer.len();
        while let Some(at) = rest.iter().rposition(|&link| self.is_conditional(link)) {
            let offset = self.start_offset(start);
            self.then_open(Head::new(BodyKind::ConditionalAccess, offset));
            n_open += 1;
            self.piece(&rest[at + 1..], start);
            start = Start::Binding(rest[at]);
            rest = &rest[..at];
        }
        match assignment {
            None => self.piece(rest, start),
            Some(assignment) => {
                let head = self.assignment_head(assignment);
                self.then_open(head);
                self.piece(rest, start);
                let right = self.part(assignment, Field::Right);
                self.then_visit_or_error(right, head.offset);
                self.then_close();
            }
        }
        for _ in 0..n_open {
            self.then_close();
        }
    }

    fn start_offset(&self, start: Start) -> u32 {
        let arena = self.arena;
        match start {
            Start::Operand(id) => arena.node(id).start,
            Start::Binding(link) => match self.binding_of(link) {
                Some(binding) => arena.node(binding).start,
                None => self.dot(link),
            },
        }
    }

    /// The node with the `.b` or `[b]`, where it has one of its own.
    fn binding_of(&self, link: NodeId) -> Option<NodeId> {
        match self.arena.kind(link) {
            Kind::ElementAccess => self.part(link, Field::Subscript),
            Kind::ConditionalAccess => self
                .arena
                .child_of_kind(link, Kind::MemberBinding)
                .or_else(|| self.arena.child_of_kind(link, Kind::ElementBinding)),
            _ => None,
        }
    }

    /// The offset of the token between a member access's two sides.
    fn dot(&self, link: NodeId) -> u32 {
        let arena = self.arena;
        let left = self.part(link, Field::Expression);
        let after = left.map_or(link + 1, |left| arena.node(left).after);
        (after..arena.node(link).after)
            .find(|&child| arena.kind(child) != Kind::Comment)
            .map_or(arena.node(link).start, |dot| arena.node(dot).start)
    }

    /// Links without `?`, the last first.
    fn piece(&mut self, links: &[NodeId], start: Start) {
        let offset = self.start_offset(start);
        self.piece_over(links, offset, |builder| match start {
            Start::Operand(id) => builder.then_visit(id),
            Start::Binding(link) => builder.binding(link, offset),
        });
    }

    /// Links without `?`, the last first, over what `base` puts off.
    pub(super) fn piece_over(
        &mut self,
        links: &[NodeId],
        offset: u32,
        base: impl FnOnce(&mut Self),
    ) {
        for &link in links {
            let head = self.link_head(link, offset);
            self.then_open(head);
        }
        base(self);
        for &link in links.iter().rev() {
            match self.arena.kind(link) {
                Kind::MemberAccess => {
                    let name = self.part(link, Field::Name);
                    self.then_visit_or_error(name, offset);
                }
                Kind::Invocation => self.then_arguments(link, Field::Arguments),
                Kind::ElementAccess => self.then_arguments(link, Field::Subscript),
                _ => {}
            }
            self.then_close();
        }
    }

    fn then_arguments(&mut self, link: NodeId, field: Field) {
        if let Some(list) = self.part(link, field) {
            self.then(Work::Arguments(list));
        }
    }

    fn binding(&mut self, link: NodeId, offset: u32) {
        let arena = self.arena;
        match self.binding_of(link) {
            Some(binding) if arena.kind(binding) != Kind::MemberBinding => self.then_around(
                Head::new(BodyKind::ElementBinding, offset),
                Work::Arguments(binding),
            ),
            binding => {
                self.then_open(Head::new(BodyKind::MemberBinding, offset));
                let name = self.part(binding.unwrap_or(link), Field::Name);
                self.then_visit_or_error(name, offset);
                self.then_close();
            }
        }
    }

    pub(super) fn link_head(&self, link: NodeId, start: u32) -> Head {
        let arena = self.arena;
        match arena.kind(link) {
            Kind::MemberAccess => {
                let dot = self.dot(link);
                let is_arrow = arena.text.get(dot as usize) == Some(&b'-');
                Head::new(BodyKind::MemberAccess, dot).flags(u8::from(is_arrow))
            }
            Kind::ElementAccess => {
                let bracket = self.part(link, Field::Subscript);
                let offset = bracket.map_or(start, |bracket| arena.node(bracket).start);
                Head::new(BodyKind::ElementAccess, offset)
            }
            Kind::PostfixUnary => {
                let token = arena
                    .children(link)
                    .filter(|&child| arena.kind(child) == Kind::Token && !is_operand(arena, child))
                    .last();
                let offset = token.map_or(start, |token| arena.node(token).start);
                match token.map(|token| arena.bytes(token)) {
                    Some(b"++") => Head::new(BodyKind::Postfix, offset).flags(Op::Increment as u8),
                    Some(b"--") => Head::new(BodyKind::Postfix, offset).flags(Op::Decrement as u8),
                    _ => Head::new(BodyKind::SuppressNull, start),
                }
            }
            _ => Head::new(BodyKind::Invocation, start),
        }
    }

    /// The arguments of `var (a, b)`, which the grammar takes for a call.
    fn deconstruction_call(&self, id: NodeId) -> Option<NodeId> {
        let arena = self.arena;
        if arena.kind(id) != Kind::Invocation {
            return None;
        }
        let function = self.part(id, Field::Function)?;
        let is_var = arena.kind(function) == Kind::Identifier && arena.bytes(function) == b"var";
        let list = self.part(id, Field::Arguments).filter(|_| is_var)?;
        let is_target = |argument| {
            let value = self.argument_value(argument);
            value.is_some_and(|value| matches!(arena.kind(value), Kind::Identifier | Kind::Tuple))
                && operands(arena, argument).count() == 1
        };
        let is_list = operands(arena, list).count() > 1 && operands(arena, list).all(is_target);
        is_list.then_some(list)
    }

    /// The operand and the designations of `a is var (b, c)`, which the grammar takes for a call.
    fn var_pattern_call(&self, id: NodeId) -> Option<(NodeId, NodeId)> {
        let arena = self.arena;
        if arena.kind(id) != Kind::Invocation {
            return None;
        }
        let function = self.part(id, Field::Function)?;
        let ty = self.part(function, Field::Right)?;
        if arena.kind(function) != Kind::Is || arena.kind(ty) != Kind::ImplicitType {
            return None;
        }
        let operand = self.part(function, Field::Left)?;
        Some((operand, self.part(id, Field::Arguments)?))
    }

    fn deconstruction_target(&mut self, id: NodeId, list: NodeId) {
        let start = self.arena.node(id).start;
        self.open(Head::new(BodyKind::DeclarationExpression, start));
        let name = self.names.intern("var");
        self.then_leaf(Head::new(BodyKind::Name, start).value(name));
        self.then(Work::Designation(list));
        self.then_close();
    }
}
