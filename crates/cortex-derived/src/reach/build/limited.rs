//! Calls that not all members may answer which override what they name: the type of the object decides.

use super::Builder;
use crate::{
    dispatch::{Dispatch, Header, Hierarchy},
    reach::{
        digest::{OPEN, PARTIAL},
        graph::{MemberIndex, Node, Role, TypeIndex},
    },
};
use cortex_index::Receiver;
use cortex_model::TypeKey;
use rayon::prelude::*;
use rustc_hash::FxHashSet;
use std::{collections::BTreeMap, convert::Infallible};

/// A member, the type of the object and the types among its arguments, what calls.
pub(super) type CallOn = (MemberIndex, Vec<TypeKey>, Node);

impl Builder<'_> {
    /// Adds the edges of calls on objects of known types.
    pub(super) fn limited_calls(&mut self, mut calls: Vec<CallOn>, edges: &mut Vec<(Node, u32)>) {
        calls.sort_unstable();
        calls.dedup();
        let alike: Vec<&[CallOn]> = calls.chunk_by(|a, b| (a.0, &a.1) == (b.0, &b.1)).collect();
        let by_member: Vec<&[&[CallOn]]> = alike.chunk_by(|a, b| a[0].0 == b[0].0).collect();
        let answers: Vec<Answers> = by_member
            .into_par_iter()
            .map_init(Dispatch::default, |dispatch, alike| {
                let all = self.all_under(alike[0][0].0);
                let answers = alike
                    .iter()
                    .map(|calls| self.answers(dispatch, &all, calls));
                answers.collect::<Vec<_>>()
            })
            .flatten_iter()
            .collect();
        let mut numbers: BTreeMap<Vec<MemberIndex>, u32> = BTreeMap::new();
        for answers in &answers {
            if let Answers::Some(members) = answers {
                numbers.insert(members.clone(), 0);
            }
        }
        self.graph.limited = numbers.keys().cloned().collect();
        for (at, number) in numbers.values_mut().enumerate() {
            *number = at as u32;
        }
        for (calls, answers) in alike.into_iter().zip(answers) {
            let to = match answers {
                Answers::None => continue,
                Answers::All => self.graph.node(calls[0].0, Role::Call),
                Answers::Some(members) => self.graph.limited_node(numbers[&members]),
            };
            edges.extend(calls.iter().map(|call| (call.2, to)));
        }
    }

    /// A member and all that override or implement it, directly or through others.
    fn all_under(&self, member: MemberIndex) -> Vec<MemberIndex> {
        let mut seen = FxHashSet::from_iter([member]);
        let mut out = vec![member];
        let mut at = 0;
        while let Some(&next) = out.get(at) {
            out.extend(self.under(next).filter(|&it| seen.insert(it)));
            at += 1;
        }
        out
    }

    fn answers(&self, dispatch: &mut Dispatch, all: &[MemberIndex], calls: &[CallOn]) -> Answers {
        let receiver = Receiver::Of(calls[0].1.clone());
        let mut hierarchy = self;
        let mut out: Vec<MemberIndex> = Vec::new();
        for &member in all {
            let owner = self.graph.types[self.graph.owner(member) as usize];
            let Ok(may_run) = dispatch.may_run(&mut hierarchy, owner, &receiver);
            if may_run {
                out.push(member);
            }
        }
        if out.len() == all.len() {
            return Answers::All;
        }
        // The call runs what it names in any case.
        if out.iter().all(|&member| member == calls[0].0) {
            return Answers::None;
        }
        out.sort_unstable();
        Answers::Some(out)
    }
}

/// What may run in place of the member that is called.
enum Answers {
    All,
    Some(Vec<MemberIndex>),
    None,
}

impl Hierarchy for &Builder<'_> {
    type Error = Infallible;

    fn header(&mut self, key: TypeKey) -> Result<Option<Header>, Infallible> {
        let ty = self.numbers.get(&key).map(|&at| &self.types[at as usize]);
        Ok(ty.map(|ty| Header {
            bases: ty.digest.bases.clone(),
            arguments: ty.digest.fixtures.clone(),
            is_open: ty.digest.flags.has(OPEN),
            is_partial: ty.digest.flags.has(PARTIAL),
        }))
    }

    fn subtypes(&mut self, key: TypeKey) -> Result<Vec<TypeKey>, Infallible> {
        let Some(&ty) = self.numbers.get(&key) else {
            return Ok(vec![key]);
        };
        let mut seen: FxHashSet<TypeIndex> = FxHashSet::from_iter([ty]);
        let mut out = vec![ty];
        let mut at = 0;
        while let Some(&next) = out.get(at) {
            let below = self.types[next as usize].below.iter().copied();
            out.extend(below.filter(|&it| seen.insert(it)));
            at += 1;
        }
        Ok(out
            .into_iter()
            .map(|at| self.graph.types[at as usize])
            .collect())
    }
}
