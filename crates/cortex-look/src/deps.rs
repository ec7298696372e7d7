//! What a type depends on, who depends on it, and how one gets from one type to another.
//!
//! Must not know: how graphs are written.

use crate::{
    QueryError,
    graph::{
        GraphEdge, GraphNode, GraphOrigin, TypeGraph,
        measure::{Measures, measure as measures_of},
    },
    passing::Passing,
    subject::find_symbol,
    symbol::resolved::{Symbol, SymbolPart},
    viewpoint::Viewpoint,
};
use cortex_derived::dependencies::{Dependencies, Dependency};
use cortex_wire::{DepsAnswer, DepsPath, DepsSide, DepsStep, DepsType, OutsideDependency, Subject};

use std::collections::VecDeque;

use cortex_model::{EdgeKind, EdgeKinds};
use petgraph::graph::NodeIndex;

/// What of a type's dependencies is wanted.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct DepsOptions {
    /// Which side of them.
    pub direction: DepsDirection,
    /// The type to which a way is looked for.
    pub path_to: Option<String>,
    /// Whether the graph is wanted.
    pub graph: GraphWanted,
}

/// Whether an answer has a graph: its measures are those in the graph of the whole repository, and take a while.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum GraphWanted {
    /// It is left empty.
    No,
    /// It is made.
    Yes,
}

/// Which side of a type.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum DepsDirection {
    /// What it depends on.
    Out,
    /// Who depends on it.
    In,
    /// Both.
    Both,
}

/// Finds the dependencies of a type; of a member those of its type. With the types that the answer names as a graph:
/// the first is the type itself; empty where it is not wanted.
///
/// # Errors
/// Those of [`find_symbol`].
pub fn deps(
    view: &Viewpoint<'_>,
    text: &str,
    options: &DepsOptions,
) -> Result<(DepsAnswer, TypeGraph), QueryError> {
    let (symbol, subject) = type_of(view, text)?;
    let target = match &options.path_to {
        Some(text) => Some(path_target(view, text, &symbol)?),
        None => None,
    };
    let snapshot = view.snapshot();
    let all = Dependencies::of_snapshot(view.timed())?;
    let damaged = || cortex_index::IndexError::Damaged { what: "type" };
    let at = all.index(symbol.key).ok_or_else(damaged)?;
    let passing = Passing::of(view, &all)?;
    let passes = |edge: &&Dependency| {
        passing.has(&all, edge.target as usize)
            && edge.kinds != EdgeKinds::EMPTY.with(EdgeKind::Nested)
    };
    let side = |edges: &[Dependency]| {
        let mut edges: Vec<Dependency> = edges.iter().filter(passes).copied().collect();
        edges.sort_by_key(|edge| {
            (
                std::cmp::Reverse(edge.count),
                &all.types[edge.target as usize].fqn,
                edge.target,
            )
        });
        let n_types = edges.len();
        edges.truncate(view.limits.n_items);
        (n_types, edges)
    };
    view.limits.check("find dependencies")?;
    let out = (options.direction != DepsDirection::In).then(|| side(all.of(at)));
    let into = (options.direction != DepsDirection::Out).then(|| {
        let reversed = all.reversed();
        side(reversed.of(at))
    });
    let told = |(n_types, edges): &(usize, Vec<Dependency>)| -> Result<DepsSide, QueryError> {
        let types = edges.iter().map(|edge| {
            let ty = &all.types[edge.target as usize];
            let (file, line) = passing.place(&all, edge.target as usize);
            Ok(DepsType {
                frameworks: Vec::new(),
                name: ty.fqn.clone(),
                id: snapshot.display_id(ty.key)?,
                kind: ty.kind,
                file: file.clone(),
                line,
                kinds: edge.kinds.iter().collect(),
                count: edge.count,
                is_test: all.project(ty).is_test,
            })
        });
        Ok(DepsSide {
            n_types: *n_types,
            types: types.collect::<Result<_, QueryError>>()?,
        })
    };
    let outside = match options.direction != DepsDirection::In && view.filter.has_outside() {
        true => external_dependencies(view, &symbol)?,
        false => Vec::new(),
    };
    let mut edges = shown_edges(at, out.as_ref(), into.as_ref());
    let mut path = None;
    if let Some((other, other_subject)) = target {
        let to = all.index(other.key).ok_or_else(damaged)?;
        let (mut steps, mut is_reversed) = (shortest(&all, at, to), false);
        if steps.is_empty() && at != to {
            steps = shortest(&all, to, at);
            is_reversed = !steps.is_empty();
        }
        // The way leads through everything; what does not pass is counted on it.
        let may_tell = |node: usize| node == at || node == to || passing.has(&all, node);
        edges = (steps.iter())
            .map(|step| (step.0, step.1.target as usize, step.1.kinds))
            .filter(|(from, to, _)| may_tell(*from) && may_tell(*to))
            .collect();
        path = Some(DepsPath {
            to: other.node.fqn.clone(),
            corrected_from: other_subject.corrected_from,
            is_reversed,
            steps: told_steps(&all, &steps, &may_tell),
        });
    }
    let graph = match options.graph {
        GraphWanted::Yes => graph_of(&all, &[at], &edges),
        GraphWanted::No => TypeGraph::new(),
    };
    let answer = DepsAnswer {
        subject,
        depends_on: out.as_ref().map(told).transpose()?,
        used_by: into.as_ref().map(told).transpose()?,
        outside,
        path,
    };
    Ok((answer, graph))
}

/// A side as an answer has it: how many types in all, and the first of them.
type Side = (usize, Vec<Dependency>);

/// The dependencies of a type that the answer names, as edges of a graph.
fn shown_edges(
    at: usize,
    out: Option<&Side>,
    into: Option<&Side>,
) -> Vec<(usize, usize, EdgeKinds)> {
    let out = out.into_iter().flat_map(|(_, edges)| edges);
    let into = into.into_iter().flat_map(|(_, edges)| edges);
    out.map(|edge| (at, edge.target as usize, edge.kinds))
        .chain(into.map(|edge| (edge.target as usize, at, edge.kinds)))
        .collect()
}

/// The type to which a path is requested: of several of a name the one in the assembly of the type that it starts from.
fn path_target(
    view: &Viewpoint<'_>,
    text: &str,
    start: &Symbol,
) -> Result<(Symbol, Subject), QueryError> {
    match type_of(view, &format!("{text}@{}", start.node.assembly)) {
        Ok(found) if found.1.corrected_from.is_none() => Ok(found),
        Ok(_) | Err(QueryError::SymbolNotFound { .. } | QueryError::AmbiguousSymbol { .. }) => {
            type_of(view, text)
        }
        Err(error) => Err(error),
    }
}

/// What a type depends on in packages and frameworks.
fn external_dependencies(
    view: &Viewpoint<'_>,
    symbol: &Symbol,
) -> Result<Vec<OutsideDependency>, QueryError> {
    let edges = view.snapshot().edges(symbol.key)?.external.into_iter();
    let external = edges.map(|edge| OutsideDependency {
        frameworks: Vec::new(),
        name: edge.id.strip_prefix("T:").unwrap_or(&edge.id).to_owned(),
        assembly: edge.assembly.into(),
        kinds: edge.kinds.iter().collect(),
    });
    let mut external: Vec<OutsideDependency> = external.collect();
    external.sort();
    Ok(external)
}

/// A way in words: types of which the answer may not speak are counted where they lie.
fn told_steps(
    all: &Dependencies,
    steps: &[(usize, Dependency)],
    may_tell: &dyn Fn(usize) -> bool,
) -> Vec<DepsStep> {
    let name = |at: usize| all.types[at].fqn.clone();
    let mut out: Vec<DepsStep> = Vec::new();
    for (from, edge) in steps {
        let to = edge.target as usize;
        match out.last_mut() {
            Some(last) if !may_tell(*from) => {
                last.to = name(to);
                last.n_outside += usize::from(!may_tell(to));
            }
            _ => out.push(match may_tell(to) {
                true => DepsStep {
                    from: name(*from),
                    to: name(to),
                    n_outside: 0,
                    kinds: edge.kinds.iter().collect(),
                    count: edge.count,
                },
                // The end is known when the way comes back.
                false => DepsStep {
                    from: name(*from),
                    to: String::new(),
                    n_outside: 1,
                    kinds: Vec::new(),
                    count: 0,
                },
            }),
        }
    }
    out
}

/// The type that a text means, or that declares the member that it means.
pub(crate) fn type_of(view: &Viewpoint<'_>, text: &str) -> Result<(Symbol, Subject), QueryError> {
    let (symbol, subject) = find_symbol(view, text)?;
    if symbol.part == SymbolPart::Whole {
        return Ok((symbol, subject));
    }
    let symbol = Symbol {
        part: SymbolPart::Whole,
        ..symbol
    };
    let of_type = crate::subject::subject_of(view, &symbol)?;
    let subject = Subject {
        resolved: of_type.resolved,
        ..subject
    };
    Ok((symbol, subject))
}

/// One of the shortest ways: of several the one whose last steps are at most places,
/// then by name. O(types + edges).
fn shortest(all: &Dependencies, from: usize, to: usize) -> Vec<(usize, Dependency)> {
    let mut before: Vec<Option<(usize, Dependency)>> = vec![None; all.n_types()];
    let mut distance = vec![u32::MAX; all.n_types()];
    distance[from] = 0;
    let mut queue = VecDeque::from([from]);
    while let Some(at) = queue.pop_front() {
        if distance[to] <= distance[at] {
            break;
        }
        for edge in all.of(at) {
            let next = edge.target as usize;
            let is_new = distance[next] == u32::MAX;
            let order = |from: usize, edge: &Dependency| {
                (std::cmp::Reverse(edge.count), all.types[from].fqn.as_str())
            };
            let is_better = !is_new
                && distance[next] == distance[at] + 1
                && before[next]
                    .as_ref()
                    .is_some_and(|(old, known)| order(at, edge) < order(*old, known));
            if is_new {
                distance[next] = distance[at] + 1;
                queue.push_back(next);
            }
            if is_new || is_better {
                before[next] = Some((at, *edge));
            }
        }
    }
    let mut out = Vec::new();
    let mut at = to;
    while at != from {
        let Some((from, edge)) = before[at] else {
            return Vec::new();
        };
        out.push((from, edge));
        at = from;
    }
    out.reverse();
    out
}

/// Some types and edges as a graph: these types first, then the ends of edges by assembly and name; edges by their
/// ends. Measures are those in the graph of the whole repository.
pub(crate) fn graph_of(
    all: &Dependencies,
    first: &[usize],
    edges: &[(usize, usize, EdgeKinds)],
) -> TypeGraph {
    let whole = petgraph::graph::DiGraph::<(), ()>::from_edges(
        (0..all.n_types()).flat_map(|at| all.of(at).iter().map(move |it| (at as u32, it.target))),
    );
    let measures = measures_of(&whole);
    let mut ends: Vec<usize> = edges.iter().flat_map(|&(from, to, _)| [from, to]).collect();
    ends.retain(|at| !first.contains(at));
    ends.sort_by_key(|&at| {
        let ty = &all.types[at];
        (&all.project(ty).assembly, &ty.fqn, ty.key)
    });
    ends.dedup();
    let mut out = TypeGraph::new();
    let order: Vec<usize> = first.iter().copied().chain(ends).collect();
    for &at in &order {
        let ty = &all.types[at];
        out.add_node(GraphNode {
            id: format!("T:{}", ty.fqn.replace('+', ".")),
            assembly: all.project(ty).assembly.clone(),
            origin: GraphOrigin::Source {
                kind: ty.kind,
                project: all.project(ty).path.clone(),
            },
            measures: measures.get(at).copied().unwrap_or(Measures::default()),
        });
    }
    let index = |at: usize| order.iter().position(|it| *it == at).map(NodeIndex::new);
    let mut edges: Vec<(NodeIndex, NodeIndex, EdgeKinds)> = (edges.iter())
        .filter_map(|&(from, to, kinds)| Some((index(from)?, index(to)?, kinds)))
        .collect();
    edges.sort_unstable();
    edges.dedup_by_key(|it| (it.0, it.1));
    for (from, to, kinds) in edges {
        out.add_edge(from, to, GraphEdge { kinds });
    }
    out
}
