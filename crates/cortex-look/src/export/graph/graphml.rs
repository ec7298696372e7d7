//! GraphML 1.0, as its primer and schema have it.

use crate::{
    export::graph::safe,
    graph::{GraphOrigin, TypeGraph},
};

use std::io::{Result, Write};

use petgraph::visit::EdgeRef;

const HEAD: &str = r#"<?xml version="1.0" encoding="UTF-8"?>
<graphml xmlns="http://graphml.graphdrawing.org/xmlns">
  <key id="id" for="node" attr.name="id" attr.type="string"/>
  <key id="kind" for="node" attr.name="kind" attr.type="string"/>
  <key id="assembly" for="node" attr.name="assembly" attr.type="string"/>
  <key id="project" for="node" attr.name="project" attr.type="string"/>
  <key id="scc" for="node" attr.name="scc" attr.type="int"/>
  <key id="scc_size" for="node" attr.name="scc_size" attr.type="int"/>
  <key id="depth" for="node" attr.name="depth" attr.type="int"/>
  <key id="fan_in" for="node" attr.name="fan_in" attr.type="int"/>
  <key id="fan_out" for="node" attr.name="fan_out" attr.type="int"/>
  <key id="kinds" for="edge" attr.name="kinds" attr.type="string"/>
  <key id="structural" for="edge" attr.name="structural" attr.type="boolean"/>
  <graph id="types" edgedefault="directed">
"#;

pub(crate) fn write(graph: &TypeGraph, out: &mut dyn Write) -> Result<()> {
    out.write_all(HEAD.as_bytes())?;
    for (index, node) in graph.node_indices().zip(graph.node_weights()) {
        let measures = node.measures;
        write!(
            out,
            "    <node id=\"n{}\"><data key=\"id\">{}</data><data key=\"kind\">{}</data><data key=\"assembly\">{}</data>",
            index.index(),
            escaped(&node.id),
            node.origin.word(),
            escaped(&node.assembly),
        )?;
        if let GraphOrigin::Source { project, .. } = &node.origin {
            let project = escaped(project.as_str());
            write!(out, "<data key=\"project\">{project}</data>")?;
        }
        for (key, value) in [
            ("scc", measures.component),
            ("scc_size", measures.component_size),
            ("depth", measures.depth),
            ("fan_in", measures.fan_in),
            ("fan_out", measures.fan_out),
        ] {
            write!(out, "<data key=\"{key}\">{value}</data>")?;
        }
        out.write_all(b"</node>\n")?;
    }
    for edge in graph.edge_references() {
        writeln!(
            out,
            "    <edge source=\"n{}\" target=\"n{}\"><data key=\"kinds\">{}</data><data key=\"structural\">{}</data></edge>",
            edge.source().index(),
            edge.target().index(),
            edge.weight().words(),
            edge.weight().kinds.is_structural(),
        )?;
    }
    out.write_all(b"  </graph>\n</graphml>\n")
}

/// Character data. XML 1.0 has no control characters, not even by number.
pub(crate) fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars().map(safe) {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            c => out.push(c),
        }
    }
    out
}
