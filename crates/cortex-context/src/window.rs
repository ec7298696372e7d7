//! The prompt window as text for people.

use cortex_wire::{Envelope, WindowAnswer, WindowPart, WindowReason, WindowType};

use crate::{RenderOptions, markdown::plan::counted, text::line};

/// So many types of a part are listed.
const N_SHOWN: usize = 12;

/// What is in the window, without its text.
pub fn window_text(answer: &WindowAnswer) -> String {
    let mut out = format!(
        "{} of {} tokens, {} in the window\n",
        answer.tokens,
        answer.budget,
        counted(answer.types.len(), "type", "types")
    );
    if let Some(pack) = &answer.pack {
        out.push_str(&format!("types of the pack {} count more\n", line(pack)));
    }
    for types in answer.types.chunk_by(|a, b| a.part == b.part) {
        out.push_str(&format!("{}:\n", part_name(types[0].part)));
        entries(types, &mut out);
    }
    if !answer.waiting.is_empty() {
        out.push_str(&format!(
            "waiting (pinned types may take {} tokens):\n",
            answer.pinned_budget
        ));
        entries(&answer.waiting, &mut out);
    }
    for pin in &answer.unknown_pins {
        out.push_str(&format!("warning: the pin {} means nothing\n", line(pin)));
    }
    if answer.total_left_out > 0 {
        let n = answer.total_left_out as usize;
        out.push_str(&format!(
            "{} left out for the budget\n",
            counted(n, "other type", "other types")
        ));
    }
    for file in &answer.written {
        out.push_str(&format!("wrote {}\n", line(file.as_str())));
    }
    out
}

/// The window itself.
pub fn window_markdown(envelope: &Envelope<WindowAnswer>, _options: &RenderOptions<'_>) -> String {
    envelope.answer.text.clone()
}

/// The first types of a part.
fn entries(types: &[WindowType], out: &mut String) {
    let shown = match types.len() <= N_SHOWN {
        true => types,
        // One line less than a list of all is no help.
        false => &types[..N_SHOWN - 1],
    };
    shown.iter().for_each(|ty| out.push_str(&entry(ty)));
    if shown.len() < types.len() {
        let n = counted(types.len() - shown.len(), "more type", "more types");
        out.push_str(&format!("  … {n}\n"));
    }
}

fn entry(ty: &WindowType) -> String {
    let reason = match ty.reason {
        WindowReason::Pinned | WindowReason::Requested => "",
        WindowReason::Added => ", added",
        WindowReason::Base => ", base type",
        WindowReason::Dependency => ", dependency",
    };
    format!(
        "  {} {}: {} tokens{reason}\n",
        line(&ty.path),
        line(&ty.type_id),
        ty.tokens
    )
}

fn part_name(part: WindowPart) -> &'static str {
    match part {
        WindowPart::Pinned => "pinned",
        WindowPart::Focus => "focus",
        WindowPart::Recent => "recent",
    }
}
