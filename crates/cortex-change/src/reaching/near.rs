//! How near a member is to what reaches it, and by which way.
//!
//! Owns: what a step costs. Must not know: which tests reach it.

use cortex_derived::reach::graph::{
    MemberGraph, MemberIndex, Node, Reversed, Role, Taken, TypeRole,
};

use std::{cmp::Reverse, collections::BinaryHeap};

use rustc_hash::FxHashSet;

/// The cost of a step from a member to one that it makes run.
pub(crate) const STEP: u32 = 100;
/// A step that is taken once an object of a type is there.
const CREATION: u32 = 200;
/// A step into what initializes a type or its objects.
const INITIAL: u32 = 10;
/// The same of a type's own values: whoever touches the type runs that, and few are about it.
const STATIC: u32 = 250;
/// What a step costs more that only reflection takes.
const REFLECTION: u32 = 300;
/// No way.
const FAR: u32 = u32::MAX;

/// The cheapest ways to some nodes.
pub(crate) struct Ways {
    cost: Vec<u32>,
    next: Vec<Node>,
}

impl Ways {
    /// To `goals`, from the tests of these numbers and all that is nearer. O(edges that lead there, times the
    /// logarithm).
    pub(crate) fn to(
        graph: &MemberGraph,
        reversed: &Reversed,
        goals: &[Node],
        tests: impl Iterator<Item = u32>,
    ) -> Self {
        let waits: FxHashSet<Node> = tests.flat_map(|test| starts(graph, test)).collect();
        let n = waits.len();
        Self::until(graph, reversed, goals, waits, n)
    }

    /// To `goals`, from the bodies of the `n` nearest of the tests of these numbers and all that is nearer; from
    /// others that were come across some way.
    pub(crate) fn to_nearest(
        graph: &MemberGraph,
        reversed: &Reversed,
        goals: &[Node],
        tests: &[u32],
        n: usize,
    ) -> Self {
        let runs = (tests.iter()).map(|&test| {
            let entry = &graph.entries[test as usize];
            graph.node(entry.method, Role::Run)
        });
        Self::until(graph, reversed, goals, runs.collect(), n)
    }

    /// Until the cheapest ways from `n` of some nodes are known.
    fn until(
        graph: &MemberGraph,
        reversed: &Reversed,
        goals: &[Node],
        mut waits: FxHashSet<Node>,
        n_wanted: usize,
    ) -> Self {
        let n = graph.n_nodes();
        let n_left = waits.len().saturating_sub(n_wanted);
        let mut ways = Self {
            cost: vec![FAR; n],
            next: vec![Node::MAX; n],
        };
        let mut heap = BinaryHeap::new();
        for &goal in goals {
            ways.cost[goal as usize] = 0;
            heap.push(Reverse((0, goal)));
        }
        while let Some(Reverse((cost, node))) = heap.pop() {
            if cost > ways.cost[node as usize] {
                continue;
            }
            if waits.remove(&node) && waits.len() <= n_left {
                break;
            }
            let mut reach = |from: Node, step: u32| {
                let cost = cost + step;
                // Equal ways: the one over the smaller number, so that answers are the same each time.
                let known = (ways.cost[from as usize], ways.next[from as usize]);
                if (cost, node) < known {
                    if cost < known.0 {
                        heap.push(Reverse((cost, from)));
                    }
                    ways.cost[from as usize] = cost;
                    ways.next[from as usize] = node;
                }
            };
            for (from, taken) in reversed.edges(node) {
                reach(from, step(graph, from, taken));
            }
            if let Some((member, Role::Run)) = graph.role(node) {
                let from = graph.node(member, Role::Call);
                reach(from, step(graph, from, Taken::Code));
                for from in reversed.limited(member) {
                    reach(from, step(graph, from, Taken::Code));
                }
            }
        }
        ways
    }

    /// What the cheapest known way from a test costs.
    pub(crate) fn cost_of(&self, graph: &MemberGraph, test: u32) -> u32 {
        let costs = starts(graph, test).map(|node| self.cost[node as usize]);
        costs.min().unwrap_or(FAR)
    }

    /// What the way from a node costs; `None` where there is none.
    pub(crate) fn cost(&self, from: Node) -> Option<u32> {
        Some(self.cost[from as usize]).filter(|&cost| cost != FAR)
    }

    /// Whether the way from a node begins with a call that other members may answer.
    pub(crate) fn begins_with_call(&self, graph: &MemberGraph, from: Node) -> bool {
        let next = self.next[from as usize];
        next != Node::MAX
            && (graph.limited_to(next).is_some()
                || matches!(graph.role(next), Some((_, Role::Call))))
    }

    /// How many members run on the way, both ends included.
    pub(crate) fn n_members(&self, graph: &MemberGraph, from: Node) -> u32 {
        let mut n = 0;
        let mut at = from;
        while at != Node::MAX {
            n += u32::from(at < graph.n_members());
            at = self.next[at as usize];
        }
        n
    }

    /// The members that run on the way, both ends included.
    pub(crate) fn members(&self, graph: &MemberGraph, from: Node) -> Vec<MemberIndex> {
        let mut out = Vec::new();
        let mut at = from;
        while at != Node::MAX {
            if let Some((member, Role::Run)) = graph.role(at) {
                out.push(member);
            }
            at = self.next[at as usize];
        }
        out
    }
}

/// Where a test starts: its data, its body, its set-up and its class.
fn starts(graph: &MemberGraph, test: u32) -> impl Iterator<Item = Node> {
    let entry = &graph.entries[test as usize];
    let data = entry.data.iter().map(|&data| graph.node(data, Role::Run));
    let set_up = graph.type_node(entry.class, TypeRole::SetUp);
    let created = graph.type_node(entry.class, TypeRole::Created);
    data.chain([graph.node(entry.method, Role::Run), set_up, created])
}

/// What a step from a node costs: many members that may run in place of a called one make each less likely.
fn step(graph: &MemberGraph, from: Node, taken: Taken) -> u32 {
    let of_many = |n_targets: usize| (f64::from(STEP) * (2.0 + n_targets as f64).ln()) as u32;
    if let Some(members) = graph.limited_to(from) {
        return of_many(members.len());
    }
    let step = match graph.role(from) {
        Some((_, Role::Run)) => STEP,
        Some((_, Role::Call)) => of_many(graph.edges(from).count()),
        Some((_, Role::Dispatch)) => CREATION,
        None => match graph.type_role(from) {
            TypeRole::Static => STATIC,
            TypeRole::Initialized | TypeRole::SetUp => INITIAL,
            _ => CREATION,
        },
    };
    match taken {
        Taken::Code => step,
        Taken::All => step + REFLECTION,
    }
}
