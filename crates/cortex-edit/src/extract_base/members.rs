//! Which members of a class can go to a base class.

use std::collections::BTreeSet;

use cortex_model::{ByteRange, DeclKind, Modifier};
use cortex_syntax::{Decl, DeclId};

use super::{ExtractBase, Moved};
use crate::{
    EditError,
    located::{Declaration, with_docs},
    member::{MemberAction, MemberEdit, Place, comments_above, removed_range},
    usings::is_conditional,
};

/// The members that are named.
///
/// # Errors
/// [`EditError::Refused`] with the candidates where none is named, and for those that cannot go.
pub(super) fn moved_members(
    request: &ExtractBase<'_>,
    class: &Declaration,
) -> Result<Vec<Moved>, EditError> {
    let children = || {
        let all = class.facts.decls.iter().enumerate();
        all.filter(|(_, decl)| decl.parent == Some(class.id))
    };
    if request.members.is_empty() {
        let movable = children().filter(|(id, _)| why_not(class, *id as DeclId).is_none());
        let names: BTreeSet<&str> = movable.map(|(_, decl)| name_of(class, decl)).collect();
        let names: Vec<&str> = names.into_iter().collect();
        let help = match names.as_slice() {
            [] => "none of its members can go".to_owned(),
            names => format!("name some of these: {}", names.join(",")),
        };
        return Err(request.refused("no member is named", &help));
    }
    let mut missing: BTreeSet<&str> = request.members.iter().map(String::as_str).collect();
    let mut out = Vec::new();
    for (id, decl) in children() {
        let name = name_of(class, decl);
        if !request.members.iter().any(|it| it == name) {
            continue;
        }
        missing.remove(name);
        let id = id as DeclId;
        if let Some((reason, help)) = why_not(class, id) {
            return Err(request.refused(format!("`{name}` {reason}"), help));
        }
        let member = Declaration {
            id,
            ..class.clone()
        };
        out.push(Moved {
            id,
            range: whole(&member),
            removed: removed_range(&member, &member_edit(request)),
        });
    }
    if let Some(name) = missing.first() {
        let help = "name members that it declares itself";
        return Err(request.refused(format!("the class declares no `{name}`"), help));
    }
    check_equality(request, class, &out)?;
    Ok(out)
}

/// The name of a member, as a request has it.
fn name_of<'d>(class: &'d Declaration, decl: &Decl) -> &'d str {
    match decl.kind {
        DeclKind::Indexer => "this",
        _ => class.facts.name(decl.name),
    }
}

fn member_edit<'r>(request: &'r ExtractBase<'r>) -> MemberEdit<'r> {
    MemberEdit {
        symbol: request.symbol,
        file: None,
        action: MemberAction::Add { text: "" },
    }
}

/// Why a member cannot be one of a base class, and what would help.
fn why_not(class: &Declaration, id: DeclId) -> Option<(String, &'static str)> {
    let decl = &class.facts.decls[id as usize];
    let said = |reason: &str, help: &'static str| Some((reason.to_owned(), help));
    match decl.kind {
        DeclKind::Method
        | DeclKind::Property
        | DeclKind::Indexer
        | DeclKind::Event
        | DeclKind::Field
        | DeclKind::Constant => {}
        kind if kind.type_kind().is_some() => {
            return said("is a nested type", "move it out of the class first");
        }
        DeclKind::Constructor | DeclKind::StaticConstructor | DeclKind::Finalizer => {
            return said("is a constructor or finalizer", "name other members");
        }
        _ => {
            let help = "only methods, properties, indexers, events, fields and constants can go";
            return said(
                "is an operator or something else that belongs to its class",
                help,
            );
        }
    }
    if !decl.bases.is_empty() {
        let help = "the class has the interface, and a base class cannot implement it for that";
        return said("is an explicit implementation", help);
    }
    if decl.modifiers.contains(Modifier::Partial) {
        return said("is partial", "join its parts first");
    }
    let member = Declaration {
        id,
        ..class.clone()
    };
    let range = whole(&member);
    let text = &class.text[range.as_usize()];
    if text.lines().any(|line| line.trim_start().starts_with('#')) {
        return said("has preprocessor directives in it", "remove them first");
    }
    if is_conditional(&class.text[..range.start as usize]) {
        return said("stands in an `#if`", "name other members");
    }
    let request = ExtractBase {
        symbol: "",
        name: "",
        members: &[],
        to: None,
    };
    let edit = member_edit(&request);
    let other = Place::new(&member, &edit).shares_declaration()?.to_owned();
    let reason = format!("is declared together with `{other}`");
    Some((reason, "declare it alone first"))
}

/// Refuses to take one of `Equals` and `GetHashCode` away from the other.
fn check_equality(
    request: &ExtractBase<'_>,
    class: &Declaration,
    moved: &[Moved],
) -> Result<(), EditError> {
    let overrides: Vec<(DeclId, &str)> = (class.facts.decls.iter().enumerate())
        .filter(|(_, decl)| {
            decl.parent == Some(class.id) && decl.modifiers.contains(Modifier::Override)
        })
        .map(|(id, decl)| (id as DeclId, class.facts.name(decl.name)))
        .filter(|(_, name)| matches!(*name, "Equals" | "GetHashCode"))
        .collect();
    let goes = |id: DeclId| moved.iter().any(|it| it.id == id);
    let compares = class.facts.decls.iter().any(|decl| {
        decl.parent == Some(class.id)
            && decl.kind == DeclKind::Operator
            && class.facts.name(decl.name) == "=="
    });
    if compares && overrides.iter().any(|(id, _)| goes(*id)) {
        let help = "leave `Equals` and `GetHashCode` beside it";
        return Err(request.refused("the class declares `==`, which stays", help));
    }
    let stays = overrides.iter().find(|(id, _)| !goes(*id));
    if let (true, Some((_, name))) = (overrides.iter().any(|(id, _)| goes(*id)), stays) {
        let reason = format!("`{name}` belongs together with an override that goes");
        return Err(request.refused(reason, "name both `Equals` and `GetHashCode`, or neither"));
    }
    Ok(())
}

/// A declaration with its documentation, the comments above it, and one behind it on its last line.
fn whole(member: &Declaration) -> ByteRange {
    let decl = member.decl();
    let text = &member.text;
    let start = comments_above(text, with_docs(decl).start as usize);
    let end = decl.range.end as usize;
    let rest = text[end..].lines().next().unwrap_or_default();
    let end = match rest.trim_start().starts_with("//") {
        true => end + rest.trim_end().len(),
        false => end,
    };
    ByteRange {
        start: start as u32,
        end: end as u32,
    }
}
