//! The places that name or use symbols, read off the bindings of files, and told with their lines.
//!
//! Owns: what is said of one place. Must not know: which symbols are looked for, and why.

use crate::{
    QueryError,
    filter::Filter,
    registration::{Given, given_to, is_registered_as_value},
    roles::{role_of_name, role_of_use},
    viewpoint::Viewpoint,
};
use cortex_derived::{names::unbound::word, target::Target};
use cortex_wire::Certainty;

use cortex_git::ReadBlob;
use cortex_index::{BoundTarget, FileSummary, MemberTag, PlaceHow, Receiver, Snapshot};
use cortex_model::{ByteRange, LineTable, RepoPath, TypeKey};
use cortex_semantics::Certainty as Bound;
use cortex_syntax::text::{FileOffsets, decode, token_at};

use cortex_wire::Role;
use rayon::prelude::*;
use rustc_hash::FxHashMap;

/// A place as bindings have it.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct Place {
    /// An index into the files that were looked through.
    pub(crate) file: u32,
    pub(crate) offset: u32,
    /// What is meant: the number that was given for it.
    pub(crate) target: u32,
    pub(crate) role: Role,
    pub(crate) certainty: Certainty,
    /// The type or member around it.
    pub(crate) inside: Option<Target>,
    /// The project that compiles it, an index into the file's.
    pub(crate) project: u16,
    /// Whether an answer may speak of it.
    pub(crate) passes: bool,
    /// What it is called on.
    pub(crate) receiver: Receiver,
}

impl Place {
    /// A place of a name whose meaning is not known, in no list of files.
    pub(crate) fn of_name(offset: u32, role: Role) -> Self {
        Self {
            file: 0,
            offset,
            target: 0,
            role,
            certainty: Certainty::NameOnly,
            inside: None,
            project: 0,
            passes: true,
            receiver: Receiver::Any,
        }
    }
}

/// What becomes of places that the filter leaves out.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Outside {
    /// They are not looked for.
    Skipped,
    /// They are found, too, and marked.
    Marked,
}

/// Symbols that are looked for, each with a number.
pub(crate) type Wanted = FxHashMap<Target, u32>;

/// The symbol that a target is.
pub(crate) fn target_of(target: &BoundTarget) -> Option<Target> {
    match *target {
        BoundTarget::Type(key) => Some(Target::Type(key)),
        BoundTarget::Member(key, tag) => Some(Target::Member(key, tag)),
        BoundTarget::External(..) => None,
    }
}

/// The files that may use one of the symbols, by path.
pub(crate) fn files_using(
    snapshot: &Snapshot,
    wanted: &Wanted,
) -> Result<Vec<FileSummary>, QueryError> {
    let mut by_type: FxHashMap<TypeKey, Option<Vec<MemberTag>>> = FxHashMap::default();
    #[expect(
        clippy::iter_over_hash_type,
        reason = "what is collected is sorted below"
    )]
    for target in wanted.keys() {
        match *target {
            Target::Type(key) => _ = by_type.insert(key, None),
            Target::Member(key, tag) => {
                if let Some(tags) = by_type.entry(key).or_insert_with(|| Some(Vec::new())) {
                    tags.push(tag);
                }
            }
        }
    }
    let mut by_type: Vec<_> = by_type.into_iter().collect();
    by_type.sort_unstable();
    let files = by_type.par_iter();
    let files = files.map(|(key, tags)| Ok(snapshot.referrers(*key, tags.as_deref())?));
    let files = files.collect::<Result<Vec<_>, QueryError>>()?;
    let mut files: Vec<FileSummary> = files.into_iter().flatten().collect();
    files.sort_by(|a, b| a.path.cmp(&b.path));
    files.dedup_by(|a, b| a.path == b.path);
    Ok(files)
}

/// Every place of the files that means a wanted symbol, by file and position; once where several projects compile
/// it alike.
pub(crate) fn places(
    snapshot: &Snapshot,
    files: &[FileSummary],
    wanted: &Wanted,
    (filter, outside): (&Filter, Outside),
    is_over: &(dyn Fn() -> bool + Sync),
) -> Result<Vec<Place>, QueryError> {
    // What the store keeps together is read together.
    let mut order: Vec<usize> = (0..files.len()).collect();
    order.sort_by_cached_key(|&at| Snapshot::stored_order(&files[at].path));
    let found = order.par_iter().map(|&at| {
        if is_over() || (outside == Outside::Skipped && !filter.has_file(&files[at])) {
            return Ok(Vec::new());
        }
        places_in(snapshot, at as u32, &files[at], wanted, (filter, outside))
    });
    let found = found.collect::<Result<Vec<_>, QueryError>>()?;
    let mut found: Vec<Place> = found.into_iter().flatten().collect();
    found.sort_by_key(|it| it.file);
    Ok(found)
}

fn places_in(
    snapshot: &Snapshot,
    at: u32,
    file: &FileSummary,
    wanted: &Wanted,
    (filter, outside): (&Filter, Outside),
) -> Result<Vec<Place>, QueryError> {
    let is_skipped = outside == Outside::Skipped;
    let has_path = is_skipped || filter.has_path(&file.path);
    let number_of = |key, tag: Option<MemberTag>| {
        let target = tag.map_or(Target::Type(key), |tag| Target::Member(key, tag));
        wanted.get(&target).copied()
    };
    let mut out = Vec::new();
    for (nth, project) in file.projects.iter().enumerate() {
        let may_pass = has_path && filter.has_project(project);
        if is_skipped && !may_pass {
            continue;
        }
        snapshot.places(&file.path, project, &number_of, &mut |found| {
            let passes = may_pass && filter.has_offset(&file.path, found.offset);
            if is_skipped && !passes {
                return;
            }
            let (role, certainty) = match found.how {
                PlaceHow::Name(kind, Bound::Exact) => (role_of_name(kind), Certainty::Exact),
                PlaceHow::Name(kind, Bound::OverloadSet) => {
                    (role_of_name(kind), Certainty::OverloadSet)
                }
                PlaceHow::Unnamed(how) => (role_of_use(how), Certainty::Exact),
            };
            out.push(Place {
                file: at,
                offset: found.offset,
                target: found.number,
                role,
                certainty,
                inside: (found.inside).map(|(key, tag)| {
                    tag.map_or(Target::Type(key), |tag| Target::Member(key, tag))
                }),
                project: nth as u16,
                passes,
                receiver: found.receiver,
            });
        })?;
    }
    out.sort_by_key(|it| {
        let rank = (!it.passes, it.project, it.role, it.certainty);
        (it.offset, it.target, rank)
    });
    out.dedup_by_key(|it| (it.offset, it.target, it.role));
    Ok(out)
}

/// So many texts are read by one thread with one reader.
const N_TOGETHER: usize = 8;

/// Texts of files, each read once.
pub(crate) struct Texts<'a> {
    reader: Box<dyn ReadBlob + 'a>,
    loaded: FxHashMap<RepoPath, Text>,
}

/// A text with its lines.
pub(crate) struct Text {
    text: String,
    lines: LineTable,
    offsets: FileOffsets,
}

/// Where something stands: 1-based, columns in UTF-16 units.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct Position {
    pub(crate) line: u32,
    pub(crate) column: u32,
}

impl<'a> Texts<'a> {
    pub(crate) fn new(reader: Box<dyn ReadBlob + 'a>) -> Self {
        Self {
            reader,
            loaded: FxHashMap::default(),
        }
    }

    /// Reads several files side by side.
    pub(crate) fn load(
        &mut self,
        view: &Viewpoint<'_>,
        files: &[&FileSummary],
    ) -> Result<(), QueryError> {
        let missing: Vec<&&FileSummary> = (files.iter())
            .filter(|file| !self.loaded.contains_key(&file.path))
            .collect();
        let read = missing.par_chunks(N_TOGETHER).map(|files| {
            let mut reader = view.blobs();
            let mut out = Vec::with_capacity(files.len());
            for file in files {
                out.push((file.path.clone(), Text::read(&mut *reader, file)?));
            }
            Ok(out)
        });
        let read = read.collect::<Result<Vec<_>, QueryError>>()?;
        self.loaded.extend(read.into_iter().flatten());
        Ok(())
    }

    /// The text of a file.
    pub(crate) fn of(&mut self, file: &FileSummary) -> Result<&Text, QueryError> {
        if !self.loaded.contains_key(&file.path) {
            let text = Text::read(&mut *self.reader, file)?;
            self.loaded.insert(file.path.clone(), text);
        }
        Ok(&self.loaded[&file.path])
    }
}

/// A line that is shown is cut behind so many characters.
const MAX_SNIPPET: usize = 200;

/// So many bytes of a line are read before and after a place.
const MAX_LINE: usize = 16 << 10;

impl Text {
    fn read(reader: &mut dyn ReadBlob, file: &FileSummary) -> Result<Self, QueryError> {
        let stored = reader.read_blob(file.blob)?;
        let source = decode(&stored);
        let offsets = FileOffsets::new(&source, stored.len());
        let text = source.as_str().to_owned();
        let lines = LineTable::new(text.as_bytes());
        Ok(Self {
            text,
            lines,
            offsets,
        })
    }

    /// The bytes of the file that the token at an offset takes.
    pub(crate) fn token(&self, offset: u32) -> ByteRange {
        self.offsets
            .file_range(token_at(self.text.as_bytes(), offset))
    }

    /// The token at an offset, as bytes of the decoded text.
    pub(crate) fn token_in_text(&self, offset: u32) -> ByteRange {
        token_at(self.text.as_bytes(), offset)
    }

    /// The decoded text.
    pub(crate) fn as_str(&self) -> &str {
        &self.text
    }

    pub(crate) fn position(&self, offset: u32) -> Position {
        let at = self.lines.position(offset);
        Position {
            line: at.line,
            column: at.column,
        }
    }

    /// The line around an offset, trimmed and cut; where only some ranges of the text may be shown, what of the line
    /// is in that of the offset.
    pub(crate) fn snippet(&self, offset: u32, shown: Option<&[ByteRange]>) -> String {
        let bytes = self.text.as_bytes();
        let from = (offset as usize).min(bytes.len());
        let is_end = |b: &u8| matches!(b, b'\n' | b'\r');
        // Of a line without end, only what may be shown is read, for each of its places.
        let window = from.saturating_sub(MAX_LINE)..bytes.len().min(from + MAX_LINE);
        let start = bytes[window.start..from].iter().rposition(is_end);
        let end = bytes[from..window.end].iter().position(is_end);
        let mut start = start.map_or(window.start, |at| window.start + at + 1);
        let mut end = end.map_or(window.end, |at| from + at);
        if let Some(ranges) = shown {
            let Some(range) = ranges.iter().find(|range| range.contains(offset)) else {
                return String::new();
            };
            start = start.max(range.start as usize);
            end = end.min(range.end as usize);
        }
        let line = String::from_utf8_lossy(&bytes[start..end]);
        let line = line.trim_start_matches('\u{feff}').trim();
        match line.char_indices().nth(MAX_SNIPPET) {
            Some((end, _)) => format!("{}…", &line[..end]),
            None => line.to_owned(),
        }
    }

    /// The identifier at an offset, without `@`.
    pub(crate) fn word(&self, offset: u32) -> &str {
        word(self.text.as_bytes(), offset)
    }

    /// What the place of a type does, as its text shows it: bindings call type arguments as they call locals.
    pub(crate) fn role_of_type(&self, offset: u32, role: Role) -> Role {
        let offset = offset as usize;
        match role {
            Role::Local => match given_to(self.text.as_bytes(), offset) {
                Some(given) if given.registers() => Role::Registration,
                Some(_) => Role::TypeArgument,
                None => Role::Local,
            },
            Role::Typeof if is_registered_as_value(self.text.as_bytes(), offset) => {
                Role::Registration
            }
            role => role,
        }
    }

    /// To what the type at an offset is a type argument.
    pub(crate) fn given_to(&self, offset: u32) -> Option<Given<'_>> {
        given_to(self.text.as_bytes(), offset as usize)
    }

    /// Whether the word before the parenthesis around an offset is `nameof`.
    pub(crate) fn is_in_nameof(&self, offset: u32) -> bool {
        let mut before = &self.text.as_bytes()[..(offset as usize).min(self.text.len())];
        // Only names and dots may stand between.
        while let Some((&last, rest)) = before.split_last() {
            if last == b'(' {
                return rest.trim_ascii_end().ends_with(b"nameof");
            }
            if !(last.is_ascii_alphanumeric() || matches!(last, b'_' | b'.' | b' ') || last >= 0x80)
            {
                return false;
            }
            before = rest;
        }
        false
    }
}
