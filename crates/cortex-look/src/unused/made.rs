//! What may be made without its name: by containers, serializers and mappers that are given a type.
//!
//! Owns: by which calls and types objects of a type may come to be. Must not know: what that says of its members.

use std::sync::Mutex;

use cortex_derived::target::Target;
use cortex_model::{EdgeKind, TypeKey, simple_name};
use cortex_wire::Role;
use rustc_hash::{FxHashMap, FxHashSet};

use crate::{
    QueryError,
    filter::Filter,
    places::{Outside, Texts, Wanted, files_using, places},
    usages::TestProjects,
    viewpoint::Viewpoint,
};

/// So many types lie between one that is made and one that comes with it.
const MAX_DEPTH: usize = 3;

/// By what types may be made, each looked for once.
pub(crate) struct Made<'v, 'a> {
    view: &'v Viewpoint<'a>,
    tests: TestProjects,
    known: Mutex<FxHashMap<TypeKey, Option<String>>>,
}

impl<'v, 'a> Made<'v, 'a> {
    pub(crate) fn of(view: &'v Viewpoint<'a>) -> Result<Self, QueryError> {
        Ok(Self {
            view,
            tests: TestProjects::read(view.snapshot())?,
            known: Mutex::default(),
        })
    }

    /// By what objects of a type may come to be in product code: `AddSingleton<…> at App/Startup.cs:12`.
    pub(crate) fn by(&self, key: TypeKey) -> Result<Option<String>, QueryError> {
        self.look(key, MAX_DEPTH, &mut FxHashSet::default())
    }

    fn look(
        &self,
        key: TypeKey,
        depth: usize,
        seen: &mut FxHashSet<TypeKey>,
    ) -> Result<Option<String>, QueryError> {
        if !seen.insert(key) {
            return Ok(None);
        }
        let users = self.view.snapshot().dependents(key)?;
        let direct = self.direct(key, &users)?;
        if direct.is_some() || depth == 0 {
            return Ok(direct);
        }
        // What a made type is made of comes with it.
        for (user, kinds) in &users {
            let is_part = [EdgeKind::Property, EdgeKind::Field, EdgeKind::Inherits];
            if is_part.into_iter().any(|kind| kinds.contains(kind))
                && let Some(found) = self.look(*user, depth - 1, seen)?
            {
                return Ok(Some(found));
            }
        }
        Ok(None)
    }

    fn direct(
        &self,
        key: TypeKey,
        users: &[(TypeKey, cortex_model::EdgeKinds)],
    ) -> Result<Option<String>, QueryError> {
        let known = || self.known.lock().unwrap_or_else(|it| it.into_inner());
        if let Some(known) = known().get(&key) {
            return Ok(known.clone());
        }
        let found = match self.action(users)? {
            Some(found) => Some(found),
            None => self.argument(key, users)?,
        };
        known().insert(key, found.clone());
        Ok(found)
    }

    /// The controller whose actions take or return a type.
    fn action(
        &self,
        users: &[(TypeKey, cortex_model::EdgeKinds)],
    ) -> Result<Option<String>, QueryError> {
        for (user, kinds) in users {
            if !kinds.contains(EdgeKind::Parameter) && !kinds.contains(EdgeKind::Return) {
                continue;
            }
            let header = self.view.snapshot().type_header(*user)?;
            let header = header.filter(|it| it.fqn.ends_with("Controller"));
            if let Some(header) = header.filter(|it| !self.tests.has(&it.project)) {
                return Ok(Some(format!("actions of {}", simple_name(&header.fqn))));
            }
        }
        Ok(None)
    }

    /// The call or type that a type is a type argument of.
    fn argument(
        &self,
        key: TypeKey,
        users: &[(TypeKey, cortex_model::EdgeKinds)],
    ) -> Result<Option<String>, QueryError> {
        let kinds = [EdgeKind::Local, EdgeKind::Property, EdgeKind::Parameter];
        let is_candidate = |(_, of): &(_, cortex_model::EdgeKinds)| {
            kinds.into_iter().any(|kind| of.contains(kind))
        };
        if !users.iter().any(is_candidate) {
            return Ok(None);
        }
        let view = self.view;
        let mut wanted = Wanted::default();
        wanted.insert(Target::Type(key), 0);
        let mut files = files_using(view.snapshot(), &wanted)?;
        files.retain(|file| !self.tests.compile(file));
        let everything = Filter::everything();
        let is_over = || view.limits.is_over();
        let looked = (&everything, Outside::Skipped);
        let found = places(view.snapshot(), &files, &wanted, looked, &is_over)?;
        let mut texts = Texts::new(view.blobs());
        for place in found {
            if !matches!(place.role, Role::Local | Role::Property | Role::Parameter) {
                continue;
            }
            let file = &files[place.file as usize];
            let text = texts.of(file)?;
            let Some(given) = text.given_to(place.offset).filter(|it| it.may_make()) else {
                continue;
            };
            let name = format!("{}<…>", given.name);
            // What lies outside of the filter is not spoken of.
            if !view.filter.has_file(file) || !view.filter.has_offset(&file.path, place.offset) {
                return Ok(Some(name));
            }
            let line = text.position(place.offset).line;
            return Ok(Some(format!("{name} at {}:{line}", file.path)));
        }
        Ok(None)
    }
}
