//! Ids of objects between this project's types and those of `gix`.

use cortex_model::ObjectId;

/// Takes an id of `gix`.
pub(crate) fn from_gix(id: &gix::oid) -> ObjectId {
    ObjectId::from_slice(id.as_bytes()).expect("git object ids have 20 or 32 bytes")
}

/// Gives an id to `gix`.
pub(crate) fn to_gix(id: ObjectId) -> gix::ObjectId {
    gix::ObjectId::from_bytes_or_panic(id.as_slice())
}
