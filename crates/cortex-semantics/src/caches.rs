//! What a compilation remembers of questions that are asked again and again, one table per question.
//!
//! Each module that answers such a question adds its table here.

use std::{
    cell::{Cell, RefCell},
    collections::VecDeque,
    rc::Rc,
};

use cortex_syntax::DeclId;
use rustc_hash::FxHashMap;

use crate::{
    conversions::{Explicit, builtin::Builtins},
    name::Name,
    names::{Imports, NamespacePlaces},
    surface::Value,
    symbol::{
        Constraints, ExternalId, MemberId, Param, ProjectId, Sym, TypeHeader, TypeId, UnitId,
    },
    ty::Ty,
};

/// By project and name: static classes.
type ExtensionClasses = FxHashMap<(ProjectId, Name), Rc<[TypeId]>>;

/// A declaration of a file.
type Declaration = (UnitId, DeclId);

/// The tables.
#[derive(Default)]
pub(crate) struct Caches {
    /// What a type has whose base list loops.
    pub(crate) no_header: TypeHeader,
    /// What a type parameter has whose constraints loop.
    pub(crate) no_constraints: Constraints,
    /// Types whose constraints are being bound.
    pub(crate) constraining: RefCell<Vec<TypeId>>,
    /// Types whose members are being loaded.
    pub(crate) loading_members: RefCell<Vec<TypeId>>,
    /// By declaration: its member, for members that are loaded.
    pub(crate) member_of_decl: RefCell<FxHashMap<Declaration, MemberId>>,
    /// By member that not every variant of its project declares: the projects that do.
    pub(crate) variants_of_member: RefCell<FxHashMap<MemberId, Box<[ProjectId]>>>,
    /// By declaration of a member that the one which speaks for it declares with other names or types of parameters, in
    /// another variant of the project or in another part: the parameters as this declaration has them.
    pub(crate) params_of_part: RefCell<FxHashMap<Declaration, Box<[Param]>>>,
    /// Files whose facts are kept, the oldest first.
    pub(crate) kept_facts: RefCell<VecDeque<UnitId>>,
    /// By file and name: whether the file writes it.
    pub(crate) names_in_files: RefCell<FxHashMap<(UnitId, Name), bool>>,
    /// By constructed type: every interface, transitively.
    pub(crate) interfaces: RefCell<FxHashMap<Ty, Rc<[Ty]>>>,
    /// How often an answer was given while the head of a type it depends on was still being loaded:
    /// an answer during which this grows is not kept.
    pub(crate) unsettled: Cell<u32>,
    /// By constructed type: itself and its base classes, most derived first.
    pub(crate) chains: RefCell<FxHashMap<Ty, Rc<[Ty]>>>,
    /// By namespace: where it has types in or below it.
    pub(crate) namespaces: RefCell<FxHashMap<Name, Rc<NamespacePlaces>>>,
    /// By namespace and simple name: the namespace in it, if anything declares it.
    pub(crate) child_namespaces: RefCell<FxHashMap<(Name, Name), Option<Name>>>,
    /// By type from outside: the types nested in it.
    pub(crate) nested_externals: RefCell<FxHashMap<TypeId, Rc<[TypeId]>>>,
    /// By project: what its global usings bring in.
    pub(crate) global_imports: RefCell<FxHashMap<ProjectId, Rc<Imports>>>,
    /// By project and name: the classes with extension members of the name that it sees.
    pub(crate) extension_classes: RefCell<ExtensionClasses>,
    /// By name: the same with `Attribute` after it.
    pub(crate) attribute_names: RefCell<FxHashMap<Name, Name>>,
    /// By constant, and how many others led to it: its value.
    pub(crate) constants: RefCell<FxHashMap<(MemberId, u32), Option<Value>>>,
    /// Whether internals of an assembly from outside are seen by a project.
    pub(crate) friends: RefCell<FxHashMap<(ExternalId, ProjectId), bool>>,
    /// The types that have a keyword.
    pub(crate) builtins: Builtins,
    /// Whether a type converts to another without a member.
    pub(crate) implicit: RefCell<FxHashMap<(Ty, Ty), bool>>,
    /// The conversion operator from a type to another.
    pub(crate) conversion_operators: RefCell<FxHashMap<(Ty, Ty, Explicit), Option<Sym>>>,
}
