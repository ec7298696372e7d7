//! Which tests reach a member: the question of `tests`.
//!
//! Owns: from members to the tests that may run them, in the order of how likely they do. Must not know: how
//! answers are rendered. How it is found is told in `docs/tests.md`.

pub mod answer;
mod doubles;
mod hosted;
pub(crate) mod near;
pub(crate) mod order;
mod overrides;
pub mod question;
pub(crate) mod requesting;
pub(crate) mod running_otherwise;
pub(crate) mod solve;
pub(crate) mod starting;
pub(crate) mod targets;
#[cfg(test)]
mod tests;
pub(crate) mod workflows;

use crate::reaching::{
    answer::Reaching,
    near::Ways,
    order::{Key, Names},
    solve::Asked,
};
use cortex_derived::{
    doc_ids::{DocIds, written_members},
    reach::{
        graph::{MemberGraph, Node, Reversed, Role, TypeRole},
        kept,
    },
    target::Target,
};
use cortex_index::Snapshot;
use cortex_look::QueryError;
use cortex_model::{Modifier, RepoPath, TypeKey, TypeKind};
use cortex_wire::DeletedTest;
use rayon::prelude::*;
use rustc_hash::{FxHashMap, FxHashSet};
use std::sync::Arc;

/// For how many questions ways are looked for side by side.
const AT_ONCE: usize = 16;

/// How many candidates are looked at, if not all are.
const MOST_CANDIDATES: usize = 4 * solve::BLOCK;

/// Of so many candidates all are looked at in any case.
const FEW_CANDIDATES: usize = 8 * solve::BLOCK;

/// Of more members it is not asked which of them no test reaches.
const MAX_UNREACHED: usize = 40;

/// What differs, by what it says about tests.
#[derive(Default)]
struct Seeds {
    /// Code of the product.
    code: Vec<Target>,
    /// Members of interfaces and abstract ones of the product: a double may stand for what runs there.
    contracts: Vec<Target>,
    /// Classes of tests and their members.
    tests: Vec<Target>,
    /// Other code of projects of tests.
    helpers: Vec<Target>,
}

impl Seeds {
    fn all_but_helpers(self) -> Vec<Target> {
        [self.code, self.contracts, self.tests].concat()
    }
}

fn type_of(target: &Target) -> TypeKey {
    let (Target::Type(key) | Target::Member(key, _)) = *target;
    key
}

/// How many tests are looked for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Look {
    /// All of them: of a member that much depends on, a hundred thousand tests take a second.
    All,
    /// All where the candidates are few thousands; else nearest first until there are so many, or two thousand candidates
    /// did not yield more: it takes some tenths of a second.
    Nearest(usize),
}

/// The members and tests of a snapshot, ready to be asked.
pub struct TestReach<'s> {
    snapshot: &'s Snapshot,
    graph: Arc<MemberGraph>,
    reversed: Reversed,
}

impl<'s> TestReach<'s> {
    /// Of a snapshot: from what is kept of it, else of what differs from what is kept, else from all of it.
    pub fn of(snapshot: &'s Snapshot) -> Result<Self, QueryError> {
        let graph = kept::graph(snapshot)?;
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
                let told = (n_paths, &FxHashSet::default());
                out.push(order::ordered(&mut names, goals, &ways, found, told)?);
            }
        }
        Ok(out)
    }

    /// The tests from which one of these targets is reached, as far as is looked for; of those alone that
    /// `also` has, if any. With the number of candidates that were not looked at.
    ///
    /// O(members from which a target may be reached); with [`Look::Nearest`] a few milliseconds for each hundred
    /// candidates on top.
    fn reaching_one(
        &self,
        targets: &[Target],
        told: (usize, &FxHashSet<Key>),
        look: Look,
        also: Option<&Self>,
    ) -> Result<(Reaching, usize), QueryError> {
        let goals = self.goals(targets);
        let asked = std::slice::from_ref(&goals);
        let mut candidates = solve::candidates(&self.graph, &self.reversed, asked);
        if let Some(also) = also {
            let entries: FxHashSet<_> = also.graph.test_names().collect();
            let names: Vec<_> = self.graph.test_names().collect();
            candidates.retain(|&test| entries.contains(&names[test as usize]));
        }
        let look = match candidates.len() {
            n if n <= FEW_CANDIDATES => Look::All,
            _ => look,
        };
        let n_enough = match look {
            Look::All => usize::MAX,
            Look::Nearest(n) => n,
        };
        let graph = &self.graph;
        let ways = Ways::to_nearest(
            graph,
            &self.reversed,
            &goals,
            &candidates,
            match look {
                Look::All => usize::MAX,
                Look::Nearest(_) => MOST_CANDIDATES,
            },
        );
        if look != Look::All {
            candidates.sort_by_cached_key(|&test| (ways.cost_of(graph, test), test));
        }
        let solver = Asked::new(graph, &self.reversed, asked);
        let (mut found, mut n_seen) = (Vec::new(), 0);
        let n_at_once = if look == Look::All {
            candidates.len().max(1)
        } else {
            solve::BLOCK
        };
        for some in candidates.chunks(n_at_once) {
            if found.len() >= n_enough || look != Look::All && n_seen >= MOST_CANDIDATES {
                break;
            }
            found.extend(solver.among(some).pop().unwrap_or_default());
            n_seen += some.len();
        }
        let mut names = Names::new(self.snapshot, graph);
        let reaching = order::ordered(&mut names, &goals, &ways, &found, told)?;
        Ok((reaching, candidates.len() - n_seen))
    }

    /// The members among some targets that no test may reach by code; none where they are many.
    fn unreached(&self, targets: &[Target]) -> Vec<Target> {
        let members = targets.iter().filter(|it| matches!(it, Target::Member(..)));
        let members: Vec<Target> = members.copied().collect();
        if members.len() > MAX_UNREACHED {
            return Vec::new();
        }
        let is_unreached = |target: &&Target| {
            let goals = self.goals(std::slice::from_ref(*target));
            let tests = solve::candidates(&self.graph, &self.reversed, &[goals]);
            tests.is_empty()
        };
        let unreached = members.par_iter().filter(|it| is_unreached(it));
        unreached.copied().collect()
    }

    /// The tests among some members that another snapshot lacks; a method that several classes run once.
    fn lacking(&self, targets: &[Target], newer: &Self) -> Result<Vec<DeletedTest>, QueryError> {
        let there: FxHashSet<_> = newer.graph.test_names().collect();
        let targets: FxHashSet<&Target> = targets.iter().collect();
        let is_target = |owner, tag| {
            let own = Target::Member(owner, tag);
            targets.contains(&own) || targets.contains(&Target::Type(owner))
        };
        let mut names = Names::new(self.snapshot, &self.graph);
        let mut out = Vec::new();
        for (at, (class, owner, tag)) in self.graph.test_names().enumerate() {
            if is_target(owner, tag) && !there.contains(&(class, owner, tag)) {
                out.push(names.deleted(at as u32)?);
            }
        }
        out.sort();
        out.dedup_by(|a, b| a.id == b.id && a.project == b.project);
        Ok(out)
    }

    /// Sorts what differs by what it says about tests.
    fn seeds(&self, targets: &[Target]) -> Result<Seeds, QueryError> {
        // Types that declare tests or run some.
        let names = self.graph.test_names();
        let classes: FxHashSet<TypeKey> =
            names.flat_map(|(class, owner, _)| [class, owner]).collect();
        let mut of_tests: FxHashMap<RepoPath, bool> = FxHashMap::default();
        let mut ids = DocIds::new(self.snapshot);
        let mut out = Seeds::default();
        for of_type in targets.chunk_by(|a, b| type_of(a) == type_of(b)) {
            let key = type_of(&of_type[0]);
            let Some(node) = self.snapshot.type_node(key)? else {
                out.code.extend(of_type);
                continue;
            };
            let is_test = match of_tests.get(&node.project) {
                Some(&known) => known,
                None => {
                    let record = self.snapshot.project(&node.project)?;
                    let is_test = record.is_some_and(|it| it.project.is_test);
                    of_tests.insert(node.project.clone(), is_test);
                    is_test
                }
            };
            match (is_test, is_test && classes.contains(&key)) {
                (true, true) => out.tests.extend(of_type),
                (true, false) => out.helpers.extend(of_type),
                (false, _) => {
                    let known = ids.ty(key)?;
                    let written = known.as_ref().map(|it| written_members(&node, it));
                    let is_abstract = |tag| {
                        let symbol = known.as_ref()?.index(tag)?;
                        let at = written
                            .as_ref()?
                            .iter()
                            .position(|at| *at == Some(symbol))?;
                        Some(node.members[at].modifiers.contains(Modifier::Abstract))
                    };
                    for &target in of_type {
                        let is_contract = node.kind == TypeKind::Interface
                            || matches!(target, Target::Member(_, tag) if is_abstract(tag) == Some(true));
                        match is_contract {
                            true => out.contracts.push(target),
                            false => out.code.push(target),
                        }
                    }
                }
            }
        }
        Ok(out)
    }

    /// The node of an object of exactly a type.
    fn made_goal(&self, key: TypeKey) -> Vec<Node> {
        let ty = self.graph.ty(key).into_iter();
        ty.map(|ty| self.graph.type_node(ty, TypeRole::Created))
            .collect()
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
