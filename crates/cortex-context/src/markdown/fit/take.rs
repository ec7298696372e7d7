//! Takes one item, in the form that fits.

use std::borrow::Cow;

use super::{Chosen, Fit, Outcome};
use crate::markdown::plan::{Alone, Frame, Item, Role, Section};

/// About what `  … 3 more` costs.
const MARK_COST: usize = 6;

/// The least space in which a member is never folded.
const MIN_WHOLE: usize = 150;

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
        let parent_cost = parent.map_or(0, |parent| self.cost(s, parent, false).unwrap_or(0));
        let Some(space) = space
            .checked_sub(frame + parent_cost)
            .filter(|&space| space > 0)
        else {
            return self.misfit(s, item);
        };
        let Some((cost, is_folded)) = self.form(s, i, space) else {
            return self.misfit(s, item);
        };
        self.states[s].used += frame;
        self.used += frame;
        if let Some(parent) = parent {
            self.choose(s, parent, parent_cost, false);
        }
        self.choose(s, i, cost, is_folded);
        Outcome::Taken
    }

    /// The form of an item that fits into `space`: whole unless that takes too much of everything.
    fn form(&mut self, s: usize, i: usize, space: usize) -> Option<(usize, bool)> {
        let cap = (self.limit / 8).max(MIN_WHOLE);
        // No text has so few tokens for its bytes: not worth writing.
        let is_hopeless = self.plan.sections[s].items[i].text.n_bytes() / 12 > space;
        let whole = if is_hopeless {
            None
        } else {
            self.cost(s, i, false)
        };
        if let Some(cost) = whole.filter(|&cost| cost <= cap.min(space)) {
            return Some((cost, false));
        }
        match self.cost(s, i, true) {
            Some(cost) => (cost <= space).then_some((cost, true)),
            None => whole
                .filter(|&cost| cost <= space)
                .map(|cost| (cost, false)),
        }
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

    fn choose(&mut self, s: usize, i: usize, cost: usize, is_folded: bool) {
        let text = &self.plan.sections[s].items[i].text;
        let text = if is_folded {
            text.folded().map_or_else(|| text.whole(), Cow::Owned)
        } else {
            text.whole()
        };
        self.states[s].chosen[i] = Some(Chosen {
            text,
            cost,
            is_folded,
        });
        self.states[s].used += cost;
        self.used += cost;
        self.log.push((s, i as u32));
    }

    /// Shows members whole that were folded, where there is space after all.
    pub(super) fn unfold(&mut self) -> bool {
        let mut is_changed = false;
        for s in 0..self.states.len() {
            let stages = &self.plan.sections[s].stages;
            let most = self.most(s);
            for i in stages
                .iter()
                .flat_map(|stage| &stage.items)
                .map(|&i| i as usize)
            {
                let Some(folded) = self.states[s].chosen[i]
                    .as_ref()
                    .filter(|chosen| chosen.is_folded)
                    .map(|chosen| chosen.cost)
                else {
                    continue;
                };
                let space = (self.limit.saturating_sub(self.used))
                    .min(most.saturating_sub(self.states[s].used));
                if self.plan.sections[s].items[i].text.n_bytes() / 12 > space + folded {
                    continue;
                }
                let Some(whole) = self
                    .cost(s, i, false)
                    .filter(|&whole| whole <= folded + space)
                else {
                    continue;
                };
                let text = self.plan.sections[s].items[i].text.whole();
                self.states[s].chosen[i] = Some(Chosen {
                    text,
                    cost: whole,
                    is_folded: false,
                });
                self.states[s].used += whole.saturating_sub(folded);
                self.used += whole.saturating_sub(folded);
                is_changed = true;
            }
        }
        is_changed
    }

    /// What an item costs with its line break; `None` for a folded form that does not exist.
    fn cost(&mut self, s: usize, i: usize, is_folded: bool) -> Option<usize> {
        let text = &self.plan.sections[s].items[i].text;
        if let Some(cost) = self.states[s].costs[i][usize::from(is_folded)] {
            return Some(cost);
        }
        let mut text = if is_folded {
            text.folded()?
        } else {
            text.whole().into_owned()
        };
        text.push('\n');
        let cost = self.count(&text);
        self.states[s].costs[i][usize::from(is_folded)] = Some(cost);
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
