//! Scopes: the files, and the ranges of files, that a query may read.
//!
//! A scope is built from atoms by a program in reverse Polish notation, is exchanged as plain data, and selects the
//! same files on the same snapshot. Atoms are resolved against a [`Universe`].
//!
//! Owns: the exchanged data, stable names, the stack machine and its diagnostics, the algebra of whole files and
//! ranges, the pattern language of the IDE and its files of named scopes, infix notation, the order of catalogs.
//! Must not know: git, the store, the disk, clocks, how an answer is rendered.

mod catalog;
mod check;
mod data;
mod diagnostic;
mod evaluate;
mod extent;
mod file_set;
mod find;
mod hints;
pub mod infix;
mod named;
mod paths;
pub mod pattern;
mod provider;
mod ranges;
mod resolve;
mod scope;
mod standard;
mod subject;
mod target;
mod universe;

pub use catalog::{catalog, validate_pattern};
pub use data::{
    AtomKind, Catalog, CatalogItem, FailureMode, ModuleFlavor, PatternReport, ScopeAtom,
    ScopeDescriptor, ScopeRequest, ScopeShape, ScopeToken, TokenOp,
};
pub use diagnostic::{Diagnostic, DiagnosticCode, Severity};
pub use evaluate::{Resolved, describe, resolve};
pub use extent::{Counted, Extent, extent};
pub use file_set::FileSet;
pub use find::file as find_file;
pub use named::{
    CONFIGURED, LOCAL, NamedScope, PREDEFINED, SHARED, is_scope_file, read_scope_file,
};
pub use paths::ScopedPaths;
pub use provider::{Family, Provider, UnknownProvider};
pub use ranges::Ranges;
pub use scope::{Coverage, Scope};
pub use standard::{PredefinedScope, StandardScope};
pub use target::{Target, written_url};
pub use universe::{
    CallerContext, FileId, PACKAGES, Property, Provided, REPOSITORY, RootKind, ScopeFile,
    ScopeLibrary, ScopeModule, Unavailable, Universe,
};
