//! Writes the text of what was chosen.

use crate::{
    markdown::{
        SMALL,
        fit::Fit,
        plan::{Alone, Frame, Role, grouped},
    },
    text::{fence, longest_backtick_run},
};

impl Fit<'_, '_> {
    /// The whole text, with the section of what is left out.
    pub(super) fn text(&self, title: &str) -> String {
        let mut out = String::with_capacity(self.options.budget.min(1 << 16) * 4);
        out.push_str(title);
        out.push('\n');
        for s in 0..self.plan.sections.len() {
            self.write_section(&mut out, s);
        }
        let missing = self.missing();
        if !missing.is_empty(self.plan) {
            let is_small = self.options.budget < SMALL;
            out.push_str(&if is_small {
                missing.short(self.plan, self.options.phrase)
            } else {
                missing.long(self.plan, self.options.phrase)
            });
        }
        out
    }

    fn write_section(&self, out: &mut String, s: usize) {
        let section = &self.plan.sections[s];
        let body = self.body(s);
        if body.is_empty() {
            return;
        }
        if section.frame == Frame::Bare {
            out.push_str(&body);
            return;
        }
        let fence = fence(longest_backtick_run(&body));
        out.push_str("\n## ");
        out.push_str(section.heading);
        out.push('\n');
        if !section.note.is_empty() {
            out.push_str(&section.note);
            out.push('\n');
        }
        for part in [&fence, section.frame.language(), "\n", &body, &fence, "\n"] {
            out.push_str(part);
        }
    }

    /// The chosen lines of a section, each with its line break.
    fn body(&self, s: usize) -> String {
        let (section, state) = (&self.plan.sections[s], &self.states[s]);
        let mut out = String::new();
        let mut open = 0;
        for (i, item) in section.items.iter().enumerate() {
            match item.role {
                Role::Parent { alone, below } => {
                    write_mark(&mut out, std::mem::take(&mut open));
                    let is_taken = state.chosen[i].is_some();
                    let children = section.items[i + 1..].iter().zip(&state.chosen[i + 1..]);
                    let mut n_shown = 0;
                    let mut n_children = 0;
                    for (child, chosen) in children.take_while(|(child, _)| child.role.is_child()) {
                        if chosen.is_some() {
                            n_children += 1;
                            n_shown += child.counts.map_or(0, |(_, n)| n);
                        }
                    }
                    if !is_taken || (alone == Alone::Hidden && n_children == 0) {
                        continue;
                    }
                    let is_said = alone == Alone::Counted && n_children == 0;
                    if self.options.budget >= SMALL && !is_said {
                        open = below.saturating_sub(n_shown);
                    }
                }
                Role::Single => write_mark(&mut out, std::mem::take(&mut open)),
                Role::Child(_) | Role::FreeChild(_) => {}
            }
            if let Some(chosen) = &state.chosen[i] {
                out.push_str(&chosen.text);
                out.push('\n');
            }
        }
        write_mark(&mut out, open);
        self.write_tail(&mut out, s);
        out
    }

    /// Words about what a long section leaves out, as many as were reserved.
    fn write_tail(&self, out: &mut String, s: usize) {
        let state = &self.states[s];
        let (Some(tail), Some(reserved @ 1..)) = (&self.plan.sections[s].tail, state.tail) else {
            return;
        };
        let mut used = 0;
        for line in tail.lines(&|item| state.chosen.get(item).is_some_and(Option::is_some)) {
            used += self.count(&line) + 1;
            if used > reserved {
                break;
            }
            out.push_str(&line);
            out.push('\n');
        }
    }
}

/// Says how much of a parent's children is not shown.
fn write_mark(out: &mut String, n: usize) {
    if n > 0 {
        out.push_str("  … ");
        out.push_str(&grouped(n));
        out.push_str(" more\n");
    }
}
