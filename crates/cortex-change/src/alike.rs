//! How much the code of two members has in common.

use std::{
    cmp::Reverse,
    collections::{BTreeMap, BTreeSet},
};

use cortex_wire::MemberChange;

/// So many comparisons are made to find what was written anew under another name.
pub(crate) const MAX_COMPARED: usize = 2_500;

/// Pairs of what is gone and what came, the most alike first, each in one pair at most. `alike`: what is alike, with how
/// much so in percent.
pub(crate) fn best_pairs<T: Copy + Ord>(mut alike: Vec<(usize, T, T)>) -> Vec<(T, T)> {
    alike.sort_unstable_by_key(|&(percent, old, new)| (Reverse(percent), old, new));
    let mut out: Vec<(T, T)> = Vec::new();
    for (_, old, new) in alike {
        if out.iter().all(|pair| pair.0 != old && pair.1 != new) {
            out.push((old, new));
        }
    }
    out
}

/// The lines of a member without its name, each once. White space around a line and lines of one character count nothing.
pub(crate) struct Nameless(BTreeSet<String>);

impl Nameless {
    pub(crate) fn of(member: &MemberChange) -> Self {
        let lines = member.code.iter().map(|line| line.text.trim());
        let lines = lines.filter(|text| text.len() > 1);
        Self(lines.map(|text| text.replace(&member.name, "")).collect())
    }

    /// The lines that both have, in percent of all lines of both.
    pub(crate) fn percent_alike(&self, other: &Self) -> usize {
        let n_same = self.0.intersection(&other.0).count();
        match self.0.len() + other.0.len() - n_same {
            0 => 0,
            n_all => n_same * 100 / n_all,
        }
    }
}

/// The words of a member behind its name, with how often it has each: what a test does, whatever its attributes are.
pub(crate) struct Words(BTreeMap<String, usize>);

impl Words {
    pub(crate) fn of(member: &MemberChange) -> Self {
        let mut out: BTreeMap<String, usize> = BTreeMap::new();
        let head = format!("{}(", member.name);
        let mut lines = member.code.iter().map(|line| line.text.as_str());
        let first = lines.find_map(|text| text.find(&head).map(|at| &text[at + head.len()..]));
        for text in first.into_iter().chain(lines) {
            let words = text.split(|c: char| !c.is_alphanumeric() && c != '_');
            for word in words.filter(|word| !word.is_empty()) {
                *out.entry(word.to_owned()).or_default() += 1;
            }
        }
        Self(out)
    }

    /// The words that both have, in percent of all words of both.
    pub(crate) fn percent_alike(&self, other: &Self) -> usize {
        let n_same: usize = (self.0.iter())
            .map(|(word, n)| other.0.get(word).copied().unwrap_or(0).min(*n))
            .sum();
        match self.0.values().sum::<usize>() + other.0.values().sum::<usize>() - n_same {
            0 => 0,
            n_all => n_same * 100 / n_all,
        }
    }
}
