//! Type nodes to [`TypeSyntax`].

use crate::{
    arena::{Arena, NodeId},
    facts::{NameSegment, TypeSyntax},
    kind::{Field, Kind},
    names::{Names, token_text},
    references::References,
};

/// Types nested deeper than this read as `Unknown`: no real program comes near it, and it bounds
/// every recursion over a type.
const MAX_DEPTH: u32 = 64;

/// Reads the type at a node.
pub(crate) fn type_syntax(
    arena: &Arena<'_>,
    refs: &References,
    names: &mut Names,
    node: NodeId,
) -> TypeSyntax {
    Reader { arena, refs, names }.read(node, 0)
}

struct Reader<'r, 't> {
    arena: &'r Arena<'t>,
    refs: &'r References,
    names: &'r mut Names,
}

impl Reader<'_, '_> {
    fn read(&mut self, node: NodeId, depth: u32) -> TypeSyntax {
        if depth > MAX_DEPTH {
            return TypeSyntax::Unknown;
        }
        let arena = self.arena;
        match arena.kind(node) {
            Kind::Identifier
            | Kind::GenericName
            | Kind::QualifiedName
            | Kind::AliasQualifiedName => self.named(node, depth),
            Kind::Predefined => TypeSyntax::Predefined(self.names.intern(arena.str(node))),
            Kind::ArrayType => {
                let rank = arena.child(node, Field::Rank).map_or(1, |rank| {
                    arena
                        .children(rank)
                        .filter(|&child| arena.bytes(child) == b",")
                        .count()
                        + 1
                });
                TypeSyntax::Array(Box::new(self.inner(node, depth)), rank.min(255) as u8)
            }
            Kind::NullableType => TypeSyntax::Nullable(Box::new(self.inner(node, depth))),
            Kind::PointerType => TypeSyntax::Pointer(Box::new(self.inner(node, depth))),
            Kind::ScopedType => self.inner(node, depth),
            Kind::RefType => {
                let inner = Box::new(self.inner(node, depth));
                if arena
                    .children(node)
                    .any(|child| arena.bytes(child) == b"readonly")
                {
                    TypeSyntax::RefReadonly(inner)
                } else {
                    TypeSyntax::Ref(inner)
                }
            }
            Kind::TupleType => {
                let elements: Vec<NodeId> = arena
                    .children(node)
                    .filter(|&child| arena.kind(child) == Kind::TupleElement)
                    .collect();
                let elements = elements.into_iter().map(|element| {
                    let ty = self.inner(element, depth);
                    let name = arena
                        .child(element, Field::Name)
                        .map(|n| self.names.identifier(arena.str(n)));
                    (ty, name)
                });
                TypeSyntax::Tuple(elements.collect())
            }
            Kind::FunctionPointerType => {
                let mut parts = Vec::new();
                let mut returns = TypeSyntax::Unknown;
                let mut convention = String::from("delegate*");
                for child in arena.children(node) {
                    match (arena.kind(child), arena.node(child).field) {
                        (Kind::CallingConvention, _) => {
                            convention.push(' ');
                            convention.push_str(&token_text(arena, child, arena.node(child).after));
                        }
                        (Kind::FunctionPointerParameter, _) => {
                            let ty = self.inner(child, depth);
                            let mut words = arena.children(child).map(|word| arena.bytes(word));
                            parts.push(match words.next() {
                                Some(b"ref" | b"out") => TypeSyntax::Ref(Box::new(ty)),
                                Some(b"in") => TypeSyntax::RefReadonly(Box::new(ty)),
                                _ => ty,
                            });
                        }
                        (_, Field::Returns) => returns = self.read(child, depth + 1),
                        _ => {}
                    }
                }
                parts.push(returns);
                TypeSyntax::FunctionPointer(self.names.intern(&convention), parts)
            }
            _ => TypeSyntax::Unknown,
        }
    }

    fn inner(&mut self, node: NodeId, depth: u32) -> TypeSyntax {
        self.arena
            .child(node, Field::Type)
            .map_or(TypeSyntax::Unknown, |inner| self.read(inner, depth + 1))
    }

    fn named(&mut self, node: NodeId, depth: u32) -> TypeSyntax {
        let mut segments = Vec::new();
        let mut rest = Some(node);
        while let Some(name) = rest {
            let arena = self.arena;
            let last = match arena.kind(name) {
                Kind::QualifiedName | Kind::AliasQualifiedName => arena.child(name, Field::Name),
                _ => Some(name),
            };
            rest = match arena.kind(name) {
                Kind::QualifiedName => arena.child(name, Field::Qualifier),
                Kind::AliasQualifiedName => arena.child(name, Field::Alias),
                _ => None,
            };
            let Some(segment) = last.and_then(|last| self.segment(last, depth)) else {
                return TypeSyntax::Unknown;
            };
            segments.push(segment);
        }
        segments.reverse();
        TypeSyntax::Named(segments)
    }

    fn segment(&mut self, name: NodeId, depth: u32) -> Option<NameSegment> {
        let arena = self.arena;
        if arena.kind(name) != Kind::GenericName {
            return Some(NameSegment {
                reference: self.refs.of(name)?,
                arguments: Vec::new(),
            });
        }
        let reference = self.refs.of(arena.child_of_kind(name, Kind::Identifier)?)?;
        let list = arena.child_of_kind(name, Kind::TypeArguments)?;
        let mut arguments = Vec::new();
        for child in arena.children(list) {
            match arena.kind(child) {
                Kind::Token | Kind::Comment => {}
                _ => arguments.push(self.read(child, depth + 1)),
            }
        }
        Some(NameSegment {
            reference,
            arguments,
        })
    }
}
