//! Statements.

use super::{Builder, Head, Work, is_operand, operands};
use crate::{
    arena::{Node, NodeId},
    body::{BodyKind, Op, body_flags},
    kind::{Field, Kind},
};

/// `flags` of [`BodyKind::Wrapped`].
const CHECKED: u8 = 1;
const UNCHECKED: u8 = 2;

impl Builder<'_, '_> {
    pub(super) fn statement(&mut self, id: NodeId, node: Node) {
        let start = node.start;
        match node.kind {
            Kind::Block => {
                self.open(Head::new(BodyKind::Block, start));
                self.statements(id);
                self.then_close();
            }
            Kind::GlobalStatement => {
                let statement = self.operand(id);
                self.then_visit_or_error(statement, start);
            }
            Kind::LocalDeclaration => self.local_declaration(id),
            Kind::LocalFunction => self.local_function(id),
            Kind::ExpressionStatement => self.all(BodyKind::ExpressionStatement, id),
            Kind::Return => self.all(BodyKind::Return, id),
            Kind::Throw => self.all(BodyKind::Throw, id),
            Kind::If => self.fields(
                BodyKind::If,
                id,
                &[Field::Condition, Field::Consequence, Field::Alternative],
            ),
            Kind::While => self.fields(BodyKind::While, id, &[Field::Condition, Field::Body]),
            Kind::Do => self.fields(BodyKind::Do, id, &[Field::Body, Field::Condition]),
            Kind::For => self.for_statement(id),
            Kind::Foreach => self.for_each(id),
            Kind::UsingStatement => {
                let flags = self.await_flag(id);
                self.open(Head::new(BodyKind::Using, start).flags(flags));
                self.resource(id);
            }
            Kind::Lock => self.all(BodyKind::Lock, id),
            Kind::Fixed => {
                self.open(Head::new(BodyKind::Fixed, start));
                self.resource(id);
            }
            Kind::Try => self.try_statement(id),
            Kind::Switch => {
                self.open(Head::new(BodyKind::Switch, start));
                let value = self.part(id, Field::Value);
                self.then_visit_or_error(value, start);
                if let Some(body) = self.part(id, Field::Body) {
                    self.then(Work::Sections(body));
                }
                self.then_close();
            }
            Kind::Yield if self.has_token(id, b"return") => self.all(BodyKind::Yield, id),
            Kind::Goto if self.has_token(id, b"case") => self.all(BodyKind::GotoCase, id),
            Kind::Labeled => {
                self.open(Head::new(BodyKind::Wrapped, start));
                let statement = operands(self.arena, id).nth(1);
                self.then_visit_or_error(statement, start);
                self.then_close();
            }
            Kind::CheckedStatement | Kind::Unsafe => {
                let flags = match self.arena.bytes(id) {
                    [b'c', ..] => CHECKED,
                    _ if node.kind == Kind::Unsafe => 0,
                    _ => UNCHECKED,
                };
                self.all_with(Head::new(BodyKind::Wrapped, start).flags(flags), id);
            }
            _ => self.leaf(Head::new(BodyKind::Empty, start)),
        }
    }

    /// The statements of a block, and what can be read of those that did not parse.
    fn statements(&mut self, id: NodeId) {
        for child in self.arena.children(id) {
            if self.arena.kind(child) == Kind::Error {
                self.then(Work::Recovered(child));
            } else if is_operand(self.arena, child) {
                self.then_visit(child);
            }
        }
    }

    /// The statements and the larger expressions in what did not parse. A name alone may be
    /// anything.
    pub(super) fn recovered(&mut self, id: NodeId) {
        let arena = self.arena;
        for child in arena.children(id) {
            let start = arena.node(child).start;
            match arena.kind(child) {
                Kind::Error => self.then(Work::Recovered(child)),
                // They have no expressions, or are not sure enough here.
                Kind::LocalFunction
                | Kind::Goto
                | Kind::Labeled
                | Kind::Break
                | Kind::Continue
                | Kind::EmptyStatement
                | Kind::GlobalStatement => {}
                kind if kind.is_statement() => self.then_visit(child),
                Kind::VariableDeclaration => self.then(Work::Variables(child, 0)),
                Kind::MemberAccess
                | Kind::Invocation
                | Kind::ElementAccess
                | Kind::ConditionalAccess
                | Kind::Assignment
                | Kind::Binary
                | Kind::Await
                | Kind::ObjectCreation
                | Kind::Parenthesized => self.then_around(
                    Head::new(BodyKind::ExpressionStatement, start),
                    Work::Visit(child),
                ),
                _ => {}
            }
        }
    }

    /// A node with all operands as its children.
    pub(super) fn all(&mut self, kind: BodyKind, id: NodeId) {
        self.all_with(Head::new(kind, self.arena.node(id).start), id);
    }

    pub(super) fn all_with(&mut self, head: Head, id: NodeId) {
        self.open(head);
        for child in self.arena.children(id) {
            if is_operand(self.arena, child) {
                self.then_visit(child);
            }
        }
        self.then_close();
    }

    /// A node with the operands in these fields as its children; but for the last of three, what
    /// is missing is an error.
    pub(super) fn fields(&mut self, kind: BodyKind, id: NodeId, fields: &[Field]) {
        let start = self.arena.node(id).start;
        self.open(Head::new(kind, start));
        for &field in fields {
            match self.part(id, field) {
                None if kind == BodyKind::If && field == Field::Alternative => {}
                part => self.then_visit_or_error(part, start),
            }
        }
        self.then_close();
    }

    fn await_flag(&self, id: NodeId) -> u8 {
        match self.has_token(id, b"await") {
            true => body_flags::AWAIT,
            false => 0,
        }
    }

    fn local_declaration(&mut self, id: NodeId) {
        let arena = self.arena;
        let mut flags = 0;
        let mut declaration = None;
        for child in arena.children(id) {
            match (arena.kind(child), arena.bytes(child)) {
                (Kind::VariableDeclaration, _) => declaration = Some(child),
                (Kind::Token, b"await") => flags |= body_flags::AWAIT,
                (Kind::Token, b"using") => flags |= body_flags::USING,
                (Kind::Modifier, b"const") => flags |= body_flags::CONST,
                (Kind::Modifier, b"static") => flags |= body_flags::STATIC,
                _ => {}
            }
        }
        match declaration {
            None => self.leaf(Head::new(BodyKind::Empty, arena.node(id).start)),
            Some(declaration) if self.deconstruction(declaration).is_some() => self.then_around(
                Head::new(BodyKind::ExpressionStatement, arena.node(id).start),
                Work::Variables(declaration, flags),
            ),
            Some(declaration) => self.variables(declaration, flags),
        }
    }

    /// The first declarator of a declaration that is `var (a, b) = …`.
    fn deconstruction(&self, declaration: NodeId) -> Option<NodeId> {
        let arena = self.arena;
        arena
            .child_of_kind(declaration, Kind::VariableDeclarator)
            .filter(|&first| arena.child_of_kind(first, Kind::TuplePattern).is_some())
    }

    pub(super) fn variables(&mut self, id: NodeId, flags: u8) {
        let arena = self.arena;
        let start = arena.node(id).start;
        let ty = self.part(id, Field::Type);
        if let Some(declarator) = self.deconstruction(id) {
            let equals = self
                .token_child(declarator, b"=")
                .map_or(start, |node| node.start);
            self.open(Head::new(BodyKind::Assignment, equals).flags(Op::Assign as u8));
            self.then_open(Head::new(BodyKind::DeclarationExpression, start));
            self.then_visit_or_error(ty, start);
            let mut parts = operands(self.arena, declarator);
            let (designation, value) = (parts.next(), parts.next());
            if let Some(designation) = designation {
                self.then(Work::Designation(designation));
            }
            self.then_close();
            self.then_visit_or_error(value, equals);
            self.then_close();
            return;
        }
        self.open(Head::new(BodyKind::LocalDeclaration, start).flags(flags));
        self.then_visit_or_error(ty, start);
        for declarator in arena.children(id) {
            if arena.kind(declarator) != Kind::VariableDeclarator {
                continue;
            }
            let Some(name) = arena.child(declarator, Field::Name) else {
                continue;
            };
            let head = self.named(BodyKind::Declarator, name);
            self.then_open(head);
            for value in arena.children(declarator).skip(1) {
                let is_value = is_operand(arena, value)
                    && value != name
                    && arena.kind(value) != Kind::BracketedArguments;
                if is_value {
                    self.then_visit(value);
                }
            }
            self.then_close();
        }
        self.then_close();
    }

    fn for_statement(&mut self, id: NodeId) {
        let arena = self.arena;
        let start = arena.node(id).start;
        let parts = [
            (BodyKind::ForInit, Field::Initializer),
            (BodyKind::ForCondition, Field::Condition),
            (BodyKind::ForStep, Field::Update),
        ];
        self.open(Head::new(BodyKind::For, start));
        let mut offset = start;
        for (kind, field) in parts {
            let first = self.part(id, field);
            offset = first.map_or(offset, |first| arena.node(first).start);
            self.then_open(Head::new(kind, offset));
            for part in arena.children(id) {
                if arena.node(part).field == field && is_operand(arena, part) {
                    self.then(match arena.kind(part) {
                        Kind::VariableDeclaration => Work::Variables(part, 0),
                        _ => Work::Visit(part),
                    });
                }
            }
            self.then_close();
        }
        let body = self.part(id, Field::Body);
        self.then_visit_or_error(body, start);
        self.then_close();
    }

    fn for_each(&mut self, id: NodeId) {
        let arena = self.arena;
        let keyword = self
            .token_child(id, b"foreach")
            .map_or(arena.node(id).start, |node| node.start);
        let ty = self.part(id, Field::Type);
        let left = self.part(id, Field::Left);
        let variable = left.filter(|&left| ty.is_some() && arena.kind(left) == Kind::Identifier);
        let kind = match variable {
            Some(_) => BodyKind::ForEach,
            None => BodyKind::ForEachDeconstruct,
        };
        let generic = left
            .filter(|_| ty.is_none())
            .and_then(|left| self.compared_declaration(left));
        let kind = if generic.is_some() {
            BodyKind::ForEach
        } else {
            kind
        };
        let flags = self.await_flag(id);
        self.open(Head::new(kind, keyword).flags(flags));
        if let Some([ty, argument, name]) = generic {
            self.then_generic(ty, argument);
            let head = self.named(BodyKind::Declarator, name);
            self.then_leaf(head);
        }
        match (ty, variable, left) {
            _ if generic.is_some() => {}
            (Some(ty), Some(name), _) => {
                self.then_visit(ty);
                let head = self.named(BodyKind::Declarator, name);
                self.then_leaf(head);
            }
            (Some(ty), None, Some(pattern)) => {
                let start = arena.node(ty).start;
                self.then_open(Head::new(BodyKind::DeclarationExpression, start));
                self.then_visit(ty);
                self.then(Work::Designation(pattern));
                self.then_close();
            }
            _ => self.then_visit_or_error(left, keyword),
        }
        for field in [Field::Right, Field::Body] {
            let part = self.part(id, field);
            self.then_visit_or_error(part, keyword);
        }
        self.then_close();
    }

    /// The name, the type argument and the variable of `T<A> x`, which the grammar takes for
    /// comparisons.
    fn compared_declaration(&self, id: NodeId) -> Option<[NodeId; 3]> {
        let arena = self.arena;
        let (greater, _) = super::operators::binary_op_of(arena, id)?;
        let less = self.part(id, Field::Left)?;
        let (second, _) = super::operators::binary_op_of(arena, less)?;
        let name = self.part(id, Field::Right)?;
        if (second, greater) != (Op::Less, Op::Greater) || arena.kind(name) != Kind::Identifier {
            return None;
        }
        let ty = self.part(less, Field::Left)?;
        Some([ty, self.part(less, Field::Right)?, name])
    }

    /// The parts of `using (…) …` and `fixed (…) …`, and the end of the node.
    fn resource(&mut self, id: NodeId) {
        let arena = self.arena;
        for part in arena.children(id) {
            if is_operand(arena, part) {
                self.then(match arena.kind(part) {
                    Kind::VariableDeclaration => Work::Variables(part, 0),
                    _ => Work::Visit(part),
                });
            }
        }
        self.then_close();
    }

    fn try_statement(&mut self, id: NodeId) {
        let arena = self.arena;
        self.open(Head::new(BodyKind::Try, arena.node(id).start));
        for part in arena.children(id) {
            let start = arena.node(part).start;
            match arena.kind(part) {
                Kind::Block => self.then_visit(part),
                Kind::CatchClause => {
                    self.then_open(Head::new(BodyKind::Catch, start));
                    for piece in arena.children(part) {
                        match arena.kind(piece) {
                            Kind::CatchDeclaration => self.catch_declaration(piece),
                            Kind::CatchFilter => self.then_when(piece),
                            Kind::Block => self.then_visit(piece),
                            _ => {}
                        }
                    }
                    self.then_close();
                }
                Kind::FinallyClause => {
                    self.then_open(Head::new(BodyKind::Finally, start));
                    let block = self.operand(part);
                    self.then_visit_or_error(block, start);
                    self.then_close();
                }
                _ => {}
            }
        }
        self.then_close();
    }

    fn catch_declaration(&mut self, id: NodeId) {
        if let Some(ty) = self.part(id, Field::Type) {
            self.then_visit(ty);
        }
        if let Some(name) = self.part(id, Field::Name) {
            let head = self.named(BodyKind::Declarator, name);
            self.then_leaf(head);
        }
    }

    /// `when e`.
    pub(super) fn then_when(&mut self, id: NodeId) {
        let start = self.arena.node(id).start;
        self.then_open(Head::new(BodyKind::When, start));
        let condition = self.operand(id);
        self.then_visit_or_error(condition, start);
        self.then_close();
    }

    /// The sections of a switch statement. The grammar has one section per label; those without
    /// statements go with the next.
    pub(super) fn sections(&mut self, body: NodeId) {
        let arena = self.arena;
        let mut is_open = false;
        for section in arena.children(body) {
            if arena.kind(section) != Kind::SwitchSection {
                continue;
            }
            let start = arena.node(section).start;
            if !is_open {
                self.then_open(Head::new(BodyKind::Section, start));
                is_open = true;
            }
            let mut is_label = true;
            let mut has_label = false;
            let mut has_statements = false;
            for part in arena.children(section) {
                match arena.kind(part) {
                    Kind::Token if arena.bytes(part) == b":" => {
                        if has_label && is_label {
                            self.then_close();
                        }
                        is_label = false;
                    }
                    Kind::WhenClause => self.then_when(part),
                    _ if !is_operand(arena, part) => {}
                    _ if is_label && !has_label => {
                        has_label = true;
                        self.then_open(Head::new(BodyKind::CaseLabel, start));
                        self.then(Work::Pattern(part));
                    }
                    _ if is_label => {}
                    _ => {
                        has_statements = true;
                        self.then_visit(part);
                    }
                }
            }
            if is_label && has_label {
                self.then_close();
            }
            if has_statements {
                self.then_close();
                is_open = false;
            }
        }
        if is_open {
            self.then_close();
        }
    }
}
