//! From a snapshot to its graph of members.
//!
//! Owns: which names and uses make what run. Must not know: what is asked.

use cortex_bind::{MemberNode, TypeNode};
use cortex_index::{
    BoundTarget, DeclBindings, FileBindings, MemberSymbol, MemberTag, Snapshot, TypeSymbols,
};
use cortex_model::{DeclKind, EdgeKind, Modifier, RepoPath, TypeKey, TypeKind};
use cortex_semantics::How;
use cortex_syntax::Sections;
use rayon::prelude::*;
use rustc_hash::{FxHashMap, FxHashSet};

use super::{
    frameworks::{Marks, is_set_up_by_contract, marks, marks_by_name},
    graph::{Entry, MemberGraph, MemberIndex, Node, Role, Taken, TypeIndex, TypeRole, marked},
};
use crate::{QueryError, symbol::symbols_of_members};

/// A type with everything that is read of it.
struct Declared {
    key: TypeKey,
    node: TypeNode,
    symbols: TypeSymbols,
    /// Types that have it as a base.
    below: Vec<TypeIndex>,
    bases: Vec<TypeIndex>,
    is_test_attribute: bool,
}

/// What is known of a member beyond its tag.
#[derive(Clone, Copy, Default)]
struct Known {
    is_constructor: bool,
    /// Others may run in its place, or it in that of others.
    is_virtual: bool,
    /// A runner calls it around tests where it is a test class's.
    is_set_up: bool,
}

/// Reads a graph. O(snapshot).
pub(crate) fn member_graph(snapshot: &Snapshot) -> Result<MemberGraph, QueryError> {
    let mut builder = Builder::read(snapshot)?;
    builder.implementations();
    builder.hierarchy();
    let files = snapshot.files()?;
    let projects = snapshot.projects()?;
    let test_projects: FxHashSet<&RepoPath> = (projects.iter())
        .filter(|record| record.project.is_test)
        .map(|record| &record.project.path)
        .collect();
    let wanted: Vec<_> = files
        .iter()
        .flat_map(|file| file.projects.iter().map(move |project| (file, project)))
        .collect();
    let read: Vec<FromFile> = wanted
        .par_iter()
        .map(|(file, project)| {
            let bindings = snapshot.bindings(&file.path, project)?;
            let reads_values = builder.has_busy_property(&file.path, &bindings);
            let with_value = if reads_values {
                let facts = snapshot.facts(file, project, Sections::Declarations)?;
                let decls = facts.into_iter().flat_map(|facts| facts.decls).enumerate();
                decls
                    .filter(|(_, decl)| decl.kind == DeclKind::Property && decl.value.is_some())
                    .map(|(at, _)| at as u32)
                    .collect()
            } else {
                FxHashSet::default()
            };
            Ok(builder.file(
                &file.path,
                &bindings,
                &with_value,
                if test_projects.contains(project) {
                    Project::Tests
                } else {
                    Project::Other
                },
            ))
        })
        .collect::<Result<_, QueryError>>()?;
    Ok(builder.finish(read))
}

/// What a file is compiled into.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Project {
    /// A project of tests.
    Tests,
    /// Any other.
    Other,
}

/// What the names of a file tell.
#[derive(Default)]
struct FromFile {
    edges: Vec<(Node, u32)>,
    marked: Vec<(MemberIndex, Marks)>,
    data: Vec<(MemberIndex, MemberIndex)>,
    /// Constructors that call another one by `this` or `base`.
    chained: Vec<MemberIndex>,
    /// Members whose names were bound, with the declaration of each.
    declared: Vec<(MemberIndex, u32)>,
}

struct Builder {
    types: Vec<Declared>,
    graph: MemberGraph,
    known: Vec<Known>,
    edges: Vec<(Node, u32)>,
    /// Declared members by file: number of the declaration, type, where it stands there; sorted.
    by_file: FxHashMap<RepoPath, Vec<(u32, TypeIndex, u32)>>,
    /// Members that override or implement each, with the type where that is found.
    under: Vec<Vec<MemberIndex>>,
    /// Members that stand for ones from outside.
    called_from_outside: FxHashSet<MemberIndex>,
}

impl Builder {
    fn read(snapshot: &Snapshot) -> Result<Self, QueryError> {
        let nodes = snapshot.types()?;
        let mut types: Vec<Declared> = nodes
            .into_par_iter()
            .map(|(key, node)| {
                Ok(Declared {
                    key,
                    symbols: snapshot.symbols(key)?,
                    node,
                    below: Vec::new(),
                    bases: Vec::new(),
                    is_test_attribute: false,
                })
            })
            .collect::<Result<_, QueryError>>()?;
        types.sort_by_key(|ty| ty.key);
        let mut graph = MemberGraph {
            types: types.iter().map(|ty| ty.key).collect(),
            ..MemberGraph::default()
        };
        for ty in &types {
            graph.first.push(graph.tags.len() as u32);
            let mut tags: Vec<MemberTag> = (ty.symbols.members.iter())
                .map(|member| MemberTag::new(&member.id))
                .collect();
            tags.sort_unstable();
            tags.dedup();
            graph.tags.append(&mut tags);
        }
        graph.first.push(graph.tags.len() as u32);
        for at in 0..types.len() {
            let bases = types[at].node.bases.iter();
            let bases: Vec<TypeIndex> = bases.filter_map(|&base| graph.ty(base)).collect();
            for &base in &bases {
                types[base as usize].below.push(at as u32);
            }
            types[at].bases = bases;
        }
        let n = graph.tags.len();
        let mut builder = Self {
            known: vec![Known::default(); n],
            under: vec![Vec::new(); n],
            types,
            graph,
            edges: Vec::new(),
            by_file: FxHashMap::default(),
            called_from_outside: FxHashSet::default(),
        };
        builder.test_attributes();
        builder.declarations();
        Ok(builder)
    }

    /// Attributes of the repository that derive from a framework's.
    fn test_attributes(&mut self) {
        let mut found: Vec<TypeIndex> = Vec::new();
        for (at, ty) in self.types.iter().enumerate() {
            let external = ty.symbols.signature.external.iter();
            let mut bases = external.filter(|edge| edge.kinds.contains(EdgeKind::Inherits));
            if bases.any(|edge| marks(&edge.id) == Some(Marks::Test)) {
                found.push(at as u32);
            }
        }
        while let Some(at) = found.pop() {
            if !std::mem::replace(&mut self.types[at as usize].is_test_attribute, true) {
                found.extend(&self.types[at as usize].below);
            }
        }
    }

    fn declarations(&mut self) {
        for (at, ty) in self.types.iter().enumerate() {
            for (index, member) in ty.node.members.iter().enumerate() {
                if member.primary {
                    continue;
                }
                let path = &ty.node.parts[member.part as usize].path;
                let declared = (member.decl, at as u32, index as u32);
                match self.by_file.get_mut(path) {
                    Some(all) => all.push(declared),
                    None => {
                        self.by_file.insert(path.clone(), vec![declared]);
                    }
                }
            }
            for member in &ty.symbols.members {
                let tag = MemberTag::new(&member.id);
                if let Some(index) = self.graph.member(ty.key, tag) {
                    let known = &mut self.known[index as usize];
                    known.is_constructor = member.id.starts_with("M.#ctor");
                    known.is_set_up = is_set_up_by_contract(member.simple_name());
                }
            }
        }
        self.by_file
            .values_mut()
            .for_each(|all| all.sort_unstable());
    }

    /// The edges between calls of members and what runs in their place.
    fn implementations(&mut self) {
        let mut by_id: FxHashMap<String, Vec<MemberIndex>> = FxHashMap::default();
        let mut wanted: FxHashSet<&str> = FxHashSet::default();
        for found in self.types.iter().flat_map(|ty| &ty.symbols.implementations) {
            wanted.insert(&found.member);
            wanted.insert(&found.of);
        }
        for ty in &self.types {
            let name = ty.node.fqn.replace('+', ".");
            for member in &ty.symbols.members {
                let (kind, rest) = member.id.split_once('.').unwrap_or(("M", &member.id));
                let id = format!("{kind}:{name}.{rest}");
                if wanted.contains(id.as_str()) {
                    let index = self.graph.member(ty.key, MemberTag::new(&member.id));
                    by_id.entry(id).or_default().extend(index);
                }
            }
        }
        let mut pairs = Vec::new();
        for ty in &self.types {
            for found in &ty.symbols.implementations {
                // Twins of other assemblies are told apart where one is of this type's.
                let near = |id: &str| -> Vec<MemberIndex> {
                    let all = by_id.get(id).map_or(&[][..], Vec::as_slice);
                    let own: Vec<MemberIndex> = (all.iter().copied())
                        .filter(|&member| {
                            let owner = &self.types[self.graph.owner(member) as usize];
                            owner.node.assembly == ty.node.assembly
                        })
                        .collect();
                    if own.is_empty() { all.to_vec() } else { own }
                };
                let of = near(&found.of);
                for member in near(&found.member) {
                    if of.is_empty() {
                        self.called_from_outside.insert(member);
                    }
                    pairs.extend(of.iter().map(|&of| (of, member)));
                }
            }
        }
        pairs.sort_unstable();
        pairs.dedup();
        for (of, member) in pairs {
            self.under[of as usize].push(member);
            self.known[of as usize].is_virtual = true;
            self.known[member as usize].is_virtual = true;
            let from = self.graph.node(of, Role::Call);
            let to = self.graph.node(member, Role::Call);
            self.edges.push((from, to));
        }
        for &member in &self.called_from_outside {
            self.known[member as usize].is_virtual = true;
            let from = self.graph.node(member, Role::Dispatch);
            let to = self.graph.node(member, Role::Run);
            self.edges.push((from, to));
        }
    }

    /// The edges that types have by what they are.
    fn hierarchy(&mut self) {
        let mut edges = std::mem::take(&mut self.edges);
        for (at, ty) in self.types.iter().enumerate() {
            let at = at as u32;
            let node = |role| self.graph.type_node(at, role);
            edges.push((node(TypeRole::Created), node(TypeRole::Below)));
            let mut reflects = |from: TypeRole, to: Node| {
                edges.push((node(from), marked(to, Taken::All)));
            };
            reflects(TypeRole::Created, node(TypeRole::Attributes));
            reflects(TypeRole::Reflected, node(TypeRole::Attributes));
            reflects(TypeRole::Reflected, node(TypeRole::Created));
            for &base in &ty.bases {
                reflects(
                    TypeRole::Attributes,
                    self.graph.type_node(base, TypeRole::Attributes),
                );
            }
            for &base in &ty.bases {
                let below = self.graph.type_node(base, TypeRole::Below);
                edges.push((node(TypeRole::Below), below));
                let set_up = self.graph.type_node(base, TypeRole::SetUp);
                edges.push((node(TypeRole::SetUp), set_up));
            }
            edges.push((node(TypeRole::SetUp), node(TypeRole::Static)));
            for member in self.graph.members(at) {
                let run = self.graph.node(member, Role::Run);
                if self.known[member as usize].is_constructor {
                    edges.push((run, node(TypeRole::Initialised)));
                    edges.push((run, node(TypeRole::Static)));
                    edges.push((node(TypeRole::SetUp), run));
                    let from = node(TypeRole::Reflected);
                    edges.push((from, marked(run, Taken::All)));
                }
                if self.known[member as usize].is_virtual {
                    self.dispatch(at, member, &mut edges);
                }
            }
            for member in &ty.symbols.members {
                let Some(index) = self.graph.member(ty.key, MemberTag::new(&member.id)) else {
                    continue;
                };
                let run = self.graph.node(index, Role::Run);
                if member.id.starts_with("M.#cctor") {
                    edges.push((node(TypeRole::Static), run));
                } else if &*member.id == "M.Finalize" {
                    edges.push((node(TypeRole::Created), run));
                } else if member.synthesized && !self.known[index as usize].is_constructor {
                    // What the compiler makes of a record is called by operators, `with` and the framework.
                    edges.push((node(TypeRole::Created), run));
                }
                if is_set_up_by_contract(member.simple_name()) {
                    edges.push((node(TypeRole::SetUp), run));
                }
            }
            // Fixtures are type arguments of an interface.
            let is_fixture = |edge: &&cortex_index::Edge| {
                edge.kinds.contains(EdgeKind::Implements) && !ty.node.bases.contains(&edge.target)
            };
            for edge in ty.symbols.signature.source.iter().filter(is_fixture) {
                if let Some(fixture) = self.graph.ty(edge.target) {
                    let to = self.graph.type_node(fixture, TypeRole::Reflected);
                    edges.push((node(TypeRole::SetUp), to));
                    let to = self.graph.type_node(fixture, TypeRole::SetUp);
                    edges.push((node(TypeRole::SetUp), to));
                }
            }
        }
        self.edges = edges;
    }

    /// On which objects a call of a member ends in it: those of its type and the types below it, but for the
    /// ones that override it.
    fn dispatch(&self, ty: TypeIndex, member: MemberIndex, edges: &mut Vec<(Node, u32)>) {
        let to = self.graph.node(member, Role::Dispatch);
        let overriding: FxHashSet<TypeIndex> = (self.under[member as usize].iter())
            .map(|&under| self.graph.owner(under))
            .filter(|&under| under != ty)
            .collect();
        let mut around: FxHashSet<TypeIndex> = FxHashSet::default();
        let mut up: Vec<TypeIndex> = overriding.iter().copied().collect();
        while let Some(at) = up.pop() {
            if at != ty && around.insert(at) {
                up.extend(&self.types[at as usize].bases);
            }
        }
        if around.is_empty() {
            edges.push((self.graph.type_node(ty, TypeRole::Below), to));
            return;
        }
        let mut seen = FxHashSet::default();
        let mut down = vec![ty];
        while let Some(at) = down.pop() {
            if !seen.insert(at) || (at != ty && overriding.contains(&at)) {
                continue;
            }
            if at != ty && !around.contains(&at) {
                edges.push((self.graph.type_node(at, TypeRole::Below), to));
                continue;
            }
            edges.push((self.graph.type_node(at, TypeRole::Created), to));
            down.extend(&self.types[at as usize].below);
        }
    }

    /// The members that a declaration declares, one for each project that compiles it.
    fn declared(&self, decl: u32, path: &RepoPath) -> &[(u32, TypeIndex, u32)] {
        let all = self.by_file.get(path).map_or(&[][..], Vec::as_slice);
        let start = all.partition_point(|it| it.0 < decl);
        let end = all.partition_point(|it| it.0 <= decl);
        &all[start..end]
    }

    /// Where the member that a declaration declares stands in its type.
    fn member_node(&self, member: MemberIndex, decl: u32, path: &RepoPath) -> Option<u32> {
        let owner = self.graph.owner(member);
        let (_, _, index) = (self.declared(decl, path).iter()).find(|(_, ty, _)| *ty == owner)?;
        Some(*index)
    }

    /// Whether a property of a file names anything: only then it matters whether it has an initial value.
    fn has_busy_property(&self, path: &RepoPath, bindings: &FileBindings) -> bool {
        bindings.decls.iter().any(|decl| {
            let is_busy = !decl.uses.is_empty() || decl.refs.iter().any(|found| runs(found.kind));
            is_busy && self.kind_of(path, decl) == Some(DeclKind::Property)
        })
    }

    fn simple_name(&self, member: MemberIndex) -> Option<&str> {
        let symbols = &self.types[self.graph.owner(member) as usize].symbols;
        let tag = self.graph.tags[member as usize];
        let found = symbols
            .members
            .iter()
            .find(|it| MemberTag::new(&it.id) == tag);
        found.map(MemberSymbol::simple_name)
    }

    fn kind_of(&self, path: &RepoPath, decl: &DeclBindings) -> Option<DeclKind> {
        let &(_, ty, index) = self.declared(decl.decl?, path).first()?;
        Some(self.types[ty as usize].node.members[index as usize].kind)
    }

    fn file(
        &self,
        path: &RepoPath,
        bindings: &FileBindings,
        with_value: &FxHashSet<u32>,
        project: Project,
    ) -> FromFile {
        let meaning: Vec<Meaning> = (bindings.targets.iter())
            .map(|target| self.meaning(target))
            .collect();
        let mut out = FromFile::default();
        for decl in &bindings.decls {
            let (Some(symbol), Some(number)) = (decl.symbol, decl.decl) else {
                continue;
            };
            let names = Names {
                builder: self,
                bindings,
                meaning: &meaning,
                decl,
                edges: &mut out.edges,
            };
            match meaning[symbol as usize] {
                Meaning::Type(ty) => names.of_type(ty, &mut out.chained),
                Meaning::Member(member) => {
                    let Some(at) = self.member_node(member, number, path) else {
                        continue;
                    };
                    out.declared.push((member, at));
                    let owner = self.graph.owner(member) as usize;
                    let node = &self.types[owner].node.members[at as usize];
                    let marked = self.marks(bindings, &meaning, decl, node, project);
                    if marked == Some(Marks::Test) {
                        let named = decl
                            .refs
                            .iter()
                            .filter(|found| found.kind == EdgeKind::TypeOf);
                        for found in named {
                            // In an attribute, not in the body.
                            if let Meaning::Member(data) = meaning[found.target as usize]
                                && self
                                    .simple_name(data)
                                    .is_some_and(|it| node.shape.contains(it))
                            {
                                out.data.push((member, data));
                            }
                        }
                    }
                    out.marked.extend(marked.map(|marks| (member, marks)));
                    let value = if with_value.contains(&number) {
                        Value::Initial
                    } else {
                        Value::None
                    };
                    names.of_member(member, node, value, &mut out.chained);
                }
                Meaning::Other => {}
            }
        }
        out
    }

    fn meaning(&self, target: &BoundTarget) -> Meaning {
        match target {
            BoundTarget::Type(key) => self.graph.ty(*key).map_or(Meaning::Other, Meaning::Type),
            BoundTarget::Member(key, tag) => {
                let found = self.graph.member(*key, *tag);
                found.map_or(Meaning::Other, Meaning::Member)
            }
            BoundTarget::External(..) => Meaning::Other,
        }
    }

    /// What the attributes of a member make of it.
    fn marks(
        &self,
        bindings: &FileBindings,
        meaning: &[Meaning],
        decl: &DeclBindings,
        node: &MemberNode,
        project: Project,
    ) -> Option<Marks> {
        if node.kind != DeclKind::Method {
            return None;
        }
        let attributes = (decl.externals.iter())
            .filter(|(_, kinds)| kinds.contains(EdgeKind::Attribute))
            .filter_map(|(target, _)| match &bindings.targets[*target as usize] {
                BoundTarget::External(id, _) => marks(id),
                _ => None,
            });
        let own = decl.refs.iter().filter_map(|found| {
            let ty = match meaning[found.target as usize] {
                Meaning::Type(ty) if found.kind == EdgeKind::Attribute => ty,
                _ => return None,
            };
            self.types[ty as usize]
                .is_test_attribute
                .then_some(Marks::Test)
        });
        let bound = attributes
            .chain(own)
            .min_by_key(|marks| *marks != Marks::Test);
        if bound.is_some() || decl.unbound.is_empty() || project == Project::Other {
            return bound;
        }
        // The framework's package is not on this machine.
        let written = node.shape.split('[').skip(1);
        let names = written.filter_map(|text| text.split([']', '(', ',']).next());
        names
            .filter_map(marks_by_name)
            .min_by_key(|marks| *marks != Marks::Test)
    }

    /// A type and everything above it that is declared here.
    fn and_above(&self, ty: TypeIndex) -> Vec<TypeIndex> {
        let mut out = vec![ty];
        let mut at = 0;
        while let Some(&next) = out.get(at) {
            for &base in &self.types[next as usize].bases {
                if !out.contains(&base) {
                    out.push(base);
                }
            }
            at += 1;
        }
        out
    }

    fn finish(mut self, read: Vec<FromFile>) -> MemberGraph {
        let mut edges = std::mem::take(&mut self.edges);
        let mut chained = FxHashSet::default();
        let mut declared = FxHashMap::default();
        let (mut tests, mut data) = (Vec::new(), FxHashMap::<_, Vec<MemberIndex>>::default());
        for file in read {
            edges.extend(file.edges);
            chained.extend(file.chained);
            declared.extend(file.declared);
            for (test, member) in file.data {
                data.entry(test).or_default().push(member);
            }
            for (member, marks) in file.marked {
                match marks {
                    Marks::Test => tests.push(member),
                    Marks::SetUp => {
                        let owner = self.graph.owner(member);
                        let from = self.graph.type_node(owner, TypeRole::SetUp);
                        edges.push((from, self.graph.node(member, Role::Run)));
                    }
                }
            }
        }
        self.base_constructors(&chained, &mut edges);
        self.without_names(&declared, &mut edges);
        let mut entries = Vec::new();
        for test in tests {
            for class in self.classes_of(test) {
                let method = self.most_derived(test, class);
                let mut data = data.get(&test).cloned().unwrap_or_default();
                data.sort_unstable();
                data.dedup();
                entries.push(Entry {
                    class,
                    method,
                    data,
                });
            }
        }
        entries.sort_unstable();
        entries.dedup_by(|a, b| (a.class, a.method) == (b.class, b.method));
        // What a runner calls around a test is not its body's to call.
        let classes: FxHashSet<TypeIndex> = (entries.iter())
            .flat_map(|entry| self.and_above(entry.class))
            .collect();
        let around: FxHashSet<(Node, u32)> = (self.called_from_outside.iter())
            .filter(|&&member| self.known[member as usize].is_set_up)
            .filter(|&&member| classes.contains(&self.graph.owner(member)))
            .map(|&member| {
                let dispatch = self.graph.node(member, Role::Dispatch);
                (dispatch, self.graph.node(member, Role::Run))
            })
            .collect();
        edges.retain(|edge| !around.contains(edge));
        self.graph.entries = entries;
        self.graph.set_edges(edges);
        self.graph
    }

    /// Static members in which nothing had to be bound initialise their type all the same.
    fn without_names(&self, declared: &FxHashMap<MemberIndex, u32>, edges: &mut Vec<(Node, u32)>) {
        for (at, ty) in self.types.iter().enumerate() {
            let mut known = vec![None; ty.node.members.len()];
            let index =
                |symbol: &MemberSymbol| self.graph.member(ty.key, MemberTag::new(&symbol.id));
            for (symbol, member) in ty.symbols.members.iter().enumerate() {
                let node = index(member).and_then(|index| declared.get(&index));
                if let Some(&node) = node {
                    known[node as usize] = Some(symbol);
                }
            }
            let is_left = |(node, known): (&MemberNode, &Option<usize>)| {
                known.is_none() && is_static(node) && node.kind != DeclKind::Constant
            };
            if !ty.node.members.iter().zip(&known).any(is_left) {
                continue;
            }
            let symbols = symbols_of_members(&ty.node, &ty.symbols, known);
            for (node, symbol) in ty.node.members.iter().zip(symbols) {
                let symbol = symbol.filter(|_| is_static(node) && node.kind != DeclKind::Constant);
                let member = symbol.and_then(|symbol| index(&ty.symbols.members[symbol]));
                if let Some(member) = member {
                    let from = self.graph.node(member, Role::Run);
                    let to = self.graph.type_node(at as u32, TypeRole::Static);
                    edges.push((from, to));
                }
            }
        }
    }

    /// Constructors that name none of their type or its base call the base's.
    fn base_constructors(&self, chained: &FxHashSet<MemberIndex>, edges: &mut Vec<(Node, u32)>) {
        let plain = MemberTag::new("M.#ctor");
        for (at, ty) in self.types.iter().enumerate() {
            let is_class = |base: &&TypeIndex| {
                matches!(
                    self.types[**base as usize].node.kind,
                    TypeKind::Class | TypeKind::Record
                )
            };
            let Some(&base) = ty.bases.iter().find(is_class) else {
                continue;
            };
            let called = match self.graph.member(self.types[base as usize].key, plain) {
                Some(member) => vec![member],
                None => self.constructors(base),
            };
            for member in self.constructors(at as u32) {
                if chained.contains(&member) {
                    continue;
                }
                let from = self.graph.node(member, Role::Run);
                let to = called.iter().map(|&to| self.graph.node(to, Role::Run));
                edges.extend(to.map(|to| (from, to)));
            }
        }
    }

    fn constructors(&self, ty: TypeIndex) -> Vec<MemberIndex> {
        let members = self.graph.members(ty);
        members
            .filter(|&member| self.known[member as usize].is_constructor)
            .collect()
    }

    /// The classes in which a runner finds a test: its own and those below it, where they can be created.
    fn classes_of(&self, test: MemberIndex) -> Vec<TypeIndex> {
        let owner = self.graph.owner(test);
        let mut out = Vec::new();
        let mut seen = FxHashSet::default();
        let mut down = vec![owner];
        while let Some(at) = down.pop() {
            if !seen.insert(at) {
                continue;
            }
            let ty = &self.types[at as usize];
            let is_open = ty.node.arity > 0 && !ty.below.is_empty();
            if !ty.node.modifiers.contains(Modifier::Abstract)
                && ty.node.kind != TypeKind::Interface
                && !is_open
            {
                out.push(at);
            }
            down.extend(&ty.below);
        }
        out
    }

    /// What runs for a method in a class.
    fn most_derived(&self, method: MemberIndex, class: TypeIndex) -> MemberIndex {
        let mut all = vec![method];
        let mut at = 0;
        while let Some(&next) = all.get(at) {
            let under = &self.under[next as usize];
            all.extend(
                under
                    .iter()
                    .filter(|it| !all.contains(it))
                    .copied()
                    .collect::<Vec<_>>(),
            );
            at += 1;
        }
        if all.len() == 1 {
            return method;
        }
        let nearest = self
            .and_above(class)
            .into_iter()
            .find_map(|ty| (all.iter().copied()).find(|&member| self.graph.owner(member) == ty));
        nearest.unwrap_or(method)
    }
}

/// What a name of a file means.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Meaning {
    Type(TypeIndex),
    Member(MemberIndex),
    Other,
}

/// Whether a property has an initial value.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Value {
    /// It has.
    Initial,
    /// It has not.
    None,
}

fn is_static(node: &MemberNode) -> bool {
    node.head.split(' ').any(|word| word == "static")
}

/// Whether a name of a member in such a place makes it run.
fn runs(kind: EdgeKind) -> bool {
    !kind.is_structural() && !matches!(kind, EdgeKind::TypeOf | EdgeKind::Doc)
}

/// Types whose methods call a member that was found by reflection.
const INVOKES: [&str; 3] = [
    "T:System.Reflection.MethodBase",
    "T:System.Reflection.MethodInfo",
    "T:System.Reflection.ConstructorInfo",
];

/// The names of one declaration on their way to edges.
struct Names<'a> {
    builder: &'a Builder,
    bindings: &'a FileBindings,
    meaning: &'a [Meaning],
    decl: &'a DeclBindings,
    edges: &'a mut Vec<(Node, u32)>,
}

impl Names<'_> {
    fn of_type(self, ty: TypeIndex, chained: &mut Vec<MemberIndex>) {
        let from = self.builder.graph.type_node(ty, TypeRole::Initialised);
        let above = self.builder.and_above(ty);
        let calls_base =
            self.decl
                .uses
                .iter()
                .any(|found| match self.meaning[found.target as usize] {
                    Meaning::Member(to) if found.how == How::New => {
                        let owner = self.builder.graph.owner(to);
                        owner != ty && above.contains(&owner)
                    }
                    _ => false,
                });
        if calls_base {
            chained.extend(self.builder.constructors(ty));
        }
        self.add(ty, from);
    }

    fn of_member(
        self,
        member: MemberIndex,
        node: &MemberNode,
        value: Value,
        chained: &mut Vec<MemberIndex>,
    ) {
        let graph = &self.builder.graph;
        let ty = graph.owner(member);
        let run = graph.node(member, Role::Run);
        let is_static = is_static(node);
        if is_static {
            self.edges
                .push((run, graph.type_node(ty, TypeRole::Static)));
        }
        if self.builder.known[member as usize].is_constructor {
            let mut made = self.decl.uses.iter().filter(|found| found.how == How::New);
            if let Some(Meaning::Member(first)) =
                made.next().map(|it| self.meaning[it.target as usize])
                && self.builder.and_above(ty).contains(&graph.owner(first))
            {
                chained.push(member);
            }
        }
        let initial = if is_static {
            TypeRole::Static
        } else {
            TypeRole::Initialised
        };
        let from = match node.kind {
            DeclKind::Constant | DeclKind::EnumMember => return,
            DeclKind::Field => graph.type_node(ty, initial),
            DeclKind::Property if value == Value::Initial => graph.type_node(ty, initial),
            _ => run,
        };
        if from != run {
            self.edges.push((from, run));
        }
        self.add(ty, from);
    }

    /// Adds the edges of everything that is named or used.
    fn add(mut self, ty: TypeIndex, from: Node) {
        let graph = &self.builder.graph;
        let looked_at = graph.type_node(ty, TypeRole::Attributes);
        let above = self.builder.and_above(ty);
        let (attributes, attribute_types) = self.attributes();
        let invokes = self.decl.externals.iter().any(|(target, kinds)| {
            kinds.contains(EdgeKind::Calls)
                && matches!(&self.bindings.targets[*target as usize],
                    BoundTarget::External(id, _) if INVOKES.contains(&&**id))
        });
        for found in &self.decl.refs {
            match self.meaning[found.target as usize] {
                Meaning::Member(to) if runs(found.kind) => {
                    let is_argument = found.kind == EdgeKind::Writes
                        && attribute_types.contains(&graph.owner(to));
                    if is_argument {
                        let run = graph.node(to, Role::Run);
                        self.edges.push((looked_at, marked(run, Taken::All)));
                    } else {
                        self.call(from, to, &above);
                    }
                }
                Meaning::Type(to) => {
                    let of = &self.builder.types[to as usize];
                    let is_value =
                        matches!(of.node.kind, TypeKind::Struct | TypeKind::RecordStruct);
                    let is_kept = matches!(found.kind, EdgeKind::Field | EdgeKind::Property);
                    if found.kind == EdgeKind::Creates
                        || is_value
                            && (is_kept || runs(found.kind) || found.kind == EdgeKind::TypeOf)
                    {
                        self.edges
                            .push((from, graph.type_node(to, TypeRole::Created)));
                    }
                    let reflected = graph.type_node(to, TypeRole::Reflected);
                    let reflected = marked(reflected, Taken::All);
                    match found.kind {
                        EdgeKind::Local => self.edges.push((from, reflected)),
                        EdgeKind::TypeOf => {
                            self.edges.push((from, reflected));
                            if !attribute_types.is_empty() || from != looked_at {
                                self.edges.push((looked_at, reflected));
                            }
                            if invokes {
                                for member in graph.members(to) {
                                    let run = graph.node(member, Role::Run);
                                    self.edges.push((from, marked(run, Taken::All)));
                                }
                            }
                        }
                        _ => {}
                    }
                }
                _ => {}
            }
        }
        for (at, found) in self.decl.uses.iter().enumerate() {
            let Meaning::Member(to) = self.meaning[found.target as usize] else {
                continue;
            };
            let made = graph.type_node(graph.owner(to), TypeRole::Created);
            if attributes.contains(&at) {
                let run = graph.node(to, Role::Run);
                self.edges.push((looked_at, marked(run, Taken::All)));
                self.edges.push((looked_at, marked(made, Taken::All)));
                continue;
            }
            self.call(from, to, &above);
            if found.how == How::New {
                self.edges.push((from, made));
            }
        }
    }

    /// A call; where it may be one of the base's own member (`base.M()`), that one runs.
    fn call(&mut self, from: Node, to: MemberIndex, above: &[TypeIndex]) {
        let graph = &self.builder.graph;
        if !self.builder.known[to as usize].is_virtual {
            self.edges.push((from, graph.node(to, Role::Run)));
            return;
        }
        self.edges.push((from, graph.node(to, Role::Call)));
        let owner = graph.owner(to);
        if above[1..].contains(&owner) {
            self.edges.push((from, graph.node(to, Role::Run)));
        }
    }

    /// The uses that are attributes, and the types of attributes.
    fn attributes(&self) -> (Vec<usize>, Vec<TypeIndex>) {
        let (mut uses, mut types) = (Vec::new(), Vec::new());
        let named = self
            .decl
            .refs
            .iter()
            .filter(|found| found.kind == EdgeKind::Attribute);
        for found in named {
            let Meaning::Type(ty) = self.meaning[found.target as usize] else {
                continue;
            };
            types.push(ty);
            // The use stands at the first token of the attribute, the name may be a qualified one's last.
            uses.extend(
                self.decl
                    .uses
                    .iter()
                    .enumerate()
                    .rev()
                    .find_map(|(at, it)| {
                        let is_it = it.how == How::New
                            && it.offset <= found.offset
                            && matches!(self.meaning[it.target as usize],
                        Meaning::Member(to) if self.builder.graph.owner(to) == ty);
                        is_it.then_some(at)
                    }),
            );
        }
        (uses, types)
    }
}
