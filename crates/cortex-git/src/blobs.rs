//! Reading contents by id.

use cortex_model::{BlobId, ObjectId};
use gix::objs::{Exists as _, Find as _, FindHeader as _};

use crate::{
    GitError,
    error::Advice,
    ids,
    repository::{Completeness, Repository},
};

/// Something that gives the content of a blob.
pub trait ReadBlob {
    /// The whole content.
    ///
    /// # Errors
    /// [`GitError::MissingObject`] and what reading can fail with.
    fn read_blob(&mut self, id: BlobId) -> Result<Vec<u8>, GitError>;

    /// Its length in bytes, without reading all of it where that can be avoided.
    ///
    /// # Errors
    /// As [`ReadBlob::read_blob`].
    fn blob_size(&mut self, id: BlobId) -> Result<u64, GitError>;
}

/// Reads blobs from the object database. One for each thread; keeps a small cache of packed objects.
pub struct BlobReader {
    repo: gix::Repository,
    completeness: Completeness,
    /// Where objects are put together: that takes more bytes than their content.
    buffer: Vec<u8>,
}

impl Repository {
    /// A reader of blobs for one thread.
    pub fn blobs(&self) -> BlobReader {
        BlobReader {
            repo: self.local(),
            completeness: self.completeness(),
            buffer: Vec::new(),
        }
    }
}

impl Repository {
    /// Which of some blobs are absent, as in partial clones. Looks once for packs that came since, so that asking for
    /// many absent ones costs little.
    pub fn absent(&self, ids: &[BlobId]) -> Vec<BlobId> {
        let mut repo = self.local();
        if let Some(first) = ids.first() {
            repo.objects.exists(&ids::to_gix(first.0));
        }
        repo.objects.refresh_never();
        let is_absent = |id: &&BlobId| !repo.objects.exists(&ids::to_gix(id.0));
        ids.iter().filter(is_absent).copied().collect()
    }
}

impl BlobReader {
    /// The whole content of a blob.
    ///
    /// # Errors
    /// [`GitError::MissingObject`], [`GitError::WrongKind`], or [`GitError::Engine`] for a damaged object and for
    /// one of more than 256 MiB.
    pub fn read(&mut self, id: BlobId) -> Result<Vec<u8>, GitError> {
        let mut buffer = std::mem::take(&mut self.buffer);
        let read = self.read_into(id, &mut buffer);
        let content = read.map(|()| buffer.clone());
        self.buffer = buffer;
        content
    }

    /// As [`BlobReader::read`], into a buffer that is cleared first.
    ///
    /// # Errors
    /// Those of [`BlobReader::read`].
    pub fn read_into(&mut self, id: BlobId, content: &mut Vec<u8>) -> Result<(), GitError> {
        read_object(
            &self.repo,
            self.completeness,
            id.0,
            gix::objs::Kind::Blob,
            content,
        )
    }

    /// The length of a blob in bytes; O(length of its delta chain), without inflating the content.
    ///
    /// # Errors
    /// [`GitError::MissingObject`], [`GitError::Engine`].
    pub fn header_size(&mut self, id: BlobId) -> Result<u64, GitError> {
        match self.repo.objects.try_header(&ids::to_gix(id.0)) {
            Ok(Some(header)) => Ok(header.size),
            Ok(None) => Err(missing(self.completeness, id.0, "blob")),
            Err(error) => Err(GitError::engine(format!("read blob {id}"), error)),
        }
    }
}

impl ReadBlob for BlobReader {
    fn read_blob(&mut self, id: BlobId) -> Result<Vec<u8>, GitError> {
        self.read(id)
    }

    fn blob_size(&mut self, id: BlobId) -> Result<u64, GitError> {
        self.header_size(id)
    }
}

/// Whether a content is the one that git knows by this id. O(bytes): it is hashed.
pub fn is_content_of(blob: BlobId, content: &[u8]) -> bool {
    let kind = match blob.0.as_slice().len() {
        20 => gix::hash::Kind::Sha1,
        _ => gix::hash::Kind::Sha256,
    };
    gix::objs::compute_hash(kind, gix::objs::Kind::Blob, content)
        .is_ok_and(|id| ids::from_gix(&id) == blob.0)
}

impl Repository {
    /// The id that git gives to a content. O(bytes): it is hashed. Writes nothing.
    ///
    /// # Errors
    /// [`GitError::Engine`] for what looks like an attack on SHA-1.
    pub fn blob_id(&self, content: &[u8]) -> Result<BlobId, GitError> {
        let kind = self.local().object_hash();
        gix::objs::compute_hash(kind, gix::objs::Kind::Blob, content)
            .map(|id| BlobId(ids::from_gix(&id)))
            .map_err(|error| GitError::engine("hash a file", error))
    }
}

/// Reads one object of a known kind into a buffer.
pub(crate) fn read_object(
    repo: &gix::Repository,
    completeness: Completeness,
    id: ObjectId,
    kind: gix::objs::Kind,
    content: &mut Vec<u8>,
) -> Result<(), GitError> {
    let what = kind_name(kind);
    match repo.objects.try_find(&ids::to_gix(id), content) {
        Ok(Some(found)) if found.kind == kind => Ok(()),
        Ok(Some(found)) => Err(GitError::WrongKind {
            id,
            expected: what,
            actual: found.kind.to_string(),
        }),
        Ok(None) => Err(missing(completeness, id, what)),
        Err(error) => Err(GitError::engine(format!("read {what} {id}"), error)),
    }
}

/// The error for an absent object, with the way to get it.
pub(crate) fn missing(completeness: Completeness, id: ObjectId, what: &'static str) -> GitError {
    let advice = match completeness {
        Completeness::Partial => Advice::FetchObject(id),
        Completeness::Shallow => Advice::Unshallow,
        Completeness::Full => Advice::CheckRepository,
    };
    GitError::MissingObject { id, what, advice }
}

fn kind_name(kind: gix::objs::Kind) -> &'static str {
    match kind {
        gix::objs::Kind::Blob => "blob",
        gix::objs::Kind::Tree => "tree",
        gix::objs::Kind::Commit => "commit",
        gix::objs::Kind::Tag => "tag",
    }
}
