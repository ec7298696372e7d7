//! Types that differ between two snapshots, and how.

use crate::{
    annotations::BothBound,
    code,
    diff_context::compared::{Compared, Limited},
    members::{self, MemberCode},
    moves::names::MovedNames,
};
use cortex_bind::{MemberNode, TypeNode};
use cortex_index::{MemberDetails, Snapshot};
use cortex_look::{
    QueryError,
    follow::{differing::ChangedType, pairing::Side, renames::Aliases},
};
use cortex_model::{ChangeClass, DeclKind, RepoPath, TypeKey};
use cortex_wire::{MemberChange, MemberChangeKind, TypeChange, TypeRef};
use rayon::prelude::*;
use std::borrow::Cow;

/// Of types that differ those that the question is about, by key.
pub(crate) fn changed_types<'a>(
    compared: &Compared,
    differing: &'a [ChangedType],
) -> Cow<'a, [ChangedType]> {
    // A type may also differ because a name in it means something else now: that counts wherever
    // the text stands, unless the question is limited to paths.
    if compared.limited == Limited::No {
        return Cow::Borrowed(differing);
    }
    let in_paths = |node: &TypeNode| {
        let changed = |path: &RepoPath| compared.file_at(path).is_some();
        node.parts.iter().any(|part| changed(&part.path))
    };
    let is_chosen =
        |ty: &&ChangedType| in_paths(ty.node()) || ty.old.as_ref().is_some_and(in_paths);
    Cow::Owned(differing.iter().filter(is_chosen).cloned().collect())
}

/// Describes the changed types, most important first: product before tests, then what differs in more than names of
/// types that moved, by urgency, most dependents first, then name. With the pair that each is made of, by index. The code of members is told of the
/// first `n_shown`.
pub(crate) fn describe(
    compared: &Compared,
    pairs: &[Pair<'_>],
    names: &MovedNames,
    n_shown: usize,
) -> Result<Described, QueryError> {
    let tell = |details: &mut [MemberDetails<'_>; 2], at: usize, is_shown: bool| {
        let pair = &pairs[at];
        let node = pair.node().expect("a changed type has a side");
        let is_test = compared.is_of_tests(&node.project);
        let code = |old, new, extent| match is_shown {
            true => code::member_code(compared, [old, new], extent),
            false => Vec::new(),
        };
        let change = describe_pair(details, pair, is_test, &code, names)?;
        Ok((change, at))
    };
    let is_few = pairs.len() <= n_shown;
    // By path: the store keeps the facts of neighboring files together.
    let mut by_path: Vec<usize> = (0..pairs.len()).collect();
    by_path.sort_by_key(|&at| {
        let part = pairs[at].node().and_then(|node| node.parts.first());
        part.map(|part| &part.path)
    });
    let read = || [&compared.old, &compared.new].map(MemberDetails::new);
    // The types of one file are together, however many they are: each chunk decodes its files anew.
    let n_together = pairs.len().div_ceil(8 * rayon::current_num_threads());
    let chunks = by_path.par_chunks(n_together.max(N_TOGETHER));
    let told = chunks.flat_map_iter(|chunk| {
        let mut details = read();
        let told = chunk.iter().map(|&at| tell(&mut details, at, is_few));
        told.collect::<Vec<_>>()
    });
    let mut out = told.collect::<Result<Vec<_>, QueryError>>()?;
    sort(&mut out);
    if !is_few {
        let n_shown = n_shown.min(out.len());
        let n_together = n_shown.div_ceil(4 * rayon::current_num_threads()).max(1);
        let shown = out[..n_shown].par_chunks_mut(n_together);
        shown.try_for_each(|chunk| {
            let mut details = read();
            for told in chunk {
                *told = tell(&mut details, told.1, true)?;
            }
            Ok::<(), QueryError>(())
        })?;
    }
    Ok(out)
}

/// Changed types, each with the pair that it is made of, by index.
pub(crate) type Described = Vec<(TypeChange, usize)>;

/// The most important types first.
pub(crate) fn sort(types: &mut Described) {
    types.sort_by(|(a, _), (b, _)| {
        let rank = |ty: &TypeChange| {
            (
                ty.is_test,
                ty.follows_moves,
                urgency(ty.class),
                std::cmp::Reverse(ty.n_dependents),
                ty.ty.name.clone(),
                ty.project.clone(),
            )
        };
        rank(a).cmp(&rank(b))
    });
}

/// At least so many types, in the order of their files, are described by one thread.
const N_TOGETHER: usize = 64;

/// A type before and after, by whatever name.
pub(crate) struct Pair<'a> {
    pub(crate) old: Option<&'a TypeNode>,
    pub(crate) new: Option<&'a TypeNode>,
    /// The older side under the names that types have now, where that differs.
    pub(crate) renamed: Option<TypeNode>,
    /// The key of the newer side that exists.
    pub(crate) key: TypeKey,
    /// Its class, were there no pair.
    pub(crate) class: ChangeClass,
}

impl<'a> Pair<'a> {
    /// The newer side that exists.
    pub(crate) fn node(&self) -> Option<&'a TypeNode> {
        self.new.or(self.old)
    }

    /// The older side under the names that types have now.
    pub(crate) fn before(&self) -> Option<&TypeNode> {
        self.renamed.as_ref().or(self.old)
    }
}

/// The changed types, which come by key, the two halves of a rename as one; by key.
pub(crate) fn pairs<'a>(changed: &'a [ChangedType], aliases: &Aliases) -> Vec<Pair<'a>> {
    let kept = changed.iter().filter(|ty| !aliases.is_old_half(ty.key));
    let of = |key: TypeKey| changed.binary_search_by_key(&key, |ty| ty.key).ok();
    kept.map(|ty| {
        let partner = aliases.old_of(ty.key).and_then(of).map(|at| &changed[at]);
        Pair {
            old: ty.old.as_ref().or(partner.and_then(|it| it.old.as_ref())),
            new: ty.new.as_ref(),
            renamed: None,
            key: ty.key,
            class: ty.class,
        }
    })
    .collect()
}

/// Describes one type; `code` gives the text of a member from where it stands before and after. `names`: what types are
/// called now.
pub(crate) fn describe_pair(
    [before, after]: &mut [MemberDetails<'_>; 2],
    pair: &Pair<'_>,
    is_test: bool,
    code: &MemberCode<'_>,
    names: &MovedNames,
) -> Result<TypeChange, QueryError> {
    let (old, new) = (pair.old, pair.new);
    let same_old = pair.before();
    let node = pair.node().expect("a changed type has a side");
    let snapshot = match new {
        Some(_) => after.snapshot(),
        None => before.snapshot(),
    };
    let signatures = match (old, new) {
        (Some(old), Some(new))
            if old.has_signature_of(new)
                || same_old.is_some_and(|old| old.has_signature_of(new)) =>
        {
            (None, None)
        }
        // People would read the same twice.
        (Some(old), Some(new)) if old.signature() == new.signature() => {
            (Some(old.full_signature()), Some(new.full_signature()))
        }
        (old, new) => (
            old.map(|old| old.signature()),
            new.map(|new| new.signature()),
        ),
    };
    let files: Vec<RepoPath> = distinct(node.parts.iter().map(|part| part.path.clone()));
    let old_files = distinct(
        old.into_iter()
            .flat_map(|old| &old.parts)
            .map(|part| part.path.clone()),
    );
    let moved =
        new.is_some() && old.is_some() && !old_files.iter().any(|path| files.contains(path));
    let is_continued = pair.class == ChangeClass::Added && old.is_some();
    let bound = BothBound::new([before.snapshot(), after.snapshot()], [pair.key; 2]);
    let members = members::member_changes(
        old.map(|node| Side::of(before, node)).transpose()?.as_ref(),
        new.map(|node| Side::of(after, node)).transpose()?.as_ref(),
        same_old,
        code,
        &bound,
        names,
    );
    let follows_moves = follows_moves(pair, &members);
    // Nothing that runs differs.
    let is_annotated = matches!(
        pair.class,
        ChangeClass::PublicBehavior | ChangeClass::Internal
    ) && !members.is_empty()
        && members.iter().all(MemberChange::is_annotation_only);
    Ok(TypeChange {
        frameworks: Vec::new(),
        ty: type_ref(snapshot, pair.key, node)?,
        renamed_from: match (old, new) {
            (Some(old), Some(new)) if old.fqn != new.fqn => Some(old.fqn.clone()),
            _ => None,
        },
        moved_from: if moved { old_files } else { Vec::new() },
        moved_from_assembly: match (old, new) {
            (Some(old), Some(new)) if old.assembly != new.assembly => Some(old.assembly.clone()),
            _ => None,
        },
        class: match is_continued {
            true => ChangeClass::Structure,
            false if is_annotated => ChangeClass::Cosmetic,
            false if follows_moves => pair.class,
            false => class_beside_moves(pair, &members),
        },
        follows_moves,
        accessibility: node.effective,
        project: node.project.clone(),
        is_test,
        modifiers: node.modifiers.iter().map(|it| it.to_string()).collect(),
        bases: node.base_list.iter().map(ToString::to_string).collect(),
        line: node.parts.first().map_or(1, |part| part.line),
        files,
        old_signature: signatures.0,
        new_signature: signatures.1,
        members,
        n_dependents: snapshot.dependents(pair.key)?.len(),
        propagated: None,
    })
}

/// Whether a type on both sides differs in nothing but names of types that have others now.
fn follows_moves(pair: &Pair<'_>, members: &[MemberChange]) -> bool {
    let (Some(before), Some(new)) = (pair.before(), pair.new) else {
        return false;
    };
    (pair.renamed.is_some() || !members.is_empty())
        && pair.class <= ChangeClass::Internal
        && before.has_structure_of(new)
        && members.iter().all(|member| member.follows_moves)
        && with_values(before) == with_values(new)
}

/// The members whose order may mean something, in that order.
fn with_values(node: &TypeNode) -> Vec<&str> {
    let members = node.members.iter().filter(|member| {
        matches!(
            member.kind,
            DeclKind::Field | DeclKind::Property | DeclKind::EnumMember | DeclKind::Event
        )
    });
    let mut members: Vec<&MemberNode> = members.collect();
    members.sort_by_key(|member| (member.part, member.decl));
    members
        .into_iter()
        .map(|member| member.name.as_str())
        .collect()
}

/// Says anew how much of a type differs, now that members follow what has another name.
pub(crate) fn tell_class(change: &mut TypeChange, pair: &Pair<'_>) {
    change.follows_moves = follows_moves(pair, &change.members);
    if !change.follows_moves {
        change.class = class_beside_moves(pair, &change.members);
    }
}

/// How much of a type differs beside names of types that have others now.
fn class_beside_moves(pair: &Pair<'_>, members: &[MemberChange]) -> ChangeClass {
    let (Some(before), Some(new)) = (pair.before(), pair.new) else {
        return pair.class;
    };
    let has_followers = members.iter().any(|member| member.follows_moves);
    if !(has_followers || pair.renamed.is_some())
        || pair.class > ChangeClass::Internal
        || !before.has_structure_of(new)
    {
        return pair.class;
    }
    let own = members.iter().filter(|member| !member.follows_moves);
    let class = |member: &MemberChange| match member.change {
        MemberChangeKind::Docs => ChangeClass::Docs,
        _ if member.accessibility.is_visible() => ChangeClass::PublicBehavior,
        _ => ChangeClass::Internal,
    };
    own.map(class).min().unwrap_or(pair.class)
}

/// What a reviewer asks first comes first: what may break others, what behaves otherwise, what is
/// new, what stays inside.
fn urgency(class: ChangeClass) -> u8 {
    match class {
        ChangeClass::Structure | ChangeClass::Removed => 0,
        ChangeClass::PublicBehavior => 1,
        ChangeClass::Added => 2,
        ChangeClass::Internal => 3,
        ChangeClass::Docs => 4,
        ChangeClass::Cosmetic | ChangeClass::Unchanged => 5,
    }
}

/// A type by name and id.
pub(crate) fn type_ref(
    snapshot: &Snapshot,
    key: TypeKey,
    node: &TypeNode,
) -> Result<TypeRef, QueryError> {
    Ok(TypeRef {
        name: node.fqn.clone(),
        id: snapshot.display_id(key)?,
        kind: node.kind,
    })
}

fn distinct(paths: impl Iterator<Item = RepoPath>) -> Vec<RepoPath> {
    let mut out: Vec<RepoPath> = Vec::new();
    for path in paths {
        if !out.contains(&path) {
            out.push(path);
        }
    }
    out
}
