//! How often names stand in files that are not C#, for questions that make claims about many symbols at once.

use crate::{
    QueryError,
    filter::Filter,
    mentions::{OtherFiles, add_spellings},
    places::Texts,
    usages::{TestProjects, inactive},
    viewpoint::Viewpoint,
};
use cortex_derived::{Limits, doc_ids::DocIds, outside::Spellings};
use cortex_index::{Index, IndexedSide};
use cortex_wire::{FileLanguage, Mention, UnsearchedFiles, Usage};

use std::collections::{BTreeMap, BTreeSet};

/// A name that is looked for.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct MentionedName {
    /// The simple name.
    pub name: String,
    /// Whether it is a type's: some languages leave a suffix of those out.
    pub is_type: bool,
    /// The languages where it names something; all where there are none.
    pub languages: &'static [FileLanguage],
}

/// How often names stand in files that are not C#.
#[derive(Clone, Debug, Default)]
pub struct Mentioned {
    /// By name; those that stand nowhere are left out.
    pub counts: BTreeMap<MentionedName, usize>,
    /// Files of formats that were not searched, the most frequent formats first.
    pub not_searched: Vec<UnsearchedFiles>,
}

/// The places in files that are not C# that have a name, by file and position. Costs as [`count_mentions`].
///
/// # Errors
/// Those of the repository and the index.
pub fn mentions_of(
    index: &Index,
    side: &IndexedSide,
    name: &MentionedName,
) -> Result<Vec<Mention>, QueryError> {
    let filter = Filter::everything();
    let view = everything(index, side, &filter);
    let found = OtherFiles::list(&view)?.find(&view, &spellings_of(name))?;
    Ok(found.into_iter().map(|(_, mention)| mention).collect())
}

/// The places in files of some languages that have one of some words, each with its word; by file and position. Costs as
/// [`count_mentions`], with the files of these languages alone.
///
/// # Errors
/// Those of the repository and the index.
pub fn words_in(
    index: &Index,
    side: &IndexedSide,
    words: &BTreeSet<String>,
    languages: &'static [FileLanguage],
) -> Result<Vec<(String, Mention)>, QueryError> {
    let filter = Filter::everything();
    let view = everything(index, side, &filter);
    let spellings: Spellings = words.iter().map(|it| (it.clone(), languages)).collect();
    OtherFiles::list(&view)?
        .of_languages(languages)
        .find(&view, &spellings)
}

/// The first places of each of some names in code that conditional compilation leaves out, by path and position. O(the
/// words of such code).
///
/// # Errors
/// Those of the repository and the index.
pub fn inactive_places(
    index: &Index,
    side: &IndexedSide,
    names: &BTreeSet<String>,
) -> Result<BTreeMap<String, Vec<Usage>>, QueryError> {
    let filter = Filter::everything();
    let view = everything(index, side, &filter);
    let mut ids = DocIds::new(view.snapshot());
    let mut texts = Texts::new(view.blobs());
    let tests = TestProjects::read(view.snapshot())?;
    let mut out = BTreeMap::new();
    for name in names {
        let (_, places) = inactive(&view, name, &mut ids, &mut texts, &tests)?;
        out.insert(name.clone(), places);
    }
    Ok(out)
}

/// All of a side, for as long as it takes.
fn everything<'v>(index: &'v Index, side: &'v IndexedSide, filter: &'v Filter) -> Viewpoint<'v> {
    let limits = Limits {
        n_items: usize::MAX,
        until: None,
    };
    Viewpoint {
        index,
        side,
        filter,
        limits,
    }
}

fn spellings_of(name: &MentionedName) -> Spellings {
    let mut out = Spellings::default();
    match name.is_type {
        true => add_spellings(&mut out, &name.name),
        false => _ = out.insert(name.name.clone(), name.languages),
    }
    out
}

/// Counts the mentions of names in the files of a side. O(files of the side) and the contents of those that may have
/// one; nothing where no name is looked for.
///
/// # Errors
/// Those of the repository and the index.
pub fn count_mentions(
    index: &Index,
    side: &IndexedSide,
    names: &BTreeSet<MentionedName>,
) -> Result<Mentioned, QueryError> {
    if names.is_empty() {
        return Ok(Mentioned::default());
    }
    let filter = Filter::everything();
    let view = everything(index, side, &filter);
    let files = OtherFiles::list(&view)?;
    let mut spellings = Spellings::default();
    let mut of_spelling: BTreeMap<String, Vec<&MentionedName>> = BTreeMap::new();
    for name in names {
        for (spelling, languages) in spellings_of(name) {
            of_spelling.entry(spelling.clone()).or_default().push(name);
            // The full name of one symbol may be the short one of another.
            let known = spellings.entry(spelling).or_insert(languages);
            if languages.is_empty() {
                *known = languages;
            }
        }
    }
    let mut counts: BTreeMap<MentionedName, usize> = BTreeMap::new();
    for (spelling, _) in files.find(&view, &spellings)? {
        for &name in of_spelling.get(&spelling).into_iter().flatten() {
            *counts.entry(name.clone()).or_default() += 1;
        }
    }
    Ok(Mentioned {
        counts,
        not_searched: files.not_searched(),
    })
}
