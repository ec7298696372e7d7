//! The arguments of a call for another list of parameters.
//!
//! What is evaluated keeps its order: where arguments with effects would change places, they are named instead.

use super::list::Item;

/// A parameter of the member as it is, as the caller sees it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Parameter {
    pub(super) name: String,
    /// The name that it will have, as code writes it.
    pub(super) new_name: String,
    pub(super) is_params: bool,
}

/// A parameter of the member as it will be.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum NewParameter {
    /// One that it has, by its position.
    Old(usize),
    /// A new one.
    Added {
        name: String,
        /// What calls pass; `None` where they leave it out.
        value: Option<String>,
        is_optional: bool,
    },
}

/// An argument of a call.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Argument {
    /// The name before its colon.
    pub(super) name: Option<String>,
    /// Whether evaluating it does something, or may depend on what was evaluated before.
    pub(super) has_effect: bool,
    /// Where its value starts.
    pub(super) value_at: u32,
}

/// What becomes of a call.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct NewArguments {
    pub(super) items: Vec<Item>,
    /// Arguments with effects that go.
    pub(super) dropped: Vec<usize>,
}

/// The arguments of a call for new parameters. `is_reduced`: the first parameter is what stands before the dot.
///
/// # Errors
/// Says why there are none.
pub(super) fn arguments(
    old: &[Parameter],
    new: &[NewParameter],
    all: &[Argument],
    is_reduced: bool,
) -> Result<NewArguments, String> {
    let mut groups: Vec<Vec<usize>> = vec![Vec::new(); old.len()];
    let mut positions = Vec::with_capacity(all.len());
    for (at, argument) in all.iter().enumerate() {
        let position = match &argument.name {
            Some(name) => old.iter().position(|it| it.name == *name),
            None => {
                let position = at + usize::from(is_reduced);
                match old.last() {
                    Some(last) if last.is_params => Some(position.min(old.len() - 1)),
                    _ => (position < old.len()).then_some(position),
                }
            }
        };
        let position = position.ok_or("an argument belongs to no parameter")?;
        groups[position].push(at);
        positions.push(position);
    }
    let kept: Vec<usize> = new
        .iter()
        .flat_map(|it| match it {
            NewParameter::Old(at) => groups[*at].clone(),
            NewParameter::Added { .. } => Vec::new(),
        })
        .collect();
    let dropped = (0..all.len())
        .filter(|at| !kept.contains(at) && all[*at].has_effect)
        .collect();
    let effects: Vec<usize> = kept
        .iter()
        .copied()
        .filter(|&at| all[at].has_effect)
        .collect();
    let is_written_in_order = kept.is_sorted();
    let moves_effect = !is_written_in_order
        && (effects.iter().any(|_| true) && !effects.is_sorted()
            || effects.iter().any(|&effect| moves_over(&kept, effect)));
    // Who wrote names in another order wanted it.
    let items = match moves_effect || !positions.is_sorted() {
        true => by_name(old, new, &positions, (all, is_reduced))?,
        false => by_position(old, new, &groups, (all, is_reduced))?,
    };
    Ok(NewArguments { items, dropped })
}

/// Whether an argument changes places with another one.
fn moves_over(kept: &[usize], at: usize) -> bool {
    let place = kept.iter().position(|&it| it == at).unwrap_or_default();
    kept[..place].iter().any(|&it| it > at) || kept[place..].iter().any(|&it| it < at)
}

fn by_position(
    old: &[Parameter],
    new: &[NewParameter],
    groups: &[Vec<usize>],
    (all, is_reduced): (&[Argument], bool),
) -> Result<Vec<Item>, String> {
    let mut items = Vec::new();
    let mut must_name = false;
    for parameter in new {
        match parameter {
            NewParameter::Old(0) if is_reduced => {}
            NewParameter::Old(at) => {
                let group = &groups[*at];
                must_name |= group.is_empty() && !old[*at].is_params;
                if must_name && group.len() > 1 {
                    return Err(unnamed(&old[*at]));
                }
                for &argument in group {
                    let is_named = all[argument].name.is_some();
                    let is_expanded = old[*at].is_params && !is_named;
                    if must_name && is_expanded {
                        return Err(unnamed(&old[*at]));
                    }
                    let before = match must_name && !is_named {
                        true => format!("{}: ", old[*at].new_name),
                        false => String::new(),
                    };
                    items.push(Item::Kept(argument, before));
                }
            }
            NewParameter::Added {
                name,
                value: Some(value),
                ..
            } => items.push(Item::New(match must_name {
                true => format!("{name}: {value}"),
                false => value.clone(),
            })),
            NewParameter::Added {
                is_optional: true, ..
            } => must_name = true,
            NewParameter::Added { name, .. } => return Err(missing(name)),
        }
    }
    Ok(items)
}

/// Every argument in the order in which it is evaluated, with the name of its parameter where it is not in its place.
fn by_name(
    old: &[Parameter],
    new: &[NewParameter],
    positions: &[usize],
    (all, is_reduced): (&[Argument], bool),
) -> Result<Vec<Item>, String> {
    let mut items = Vec::new();
    let mut is_in_place = true;
    for (at, argument) in all.iter().enumerate() {
        let Some(place) = new
            .iter()
            .position(|it| *it == NewParameter::Old(positions[at]))
        else {
            continue;
        };
        let parameter = &old[positions[at]];
        is_in_place &= place == items.len() + usize::from(is_reduced);
        let needs_name = argument.name.is_none() && !is_in_place;
        if needs_name && parameter.is_params {
            return Err(unnamed(parameter));
        }
        items.push(Item::Kept(
            at,
            match needs_name {
                true => format!("{}: ", parameter.new_name),
                false => String::new(),
            },
        ));
    }
    for parameter in new {
        if let NewParameter::Added {
            name,
            value,
            is_optional,
        } = parameter
        {
            match value {
                Some(value) => items.push(Item::New(format!("{name}: {value}"))),
                None if *is_optional => {}
                None => return Err(missing(name)),
            }
        }
    }
    Ok(items)
}

fn unnamed(parameter: &Parameter) -> String {
    format!(
        "the arguments of `params {}` would need a name, and cannot have one",
        parameter.name
    )
}

fn missing(name: &str) -> String {
    format!(
        "calls pass no value for the new parameter `{name}`: name the value, or give it a default"
    )
}

#[cfg(test)]
mod tests {
    use super::{Argument, NewParameter, Parameter, arguments};
    use crate::signature::list::Item;

    fn old(names: &[&str]) -> Vec<Parameter> {
        let parameter = |name: &&str| Parameter {
            name: name.trim_start_matches("params ").to_owned(),
            new_name: name.trim_start_matches("params ").to_owned(),
            is_params: name.starts_with("params "),
        };
        names.iter().map(parameter).collect()
    }

    /// Arguments as `x`, `name: x`, `x()` with an effect.
    fn call(
        old: &[Parameter],
        new: &[NewParameter],
        texts: &[&str],
        is_reduced: bool,
    ) -> Result<String, String> {
        let argument = |text: &&str| Argument {
            name: text.split_once(": ").map(|(name, _)| name.to_owned()),
            has_effect: text.ends_with(')'),
            value_at: 0,
        };
        let all: Vec<Argument> = texts.iter().map(argument).collect();
        let made = arguments(old, new, &all, is_reduced)?;
        let written = made.items.iter().map(|item| match item {
            Item::Kept(at, before) => format!("{before}{}", texts[*at]),
            Item::New(text) => text.clone(),
        });
        Ok(written.collect::<Vec<_>>().join(", "))
    }

    fn added(value: Option<&str>, is_optional: bool) -> NewParameter {
        NewParameter::Added {
            name: "n".to_owned(),
            value: value.map(str::to_owned),
            is_optional,
        }
    }

    #[test]
    fn arguments_follow_their_parameters() {
        use NewParameter::Old;
        let ab = old(&["a", "b"]);
        let swapped = [Old(1), Old(0)];
        type Case<'c> = (
            &'c [Parameter],
            &'c [NewParameter],
            &'c [&'c str],
            bool,
            &'c str,
        );
        let cases: [Case<'_>; 12] = [
            (&ab, &swapped, &["x", "y"], false, "y, x"),
            (&ab, &swapped, &["x()", "y()"], false, "a: x(), b: y()"),
            (&ab, &swapped, &["x", "y()"], false, "a: x, b: y()"),
            (
                &ab,
                &swapped,
                &["b: y()", "a: x()"],
                false,
                "b: y(), a: x()",
            ),
            (&ab, &[Old(1)], &["x", "y"], false, "y"),
            (
                &ab,
                &[Old(0), added(None, true), Old(1)],
                &["x", "y"],
                false,
                "x, b: y",
            ),
            (
                &ab,
                &[Old(0), added(Some("0"), false), Old(1)],
                &["x"],
                false,
                "x, 0",
            ),
            (
                &ab,
                &[Old(0), Old(1), added(Some("0"), false)],
                &["x"],
                false,
                "x, n: 0",
            ),
            (
                &ab,
                &[Old(0), Old(1), added(Some("0"), false)],
                &["b: y", "a: x"],
                false,
                "b: y, a: x, n: 0",
            ),
            (
                &ab,
                &[Old(0), added(Some("0"), false), Old(1)],
                &["y"],
                true,
                "0, y",
            ),
            (
                &old(&["a", "params b"]),
                &[Old(0), added(Some("0"), false), Old(1)],
                &["x", "y", "z"],
                false,
                "x, 0, y, z",
            ),
            (
                &old(&["a", "params b"]),
                &[Old(0), Old(1)],
                &["x"],
                false,
                "x",
            ),
        ];
        for (old, new, texts, is_reduced, expected) in cases {
            let made = call(old, new, texts, is_reduced);
            assert_eq!(made.as_deref(), Ok(expected), "{texts:?}");
        }
    }

    #[test]
    fn what_cannot_be_passed_is_refused() {
        use NewParameter::Old;
        let params = old(&["a", "params b"]);
        let omitted = [Old(0), added(None, true), Old(1)];
        assert!(call(&params, &omitted, &["x", "y", "z"], false).is_err());
        assert!(
            call(
                &params,
                &[Old(0), added(None, false), Old(1)],
                &["x"],
                false
            )
            .is_err()
        );
        assert!(call(&params, &[Old(1), Old(0)], &["x()", "y", "z"], false).is_err());
    }
}
