//! A list of places or symbols in groups, as Markdown within a budget: whole lines, each with its group.

use crate::{
    RenderOptions,
    markdown::{
        fit::{Fit, Grant},
        plan::{Alone, Frame, Item, Plan, Role, Section, Stage, Text, Total},
    },
};

/// What a list says.
pub(crate) struct List {
    /// First lines, the fullest first.
    pub(crate) titles: Vec<String>,
    /// What must be known to read it rightly, a line each.
    pub(crate) notes: Vec<String>,
    /// Headings of groups with their lines; a heading may be empty.
    pub(crate) groups: Vec<(String, Vec<String>)>,
    /// One of what a line tells, and many of them.
    pub(crate) noun: (&'static str, &'static str),
    /// How many there are, those that have no line among them.
    pub(crate) total: usize,
    /// The limit on items that shows all, where not all are here.
    pub(crate) all_items: Option<usize>,
}

impl List {
    /// The text, of at most `options.budget` tokens.
    pub(crate) fn render(self, options: &RenderOptions<'_>) -> String {
        // No line has fewer tokens on average: what lies beyond could not be shown.
        let n_max = options.budget / 6 + 1;
        let notes = Section {
            frame: Frame::Bare,
            stages: vec![Stage::all((0..self.notes.len() as u32).collect())],
            items: (self.notes.into_iter())
                .map(|text| Item {
                    text: Text::Line(format!("- {text}")),
                    role: Role::Single,
                    counts: None,
                })
                .collect(),
            ..Section::default()
        };
        let mut items: Vec<Item<'_>> = Vec::new();
        for (heading, lines) in self.groups {
            if items.len() >= n_max {
                break;
            }
            let parent = (!heading.is_empty()).then_some(items.len() as u32);
            if parent.is_some() {
                items.push(Item {
                    text: Text::Line(format!("- {heading}")),
                    role: Role::Parent {
                        alone: Alone::Hidden,
                        below: lines.len(),
                    },
                    counts: None,
                });
            }
            for line in lines {
                items.push(Item {
                    text: Text::Line(match parent {
                        Some(_) => format!("  - {line}"),
                        None => format!("- {line}"),
                    }),
                    role: parent.map_or(Role::Single, Role::FreeChild),
                    counts: Some((0, 1)),
                });
            }
        }
        let list = Section {
            frame: Frame::Bare,
            stages: vec![Stage::all(
                (0..items.len() as u32)
                    .filter(|&at| !matches!(items[at as usize].role, Role::Parent { .. }))
                    .collect(),
            )],
            items,
            totals: vec![Total {
                one: self.noun.0,
                many: self.noun.1,
                n: self.total,
            }],
            ..Section::default()
        };
        let plan = Plan {
            titles: self.titles,
            sections: vec![notes, list],
            all_items: self.all_items,
            yields: None,
        };
        let grants = [Grant::of(0, 30), Grant::of(1, 100)];
        Fit::new(&plan, options).render(&grants, &grants)
    }
}
