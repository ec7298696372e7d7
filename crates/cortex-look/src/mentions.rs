//! Names of symbols in files that are not C#: SQL, Razor, XAML, configuration and project files.
//!
//! Owns: which files count, by which spellings they name a symbol. Must not know: why a name is looked for.

use crate::{QueryError, filter::Filter, viewpoint::Viewpoint};
use cortex_derived::{
    contents::Contents,
    files::Candidate,
    words::{Word, WordIndex},
};
use cortex_index::Snapshot;
use cortex_model::{LineTable, RepoPath};
use cortex_search::TextRead;
use cortex_wire::{Certainty, FileLanguage, Mention, UnsearchedFiles};

use std::collections::BTreeMap;

use rayon::prelude::*;
use rustc_hash::FxHashSet;

/// So many formats that are not searched are named.
const MAX_FORMATS: usize = 6;

/// So many files are read by one thread with one reader.
const N_TOGETHER: usize = 32;

/// A line that is shown is cut after so many characters.
const MAX_SNIPPET: usize = 200;

/// Extensions of files that no text search can read: pictures, fonts, archives, programs.
const BINARY: [&str; 36] = [
    "png", "jpg", "jpeg", "gif", "ico", "icns", "bmp", "webp", "svg", "tif", "tiff", "psd", "woff",
    "woff2", "ttf", "otf", "eot", "pdf", "zip", "gz", "7z", "nupkg", "snupkg", "snk", "pfx", "cer",
    "dll", "exe", "so", "dylib", "wav", "mp3", "mp4", "bin", "dat", "xnb",
];

/// What a file is written in, where files of that language may name symbols of C#.
fn language(path: &RepoPath) -> Option<FileLanguage> {
    let extension = path.extension().to_ascii_lowercase();
    Some(match extension.as_str() {
        "sql" | "psql" | "pgsql" | "tsql" => FileLanguage::Sql,
        "cshtml" | "razor" | "vbhtml" => FileLanguage::Razor,
        "xaml" | "axaml" | "paml" => FileLanguage::Xaml,
        "aspx" | "ascx" | "master" | "asmx" | "ashx" | "asax" | "svc" => FileLanguage::WebForms,
        "json" | "jsonc" | "json5" => FileLanguage::Json,
        "yml" | "yaml" => FileLanguage::Yaml,
        "props" | "targets" | "sln" | "slnx" | "slnf" | "proj" | "projitems" => {
            FileLanguage::Project
        }
        "xml" | "config" | "resx" | "nuspec" | "manifest" | "settings" | "edmx" | "dbml"
        | "xsd" | "appxmanifest" | "vsixmanifest" | "ruleset" => FileLanguage::Xml,
        "vb" => FileLanguage::VisualBasic,
        "fs" | "fsx" | "fsi" => FileLanguage::FSharp,
        "tt" | "t4" | "ttinclude" | "csx" | "hbs" | "liquid" | "scriban" => FileLanguage::Template,
        "ps1" | "psm1" | "psd1" => FileLanguage::PowerShell,
        other if other.ends_with("proj") => FileLanguage::Project,
        _ => return None,
    })
}

/// The spellings that are looked for, each with the languages where it names the symbol; all where there are none.
pub(crate) type Spellings = BTreeMap<String, &'static [FileLanguage]>;

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
    /// How many files of other formats there are, by extension.
    others: BTreeMap<String, usize>,
}

impl<'v> OtherFiles<'v> {
    /// Lists them: O(files of the side).
    pub(crate) fn list(view: &Viewpoint<'v>) -> Result<Self, QueryError> {
        let all = cortex_derived::files::all(view.index, view.side)?;
        let contents = Contents::of(view.index, view.side, &all)?;
        let folders = ProjectFolders::read(view.snapshot(), view.filter)?;
        let mut files = Vec::new();
        let mut others: BTreeMap<String, usize> = BTreeMap::new();
        for file in all {
            if file.is_csharp() || !folders.pass(&file.path) || !view.filter.has_path(&file.path) {
                continue;
            }
            match language(&file.path) {
                Some(language) => files.push((file, language)),
                None => {
                    let extension = file.path.extension().to_ascii_lowercase();
                    if !BINARY.contains(&extension.as_str()) {
                        *others.entry(extension).or_default() += 1;
                    }
                }
            }
        }
        Ok(Self {
            contents,
            snapshot: view.snapshot(),
            files,
            others,
        })
    }

    /// Files of formats that are not searched; the most frequent formats first.
    pub(crate) fn not_searched(&self) -> Vec<UnsearchedFiles> {
        let mut out: Vec<UnsearchedFiles> = (self.others.iter())
            .map(|(extension, n)| UnsearchedFiles {
                extension: extension.clone(),
                n_files: *n,
            })
            .collect();
        out.sort_by_key(|it| std::cmp::Reverse(it.n_files));
        out.truncate(MAX_FORMATS);
        out
    }

    /// The places of some spellings, each with its spelling, by file and position. Contents that cannot have one by
    /// the words that are cached are not read.
    pub(crate) fn find(
        &self,
        view: &Viewpoint<'_>,
        spellings: &Spellings,
    ) -> Result<Vec<(String, Mention)>, QueryError> {
        if spellings.is_empty() {
            return Ok(Vec::new());
        }
        let words: Vec<Word> = spellings.keys().map(|text| Word::exact(text)).collect();
        let index = WordIndex::cached(self.snapshot);
        let having: Option<(WordIndex<'_>, FxHashSet<u32>)> = index.and_then(|index| {
            let numbers = index.having_any(&words)?;
            Some((index, numbers))
        });
        let may_have = |file: &Candidate| {
            let Some((index, having)) = &having else {
                return true;
            };
            let number = index.number(file.blob);
            number.is_none_or(|number| having.contains(&number))
        };
        let files: Vec<&(Candidate, FileLanguage)> =
            (self.files.iter()).filter(|it| may_have(&it.0)).collect();
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
    for (start, word) in words(text) {
        let Some(languages) = spellings.get(word) else {
            continue;
        };
        if !languages.is_empty() && !languages.contains(&language) {
            continue;
        }
        // Project files list sources, which are called like their types.
        let rest = &text[start + word.len()..];
        if language == FileLanguage::Project && rest.starts_with(b".") && is_file_name(rest) {
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

/// Whether a name goes on as that of a source file.
fn is_file_name(rest: &[u8]) -> bool {
    const ENDS: [&[u8]; 9] = [
        b".cs\"",
        b".cs<",
        b".cs;",
        b".xaml",
        b".axaml",
        b".csproj",
        b".Designer.",
        b".designer.",
        b".resx",
    ];
    ENDS.iter().any(|end| rest.starts_with(end))
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

/// The words of a text with their offsets.
fn words(text: &[u8]) -> impl Iterator<Item = (usize, &str)> {
    let is_part = |b: u8| b == b'_' || b.is_ascii_alphanumeric() || b >= 0x80;
    let mut at = 0;
    std::iter::from_fn(move || {
        loop {
            let start = at + text[at..].iter().position(|b| is_part(*b))?;
            let length = text[start..].iter().position(|b| !is_part(*b));
            let end = length.map_or(text.len(), |length| start + length);
            at = end;
            if let Ok(word) = std::str::from_utf8(&text[start..end]) {
                let name = word.trim_start_matches('\u{feff}');
                return Some((end - name.len(), name));
            }
        }
    })
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

#[cfg(test)]
mod tests {
    use super::words;

    #[test]
    fn words_are_identifiers_with_their_offsets() {
        let text = "\u{feff}CREATE [dbo].[Cipher_Id] @Größe=1";
        let found: Vec<(usize, &str)> = words(text.as_bytes()).collect();
        assert_eq!(
            found,
            [
                (3, "CREATE"),
                (11, "dbo"),
                (17, "Cipher_Id"),
                (29, "Größe"),
                (37, "1")
            ]
        );
    }
}
