//! The type graph in the formats of graph tools.
//!
//! Owns: which attributes nodes and edges have. Must not know: how the graph was made. Every writer escapes
//! what names could break out of the format with; control characters and those that turn the direction of a
//! text are replaced by U+FFFD where a format cannot name them.

pub(crate) mod dot;
pub mod drawing;
pub(crate) mod graphml;
pub(crate) mod mermaid;
#[cfg(test)]
mod tests;

use crate::{QueryError, graph::TypeGraph};

use std::io::Write;

/// A format of graph tools.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum GraphFormat {
    /// Graphviz.
    Dot,
    /// Mermaid's flowchart.
    Mermaid,
    /// GraphML 1.0.
    GraphMl,
}

/// Writes a type graph, whole: nodes, then edges, in the graph's order. The same graph gives the same bytes.
/// O(nodes + edges).
pub fn export_graph(
    graph: &TypeGraph,
    format: GraphFormat,
    out: &mut dyn Write,
) -> Result<(), QueryError> {
    match format {
        GraphFormat::Dot => dot::write(graph, out),
        GraphFormat::Mermaid => mermaid::write(graph, out),
        GraphFormat::GraphMl => graphml::write(graph, out),
    }?;
    Ok(())
}

/// Whether a character could move the cursor, hide text or turn its direction.
pub(crate) fn is_unsafe(c: char) -> bool {
    c.is_control()
        || matches!(c, '\u{200e}' | '\u{200f}' | '\u{061c}' | '\u{2028}' | '\u{2029}'
            | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{fffe}' | '\u{ffff}')
}

/// The character, or U+FFFD in place of one that no reader should meet raw.
pub(crate) fn safe(c: char) -> char {
    if is_unsafe(c) { '\u{fffd}' } else { c }
}
