//! Types and what they depend on, compact, kept from one question to the next.
//!
//! Owns: what is read of a snapshot for questions to its graph as a whole, how it is kept and brought up to date.
//! Must not know: the questions.

pub(crate) mod code;
pub mod kept;
#[cfg(test)]
mod tests;
pub mod uses;

use cortex_model::{Accessibility, EdgeKinds, RepoPath, TypeKey, TypeKind};

/// The types of a snapshot, by key, and the edges between them, by source, then target.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Dependencies {
    /// By path.
    pub projects: Vec<Project>,
    /// The files that declare types, by path.
    pub paths: Vec<RepoPath>,
    /// By key.
    pub types: Vec<Type>,
    edges: Edges,
}

/// The edges between types that are told by their place alone.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct Edges {
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
pub struct Project {
    /// Where its file is.
    pub path: RepoPath,
    /// The name of its assembly.
    pub assembly: String,
    /// Whether it holds tests.
    pub is_test: bool,
}

/// A type.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Type {
    /// Which type it is.
    pub key: TypeKey,
    /// ``Ns.Outer`1+Inner``.
    pub fqn: String,
    /// Class, struct, and so on.
    pub kind: TypeKind,
    /// Who can see it, with the types around it.
    pub effective: Accessibility,
    /// Index into [`Dependencies::projects`].
    pub project: u32,
    /// Of its first declaration: index into [`Dependencies::paths`].
    pub path: u32,
    /// Of its first declaration.
    pub line: u32,
}

/// A dependency on another type.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Dependency {
    /// Index of a type.
    pub target: u32,
    /// In which ways.
    pub kinds: EdgeKinds,
    /// At how many places.
    pub count: u32,
}

impl Dependencies {
    /// How many types there are.
    pub fn n_types(&self) -> usize {
        self.types.len()
    }

    /// The index of a type.
    pub fn index(&self, key: TypeKey) -> Option<usize> {
        self.types.binary_search_by_key(&key, |ty| ty.key).ok()
    }

    /// What a type depends on, by target; never on itself.
    pub fn of(&self, at: usize) -> &[Dependency] {
        self.edges.of(at)
    }

    /// The project of a type.
    pub fn project(&self, ty: &Type) -> &Project {
        &self.projects[ty.project as usize]
    }

    /// The file that declares a type first.
    pub fn path(&self, ty: &Type) -> &RepoPath {
        &self.paths[ty.path as usize]
    }

    /// Whether a type, by index, is in a project of tests.
    pub fn is_test(&self, at: usize) -> bool {
        self.project(&self.types[at]).is_test
    }

    /// The same with its edges turned round. O(types + edges).
    pub fn reversed(&self) -> Reversed {
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
pub struct Reversed {
    starts: Vec<u32>,
    edges: Vec<Dependency>,
}

impl Reversed {
    /// The types that depend on one, by index.
    pub fn of(&self, at: usize) -> &[Dependency] {
        &self.edges[self.starts[at] as usize..self.starts[at + 1] as usize]
    }
}
