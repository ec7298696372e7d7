//! Commit to snapshot, incrementally.
//!
//! Owns: which facts are needed, what a change invalidates, the maps of a snapshot and how they
//! are written and read. Must not know: rendering, wire formats.

mod bindings;
mod collect;
mod config;
mod damage;
mod demands;
mod derived;
mod details;
mod error;
mod externals;
mod facts;
mod history;
mod index;
mod interned;
mod keys;
mod nearest;
mod packed;
mod planned;
mod projects;
mod recent;
mod records;
mod snapshot;
mod symbols;
mod tables;
mod unread;
mod untracked;
mod update;
mod view;
mod world;

pub use bindings::{
    BoundReceiver, BoundRef, BoundTarget, BoundUse, DeclBindings, FileBindings, MemberTag,
    PlaceHow, Receiver, WantedPlace, is_used_unnamed,
};
pub use collect::Keep;
pub use config::IndexOptions;
pub use cortex_metadata::{References, Roots};
pub use cortex_project::{compare_frameworks, is_project_file};
pub use cortex_sandbox::{Launcher, Limits, SkipReason};
pub use cortex_store::Memory;
pub use cortex_store::is_panic_contained;
pub use damage::{
    ApproximateReference, FrameworkAssemblies, MissingReference, ProjectCounts, ProjectReferences,
};
pub use derived::{Differing, Form, Origin};
pub use details::MemberDetails;
pub use error::IndexError;
pub use index::{Index, IndexOutcome, IndexedSide};
pub use records::{
    Edge, ExternalEdge, FileStatus, FileSummary, Implementation, ImplementationKind, MemberSymbol,
    ProjectRecord, Stats, TypeEdges, TypeSymbols,
};
pub use snapshot::{Snapshot, SnapshotId};
pub use symbols::{
    AssemblyFile, ComparedSide, FileInProject, Symbols, ask_of_files, compare_fingerprints,
    read_fingerprints, unit_key, whole_file,
};
pub use tables::TypeHeader;
pub use unread::{UnreadFile, UnreadFiles, UnreadReason, is_any_readable};
pub use update::{Progress, Stage};
