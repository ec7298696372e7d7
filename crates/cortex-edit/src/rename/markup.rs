//! Markup that is compiled to a part of a type: `Pages/Count.razor` beside `Pages/Count.razor.cs`. Its code uses private
//! members, and nothing in C# says so.
//!
//! Owns: which names in it may be those of a rename. Must not know: what its languages mean.

use cortex_look::viewpoint::Viewpoint;
use cortex_model::{ByteRange, LineTable, RepoPath};
use cortex_syntax::text::decode;
use cortex_wire::{Doubt, DoubtReason};

use super::Planned;
use crate::{
    EditError,
    identifier::bare,
    plan::find_file,
    proof::{Proof, words},
};

/// The endings of markup whose other part is a file called like it with `.cs` behind.
const MARKUP: [&str; 6] = ["razor", "cshtml", "xaml", "axaml", "aspx", "ascx"];

impl Planned {
    /// Adds where the markup of a renamed type, or of the type of a renamed member, may mean it. The name of the type itself
    /// is that of the file, which no word in it needs to say. O(bytes of the markup).
    ///
    /// # Errors
    /// Those of reading files.
    pub(crate) fn add_uses_in_markup(
        &self,
        view: &Viewpoint<'_>,
        found: &mut Proof,
    ) -> Result<(), EditError> {
        let is_type = (self.subject.as_ref()).is_some_and(|it| it.resolved.member_id.is_none());
        for path in self.parts.iter().filter_map(markup_of) {
            let Some(file) = find_file(view.index, view.side, &path)? else {
                continue;
            };
            let bytes = view.blobs().read_blob(file.blob)?;
            let source = decode(&bytes);
            let text = source.as_bytes();
            let lines = LineTable::new(text);
            let all = ByteRange {
                start: 0,
                end: text.len() as u32,
            };
            // `@` is where code begins.
            let named = words(text, all);
            let named =
                named.filter(|(_, word)| word.split('@').any(|it| bare(it) == self.old_name));
            let mut places: Vec<u32> = named.map(|(offset, _)| offset).collect();
            if is_type {
                places.insert(0, 0);
            }
            for offset in places {
                let doubt = Doubt {
                    file: path.clone(),
                    line: lines.position(offset).line,
                    reason: DoubtReason::Mentioned,
                    used_by: None,
                };
                found.residue.remove(&(path.clone(), doubt.line));
                (found.doubts.entry((path.clone(), doubt.line))).or_insert(doubt);
            }
        }
        Ok(())
    }
}

/// The markup that a file is the other part of, if it is called so.
fn markup_of(path: &RepoPath) -> Option<RepoPath> {
    let name = path.file_name().strip_suffix(".cs")?;
    let (_, ending) = name.rsplit_once('.')?;
    let is_markup = MARKUP.iter().any(|it| ending.eq_ignore_ascii_case(it));
    is_markup.then(|| match path.folder() {
        "" => RepoPath::from(name),
        folder => RepoPath::from(format!("{}/{name}", folder.trim_end_matches('/')).as_str()),
    })
}
