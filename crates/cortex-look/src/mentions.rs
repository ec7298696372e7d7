//! Names of symbols in files that are not C#: SQL, Razor, XAML, configuration and project files.
//!
//! Owns: which files count, by which spellings they name a symbol. Must not know: why a name is looked for.

use crate::{QueryError, filter::Filter, viewpoint::Viewpoint};
use cortex_derived::{
    contents::Contents,
    files::Candidate,
    outside::{
        Spellings,
        text::{is_binary, language, names},
    },
    words::{Word, WordIndex},
};
use cortex_index::Snapshot;
use cortex_model::{LineTable, RepoPath};
use cortex_search::TextRead;
use cortex_wire::{Certainty, FileLanguage, Mention, UnsearchedFiles};

use std::collections::BTreeMap;

use memchr::memmem;
use rayon::prelude::*;
use rustc_hash::FxHashSet;

/// So many formats that are not searched are named.
const MAX_FORMATS: usize = 6;

/// So many files are read by one thread with one reader.
const N_TOGETHER: usize = 32;

/// A line that is shown is cut after so many characters.
const MAX_SNIPPET: usize = 200;

/// Languages where a suffix of a type's name is left out, with the suffix.
const SUFFIXES: [(&str, &[FileLanguage]); 4] = [
    (
        "Attribute",
        &[
            FileLanguage::Razor,
            FileLanguage::VisualBasic,
            FileLanguage::FSharp,
            FileLanguage::Template,
        ],
    ),
    ("Extension", &[FileLanguage::Xaml]),
    ("Controller", &[FileLanguage::Razor]),
    ("ViewComponent", &[FileLanguage::Razor]),
];

/// How files outside of C# may spell a name.
pub(crate) fn add_spellings(out: &mut Spellings, name: &str) {
    for (suffix, languages) in SUFFIXES {
        if let Some(short) = name.strip_suffix(suffix)
            && !short.is_empty()
        {
            out.entry(short.to_owned()).or_insert(languages);
        }
    }
    out.insert(name.to_owned(), &[]);
}

/// The files of a side outside of C# that a filter lets pass.
pub(crate) struct OtherFiles<'v> {
    contents: Contents<'v>,
    snapshot: &'v Snapshot,
    files: Vec<(Candidate, FileLanguage)>,
    /// Files of other formats, by path.
    others: Vec<Candidate>,
}

impl<'v> OtherFiles<'v> {
    /// Lists them: O(files of the side).
    pub(crate) fn list(view: &Viewpoint<'v>) -> Result<Self, QueryError> {
        let all = cortex_derived::files::all(view.index, view.side)?;
        let contents = Contents::of(view.index, view.side, &all)?;
        let folders = ProjectFolders::read(view.snapshot(), view.filter)?;
        let (mut files, mut others) = (Vec::new(), Vec::new());
        for file in all {
            if file.is_csharp() || !folders.pass(&file.path) || !view.filter.has_path(&file.path) {
                continue;
            }
            match language(&file.path) {
                Some(language) => files.push((file, language)),
                None if is_binary(&file.path.extension().to_ascii_lowercase()) => {}
                None => others.push(file),
            }
        }
        Ok(Self {
            contents,
            snapshot: view.snapshot(),
            files,
            others,
        })
    }

    /// The paths of all of them.
    pub(crate) fn paths(&self) -> impl Iterator<Item = &RepoPath> {
        let searched = self.files.iter().map(|(file, _)| &file.path);
        searched.chain(self.others.iter().map(|file| &file.path))
    }

    /// Files of formats that are not searched; the most frequent formats first.
    pub(crate) fn not_searched(&self) -> Vec<UnsearchedFiles> {
        let mut others: BTreeMap<String, usize> = BTreeMap::new();
        for file in &self.others {
            let extension = file.path.extension().to_ascii_lowercase();
            *others.entry(extension).or_default() += 1;
        }
        not_searched(&others)
    }

    /// The places of some spellings, each with its spelling, by file and position. Contents that cannot have one by
    /// the words that are cached, or by their language, are not read.
    pub(crate) fn find(
        &self,
        view: &Viewpoint<'_>,
        spellings: &Spellings,
    ) -> Result<Vec<(String, Mention)>, QueryError> {
        if spellings.is_empty() {
            return Ok(Vec::new());
        }
        let words: Vec<Word> = spellings.keys().map(|text| Word::exact(text)).collect();
        let may_have = self.having_any(&words);
        let counts_in = |language: &FileLanguage| {
            let mut languages = spellings.values();
            languages.any(|it| it.is_empty() || it.contains(language))
        };
        let files: Vec<&(Candidate, FileLanguage)> = (self.files.iter())
            .filter(|(file, language)| counts_in(language) && may_have(file))
            .collect();
        let found = files.par_chunks(N_TOGETHER).map(|files| {
            let mut reader = self.contents.reader();
            let mut text = Vec::new();
            let mut out = Vec::new();
            for (file, language) in files {
                if view.limits.is_over() {
                    break;
                }
                text.clear();
                if reader.read(file, &mut text)? == TextRead::Text {
                    mentions_in(view, (file, *language), &text, spellings, &mut out);
                }
            }
            Ok(out)
        });
        let found = found.collect::<Result<Vec<_>, QueryError>>()?;
        Ok(found.into_iter().flatten().collect())
    }

    /// Whether a file may have one of some words, as far as words are kept.
    fn having_any(&self, words: &[Word]) -> impl Fn(&Candidate) -> bool + use<'_, 'v> {
        let index = WordIndex::cached(self.snapshot);
        let having: Option<(WordIndex<'_>, FxHashSet<u32>)> = index.and_then(|index| {
            let numbers = index.having_any(words)?;
            Some((index, numbers))
        });
        move |file| {
            let Some((index, having)) = &having else {
                return true;
            };
            let number = index.number(file.blob);
            number.is_none_or(|number| having.contains(&number))
        }
    }

    /// The lines, in files of any format that are asked for, that have one of some texts; by file and line. Contents that
    /// cannot have one by the words that are cached are not read.
    /// `texts`: each with a word of it.
    pub(crate) fn lines_with(
        &self,
        texts: &BTreeMap<String, String>,
        is_asked: &dyn Fn(&RepoPath) -> bool,
    ) -> Result<Vec<TextLine>, QueryError> {
        let words: Vec<Word> = texts.values().map(|word| Word::exact(word)).collect();
        let may_have = self.having_any(&words);
        let files = self.files.iter().map(|(file, _)| file).chain(&self.others);
        let mut files: Vec<&Candidate> = files
            .filter(|file| is_asked(&file.path) && may_have(file))
            .collect();
        files.sort_by(|a, b| a.path.cmp(&b.path));
        let found = files.par_chunks(N_TOGETHER).map(|files| {
            let mut reader = self.contents.reader();
            let mut bytes = Vec::new();
            let mut out = Vec::new();
            for file in files {
                bytes.clear();
                if reader.read(file, &mut bytes)? != TextRead::Text {
                    continue;
                }
                let has_any = |text: &String| memmem::find(&bytes, text.as_bytes()).is_some();
                if !texts.keys().any(has_any) {
                    continue;
                }
                for (number, line) in (1..).zip(String::from_utf8_lossy(&bytes).lines()) {
                    let had = texts.keys().filter(|text| line.contains(text.as_str()));
                    out.extend(had.map(|text| TextLine {
                        text: text.clone(),
                        path: file.path.clone(),
                        number,
                        line: line.to_owned(),
                    }));
                }
            }
            Ok(out)
        });
        let found = found.collect::<Result<Vec<_>, QueryError>>()?;
        Ok(found.into_iter().flatten().collect())
    }
}

/// A line that has a text.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TextLine {
    /// The text.
    pub text: String,
    /// The file.
    pub path: RepoPath,
    /// The 1-based line.
    pub number: u32,
    /// All of it.
    pub line: String,
}

/// Formats that are not searched, with how many files have them; the most frequent first.
pub(crate) fn not_searched(others: &BTreeMap<String, usize>) -> Vec<UnsearchedFiles> {
    let others = others.iter();
    let mut out: Vec<UnsearchedFiles> = others
        .map(|(extension, n)| UnsearchedFiles {
            extension: extension.clone(),
            n_files: *n,
        })
        .collect();
    out.sort_by_key(|it| std::cmp::Reverse(it.n_files));
    out.truncate(MAX_FORMATS);
    out
}

/// The spellings in one text.
fn mentions_in(
    view: &Viewpoint<'_>,
    (file, language): (&Candidate, FileLanguage),
    text: &[u8],
    spellings: &Spellings,
    out: &mut Vec<(String, Mention)>,
) {
    let mut lines: Option<LineTable> = None;
    for (start, word) in names(text, language) {
        let Some(languages) = spellings.get(word) else {
            continue;
        };
        if !languages.is_empty() && !languages.contains(&language) {
            continue;
        }
        let offset = u32::try_from(start).unwrap_or(u32::MAX);
        if !view.filter.has_offset(&file.path, offset) {
            continue;
        }
        let lines = lines.get_or_insert_with(|| LineTable::new(text));
        let at = lines.position(offset);
        out.push((
            word.to_owned(),
            Mention {
                file: file.path.clone(),
                line: at.line,
                column: at.column,
                language,
                certainty: Certainty::Possible,
                text: snippet(view, &file.path, text, start),
            },
        ));
    }
}

/// The line around an offset, trimmed and cut, as far as the filter lets it pass.
fn snippet(view: &Viewpoint<'_>, path: &RepoPath, text: &[u8], at: usize) -> String {
    let is_end = |b: &u8| matches!(b, b'\n' | b'\r');
    let mut start = (text[..at].iter().rposition(is_end)).map_or(0, |end| end + 1);
    let mut end = (text[at..].iter().position(is_end)).map_or(text.len(), |end| at + end);
    if let Some(ranges) = view.filter.ranges(path)
        && let Some(range) = ranges.iter().find(|range| range.contains(at as u32))
    {
        start = start.max(range.start as usize);
        end = end.min(range.end as usize);
    }
    // Of a line without end the part around the name is shown.
    start = start.max(at.saturating_sub(MAX_SNIPPET / 2));
    let line = String::from_utf8_lossy(&text[start..end]);
    let line =
        line.trim_matches(|c: char| c.is_whitespace() || matches!(c, '\u{feff}' | '\u{fffd}'));
    match line.char_indices().nth(MAX_SNIPPET) {
        Some((end, _)) => format!("{}…", &line[..end]),
        None => line.to_owned(),
    }
}

/// The folders of projects, with whether their projects pass; none where every project does.
pub(crate) struct ProjectFolders(Vec<(String, bool)>);

impl ProjectFolders {
    pub(crate) fn read(snapshot: &Snapshot, filter: &Filter) -> Result<Self, QueryError> {
        if filter.has_every_project() {
            return Ok(Self(Vec::new()));
        }
        let mut out: BTreeMap<String, bool> = BTreeMap::new();
        for record in snapshot.projects()? {
            let path = &record.project.path;
            let folder = match path.folder() {
                "" => String::new(),
                folder => format!("{folder}/"),
            };
            *out.entry(folder).or_default() |= filter.has_project(path);
        }
        let mut out: Vec<(String, bool)> = out.into_iter().collect();
        out.sort_by_key(|(folder, _)| std::cmp::Reverse(folder.len()));
        Ok(Self(out))
    }

    /// Whether the nearest project above a file passes.
    pub(crate) fn pass(&self, path: &RepoPath) -> bool {
        let mut folders = self.0.iter();
        let nearest = folders.find(|(folder, _)| path.as_str().starts_with(folder.as_str()));
        self.0.is_empty() || nearest.is_some_and(|(_, passes)| *passes)
    }
}
