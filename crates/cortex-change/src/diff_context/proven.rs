//! Which changed members of an answer are proven to mean what they meant.

use std::collections::BTreeSet;

use cortex_model::RepoPath;
use cortex_wire::{DiffContext, MemberChangeKind, ProveAnswer, ProvenPart};

/// Marks the members that a proof of the same range has.
pub fn mark_proven(answer: &mut DiffContext, proof: &ProveAnswer) {
    let proven: BTreeSet<(&RepoPath, u32, &str)> = (proof.proven.iter())
        .map(|unit| (&unit.file, unit.line, simple_name(&unit.symbol)))
        .collect();
    let is_kept = |change: MemberChangeKind| {
        matches!(
            change,
            MemberChangeKind::Signature | MemberChangeKind::Shape | MemberChangeKind::Body
        )
    };
    for member in answer.types.iter_mut().flat_map(|ty| &mut ty.members) {
        member.is_proven = is_kept(member.change)
            && proven.contains(&(&member.path, member.line, member.name.as_str()));
    }
    answer.proof = Some(ProvenPart {
        proven: proof.proven.len() as u64,
        to_read: proof.to_read.len() as u64,
        elsewhere: proof.elsewhere.clone(),
        total_elsewhere: proof.total_elsewhere,
    });
}

/// The name of a declaration without the types around it, its type parameters and its parameters.
fn simple_name(symbol: &str) -> &str {
    let head = symbol.split(['(', '[', '<']).next().unwrap_or(symbol);
    head.rsplit('.').next().unwrap_or(head)
}
