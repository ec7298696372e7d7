//! A small set of edges without which a graph has no cycle.
//!
//! Must not know: what nodes and edges stand for.

use std::collections::VecDeque;

/// An edge of a graph whose nodes are numbers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Edge {
    pub(crate) from: u32,
    pub(crate) to: u32,
    /// What it costs to cut it.
    pub(crate) weight: u32,
}

/// So many steps may be made to leave edges of a set out again.
const MAX_STEPS: usize = 60_000_000;

/// From so many nodes a shortest cycle is looked for.
const MAX_STARTS: usize = 400;

/// A set of edges without which there is no cycle, and none of which can be left out of it; cheap, though not the
/// cheapest: finding that is NP-hard. By cost, highest first, then by ends.
///
/// Nodes are put in a row, sinks last, sources first, else the one first that has most more going out than coming in
/// (Eades, Lin and Smyth, 1993): edges that go back are the set. Then each is put back unless it closes a cycle, the
/// dearest first.
pub(crate) fn closing(n_nodes: usize, edges: &[Edge]) -> Vec<Edge> {
    let place = row(n_nodes, edges);
    let is_back = |edge: &&Edge| place[edge.from as usize] > place[edge.to as usize];
    let mut back: Vec<Edge> = edges.iter().filter(is_back).copied().collect();
    back.sort_by_key(|edge| (std::cmp::Reverse(edge.weight), edge.from, edge.to));
    let mut next: Vec<Vec<u32>> = vec![Vec::new(); n_nodes];
    for edge in edges.iter().filter(|edge| !is_back(edge)) {
        next[edge.from as usize].push(edge.to);
    }
    let mut out = Vec::new();
    let mut n_steps = 0;
    for edge in back {
        let mut reaches = n_steps > MAX_STEPS;
        if !reaches {
            let mut seen = vec![false; n_nodes];
            let mut stack = vec![edge.to];
            seen[edge.to as usize] = true;
            while let Some(at) = stack.pop() {
                if at == edge.from {
                    reaches = true;
                    break;
                }
                n_steps += next[at as usize].len();
                for &to in &next[at as usize] {
                    if !std::mem::replace(&mut seen[to as usize], true) {
                        stack.push(to);
                    }
                }
            }
        }
        if reaches {
            out.push(edge);
        } else {
            next[edge.from as usize].push(edge.to);
        }
    }
    out
}

/// The place of each node in the row.
fn row(n_nodes: usize, edges: &[Edge]) -> Vec<usize> {
    let mut out_edges: Vec<Vec<(u32, i64)>> = vec![Vec::new(); n_nodes];
    let mut in_edges: Vec<Vec<(u32, i64)>> = vec![Vec::new(); n_nodes];
    let (mut out_sum, mut in_sum) = (vec![0i64; n_nodes], vec![0i64; n_nodes]);
    for edge in edges {
        let weight = i64::from(edge.weight);
        out_edges[edge.from as usize].push((edge.to, weight));
        in_edges[edge.to as usize].push((edge.from, weight));
        out_sum[edge.from as usize] += weight;
        in_sum[edge.to as usize] += weight;
    }
    let (mut first, mut last) = (Vec::new(), Vec::new());
    let mut is_left = vec![true; n_nodes];
    for _ in 0..n_nodes {
        let left = (0..n_nodes).filter(|&at| is_left[at]);
        let class = |at: usize| match (out_sum[at], in_sum[at]) {
            (0, _) => (0, 0),
            (_, 0) => (1, 0),
            (out, into) => (2, into - out),
        };
        let Some(at) = left.min_by_key(|&at| (class(at), at)) else {
            break;
        };
        if class(at).0 == 0 {
            &mut last
        } else {
            &mut first
        }
        .push(at);
        is_left[at] = false;
        for &(to, weight) in &out_edges[at] {
            in_sum[to as usize] -= weight;
        }
        for &(from, weight) in &in_edges[at] {
            out_sum[from as usize] -= weight;
        }
    }
    let mut place = vec![0; n_nodes];
    let row = first.into_iter().chain(last.into_iter().rev());
    row.enumerate().for_each(|(nth, at)| place[at] = nth);
    place
}

/// One of the shortest cycles; of large graphs of those that pass through some first nodes.
pub(crate) fn shortest_cycle(n_nodes: usize, edges: &[Edge]) -> Vec<Edge> {
    let mut next: Vec<Vec<Edge>> = vec![Vec::new(); n_nodes];
    edges
        .iter()
        .for_each(|edge| next[edge.from as usize].push(*edge));
    let mut best: Vec<Edge> = Vec::new();
    for start in 0..n_nodes.min(MAX_STARTS) {
        let mut before: Vec<Option<Edge>> = vec![None; n_nodes];
        let mut queue = VecDeque::from([(start as u32, 0usize)]);
        while let Some((at, n)) = queue.pop_front() {
            if !best.is_empty() && n + 1 >= best.len() || before[start].is_some() {
                break;
            }
            for edge in &next[at as usize] {
                if before[edge.to as usize].is_none() {
                    before[edge.to as usize] = Some(*edge);
                    if edge.to as usize != start {
                        queue.push_back((edge.to, n + 1));
                    }
                }
            }
        }
        if before[start].is_none() {
            continue;
        }
        let mut found = Vec::new();
        let mut at = start;
        while let Some(edge) = before[at] {
            found.push(edge);
            at = edge.from as usize;
            if at == start {
                break;
            }
        }
        found.reverse();
        if best.is_empty() || found.len() < best.len() {
            best = found;
        }
        if best.len() == 2 {
            break;
        }
    }
    best
}

#[cfg(test)]
mod tests {
    use petgraph::{algo::is_cyclic_directed, graph::DiGraph};
    use proptest::prelude::*;

    use super::{Edge, closing, shortest_cycle};

    fn graph(edges: impl Iterator<Item = Edge>) -> DiGraph<(), ()> {
        DiGraph::from_edges(edges.map(|edge| (edge.from, edge.to)))
    }

    fn edges() -> impl Strategy<Value = Vec<Edge>> {
        prop::collection::vec((0u32..12, 0u32..12, 1u32..9), 0..40).prop_map(|all| {
            let mut all: Vec<Edge> = (all.into_iter())
                .filter(|(from, to, _)| from != to)
                .map(|(from, to, weight)| Edge { from, to, weight })
                .collect();
            all.sort_by_key(|edge| (edge.from, edge.to));
            all.dedup_by_key(|edge| (edge.from, edge.to));
            all
        })
    }

    proptest! {
        #[test]
        fn without_the_closing_edges_there_is_no_cycle_and_none_can_stay(edges in edges()) {
            let cut = closing(12, &edges);
            let rest = || edges.iter().copied().filter(|edge| !cut.contains(edge));
            prop_assert!(!is_cyclic_directed(&graph(rest())));
            for edge in &cut {
                prop_assert!(is_cyclic_directed(&graph(rest().chain([*edge]))));
            }
        }

        #[test]
        fn a_shortest_cycle_is_one(edges in edges()) {
            let found = shortest_cycle(12, &edges);
            prop_assert_eq!(found.is_empty(), !is_cyclic_directed(&graph(edges.iter().copied())));
            for (nth, edge) in found.iter().enumerate() {
                prop_assert_eq!(edge.to, found[(nth + 1) % found.len()].from);
            }
        }
    }
}
