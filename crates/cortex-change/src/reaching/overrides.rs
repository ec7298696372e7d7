//! What the factories of test hosts take out of the services of an application, and what they put in.
//!
//! Owns: which calls of a factory do so, read from the trees of its members. Must not know: what an application registers
//! or runs.
//!
//! Followed are the members that the framework calls to build the host, and what these call on their own object. What
//! only some tests call, or what stands under a condition that is not about a registration that was found, says nothing.

use std::collections::{BTreeMap, BTreeSet};

use cortex_index::{BoundTarget, FileSummary, Snapshot};
use cortex_look::QueryError;
use cortex_model::{DeclKind, TypeKey};
use cortex_syntax::{
    BodyId, BodyKind, Decl, DeclId, FileFacts, LiteralKind, NameId, Op, Sections, TypeSyntax,
};

/// What the framework calls to build the host.
const BUILDING: [&str; 5] = [
    "ConfigureWebHost",
    "CreateHost",
    "CreateHostBuilder",
    "CreateServer",
    "CreateWebHostBuilder",
];

/// Calls that add another registration of a service: who takes one object of it gets the last one.
const ADDING: [&str; 3] = ["AddScoped", "AddSingleton", "AddTransient"];

/// So many calls are followed one inside the other.
const MAX_DEPTH: usize = 6;

/// A type as a call names it.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Named {
    /// One of the repository.
    Known(TypeKey),
    /// One from outside, by its simple name.
    Outside(String),
}

/// What is no longer there, or no longer what is given, once the factory ran.
#[derive(Clone, Debug)]
pub(super) struct Removal {
    pub(super) service: Option<Named>,
    pub(super) implementation: Option<Named>,
    /// Other registrations of the service stay, or all do and another one stands in front of them: who takes all objects
    /// of the service still gets theirs.
    pub(super) leaves_others: bool,
    /// Where it is said.
    pub(super) file: FileSummary,
    pub(super) offset: u32,
}

/// What a factory does to the services.
#[derive(Default, Debug)]
pub(super) struct Overrides {
    pub(super) removals: Vec<Removal>,
    /// The implementations that it registers itself.
    pub(super) added: BTreeSet<Named>,
}

/// The overrides of a factory: `hierarchy` has it and its bases, the most derived first. Reads the files that declare these.
pub(super) fn overrides(
    snapshot: &Snapshot,
    hierarchy: &[TypeKey],
) -> Result<Overrides, QueryError> {
    let mut levels = Vec::new();
    for &key in hierarchy {
        let mut parts = Vec::new();
        if let Some(node) = snapshot.type_node(key)? {
            for part in &node.parts {
                let Some(file) = snapshot.file(&part.path)? else {
                    continue;
                };
                let project = node.project_of(part);
                if let Some(facts) = snapshot.facts(&file, project, Sections::Bodies)? {
                    let bindings = snapshot.bindings(&file.path, project)?;
                    parts.push(Part::new(key, file, facts, &bindings));
                }
            }
        }
        levels.push(parts);
    }
    let mut walk = Walk {
        levels: &levels,
        out: Overrides::default(),
        around: Vec::new(),
    };
    for name in BUILDING {
        walk.call(name, None, 0, &|_, _| Vec::new());
    }
    for (level, parts) in levels.iter().enumerate() {
        walk.only_constructor(level, parts);
    }
    Ok(walk.out)
}

/// A file with a part of a type.
struct Part {
    file: FileSummary,
    facts: FileFacts,
    /// The declaration of the type.
    ty: Option<DeclId>,
    /// What the names mean that mean types of the repository, by offset.
    types: BTreeMap<u32, TypeKey>,
    /// The trees of declarations.
    roots: BTreeMap<DeclId, BodyId>,
}

impl Part {
    fn new(
        key: TypeKey,
        file: FileSummary,
        facts: FileFacts,
        bindings: &cortex_index::FileBindings,
    ) -> Self {
        let is_of_type = |decl: &&cortex_index::DeclBindings| {
            let symbol = decl.symbol.map(|at| &bindings.targets[at as usize]);
            matches!(symbol, Some(BoundTarget::Type(it)) if *it == key)
        };
        let ty = bindings.decls.iter().find(is_of_type);
        let names = bindings.decls.iter().flat_map(|decl| &decl.refs);
        let types = names.filter_map(|name| match bindings.targets[name.target as usize] {
            BoundTarget::Type(key) => Some((name.offset, key)),
            _ => None,
        });
        let roots = facts.bodies.roots();
        let roots = roots.filter_map(|root| {
            let decl = facts.bodies.node(root).value.checked_sub(1)?;
            Some((decl, root))
        });
        Self {
            ty: ty.and_then(|decl| decl.decl),
            types: types.collect(),
            roots: roots.collect(),
            facts,
            file,
        }
    }

    /// The members of the type that are declared here, with their trees.
    fn members(&self) -> impl Iterator<Item = (&Decl, Option<BodyId>)> {
        let all = self.facts.decls.iter().enumerate();
        let members = all.filter(|(_, decl)| decl.parent.is_some() && decl.parent == self.ty);
        members.map(|(at, decl)| (decl, self.roots.get(&(at as DeclId)).copied()))
    }

    fn kind(&self, node: BodyId) -> BodyKind {
        self.facts.bodies.kind(node)
    }

    fn children(&self, node: BodyId) -> Vec<BodyId> {
        self.facts.bodies.children(node).collect()
    }

    fn name(&self, node: BodyId) -> Option<&str> {
        let name: NameId = self.facts.bodies.node(node).name()?;
        Some(self.facts.name(name))
    }

    /// A node and all below it.
    fn below(&self, node: BodyId) -> std::ops::Range<BodyId> {
        node..self.facts.bodies.node(node).after
    }

    fn has_op(&self, node: BodyId, op: Op) -> bool {
        self.kind(node) == BodyKind::Binary && self.facts.bodies.node(node).flags == op as u8
    }

    fn is_null(&self, node: BodyId) -> bool {
        self.kind(node) == BodyKind::Literal
            && self.facts.bodies.node(node).flags == LiteralKind::Null as u8
    }

    /// What a call names, with its type arguments; what it is called on; what it is given.
    fn callee(&self, call: BodyId) -> Option<Callee<'_>> {
        let [callee, arguments] = self.children(call)[..] else {
            return None;
        };
        let (on, name) = match self.kind(callee) {
            BodyKind::MemberAccess => match self.children(callee)[..] {
                [on, name] => (Some(on), name),
                _ => return None,
            },
            _ => (None, callee),
        };
        let arguments = self.children(arguments).into_iter();
        let arguments = arguments.filter_map(|it| self.children(it).first().copied());
        Some(Callee {
            on,
            offset: self.facts.bodies.node(name).offset,
            types: match self.kind(name) {
                BodyKind::GenericName => self.children(name),
                BodyKind::Name => Vec::new(),
                _ => return None,
            },
            name: self.name(name)?,
            arguments: arguments.collect(),
        })
    }
}

/// A call.
struct Callee<'p> {
    on: Option<BodyId>,
    name: &'p str,
    offset: u32,
    types: Vec<BodyId>,
    arguments: Vec<BodyId>,
}

/// Registrations that code found: those of a service, of an implementation or of both.
#[derive(Clone, Default)]
struct Found {
    service: Option<Named>,
    implementation: Option<Named>,
    /// Whether each of them is gone through.
    is_each: bool,
}

/// What names stand for in a member.
#[derive(Clone, Default)]
struct Frame {
    /// Of type parameters.
    types: BTreeMap<String, Option<Named>>,
    /// Of variables that hold registrations which were found.
    found: BTreeMap<String, Found>,
    depth: usize,
    /// The type whose member it is, by its place in the hierarchy.
    level: usize,
}

/// What is given to a member: its type parameters by name.
type Given<'g> = dyn Fn(&Part, &Decl) -> Vec<(String, Option<Named>)> + 'g;

struct Walk<'p> {
    levels: &'p [Vec<Part>],
    out: Overrides,
    /// The trees that the walk is in.
    around: Vec<(usize, BodyId)>,
}

impl<'p> Walk<'p> {
    /// Follows a call of a member by its name, where a number of arguments is known with as many parameters, to the first
    /// type that declares such members from some place of the hierarchy on. Whether there is one.
    fn call(&mut self, name: &str, n: Option<usize>, from: usize, given: &Given<'_>) -> bool {
        self.call_at(name, n, (from, 0), given)
    }

    fn call_at(
        &mut self,
        name: &str,
        n: Option<usize>,
        (from, depth): (usize, usize),
        given: &Given<'_>,
    ) -> bool {
        for (level, parts) in self.levels.iter().enumerate().skip(from) {
            let mut has = false;
            for part in parts {
                let named = part.members().filter(|(decl, _)| {
                    let n_params = decl.params.as_ref().map_or(0, Vec::len);
                    decl.kind == DeclKind::Method
                        && part.facts.name(decl.name) == name
                        && n.is_none_or(|n| n == n_params)
                });
                for (decl, root) in named.collect::<Vec<_>>() {
                    has = true;
                    let types = given(part, decl);
                    if types.len() != decl.type_params.len() {
                        continue;
                    }
                    let frame = Frame {
                        types: types.into_iter().collect(),
                        depth,
                        level,
                        ..Frame::default()
                    };
                    self.member(part, root, frame);
                }
            }
            if has {
                return true;
            }
        }
        false
    }

    /// Follows the constructor of a type that has no other.
    fn only_constructor(&mut self, level: usize, parts: &'p [Part]) {
        let all = parts.iter().flat_map(|part| {
            let members = part.members();
            let own = members.filter(|(decl, _)| decl.kind == DeclKind::Constructor);
            own.map(move |(_, root)| (part, root))
        });
        let all: Vec<_> = all.collect();
        if let [(part, root)] = all[..] {
            let frame = Frame {
                level,
                ..Frame::default()
            };
            self.member(part, root, frame);
        }
    }

    fn member(&mut self, part: &'p Part, root: Option<BodyId>, mut frame: Frame) {
        let Some(root) = root else {
            return;
        };
        let at = (std::ptr::from_ref(part) as usize, root);
        if frame.depth > MAX_DEPTH || self.around.contains(&at) {
            return;
        }
        self.around.push(at);
        self.nodes(part, part.children(root), &mut frame);
        self.around.pop();
    }

    /// Follows nodes one behind the other, up to a condition under which the rest may not run.
    fn nodes(&mut self, part: &'p Part, nodes: Vec<BodyId>, frame: &mut Frame) {
        for node in nodes {
            self.node(part, node, frame);
            if part.kind(node) == BodyKind::If
                && let [condition, ..] = part.children(node)[..]
                && !has_registration(part, condition, frame)
                && part.below(node).into_iter().any(|it| leaves(part.kind(it)))
            {
                break;
            }
        }
    }

    fn node(&mut self, part: &'p Part, node: BodyId, frame: &mut Frame) {
        use BodyKind as K;
        let children = part.children(node);
        match part.kind(node) {
            K::If => {
                if let [condition, then, ..] = children[..]
                    && has_registration(part, condition, frame)
                {
                    self.node(part, then, frame);
                }
            }
            // What may not run, or runs later.
            K::While | K::Do | K::For | K::Conditional | K::Switch | K::SwitchExpression => {}
            K::Catch | K::LocalFunction => {}
            K::ForEach => {
                if let [_, variable, all, body] = children[..] {
                    hold(part, variable, all, frame, true);
                    self.node(part, body, frame);
                }
            }
            K::Declarator => {
                if let [value] = children[..] {
                    hold(part, node, value, frame, false);
                    self.node(part, value, frame);
                }
            }
            K::Invocation => {
                self.invocation(part, node, frame);
                for child in children {
                    self.node(part, child, frame);
                }
            }
            _ => self.nodes(part, children, frame),
        }
    }

    fn invocation(&mut self, part: &'p Part, node: BodyId, frame: &Frame) {
        let Some(call) = part.callee(node) else {
            return;
        };
        let own = call.on.map(|on| part.kind(on));
        if matches!(own, None | Some(BodyKind::This | BodyKind::Base)) {
            let from = match own {
                Some(BodyKind::Base) => frame.level + 1,
                _ => 0,
            };
            let given = |of: &Part, decl: &Decl| type_arguments((part, &call, frame), (of, decl));
            let n = Some(call.arguments.len());
            if self.call_at(call.name, n, (from, frame.depth + 1), &given) {
                return;
            }
        }
        let first = || match call.types[..] {
            [first, ..] => ty(part, first, frame),
            [] => type_of(part, *call.arguments.first()?, frame),
        };
        match call.name {
            "Remove" => {
                if let [argument] = call.arguments[..]
                    && let Some(found) = found(part, argument, frame)
                {
                    self.remove(part, call.offset, found);
                }
            }
            "RemoveAll" => {
                if let Some(service) = first() {
                    let all = Found {
                        is_each: true,
                        ..Found::of(service)
                    };
                    self.remove(part, call.offset, all);
                }
            }
            "Replace" | "Add" => {
                let descriptor = call.arguments.last();
                let described = descriptor.and_then(|&it| described(part, it, frame));
                if let Some((service, made)) = described {
                    self.remove(part, call.offset, Found::of(service));
                    self.out.added.extend(made);
                }
            }
            name if name.starts_with("Add") || name.starts_with("TryAdd") => {
                let made = self.named_below(part, node, frame);
                let service = first().or_else(|| made_of(part, *call.arguments.first()?, frame));
                // A registration of a type as itself makes objects of it.
                let is_type = |it: &BodyId| part.kind(*it) == BodyKind::TypeOf;
                let is_itself = match (&call.types[..], &call.arguments[..]) {
                    ([_], []) => true,
                    ([], [only]) => is_type(only),
                    _ => false,
                };
                let others = made
                    .into_iter()
                    .filter(|it| is_itself || Some(it) != service.as_ref());
                self.out.added.extend(others);
                if let Some(service) = service.filter(|_| ADDING.contains(&name)) {
                    self.remove(part, call.offset, Found::of(service));
                }
            }
            _ => {}
        }
    }

    /// The types that a call names or makes, itself included.
    fn named_below(&self, part: &Part, node: BodyId, frame: &Frame) -> Vec<Named> {
        let mut out = Vec::new();
        for at in part.below(node) {
            match part.kind(at) {
                BodyKind::GenericName => {
                    let all = part.children(at).into_iter();
                    out.extend(all.filter_map(|it| ty(part, it, frame)));
                }
                BodyKind::TypeOf | BodyKind::ObjectCreation => {
                    let first = part.children(at).first().copied();
                    out.extend(first.and_then(|it| ty(part, it, frame)));
                }
                _ => {}
            }
        }
        out
    }

    fn remove(&mut self, part: &Part, offset: u32, found: Found) {
        self.out.removals.push(Removal {
            leaves_others: found.implementation.is_none() && !found.is_each,
            service: found.service,
            implementation: found.implementation,
            file: part.file.clone(),
            offset,
        });
    }
}

/// Whether code leaves the member by it.
fn leaves(kind: BodyKind) -> bool {
    matches!(kind, BodyKind::Return | BodyKind::Throw)
}

impl Found {
    fn of(service: Named) -> Self {
        Self {
            service: Some(service),
            ..Self::default()
        }
    }
}

/// The type that an expression of a type names; none where it has type arguments, of which the others matter.
fn ty(part: &Part, node: BodyId, frame: &Frame) -> Option<Named> {
    match part.kind(node) {
        BodyKind::Name => {
            let name = part.name(node)?;
            if let Some(given) = frame.types.get(name) {
                return given.clone();
            }
            let offset = part.facts.bodies.node(node).offset;
            Some(match part.types.get(&offset) {
                Some(&key) => Named::Known(key),
                None => Named::Outside(name.to_owned()),
            })
        }
        BodyKind::MemberAccess | BodyKind::AliasQualified => {
            ty(part, *part.children(node).last()?, frame)
        }
        _ => None,
    }
}

/// The type of `typeof(T)`.
fn type_of(part: &Part, node: BodyId, frame: &Frame) -> Option<Named> {
    let is_type = part.kind(node) == BodyKind::TypeOf;
    let first = part.children(node).first().copied();
    first.filter(|_| is_type).and_then(|it| ty(part, it, frame))
}

/// The type of an object that is made for a test: `new T(…)`, `Substitute.For<T>()`.
fn made_of(part: &Part, node: BodyId, frame: &Frame) -> Option<Named> {
    match part.kind(node) {
        BodyKind::ObjectCreation => ty(part, *part.children(node).first()?, frame),
        BodyKind::Invocation => match part.callee(node)?.types[..] {
            [only] => ty(part, only, frame),
            _ => None,
        },
        _ => None,
    }
}

/// What the type parameters of a member stand for where it is called: as they are written, else by the arguments.
fn type_arguments(
    (part, call, frame): (&Part, &Callee<'_>, &Frame),
    (of, decl): (&Part, &Decl),
) -> Vec<(String, Option<Named>)> {
    let params = decl.type_params.iter().enumerate();
    params
        .map(|(at, param)| {
            let name = of.facts.name(param.name);
            let given = match call.types.get(at) {
                Some(&written) => ty(part, written, frame),
                None => {
                    let mut all = decl.params.iter().flatten();
                    let place =
                        all.position(|it| it.ty.as_ref().is_some_and(|it| is_name(of, it, name)));
                    let argument = place.and_then(|at| call.arguments.get(at));
                    argument.and_then(|&it| made_of(part, it, frame))
                }
            };
            (name.to_owned(), given)
        })
        .collect()
}

fn is_name(part: &Part, ty: &TypeSyntax, name: &str) -> bool {
    match ty {
        TypeSyntax::Named(segments) => match &segments[..] {
            [only] => {
                let reference = &part.facts.refs[only.reference as usize];
                only.arguments.is_empty() && part.facts.name(reference.name) == name
            }
            _ => false,
        },
        _ => false,
    }
}

/// The service of a registration that is made by a call or constructor, with what else is named there.
fn described(part: &Part, node: BodyId, frame: &Frame) -> Option<(Named, Vec<Named>)> {
    let (types, arguments) = match part.kind(node) {
        BodyKind::Invocation => {
            let call = part.callee(node)?;
            let on = call.on.and_then(|on| ty(part, on, frame));
            on.filter(is_descriptor)?;
            (call.types, call.arguments)
        }
        BodyKind::ObjectCreation => {
            let made = part.children(node).first().copied();
            let made = made.and_then(|it| ty(part, it, frame));
            made.filter(is_descriptor)?;
            let list = part.children(node).into_iter();
            let mut list = list.filter(|it| part.kind(*it) == BodyKind::Arguments);
            let arguments = part.children(list.next()?).into_iter();
            let arguments = arguments.filter_map(|it| part.children(it).first().copied());
            (Vec::new(), arguments.collect())
        }
        _ => return None,
    };
    let named: Vec<Named> = match &types[..] {
        [] => {
            let all = arguments.iter();
            all.filter_map(|&it| type_of(part, it, frame).or_else(|| made_of(part, it, frame)))
                .collect()
        }
        types => types.iter().filter_map(|&it| ty(part, it, frame)).collect(),
    };
    let (first, others) = named.split_first()?;
    Some((first.clone(), others.to_vec()))
}

/// Whether a type is the one that describes registrations.
fn is_descriptor(ty: &Named) -> bool {
    matches!(ty, Named::Outside(name) if name == "ServiceDescriptor")
}

/// Remembers that a variable holds registrations, where a value finds some.
fn hold(part: &Part, variable: BodyId, value: BodyId, frame: &mut Frame, is_each: bool) {
    if let (Some(name), Some(found)) = (part.name(variable), found(part, value, frame)) {
        let held = Found {
            is_each: is_each || found.is_each,
            ..found
        };
        frame.found.insert(name.to_owned(), held);
    }
}

/// The registrations that an expression finds.
fn found(part: &Part, node: BodyId, frame: &Frame) -> Option<Found> {
    match part.kind(node) {
        BodyKind::SuppressNull => return found(part, *part.children(node).first()?, frame),
        BodyKind::Name => return frame.found.get(part.name(node)?).cloned(),
        _ => {}
    }
    let lambdas = part.below(node);
    let mut lambdas = lambdas.filter(|&at| part.kind(at) == BodyKind::Lambda);
    let lambda = lambdas.next()?;
    let [parameter, body] = part.children(lambda)[..] else {
        return None;
    };
    if lambdas.next().is_some() {
        return None;
    }
    let mut out = Found::default();
    let is_known = predicate(part, body, (part.name(parameter)?, frame), &mut out);
    let is_told = out.service.is_some() || out.implementation.is_some();
    (is_known && is_told).then_some(out)
}

/// Reads what a predicate wants of the service and the implementation; whether that is all it wants.
fn predicate(
    part: &Part,
    node: BodyId,
    (parameter, frame): (&str, &Frame),
    out: &mut Found,
) -> bool {
    let children = part.children(node);
    if part.kind(node) == BodyKind::Parenthesized {
        return predicate(part, children[0], (parameter, frame), out);
    }
    let [left, right] = children[..] else {
        return false;
    };
    if part.has_op(node, Op::LogicalAnd) {
        return predicate(part, left, (parameter, frame), out)
            && predicate(part, right, (parameter, frame), out);
    }
    let property = |node: BodyId| {
        let [of, name] = part.children(node)[..] else {
            return None;
        };
        let is_access = part.kind(node) == BodyKind::MemberAccess;
        let is_of_it = is_access && part.name(of) == Some(parameter);
        let name = part.name(name).filter(|_| is_of_it)?;
        matches!(name, "ServiceType" | "ImplementationType").then_some(name)
    };
    let sides = [(left, right), (right, left)];
    let side = sides
        .into_iter()
        .find_map(|(at, value)| Some((property(at)?, value)));
    let Some((property, value)) = side else {
        return false;
    };
    if part.has_op(node, Op::NotEqual) {
        return part.is_null(value);
    }
    match type_of(part, value, frame) {
        Some(named) if part.has_op(node, Op::Equal) => {
            match property {
                "ServiceType" => out.service = Some(named),
                _ => out.implementation = Some(named),
            }
            true
        }
        _ => false,
    }
}

/// Whether a condition asks no more than whether a registration was found; a variable that it declares holds that.
fn has_registration(part: &Part, condition: BodyId, frame: &mut Frame) -> bool {
    let children = part.children(condition);
    let [left, right] = children[..] else {
        return false;
    };
    if part.has_op(condition, Op::NotEqual) {
        return part.is_null(right) && found(part, left, frame).is_some();
    }
    if part.kind(condition) != BodyKind::Is || found(part, left, frame).is_none() {
        return false;
    }
    let mut below = part.below(right);
    let is_not_null = match part.kind(right) {
        BodyKind::NotPattern => below.any(|at| part.is_null(at)),
        BodyKind::RecursivePattern | BodyKind::DeclarationPattern => true,
        _ => false,
    };
    let mut names = part.below(right);
    if let Some(variable) = names.find(|&at| part.kind(at) == BodyKind::SingleDesignation) {
        hold(part, variable, left, frame, false);
    }
    is_not_null
}
