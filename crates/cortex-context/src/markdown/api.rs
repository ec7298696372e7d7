//! Changes of the public API, worst first.

use cortex_wire::{ApiChange, DiffContext, RouteChange, Severity, What};

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
    let (removed, added): (Vec<_>, Vec<_>) = (answer.routes.iter())
        .take(n_max)
        .partition(|route| route.what == What::Removed);
    let n_routes = answer.routes.len();
    let route = |route: &&RouteChange| Item {
        text: Text::Line(route_line(route)),
        role: Role::Single,
        counts: Some((1, 1)),
    };
    let items = removed.iter().map(route);
    let items = items.chain(changes.iter().take(n_max).map(|change| {
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
    }));
    let items: Vec<Item<'_>> = items.chain(added.iter().map(route)).collect();
    if items.is_empty() && !answer.types.is_empty() {
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
        .take(n_max)
        .filter(|change| is_worse(change))
        .count()
        + removed.len();
    let (n_worse, n_items) = (n_worse as u32, items.len() as u32);
    let n_added = added.len() as u32;
    Section {
        heading: "API changes",
        stages: vec![
            Stage::all((0..n_worse).chain(n_items - n_added..n_items).collect()),
            // What was added shows among the types as well.
            Stage {
                items: (n_worse..n_items - n_added).collect(),
                percent: 40,
            },
        ],
        items,
        totals: vec![
            Total {
                one: "API change",
                many: "API changes",
                n: changes.len(),
            },
            Total {
                one: "route",
                many: "routes",
                n: n_routes,
            },
        ],
        ..Section::default()
    }
}

/// A route that came or went, with what handles it.
fn route_line(route: &RouteChange) -> String {
    let what = match route.what {
        What::Removed => "breaking route removed",
        What::Added | What::Changed => "route added",
    };
    format!(
        "{what}: {} {} | {} {}:{}",
        line(&route.verb),
        line(&route.template),
        line(&route.handler),
        line(route.path.as_str()),
        route.line
    )
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
