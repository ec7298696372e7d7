//! What a text means.

use cortex_wire::{Envelope, ResolveAnswer};

use super::{notes, only_in, parts, title_markdown, title_text};
use crate::{
    RenderOptions,
    markdown::{
        fit::{Fit, Grant},
        plan::{Frame, Item, Plan, Role, Section, Stage, Text, Total, counted},
    },
    text::{line, span},
};

/// Text for people.
pub fn resolve_text(envelope: &Envelope<ResolveAnswer>, _options: &RenderOptions<'_>) -> String {
    let (answer, about) = parts(envelope);
    let mut out = format!("{}\n", title_text(&answer.subject, about));
    for text in lines(answer) {
        out.push_str(&format!("  {}\n", line(&text)));
    }
    out
}

/// Markdown of at most `options.budget` tokens.
pub fn resolve_markdown(envelope: &Envelope<ResolveAnswer>, options: &RenderOptions<'_>) -> String {
    let (answer, about) = parts(envelope);
    let resolved = &answer.subject.resolved;
    let items: Vec<Item<'_>> = (lines(answer).into_iter())
        .map(|text| Item {
            text: Text::Line(format!("- {}", span(&text))),
            role: Role::Single,
            counts: Some((0, 1)),
        })
        .collect();
    let n = items.len();
    let plan = Plan {
        titles: vec![
            title_markdown("resolve", &answer.subject, about),
            format!("# {}", span(&resolved.path)),
            counted(n, "line", "lines"),
        ],
        sections: vec![Section {
            frame: Frame::Bare,
            stages: vec![Stage::all((0..n as u32).collect())],
            items,
            totals: vec![Total {
                one: "line",
                many: "lines",
                n,
            }],
            ..Section::default()
        }],
        all_items: None,
        yields: None,
    };
    let all = [Grant::of(0, 100)];
    Fit::new(&plan, options).render(&all, &all)
}

fn lines(answer: &ResolveAnswer) -> Vec<String> {
    let resolved = &answer.subject.resolved;
    let mut out = notes(&answer.subject);
    out.extend(resolved.doc_id.clone());
    out.extend(answer.declared.iter().cloned());
    out.push(format!("assembly {} ({})", answer.assembly, answer.project));
    let declarations = answer.declarations.iter();
    out.extend(
        declarations.map(|it| format!("{}:{}{}", it.file, it.line, only_in(&it.frameworks))),
    );
    out
}
