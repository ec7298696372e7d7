//! Which namespaces exist where, which types stand in them, and which of those a file can name
//! (§7.8.1, §7.5.2).

use std::rc::Rc;
use std::sync::Arc;

use cortex_bind::InternalsVisible;
use cortex_model::Accessibility;
use smallvec::SmallVec;

use super::{Meaning, Position, Scope};
use crate::{
    compilation::Compilation,
    name::{Name, known},
    symbol::{ExternalId, ProjectId, TypeDef, TypeId, TypeOrigin},
};

/// Who declares types in a namespace or below it.
pub(crate) struct NamespacePlaces {
    projects: Arc<[ProjectId]>,
    pub(crate) externals: Box<[ExternalId]>,
}

impl Compilation<'_> {
    pub(crate) fn namespace_places(&self, namespace: Name) -> Rc<NamespacePlaces> {
        if let Some(found) = self.caches.namespaces.borrow().get(&namespace) {
            return found.clone();
        }
        let text = self.text(namespace);
        let externals = if text.is_empty() {
            let all = self.world.externals().len() as u32;
            (0..all).map(ExternalId).collect()
        } else {
            let places = self.world.externals().with_namespace(text);
            places.iter().copied().map(ExternalId).collect()
        };
        let found = Rc::new(NamespacePlaces {
            projects: self.world.namespace_projects(text),
            externals,
        });
        self.caches
            .namespaces
            .borrow_mut()
            .insert(namespace, found.clone());
        found
    }

    /// Whether a namespace exists for a project: something that it sees declares a type in or below it.
    pub fn has_namespace(&self, namespace: Name, project: ProjectId) -> bool {
        let places = self.namespace_places(namespace);
        let view = self.project(project);
        places
            .projects
            .iter()
            .any(|&of| of == project || view.sees(of).is_some())
            || places.externals.iter().any(|&of| view.sees_external(of))
    }

    /// Whether a project itself declares types in a namespace of this simple name in another one, or below it.
    pub fn declares_namespace(&self, project: ProjectId, (namespace, name): (Name, Name)) -> bool {
        let child = self.child_namespace(namespace, name);
        child.is_some_and(|it| self.namespace_places(it).projects.contains(&project))
    }

    /// The namespace of a simple name in another, if anything anywhere declares it.
    pub(super) fn child_namespace(&self, namespace: Name, name: Name) -> Option<Name> {
        if let Some(&found) = self
            .caches
            .child_namespaces
            .borrow()
            .get(&(namespace, name))
        {
            return found;
        }
        let full = if namespace == known::EMPTY {
            name
        } else {
            self.name(&format!("{}.{}", self.text(namespace), self.text(name)))
        };
        let places = self.namespace_places(full);
        let exists = !places.projects.is_empty() || !places.externals.is_empty();
        let found = exists.then_some(full);
        self.caches
            .child_namespaces
            .borrow_mut()
            .insert((namespace, name), found);
        found
    }

    /// Whether a project can name a type, as far as assemblies and files say: visible projects and
    /// assemblies, internals to friends alone, file-local types in their file.
    pub(super) fn is_visible(&self, def: &TypeDef, at: &Scope) -> bool {
        match &def.origin {
            TypeOrigin::Source { project, file, .. } => {
                if let Some(file) = file
                    && (at.position == Position::Project || *file != self.unit(at.unit).key.path)
                {
                    return false;
                }
                if *project == at.project {
                    return true;
                }
                match self.project(at.project).sees(*project) {
                    None => false,
                    Some(InternalsVisible::Yes) => true,
                    Some(InternalsVisible::No) => is_seen_outside(def.accessibility),
                }
            }
            TypeOrigin::External { assembly, .. } => {
                self.project(at.project).sees_external(*assembly)
                    && (is_seen_outside(def.accessibility)
                        || self.internals(def.id, at.project) == InternalsVisible::Yes)
            }
        }
    }

    /// The type of a simple name and arity that stands in a namespace itself, as a file sees it.
    ///
    /// Types of source come before those from outside, those of the own project before all (warning
    /// CS0436), a file-local one first.
    pub(super) fn type_in_namespace(
        &self,
        at: &Scope,
        namespace: Name,
        name: Name,
        arity: u16,
    ) -> TypesFound {
        let mut found = TypesFound::new();
        for &id in self.source_types_named(name).iter() {
            let def = self.def(id);
            if def.outer.is_none()
                && def.arity == arity
                && def.namespace == namespace
                && self.is_visible(def, at)
            {
                found.push(id);
            }
        }
        if found.len() > 1 {
            self.prefer_near(&mut found, at.project);
        }
        if found.is_empty() {
            // Two assemblies with one type are an error that no repository has: the first is taken.
            let externals = self.external_types_named(namespace, name);
            let external = externals.iter().copied().find(|&id| {
                let def = self.def(id);
                def.arity == arity && self.is_visible(def, at)
            });
            found.extend(external);
        }
        found
    }

    /// Leaves file-local types where there are any, then those of the own project.
    fn prefer_near(&self, found: &mut TypesFound, own: ProjectId) {
        let is_file_local =
            |def: &TypeDef| matches!(&def.origin, TypeOrigin::Source { file: Some(_), .. });
        let is_own = |def: &TypeDef| matches!(def.origin, TypeOrigin::Source { project, .. } if project == own);
        if found.iter().any(|&id| is_file_local(self.def(id))) {
            found.retain(|id| is_file_local(self.def(*id)));
        }
        if found.iter().any(|&id| is_own(self.def(id))) {
            found.retain(|id| is_own(self.def(*id)));
        }
    }

    /// The type or namespace of a simple name that stands in a namespace (§7.8.1).
    ///
    /// A type of the own project comes before a namespace (warning CS0437), a namespace that the own
    /// project declares before a type of another one (CS0435).
    pub(super) fn in_namespace(
        &self,
        at: &Scope,
        namespace: Name,
        name: Name,
        arity: u16,
    ) -> Meaning {
        let found = self.type_in_namespace(at, namespace, name, arity);
        if arity > 0 {
            return one_of(&found);
        }
        let child = self
            .child_namespace(namespace, name)
            .filter(|&child| self.has_namespace(child, at.project));
        match child {
            None => one_of(&found),
            Some(child) if found.is_empty() => Meaning::Namespace(child),
            Some(child) => {
                let is_own = |id: &TypeId| matches!(self.def(*id).origin, TypeOrigin::Source { project, .. } if project == at.project);
                let places = self.namespace_places(child);
                if !found.iter().any(is_own) && places.projects.contains(&at.project) {
                    Meaning::Namespace(child)
                } else {
                    one_of(&found)
                }
            }
        }
    }
}

/// Types of one name; hardly ever more than one.
pub(super) type TypesFound = SmallVec<[TypeId; 2]>;

/// A choice among top-level types.
pub(super) fn one_of(found: &[TypeId]) -> Meaning {
    match *found {
        [] => Meaning::Unknown,
        [def] => Meaning::Type { def, outer: None },
        _ => Meaning::Ambiguous(found.to_vec()),
    }
}

/// Whether a top-level type of another assembly, no friend, can be named.
fn is_seen_outside(accessibility: Accessibility) -> bool {
    accessibility.is_visible()
}
