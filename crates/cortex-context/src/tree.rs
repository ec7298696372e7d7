//! Lines under headings, as many as a budget allows, the most important first.
//!
//! Owns: what is taken and in which order it is written. Must not know: what lines say.

use crate::{RenderOptions, text::longest_backtick_run};

/// Lines, in the order in which they are written: parents before what stands under them.
#[derive(Clone, Debug, Default)]
pub(crate) struct Tree {
    lines: Vec<Line>,
}

#[derive(Clone, Debug)]
struct Line {
    text: String,
    parent: Option<usize>,
    rank: u64,
    is_counted: bool,
}

/// A line of a tree.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Node(usize);

/// What was taken.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Taken {
    /// How many lines count, and are shown.
    pub(crate) n_shown: usize,
    /// How many lines count.
    pub(crate) n_all: usize,
}

/// A token of code or prose has fewer bytes on average.
const MAX_BYTES: usize = 5;

/// So many lines in a row that do not fit end the search for shorter ones.
const MAX_MISFITS: usize = 40;

impl Tree {
    /// Adds a line, or several that belong together. What has a lower rank is taken first; with it, the lines
    /// above it.
    pub(crate) fn add(&mut self, parent: Option<Node>, rank: u64, text: impl Into<String>) -> Node {
        self.push(parent, rank, text.into(), false)
    }

    /// The same, and counts it among what is shown or left out.
    pub(crate) fn item(
        &mut self,
        parent: Option<Node>,
        rank: u64,
        text: impl Into<String>,
    ) -> Node {
        self.push(parent, rank, text.into(), true)
    }

    fn push(&mut self, parent: Option<Node>, rank: u64, text: String, is_counted: bool) -> Node {
        self.lines.push(Line {
            text,
            parent: parent.map(|it| it.0),
            rank,
            is_counted,
        });
        Node(self.lines.len() - 1)
    }

    /// The longest run of backticks in a line.
    pub(crate) fn longest_backtick_run(&self) -> usize {
        let runs = self.lines.iter().map(|it| longest_backtick_run(&it.text));
        runs.max().unwrap_or(0)
    }

    /// All lines.
    pub(crate) fn whole(&self) -> String {
        self.text("", "", &vec![true; self.lines.len()], "")
    }

    /// At most `options.budget` tokens: the title, lines, and what `left_out` says of the rest, if anything. `open`
    /// and `close` stand around the lines.
    pub(crate) fn fit(
        &self,
        titles: &[String],
        (open, close): (&str, &str),
        left_out: &dyn Fn(Taken) -> String,
        options: &RenderOptions<'_>,
    ) -> String {
        let count = |text: &str| options.tokenizer.count(text);
        let budget = options.budget;
        let most = (budget / 2).max(64).min(budget);
        let title = titles
            .iter()
            .find(|title| title.len() < most || count(title) < most)
            .or(titles.last());
        let title = title.map_or("", String::as_str);
        let n_all = self.lines.iter().filter(|it| it.is_counted).count();
        // Most answers fit as they are: then lines need not be counted one by one.
        let n_bytes: usize = self.lines.iter().map(|it| it.text.len() + 1).sum();
        if n_bytes / MAX_BYTES <= budget {
            let rest = left_out(Taken {
                n_shown: n_all,
                n_all,
            });
            let all = vec![true; self.lines.len()];
            let text = self.text(&format!("{title}{open}"), close, &all, &rest);
            // No token is less than a byte.
            if text.len() <= budget || count(&text) <= budget {
                return text;
            }
        }
        let worst = left_out(Taken { n_shown: 0, n_all });
        let frame = [title, open, close, &worst]
            .map(|it| count(it) + 1)
            .iter()
            .sum();
        let limit = budget.saturating_sub(frame);
        let (mut taken, mut log) = self.take(limit, &count);
        loop {
            let shown = self
                .lines
                .iter()
                .zip(&taken)
                .filter(|(it, is_taken)| it.is_counted && **is_taken);
            let rest = left_out(Taken {
                n_shown: shown.count(),
                n_all,
            });
            let text = self.text(&format!("{title}{open}"), close, &taken, &rest);
            let n = count(&text);
            if n <= budget {
                return text;
            }
            // Lines are counted one by one, and have a few more tokens together now and then.
            let mut freed = 0;
            while freed < n - budget {
                let Some(at) = log.pop() else { break };
                taken[at] = false;
                freed += count(&self.lines[at].text) + 1;
            }
            if freed == 0 {
                break;
            }
        }
        let short = [
            format!("{title}{worst}"),
            title.to_owned(),
            titles.last().cloned().unwrap_or_default(),
        ];
        short
            .into_iter()
            .find(|text| count(text) <= budget)
            .unwrap_or_default()
    }

    /// Which lines fit, and in which order they were taken.
    fn take(&self, limit: usize, count: &dyn Fn(&str) -> usize) -> (Vec<bool>, Vec<usize>) {
        let mut order: Vec<usize> = (0..self.lines.len()).collect();
        order.sort_by_key(|&at| (self.lines[at].rank, at));
        let mut taken = vec![false; self.lines.len()];
        let (mut log, mut used, mut n_misfits) = (Vec::new(), 0, 0);
        for at in order {
            if taken[at] {
                continue;
            }
            let mut chain = vec![at];
            while let Some(parent) = self.lines[chain[chain.len() - 1]]
                .parent
                .filter(|&it| !taken[it])
            {
                chain.push(parent);
            }
            // A token has so many bytes at most on average; longer texts need no counting.
            let n_bytes: usize = chain.iter().map(|&it| self.lines[it].text.len()).sum();
            let is_hopeless = n_bytes / 16 > limit.saturating_sub(used);
            let cost: usize = match is_hopeless {
                true => usize::MAX,
                false => chain
                    .iter()
                    .map(|&it| count(&self.lines[it].text) + 1)
                    .sum(),
            };
            if is_hopeless || used + cost > limit {
                n_misfits += 1;
                if n_misfits >= MAX_MISFITS {
                    break;
                }
                continue;
            }
            n_misfits = 0;
            used += cost;
            for at in chain.into_iter().rev() {
                taken[at] = true;
                log.push(at);
            }
        }
        (taken, log)
    }

    fn text(&self, start: &str, close: &str, taken: &[bool], end: &str) -> String {
        let mut out = start.to_owned();
        for (line, _) in self
            .lines
            .iter()
            .zip(taken)
            .filter(|(_, is_taken)| **is_taken)
        {
            out.push_str(&line.text);
            out.push('\n');
        }
        out.push_str(close);
        out.push_str(end);
        out
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::Tree;
    use crate::{CharsOver4, O200kBase, RenderOptions, Tokenizer};

    proptest! {
        #[test]
        fn a_budget_is_never_exceeded_and_no_line_stands_without_its_parents(
            lines in prop::collection::vec((0u64..9, 0usize..9, "[a-z<>` \u{e9}]{0,40}"), 0..60),
            budget in 0usize..400,
            exact in any::<bool>(),
        ) {
            let mut tree = Tree::default();
            let mut nodes = Vec::new();
            for (at, (rank, up, text)) in lines.iter().enumerate() {
                let parent = up.checked_sub(1).and_then(|up| at.checked_sub(up + 1)).map(|it| nodes[it]);
                nodes.push(tree.item(parent, *rank, format!("{at}:{text}")));
            }
            let tokenizer: &dyn Tokenizer = if exact { &O200kBase } else { &CharsOver4 };
            let options = RenderOptions {
        budget,
        tokenizer,
        phrase: &|_| "more".to_owned(),
    };
            let render = || tree.fit(&["# a title\n".to_owned()], ("```\n", "```\n"), &|it| format!("{} of {}\n", it.n_shown, it.n_all), &options);
            let text = render();
            prop_assert!(tokenizer.count(&text) <= budget);
            prop_assert_eq!(&text, &render());
            for (at, line) in tree.lines.iter().enumerate() {
                let stands = |at: usize| text.contains(&format!("\n{at}:"));
                if let Some(parent) = line.parent.filter(|_| stands(at)) {
                    prop_assert!(stands(parent));
                }
            }
        }
    }
}
