//! The graph of members: what makes what run.
//!
//! Owns: the kinds of nodes, their numbers, the edges. Must not know: how edges are found, what is asked.
//!
//! A node is reached as soon as one of those with an edge to it is. One thing needs two: a virtual member runs
//! where it is called *and* an object is created on which the call ends there ([`Role::Call`] and
//! [`Role::Dispatch`]). A call on an object of a known type has a node of its own where not all of these may run
//! ([`MemberGraph::limited`]): it takes the place of [`Role::Call`] for those that may.

use cortex_index::MemberTag;
use cortex_model::TypeKey;

/// A node's number.
pub type Node = u32;

/// A member's number: by type, then tag.
pub type MemberIndex = u32;

/// A type's number: by key.
pub type TypeIndex = u32;

/// What of a member is reached.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Role {
    /// It runs; of a field, it is read or written.
    Run,
    /// It is called where others may run in its place.
    Call,
    /// An object exists on which a call of it ends in it.
    Dispatch,
}

/// What of a type is reached.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TypeRole {
    /// An object of exactly this type is created.
    Created,
    /// One of it or of a type below it.
    Below,
    /// Its static members are initialized.
    Static,
    /// The members of one of its objects are.
    Initialized,
    /// Code may look at it by reflection, and make objects of it.
    Reflected,
    /// Its attributes and those of its members may be looked at.
    Attributes,
    /// The tests of it are prepared: constructors, fixtures, set-up and clean-up.
    SetUp,
    /// A container may give an object of it or of a type below it.
    Provided,
}

const ROLES: u32 = 3;
const TYPE_ROLES: u32 = 8;

/// The bit of a target that stands for an edge which only reflection takes.
pub const REFLECTION: u32 = 1 << 31;

/// A test as a runner sees it: a method in a class that can be created.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Entry {
    /// The class.
    pub class: TypeIndex,
    /// The method that runs, of the class or a base.
    pub method: MemberIndex,
    /// What makes its arguments.
    pub data: Vec<MemberIndex>,
    /// A runner leaves it out.
    pub is_skipped: bool,
}

/// Members, types, tests and what makes what run.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct MemberGraph {
    /// Sorted.
    pub types: Vec<TypeKey>,
    /// By type, then tag; the first of type `t` is `first[t]`.
    pub tags: Vec<MemberTag>,
    /// For each node where its edges begin.
    pub first: Vec<u32>,
    /// The members that a call may run which not all may that override what it names; sorted lists, sorted, each once.
    pub limited: Vec<Vec<MemberIndex>>,
    /// Sorted.
    pub entries: Vec<Entry>,
    /// Edges by source: targets with the bit [`REFLECTION`].
    pub starts: Vec<u32>,
    /// The targets of all edges, node by node.
    pub targets: Vec<u32>,
}

/// Which edges are taken.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Taken {
    /// Those of code.
    Code,
    /// Also those of reflection.
    All,
}

impl MemberGraph {
    /// How many members there are.
    pub fn n_members(&self) -> u32 {
        self.tags.len() as u32
    }

    /// How many nodes there are.
    pub fn n_nodes(&self) -> usize {
        Self::count_nodes(self.n_members(), self.types.len() as u32) + self.limited.len()
    }

    /// How many nodes members and types have, these many.
    pub fn count_nodes(n_members: u32, n_types: u32) -> usize {
        n_members as usize * ROLES as usize + n_types as usize * TYPE_ROLES as usize
    }

    /// A type by its key.
    pub fn ty(&self, key: TypeKey) -> Option<TypeIndex> {
        self.types.binary_search(&key).ok().map(|at| at as u32)
    }

    /// The members of a type.
    pub fn members(&self, ty: TypeIndex) -> std::ops::Range<u32> {
        self.first[ty as usize]..self.first[ty as usize + 1]
    }

    /// A member by its type and tag.
    pub fn member(&self, key: TypeKey, tag: MemberTag) -> Option<MemberIndex> {
        let range = self.members(self.ty(key)?);
        let tags = &self.tags[range.start as usize..range.end as usize];
        tags.binary_search(&tag)
            .ok()
            .map(|at| range.start + at as u32)
    }

    /// The type that declares a member.
    pub fn owner(&self, member: MemberIndex) -> TypeIndex {
        (self.first.partition_point(|&first| first <= member) - 1) as u32
    }

    /// What tells each test from the others, in this graph and in others.
    pub fn test_names(&self) -> impl Iterator<Item = (TypeKey, TypeKey, MemberTag)> {
        self.entries.iter().map(|entry| {
            let owner = self.owner(entry.method);
            (
                self.types[entry.class as usize],
                self.types[owner as usize],
                self.tags[entry.method as usize],
            )
        })
    }

    /// The node of a member.
    pub fn node(&self, member: MemberIndex, role: Role) -> Node {
        role as u32 * self.n_members() + member
    }

    /// The node of a type.
    pub fn type_node(&self, ty: TypeIndex, role: TypeRole) -> Node {
        ROLES * self.n_members() + ty * TYPE_ROLES + role as u32
    }

    /// The node of a call that is limited to some members, by its index.
    pub fn limited_node(&self, at: u32) -> Node {
        Self::count_nodes(self.n_members(), self.types.len() as u32) as u32 + at
    }

    /// The members that a call is limited to, of the node of one.
    pub fn limited_to(&self, node: Node) -> Option<&[MemberIndex]> {
        let at = node.checked_sub(self.limited_node(0))?;
        self.limited.get(at as usize).map(Vec::as_slice)
    }

    /// The member and its role, of a node that is one's.
    pub fn role(&self, node: Node) -> Option<(MemberIndex, Role)> {
        let n = self.n_members();
        (node < ROLES * n).then(|| match node / n {
            0 => (node, Role::Run),
            1 => (node - n, Role::Call),
            _ => (node - 2 * n, Role::Dispatch),
        })
    }

    /// The role of a node that is a type's.
    pub fn type_role(&self, node: Node) -> TypeRole {
        const ALL: [TypeRole; TYPE_ROLES as usize] = [
            TypeRole::Created,
            TypeRole::Below,
            TypeRole::Static,
            TypeRole::Initialized,
            TypeRole::Reflected,
            TypeRole::Attributes,
            TypeRole::SetUp,
            TypeRole::Provided,
        ];
        ALL[((node - ROLES * self.n_members()) % TYPE_ROLES) as usize]
    }

    /// Where the edges of a node lead, with whether only reflection takes them.
    pub fn edges(&self, node: Node) -> impl Iterator<Item = (Node, Taken)> {
        let range = self.starts[node as usize] as usize..self.starts[node as usize + 1] as usize;
        self.targets[range].iter().map(|&target| {
            let taken = if target & REFLECTION == 0 {
                Taken::Code
            } else {
                Taken::All
            };
            (target & !REFLECTION, taken)
        })
    }

    /// Takes edges in any order, each any number of times; code's stands for reflection's.
    pub fn set_edges(&mut self, mut edges: Vec<(Node, u32)>) {
        edges.sort_unstable_by_key(|&(from, to)| (from, to & !REFLECTION, to));
        edges.dedup_by_key(|&mut (from, to)| (from, to & !REFLECTION));
        edges.retain(|&(from, to)| from != to & !REFLECTION);
        self.starts = vec![0; self.n_nodes() + 1];
        for &(from, _) in &edges {
            self.starts[from as usize + 1] += 1;
        }
        for at in 1..self.starts.len() {
            self.starts[at] += self.starts[at - 1];
        }
        self.targets = edges.into_iter().map(|(_, to)| to).collect();
    }

    /// The edges turned round.
    pub fn reversed(&self) -> Reversed {
        let n = self.n_nodes();
        let mut starts = vec![0u32; n + 1];
        for target in &self.targets {
            starts[(target & !REFLECTION) as usize + 1] += 1;
        }
        for at in 1..starts.len() {
            starts[at] += starts[at - 1];
        }
        let mut next = starts.clone();
        let mut sources = vec![0u32; self.targets.len()];
        for node in 0..n as u32 {
            for (target, taken) in self.edges(node) {
                let at = &mut next[target as usize];
                sources[*at as usize] = marked(node, taken);
                *at += 1;
            }
        }
        let mut limited: Vec<(MemberIndex, Node)> = (self.limited.iter().enumerate())
            .flat_map(|(at, members)| members.iter().map(move |&member| (member, at as u32)))
            .map(|(member, at)| (member, self.limited_node(at)))
            .collect();
        limited.sort_unstable();
        Reversed {
            starts,
            sources,
            limited,
        }
    }
}

/// A target, marked as reached by reflection alone where it is.
pub fn marked(node: Node, taken: Taken) -> u32 {
    match taken {
        Taken::Code => node,
        Taken::All => node | REFLECTION,
    }
}

/// The edges of a graph by target.
pub struct Reversed {
    starts: Vec<u32>,
    sources: Vec<u32>,
    /// Members with the nodes of calls that are limited to them and others; sorted.
    limited: Vec<(MemberIndex, Node)>,
}

impl Reversed {
    /// The nodes of limited calls that may run a member.
    pub fn limited(&self, member: MemberIndex) -> impl Iterator<Item = Node> {
        let start = self.limited.partition_point(|it| it.0 < member);
        let all = self.limited[start..].iter();
        all.take_while(move |it| it.0 == member).map(|it| it.1)
    }

    /// Where the edges to a node come from, with whether only reflection takes them.
    pub fn edges(&self, node: Node) -> impl Iterator<Item = (Node, Taken)> {
        let range = self.starts[node as usize] as usize..self.starts[node as usize + 1] as usize;
        self.sources[range].iter().map(|&source| {
            let taken = if source & REFLECTION == 0 {
                Taken::Code
            } else {
                Taken::All
            };
            (source & !REFLECTION, taken)
        })
    }
}
