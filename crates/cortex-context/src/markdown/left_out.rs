//! The last section: what the budget cut, and what to ask for to see it.

use super::plan::{Plan, counted, grouped};
use crate::{
    more::{Form, More, Phrase},
    text,
};

/// Up to this budget another budget is proposed; beyond it JSON is.
const MAX_PROPOSED: usize = 128_000;

/// Below this budget only what to ask for is named.
const TINY: usize = 150;

/// What is missing, by section: how many of each total are shown.
pub(crate) struct Missing {
    /// For each section and each of its totals, how many are shown.
    pub(crate) shown: Vec<Vec<usize>>,
    /// About how many tokens all of it would have.
    pub(crate) estimate: usize,
    /// The budget that was too small.
    pub(crate) budget: usize,
}

impl Missing {
    /// Whether anything is.
    pub(crate) fn is_empty(&self, plan: &Plan<'_>) -> bool {
        self.pairs(plan).next().is_none()
    }

    /// Whether anything of one section is.
    pub(crate) fn is_any_of(&self, plan: &Plan<'_>, section: usize) -> bool {
        self.pairs(plan).any(|(s, _, _)| s == section)
    }

    /// The section in a few lines.
    pub(crate) fn long(&self, plan: &Plan<'_>, more: Phrase<'_>) -> String {
        let mut out = String::from("\n## Left out\n");
        let mut last = None;
        for (section, total, n) in self.pairs(plan) {
            if last == Some(section) {
                out.push_str(", ");
            } else {
                out.push_str(if last.is_some() { "\n- " } else { "- " });
                let heading = plan.sections[section].heading;
                if !heading.is_empty() {
                    out.push_str(heading);
                    out.push_str(": ");
                }
                last = Some(section);
            }
            let total = &plan.sections[section].totals[total];
            out.push_str(&format!(
                "{} of {}",
                grouped(n),
                counted(total.n, total.one, total.many)
            ));
        }
        let tokens = self.proposed();
        let mut all = text::span(&more(&self.whole(plan, tokens, Form::Request)));
        if tokens.is_some() {
            all.push_str(&format!(" or {}", text::span(&more(&More::Json))));
        }
        out.push_str(&format!("\n\nFor everything: {all}\n"));
        out
    }

    /// The same in one line: for each section the first total of which something is missing.
    pub(crate) fn short(&self, plan: &Plan<'_>, more: Phrase<'_>) -> String {
        let mut parts = Vec::new();
        let mut last = None;
        for (section, total, n) in self.pairs(plan) {
            if last != Some(section) {
                let total = &plan.sections[section].totals[total];
                parts.push(counted(n, total.one, total.many));
            }
            last = Some(section);
        }
        let all = text::span(&more(&self.whole(plan, self.proposed(), Form::Difference)));
        if self.budget < TINY {
            return format!("\nMore: {all}\n");
        }
        format!("\nLeft out: {}; {all}\n", parts.join(", "))
    }

    fn whole(&self, plan: &Plan<'_>, tokens: Option<usize>, form: Form) -> More<'static> {
        More::Whole {
            tokens,
            items: plan.all_items,
            form,
        }
    }

    /// Section, total and how many are missing.
    fn pairs<'p>(&'p self, plan: &'p Plan<'_>) -> impl Iterator<Item = (usize, usize, usize)> + 'p {
        plan.sections
            .iter()
            .enumerate()
            .flat_map(move |(i, section)| {
                let shown = &self.shown[i];
                section
                    .totals
                    .iter()
                    .enumerate()
                    .filter(|&(k, total)| total.n > shown[k])
                    .map(move |(k, total)| (i, k, total.n - shown[k]))
            })
    }

    /// A round budget that would do; `None` where that is more than models read.
    fn proposed(&self) -> Option<usize> {
        let mut budget = 1_000;
        while budget < self.estimate || budget <= self.budget {
            budget *= 2;
        }
        (budget <= MAX_PROPOSED).then_some(budget)
    }
}
