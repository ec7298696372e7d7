//! From what one declaration uses to edges of the graph.
//!
//! Owns: which use makes what run. Must not know: how members override each other.

use super::{Builder, FromFile, MAX_ABOVE, Meaning};
use crate::reach::{
    digest::{
        BY_NAME, CONSTRUCTOR, DeclDigest, Declared, FINALIZER, INITIAL, INVOKES, Kind, STATIC,
        STATIC_CONSTRUCTOR, SYNTHESIZED, Use, VALUE,
    },
    frameworks::Marks,
    graph::{MemberIndex, Node, Role, Taken, TypeIndex, TypeRole, marked},
};
use cortex_index::MemberTag;
use cortex_model::TypeKey;

/// The uses of one declaration on their way to edges.
pub(super) struct Uses<'a, 'd> {
    pub(super) builder: &'a Builder<'d>,
    pub(super) meaning: &'a [Meaning],
    /// What the names of the file mean, as the snapshot has it.
    pub(super) targets: &'a [(TypeKey, Option<MemberTag>)],
    pub(super) decl: &'a DeclDigest,
    /// Types that make its arguments, where it is a test: nothing else looks at them.
    pub(super) rows: Vec<TypeIndex>,
    pub(super) out: &'a mut FromFile,
}

impl Uses<'_, '_> {
    fn all(&self) -> impl Iterator<Item = (Use, Meaning)> {
        let uses = self.decl.uses.iter();
        uses.map(|&(it, target)| (it, self.meaning[target as usize]))
    }

    pub(super) fn of_type(self, ty: TypeIndex) {
        let from = self.builder.graph.type_node(ty, TypeRole::Initialized);
        let calls_base = self.all().any(|found| match found {
            (Use::Makes, Meaning::Member(to)) => {
                let owner = self.builder.graph.owner(to);
                owner != ty && self.builder.is_above(owner, ty)
            }
            _ => false,
        });
        if calls_base {
            self.out.chained.extend(self.builder.constructors(ty));
        }
        self.add(ty, from);
    }

    pub(super) fn of_member(mut self, member: MemberIndex, declared: &Declared) {
        let graph = &self.builder.graph;
        let ty = graph.owner(member);
        let run = graph.node(member, Role::Run);
        let marks = self.marks(declared);
        self.out.marked.extend(marks.map(|marks| (member, marks)));
        if marks == Some(Marks::Test) {
            self.data(member, declared, ty);
            self.arguments(run);
        }
        if declared.is_skipped {
            self.out.skipped.push(member);
        }
        if declared.is_static {
            let to = graph.type_node(ty, TypeRole::Static);
            self.out.edges.push((run, to));
        }
        if self.builder.has(member, ty, CONSTRUCTOR)
            && let Some(Meaning::Member(first)) =
                (self.decl.first_made).map(|it| self.meaning[it as usize])
            && self.builder.is_above(graph.owner(first), ty)
        {
            self.out.chained.push(member);
        }
        let initial = if declared.is_static {
            TypeRole::Static
        } else {
            TypeRole::Initialized
        };
        let from = match declared.kind {
            Kind::Constant => return,
            Kind::Field => graph.type_node(ty, initial),
            Kind::Property if self.decl.flags.has(INITIAL) => graph.type_node(ty, initial),
            _ => run,
        };
        if from != run {
            self.out.edges.push((from, run));
        }
        self.add(ty, from);
    }

    /// What the attributes of a member make of it.
    fn marks(&self, declared: &Declared) -> Option<Marks> {
        if declared.kind != Kind::Method {
            return None;
        }
        let mut own = self.all().filter_map(|found| match found {
            (Use::AttributeType, Meaning::Type(ty)) => self.builder.types[ty as usize].marks,
            _ => None,
        });
        let bound = own.next().or(self.decl.marks);
        // By name where the framework's package is not on this machine.
        bound.or_else(|| declared.marks.filter(|_| self.decl.flags.has(BY_NAME)))
    }

    /// What makes the arguments of a test: named in an attribute, not in the body, by `nameof`, in quotes or by
    /// its type; and the members of objects of its attributes, which a runner asks for them.
    fn data(&mut self, test: MemberIndex, declared: &Declared, ty: TypeIndex) {
        let builder = self.builder;
        let digest = |member: MemberIndex| {
            let owner = builder.graph.owner(member);
            let at = member - builder.graph.first[owner as usize];
            &builder.types[owner as usize].digest.members[at as usize]
        };
        let (mut named, mut types) = (Vec::new(), Vec::new());
        for found in self.all() {
            match found {
                (Use::AttributeType, Meaning::Type(attribute)) => {
                    let above = builder.and_above([attribute]).take(MAX_ABOVE);
                    let members = above.flat_map(|ty| builder.graph.members(ty));
                    let is_asked = |it: &MemberIndex| {
                        let flags = digest(*it).flags;
                        [
                            CONSTRUCTOR,
                            STATIC,
                            STATIC_CONSTRUCTOR,
                            FINALIZER,
                            SYNTHESIZED,
                        ]
                        .iter()
                        .all(|flag| !flags.has(*flag))
                    };
                    named.extend(members.filter(is_asked));
                }
                (Use::TypeOf, Meaning::Member(data))
                    if declared.names.binary_search(&digest(data).name).is_ok() =>
                {
                    named.push(data);
                }
                (Use::TypeOf, Meaning::Type(ty)) => types.push(ty),
                _ => {}
            }
        }
        if !declared.quoted.is_empty() {
            let above = builder.and_above([ty]).take(MAX_ABOVE);
            let around = above.chain(types.iter().copied());
            let members = around.flat_map(|ty| builder.graph.members(ty));
            named.extend(members.filter(|&member| {
                let digest = digest(member);
                digest.flags.has(STATIC) && declared.quoted.binary_search(&digest.name).is_ok()
            }));
        }
        if declared.takes_rows_of_types {
            let owners: Vec<TypeIndex> = named.iter().map(|&it| builder.graph.owner(it)).collect();
            types.retain(|ty| !owners.contains(ty));
            named.extend(types.iter().flat_map(|&ty| builder.graph.members(ty)));
            self.rows = types;
        }
        self.out
            .data
            .extend(named.into_iter().map(|data| (test, data)));
    }

    /// What a test is given is there: objects of the types of its parameters, and of their arguments.
    fn arguments(&mut self, run: Node) {
        let graph = &self.builder.graph;
        for (used, meaning) in self.all().collect::<Vec<_>>() {
            if let (Use::Parameter, Meaning::Type(ty)) = (used, meaning) {
                let created = graph.type_node(ty, TypeRole::Created);
                let reflected = graph.type_node(ty, TypeRole::Reflected);
                self.out.edges.push((run, created));
                self.out.edges.push((run, marked(reflected, Taken::All)));
            }
        }
    }

    /// Adds the edges of everything that is named or used.
    fn add(self, ty: TypeIndex, from: Node) {
        let builder = self.builder;
        let graph = &builder.graph;
        for it in &self.decl.on {
            if let Meaning::Member(to) = self.meaning[it.target as usize] {
                let run = graph.node(to, Role::Run);
                self.out.edges.push((from, run));
                // What others may run in its place is for the type that it is called on to decide.
                if builder.is_virtual[to as usize] && !it.receiver.is_empty() {
                    let receiver = it.receiver.iter().map(|&ty| self.targets[ty as usize].0);
                    self.out.calls_on.push((to, receiver.collect(), from));
                }
            }
        }
        let looked_at = graph.type_node(ty, TypeRole::Attributes);
        let edges = &mut self.out.edges;
        for &(it, target) in &self.decl.uses {
            match (it, self.meaning[target as usize]) {
                (Use::Runs, Meaning::Member(to)) => builder.call(from, to, edges),
                (Use::Makes, Meaning::Member(to)) => {
                    builder.call(from, to, edges);
                    let made = graph.type_node(graph.owner(to), TypeRole::Created);
                    edges.push((from, made));
                }
                (Use::AttributeArgument, Meaning::Member(to)) => {
                    let run = graph.node(to, Role::Run);
                    edges.push((looked_at, marked(run, Taken::All)));
                }
                (Use::Attribute, Meaning::Member(to)) => {
                    let run = graph.node(to, Role::Run);
                    let made = graph.type_node(graph.owner(to), TypeRole::Created);
                    edges.push((looked_at, marked(run, Taken::All)));
                    edges.push((looked_at, marked(made, Taken::All)));
                }
                (Use::Creates, Meaning::Type(to)) => {
                    edges.push((from, graph.type_node(to, TypeRole::Created)));
                }
                (Use::Value, Meaning::Type(to))
                    if builder.types[to as usize].digest.flags.has(VALUE) =>
                {
                    edges.push((from, graph.type_node(to, TypeRole::Created)));
                }
                (Use::Local, Meaning::Type(to)) => {
                    let reflected = graph.type_node(to, TypeRole::Reflected);
                    edges.push((from, marked(reflected, Taken::All)));
                }
                (Use::Service, Meaning::Type(to)) => {
                    let provided = graph.type_node(to, TypeRole::Provided);
                    edges.push((from, marked(provided, Taken::All)));
                }
                (Use::TypeOf, Meaning::Type(to)) if !self.rows.contains(&to) => {
                    let reflected = graph.type_node(to, TypeRole::Reflected);
                    edges.push((from, marked(reflected, Taken::All)));
                    edges.push((looked_at, marked(reflected, Taken::All)));
                    if self.decl.flags.has(INVOKES) {
                        let all = graph.members(to);
                        let all = all.map(|member| graph.node(member, Role::Run));
                        edges.extend(all.map(|run| (from, marked(run, Taken::All))));
                    }
                }
                _ => {}
            }
        }
    }
}
