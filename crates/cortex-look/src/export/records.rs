//! The records, as they are written.

use crate::QueryError;

use std::io::Write;

use cortex_index::{FileSummary, ProjectRecord};
use cortex_project::UsingKind;
use serde::Serialize;

/// One record; `k` tells which.
#[derive(Serialize)]
#[serde(tag = "k", rename_all = "lowercase")]
pub(crate) enum Record<'a> {
    /// A project, as evaluated.
    Project {
        path: &'a str,
        asm: &'a str,
        tfm: &'a str,
        ns: &'a str,
        defines: &'a [String],
        files: Vec<&'a str>,
        usings: Vec<String>,
        refs: Vec<&'a str>,
        packages: Vec<&'a str>,
    },
    /// A type, once per assembly.
    Type {
        id: &'a str,
        asm: &'a str,
        kind: &'a str,
        acc: &'a str,
        files: &'a [&'a str],
    },
    /// A member; accessors belong to their property.
    Member {
        id: &'a str,
        asm: &'a str,
        #[serde(rename = "type")]
        ty: &'a str,
        kind: &'a str,
        acc: &'a str,
        synth: bool,
    },
    /// A dependency of a type on another.
    Edge {
        from: &'a str,
        to: &'a str,
        asm: &'a str,
        #[serde(rename = "toAsm")]
        to_asm: &'a str,
        s: bool,
        b: bool,
        src: bool,
    },
    /// A member that implements or overrides another.
    Impl {
        id: &'a str,
        of: &'a str,
        how: &'a str,
        #[serde(rename = "type")]
        ty: &'a str,
        asm: &'a str,
    },
    /// A name that means a symbol of the repository.
    Ref {
        #[serde(flatten)]
        place: &'a Place<'a>,
        to: &'a str,
        #[serde(rename = "in")]
        inside: Option<&'a str>,
        sure: bool,
    },
    /// A member of the repository that is used without being named.
    Use {
        #[serde(flatten)]
        place: &'a Place<'a>,
        to: &'a str,
        how: &'a str,
        #[serde(rename = "in")]
        inside: Option<&'a str>,
    },
    /// A name that could not be bound.
    Unres {
        #[serde(flatten)]
        place: &'a Place<'a>,
    },
}

/// A position in a file: line and column are 1-based, columns in UTF-16 units.
#[derive(Serialize)]
pub(crate) struct Place<'a> {
    pub(crate) f: &'a str,
    pub(crate) l: u32,
    pub(crate) c: u32,
    pub(crate) asm: &'a str,
}

impl Record<'_> {
    pub(crate) fn write(&self, out: &mut (impl Write + ?Sized)) -> Result<(), QueryError> {
        serde_json::to_writer(&mut *out, self).map_err(std::io::Error::from)?;
        Ok(out.write_all(b"\n")?)
    }
}

/// Writes the record of a project. `files`: all of the snapshot.
pub(crate) fn project(
    record: &ProjectRecord,
    files: &[FileSummary],
    out: &mut dyn Write,
) -> Result<(), QueryError> {
    let project = &record.project;
    let usings = project.usings.iter().map(|using| match &using.kind {
        UsingKind::Namespace => using.target.clone(),
        UsingKind::Static => format!("static {}", using.target),
        UsingKind::Alias(name) => format!("{name}={}", using.target),
    });
    let sources = files
        .iter()
        .filter(|file| file.projects.contains(&project.path));
    Record::Project {
        path: project.path.as_str(),
        asm: &project.assembly,
        tfm: &project.tfm,
        ns: &project.root_namespace,
        defines: &project.symbols,
        files: sources.map(|file| file.path.as_str()).collect(),
        usings: usings.collect(),
        refs: project
            .references
            .iter()
            .map(|path| path.as_str())
            .collect(),
        packages: project.packages.iter().map(|it| it.name.as_str()).collect(),
    }
    .write(out)
}
