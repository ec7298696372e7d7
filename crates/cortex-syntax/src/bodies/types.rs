//! Names and types.

use super::{Builder, Head, Work, operands};
use crate::{
    arena::{Node, NodeId},
    body::{BodyKind, ref_kind},
    kind::{Field, Kind},
};

impl Builder<'_, '_> {
    /// A simple name; an error where a repair put an identifier over something else.
    pub(super) fn name(&mut self, id: NodeId) {
        if self.is_identifier(id) {
            let is_verbatim = self.arena.bytes(id).starts_with(b"@");
            let head = self.named(BodyKind::Name, id);
            self.leaf(head.flags(u8::from(is_verbatim)));
        } else {
            self.error(self.arena.node(id).start);
        }
    }

    /// `this`, `base`.
    pub(super) fn token(&mut self, id: NodeId, node: Node) {
        let kind = match self.arena.bytes(id) {
            b"this" => BodyKind::This,
            b"base" => BodyKind::Base,
            _ => BodyKind::ErrorExpression,
        };
        self.leaf(Head::new(kind, node.start));
    }

    pub(super) fn ty(&mut self, id: NodeId, node: Node) {
        let arena = self.arena;
        let start = node.start;
        match node.kind {
            Kind::ImplicitType => {
                let name = self.names.intern("var");
                self.leaf(Head::new(BodyKind::Name, start).value(name));
            }
            Kind::Predefined => {
                let text = arena.str(id);
                let name = self.names.intern(text);
                let kind = match text {
                    "nint" | "nuint" => BodyKind::Name,
                    _ => BodyKind::PredefinedType,
                };
                self.leaf(Head::new(kind, start).value(name));
            }
            Kind::GenericName => self.generic_name(id),
            Kind::QualifiedName => {
                let dot = self.token_child(id, b".").map_or(start, |dot| dot.start);
                self.open(Head::new(BodyKind::MemberAccess, dot));
                self.then_parts(id, &[Field::Qualifier, Field::Name]);
            }
            Kind::AliasQualifiedName => {
                self.open(Head::new(BodyKind::AliasQualified, start));
                self.then_parts(id, &[Field::Alias, Field::Name]);
            }
            Kind::ArrayType => self.array_type(id),
            Kind::NullableType => {
                self.open(Head::new(BodyKind::NullableType, start));
                self.then_parts(id, &[Field::Type]);
            }
            Kind::PointerType => {
                self.open(Head::new(BodyKind::PointerType, start));
                self.then_parts(id, &[Field::Type]);
            }
            Kind::RefType => {
                let flags = self.ref_flags(id);
                self.open(Head::new(BodyKind::RefType, start).flags(flags));
                self.then_parts(id, &[Field::Type]);
            }
            Kind::ScopedType => {
                let inner = self.part(id, Field::Type);
                self.then_visit_or_error(inner, start);
            }
            Kind::TupleType => self.tuple_type(id),
            _ => self.function_pointer(id),
        }
    }

    /// The operands in these fields, and the end of the node.
    pub(super) fn then_parts(&mut self, id: NodeId, fields: &[Field]) {
        let start = self.arena.node(id).start;
        for &field in fields {
            let part = self.part(id, field);
            self.then_visit_or_error(part, start);
        }
        self.then_close();
    }

    fn generic_name(&mut self, id: NodeId) {
        let arena = self.arena;
        let Some(name) = arena.child_of_kind(id, Kind::Identifier) else {
            self.error(arena.node(id).start);
            return;
        };
        let head = self.named(BodyKind::GenericName, name);
        self.open(head);
        if let Some(list) = arena.child_of_kind(id, Kind::TypeArguments) {
            if operands(arena, list).next().is_some() {
                for argument in operands(arena, list) {
                    self.then_visit(argument);
                }
            } else {
                for end in arena.children(list).skip(1) {
                    if matches!(arena.bytes(end), b"," | b">") {
                        let offset = arena.node(end).start;
                        self.then_leaf(Head::new(BodyKind::OmittedType, offset));
                    }
                }
            }
        }
        self.then_close();
    }

    /// The leftmost rank is the outermost array: `int[][,]` is an array of `int[,]` (C#
    /// specification, §17.2.1). The tree has it the other way round.
    fn array_type(&mut self, id: NodeId) {
        let arena = self.arena;
        let start = arena.node(id).start;
        let mut ranks = Vec::new();
        let mut element = Some(id);
        while let Some(array) = element.filter(|&e| arena.kind(e) == Kind::ArrayType) {
            let commas = arena.child(array, Field::Rank).map_or(0, |rank| {
                let is_comma = |&child: &NodeId| arena.bytes(child) == b",";
                arena.children(rank).filter(is_comma).count()
            });
            ranks.push(commas as u32 + 1);
            element = self.part(array, Field::Type);
        }
        for &rank in ranks.iter().rev() {
            self.then_open(Head::new(BodyKind::ArrayType, start).value(rank));
        }
        self.then_visit_or_error(element, start);
        for _ in &ranks {
            self.then_close();
        }
    }

    /// The sizes in the leftmost rank of an array type.
    pub(super) fn then_sizes(&mut self, array: NodeId) {
        let arena = self.arena;
        let mut leftmost = array;
        while let Some(inner) = self
            .part(leftmost, Field::Type)
            .filter(|&inner| arena.kind(inner) == Kind::ArrayType)
        {
            leftmost = inner;
        }
        if let Some(rank) = arena.child(leftmost, Field::Rank) {
            for size in operands(arena, rank) {
                self.then_visit(size);
            }
        }
    }

    fn tuple_type(&mut self, id: NodeId) {
        let arena = self.arena;
        self.open(Head::new(BodyKind::TupleType, arena.node(id).start));
        for element in operands(arena, id) {
            let start = arena.node(element).start;
            let name = self.part(element, Field::Name);
            let value = name.map_or(0, |name| self.name_of(name) + 1);
            self.then_open(Head::new(BodyKind::TupleElement, start).value(value));
            self.then_parts(element, &[Field::Type]);
        }
        self.then_close();
    }

    fn function_pointer(&mut self, id: NodeId) {
        let arena = self.arena;
        let start = arena.node(id).start;
        self.open(Head::new(BodyKind::FunctionPointerType, start));
        for part in operands(arena, id) {
            match arena.kind(part) {
                Kind::FunctionPointerParameter => {
                    let flags = self.ref_flags(part);
                    let ty = self.part(part, Field::Type);
                    let offset = arena.node(part).start;
                    if flags == ref_kind::NONE {
                        self.then_visit_or_error(ty, offset);
                    } else {
                        self.then_open(Head::new(BodyKind::RefType, offset).flags(flags));
                        self.then_visit_or_error(ty, offset);
                        self.then_close();
                    }
                }
                Kind::CallingConvention => {}
                _ => self.then_visit(part),
            }
        }
        self.then_close();
    }

    /// The [`ref_kind`] that a node's own tokens say, read from the original text.
    pub(super) fn ref_flags(&self, id: NodeId) -> u8 {
        let arena = self.arena;
        let mut words = RefWords::default();
        for child in arena.children(id) {
            if matches!(arena.kind(child), Kind::Token | Kind::Modifier) {
                words.add(arena.bytes(child));
            }
        }
        words.flags()
    }

    /// Whether a type may be a constant just as well: a name that ends without type arguments.
    pub(super) fn may_be_constant(&self, ty: NodeId) -> bool {
        let arena = self.arena;
        match arena.kind(ty) {
            Kind::Identifier => true,
            Kind::QualifiedName | Kind::AliasQualifiedName | Kind::MemberAccess => arena
                .child(ty, Field::Name)
                .is_some_and(|name| arena.kind(name) != Kind::GenericName),
            _ => false,
        }
    }

    /// A type that stands for a pattern.
    pub(super) fn type_pattern(&mut self, ty: NodeId) {
        let start = self.arena.node(ty).start;
        if self.arena.kind(ty) == Kind::TupleType {
            self.tuple_type_pattern(ty);
            return;
        }
        let kind = match self.may_be_constant(ty) {
            true => BodyKind::ConstantPattern,
            false => BodyKind::TypePattern,
        };
        self.then_around(Head::new(kind, start), Work::Visit(ty));
    }
}

/// The words before a parameter, an argument or a type.
#[derive(Default)]
pub(super) struct RefWords {
    by_ref: bool,
    out: bool,
    by_in: bool,
    readonly: bool,
    params: bool,
}

impl RefWords {
    pub(super) fn add(&mut self, word: &[u8]) {
        match word {
            b"ref" => self.by_ref = true,
            b"out" => self.out = true,
            b"in" => self.by_in = true,
            b"readonly" => self.readonly = true,
            b"params" => self.params = true,
            _ => {}
        }
    }

    pub(super) fn flags(&self) -> u8 {
        let kind = match self {
            Self { out: true, .. } => ref_kind::OUT,
            Self { by_in: true, .. } => ref_kind::IN,
            Self {
                by_ref: true,
                readonly: true,
                ..
            } => ref_kind::REF_READONLY,
            Self { by_ref: true, .. } => ref_kind::REF,
            _ => ref_kind::NONE,
        };
        kind | if self.params { ref_kind::PARAMS } else { 0 }
    }
}
