//! Where types and members are declared.

use cortex_bind::{MemberNode, TypeNode};
use cortex_derived::doc_ids::{DocIds, written_members};
use cortex_index::{MemberDetails, MemberTag};
use cortex_look::QueryError;
use cortex_model::TypeKey;
use cortex_wire::CodePlace;

/// A type or member with its declaration.
pub(super) struct Declared {
    /// The type, or that of the member.
    pub(super) node: TypeNode,
    pub(super) member: Option<MemberNode>,
    /// Where, with its own documentation id as that of what is around.
    pub(super) place: CodePlace,
}

/// The declaration of a type, or of a member that is written; `None` where the compiler makes it. Reads the facts of the files
/// that declare the type.
pub(super) fn declared(
    ids: &mut DocIds<'_>,
    key: TypeKey,
    tag: Option<MemberTag>,
) -> Result<Option<Declared>, QueryError> {
    let snapshot = ids.snapshot();
    let (Some(node), Some(own)) = (snapshot.type_node(key)?, ids.ty(key)?) else {
        return Ok(None);
    };
    let Some(tag) = tag else {
        let part = node.parts.first();
        let place = CodePlace {
            path: part.map_or_else(|| node.project.clone(), |part| part.path.clone()),
            line: part.map_or(1, |part| part.line),
            inside: Some(own.id.clone()),
        };
        return Ok(Some(Declared {
            node,
            member: None,
            place,
        }));
    };
    let Some(symbol) = own.index(tag) else {
        return Ok(None);
    };
    let mut written = written_members(&node, &own).into_iter();
    let Some(at) = written.position(|it| it == Some(symbol)) else {
        return Ok(None);
    };
    let member = node.members[at].clone();
    let Some(part) = node.parts.get(member.part as usize) else {
        return Ok(None);
    };
    let place = CodePlace {
        path: part.path.clone(),
        line: MemberDetails::new(snapshot).of(&node)?[at].line,
        inside: Some(own.member(symbol)),
    };
    Ok(Some(Declared {
        node,
        member: Some(member),
        place,
    }))
}

/// The simple name of a member; `None` where there is none.
pub(super) fn simple_name(
    ids: &mut DocIds<'_>,
    (key, tag): (TypeKey, MemberTag),
) -> Result<Option<String>, QueryError> {
    let own = ids.ty(key)?;
    Ok(own.and_then(|own| {
        let at = own.index(tag)?;
        Some(own.symbols.members[at].simple_name().to_owned())
    }))
}
