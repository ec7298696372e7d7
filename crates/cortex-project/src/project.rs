//! One project: its active framework, both passes, and what they say put together.

use std::collections::BTreeSet;

use cortex_model::RepoPath;

use crate::{
    active::{Frameworks, framework_line},
    evaluation::{Evaluation, Place},
    framework::{Framework, NEWEST},
    items::{Item, Items, Spec},
    libraries::libraries,
    model::{GlobalUsing, Nullable, PackageReference, Project, UsingKind},
    packages::{lists, packages, pinned, restore},
    paths::{Location, PathId, resolve},
    workspace::Workspace,
};

/// A project before its references are followed.
pub(crate) struct Evaluated {
    pub(crate) project: Project,
    pub(crate) references: Vec<Reference>,
    /// Whether it also sees what its references reference.
    pub(crate) transitive: bool,
}

/// A reference to another project.
pub(crate) struct Reference {
    pub(crate) path: RepoPath,
    /// Whether those who reference this project see the other through it.
    pub(crate) flows: bool,
}

/// Evaluates a project for its active framework.
pub(crate) fn evaluate_project(workspace: &Workspace<'_>, id: PathId) -> Evaluated {
    let mut globals = workspace.options.properties.clone();
    globals.push((
        "Configuration".to_owned(),
        workspace.options.configuration.clone(),
    ));
    let mut defaults = Vec::new();
    let run = |globals: &[_], defaults: &[_]| {
        let mut evaluation = Evaluation::new(workspace, id, globals, defaults);
        evaluation.run();
        evaluation
    };
    let mut evaluation = run(&globals, &defaults);
    let mut frameworks = Frameworks::of(&evaluation);
    let mut message = None;
    if let Some((name, source)) = frameworks.unknown(&evaluation) {
        message = Some(format!("`{source}` has no value, {NEWEST} is taken for it"));
        defaults.push((name, NEWEST.to_owned()));
        evaluation = run(&globals, &defaults);
        frameworks = Frameworks::of(&evaluation);
    }
    let active = frameworks.active(workspace.options.tfm.as_deref());
    let active = active.or_else(|| {
        let needed = !evaluation.sdks.is_empty();
        needed.then(|| {
            message = Some(format!("no known target framework, {NEWEST} is taken"));
            NEWEST.to_owned()
        })
    });
    if let Some(active) = active {
        if !evaluation.is("TargetFramework", &active) {
            globals.push(("TargetFramework".to_owned(), active.clone()));
            evaluation = run(&globals, &defaults);
        }
        frameworks
            .names
            .retain(|name| !name.eq_ignore_ascii_case(&active));
    }
    if let Some(message) = message {
        let document = workspace.document(id);
        let place = Place {
            document: &document,
            line: framework_line(&document),
        };
        evaluation.note(place, message);
    }
    assemble(evaluation, frameworks.names)
}

fn assemble(mut evaluation: Evaluation<'_>, other_tfms: Vec<String>) -> Evaluated {
    let items = Items::new(&mut evaluation);
    let sources = sources(&items);
    let usings = usings(&items);
    let references = references(&items);
    let packages = packages(&items);
    let pinned = pinned(&items);
    let libraries = libraries(&items);
    let friends = friends(&items);
    let frameworks = names(&items, "frameworkreference");
    let missing = missing(&items);
    for message in missing {
        let path = evaluation.workspace.table.path(evaluation.project).clone();
        evaluation.notes.add(&path, 0, message);
    }
    let table = &evaluation.workspace.table;
    let path = table.path(evaluation.project).clone();
    let assembly = evaluation.text("AssemblyName");
    let is_test = is_test(&evaluation, &packages, &path);
    let optional = |text: String| (!text.is_empty()).then_some(text);
    let mut direct: Vec<RepoPath> = references.iter().map(|r| r.path.clone()).collect();
    direct.sort_unstable();
    direct.dedup();
    let transitive =
        !evaluation.sdks.is_empty() && !evaluation.is("DisableTransitiveProjectReferences", "true");
    let project = Project {
        path,
        assembly,
        root_namespace: evaluation.text("RootNamespace"),
        tfm: evaluation.text("TargetFramework"),
        other_tfms,
        symbols: symbols(&evaluation),
        language_version: optional(evaluation.text("LangVersion")),
        allows_unsafe: evaluation.is("AllowUnsafeBlocks", "true"),
        nullable: nullable(&evaluation.text("Nullable")),
        usings,
        sources: sources
            .into_iter()
            .map(|id| table.path(id).clone())
            .collect(),
        all_references: direct.clone(),
        references: direct,
        packages,
        pinned,
        restore: restore(&evaluation),
        libraries,
        frameworks,
        friends,
        is_test,
        notes: evaluation.notes.into_sorted(),
    };
    Evaluated {
        project,
        references,
        transitive,
    }
}

/// The tracked file that an item stands for.
fn file_of(item: &Item, items: &Items<'_, '_>) -> Option<PathId> {
    match &item.spec {
        Spec::Tracked(id) => Some(*id),
        Spec::Text(text) => match resolve(items.evaluation.project_folder, text) {
            Location::Inside(path) => items.evaluation.workspace.table.find(&path),
            Location::Outside(_) => None,
        },
    }
}

fn sources(items: &Items<'_, '_>) -> Vec<PathId> {
    let mut sources: Vec<PathId> = items
        .of("compile")
        .iter()
        .filter_map(|item| file_of(item, items))
        .collect();
    let table = &items.evaluation.workspace.table;
    sources.retain(|id| crate::files::has_extension(table.path(*id), "cs"));
    // Ids ascend as paths do.
    sources.sort_unstable();
    sources.dedup();
    sources
}

/// What project files name and the repository lacks: references to projects, and C# files outside of
/// the folders for what is generated.
fn missing(items: &Items<'_, '_>) -> Vec<String> {
    let mut messages = Vec::new();
    for (item_type, what) in [
        ("projectreference", "referenced project"),
        ("compile", "C# file"),
    ] {
        for item in items.of(item_type) {
            if let Spec::Text(text) = &item.spec
                && file_of(item, items).is_none()
            {
                messages.push(format!("{what} is not in the repository: {text}"));
            }
        }
    }
    messages
}

fn usings(items: &Items<'_, '_>) -> Vec<GlobalUsing> {
    let mut usings = BTreeSet::new();
    for item in items.of("using") {
        let target = items.identity(item).trim().to_owned();
        let kind = if !item.get("alias").is_empty() {
            UsingKind::Alias(item.get("alias").to_owned())
        } else if item.get("static").eq_ignore_ascii_case("true") {
            UsingKind::Static
        } else {
            UsingKind::Namespace
        };
        if !target.is_empty() {
            usings.insert(GlobalUsing { kind, target });
        }
    }
    usings.into_iter().collect()
}

fn references(items: &Items<'_, '_>) -> Vec<Reference> {
    let table = &items.evaluation.workspace.table;
    items
        .of("projectreference")
        .iter()
        .filter(|item| {
            // The compiler loads an analyzer; the code that it analyzes does not use it.
            !item
                .get("referenceoutputassembly")
                .eq_ignore_ascii_case("false")
                && !item.get("outputitemtype").eq_ignore_ascii_case("analyzer")
        })
        .filter_map(|item| {
            let hidden = ["all", "compile"]
                .iter()
                .any(|value| lists(item.get("privateassets"), value));
            Some(Reference {
                path: table.path(file_of(item, items)?).clone(),
                flows: !hidden,
            })
        })
        .collect()
}

fn friends(items: &Items<'_, '_>) -> Vec<String> {
    let attributes = items.of("assemblyattribute").iter().filter_map(|item| {
        let name = items.identity(item);
        let name = name.trim().trim_end_matches("Attribute");
        let name = name.rsplit('.').next().unwrap_or(name);
        (name == "InternalsVisibleTo").then(|| item.get("_parameter1").to_owned())
    });
    let grants = items
        .of("internalsvisibleto")
        .iter()
        .map(|item| items.identity(item));
    let friends: BTreeSet<String> = grants
        .chain(attributes)
        .filter_map(|grant| grant.split(',').next().map(|name| name.trim().to_owned()))
        .filter(|name| !name.is_empty())
        .collect();
    friends.into_iter().collect()
}

fn names(items: &Items<'_, '_>, item_type: &str) -> Vec<String> {
    let names: BTreeSet<String> = items
        .of(item_type)
        .iter()
        .map(|item| items.identity(item))
        .collect();
    names.into_iter().collect()
}

fn symbols(evaluation: &Evaluation<'_>) -> Vec<String> {
    let constants = evaluation.text("DefineConstants");
    let mut symbols: BTreeSet<String> = constants
        .split([';', ',', ' ', '\n', '\r', '\t'])
        .filter(|symbol| is_symbol(symbol))
        .map(str::to_owned)
        .collect();
    if evaluation.is("DisableDiagnosticTracing", "true") {
        symbols.remove("TRACE");
    }
    if !evaluation.sdks.is_empty() && !evaluation.is("DisableImplicitFrameworkDefines", "true") {
        symbols.extend(Framework::parse(&evaluation.text("TargetFramework")).symbols());
    }
    symbols.into_iter().collect()
}

fn is_symbol(text: &str) -> bool {
    text.starts_with(|c: char| c.is_alphabetic() || c == '_')
        && text.chars().all(|c| c.is_alphanumeric() || c == '_')
}

fn nullable(text: &str) -> Nullable {
    match text.to_ascii_lowercase().as_str() {
        "enable" => Nullable::Enable,
        "warnings" => Nullable::Warnings,
        "annotations" => Nullable::Annotations,
        _ => Nullable::Disable,
    }
}

fn is_test(evaluation: &Evaluation<'_>, packages: &[PackageReference], path: &RepoPath) -> bool {
    if evaluation.is("IsTestProject", "false") {
        return false;
    }
    let runner = packages.iter().any(|package| {
        let name = package.name.to_ascii_lowercase();
        matches!(
            name.as_str(),
            "microsoft.net.test.sdk"
                | "xunit"
                | "xunit.v3"
                | "nunit"
                | "mstest"
                | "mstest.testframework"
                | "tunit"
                | "microsoft.aspnetcore.mvc.testing"
                | "microsoft.aspnetcore.testhost"
        )
    });
    let stem = path
        .file_name()
        .rsplit_once('.')
        .map_or("", |(stem, _)| stem);
    let named = ["Tests", "Test", "Specs"]
        .iter()
        .any(|end| stem.ends_with(end));
    runner
        || named
        || evaluation.is("IsTestProject", "true")
        || evaluation.sdks.contains(&crate::sdk::SdkKind::MsTest)
}
