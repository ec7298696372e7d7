//! Graphviz's language, as its page "DOT Language" has it.

use crate::{
    export::graph::safe,
    graph::{GraphOrigin, TypeGraph},
};

use std::io::{Result, Write};

use petgraph::visit::EdgeRef;

pub(crate) fn write(graph: &TypeGraph, out: &mut dyn Write) -> Result<()> {
    out.write_all(b"digraph types {\n  node [shape=box];\n")?;
    for (index, node) in graph.node_indices().zip(graph.node_weights()) {
        let measures = node.measures;
        write!(
            out,
            "  n{} [label={}, id={}, kind={}, assembly={}, scc={}, scc_size={}, depth={}, fan_in={}, fan_out={}",
            index.index(),
            quoted(node.name()),
            quoted(&node.id),
            quoted(node.origin.word()),
            quoted(&node.assembly),
            measures.component,
            measures.component_size,
            measures.depth,
            measures.fan_in,
            measures.fan_out,
        )?;
        if node.origin == GraphOrigin::External {
            out.write_all(b", style=dashed")?;
        }
        out.write_all(b"];\n")?;
    }
    for edge in graph.edge_references() {
        let is_structural = edge.weight().kinds.is_structural();
        write!(
            out,
            "  n{} -> n{} [kinds={}, structural={is_structural}",
            edge.source().index(),
            edge.target().index(),
            quoted(&edge.weight().words()),
        )?;
        if !is_structural {
            out.write_all(b", style=dotted")?;
        }
        out.write_all(b"];\n")?;
    }
    out.write_all(b"}\n")
}

/// A double-quoted string. `\"` is the only escape that the scanner knows, and `\\` the only one that all
/// attributes share; the rest (`\N`, `\l`, a line's end behind `\`) cannot arise where every `\` is doubled.
pub(crate) fn quoted(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 2);
    out.push('"');
    for c in text.chars().map(safe) {
        if matches!(c, '"' | '\\') {
            out.push('\\');
        }
        out.push(c);
    }
    out.push('"');
    out
}
