//! The rule of assembly identities (CP0003): versions that the source gives itself.
//!
//! A version in a project file is left out: what builds and releases a project sets it as often as not.

use crate::compat::candidates;
use cortex_look::QueryError;
use cortex_wire::{ApiAnswer, Mode, Severity, What};

use cortex_index::Symbols;
use cortex_model::RepoPath;
use cortex_semantics::Place;
use cortex_syntax::{Sections, TypeSyntax};
use rustc_hash::FxHashMap;

type Version = [u32; 4];

pub(crate) fn compare([old, new]: [&Symbols; 2], answer: &mut ApiAnswer) -> Result<(), QueryError> {
    let (before, after) = (versions(old)?, versions(new)?);
    let names: Vec<(String, RepoPath)> = (answer.assemblies.iter())
        .map(|it| (it.assembly.clone(), it.project.clone()))
        .collect();
    for (name, project) in names {
        let nothing = (
            Version::default(),
            Place {
                name: name.clone(),
                path: project,
                line: 1,
            },
        );
        let (was, _) = before.get(&name).unwrap_or(&nothing);
        let (is, place) = after.get(&name).unwrap_or(&nothing);
        let (shown, severity, mode) = match was.cmp(is) {
            std::cmp::Ordering::Equal => continue,
            std::cmp::Ordering::Greater => (is, Severity::Breaking, Mode::Both),
            std::cmp::Ordering::Less => (was, Severity::Compatible, Mode::Strict),
        };
        let mut difference = crate::compat::answer::difference(
            "CP0003",
            What::Changed,
            format!(
                "{name}, Version={}, Culture=neutral, PublicKeyToken=null",
                text(shown)
            ),
            severity,
            format!(
                "the version in the source was {}, is {}",
                text(was),
                text(is)
            ),
            place,
        );
        difference.mode = mode;
        difference.ty = name.clone();
        difference.member = None;
        crate::compat::answer::add(answer, &name, difference);
    }
    Ok(())
}

fn text(version: &Version) -> String {
    let parts: Vec<String> = version.iter().map(u32::to_string).collect();
    parts.join(".")
}

/// By assembly: what `[assembly: AssemblyVersion]` says, and where.
fn versions(symbols: &Symbols) -> Result<FxHashMap<String, (Version, Place)>, QueryError> {
    let snapshot = symbols.snapshot();
    let assemblies = candidates::assemblies_by_project(symbols);
    let mut files = snapshot.files_mentioning("AssemblyVersion")?;
    files.extend(snapshot.files_mentioning("AssemblyVersionAttribute")?);
    let mut out = FxHashMap::default();
    for file in files {
        for project in &file.projects {
            let Some(assembly) = assemblies.get(project) else {
                continue;
            };
            let Some(facts) = snapshot.facts(&file, project, Sections::All)? else {
                continue;
            };
            for attribute in &facts.assembly_attributes {
                let TypeSyntax::Named(segments) = &attribute.name else {
                    continue;
                };
                let last = segments
                    .last()
                    .and_then(|it| facts.refs.get(it.reference as usize));
                let name = last.map_or("", |reference| facts.name(reference.name));
                let is_version =
                    name.strip_suffix("Attribute").unwrap_or(name) == "AssemblyVersion";
                let arguments = attribute.arguments.filter(|_| is_version);
                let arguments = arguments.map(|id| facts.name(id));
                if let Some(version) = arguments.and_then(parse) {
                    let place = Place {
                        name: (*assembly).to_owned(),
                        path: file.path.clone(),
                        line: 1,
                    };
                    out.insert((*assembly).to_owned(), (version, place));
                }
            }
        }
    }
    Ok(out)
}

/// The version in a string literal; `*` and what is left out are 0.
fn parse(arguments: &str) -> Option<Version> {
    let literal = arguments.split('"').nth(1)?;
    let mut out = Version::default();
    for (slot, part) in out.iter_mut().zip(literal.split('.')) {
        *slot = part.trim().parse().unwrap_or(0);
    }
    Some(out)
}
