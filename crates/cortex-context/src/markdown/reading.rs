//! What one needs of unchanged types to understand the change.

use cortex_wire::DiffContext;

use super::{
    names::{self, Names},
    plan::{Alone, Item, Role, Section, Stage, Text, Total, counted},
    twins::unique,
};
use crate::text::line;

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
        for (i, member) in outline.members.iter().take(n_max).enumerate() {
            if i < FIRST_MEMBERS {
                &mut first
            } else {
                &mut rest
            }
            .push(items.len() as u32);
            items.push(Item {
                text: Text::Line(format!("  {}", names::signature(member, &outline.ty.name))),
                role: Role::Child(parent),
                counts: Some((1, 1)),
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

/// The changed symbol that names a type: it stands above with its namespace.
fn because(symbol: &str) -> std::borrow::Cow<'_, str> {
    let mut dots = symbol.rmatch_indices('.');
    dots.next();
    line(dots.next().map_or(symbol, |(at, _)| &symbol[at + 1..]))
}
