//! What a symbol is, once it is found.

use crate::{
    QueryError,
    symbol::{Candidate, member_kind},
};
use cortex_bind::{MemberNode, TypeNode};
use cortex_derived::doc_ids::members;
use cortex_index::Snapshot;
use cortex_model::{RepoPath, TypeKey, member_short_id};
use cortex_wire::SymbolRef;

/// A type, one of its members, or its members of one name.
#[derive(Clone, PartialEq, Debug)]
pub struct Symbol {
    /// The type.
    pub key: TypeKey,
    /// The type as the snapshot has it.
    pub node: TypeNode,
    /// Which of its members; all of them stand for the type itself.
    pub part: SymbolPart,
}

/// What of a type is meant.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum SymbolPart {
    /// The type.
    Whole,
    /// Its members of one name, overloads of each other: indices into [`TypeNode::members`], ascending, not empty.
    Group(Vec<usize>),
    /// One member: an index into [`TypeNode::members`].
    Member(usize),
}

/// How far to go to find something.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Stages {
    /// What is written, as a whole name or as its end.
    Exact,
    /// Also wildcards, then names that are nearly what is written.
    All,
}

impl Symbol {
    /// The members that are meant; none for a type.
    pub fn members(&self) -> Vec<&MemberNode> {
        match &self.part {
            SymbolPart::Whole => Vec::new(),
            SymbolPart::Group(all) => all.iter().map(|&at| &self.node.members[at]).collect(),
            SymbolPart::Member(at) => vec![&self.node.members[*at]],
        }
    }

    /// What every answer says of the symbol that it is about.
    pub fn resolved(&self, snapshot: &Snapshot) -> Result<SymbolRef, QueryError> {
        let type_id = snapshot.display_id(self.key)?;
        let members = self.members();
        let (path, member_id) = match members.as_slice() {
            [] => (self.node.fqn.clone(), None),
            [one] => (
                format!("{}.{}{}", self.node.fqn, one.name, one.path_tail()),
                Some(member_short_id(&self.node.full_member_signature(one))),
            ),
            [first, ..] => (format!("{}.{}", self.node.fqn, first.name), None),
        };
        let doc_id = match members.as_slice() {
            [] => Some(format!("T:{}", self.node.fqn.replace('+', "."))),
            [one] => {
                let at = self.node.members.iter();
                let at = at.take_while(|member| !std::ptr::eq(*member, *one)).count();
                members::doc_id(&self.node, at, &snapshot.symbols(self.key)?)
            }
            _ => None,
        };
        Ok(SymbolRef {
            path,
            kind: members
                .first()
                .map_or(self.node.kind.into(), |member| member_kind(member)),
            type_id,
            member_id,
            doc_id,
        })
    }

    /// Whether this and another are one that several assemblies declare.
    pub(crate) fn is_same(&self, other: &Self) -> bool {
        let signatures = |symbol: &Self| -> Vec<String> {
            let members = symbol.members().into_iter();
            let full = |it| symbol.node.full_member_signature(it);
            members.map(full).collect()
        };
        self.node.fqn == other.node.fqn && signatures(self) == signatures(other)
    }

    /// Whether this and another are one that several assemblies compile from the same files.
    pub(crate) fn is_twin(&self, other: &Self) -> bool {
        let files = |symbol: &Self| -> Vec<RepoPath> {
            let parts = symbol.node.parts.iter();
            parts.map(|part| part.path.clone()).collect()
        };
        self.is_same(other) && files(self) == files(other)
    }

    /// The symbol as a list of candidates names it.
    pub fn candidate(&self, snapshot: &Snapshot) -> Result<Candidate, QueryError> {
        let resolved = self.resolved(snapshot)?;
        Ok(Candidate {
            name: resolved.path,
            kind: resolved.kind,
            id: match resolved.member_id {
                Some(member) => format!("{}_{member}", resolved.type_id),
                None => resolved.type_id,
            },
        })
    }
}
