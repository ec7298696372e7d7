//! Callees that say little each: properties and fields, and types from outside, as groups with their numbers.

use std::collections::BTreeMap;

use cortex_wire::{CallEdge, CallItem, CallsAnswer, Direction, Role, SymbolKind};

use super::{calls::passive, short};
use crate::{
    RenderOptions,
    markdown::plan::{counted, grouped},
    more::More,
};

/// Fewer of one sort stand by themselves, each with its places.
const MIN_FOLDED: usize = 4;

/// So many names stand in one row.
const NAMES_PER_ROW: usize = 12;

/// Items that share a heading.
pub(super) struct Folded {
    pub(super) heading: String,
    pub(super) rows: Vec<String>,
}

/// Names by what is done with them.
type Rows = BTreeMap<Vec<Role>, Vec<String>>;

/// The items of a ring that stand by themselves, and the others in groups.
pub(super) fn folded<'a>(
    answer: &CallsAnswer,
    ring: &'a [CallItem],
    edges: &BTreeMap<&str, Vec<&CallEdge>>,
    options: &RenderOptions<'_>,
) -> (Vec<&'a CallItem>, Vec<Folded>) {
    if answer.direction == Direction::Callers {
        return (ring.iter().collect(), Vec::new());
    }
    let of = |item: &CallItem| {
        edges
            .get(item.doc_id.as_str())
            .map_or(&[][..], Vec::as_slice)
    };
    let is_data = |item: &&CallItem| {
        let mut roles = of(item).iter().flat_map(|edge| &edge.contexts);
        let is_plain = item.through_outside == 0 && item.frameworks.is_empty();
        is_plain && item.is_data() && roles.all(|it| matches!(it, Role::Read | Role::Write))
    };
    let (outside, inside): (Vec<&CallItem>, Vec<&CallItem>) =
        (ring.iter()).partition(|item| item.kind == SymbolKind::External);
    let (mut data, mut items): (Vec<&CallItem>, Vec<&CallItem>) =
        inside.into_iter().partition(is_data);
    let mut out = Vec::new();
    if data.len() < MIN_FOLDED {
        items.append(&mut data);
    } else {
        let mut rows: BTreeMap<Vec<Role>, Vec<&CallItem>> = BTreeMap::new();
        for &item in &data {
            let mut roles: Vec<Role> = (of(item).iter())
                .flat_map(|edge| edge.contexts.iter().copied())
                .collect();
            roles.sort_unstable();
            roles.dedup();
            rows.entry(roles).or_default().push(item);
        }
        out.push(Folded {
            heading: format!(
                "{} (places: {})",
                counted(data.len(), "property or field", "properties and fields"),
                options.more(More::Json)
            ),
            rows: (rows.iter())
                .map(|(roles, items)| row(roles, by_type(items)))
                .collect(),
        });
    }
    // By caller: the place that is known.
    let mut callers: BTreeMap<&str, (String, Rows)> = BTreeMap::new();
    for item in &outside {
        for edge in of(item) {
            let (_, rows) = callers.entry(&edge.from).or_insert_with(|| {
                let at = edge.caller.as_ref();
                let at = at.map_or(String::new(), |at| format!(" {}:{}", at.file, at.line));
                (at, Rows::new())
            });
            let name = item.doc_id.strip_prefix("T:").unwrap_or(&item.doc_id);
            let name = format!("{name}{}", super::only_in(&edge.frameworks));
            rows.entry(edge.contexts.clone()).or_default().push(name);
        }
    }
    for (from, (at, rows)) in callers {
        let n = rows.values().map(Vec::len).sum();
        let types = counted(n, "external type", "external types");
        out.push(Folded {
            heading: format!("{types} in {}{at}", short(from)),
            rows: (rows.into_iter())
                .map(|(roles, names)| row(&roles, names))
                .collect(),
        });
    }
    (items, out)
}

/// `read: A.B, C.D`.
fn row(roles: &[Role], mut names: Vec<String>) -> String {
    let n = names.len();
    if n > NAMES_PER_ROW {
        names.truncate(NAMES_PER_ROW);
        names.push(format!("{} more", grouped(n - NAMES_PER_ROW)));
    }
    let words: Vec<&str> = roles.iter().map(|role| passive(*role)).collect();
    format!("{}: {}", words.join(", "), names.join(", "))
}

/// Names of members, those of one type together: `Order.{Id, Name}`.
fn by_type(items: &[&CallItem]) -> Vec<String> {
    let mut types: Vec<(&str, Vec<&str>)> = Vec::new();
    for item in items {
        let name = short(&item.doc_id);
        let (ty, member) = name.rsplit_once('.').unwrap_or(("", name));
        match types.iter_mut().find(|(known, _)| *known == ty) {
            Some((_, members)) => members.push(member),
            None => types.push((ty, vec![member])),
        }
    }
    let joined = types.into_iter().map(|(ty, members)| match members[..] {
        [one] => format!("{ty}.{one}"),
        _ => format!("{ty}.{{{}}}", members.join(", ")),
    });
    joined.collect()
}
