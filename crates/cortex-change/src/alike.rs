//! How much the code of two members has in common.

use std::collections::BTreeSet;

use cortex_wire::MemberChange;

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
