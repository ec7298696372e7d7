//! Small graphs, as answers have them, in the formats of graph tools.

use crate::{
    drawing::Drawing,
    export::graph::{GraphFormat, dot, graphml, mermaid},
};

/// Writes a drawing. The same drawing gives the same bytes.
pub fn draw(drawing: &Drawing, format: GraphFormat) -> String {
    match format {
        GraphFormat::Dot => of_dot(drawing),
        GraphFormat::Mermaid => of_mermaid(drawing),
        GraphFormat::GraphMl => of_graphml(drawing),
    }
}

fn of_dot(drawing: &Drawing) -> String {
    let mut out = String::from("digraph answer {\n  rankdir=LR;\n  node [shape=box];\n");
    for (at, node) in drawing.nodes.iter().enumerate() {
        let style = if node.kind == "external" {
            ", style=dashed"
        } else {
            ""
        };
        out.push_str(&format!(
            "  n{at} [label={}, id={}, kind={}{style}];\n",
            dot::quoted(&node.label),
            dot::quoted(&node.id),
            dot::quoted(&node.kind),
        ));
    }
    for edge in &drawing.edges {
        let word = dot::quoted(&edge.word);
        out.push_str(&format!(
            "  n{} -> n{} [label={word}];\n",
            edge.from, edge.to
        ));
    }
    out.push_str("}\n");
    out
}

fn of_mermaid(drawing: &Drawing) -> String {
    let mut out = String::from("flowchart LR\n  classDef external stroke-dasharray: 4\n");
    for (at, node) in drawing.nodes.iter().enumerate() {
        let class = if node.kind == "external" {
            ":::external"
        } else {
            ""
        };
        let label = mermaid::escaped(&node.label);
        let kind = mermaid::escaped(&node.kind);
        out.push_str(&format!("  n{at}[\"{label}<br>{kind}\"]{class}\n"));
    }
    for edge in &drawing.edges {
        let word = mermaid::escaped(&edge.word);
        out.push_str(&format!("  n{} -->|\"{word}\"| n{}\n", edge.from, edge.to));
    }
    out
}

fn of_graphml(drawing: &Drawing) -> String {
    let mut out = String::from(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<graphml xmlns=\"http://graphml.graphdrawing.org/xmlns\">\n",
    );
    for (id, of) in [
        ("id", "node"),
        ("label", "node"),
        ("kind", "node"),
        ("word", "edge"),
    ] {
        out.push_str(&format!(
            "  <key id=\"{id}\" for=\"{of}\" attr.name=\"{id}\" attr.type=\"string\"/>\n"
        ));
    }
    out.push_str("  <graph id=\"answer\" edgedefault=\"directed\">\n");
    for (at, node) in drawing.nodes.iter().enumerate() {
        let [id, label, kind] = [&node.id, &node.label, &node.kind].map(|it| graphml::escaped(it));
        out.push_str(&format!(
            "    <node id=\"n{at}\"><data key=\"id\">{id}</data><data key=\"label\">{label}</data><data key=\"kind\">{kind}</data></node>\n"
        ));
    }
    for edge in &drawing.edges {
        let word = graphml::escaped(&edge.word);
        out.push_str(&format!(
            "    <edge source=\"n{}\" target=\"n{}\"><data key=\"word\">{word}</data></edge>\n",
            edge.from, edge.to
        ));
    }
    out.push_str("  </graph>\n</graphml>\n");
    out
}
