//! Which derived values this version reads. A collection drops all others: those of earlier versions.

use crate::{
    areas,
    dependencies::kept::Whole,
    kept::Derived,
    names::{code::NameTable, inactive::InactiveWords, unbound::UnboundNames},
    outside,
    reach::{digests::Digests, graph::MemberGraph},
    words,
};

/// Whether this version may read what is stored under a name.
pub fn is_current(name: &str) -> bool {
    let has_slot = [
        is_slot_of::<Digests>,
        is_slot_of::<InactiveWords>,
        is_slot_of::<MemberGraph>,
        is_slot_of::<NameTable>,
        is_slot_of::<UnboundNames>,
        is_slot_of::<Whole>,
    ];
    let is_of_words = words::is_current(name) || outside::is_current(name);
    areas::is_current(name) || is_of_words || has_slot.iter().any(|has| has(name))
}

fn is_slot_of<T: Derived>(name: &str) -> bool {
    let rest = name.strip_prefix(T::NAME);
    let Some(rest) = rest.and_then(|rest| rest.strip_prefix('/')) else {
        return false;
    };
    let slot = rest.split_once('/').map(|(slot, _)| slot.parse::<u8>());
    rest == "slots" || matches!(slot, Some(Ok(slot)) if slot < T::N_SLOTS)
}

#[cfg(test)]
mod tests {
    use super::is_current;

    #[test]
    fn values_of_other_versions_are_told_apart() {
        for (name, expected) in [
            ("names/slots", true),
            ("names/0/all", true),
            ("names/200/all", false),
            ("names", false),
            ("names-commit", false),
            ("look-names/0/all", false),
            ("tests-graph/slots", false),
            ("areas", true),
            ("areas/top", true),
            ("words", true),
            ("words/fresh", true),
            ("words/255", true),
            ("words/256", false),
            ("words/text/7", true),
            ("words/texts/7", false),
            ("outside", true),
            ("outside/63", true),
            ("outside/64", false),
            ("outside/tree/7", true),
            ("outside/tree/8", false),
        ] {
            assert_eq!(is_current(name), expected, "{name}");
        }
    }
}
