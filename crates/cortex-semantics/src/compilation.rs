//! All symbols and types of one snapshot, loaded as they are asked for.
//!
//! Owns: identity: one [`TypeId`] per type, one [`Ty`] per constructed type. Single-threaded on purpose:
//! each thread that binds has a compilation of its own, over one shared [`World`].
//! Must not know: expressions.

use std::{
    cell::{Cell, OnceCell, RefCell},
    rc::Rc,
};

use cortex_bind::TypeSymbol;
use cortex_metadata::{NamedSig, TypeRow};
use cortex_model::{Accessibility, TypeKey, TypeKind};
use elsa::FrozenVec;
use rustc_hash::FxHashMap;

use crate::{
    load,
    name::{Name, Names, known},
    special::{Special, SpecialTypes},
    symbol::{
        Constraints, ExternalId, Member, MemberId, MemberTable, ProjectId, TypeDef, TypeHeader,
        TypeId, TypeOrigin, TypeParam, TypeParamId, TypeParamOwner, UnitId,
    },
    ty::{Ty, TyKind, Types},
    unit::Unit,
    world::{ProjectView, UnitKey, World},
};

/// By namespace and simple name: top-level types.
type TypesOfNamespace = FxHashMap<(Name, Name), Rc<[TypeId]>>;

/// See the module's first line.
pub struct Compilation<'w> {
    pub(crate) world: &'w dyn World,
    names: Names,
    types: Types,
    defs: FrozenVec<Box<TypeDef>>,
    members: FrozenVec<Box<OnceCell<Member>>>,
    type_params: FrozenVec<Box<TypeParam>>,
    units: FrozenVec<Box<Unit>>,
    by_key: RefCell<FxHashMap<TypeKey, TypeId>>,
    by_row: RefCell<FxHashMap<(ExternalId, TypeRow), TypeId>>,
    by_unit: RefCell<FxHashMap<UnitKey, UnitId>>,
    source_named: RefCell<FxHashMap<Name, Rc<[TypeId]>>>,
    external_named: RefCell<TypesOfNamespace>,
    projects_by_path: FxHashMap<cortex_model::RepoPath, ProjectId>,
    pub(crate) special: SpecialTypes,
    pub(crate) caches: crate::caches::Caches,
}

impl<'w> Compilation<'w> {
    /// An empty compilation over a world.
    pub fn new(world: &'w dyn World) -> Self {
        let number = |index: usize| index as u32;
        let projects = world.projects().iter().enumerate();
        Self {
            world,
            names: Names::default(),
            types: Types::default(),
            defs: FrozenVec::new(),
            members: FrozenVec::new(),
            type_params: FrozenVec::new(),
            units: FrozenVec::new(),
            by_key: RefCell::default(),
            by_row: RefCell::default(),
            by_unit: RefCell::default(),
            source_named: RefCell::default(),
            external_named: RefCell::default(),
            projects_by_path: projects
                .map(|(index, project)| (project.path.clone(), ProjectId(number(index))))
                .collect(),
            special: SpecialTypes::default(),
            caches: crate::caches::Caches::default(),
        }
    }

    /// What it is a compilation of.
    pub fn world(&self) -> &'w dyn World {
        self.world
    }

    // ---- names ----

    /// The number of a name.
    pub fn name(&self, text: &str) -> Name {
        self.names.intern(text)
    }

    /// The text behind a number.
    pub fn text(&self, name: Name) -> &str {
        self.names.text(name)
    }

    // ---- projects and files ----

    /// A project.
    pub fn project(&self, id: ProjectId) -> &'w ProjectView {
        &self.world.projects()[id.index()]
    }

    /// A file inside one project; the same number for the same file.
    pub fn unit_id(&self, key: &UnitKey) -> UnitId {
        if let Some(&id) = self.by_unit.borrow().get(key) {
            return id;
        }
        let id = UnitId(self.units.len() as u32);
        self.units.push(Box::new(Unit::new(id, key.clone())));
        self.by_unit.borrow_mut().insert(key.clone(), id);
        id
    }

    /// A file inside one project.
    pub fn unit(&self, id: UnitId) -> &Unit {
        &self.units[id.index()]
    }

    // ---- types ----

    /// What a type is.
    pub fn kind(&self, ty: Ty) -> &TyKind {
        self.types.kind(ty)
    }

    /// The one number of a type. Give `args` and elements that are interned already.
    pub fn intern(&self, kind: TyKind) -> Ty {
        self.types.intern(kind)
    }

    /// A constructed type, or a type without type parameters.
    pub fn named(&self, def: TypeId, args: &[Ty]) -> Ty {
        self.intern(TyKind::Named {
            def,
            args: args.into(),
        })
    }

    /// A definition with its own type parameters as arguments: what `this` is inside of it.
    pub fn instance_type(&self, def: TypeId) -> Ty {
        let params = self.def(def).type_params.iter();
        let args: Box<[Ty]> = params.map(|&param| self.param_type(param)).collect();
        self.intern(TyKind::Named { def, args })
    }

    /// A type parameter as a type.
    pub fn param_type(&self, param: TypeParamId) -> Ty {
        self.intern(TyKind::Param(param))
    }

    /// `element[]`, `element[,]`, …
    pub fn array(&self, element: Ty, rank: u8) -> Ty {
        self.intern(TyKind::Array(element, rank))
    }

    /// `T?` of a value type; reference types and unknown ones stay as they are.
    pub fn nullable(&self, ty: Ty) -> Ty {
        match self.well_known(Special::Nullable) {
            Some(def) if self.is_value_type(ty) && self.nullable_underlying(ty).is_none() => {
                self.named(def, &[ty])
            }
            _ => ty,
        }
    }

    /// `T` of `T?` of a value type.
    pub fn nullable_underlying(&self, ty: Ty) -> Option<Ty> {
        match self.kind(ty) {
            TyKind::Named { def, args }
                if args.len() == 1 && Some(*def) == self.well_known(Special::Nullable) =>
            {
                Some(args[0])
            }
            _ => None,
        }
    }

    /// The definition of a named type; of an array, tuple and so on the class behind it is not taken.
    pub fn def_of(&self, ty: Ty) -> Option<TypeId> {
        match self.kind(ty) {
            TyKind::Named { def, .. } | TyKind::Unbound(def) => Some(*def),
            _ => None,
        }
    }

    /// Type arguments of a named type, those of the types around it first.
    pub fn args_of(&self, ty: Ty) -> &[Ty] {
        match self.kind(ty) {
            TyKind::Named { args, .. } => args,
            _ => &[],
        }
    }

    /// A type definition.
    pub fn def(&self, id: TypeId) -> &TypeDef {
        &self.defs[id.index()]
    }

    /// How many definitions there are so far.
    pub fn def_count(&self) -> usize {
        self.defs.len()
    }

    /// The head of a type's declarations. A base list that loops has no bases.
    pub fn header(&self, id: TypeId) -> &TypeHeader {
        let def = self.def(id);
        if let Some(header) = def.header.get() {
            return header;
        }
        if def.loading.replace(true) {
            return &self.caches.no_header;
        }
        let header = load::header(self, def);
        def.loading.set(false);
        def.header.get_or_init(|| header)
    }

    /// The members that a type declares itself.
    pub fn members(&self, id: TypeId) -> &MemberTable {
        let def = self.def(id);
        if let Some(members) = def.members.get() {
            return members;
        }
        let members = load::members(self, def);
        def.members.get_or_init(|| members)
    }

    /// A member definition.
    pub fn member(&self, id: MemberId) -> &Member {
        self.members[id.index()]
            .get()
            .expect("a member is set right after its number is taken")
    }

    /// A member that may still be being loaded.
    pub(crate) fn try_member(&self, id: MemberId) -> Option<&Member> {
        self.members[id.index()].get()
    }

    /// A type parameter.
    pub fn type_param(&self, id: TypeParamId) -> &TypeParam {
        &self.type_params[id.index()]
    }

    /// The name of a type parameter.
    pub fn type_param_name(&self, id: TypeParamId) -> Name {
        let param = self.type_param(id);
        if let TypeParamOwner::Type(owner) = param.owner {
            self.header(owner);
        }
        param.name.get()
    }

    /// What a type parameter's arguments must be.
    pub fn constraints(&self, id: TypeParamId) -> &Constraints {
        let param = self.type_param(id);
        if let Some(found) = param.constraints.get() {
            return found;
        }
        match param.owner {
            TypeParamOwner::Type(owner) => {
                load::type_constraints(self, self.def(owner));
                param
                    .constraints
                    .get()
                    .unwrap_or(&self.caches.no_constraints)
            }
            TypeParamOwner::Method(_) => match self.inherited_constraints(id) {
                Some(inherited) => param.constraints.get_or_init(|| inherited),
                None => &self.caches.no_constraints,
            },
            TypeParamOwner::Local(_) => &self.caches.no_constraints,
        }
    }

    // ---- making symbols (loaders only) ----

    pub(crate) fn reserve_member(&self) -> MemberId {
        self.members.push(Box::default());
        MemberId(self.members.len() as u32 - 1)
    }

    pub(crate) fn set_member(&self, member: Member) -> MemberId {
        let id = member.id;
        let was_set = self.members[id.index()].set(member).is_err();
        debug_assert!(!was_set, "a member is set once");
        id
    }

    pub(crate) fn new_type_param(
        &self,
        owner: TypeParamOwner,
        index: usize,
        name: Name,
    ) -> TypeParamId {
        let id = TypeParamId(self.type_params.len() as u32);
        self.type_params.push(Box::new(TypeParam {
            id,
            owner,
            index: index as u16,
            name: Cell::new(name),
            constraints: OnceCell::new(),
        }));
        id
    }

    /// The definition of a source type.
    pub(crate) fn define_source(&self, symbol: &TypeSymbol) -> Option<TypeId> {
        if let Some(&id) = self.by_key.borrow().get(&symbol.key) {
            return Some(id);
        }
        let project = *self.projects_by_path.get(&symbol.project)?;
        let outer = match symbol.outer {
            Some(key) => Some(self.source_type(key)?),
            None => None,
        };
        let origin = TypeOrigin::Source {
            key: symbol.key,
            project,
            file: symbol.file.clone(),
        };
        let id = self.push_def(
            self.name(symbol.name()),
            self.name(symbol.namespace()),
            outer,
            symbol.kind,
            symbol.arity as u16,
            symbol.accessibility,
            origin,
        );
        self.by_key.borrow_mut().insert(symbol.key, id);
        Some(id)
    }

    /// The definition behind a key.
    pub fn source_type(&self, key: TypeKey) -> Option<TypeId> {
        if let Some(&id) = self.by_key.borrow().get(&key) {
            return Some(id);
        }
        self.define_source(&self.world.symbol(key)?)
    }

    /// The definition of a row of an assembly.
    pub(crate) fn external_type(&self, assembly: ExternalId, row: TypeRow) -> TypeId {
        if let Some(&id) = self.by_row.borrow().get(&(assembly, row)) {
            return id;
        }
        let ty = self.world.externals()[assembly.index()].type_def(row);
        let outer = ty.outer.map(|outer| self.external_type(assembly, outer));
        let id = self.push_def(
            self.name(&ty.name),
            self.name(&ty.namespace),
            outer,
            ty.kind,
            ty.arity,
            ty.accessibility,
            TypeOrigin::External { assembly, row },
        );
        self.by_row.borrow_mut().insert((assembly, row), id);
        id
    }

    #[expect(clippy::too_many_arguments, reason = "the fields of one struct")]
    fn push_def(
        &self,
        name: Name,
        namespace: Name,
        outer: Option<TypeId>,
        kind: TypeKind,
        arity: u16,
        accessibility: Accessibility,
        origin: TypeOrigin,
    ) -> TypeId {
        let id = TypeId(self.defs.len() as u32);
        let mut type_params: Vec<TypeParamId> =
            outer.map_or_else(Vec::new, |outer| self.def(outer).type_params.to_vec());
        let first = type_params.len();
        for index in first..first + usize::from(arity) {
            type_params.push(self.new_type_param(TypeParamOwner::Type(id), index, known::EMPTY));
        }
        self.defs.push(Box::new(TypeDef {
            id,
            name,
            namespace,
            outer,
            kind,
            arity,
            accessibility,
            type_params: type_params.into(),
            origin,
            header: OnceCell::new(),
            loading: Cell::new(false),
            members: OnceCell::new(),
        }));
        id
    }

    // ---- finding types by name ----

    /// Every source type of a simple name, whatever its arity, container and project, in order of keys.
    pub fn source_types_named(&self, name: Name) -> Rc<[TypeId]> {
        if let Some(found) = self.source_named.borrow().get(&name) {
            return found.clone();
        }
        let symbols = self.world.types_named(self.text(name));
        let found: Rc<[TypeId]> = symbols
            .iter()
            .filter_map(|symbol| self.define_source(symbol))
            .collect();
        self.source_named.borrow_mut().insert(name, found.clone());
        found
    }

    /// Every top-level type of a namespace and simple name in the assemblies from outside, in the order
    /// of assemblies.
    pub fn external_types_named(&self, namespace: Name, name: Name) -> Rc<[TypeId]> {
        if let Some(found) = self.external_named.borrow().get(&(namespace, name)) {
            return found.clone();
        }
        let mut found = Vec::new();
        let assemblies = self.world.externals();
        for (index, row) in assemblies.named(self.text(namespace), self.text(name)) {
            found.push(self.external_type(ExternalId(index as u32), row));
        }
        let found: Rc<[TypeId]> = found.into();
        self.external_named
            .borrow_mut()
            .insert((namespace, name), found.clone());
        found
    }

    /// The type that a signature of an assembly names: in the assembly that it says, where that forwards
    /// it to, or the first that has it.
    pub(crate) fn external_named_sig(&self, sig: &NamedSig) -> Option<TypeId> {
        let (first, arity) = sig.path.first()?;
        let mut at = self.external_of_name(&sig.assembly);
        let mut found = None;
        for _ in 0..8 {
            let Some(id) = at else { break };
            let assembly = &self.world.externals()[id.index()];
            if let Some(row) = assembly.find(&sig.namespace, first, *arity) {
                found = Some((id, row));
                break;
            }
            at = assembly
                .forwarded(&sig.namespace, first, *arity)
                .and_then(|name| self.external_of_name(name));
        }
        let mut id = match found {
            Some((assembly, row)) => self.external_type(assembly, row),
            None => *self
                .external_types_named(self.name(&sig.namespace), self.name(first))
                .iter()
                .find(|&&id| self.def(id).arity == *arity)?,
        };
        for (name, arity) in &sig.path[1..] {
            id = self.nested_external(id, self.name(name), *arity)?;
        }
        Some(id)
    }

    fn external_of_name(&self, name: &str) -> Option<ExternalId> {
        let index = self.world.externals().of_name(name)?;
        Some(ExternalId(index as u32))
    }

    fn nested_external(&self, outer: TypeId, name: Name, arity: u16) -> Option<TypeId> {
        let nested = self.nested_types(outer, name);
        nested.into_iter().find(|&id| self.def(id).arity == arity)
    }

    /// The types of a simple name, any arity, that a type declares itself.
    pub fn nested_types(&self, outer: TypeId, name: Name) -> smallvec::SmallVec<[TypeId; 2]> {
        match self.def(outer).origin {
            TypeOrigin::Source { .. } => {
                let named = self.source_types_named(name);
                let nested = named.iter().copied();
                nested
                    .filter(|&id| self.def(id).outer == Some(outer))
                    .collect()
            }
            TypeOrigin::External { assembly, row } => {
                let rows = self.world.externals()[assembly.index()].nested(row);
                let nested = rows.iter().map(|&row| self.external_type(assembly, row));
                nested.filter(|&id| self.def(id).name == name).collect()
            }
        }
    }

    /// A type that the language knows.
    pub fn well_known(&self, special: Special) -> Option<TypeId> {
        *self.special.slot(special).get_or_init(|| {
            let (namespace, name, arity) = special.full_name();
            let (namespace, name) = (self.name(namespace), self.name(name));
            let has_arity =
                |id: &&TypeId| self.def(**id).arity == arity && self.def(**id).outer.is_none();
            let external = self.external_types_named(namespace, name);
            if let Some(&id) = external.iter().find(has_arity) {
                return Some(id);
            }
            // A repository may declare the core types itself.
            let source = self.source_types_named(name);
            let is_it = |id: &&TypeId| has_arity(id) && self.def(**id).namespace == namespace;
            source.iter().find(is_it).copied()
        })
    }

    /// A type without type parameters that the language knows; [`Ty::ERROR`] where there is none.
    pub fn special(&self, special: Special) -> Ty {
        self.well_known(special)
            .map_or(Ty::ERROR, |id| self.named(id, &[]))
    }

    /// A generic type that the language knows, constructed.
    pub fn special_of(&self, special: Special, args: &[Ty]) -> Ty {
        self.well_known(special)
            .map_or(Ty::ERROR, |id| self.named(id, args))
    }
}
