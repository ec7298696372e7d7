//! Changes of the public API, worst first.

use cortex_wire::{ApiChange, DiffContext, Severity};

use super::{
    names::{self, Names},
    plan::{Item, Role, Section, Stage, Text, Total},
    twins::unique,
};
use crate::text::line;

/// The section of API changes: one line each.
pub(crate) fn section<'a>(answer: &DiffContext, names: &Names, n_max: usize) -> Section<'a> {
    let changes = unique(&answer.api, |change| {
        (
            change.severity,
            &change.rule,
            &change.ty,
            &change.member,
            &change.reason,
        )
    });
    let items: Vec<Item<'_>> = changes
        .iter()
        .take(n_max)
        .map(|change| {
            // The rule of a compatible change is named after what it would be the other way round.
            let rule = change
                .rule
                .as_ref()
                .filter(|_| change.severity != Severity::Compatible);
            let rule = rule.map_or(String::new(), |rule| format!(" {rule}"));
            let member = change.member.as_ref();
            let member = member.map_or(String::new(), |member| format!(": {}", line(member)));
            let text = format!(
                "{}{rule} {}{member} | {}",
                word(change.severity),
                names.of(&change.ty),
                reason(change)
            );
            Item {
                text: Text::Line(text),
                role: Role::Single,
                counts: Some((0, 1)),
            }
        })
        .collect();
    if changes.is_empty() && !answer.types.is_empty() {
        // A missing section could mean that nobody looked.
        return Section {
            heading: "API changes",
            items: vec![Item {
                text: Text::Line("none".to_owned()),
                role: Role::Single,
                counts: None,
            }],
            stages: vec![Stage::all(vec![0])],
            ..Section::default()
        };
    }
    let is_worse = |change: &&ApiChange| change.severity != Severity::Compatible;
    let n_worse = changes
        .iter()
        .take(items.len())
        .filter(|change| is_worse(change))
        .count() as u32;
    Section {
        heading: "API changes",
        stages: vec![
            Stage::all((0..n_worse).collect()),
            // What was added shows among the types as well.
            Stage {
                items: (n_worse..items.len() as u32).collect(),
                percent: 40,
            },
        ],
        items,
        totals: vec![Total {
            one: "API change",
            many: "API changes",
            n: changes.len(),
        }],
        ..Section::default()
    }
}

fn word(severity: Severity) -> &'static str {
    match severity {
        Severity::Breaking => "breaking",
        Severity::SourceBreaking => "source-breaking",
        Severity::Behavioral => "behavioral",
        Severity::Compatible => "compatible",
    }
}

/// The reason, with the signatures that it quotes as short as all others.
fn reason(change: &ApiChange) -> String {
    let mut out = String::with_capacity(change.reason.len());
    for (i, part) in change.reason.split('`').enumerate() {
        if i > 0 {
            out.push('`');
        }
        match i % 2 {
            0 => out.push_str(&line(part)),
            _ => out.push_str(&names::signature(part, &change.ty)),
        }
    }
    out
}
