//! Packs as text for people.

use cortex_wire::{PackAnswer, PackListAnswer, PackPart, PackState};

use crate::{markdown::plan::counted, text::line};

/// So many types that were left out are named.
const N_NAMED: usize = 5;

/// What a pack has, without its text.
pub fn pack_text(answer: &PackAnswer) -> String {
    let of = |part| {
        let types = answer.types.iter();
        types.filter(|it| it.part == part).count()
    };
    let (n_matched, n_added) = (of(PackPart::Matched), of(PackPart::Dependency));
    let mut out = format!(
        "{} {}: {} and {}, {} of {} tokens\n",
        line(answer.file.as_str()),
        state(answer.state),
        counted(n_matched, "matched type", "matched types"),
        counted(n_added, "dependency", "dependencies"),
        answer.tokens,
        answer.budget,
    );
    if !answer.left_out.is_empty() {
        let n = answer.left_out.len();
        let names: Vec<String> = (answer.left_out.iter().take(N_NAMED))
            .map(|it| line(&it.path).into_owned())
            .collect();
        let more = if n > N_NAMED { ", …" } else { "" };
        out.push_str(&format!(
            "  {} left out for the budget: {}{more}\n",
            counted(n, "type", "types"),
            names.join(", ")
        ));
    }
    out
}

/// The difference from the file of a pack to the fresh pack; empty where there is none.
pub fn pack_diff_text(answer: &PackAnswer) -> String {
    let diff = answer.diff.as_deref().unwrap_or_default().lines();
    diff.map(|text| format!("{}\n", line(text))).collect()
}

/// The packs of a repository.
pub fn pack_list_text(answer: &PackListAnswer) -> String {
    if answer.packs.is_empty() {
        return "no packs in this repository\n".to_owned();
    }
    let mut out = String::new();
    for pack in &answer.packs {
        out.push_str(&format!(
            "{} ({}): {}\n",
            line(&pack.name),
            state(pack.state),
            line(&pack.filter)
        ));
        if let Some(problem) = &pack.problem {
            out.push_str(&format!("    {}\n", line(problem)));
        }
    }
    out
}

fn state(state: PackState) -> &'static str {
    match state {
        PackState::Fresh => "fresh",
        PackState::Stale => "stale",
        PackState::Missing => "missing",
        PackState::Written => "written",
        PackState::Removed => "removed",
        PackState::Unreadable => "unreadable",
    }
}
