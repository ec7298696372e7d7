//! Types, namespaces or projects that depend on each other in circles, and the dependencies that close the circles.
//!
//! Owns: which dependencies to cut. Must not know: how cycles are shown.

pub(crate) mod cut;

use crate::bounded::{Bounded, limits_of_found};
use crate::{
    QueryError,
    cycles::cut::{Edge, closing, shortest_cycle},
    deps::{GraphWanted, graph_of, type_of},
    graph::TypeGraph,
    passing::Passing,
    viewpoint::Viewpoint,
};
use cortex_derived::dependencies::Dependencies;
use cortex_wire::{Cycle, CycleEdge, CycleMember, CyclesAnswer, CyclesBy};

use std::collections::{BTreeMap, BTreeSet};

use cortex_model::{EdgeKind, EdgeKinds};
use petgraph::{algo::kosaraju_scc, graph::DiGraph};

/// What is looked at for cycles.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CyclesOptions {
    /// What depends on each other.
    pub by: CyclesBy,
    /// Only the cycle of this type.
    pub symbol: Option<String>,
    /// Whether the graph is wanted.
    pub graph: GraphWanted,
}

/// The dependencies of one group on another.
struct Joined {
    kinds: EdgeKinds,
    count: u32,
    /// The largest of them: places, and the two types.
    largest: (u32, usize, usize),
}

/// Finds cycles. Documentation, and what a type declares inside of itself, makes none. With the types of these cycles
/// as a graph; empty for namespaces and projects, and where it is not wanted.
///
/// # Errors
/// Those of [`crate::subject::find_symbol`].
pub fn cycles(
    view: &Viewpoint<'_>,
    options: &CyclesOptions,
) -> Result<Bounded<(CyclesAnswer, TypeGraph)>, QueryError> {
    let asked = match &options.symbol {
        Some(text) => Some(type_of(view, text)?),
        None => None,
    };
    let all = Dependencies::of_snapshot(view.timed())?;
    let (asked, subject) = match asked {
        Some((symbol, subject)) => (all.index(symbol.key), Some(subject)),
        None => (None, None),
    };
    let passing = Passing::of(view, &all)?;
    let groups = Groups::of(&all, &passing, options.by);
    let Groups { keys, group_of, .. } = &groups;
    view.limits.check("find cycles")?;
    let edges = joined(&all, group_of);
    let mut components = components(&edges);
    if let Some(at) = asked {
        components
            .retain(|nodes| group_of[at].is_some_and(|group| nodes.binary_search(&group).is_ok()));
    }
    components.sort_by_key(|nodes| (std::cmp::Reverse(nodes.len()), nodes[0]));
    let n_cycles = components.len();
    components.truncate(view.limits.n_items);
    let firsts = groups.first_types(&all);
    let first_of = |group: u32| firsts[group as usize];
    let mut shown: BTreeSet<(usize, usize)> = BTreeSet::new();
    let mut cycles = Vec::new();
    let mut timed_out = false;
    for nodes in components {
        if view.limits.is_over() {
            timed_out = true;
            break;
        }
        let inner = edges_within(&nodes, &edges);
        let described = |edge: &Edge| {
            let (from, to) = (nodes[edge.from as usize], nodes[edge.to as usize]);
            let joined = &edges[&(from, to)];
            let (_, left, right) = joined.largest;
            let ends = (all.types[left].fqn.clone(), all.types[right].fqn.clone());
            let (from, to) = (keys[from as usize].0.clone(), keys[to as usize].0.clone());
            CycleEdge {
                example: (ends.0 != from || ends.1 != to).then_some(ends),
                from,
                to,
                kinds: joined.kinds.iter().collect(),
                count: joined.count,
            }
        };
        let members = nodes.iter().map(|&group| {
            let ty = (options.by == CyclesBy::Type)
                .then(|| first_of(group))
                .flatten()
                .map(|at| passing.place(&all, at));
            CycleMember {
                name: keys[group as usize].0.clone(),
                file: ty.map(|(file, _)| file.clone()),
                line: ty.map(|(_, line)| line),
            }
        });
        let members = members.collect();
        if options.by == CyclesBy::Type {
            for edge in &inner {
                let (from, to) = (nodes[edge.from as usize], nodes[edge.to as usize]);
                shown.extend(first_of(from).zip(first_of(to)));
            }
        }
        cycles.push(Cycle {
            members,
            n_edges: inner.len(),
            example: shortest_cycle(nodes.len(), &inner)
                .iter()
                .map(&described)
                .collect(),
            closing: closing(nodes.len(), &inner)
                .iter()
                .map(&described)
                .collect(),
        });
    }
    let graph = match options.graph {
        GraphWanted::Yes => graph_of(&all, &[], &with_kinds(shown, group_of, &edges)),
        GraphWanted::No => TypeGraph::new(),
    };
    let limits = limits_of_found("find cycles", [cycles.len(), n_cycles], timed_out)?;
    let answer = CyclesAnswer {
        subject,
        by: options.by,
        n_nodes: keys.len(),
        n_cycles,
        cycles,
    };
    Ok(Bounded {
        answer: (answer, graph),
        limits,
    })
}

/// Edges between types, each with the kinds of the dependencies between their groups.
fn with_kinds(
    shown: BTreeSet<(usize, usize)>,
    group_of: &[Option<u32>],
    edges: &BTreeMap<(u32, u32), Joined>,
) -> Vec<(usize, usize, EdgeKinds)> {
    let edges = shown.into_iter().filter_map(|(from, to)| {
        let (left, right) = (group_of[from]?, group_of[to]?);
        Some((from, to, edges[&(left, right)].kinds))
    });
    edges.collect()
}

/// The dependencies between some groups, which are numbered by their places in the list.
fn edges_within(nodes: &[u32], edges: &BTreeMap<(u32, u32), Joined>) -> Vec<Edge> {
    let place = |group: u32| nodes.binary_search(&group).ok();
    let within = edges.iter().filter_map(|(&(from, to), joined)| {
        Some(Edge {
            from: place(from)? as u32,
            to: place(to)? as u32,
            weight: joined.count.max(1),
        })
    });
    within.collect()
}

/// What may form cycles: types, namespaces or projects, by name.
struct Groups {
    /// The names, ascending; of two types of one name each is a group.
    keys: Vec<(String, u32)>,
    /// The group of each type; `None` for those that the answer may not show.
    group_of: Vec<Option<u32>>,
}

impl Groups {
    fn of(all: &Dependencies, passing: &Passing, by: CyclesBy) -> Self {
        let mut groups: BTreeMap<(String, u32), u32> = BTreeMap::new();
        let mut names: Vec<Option<(String, u32)>> = vec![None; all.n_types()];
        for (at, ty) in all.types.iter().enumerate() {
            if !passing.has(all, at) {
                continue;
            }
            let outer = ty.fqn.split('+').next().unwrap_or(&ty.fqn);
            let name = match by {
                CyclesBy::Type => (outer.to_owned(), ty.project),
                CyclesBy::Namespace => (namespace_of(outer).to_owned(), 0),
                CyclesBy::Project => (all.project(ty).path.as_str().to_owned(), 0),
            };
            groups.insert(name.clone(), 0);
            names[at] = Some(name);
        }
        for (slot, at) in groups.values_mut().zip(0..) {
            *slot = at;
        }
        let group_of = names.iter();
        let group_of = group_of.map(|name| name.as_ref().map(|name| groups[name]));
        Self {
            group_of: group_of.collect(),
            keys: groups.into_keys().collect(),
        }
    }

    /// A type of each group: the one with the group's name where there is one, not one nested in it.
    fn first_types(&self, all: &Dependencies) -> Vec<Option<usize>> {
        let mut firsts: Vec<Option<usize>> = vec![None; self.keys.len()];
        for (at, group) in self.group_of.iter().enumerate() {
            let Some(group) = group.map(|group| group as usize) else {
                continue;
            };
            if firsts[group].is_none() || all.types[at].fqn == self.keys[group].0 {
                firsts[group] = Some(at);
            }
        }
        firsts
    }
}

/// The groups that depend on each other in circles, each list ascending.
fn components(edges: &BTreeMap<(u32, u32), Joined>) -> Vec<Vec<u32>> {
    let graph = DiGraph::<(), ()>::from_edges(edges.keys().copied());
    let components = kosaraju_scc(&graph).into_iter();
    let sorted = components.filter(|nodes| nodes.len() > 1).map(|nodes| {
        let mut nodes: Vec<u32> = nodes.into_iter().map(|node| node.index() as u32).collect();
        nodes.sort_unstable();
        nodes
    });
    sorted.collect()
}

/// The dependencies between groups.
fn joined(all: &Dependencies, group_of: &[Option<u32>]) -> BTreeMap<(u32, u32), Joined> {
    let mut out: BTreeMap<(u32, u32), Joined> = BTreeMap::new();
    for at in 0..all.n_types() {
        let Some(from) = group_of[at] else { continue };
        for edge in all.of(at) {
            let target = edge.target as usize;
            let Some(to) = group_of[target].filter(|to| *to != from) else {
                continue;
            };
            let kinds = edge.kinds.without(EdgeKind::Doc).without(EdgeKind::Nested);
            if kinds.is_empty() {
                continue;
            }
            let joined = out.entry((from, to)).or_insert(Joined {
                kinds: EdgeKinds::EMPTY,
                count: 0,
                largest: (edge.count, at, target),
            });
            joined.kinds = joined.kinds.union(kinds);
            joined.count = joined.count.saturating_add(edge.count.max(1));
            let name = |at: usize, target: usize| (&all.types[at].fqn, &all.types[target].fqn);
            let (count, left, right) = joined.largest;
            if edge.count > count || edge.count == count && name(at, target) < name(left, right) {
                joined.largest = (edge.count, at, target);
            }
        }
    }
    out
}

fn namespace_of(fqn: &str) -> &str {
    let outer = fqn.split('`').next().unwrap_or(fqn);
    outer.rfind('.').map_or("(global)", |dot| &fqn[..dot])
}
