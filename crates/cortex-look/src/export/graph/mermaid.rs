//! Mermaid's flowchart, as its page "Flowcharts - Basic Syntax" has it.

use crate::graph::{GraphOrigin, TypeGraph};

use std::io::{Result, Write};

use petgraph::visit::EdgeRef;

/// A label has no attributes: id, kind, assembly and measures are its lines.
pub(crate) fn write(graph: &TypeGraph, out: &mut dyn Write) -> Result<()> {
    out.write_all(b"flowchart LR\n  classDef external stroke-dasharray: 4\n")?;
    for (index, node) in graph.node_indices().zip(graph.node_weights()) {
        let measures = node.measures;
        let class = match node.origin {
            GraphOrigin::Source { .. } => "",
            GraphOrigin::External => ":::external",
        };
        writeln!(
            out,
            "  n{}[\"{}<br>{} in {}<br>scc {} of {}, depth {}, fan-in {}, fan-out {}\"]{class}",
            index.index(),
            escaped(&node.id),
            node.origin.word(),
            escaped(&node.assembly),
            measures.component,
            measures.component_size,
            measures.depth,
            measures.fan_in,
            measures.fan_out,
        )?;
    }
    for edge in graph.edge_references() {
        let arrow = if edge.weight().kinds.is_structural() {
            "-->"
        } else {
            "-.->"
        };
        writeln!(
            out,
            "  n{} {arrow}|\"{}\"| n{}",
            edge.source().index(),
            edge.weight().words(),
            edge.target().index(),
        )?;
    }
    Ok(())
}

/// Letters, digits and harmless signs as they are, anything else as `#number;`: quotes end a label, backticks
/// make it Markdown, `%%{` starts a directive anywhere, angle brackets are HTML.
pub(crate) fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        if c.is_alphanumeric() || matches!(c, '.' | '_' | '-' | ',' | ' ' | ':') {
            out.push(c);
        } else {
            out.push_str(&format!("#{};", crate::export::graph::safe(c) as u32));
        }
    }
    out
}
