//! What facts say about a member beyond its signature.

use cortex_model::DeclKind;
use cortex_syntax::{Decl, FileFacts, Param};

use crate::{graph::MemberDetail, member::MemberNode};

/// Reads a member's detail off the facts of its file; `None` if these are not the facts that the
/// member was bound from.
pub fn member_detail(facts: &FileFacts, member: &MemberNode) -> Option<MemberDetail> {
    let decl = facts.decls.get(member.decl as usize)?;
    let params = decl
        .params
        .as_deref()
        .map(|params| param_names(facts, params))
        .unwrap_or_default();
    let line = decl.line;
    if !member.primary {
        return Some(MemberDetail {
            params,
            range: decl.range,
            doc_range: decl.doc_range,
            line,
            impl_hash: decl.impl_hash,
            has_body: decl.body_range.end > decl.body_range.start,
            has_code: has_code(decl),
            doc_hash: decl.doc_hash,
        });
    }
    let is_constructor = member.kind == DeclKind::Constructor;
    Some(MemberDetail {
        params: if is_constructor {
            params
        } else {
            String::new()
        },
        range: decl.name_range,
        line,
        impl_hash: if is_constructor { decl.impl_hash } else { 0 },
        ..MemberDetail::default()
    })
}

/// Whether code of a declaration runs when it is used. The value that one begins with is none.
fn has_code(decl: &Decl) -> bool {
    match decl.kind {
        DeclKind::Field | DeclKind::Constant | DeclKind::EnumMember => false,
        _ if decl.accessors.is_empty() => {
            decl.kind != DeclKind::Event && decl.body_range.end > decl.body_range.start
        }
        _ => decl.accessors.iter().any(|accessor| accessor.has_body),
    }
}

/// Parameter names and default values: what named and left-out arguments see.
fn param_names(facts: &FileFacts, params: &[Param]) -> String {
    let mut out = String::new();
    for param in params {
        if !out.is_empty() {
            out.push(',');
        }
        out.push_str(facts.name(param.name));
        if let Some(default) = param.default {
            out.push('=');
            out.push_str(facts.name(default));
        }
    }
    out
}
