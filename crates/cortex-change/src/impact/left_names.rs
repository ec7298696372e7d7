//! Names and routes that are gone and that comments, documentation and settings still have, and documentation of what runs
//! otherwise.
//!
//! Must not know: which code uses them: [`super::dangling`] does.

use std::collections::{BTreeMap, BTreeSet};

use cortex_git::ReadBlob;
use cortex_look::{QueryError, mentioned::OtherTexts};
use cortex_model::{ChangeClass, RepoPath, simple_name};
use cortex_syntax::text::{CodeToken, decode, tokens};
use cortex_wire::{
    CodePlace, DiffContext, LeftValue, MemberChange, MemberChangeKind, TextKind, TypeChange,
    ValueChange, What,
};

use crate::{
    diff_context::{blobs::BlobSource, compared::Compared},
    impact::{
        left_values::has_whole,
        string_places::{Wanted, candidates, longest_word, unchanged_places},
    },
    reading::ChangedLines,
};

/// So many names and routes are looked for, and told.
const MAX_NAMES: usize = 12;
const MAX_TOLD: usize = 6;

/// What stands on more lines is a name of something else as well.
const MAX_PLACES: usize = 16;

/// A shorter path is a part of many.
const MIN_PATH: usize = 10;

/// Formats of texts for people.
const DOCUMENTATION: [&str; 5] = ["md", "markdown", "rst", "adoc", "txt"];

/// A text with more lines about a type is about other things of it as well.
const MAX_DESCRIBING: usize = 6;

/// What is gone, by its text: how it is told.
type Gone = BTreeMap<String, (TextKind, String)>;

/// The names of types and members of the product, and the paths of routes, that are gone, with the unchanged comments and
/// texts of the newer side that have them: names in comments of the product and in documentation, routes in its strings and
/// in all other texts as well; and the types and members of the product that run otherwise, with documentation that has
/// their names. By name. Where there are any, reads the files that have their words as far as these are kept.
pub(crate) fn left_names(
    compared: &Compared,
    others: &OtherTexts<'_>,
    source: BlobSource<'_>,
    answer: &DiffContext,
) -> Result<Vec<LeftValue>, QueryError> {
    let (names, routes) = (names(compared, source, answer)?, routes(answer));
    let changed = running_otherwise(compared, answer)?;
    let gone = || names.keys().chain(routes.keys());
    if gone().next().is_none() && changed.is_empty() {
        return Ok(Vec::new());
    }
    let named = |said: &str| names.keys().find(|name| has_whole(said, name)).cloned();
    let routed = |said: &str| routes.keys().find(|path| has_path(said, path)).cloned();
    let all: BTreeMap<String, String> = (gone().chain(&changed))
        .map(|text| (text.clone(), longest_word(text)))
        .collect();
    let wanted = Wanted {
        in_tests: false,
        parts: gone().map(|text| longest_word(text)).collect(),
        name: &routed,
        comment: &|line| named(&line.said).or_else(|| routed(&line.said)),
    };
    let mut places = match wanted.parts.is_empty() {
        true => BTreeMap::new(),
        false => unchanged_places(compared, source, &wanted)?,
    };
    let is_asked = |path: &RepoPath| !routes.is_empty() || is_documentation(path);
    for found in others.lines_with(&all, &is_asked)? {
        let is_told = match routes.contains_key(&found.text) {
            true => has_path(&found.line, &found.text),
            false => is_documentation(&found.path) && has_whole(&found.line, &found.text),
        };
        let is_changed = || {
            let changed = ChangedLines::of(compared, &found.path);
            changed.is_some_and(|it| it.has_line(found.number))
        };
        if is_told && !is_changed() {
            places.entry(found.text).or_default().insert(CodePlace {
                path: found.path.clone(),
                line: found.number,
                inside: None,
            });
        }
    }
    places.retain(|text, places| {
        let is_gone = !changed.contains(text);
        places.len() <= if is_gone { MAX_PLACES } else { MAX_DESCRIBING }
    });
    let told = places.into_iter().map(|(text, places)| {
        let gone = names.get(&text).or_else(|| routes.get(&text));
        let (kind, value) = gone.cloned().unwrap_or((TextKind::Name, text));
        LeftValue {
            value,
            kind,
            change: match gone {
                Some(_) => ValueChange::Removed,
                None => ValueChange::Described,
            },
            places: places.into_iter().collect(),
        }
    });
    let mut told: Vec<LeftValue> = told.collect();
    told.sort_by_key(|it| it.change);
    told.truncate(MAX_TOLD);
    Ok(told)
}

/// The name of a member with fewer letters may be a word of anything.
const MIN_ALONE: usize = 8;

/// What more files have, in comments or in code, is written much.
const MAX_HAVING: usize = 8;

/// Whether a file is a text for people.
pub(super) fn is_documentation(path: &RepoPath) -> bool {
    let extension = path.extension().to_ascii_lowercase();
    DOCUMENTATION.contains(&extension.as_str())
}

/// A member with a shorter name is called like many.
const MIN_MEMBER: usize = 12;

/// The names of types and members of the product that run otherwise under the name that they had: of types that no other
/// type is called like, and of members of static classes that other types see, both of several words.
fn running_otherwise(
    compared: &Compared,
    answer: &DiffContext,
) -> Result<BTreeSet<String>, QueryError> {
    let is_there = |ty: &&TypeChange| {
        let is_there = !matches!(ty.class, ChangeClass::Added | ChangeClass::Removed);
        !ty.is_test && is_there && ty.renamed_from.is_none()
    };
    let is_told = |name: &str| is_name(name) && name.chars().all(is_of_name);
    let mut out = BTreeSet::new();
    for ty in answer.types.iter().filter(is_there) {
        let members = ty.members.iter().filter(|it| {
            let runs = matches!(
                it.change,
                MemberChangeKind::Body | MemberChangeKind::Signature
            );
            runs && !it.follows_moves && it.renamed_from().is_none()
        });
        let members: Vec<&MemberChange> = members.collect();
        let name = simple_name(&ty.ty.name);
        if !members.is_empty() && is_told(name) && compared.new.types_named(name)?.len() == 1 {
            out.insert(name.to_owned());
        }
        // Methods of static classes have names that stand for themselves; of others, other types have such as well.
        let is_static = ty.modifiers.iter().any(|it| it == "static");
        let seen = members
            .iter()
            .filter(|it| is_static && it.accessibility.is_visible());
        let names = seen.map(|it| it.name.as_str());
        let names = names.filter(|name| name.len() >= MIN_MEMBER && is_told(name));
        out.extend(names.map(str::to_owned));
        if out.len() >= MAX_NAMES {
            break;
        }
    }
    Ok(out)
}

/// Whether a name is one: what has one word is called like a thing.
pub(super) fn is_name(name: &str) -> bool {
    name.chars().filter(|c| c.is_uppercase()).count() > 1
}

/// The types that are gone under their name, and the members that are gone under theirs: behind the name of their type, or,
/// where no code has such a name any longer, by it alone.
fn names(
    compared: &Compared,
    source: BlobSource<'_>,
    answer: &DiffContext,
) -> Result<Gone, QueryError> {
    let mut out = Gone::new();
    for ty in answer.types.iter().filter(|ty| !ty.is_test) {
        if out.len() >= MAX_NAMES {
            break;
        }
        for name in gone_of(ty) {
            let text = match name.split_once('.') {
                Some((_, member)) if is_alone(compared, source, member)? => Some(member),
                Some((_, member)) if !has_member(compared, ty, member)? => Some(&*name),
                None if is_name(&name) && compared.new.types_named(&name)?.is_empty() => {
                    Some(&*name)
                }
                _ => None,
            };
            if let Some(text) = text {
                out.insert(text.to_owned(), (TextKind::Name, name.clone()));
            }
        }
    }
    Ok(out)
}

/// Whether the name of a member means that member wherever it stands: it has several words, and no code has it. Nothing is
/// known of a name that many files have.
fn is_alone(compared: &Compared, source: BlobSource<'_>, member: &str) -> Result<bool, QueryError> {
    if member.len() < MIN_ALONE || !is_name(member) {
        return Ok(false);
    }
    let files = candidates(compared, &[member.to_owned()], |_| true)?;
    if files.len() > MAX_HAVING {
        return Ok(false);
    }
    let mut reader = source.open();
    for file in files {
        let text = reader.read_blob(file.blob)?;
        let text = decode(&text);
        let text = text.as_bytes();
        let is_it = |it: &CodeToken| {
            &text[it.range.start as usize..it.range.end as usize] == member.as_bytes()
        };
        if tokens(text).iter().any(is_it) {
            return Ok(false);
        }
    }
    Ok(true)
}

/// Whether a type of the newer side, or one that it names as a base, has a member of a name: an overload, an explicit
/// implementation, or one that went into the base.
fn has_member(compared: &Compared, ty: &TypeChange, name: &str) -> Result<bool, QueryError> {
    let all = std::iter::once(&ty.ty.name).chain(&ty.bases);
    for ty in all {
        for found in compared.new.types_named(simple_name(ty))? {
            let node = compared.new.type_node(found.key)?;
            let members = node.iter().flat_map(|node| &node.members);
            if members.map(|it| it.simple_name()).any(|it| it == name) {
                return Ok(true);
            }
        }
    }
    Ok(false)
}

fn gone_of(ty: &TypeChange) -> Vec<String> {
    let name = simple_name(&ty.ty.name);
    if ty.class == ChangeClass::Removed {
        return vec![name.to_owned()];
    }
    let was = ty.renamed_from.as_deref().map_or(name, simple_name);
    let renamed = (was != name).then(|| was.to_owned());
    let gone = (ty.members.iter())
        .filter_map(|it| match it.change {
            MemberChangeKind::Removed => Some(it.name.as_str()),
            _ => declared_name(it.old_signature.as_deref()?).filter(|was| *was != it.name),
        })
        .filter(|name| name.chars().all(is_of_name))
        .map(|name| format!("{was}.{name}"));
    renamed.into_iter().chain(gone).collect()
}

/// The simple name of a member in its canonical signature (`public int Ns.Type.Name(int)`); nothing where a tuple is before
/// it.
fn declared_name(signature: &str) -> Option<&str> {
    let head = signature.split(['(', '{', '[']).next()?.trim_end();
    let (_, name) = head.rsplit_once('.')?;
    (!name.is_empty() && name.chars().all(is_of_name)).then_some(name)
}

fn is_of_name(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

/// The paths of routes that went, up to their first parameter.
fn routes(answer: &DiffContext) -> Gone {
    let path = |template: &str| -> String {
        let fixed = template.split('{').next().unwrap_or_default();
        fixed.trim_matches(['/', '~']).to_owned()
    };
    let there: BTreeSet<String> = (answer.routes.iter())
        .filter(|it| it.what != What::Removed)
        .map(|it| path(&it.template))
        .collect();
    let gone = answer.routes.iter().filter(|it| it.what == What::Removed);
    gone.filter_map(|route| {
        let path = path(&route.template);
        let is_path = path.contains('/') && path.len() >= MIN_PATH && !there.contains(&path);
        let told = format!("{} {}", route.verb, route.template);
        is_path.then_some((path, (TextKind::Route, told)))
    })
    .take(MAX_NAMES)
    .collect()
}

/// Whether a text has a path that is not the beginning of a longer one.
fn has_path(text: &str, path: &str) -> bool {
    let is_part = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-');
    text.match_indices(path).any(|(at, _)| {
        let before = text[..at].chars().next_back();
        let mut behind = text[at + path.len()..].chars();
        let goes_on = match behind.next() {
            Some('/') => behind.next().is_some_and(|c| is_part(c) || c == '{'),
            next => next.is_some_and(is_part),
        };
        !before.is_some_and(is_part) && !goes_on
    })
}
