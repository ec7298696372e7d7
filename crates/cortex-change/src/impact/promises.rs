//! What members of a type promise by: the members of its bases and interfaces that they override and implement.

use cortex_derived::doc_ids::DocIds;
use cortex_look::QueryError;

use cortex_index::{MemberTag, Snapshot};
use cortex_model::{EdgeKind, TypeKey};

/// A member of a base or interface.
pub(crate) struct Promise {
    pub(crate) ty: TypeKey,
    pub(crate) tag: MemberTag,
}

/// The members of the bases and interfaces which a type names that some of its members override or implement, with
/// the index of each. `members`: documentation ids.
pub(crate) fn promises(
    ids: &mut DocIds<'_>,
    key: TypeKey,
    members: &[&str],
) -> Result<Vec<(usize, Promise)>, QueryError> {
    let Some(own) = ids.ty(key)? else {
        return Ok(Vec::new());
    };
    let implementations = own.symbols.implementations.iter();
    let wanted: Vec<(usize, &str)> = implementations
        .filter_map(|it| {
            let at = members.iter().position(|id| **id == *it.member)?;
            Some((at, &*it.of))
        })
        .collect();
    let mut out = Vec::new();
    if wanted.is_empty() {
        return Ok(out);
    }
    for edge in ids.snapshot().edges(key)?.source {
        let is_base =
            edge.kinds.contains(EdgeKind::Inherits) || edge.kinds.contains(EdgeKind::Implements);
        let Some(base) = ids.ty(edge.target)?.filter(|_| is_base) else {
            continue;
        };
        out.extend(wanted.iter().filter_map(|&(at, of)| {
            let promise = Promise {
                ty: edge.target,
                tag: base.tag_of(of)?,
            };
            Some((at, promise))
        }));
    }
    Ok(out)
}

/// The documentation id of the first member of a base or interface from outside of the repository that a member
/// overrides or implements. `member`: its documentation id.
pub(crate) fn outside(
    ids: &mut DocIds<'_>,
    key: TypeKey,
    member: &str,
) -> Result<Option<String>, QueryError> {
    let Some(own) = ids.ty(key)? else {
        return Ok(None);
    };
    let implementations = &own.symbols.implementations;
    let first = implementations.partition_point(|it| *it.member < *member);
    let of_member = implementations[first..].iter();
    for found in of_member.take_while(|it| *it.member == *member) {
        if !is_of_repository(ids.snapshot(), &found.of)? {
            return Ok(Some(found.of.to_string()));
        }
    }
    Ok(None)
}

/// Whether the type of a member is one of the repository. `id`: the documentation id of the member.
fn is_of_repository(snapshot: &Snapshot, id: &str) -> Result<bool, QueryError> {
    let path = id.split('(').next().unwrap_or(id);
    let ty = path.get(2..).and_then(|path| path.rsplit_once('.'));
    let Some((ty, _)) = ty else {
        return Ok(false);
    };
    let name = ty.rsplit('.').next().unwrap_or(ty);
    let named = snapshot.types_named(name.split('`').next().unwrap_or(name))?;
    Ok(named.iter().any(|it| it.fqn.replace('+', ".") == ty))
}
