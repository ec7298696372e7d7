//! Which tests reach a member: the question of `tests`.
//!
//! Owns: from members to the tests that may run them, in the order of how likely they do. Must not know: how
//! answers are rendered. How it is found is told in `docs/tests.md`.

mod answer;
mod build;
mod frameworks;
mod graph;
mod near;
mod order;
mod question;
mod solve;
mod targets;
#[cfg(test)]
mod tests;

use cortex_index::{MemberTag, Snapshot};
use cortex_model::TypeKey;

use rayon::prelude::*;

use crate::QueryError;
use graph::{MemberGraph, Node, Reversed, Role, TypeRole};
use near::Ways;
use order::Names;

pub use answer::{Reaching, ReachingTest, TestsAnswer};
pub use question::{Unknown, is_range, tests_of_change, tests_of_symbols};
use solve::Reach;

/// For how many questions ways are looked for side by side.
const AT_ONCE: usize = 16;

/// A member of a type of a snapshot, or the type itself.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Target {
    /// A type: any of its members.
    Type(TypeKey),
    /// A member.
    Member(TypeKey, MemberTag),
}

/// The members and tests of a snapshot, ready to be asked.
pub struct TestReach<'s> {
    snapshot: &'s Snapshot,
    graph: MemberGraph,
    reversed: Reversed,
}

impl<'s> TestReach<'s> {
    /// Reads a snapshot. O(snapshot).
    pub fn of(snapshot: &'s Snapshot) -> Result<Self, QueryError> {
        let graph = build::member_graph(snapshot)?;
        Ok(Self {
            snapshot,
            reversed: graph.reversed(),
            graph,
        })
    }

    /// How many tests there are: a method once for each class that runs it.
    pub fn n_tests(&self) -> usize {
        self.graph.entries.len()
    }

    /// For each list of targets, the tests from which one of them is reached: those whose body does, and
    /// those that do by set-up alone; both nearest first, the first `n_paths` of each sort with the way.
    pub fn reaching(
        &self,
        asked: &[Vec<Target>],
        n_paths: usize,
    ) -> Result<Vec<Reaching>, QueryError> {
        let goals: Vec<Vec<Node>> = asked.iter().map(|targets| self.goals(targets)).collect();
        let found = solve::solve(&self.graph, &self.reversed, &goals);
        let mut names = Names::new(self.snapshot, &self.graph);
        let mut out = Vec::new();
        for (goals, found) in goals.chunks(AT_ONCE).zip(found.chunks(AT_ONCE)) {
            let ways: Vec<Ways> = (goals.par_iter().zip(found))
                .map(|(goals, found)| {
                    let wanted = found.iter().map(|&(test, _)| test);
                    Ways::to(&self.graph, &self.reversed, goals, wanted)
                })
                .collect();
            for ((goals, found), ways) in goals.iter().zip(found).zip(ways) {
                out.push(order::ordered(&mut names, goals, &ways, found, n_paths)?);
            }
        }
        Ok(out)
    }

    /// Every test: its class and its documentation id, sorted.
    fn all(&self) -> Result<Vec<(String, String)>, QueryError> {
        let mut names = Names::new(self.snapshot, &self.graph);
        let mut out = Vec::with_capacity(self.graph.entries.len());
        for entry in &self.graph.entries {
            out.push((names.class(entry.class)?, names.id(entry.method)?));
        }
        out.sort_unstable();
        Ok(out)
    }

    fn goals(&self, targets: &[Target]) -> Vec<Node> {
        let mut out = Vec::new();
        for target in targets {
            match *target {
                Target::Type(key) => {
                    let Some(ty) = self.graph.ty(key) else {
                        continue;
                    };
                    let members = self.graph.members(ty);
                    out.extend(members.map(|member| self.graph.node(member, Role::Run)));
                    out.push(self.graph.type_node(ty, TypeRole::Created));
                }
                Target::Member(key, tag) => {
                    let member = self.graph.member(key, tag);
                    out.extend(member.map(|member| self.graph.node(member, Role::Run)));
                }
            }
        }
        out.sort_unstable();
        out.dedup();
        out
    }
}
