//! Blobs of both sides of a range, be they committed or not.

use cortex_git::ReadBlob;
use cortex_index::{Index, IndexedSide};
use cortex_model::BlobId;

/// Where blobs of both sides are read from; one for all threads.
#[derive(Clone, Copy)]
pub(crate) struct BlobSource<'a> {
    pub(crate) index: &'a Index,
    pub(crate) sides: [&'a IndexedSide; 2],
}

impl<'a> BlobSource<'a> {
    /// A reader for one thread.
    pub(crate) fn open(self) -> Reader<'a> {
        let Self { index, sides } = self;
        let overlays = sides.into_iter().filter_map(|side| side.overlay.as_ref());
        let mut readers: Vec<Box<dyn ReadBlob + 'a>> = overlays
            .map(|overlay| -> Box<dyn ReadBlob + 'a> {
                Box::new(overlay.reader(index.repo.blobs()))
            })
            .collect();
        if readers.is_empty() {
            readers.push(Box::new(index.repo.blobs()));
        }
        Reader {
            source: self,
            readers,
        }
    }
}

/// Reads blobs of both sides: what an overlay has first, the object database last.
pub(crate) struct Reader<'a> {
    source: BlobSource<'a>,
    readers: Vec<Box<dyn ReadBlob + 'a>>,
}

impl<'a> Reader<'a> {
    /// Where other threads read the same.
    pub(crate) fn source(&self) -> BlobSource<'a> {
        self.source
    }
}

impl ReadBlob for Reader<'_> {
    fn read_blob(&mut self, id: BlobId) -> Result<Vec<u8>, cortex_git::GitError> {
        let (last, first) = self
            .readers
            .split_last_mut()
            .expect("there is at least one reader");
        for reader in first {
            if let Ok(content) = reader.read_blob(id) {
                return Ok(content);
            }
        }
        last.read_blob(id)
    }

    fn blob_size(&mut self, id: BlobId) -> Result<u64, cortex_git::GitError> {
        let (last, first) = self
            .readers
            .split_last_mut()
            .expect("there is at least one reader");
        for reader in first {
            if let Ok(size) = reader.blob_size(id) {
                return Ok(size);
            }
        }
        last.blob_size(id)
    }
}
