//! The areas of a repository for people.

use std::fmt::Write;

use cortex_wire::{AreaConfidence, AreasAnswer, CodeArea};

/// An area a line, with what says so.
pub fn areas_text(answer: &AreasAnswer) -> String {
    let mut out = String::new();
    let width = |of: fn(&CodeArea) -> &str| {
        let each = answer.areas.iter();
        each.map(|area| of(area).chars().count()).max().unwrap_or(0)
    };
    let (name, language) = (width(|it| &it.name), width(|it| &it.language));
    for area in &answer.areas {
        let root = match area.root.as_str() {
            "" => ".",
            root => root,
        };
        let sure = match area.confidence {
            AreaConfidence::High => "",
            AreaConfidence::Medium => " (likely)",
            AreaConfidence::Low => " (a guess)",
        };
        let _ = writeln!(
            out,
            "{:name$}  {:language$}  {root}  {}{sure}",
            area.name,
            area.language,
            area.evidence.join(", ")
        );
    }
    if answer.areas.is_empty() {
        out.push_str("no area: there is no file that tells of a language\n");
    }
    for note in &answer.diagnostics {
        let _ = writeln!(out, "note: {note}");
    }
    out
}
