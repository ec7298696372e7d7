//! What of a change is proven as text: what a person must read first, then what is proven, folded.

use cortex_wire::{
    Difference, MergedCommits, ProveAnswer, ProvenChange, ProvenUnit, ReadReason, UnitToRead,
};

use crate::{edit::difference, markdown::plan::counted, text::line};

/// So many declarations of each kind are shown.
const N_SHOWN: usize = 50;

/// An answer of `prove` as text for people.
pub fn prove_text(answer: &ProveAnswer) -> String {
    if let Some(merge) = &answer.merge {
        return merge_text(answer, merge);
    }
    let mut out = heading(answer);
    if !answer.to_read.is_empty() {
        out.push_str("\nTo read:\n");
        list(&mut out, &answer.to_read, to_read);
    }
    if answer.total_elsewhere > 0 {
        let n = counted(answer.total_elsewhere as usize, "place", "places");
        out.push_str(&format!(
            "\nUnchanged text that means something else: {n}\n"
        ));
        elsewhere(&mut out, answer);
    }
    if !answer.not_compared.is_empty() {
        out.push_str("\nNot compared:\n");
        files(&mut out, answer);
    }
    if !answer.proven.is_empty() {
        out.push_str("\nProven to mean the same:\n");
        proven(&mut out, &answer.proven);
    }
    out
}

/// What the merge of two commits means.
fn merge_text(answer: &ProveAnswer, merge: &MergedCommits) -> String {
    let short = |id: &str| id.chars().take(SHORT_ID).collect::<String>();
    let base = merge.base.as_deref().map_or_else(
        || "no common ancestor".to_owned(),
        |base| format!("base {}", short(base)),
    );
    let mut out = format!(
        "merge of {} into {} ({base}): ",
        short(&merge.theirs),
        short(&merge.ours)
    );
    if answer.is_proven {
        let n = counted(answer.compared_decisions as usize, "decision", "decisions");
        out.push_str(&format!(
            "all code means what it means in the commit that it comes from ({n} compared)\n"
        ));
    } else {
        let n = counted(
            answer.total_elsewhere as usize,
            "place means",
            "places mean",
        );
        out.push_str(&format!(
            "{n} something else than in the commit that it comes from\n\n"
        ));
        elsewhere(&mut out, answer);
    }
    if !answer.not_compared.is_empty() {
        out.push_str("\nConflicts in other files:\n");
        files(&mut out, answer);
    }
    out
}

/// So many digits of a commit are shown.
const SHORT_ID: usize = 9;

fn elsewhere(out: &mut String, answer: &ProveAnswer) {
    list(out, &answer.elsewhere, |it: &Difference| {
        format!("  {}\n", difference(it))
    });
    let n_left = answer.total_elsewhere as usize - answer.elsewhere.len();
    if n_left > 0 {
        out.push_str(&format!("  … {n_left} more\n"));
    }
}

fn files(out: &mut String, answer: &ProveAnswer) {
    list(out, &answer.not_compared, |path| {
        format!("  {}\n", line(path.as_str()))
    });
}

fn heading(answer: &ProveAnswer) -> String {
    let files = counted(answer.changed_files as usize, "C# file", "C# files");
    if answer.is_proven && answer.changed_files == 0 {
        return "nothing changed\n".to_owned();
    }
    if answer.is_proven {
        let n = answer.compared_decisions as usize;
        let decisions = counted(n, "decision", "decisions");
        return format!(
            "proven: {files} changed, and all code means the same ({decisions} compared)\n"
        );
    }
    let mut parts = vec![format!("{files} changed")];
    if !answer.proven.is_empty() {
        let n = counted(answer.proven.len(), "declaration", "declarations");
        parts.push(format!("{n} proven to mean the same"));
    }
    if !answer.to_read.is_empty() {
        parts.push(format!("{} to read", answer.to_read.len()));
    }
    if !answer.not_compared.is_empty() {
        let n = counted(answer.not_compared.len(), "file", "files");
        parts.push(format!("{n} not compared"));
    }
    format!("{}\n", parts.join(", "))
}

fn to_read(unit: &UnitToRead) -> String {
    let reason = match unit.reason {
        ReadReason::Added => "new",
        ReadReason::Removed => "gone",
        ReadReason::Changed => "changed",
        ReadReason::MeansOtherwise => "means something else",
        ReadReason::Order => "takes effect in another order",
        ReadReason::NotCompiled => "compiled by no project on both sides",
        ReadReason::NotParsed => "its file did not parse as a whole",
    };
    let size = match unit.reason {
        ReadReason::Changed => {
            format!(" ({})", counted(unit.tokens as usize, "token", "tokens"))
        }
        _ => String::new(),
    };
    let (file, symbol) = (line(unit.file.as_str()), line(&unit.symbol));
    let mut out = format!("  {file}:{}  {symbol}: {reason}{size}\n", unit.line);
    for it in &unit.differences {
        out.push_str(&format!("      {}\n", difference(it)));
    }
    let n_left = unit.total_differences as usize - unit.differences.len();
    if n_left > 0 {
        out.push_str(&format!("      … {n_left} more\n"));
    }
    out
}

fn proven(out: &mut String, units: &[ProvenUnit]) {
    let of = |change: ProvenChange| units.iter().filter(move |it| it.change == change);
    for change in [ProvenChange::Renamed, ProvenChange::Moved] {
        let all: Vec<&ProvenUnit> = of(change).collect();
        list(out, &all, |unit| named(unit));
    }
    let counts = [
        (ProvenChange::Names, "with other names for the same symbols"),
        (ProvenChange::Reordered, "in another order"),
        (ProvenChange::Layout, "with other white space or comments"),
    ];
    for (change, words) in counts {
        let n = of(change).count();
        if n > 0 {
            let n = counted(n, "declaration", "declarations");
            out.push_str(&format!("  {n} {words}\n"));
        }
    }
}

fn named(unit: &ProvenUnit) -> String {
    let (file, symbol) = (line(unit.file.as_str()), line(&unit.symbol));
    let mut out = format!("  {file}:{}  {symbol}", unit.line);
    let word = match unit.change {
        ProvenChange::Renamed => "renamed",
        _ => "moved",
    };
    out.push_str(&format!(": {word}"));
    if let Some(old) = &unit.old_symbol {
        out.push_str(&format!(" from {}", line(old)));
    }
    if let Some(old) = &unit.old_file {
        out.push_str(&format!(" out of {}", line(old.as_str())));
    }
    out.push('\n');
    out
}

fn list<T>(out: &mut String, items: &[T], show: impl Fn(&T) -> String) {
    for item in items.iter().take(N_SHOWN) {
        out.push_str(&show(item));
    }
    if items.len() > N_SHOWN {
        out.push_str(&format!("  … {} more\n", items.len() - N_SHOWN));
    }
}
