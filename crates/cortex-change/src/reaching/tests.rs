//! The fixed point against a naive one, on random graphs; graphs as bytes.

use crate::reaching::{
    near::Ways,
    solve::{Reach, solve},
};
use cortex_derived::reach::{
    code::{of_graph, to_graph},
    graph::{Entry, MemberGraph, Node, Role, Taken, TypeRole, marked},
};

use std::collections::BTreeSet;

use cortex_index::MemberTag;
use cortex_model::TypeKey;
use proptest::prelude::*;

const TYPES: u32 = 4;
const MEMBERS: u32 = 12;

/// Members that calls are limited to: the bits of each number.
const LIMITED: [u32; 3] = [0b0000_0000_0110, 0b0100_1001_0010, 0b1000_0000_0001];

/// A graph of [`TYPES`] types with three members each; edges and tests as drawn.
fn graph(edges: &[(u32, u32, bool)], tests: &[(u32, u32)]) -> MemberGraph {
    let mut graph = MemberGraph {
        types: (0..TYPES)
            .map(|at| TypeKey::from_bytes([at as u8; 14]))
            .collect(),
        tags: (0..MEMBERS).map(|at| MemberTag(at % 3)).collect(),
        first: (0..=TYPES).map(|at| at * 3).collect(),
        limited: (LIMITED.iter())
            .map(|bits| (0..MEMBERS).filter(|at| bits & 1 << at != 0).collect())
            .collect(),
        ..MemberGraph::default()
    };
    let mut entries: Vec<Entry> = tests
        .iter()
        .map(|&(class, method)| Entry {
            class: class % TYPES,
            method: method % MEMBERS,
            data: Vec::new(),
            is_skipped: class % 2 == 1,
        })
        .collect();
    entries.sort();
    entries.dedup();
    graph.entries = entries;
    let n = graph.n_nodes() as u32;
    let edges = edges.iter().map(|&(from, to, is_code)| {
        let taken = if is_code { Taken::Code } else { Taken::All };
        (from % n, marked(to % n, taken))
    });
    let edges = edges.collect();
    graph.set_edges(edges);
    graph
}

/// All that is reached from some nodes, one by one.
fn closure(graph: &MemberGraph, seeds: &[Node], taken: Taken) -> BTreeSet<Node> {
    let mut reached: BTreeSet<Node> = seeds.iter().copied().collect();
    loop {
        let mut more: Vec<Node> = Vec::new();
        for &node in &reached {
            let edges = graph.edges(node);
            let edges = edges.filter(|(_, needs)| *needs == Taken::Code || taken == Taken::All);
            more.extend(edges.map(|(to, _)| to));
        }
        for member in 0..MEMBERS {
            let has = |role| reached.contains(&graph.node(member, role));
            let limited = graph.limited.iter().enumerate();
            let mut limited = limited.filter(|(_, members)| members.contains(&member));
            let is_limited = |at| reached.contains(&graph.limited_node(at as u32));
            let is_called = has(Role::Call) || limited.any(|(at, _)| is_limited(at));
            if is_called && has(Role::Dispatch) {
                more.push(graph.node(member, Role::Run));
            }
        }
        let n_before = reached.len();
        reached.extend(more);
        if reached.len() == n_before {
            return reached;
        }
    }
}

/// How one test reaches a node, by the definition.
fn naive(graph: &MemberGraph, entry: &Entry, goal: Node) -> Option<Reach> {
    let set_up = graph.type_node(entry.class, TypeRole::SetUp);
    let body = [
        graph.node(entry.method, Role::Run),
        graph.type_node(entry.class, TypeRole::Created),
    ];
    let with_made = |taken| {
        let around = closure(graph, &[set_up], taken);
        let made = (0..TYPES).map(|ty| graph.type_node(ty, TypeRole::Created));
        let made = made.filter(|node| around.contains(node));
        body.iter().copied().chain(made).collect::<Vec<_>>()
    };
    let whole = [&body[..], &[set_up]].concat();
    let reaches = |from: &[Node], taken| closure(graph, from, taken).contains(&goal);
    if reaches(&with_made(Taken::Code), Taken::Code) {
        Some(Reach::Body)
    } else if reaches(&with_made(Taken::All), Taken::All) {
        Some(Reach::Reflection)
    } else if reaches(&whole, Taken::Code) {
        Some(Reach::SetUp)
    } else if reaches(&whole, Taken::All) {
        Some(Reach::SetUpReflection)
    } else {
        None
    }
}

/// From where to where, and whether code takes the edge or only reflection.
type Edges = Vec<(u32, u32, bool)>;

/// Class and method.
type Tests = Vec<(u32, u32)>;

fn drawn() -> impl Strategy<Value = (Edges, Tests)> {
    let node = 0..(MEMBERS * 3 + TYPES * 8 + LIMITED.len() as u32);
    let edge = (node.clone(), node, any::<bool>());
    let test = (0..TYPES, 0..MEMBERS);
    (
        proptest::collection::vec(edge, 0..90),
        proptest::collection::vec(test, 1..20),
    )
}

proptest! {
    #[test]
    fn a_graph_is_the_same_from_bytes_and_cut_ones_are_refused((edges, tests) in drawn(), cut in any::<prop::sample::Index>()) {
        let graph = graph(&edges, &tests);
        let bytes = of_graph(&graph);
        let cut = to_graph(&bytes[..cut.index(bytes.len())]);
        prop_assert_eq!(cut, None);
        prop_assert_eq!(to_graph(&bytes), Some(graph));
    }

    #[test]
    fn bytes_that_were_changed_do_no_harm((edges, tests) in drawn(), at in any::<prop::sample::Index>(), byte in any::<u8>()) {
        let mut bytes = of_graph(&graph(&edges, &tests));
        let at = at.index(bytes.len());
        bytes[at] = byte;
        if let Some(graph) = to_graph(&bytes) {
            let goals = [graph.node(0, Role::Run)];
            solve(&graph, &graph.reversed(), &[goals.to_vec()]);
        }
    }

    #[test]
    fn tests_of_a_block_are_those_of_each_test_alone((edges, tests) in drawn(), goal in 0..MEMBERS) {
        let graph = graph(&edges, &tests);
        let reversed = graph.reversed();
        let goal = graph.node(goal, Role::Run);
        let found = solve(&graph, &reversed, &[vec![goal]]);
        let expected: Vec<(u32, Reach)> = (graph.entries.iter().enumerate())
            .filter_map(|(at, entry)| Some((at as u32, naive(&graph, entry, goal)?)))
            .collect();
        prop_assert_eq!(&found[0], &expected);
    }

    #[test]
    fn another_edge_takes_no_test_away((edges, tests) in drawn(), goal in 0..MEMBERS) {
        let goals = |graph: &MemberGraph| {
            let goal = graph.node(goal, Role::Run);
            let found = solve(graph, &graph.reversed(), &[vec![goal]]);
            found[0].iter().map(|&(test, _)| test).collect::<BTreeSet<_>>()
        };
        let all = goals(&graph(&edges, &tests));
        let fewer = goals(&graph(&edges[..edges.len() / 2], &tests));
        prop_assert!(fewer.is_subset(&all));
    }

    #[test]
    fn each_test_that_is_found_has_a_way((edges, tests) in drawn(), goal in 0..MEMBERS) {
        let graph = graph(&edges, &tests);
        let reversed = graph.reversed();
        let goals = [graph.node(goal, Role::Run)];
        let found = solve(&graph, &reversed, &[goals.to_vec()]);
        let tests = found[0].iter().map(|&(test, _)| test);
        let ways = Ways::to(&graph, &reversed, &goals, tests);
        for &(test, reach) in &found[0] {
            let entry = &graph.entries[test as usize];
            let starts = [
                graph.node(entry.method, Role::Run),
                graph.type_node(entry.class, TypeRole::SetUp),
                graph.type_node(entry.class, TypeRole::Created),
            ];
            prop_assert!(starts.iter().any(|&start| ways.cost(start).is_some()), "{reach:?}");
        }
    }
}
