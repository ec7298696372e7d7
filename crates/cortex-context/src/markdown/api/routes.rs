//! Routes that came or went, or whose handlers run something else: rows of their own, in groups of one cause.
//!
//! Owns: which routes share a row. Must not know: how API changes are told.

use std::collections::{BTreeMap, BTreeSet};

use cortex_model::RepoPath;
use cortex_wire::{DiffContext, RouteChange, What};

use super::{ROUTES, contracts, first, further, row, template};
use crate::{
    markdown::{
        parameters,
        plan::{Item, Tail, untold},
    },
    text::line,
};

/// Routes by the items of the section that tell them, the most important first. Requests come from elsewhere: those that
/// the space is not enough for are named.
#[derive(Default)]
pub(super) struct ToldRoutes(Vec<(usize, String)>);

impl ToldRoutes {
    /// Adds the rows of groups of routes.
    pub(super) fn add<'g>(
        &mut self,
        items: &mut Vec<Item<'_>>,
        groups: impl IntoIterator<Item = &'g &'g Vec<&'g RouteChange>>,
    ) {
        for group in groups {
            let names = group.iter().map(|it| (items.len(), route_name(it)));
            self.0.extend(names);
            items.push(row(route_line(group), ROUTES, group.len()));
        }
    }
}

impl ToldRoutes {
    /// `None` without routes: space is kept for a tail.
    pub(super) fn into_tail<'a>(self) -> Option<Box<dyn Tail + 'a>> {
        match self.0.is_empty() {
            true => None,
            false => Some(Box::new(self)),
        }
    }
}

impl Tail for ToldRoutes {
    fn lines(&self, is_taken: &dyn Fn(usize) -> bool) -> Vec<String> {
        let cut = self.0.iter().filter(|(item, _)| !is_taken(*item));
        let cut: Vec<&str> = cut.map(|(_, name)| name.as_str()).collect();
        untold(&cut, "other routes")
    }
}

/// Groups of routes, those of handlers that changed themselves first, then those that run the least known of what changed.
pub(super) fn nearest_first<'g, 'a>(
    mut groups: Vec<&'g Vec<&'a RouteChange>>,
    answer: &DiffContext,
) -> Vec<&'g Vec<&'a RouteChange>> {
    let n_through = RouteChange::n_through(&answer.routes);
    groups.sort_by_key(|group| {
        let through = group[0].through.as_deref();
        through.map_or(0, |through| n_through[through])
    });
    groups
}

/// Routes in their order; those that differ for one reason together: what their actions run, or who may call them.
pub(super) fn route_groups(answer: &DiffContext) -> Vec<Vec<&RouteChange>> {
    let mut groups: Vec<Vec<&RouteChange>> = Vec::new();
    for route in &answer.routes {
        let cause = |it: &RouteChange| {
            // Who runs it through others may be anywhere.
            let path = (!it.is_indirect).then(|| it.path.clone());
            let was = it.was.as_deref().map(|was| former_type(was).to_owned());
            let gates = (it.authorization.clone(), it.filters.clone());
            (path, it.through.clone(), gates, was)
        };
        let has_cause = route.through.is_some() || is_gated_otherwise(route);
        let same = groups
            .iter_mut()
            .find(|group| cause(group[0]) == cause(route));
        match same.filter(|_| has_cause) {
            Some(group) => group.push(route),
            None => groups.push(vec![route]),
        }
    }
    together(groups)
}

/// So many routes of one file that came, or whose handlers changed, share a row.
const MIN_TOGETHER: usize = 3;

/// Where another type handled a route: `, was` and its name.
fn former_controller(route: &RouteChange) -> String {
    let was = route.was.as_deref();
    was.map_or_else(String::new, |was| {
        format!(", was {}", line(former_type(was)))
    })
}

/// Whether others may run the action of a route than before.
pub(super) fn is_gated_otherwise(route: &RouteChange) -> bool {
    route.authorization.is_some() || route.filters.is_some()
}

/// The type of a former handler.
fn former_type(was: &str) -> &str {
    was.rsplit_once('.').map_or(was, |(ty, _)| ty)
}

/// The same groups, those of single routes of one file to which the same happened as one where they are many.
fn together(groups: Vec<Vec<&RouteChange>>) -> Vec<Vec<&RouteChange>> {
    let kind = |group: &[&RouteChange]| {
        let [route] = group else { return None };
        let is_plain = route.through.is_none()
            && !is_gated_otherwise(route)
            && route.template_was.is_none()
            && route.parameters.is_empty();
        let was = route.was.as_deref().map(|was| former_type(was).to_owned());
        (is_plain && route.what != What::Removed).then(|| (route.what, route.path.clone(), was))
    };
    let mut n_of: BTreeMap<(What, RepoPath, Option<String>), usize> = BTreeMap::new();
    for group in &groups {
        if let Some(kind) = kind(group) {
            *n_of.entry(kind).or_default() += 1;
        }
    }
    let mut out: Vec<Vec<&RouteChange>> = Vec::new();
    let mut place: BTreeMap<(What, RepoPath, Option<String>), usize> = BTreeMap::new();
    for group in groups {
        let Some(kind) = kind(&group).filter(|kind| n_of[kind] >= MIN_TOGETHER) else {
            out.push(group);
            continue;
        };
        match place.get(&kind) {
            Some(&at) => out[at].extend(group),
            None => {
                place.insert(kind, out.len());
                out.push(group);
            }
        }
    }
    out
}

/// The routes of actions that may run what changed, those of all members together: what reaches one may reach another;
/// without those whose contracts are told. With the row of those that the first one leaves out. `has_more`: whether not all
/// were looked for.
pub(super) fn indirect_rows<'a>(
    groups: &[&Vec<&RouteChange>],
    answer: &DiffContext,
    has_more: bool,
) -> (Option<Item<'a>>, Option<String>) {
    let all: Vec<&RouteChange> = groups.iter().flat_map(|it| it.iter().copied()).collect();
    let mut names: Vec<String> = all.iter().map(|it| route_name(it)).collect();
    let Some(first_route) = groups.first().and_then(|it| it.first()) else {
        return (None, None);
    };
    let told: BTreeSet<String> = answer.contracts.iter().map(contracts::route).collect();
    names.retain(|name| !told.contains(name));
    let through = (first_route.through.as_ref()).filter(|_| groups.len() == 1);
    let what = through.map_or("the change".into(), |it| line(it));
    let more = match has_more {
        true => "; there may be more",
        false => "",
    };
    let text = match names.is_empty() {
        true => format!("routes that may reach {what}: those whose contracts changed{more}"),
        false => format!("routes that may reach {what}: {}{more}", first(&names)),
    };
    let further = further(&names);
    (
        Some(row(text, ROUTES, all.len())),
        further.map(|names| format!("also may reach {what}: {names}")),
    )
}

/// `GET /orders`.
fn route_name(route: &RouteChange) -> String {
    format!("{} {}", line(&route.verb), line(&route.template))
}

/// Routes that came or went, or that another handler or authorization is for.
fn route_line(group: &[&RouteChange]) -> String {
    let route = group[0];
    let path = line(route.path.as_str());
    let gates = [
        ("authorization", &route.authorization),
        ("filters", &route.filters),
    ];
    let gates = gates.into_iter().filter_map(|(what, change)| {
        let change = change.as_deref()?;
        Some(format!("{what} changed, {}", line(change)))
    });
    let gates: Vec<String> = gates.collect();
    if !gates.is_empty() {
        let names: Vec<String> = group.iter().map(|route| route_name(route)).collect();
        let names = first(&names);
        let controller = route.handler.split('.').next().unwrap_or_default();
        let was = former_controller(route);
        return format!(
            "{}: {} | {}{was} {path}",
            gates.join("; "),
            names,
            line(controller)
        );
    }
    if let Some(through) = &route.through {
        let names: Vec<String> = (group.iter())
            .map(|route| format!("{} :{}", route_name(route), route.line))
            .collect();
        return format!(
            "handler changed through {}: {} | {path}",
            line(through),
            first(&names)
        );
    }
    if group.len() > 1 {
        let what = match route.what {
            What::Added => "routes added",
            _ if route.was.is_some() => "handlers moved, routes the same",
            _ => "handlers changed",
        };
        let was = former_controller(route);
        let names: Vec<String> = (group.iter())
            .map(|it| format!("{} :{}", route_name(it), it.line))
            .collect();
        return format!("{what}: {} | {path}{was}", first(&names));
    }
    let what = match route.what {
        What::Removed => "breaking route removed",
        What::Added => "route added",
        What::Changed if route.template_was.is_some() => "route changed",
        What::Changed if route.was.is_some() => "handler moved, route the same",
        What::Changed => "handler changed",
    };
    let template = (route.template_was.as_deref()).map_or_else(String::new, |was| {
        template::difference(was, &route.template)
    });
    let was = (route.was.as_ref()).map_or_else(String::new, |was| format!(", was {}", line(was)));
    let takes = parameters::differences(&route.parameters);
    let takes = takes.map_or_else(String::new, |takes| format!(", takes {takes}"));
    format!(
        "{what}: {}{} | {}{was} {path}:{}{takes}",
        route_name(route),
        line(&template),
        line(&route.handler),
        route.line
    )
}
