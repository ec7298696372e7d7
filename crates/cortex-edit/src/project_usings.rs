//! What project files import into every file (`<Using Include="…" />`, `ImplicitUsings`): no edit changes it, and what it
//! names has to be there afterwards.
//!
//! Source: C# specification, §14.5 (using directives).

use std::collections::BTreeMap;

use cortex_index::Symbols;
use cortex_look::viewpoint::Viewpoint;
use cortex_model::{DeclKind, LineTable, RepoPath};
use cortex_semantics::{Compilation, GlobalUsing, ProjectId};
use cortex_syntax::Sections;
use cortex_wire::{Difference, Doubt, DoubtReason};

use crate::{
    EditError,
    plan::{Plan, find_file},
    proof::{NewSide, OldSide, Proof},
};

/// Adds the imports of projects that name a namespace or type which is no longer there, or which a type hides.
///
/// # Errors
/// Those of the index.
pub(crate) fn add_lost_imports(
    view: &Viewpoint<'_>,
    (old, new): (&OldSide<'_>, &NewSide<'_>),
    plan: &Plan,
    found: &mut Proof,
) -> Result<(), EditError> {
    if !declares_otherwise((old, new), plan)? {
        return Ok(());
    }
    let before = imports(old.symbols)?;
    if before.iter().all(|it| it.meaning == Meaning::Nothing) {
        return Ok(());
    }
    let after: BTreeMap<(RepoPath, String), Meaning> = (imports(new.symbols)?.into_iter())
        .map(|it| ((it.project, it.target), it.meaning))
        .collect();
    for import in before {
        let key = (import.project.clone(), import.target.clone());
        let meaning = after.get(&key).copied().unwrap_or(Meaning::Nothing);
        if import.meaning == Meaning::Nothing || meaning == import.meaning {
            continue;
        }
        let line = line_of(view, &import)?;
        let key = (import.project.clone(), line);
        if meaning == Meaning::Nothing {
            // The project is to be changed as well: who does it plans again.
            found.doubts.entry(key).or_insert(Doubt {
                file: import.project,
                line,
                reason: DoubtReason::Mentioned,
                used_by: None,
            });
            continue;
        }
        found.differences.entry(key).or_insert(Difference {
            file: import.project,
            line,
            question: "what the project imports".to_owned(),
            before: Some(format!("`{}`", import.target)),
            after: Some("a type of that name".to_owned()),
        });
    }
    Ok(())
}

/// Whether an edited file declares other namespaces or types than before: only these decide what an import names.
fn declares_otherwise(
    (old, new): (&OldSide<'_>, &NewSide<'_>),
    plan: &Plan,
) -> Result<bool, EditError> {
    for file in plan.files.values().filter(|file| file.is_csharp()) {
        let before = match file.is_before() {
            true => containers(old.symbols, &file.old.path)?,
            false => Vec::new(),
        };
        let after = match file.is_after() {
            true => containers(new.symbols, &file.new_path)?,
            false => Vec::new(),
        };
        if before != after {
            return Ok(true);
        }
    }
    Ok(false)
}

/// The names of the namespaces and types of a file, project by project, in their order.
fn containers(symbols: &Symbols, path: &RepoPath) -> Result<Vec<String>, EditError> {
    let mut out = Vec::new();
    for project in symbols.projects_of(path)? {
        let Some(facts) = symbols.facts(path, project, Sections::Declarations)? else {
            continue;
        };
        let names = facts
            .decls
            .iter()
            .filter(|decl| decl.kind == DeclKind::Namespace || decl.kind.type_kind().is_some());
        out.extend(names.map(|decl| facts.name(decl.name).to_owned()));
    }
    Ok(out)
}

/// An import of a project.
struct Import {
    project: RepoPath,
    /// What it names.
    target: String,
    meaning: Meaning,
}

/// What an import names.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Meaning {
    /// A namespace, or a type for `Static`.
    Named,
    /// A type, where the language wants a namespace.
    Hidden,
    Nothing,
}

fn imports(symbols: &Symbols) -> Result<Vec<Import>, EditError> {
    let imports = symbols.read(|c| {
        let mut out = Vec::new();
        for (at, record) in symbols.projects().iter().enumerate() {
            let project = ProjectId::new(at);
            for using in &c.project(project).usings {
                let (target, meaning) = match using {
                    GlobalUsing::Namespace(name) => (name, of_namespace(c, project, name)),
                    GlobalUsing::Static(name) | GlobalUsing::Alias(_, name) => {
                        (name, of_type(c, project, name))
                    }
                };
                out.push(Import {
                    project: record.project.path.clone(),
                    target: target.clone(),
                    meaning,
                });
            }
        }
        Ok(out)
    })?;
    Ok(imports)
}

fn of_namespace(c: &Compilation<'_>, project: ProjectId, name: &str) -> Meaning {
    let ends = name
        .match_indices('.')
        .map(|(at, _)| at)
        .chain([name.len()]);
    let mut parts = ends.map(|end| &name[..end]);
    if parts.any(|part| has_source_type(c, part)) {
        return Meaning::Hidden;
    }
    match c.has_namespace(c.name(name), project) {
        true => Meaning::Named,
        false => Meaning::Nothing,
    }
}

/// A type without type arguments; what it is of other ones is not read.
fn of_type(c: &Compilation<'_>, project: ProjectId, name: &str) -> Meaning {
    match has_source_type(c, name) || c.has_namespace(c.name(name), project) {
        true => Meaning::Named,
        false => Meaning::Nothing,
    }
}

/// Whether the repository declares a type of a full name outside of other types.
fn has_source_type(c: &Compilation<'_>, name: &str) -> bool {
    let (namespace, simple) = name.rsplit_once('.').unwrap_or(("", name));
    let named = c.source_types_named(c.name(simple));
    named.iter().any(|&ty| {
        let def = c.def(ty);
        def.outer.is_none() && def.arity == 0 && c.text(def.namespace) == namespace
    })
}

/// The line of a project file that imports something; the first one where no line does.
fn line_of(view: &Viewpoint<'_>, import: &Import) -> Result<u32, EditError> {
    let Some(file) = find_file(view.index, view.side, &import.project)? else {
        return Ok(1);
    };
    let bytes = view.blobs().read_blob(file.blob)?;
    let text = String::from_utf8_lossy(&bytes);
    let written = format!("\"{}\"", import.target);
    let at = text.find(&written).map_or(0, |at| at as u32);
    Ok(LineTable::new(text.as_bytes()).position(at).line)
}
