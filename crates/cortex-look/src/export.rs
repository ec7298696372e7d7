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
        records::{Place, Record},
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
    Record::Type {
        id: &ty.ids.id,
        asm,
        kind: node.kind.name(),
        acc: accessibility(node.accessibility),
        files: &files,
    }
    .write(out)?;
    for (at, member) in ty.ids.symbols.members.iter().enumerate() {
        Record::Member {
            id: &ty.ids.member(at),
            asm,
            ty: &ty.ids.id,
            kind: match &member.id[..1] {
                "F" => "field",
                "P" => "property",
                "E" => "event",
                _ => "method",
            },
            acc: accessibility(member.accessibility),
            synth: member.synthesized,
        }
        .write(out)?;
    }
    for found in &ty.ids.symbols.implementations {
        Record::Impl {
            id: &found.member,
            of: &found.of,
            how: match found.how {
                ImplementationKind::Override => "override",
                ImplementationKind::Interface => "interface",
            },
            ty: &ty.ids.id,
            asm,
        }
        .write(out)?;
    }
    let edges = snapshot.edges(ty.key)?;
    for edge in &edges.source {
        let kinds = edge.kinds.without(EdgeKind::Nested).without(EdgeKind::Doc);
        let Some(target) = ids.ty(edge.target).filter(|_| !kinds.is_empty()) else {
            continue;
        };
        Record::Edge {
            from: &ty.ids.id,
            to: &target.ids.id,
            asm,
            to_asm: &target.node.assembly,
            s: kinds.is_structural(),
            b: edge.count > 0,
            src: true,
        }
        .write(out)?;
    }
    for edge in &edges.external {
        if edge.kinds.without(EdgeKind::Doc).is_empty() {
            continue;
        }
        Record::Edge {
            from: &ty.ids.id,
            to: &edge.id,
            asm,
            to_asm: &edge.assembly,
            s: edge.kinds.is_structural(),
            b: true,
            src: ids.declares(&edge.assembly, &edge.id),
        }
        .write(out)?;
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
        let place = |offset: u32| {
            let at = lines.position(offset);
            Place {
                f: file.path.as_str(),
                l: at.line,
                c: at.column,
                asm,
            }
        };
        // The records are about code alone.
        for found in decl.refs.iter().filter(|found| found.kind != EdgeKind::Doc) {
            if let Some(to) = &targets[found.target as usize] {
                Record::Ref {
                    place: &place(found.offset),
                    to,
                    inside,
                    sure: found.certainty == cortex_semantics::Certainty::Exact,
                }
                .write(out)?;
            }
        }
        for found in &decl.uses {
            if let Some(to) = &targets[found.target as usize] {
                Record::Use {
                    place: &place(found.offset),
                    to,
                    how: how_word(found.how),
                    inside,
                }
                .write(out)?;
            }
        }
        for found in &decl.unbound {
            Record::Unres {
                place: &place(found.offset),
            }
            .write(out)?;
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
