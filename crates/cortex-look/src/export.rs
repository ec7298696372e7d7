//! The whole graph of a snapshot as records, one JSON object a line.
//!
//! Owns: the form of the records (`docs/export.md`). Must not know: how names were bound.

pub mod graph;
pub(crate) mod ids;
pub(crate) mod records;

use crate::{
    QueryError,
    export::{
        ids::{Declared, Ids},
        records::write,
    },
};

use std::io::Write;

use cortex_git::ReadBlob;
use cortex_index::{
    BoundTarget, FileBindings, FileSummary, ImplementationKind, ProjectRecord, Snapshot,
};
use cortex_model::{Accessibility, EdgeKind, LineTable};
use cortex_semantics::How;
use cortex_syntax::text::decode;
use cortex_wire::ExportLine;

/// Writes every record of a snapshot: projects, then types with their members, implementations and
/// edges, then the references of each file, in order of ids, paths and positions. The same snapshot gives
/// the same bytes.
pub fn export(
    snapshot: &Snapshot,
    blobs: &mut dyn ReadBlob,
    out: &mut dyn Write,
) -> Result<(), QueryError> {
    let files = snapshot.files()?;
    let projects = snapshot.projects()?;
    for record in &projects {
        records::project(record, &files, out)?;
    }
    let ids = Ids::read(snapshot)?;
    for ty in ids.types() {
        types(snapshot, &ids, ty, out)?;
    }
    for file in &files {
        for project in &file.projects {
            let bindings = snapshot.bindings(&file.path, project)?;
            if bindings.decls.is_empty() {
                continue;
            }
            let found = projects.binary_search_by(|record| record.project.path.cmp(project));
            if let Ok(record) = found {
                references(&ids, file, &projects[record], &bindings, blobs, out)?;
            }
        }
    }
    Ok(())
}

/// The records of one type.
fn types(
    snapshot: &Snapshot,
    ids: &Ids,
    ty: &Declared,
    out: &mut dyn Write,
) -> Result<(), QueryError> {
    let (node, asm) = (&ty.node, ty.node.assembly.as_str());
    let mut files: Vec<&str> = node.parts.iter().map(|part| part.path.as_str()).collect();
    files.sort_unstable();
    files.dedup();
    let line = ExportLine::Type {
        id: ty.ids.id.as_str().into(),
        asm: asm.into(),
        kind: node.kind.name().into(),
        acc: accessibility(node.accessibility).into(),
        files: files.into_iter().map(Into::into).collect(),
    };
    write(&line, out)?;
    for (at, member) in ty.ids.symbols.members.iter().enumerate() {
        let kind = match &member.id[..1] {
            "F" => "field",
            "P" => "property",
            "E" => "event",
            _ => "method",
        };
        let line = ExportLine::Member {
            id: ty.ids.member(at).into(),
            asm: asm.into(),
            ty: ty.ids.id.as_str().into(),
            kind: kind.into(),
            acc: accessibility(member.accessibility).into(),
            synth: member.synthesized,
        };
        write(&line, out)?;
    }
    for found in &ty.ids.symbols.implementations {
        let how = match found.how {
            ImplementationKind::Override => "override",
            ImplementationKind::Interface => "interface",
        };
        let line = ExportLine::Impl {
            id: (&*found.member).into(),
            of: (&*found.of).into(),
            how: how.into(),
            ty: ty.ids.id.as_str().into(),
            asm: asm.into(),
        };
        write(&line, out)?;
    }
    let edges = snapshot.edges(ty.key)?;
    for edge in &edges.source {
        let kinds = edge.kinds.without(EdgeKind::Nested).without(EdgeKind::Doc);
        let Some(target) = ids.ty(edge.target).filter(|_| !kinds.is_empty()) else {
            continue;
        };
        let line = ExportLine::Edge {
            from: ty.ids.id.as_str().into(),
            to: target.ids.id.as_str().into(),
            asm: asm.into(),
            to_asm: target.node.assembly.as_str().into(),
            s: kinds.is_structural(),
            b: edge.count > 0,
            src: true,
        };
        write(&line, out)?;
    }
    for edge in &edges.external {
        if edge.kinds.without(EdgeKind::Doc).is_empty() {
            continue;
        }
        let line = ExportLine::Edge {
            from: ty.ids.id.as_str().into(),
            to: (&*edge.id).into(),
            asm: asm.into(),
            to_asm: (&*edge.assembly).into(),
            s: edge.kinds.is_structural(),
            b: true,
            src: ids.declares(&edge.assembly, &edge.id),
        };
        write(&line, out)?;
    }
    Ok(())
}

/// The references and uses of a file inside one project.
fn references(
    ids: &Ids,
    file: &FileSummary,
    project: &ProjectRecord,
    bindings: &FileBindings,
    blobs: &mut dyn ReadBlob,
    out: &mut dyn Write,
) -> Result<(), QueryError> {
    let asm = project.project.assembly.as_str();
    let bytes = blobs.read_blob(file.blob)?;
    let lines = LineTable::new(decode(&bytes).as_bytes());
    let targets: Vec<Option<String>> = bindings
        .targets
        .iter()
        .map(|target| match target {
            BoundTarget::External(..) => None,
            target => ids.target(target),
        })
        .collect();
    for decl in &bindings.decls {
        let inside = decl
            .symbol
            .and_then(|symbol| targets[symbol as usize].as_deref());
        let path = file.path.as_str();
        // The records are about code alone.
        for found in decl.refs.iter().filter(|found| found.kind != EdgeKind::Doc) {
            if let Some(to) = &targets[found.target as usize] {
                let at = lines.position(found.offset);
                let line = ExportLine::Ref {
                    f: path.into(),
                    l: at.line,
                    c: at.column,
                    asm: asm.into(),
                    to: to.as_str().into(),
                    inside: inside.map(Into::into),
                    sure: found.certainty == cortex_semantics::Certainty::Exact,
                };
                write(&line, out)?;
            }
        }
        for found in &decl.uses {
            if let Some(to) = &targets[found.target as usize] {
                let at = lines.position(found.offset);
                let line = ExportLine::Use {
                    f: path.into(),
                    l: at.line,
                    c: at.column,
                    asm: asm.into(),
                    to: to.as_str().into(),
                    how: how_word(found.how).into(),
                    inside: inside.map(Into::into),
                };
                write(&line, out)?;
            }
        }
        for found in &decl.unbound {
            let at = lines.position(found.offset);
            let line = ExportLine::Unres {
                f: path.into(),
                l: at.line,
                c: at.column,
                asm: asm.into(),
            };
            write(&line, out)?;
        }
    }
    Ok(())
}

/// The word of an accessibility; to another assembly, a file-local type is internal.
fn accessibility(accessibility: Accessibility) -> &'static str {
    match accessibility {
        Accessibility::File => "internal",
        other => other.name(),
    }
}

/// The word for a use without a name.
pub(crate) fn how_word(how: How) -> &'static str {
    match how {
        How::New => "new",
        How::Index => "index",
        How::Operator => "operator",
        How::Conversion => "conversion",
        How::Add => "add",
        How::Foreach => "foreach",
        How::Deconstruct => "deconstruct",
        How::Await => "await",
        How::Query => "query",
        How::Dispose => "dispose",
        How::Other => "other",
    }
}
