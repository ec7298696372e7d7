//! How a changed list of parameters reads: what came, went or changed, and the whole list once at most.

use cortex_wire::{ParameterChange, What};

use crate::{
    markdown::{impact::listed, names},
    text::line,
};

/// A longer list is left out: the differences say what matters.
const MAX_LIST: usize = 60;

/// Both signatures, the newer one alone where nothing but the list differs.
pub(crate) fn signatures(old: &str, new: &str) -> String {
    let (Some((old_head, old_list)), Some((new_head, new_list))) =
        (names::parameter_list(old), names::parameter_list(new))
    else {
        return format!("{old} → {new}");
    };
    let shown = |list: &str| match list.chars().count() <= MAX_LIST {
        true => list.to_owned(),
        false => "(…)".to_owned(),
    };
    match old_head == new_head {
        true => format!("{new_head}{}", shown(new_list)),
        false if old_list == new_list => format!("{old_head} → {new_head}{}", shown(new_list)),
        false => format!("{old_head}(…) → {new_head}{}", shown(new_list)),
    }
}

/// `+ bool notify (3rd), int a → long a (1st)`; `None` where the parameters are alike.
pub(crate) fn differences(parameters: &[ParameterChange]) -> Option<String> {
    let text = |text: &str| line(&names::unqualified(text)).into_owned();
    let all: Vec<String> = (parameters.iter())
        .map(|it| {
            let (at, new) = (ordinal(it.position), text(&it.text));
            match (it.what, &it.was) {
                (What::Added, _) => format!("+ {new} ({at})"),
                (What::Removed, _) => format!("- {new} ({at})"),
                (What::Changed, Some(was)) if *was != it.text => {
                    format!("{} → {new} ({at})", text(was))
                }
                (What::Changed, _) => format!("{new} now {at}"),
            }
        })
        .collect();
    (!all.is_empty()).then(|| listed(&all, ", "))
}

/// `1st`, `12th`, `23rd`.
fn ordinal(n: usize) -> String {
    let suffix = match (n % 100, n % 10) {
        (11..=13, _) => "th",
        (_, 1) => "st",
        (_, 2) => "nd",
        (_, 3) => "rd",
        _ => "th",
    };
    format!("{n}{suffix}")
}

#[cfg(test)]
mod tests {
    use super::{ordinal, signatures};

    #[test]
    fn a_list_is_shown_once_and_a_long_one_never() {
        assert_eq!(
            signatures("void M(int)", "void M(int,bool)"),
            "void M(int,bool)"
        );
        assert_eq!(
            signatures("void M(int)", "bool M(int,bool)"),
            "void M(…) → bool M(int,bool)"
        );
        let long = format!("void M({})", "IService,".repeat(12));
        assert_eq!(signatures("void M(int)", &long), "void M(…)");
    }

    #[test]
    fn ordinals_are_english() {
        let all = [1, 2, 3, 4, 11, 12, 13, 21, 112].map(ordinal);
        assert_eq!(
            all,
            [
                "1st", "2nd", "3rd", "4th", "11th", "12th", "13th", "21st", "112th"
            ]
        );
    }
}
