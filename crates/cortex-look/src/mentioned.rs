//! How often names stand in files that are not C#, for questions that make claims about many symbols at once.

use crate::{
    QueryError,
    filter::Filter,
    mentions::{OtherFiles, TextLine, add_spellings},
    places::Texts,
    usages::{TestProjects, inactive},
    viewpoint::Viewpoint,
};
use cortex_derived::{Limits, doc_ids::DocIds, outside::Spellings};
use cortex_index::{Index, IndexedSide};
use cortex_wire::{FileLanguage, Mention, UnsearchedFiles, Usage};

use cortex_model::RepoPath;

use std::{
    cell::OnceCell,
    collections::{BTreeMap, BTreeSet},
};

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

/// The files of a side that are not C#, for several questions. Listed when the first one is asked.
pub struct OtherTexts<'v> {
    view: Viewpoint<'v>,
    files: OnceCell<OtherFiles<'v>>,
}

impl<'v> OtherTexts<'v> {
    /// Those of a side. O(1).
    pub fn of(index: &'v Index, side: &'v IndexedSide) -> Self {
        Self {
            view: everything(index, side),
            files: OnceCell::new(),
        }
    }

    fn files(&self) -> Result<&OtherFiles<'v>, QueryError> {
        if let Some(files) = self.files.get() {
            return Ok(files);
        }
        let listed = OtherFiles::list(&self.view)?;
        Ok(self.files.get_or_init(|| listed))
    }

    /// Their paths, but for those of formats that are no text. O(files of the side) once.
    ///
    /// # Errors
    /// Those of the repository.
    pub fn paths(&self) -> Result<impl Iterator<Item = &RepoPath>, QueryError> {
        Ok(self.files()?.paths())
    }

    /// The places that have a name, by file and position. Costs as [`OtherTexts::count`].
    ///
    /// # Errors
    /// Those of the repository and the index.
    pub fn places_of(&self, name: &MentionedName) -> Result<Vec<Mention>, QueryError> {
        let found = self.files()?.find(&self.view, &spellings_of(name))?;
        Ok(found.into_iter().map(|(_, mention)| mention).collect())
    }

    /// The places in texts of some languages that have one of some words, each with its word; by file and position.
    /// Costs as [`OtherTexts::count`], with the files of these languages alone.
    ///
    /// # Errors
    /// Those of the repository and the index.
    pub fn words_in(
        &self,
        words: &BTreeSet<String>,
        languages: &'static [FileLanguage],
    ) -> Result<Vec<(String, Mention)>, QueryError> {
        let spellings: Spellings = words.iter().map(|it| (it.clone(), languages)).collect();
        self.files()?.find(&self.view, &spellings)
    }

    /// The lines, in files of any format that are asked for, that have one of some texts; by file and line. Costs as
    /// [`OtherTexts::count`].
    /// `texts`: each with a word of it.
    ///
    /// # Errors
    /// Those of the repository and the index.
    pub fn lines_with(
        &self,
        texts: &BTreeMap<String, String>,
        is_asked: &dyn Fn(&RepoPath) -> bool,
    ) -> Result<Vec<TextLine>, QueryError> {
        self.files()?.lines_with(texts, is_asked)
    }

    /// Counts the mentions of names. O(files of the side) once, and the contents of those that may have one; nothing
    /// where no name is looked for.
    ///
    /// # Errors
    /// Those of the repository and the index.
    pub fn count(&self, names: &BTreeSet<MentionedName>) -> Result<Mentioned, QueryError> {
        if names.is_empty() {
            return Ok(Mentioned::default());
        }
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
        for (spelling, _) in self.files()?.find(&self.view, &spellings)? {
            for &name in of_spelling.get(&spelling).into_iter().flatten() {
                *counts.entry(name.clone()).or_default() += 1;
            }
        }
        Ok(Mentioned {
            counts,
            not_searched: self.files()?.not_searched(),
        })
    }
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
    let view = everything(index, side);
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
fn everything<'v>(index: &'v Index, side: &'v IndexedSide) -> Viewpoint<'v> {
    static EVERYTHING: Filter = Filter::everything();
    let limits = Limits {
        n_items: usize::MAX,
        until: None,
    };
    Viewpoint {
        index,
        side,
        filter: &EVERYTHING,
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
