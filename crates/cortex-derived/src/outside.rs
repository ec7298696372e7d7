//! How often words stand in files outside of C#: kept from question to question.
//!
//! Owns: which files count, what a word is there, and the form of what is kept. Must not know: which words name what.
//!
//! Two things are kept. The words of contents, with how often each stands in each ([`table`]), hold for any commit as
//! far as contents are equal; contents that came since are read once and added. The files of a tree, as numbers of
//! contents ([`tree`]), spare a question the listing of the tree. A work tree is the tree of its commit with what
//! differs on top.

pub mod text;

mod table;
mod tree;

use std::collections::BTreeMap;

use cortex_git::TreeFile;
use cortex_index::UnreadFile;
use cortex_model::{RepoPath, TreeId};
use cortex_search::TextRead;
use cortex_wire::FileLanguage;
use rayon::prelude::*;
use rustc_hash::FxHashMap;

use crate::{
    DerivedError,
    contents::Contents,
    files::{Candidate, all_of_tree, key_of},
    limits::Limits,
    outside::{
        table::{Postings, Table},
        tree::TreeFiles,
    },
    source::Source,
};

pub(crate) use table::is_current;

/// How often some words stand in the files of a side outside of C#.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct WordCounts {
    /// How often in all.
    pub total: usize,
    /// In how many files.
    pub n_files: usize,
    /// How often in the files of each language.
    pub languages: BTreeMap<FileLanguage, usize>,
    /// How many files there are whose format is not searched, by extension.
    pub others: BTreeMap<String, usize>,
}

/// So many texts are read by one thread.
const N_TOGETHER: usize = 32;

/// So many contents that are not kept are read by each question rather than added.
const MAX_UNKNOWN: usize = 8;

/// A content as text of a language: what counts in it depends on both.
pub(crate) type ContentKey = (u64, FileLanguage);

/// The words of a content with how often each stands there.
pub(crate) type Words = Vec<(String, u32)>;

/// The words that are counted, each with the languages where it counts; all where there are none.
pub type Spellings = BTreeMap<String, &'static [FileLanguage]>;

/// Counts words in all files of a side outside of C# that may name symbols. O(what is kept of these words + what
/// differs in the work tree) where the tree is known; else O(files of the side + contents that are not known). `None`
/// where the files themselves have to be searched: a word is too long to be kept, or the time is over. Contents that
/// are not in this clone have no words.
///
/// # Errors
/// Those of reading the side.
pub fn count(
    source: Source<'_>,
    spellings: &Spellings,
    limits: Limits,
) -> Result<Option<WordCounts>, DerivedError> {
    if !spellings.keys().all(|word| text::is_kept(word)) {
        return Ok(None);
    }
    let snapshot = source.snapshot();
    let tree = source.side.commit.map(|it| source.index.repo.commit(it));
    let tree: Option<TreeId> = tree.transpose()?.map(|commit| commit.tree);
    let overlay = OnTop::of(source);
    if let Some(files) = tree.and_then(|tree| TreeFiles::kept(snapshot, tree))
        && let Some(postings) = table::kept_postings(snapshot, &files, spellings)
        && files.is_unread_still(source)
        && let Some(numbers) = overlay.numbers(source, &files)
        && overlay.n_unknown(&numbers) <= MAX_UNKNOWN
    {
        source.index.unread.note_files(files.unread.iter().cloned());
        let counts = overlay.count(source, files, &numbers, &postings, spellings);
        return counts.map(Some);
    }
    let Some((table, files)) = make(source, tree, &overlay, limits)? else {
        return Ok(None);
    };
    let postings = table.postings(spellings);
    let counts = overlay.count(source, files, &table.numbers(), &postings, spellings);
    counts.map(Some)
}

/// Brings what is kept to a side: reads the contents that are not known, lists the tree. `None` where the time is over.
fn make(
    source: Source<'_>,
    tree: Option<TreeId>,
    overlay: &OnTop,
    limits: Limits,
) -> Result<Option<(Table, TreeFiles)>, DerivedError> {
    let snapshot = source.snapshot();
    let all = match tree {
        Some(tree) => all_of_tree(source, tree)?,
        None => Vec::new(),
    };
    let mut needed: BTreeMap<ContentKey, &Candidate> = BTreeMap::new();
    let mut others: BTreeMap<String, usize> = BTreeMap::new();
    let mut of_tree: Vec<ContentKey> = Vec::new();
    for file in &all {
        match Kind::of(&file.path) {
            Kind::Text(language) => {
                let key = (key_of(file.blob), language);
                of_tree.push(key);
                let known = needed.entry(key).or_insert(file);
                if file.is_on_disk {
                    *known = file;
                }
            }
            Kind::Other(extension) => *others.entry(extension).or_default() += 1,
            Kind::None => {}
        }
    }
    for (key, file) in &overlay.added {
        needed.entry(*key).or_insert(file);
    }
    let mut table = Table::kept(snapshot).unwrap_or_default();
    let numbers = table.numbers();
    let unknown: Vec<(ContentKey, &Candidate)> = (needed.iter())
        .filter(|(key, _)| !numbers.contains_key(*key))
        .map(|(key, file)| (*key, *file))
        .collect();
    let contents = Contents::of(source.index, source.side, &all)?;
    let read = read(&contents, &unknown, limits)?;
    let is_complete = read.len() == unknown.len();
    let is_changed = read.iter().any(|(_, words)| words.is_ok());
    let mut unread: BTreeMap<ContentKey, UnreadFile> = BTreeMap::new();
    for (key, words) in read {
        match words {
            Ok(words) => table.add(key, words),
            Err(file) => _ = unread.insert(key, file),
        }
    }
    of_tree.retain(|key| !unread.contains_key(key));
    let unread = unread.into_values().collect();
    let is_changed = table.retain(&needed.keys().copied().collect()) || is_changed;
    let files = TreeFiles::new(&table, &of_tree, others, unread);
    let of_tree = tree.zip(files.as_ref()).filter(|_| is_complete);
    table::keep(snapshot, is_changed.then_some(&table), of_tree);
    Ok(files.filter(|_| is_complete).map(|files| (table, files)))
}

/// The words of a content, or its file where git cannot read it.
type ReadContent = (ContentKey, Result<Words, UnreadFile>);

/// The words of contents with how often they stand there, or the file that git cannot read; those are left out that
/// there is no time for.
fn read(
    contents: &Contents<'_>,
    unknown: &[(ContentKey, &Candidate)],
    limits: Limits,
) -> Result<Vec<ReadContent>, DerivedError> {
    let read = unknown.par_chunks(N_TOGETHER).map(|unknown| {
        let mut reader = contents.reader();
        let mut bytes = Vec::new();
        let mut out = Vec::new();
        for &(key, file) in unknown {
            bytes.clear();
            if limits.is_over() {
                break;
            }
            match reader.read(file, &mut bytes)? {
                TextRead::Text => out.push((key, Ok(text::count(&bytes, key.1)))),
                TextRead::Binary | TextRead::TooLarge => out.push((key, Ok(Vec::new()))),
                // What changed meanwhile is left out.
                TextRead::Missing => {
                    out.extend(reader.take_unread().map(|unread| (key, Err(unread))));
                }
            }
        }
        Ok(out)
    });
    let read = read.collect::<Result<Vec<_>, DerivedError>>()?;
    Ok(read.into_iter().flatten().collect())
}

/// What differs in the work tree from its commit, of files outside of C#.
#[derive(Default)]
struct OnTop {
    added: Vec<(ContentKey, Candidate)>,
    removed: Vec<ContentKey>,
    other_added: Vec<String>,
    other_removed: Vec<String>,
}

impl OnTop {
    fn of(source: Source<'_>) -> Self {
        let mut out = Self::default();
        let changes = source.side.overlay.iter().flat_map(|it| &it.changes);
        let is_file = |file: &&TreeFile| file.mode.is_file();
        for change in changes {
            if let Some(old) = change.old.as_ref().filter(is_file) {
                match Kind::of(&old.path) {
                    Kind::Text(language) => out.removed.push((key_of(old.blob), language)),
                    Kind::Other(extension) => out.other_removed.push(extension),
                    Kind::None => {}
                }
            }
            if let Some(new) = change.new.as_ref().filter(is_file) {
                match Kind::of(&new.path) {
                    Kind::Text(language) => {
                        let file = Candidate {
                            path: new.path.clone(),
                            blob: new.blob,
                            is_on_disk: false,
                            part: None,
                        };
                        out.added.push(((key_of(new.blob), language), file));
                    }
                    Kind::Other(extension) => out.other_added.push(extension),
                    Kind::None => {}
                }
            }
        }
        out
    }

    /// The numbers of contents, where any is needed; `None` where they are of other files.
    fn numbers(&self, source: Source<'_>, files: &TreeFiles) -> Option<FxHashMap<ContentKey, u32>> {
        match self.added.is_empty() && self.removed.is_empty() {
            true => Some(FxHashMap::default()),
            false => table::kept_numbers(source.snapshot(), files.generation),
        }
    }

    fn n_unknown(&self, numbers: &FxHashMap<ContentKey, u32>) -> usize {
        let added = self.added.iter();
        added.filter(|(key, _)| !numbers.contains_key(key)).count()
    }

    /// Counts in the files of the tree and what lies on top.
    fn count(
        &self,
        source: Source<'_>,
        files: TreeFiles,
        numbers: &FxHashMap<ContentKey, u32>,
        postings: &Postings,
        spellings: &Spellings,
    ) -> Result<WordCounts, DerivedError> {
        let mut copies: FxHashMap<u32, (FileLanguage, usize)> = (files.contents.into_iter())
            .map(|(number, language, n)| (number, (language, n)))
            .collect();
        let mut out = WordCounts {
            others: files.others,
            ..WordCounts::default()
        };
        for key in &self.removed {
            // One that is not known is not in this clone, and was not counted.
            let known = numbers.get(key).and_then(|number| copies.get_mut(number));
            if let Some((_, n)) = known {
                *n = n.saturating_sub(1);
            }
        }
        let contents = Contents::of(source.index, source.side, &[])?;
        let mut reader = None;
        for ((key, language), file) in &self.added {
            if let Some(number) = numbers.get(&(*key, *language)) {
                copies.entry(*number).or_insert((*language, 0)).1 += 1;
                continue;
            }
            let mut bytes = Vec::new();
            let reader = reader.get_or_insert_with(|| contents.reader());
            match reader.read(file, &mut bytes)? {
                TextRead::Text => {}
                TextRead::Binary | TextRead::TooLarge | TextRead::Missing => continue,
            }
            let words = text::count(&bytes, *language).into_iter();
            let found = words.filter(|(word, _)| {
                let languages = spellings.get(word);
                languages.is_some_and(|it| it.is_empty() || it.contains(language))
            });
            out.add(*language, 1, found.map(|(_, n)| n as usize).sum());
        }
        for extension in &self.other_added {
            *out.others.entry(extension.clone()).or_default() += 1;
        }
        for extension in &self.other_removed {
            if let Some(n) = out.others.get_mut(extension) {
                *n = n.saturating_sub(1);
            }
        }
        out.others.retain(|_, n| *n > 0);
        let mut found: BTreeMap<u32, usize> = BTreeMap::new();
        for (word, places) in postings {
            let languages = spellings.get(word).copied().unwrap_or_default();
            for (number, n) in places {
                let is_meant = |language| languages.is_empty() || languages.contains(&language);
                if copies.get(number).is_some_and(|it| is_meant(it.0)) {
                    *found.entry(*number).or_default() += *n as usize;
                }
            }
        }
        for (number, n) in found {
            if let Some(&(language, n_copies)) = copies.get(&number) {
                out.add(language, n_copies, n);
            }
        }
        Ok(out)
    }
}

impl WordCounts {
    /// Adds files with the same content.
    fn add(&mut self, language: FileLanguage, n_files: usize, n_words: usize) {
        if n_files > 0 && n_words > 0 {
            self.total += n_files * n_words;
            self.n_files += n_files;
            *self.languages.entry(language).or_default() += n_files * n_words;
        }
    }
}

/// What a file counts as.
enum Kind {
    Text(FileLanguage),
    /// It is not searched: its extension, in lower case.
    Other(String),
    /// C#, or no text.
    None,
}

impl Kind {
    fn of(path: &RepoPath) -> Self {
        let extension = path.extension();
        if extension.eq_ignore_ascii_case("cs") {
            return Self::None;
        }
        if let Some(language) = text::language(path) {
            return Self::Text(language);
        }
        let extension = extension.to_ascii_lowercase();
        match text::is_binary(&extension) {
            true => Self::None,
            false => Self::Other(extension),
        }
    }
}
