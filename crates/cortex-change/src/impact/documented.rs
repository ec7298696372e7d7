//! Documentation that still names what the code below it names no longer.
//!
//! Owns: which documentation tells of a member. Must not know: what else names it.

use std::collections::{BTreeMap, BTreeSet};

use cortex_derived::doc_ids::DocIds;
use cortex_git::ReadBlob;
use cortex_look::QueryError;
use cortex_model::{ChangeClass, RepoPath};
use cortex_syntax::text::decode;
use cortex_wire::{
    CodeLineKind, CodePlace, DiffContext, LeftValue, MemberChange, MemberChangeKind, TextKind,
    TypeChange, ValueChange,
};

use super::{declared::declared, left_names::is_name, left_values::has_whole, promises::promises};
use crate::{
    diff_context::{
        blobs::{BlobSource, Reader},
        compared::Compared,
    },
    reading::ChangedLines,
};

/// A shorter name is a word of every text.
const MIN_LETTERS: usize = 6;

/// So many members with another body are looked at, and so many names of each.
const MAX_MEMBERS: usize = 60;
const MAX_NAMES: usize = 24;

/// So many names are told.
const MAX_TOLD: usize = 4;

/// How names of what asks for something begin: documentation says the rest.
const ASKING: [&str; 4] = ["Is", "Has", "Can", "Get"];

/// The names on lines that are gone of members of the product which their newer code has nowhere, with the unchanged
/// lines of documentation of these members, or of what they override and implement, that have them. Reads the files with
/// such documentation.
pub(crate) fn documented(
    compared: &Compared,
    source: BlobSource<'_>,
    answer: &DiffContext,
) -> Result<Vec<LeftValue>, QueryError> {
    let mut ids = DocIds::new(&compared.new);
    let mut reader = source.open();
    let mut found: BTreeMap<String, BTreeSet<CodePlace>> = BTreeMap::new();
    let types = answer.types.iter().filter(|ty| !ty.is_test);
    let members = types.flat_map(|ty| ty.members.iter().map(move |member| (ty, member)));
    let other_bodies = members.filter(|(_, member)| {
        matches!(
            member.change,
            MemberChangeKind::Body | MemberChangeKind::Signature
        )
    });
    for (ty, member) in other_bodies.take(MAX_MEMBERS) {
        let names = gone_names(member);
        if names.is_empty() {
            continue;
        }
        for place in declarations(compared, &mut ids, ty, member)? {
            let text = text_of(compared, &mut reader, &place.path)?;
            let changed = ChangedLines::of(compared, &place.path);
            let is_changed = |line| changed.as_ref().is_some_and(|it| it.has_line(line));
            let comments = documentation(&text, place.line).into_iter();
            for (number, comment) in comments.filter(|(number, _)| !is_changed(*number)) {
                for name in names.iter().filter(|name| has_whole(comment, name)) {
                    let line = CodePlace {
                        line: number,
                        ..place.clone()
                    };
                    found.entry((*name).to_owned()).or_default().insert(line);
                }
            }
        }
    }
    let told = found.into_iter().map(|(value, places)| LeftValue {
        value,
        kind: TextKind::Name,
        change: ValueChange::Documented,
        places: places.into_iter().collect(),
    });
    Ok(told.take(MAX_TOLD).collect())
}

/// The names of several words that lines of a body which are gone had and that the member has nowhere now, and what these
/// ask for.
fn gone_names(member: &MemberChange) -> BTreeSet<&str> {
    let is_code = |text: &str| !text.trim_start().starts_with("//");
    let there: BTreeSet<&str> = (member.code.iter())
        .filter(|line| line.kind != CodeLineKind::Removed && is_code(&line.text))
        .flat_map(|line| words(&line.text))
        .collect();
    let gone = member
        .code
        .iter()
        .filter(|line| line.kind == CodeLineKind::Removed);
    let gone = gone.filter(|line| is_code(&line.text));
    let names = gone
        .flat_map(|line| words(&line.text))
        .filter(|word| *word != member.name);
    let asked = names.flat_map(|name| {
        let rest = ASKING.iter().find_map(|verb| name.strip_prefix(verb));
        let rest = rest.filter(|rest| rest.starts_with(char::is_uppercase));
        // One word may be one of the text.
        [Some(name).filter(|it| is_name(it)), rest]
    });
    let is_told = |name: &&str| {
        name.len() >= MIN_LETTERS
            && name.starts_with(char::is_uppercase)
            && !there.iter().any(|word| word.contains(*name))
    };
    asked.flatten().filter(is_told).take(MAX_NAMES).collect()
}

fn words(text: &str) -> impl Iterator<Item = &str> {
    let is_end = |c: char| !(c.is_alphanumeric() || c == '_');
    text.split(is_end).filter(|word| !word.is_empty())
}

/// Where a member is declared, and what it overrides and implements.
fn declarations(
    compared: &Compared,
    ids: &mut DocIds<'_>,
    ty: &TypeChange,
    member: &MemberChange,
) -> Result<Vec<CodePlace>, QueryError> {
    let mut out = vec![CodePlace {
        path: member.path.clone(),
        line: member.line,
        inside: member.doc_id.clone(),
    }];
    let Some(id) = member.doc_id.as_deref() else {
        return Ok(out);
    };
    if ty.class == ChangeClass::Removed {
        return Ok(Vec::new());
    }
    let named = compared
        .new
        .types_named(cortex_model::simple_name(&ty.ty.name))?;
    for symbol in named.iter().filter(|it| it.fqn == ty.ty.name) {
        for (_, promise) in promises(ids, symbol.key, &[id])? {
            let of = declared(ids, promise.ty, Some(promise.tag))?;
            out.extend(of.map(|it| it.place));
        }
    }
    Ok(out)
}

/// The text of a file of the newer side; empty where there is none.
fn text_of(
    compared: &Compared,
    reader: &mut Reader<'_>,
    path: &RepoPath,
) -> Result<String, QueryError> {
    let Some(file) = compared.new.file(path)? else {
        return Ok(String::new());
    };
    let text = decode(&reader.read_blob(file.blob)?).as_bytes().to_vec();
    Ok(String::from_utf8_lossy(&text).into_owned())
}

/// The lines of documentation above a declaration, by their 1-based numbers; attributes may stand between them.
/// `line`: that of its name.
fn documentation(text: &str, line: u32) -> Vec<(u32, &str)> {
    let lines: Vec<&str> = text.lines().take(line.saturating_sub(1) as usize).collect();
    let above = lines
        .iter()
        .enumerate()
        .rev()
        .map(|(at, text)| (at, text.trim()));
    let own = above.take_while(|(_, text)| text.starts_with("///") || text.starts_with('['));
    own.filter(|(_, text)| text.starts_with("///"))
        .map(|(at, text)| (at as u32 + 1, text))
        .collect()
}
