//! Lambdas, anonymous methods and local functions.

use super::{Builder, Head, Work, operands, types::RefWords};
use crate::{
    arena::{Node, NodeId},
    body::{BodyKind, body_flags, ref_kind},
    kind::{Field, Kind},
};

impl Builder<'_, '_> {
    pub(super) fn lambda(&mut self, id: NodeId, node: Node) {
        let arena = self.arena;
        let ty = self.part(id, Field::Type);
        let flags = self.function_flags(id);
        let head = Head::new(BodyKind::Lambda, node.start);
        self.open(head.flags(flags).value(u32::from(ty.is_some())));
        let parameters = self.part(id, Field::Parameters);
        match parameters {
            Some(list) if arena.kind(list) == Kind::ParameterList => self.then_parameters(list),
            Some(name) => {
                let head = self.named(BodyKind::LambdaParameter, name);
                self.then_leaf(head);
            }
            None => {}
        }
        if let Some(ty) = ty {
            self.then_visit(ty);
        }
        let body = self.part(id, Field::Body);
        self.then_visit_or_error(body, node.start);
        self.then_attributes(id);
        if let Some(list) = parameters {
            self.then_parameter_attributes(list);
        }
        self.then_close();
    }

    pub(super) fn anonymous_method(&mut self, id: NodeId, node: Node) {
        let parameters = self.part(id, Field::Parameters);
        let flags = self.function_flags(id);
        let head = Head::new(BodyKind::AnonymousMethod, node.start);
        self.open(head.flags(flags).value(u32::from(parameters.is_some())));
        if let Some(list) = parameters {
            self.then_parameters(list);
        }
        let block = self.arena.child_of_kind(id, Kind::Block);
        self.then_visit_or_error(block, node.start);
        if let Some(list) = parameters {
            self.then_parameter_attributes(list);
        }
        self.then_close();
    }

    pub(super) fn local_function(&mut self, id: NodeId) {
        let arena = self.arena;
        let Some(name) = self.part(id, Field::Name) else {
            self.leaf(Head::new(BodyKind::Empty, arena.node(id).start));
            return;
        };
        let flags = self.function_flags(id);
        let head = self.named(BodyKind::LocalFunction, name).flags(flags);
        self.open(head);
        self.then_attributes(id);
        let type_parameters = self.part(id, Field::TypeParameters);
        let parameters = self.part(id, Field::Parameters);
        if let Some(list) = type_parameters {
            for param in operands(arena, list) {
                self.then_attributes(param);
            }
        }
        if let Some(list) = parameters {
            self.then_parameter_attributes(list);
        }
        if let Some(list) = type_parameters {
            self.then_type_parameters(id, list);
        }
        let ty = self.part(id, Field::Type);
        self.then_visit_or_error(ty, head.offset);
        if let Some(list) = parameters {
            self.then_parameters(list);
        }
        if let Some(body) = self.part(id, Field::Body) {
            self.then_visit(body);
        }
        self.then_close();
    }

    fn function_flags(&self, id: NodeId) -> u8 {
        let arena = self.arena;
        let mut flags = 0;
        for child in arena.children(id) {
            match (arena.kind(child), arena.bytes(child)) {
                (Kind::Modifier, b"async") => flags |= body_flags::ASYNC,
                (Kind::Modifier, b"static") => flags |= body_flags::STATIC,
                _ => {}
            }
        }
        flags
    }

    fn then_type_parameters(&mut self, function: NodeId, list: NodeId) {
        let arena = self.arena;
        // By name, each name's in source order.
        let mut clauses = Vec::new();
        for clause in arena.children(function) {
            if arena.kind(clause) == Kind::ConstraintsClause
                && let Some(target) = arena.child_of_kind(clause, Kind::Identifier)
            {
                clauses.push((self.name_of(target), clause));
            }
        }
        clauses.sort_unstable();
        for param in operands(arena, list) {
            let Some(name) = self.part(param, Field::Name) else {
                continue;
            };
            let head = self.named(BodyKind::TypeParameter, name);
            self.then_open(head);
            let first = clauses.partition_point(|&(name, _)| name < head.value);
            let its = clauses[first..]
                .iter()
                .take_while(|&&(name, _)| name == head.value);
            for constraint in its.flat_map(|&(_, clause)| arena.children(clause)) {
                let text = arena.bytes(constraint);
                let is_keyword = text == b"default" || text.starts_with(b"allows ");
                let ty = self.part(constraint, Field::Type);
                if let Some(ty) = ty.filter(|_| !is_keyword) {
                    self.then_visit(ty);
                }
            }
            self.then_close();
        }
    }

    fn then_parameter_attributes(&mut self, list: NodeId) {
        let arena = self.arena;
        self.then_attributes(list);
        for param in operands(arena, list) {
            if arena.kind(param) == Kind::Parameter {
                self.then_attributes(param);
            }
        }
    }

    fn then_parameters(&mut self, list: NodeId) {
        let arena = self.arena;
        let mut from = arena.node(list).start;
        let mut loose_type = None;
        for child in arena.children(list) {
            let node = arena.node(child);
            match (node.kind, node.field) {
                (Kind::Parameter, _) => self.then(Work::Parameter(child, from)),
                // `params T[] rest` stands directly in the list.
                (_, Field::Type) => loose_type = Some(child),
                (_, Field::Name) => {
                    let head = self.named(BodyKind::LambdaParameter, child);
                    self.then_open(head.flags(ref_kind::PARAMS));
                    self.then_visit_or_error(loose_type.take(), node.start);
                    self.then_close();
                }
                _ => {}
            }
            from = node.end;
        }
    }

    pub(super) fn parameter(&mut self, id: NodeId, from: u32) {
        let arena = self.arena;
        let Some(name) = self.part(id, Field::Name) else {
            return;
        };
        let mut words = RefWords::default();
        self.add_parameter_words(&mut words, from, arena.node(name).start);
        for child in arena.children(id) {
            if matches!(arena.kind(child), Kind::Modifier | Kind::Token) {
                words.add(arena.bytes(child));
            }
        }
        let mut ty = self.part(id, Field::Type);
        while let Some(outer) = ty {
            match arena.kind(outer) {
                Kind::RefType => {
                    for token in arena.children(outer) {
                        words.add(arena.bytes(token));
                    }
                }
                Kind::ScopedType => {}
                _ => break,
            }
            ty = self.part(outer, Field::Type);
        }
        let default = self.default_value(id);
        let optional = match default {
            Some(_) => ref_kind::OPTIONAL,
            None => 0,
        };
        let head = self.named(BodyKind::LambdaParameter, name);
        self.open(head.flags(words.flags() | optional));
        match ty {
            Some(ty) => self.then_visit(ty),
            None if default.is_some() => {
                self.then_leaf(Head::new(BodyKind::OmittedType, head.offset));
            }
            None => {}
        }
        if let Some(value) = default {
            self.then_visit(value);
        }
        self.then_close();
    }
}
