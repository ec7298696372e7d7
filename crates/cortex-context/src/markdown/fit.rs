//! Chooses what is said: shares first, then what is left, by rank; and never a token too many.
//!
//! Costs of items are counted one by one and their sum is only near the cost of the text, so the text
//! itself is counted at the end, and what was taken last goes first until it fits.
//! Must not know: what items are about.

mod assemble;
mod take;

use std::borrow::Cow;

use super::{
    RenderOptions, SMALL,
    left_out::Missing,
    plan::{Form, Plan, Role, Stage, Text},
};

/// What a section may hold in all, in percent of what there is to deal out.
#[derive(Clone, Copy)]
pub(crate) struct Grant {
    pub(crate) section: usize,
    pub(crate) percent: usize,
}

impl Grant {
    /// Of a section, by its index.
    pub(crate) const fn of(section: usize, percent: usize) -> Self {
        Self { section, percent }
    }
}

/// After so many items that were too large in a row the rest of a stage is not tried.
const MAX_MISFITS: usize = 12;

/// A longer line is passed over as if it were not there.
const MAX_LINE: usize = 500;

/// Less than this left is not worth another round.
const MIN_SLACK: usize = 16;

/// A choice among the items of a plan.
pub(crate) struct Fit<'p, 'a> {
    plan: &'p Plan<'a>,
    options: &'p RenderOptions<'p>,
    states: Vec<State<'p>>,
    /// Items in the order in which they were taken.
    log: Vec<(usize, u32)>,
    /// What everything taken so far costs, about.
    used: usize,
    /// What may be used.
    limit: usize,
    /// About what all of it would cost.
    estimate: usize,
}

/// What is taken of one section.
struct State<'p> {
    chosen: Vec<Option<Chosen<'p>>>,
    /// What an item's text costs in each form, once counted.
    costs: Vec<[Option<usize>; Form::ALL.len()]>,
    marked: Vec<bool>,
    used: usize,
    /// What is kept free for words about items that are not taken.
    tail: Option<usize>,
}

struct Chosen<'p> {
    text: Cow<'p, str>,
    cost: usize,
    form: Form,
}

/// What became of an item.
#[derive(PartialEq, Eq)]
enum Outcome {
    Taken,
    TooLarge,
    /// What it needs is not taken.
    Orphan,
}

impl<'p, 'a> Fit<'p, 'a> {
    pub(crate) fn new(plan: &'p Plan<'a>, options: &'p RenderOptions<'p>) -> Self {
        let states = plan
            .sections
            .iter()
            .map(|section| State::new(section.items.len()))
            .collect();
        Self {
            plan,
            options,
            states,
            log: Vec::new(),
            used: 0,
            limit: 0,
            estimate: estimate(plan),
        }
    }

    /// Takes what `shares` allow, then what `rest` allows, and writes the text.
    pub(crate) fn render(mut self, shares: &[Grant], rest: &[Grant]) -> String {
        let budget = self.options.budget;
        if budget == 0 {
            return String::new();
        }
        let title = self.title();
        let left_out = if budget < SMALL {
            (budget / 5).min(60)
        } else {
            130
        };
        self.limit = budget.saturating_sub(self.count(title) + 1 + left_out);
        self.take_first();
        self.deal(shares);
        self.deal(rest);
        let mut is_refilled = false;
        loop {
            let text = self.text(title);
            let n = self.count(&text);
            if n > budget {
                if !self.drop_last(n - budget) {
                    return self.least(title);
                }
            } else if self.make_room() {
                // What was left out for the budget may be what the code makes room for.
            } else if !is_refilled && budget - n >= MIN_SLACK && !self.missing().is_empty(self.plan)
            {
                is_refilled = true;
                self.limit = self.used + (budget - n);
                let n_taken = self.log.len();
                let used = self.used;
                self.deal(rest);
                if self.used == used && self.log.len() == n_taken {
                    return text;
                }
            } else {
                return text;
            }
        }
    }

    /// Takes the items that come before all else. In a small budget nothing comes before what changed.
    fn take_first(&mut self) {
        if self.options.budget < SMALL {
            return;
        }
        for (s, section) in self.plan.sections.iter().enumerate() {
            if let Some(item) = section.first {
                self.take(s, item as usize, self.limit / 2);
            }
        }
    }

    /// The fullest first line that leaves room for more, or that at least fits.
    fn title(&self) -> &'p str {
        let most = (self.options.budget / 2).max(64).min(self.options.budget);
        let titles = &self.plan.titles;
        titles
            .iter()
            .find(|title| self.count(title) < most)
            .or(titles.last())
            .map_or("", String::as_str)
    }

    /// What can be said when no item fits.
    fn least(&self, title: &str) -> String {
        let missing = self.missing();
        let left_out = if missing.is_empty(self.plan) {
            String::new()
        } else {
            missing.short(self.plan, self.options.phrase)
        };
        let lines = std::iter::once(title).chain(self.plan.titles.iter().map(String::as_str));
        lines
            .flat_map(|title| [format!("{title}\n{left_out}"), format!("{title}\n")])
            .find(|text| self.count(text) <= self.options.budget)
            .unwrap_or_default()
    }

    fn deal(&mut self, grants: &[Grant]) {
        for grant in grants {
            let behind = self.plan.sections[grant.section].behind;
            if behind.is_none_or(|before| !self.lacks_changes(before)) {
                self.fill(grant.section, self.limit * grant.percent / 100);
            }
        }
    }

    /// Whether anything that changed in an item of a section is not shown.
    fn lacks_changes(&self, s: usize) -> bool {
        let stages = self.plan.sections[s].stages.iter().enumerate();
        let mut of_changes = stages.filter(|(_, stage)| stage.form == Form::Changed);
        of_changes.any(|(at, _)| self.lacks(s, at))
    }

    /// Whether anything of a stage of a section is not taken in the stage's form. A line that is too long does not count.
    fn lacks(&self, s: usize, stage: usize) -> bool {
        let section = &self.plan.sections[s];
        let Some(stage) = section.stages.get(stage) else {
            return false;
        };
        stage.items.iter().any(|&item| {
            let text = &section.items[item as usize].text;
            match &self.states[s].chosen[item as usize] {
                Some(chosen) => (chosen.form as u8) < stage.form as u8,
                None => matches!(text, Text::Code(_)) || text.n_bytes() <= MAX_LINE,
            }
        })
    }

    /// Takes items of a section until it holds `limit` tokens.
    fn fill(&mut self, s: usize, limit: usize) {
        let section = &self.plan.sections[s];
        let limit = limit.min(self.most(s));
        self.reserve_tail(s, limit);
        // The most space at which a parent was too large.
        let mut blocked = 0;
        for Stage {
            items,
            percent,
            behind,
            form,
        } in &section.stages
        {
            let limit = limit * usize::from(*percent) / 100;
            if behind.is_some_and(|at| self.lacks(s, at)) {
                continue;
            }
            let mut n_misfits = 0;
            for &item in items {
                if self.used >= self.limit || n_misfits >= MAX_MISFITS {
                    break;
                }
                let item = item as usize;
                // A list of parents ends where one is too large: what follows matters less.
                let is_parent = matches!(section.items[item].role, Role::Parent { .. });
                if is_parent && limit <= blocked {
                    continue;
                }
                match self.take(s, item, limit) {
                    Outcome::Taken => n_misfits = 0,
                    Outcome::TooLarge => {
                        n_misfits += 1;
                        if is_parent && section.items[item].text.n_bytes() <= MAX_LINE {
                            blocked = limit;
                        }
                    }
                    Outcome::Orphan => {}
                }
            }
            // What is worth less comes where all of this is shown as fully as it can be.
            self.unfold(s, items, *form, limit);
        }
    }

    /// Keeps space for words about what a long section leaves out.
    fn reserve_tail(&mut self, s: usize, limit: usize) {
        let section = &self.plan.sections[s];
        if section.tail.is_none() || self.states[s].tail.is_some() || self.options.budget < SMALL {
            return;
        }
        let n_bytes: usize = section.items.iter().map(|item| item.text.n_bytes()).sum();
        let tail = if n_bytes / 4 > limit {
            (limit / 6).min(200)
        } else {
            0
        };
        self.states[s].tail = Some(tail);
        self.states[s].used += tail;
        self.used += tail;
    }

    /// Gives back what was taken last, until `n` tokens or more are free; `false` if there is nothing.
    fn drop_last(&mut self, n: usize) -> bool {
        let mut freed = 0;
        let mut is_any = false;
        while freed < n {
            let Some((s, i)) = self.log.pop() else { break };
            if let Some(cost) = self.give_back(s, i as usize) {
                freed += cost;
                is_any = true;
            }
        }
        is_any
    }

    /// The most that a section may hold now.
    fn most(&self, s: usize) -> usize {
        match self.plan.yields {
            Some(yields)
                if yields.section == s && self.missing().is_any_of(self.plan, yields.to) =>
            {
                self.options.budget * yields.percent / 100
            }
            _ => usize::MAX,
        }
    }

    /// Gives back what a section holds too much of; whether that was anything.
    fn make_room(&mut self) -> bool {
        let Some(s) = self.plan.yields.map(|yields| yields.section) else {
            return false;
        };
        let mut is_any = false;
        while self.states[s].used > self.most(s) {
            let last = self.log.iter().rposition(|&(section, _)| section == s);
            let Some(last) = last else { break };
            let (_, i) = self.log.remove(last);
            self.give_back(s, i as usize);
            is_any = true;
        }
        is_any
    }

    /// Gives back an item, if it is taken; what that frees.
    fn give_back(&mut self, s: usize, i: usize) -> Option<usize> {
        let state = &mut self.states[s];
        let cost = state.chosen[i].take()?.cost;
        state.used = state.used.saturating_sub(cost);
        self.used = self.used.saturating_sub(cost);
        Some(cost)
    }

    fn count(&self, text: &str) -> usize {
        self.options.tokenizer.count(text)
    }

    /// What is not taken.
    fn missing(&self) -> Missing {
        let shown = self
            .plan
            .sections
            .iter()
            .zip(&self.states)
            .map(|(section, state)| {
                let mut taken = vec![0; section.totals.len()];
                for (item, _) in section
                    .items
                    .iter()
                    .zip(&state.chosen)
                    .filter(|(_, chosen)| chosen.is_some())
                {
                    if let Some((total, n)) = item.counts {
                        taken[usize::from(total)] += n;
                    }
                }
                taken
            });
        Missing {
            shown: shown.collect(),
            estimate: self.estimate,
            budget: self.options.budget,
        }
    }
}

/// About how many tokens everything has, also what is too much to have become an item.
fn estimate(plan: &Plan<'_>) -> usize {
    let sections = plan.sections.iter().map(|section| {
        let n_bytes: usize = section.items.iter().map(|item| item.text.n_bytes()).sum();
        let made: usize = section
            .items
            .iter()
            .filter_map(|item| item.counts)
            .map(|(_, n)| n)
            .sum();
        let all: usize = section.totals.iter().map(|total| total.n).sum();
        n_bytes.saturating_mul(all.max(1)) / made.max(1) / 3
    });
    sections.sum::<usize>() + 200
}

impl State<'_> {
    fn new(n_items: usize) -> Self {
        Self {
            chosen: (0..n_items).map(|_| None).collect(),
            costs: vec![[None; Form::ALL.len()]; n_items],
            marked: vec![false; n_items],
            used: 0,
            tail: None,
        }
    }

    fn is_empty(&self) -> bool {
        self.used == self.tail.unwrap_or(0)
    }
}
