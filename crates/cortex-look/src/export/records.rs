//! The records, as they are written.

use crate::QueryError;

use std::io::Write;

use cortex_index::{FileSummary, ProjectRecord};
use cortex_project::UsingKind;
use cortex_wire::ExportLine;

/// Writes a record on a line of its own.
pub(crate) fn write(
    line: &ExportLine<'_>,
    out: &mut (impl Write + ?Sized),
) -> Result<(), QueryError> {
    serde_json::to_writer(&mut *out, line).map_err(std::io::Error::from)?;
    Ok(out.write_all(b"\n")?)
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
    let line = ExportLine::Project {
        path: project.path.as_str().into(),
        asm: project.assembly.as_str().into(),
        tfm: project.tfm.as_str().into(),
        ns: project.root_namespace.as_str().into(),
        defines: project
            .symbols
            .iter()
            .map(|it| it.as_str().into())
            .collect(),
        files: sources.map(|file| file.path.as_str().into()).collect(),
        usings: usings.map(Into::into).collect(),
        refs: project
            .references
            .iter()
            .map(|path| path.as_str().into())
            .collect(),
        packages: project
            .packages
            .iter()
            .map(|it| it.name.as_str().into())
            .collect(),
    };
    write(&line, out)
}
