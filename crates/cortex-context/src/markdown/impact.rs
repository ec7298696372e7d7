//! Who depends on what changed, and the tests that reach it.

use std::collections::BTreeMap;

use cortex_query::{Certainty, DiffContext, ImpactedType, LineUse};

use super::{
    names::Names,
    plan::{Alone, Item, Role, Section, Stage, Text, Total, counted},
    twins::unique,
};
use crate::text::line;

/// How many names share a line.
const NAMES_PER_LINE: usize = 8;

const USERS: u8 = 0;
const LINES: u8 = 1;
const FURTHER: u8 = 2;

/// The section: direct users with their lines, then the next rings by name.
pub(crate) fn section<'a>(answer: &DiffContext, names: &Names, n_max: usize) -> Section<'a> {
    let impact = &answer.impact;
    let further = unique(&impact.further, |user| (user.distance, &user.ty.name));
    let mut items: Vec<Item<'a>> = Vec::new();
    let (mut users, mut first_uses, mut more_uses, mut rings) =
        (Vec::new(), Vec::new(), Vec::new(), Vec::new());
    let mut is_guess_used = false;
    let mut n_uses = 0;
    let direct = unique(&impact.direct, |user| {
        let first = user.uses.first().map(|used| (&used.path, used.at));
        (&user.ty.name, &user.via, first, user.uses.len())
    });
    for user in &direct {
        let uses = merged(&user.uses);
        n_uses += uses.len();
        if items.len() >= n_max {
            continue;
        }
        let parent = items.len() as u32;
        users.push(parent);
        items.push(Item {
            text: Text::Line(user_line(user, names)),
            role: Role::Parent {
                alone: Alone::Shown,
                below: uses.len(),
            },
            counts: Some((USERS, 1)),
        });
        let mut last_path = None;
        for (i, (used, certainty)) in uses.into_iter().take(n_max).enumerate() {
            is_guess_used |= certainty == Certainty::Possible;
            let sign = if certainty == Certainty::Possible {
                "? "
            } else {
                ""
            };
            let path = if last_path == Some(&used.path) {
                "".into()
            } else {
                line(used.path.as_str())
            };
            last_path = Some(&used.path);
            if i == 0 {
                &mut first_uses
            } else {
                &mut more_uses
            }
            .push(items.len() as u32);
            items.push(Item {
                text: Text::Line(format!(
                    "  {sign}{path}:{}  {}",
                    used.at.line,
                    line(used.text.trim())
                )),
                role: Role::Child(parent),
                counts: Some((LINES, 1)),
            });
        }
    }
    for (distance, ring) in rings_of(&further) {
        let head = items.len() as u32;
        for (i, chunk) in ring.chunks(NAMES_PER_LINE).take(n_max).enumerate() {
            let shown: Vec<_> = chunk.iter().map(|user| names.of(&user.ty.name)).collect();
            let start = match i {
                0 => counted(distance as usize, "step", "steps") + ":",
                _ => " ".to_owned(),
            };
            rings.push(items.len() as u32);
            items.push(Item {
                text: Text::Line(format!("{start} {}", shown.join(", "))),
                role: match i {
                    0 => Role::Parent {
                        alone: Alone::Shown,
                        below: 0,
                    },
                    _ => Role::Child(head),
                },
                counts: Some((FURTHER, chunk.len())),
            });
        }
    }
    let mut first = Vec::new();
    if impact.n_beyond > 0 {
        first.push(items.len() as u32);
        items.push(Item {
            text: Text::Line(counted(impact.n_beyond, "type beyond", "types beyond")),
            role: Role::Single,
            counts: None,
        });
    }
    // A user and its first line belong together.
    let mut pairs = users;
    pairs.extend(first_uses);
    pairs.sort_unstable();
    Section {
        heading: "Impact",
        note: if is_guess_used {
            "? possible: by name only".to_owned()
        } else {
            String::new()
        },
        items,
        stages: vec![
            Stage {
                items: first,
                percent: 20,
            },
            Stage {
                items: pairs,
                percent: 75,
            },
            Stage {
                items: more_uses,
                percent: 90,
            },
            Stage::all(rings),
        ],
        totals: vec![
            Total {
                one: "user",
                many: "users",
                n: direct.len(),
            },
            Total {
                one: "line",
                many: "lines",
                n: n_uses,
            },
            Total {
                one: "further type",
                many: "further types",
                n: further.len(),
            },
        ],
        ..Section::default()
    }
}

/// The section of tests: a filter to paste, then the classes, nearest first.
pub(crate) fn tests<'a>(answer: &DiffContext, names: &Names, n_max: usize) -> Section<'a> {
    let impact = &answer.impact;
    let mut items = Vec::new();
    if !impact.test_filter.is_empty() {
        items.push(Item {
            text: Text::Line(format!(
                "dotnet test --filter {}",
                quoted(&line(&impact.test_filter))
            )),
            role: Role::Single,
            counts: Some((0, 1)),
        });
    }
    let mut rings: BTreeMap<(u32, &str), Vec<_>> = BTreeMap::new();
    // Few names are read in the filter as well.
    let is_listed = items.is_empty() || impact.tests.len() > NAMES_PER_LINE;
    for test in impact.tests.iter().filter(|_| is_listed) {
        rings
            .entry((test.distance, test.project.as_str()))
            .or_default()
            .push(names.of(&test.ty.name));
    }
    for ((distance, project), tests) in rings {
        for chunk in tests.chunks(NAMES_PER_LINE).take(n_max) {
            let steps = counted(distance as usize, "step", "steps");
            items.push(Item {
                text: Text::Line(format!("{steps}, {}: {}", line(project), chunk.join(", "))),
                role: Role::Single,
                counts: Some((1, chunk.len())),
            });
        }
    }
    Section {
        heading: "Tests that reach the change",
        stages: vec![Stage::all((0..items.len() as u32).collect())],
        items,
        totals: vec![
            Total {
                one: "test filter",
                many: "test filters",
                n: usize::from(!impact.test_filter.is_empty()),
            },
            Total {
                one: "test class",
                many: "test classes",
                n: if is_listed { impact.tests.len() } else { 0 },
            },
        ],
        ..Section::default()
    }
}

fn user_line(user: &ImpactedType, names: &Names) -> String {
    let kinds: Vec<&str> = user.kinds.iter().map(|kind| kind.name()).collect();
    let test = if user.is_test { ", test" } else { "" };
    format!(
        "{}: {} {}{test}",
        names.of(&user.ty.name),
        kinds.join(", "),
        names.of(&user.via)
    )
}

/// One entry for each line, proven if any use on it is.
fn merged(uses: &[LineUse]) -> Vec<(&LineUse, Certainty)> {
    let mut out: Vec<(&LineUse, Certainty)> = Vec::with_capacity(uses.len());
    for used in uses {
        match out.last_mut() {
            Some((last, certainty)) if last.path == used.path && last.at.line == used.at.line => {
                *certainty = (*certainty).min(used.certainty);
            }
            _ => out.push((used, used.certainty)),
        }
    }
    out
}

/// Types by distance.
fn rings_of<'a>(further: &[&'a ImpactedType]) -> BTreeMap<u32, Vec<&'a ImpactedType>> {
    let mut rings: BTreeMap<u32, Vec<&ImpactedType>> = BTreeMap::new();
    for &user in further {
        rings.entry(user.distance).or_default().push(user);
    }
    rings
}

/// An argument for shells: single quotes where double ones would let the shell read more into it.
fn quoted(text: &str) -> String {
    if text.contains(['`', '$', '\\', '"', '!']) {
        format!("'{}'", text.replace('\'', r"'\''"))
    } else {
        format!("\"{text}\"")
    }
}
