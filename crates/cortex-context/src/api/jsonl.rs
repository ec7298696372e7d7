//! One JSON object a line: `breaking` and `strict` as the two modes of the SDK's check report them, `own` by rules
//! beyond it, `compared`, `gone`, `came` and `undecided`.

use cortex_wire::{ApiAnswer, What};
use serde::Serialize;

use super::modes;

#[derive(Serialize)]
struct Line<'a> {
    k: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    path: Option<&'a str>,
    asm: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    id: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    what: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    symbol: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    severity: Option<cortex_wire::Severity>,
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    differences: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    allowed: Option<bool>,
}

impl<'a> Line<'a> {
    fn new(k: &'static str, asm: &'a str) -> Self {
        Self {
            k,
            asm,
            path: None,
            id: None,
            what: None,
            symbol: None,
            severity: None,
            reason: None,
            differences: None,
            allowed: None,
        }
    }

    fn write(&self, out: &mut String) {
        let line = serde_json::to_string(self).expect("plain data has a JSON form");
        out.push_str(&line);
        out.push('\n');
    }
}

/// Every difference, additions as well, by assembly.
pub fn api_jsonl(answer: &ApiAnswer) -> String {
    let mut out = String::new();
    for assembly in &answer.assemblies {
        let asm = assembly.assembly.as_str();
        for it in &assembly.differences {
            let (in_default, in_strict) = modes(it.mode);
            let kinds = [
                in_default.then_some("breaking"),
                in_strict.then_some("strict"),
                (!in_default && !in_strict).then_some("own"),
            ];
            for k in kinds.into_iter().flatten() {
                Line {
                    id: Some(&it.rule),
                    what: Some(it.what.word()),
                    symbol: Some(&it.symbol),
                    severity: Some(it.severity),
                    reason: Some(&it.reason),
                    allowed: it.allowed.then_some(true),
                    ..Line::new(k, asm)
                }
                .write(&mut out);
            }
        }
        for it in &assembly.undecided {
            Line {
                symbol: Some(&it.symbol),
                reason: Some(&it.reason),
                ..Line::new("undecided", asm)
            }
            .write(&mut out);
        }
        Line {
            path: Some(assembly.project.as_str()),
            differences: Some(assembly.differences.len()),
            ..Line::new("compared", asm)
        }
        .write(&mut out);
    }
    let lone = [
        ("gone", What::Removed, &answer.gone),
        ("came", What::Added, &answer.came),
    ];
    for (k, what, lone) in lone {
        for lone in lone {
            Line {
                path: Some(lone.project.as_str()),
                id: (k == "gone").then_some("CP0004"),
                what: Some(what.word()),
                ..Line::new(k, &lone.assembly)
            }
            .write(&mut out);
        }
    }
    out
}
