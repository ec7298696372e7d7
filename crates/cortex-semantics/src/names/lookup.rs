//! §7.8.1: what a simple or qualified name means as a namespace or type.

use super::{
    Access, Meaning, Position, Scope,
    places::{TypesFound, one_of},
    scope::NamespaceScope,
};
use crate::{
    compilation::Compilation,
    local_names::LocalSymbol,
    name::{Name, known},
    symbol::{TypeId, TypeOrigin},
    ty::{Ty, TyKind},
    types::MAX_BASES,
};

impl Compilation<'_> {
    /// §7.8.1: a simple name as a namespace or type.
    pub fn lookup_type_name(&self, at: &Scope, name: Name, arity: u16) -> Meaning {
        if arity == 0
            && let Some(&(_, param)) = at.type_params.iter().rev().find(|(of, _)| *of == name)
        {
            return Meaning::Param(param);
        }
        let index = self.namespace_index(at);
        let key = (index, at.container, at.position, name, arity);
        let memo = &self.unit(at.unit).scopes.meanings;
        if let Some(found) = memo.borrow().get(&key) {
            return found.clone();
        }
        let before = self.caches.unsettled.get();
        let mut found = self.lookup_in_types(at, name, arity);
        if found == Meaning::Unknown {
            found = if at.container.is_none() {
                self.lookup_in_namespaces(at, index, name, arity)
            } else {
                // What namespaces say is the same for all types of the declaration.
                let outside = Scope {
                    container: None,
                    position: Position::Body,
                    type_params: Vec::new(),
                    ..*at
                };
                self.lookup_type_name(&outside, name, arity)
            };
        }
        if self.caches.unsettled.get() == before {
            memo.borrow_mut().insert(key, found.clone());
        }
        found
    }

    /// The type parameters and nested types of the types around a place, inner to outer.
    fn lookup_in_types(&self, at: &Scope, name: Name, arity: u16) -> Meaning {
        let from = self.from(at);
        let mut next = at.container;
        for _ in 0..MAX_BASES {
            let Some(id) = next else { break };
            let def = self.def(id);
            next = def.outer;
            if arity == 0 {
                let first = def.type_params.len() - usize::from(def.arity);
                for &param in &def.type_params[first..] {
                    if self.type_param_name(param) == name {
                        return Meaning::Param(param);
                    }
                }
            }
            if at.position == Position::Header && at.container == Some(id) {
                continue;
            }
            let found = self.lookup_nested(self.instance_type(id), name, arity, from);
            if found != Meaning::Unknown {
                return found;
            }
        }
        Meaning::Unknown
    }

    /// A nested type of a type or of its bases, nearest first; of an interface, of those that it extends.
    pub(super) fn lookup_nested(&self, ty: Ty, name: Name, arity: u16, from: Access) -> Meaning {
        for &class in self.chain(ty).iter() {
            let found = self.nested_in(class, name, arity, from);
            if found != Meaning::Unknown {
                return found;
            }
        }
        if self.is_interface(ty) {
            for &interface in self.all_interfaces(ty).iter() {
                let found = self.nested_in(interface, name, arity, from);
                if found != Meaning::Unknown {
                    return found;
                }
            }
        }
        Meaning::Unknown
    }

    /// An accessible nested type that a constructed type declares itself.
    pub(super) fn nested_in(&self, ty: Ty, name: Name, arity: u16, from: Access) -> Meaning {
        let Some(container) = self.def_of(ty) else {
            return Meaning::Unknown;
        };
        let mut nested = self.nested_named(container, name);
        if nested.is_empty() {
            return Meaning::Unknown;
        }
        nested.retain(|id| self.def(*id).arity == arity && self.is_type_accessible(*id, from));
        match *nested {
            [] => Meaning::Unknown,
            [def] => Meaning::Type {
                def,
                outer: (!self.args_of(ty).is_empty()).then_some(ty),
            },
            _ => Meaning::Ambiguous(nested.to_vec()),
        }
    }

    /// The namespace declarations around a place, inner to outer: `namespace A.B.C` is three, the directives
    /// belong to the innermost.
    fn lookup_in_namespaces(&self, at: &Scope, index: u32, name: Name, arity: u16) -> Meaning {
        let scopes = self.namespace_scopes(at.unit);
        let mut index = index as usize;
        let mut skips_imports = at.container.is_none() && at.position == Position::Header;
        for _ in 0..=scopes.len() {
            let scope = &scopes[index];
            for (level, &namespace) in scope.levels.iter().enumerate() {
                let found = self.in_namespace(at, namespace, name, arity);
                if found != Meaning::Unknown {
                    return found;
                }
                if level == 0 {
                    let found = if skips_imports {
                        self.lookup_beside_directives(at, scope, name, arity)
                    } else {
                        self.lookup_in_imports(at, scope, name, arity)
                    };
                    if found != Meaning::Unknown {
                        return found;
                    }
                }
            }
            skips_imports = false;
            if index == 0 {
                break;
            }
            index = scope.parent as usize;
        }
        Meaning::Unknown
    }

    /// What a directive sees of those beside it: extern aliases, and at the top of a file the global aliases.
    fn lookup_beside_directives(
        &self,
        at: &Scope,
        scope: &NamespaceScope,
        name: Name,
        arity: u16,
    ) -> Meaning {
        if arity > 0 {
            return Meaning::Unknown;
        }
        let own = scope.imports.aliases.iter();
        let mut externs = own.filter(|(alias, target)| *alias == name && target.is_extern());
        if externs.next().is_some() {
            return Meaning::Namespace(known::EMPTY);
        }
        let global = scope.imports.global.iter();
        let mut global = global.flat_map(|imports| &imports.aliases);
        match global.find(|(alias, _)| *alias == name) {
            Some((_, target)) => self.resolve_alias(at, target),
            None => Meaning::Unknown,
        }
    }

    /// Aliases, then the types of imported namespaces and static types (§7.8.1, second half).
    pub(super) fn lookup_in_imports(
        &self,
        at: &Scope,
        scope: &NamespaceScope,
        name: Name,
        arity: u16,
    ) -> Meaning {
        let imports = &scope.imports;
        if arity == 0
            && let Some(found) = self.lookup_alias(at, scope, name)
        {
            return found;
        }
        let mut found = TypesFound::new();
        let mut outer = None;
        for namespace in imports.all_namespaces() {
            for id in self.type_in_namespace(at, namespace, name, arity) {
                if !found.contains(&id) {
                    found.push(id);
                }
            }
        }
        for target in imports.both().flat_map(|imports| &imports.statics) {
            let Some(ty) = self.resolve_static(at, target) else {
                continue;
            };
            if let Meaning::Type { def, outer: around } =
                self.nested_in(ty, name, arity, self.from(at))
                && !found.contains(&def)
            {
                found.push(def);
                outer = around;
            }
        }
        if found.len() > 1 {
            self.prefer_source(&mut found);
        }
        match (one_of(&found), outer) {
            (Meaning::Type { def, .. }, outer) if self.def(def).outer.is_some() => {
                Meaning::Type { def, outer }
            }
            (found, _) => found,
        }
    }

    /// Types of one full name in several assemblies are one: where another is left, that is ambiguous.
    fn prefer_source(&self, found: &mut TypesFound) {
        let full = |id: TypeId| {
            let def = self.def(id);
            (def.namespace, def.name, def.outer, def.arity)
        };
        let is_source = |id: TypeId| matches!(self.def(id).origin, TypeOrigin::Source { .. });
        let all = found.clone();
        found.retain(|id| {
            is_source(*id)
                || !all
                    .iter()
                    .any(|&other| is_source(other) && full(other) == full(*id))
        });
    }

    /// What an alias of a namespace declaration, or a global one at the top of a file, stands for.
    pub(super) fn lookup_alias(
        &self,
        at: &Scope,
        scope: &NamespaceScope,
        name: Name,
    ) -> Option<Meaning> {
        let target = scope.imports.alias(name)?;
        Some(self.resolve_alias(at, target))
    }

    /// The alias that a simple name resolves to as a namespace or type, if it does: found where
    /// [`Self::lookup_type_name`] finds what the alias stands for.
    pub(crate) fn alias_in_scope(&self, at: &Scope, name: Name) -> Option<LocalSymbol> {
        let is_param = at.type_params.iter().any(|&(param, _)| param == name);
        if is_param || self.lookup_in_types(at, name, 0) != Meaning::Unknown {
            return None;
        }
        let scopes = self.namespace_scopes(at.unit);
        let mut index = self.namespace_index(at) as usize;
        for _ in 0..=scopes.len() {
            let scope = &scopes[index];
            for (level, &namespace) in scope.levels.iter().enumerate() {
                if self.in_namespace(at, namespace, name, 0) != Meaning::Unknown {
                    return None;
                }
                if let Some(target) = scope.imports.alias(name).filter(|_| level == 0) {
                    return target.directive();
                }
            }
            if index == 0 {
                break;
            }
            index = scope.parent as usize;
        }
        None
    }

    /// The alias before `::`.
    pub(crate) fn alias_before_colons(&self, at: &Scope, name: Name) -> Option<LocalSymbol> {
        let scopes = self.namespace_scopes(at.unit);
        let mut index = self.namespace_index(at) as usize;
        for _ in 0..=scopes.len() {
            if let Some(target) = scopes[index].imports.alias(name) {
                return target.directive();
            }
            if index == 0 {
                break;
            }
            index = scopes[index].parent as usize;
        }
        None
    }

    /// The symbol that a name of a namespace or type refers to besides what snapshots store: a namespace, a
    /// type parameter, or the alias through which a simple name was found.
    pub(crate) fn local_meaning(
        &self,
        at: &Scope,
        name: Name,
        found: &Meaning,
        is_simple: bool,
    ) -> Option<LocalSymbol> {
        let alias = || is_simple.then(|| self.alias_in_scope(at, name)).flatten();
        match *found {
            Meaning::Param(param) => Some(LocalSymbol::TypeParameter(param)),
            Meaning::Namespace(namespace) => {
                Some(alias().unwrap_or(LocalSymbol::Namespace(namespace)))
            }
            Meaning::Alias(_) => alias(),
            _ => None,
        }
    }

    /// §14.8: what stands before `::`: `global`, an extern alias, or an alias of a namespace or type.
    pub fn lookup_alias_name(&self, at: &Scope, name: Name) -> Meaning {
        if name == known::GLOBAL {
            return Meaning::Namespace(known::EMPTY);
        }
        let scopes = self.namespace_scopes(at.unit);
        let mut index = self.namespace_index(at) as usize;
        for _ in 0..=scopes.len() {
            if let Some(found) = self.lookup_alias(at, &scopes[index], name) {
                return found;
            }
            if index == 0 {
                break;
            }
            index = scopes[index].parent as usize;
        }
        Meaning::Unknown
    }

    /// §7.8.1 after a dot: a name inside a namespace or type. A constructed type is given as
    /// [`Meaning::Alias`].
    pub fn lookup_qualified(&self, at: &Scope, left: &Meaning, name: Name, arity: u16) -> Meaning {
        match *left {
            Meaning::Namespace(namespace) => self.in_namespace(at, namespace, name, arity),
            Meaning::Type { def, outer } => {
                let ty = self.construct(def, outer, &[]);
                self.lookup_nested(ty, name, arity, self.from(at))
            }
            Meaning::Alias(ty) => {
                let ty = match self.kind(ty) {
                    TyKind::Unbound(def) => self.instance_type(*def),
                    _ => ty,
                };
                self.lookup_nested(ty, name, arity, self.from(at))
            }
            Meaning::Param(_) | Meaning::Ambiguous(_) | Meaning::Unknown => Meaning::Unknown,
        }
    }

    /// A definition with the arguments of the type around it and its own; missing ones are unknown.
    pub fn construct(&self, def: TypeId, outer: Option<Ty>, own: &[Ty]) -> Ty {
        let count = self.def(def).type_params.len();
        if count == 0 {
            return self.named(def, &[]);
        }
        let around = outer.map_or(&[][..], |outer| self.args_of(outer));
        if around.is_empty() && own.len() == count {
            return self.named(def, own);
        }
        let mut args: Vec<Ty> = around.iter().chain(own).copied().collect();
        args.resize(count, Ty::ERROR);
        self.named(def, &args)
    }

    /// Where a scope's names are accessed from.
    pub(super) fn from(&self, at: &Scope) -> Access {
        Access {
            container: at.container,
            project: at.project,
            through: None,
        }
    }
}
