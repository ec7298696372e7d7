//! The type graph of a snapshot: who depends on whom, in which cycles, how far from the leaves.
//!
//! Owns: nodes and edges as a `petgraph` graph, and their measures. Must not know: formats, rendering.

pub mod measure;
#[cfg(test)]
mod tests;

use crate::{QueryError, graph::measure::Measures};

use cortex_bind::TypeNode;
use cortex_index::Snapshot;
use cortex_model::{EdgeKind, EdgeKinds, RepoPath, TypeKey, TypeKind};
use petgraph::graph::{DiGraph, NodeIndex};
use rustc_hash::FxHashMap;

/// Which part of the graph is wanted.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct GraphOptions {
    /// Projects, each by its path or its assembly's name: their types and what these depend on directly.
    /// All projects where it is empty.
    pub projects: Vec<String>,
    /// Which edges.
    pub kinds: GraphKinds,
    /// Whether types from outside of the repository are nodes.
    pub externals: GraphExternals,
}

/// Which edges a graph has.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum GraphKinds {
    /// All, with all their kinds.
    #[default]
    All,
    /// Those that show in signatures, with their structural kinds alone.
    Structural,
}

/// Whether types from outside of the repository are nodes.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum GraphExternals {
    /// They are leaves.
    #[default]
    Leaves,
    /// They are left out.
    LeftOut,
}

/// A type.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct GraphNode {
    /// Its documentation id: ``T:Ns.Outer`1.Inner``.
    pub id: String,
    /// The simple name of its assembly.
    pub assembly: String,
    /// Where it is from.
    pub origin: GraphOrigin,
    /// Its measures in the graph of the whole repository with the chosen edges and externals: a limit to
    /// projects does not change them.
    pub measures: Measures,
}

/// Where a node is from.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum GraphOrigin {
    /// A type of this repository.
    Source {
        /// Its kind.
        kind: TypeKind,
        /// The project that compiles it.
        project: RepoPath,
    },
    /// A type from outside: a leaf.
    External,
}

impl GraphOrigin {
    /// The kind of type in a word: `class`, …, `external`.
    pub fn word(&self) -> &'static str {
        match self {
            Self::Source { kind, .. } => kind.name(),
            Self::External => "external",
        }
    }
}

/// A dependency of one type on another.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct GraphEdge {
    /// Why; never empty.
    pub kinds: EdgeKinds,
}

/// Types by assembly, then id, those of the repository first; edges by source, then target. No node has
/// an edge to itself, no two nodes have two edges in one direction.
pub type TypeGraph = DiGraph<GraphNode, GraphEdge>;

/// Builds the type graph of a snapshot. The same snapshot and options give the same graph.
///
/// Reads the maps of types and edges as a whole: O((types + edges) · log types).
///
/// # Errors
///
/// [`QueryError::UnknownProject`] where no project has a wanted path or assembly.
pub fn type_graph(snapshot: &Snapshot, options: &GraphOptions) -> Result<TypeGraph, QueryError> {
    let wanted = wanted_projects(snapshot, &options.projects)?;
    let mut graph = whole(snapshot, options)?;
    let measures = measure::measure(&graph);
    for (node, measures) in graph.node_weights_mut().zip(measures) {
        node.measures = measures;
    }
    Ok(match wanted {
        Some(projects) => limited(&graph, &projects),
        None => graph,
    })
}

/// The paths of the wanted projects, sorted; `None` for all.
fn wanted_projects(
    snapshot: &Snapshot,
    names: &[String],
) -> Result<Option<Vec<RepoPath>>, QueryError> {
    if names.is_empty() {
        return Ok(None);
    }
    let records = snapshot.projects()?;
    let mut wanted = Vec::new();
    for name in names {
        let before = wanted.len();
        let matching = records.iter().filter(|record| {
            record.project.path.as_str() == name || record.project.assembly == *name
        });
        wanted.extend(matching.map(|record| record.project.path.clone()));
        if wanted.len() == before {
            return Err(QueryError::UnknownProject(name.clone()));
        }
    }
    wanted.sort_unstable();
    Ok(Some(wanted))
}

/// Assembly and documentation id.
type ExternalKey = (Box<str>, Box<str>);

fn whole(snapshot: &Snapshot, options: &GraphOptions) -> Result<TypeGraph, QueryError> {
    let mut types: Vec<(TypeKey, GraphNode)> = snapshot
        .types()?
        .into_iter()
        .map(|(key, node)| (key, source_node(node)))
        .collect();
    types.sort_unstable_by(|(a, left), (b, right)| {
        (&left.assembly, &left.id, a).cmp(&(&right.assembly, &right.id, b))
    });
    let mut graph = TypeGraph::new();
    let mut by_key: FxHashMap<TypeKey, NodeIndex> = FxHashMap::default();
    for (key, node) in types.iter_mut() {
        let node = std::mem::replace(node, GraphNode::external(String::new(), String::new()));
        by_key.insert(*key, graph.add_node(node));
    }
    let mut outside: FxHashMap<ExternalKey, Vec<(NodeIndex, EdgeKinds)>> = FxHashMap::default();
    let chosen = |kinds: EdgeKinds| match options.kinds {
        GraphKinds::All => kinds,
        GraphKinds::Structural => kinds.iter().filter(|kind| kind.is_structural()).collect(),
    };
    for (key, _) in &types {
        let from = by_key[key];
        let edges = snapshot.edges(*key)?;
        let mut targets: Vec<(NodeIndex, EdgeKinds)> = edges
            .source
            .iter()
            .filter_map(|edge| Some((*by_key.get(&edge.target)?, chosen(edge.kinds))))
            .filter(|&(to, kinds)| to != from && !kinds.is_empty())
            .collect();
        targets.sort_unstable_by_key(|&(to, _)| to);
        for (to, kinds) in targets {
            graph.add_edge(from, to, GraphEdge { kinds });
        }
        if options.externals == GraphExternals::Leaves {
            for edge in edges.external {
                let kinds = chosen(edge.kinds);
                if !kinds.is_empty() {
                    let users = outside.entry((edge.assembly, edge.id)).or_default();
                    users.push((from, kinds));
                }
            }
        }
    }
    let mut outside: Vec<_> = outside.into_iter().collect();
    outside.sort_unstable_by(|(a, _), (b, _)| a.cmp(b));
    for ((assembly, id), users) in outside {
        let to = graph.add_node(GraphNode::external(id.into(), assembly.into()));
        for (from, kinds) in users {
            graph.add_edge(from, to, GraphEdge { kinds });
        }
    }
    Ok(graph)
}

fn source_node(node: TypeNode) -> GraphNode {
    GraphNode {
        id: format!("T:{}", node.fqn.replace('+', ".")),
        assembly: node.assembly,
        origin: GraphOrigin::Source {
            kind: node.kind,
            project: node.project,
        },
        measures: Measures::default(),
    }
}

impl GraphNode {
    fn external(id: String, assembly: String) -> Self {
        Self {
            id,
            assembly,
            origin: GraphOrigin::External,
            measures: Measures::default(),
        }
    }

    /// The name that people read: the id without its prefix.
    pub fn name(&self) -> &str {
        self.id.strip_prefix("T:").unwrap_or(&self.id)
    }
}

impl GraphEdge {
    /// The names of its kinds in declaration order, with commas.
    pub fn words(&self) -> String {
        let names: Vec<&str> = self.kinds.iter().map(EdgeKind::name).collect();
        names.join(", ")
    }
}

/// The types of some projects, what they depend on directly, and the edges from them.
fn limited(graph: &TypeGraph, projects: &[RepoPath]) -> TypeGraph {
    let is_wanted = |node: NodeIndex| match &graph[node].origin {
        GraphOrigin::Source { project, .. } => projects.binary_search(project).is_ok(),
        GraphOrigin::External => false,
    };
    let mut kept = vec![false; graph.node_count()];
    for node in graph.node_indices().filter(|&node| is_wanted(node)) {
        kept[node.index()] = true;
        for target in graph.neighbors(node) {
            kept[target.index()] = true;
        }
    }
    graph.filter_map(
        |node, weight| kept[node.index()].then(|| weight.clone()),
        |edge, weight| {
            let (from, _) = graph.edge_endpoints(edge)?;
            is_wanted(from).then_some(*weight)
        },
    )
}
