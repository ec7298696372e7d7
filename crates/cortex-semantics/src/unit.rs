//! A file inside one project, as far as it outlives the loading of its symbols.
//!
//! Owns: the facts of a file while they are needed. Must not know: what its bodies mean.

use std::{
    cell::{OnceCell, RefCell},
    sync::Arc,
};

use cortex_bind::{DeclaredType, declared_types};
use cortex_syntax::{DeclId, FileFacts, Sections};
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use crate::{
    compilation::Compilation,
    name::Name,
    symbol::{TypeId, UnitId},
    world::UnitKey,
};

/// See the module's first line.
pub struct Unit {
    /// Itself.
    pub id: UnitId,
    /// Path and project.
    pub key: UnitKey,
    head: OnceCell<UnitHead>,
    /// Kept until the members of the file's types are loaded, and while its bodies are bound.
    facts: RefCell<Option<Arc<FileFacts>>>,
    /// Its namespace declarations with what their using directives bring in: filled by name lookup.
    pub(crate) scopes: crate::names::ScopesOfUnit,
}

/// Symbols are loaded from the declarations of a file more than once, close together: the facts of this
/// many files are kept.
const KEPT_FACTS: usize = 48;

/// What stays in memory of every file whose types were asked for.
pub struct UnitHead {
    /// Types in declaration order, with their definitions; `None` where the world does not list one.
    pub types: Vec<(DeclaredType, Option<TypeId>)>,
    /// The declarations of each type, in declaration order: a type asks for its own without reading over all.
    declarations: FxHashMap<TypeId, SmallVec<[DeclId; 1]>>,
}

impl UnitHead {
    fn new(types: Vec<(DeclaredType, Option<TypeId>)>) -> Self {
        let mut declarations: FxHashMap<TypeId, SmallVec<[DeclId; 1]>> = FxHashMap::default();
        for (declared, id) in &types {
            if let Some(id) = id {
                declarations.entry(*id).or_default().push(declared.decl);
            }
        }
        Self {
            types,
            declarations,
        }
    }

    /// The declarations of a type, in declaration order.
    pub fn declarations(&self, ty: TypeId) -> &[DeclId] {
        self.declarations.get(&ty).map_or(&[], SmallVec::as_slice)
    }
}

impl Unit {
    pub(crate) fn new(id: UnitId, key: UnitKey) -> Self {
        Self {
            id,
            key,
            head: OnceCell::new(),
            facts: RefCell::default(),
            scopes: crate::names::ScopesOfUnit::default(),
        }
    }

    /// Its facts: declarations and references, without bodies. Cheap while they are kept.
    pub fn facts(&self, compilation: &Compilation<'_>) -> Arc<FileFacts> {
        if let Some(facts) = &*self.facts.borrow() {
            return facts.clone();
        }
        let facts = compilation.world.facts(&self.key, Sections::All);
        self.keep(compilation, &facts);
        facts
    }

    /// Takes facts that somebody has read already.
    pub(crate) fn keep_facts(&self, compilation: &Compilation<'_>, facts: &Arc<FileFacts>) {
        if self.facts.borrow().is_some() {
            return;
        }
        self.keep(compilation, facts);
    }

    fn keep(&self, compilation: &Compilation<'_>, facts: &Arc<FileFacts>) {
        *self.facts.borrow_mut() = Some(facts.clone());
        let mut kept = compilation.caches.kept_facts.borrow_mut();
        kept.push_back(self.id);
        if kept.len() > KEPT_FACTS {
            let oldest = kept.pop_front();
            if let Some(oldest) = oldest.filter(|&oldest| oldest != self.id) {
                compilation.unit(oldest).drop_facts();
            }
        }
    }

    /// Forgets the facts and what was looked up; both are found again when somebody asks.
    pub(crate) fn drop_facts(&self) {
        *self.facts.borrow_mut() = None;
        self.scopes.forget();
    }

    /// Its types.
    pub fn head(&self, compilation: &Compilation<'_>) -> &UnitHead {
        self.head.get_or_init(|| {
            let facts = self.facts(compilation);
            let project = compilation.project(self.key.project);
            let declared = declared_types(&facts, &self.key.path, &project.path, &project.assembly);
            let types = declared.into_iter().map(|ty| {
                let id = compilation.source_type(ty.symbol.key);
                (ty, id)
            });
            UnitHead::new(types.collect())
        })
    }
}

/// The names of a file as names of the compilation, by [`cortex_syntax::NameId`].
pub fn file_names(compilation: &Compilation<'_>, facts: &FileFacts) -> Vec<Name> {
    let names = facts.names.iter();
    names.map(|name| compilation.name(name)).collect()
}
