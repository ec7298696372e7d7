//! The names of changed symbols outside of C#.
//!
//! Owns: which symbols they are looked for. Must not know: where names stand in other languages.

use cortex_index::{Index, IndexedSide};
use cortex_look::{
    QueryError,
    mentioned::{MentionedName, OtherTexts, inactive_places},
};
use cortex_model::LineColumn;
use cortex_wire::{
    Certainty, DiffContext, FileLanguage, LineUse, MemberChangeKind, Mention, MentionPlace, Role,
    SymbolImpact, UseSide,
};

use super::razor;

use std::collections::{BTreeMap, BTreeSet, btree_map::Entry};

/// A shorter name is a word of every language but those where each name is one of a program.
const MIN_LETTERS: usize = 4;

/// The languages where short names count: their names stand between marks, as `{{Url}}` does.
const MARKED: &[FileLanguage] = &[FileLanguage::Template];

/// More mentions are those of a common word.
const MAX_MENTIONS: usize = 200;

/// So many mentions of a name are told with their places.
const MAX_PLACES: usize = 3;

/// The places of so many names are looked for.
const MAX_NAMES: usize = 4;

/// Formats in which a name uses nothing: prose, and settings of git and of editors.
const PROSE: [&str; 7] = [
    "md",
    "txt",
    "rst",
    "gitignore",
    "gitattributes",
    "gitmodules",
    "editorconfig",
];

/// Counts the names of what is gone, has another signature or has no uses, in the files of the newer side, and lists
/// where a few that stand there rarely do; and tells what was not searched, where something has no uses.
pub(crate) fn tell(
    (index, new): (&Index, &IndexedSide),
    others: &OtherTexts<'_>,
    answer: &mut DiffContext,
) -> Result<(), QueryError> {
    tell_inactive(index, new, answer)?;
    let tests = answer.test_types();
    // What another symbol of the same name has now is not gone.
    let there: BTreeSet<MentionedName> = (answer.impact.symbols.iter())
        .filter(|symbol| symbol.side == UseSide::New)
        .filter_map(name_of)
        .collect();
    let is_wanted = |symbol: &SymbolImpact| {
        let is_gone = symbol.change == MemberChangeKind::Removed
            && name_of(symbol).is_some_and(|name| !there.contains(&name));
        let is_new = symbol.change == MemberChangeKind::Added;
        let has_other_form = symbol.change == MemberChangeKind::Signature;
        !tests.contains(symbol.ty.as_str())
            && (is_gone || has_other_form || symbol.n_uses == 0 && !is_new)
    };
    let wanted: Vec<Option<MentionedName>> = (answer.impact.symbols.iter())
        .map(|symbol| name_of(symbol).filter(|_| is_wanted(symbol)))
        .collect();
    let found = others.count(&wanted.iter().flatten().cloned().collect())?;
    let mut has_unused = false;
    let mut known: BTreeMap<MentionedName, Vec<Mention>> = BTreeMap::new();
    for (symbol, name) in answer.impact.symbols.iter_mut().zip(wanted) {
        let Some(name) = name else { continue };
        has_unused |= symbol.n_uses == 0;
        let n = found.counts.get(&name).copied().unwrap_or(0);
        symbol.n_mentions = if n > MAX_MENTIONS { 0 } else { n };
        if (1..=MAX_PLACES).contains(&n) && (known.len() < MAX_NAMES || known.contains_key(&name)) {
            let ty = symbol.ty.rsplit(['.', '+']).next().unwrap_or_default();
            let text = name.name.clone();
            let places = match known.entry(name) {
                Entry::Occupied(known) => known.into_mut(),
                Entry::Vacant(entry) => {
                    let found = others.places_of(entry.key())?;
                    entry.insert(found)
                }
            };
            let own = (places.iter()).filter(|it| !razor::links_elsewhere(it, ty, &text));
            let own = own.map(|it| MentionPlace {
                path: it.file.clone(),
                line: it.line,
            });
            symbol.mentions = own.collect();
            symbol.n_mentions = symbol.mentions.len();
        }
    }
    if has_unused {
        let mut formats = found.not_searched;
        formats.retain(|it| !PROSE.contains(&it.extension.as_str()));
        answer.impact.not_searched = formats;
    }
    Ok(())
}

/// So many symbols without uses are looked for in code that conditional compilation leaves out.
const MAX_INACTIVE: usize = 40;

/// Adds the places in code of the newer side that conditional compilation leaves out to the uses of what has none.
fn tell_inactive(
    index: &Index,
    new: &IndexedSide,
    answer: &mut DiffContext,
) -> Result<(), QueryError> {
    let tests = answer.test_types();
    let is_unused = |symbol: &SymbolImpact| {
        symbol.n_uses == 0 && symbol.side == UseSide::New && !tests.contains(symbol.ty.as_str())
    };
    let symbols = answer.impact.symbols.iter().enumerate();
    let unused = symbols.filter(|(_, symbol)| is_unused(symbol));
    let named = unused.filter_map(|(at, symbol)| Some((at, name_of(symbol)?.name)));
    let named: Vec<(usize, String)> = named.take(MAX_INACTIVE).collect();
    if named.is_empty() {
        return Ok(());
    }
    let names = named.iter().map(|(_, name)| name.clone()).collect();
    let places = inactive_places(index, new, &names)?;
    for (at, name) in named {
        let symbol = &mut answer.impact.symbols[at];
        for place in places[&name].iter().filter(|it| !it.test) {
            let file = new.snapshot.file(&place.file)?;
            let project = file.and_then(|file| file.projects.first().cloned());
            symbol.uses.extend(project.map(|project| LineUse {
                path: place.file.clone(),
                at: LineColumn {
                    line: place.line,
                    column: place.column,
                },
                project,
                is_test: false,
                inside: place.inside.clone(),
                role: Role::Inactive,
                certainty: Certainty::NameOnly,
                via: None,
                text: place.text.clone(),
                frameworks: Vec::new(),
            }));
        }
        symbol.n_uses = symbol.uses.len();
    }
    Ok(())
}

/// What files in other languages call a symbol; nothing where that is no name of its own.
fn name_of(symbol: &SymbolImpact) -> Option<MentionedName> {
    let (name, is_type) = match &symbol.member {
        Some(member) => (member.as_str(), false),
        None => (symbol.ty.rsplit(['.', '+']).next()?, true),
    };
    let name = name.split(['`', '<']).next()?;
    let is_plain = name.chars().skip(1).all(char::is_lowercase);
    let is_short = name.len() < MIN_LETTERS;
    let is_name = name.len() > 1 && !(is_type && is_short);
    let is_name = is_name && !name.starts_with('#') && !name.contains('.');
    // A method whose name is one word says nothing without its type: `Post`, `Validate`.
    let is_name = is_name && !(is_plain && symbol.id.starts_with("M:"));
    is_name.then(|| MentionedName {
        name: name.to_owned(),
        is_type,
        languages: match is_short {
            true => MARKED,
            false => &[],
        },
    })
}
