//! Which tests reach a node, for many tests at once.
//!
//! Owns: the fixed point. Must not know: what nodes mean beyond the graph's rules, how answers look.
//!
//! Each node has a bit for each test of a block. What a test reaches grows monotonously, so the order of the
//! work does not show in the result.

use std::collections::VecDeque;

use rayon::prelude::*;

use super::graph::{MemberGraph, Node, Reversed, Role, Taken, TypeRole};

const WORDS: usize = 8;
/// Tests of a block.
const BLOCK: usize = WORDS * 64;

type Bits = [u64; WORDS];

/// How a test reaches something, the strongest first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(super) enum Reach {
    /// Its body does, by what code says.
    Body,
    /// Its body does, if something is made or called by reflection.
    Reflection,
    /// Only what runs before or after it does: constructors, fixtures, set-up, data.
    SetUp,
}

/// For each list of nodes, the tests that reach one of them: numbers of entries, ascending, with how.
/// O(blocks of 512 tests × edges that lead to the nodes).
pub(crate) fn solve(
    graph: &MemberGraph,
    reversed: &Reversed,
    asked: &[Vec<Node>],
) -> Vec<Vec<(u32, Reach)>> {
    let relevant = relevant(graph, reversed, asked);
    let seeds: Vec<u32> = (graph.entries.iter().enumerate())
        .filter(|(_, entry)| {
            let run = graph.node(entry.method, Role::Run);
            let set_up = graph.type_node(entry.class, TypeRole::SetUp);
            let data = entry.data.iter().map(|&data| graph.node(data, Role::Run));
            data.chain([run, set_up])
                .any(|node| relevant[node as usize])
        })
        .map(|(at, _)| at as u32)
        .collect();
    let blocks: Vec<Vec<Vec<(u32, Reach)>>> = seeds
        .par_chunks(BLOCK)
        .map(|tests| block(graph, &relevant, tests, asked))
        .collect();
    let mut out = vec![Vec::new(); asked.len()];
    for block in blocks {
        for (all, some) in out.iter_mut().zip(block) {
            all.extend(some);
        }
    }
    out
}

/// The nodes from which one that is asked for may be reached.
fn relevant(graph: &MemberGraph, reversed: &Reversed, asked: &[Vec<Node>]) -> Vec<bool> {
    let mut relevant = vec![false; graph.n_nodes()];
    let mut work: Vec<Node> = asked.iter().flatten().copied().collect();
    while let Some(node) = work.pop() {
        if std::mem::replace(&mut relevant[node as usize], true) {
            continue;
        }
        work.extend(reversed.edges(node).map(|(from, _)| from));
        if let Some((member, Role::Run)) = graph.role(node) {
            work.push(graph.node(member, Role::Call));
            work.push(graph.node(member, Role::Dispatch));
        }
    }
    relevant
}

/// The values of one block of tests.
struct Values<'g> {
    graph: &'g MemberGraph,
    relevant: &'g [bool],
    bits: Vec<Bits>,
    waits: Vec<bool>,
    work: VecDeque<Node>,
}

impl Values<'_> {
    fn add(&mut self, node: Node, bits: &Bits) {
        if !self.relevant[node as usize] {
            return;
        }
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

    fn set(&mut self, node: Node, test: usize) {
        let mut bits = [0; WORDS];
        bits[test / 64] |= 1 << (test % 64);
        self.add(node, &bits);
    }

    fn settle(&mut self, taken: Taken) {
        let graph = self.graph;
        while let Some(node) = self.work.pop_front() {
            self.waits[node as usize] = false;
            let bits = self.bits[node as usize];
            for (to, needs) in graph.edges(node) {
                if needs == Taken::Code || taken == Taken::All {
                    self.add(to, &bits);
                }
            }
            if let Some((member, Role::Call | Role::Dispatch)) = graph.role(node) {
                let call = self.bits[graph.node(member, Role::Call) as usize];
                let dispatch = self.bits[graph.node(member, Role::Dispatch) as usize];
                let both = std::array::from_fn(|word| call[word] & dispatch[word]);
                self.add(graph.node(member, Role::Run), &both);
            }
        }
    }
}

fn block(
    graph: &MemberGraph,
    relevant: &[bool],
    tests: &[u32],
    asked: &[Vec<Node>],
) -> Vec<Vec<(u32, Reach)>> {
    let values = || Values {
        graph,
        relevant,
        bits: vec![[0; WORDS]; graph.n_nodes()],
        waits: vec![false; graph.n_nodes()],
        work: VecDeque::new(),
    };
    let found = |values: &Values<'_>| -> Vec<Bits> {
        let of = |nodes: &Vec<Node>| {
            nodes.iter().fold([0; WORDS], |all, &node| {
                let bits = values.bits[node as usize];
                std::array::from_fn(|word| all[word] | bits[word])
            })
        };
        asked.iter().map(of).collect()
    };
    let body = |values: &mut Values<'_>| {
        for (at, &test) in tests.iter().enumerate() {
            let entry = &graph.entries[test as usize];
            values.set(graph.node(entry.method, Role::Run), at);
            values.set(graph.type_node(entry.class, TypeRole::Created), at);
        }
    };
    let mut all = values();
    for (at, &test) in tests.iter().enumerate() {
        let entry = &graph.entries[test as usize];
        all.set(graph.type_node(entry.class, TypeRole::SetUp), at);
        for &data in &entry.data {
            all.set(graph.node(data, Role::Run), at);
        }
    }
    all.settle(Taken::All);
    // What set-up makes is there when the body runs.
    let made: Vec<(Node, Bits)> = (0..graph.types.len() as u32)
        .map(|ty| graph.type_node(ty, TypeRole::Created))
        .map(|node| (node, all.bits[node as usize]))
        .filter(|(_, bits)| bits.iter().any(|&word| word != 0))
        .collect();
    let [by_code, by_reflection] = [Taken::Code, Taken::All].map(|taken| {
        let mut values = values();
        for (node, bits) in &made {
            values.bits[*node as usize] = *bits;
            values.waits[*node as usize] = true;
            values.work.push_back(*node);
        }
        body(&mut values);
        values.settle(taken);
        found(&values)
    });
    body(&mut all);
    all.settle(Taken::All);
    let by_all = found(&all);
    (0..asked.len())
        .map(|asked| {
            let mut out = Vec::new();
            for (at, &test) in tests.iter().enumerate() {
                let has = |bits: &[Bits]| bits[asked][at / 64] & 1 << (at % 64) != 0;
                let reach = if has(&by_code) {
                    Reach::Body
                } else if has(&by_reflection) {
                    Reach::Reflection
                } else if has(&by_all) {
                    Reach::SetUp
                } else {
                    continue;
                };
                out.push((test, reach));
            }
            out
        })
        .collect()
}
