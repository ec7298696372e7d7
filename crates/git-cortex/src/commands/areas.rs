//! `git cortex areas`.

use std::{fmt::Write, process::ExitCode};

use cortex_look::AreasQuestion;
use cortex_wire::AreasAnswer;

use crate::{
    arguments::{Global, ReportFormat, search::Areas},
    commands::{print_json_text, print_text},
    failure::Failure,
    session::{self, Depth},
};

pub(crate) fn run(global: &Global, options: &Areas) -> Result<ExitCode, Failure> {
    let question = AreasQuestion {
        sample_limit: Some(options.sample_limit),
        exclude_dirs: options.exclude_dirs.clone(),
    };
    let (answer, index) = session::with_side(
        global,
        options.at.as_deref(),
        Depth::Files,
        |index, side, _| cortex_look::areas(index, side, &question),
    )?;
    match options.format {
        ReportFormat::Json => print_json_text(&cortex_context::json(&answer))?,
        ReportFormat::Text => print_text(&text(&answer))?,
    }
    session::settle(&index, global);
    Ok(ExitCode::SUCCESS)
}

/// An area a line, with what says so.
fn text(answer: &AreasAnswer) -> String {
    let mut out = String::new();
    let width = |of: fn(&cortex_wire::CodeArea) -> &str| {
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
            cortex_wire::AreaConfidence::High => "",
            cortex_wire::AreaConfidence::Medium => " (likely)",
            cortex_wire::AreaConfidence::Low => " (a guess)",
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
