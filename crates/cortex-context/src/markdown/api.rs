//! Changes of the public API, worst first.

use cortex_query::{ApiSeverity, DiffContext};

use super::{
    names::{self, Names},
    plan::{Item, Role, Section, Stage, Text, Total},
};
use crate::text::line;

/// The section of API changes: one line each.
pub(crate) fn section<'a>(answer: &DiffContext, names: &Names, n_max: usize) -> Section<'a> {
    let items: Vec<Item<'_>> = answer
        .api
        .iter()
        .take(n_max)
        .map(|change| {
            let rule = change.rule.map_or(String::new(), |rule| format!(" {rule}"));
            let member = change.member.as_ref().map_or(String::new(), |member| {
                format!(": {}", names::signature(member, &change.ty))
            });
            let text = format!(
                "{}{rule} {}{member} | {}",
                word(change.severity),
                names.of(&change.ty),
                line(&change.reason)
            );
            Item {
                text: Text::Line(text),
                role: Role::Single,
                counts: Some((0, 1)),
            }
        })
        .collect();
    Section {
        heading: "API changes",
        stages: vec![Stage::all((0..items.len() as u32).collect())],
        items,
        totals: vec![Total {
            one: "API change",
            many: "API changes",
            n: answer.api.len(),
        }],
        ..Section::default()
    }
}

fn word(severity: ApiSeverity) -> &'static str {
    match severity {
        ApiSeverity::Breaking => "breaking",
        ApiSeverity::SourceBreaking => "source-breaking",
        ApiSeverity::Behavioural => "behavioural",
        ApiSeverity::Compatible => "compatible",
    }
}
