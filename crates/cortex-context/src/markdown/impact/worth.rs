//! What the uses of a changed symbol say: whether users may no longer compile, run something else, or changed with it.
//!
//! Must not know: how symbols are shown.

use std::collections::BTreeSet;

use cortex_wire::{Certainty, DiffContext, LineUse, MemberChangeKind, SymbolImpact};

use super::{is_in_type, without_parameters};

/// Members and types that changed.
pub(super) struct Changed<'a> {
    /// Documentation ids of members whose code or signature did, without parameters: these may be others on each side.
    members: BTreeSet<&'a str>,
    /// Types, by their names on both sides.
    types: BTreeSet<&'a str>,
    /// Former names of types.
    former: Vec<&'a str>,
}

/// What the uses of a changed symbol say, the most telling first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Worth {
    /// The symbol is gone or has another signature, and a user in another type did not change with it: it may no longer
    /// compile.
    Breaks,
    /// Users run something else than before.
    Runs,
    /// The symbol is gone, and its users changed with it.
    Adapted,
}

impl<'a> Changed<'a> {
    pub(super) fn of(answer: &'a DiffContext) -> Self {
        let members = answer.types.iter().flat_map(|ty| &ty.members);
        let members = members.filter(|member| member.change != MemberChangeKind::Docs);
        let former: Vec<&str> = (answer.types.iter())
            .filter_map(|ty| ty.renamed_from.as_deref())
            .collect();
        let types = answer.types.iter().map(|ty| ty.ty.name.as_str());
        Self {
            members: members
                .filter_map(|it| it.doc_id.as_deref())
                .map(without_parameters)
                .collect(),
            types: types.chain(former.iter().copied()).collect(),
            former,
        }
    }

    /// What the uses of a symbol say.
    pub(super) fn worth(&self, symbol: &SymbolImpact) -> Worth {
        let is_removed = match symbol.change {
            MemberChangeKind::Removed => true,
            MemberChangeKind::Signature => false,
            _ => return Worth::Runs,
        };
        let uses = symbol
            .uses
            .iter()
            .filter(|used| used.certainty == Certainty::Exact);
        let mut others = uses.filter(|used| !used.is_test && !is_in_type(used, &symbol.ty));
        match (others.any(|used| !self.has(used)), is_removed) {
            (true, _) => Worth::Breaks,
            (false, true) => Worth::Adapted,
            (false, false) => Worth::Runs,
        }
    }

    /// Whether the code around a use changed.
    pub(super) fn has(&self, used: &LineUse) -> bool {
        let inside = used.inside.as_deref().unwrap_or_default();
        match inside.strip_prefix("T:") {
            Some(ty) => self.types.iter().any(|it| it.replace('+', ".") == ty),
            None => {
                self.members.contains(without_parameters(inside))
                    || self.former.iter().any(|ty| is_in_type(used, ty))
            }
        }
    }
}
