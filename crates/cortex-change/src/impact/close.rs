//! Which callers of a contract may well run a changed implementation of it.
//!
//! Must not know: who asks.

use std::collections::BTreeMap;

use cortex_derived::{doc_ids::DocIds, target::Target};
use cortex_look::{QueryError, symbol::doc_id::of_doc_id};
use cortex_model::TypeKey;
use cortex_wire::{MemberChangeKind, Via, ViaRelation};

use crate::{
    diff_context::compared::Compared,
    impact::{climb::says_what_runs, symbols::ChangedSymbol, uses::Found},
};

/// The contracts that many types of the product implement, by index of what leads to them.
#[derive(Default)]
pub(crate) struct Close {
    wide: BTreeMap<usize, TypeKey>,
}

impl Close {
    /// Of the contracts through which places name changed members. O(types below these).
    pub(crate) fn of(
        compared: &Compared,
        ids: &DocIds<'_>,
        vias: &[Via],
    ) -> Result<Self, QueryError> {
        let snapshot = ids.snapshot();
        let mut out = Self::default();
        let mut known: BTreeMap<&str, Option<TypeKey>> = BTreeMap::new();
        for (at, via) in vias.iter().enumerate() {
            if !matches!(via.relation, ViaRelation::Interface | ViaRelation::Override) {
                continue;
            }
            if !known.contains_key(via.to.as_str()) {
                let mut wide = None;
                for target in of_doc_id(snapshot, &via.to)? {
                    if let Target::Member(contract, _) = target
                        && !says_what_runs(compared, snapshot, contract)?
                    {
                        wide = Some(contract);
                    }
                }
                known.insert(&via.to, wide);
            }
            if let Some(wide) = known[via.to.as_str()] {
                out.wide.insert(at, wide);
            }
        }
        Ok(out)
    }

    /// Whether what a place names is no contract of many types, or is called on a type that tells which of them runs; or
    /// whether the implementation is registered otherwise: then callers of the contract are what changes.
    pub(crate) fn has(&self, found: &Found, symbols: &[ChangedSymbol]) -> bool {
        if symbols[found.want.symbol].change == MemberChangeKind::Registered {
            return true;
        }
        let wide = found.want.via.and_then(|via| self.wide.get(&via));
        wide.is_none_or(|wide| found.is_narrower(*wide))
    }
}
