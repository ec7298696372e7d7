//! Product code that uses most of what a type holds and nothing of what it newly holds: copies, mappings, initializers.
//!
//! Owns: what most is. Must not know: who uses the new members.

use std::collections::{BTreeMap, BTreeSet};

use cortex_bind::{MemberNode, TypeNode};
use cortex_derived::doc_ids::{DocIds, written_members};
use cortex_git::ReadBlob;
use cortex_index::MemberTag;
use cortex_look::QueryError;
use cortex_model::{Accessibility, DeclKind, LineTable, Modifier, TypeKey};
use cortex_syntax::text::decode;
use cortex_wire::{LaggingUser, MemberChangeKind, UseSide};

use crate::{
    contracts::is_written,
    diff_context::{blobs::Reader, compared::Compared},
    impact::{
        next::Member,
        symbols::ChangedSymbol,
        uses::{Want, Wanted, find},
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
}

/// The members of product code that use more than half of what a type held already, and nothing of what it holds now as
/// well; by type, then those that use most. Reads the bindings of the files that use these types.
pub(crate) fn lagging_users(
    compared: &Compared,
    symbols: &[ChangedSymbol],
    reader: &mut Reader<'_>,
) -> Result<Vec<LaggingUser>, QueryError> {
    let snapshot = &compared.new;
    let mut ids = DocIds::new(snapshot);
    let mut out = Vec::new();
    for (key, new) in grown(symbols).into_iter().take(MAX_TYPES) {
        let Some(node) = snapshot.type_node(key)? else {
            continue;
        };
        let Some(Held { new, others }) = held(&mut ids, key, &node, &new)? else {
            continue;
        };
        if compared.is_of_tests(&node.project)
            || snapshot.referrers(key, Some(&others))?.len() > MAX_FILES
        {
            continue;
        }
        let tags = new.iter().map(|(tag, _)| tag).chain(&others);
        let wants = tags.enumerate().map(|(at, tag)| Want::of(Some(*tag), at));
        let places = find(snapshot, &Wanted::from([(key, wants.collect())]))?;
        let mut users: BTreeMap<(u32, Member), (BTreeSet<usize>, u32)> = BTreeMap::new();
        for found in &places.found {
            let project = &places.files[found.file as usize].projects[usize::from(found.project)];
            let Some((around, Some(tag))) = found.inside else {
                continue;
            };
            if !compared.is_of_tests(project) {
                let user = users.entry((found.file, (around, tag)));
                let (used, first) = user.or_insert((BTreeSet::new(), found.offset));
                used.insert(found.want.symbol);
                *first = found.offset.min(*first);
            }
        }
        let lags = |used: &BTreeSet<usize>| {
            let has_new = used.first().is_some_and(|at| *at < new.len());
            !has_new && used.len() >= MIN_OTHERS && used.len() * 2 > others.len()
        };
        let mut of_type = Vec::new();
        for ((file, (around, tag)), (used, first)) in users {
            if !lags(&used) {
                continue;
            }
            let file = &places.files[file as usize];
            let text = reader.read_blob(file.blob)?;
            of_type.push(LaggingUser {
                ty: node.fqn.clone(),
                lacks: new.iter().map(|(_, name)| name.clone()).collect(),
                path: file.path.clone(),
                line: LineTable::new(decode(&text).as_bytes())
                    .position(first)
                    .line,
                inside: ids.of(around, Some(tag))?,
                n_used: used.len(),
                n_others: others.len(),
            });
        }
        of_type.sort_by(|a, b| (b.n_used, &a.path, a.line).cmp(&(a.n_used, &b.path, b.line)));
        of_type.dedup_by(|a, b| (&a.path, &a.inside) == (&b.path, &b.inside));
        out.extend(of_type);
    }
    Ok(out)
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
    for (member, at) in node.members.iter().zip(written_members(node, &known)) {
        let Some(at) = at.filter(|_| is_held(member)) else {
            continue;
        };
        let tag = known.symbols.tag(at);
        match added.contains(&tag) {
            true => new.push((tag, member.name.clone())),
            false => others.push(tag),
        }
    }
    Ok((!new.is_empty() && others.len() >= MIN_OTHERS).then_some(Held { new, others }))
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
