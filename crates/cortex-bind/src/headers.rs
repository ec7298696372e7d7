//! Which types of this repository the headers of declarations name: bases, signatures, attributes.
//!
//! Canonical texts, hashes and bases must be functions of the repository alone, and an update must know the
//! bases before `cortex-semantics` can bind anything (`docs/decisions/008-headers-are-bound-on-their-own.md`).
//! Rules by section of the C# specification: §7.8 namespace and type names, §7.5 accessibility, §22.3
//! attributes. Must not know: types from outside, expressions, members.

mod accessibility;
mod qualified_names;
mod simple_names;
mod usings;

use std::{rc::Rc, sync::Arc};

use cortex_model::TypeKey;
use cortex_syntax::{
    Constraint, Decl, DeclId, FileFacts, NameId, RefContext, Reference, TypeSyntax,
};
use rustc_hash::FxHashMap;

use self::usings::Imports;
use crate::{
    scope::FileScope,
    symbol::{DeclaredType, TypeSymbol},
};

/// Every type of a snapshot, as lookup asks for it. Answers must not depend on the order of calls.
pub trait Universe: Sync {
    /// The types of a simple name, any arity and container, sorted by key.
    fn types_named(&self, name: &str) -> Arc<[TypeSymbol]>;
    /// Whether any type stands in this namespace or below it.
    fn has_namespace(&self, namespace: &str) -> bool;
    /// Base types declared in source, in order.
    fn bases(&self, of: TypeKey) -> Arc<[TypeKey]>;
    /// The symbol behind a key.
    fn symbol(&self, key: TypeKey) -> Option<TypeSymbol>;
}

/// What a name means.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Bound {
    /// A type of this repository.
    Type(TypeKey),
    /// A namespace with types of this repository in or below it.
    Namespace(Rc<str>),
    /// A generic parameter.
    TypeParameter,
    /// Several types that the language does not choose between.
    Ambiguous,
    /// Nothing declared in this repository.
    Unresolved,
}

/// Binds the headers of one file. Holds caches: use one per file.
pub(crate) struct Headers<'a> {
    pub(crate) file: FileScope<'a>,
    universe: &'a dyn Universe,
    /// The file's types, as [`crate::declared_types`] lists them.
    pub(crate) types: &'a [DeclaredType],
    // By declaration: the innermost type around it, itself included.
    pub(crate) type_of_decl: Vec<Option<usize>>,
    named: FxHashMap<NameId, Arc<[TypeSymbol]>>,
    resolved: FxHashMap<(Option<DeclId>, NameId, u16, Position), Bound>,
    imports: FxHashMap<Option<DeclId>, Rc<Imports>>,
    inherited: InheritedTypes,
}

/// Whether nested types of base types are found.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum InheritedTypes {
    Found,
    /// While base lists themselves are bound: no base is known yet.
    Ignored,
}

/// Where a simple name stands.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
enum Position {
    /// Inside of the innermost type around it.
    Type,
    /// In what stands before the body of a type: its bases, constraints and primary
    /// parameters. The members of a type are in scope in its body alone (C# specification, §7.7.1).
    Header,
}

impl<'a> Headers<'a> {
    pub(crate) fn new(
        file: FileScope<'a>,
        types: &'a [DeclaredType],
        universe: &'a dyn Universe,
        inherited: InheritedTypes,
    ) -> Self {
        Self {
            file,
            universe,
            types,
            type_of_decl: innermost_types(file.facts, types),
            named: FxHashMap::default(),
            resolved: FxHashMap::default(),
            imports: FxHashMap::default(),
            inherited,
        }
    }

    /// Binds every name in a type, `at` the declaration whose header has it.
    fn bind_type(&mut self, ty: &TypeSyntax, at: DeclId, bound: &mut [Bound]) {
        match ty {
            TypeSyntax::Named(segments) => {
                let mut left = None;
                for segment in segments {
                    for argument in &segment.arguments {
                        self.bind_type(argument, at, bound);
                    }
                    let Some(reference) = self.file.facts.refs.get(segment.reference as usize)
                    else {
                        return;
                    };
                    let found = self.bind(reference, left, at);
                    bound[segment.reference as usize] = found.clone();
                    left = Some(found);
                }
            }
            TypeSyntax::Array(inner, _)
            | TypeSyntax::Nullable(inner)
            | TypeSyntax::Pointer(inner)
            | TypeSyntax::Ref(inner)
            | TypeSyntax::RefReadonly(inner) => self.bind_type(inner, at, bound),
            TypeSyntax::Tuple(elements) => {
                for (element, _) in elements {
                    self.bind_type(element, at, bound);
                }
            }
            TypeSyntax::FunctionPointer(_, parts) => {
                for part in parts {
                    self.bind_type(part, at, bound);
                }
            }
            TypeSyntax::Predefined(_) | TypeSyntax::Unknown => {}
        }
    }

    /// Binds one name, given what its qualifier means.
    pub(crate) fn bind(&mut self, reference: &Reference, left: Option<Bound>, at: DeclId) -> Bound {
        use RefContext as C;
        if reference.context == C::Alias {
            return self.alias(reference, at);
        }
        match left {
            Some(Bound::Namespace(namespace)) => {
                return self.in_namespace_or_child(&namespace, reference);
            }
            Some(Bound::Type(outer)) => return self.nested_after_dot(outer, reference, at),
            Some(_) => return Bound::Unresolved,
            None => {}
        }
        if reference.shadowed {
            return Bound::TypeParameter;
        }
        if reference.context == C::Attribute {
            return self.attribute(reference, at);
        }
        let position = match reference.context {
            C::Base | C::Constraint | C::Parameter => Position::Header,
            _ => Position::Type,
        };
        self.simple(reference.name, reference.arity, at, position)
    }
}

/// What the names in the headers of a file's declarations mean, by reference; [`Bound::Unresolved`] for every
/// other name. O(references + names in headers).
pub fn bind_headers(
    file: FileScope<'_>,
    types: &[DeclaredType],
    universe: &dyn Universe,
) -> Vec<Bound> {
    let facts = file.facts;
    let mut headers = Headers::new(file, types, universe, InheritedTypes::Found);
    let mut bound = vec![Bound::Unresolved; facts.refs.len()];
    for (decl, id) in facts.decls.iter().zip(0..) {
        for ty in header_types(decl) {
            headers.bind_type(ty, id, &mut bound);
        }
    }
    bound
}

/// By declaration: the innermost type around it, itself included, as an index into `types`.
pub(crate) fn innermost_types(facts: &FileFacts, types: &[DeclaredType]) -> Vec<Option<usize>> {
    let mut out: Vec<Option<usize>> = Vec::with_capacity(facts.decls.len());
    let mut next = 0;
    for (decl, id) in facts.decls.iter().zip(0..) {
        let around = decl.parent.and_then(|parent| out[parent as usize]);
        let is_type = types.get(next).is_some_and(|ty| ty.decl == id);
        out.push(if is_type { Some(next) } else { around });
        next += usize::from(is_type);
    }
    out
}

/// The types that a declaration says outside of its body.
fn header_types(decl: &Decl) -> impl Iterator<Item = &TypeSyntax> {
    let params = decl.params.iter().flatten();
    let constraints = decl.type_params.iter().flat_map(|param| &param.constraints);
    let constraints = constraints.filter_map(|constraint| match constraint {
        Constraint::Type(ty) => Some(ty),
        Constraint::Keyword(_) => None,
    });
    let attributes = decl.attributes.iter().map(|attribute| &attribute.name);
    (decl.bases.iter())
        .chain(&decl.ty)
        .chain(params.filter_map(|param| param.ty.as_ref()))
        .chain(constraints)
        .chain(attributes)
}

pub(crate) fn as_type(bound: &Bound) -> Option<TypeKey> {
    match bound {
        Bound::Type(key) => Some(*key),
        _ => None,
    }
}
