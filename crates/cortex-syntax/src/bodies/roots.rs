//! The roots: what a declaration says beyond its `Decl`, and attributes.

use cortex_model::DeclKind;

use super::{Builder, Head, Work, operands};
use crate::{
    arena::NodeId,
    body::BodyKind,
    declarations::{Declarations, Source},
    facts::DeclId,
    kind::{Field, Kind},
};

/// `flags` of [`BodyKind::BaseArguments`].
const TO_BASE: u8 = 0;
const TO_THIS: u8 = 1;
const TO_BASE_TYPE: u8 = 2;

impl Builder<'_, '_> {
    pub(super) fn roots(&mut self, declared: &Declarations) {
        self.root(0, 0, |builder| {
            for &node in &declared.global_attributes {
                builder.then(Work::Attributes(node));
            }
        });
        let mut before = None;
        for (id, (decl, &source)) in declared.decls.iter().zip(&declared.sources).enumerate() {
            let value = id as DeclId + 1;
            let start = self.arena.node(source.node).start;
            match decl.kind {
                DeclKind::Namespace => {}
                DeclKind::TopLevel => self.root(value, start, |builder| {
                    builder.then_open(Head::new(BodyKind::Body, start));
                    for &statement in &declared.global_statements {
                        builder.then_visit(statement);
                    }
                    builder.then_close();
                }),
                _ => {
                    let is_first = before != Some(source.node);
                    self.root(value, start, |builder| {
                        builder.declaration(source, is_first)
                    });
                }
            }
            before = Some(source.node);
        }
    }

    /// Writes one root with the work that `parts` puts off; nothing where there is none.
    fn root(&mut self, value: u32, offset: u32, parts: impl FnOnce(&mut Self)) {
        self.first = 0;
        parts(self);
        if self.work.is_empty() {
            return;
        }
        self.then_close();
        self.work
            .push(Work::Open(Head::new(BodyKind::Decl, offset).value(value)));
        self.work.rotate_right(1);
        self.work.reverse();
        self.run();
    }

    fn declaration(&mut self, source: Source, is_first: bool) {
        let arena = self.arena;
        if let Some(declarator) = source.declarator.filter(|_| !is_first) {
            self.field(declarator);
            return;
        }
        let mut base_type = arena.node(source.node).start;
        for child in arena.children(source.node) {
            let node = arena.node(child);
            match node.kind {
                Kind::AttributeList => self.then(Work::Attributes(child)),
                Kind::TypeParameterList => {
                    for param in operands(self.arena, child) {
                        self.then_attributes(param);
                    }
                }
                Kind::ParameterList | Kind::BracketedParameterList => self.defaults(child),
                Kind::BaseList => {
                    for base in operands(self.arena, child) {
                        match arena.kind(base) {
                            Kind::ArgumentList => self.base_arguments(base_type, base),
                            Kind::PrimaryBase => {
                                if let Some(list) = arena.child_of_kind(base, Kind::ArgumentList) {
                                    self.base_arguments(arena.node(base).start, list);
                                }
                            }
                            _ => base_type = arena.node(base).start,
                        }
                    }
                }
                Kind::ConstructorInitializer => self.constructor_initializer(child),
                Kind::AccessorList => self.accessors(child),
                Kind::Block | Kind::Arrow => {
                    let body = match node.kind {
                        Kind::Arrow => self.operand(child),
                        _ => Some(child),
                    };
                    self.then_open(Head::new(BodyKind::Body, node.start));
                    self.then_visit_or_error(body, node.start);
                    self.then_close();
                }
                Kind::VariableDeclaration => {
                    if let Some(declarator) = source.declarator {
                        self.field(declarator);
                    }
                }
                Kind::Token | Kind::Comment | Kind::Error => {}
                _ if node.field == Field::Value => self.then_around(
                    Head::new(BodyKind::Initializer, node.start),
                    Work::Visit(child),
                ),
                _ => {}
            }
        }
    }

    fn field(&mut self, declarator: NodeId) {
        let arena = self.arena;
        let name = arena.child(declarator, Field::Name);
        for value in operands(self.arena, declarator).filter(|&child| Some(child) != name) {
            let start = arena.node(value).start;
            self.then_open(Head::new(BodyKind::Initializer, start));
            match arena.kind(value) {
                // The size of a `fixed` buffer.
                Kind::BracketedArguments => {
                    self.then_open(Head::new(BodyKind::OtherExpression, start));
                    for argument in operands(self.arena, value) {
                        let size = self.argument_value(argument);
                        self.then_visit_or_error(size, start);
                    }
                    self.then_close();
                }
                _ => self.then_visit(value),
            }
            self.then_close();
        }
    }

    fn base_arguments(&mut self, base_type: u32, list: NodeId) {
        let head = Head::new(BodyKind::BaseArguments, base_type).flags(TO_BASE_TYPE);
        self.then_around(head, Work::Arguments(list));
    }

    fn constructor_initializer(&mut self, id: NodeId) {
        let arena = self.arena;
        let Some(list) = arena.child_of_kind(id, Kind::ArgumentList) else {
            return;
        };
        let keyword = |flags, text: &[u8]| Some((flags, self.token_child(id, text)?.start));
        let Some((flags, offset)) = keyword(TO_BASE, b"base").or_else(|| keyword(TO_THIS, b"this"))
        else {
            return;
        };
        let head = Head::new(BodyKind::BaseArguments, offset).flags(flags);
        self.then_around(head, Work::Arguments(list));
    }

    /// The attributes and default values of parameters.
    fn defaults(&mut self, list: NodeId) {
        let arena = self.arena;
        let mut index = 0;
        for child in arena.children(list) {
            match (arena.kind(child), arena.node(child).field) {
                // Of `params`, which stands directly in the list.
                (Kind::AttributeList, _) => self.then(Work::Attributes(child)),
                (Kind::Parameter, _) => {
                    self.then_attributes(child);
                    if let Some(value) = self.default_value(child) {
                        let head = Head::new(BodyKind::ParameterDefault, arena.node(value).start);
                        self.then_around(head.value(index), Work::Visit(value));
                    }
                    index += 1;
                }
                (_, Field::Name) => index += 1,
                _ => {}
            }
        }
    }

    /// What stands after the `=` of a parameter.
    pub(super) fn default_value(&self, param: NodeId) -> Option<NodeId> {
        let arena = self.arena;
        operands(self.arena, param)
            .find(|&child| !matches!(arena.node(child).field, Field::Name | Field::Type))
    }

    fn accessors(&mut self, list: NodeId) {
        let arena = self.arena;
        let mut index = 0;
        for accessor in operands(self.arena, list) {
            let name = arena
                .child(accessor, Field::Name)
                .map(|name| arena.bytes(name));
            let is_known = matches!(name, Some(b"get" | b"set" | b"init" | b"add" | b"remove"));
            if arena.kind(accessor) != Kind::AccessorDeclaration || !is_known {
                continue;
            }
            self.then_attributes(accessor);
            if let Some(body) = self.part(accessor, Field::Body) {
                let head = Head::new(BodyKind::Accessor, arena.node(accessor).start).value(index);
                self.then_around(head, Work::Visit(body));
            }
            index += 1;
        }
    }

    /// The attributes of a node's own attribute lists.
    pub(super) fn then_attributes(&mut self, id: NodeId) {
        let arena = self.arena;
        for list in arena.children(id) {
            if arena.kind(list) == Kind::AttributeList {
                self.then(Work::Attributes(list));
            }
        }
    }

    pub(super) fn attributes(&mut self, list: NodeId) {
        let arena = self.arena;
        for attribute in arena.children(list) {
            if arena.kind(attribute) != Kind::Attribute {
                continue;
            }
            let start = arena.node(attribute).start;
            self.then_open(Head::new(BodyKind::Attribute, start));
            let name = self.part(attribute, Field::Name);
            self.then_visit_or_error(name, start);
            if let Some(arguments) = arena.child_of_kind(attribute, Kind::AttributeArgumentList) {
                self.then(Work::Arguments(arguments));
            }
            self.then_close();
        }
    }
}
