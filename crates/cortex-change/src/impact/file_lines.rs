//! The lines on which places of files stand.

use std::collections::{BTreeMap, btree_map::Entry};

use cortex_derived::doc_ids::DocIds;
use cortex_git::ReadBlob;
use cortex_look::QueryError;
use cortex_model::{BlobId, LineTable};
use cortex_syntax::text::decode;
use cortex_wire::CodePlace;

use super::uses::{Found, Places};

/// Reads each file once.
#[derive(Default)]
pub(super) struct FileLines(BTreeMap<BlobId, LineTable>);

impl FileLines {
    /// The 1-based line of an offset in a file, in bytes of its decoded text.
    pub(super) fn line(
        &mut self,
        reader: &mut impl ReadBlob,
        blob: BlobId,
        offset: u32,
    ) -> Result<u32, QueryError> {
        let table = match self.0.entry(blob) {
            Entry::Occupied(known) => known.into_mut(),
            Entry::Vacant(entry) => {
                let text = reader.read_blob(blob)?;
                entry.insert(LineTable::new(decode(&text).as_bytes()))
            }
        };
        Ok(table.position(offset).line)
    }

    /// A place with the member around it. `ids`: of the snapshot that has it.
    pub(super) fn place(
        &mut self,
        reader: &mut impl ReadBlob,
        ids: &mut DocIds<'_>,
        places: &Places,
        found: &Found,
    ) -> Result<CodePlace, QueryError> {
        let file = &places.files[found.file as usize];
        Ok(CodePlace {
            path: file.path.clone(),
            line: self.line(reader, file.blob, found.offset)?,
            inside: match found.inside {
                Some((key, member)) => ids.of(key, member)?,
                None => None,
            },
        })
    }
}
