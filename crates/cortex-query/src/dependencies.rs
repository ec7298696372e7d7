//! Types and what they depend on, compact, kept from one question to the next.
//!
//! Owns: what is read of a snapshot for questions to its graph as a whole, how it is kept and brought up to date.
//! Must not know: the questions.

mod code;
mod kept;
#[cfg(test)]
mod tests;
mod uses;

use cortex_model::{Accessibility, EdgeKinds, RepoPath, TypeKey, TypeKind};

pub(crate) use kept::{MAX_DIRECT, N_TOP};
pub(crate) use uses::{TypeUses, Uses};

/// The types of a snapshot, by key, and the edges between them, by source, then target.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct Dependencies {
    pub(crate) projects: Vec<Project>,
    pub(crate) paths: Vec<RepoPath>,
    pub(crate) types: Vec<Type>,
    edges: Edges,
}

/// The edges between types that are told by their place alone.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
struct Edges {
    /// The types.
    keys: Vec<TypeKey>,
    /// Where the edges of each type start; one more at the end.
    starts: Vec<u32>,
    all: Vec<Dependency>,
}

impl Edges {
    fn of(&self, at: usize) -> &[Dependency] {
        &self.all[self.starts[at] as usize..self.starts[at + 1] as usize]
    }
}

/// A project.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct Project {
    pub(crate) path: RepoPath,
    pub(crate) assembly: String,
    pub(crate) is_test: bool,
}

/// A type.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Type {
    pub(crate) key: TypeKey,
    /// ``Ns.Outer`1+Inner``.
    pub(crate) fqn: String,
    pub(crate) kind: TypeKind,
    pub(crate) effective: Accessibility,
    /// Index into [`Dependencies::projects`].
    pub(crate) project: u32,
    /// Of its first declaration: index into [`Dependencies::paths`].
    pub(crate) path: u32,
    /// Of its first declaration.
    pub(crate) line: u32,
}

/// A dependency on another type.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct Dependency {
    /// Index of a type.
    pub(crate) target: u32,
    pub(crate) kinds: EdgeKinds,
    /// At how many places.
    pub(crate) count: u32,
}

impl Dependencies {
    pub(crate) fn n_types(&self) -> usize {
        self.types.len()
    }

    /// The index of a type.
    pub(crate) fn index(&self, key: TypeKey) -> Option<usize> {
        self.types.binary_search_by_key(&key, |ty| ty.key).ok()
    }

    /// What a type depends on, by target; never on itself.
    pub(crate) fn of(&self, at: usize) -> &[Dependency] {
        self.edges.of(at)
    }

    pub(crate) fn project(&self, ty: &Type) -> &Project {
        &self.projects[ty.project as usize]
    }

    pub(crate) fn path(&self, ty: &Type) -> &RepoPath {
        &self.paths[ty.path as usize]
    }

    pub(crate) fn is_test(&self, at: usize) -> bool {
        self.project(&self.types[at]).is_test
    }

    /// The same with its edges turned round. O(types + edges).
    pub(crate) fn reversed(&self) -> Reversed {
        let mut starts = vec![0u32; self.types.len() + 1];
        for edge in &self.edges.all {
            starts[edge.target as usize + 1] += 1;
        }
        for at in 1..starts.len() {
            starts[at] += starts[at - 1];
        }
        let mut next = starts.clone();
        let mut edges = vec![None; self.edges.all.len()];
        for from in 0..self.types.len() {
            for edge in self.of(from) {
                let slot = &mut next[edge.target as usize];
                edges[*slot as usize] = Some(Dependency {
                    target: from as u32,
                    ..*edge
                });
                *slot += 1;
            }
        }
        Reversed {
            starts,
            edges: edges.into_iter().flatten().collect(),
        }
    }
}

/// Who depends on each type: [`Dependency::target`] is the dependent.
pub(crate) struct Reversed {
    starts: Vec<u32>,
    edges: Vec<Dependency>,
}

impl Reversed {
    /// The types that depend on one, by index.
    pub(crate) fn of(&self, at: usize) -> &[Dependency] {
        &self.edges[self.starts[at] as usize..self.starts[at + 1] as usize]
    }
}
