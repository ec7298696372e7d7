//! An answer that is a graph, for graph tools.
//!
//! Owns: nodes and edges with what a picture says of them. Must not know: formats.

use rustc_hash::FxHashMap;

/// Nodes and edges in the order in which they were found.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Drawing {
    /// Each id once.
    pub nodes: Vec<DrawnNode>,
    /// Each pair of nodes once in each direction and with each word.
    pub edges: Vec<DrawnEdge>,
    by_id: FxHashMap<String, usize>,
}

/// A node.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct DrawnNode {
    /// Its documentation id, or its name where it has none.
    pub id: String,
    /// What is written into it.
    pub label: String,
    /// `class`, `method`, …, `external`.
    pub kind: String,
}

/// An edge.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct DrawnEdge {
    /// Index of the node where it starts.
    pub from: usize,
    /// Index of the node where it ends.
    pub to: usize,
    /// Why.
    pub word: String,
}

impl Drawing {
    /// The node of an id, added where it is missing.
    pub fn node(&mut self, id: &str, label: &str, kind: &str) -> usize {
        if let Some(&known) = self.by_id.get(id) {
            return known;
        }
        let label = label.split_once(':').map_or(label, |(_, name)| name);
        self.nodes.push(DrawnNode {
            id: id.to_owned(),
            label: label.to_owned(),
            kind: kind.to_owned(),
        });
        self.by_id.insert(id.to_owned(), self.nodes.len() - 1);
        self.nodes.len() - 1
    }

    /// The node that stands for all of which the answer may not speak.
    pub fn outside(&mut self) -> usize {
        self.node("", "outside of what was asked for", "external")
    }

    /// The node of an id, if it was added.
    pub fn find(&self, id: &str) -> Option<usize> {
        self.by_id.get(id).copied()
    }

    /// Adds an edge, unless it is there.
    pub fn edge(&mut self, from: usize, to: usize, word: &str) {
        let edge = DrawnEdge {
            from,
            to,
            word: word.to_owned(),
        };
        if !self.edges.contains(&edge) {
            self.edges.push(edge);
        }
    }
}
