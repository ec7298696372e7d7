//! Name lookup: which type or namespace a written name means.
//!
//! Rules by section of the C# specification: §7.8 namespace and type names, §7.5 accessibility,
//! §12.8.4 simple names (as far as types are concerned), §22.3 attributes.

use std::{rc::Rc, sync::Arc};

use cortex_model::{Accessibility, DeclKind, TypeKey};
use cortex_syntax::{DeclId, FileFacts, NameId, RefContext, Reference, TypeSyntax, UsingKind};
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
    /// Whether a type itself declares a member of this name (types not counted).
    fn has_member(&self, of: TypeKey, name: &str) -> bool;
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
    /// A local, a parameter or a member: no type.
    Value,
    /// Several types that the language does not choose between, sorted by key.
    Ambiguous(Vec<TypeKey>),
    /// Nothing declared in this repository.
    Unresolved,
}

/// Binds the names of one file. Holds caches: use one per file.
pub(crate) struct Lookup<'a> {
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

/// What a simple name may mean where it stands.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
enum Position {
    /// A type, seen from inside of the innermost type around it.
    Type,
    /// A type in what stands before the body of a type: its bases, constraints and primary
    /// parameters. The members of a type are in scope in its body alone (C# specification, §7.7.1).
    Header,
    /// A type or a value.
    Expression,
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

impl<'a> Lookup<'a> {
    pub(crate) fn new(
        file: FileScope<'a>,
        types: &'a [DeclaredType],
        universe: &'a dyn Universe,
        inherited: InheritedTypes,
    ) -> Self {
        let mut type_of_decl: Vec<Option<usize>> = vec![None; file.facts.decls.len()];
        let mut next = 0;
        for (id, decl) in file.facts.decls.iter().enumerate() {
            type_of_decl[id] = decl.parent.and_then(|parent| type_of_decl[parent as usize]);
            if types.get(next).is_some_and(|ty| ty.decl as usize == id) {
                type_of_decl[id] = Some(next);
                next += 1;
            }
        }
        Self {
            file,
            universe,
            types,
            type_of_decl,
            named: FxHashMap::default(),
            resolved: FxHashMap::default(),
            imports: FxHashMap::default(),
            inherited,
        }
    }

    /// Binds every reference of the file; `enclosing` gives each one's innermost declaration.
    pub(crate) fn bind_all(&mut self, enclosing: &[Option<DeclId>]) -> Vec<Bound> {
        let mut bound: Vec<Bound> = Vec::with_capacity(self.file.facts.refs.len());
        for (id, reference) in self.file.facts.refs.iter().enumerate() {
            let left =
                (reference.qualifier > 0).then(|| bound[id - reference.qualifier as usize].clone());
            bound.push(self.bind(reference, left, enclosing[id]));
        }
        bound
    }

    /// Binds one reference, given what its qualifier means.
    pub(crate) fn bind(
        &mut self,
        reference: &Reference,
        left: Option<Bound>,
        at: Option<DeclId>,
    ) -> Bound {
        use RefContext as C;
        match reference.context {
            C::ArgumentName | C::Initializer | C::PatternMember => return Bound::Value,
            C::Alias => return self.alias(reference, at),
            C::Member | C::MemberCall | C::MemberWrite if left.is_none() => return Bound::Value,
            C::Call | C::Value | C::Write if left.is_none() => {
                // A type is no value: only a member, generic or not, can stand here alone.
                return if reference.shadowed {
                    Bound::Value
                } else {
                    Bound::Unresolved
                };
            }
            _ => {}
        }
        if let Some(left) = left {
            return match left {
                Bound::Namespace(namespace) => self.in_namespace_or_child(&namespace, reference),
                Bound::Type(outer) => self.nested_or_member(outer, reference, at),
                Bound::Unresolved => Bound::Unresolved,
                _ => Bound::Value,
            };
        }
        if reference.shadowed {
            return if reference.context.is_type_position() {
                Bound::TypeParameter
            } else {
                Bound::Value
            };
        }
        if reference.context == C::Attribute {
            return self.attribute(reference, at);
        }
        let position = match reference.context {
            C::Head | C::NameOf | C::Pattern => Position::Expression,
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
    fn attribute(&mut self, reference: &Reference, at: Option<DeclId>) -> Bound {
        let name = format!("{}Attribute", self.file.facts.name(reference.name));
        let candidates = self.universe.types_named(&name);
        if !candidates.is_empty() {
            let found = self.simple_among(&name, &candidates, reference.arity, at, Position::Type);
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
    fn simple(
        &mut self,
        name: NameId,
        arity: u16,
        at: Option<DeclId>,
        position: Position,
    ) -> Bound {
        let scope = at.map(|at| self.scope_of(at));
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
                    Position::Expression if arity == 0 => {
                        self.nested_or_value(key, id, name, candidates, at)
                    }
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

    /// §12.8.4: of one type and its bases the nearest nested type or other member of a name; then a
    /// parameter of the type's primary constructor.
    ///
    /// Where a member and a type outside have one name (Color Color, §12.8.7.2), the member is
    /// taken: its declaration names the type already.
    fn nested_or_value(
        &self,
        ty: TypeKey,
        decl: DeclId,
        name: &str,
        candidates: &[TypeSymbol],
        at: Option<DeclId>,
    ) -> Bound {
        for container in self.with_bases(ty) {
            let found = self.nested_in(container, candidates, 0, at);
            if found != Bound::Unresolved {
                return found;
            }
            if self.universe.has_member(container, name) {
                return Bound::Value;
            }
        }
        let facts = self.file.facts;
        let mut params = facts.decls[decl as usize].params.iter().flatten();
        if params.any(|param| facts.name(param.name) == name) {
            Bound::Value
        } else {
            Bound::Unresolved
        }
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
        self.with_suffix(reference, |lookup, name, candidates| {
            lookup.in_namespace(namespace, name, candidates, reference.arity)
        })
    }

    fn nested_or_member(
        &mut self,
        outer: TypeKey,
        reference: &Reference,
        at: Option<DeclId>,
    ) -> Bound {
        let found = self.with_suffix(reference, |lookup, _, candidates| {
            lookup.nested(outer, candidates, reference.arity, at)
        });
        match found {
            Bound::Unresolved if !reference.context.is_type_position() => Bound::Value,
            found => found,
        }
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
            several => Bound::Ambiguous(several.iter().map(|symbol| symbol.key).collect()),
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
    fn alias(&mut self, reference: &Reference, at: Option<DeclId>) -> Bound {
        let name = self.file.facts.name(reference.name);
        if name == "global" {
            return Bound::Namespace("".into());
        }
        self.simple(reference.name, 0, at, Position::Type)
    }
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
