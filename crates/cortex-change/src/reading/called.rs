//! Code that changed lines call or called and that did not change: what a change means is often decided there.
//!
//! Owns: which of it is told. Must not know: which lines changed.

use std::{cmp::Reverse, collections::BTreeMap};

use cortex_derived::{
    doc_ids::{DocIds, written_members},
    target::Target,
};
use cortex_look::{QueryError, symbol::doc_id::of_doc_id};
use cortex_wire::{CallReason, CalledCode};
use rustc_hash::FxHashSet;

use crate::{
    diff_context::{blobs::BlobSource, compared::Compared},
    impact::{
        dispatch::{Hierarchy, implementers},
        next::Member,
    },
    reading::source::{MemberLines, Sources},
};

/// So many members are told.
const MAX_TOLD: usize = 12;

/// So many members are looked at, those that are called most.
const MAX_ASKED: usize = 48;

/// What more files use says little of one change.
const MAX_FILES: usize = 40;

/// Which of more implementations runs is decided elsewhere.
const MAX_IMPLEMENTATIONS: usize = 2;

/// A member with more lines is cut to the first ones.
const MAX_LINES: usize = 40;

/// Calls on changed lines of the product, by the member that is called.
#[derive(Default)]
pub(super) struct Calls(BTreeMap<Member, Call>);

struct Call {
    n: usize,
    because: String,
    reason: CallReason,
}

/// A member with its body.
struct Body {
    ty: String,
    name: String,
    doc_id: String,
    member: Member,
    told: MemberLines,
}

impl Calls {
    /// Adds a call. `because`: the changed member that has it. Of several calls the reason that comes first counts.
    pub(super) fn add(&mut self, member: Member, because: &str, reason: CallReason) {
        let call = self.0.entry(member).or_insert_with(|| Call {
            n: 0,
            because: because.to_owned(),
            reason,
        });
        call.n += 1;
        if order(reason) < order(call.reason) {
            call.reason = reason;
        }
    }

    /// Adds a method of a handler that a framework gives what changed code names. `because`: the member that names it.
    pub(super) fn add_handler(&mut self, member: Member, because: &str) {
        let (n, reason) = (1, CallReason::Handles);
        let because = because.to_owned();
        (self.0.entry(member)).or_insert(Call { n, because, reason });
    }

    /// Adds what runs where an override ran that is gone. `because`: that one.
    pub(super) fn add_back(&mut self, member: Member, because: String) {
        let n = self.0.get(&member).map_or(0, |call| call.n);
        let reason = CallReason::RunsInPlace;
        self.0.insert(member, Call { n, because, reason });
    }

    /// Adds what changed code called before, unless changed lines call it. `because`: the changed member that called it.
    pub(super) fn add_gone(&mut self, member: Member, because: String) {
        let (n, reason) = (1, CallReason::CalledBefore);
        (self.0.entry(member)).or_insert(Call { n, because, reason });
    }

    /// What runs again in place of overrides that are gone, then what is called, what the fewest files use first, then what is
    /// called most; what changed members call of their type on unchanged lines last. A member without a body stands for those
    /// of the product that implement it, where these are at most two and the product calls it: tests call contracts on doubles.
    /// `changed`: members that are told anyway.
    pub(super) fn code(
        self,
        compared: &Compared,
        changed: &FxHashSet<Member>,
        is_of_product: bool,
        source: BlobSource<'_>,
    ) -> Result<Vec<CalledCode>, QueryError> {
        let mut ranked: Vec<(Member, Call)> = self.0.into_iter().collect();
        let is_back = |call: &Call| call.reason == CallReason::RunsInPlace;
        ranked.sort_by_key(|(member, call)| {
            let is_beside = call.reason == CallReason::Beside;
            (!is_back(call), is_beside, Reverse(call.n), *member)
        });
        ranked.truncate(MAX_ASKED);
        let mut search = Search {
            compared,
            ids: DocIds::new(&compared.new),
            hierarchy: Hierarchy::default(),
            sources: Sources::new(compared, source),
        };
        let mut found = Vec::new();
        let mut seen: FxHashSet<Member> = changed.clone();
        for (member, call) in ranked {
            if changed.contains(&member) {
                continue;
            }
            let (key, tag) = member;
            let n_files = compared.new.referrers(key, Some(&[tag]))?.len();
            if n_files > MAX_FILES && !is_back(&call) {
                continue;
            }
            let bodies = match search.body(member)? {
                Some(body) => vec![(body, None)],
                None if is_of_product && !is_back(&call) => search.implementations(member)?,
                None => Vec::new(),
            };
            for (body, through) in bodies {
                if seen.insert(body.member) {
                    let rank = (order(call.reason), n_files, Reverse(call.n));
                    found.push((rank, told(body, &call, through)));
                }
            }
        }
        found.sort_by(|a, b| (a.0, &a.1.doc_id).cmp(&(b.0, &b.1.doc_id)));
        let told = found.into_iter().map(|(_, told)| told);
        Ok(told.take(MAX_TOLD).collect())
    }
}

/// What comes first: what runs in place of something, then what is or was called.
fn order(reason: CallReason) -> u8 {
    match reason {
        CallReason::RunsInPlace => 0,
        CallReason::Called | CallReason::CalledBefore | CallReason::Handles => 1,
        CallReason::Feeds => 2,
        CallReason::Beside => 3,
    }
}

/// Looks for bodies.
struct Search<'a> {
    compared: &'a Compared,
    ids: DocIds<'a>,
    hierarchy: Hierarchy,
    sources: Sources<'a>,
}

impl Search<'_> {
    /// A member of the product with its body; `None` where it has none.
    fn body(&mut self, member: Member) -> Result<Option<Body>, QueryError> {
        let (key, tag) = member;
        let Some(node) = self.compared.new.type_node(key)? else {
            return Ok(None);
        };
        if self.compared.is_of_tests(&node.project) {
            return Ok(None);
        }
        let Some(own) = self.ids.ty(key)? else {
            return Ok(None);
        };
        let Some(wanted) = own.index(tag) else {
            return Ok(None);
        };
        let mut written = written_members(&node, &own).into_iter();
        let Some(at) = written.position(|at| at == Some(wanted)) else {
            return Ok(None);
        };
        let told = self.sources.body(&node, &node.members[at])?;
        Ok(told.map(|told| Body {
            doc_id: own.member(wanted),
            name: own.symbols.members[wanted].simple_name().to_owned(),
            ty: node.fqn,
            member,
            told,
        }))
    }

    /// The members of the product with bodies that implement or override one, each with the documentation id of that;
    /// none where they are many.
    fn implementations(
        &mut self,
        (key, tag): Member,
    ) -> Result<Vec<(Body, Option<String>)>, QueryError> {
        let mut out = Vec::new();
        let Some(contract) = self.ids.ty(key)? else {
            return Ok(out);
        };
        let Some(at) = contract.index(tag) else {
            return Ok(out);
        };
        let id = contract.member(at);
        for (ty, member) in implementers(&self.ids, &mut self.hierarchy, key, &id)? {
            for target in of_doc_id(&self.compared.new, &member)? {
                if let Target::Member(key, tag) = target
                    && key == ty
                {
                    let body = self.body((key, tag))?;
                    out.extend(body.map(|body| (body, Some(id.clone()))));
                }
            }
            if out.len() > MAX_IMPLEMENTATIONS {
                return Ok(Vec::new());
            }
        }
        Ok(out)
    }
}

fn told(body: Body, call: &Call, through: Option<String>) -> CalledCode {
    let mut code = body.told.lines;
    let n_more_lines = code.len().saturating_sub(MAX_LINES);
    code.truncate(MAX_LINES);
    CalledCode {
        member: body.name,
        doc_id: body.doc_id,
        ty: body.ty,
        path: body.told.path,
        line: body.told.line,
        because: call.because.clone(),
        reason: call.reason,
        through,
        code,
        n_more_lines,
    }
}
