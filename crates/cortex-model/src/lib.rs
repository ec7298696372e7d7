//! Plain values shared by every layer of `git cortex`.
//!
//! Owns: ids, hashes, paths, positions and the closed vocabularies of C# and of the graph.
//! Must not know: IO, clocks, git, the parser, the store.

mod base32;
mod edit_distance;
mod hash;
mod interrupt;
mod kinds;
mod markup;
mod name;
mod object;
mod order;
mod path;
mod position;
mod type_id;
mod varint;

pub use base32::{base32, from_base32};
pub use edit_distance::edit_distance;
pub use hash::{Hash, Hasher, ShortHash};
pub use interrupt::{CancelToken, Interrupt, Stop};
pub use kinds::{
    Accessibility, AccessorKind, ChangeClass, DeclKind, EdgeKind, EdgeKinds, Modifier, Modifiers,
    TypeKind,
};
pub use markup::costly_markup;
pub use name::simple_name;
pub use object::{BlobId, CommitId, ObjectId, TreeId};
pub use order::by_key;
pub use path::RepoPath;
pub use position::{ByteRange, LineColumn, LineTable};
pub use type_id::{TypeKey, member_short_id};
pub use varint::{put_varint, take_varint};
