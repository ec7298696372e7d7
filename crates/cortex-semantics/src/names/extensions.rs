//! §12.8.10.3: extension members in scope.

use std::rc::Rc;

use super::Scope;
use crate::{
    compilation::Compilation,
    name::Name,
    symbol::{ExternalId, MemberFlags, ProjectId, Sym, TypeId},
};
use cortex_bind::InternalsVisible;
use cortex_model::Accessibility;

impl Compilation<'_> {
    /// §12.8.10.3: extension members of a name in scope, innermost level first (each namespace
    /// declaration: its namespace's types, then its usings'). Methods with `this` and members of extension
    /// blocks, containers as they are declared (static classes have no type parameters).
    pub fn extensions_in_scope(&self, at: &Scope, name: Name) -> Rc<[Vec<Sym>]> {
        let index = self.namespace_index(at);
        let memo = &self.unit(at.unit).scopes.extensions;
        let known = memo.borrow().get(&(index, name)).cloned();
        let levels = known.unwrap_or_else(|| {
            let before = self.caches.unsettled.get();
            let found: Rc<[Vec<Sym>]> = self.extension_levels(at, index, name).into();
            if self.caches.unsettled.get() == before {
                memo.borrow_mut().insert((index, name), found.clone());
            }
            found
        });
        self.accessible_levels(at, levels)
    }

    /// Leaves out what only the types around it may name; nearly always there is nothing to leave out.
    fn accessible_levels(&self, at: &Scope, levels: Rc<[Vec<Sym>]>) -> Rc<[Vec<Sym>]> {
        let from = self.from(at);
        let is_open = |sym: &Sym| {
            let member = self.member(sym.member);
            member.accessibility == Accessibility::Public || self.is_accessible(*sym, from)
        };
        if levels.iter().flatten().all(is_open) {
            return levels;
        }
        let open = levels.iter().map(|level| {
            let syms = level.iter().copied();
            syms.filter(is_open).collect::<Vec<Sym>>()
        });
        open.filter(|level| !level.is_empty()).collect()
    }

    fn extension_levels(&self, at: &Scope, index: u32, name: Name) -> Vec<Vec<Sym>> {
        let classes = self.extension_classes(at.project, name);
        let mut levels: Vec<Vec<Sym>> = Vec::new();
        let mut add = |level: Vec<Sym>| {
            if !level.is_empty() {
                levels.push(level);
            }
        };
        if classes.is_empty() {
            return levels;
        }
        let scopes = self.namespace_scopes(at.unit);
        let mut index = index as usize;
        for _ in 0..=scopes.len() {
            let scope = &scopes[index];
            for (level, &namespace) in scope.levels.iter().enumerate() {
                let here = classes.iter().copied();
                let here = here.filter(|&id| self.def(id).namespace == namespace);
                add(self.extensions_of(at, here, name));
                if level > 0 {
                    continue;
                }
                let namespaces: Vec<Name> = scope.imports.all_namespaces().collect();
                let mut imported: Vec<TypeId> = Vec::new();
                for &id in classes.iter() {
                    if namespaces.contains(&self.def(id).namespace) {
                        imported.push(id);
                    }
                }
                for target in scope.imports.both().flat_map(|imports| &imports.statics) {
                    let ty = self.resolve_static(at, target);
                    if let Some(def) = ty.and_then(|ty| self.def_of(ty))
                        && classes.contains(&def)
                        && !imported.contains(&def)
                    {
                        imported.push(def);
                    }
                }
                add(self.extensions_of(at, imported.into_iter(), name));
            }
            if index == 0 {
                break;
            }
            index = scope.parent as usize;
        }
        levels
    }

    fn extensions_of(
        &self,
        at: &Scope,
        classes: impl Iterator<Item = TypeId>,
        name: Name,
    ) -> Vec<Sym> {
        let mut found = Vec::new();
        for id in classes {
            if !self.is_visible(self.def(id), at) {
                continue;
            }
            let container = self.named(id, &[]);
            for &member in self.members(id).named(name) {
                let of = self.member(member);
                let is_method = of.is(MemberFlags::EXTENSION) && !of.is(MemberFlags::SYNTHESIZED);
                if is_method || of.is(MemberFlags::EXTENSION_BLOCK) {
                    found.push(Sym { member, container });
                }
            }
        }
        found
    }

    /// The top-level classes with extension members of a name that a project sees: those of source by key,
    /// then those from outside in the order of assemblies.
    fn extension_classes(&self, project: ProjectId, name: Name) -> Rc<[TypeId]> {
        if let Some(found) = self.caches.extension_classes.borrow().get(&(project, name)) {
            return found.clone();
        }
        let text = self.text(name);
        let view = self.project(project);
        let mut found = Vec::new();
        for &key in self.world.extension_containers(text).iter() {
            found.extend(self.source_type(key));
        }
        let assemblies = self.world.externals();
        for index in assemblies.extending(text) {
            let assembly = ExternalId::new(index);
            if view.externals.binary_search(&assembly).is_ok() {
                let rows = assemblies[index].extension_methods(text);
                found.extend(rows.iter().map(|&row| self.external_type(assembly, row)));
            }
        }
        found.retain(|&id| {
            let def = self.def(id);
            def.outer.is_none()
                && (def.accessibility == Accessibility::Public
                    || self.internals(id, project) == InternalsVisible::Yes)
        });
        let found: Rc<[TypeId]> = found.into();
        self.caches
            .extension_classes
            .borrow_mut()
            .insert((project, name), found.clone());
        found
    }
}
