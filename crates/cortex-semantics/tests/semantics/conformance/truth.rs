//! What the compiler says, read off its records.

use std::{
    collections::{BTreeMap, BTreeSet},
    path::Path,
};

use serde_json::Value;

/// Comparable records by kind. Each starts with the project's rule, then says where and what.
#[derive(Default)]
pub(super) struct Records {
    by_kind: BTreeMap<String, BTreeSet<String>>,
    /// Places of references of which nothing is asked.
    ignored: BTreeSet<String>,
    /// Members that the compiler makes.
    synthesized: BTreeSet<String>,
}

impl Records {
    pub(super) fn add(&mut self, kind: &str, record: String) {
        let records = self.by_kind.entry(kind.to_owned()).or_default();
        records.insert(record);
    }

    pub(super) fn of(&self, kind: &str) -> &BTreeSet<String> {
        static NONE: BTreeSet<String> = BTreeSet::new();
        self.by_kind.get(kind).unwrap_or(&NONE)
    }

    /// Whether a record that the truth does not have is not counted as wrong.
    pub(super) fn is_ignored(&self, kind: &str, record: &str) -> bool {
        match kind {
            "ref" => self.ignored.contains(place(record)),
            "member" => self.synthesized.contains(record),
            _ => false,
        }
    }
}

/// The rule, line and column at the start of a record.
pub(super) fn place(record: &str) -> &str {
    let end = record.match_indices(' ').nth(1);
    end.map_or(record, |(end, _)| &record[..end])
}

/// A project as it was compiled.
pub(super) struct TruthProject {
    pub(super) path: String,
    pub(super) assembly: String,
    pub(super) symbols: Vec<String>,
    pub(super) files: Vec<String>,
}

/// Everything that is told.
pub(super) struct Truth {
    pub(super) projects: Vec<TruthProject>,
    pub(super) records: Records,
}

pub(super) fn read(path: &Path) -> Truth {
    let packed = std::fs::read(path).expect("the corpus has its truth");
    let text = zstd::decode_all(&packed[..]).expect("the truth is packed with zstd");
    let text = String::from_utf8(text).expect("the truth is UTF-8");
    let mut truth = Truth {
        projects: Vec::new(),
        records: Records::default(),
    };
    for line in text.lines() {
        let record: Value = serde_json::from_str(line).expect("each line is a JSON object");
        truth.take(&record);
    }
    truth
}

impl Truth {
    fn take(&mut self, record: &Value) {
        let text = |key: &str| record[key].as_str().unwrap_or_default();
        let list = |key: &str| -> Vec<String> {
            let items = record[key].as_array().into_iter().flatten();
            items
                .filter_map(|it| Some(it.as_str()?.to_owned()))
                .collect()
        };
        let is = |key: &str| record[key].as_bool() == Some(true);
        let asm = text("asm");
        let place = || format!("{asm} {}:{}", record["l"], record["c"]);
        let records = &mut self.records;
        match text("k") {
            "project" => self.projects.push(TruthProject {
                path: text("path").to_owned(),
                assembly: asm.to_owned(),
                symbols: list("defines"),
                files: list("files"),
            }),
            "type" => records.add(
                "type",
                format!("{asm} {} {} {}", text("id"), text("kind"), text("acc")),
            ),
            "member" if is("synth") => {
                records.synthesized.insert(format!("{asm} {}", text("id")));
            }
            "member" => records.add("member", format!("{asm} {}", text("id"))),
            "impl" => records.add(
                "impl",
                format!("{asm} {} {} {}", text("id"), text("how"), text("of")),
            ),
            "edge" if is("src") => {
                records.add("edge", format!("{asm} {} {}", text("from"), text("to")));
            }
            "ref" if record["sure"].as_bool() == Some(false) => {
                records.ignored.insert(place());
            }
            "ref" => {
                records.add("ref", format!("{} {}", place(), text("to")));
                if !text("in").is_empty() {
                    records.add("in", format!("{} {}", place(), text("in")));
                }
            }
            "unres" => {
                records.ignored.insert(place());
            }
            "use" => records.add("use", format!("{} {}", place(), text("to"))),
            _ => {}
        }
    }
}
