//! The contents of candidates, for the search.
//!
//! Owns: whether a file is read from the work tree or from git. Must not know: what is searched for.
//!
//! A file of the work tree is read from there where git counts it as unchanged: that is several times as fast as
//! taking it from a pack. What checking out converts would move offsets, so that a text with carriage returns is
//! read from git where line ends may have been converted, and every text where filters, `ident` or encodings may
//! have been at work.

use crate::{DerivedError, files::Candidate};
use cortex_git::{GitError, ReadBlob, is_content_of};
use cortex_index::{Index, IndexedSide, UnreadFile, UnreadFiles};
use cortex_search::{TextRead, is_binary};
use cortex_syntax::text::{Encoding, decode};
use std::{
    fs::File,
    io::Read,
    path::{Path, PathBuf},
};

/// What checking out may do to contents.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Conversion {
    Nothing,
    LineEnds,
    Anything,
}

/// Where contents are read.
pub struct Contents<'a> {
    /// The repository.
    pub index: &'a Index,
    /// The side whose contents are read.
    pub side: &'a IndexedSide,
    conversion: Conversion,
}

/// Attribute files of more bytes are taken as ones that may say anything.
const MAX_ATTRIBUTES: u64 = 1 << 20;

impl<'a> Contents<'a> {
    /// Looks at what is said of conversions; `all` are the files of the side.
    pub fn of(
        index: &'a Index,
        side: &'a IndexedSide,
        all: &[Candidate],
    ) -> Result<Self, DerivedError> {
        let mut conversion = Conversion::Nothing;
        let is_set = |key: &str| {
            let value = index.repo.config_string(key);
            value.is_some_and(|value| !matches!(value.to_lowercase().as_str(), "false" | "lf"))
        };
        if is_set("core.autocrlf") || is_set("core.eol") {
            conversion = Conversion::LineEnds;
        }
        let mut texts = Vec::new();
        if all.iter().any(|file| file.is_on_disk) {
            let mut reader = index.blobs(side);
            for file in all
                .iter()
                .filter(|it| it.path.file_name() == ".gitattributes")
            {
                if reader.blob_size(file.blob)? > MAX_ATTRIBUTES {
                    conversion = Conversion::Anything;
                } else {
                    texts.push(reader.read_blob(file.blob)?);
                }
            }
            let further = index.repo.common_dir().join("info/attributes");
            texts.extend(std::fs::read(further).ok());
        }
        for text in texts {
            conversion = conversion.max(said(&String::from_utf8_lossy(&text)));
        }
        Ok(Self {
            index,
            side,
            conversion,
        })
    }

    /// Whether there is a work tree.
    pub fn has_work_tree(&self) -> bool {
        self.index.repo.work_dir().is_some()
    }

    /// A reader for one thread.
    pub fn reader(&self) -> ContentReader<'a> {
        ContentReader {
            root: self.index.repo.work_dir(),
            blobs: self.index.blobs(self.side),
            unread: None,
            noted: &self.index.unread,
            conversion: self.conversion,
            folder: None,
            chunk: vec![0; CHUNK],
        }
    }
}

impl Conversion {
    fn max(self, other: Self) -> Self {
        match (self, other) {
            (Self::Anything, _) | (_, Self::Anything) => Self::Anything,
            (Self::LineEnds, _) | (_, Self::LineEnds) => Self::LineEnds,
            _ => Self::Nothing,
        }
    }
}

/// What attributes may have done.
fn said(attributes: &str) -> Conversion {
    let lines = attributes.lines().map(str::trim);
    let words = lines
        .filter(|line| !line.starts_with('#'))
        .flat_map(|line| line.split_whitespace().skip(1));
    words.fold(Conversion::Nothing, |found, word| {
        let name = word.split('=').next().unwrap_or(word);
        found.max(match name {
            "filter" | "ident" | "working-tree-encoding" => Conversion::Anything,
            "text" | "eol" | "crlf" => Conversion::LineEnds,
            _ => Conversion::Nothing,
        })
    })
}

/// Reads contents for one thread.
pub struct ContentReader<'a> {
    root: Option<&'a Path>,
    blobs: Box<dyn ReadBlob + 'a>,
    /// The file read last, if git cannot read it.
    unread: Option<UnreadFile>,
    /// Where such files are noted.
    noted: &'a UnreadFiles,
    conversion: Conversion,
    /// The folder looked at last, and its place where no part of it is a symbolic link.
    folder: Option<(String, Option<PathBuf>)>,
    chunk: Vec<u8>,
}

/// Larger contents are not searched: each thread holds one, and once more where it is not UTF-8.
pub const MAX_CONTENT: usize = 32 << 20;

/// So much is read at once: most files in one piece.
const CHUNK: usize = 128 << 10;

/// Reads a file, asking the system for nothing but to open and to read it.
fn read_to_end(path: &Path, chunk: &mut [u8], text: &mut Vec<u8>) -> std::io::Result<()> {
    let mut file = File::open(path)?;
    loop {
        let n = file.read(chunk)?;
        if text.len() + n > MAX_CONTENT {
            return Err(std::io::Error::other("it is too large"));
        }
        text.extend_from_slice(&chunk[..n]);
        // Of an ordinary file less than asked for is the rest.
        if n < chunk.len() {
            return Ok(());
        }
    }
}

impl ContentReader<'_> {
    /// The file read last, if git could not read it.
    pub fn take_unread(&mut self) -> Option<UnreadFile> {
        self.unread.take()
    }

    /// Reads a content as UTF-8 into an empty buffer.
    pub fn read(&mut self, file: &Candidate, text: &mut Vec<u8>) -> Result<TextRead, DerivedError> {
        self.unread = None;
        // Since git was asked what is unchanged, somebody may have edited or checked out.
        let is_read = file.is_on_disk
            && self.read_disk(file.path.as_str(), text)
            && is_content_of(file.blob, text);
        if !is_read {
            text.clear();
            let size = self.blobs.blob_size(file.blob);
            if size.is_ok_and(|size| size > MAX_CONTENT as u64) {
                return Ok(TextRead::TooLarge);
            }
            match self.blobs.read_blob(file.blob) {
                Ok(content) => *text = content,
                Err(GitError::ChangedMeanwhile { .. }) => return Ok(TextRead::Missing),
                // As in partial clones: what is there is searched.
                Err(error) => {
                    let Some(unread) = UnreadFile::of(&file.path, file.blob, &error) else {
                        return Err(error.into());
                    };
                    self.noted.note_files([unread.clone()]);
                    self.unread = Some(unread);
                    return Ok(TextRead::Missing);
                }
            }
        }
        let is_wide = text.starts_with(&[0xFF, 0xFE]) || text.starts_with(&[0xFE, 0xFF]);
        if !is_wide && is_binary(text) {
            return Ok(TextRead::Binary);
        }
        let decoded = decode(text);
        if decoded.encoding() == Encoding::Windows1252Guessed && memchr::memchr(0, text).is_some() {
            // Neither UTF-8 nor a text: drawings and documents have their first zero late.
            return Ok(TextRead::Binary);
        }
        if !matches!(decoded.encoding(), Encoding::Utf8 | Encoding::Utf8Bom) {
            let decoded = decoded.as_str().to_owned();
            *text = decoded.into_bytes();
        }
        Ok(TextRead::Text)
    }

    /// Whether the file of the work tree could be read, and is what git has.
    fn read_disk(&mut self, path: &str, text: &mut Vec<u8>) -> bool {
        if self.conversion == Conversion::Anything {
            return false;
        }
        let (folder, name) = path.rsplit_once('/').unwrap_or(("", path));
        if self
            .folder
            .as_ref()
            .is_none_or(|(known, _)| known != folder)
        {
            let place = self.place(folder);
            self.folder = Some((folder.to_owned(), place));
        }
        let Some((_, Some(place))) = &self.folder else {
            return false;
        };
        let is_read = read_to_end(&place.join(name), &mut self.chunk, text);
        let is_exact = is_read.is_ok()
            && (self.conversion == Conversion::Nothing || memchr::memchr(b'\r', text).is_none());
        if !is_exact {
            text.clear();
        }
        is_exact
    }

    /// Where a folder is, unless a symbolic link leads there.
    fn place(&self, folder: &str) -> Option<PathBuf> {
        let mut place = self.root?.to_owned();
        for part in folder.split('/').filter(|part| !part.is_empty()) {
            place.push(part);
            if !std::fs::symlink_metadata(&place).ok()?.is_dir() {
                return None;
            }
        }
        Some(place)
    }
}

#[cfg(test)]
mod tests {
    use super::{Conversion, said};

    #[test]
    fn attributes_tell_what_checking_out_may_convert() {
        assert_eq!(said("# text eol=crlf\n*.png binary\n"), Conversion::Nothing);
        assert_eq!(said("* text=auto\n"), Conversion::LineEnds);
        assert_eq!(said("*.sln eol=crlf"), Conversion::LineEnds);
        assert_eq!(
            said("* text=auto\n*.psd filter=lfs diff=lfs -text\n"),
            Conversion::Anything
        );
    }
}
