//! `export` in every form, of the demonstration.

use std::collections::{BTreeMap, BTreeSet};

use crate::harness::{World, check};

/// Few enough lines to read: one project, signatures alone.
const PART: &[&str] = &[
    "--project",
    "Kilnhouse.Storage",
    "--kinds",
    "structural",
    "--no-external",
];

#[test]
fn a_part_of_the_graph_in_every_form() {
    let world = World::demo();
    for form in ["dot", "mermaid", "graphml"] {
        let arguments = [&["export", "--at", "HEAD", "--format", form], PART].concat();
        let text = world.show(&arguments);
        check(&format!("export_{form}"), &text);
        assert_eq!(world.show(&arguments), text, "the same bytes twice");
    }
}

#[test]
fn records_are_json_in_a_fixed_order_and_tell_of_everything() {
    let world = World::demo();
    let text = world.answer(&["export"]);
    assert_eq!(world.answer(&["export"]), text, "the same bytes twice");
    let mut counts: BTreeMap<String, usize> = BTreeMap::new();
    for line in text.lines() {
        let record: serde_json::Value = serde_json::from_str(line).expect("a line is JSON");
        let kind = record["k"].as_str().expect("a record has a kind");
        *counts.entry(kind.to_owned()).or_default() += 1;
    }
    let status = world.json(&["status"]);
    assert_eq!(
        Some(counts["type"] as u64),
        status["snapshot"]["types"].as_u64()
    );
    assert_eq!(
        Some(counts.get("unres").copied().unwrap_or(0) as u64),
        status["names"]["unbound"]["total"].as_u64()
    );
    // Names in documentation are bound and counted, and no records.
    let bound = status["names"]["ofRepository"].as_u64();
    assert!(Some(counts["ref"] as u64) <= bound, "{counts:?} {bound:?}");
    let projects = world.git(&["ls-files", "*.csproj"]);
    assert_eq!(counts["project"], projects.lines().count());
}

#[test]
fn the_type_graph_has_every_edge_of_the_records() {
    let world = World::demo();
    let text = world.answer(&["export"]);
    let records: Vec<serde_json::Value> = text
        .lines()
        .map(|line| serde_json::from_str(line).expect("a line is JSON"))
        .collect();
    let edges = records.iter().filter(|record| record["k"] == "edge");
    let wanted: BTreeSet<(&str, &str)> = edges
        .map(|edge| {
            let text = |key: &str| edge[key].as_str().expect("an edge has ends");
            (text("from"), text("to"))
        })
        .collect();
    let graph = world.answer(&["export", "--format", "dot"]);
    let mut ids: Vec<&str> = Vec::new();
    let mut found: BTreeSet<(&str, &str)> = BTreeSet::new();
    let number = |node: &str| node[1..].parse::<usize>().expect("a node's number");
    for line in graph.lines().map(str::trim_start) {
        let words: Vec<&str> = line.split(' ').collect();
        match words.as_slice() {
            [from, "->", to, ..] => {
                found.insert((ids[number(from)], ids[number(to)]));
            }
            [node, ..] if line.contains(" id=\"") && node.starts_with('n') => {
                let (_, id) = line.split_once(" id=\"").expect("it is there");
                ids.push(id.split('"').next().unwrap_or_default());
            }
            _ => {}
        }
    }
    let missing: Vec<_> = wanted.difference(&found).collect();
    assert!(missing.is_empty(), "{missing:?}");
    assert!(!found.is_empty());
}

#[test]
fn what_cannot_be_limited_or_is_not_there_is_said() {
    let world = World::demo();
    check(
        "error_export_no_such_project",
        &world.show(&["export", "--format", "dot", "--project", "Kilnhouse"]),
    );
    check(
        "error_export_limited_records",
        &world.show(&["export", "--no-external"]),
    );
}
