//! What the graph of members is made of, type by type and file by file.
//!
//! Owns: what of a type, and of the names of a file, decides what makes what run. Must not know: other types and
//! files. So each is a function of what a snapshot has of it, and of two snapshots only those differ of which
//! something does.

use crate::reach::frameworks::{
    Marks, is_set_up_by_contract, is_skipped, marks, marks_by_name, skips, takes_rows_of_types,
};

use cortex_bind::{MemberNode, TypeNode};
use cortex_index::{BoundTarget, DeclBindings, FileBindings, MemberTag, Receiver, TypeSymbols};
use cortex_model::{DeclKind, EdgeKind, EdgeKinds, Hash, Modifier, RepoPath, TypeKey, TypeKind};
use cortex_semantics::How;
use cortex_syntax::AttributeTarget;
use rustc_hash::{FxHashMap, FxHashSet};

/// Yes or no to several questions.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Default)]
pub(crate) struct Flags(pub(crate) u8);

impl Flags {
    pub(crate) fn with(self, flag: u8, is_set: bool) -> Self {
        Self(if is_set { self.0 | flag } else { self.0 })
    }

    pub(crate) fn has(self, flag: u8) -> bool {
        self.0 & flag != 0
    }
}

/// It is a class.
pub(crate) const CLASS: u8 = 1;
/// It is an interface.
pub(crate) const INTERFACE: u8 = 2;
/// It is a structure.
pub(crate) const VALUE: u8 = 4;
/// It is abstract.
pub(crate) const ABSTRACT: u8 = 8;
/// It has type parameters.
pub(crate) const GENERIC: u8 = 16;
/// It derives from an attribute of a framework that makes tests.
pub(crate) const TEST_ATTRIBUTE: u8 = 32;
/// Not all of its bases are known.
pub(crate) const PARTIAL: u8 = 64;
/// It or a type around it has type parameters.
pub(crate) const OPEN: u8 = 128;

/// A type.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct TypeDigest {
    pub(crate) key: TypeKey,
    /// Of its name as documentation ids have it.
    pub(crate) name: u64,
    pub(crate) flags: Flags,
    /// A runner leaves its tests out, where it is a test class.
    pub(crate) is_skipped: bool,
    pub(crate) bases: Vec<TypeKey>,
    /// Type arguments of its bases: fixtures and what generic tests are about, where it is a test class.
    pub(crate) fixtures: Vec<TypeKey>,
    /// By tag, each once.
    pub(crate) members: Vec<MemberDigest>,
    /// By path, then declaration.
    pub(crate) declared: Vec<Declared>,
    /// What overrides or implements what.
    pub(crate) implementations: Vec<(MemberName, MemberName)>,
}

/// A member by the hash of its type's name and its tag.
pub(crate) type MemberName = (u64, MemberTag);

/// It is a constructor.
pub(crate) const CONSTRUCTOR: u8 = 1;
/// It is a static constructor.
pub(crate) const STATIC_CONSTRUCTOR: u8 = 2;
/// It is a finalizer.
pub(crate) const FINALIZER: u8 = 4;
/// The compiler makes it.
pub(crate) const SYNTHESIZED: u8 = 8;
/// A runner calls it around tests where it is a test class's.
pub(crate) const SET_UP: u8 = 16;
/// It is static and runs.
pub(crate) const STATIC: u8 = 32;

/// A member as others see it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct MemberDigest {
    pub(crate) tag: MemberTag,
    pub(crate) flags: Flags,
    /// Of its simple name.
    pub(crate) name: u16,
}

/// What is declared.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Kind {
    /// A constant or a value of an enumeration.
    Constant,
    /// A field.
    Field,
    /// A property.
    Property,
    /// A method.
    Method,
    /// Anything else.
    Other,
}

/// The declaration of a member.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Declared {
    /// Of its file's path.
    pub(crate) path: u64,
    pub(crate) decl: u32,
    pub(crate) kind: Kind,
    pub(crate) is_static: bool,
    /// What its attributes make of it by their names alone.
    pub(crate) marks: Option<Marks>,
    /// A runner leaves it out, where it is a test.
    pub(crate) is_skipped: bool,
    /// An attribute names a type whose objects are the arguments of a test.
    pub(crate) takes_rows_of_types: bool,
    /// Of the names in its attributes, sorted.
    pub(crate) names: Vec<u16>,
    /// Of the texts in its attributes that may be names, sorted.
    pub(crate) quoted: Vec<u16>,
}

/// A hash of a name that is the same in each process.
pub(crate) fn hash_of(text: &str) -> u64 {
    Hash::of(text.as_bytes()).to_u64()
}

/// The hash of a path.
pub(crate) fn path_of(path: &RepoPath) -> u64 {
    hash_of(path.as_str())
}

fn short(name: &str) -> u16 {
    MemberTag::of_id(name).0 as u16
}

impl TypeDigest {
    pub(crate) fn new(key: TypeKey, node: &TypeNode, symbols: &TypeSymbols) -> Self {
        let external = symbols.signature.external.iter();
        let mut bases = external.filter(|edge| edge.kinds.contains(EdgeKind::Inherits));
        let is_test_attribute = bases.any(|edge| marks(&edge.id) == Some(Marks::Test));
        let is_fixture = |edge: &&cortex_index::Edge| {
            let is_base = |kind| edge.kinds.contains(kind);
            (is_base(EdgeKind::Implements) || is_base(EdgeKind::Inherits))
                && !node.bases.contains(&edge.target)
        };
        let fixtures = symbols.signature.source.iter().filter(is_fixture);
        let mut declared: Vec<Declared> = (node.members.iter())
            .filter(|member| !member.primary)
            .map(|member| Declared::new(member, &node.parts[member.part as usize].path))
            .collect();
        declared.sort_by_key(|it| (it.path, it.decl));
        let names = symbols.implementations.iter();
        Self {
            key,
            name: hash_of(&node.fqn.replace('+', ".")),
            flags: Flags::default()
                .with(
                    CLASS,
                    matches!(node.kind, TypeKind::Class | TypeKind::Record),
                )
                .with(INTERFACE, node.kind == TypeKind::Interface)
                .with(
                    VALUE,
                    matches!(node.kind, TypeKind::Struct | TypeKind::RecordStruct),
                )
                .with(ABSTRACT, node.modifiers.contains(Modifier::Abstract))
                .with(GENERIC, node.arity > 0)
                .with(TEST_ATTRIBUTE, is_test_attribute)
                .with(PARTIAL, has_unknown_bases(node, symbols))
                .with(OPEN, node.fqn.contains('`')),
            is_skipped: (node.shapes.iter().flat_map(|shape| &shape.attributes))
                .filter(|attribute| attribute.target == AttributeTarget::Declaration)
                .any(|attribute| skips(attribute.simple_name())),
            bases: node.bases.to_vec(),
            fixtures: fixtures.map(|edge| edge.target).collect(),
            members: members(node, symbols),
            declared,
            implementations: names
                .map(|it| (member_name(&it.member), member_name(&it.of)))
                .collect(),
        }
    }
}

/// Whether a base is written that is no known type.
fn has_unknown_bases(node: &TypeNode, symbols: &TypeSymbols) -> bool {
    let is_base = |kinds: EdgeKinds| {
        kinds.contains(EdgeKind::Inherits) || kinds.contains(EdgeKind::Implements)
    };
    let source = symbols.signature.source.iter().map(|edge| edge.kinds);
    let external = symbols.signature.external.iter().map(|edge| edge.kinds);
    let n_known = source
        .chain(external)
        .filter(|&kinds| is_base(kinds))
        .count();
    let written: FxHashSet<_> = node.base_list.iter().collect();
    written.len() > n_known
}

impl Declared {
    fn new(member: &MemberNode, path: &RepoPath) -> Self {
        let mut out = Self {
            path: path_of(path),
            decl: member.decl,
            kind: match member.kind {
                DeclKind::Constant | DeclKind::EnumMember => Kind::Constant,
                DeclKind::Field => Kind::Field,
                DeclKind::Property => Kind::Property,
                DeclKind::Method => Kind::Method,
                _ => Kind::Other,
            },
            is_static: is_static(member),
            marks: None,
            is_skipped: false,
            takes_rows_of_types: false,
            names: Vec::new(),
            quoted: Vec::new(),
        };
        if out.kind == Kind::Method && !member.attributes.is_empty() {
            let attributes = member.attributes.iter();
            out.marks = attributes
                .filter(|attribute| attribute.target == AttributeTarget::Declaration)
                .filter_map(|attribute| marks_by_name(attribute.simple_name()))
                .min_by_key(|marks| *marks != Marks::Test);
            let shape = member.shape();
            let words = shape.split(|c: char| !c.is_alphanumeric() && c != '_');
            out.names = sorted(words.filter(|it| !it.is_empty()).map(short));
            out.is_skipped = is_skipped(&shape);
            out.takes_rows_of_types = takes_rows_of_types(&shape);
            out.quoted = sorted(quoted_names(&shape).map(short));
        }
        out
    }
}

fn sorted(all: impl Iterator<Item = u16>) -> Vec<u16> {
    let mut out: Vec<u16> = all.collect();
    out.sort_unstable();
    out.dedup();
    out
}

/// The texts between quotes that are identifiers.
fn quoted_names(shape: &str) -> impl Iterator<Item = &str> {
    let quoted = shape.split('"').skip(1).step_by(2);
    quoted.filter(|text| {
        let starts = text.starts_with(|c: char| c.is_alphabetic() || c == '_');
        starts && text.chars().all(|c| c.is_alphanumeric() || c == '_')
    })
}

fn members(node: &TypeNode, symbols: &TypeSymbols) -> Vec<MemberDigest> {
    // Static members initialize their type, also those in which nothing had to be bound.
    let runs_static = |member: &MemberNode| is_static(member) && member.kind != DeclKind::Constant;
    let mut is_static = vec![false; symbols.members.len()];
    if node.members.iter().any(runs_static) {
        for (member, symbol) in node.members.iter().zip(symbols.declared()) {
            if let Some(symbol) = symbol.filter(|_| runs_static(member)) {
                is_static[symbol] = true;
            }
        }
    }
    let mut out: Vec<MemberDigest> = (symbols.members.iter().zip(is_static))
        .zip(symbols.tags())
        .map(|((member, is_static), tag)| MemberDigest {
            tag,
            flags: Flags::default()
                .with(CONSTRUCTOR, member.id.starts_with("M.#ctor"))
                .with(STATIC_CONSTRUCTOR, member.id.starts_with("M.#cctor"))
                .with(FINALIZER, &*member.id == "M.Finalize")
                .with(SYNTHESIZED, member.synthesized)
                .with(SET_UP, is_set_up_by_contract(member.simple_name()))
                .with(STATIC, is_static),
            name: short(member.simple_name()),
        })
        .collect();
    out.sort_unstable();
    out.dedup_by_key(|member| member.tag);
    out
}

/// The member of a documentation id.
fn member_name(id: &str) -> MemberName {
    let (kind, path) = id.split_once(':').unwrap_or(("M", id));
    let end = path.find(['(', '~', '{']).unwrap_or(path.len());
    let (ty, member) = match path[..end].rfind('.') {
        Some(dot) => (&path[..dot], &path[dot + 1..]),
        None => ("", path),
    };
    (hash_of(ty), MemberTag::of_id(&format!("{kind}.{member}")))
}

fn is_static(node: &MemberNode) -> bool {
    node.has(Modifier::Static)
}

/// The names of a file inside one project.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct FileDigest {
    /// Of its path.
    pub(crate) path: u64,
    /// Types, and members of them.
    pub(crate) targets: Vec<(TypeKey, Option<MemberTag>)>,
    pub(crate) decls: Vec<DeclDigest>,
}

/// It is a property with an initial value.
pub(crate) const INITIAL: u8 = 1;
/// It calls what was found by reflection.
pub(crate) const INVOKES: u8 = 2;
/// Its attributes are not known, and it is in a project of tests.
pub(crate) const BY_NAME: u8 = 4;

/// The names of a declaration.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct DeclDigest {
    pub(crate) decl: u32,
    /// What it declares.
    pub(crate) symbol: u32,
    pub(crate) flags: Flags,
    /// What its attributes from outside make of it.
    pub(crate) marks: Option<Marks>,
    /// The first constructor that it calls.
    pub(crate) first_made: Option<u32>,
    /// How it uses which target; sorted, each once.
    pub(crate) uses: Vec<(Use, u32)>,
    /// The members that run on what is known of, left out in `uses`; sorted, each once.
    pub(crate) on: Vec<RunsOn>,
}

/// A member that runs on an object that is not any that has it.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct RunsOn {
    /// The member.
    pub(crate) target: u32,
    /// The type of the object, then the types among its arguments; nothing for `base`.
    pub(crate) receiver: Vec<u32>,
}

/// How a declaration uses a member or a type.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum Use {
    /// The member runs.
    Runs,
    /// The constructor runs and an object is made.
    Makes,
    /// The member runs when attributes are looked at.
    AttributeArgument,
    /// The constructor of an attribute.
    Attribute,
    /// The type of an attribute.
    AttributeType,
    /// An object of the type is made.
    Creates,
    /// A value of the type is there, if it is a structure.
    Value,
    /// The type of a local or a type argument.
    Local,
    /// `typeof`, `nameof` and the like.
    TypeOf,
    /// The type of a parameter, or an argument of it.
    Parameter,
    /// A container is asked for an object of the type.
    Service,
}

impl Use {
    /// All of them, by number.
    pub(crate) const ALL: [Self; 11] = [
        Self::Runs,
        Self::Makes,
        Self::AttributeArgument,
        Self::Attribute,
        Self::AttributeType,
        Self::Creates,
        Self::Value,
        Self::Local,
        Self::TypeOf,
        Self::Parameter,
        Self::Service,
    ];
}

/// Types whose methods call a member that was found by reflection.
const INVOKING: [&str; 3] = [
    "T:System.Reflection.MethodBase",
    "T:System.Reflection.MethodInfo",
    "T:System.Reflection.ConstructorInfo",
];

/// Names of their methods that do.
const INVOKING_METHODS: [&str; 2] = ["Invoke", "CreateDelegate"];

/// Whether a declaration may call what was found by reflection: it does if one of these names stands in it
/// ([`is_invoking`]).
pub(crate) fn may_invoke(bindings: &FileBindings, decl: &DeclBindings) -> bool {
    decl.externals.iter().any(|&(target, kinds)| {
        kinds.contains(EdgeKind::Calls)
            && matches!(&bindings.targets[target as usize],
                BoundTarget::External(id, _) if INVOKING.contains(&&**id))
    })
}

/// Whether a method of this name calls what was found by reflection.
pub(crate) fn is_invoking(name: &str) -> bool {
    INVOKING_METHODS.contains(&name)
}

/// What is written in a file that bindings leave out.
#[derive(Default)]
pub(crate) struct Written {
    /// The declarations that are properties with an initial value.
    pub(crate) with_value: FxHashSet<u32>,
    /// Those that call what was found by reflection.
    pub(crate) invoking: FxHashSet<u32>,
    /// Where types are named that a container is asked for.
    pub(crate) services: FxHashSet<u32>,
    /// Where types are named whose registrations are looked for.
    pub(crate) looked_for: FxHashSet<u32>,
}

/// What a file is compiled into.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Project {
    /// A project of tests.
    Tests,
    /// Any other.
    Other,
}

/// Whether a name of a member in such a place makes it run.
fn runs(kind: EdgeKind) -> bool {
    !kind.is_structural() && !matches!(kind, EdgeKind::TypeOf | EdgeKind::Doc)
}

/// Whether a declaration names anything that may run.
pub(crate) fn is_busy(decl: &DeclBindings) -> bool {
    !decl.uses.is_empty() || decl.refs.iter().any(|found| runs(found.kind))
}

impl FileDigest {
    pub(crate) fn new(
        path: &RepoPath,
        bindings: &FileBindings,
        written: &Written,
        project: Project,
    ) -> Self {
        let mut names = Names {
            bindings,
            written,
            numbers: FxHashMap::default(),
            targets: Vec::new(),
            types: FxHashMap::default(),
        };
        let mut decls = Vec::new();
        for decl in &bindings.decls {
            let (Some(symbol), Some(number)) = (decl.symbol, decl.decl) else {
                continue;
            };
            let Some(symbol) = names.number(symbol) else {
                continue;
            };
            let (uses, on, first_made) = names.uses(decl);
            let flags = Flags::default()
                .with(INITIAL, written.with_value.contains(&number))
                .with(INVOKES, written.invoking.contains(&number))
                .with(
                    BY_NAME,
                    !decl.unbound.is_empty() && project == Project::Tests,
                );
            decls.push(DeclDigest {
                decl: number,
                symbol,
                flags,
                marks: names.marks(decl),
                first_made,
                uses,
                on,
            });
        }
        Self {
            path: path_of(path),
            targets: names.targets,
            decls,
        }
    }
}

/// The targets of a file as they are numbered.
struct Names<'a> {
    bindings: &'a FileBindings,
    written: &'a Written,
    numbers: FxHashMap<u32, u32>,
    targets: Vec<(TypeKey, Option<MemberTag>)>,
    /// Types that are receivers, by their numbers.
    types: FxHashMap<TypeKey, u32>,
}

impl Names<'_> {
    /// The number of a target; `None` where it is from outside.
    fn number(&mut self, target: u32) -> Option<u32> {
        if let Some(&number) = self.numbers.get(&target) {
            return Some(number);
        }
        let found = match self.bindings.targets[target as usize] {
            BoundTarget::Type(key) => (key, None),
            BoundTarget::Member(key, tag) => (key, Some(tag)),
            BoundTarget::External(..) => return None,
        };
        let number = self.targets.len() as u32;
        self.targets.push(found);
        self.numbers.insert(target, number);
        Some(number)
    }

    /// The numbers of the types of a receiver.
    fn types(&mut self, receiver: Receiver) -> Vec<u32> {
        let Receiver::Of(types) = receiver else {
            return Vec::new();
        };
        let types = types.into_iter().map(|key| {
            let all = &mut self.targets;
            *(self.types.entry(key)).or_insert_with(|| {
                all.push((key, None));
                all.len() as u32 - 1
            })
        });
        types.collect()
    }

    fn target(&self, target: u32) -> &BoundTarget {
        &self.bindings.targets[target as usize]
    }

    fn uses(&mut self, decl: &DeclBindings) -> (Vec<(Use, u32)>, Vec<RunsOn>, Option<u32>) {
        let (attributes, attribute_types) = self.attributes(decl);
        let mut out = Vec::new();
        let mut on = Vec::new();
        for found in &decl.refs {
            if self.written.looked_for.contains(&found.offset) {
                continue;
            }
            let Some(number) = self.number(found.target) else {
                continue;
            };
            let mut add = |it| out.push((it, number));
            if self.written.services.contains(&found.offset) {
                add(Use::Service);
            }
            match *self.target(found.target) {
                BoundTarget::Member(owner, _) if runs(found.kind) => {
                    let is_argument =
                        found.kind == EdgeKind::Writes && attribute_types.contains(&owner);
                    if is_argument {
                        add(Use::AttributeArgument);
                        continue;
                    }
                    match decl.receiver_at(&self.bindings.targets, found.offset) {
                        Receiver::Any => add(Use::Runs),
                        receiver => on.push(RunsOn {
                            target: number,
                            receiver: self.types(receiver),
                        }),
                    }
                }
                BoundTarget::Member(..) if found.kind == EdgeKind::TypeOf => add(Use::TypeOf),
                BoundTarget::Type(_) => match found.kind {
                    EdgeKind::Creates => add(Use::Creates),
                    EdgeKind::TypeOf => {
                        add(Use::TypeOf);
                        add(Use::Value);
                    }
                    EdgeKind::Attribute => add(Use::AttributeType),
                    kind => {
                        match kind {
                            EdgeKind::Local => add(Use::Local),
                            EdgeKind::Parameter => add(Use::Parameter),
                            _ => {}
                        }
                        if matches!(kind, EdgeKind::Field | EdgeKind::Property) || runs(kind) {
                            add(Use::Value);
                        }
                    }
                },
                _ => {}
            }
        }
        let mut first_made = None;
        for (at, found) in decl.uses.iter().enumerate() {
            let is_member = matches!(self.target(found.target), BoundTarget::Member(..));
            if !is_member {
                continue;
            }
            let Some(number) = self.number(found.target) else {
                continue;
            };
            if found.how == How::New && first_made.is_none() {
                first_made = Some(number);
            }
            let it = match found.how {
                _ if attributes.contains(&at) => Use::Attribute,
                How::New => Use::Makes,
                _ => Use::Runs,
            };
            out.push((it, number));
        }
        out.sort_unstable();
        out.dedup();
        on.sort_unstable();
        on.dedup();
        (out, on, first_made)
    }

    /// What the attributes from outside make of a member.
    fn marks(&self, decl: &DeclBindings) -> Option<Marks> {
        let attributes = (decl.externals.iter())
            .filter(|(_, kinds)| kinds.contains(EdgeKind::Attribute))
            .filter_map(|&(target, _)| match self.target(target) {
                BoundTarget::External(id, _) => marks(id),
                _ => None,
            });
        attributes.min_by_key(|marks| *marks != Marks::Test)
    }

    /// The uses that are attributes, and the types of attributes.
    fn attributes(&self, decl: &DeclBindings) -> (Vec<usize>, Vec<TypeKey>) {
        let (mut uses, mut types) = (Vec::new(), Vec::new());
        let named = (decl.refs.iter()).filter(|found| found.kind == EdgeKind::Attribute);
        for found in named {
            let BoundTarget::Type(ty) = *self.target(found.target) else {
                continue;
            };
            types.push(ty);
            // The use stands at the first token of the attribute, the name may be a qualified one's last.
            let all = decl.uses.iter().enumerate().rev();
            uses.extend(all.filter_map(|(at, it)| {
                let is_it = it.how == How::New
                    && it.offset <= found.offset
                    && matches!(*self.target(it.target), BoundTarget::Member(owner, _) if owner == ty);
                is_it.then_some(at)
            }).next());
        }
        (uses, types)
    }
}
