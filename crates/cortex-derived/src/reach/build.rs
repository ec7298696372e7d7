//! From what is known of types and files to the graph of members.
//!
//! Owns: which names and uses make what run. Must not know: what is asked, how digests are found.

mod limited;
mod uses;

use self::{limited::CallOn, uses::Uses};
use crate::reach::{
    digest::{
        ABSTRACT, CLASS, CONSTRUCTOR, Declared, FINALIZER, FileDigest, GENERIC, INTERFACE,
        MemberName, SET_UP, STATIC, STATIC_CONSTRUCTOR, SYNTHESIZED, TEST_ATTRIBUTE, TypeDigest,
        hash_of,
    },
    frameworks::{Marks, attribute_types},
    graph::{Entry, MemberGraph, MemberIndex, Node, Role, Taken, TypeIndex, TypeRole, marked},
};

use std::collections::VecDeque;

use cortex_index::MemberTag;
use cortex_model::TypeKey;
use rayon::prelude::*;
use rustc_hash::{FxHashMap, FxHashSet};

/// A type with its neighbors.
struct Known<'d> {
    digest: &'d TypeDigest,
    /// Types that have it as a base.
    below: Vec<TypeIndex>,
    bases: Vec<TypeIndex>,
    /// What it makes of a method, where it is an attribute of tests.
    marks: Option<Marks>,
}

/// The graph of types, by key, and of files. O(their sizes).
pub(crate) fn member_graph(types: &[TypeDigest], files: &[FileDigest]) -> MemberGraph {
    let mut builder = Builder::new(types);
    builder.implementations();
    builder.hierarchy();
    let read: Vec<FromFile> = files.par_iter().map(|file| builder.file(file)).collect();
    builder.finish(read)
}

/// What the names of a file tell.
#[derive(Default)]
struct FromFile {
    edges: Vec<(Node, u32)>,
    marked: Vec<(MemberIndex, Marks)>,
    data: Vec<(MemberIndex, MemberIndex)>,
    /// Tests that a runner leaves out.
    skipped: Vec<MemberIndex>,
    /// Constructors that call another one by `this` or `base`.
    chained: Vec<MemberIndex>,
    /// Calls of members that others may run in place of, on objects of known types: the member, the types, what calls.
    calls_on: Vec<CallOn>,
}

struct Builder<'d> {
    types: Vec<Known<'d>>,
    numbers: FxHashMap<TypeKey, TypeIndex>,
    graph: MemberGraph,
    /// Others may run in its place, or it in that of others: by member.
    is_virtual: Vec<bool>,
    edges: Vec<(Node, u32)>,
    /// Declared members by file: number of the declaration, type, where it stands there; sorted.
    by_file: FxHashMap<u64, Vec<(u32, TypeIndex, u32)>>,
    /// What overrides or implements each member that is; sorted.
    under: Vec<(MemberIndex, MemberIndex)>,
    /// Members that stand for ones from outside.
    called_from_outside: FxHashSet<MemberIndex>,
}

impl<'d> Builder<'d> {
    fn new(digests: &'d [TypeDigest]) -> Self {
        let mut graph = MemberGraph {
            types: digests.iter().map(|ty| ty.key).collect(),
            ..MemberGraph::default()
        };
        let mut types: Vec<Known<'d>> = Vec::with_capacity(digests.len());
        let mut by_file: FxHashMap<u64, Vec<(u32, TypeIndex, u32)>> = FxHashMap::default();
        let numbers = graph.types.iter().enumerate();
        let numbers: FxHashMap<TypeKey, TypeIndex> =
            numbers.map(|(at, &key)| (key, at as u32)).collect();
        for (at, digest) in digests.iter().enumerate() {
            graph.first.push(graph.tags.len() as u32);
            graph.tags.extend(digest.members.iter().map(|it| it.tag));
            for (index, declared) in digest.declared.iter().enumerate() {
                let all = by_file.entry(declared.path).or_default();
                all.push((declared.decl, at as u32, index as u32));
            }
            let bases = digest.bases.iter();
            types.push(Known {
                digest,
                below: Vec::new(),
                bases: bases
                    .filter_map(|base| numbers.get(base).copied())
                    .collect(),
                marks: None,
            });
        }
        graph.first.push(graph.tags.len() as u32);
        for at in 0..types.len() {
            for base in types[at].bases.clone() {
                types[base as usize].below.push(at as u32);
            }
        }
        by_file.values_mut().for_each(|all| all.sort_unstable());
        let mut builder = Self {
            is_virtual: vec![false; graph.tags.len()],
            under: Vec::new(),
            types,
            numbers,
            graph,
            edges: Vec::new(),
            by_file,
            called_from_outside: FxHashSet::default(),
        };
        builder.test_attributes();
        builder
    }

    fn member_of(&self, ty: TypeIndex, tag: MemberTag) -> Option<MemberIndex> {
        let members = self.graph.members(ty);
        let tags = &self.graph.tags[members.start as usize..members.end as usize];
        let at = tags.binary_search(&tag).ok()?;
        Some(members.start + at as u32)
    }

    fn has(&self, member: MemberIndex, owner: TypeIndex, flag: u8) -> bool {
        let at = member - self.graph.first[owner as usize];
        self.types[owner as usize].digest.members[at as usize]
            .flags
            .has(flag)
    }

    /// What overrides or implements a member.
    fn under(&self, member: MemberIndex) -> impl Iterator<Item = MemberIndex> {
        let start = self.under.partition_point(|it| it.0 < member);
        let all = self.under[start..].iter();
        all.take_while(move |it| it.0 == member).map(|it| it.1)
    }

    /// Attributes of the repository that are a framework's, or derive from one.
    fn test_attributes(&mut self) {
        let own: FxHashMap<u64, Marks> = attribute_types()
            .map(|(name, marks)| (hash_of(&name), marks))
            .collect();
        let all = self.types.iter().enumerate();
        let mut found: Vec<(TypeIndex, Marks)> = all
            .filter_map(|(at, ty)| {
                let derives = ty.digest.flags.has(TEST_ATTRIBUTE);
                let own = own.get(&ty.digest.name).copied();
                Some((at as u32, own.or(derives.then_some(Marks::Test))?))
            })
            .collect();
        while let Some((at, marks)) = found.pop() {
            let ty = &mut self.types[at as usize];
            if ty.marks.is_none() {
                ty.marks = Some(marks);
                found.extend(ty.below.iter().map(|&below| (below, marks)));
            }
        }
    }

    /// The edges between calls of members and what runs in their place.
    fn implementations(&mut self) {
        let mut by_name: FxHashMap<u64, Vec<TypeIndex>> = FxHashMap::default();
        for (at, ty) in self.types.iter().enumerate() {
            by_name.entry(ty.digest.name).or_default().push(at as u32);
        }
        let mut pairs = Vec::new();
        let mut called_from_outside = FxHashSet::default();
        for ty in &self.types {
            // Twins of other assemblies are told apart where one is of this type's.
            let assembly = |key: TypeKey| key.as_bytes()[10..].to_vec();
            let near = |(name, tag): MemberName| -> Vec<MemberIndex> {
                let named = by_name.get(&name).map_or(&[][..], Vec::as_slice);
                let all = named.iter().filter_map(|&at| self.member_of(at, tag));
                if named.len() < 2 {
                    return all.collect();
                }
                let all: Vec<MemberIndex> = all.collect();
                let is_own = |member: &&MemberIndex| {
                    let owner = self.graph.owner(**member) as usize;
                    assembly(self.graph.types[owner]) == assembly(ty.digest.key)
                };
                let own: Vec<MemberIndex> = all.iter().filter(is_own).copied().collect();
                if own.is_empty() { all } else { own }
            };
            for &(member, of) in &ty.digest.implementations {
                let of = near(of);
                for member in near(member) {
                    if of.is_empty() {
                        called_from_outside.insert(member);
                    }
                    pairs.extend(of.iter().map(|&of| (of, member)));
                }
            }
        }
        pairs.sort_unstable();
        pairs.dedup();
        for &(of, member) in &pairs {
            self.is_virtual[of as usize] = true;
            self.is_virtual[member as usize] = true;
            let from = self.graph.node(of, Role::Call);
            let to = self.graph.node(member, Role::Call);
            self.edges.push((from, to));
        }
        self.under = pairs;
        self.called_from_outside = called_from_outside;
        #[expect(
            clippy::iter_over_hash_type,
            reason = "edges are sorted when the graph takes them"
        )]
        for &member in &self.called_from_outside {
            self.is_virtual[member as usize] = true;
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
            reflects(TypeRole::Provided, node(TypeRole::Reflected));
            for &base in &ty.bases {
                reflects(
                    TypeRole::Attributes,
                    self.graph.type_node(base, TypeRole::Attributes),
                );
            }
            for &base in &ty.bases {
                let below = self.graph.type_node(base, TypeRole::Below);
                edges.push((node(TypeRole::Below), below));
                let provided = self.graph.type_node(base, TypeRole::Provided);
                edges.push((provided, node(TypeRole::Provided)));
                let set_up = self.graph.type_node(base, TypeRole::SetUp);
                edges.push((node(TypeRole::SetUp), set_up));
            }
            edges.push((node(TypeRole::SetUp), node(TypeRole::Static)));
            for (index, member) in self.graph.members(at).zip(&ty.digest.members) {
                let run = self.graph.node(index, Role::Run);
                let flags = member.flags;
                if flags.has(CONSTRUCTOR) {
                    edges.push((run, node(TypeRole::Initialized)));
                    edges.push((run, node(TypeRole::Static)));
                    edges.push((node(TypeRole::SetUp), run));
                    let from = node(TypeRole::Reflected);
                    edges.push((from, marked(run, Taken::All)));
                }
                if self.is_virtual[index as usize] {
                    self.dispatch(at, index, &mut edges);
                }
                if flags.has(STATIC_CONSTRUCTOR) {
                    edges.push((node(TypeRole::Static), run));
                } else if flags.has(FINALIZER) {
                    edges.push((node(TypeRole::Created), run));
                } else if flags.has(SYNTHESIZED) && !flags.has(CONSTRUCTOR) {
                    // What the compiler makes of a record is called by operators, `with` and the framework.
                    edges.push((node(TypeRole::Created), run));
                }
                if flags.has(SET_UP) {
                    edges.push((node(TypeRole::SetUp), run));
                }
                if flags.has(STATIC) {
                    edges.push((run, node(TypeRole::Static)));
                }
            }
            // Fixtures are type arguments of an interface.
            for fixture in &ty.digest.fixtures {
                if let Some(&fixture) = self.numbers.get(fixture) {
                    for role in [TypeRole::Created, TypeRole::Reflected] {
                        let to = self.graph.type_node(fixture, role);
                        edges.push((node(TypeRole::SetUp), to));
                    }
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
        let overriding: FxHashSet<TypeIndex> = (self.under(member))
            .map(|under| self.graph.owner(under))
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

    /// What a declaration says of a member that it declares.
    fn declared(&self, member: MemberIndex, decl: u32, path: u64) -> Option<&'d Declared> {
        let all = self.by_file.get(&path).map_or(&[][..], Vec::as_slice);
        let start = all.partition_point(|it| it.0 < decl);
        let owner = self.graph.owner(member);
        // One for each project that compiles it.
        let mut twins = all[start..].iter().take_while(|it| it.0 == decl);
        let &(_, ty, index) = twins.find(|it| it.1 == owner)?;
        Some(&self.types[ty as usize].digest.declared[index as usize])
    }

    fn file(&self, file: &FileDigest) -> FromFile {
        let meaning: Vec<Meaning> = (file.targets.iter())
            .map(|&(key, tag)| self.meaning(key, tag))
            .collect();
        let mut out = FromFile::default();
        for decl in &file.decls {
            let uses = Uses {
                builder: self,
                meaning: &meaning,
                targets: &file.targets,
                decl,
                rows: Vec::new(),
                out: &mut out,
            };
            match meaning[decl.symbol as usize] {
                Meaning::Type(ty) => uses.of_type(ty),
                Meaning::Member(member) => {
                    if let Some(declared) = self.declared(member, decl.decl, file.path) {
                        uses.of_member(member, declared);
                    }
                }
                Meaning::Other => {}
            }
        }
        out
    }

    fn meaning(&self, key: TypeKey, tag: Option<MemberTag>) -> Meaning {
        let Some(&ty) = self.numbers.get(&key) else {
            return Meaning::Other;
        };
        match tag {
            None => Meaning::Type(ty),
            Some(tag) => (self.member_of(ty, tag)).map_or(Meaning::Other, Meaning::Member),
        }
    }

    /// Types and everything above them that is declared here, the nearest first, as far as they are looked for.
    fn and_above(&self, types: impl IntoIterator<Item = TypeIndex>) -> Above<'_> {
        let mut seen = FxHashSet::default();
        let next: VecDeque<TypeIndex> = types.into_iter().filter(|&ty| seen.insert(ty)).collect();
        Above {
            types: &self.types,
            next,
            seen,
        }
    }

    /// Whether a type is another one, or is above it no further than [`MAX_ABOVE`].
    fn is_above(&self, above: TypeIndex, ty: TypeIndex) -> bool {
        let mut all = self.and_above([ty]).take(MAX_ABOVE);
        above == ty || self.types[ty as usize].bases.contains(&above) || all.any(|it| it == above)
    }

    fn finish(mut self, read: Vec<FromFile>) -> MemberGraph {
        let mut edges = std::mem::take(&mut self.edges);
        let (mut chained, mut skipped) = (FxHashSet::default(), FxHashSet::default());
        let (mut tests, mut data) = (Vec::new(), FxHashMap::<_, Vec<MemberIndex>>::default());
        let mut calls_on = Vec::new();
        for file in read {
            calls_on.extend(file.calls_on);
            edges.extend(file.edges);
            chained.extend(file.chained);
            skipped.extend(file.skipped);
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
        self.limited_calls(calls_on, &mut edges);
        self.base_constructors(&chained, &mut edges);
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
                    is_skipped: skipped.contains(&test)
                        || skipped.contains(&method)
                        || self.types[class as usize].digest.is_skipped,
                });
            }
        }
        entries.sort_unstable();
        entries.dedup_by(|a, b| (a.class, a.method) == (b.class, b.method));
        // What a runner calls around a test is not its body's to call.
        let classes: FxHashSet<TypeIndex> = (entries.iter()).map(|entry| entry.class).collect();
        let classes: FxHashSet<TypeIndex> = self.and_above(classes).collect();
        let around: FxHashSet<(Node, u32)> = (self.called_from_outside.iter())
            .filter(|&&member| self.has(member, self.graph.owner(member), SET_UP))
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

    /// Constructors that name none of their type or its base call the base's.
    fn base_constructors(&self, chained: &FxHashSet<MemberIndex>, edges: &mut Vec<(Node, u32)>) {
        let plain = MemberTag::of_id("M.#ctor");
        for (at, ty) in self.types.iter().enumerate() {
            let is_class = |base: &&TypeIndex| self.types[**base as usize].digest.flags.has(CLASS);
            let Some(&base) = ty.bases.iter().find(is_class) else {
                continue;
            };
            let called = match self.member_of(base, plain) {
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
            .filter(|&member| self.has(member, ty, CONSTRUCTOR))
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
            let is_open = ty.digest.flags.has(GENERIC) && !ty.below.is_empty();
            if !ty.digest.flags.has(ABSTRACT) && !ty.digest.flags.has(INTERFACE) && !is_open {
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
            let under: Vec<MemberIndex> = self.under(next).collect();
            for member in under {
                if !all.contains(&member) {
                    all.push(member);
                }
            }
            at += 1;
        }
        if all.len() == 1 {
            return method;
        }
        let nearest = self
            .and_above([class])
            .take(MAX_ABOVE)
            .find_map(|ty| (all.iter().copied()).find(|&member| self.graph.owner(member) == ty));
        nearest.unwrap_or(method)
    }
}

/// Bases are looked for so far above a type: no code has more, and a type of each of a hundred thousand lines would
/// otherwise look at all others.
const MAX_ABOVE: usize = 250;

/// Types and those above them, the nearest first.
struct Above<'b> {
    types: &'b [Known<'b>],
    next: VecDeque<TypeIndex>,
    seen: FxHashSet<TypeIndex>,
}

impl Iterator for Above<'_> {
    type Item = TypeIndex;

    fn next(&mut self) -> Option<TypeIndex> {
        let next = self.next.pop_front()?;
        let bases = self.types[next as usize].bases.iter().copied();
        self.next
            .extend(bases.filter(|&base| self.seen.insert(base)));
        Some(next)
    }
}

/// What a name of a file means.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Meaning {
    Type(TypeIndex),
    Member(MemberIndex),
    Other,
}

impl Builder<'_> {
    /// A call. The member that it names counts as run whether or not an object was seen to be created; what
    /// creation decides is which others run in its place.
    fn call(&self, from: Node, to: MemberIndex, edges: &mut Vec<(Node, u32)>) {
        edges.push((from, self.graph.node(to, Role::Run)));
        if self.is_virtual[to as usize] {
            edges.push((from, self.graph.node(to, Role::Call)));
        }
    }
}
