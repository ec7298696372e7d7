//! Which parameters of a member came, went or changed.

use cortex_bind::ParamNode;
use cortex_wire::{ParameterChange, What};

/// Lists longer than this are not compared.
const MAX_PARAMETERS: usize = 300;

/// The parameters of one side.
#[derive(Clone, Copy)]
pub(super) struct Parameters<'a> {
    pub(super) nodes: &'a [ParamNode],
    /// Names and default values, as [`cortex_bind::MemberDetail::params`] has them.
    pub(super) names: &'a str,
}

impl Parameters<'_> {
    /// Each with modifiers, type, name and default value.
    pub(super) fn texts(self) -> Vec<String> {
        let names: Vec<&str> = self.names.split(',').collect();
        // A default value may have commas.
        let is_known = names.len() == self.nodes.len();
        let text = |(at, node): (usize, &ParamNode)| {
            let modifiers = node.modifiers.iter().map(|it| format!("{it} "));
            let name = match names.get(at).filter(|_| is_known) {
                Some(name) => name.replacen('=', " = ", 1),
                None => node.name.clone(),
            };
            format!("{}{} {name}", modifiers.collect::<String>(), node.ty)
        };
        self.nodes.iter().enumerate().map(text).collect()
    }
}

/// The differences: what the newer list has in its order, then what is gone.
///
/// A parameter is the same one where it has the same name; else where what stands before it is the same on both sides
/// and it has the same type. `old`: under the names that types have now; `written`: its parameters as they were. O(length
/// of one list times that of the other); none of very long lists.
pub(super) fn differences(
    old: Parameters<'_>,
    written: Vec<String>,
    new: Parameters<'_>,
) -> Vec<ParameterChange> {
    if old.nodes.len().max(new.nodes.len()) > MAX_PARAMETERS {
        return Vec::new();
    }
    let (old_texts, new_texts) = (old.texts(), new.texts());
    let mut pairs: Vec<Option<usize>> = (new.nodes.iter())
        .map(|node| old.nodes.iter().position(|it| it.name == node.name))
        .collect();
    for at in 0..pairs.len() {
        let candidate = match at.checked_sub(1) {
            None => Some(0),
            Some(before) => pairs[before].map(|it| it + 1),
        };
        let is_renamed = |&candidate: &usize| {
            let ty = old.nodes.get(candidate).map(|node| &node.ty);
            ty == Some(&new.nodes[at].ty) && !pairs.contains(&Some(candidate))
        };
        if pairs[at].is_none() {
            pairs[at] = candidate.filter(is_renamed);
        }
    }
    let in_order = in_order(&pairs);
    let mut out = Vec::new();
    for (at, pair) in pairs.iter().enumerate() {
        let text = new_texts[at].clone();
        let position = at + 1;
        match *pair {
            None => out.push(ParameterChange {
                what: What::Added,
                position,
                text,
                was: None,
            }),
            Some(before) if old_texts[before] != text || !in_order.contains(&at) => {
                out.push(ParameterChange {
                    what: What::Changed,
                    position,
                    text,
                    was: written.get(before).cloned(),
                });
            }
            Some(_) => {}
        }
    }
    let gone = (0..old.nodes.len()).filter(|at| !pairs.contains(&Some(*at)));
    out.extend(gone.map(|at| ParameterChange {
        what: What::Removed,
        position: at + 1,
        text: written.get(at).cloned().unwrap_or_default(),
        was: None,
    }));
    out
}

/// The longest run of paired parameters that stand in the same order on both sides, by index on the newer one.
fn in_order(pairs: &[Option<usize>]) -> Vec<usize> {
    // How long the longest run is that ends at a parameter, and the parameter before in it.
    let mut runs: Vec<(usize, Option<usize>)> = Vec::new();
    for (at, pair) in pairs.iter().enumerate() {
        let before = (0..at).filter(|&it| pairs[it].is_some() && pairs[it] < *pair);
        let before = before.max_by_key(|&it| runs[it].0);
        let n_before = before.map_or(0, |it| runs[it].0);
        runs.push((n_before + usize::from(pair.is_some()), before));
    }
    let last = (0..pairs.len()).filter(|&it| pairs[it].is_some());
    let last = last.max_by_key(|&it| runs[it].0);
    std::iter::successors(last, |&at| runs[at].1).collect()
}

#[cfg(test)]
mod tests {
    use cortex_bind::ParamNode;
    use cortex_model::Modifiers;
    use cortex_wire::What;

    use super::{Parameters, differences};

    fn nodes(list: &str) -> Vec<ParamNode> {
        let params = list.split(", ").filter(|it| !it.is_empty());
        params
            .map(|param| {
                let (ty, name) = param.split_once(' ').expect("a type and a name");
                let name = name.split('=').next().unwrap_or(name);
                ParamNode {
                    name: name.to_owned(),
                    ty: ty.into(),
                    modifiers: Modifiers::EMPTY,
                    is_optional: param.contains('='),
                }
            })
            .collect()
    }

    fn names(list: &str) -> String {
        let params = list.split(", ");
        let names: Vec<&str> = params
            .filter_map(|it| Some(it.split_once(' ')?.1))
            .collect();
        names.join(",")
    }

    fn check(old: &str, new: &str, expected: &[&str]) {
        let (old_nodes, new_nodes) = (nodes(old), nodes(new));
        let (old_names, new_names) = (names(old), names(new));
        let old_side = Parameters {
            nodes: &old_nodes,
            names: &old_names,
        };
        let new_side = Parameters {
            nodes: &new_nodes,
            names: &new_names,
        };
        let found = differences(old_side, old_side.texts(), new_side);
        let texts: Vec<String> = (found.iter())
            .map(|it| match (it.what, &it.was) {
                (What::Added, _) => format!("+ {} {}", it.text, it.position),
                (What::Removed, _) => format!("- {} {}", it.text, it.position),
                (What::Changed, was) => {
                    let was = was.as_deref().unwrap_or_default();
                    format!("{was} -> {} {}", it.text, it.position)
                }
            })
            .collect();
        assert_eq!(texts, expected, "{old} | {new}");
    }

    #[test]
    fn parameters_come_go_and_change() {
        check("int a, int b", "int a, int b", &[]);
        check("int a, int b", "int a, bool c, int b", &["+ bool c 2"]);
        check("int a, bool c, int b", "int a, int b", &["- bool c 2"]);
        check("int a, int b", "int a, long b", &["int b -> long b 2"]);
        check("int a, int b", "int a, int b=1", &["int b -> int b = 1 2"]);
        check("int a, int b", "int x, int b", &["int a -> int x 1"]);
        check(
            "int a, bool b, int c",
            "int c, int a, bool b",
            &["int c -> int c 1"],
        );
        check("", "int a", &["+ int a 1"]);
    }
}
