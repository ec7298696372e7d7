//! Unchanged members of the same folder, or of the same name, that new ones are written like, but for the names of what each is about.
//!
//! Owns: how much two members are alike. Must not know: what they do.

use std::{
    borrow::Cow,
    collections::{BTreeMap, BTreeSet},
    hash::BuildHasher,
};

use cortex_derived::doc_ids::DocIds;
use cortex_git::ReadBlob;
use cortex_index::FileSummary;
use cortex_look::QueryError;
use cortex_model::{LineTable, RepoPath, TypeKey};
use cortex_syntax::text::{CodeToken, decode, tokens};
use cortex_wire::{CodePlace, MemberChangeKind, NearCopy, UseSide};
use rustc_hash::{FxBuildHasher, FxHashMap, FxHashSet};

use super::{
    alike_tokens::{AlikeToken, alike_tokens},
    around::Declared,
    declared::simple_name,
    next::Member,
    symbols::{ChangedSymbol, changed_members},
};
use crate::diff_context::{blobs::Reader, compared::Compared};

/// A shorter member may be written like many.
const MIN_TOKENS: usize = 60;

/// So much of both has to be the same, in percent: of two that are called alike, and of any.
const MIN_ALIKE: usize = 60;
const MIN_ALIKE_OF_ANY: usize = 90;

/// Two members are called alike that have one name, or share so many words but for those that many have.
const MIN_WORDS: usize = 2;
const COMMON_WORDS: [&str; 14] = [
    "All", "Async", "By", "Create", "Delete", "For", "Get", "Id", "Ids", "Many", "Post", "Put",
    "To", "Update",
];

/// So many tokens that follow one another are compared as one.
const N_TOGETHER: usize = 4;

/// In larger folders everything is near.
const MAX_FILES: usize = 40;

/// In other folders, members of the same name are looked at where it has so many words and so many files name it.
const MIN_WORDS_OF_NAME: usize = 3;
const MAX_NAMING: usize = 12;

/// So many new members are looked at, and so many told.
const MAX_NEW: usize = 24;
const MAX_TOLD: usize = 3;

/// A member of some folder, as it is written.
struct Written {
    member: Member,
    place: CodePlace,
    n_tokens: usize,
    /// Tokens that follow one another, with how often they do.
    shingles: FxHashMap<u64, usize>,
}

/// The new members of the product with the unchanged one of the same folder, or name, that each is most alike, by how much, where that
/// is most of both, or nearly all where they are called otherwise. Variables may differ, and the words of their own names
/// and those of their types. `symbols`: what changed. Reads the files of folders that have such a member.
pub(super) fn near_copies(
    compared: &Compared,
    symbols: &[ChangedSymbol],
    reader: &mut Reader<'_>,
) -> Result<Vec<NearCopy>, QueryError> {
    let changed = changed_members(symbols);
    let there = symbols.iter().filter(|it| it.side == UseSide::New);
    let types: FxHashSet<TypeKey> = (there.clone())
        .filter(|it| it.member.is_none())
        .map(|it| it.key)
        .collect();
    let added = there.filter(|it| it.change == MemberChangeKind::Added);
    let added = added.filter_map(|it| Some((it.key, it.member?)));
    let added: BTreeSet<Member> = added.take(MAX_NEW).collect();
    let mut folders: BTreeMap<String, Vec<FileSummary>> = BTreeMap::new();
    for (key, _) in &added {
        let header = compared.new.type_header(*key)?;
        let node = match header.is_some_and(|it| !compared.is_of_tests(&it.project)) {
            true => compared.new.type_node(*key)?,
            false => None,
        };
        for part in node.iter().flat_map(|node| &node.parts) {
            folders.entry(part.path.folder().to_owned()).or_default();
        }
    }
    if folders.is_empty() {
        return Ok(Vec::new());
    }
    for file in compared.new.files()? {
        if let Some(files) = folders.get_mut(file.path.folder()) {
            files.push(file);
        }
    }
    let mut out: Vec<NearCopy> = Vec::new();
    for mut files in folders.into_values().filter(|it| it.len() <= MAX_FILES) {
        files.extend(naming(compared, &added, &files)?);
        let mut written = Vec::new();
        for file in &files {
            written.extend(members(compared, file, reader)?);
        }
        let (new, others): (Vec<Written>, Vec<Written>) = written
            .into_iter()
            .partition(|it| added.contains(&it.member));
        let is_left =
            |it: &&Written| !changed.contains(&it.member) && !types.contains(&it.member.0);
        let others: Vec<&Written> = others.iter().filter(is_left).collect();
        for new in new.iter().filter(|it| it.n_tokens >= MIN_TOKENS) {
            let alike = others.iter().map(|other| (alike(new, other), *other));
            let alike = alike.filter(|(percent, other)| {
                let is_near = other.place.path.folder() == new.place.path.folder();
                match are_called_alike(new, other) {
                    true if is_near || new.name() == other.name() => *percent >= MIN_ALIKE,
                    false if is_near => *percent >= MIN_ALIKE_OF_ANY,
                    _ => false,
                }
            });
            let alike = alike.map(|(percent, other)| (percent, &other.place));
            let best = alike.max_by_key(|(percent, place)| (*percent, std::cmp::Reverse(*place)));
            if let Some((percent, place)) = best {
                out.push(NearCopy {
                    doc_id: new.place.inside.clone().unwrap_or_default(),
                    percent,
                    place: place.clone(),
                });
            }
        }
    }
    out.sort_by(|a, b| (b.percent, &a.doc_id).cmp(&(a.percent, &b.doc_id)));
    out.truncate(MAX_TOLD);
    Ok(out)
}

/// The files of other folders that mention the name of a new member which one of some files declares: code was taken from
/// there, under its name.
fn naming(
    compared: &Compared,
    added: &BTreeSet<Member>,
    files: &[FileSummary],
) -> Result<Vec<FileSummary>, QueryError> {
    let mut ids = DocIds::new(&compared.new);
    let mut names: BTreeSet<String> = BTreeSet::new();
    for (key, tag) in added {
        let Some(node) = compared.new.type_node(*key)? else {
            continue;
        };
        let is_here = |path: &RepoPath| files.iter().any(|it| it.path == *path);
        if node.parts.iter().any(|part| is_here(&part.path)) {
            names.extend(simple_name(&mut ids, (*key, *tag))?);
        }
    }
    let mut out: BTreeMap<RepoPath, FileSummary> = BTreeMap::new();
    for name in names
        .iter()
        .filter(|it| words(it).count() >= MIN_WORDS_OF_NAME)
    {
        let naming = compared.new.files_mentioning(name)?;
        if naming.len() <= MAX_NAMING {
            let others = naming.into_iter().map(|it| (it.path.clone(), it));
            out.extend(others.filter(|(path, _)| files.iter().all(|it| it.path != *path)));
        }
    }
    Ok(out.into_values().collect())
}

/// How much of two members is the same, in percent of both.
fn alike(one: &Written, other: &Written) -> usize {
    let shared = one.shingles.iter().map(|(shingle, n)| {
        let of_other = other.shingles.get(shingle).copied().unwrap_or_default();
        (*n).min(of_other)
    });
    let shared: usize = shared.sum();
    let all: usize = [one, other]
        .map(|it| it.shingles.values().sum::<usize>())
        .iter()
        .sum();
    200 * shared / all.max(1)
}

impl Written {
    /// The simple name.
    fn name(&self) -> &str {
        let id = self.place.inside.as_deref().unwrap_or_default();
        let head = id.split(['(', '`']).next().unwrap_or_default();
        head.rsplit('.').next().unwrap_or_default()
    }
}

/// Whether two members have one name, or the same words around what each is about.
fn are_called_alike(one: &Written, other: &Written) -> bool {
    let [one, other] = [one.name(), other.name()];
    let of_other: BTreeSet<&str> = words(other).collect();
    let shared = words(one).filter(|it| of_other.contains(it) && !COMMON_WORDS.contains(it));
    one == other || shared.collect::<BTreeSet<&str>>().len() >= MIN_WORDS
}

/// The members of a file of the product that are long enough.
fn members(
    compared: &Compared,
    file: &FileSummary,
    reader: &mut Reader<'_>,
) -> Result<Vec<Written>, QueryError> {
    let product = file.projects.iter().find(|it| !compared.is_of_tests(it));
    let Some(project) = product else {
        return Ok(Vec::new());
    };
    let text = decode(&reader.read_blob(file.blob)?).as_bytes().to_vec();
    let declared = Declared::of(&compared.new, file, project)?;
    let tokens = tokens(&text);
    let lines = LineTable::new(&text);
    let mut ids = DocIds::new(&compared.new);
    let mut out = Vec::new();
    for (range, member) in declared.members() {
        let first = tokens.partition_point(|it| it.range.start < range.start);
        let end = tokens.partition_point(|it| it.range.start < range.end);
        if end - first < MIN_TOKENS * MIN_ALIKE / 100 {
            continue;
        }
        let Some(id) = ids.of(member.0, Some(member.1))? else {
            continue;
        };
        let own = own_words(&id);
        out.push(Written {
            member,
            n_tokens: end - first,
            shingles: shingles(&text, &tokens[first..end], &own),
            place: CodePlace {
                path: file.path.clone(),
                line: lines.position(range.start).line,
                inside: Some(id),
            },
        });
    }
    Ok(out)
}

/// The words of a member's name and of its type's: what it is about.
fn own_words(id: &str) -> BTreeSet<String> {
    let head = id.split('(').next().unwrap_or_default();
    let names = head.rsplit('.').take(2);
    names.flat_map(words).map(str::to_owned).collect()
}

/// The words of a name: `Order`, `Line` of `OrderLine`.
fn words(name: &str) -> impl Iterator<Item = &str> {
    let starts = name.char_indices().filter(|(_, c)| !c.is_lowercase());
    let mut starts: Vec<usize> = starts.map(|(at, _)| at).collect();
    starts.insert(0, 0);
    starts.dedup();
    let ends: Vec<usize> = starts.iter().skip(1).copied().chain([name.len()]).collect();
    starts
        .into_iter()
        .zip(ends)
        .map(|(start, end)| &name[start..end])
}

/// The hashes of tokens that follow one another. Variables are alike, and so are words of names that are `own`.
fn shingles(text: &[u8], tokens: &[CodeToken], own: &BTreeSet<String>) -> FxHashMap<u64, usize> {
    let keys = alike_tokens(text, tokens).map(|token| match token {
        AlikeToken::Variable => Cow::Borrowed("~"),
        AlikeToken::Name(written) => masked(&written, own).into(),
        AlikeToken::Other(written) => written,
    });
    let keys: Vec<Cow<'_, str>> = keys.collect();
    let mut out: FxHashMap<u64, usize> = FxHashMap::default();
    for together in keys.windows(N_TOGETHER) {
        let key = FxBuildHasher.hash_one(together);
        *out.entry(key).or_default() += 1;
    }
    out
}

/// A name in which words that are `own` are left out, but for a sign.
fn masked(name: &str, own: &BTreeSet<String>) -> String {
    let mut out = String::new();
    for word in words(name) {
        match own.contains(word) {
            true if out.ends_with('#') => {}
            true => out.push('#'),
            false => out.push_str(word),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::{masked, own_words, words};

    #[test]
    fn names_of_what_members_are_about_are_alike() {
        assert_eq!(
            words("orderLineB").collect::<Vec<_>>(),
            ["order", "Line", "B"]
        );
        let [one, other] = [
            "M:N.Store.ReplaceUserGroupAsync(System.Int32)",
            "M:N.Store.ReplacePlanAsync",
        ];
        assert_eq!(masked("UserGroupPolicies", &own_words(one)), "#Policies");
        assert_eq!(masked("PlanPolicies", &own_words(other)), "#Policies");
        assert_ne!(masked("PlanPolicies", &own_words(one)), "#Policies");
    }
}
