//! The prompt window as text for people.

use cortex_wire::{Envelope, WindowAnswer, WindowPart, WindowReason, WindowType};

use crate::{RenderOptions, markdown::plan::counted, text::line};

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
    let mut before = None;
    for ty in &answer.types {
        if before.replace(ty.part) != Some(ty.part) {
            out.push_str(&format!("{}:\n", part_name(ty.part)));
        }
        out.push_str(&entry(ty));
    }
    if !answer.waiting.is_empty() {
        out.push_str(&format!(
            "waiting (pinned types may take {} tokens):\n",
            answer.pinned_budget
        ));
        answer
            .waiting
            .iter()
            .for_each(|ty| out.push_str(&entry(ty)));
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
