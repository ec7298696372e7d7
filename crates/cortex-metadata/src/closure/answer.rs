//! What a project sees.

use std::{path::PathBuf, sync::Arc};

use cortex_model::Hash;

use crate::assembly::Assembly;

/// The assemblies that a project sees.
#[derive(Clone)]
pub struct Closure {
    /// Those of the framework by file name, then those of packages by id. No two have one simple name:
    /// the higher assembly version stays, of equal ones the framework's.
    pub assemblies: Vec<Arc<Assembly>>,
    /// The packages that compilers see and that are not on the machine, by id.
    pub missing: Vec<MissingPackage>,
    /// The packages of which only another version is on the machine, or the assembly of a shared framework,
    /// by id.
    pub approximate: Vec<ApproximatePackage>,
    /// Files that should be assemblies and cannot be read, sorted.
    pub unreadable: Vec<PathBuf>,
    /// Where the assemblies of the framework are from.
    pub source: FrameworkSource,
    /// Changes when any assembly changes.
    pub digest: Hash,
}

/// A package that is not on the machine.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct MissingPackage {
    /// Its id.
    pub id: String,
    /// The wanted version or range, as written; may be empty.
    pub version: String,
}

/// A package of which another version was taken.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct ApproximatePackage {
    /// Its id.
    pub id: String,
    /// The wanted version or range, as written; may be empty.
    pub wanted: String,
    /// The version that was taken, of the package or of the shared framework that has its assembly.
    pub found: String,
}

/// Where the assemblies of a framework are from.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum FrameworkSource {
    /// A reference pack or shared framework of this version.
    Pack(String),
    /// The built-in table, made of reference assemblies of this version.
    BuiltIn(String),
    /// Neither: the built-in table cannot be read.
    None,
}
