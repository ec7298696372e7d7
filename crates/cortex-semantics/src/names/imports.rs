//! What using directives bring in (§14.5).
//!
//! Imported namespaces are known at once; aliases and `using static` are bound when a name asks for them,
//! since their targets may lead through types whose base lists are looked up through the same directives.

use std::{
    cell::{Cell, OnceCell},
    rc::Rc,
};

use cortex_bind::GlobalUsing;
use cortex_syntax::{FileFacts, RefContext, TypeSyntax, Using, UsingKind};
use smallvec::SmallVec;

use super::{Ignore, Meaning, Position, Scope, TypeRefSink, scope::NamespaceScope};
use crate::{
    compilation::Compilation,
    local_names::LocalSymbol,
    name::{Name, known},
    symbol::{ProjectId, TypeId, UnitId},
    ty::Ty,
};

/// The directives of one namespace declaration, or the global ones of a project.
#[derive(Default)]
pub(crate) struct Imports {
    /// Imported namespaces, each once.
    pub(super) namespaces: Vec<Name>,
    pub(super) aliases: Vec<(Name, Target)>,
    pub(super) statics: Vec<Target>,
    /// At the top of a file: the global directives of its project.
    pub(super) global: Option<Rc<Imports>>,
}

/// What an alias or `using static` names.
pub(super) struct Target {
    written: Written,
    loading: Cell<bool>,
    found: OnceCell<Meaning>,
}

enum Written {
    /// A directive of a file, by its index, in the namespace declaration of an index.
    Directive(UnitId, usize, u32),
    /// A project's `Using` item: dotted, arity after a backtick.
    Item(Box<str>),
    /// An extern alias, by the index of its directive: whatever assembly it names, its names are looked up
    /// everywhere.
    Extern(UnitId, usize),
}

impl Written {
    fn target(self) -> Target {
        Target {
            written: self,
            loading: Cell::new(false),
            found: OnceCell::new(),
        }
    }
}

impl Target {
    /// The directive that declares it as an alias; `None` for an item of a project file.
    pub(super) fn directive(&self) -> Option<LocalSymbol> {
        match self.written {
            Written::Directive(unit, number, _) | Written::Extern(unit, number) => {
                Some(LocalSymbol::Alias(unit, number as u32))
            }
            Written::Item(_) => None,
        }
    }

    /// Whether it is an extern alias.
    pub(super) fn is_extern(&self) -> bool {
        matches!(self.written, Written::Extern(..))
    }
}

impl Imports {
    fn push_namespace(&mut self, namespace: Name) {
        if !self.namespaces.contains(&namespace) {
            self.namespaces.push(namespace);
        }
    }

    /// These and the global ones.
    pub(super) fn both(&self) -> impl Iterator<Item = &Imports> {
        std::iter::once(self).chain(self.global.as_deref())
    }

    /// What an alias names.
    pub(super) fn alias(&self, name: Name) -> Option<&Target> {
        let mut aliases = self.both().flat_map(|imports| &imports.aliases);
        let (_, target) = aliases.find(|(alias, _)| *alias == name)?;
        Some(target)
    }

    /// Whether `using static` brings anything in.
    pub(super) fn has_statics(&self) -> bool {
        self.both().any(|imports| !imports.statics.is_empty())
    }

    /// Every imported namespace, once.
    pub(super) fn all_namespaces(&self) -> impl Iterator<Item = Name> + '_ {
        let global = self.global.as_deref();
        let others = global.map_or(&[][..], |global| &global.namespaces);
        let own = self.namespaces.iter().copied();
        own.chain(
            others
                .iter()
                .copied()
                .filter(|namespace| !self.namespaces.contains(namespace)),
        )
    }
}

impl Compilation<'_> {
    /// The directives of `scopes[index]`; those before it are complete.
    pub(super) fn read_imports(
        &self,
        unit: UnitId,
        facts: &FileFacts,
        scopes: &[NamespaceScope],
        index: usize,
    ) -> Imports {
        let project = self.unit(unit).key.project;
        let mut imports = Imports::default();
        let usings = facts.usings.iter().enumerate();
        for (number, using) in
            usings.filter(|(_, using)| using.scope == scopes[index].decl() && !using.global)
        {
            let directive = (unit, number, index as u32);
            self.read_using(&mut imports, facts, using, directive, |segments| {
                self.imported_namespace(project, scopes, index, segments)
            });
        }
        if index == 0 {
            imports.global = Some(self.global_imports(project));
        }
        imports
    }

    fn read_using(
        &self,
        imports: &mut Imports,
        facts: &FileFacts,
        using: &Using,
        directive: (UnitId, usize, u32),
        namespace: impl Fn(&[Name]) -> Option<Name>,
    ) {
        let (unit, number, scope) = directive;
        let target = || Written::Directive(unit, number, scope).target();
        let external = || Written::Extern(unit, number);
        match using.kind {
            UsingKind::Namespace => {
                let segments = self.segments(facts, &using.target);
                if let Some(found) = segments.and_then(|segments| namespace(&segments)) {
                    imports.push_namespace(found);
                }
            }
            UsingKind::Static => imports.statics.push(target()),
            UsingKind::Alias(alias) => imports
                .aliases
                .push((self.name(facts.name(alias)), target())),
            UsingKind::ExternAlias(alias) => imports
                .aliases
                .push((self.name(facts.name(alias)), external().target())),
        }
    }

    /// The names of a dotted name, with an empty one for what stands before `::`.
    fn segments(&self, facts: &FileFacts, ty: &TypeSyntax) -> Option<SmallVec<[Name; 6]>> {
        let TypeSyntax::Named(segments) = ty else {
            return None;
        };
        let names = segments.iter().map(|segment| {
            let reference = facts.refs.get(segment.reference as usize)?;
            Some(match reference.context {
                RefContext::Alias => known::EMPTY,
                _ => self.name(facts.name(reference.name)),
            })
        });
        names.collect()
    }

    /// The namespace that a directive names: relative to the namespaces around it, innermost first.
    fn imported_namespace(
        &self,
        project: ProjectId,
        scopes: &[NamespaceScope],
        index: usize,
        segments: &[Name],
    ) -> Option<Name> {
        let (&first, rest) = segments.split_first()?;
        if first == known::EMPTY {
            return self.namespace_below(known::EMPTY, rest);
        }
        let mut at = index;
        loop {
            let scope = &scopes[at];
            for &level in &scope.levels {
                let child = self
                    .child_namespace(level, first)
                    .filter(|&child| self.has_namespace(child, project));
                if let Some(child) = child {
                    // The first name decides.
                    return self.namespace_below(child, rest);
                }
            }
            if at == 0 {
                return None;
            }
            at = scope.parent as usize;
        }
    }

    fn namespace_below(&self, namespace: Name, path: &[Name]) -> Option<Name> {
        let mut names = path.iter().filter(|&&name| name != known::EMPTY);
        names.try_fold(namespace, |namespace, &name| {
            self.child_namespace(namespace, name)
        })
    }

    /// What `global using` directives and the `Using` items of a project bring in.
    pub(super) fn global_imports(&self, project: ProjectId) -> Rc<Imports> {
        if let Some(found) = self.caches.global_imports.borrow().get(&project) {
            return found.clone();
        }
        let view = self.project(project);
        let mut imports = Imports::default();
        for using in &view.usings {
            match using {
                GlobalUsing::Namespace(namespace) => imports.push_namespace(self.name(namespace)),
                GlobalUsing::Static(ty) => {
                    imports
                        .statics
                        .push(Written::Item(ty.as_str().into()).target());
                }
                GlobalUsing::Alias(alias, ty) => imports
                    .aliases
                    .push((self.name(alias), Written::Item(ty.as_str().into()).target())),
            }
        }
        for key in &view.global_using_units {
            let unit = self.unit_id(key);
            let facts = self.unit(unit).facts(self);
            let usings = facts.usings.iter().enumerate();
            for (number, using) in usings.filter(|(_, using)| using.global) {
                let directive = (unit, number, 0);
                self.read_using(&mut imports, &facts, using, directive, |segments| {
                    self.namespace_below(known::EMPTY, segments)
                });
            }
        }
        let found = Rc::new(imports);
        self.caches
            .global_imports
            .borrow_mut()
            .insert(project, found.clone());
        found
    }

    /// What an alias names; [`Ty::ERROR`] where nothing is found, so that the name is not looked up further
    /// out.
    pub(super) fn resolve_alias(&self, at: &Scope, target: &Target) -> Meaning {
        match self.resolve_target(at.project, at.unit, target) {
            Meaning::Unknown => Meaning::Alias(Ty::ERROR),
            found => found,
        }
    }

    /// The type whose static members a directive imports.
    pub(super) fn resolve_static(&self, at: &Scope, target: &Target) -> Option<Ty> {
        match self.resolve_target(at.project, at.unit, target) {
            Meaning::Alias(ty) if self.def_of(ty).is_some() => Some(ty),
            _ => None,
        }
    }

    /// The types whose static members the global directives of a project import.
    pub(crate) fn global_statics(&self, at: &Scope) -> Vec<Ty> {
        let imports = self.global_imports(at.project);
        let found = imports.statics.iter();
        found
            .filter_map(|target| self.resolve_static(at, target))
            .collect()
    }

    fn resolve_target(&self, project: ProjectId, at: UnitId, target: &Target) -> Meaning {
        if let Some(found) = target.found.get() {
            return found.clone();
        }
        if target.loading.replace(true) {
            self.unsettle();
            return Meaning::Unknown;
        }
        let before = self.caches.unsettled.get();
        let found = match &target.written {
            Written::Extern(..) => Meaning::Namespace(known::EMPTY),
            Written::Item(text) => self.bind_item(project, at, text),
            Written::Directive(unit, number, scope) => {
                let facts = self.unit(*unit).facts(self);
                let scopes = self.namespace_scopes(*unit);
                let at = directive_scope(project, *unit, &scopes[*scope as usize]);
                self.bind_name(&at, &facts, &facts.usings[*number].target, &mut Ignore)
            }
        };
        target.loading.set(false);
        if self.caches.unsettled.get() == before {
            // Nobody else has set it: a nested question has met `loading`.
            let _ = target.found.set(found.clone());
        }
        found
    }

    /// Binds the target of one using directive, for who records what it names.
    pub fn bind_using(
        &self,
        unit: UnitId,
        facts: &FileFacts,
        using: &Using,
        sink: &mut dyn TypeRefSink,
    ) {
        let scopes = self.namespace_scopes(unit);
        let scope = scopes.iter().find(|scope| scope.decl() == using.scope);
        if let Some(scope) = scope {
            let at = directive_scope(self.unit(unit).key.project, unit, scope);
            self.bind_name(&at, facts, &using.target, sink);
        }
    }

    /// ``A.B`1.C`` from the global namespace.
    fn bind_item(&self, project: ProjectId, unit: UnitId, text: &str) -> Meaning {
        let at = Scope {
            unit,
            project,
            namespace: None,
            container: None,
            // The compiler reads these from a file of its own.
            position: Position::Project,
            type_params: Vec::new(),
        };
        let mut meaning = Meaning::Namespace(known::EMPTY);
        for segment in text.split('.') {
            let (name, arity) = match segment.split_once('`') {
                Some((name, arity)) => (name, arity.parse().unwrap_or(0)),
                None => (segment, 0),
            };
            meaning = self.lookup_qualified(&at, &meaning, self.name(name), arity);
            if let Meaning::Type { def, outer } = meaning {
                let params = &self.def(def).type_params;
                meaning = Meaning::Alias(if params.is_empty() {
                    self.named(def, &[])
                } else {
                    self.construct_unknown(def, outer)
                });
            }
        }
        meaning
    }

    fn construct_unknown(&self, def: TypeId, outer: Option<Ty>) -> Ty {
        let own = vec![Ty::ERROR; usize::from(self.def(def).arity)];
        self.construct(def, outer, &own)
    }

    /// Says that an answer depends on what is still being loaded.
    pub(super) fn unsettle(&self) {
        let count = self.caches.unsettled.get();
        self.caches.unsettled.set(count.wrapping_add(1));
    }
}

fn directive_scope(project: ProjectId, unit: UnitId, scope: &NamespaceScope) -> Scope {
    Scope {
        unit,
        project,
        namespace: scope.decl(),
        container: None,
        position: Position::Header,
        type_params: Vec::new(),
    }
}
