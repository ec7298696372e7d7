//! Types as declarations write them (§8).

use cortex_syntax::{FileFacts, NameSegment, RefContext, TypeSyntax};
use smallvec::SmallVec;

use super::{Meaning, Scope, TypeRefSink};
use crate::{
    compilation::Compilation,
    name::{Name, known},
    output::Why,
    special::Special,
    symbol::TypeId,
    ty::{Ty, TyKind},
};

/// Types nested deeper are unknown: no real program comes near it.
const MAX_DEPTH: u32 = 128;

impl Compilation<'_> {
    /// A type as declarations write it.
    pub fn bind_type(
        &self,
        at: &Scope,
        facts: &FileFacts,
        ty: &TypeSyntax,
        sink: &mut dyn TypeRefSink,
    ) -> Ty {
        TypeReader {
            c: self,
            at,
            facts,
            sink,
        }
        .read(ty, 0)
    }

    /// The same for what may be a namespace; a type is told as [`Meaning::Alias`].
    pub(super) fn bind_name(
        &self,
        at: &Scope,
        facts: &FileFacts,
        ty: &TypeSyntax,
        sink: &mut dyn TypeRefSink,
    ) -> Meaning {
        let mut reader = TypeReader {
            c: self,
            at,
            facts,
            sink,
        };
        match ty {
            TypeSyntax::Named(segments) => reader.named(segments, Suffix::AsWritten, 0),
            TypeSyntax::Unknown => Meaning::Unknown,
            _ => Meaning::Alias(reader.read(ty, 0)),
        }
    }

    /// An attribute's class as a declaration writes it (§22.3).
    pub fn bind_attribute(
        &self,
        at: &Scope,
        facts: &FileFacts,
        name: &TypeSyntax,
        sink: &mut dyn TypeRefSink,
    ) -> Ty {
        let TypeSyntax::Named(segments) = name else {
            return Ty::ERROR;
        };
        let mut reader = TypeReader {
            c: self,
            at,
            facts,
            sink,
        };
        match reader.named(segments, Suffix::Attribute, 0) {
            Meaning::Alias(ty) => ty,
            _ => Ty::ERROR,
        }
    }

    /// The type that a keyword stands for; [`Ty::ERROR`] for another text.
    pub(crate) fn predefined(&self, keyword: &str) -> Ty {
        self.special(match keyword {
            "object" => Special::Object,
            "string" => Special::String,
            "bool" => Special::Boolean,
            "char" => Special::Char,
            "sbyte" => Special::SByte,
            "byte" => Special::Byte,
            "short" => Special::Int16,
            "ushort" => Special::UInt16,
            "int" => Special::Int32,
            "uint" => Special::UInt32,
            "long" => Special::Int64,
            "ulong" => Special::UInt64,
            "float" => Special::Single,
            "double" => Special::Double,
            "decimal" => Special::Decimal,
            "void" => Special::Void,
            _ => return Ty::ERROR,
        })
    }

    /// What a simple name without type arguments means where no type has it: `dynamic`, `nint`, `nuint`.
    pub(super) fn contextual_type(&self, name: Name) -> Option<Ty> {
        match name {
            known::DYNAMIC => Some(Ty::DYNAMIC),
            known::NINT => Some(self.special(Special::IntPtr)),
            known::NUINT => Some(self.special(Special::UIntPtr)),
            _ => None,
        }
    }

    /// A found type with its written arguments, and its definition. Left out arguments (`List<>`) are given
    /// as [`Ty::NONE`].
    pub(super) fn apply(
        &self,
        meaning: &Meaning,
        left: Option<&Meaning>,
        args: &[Ty],
    ) -> Option<(Ty, Option<TypeId>)> {
        match *meaning {
            Meaning::Type { def, outer } => {
                let is_open = args.iter().any(|arg| arg.is_none())
                    || matches!(left, Some(Meaning::Alias(ty)) if matches!(self.kind(*ty), TyKind::Unbound(_)));
                let ty = if is_open {
                    self.intern(TyKind::Unbound(def))
                } else {
                    self.construct(def, outer, args)
                };
                Some((ty, Some(def)))
            }
            Meaning::Alias(ty) => Some((ty, self.def_of(ty))),
            Meaning::Param(param) => Some((self.param_type(param), None)),
            Meaning::Namespace(_) | Meaning::Ambiguous(_) | Meaning::Unknown => None,
        }
    }

    /// An array type from the ranks of `T[][,]` in the order of the source, which is from the outermost inwards.
    pub(super) fn arrays(&self, element: Ty, ranks: &[u8]) -> Ty {
        let mut ranks = ranks.iter().rev();
        ranks
            .try_fold(element, |ty, &rank| Some(self.array(ty, rank)))
            .unwrap_or(element)
    }

    pub(super) fn tuple_of(&self, elements: Vec<Ty>, names: Vec<Option<Name>>) -> Ty {
        match elements.len() {
            0 => Ty::ERROR,
            1 => elements[0],
            _ => self.intern(TyKind::Tuple {
                elements: elements.into(),
                names: names.into(),
            }),
        }
    }
}

/// Whether the last name may stand for one with `Attribute` after it.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Suffix {
    AsWritten,
    Attribute,
}

struct TypeReader<'r, 'w> {
    c: &'r Compilation<'w>,
    at: &'r Scope,
    facts: &'r FileFacts,
    sink: &'r mut dyn TypeRefSink,
}

impl TypeReader<'_, '_> {
    fn read(&mut self, ty: &TypeSyntax, depth: u32) -> Ty {
        if depth > MAX_DEPTH {
            return Ty::ERROR;
        }
        let c = self.c;
        let depth = depth + 1;
        match ty {
            TypeSyntax::Named(segments) => match self.named(segments, Suffix::AsWritten, depth) {
                Meaning::Alias(ty) => ty,
                _ => Ty::ERROR,
            },
            TypeSyntax::Predefined(keyword) => self.predefined(self.facts.name(*keyword)),
            TypeSyntax::Array(element, rank) => {
                // The syntax nests from the right: what stands last is the outermost node.
                let mut ranks: SmallVec<[u8; 4]> = SmallVec::from_slice(&[*rank]);
                let mut element = &**element;
                while let TypeSyntax::Array(inner, rank) = element {
                    ranks.push(*rank);
                    element = inner;
                }
                ranks.reverse();
                let element = self.read(element, depth);
                c.arrays(element, &ranks)
            }
            TypeSyntax::Nullable(inner) => {
                let inner = self.read(inner, depth);
                c.nullable(inner)
            }
            TypeSyntax::Pointer(inner) => {
                let inner = self.read(inner, depth);
                c.intern(TyKind::Pointer(inner))
            }
            TypeSyntax::Tuple(elements) => {
                let types = elements
                    .iter()
                    .map(|(ty, _)| self.read(ty, depth))
                    .collect();
                let names = elements
                    .iter()
                    .map(|(_, name)| name.map(|name| c.name(self.facts.name(name))));
                c.tuple_of(types, names.collect())
            }
            TypeSyntax::Ref(inner) | TypeSyntax::RefReadonly(inner) => self.read(inner, depth),
            TypeSyntax::FunctionPointer(_, parts) => {
                let parts = parts.iter().map(|part| self.read(part, depth));
                let parts = parts.collect();
                c.intern(TyKind::FunctionPointer(parts))
            }
            TypeSyntax::Unknown => Ty::ERROR,
        }
    }

    /// A keyword; `nint` and `nuint` are names as well.
    fn predefined(&self, keyword: &str) -> Ty {
        if !matches!(keyword, "nint" | "nuint") {
            return self.c.predefined(keyword);
        }
        let name = self.c.name(keyword);
        let found = self.c.lookup_type_name(self.at, name, 0);
        let contextual = || self.c.contextual_type(name).unwrap_or(Ty::ERROR);
        self.c
            .apply(&found, None, &[])
            .map_or_else(contextual, |(ty, _)| ty)
    }

    /// A dotted name; a type is told as [`Meaning::Alias`].
    fn named(&mut self, segments: &[NameSegment], suffix: Suffix, depth: u32) -> Meaning {
        let mut left: Option<Meaning> = None;
        for (index, segment) in segments.iter().enumerate() {
            let Some(reference) = self.facts.refs.get(segment.reference as usize) else {
                return Meaning::Unknown;
            };
            let (offset, arity) = (reference.offset, reference.arity);
            let name = self.c.name(self.facts.name(reference.name));
            let args = self.arguments(segment, depth);
            if left.is_none() && reference.context == RefContext::Alias {
                self.sink.alias_before_colons(self.at, offset, name);
                left = Some(self.c.lookup_alias_name(self.at, name));
                continue;
            }
            let is_last = index + 1 == segments.len();
            let found = match &left {
                _ if is_last && suffix == Suffix::Attribute => {
                    self.c
                        .lookup_attribute_in(self.at, left.as_ref(), name, arity)
                }
                Some(left) => self.c.lookup_qualified(self.at, left, name, arity),
                None => self.c.lookup_type_name(self.at, name, arity),
            };
            let applied = self.c.apply(&found, left.as_ref(), &args);
            self.sink
                .resolved(self.at, offset, name, &found, left.is_none());
            left = Some(match (found, applied) {
                (_, Some((ty, def))) => {
                    if let Some(def) = def {
                        self.sink.found(offset, def);
                        self.sink.constructed(offset, ty);
                    }
                    Meaning::Alias(ty)
                }
                (found @ Meaning::Namespace(_), None) => found,
                (Meaning::Ambiguous(_), None) => {
                    self.sink.unbound(offset, Why::Ambiguous);
                    Meaning::Unknown
                }
                (_, None) => {
                    let contextual = self.c.contextual_type(name);
                    match contextual.filter(|_| segments.len() == 1 && arity == 0) {
                        Some(ty) => Meaning::Alias(ty),
                        None => {
                            self.sink.unbound(offset, Why::NotFound);
                            Meaning::Unknown
                        }
                    }
                }
            });
        }
        left.unwrap_or(Meaning::Unknown)
    }

    fn arguments(&mut self, segment: &NameSegment, depth: u32) -> SmallVec<[Ty; 4]> {
        let args = segment.arguments.iter().map(|argument| match argument {
            TypeSyntax::Unknown => Ty::NONE,
            argument => self.read(argument, depth + 1),
        });
        args.collect()
    }
}
