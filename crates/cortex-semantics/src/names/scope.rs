//! Where a name stands: the namespace declarations of a file and the scopes of its declarations.

use std::cell::{OnceCell, RefCell};

use cortex_model::DeclKind;
use cortex_syntax::{DeclId, FileFacts};
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use super::{Imports, Meaning, Position, Scope};
use crate::{
    compilation::Compilation,
    name::{Name, known},
    symbol::{Sym, TypeId, TypeParamId, UnitId},
};

/// The namespace declarations of a file, and what was looked up in them.
#[derive(Default)]
pub(crate) struct ScopesOfUnit {
    scopes: OnceCell<Box<[NamespaceScope]>>,
    pub(super) meanings: RefCell<FxHashMap<MeaningKey, Meaning>>,
    pub(super) extensions: RefCell<FxHashMap<(u32, Name), ExtensionLevels>>,
}

impl ScopesOfUnit {
    /// Forgets what was looked up.
    pub(crate) fn forget(&self) {
        self.meanings.take();
        self.extensions.take();
    }
}

/// Extension members by level, innermost first.
type ExtensionLevels = std::rc::Rc<[Vec<Sym>]>;

/// Where a type name is looked up: index of the namespace scope, innermost type, position; name, arity.
pub(super) type MeaningKey = (u32, Option<TypeId>, Position, Name, u16);

/// One namespace declaration; the first of a file is the compilation unit itself.
pub(super) struct NamespaceScope {
    decl: Option<DeclId>,
    /// The one around it, as an index; its own for the first.
    pub(super) parent: u32,
    /// The full names of the namespaces that it declares, innermost first: `A.B.C`, `A.B`, `A`.
    pub(super) levels: SmallVec<[Name; 3]>,
    pub(super) imports: Imports,
}

impl Compilation<'_> {
    /// The scope of a declaration's header (`Header`) or body in a file. Of a namespace, or of
    /// the file where there is no declaration, the header is its using directives.
    ///
    /// Type parameters of a method or extension block are in it once the members of the type are loaded;
    /// who loads them adds their own.
    pub fn scope_of(&self, unit: UnitId, decl: Option<DeclId>, position: Position) -> Scope {
        let facts = self.unit(unit).facts(self);
        self.scope_in(unit, &facts, decl, position)
    }

    /// [`Compilation::scope_of`] for who has the facts of the file.
    pub(crate) fn scope_in(
        &self,
        unit: UnitId,
        facts: &FileFacts,
        decl: Option<DeclId>,
        position: Position,
    ) -> Scope {
        let of = self.unit(unit);
        let types = &of.head(self).types;
        let mut scope = Scope {
            unit,
            project: of.key.project,
            namespace: None,
            container: None,
            position: Position::Body,
            type_params: Vec::new(),
        };
        if decl.is_none() {
            scope.position = position;
        }
        let mut next = decl;
        while let Some(id) = next {
            let around = &facts.decls[id as usize];
            next = around.parent;
            if around.kind == DeclKind::Namespace {
                scope.namespace = Some(id);
                if decl == Some(id) {
                    scope.position = position;
                }
                break;
            }
            if scope.container.is_none()
                && let Ok(index) = types.binary_search_by_key(&id, |(ty, _)| ty.decl)
            {
                scope.container = types[index].1;
                if decl == Some(id) {
                    scope.position = position;
                }
            }
        }
        if let (Some(id), Some(container)) = (decl, scope.container) {
            scope.type_params = self.member_type_params(unit, facts, id, container);
        }
        scope
    }

    /// The type parameters of a member and of the extension block around it.
    fn member_type_params(
        &self,
        unit: UnitId,
        facts: &FileFacts,
        id: DeclId,
        container: TypeId,
    ) -> Vec<(Name, TypeParamId)> {
        let decl = &facts.decls[id as usize];
        let block = decl
            .parent
            .map(|parent| &facts.decls[parent as usize])
            .filter(|parent| parent.kind == DeclKind::Extension);
        let has_params = !decl.type_params.is_empty()
            || block.is_some_and(|block| !block.type_params.is_empty());
        if !has_params || !decl.kind.is_member() {
            return Vec::new();
        }
        if self.def(container).members.get().is_none() {
            return Vec::new();
        }
        let members = self.caches.member_of_decl.borrow();
        let Some(&member) = members.get(&(unit, id)) else {
            return Vec::new();
        };
        let params = self.member(member).signature.type_params.iter();
        params
            .map(|&param| (self.type_param_name(param), param))
            .collect()
    }

    /// The namespace declarations of a file: every parent before its children.
    pub(super) fn namespace_scopes(&self, unit: UnitId) -> &[NamespaceScope] {
        let of = self.unit(unit);
        of.scopes
            .scopes
            .get_or_init(|| self.read_scopes(unit, &of.facts(self)))
    }

    /// The index of a scope's namespace declaration.
    pub(super) fn namespace_index(&self, at: &Scope) -> u32 {
        let scopes = self.namespace_scopes(at.unit);
        let found = scopes.binary_search_by_key(&at.namespace, |scope| scope.decl);
        found.unwrap_or(0) as u32
    }

    fn read_scopes(&self, unit: UnitId, facts: &FileFacts) -> Box<[NamespaceScope]> {
        let mut scopes = vec![NamespaceScope {
            decl: None,
            parent: 0,
            levels: SmallVec::from_slice(&[known::EMPTY]),
            imports: Imports::default(),
        }];
        for (id, decl) in facts.decls.iter().enumerate() {
            if decl.kind != DeclKind::Namespace {
                continue;
            }
            let parent = scopes
                .iter()
                .rposition(|scope| scope.decl == decl.parent)
                .unwrap_or(0);
            let mut full = self.text(scopes[parent].levels[0]).to_owned();
            let mut levels = SmallVec::new();
            for part in facts.name(decl.name).split('.') {
                if !full.is_empty() {
                    full.push('.');
                }
                full.push_str(part);
                levels.insert(0, self.name(&full));
            }
            scopes.push(NamespaceScope {
                decl: Some(id as DeclId),
                parent: parent as u32,
                levels,
                imports: Imports::default(),
            });
        }
        for index in 0..scopes.len() {
            scopes[index].imports = self.read_imports(unit, facts, &scopes, index);
        }
        scopes.into()
    }
}

impl NamespaceScope {
    pub(super) fn decl(&self) -> Option<DeclId> {
        self.decl
    }
}
