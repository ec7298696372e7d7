//! How much the code of two members has in common.

use std::collections::BTreeSet;

use cortex_wire::MemberChange;

/// The lines that two members share but for their names, in percent of all lines of both, each counted once. White space
/// around a line and lines of one character count nothing.
pub(crate) fn percent_alike(old: &MemberChange, new: &MemberChange) -> usize {
    let (old, new) = (nameless(old), nameless(new));
    let n_same = old.intersection(&new).count();
    match old.len() + new.len() - n_same {
        0 => 0,
        n_all => n_same * 100 / n_all,
    }
}

/// The lines of a member without its name.
fn nameless(member: &MemberChange) -> BTreeSet<String> {
    let lines = member.code.iter().map(|line| line.text.trim());
    let lines = lines.filter(|text| text.len() > 1);
    lines.map(|text| text.replace(&member.name, "")).collect()
}
