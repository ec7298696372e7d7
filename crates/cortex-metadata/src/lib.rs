//! Types and members from outside the repository, in neutral form.
//!
//! Owns: reading ECMA-335 metadata and the built-in table, and deciding which assemblies a project sees.
//! Must not know: C# source, git, the store, how a name is bound.

mod assembly;
mod closure;
mod error;
mod model;
mod names;
mod pe;
mod table;

pub use assembly::Assembly;
pub use closure::{
    ApproximatePackage, Closure, Compile, FrameworkSource, MissingPackage, PackageRequest,
    ProjectRequest, References, Roots,
};
pub use error::MetadataError;
pub use model::{
    AttributeUsage, ConstantValue, ExternalExtension, ExternalMember, ExternalParam, ExternalType,
    ExternalTypeParam, MemberAttributes, MemberKind, NamedSig, Primitive, RefKind, SigType,
    TypeAttributes, TypeRow, Variance,
};
pub use table::{MetadataTable, write_table};
