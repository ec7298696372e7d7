//! Measures of a directed graph: cycles, depth, fan-in and fan-out. All of it is linear.
//!
//! Must not know: what nodes and edges stand for.

use petgraph::{
    Direction,
    algo::kosaraju_scc,
    graph::{DiGraph, NodeIndex},
};

/// Where a node stands in its graph.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Measures {
    /// The strongly connected component: nodes of one number reach each other. From 0 without gaps; what a
    /// component depends on has lower numbers.
    pub component: u32,
    /// How many nodes that component has.
    pub component_size: u32,
    /// The least number of steps from its component to one that depends on no other; steps within a
    /// component do not count.
    pub depth: u32,
    /// How many other nodes have an edge to it.
    pub fan_in: u32,
    /// To how many other nodes it has an edge.
    pub fan_out: u32,
}

/// Measures every node, by index. Expects no loops and no parallel edges. O(nodes + edges), without recursion:
/// a chain of a million types does not overflow the stack.
pub(crate) fn measure<N, E>(graph: &DiGraph<N, E>) -> Vec<Measures> {
    // Postorder: a component comes after all that it reaches.
    let components = kosaraju_scc(graph);
    let mut out = vec![Measures::default(); graph.node_count()];
    for (number, nodes) in components.iter().enumerate() {
        for node in nodes {
            let measures = &mut out[node.index()];
            measures.component = number as u32;
            measures.component_size = nodes.len() as u32;
            measures.fan_in = degree(graph, *node, Direction::Incoming);
            measures.fan_out = degree(graph, *node, Direction::Outgoing);
        }
    }
    let mut depths: Vec<u32> = Vec::with_capacity(components.len());
    for (number, nodes) in components.iter().enumerate() {
        let below = nodes
            .iter()
            .flat_map(|&node| graph.neighbors(node))
            .map(|target| out[target.index()].component as usize)
            .filter(|&target| target != number)
            .map(|target| depths[target] + 1)
            .min();
        depths.push(below.unwrap_or(0));
    }
    for measures in &mut out {
        measures.depth = depths[measures.component as usize];
    }
    out
}

fn degree<N, E>(graph: &DiGraph<N, E>, node: NodeIndex, direction: Direction) -> u32 {
    graph.neighbors_directed(node, direction).count() as u32
}
