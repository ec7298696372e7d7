//! What one needs of unchanged code to understand the change: types with members, and what changed code calls.

use cortex_model::TypeKind;
use cortex_wire::{CallReason, CalledCode, DiffContext, Outline};

use super::{
    names::{self, Names},
    plan::{Alone, Item, Role, Section, Stage, Text, Total, counted},
    twins::unique,
};
use crate::text::{Tabs, line, visible};

/// How many members of a type may come before other types have theirs.
const FIRST_MEMBERS: usize = 24;

/// The section: for each type its signature and its members.
pub(crate) fn section<'a>(answer: &DiffContext, names: &Names, n_max: usize) -> Section<'a> {
    let mut items: Vec<Item<'a>> = Vec::new();
    let (mut first, mut rest) = (Vec::new(), Vec::new());
    let outlines = unique(&answer.reading, |outline| {
        (&outline.ty.name, &outline.path, outline.line)
    });
    for outline in &outlines {
        if items.len() >= n_max {
            break;
        }
        let parent = items.len() as u32;
        let n_members = outline.members.len();
        first.push(parent);
        items.push(Item {
            text: Text::Line(format!(
                "{} | {} {}:{} ({}{})",
                names::signature(&outline.signature, ""),
                names.of(&outline.ty.name),
                line(outline.path.as_str()),
                outline.line,
                match outline.n_members {
                    n if n <= n_members => String::new(),
                    n if n_members == 0 => format!("{}; ", counted(n, "member", "members")),
                    n => format!("{n_members} of {}; ", counted(n, "member", "members")),
                },
                because(&outline.because)
            )),
            role: Role::Parent {
                alone: Alone::Shown,
                below: n_members,
            },
            counts: Some((0, 1)),
        });
        for (i, (text, n)) in member_lines(outline).into_iter().take(n_max).enumerate() {
            if i < FIRST_MEMBERS {
                &mut first
            } else {
                &mut rest
            }
            .push(items.len() as u32);
            items.push(Item {
                text: Text::Line(text),
                role: Role::Child(parent),
                counts: Some((1, n)),
            });
        }
    }
    Section {
        heading: "Context to read",
        items,
        stages: vec![Stage::all(first), Stage::all(rest)],
        totals: vec![
            Total {
                one: "outline",
                many: "outlines",
                n: outlines.len(),
            },
            Total {
                one: "member",
                many: "members",
                n: outlines.iter().map(|outline| outline.members.len()).sum(),
            },
        ],
        ..Section::default()
    }
}

/// Lines of the members of a type, each with how many it names: the values of an enum share one.
fn member_lines(outline: &Outline) -> Vec<(String, usize)> {
    let members = outline.members.iter().map(|member| line(member));
    if outline.ty.kind == TypeKind::Enum && !outline.members.is_empty() {
        let values: Vec<_> = members.collect();
        return vec![(format!("  {}", values.join(", ")), values.len())];
    }
    members.map(|member| (format!("  {member}"), 1)).collect()
}

/// The section of code that changed lines call: each member whole, or not at all.
pub(crate) fn called<'a>(answer: &DiffContext, names: &Names, n_max: usize) -> Section<'a> {
    let shown = answer.called.iter().take(n_max);
    let items: Vec<Item<'a>> = shown
        .map(|called| Item {
            text: Text::Line(called_text(called, names)),
            role: Role::Single,
            counts: Some((0, 1)),
        })
        .collect();
    Section {
        heading: "Unchanged code that it calls",
        stages: vec![Stage::all((0..items.len() as u32).collect())],
        items,
        totals: vec![Total {
            one: "called member",
            many: "called members",
            n: answer.called.len(),
        }],
        ..Section::default()
    }
}

/// Where a member stands, why it is told, and its lines.
fn called_text(called: &CalledCode, names: &Names) -> String {
    let mut out = format!(
        "{}.{} {}:{} ({} {}",
        names.of(&called.ty),
        line(&called.member),
        line(called.path.as_str()),
        called.line,
        match called.reason {
            CallReason::Called => "called by",
            CallReason::Handles => "handles what is named by",
            CallReason::Feeds => "gives a value to",
            CallReason::RunsInPlace => "runs in place of",
            CallReason::CalledBefore => "no longer called by",
            CallReason::Beside => "called beside the change by",
        },
        because(&called.because)
    );
    if let Some(through) = &called.through {
        let through = through.split('(').next().unwrap_or(through);
        let contract = through.rsplit('.').nth(1).unwrap_or(through);
        out.push_str(&format!(" through {}", line(contract)));
    }
    out.push(')');
    let own = |text: &str| text.len() - text.trim_start_matches([' ', '\t']).len();
    let written = called.code.iter().filter(|text| !text.trim().is_empty());
    let indent = written.map(|text| own(text)).min().unwrap_or(0);
    for text in &called.code {
        let text = text.get(indent..).unwrap_or_default().trim_end();
        out.push_str(&format!("\n  {}", visible(text, Tabs::Keep)));
    }
    if called.n_more_lines > 0 {
        let lines = counted(called.n_more_lines, "more line", "more lines");
        out.push_str(&format!("\n  … {lines}"));
    }
    out
}

/// The changed symbol that names a type: it stands above with its namespace.
fn because(symbol: &str) -> std::borrow::Cow<'_, str> {
    let mut dots = symbol.rmatch_indices('.');
    dots.next();
    line(dots.next().map_or(symbol, |(at, _)| &symbol[at + 1..]))
}
