//! Strict readers of the formats: what they read is what the graph has, whatever the names are.

use crate::{
    export::graph::{GraphFormat, export_graph, safe},
    graph::{GraphEdge, GraphNode, GraphOrigin, TypeGraph, measure::Measures},
};

use std::collections::BTreeMap;

use cortex_model::{EdgeKind, EdgeKinds, RepoPath, TypeKind};
use proptest::prelude::*;

/// Node attributes by name, and edges with their attributes.
type Read = (
    Vec<BTreeMap<String, String>>,
    Vec<(usize, usize, BTreeMap<String, String>)>,
);

const HOSTILE: [&str; 12] = [
    "T:N.List`1",
    "a\"];\n  evil [label=\"x",
    "ends with \\",
    "\\\"",
    "</data><node id=\"x\"/>",
    "]]> & &amp; &#38;",
    "%%{init: {\"securityLevel\": \"loose\"}}%%",
    "\"] --> x; click x \"javascript:alert(1)\"",
    "`markdown` #quot; #35;",
    "\u{1b}[2J\u{202e}\u{0}",
    "end",
    "T:Größe.日本語\\N\\",
];

fn graph(names: &[&str]) -> TypeGraph {
    let mut graph = TypeGraph::new();
    let nodes: Vec<_> = names
        .iter()
        .enumerate()
        .map(|(number, name)| {
            graph.add_node(GraphNode {
                id: (*name).to_owned(),
                assembly: format!("A{name}"),
                origin: if number % 2 == 0 {
                    GraphOrigin::External
                } else {
                    GraphOrigin::Source {
                        kind: TypeKind::Class,
                        project: RepoPath::from_bytes(name.as_bytes()),
                    }
                },
                measures: Measures {
                    component: number as u32,
                    ..Measures::default()
                },
            })
        })
        .collect();
    for pair in nodes.windows(2) {
        let kinds = EdgeKinds::EMPTY.with(EdgeKind::Calls);
        let kinds = match pair[0].index() % 2 {
            0 => kinds,
            _ => kinds.with(EdgeKind::Inherits),
        };
        graph.add_edge(pair[0], pair[1], GraphEdge { kinds });
    }
    graph
}

fn written(graph: &TypeGraph, format: GraphFormat) -> String {
    let mut out = Vec::new();
    export_graph(graph, format, &mut out).expect("memory takes all");
    String::from_utf8(out).expect("formats are UTF-8")
}

/// A token of DOT.
#[derive(Clone, PartialEq, Eq, Debug)]
enum Token {
    Word(String),
    Text(String),
    Sign(String),
}

/// Graphviz's scanner, of which escapes other than `\"` and `\\` are refused: labels would read more into them.
fn scan_dot(text: &str) -> Vec<Token> {
    let mut tokens = Vec::new();
    let mut rest = text;
    while let Some(c) = rest.chars().next() {
        let length = if c.is_ascii_whitespace() {
            1
        } else if c == '"' {
            let (mut value, mut is_escaped, mut end) = (String::new(), false, None);
            for (at, c) in rest.char_indices().skip(1) {
                assert!(!is_escaped || matches!(c, '"' | '\\'), "\\{c}");
                match c {
                    '"' if !is_escaped => {
                        end = Some(at + 1);
                        break;
                    }
                    '\\' if !is_escaped => is_escaped = true,
                    c => {
                        value.push(c);
                        is_escaped = false;
                    }
                }
            }
            tokens.push(Token::Text(value));
            end.expect("the string ends")
        } else if c.is_ascii_alphanumeric() || c == '_' {
            let is_other = |c: char| !(c.is_ascii_alphanumeric() || c == '_');
            let end = rest.find(is_other).unwrap_or(rest.len());
            tokens.push(Token::Word(rest[..end].to_owned()));
            end
        } else {
            let length = if rest.starts_with("->") { 2 } else { 1 };
            tokens.push(Token::Sign(rest[..length].to_owned()));
            length
        };
        rest = &rest[length..];
    }
    tokens
}

/// Reads the part of DOT that the writer may use; panics at anything else.
fn read_dot(text: &str) -> Read {
    let sign = |text: &str| Token::Sign(text.to_owned());
    let word = |text: &str| Token::Word(text.to_owned());
    let tokens = scan_dot(text);
    let body = tokens
        .strip_prefix(&[word("digraph"), word("types"), sign("{")])
        .and_then(|rest| rest.strip_suffix(&[sign("}")]))
        .expect("one graph");
    let (mut nodes, mut edges) = (Vec::new(), Vec::new());
    for statement in body.split(|token| *token == sign(";")) {
        let Some(open) = statement.iter().position(|token| *token == sign("[")) else {
            assert!(statement.is_empty());
            continue;
        };
        let (head, list) = statement.split_at(open);
        let list = list[1..].strip_suffix(&[sign("]")]).expect("the list ends");
        let mut attributes = BTreeMap::new();
        for attribute in list.split(|token| *token == sign(",")) {
            match attribute {
                [
                    Token::Word(name),
                    equals,
                    Token::Word(value) | Token::Text(value),
                ] if *equals == sign("=") => {
                    attributes.insert(name.clone(), value.clone());
                }
                other => panic!("{other:?} is no attribute"),
            }
        }
        match head {
            [Token::Word(name)] if name == "node" => {}
            [Token::Word(node)] => {
                assert_eq!(number(node), nodes.len());
                nodes.push(attributes);
            }
            [Token::Word(from), arrow, Token::Word(to)] if *arrow == sign("->") => {
                edges.push((number(from), number(to), attributes));
            }
            other => panic!("{other:?} is no statement"),
        }
    }
    (nodes, edges)
}

fn number(node: &str) -> usize {
    let digits = node.strip_prefix('n');
    digits
        .and_then(|digits| digits.parse().ok())
        .expect("a node's name")
}

fn read_graphml(text: &str) -> Read {
    let document = roxmltree::Document::parse(text).expect("it is XML");
    let (mut nodes, mut edges) = (Vec::new(), Vec::new());
    let graph = document
        .root_element()
        .children()
        .find(|element| element.has_tag_name("graph") || element.tag_name().name() == "graph")
        .expect("there is a graph");
    for element in graph.children().filter(|child| child.is_element()) {
        let data = element.children().map(|data| {
            assert_eq!(data.tag_name().name(), "data");
            let key = data.attribute("key").expect("data has a key");
            (key.to_owned(), data.text().unwrap_or_default().to_owned())
        });
        let data: BTreeMap<String, String> = data.collect();
        let end = |name: &str| number(element.attribute(name).expect("it is named"));
        match element.tag_name().name() {
            "node" => {
                assert_eq!(end("id"), nodes.len());
                nodes.push(data);
            }
            "edge" => edges.push((end("source"), end("target"), data)),
            other => panic!("no element is a {other}"),
        }
    }
    (nodes, edges)
}

/// Reads the lines that the writer may write; panics at anything else.
fn read_mermaid(text: &str) -> Read {
    let mut lines = text.lines();
    assert_eq!(lines.next(), Some("flowchart LR"));
    assert_eq!(
        lines.next(),
        Some("  classDef external stroke-dasharray: 4")
    );
    let (mut nodes, mut edges) = (Vec::new(), Vec::new());
    for line in lines {
        let line = line.strip_prefix("  ").expect("two spaces");
        if let Some((node, rest)) = line.split_once("[\"") {
            assert_eq!(number(node), nodes.len());
            let rest = rest.strip_suffix(":::external").unwrap_or(rest);
            let label = rest.strip_suffix("\"]").expect("the label ends");
            assert!(!label.contains(['"', '`', '%', '{', '[', ']', '&', '|']));
            let lines: Vec<String> = label.split("<br>").map(unescape).collect();
            let [id, place, _] = lines.as_slice() else {
                panic!("{label} has three lines");
            };
            let (kind, assembly) = place.split_once(" in ").expect("kind in assembly");
            nodes.push(BTreeMap::from([
                ("id".to_owned(), id.clone()),
                ("kind".to_owned(), kind.to_owned()),
                ("assembly".to_owned(), assembly.to_owned()),
            ]));
        } else {
            let parts: Vec<&str> = line.split('|').collect();
            let [start, kinds, to] = parts.as_slice() else {
                panic!("{line} is no edge");
            };
            let (from, arrow) = start.split_once(' ').expect("an arrow");
            let is_structural = match arrow {
                "-->" => "true",
                "-.->" => "false",
                other => panic!("{other} is no arrow"),
            };
            edges.push((
                number(from),
                number(to.trim_start()),
                BTreeMap::from([
                    ("kinds".to_owned(), kinds.trim_matches('"').to_owned()),
                    ("structural".to_owned(), is_structural.to_owned()),
                ]),
            ));
        }
    }
    (nodes, edges)
}

/// Mermaid's `#number;`.
fn unescape(text: &str) -> String {
    let mut parts = text.split('#');
    let mut out = parts.next().unwrap_or_default().to_owned();
    assert!(!out.contains(['<', '>', ';']));
    for part in parts {
        let (digits, rest) = part.split_once(';').expect("an escape ends");
        let code = digits.parse().expect("an escape is a number");
        out.push(char::from_u32(code).expect("a character"));
        out.push_str(rest);
    }
    out
}

#[track_caller]
fn check(names: &[&str]) {
    let graph = graph(names);
    for (format, read) in [
        (GraphFormat::Dot, read_dot as fn(&str) -> Read),
        (GraphFormat::Mermaid, read_mermaid),
        (GraphFormat::GraphMl, read_graphml),
    ] {
        let text = written(&graph, format);
        let unsafe_text = text.replace('\n', "");
        assert!(
            !unsafe_text.contains(crate::export::graph::is_unsafe),
            "{format:?}"
        );
        let (nodes, edges) = read(&text);
        assert_eq!(nodes.len(), names.len(), "{format:?}");
        for (node, expected) in nodes.iter().zip(graph.node_weights()) {
            let shown = |text: &str| -> String { text.chars().map(safe).collect() };
            assert_eq!(node["id"], shown(&expected.id), "{format:?}");
            assert_eq!(node["assembly"], shown(&expected.assembly), "{format:?}");
            assert_eq!(node["kind"], expected.origin.word());
        }
        assert_eq!(edges.len(), graph.edge_count());
        for (edge, index) in edges.iter().zip(graph.edge_indices()) {
            let (from, to) = graph.edge_endpoints(index).expect("it is in the graph");
            assert_eq!((edge.0, edge.1), (from.index(), to.index()));
            assert_eq!(edge.2["kinds"], graph[index].words());
            let is_structural = graph[index].kinds.is_structural().to_string();
            assert_eq!(edge.2["structural"], is_structural);
        }
    }
}

#[test]
fn no_name_breaks_out_of_a_format() {
    check(&HOSTILE);
}

proptest! {
    #[test]
    fn what_is_read_is_what_was_written(names in prop::collection::vec("\\PC{0,12}|[\"\\\\`<>&;\\[\\]\n%{}#]{0,8}", 0..6)) {
        check(&names.iter().map(String::as_str).collect::<Vec<_>>());
    }
}
