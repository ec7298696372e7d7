//! Measures against their definitions, written down naively.

use crate::graph::measure::{Measures, measure};

use std::collections::BTreeSet;

use petgraph::graph::{DiGraph, NodeIndex};
use proptest::prelude::*;

const MAX_NODES: usize = 12;

/// A graph without loops and parallel edges.
fn graphs() -> impl Strategy<Value = (usize, BTreeSet<(usize, usize)>)> {
    (1..MAX_NODES).prop_flat_map(|count| {
        let edge = (0..count, 0..count).prop_filter("no loops", |(from, to)| from != to);
        let edges = prop::collection::btree_set(edge, 0..count * 3);
        (
            Just(count),
            if count == 1 {
                Just(BTreeSet::new()).boxed()
            } else {
                edges.boxed()
            },
        )
    })
}

fn graph_of(count: usize, edges: &BTreeSet<(usize, usize)>) -> DiGraph<(), ()> {
    let mut graph = DiGraph::new();
    for _ in 0..count {
        graph.add_node(());
    }
    for &(from, to) in edges {
        graph.add_edge(NodeIndex::new(from), NodeIndex::new(to), ());
    }
    graph
}

/// By pair of nodes: whether the first reaches the second, itself included.
fn reachable(count: usize, edges: &BTreeSet<(usize, usize)>) -> Vec<Vec<bool>> {
    let mut reach = vec![vec![false; count]; count];
    for (node, row) in reach.iter_mut().enumerate() {
        row[node] = true;
    }
    for &(from, to) in edges {
        reach[from][to] = true;
    }
    for middle in 0..count {
        for from in 0..count {
            for to in 0..count {
                reach[from][to] |= reach[from][middle] && reach[middle][to];
            }
        }
    }
    reach
}

/// By definition: the least number of edges between components on a way to a component without exit.
fn naive_depths(
    count: usize,
    edges: &BTreeSet<(usize, usize)>,
    same: impl Fn(usize, usize) -> bool,
) -> Vec<u32> {
    let exits = |node: usize| {
        edges
            .iter()
            .any(|&(from, to)| same(from, node) && !same(to, node))
    };
    let mut depths: Vec<u32> = (0..count)
        .map(|node| if exits(node) { u32::MAX } else { 0 })
        .collect();
    for _ in 0..count {
        for node in 0..count {
            for &(from, to) in edges {
                if same(from, node) && !same(to, node) {
                    depths[node] = depths[node].min(depths[to].saturating_add(1));
                }
            }
        }
    }
    depths
}

proptest! {
    #[test]
    fn measures_are_as_they_are_defined((count, edges) in graphs()) {
        let found = measure(&graph_of(count, &edges));
        let reach = reachable(count, &edges);
        let same = |a: usize, b: usize| reach[a][b] && reach[b][a];
        let depths = naive_depths(count, &edges, same);
        for node in 0..count {
            let size = (0..count).filter(|&other| same(node, other)).count();
            prop_assert_eq!(found[node].component_size as usize, size);
            let fan_in = edges.iter().filter(|edge| edge.1 == node).count();
            let fan_out = edges.iter().filter(|edge| edge.0 == node).count();
            prop_assert_eq!(found[node].fan_in as usize, fan_in);
            prop_assert_eq!(found[node].fan_out as usize, fan_out);
            prop_assert_eq!(found[node].depth, depths[node], "depth of {}", node);
            for other in 0..count {
                prop_assert_eq!(
                    found[node].component == found[other].component,
                    same(node, other)
                );
                if reach[node][other] && !same(node, other) {
                    prop_assert!(found[other].component < found[node].component);
                }
            }
        }
        let numbers: BTreeSet<u32> = found.iter().map(|it| it.component).collect();
        let expected: BTreeSet<u32> = (0..numbers.len() as u32).collect();
        prop_assert_eq!(numbers, expected, "numbers have no gaps");
    }

    #[test]
    fn the_order_of_edges_does_not_change_a_measure((count, edges) in graphs()) {
        let mut backwards = DiGraph::<(), ()>::new();
        for _ in 0..count {
            backwards.add_node(());
        }
        for &(from, to) in edges.iter().rev() {
            backwards.add_edge(NodeIndex::new(from), NodeIndex::new(to), ());
        }
        let without_numbers = |measures: Vec<Measures>| -> Vec<Measures> {
            let all = measures.into_iter();
            all.map(|it| Measures { component: 0, ..it }).collect()
        };
        prop_assert_eq!(
            without_numbers(measure(&graph_of(count, &edges))),
            without_numbers(measure(&backwards))
        );
    }
}

#[test]
fn a_long_chain_and_a_long_cycle_need_no_stack() {
    let count = 200_000;
    let chain: BTreeSet<(usize, usize)> = (1..count).map(|node| (node - 1, node)).collect();
    let found = measure(&graph_of(count, &chain));
    assert_eq!(found[0].depth as usize, count - 1);
    assert_eq!(found[0].component as usize, count - 1);
    let mut cycle = chain;
    cycle.insert((count - 1, 0));
    let found = measure(&graph_of(count, &cycle));
    assert_eq!(found[0].component_size as usize, count);
    assert_eq!(found[0].depth, 0);
}
