//! The files of a side as the texts of a search.
//!
//! Must not know: how a file is read.

use crate::{
    QueryError,
    filter::whole_lines,
    search::{
        around::{Around, Place},
        text::Within,
    },
};
use cortex_derived::{
    contents::{ContentReader, Contents},
    files::Candidate,
};
use cortex_model::ByteRange;
use cortex_search::{FoundText, Hit, TextRead, Texts};
use cortex_syntax::text::{Lexical, LexicalKind};

/// Candidates as the texts of a search.
pub(crate) struct SideTexts<'a> {
    pub(crate) contents: &'a Contents<'a>,
    pub(crate) files: &'a [Candidate],
    pub(crate) within: Within,
}

impl<'a> Texts for SideTexts<'a> {
    type Reader = ContentReader<'a>;
    type Note = Place;
    type Error = QueryError;

    fn n_texts(&self) -> usize {
        self.files.len()
    }

    fn open(&self) -> ContentReader<'a> {
        self.contents.reader()
    }

    fn read(
        &self,
        reader: &mut ContentReader<'a>,
        nth: usize,
        text: &mut Vec<u8>,
    ) -> Result<TextRead, QueryError> {
        Ok(reader.read(&self.files[nth], text)?)
    }

    fn is_selective(&self, nth: usize) -> bool {
        self.within != Within::Any || self.files[nth].part.is_some()
    }

    fn select(&self, text: &str, found: &mut FoundText<Place>) -> Result<(), QueryError> {
        let FoundText {
            nth, hits, context, ..
        } = found;
        if let Some(part) = &self.files[*nth].part {
            hits.retain_mut(|hit| {
                let ranges = part.as_slice().iter();
                let around = ranges.copied().find(|range| is_within(hit.range, *range));
                // Lines may go on beyond what counts.
                around.map(|range| hit.cut(text, range)).is_some()
            });
            if !context.is_empty() {
                let lines = whole_lines(text.as_bytes(), part.as_slice());
                context.retain(|line| lines.contains(&line.line));
            }
        }
        let kind = match self.within {
            Within::Any => return Ok(()),
            Within::Code => LexicalKind::Code,
            Within::Comments => LexicalKind::Comment,
            Within::Strings => LexicalKind::String,
        };
        let lexical = Lexical::of(text.as_bytes());
        hits.retain(|hit| lexical.at(hit.range.start) == kind);
        Ok(())
    }

    fn note(&self, nth: usize, text: &str, hits: &[Hit]) -> Result<Vec<Place>, QueryError> {
        let file = &self.files[nth];
        if !file.is_csharp() {
            return Ok(vec![Place::default(); hits.len()]);
        }
        // What comes after the last hit says nothing of any.
        let end = hits.last().map_or(0, |hit| hit.range.end) as usize;
        let text = &text.as_bytes()[..end.min(text.len())];
        let around = Around::of(&self.contents.side.snapshot, &file.path, text)?;
        Ok(hits
            .iter()
            .map(|hit| around.place(hit.range.start))
            .collect())
    }
}

/// Whether a hit lies in a range; one of nothing where its place does.
fn is_within(hit: ByteRange, range: ByteRange) -> bool {
    range.contains(hit.start) && hit.end <= range.end
}
