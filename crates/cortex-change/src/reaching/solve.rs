//! Which tests reach a node, for many tests at once.
//!
//! Owns: the fixed point. Must not know: what nodes mean beyond the graph's rules, how answers look.
//!
//! Each node has a bit for each test of a block. What a test reaches grows monotonously, so the order of the
//! work does not show in the result.

use cortex_derived::reach::graph::{
    MemberGraph, MemberIndex, Node, Reversed, Role, Taken, TypeRole,
};

use std::collections::VecDeque;

use rayon::prelude::*;

const WORDS: usize = 8;
/// Tests of a block.
pub(crate) const BLOCK: usize = WORDS * 64;

type Bits = [u64; WORDS];

/// How a test reaches something, the strongest first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) enum Reach {
    /// Its body does, by what code says.
    Body,
    /// Its body does, if something is made or called by reflection.
    Reflection,
    /// Only what runs before or after it does, by what code says: constructors, fixtures, set-up, data.
    SetUp,
    /// The same, if something is made or called by reflection.
    SetUpReflection,
}

/// The tests from which one of these nodes may be reached: numbers of entries, ascending. A few do not.
/// O(edges that lead to the nodes).
pub(crate) fn candidates(
    graph: &MemberGraph,
    reversed: &Reversed,
    asked: &[Vec<Node>],
) -> Vec<u32> {
    let called = leading(graph, reversed, asked, Through::Calls);
    (graph.entries.iter().enumerate())
        .filter(|(_, entry)| {
            let run = graph.node(entry.method, Role::Run);
            let set_up = graph.type_node(entry.class, TypeRole::SetUp);
            let data = entry.data.iter().map(|&data| graph.node(data, Role::Run));
            let created = graph.type_node(entry.class, TypeRole::Created);
            data.chain([run, set_up, created])
                .any(|node| called[node as usize])
        })
        .map(|(at, _)| at as u32)
        .collect()
}

/// Lists of nodes with all that decides which tests reach them.
pub(crate) struct Asked<'g> {
    graph: &'g MemberGraph,
    part: Part,
    /// As the part numbers them.
    asked: Vec<Vec<u32>>,
}

impl<'g> Asked<'g> {
    /// O(edges that lead to the nodes).
    pub(crate) fn new(graph: &'g MemberGraph, reversed: &Reversed, asked: &[Vec<Node>]) -> Self {
        let part = Part::new(
            graph,
            reversed,
            &leading(graph, reversed, asked, Through::All),
        );
        let number = |&node: &Node| part.number[node as usize];
        Self {
            asked: (asked.iter())
                .map(|nodes| nodes.iter().map(number).collect())
                .collect(),
            graph,
            part,
        }
    }

    /// For each list, those of some candidates that reach one of its nodes, in their order, with how.
    /// O([`BLOCK`]s of tests × edges that lead to the nodes).
    pub(crate) fn among(&self, candidates: &[u32]) -> Vec<Vec<(u32, Reach)>> {
        let blocks: Vec<Vec<Vec<(u32, Reach)>>> = candidates
            .par_chunks(BLOCK)
            .map(|tests| block(self.graph, &self.part, tests, &self.asked))
            .collect();
        let mut out = vec![Vec::new(); self.asked.len()];
        for block in blocks {
            for (all, some) in out.iter_mut().zip(block) {
                all.extend(some);
            }
        }
        out
    }
}

/// For each list of nodes, the tests that reach one of them: numbers of entries, ascending, with how.
pub(crate) fn solve(
    graph: &MemberGraph,
    reversed: &Reversed,
    asked: &[Vec<Node>],
) -> Vec<Vec<(u32, Reach)>> {
    let candidates = candidates(graph, reversed, asked);
    Asked::new(graph, reversed, asked).among(&candidates)
}

/// What is followed back from a member that runs in place of others.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Through {
    /// Its calls: who leads here at all.
    Calls,
    /// Also what creates the objects for it: what decides whether a call ends here.
    All,
}

/// The nodes from which one that is asked for may be reached.
fn leading(
    graph: &MemberGraph,
    reversed: &Reversed,
    asked: &[Vec<Node>],
    through: Through,
) -> Vec<bool> {
    let mut leading = vec![false; graph.n_nodes()];
    let mut work: Vec<Node> = asked.iter().flatten().copied().collect();
    while let Some(node) = work.pop() {
        if std::mem::replace(&mut leading[node as usize], true) {
            continue;
        }
        work.extend(reversed.edges(node).map(|(from, _)| from));
        if let Some((member, Role::Run)) = graph.role(node) {
            work.push(graph.node(member, Role::Call));
            work.extend(reversed.limited(member));
            if through == Through::All {
                work.push(graph.node(member, Role::Dispatch));
            }
        }
    }
    leading
}

/// The part of a graph that leads to what is asked, numbered anew.
struct Part {
    /// The number of each node of the graph; [`u32::MAX`] for those that are left out.
    number: Vec<u32>,
    starts: Vec<u32>,
    edges: Vec<(u32, Taken)>,
    /// Of the node of a call or a dispatch: the other one of the two, and what runs by both; those of node `n` begin
    /// at `first_gate[n]`.
    gates: Vec<(u32, u32)>,
    first_gate: Vec<u32>,
    /// The nodes of types whose objects are created.
    created: Vec<u32>,
}

impl Part {
    fn new(graph: &MemberGraph, reversed: &Reversed, leading: &[bool]) -> Self {
        let nodes: Vec<Node> = (0..graph.n_nodes() as u32)
            .filter(|&node| leading[node as usize])
            .collect();
        let mut number = vec![u32::MAX; graph.n_nodes()];
        for (at, &node) in nodes.iter().enumerate() {
            number[node as usize] = at as u32;
        }
        let mut part = Self {
            starts: vec![0],
            edges: Vec::new(),
            gates: Vec::new(),
            first_gate: vec![0],
            created: (0..graph.types.len() as u32)
                .map(|ty| number[graph.type_node(ty, TypeRole::Created) as usize])
                .filter(|&node| node != u32::MAX)
                .collect(),
            number,
        };
        for node in nodes {
            let edges = graph.edges(node);
            let edges = edges.map(|(to, taken)| (part.number[to as usize], taken));
            part.edges.extend(edges.filter(|(to, _)| *to != u32::MAX));
            part.starts.push(part.edges.len() as u32);
            let mut gate = |other: Node, member: MemberIndex| {
                let run = part.number[graph.node(member, Role::Run) as usize];
                let other = part.number[other as usize];
                if other != u32::MAX && run != u32::MAX {
                    part.gates.push((other, run));
                }
            };
            match graph.role(node) {
                Some((member, Role::Call)) => gate(graph.node(member, Role::Dispatch), member),
                Some((member, Role::Dispatch)) => {
                    gate(graph.node(member, Role::Call), member);
                    reversed.limited(member).for_each(|node| gate(node, member));
                }
                Some((_, Role::Run)) => {}
                None => {
                    for &member in graph.limited_to(node).unwrap_or_default() {
                        gate(graph.node(member, Role::Dispatch), member);
                    }
                }
            }
            part.first_gate.push(part.gates.len() as u32);
        }
        part
    }

    fn n_nodes(&self) -> usize {
        self.starts.len() - 1
    }
}

/// The values of one block of tests.
struct Values<'g> {
    part: &'g Part,
    bits: Vec<Bits>,
    waits: Vec<bool>,
    work: VecDeque<u32>,
}

impl<'g> Values<'g> {
    fn new(part: &'g Part) -> Self {
        Self {
            part,
            bits: vec![[0; WORDS]; part.n_nodes()],
            waits: vec![false; part.n_nodes()],
            work: VecDeque::new(),
        }
    }

    fn add(&mut self, node: u32, bits: &Bits) {
        let known = &mut self.bits[node as usize];
        let mut grew = false;
        for (known, bits) in known.iter_mut().zip(bits) {
            grew |= *bits & !*known != 0;
            *known |= bits;
        }
        if grew && !std::mem::replace(&mut self.waits[node as usize], true) {
            self.work.push_back(node);
        }
    }

    /// Sets the bit of a test at a node of the graph, if it leads anywhere.
    fn set(&mut self, node: Node, test: usize) {
        let node = self.part.number[node as usize];
        if node != u32::MAX {
            let mut bits = [0; WORDS];
            bits[test / 64] |= 1 << (test % 64);
            self.add(node, &bits);
        }
    }

    fn settle(&mut self, taken: Taken) {
        let part = self.part;
        while let Some(node) = self.work.pop_front() {
            let at = node as usize;
            self.waits[at] = false;
            let bits = self.bits[at];
            for (to, needs) in &part.edges[part.starts[at] as usize..part.starts[at + 1] as usize] {
                if *needs == Taken::Code || taken == Taken::All {
                    self.add(*to, &bits);
                }
            }
            let gates = part.first_gate[at] as usize..part.first_gate[at + 1] as usize;
            for &(other, run) in &part.gates[gates] {
                let other = self.bits[other as usize];
                let both = std::array::from_fn(|word| bits[word] & other[word]);
                self.add(run, &both);
            }
        }
    }

    /// The tests that reach one node of each list.
    fn found(&self, asked: &[Vec<u32>]) -> Vec<Bits> {
        let of = |nodes: &Vec<u32>| {
            nodes.iter().fold([0; WORDS], |all, &node| {
                let bits = self.bits[node as usize];
                std::array::from_fn(|word| all[word] | bits[word])
            })
        };
        asked.iter().map(of).collect()
    }
}

fn block(
    graph: &MemberGraph,
    part: &Part,
    tests: &[u32],
    asked: &[Vec<u32>],
) -> Vec<Vec<(u32, Reach)>> {
    let body = |values: &mut Values<'_>| {
        for (at, &test) in tests.iter().enumerate() {
            let entry = &graph.entries[test as usize];
            values.set(graph.node(entry.method, Role::Run), at);
            values.set(graph.type_node(entry.class, TypeRole::Created), at);
        }
    };
    let set_up = |values: &mut Values<'_>| {
        for (at, &test) in tests.iter().enumerate() {
            let entry = &graph.entries[test as usize];
            values.set(graph.type_node(entry.class, TypeRole::SetUp), at);
            for &data in &entry.data {
                values.set(graph.node(data, Role::Run), at);
            }
        }
    };
    // What reaches a node by what runs around a test and its body together, and by its body alone. What set-up makes is
    // there when the body runs.
    let found = |taken| {
        let mut both = Values::new(part);
        set_up(&mut both);
        both.settle(taken);
        let mut alone = Values::new(part);
        for &node in &part.created {
            let bits = both.bits[node as usize];
            alone.add(node, &bits);
        }
        body(&mut both);
        both.settle(taken);
        let by_both = both.found(asked);
        if by_both.iter().flatten().all(|&word| word == 0) {
            return None;
        }
        body(&mut alone);
        alone.settle(taken);
        Some([by_both, alone.found(asked)])
    };
    let Some([by_all, by_reflection]) = found(Taken::All) else {
        return vec![Vec::new(); asked.len()];
    };
    let none = || vec![[0; WORDS]; asked.len()];
    let [by_set_up, by_code] = found(Taken::Code).unwrap_or_else(|| [none(), none()]);
    (0..asked.len())
        .map(|asked| {
            let mut out = Vec::new();
            for (at, &test) in tests.iter().enumerate() {
                let has = |bits: &[Bits]| bits[asked][at / 64] & 1 << (at % 64) != 0;
                let reach = if has(&by_code) {
                    Reach::Body
                } else if has(&by_reflection) {
                    Reach::Reflection
                } else if has(&by_set_up) {
                    Reach::SetUp
                } else if has(&by_all) {
                    Reach::SetUpReflection
                } else {
                    continue;
                };
                out.push((test, reach));
            }
            out
        })
        .collect()
}
