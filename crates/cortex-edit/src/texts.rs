//! Texts that mention a name without being bound: comments, strings, and files that are not C#.
//!
//! Owns: which of them may mention a symbol that gets another name or goes, and the edits of those that a request names.
//! Must not know: whether the code means the same afterwards.

use std::collections::{BTreeMap, BTreeSet};

use cortex_look::{
    mentioned::{MentionedName, OtherTexts},
    symbol::offset_at,
    text_mentions::mentions_in_csharp,
    viewpoint::Viewpoint,
};
use cortex_model::{ByteRange, RepoPath};
use cortex_syntax::text::decode;
use cortex_wire::{Mention, Residue, ResidueKind, Subject};

use crate::{
    EditError,
    plan::{Plan, find_file},
    proof::Proof,
    text_edit::{StartIs, TextEdit, TextEdits},
};

/// Where texts may mention a symbol.
#[derive(Clone, Copy)]
pub(crate) enum Extent<'a> {
    /// In these files: those of a local, a parameter, or a private member.
    Files(&'a BTreeSet<RepoPath>),
    /// In all C# files.
    CSharp,
    /// In all files, those that are not C# included.
    Everywhere(&'a Subject),
}

/// The texts that mention a name.
pub(crate) struct MentioningTexts<'n> {
    name: &'n str,
    /// Comments and strings of C#, by file and position.
    in_csharp: Vec<(RepoPath, ByteRange, Residue)>,
    /// Those of other files, by file and position.
    elsewhere: Vec<Mention>,
}

impl<'n> MentioningTexts<'n> {
    /// Finds them.
    ///
    /// # Errors
    /// Those of the index.
    pub(crate) fn find(
        view: &Viewpoint<'_>,
        name: &'n str,
        extent: Extent<'_>,
    ) -> Result<Self, EditError> {
        let (only, elsewhere) = match extent {
            Extent::Files(files) => (Some(files), Vec::new()),
            Extent::CSharp => (None, Vec::new()),
            Extent::Everywhere(subject) => {
                let name = MentionedName {
                    name: name.to_owned(),
                    is_type: subject.resolved.member_id.is_none(),
                    languages: &[],
                };
                (
                    None,
                    OtherTexts::of(view.index, view.side).places_of(&name)?,
                )
            }
        };
        let in_csharp = mentions_in_csharp(view, name, only)?.into_iter();
        let in_csharp = in_csharp.map(|mention| {
            let residue = Residue {
                file: mention.file.clone(),
                line: mention.line,
                kind: match mention.is_string {
                    true => ResidueKind::String,
                    false => ResidueKind::Comment,
                },
                text: mention.text,
            };
            (mention.file, mention.range, residue)
        });
        Ok(Self {
            name,
            in_csharp: in_csharp.collect(),
            elsewhere,
        })
    }

    /// Adds the edits that write another name into texts of some kinds.
    ///
    /// # Errors
    /// Those of reading files.
    pub(crate) fn add_edits(
        &self,
        view: &Viewpoint<'_>,
        (kinds, new_name): (&[ResidueKind], &str),
        edits: &mut BTreeMap<RepoPath, TextEdits>,
    ) -> Result<(), EditError> {
        let mut places: BTreeMap<RepoPath, Vec<ByteRange>> = BTreeMap::new();
        for (path, range, residue) in &self.in_csharp {
            if kinds.contains(&residue.kind) {
                places.entry(path.clone()).or_default().push(*range);
            }
        }
        if kinds.contains(&ResidueKind::File) {
            for of_file in self.elsewhere.chunk_by(|a, b| a.file == b.file) {
                let ranges = self.ranges(view, of_file)?;
                places
                    .entry(of_file[0].file.clone())
                    .or_default()
                    .extend(ranges);
            }
        }
        for (path, ranges) in places.into_iter().filter(|(_, ranges)| !ranges.is_empty()) {
            let known = edits.entry(path).or_default();
            let mut all = known.all().to_vec();
            // What an attribute names is edited like code.
            let ranges = ranges.into_iter().filter(|it| !known.is_edited(it.start));
            all.extend(ranges.map(|range| TextEdit {
                range,
                text: new_name.to_owned(),
                start: StartIs::Kept,
            }));
            *known = TextEdits::new(all).expect("words do not overlap");
        }
        Ok(())
    }

    /// The places of a file that is not C# which have the name as it is.
    fn ranges(
        &self,
        view: &Viewpoint<'_>,
        of_file: &[Mention],
    ) -> Result<Vec<ByteRange>, EditError> {
        let Some(file) = find_file(view.index, view.side, &of_file[0].file)? else {
            return Ok(Vec::new());
        };
        let bytes = view.blobs().read_blob(file.blob)?;
        let source = decode(&bytes);
        let text = source.as_str();
        let ranges = of_file.iter().filter_map(|mention| {
            let start = offset_at(text.as_bytes(), mention.line, mention.column)?;
            let is_it = text.get(start as usize..)?.starts_with(self.name);
            let end = start + self.name.len() as u32;
            is_it.then_some(ByteRange { start, end })
        });
        Ok(ranges.collect())
    }

    /// Keeps the comments and strings in some ranges of files.
    pub(crate) fn keep_in(&mut self, ranges: &BTreeMap<RepoPath, Vec<ByteRange>>) {
        self.in_csharp.retain(|(path, place, _)| {
            let mut ranges = ranges.get(path).into_iter().flatten();
            ranges.any(|range| range.contains(place.start))
        });
    }

    /// Takes out the texts of files that are not C#.
    pub(crate) fn take_elsewhere(&mut self) -> Vec<Mention> {
        std::mem::take(&mut self.elsewhere)
    }

    /// Lists the texts that a plan leaves as they are.
    pub(crate) fn add_residue(self, plan: &Plan, found: &mut Proof) {
        for (path, range, residue) in self.in_csharp {
            let file = plan.files.get(&path);
            if !file.is_some_and(|file| file.edits.is_edited(range.start)) {
                found.residue.insert((path, range.start), residue);
            }
        }
        for mention in self.elsewhere {
            if plan.files.contains_key(&mention.file) {
                continue;
            }
            let place = (mention.file.clone(), mention.line);
            found.residue.entry(place).or_insert(Residue {
                file: mention.file,
                line: mention.line,
                kind: ResidueKind::File,
                text: mention.text,
            });
        }
    }
}
