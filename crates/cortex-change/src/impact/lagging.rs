//! Product code that does not take along what a type newly holds: copies, mappings and initializers that use most of the
//! rest, and code that uses what goes with a new member elsewhere.
//!
//! Owns: what most is, what goes with what. Must not know: who uses the new members.

mod mirrors;

use std::{
    cmp::Reverse,
    collections::{BTreeMap, BTreeSet},
};

use cortex_bind::{MemberNode, TypeNode};
use cortex_derived::doc_ids::{DocIds, written_members};
use cortex_index::MemberTag;
use cortex_look::QueryError;
use cortex_model::{Accessibility, BlobId, DeclKind, Modifier, RepoPath, TypeKey};
use cortex_wire::{LaggingUser, MemberChangeKind, UseSide};

use crate::{
    contracts::is_written,
    diff_context::{blobs::Reader, compared::Compared},
    impact::{
        file_lines::FileLines,
        next::Member,
        symbols::ChangedSymbol,
        uses::{Want, Wanted, find, symbol},
    },
};

/// A type must hold so much beside what is new.
const MIN_OTHERS: usize = 3;

/// So many types with new members are looked at.
const MAX_TYPES: usize = 16;

/// A type whose members are used in more files is what the whole repository is about.
const MAX_FILES: usize = 400;

/// What a type holds.
struct Held {
    new: Vec<(MemberTag, String)>,
    others: Vec<MemberTag>,
    /// The tag of each member that is written.
    members: Vec<Option<MemberTag>>,
}

/// The members of product code that use more than half of what a type held already, and nothing of what it holds now as
/// well; the types that have much of it under the same names; then the members that use what goes with the first new one;
/// by type, then those that use most. Reads the bindings of the files that use these types.
pub(crate) fn lagging_users(
    compared: &Compared,
    symbols: &[ChangedSymbol],
    reader: &mut Reader<'_>,
) -> Result<Vec<LaggingUser>, QueryError> {
    let snapshot = &compared.new;
    let mut ids = DocIds::new(snapshot);
    let mut lines = FileLines::default();
    let mut out = Vec::new();
    for (key, new) in grown(symbols).into_iter().take(MAX_TYPES) {
        let Some(node) = snapshot.type_node(key)? else {
            continue;
        };
        let Some(held) = held(&mut ids, key, &node, &new)? else {
            continue;
        };
        if compared.is_of_tests(&node.project) {
            continue;
        }
        let tags: Vec<MemberTag> = held.new.iter().map(|(tag, _)| *tag).collect();
        let of_new = Users::of(compared, key, &tags)?;
        let mut of_type: BTreeMap<(RepoPath, Member), LaggingUser> = BTreeMap::new();
        let takes_along: BTreeSet<Member> = of_new.members.keys().map(|(_, it)| *it).collect();
        let mut add = |users: &Users, like: Option<String>| {
            let handing_on = users.naming(compared, &takes_along)?;
            for ((path, member), user) in &users.members {
                if takes_along.contains(member)
                    || handing_on.contains(member)
                    || of_type.contains_key(&(path.clone(), *member))
                    || like.is_none() && !user.uses_most_of(held.others.len())
                {
                    continue;
                }
                let lagging = LaggingUser {
                    ty: node.fqn.clone(),
                    lacks: held.new.iter().map(|(_, name)| name.clone()).collect(),
                    path: path.clone(),
                    line: lines.line(reader, user.blob, user.first)?,
                    inside: ids.of(member.0, Some(member.1))?,
                    n_used: user.tags.len(),
                    n_others: held.others.len(),
                    like: like.clone(),
                };
                of_type.insert((path.clone(), *member), lagging);
            }
            Ok::<_, QueryError>(())
        };
        let of_others = match snapshot.referrers(key, Some(&held.others))?.len() <= MAX_FILES {
            true => Users::of(compared, key, &held.others)?,
            false => Users::default(),
        };
        add(&of_others, None)?;
        if let Some((peer, users)) = peer(compared, key, &of_new, &held.others)? {
            let members = node.members.iter().zip(&held.members);
            let mut name = members
                .filter(|(_, tag)| **tag == Some(peer))
                .map(|(it, _)| it.name.clone());
            add(&users, name.next())?;
        }
        let told: BTreeSet<TypeKey> = of_type.keys().map(|(_, (ty, _))| *ty).collect();
        let mut of_type: Vec<LaggingUser> = of_type.into_values().collect();
        let along = takes_along.iter().map(|(ty, _)| *ty);
        let left_out: BTreeSet<TypeKey> = told.into_iter().chain(along).chain([key]).collect();
        for mirror in mirrors::of(&of_others, &held.names(&node), &left_out, reader)? {
            of_type.push(LaggingUser {
                ty: node.fqn.clone(),
                lacks: held.new.iter().map(|(_, name)| name.clone()).collect(),
                line: lines.line(reader, mirror.blob, mirror.first)?,
                path: mirror.path,
                inside: ids.of(mirror.ty, None)?,
                n_used: mirror.n_copied,
                n_others: held.others.len(),
                like: None,
            });
        }
        of_type.sort_by(|a, b| {
            let order = |it: &LaggingUser| (it.like.is_some(), Reverse(it.n_used));
            (order(a), &a.path, a.line).cmp(&(order(b), &b.path, b.line))
        });
        out.extend(of_type);
    }
    Ok(out)
}

impl Held {
    /// The names of what was held already.
    fn names<'n>(&self, node: &'n TypeNode) -> BTreeMap<MemberTag, &'n str> {
        let members = node.members.iter().zip(&self.members);
        let others = members.filter_map(|(member, tag)| Some(((*tag)?, member.name.as_str())));
        others
            .filter(|(tag, _)| self.others.contains(tag))
            .collect()
    }
}

/// The members of product code that use some members of a type.
#[derive(Default)]
struct Users {
    members: BTreeMap<(RepoPath, Member), User>,
    /// The files with such members, and their projects.
    files: BTreeSet<(RepoPath, RepoPath)>,
}

struct User {
    tags: BTreeSet<MemberTag>,
    /// Where the uses are.
    places: Vec<(MemberTag, u32)>,
    /// Where the first use is.
    first: u32,
    blob: BlobId,
}

impl User {
    /// Whether it uses most of so many members.
    fn uses_most_of(&self, n: usize) -> bool {
        self.tags.len() >= MIN_OTHERS && self.tags.len() * 2 > n
    }
}

impl Users {
    /// Those of some members of a type. Reads the bindings of the files that use one.
    fn of(compared: &Compared, key: TypeKey, tags: &[MemberTag]) -> Result<Self, QueryError> {
        let wants = tags.iter().enumerate();
        let wants = wants.map(|(at, tag)| Want::of(Some(*tag), at)).collect();
        let places = find(&compared.new, &Wanted::from([(key, wants)]))?;
        let mut out = Self::default();
        for found in &places.found {
            let file = &places.files[found.file as usize];
            let project = &file.projects[usize::from(found.project)];
            let Some((around, Some(tag))) = found.inside else {
                continue;
            };
            if compared.is_of_tests(project) {
                continue;
            }
            out.files.insert((file.path.clone(), project.clone()));
            let user = out.members.entry((file.path.clone(), (around, tag)));
            let user = user.or_insert(User {
                tags: BTreeSet::new(),
                places: Vec::new(),
                first: found.offset,
                blob: file.blob,
            });
            user.tags.insert(tags[found.want.symbol]);
            user.places.push((tags[found.want.symbol], found.offset));
            user.first = user.first.min(found.offset);
        }
        Ok(out)
    }
}

impl Users {
    /// Those that name one of some members: they may hand the object on.
    fn naming(
        &self,
        compared: &Compared,
        wanted: &BTreeSet<Member>,
    ) -> Result<BTreeSet<Member>, QueryError> {
        let mut out = BTreeSet::new();
        if wanted.is_empty() {
            return Ok(out);
        }
        for (path, project) in &self.files {
            let bindings = compared.new.bindings(path, project)?;
            let member = |at: u32| {
                let (key, tag) = symbol(&bindings.targets[at as usize])?;
                Some((key, tag?))
            };
            for decl in &bindings.decls {
                let Some(around) = decl.symbol.and_then(member) else {
                    continue;
                };
                // `: this(…)` names nothing.
                let named = decl.refs.iter().map(|it| it.target);
                let named = named.chain(decl.uses.iter().map(|it| it.target));
                let mut named = named.filter_map(member);
                if self.members.contains_key(&(path.clone(), around))
                    && named.any(|it| it != around && wanted.contains(&it))
                {
                    out.insert(around);
                }
            }
        }
        Ok(out)
    }
}

/// So many members must use both a new member and another one for these to go together.
const MIN_TOGETHER: usize = 3;

/// What more members use than this times those of the new one does not go with it.
const MAX_TIMES: usize = 3;

/// So many members that may go with the new one are looked at.
const MAX_PEERS: usize = 3;

/// The member that goes with new ones, with who uses it: most users of the new ones use it as well, and not many others
/// do. `others`: those that may be it.
fn peer(
    compared: &Compared,
    key: TypeKey,
    of_new: &Users,
    others: &[MemberTag],
) -> Result<Option<(MemberTag, Users)>, QueryError> {
    let mut together: BTreeMap<MemberTag, BTreeSet<(&RepoPath, Member)>> = BTreeMap::new();
    for (path, project) in &of_new.files {
        let bindings = compared.new.bindings(path, project)?;
        let symbol = |at: u32| symbol(&bindings.targets[at as usize]);
        for decl in &bindings.decls {
            let Some((around, Some(tag))) = decl.symbol.and_then(symbol) else {
                continue;
            };
            let member = (around, tag);
            if !of_new.members.contains_key(&(path.clone(), member)) {
                continue;
            }
            let named = decl.refs.iter().map(|it| it.target);
            for target in named.chain(decl.uses.iter().map(|it| it.target)) {
                if let Some((ty, Some(tag))) = symbol(target)
                    && ty == key
                    && others.contains(&tag)
                {
                    together.entry(tag).or_default().insert((path, member));
                }
            }
        }
    }
    let n_of_new = of_new.members.len();
    let together = together
        .into_iter()
        .map(|(tag, users)| (Reverse(users.len()), tag));
    let mut close: Vec<_> = together
        .filter(|(Reverse(n), _)| *n >= MIN_TOGETHER && n * 3 >= n_of_new * 2)
        .collect();
    close.sort();
    let mut best: Option<(MemberTag, Users)> = None;
    for (_, tag) in close.into_iter().take(MAX_PEERS) {
        let users = Users::of(compared, key, &[tag])?;
        let is_better = |it: &(MemberTag, Users)| users.members.len() < it.1.members.len();
        if users.members.len() <= n_of_new * MAX_TIMES && best.as_ref().is_none_or(is_better) {
            best = Some((tag, users));
        }
    }
    Ok(best)
}

/// The types that were there and have new members, with these.
fn grown(symbols: &[ChangedSymbol]) -> BTreeMap<TypeKey, BTreeSet<MemberTag>> {
    let added = symbols
        .iter()
        .filter(|symbol| symbol.side == UseSide::New && symbol.change == MemberChangeKind::Added);
    let mut out: BTreeMap<TypeKey, BTreeSet<MemberTag>> = BTreeMap::new();
    for symbol in added.clone() {
        if let Some(tag) = symbol.member {
            out.entry(symbol.key).or_default().insert(tag);
        }
    }
    for symbol in added.filter(|symbol| symbol.member.is_none()) {
        out.remove(&symbol.key);
    }
    out
}

/// What a type holds of its own; `None` where that is little, or nothing of it is new.
fn held(
    ids: &mut DocIds<'_>,
    key: TypeKey,
    node: &TypeNode,
    added: &BTreeSet<MemberTag>,
) -> Result<Option<Held>, QueryError> {
    let Some(known) = ids.ty(key)? else {
        return Ok(None);
    };
    let (mut new, mut others) = (Vec::new(), Vec::new());
    let members = written_members(node, &known).into_iter();
    let members: Vec<Option<MemberTag>> = members
        .map(|at| at.map(|at| known.symbols.tag(at)))
        .collect();
    for (member, tag) in node.members.iter().zip(&members) {
        let Some(tag) = tag.filter(|_| is_held(member)) else {
            continue;
        };
        match added.contains(&tag) {
            true => new.push((tag, member.name.clone())),
            false => others.push(tag),
        }
    }
    Ok(
        (!new.is_empty() && others.len() >= MIN_OTHERS).then_some(Held {
            new,
            others,
            members,
        }),
    )
}

/// Whether others can give a member of an object a value.
fn is_held(member: &MemberNode) -> bool {
    let is_seen = !matches!(
        member.accessibility,
        Accessibility::Private | Accessibility::Protected
    );
    let is_of_object = !member.modifiers.contains(Modifier::Static);
    let is_value = match member.kind {
        DeclKind::Property => is_written(member),
        DeclKind::Field => true,
        _ => false,
    };
    is_seen && is_of_object && is_value
}
