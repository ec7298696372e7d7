//! The lines of `export`: one record of the graph on each.

use std::borrow::Cow;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A record of the graph; `k` tells which. Fields are added, never renamed or removed.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "k", rename_all = "lowercase")]
pub enum ExportLine<'a> {
    /// A project, as evaluated.
    Project {
        /// Its project file.
        path: Cow<'a, str>,
        /// The assembly.
        asm: Cow<'a, str>,
        /// The target framework.
        tfm: Cow<'a, str>,
        /// The root namespace.
        ns: Cow<'a, str>,
        /// The symbols of `#if`.
        defines: Vec<Cow<'a, str>>,
        /// The files that it compiles.
        files: Vec<Cow<'a, str>>,
        /// Global usings: `N`, `static T`, `A=T`.
        usings: Vec<Cow<'a, str>>,
        /// The projects that it refers to.
        refs: Vec<Cow<'a, str>>,
        /// The packages that it refers to.
        packages: Vec<Cow<'a, str>>,
    },
    /// A type, once per assembly.
    Type {
        /// Its documentation id.
        id: Cow<'a, str>,
        /// The assembly.
        asm: Cow<'a, str>,
        /// `class`, `struct`, `interface`, …
        kind: Cow<'a, str>,
        /// Its accessibility as declared.
        acc: Cow<'a, str>,
        /// The files that declare it.
        files: Vec<Cow<'a, str>>,
    },
    /// A member; accessors belong to their property or event.
    Member {
        /// Its documentation id.
        id: Cow<'a, str>,
        /// The assembly.
        asm: Cow<'a, str>,
        /// The containing type.
        #[serde(rename = "type")]
        ty: Cow<'a, str>,
        /// `field`, `property`, `event` or `method`.
        kind: Cow<'a, str>,
        /// Its accessibility as declared.
        acc: Cow<'a, str>,
        /// Whether the compiler makes it.
        synth: bool,
    },
    /// A dependency of a type on another.
    Edge {
        /// The type that depends.
        from: Cow<'a, str>,
        /// The type that it depends on.
        to: Cow<'a, str>,
        /// The assembly of `from`.
        asm: Cow<'a, str>,
        /// The assembly of `to`.
        #[serde(rename = "toAsm")]
        to_asm: Cow<'a, str>,
        /// Whether it shows in a signature.
        s: bool,
        /// Whether it is written somewhere in the type.
        b: bool,
        /// Whether the target is declared in the repository.
        src: bool,
    },
    /// A member that implements or overrides another.
    Impl {
        /// The member.
        id: Cow<'a, str>,
        /// What it implements or overrides.
        of: Cow<'a, str>,
        /// `override` or `interface`.
        how: Cow<'a, str>,
        /// The implementing type.
        #[serde(rename = "type")]
        ty: Cow<'a, str>,
        /// The assembly.
        asm: Cow<'a, str>,
    },
    /// A name that refers to a symbol of the repository.
    Ref {
        /// The file.
        f: Cow<'a, str>,
        /// The 1-based line.
        l: u32,
        /// The 1-based column, in UTF-16 units.
        c: u32,
        /// The assembly.
        asm: Cow<'a, str>,
        /// The symbol.
        to: Cow<'a, str>,
        /// The containing member or type.
        #[serde(rename = "in")]
        inside: Option<Cow<'a, str>>,
        /// Whether the overload is certain.
        sure: bool,
    },
    /// A member of the repository that is used without being named.
    Use {
        /// The file.
        f: Cow<'a, str>,
        /// The 1-based line.
        l: u32,
        /// The 1-based column, in UTF-16 units.
        c: u32,
        /// The assembly.
        asm: Cow<'a, str>,
        /// The member.
        to: Cow<'a, str>,
        /// `new`, `index`, `operator`, `conversion`, …
        how: Cow<'a, str>,
        /// The containing member or type.
        #[serde(rename = "in")]
        inside: Option<Cow<'a, str>>,
    },
    /// A name that could not be resolved.
    Unres {
        /// The file.
        f: Cow<'a, str>,
        /// The 1-based line.
        l: u32,
        /// The 1-based column, in UTF-16 units.
        c: u32,
        /// The assembly.
        asm: Cow<'a, str>,
    },
}
