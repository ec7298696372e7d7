//! What another signature promises, checked against an index that is made from nothing.
//!
//! Two laws. What is declared is what was, where methods of the same path stand for each other if the parameters of one
//! are those of the other after the change. And each file has the same references from the same members, but for those in
//! arguments that go.

use std::{
    collections::{BTreeMap, BTreeSet, HashMap},
    fmt,
};

use cortex_wire::EditSignatureRequest;
use fastrand::Rng;
use serde_json::Value;

use super::{
    Candidate,
    oracle::{Exported, difference, path_of, text},
};

/// What happens to the parameters of a method.
#[derive(Clone, Debug)]
pub(super) enum Change {
    /// One of type `int`, for which calls pass `0`.
    Add {
        name: String,
    },
    Remove {
        name: String,
    },
    /// The names in their new order.
    Swap {
        order: Vec<String>,
    },
}

impl Change {
    /// A change of a method's parameters; `at` makes the name of a new one.
    pub(super) fn draw(candidate: &Candidate, at: usize, random: &mut Rng) -> Self {
        let names = &candidate.parameters;
        match (random.u8(0..3), names.len()) {
            (1, 1..) => Self::Remove {
                name: names[random.usize(..names.len())].clone(),
            },
            (2, 2..) => {
                let mut order = names.clone();
                let first = random.usize(..order.len() - 1);
                order.swap(first, first + 1);
                Self::Swap { order }
            }
            _ => Self::Add {
                name: format!("zq{at}"),
            },
        }
    }

    pub(super) fn request(&self, symbol: &str) -> EditSignatureRequest {
        let mut request = EditSignatureRequest {
            symbol: symbol.to_owned(),
            ..EditSignatureRequest::default()
        };
        match self {
            Self::Add { name } => {
                request.add = Some(format!("int {name}"));
                request.value = Some("0".to_owned());
            }
            Self::Remove { name } => request.remove = vec![name.clone()],
            Self::Swap { order } => request.order = order.clone(),
        }
        request
    }

    /// Whether a method of these types of parameters can have those afterwards.
    fn leads(&self, before: &[&str], after: &[&str]) -> bool {
        match self {
            Self::Add { .. } => is_without_one(after, before, Some("System.Int32")),
            Self::Remove { .. } => is_without_one(before, after, None),
            Self::Swap { .. } => {
                let [mut before, mut after] = [before.to_vec(), after.to_vec()];
                before.sort_unstable();
                after.sort_unstable();
                before == after
            }
        }
    }
}

impl fmt::Display for Change {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Add { name } => write!(f, "+ {name}"),
            Self::Remove { name } => write!(f, "- {name}"),
            Self::Swap { order } => write!(f, "({})", order.join(", ")),
        }
    }
}

/// Whether a list is another one with one element more, which has to be this one.
fn is_without_one(longer: &[&str], shorter: &[&str], element: Option<&str>) -> bool {
    longer.len() == shorter.len() + 1
        && (0..longer.len()).any(|at| {
            longer[..at] == shorter[..at]
                && longer[at + 1..] == shorter[at..]
                && element.is_none_or(|element| longer[at] == element)
        })
}

/// The types of the parameters in a documentation id.
fn parameters_of(id: &str) -> Vec<&str> {
    let Some((_, list)) = id.split_once('(') else {
        return Vec::new();
    };
    let list = list.rsplit_once(')').map_or(list, |(list, _)| list);
    let (mut depth, mut start, mut out) = (0_u32, 0, Vec::new());
    for (at, c) in list.char_indices() {
        match c {
            '{' | '[' | '(' => depth += 1,
            '}' | ']' | ')' => depth = depth.saturating_sub(1),
            ',' if depth == 0 => {
                out.push(&list[start..at]);
                start = at + 1;
            }
            _ => {}
        }
    }
    out.push(&list[start..]);
    out
}

/// So many differences are told.
const MAX_TOLD: usize = 6;

/// What differs that must not.
pub(super) fn compare(before: &Exported, after: &Exported, change: &Change) -> Vec<String> {
    let [old_ids, new_ids] = [before, after].map(declared_ids);
    let mut problems = Vec::new();
    let mut come: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for id in new_ids.difference(&old_ids) {
        come.entry(path_of(id)).or_default().push(id);
    }
    let mut names: HashMap<&str, &str> = HashMap::new();
    for id in old_ids.difference(&new_ids) {
        let types = parameters_of(id);
        let partners = come.entry(path_of(id)).or_default();
        let found =
            (partners.iter()).position(|partner| change.leads(&types, &parameters_of(partner)));
        match found {
            Some(at) => {
                names.insert(partners.remove(at), id);
            }
            None => problems.push(format!("gone: {id}")),
        }
    }
    problems.extend(come.values().flatten().map(|id| format!("new: {id}")));
    let old = uses(before, &HashMap::new());
    let new = uses(after, &names);
    let (gone, come) = difference(&old, &new);
    let is_told = !matches!(change, Change::Remove { .. });
    let gone = gone.iter().filter(|_| is_told);
    problems.extend(gone.map(|record| format!("gone: {record}")));
    problems.extend(come.iter().map(|record| format!("new: {record}")));
    problems.truncate(MAX_TOLD);
    problems
}

fn declared_ids(exported: &Exported) -> BTreeSet<String> {
    let lines = exported.text.lines();
    let members = lines.filter(|line| line.starts_with("{\"k\":\"member\""));
    members
        .filter_map(|line| serde_json::from_str::<Value>(line).ok())
        .map(|record| text(&record, "id").to_owned())
        .collect()
}

/// What each file refers to from which members, sorted. `names`: the former ids of those that have another one.
fn uses(exported: &Exported, names: &HashMap<&str, &str>) -> Vec<String> {
    let former = |id: &str| names.get(id).copied().unwrap_or(id).to_owned();
    let records = exported.text.lines().filter_map(|line| {
        let record: Value = serde_json::from_str(line).ok()?;
        let [to, inside] = ["to", "in"].map(|field| former(text(&record, field)));
        let [kind, file, asm, how] = ["k", "f", "asm", "how"].map(|field| text(&record, field));
        let sure = &record["sure"];
        (!to.is_empty() && !file.is_empty())
            .then(|| format!("{kind} {file} of {asm} {how} to {to} in {inside} sure {sure}"))
    });
    let mut records: Vec<String> = records.collect();
    records.sort_unstable();
    records
}
