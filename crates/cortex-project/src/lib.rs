//! Projects of .NET, evaluated from the files of a tree: no MSBuild, nothing run, nothing fatal.
//!
//! Owns: solutions, project files, properties, items, imports and what the SDKs add to them.
//! Must not know: git, the file system, C#, binding.
//!
//! A project is evaluated as MSBuild does it: properties and imports in document order, then items
//! in document order, against a table of tracked files instead of a disk. Where a rule comes from the
//! SDK rather than from the repository, `sdk` and `framework` have it.

mod active;
mod condition;
mod digest;
mod document;
mod escape;
mod evaluate;
mod evaluation;
mod expand;
mod files;
mod framework;
mod functions;
mod glob;
mod imports;
mod items;
mod libraries;
mod model;
mod packages;
mod paths;
mod project;
mod references;
mod sdk;
mod solution;
mod solution_folders;
mod template;
mod version;
mod workspace;
mod xml;

pub use evaluate::{evaluate, loose};
pub use files::{EvaluationOptions, ProjectFiles, is_library, is_project_file};
pub use framework::compare_frameworks;
pub use model::{
    CompileAssets, GlobalUsing, LOOSE, Nullable, PackageInheritance, PackageReference,
    PinnedPackage, Project, ProjectGraph, ProjectNote, Solution, UsingKind,
};
pub use solution_folders::solution_folders;
