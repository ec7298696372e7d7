//! Types and members from outside the repository, in neutral form.
//!
//! Owns: reading ECMA-335 metadata and the built-in table, and deciding which assemblies a project sees.
//! Must not know: C# source, git, the store, how a name is bound.
//!
//! ```
//! use cortex_metadata::{ProjectRequest, References, Roots};
//!
//! let references = References::new(Roots::default());
//! let closure = references.closure(&ProjectRequest {
//!     framework: "net10.0",
//!     ..ProjectRequest::default()
//! });
//! let list = closure.assemblies.iter().find_map(|assembly| {
//!     let row = assembly.find("System.Collections.Generic", "List", 1)?;
//!     Some((assembly.type_def(row), assembly.members(row)))
//! });
//! let (list, members) = list.expect("the base class library comes with the program");
//! assert_eq!(list.arity, 1);
//! assert!(members.iter().any(|member| &*member.name == "Count"));
//! ```

mod assemblies;
mod assembly;
mod closure;
mod error;
mod kept;
mod model;
mod names;
mod pe;
mod regular;
mod table;

pub use assemblies::Assemblies;
pub use assembly::Assembly;
#[doc(hidden)]
pub use closure::read_description;
pub use closure::{
    ApproximatePackage, Closure, Compile, FrameworkSource, Looks, MissingPackage, PackageRequest,
    ProjectRequest, ReferencedProject, References, Restore, Roots,
};
pub use error::MetadataError;
pub use kept::KeptAssemblies;
pub use model::{
    AttributeUsage, ConstantValue, ExternalExtension, ExternalMember, ExternalParam, ExternalType,
    ExternalTypeParam, MemberAttributes, MemberKind, NamedSig, Primitive, RefKind, SigType,
    TypeAttributes, TypeRow, Variance,
};
pub use table::{MetadataTable, write_table};
