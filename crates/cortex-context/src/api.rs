//! Differences of the public API as text, Markdown and in the forms that machines read.
//!
//! Owns: what one difference says, in which words. Must not know: how differences are found, exit codes.

pub(crate) mod github;
mod jsonl;
pub(crate) mod sarif;

use std::fmt::Write;

use cortex_wire::{ApiAnswer, ApiDifference, AssemblyDifferences, Mode, Severity};

pub use self::{github::api_github, jsonl::api_jsonl, sarif::api_sarif};
use crate::{
    RenderOptions,
    cut::cut_to_budget,
    text::{prose, span},
};

/// Which differences are shown.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ApiShown {
    /// Those that may break users or behave otherwise.
    Notable,
    /// Additions as well.
    All,
}

/// The differences of an assembly that are shown, worst first.
fn shown(assembly: &AssemblyDifferences, shown: ApiShown) -> impl Iterator<Item = &ApiDifference> {
    let all = assembly.differences.iter();
    all.filter(move |it| shown == ApiShown::All || it.severity != Severity::Compatible)
}

/// How many differences of each severity are not accepted, worst first.
pub fn api_counts(answer: &ApiAnswer) -> [usize; 4] {
    let mut counts = [0; 4];
    for assembly in &answer.assemblies {
        for it in &assembly.differences {
            if !it.allowed {
                counts[it.severity as usize] += 1;
            }
        }
    }
    counts[Severity::Breaking as usize] += answer.gone.len();
    counts
}

/// The title of the differences of one severity.
fn title(severity: Severity) -> &'static str {
    match severity {
        Severity::Breaking => "Breaking",
        Severity::SourceBreaking => "Source-breaking",
        Severity::Behavioral => "Behavioral",
        Severity::Compatible => "Compatible",
    }
}

/// What differs, for people: `Ns.Type.Member(int)`.
fn subject(it: &ApiDifference) -> String {
    match &it.member {
        Some(member) => format!("{}.{member}", it.ty),
        None => it.ty.clone(),
    }
}

/// For people, uncut: assembly by assembly, worst first, one line for each difference.
pub fn api_text(answer: &ApiAnswer, what: ApiShown) -> String {
    let mut out = String::new();
    for assembly in &answer.assemblies {
        let differences: Vec<_> = shown(assembly, what).collect();
        if differences.is_empty() && assembly.undecided.is_empty() {
            continue;
        }
        let _ = writeln!(out, "{}", heading(assembly));
        for it in differences {
            let mark = if it.allowed { " (allowed)" } else { "" };
            let _ = writeln!(
                out,
                "  {:<15} {} {}{mark}\n      {} · {}:{}",
                title(it.severity).to_lowercase(),
                it.rule,
                subject(it),
                it.reason,
                it.path,
                it.line
            );
        }
        for it in &assembly.undecided {
            let _ = writeln!(out, "  undecided       {}\n      {}", it.symbol, it.reason);
        }
    }
    for lone in &answer.gone {
        let _ = writeln!(
            out,
            "{} (CP0004): assembly removed, {}",
            lone.assembly, lone.project
        );
    }
    if what == ApiShown::All {
        for lone in &answer.came {
            let _ = writeln!(out, "{}: assembly added, {}", lone.assembly, lone.project);
        }
    }
    let _ = writeln!(out, "{}", summary(answer, what));
    out
}

/// The same as Markdown of at most `options.budget` tokens.
pub fn api_markdown(answer: &ApiAnswer, what: ApiShown, options: &RenderOptions<'_>) -> String {
    cut_to_budget(
        whole_markdown(answer, what),
        ("difference", "differences"),
        options,
    )
}

fn whole_markdown(answer: &ApiAnswer, what: ApiShown) -> String {
    let mut out = format!("# api: {}\n", summary(answer, what));
    for assembly in &answer.assemblies {
        let differences: Vec<_> = shown(assembly, what).collect();
        if differences.is_empty() && assembly.undecided.is_empty() {
            continue;
        }
        let _ = write!(out, "\n## {}\n", prose(&heading(assembly)));
        let mut last = None;
        for it in differences {
            if last.replace(it.severity) != Some(it.severity) {
                let _ = write!(out, "\n### {}\n\n", title(it.severity));
            }
            let mark = if it.allowed { " *(allowed)*" } else { "" };
            let _ = writeln!(
                out,
                "- {} {}{mark}: {} — {}:{}",
                it.rule,
                span(&subject(it)),
                it.reason,
                prose(it.path.as_str()),
                it.line
            );
        }
        if !assembly.undecided.is_empty() {
            out.push_str("\n### Undecided\n\n");
        }
        for it in &assembly.undecided {
            let _ = writeln!(out, "- {}: {}", span(&it.symbol), prose(&it.reason));
        }
    }
    if !answer.gone.is_empty() {
        out.push_str("\n## Removed assemblies\n\n");
    }
    for lone in &answer.gone {
        let (name, project) = (span(&lone.assembly), prose(lone.project.as_str()));
        let _ = writeln!(out, "- CP0004 {name}: {project}");
    }
    if what == ApiShown::All && !answer.came.is_empty() {
        out.push_str("\n## Added assemblies\n\n");
        for lone in &answer.came {
            let (name, project) = (span(&lone.assembly), prose(lone.project.as_str()));
            let _ = writeln!(out, "- {name}: {project}");
        }
    }
    out
}

/// `Name (net8.0 → net10.0; net462 not looked at)`.
fn heading(assembly: &AssemblyDifferences) -> String {
    let [before, after] = &assembly.framework;
    let mut notes = if before == after {
        after.clone()
    } else {
        format!("{before} → {after}")
    };
    if !assembly.other_frameworks.is_empty() {
        let _ = write!(
            notes,
            "; not compared: {}",
            assembly.other_frameworks.join(", ")
        );
    }
    format!("{} ({notes})", assembly.assembly)
}

fn summary(answer: &ApiAnswer, what: ApiShown) -> String {
    let counts = api_counts(answer);
    let mut parts: Vec<String> = Vec::new();
    let severities = [
        Severity::Breaking,
        Severity::SourceBreaking,
        Severity::Behavioral,
        Severity::Compatible,
    ];
    for severity in severities {
        let n = counts[severity as usize];
        if n > 0 {
            parts.push(format!("{n} {}", title(severity).to_lowercase()));
        }
    }
    let n_allowed: usize = (answer.assemblies.iter())
        .map(|it| shown(it, what).filter(|it| it.allowed).count())
        .sum();
    let n_undecided: usize = answer.assemblies.iter().map(|it| it.undecided.len()).sum();
    for (n, word) in [(n_allowed, "allowed"), (n_undecided, "undecided")] {
        if n > 0 {
            parts.push(format!("{n} {word}"));
        }
    }
    let what = if parts.is_empty() {
        "no differences".to_owned()
    } else {
        parts.join(", ")
    };
    let n = answer.assemblies.len();
    let noun = if n == 1 { "assembly" } else { "assemblies" };
    format!("{what} in {n} {noun}")
}

/// Whether a difference is one of the SDK's default mode, and of its strict mode.
fn modes(mode: Mode) -> (bool, bool) {
    match mode {
        Mode::Both => (true, true),
        Mode::Breaking => (true, false),
        Mode::Strict => (false, true),
        Mode::Own => (false, false),
    }
}
