//! Takes one item, in the form that fits.

use super::{Chosen, Fit, Outcome};
use crate::markdown::plan::{Alone, Form, Frame, Item, Role, Section};

/// About what `  … 3 more` costs.
const MARK_COST: usize = 6;

/// The least space in which a member is never folded.
const MIN_WHOLE: usize = 150;

/// The least that a member is given where many others want the space.
const MIN_BRIEF: usize = 70;

impl Fit<'_, '_> {
    /// Takes an item if its section then holds no more than `section_limit`.
    pub(super) fn take(&mut self, s: usize, i: usize, section_limit: usize) -> Outcome {
        let section = &self.plan.sections[s];
        let state = &self.states[s];
        if state.chosen[i].is_some() {
            return Outcome::Taken;
        }
        let item = &section.items[i];
        let mut parent = None;
        match item.role {
            Role::Child(of)
                if state.chosen[of as usize].is_none() || state.chosen[i - 1].is_none() =>
            {
                return Outcome::Orphan;
            }
            Role::FreeChild(of) if state.chosen[of as usize].is_none() => {
                parent = Some(of as usize)
            }
            Role::Parent {
                alone: Alone::Hidden,
                ..
            } => return Outcome::Orphan,
            _ => {}
        }
        let space = section_limit
            .saturating_sub(state.used)
            .min(self.limit.saturating_sub(self.used));
        let frame = if state.is_empty() {
            self.frame_cost(section)
        } else {
            0
        };
        let parent_cost = parent.map_or(0, |parent| self.cost(s, parent, Form::Whole).unwrap_or(0));
        let Some(space) = space
            .checked_sub(frame + parent_cost)
            .filter(|&space| space > 0)
        else {
            return self.misfit(s, item);
        };
        let share = self.share(s, section_limit);
        let Some((cost, form)) = self.form(s, i, share.min(space), space) else {
            return self.misfit(s, item);
        };
        self.states[s].used += frame;
        self.used += frame;
        if let Some(parent) = parent {
            self.choose(s, parent, parent_cost, Form::Whole);
        }
        self.choose(s, i, cost, form);
        Outcome::Taken
    }

    /// What an item may take at first in a section that may hold so much: the first ones, which fill a part of it, may take
    /// more than those behind them, of which each is to say a little, and the very first may take most.
    fn share(&self, s: usize, section_limit: usize) -> usize {
        let most = (self.limit / 16).max(MIN_WHOLE);
        let state = &self.states[s];
        let used = state.used.saturating_sub(state.tail.unwrap_or(0));
        if used < section_limit / 8 {
            return most.max(self.limit / 9);
        }
        if used < section_limit / 3 {
            return most;
        }
        let n_items = self.plan.sections[s].items.len().max(1);
        (section_limit / n_items).clamp(MIN_BRIEF, most)
    }

    /// The form of an item that fits into its share, or into `space`: at first what changed in it, so that more items have
    /// theirs.
    fn form(&mut self, s: usize, i: usize, share: usize, space: usize) -> Option<(usize, Form)> {
        let forms = [
            (Form::Changed, share),
            (Form::Whole, share),
            (Form::Long, share),
            (Form::Cut, share),
            (Form::Brief, space),
            (Form::Cut, space),
            (Form::Long, space),
            (Form::Changed, space),
            (Form::Whole, space),
        ];
        forms.into_iter().find_map(|(form, most)| {
            let cost = self.cost(s, i, form).filter(|&cost| cost <= most)?;
            Some((cost, form))
        })
    }

    /// Notes that the parent of an item which is too large will have to say so.
    fn misfit(&mut self, s: usize, item: &Item<'_>) -> Outcome {
        if let Role::Child(parent) = item.role
            && !std::mem::replace(&mut self.states[s].marked[parent as usize], true)
        {
            self.used += MARK_COST;
        }
        Outcome::TooLarge
    }

    fn choose(&mut self, s: usize, i: usize, cost: usize, form: Form) {
        let text = &self.plan.sections[s].items[i].text;
        let text = text.in_form(form).unwrap_or_else(|| text.whole());
        self.states[s].chosen[i] = Some(Chosen { text, cost, form });
        self.states[s].used += cost;
        self.used += cost;
        self.log.push((s, i as u32));
    }

    /// Shows more of items that were taken in a shorter form, up to `most`, until the section holds `limit` tokens: what
    /// changed of all of them before all of any.
    pub(super) fn unfold(&mut self, s: usize, items: &[u32], most: Form, limit: usize) {
        let forms = [Form::Cut, Form::Long, Form::Changed, Form::Whole].into_iter();
        for form in forms.filter(|&form| form as u8 <= most as u8) {
            for &i in items {
                self.unfold_to(s, i as usize, form, limit);
            }
        }
    }

    fn unfold_to(&mut self, s: usize, i: usize, form: Form, limit: usize) {
        let state = &self.states[s];
        let Some(chosen) = &state.chosen[i] else {
            return;
        };
        let (known, is_there) = (chosen.cost, chosen.form as u8 >= form as u8);
        let space = (self.limit.saturating_sub(self.used)).min(limit.saturating_sub(state.used));
        if is_there || space == 0 {
            return;
        }
        let cost = self.cost(s, i, form);
        let Some(cost) = cost.filter(|&cost| cost <= known + space) else {
            return;
        };
        let Some(text) = self.plan.sections[s].items[i].text.in_form(form) else {
            return;
        };
        self.states[s].chosen[i] = Some(Chosen { text, cost, form });
        self.states[s].used += cost.saturating_sub(known);
        self.used += cost.saturating_sub(known);
    }

    /// What an item costs with its line break; `None` for a form that does not exist or cannot fit.
    fn cost(&mut self, s: usize, i: usize, form: Form) -> Option<usize> {
        let text = &self.plan.sections[s].items[i].text;
        if let Some(cost) = self.states[s].costs[i][form as usize] {
            return Some(cost);
        }
        // No text has so few tokens for its bytes: not worth writing.
        if form == Form::Whole && text.n_bytes() / 12 > self.limit {
            return None;
        }
        let mut text = text.in_form(form)?.into_owned();
        text.push('\n');
        let cost = self.count(&text);
        self.states[s].costs[i][form as usize] = Some(cost);
        Some(cost)
    }

    fn frame_cost(&self, section: &Section<'_>) -> usize {
        match section.frame {
            Frame::Bare => 0,
            Frame::Fence | Frame::Diff => {
                self.count(section.heading) + self.count(&section.note) + 10
            }
        }
    }
}
