//! Which types of this repository the headers of declarations name: bases, signatures, attributes.
//!
//! Canonical texts, hashes and bases must be functions of the repository alone, and an update must know the
//! bases before `cortex-semantics` can bind anything (`docs/decisions/008-headers-are-bound-on-their-own.md`).
//! Rules by section of the C# specification: §7.8 namespace and type names, §7.5 accessibility, §22.3
//! attributes. Must not know: types from outside, expressions, members.

use std::{rc::Rc, sync::Arc};

use cortex_model::{Accessibility, DeclKind, TypeKey};
use cortex_syntax::{
    Constraint, Decl, DeclId, FileFacts, NameId, RefContext, Reference, TypeSyntax, UsingKind,
};
use rustc_hash::FxHashMap;

use crate::{
    scope::{FileScope, GlobalUsing, InternalsVisible, dotted_name},
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

/// What the using directives of one namespace declaration bring in.
#[derive(Default)]
struct Imports {
    namespaces: Vec<Rc<str>>,
    statics: Vec<TypeKey>,
    aliases: Vec<(String, Bound)>,
}

/// Base lists that loop (an error in C#) end after this many steps.
const MAX_BASES: usize = 256;

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

    /// A type and its source bases, breadth first, each once.
    fn with_bases(&self, key: TypeKey) -> impl Iterator<Item = TypeKey> + '_ {
        let mut queue = vec![key];
        let mut next = 0;
        std::iter::from_fn(move || {
            let current = *queue.get(next)?;
            next += 1;
            if queue.len() < MAX_BASES && self.inherited == InheritedTypes::Found {
                for &base in self.universe.bases(current).iter() {
                    if !queue.contains(&base) {
                        queue.push(base);
                    }
                }
            }
            Some(current)
        })
    }

    /// §22.3: `[X]` means `XAttribute` or `X`.
    fn attribute(&mut self, reference: &Reference, at: DeclId) -> Bound {
        let name = format!("{}Attribute", self.file.facts.name(reference.name));
        let candidates = self.universe.types_named(&name);
        if !candidates.is_empty() {
            let found = self.simple_among(
                &name,
                &candidates,
                reference.arity,
                Some(at),
                Position::Type,
            );
            if found != Bound::Unresolved {
                return found;
            }
        }
        self.simple(reference.name, reference.arity, at, Position::Type)
    }

    fn candidates(&mut self, name: NameId) -> Arc<[TypeSymbol]> {
        let universe = self.universe;
        let text = self.file.facts.name(name);
        self.named
            .entry(name)
            .or_insert_with(|| universe.types_named(text))
            .clone()
    }

    /// §7.8.1, a simple name: inner to outer. Memoized by scope, since a file repeats its names.
    fn simple(&mut self, name: NameId, arity: u16, at: DeclId, position: Position) -> Bound {
        let scope = Some(self.scope_of(at));
        // The header of a member stands in the body of its type.
        let position = if scope == Some(at) {
            position
        } else {
            Position::Type
        };
        if let Some(bound) = self.resolved.get(&(scope, name, arity, position)) {
            return bound.clone();
        }
        let candidates = self.candidates(name);
        let facts = self.file.facts;
        let bound = self.simple_among(facts.name(name), &candidates, arity, scope, position);
        self.resolved
            .insert((scope, name, arity, position), bound.clone());
        bound
    }

    /// The declaration that decides what simple names mean at `at`: a generic method, a type or a namespace.
    fn scope_of(&self, at: DeclId) -> DeclId {
        let decl = &self.file.facts.decls[at as usize];
        let opens_scope = !decl.type_params.is_empty() || !decl.kind.is_member();
        if opens_scope {
            at
        } else {
            decl.parent.unwrap_or(at)
        }
    }

    fn simple_among(
        &mut self,
        name: &str,
        candidates: &[TypeSymbol],
        arity: u16,
        at: Option<DeclId>,
        position: Position,
    ) -> Bound {
        let facts = self.file.facts;
        let mut next = at;
        while let Some(id) = next {
            let decl = &facts.decls[id as usize];
            next = decl.parent;
            if arity == 0
                && decl
                    .type_params
                    .iter()
                    .any(|param| facts.name(param.name) == name)
            {
                return Bound::TypeParameter;
            }
            let found = if decl.kind == DeclKind::Namespace {
                self.in_namespace_declaration(name, candidates, arity, id, at)
            } else if let Some(index) =
                self.type_of_decl[id as usize].filter(|&i| self.types[i].decl == id)
            {
                let key = self.types[index].symbol.key;
                match position {
                    Position::Header if Some(id) == at => continue,
                    _ => self.nested(key, candidates, arity, at),
                }
            } else {
                continue;
            };
            if found != Bound::Unresolved {
                return found;
            }
        }
        // The compilation unit: the global namespace, then its usings.
        let found = self.in_namespace("", name, candidates, arity);
        if found != Bound::Unresolved {
            return found;
        }
        self.through_imports(None, name, candidates, arity, at)
    }

    /// `namespace A.B.C` is three namespaces; the directives belong to the innermost.
    fn in_namespace_declaration(
        &mut self,
        name: &str,
        candidates: &[TypeSymbol],
        arity: u16,
        id: DeclId,
        at: Option<DeclId>,
    ) -> Bound {
        let full = self.namespace_of(id);
        let found = self.in_namespace(&full, name, candidates, arity);
        if found != Bound::Unresolved {
            return found;
        }
        let found = self.through_imports(Some(id), name, candidates, arity, at);
        if found != Bound::Unresolved {
            return found;
        }
        self.in_outer_levels(&full, name, candidates, arity, id)
    }

    /// The levels of a dotted namespace declaration outside of its innermost.
    fn in_outer_levels(
        &self,
        full: &str,
        name: &str,
        candidates: &[TypeSymbol],
        arity: u16,
        id: DeclId,
    ) -> Bound {
        let outer = self.file.facts.decls[id as usize]
            .parent
            .map_or(0, |parent| self.namespace_of(parent).len());
        let mut rest = full;
        while let Some(end) = rest.rfind('.').filter(|&end| end > outer) {
            rest = &rest[..end];
            let found = self.in_namespace(rest, name, candidates, arity);
            if found != Bound::Unresolved {
                return found;
            }
        }
        Bound::Unresolved
    }

    /// The full name of a namespace declaration.
    fn namespace_of(&self, id: DeclId) -> String {
        let facts = self.file.facts;
        let mut parts = Vec::new();
        let mut next = Some(id);
        while let Some(id) = next {
            let decl = &facts.decls[id as usize];
            parts.push(facts.name(decl.name));
            next = decl.parent;
        }
        parts.reverse();
        parts.join(".")
    }

    /// The namespace or type `name` of one namespace (§7.8.1: the namespace first).
    fn in_namespace(
        &self,
        namespace: &str,
        name: &str,
        candidates: &[TypeSymbol],
        arity: u16,
    ) -> Bound {
        let types = self.choose(candidates.iter().filter(|symbol| {
            symbol.outer.is_none()
                && symbol.arity == u32::from(arity)
                && symbol.namespace() == namespace
        }));
        if types != Bound::Unresolved || arity > 0 {
            return types;
        }
        let child = if namespace.is_empty() {
            name.to_owned()
        } else {
            format!("{namespace}.{name}")
        };
        if self.universe.has_namespace(&child) {
            Bound::Namespace(child.into())
        } else {
            Bound::Unresolved
        }
    }

    fn in_namespace_or_child(&mut self, namespace: &str, reference: &Reference) -> Bound {
        self.with_suffix(reference, |headers, name, candidates| {
            headers.in_namespace(namespace, name, candidates, reference.arity)
        })
    }

    fn nested_after_dot(&mut self, outer: TypeKey, reference: &Reference, at: DeclId) -> Bound {
        self.with_suffix(reference, |headers, _, candidates| {
            headers.nested(outer, candidates, reference.arity, Some(at))
        })
    }

    /// Looks a qualified name up, for an attribute with its suffix first (§22.3).
    fn with_suffix(
        &mut self,
        reference: &Reference,
        find: impl Fn(&Self, &str, &[TypeSymbol]) -> Bound,
    ) -> Bound {
        let facts = self.file.facts;
        if reference.context == RefContext::Attribute {
            let name = format!("{}Attribute", facts.name(reference.name));
            let found = find(self, &name, &self.universe.types_named(&name));
            if found != Bound::Unresolved {
                return found;
            }
        }
        let candidates = self.candidates(reference.name);
        find(self, facts.name(reference.name), &candidates)
    }

    /// A nested type of a type or of its bases, nearest first (§7.8.1, §10.3.5).
    fn nested(
        &self,
        outer: TypeKey,
        candidates: &[TypeSymbol],
        arity: u16,
        at: Option<DeclId>,
    ) -> Bound {
        if !candidates
            .iter()
            .any(|symbol| symbol.outer.is_some() && symbol.arity == u32::from(arity))
        {
            return Bound::Unresolved;
        }
        for container in self.with_bases(outer) {
            let found = self.nested_in(container, candidates, arity, at);
            if found != Bound::Unresolved {
                return found;
            }
        }
        Bound::Unresolved
    }

    /// An accessible nested type that a type declares itself.
    fn nested_in(
        &self,
        container: TypeKey,
        candidates: &[TypeSymbol],
        arity: u16,
        at: Option<DeclId>,
    ) -> Bound {
        self.choose(candidates.iter().filter(|symbol| {
            symbol.outer == Some(container)
                && symbol.arity == u32::from(arity)
                && self.is_accessible(symbol, container, at)
        }))
    }

    /// §7.5.2: whether a nested type can be named at `at`; assemblies are looked at elsewhere.
    fn is_accessible(&self, symbol: &TypeSymbol, container: TypeKey, at: Option<DeclId>) -> bool {
        match symbol.accessibility {
            Accessibility::Private => self.is_inside(container, at),
            Accessibility::Protected | Accessibility::PrivateProtected => {
                self.is_inside_derived(container, at)
            }
            Accessibility::ProtectedInternal => {
                self.file.project.sees(&symbol.project) == Some(InternalsVisible::Yes)
                    || self.is_inside_derived(container, at)
            }
            Accessibility::File | Accessibility::Internal | Accessibility::Public => true,
        }
    }

    /// Whether a type around `at` is, or derives from, `base`; assumed while bases are unknown.
    fn is_inside_derived(&self, base: TypeKey, at: Option<DeclId>) -> bool {
        if self.inherited == InheritedTypes::Ignored {
            return true;
        }
        let mut ty = at.and_then(|at| self.type_of_decl[at as usize]);
        while let Some(index) = ty {
            if self
                .with_bases(self.types[index].symbol.key)
                .any(|key| key == base)
            {
                return true;
            }
            ty = self.types[index].outer;
        }
        false
    }

    fn is_inside(&self, container: TypeKey, at: Option<DeclId>) -> bool {
        let mut ty = at.and_then(|at| self.type_of_decl[at as usize]);
        while let Some(index) = ty {
            if self.types[index].symbol.key == container {
                return true;
            }
            ty = self.types[index].outer;
        }
        false
    }

    /// Picks among types of one container: visible ones only; the own project's wins (CS0436).
    fn choose<'s>(&self, candidates: impl Iterator<Item = &'s TypeSymbol>) -> Bound {
        let own = self.file.project.path.as_ref();
        let mut chosen: Vec<&TypeSymbol> = candidates
            .filter(|symbol| self.is_visible(symbol))
            .collect();
        if chosen.len() > 1 {
            let file_local = chosen.iter().any(|symbol| symbol.file.is_some());
            let has_own = chosen.iter().any(|symbol| Some(&symbol.project) == own);
            chosen.retain(|symbol| {
                (!file_local || symbol.file.is_some()) && (!has_own || Some(&symbol.project) == own)
            });
        }
        match chosen.as_slice() {
            [] => Bound::Unresolved,
            [one] => Bound::Type(one.key),
            _ => Bound::Ambiguous,
        }
    }

    fn is_visible(&self, symbol: &TypeSymbol) -> bool {
        if symbol
            .file
            .as_ref()
            .is_some_and(|file| file != self.file.path)
        {
            return false;
        }
        match self.file.project.sees(&symbol.project) {
            None => false,
            Some(InternalsVisible::Yes) => true,
            Some(InternalsVisible::No) => !matches!(
                symbol.accessibility,
                Accessibility::Internal
                    | Accessibility::File
                    | Accessibility::PrivateProtected
                    | Accessibility::Private
            ),
        }
    }

    /// Aliases, then the types of imported namespaces and static types (§7.8.1, second half).
    fn through_imports(
        &mut self,
        of: Option<DeclId>,
        name: &str,
        candidates: &[TypeSymbol],
        arity: u16,
        at: Option<DeclId>,
    ) -> Bound {
        let imports = self.imports(of);
        if arity == 0
            && let Some((_, bound)) = imports.aliases.iter().find(|(alias, _)| alias == name)
        {
            return bound.clone();
        }
        if candidates.is_empty() {
            return Bound::Unresolved;
        }
        self.choose(candidates.iter().filter(|symbol| {
            symbol.arity == u32::from(arity)
                && match symbol.outer {
                    None => imports
                        .namespaces
                        .iter()
                        .any(|namespace| **namespace == *symbol.namespace()),
                    Some(outer) => {
                        imports
                            .statics
                            .iter()
                            .any(|&ty| self.with_bases(ty).any(|key| key == outer))
                            && self.is_accessible(symbol, outer, at)
                    }
                }
        }))
    }

    /// What the directives of a namespace declaration or of the file bring in.
    fn imports(&mut self, of: Option<DeclId>) -> Rc<Imports> {
        if let Some(imports) = self.imports.get(&of) {
            return imports.clone();
        }
        // Outermost first, since the targets of inner directives are found through outer ones.
        let mut scopes = vec![None];
        let mut next = of;
        while let Some(id) = next {
            scopes.insert(1, Some(id));
            next = self.file.facts.decls[id as usize].parent;
        }
        for scope in scopes {
            if !self.imports.contains_key(&scope) {
                let imports = Rc::new(self.read_imports(scope));
                self.imports.insert(scope, imports);
            }
        }
        self.imports[&of].clone()
    }

    fn read_imports(&mut self, of: Option<DeclId>) -> Imports {
        let mut imports = Imports::default();
        let facts = self.file.facts;
        for using in facts
            .usings
            .iter()
            .filter(|using| using.scope == of && !using.global)
        {
            let Some(target) = dotted_name(facts, &using.target) else {
                if let UsingKind::Alias(alias) = using.kind {
                    imports
                        .aliases
                        .push((facts.name(alias).to_owned(), Bound::Unresolved));
                }
                continue;
            };
            let from = if is_global(facts, &using.target) {
                None
            } else {
                of
            };
            let bound = self.target(&target, from);
            match using.kind {
                UsingKind::Namespace => match bound {
                    Bound::Namespace(namespace) => imports.namespaces.push(namespace),
                    _ => imports.namespaces.push(target.as_str().into()),
                },
                UsingKind::Static => imports.statics.extend(as_type(&bound)),
                UsingKind::Alias(alias) => {
                    imports.aliases.push((facts.name(alias).to_owned(), bound))
                }
                UsingKind::ExternAlias(_) => {}
            }
        }
        if of.is_none() {
            for using in &self.file.project.usings {
                match using {
                    GlobalUsing::Namespace(namespace) => {
                        imports.namespaces.push(namespace.as_str().into())
                    }
                    GlobalUsing::Static(target) => {
                        let bound = self.target(target, None);
                        imports.statics.extend(as_type(&bound));
                    }
                    GlobalUsing::Alias(alias, target) => {
                        let bound = self.target(target, None);
                        imports.aliases.push((alias.clone(), bound));
                    }
                }
            }
        }
        imports
    }

    /// What ``A.B`2.C`` means in a directive of `of` (§14.5): without the directives beside it, but
    /// with those of the declarations around.
    fn target(&mut self, name: &str, of: Option<DeclId>) -> Bound {
        let mut segments = name.split('.');
        let (first, arity) = split_arity(segments.next().unwrap_or(name));
        let candidates = self.universe.types_named(first);
        let mut bound = match of {
            None => self.in_namespace("", first, &candidates, arity),
            Some(id) => {
                let full = self.namespace_of(id);
                match self.in_namespace(&full, first, &candidates, arity) {
                    Bound::Unresolved => self.in_outer_levels(&full, first, &candidates, arity, id),
                    found => found,
                }
            }
        };
        if let (Bound::Unresolved, Some(id)) = (&bound, of) {
            let around = self.file.facts.decls[id as usize].parent;
            bound = self.simple_among(first, &candidates, arity, around, Position::Type);
        }
        for segment in segments {
            bound = match bound {
                Bound::Namespace(current) => self.segment_in(&current, segment),
                Bound::Type(outer) => {
                    let (name, arity) = split_arity(segment);
                    self.nested(outer, &self.universe.types_named(name), arity, None)
                }
                _ => return Bound::Unresolved,
            };
        }
        bound
    }

    fn segment_in(&self, namespace: &str, segment: &str) -> Bound {
        let (name, arity) = split_arity(segment);
        self.in_namespace(namespace, name, &self.universe.types_named(name), arity)
    }

    /// §14.8: `global::` and names of extern aliases and using aliases.
    fn alias(&mut self, reference: &Reference, at: DeclId) -> Bound {
        let name = self.file.facts.name(reference.name);
        if name == "global" {
            return Bound::Namespace("".into());
        }
        self.simple(reference.name, 0, at, Position::Type)
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

/// Whether a written name starts with `global::`.
fn is_global(facts: &FileFacts, ty: &TypeSyntax) -> bool {
    let TypeSyntax::Named(segments) = ty else {
        return false;
    };
    let first = segments
        .first()
        .and_then(|segment| facts.refs.get(segment.reference as usize));
    segments.len() > 1 && first.is_some_and(|reference| facts.name(reference.name) == "global")
}

fn split_arity(segment: &str) -> (&str, u16) {
    match segment.split_once('`') {
        Some((name, arity)) => (name, arity.parse().unwrap_or(0)),
        None => (segment, 0),
    }
}
