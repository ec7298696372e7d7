//! Binds a fixture and compares with its carets.

use std::{collections::BTreeMap, fmt::Write};

use cortex_bind::{GlobalUsing, InternalsVisible};
use cortex_fixture::Fixture;
use cortex_model::DeclKind;
use cortex_semantics::{
    BoundUnit, Certainty, Compilation, Gap, How, MemberFlags, ProjectId, Target, UnitKey, World,
};

use crate::memory::{MemoryFile, MemoryProject, MemoryWorld};

/// A fixture as a world.
pub(crate) fn world(fixture: &Fixture) -> MemoryWorld {
    let index = |name: &str| {
        let found = fixture.projects.iter().position(|it| it.name == name);
        found.expect("a fixture names only projects that it has")
    };
    let projects = fixture.projects.iter().map(|project| MemoryProject {
        path: project.path(),
        assembly: project.name.clone(),
        symbols: project.symbols.clone(),
        usings: project.usings.iter().map(|it| global_using(it)).collect(),
        visible: (fixture.references(&project.name).into_iter())
            .map(|other| {
                let seen = fixture.project(other);
                let is_friend = other == project.name || seen.friends.contains(&project.name);
                let internals = if is_friend {
                    InternalsVisible::Yes
                } else {
                    InternalsVisible::No
                };
                (index(other), internals)
            })
            .collect(),
    });
    let files: Vec<MemoryFile> = (fixture.files.iter())
        .map(|file| MemoryFile {
            path: file.path.clone(),
            project: index(&file.project),
            bytes: file.text.clone().into_bytes(),
        })
        .collect();
    let world = MemoryWorld::new(projects.collect(), &files);
    for (unit, facts) in world.units() {
        assert!(!facts.is_degraded(), "{} does not parse", unit.path);
    }
    world
}

fn global_using(written: &str) -> GlobalUsing {
    match (written.strip_prefix("static:"), written.split_once('=')) {
        (Some(target), _) => GlobalUsing::Static(target.to_owned()),
        (None, Some((alias, target))) => GlobalUsing::Alias(alias.to_owned(), target.to_owned()),
        (None, None) => GlobalUsing::Namespace(written.to_owned()),
    }
}

/// The documentation id of what a name means.
pub(crate) fn doc_id(compilation: &Compilation<'_>, target: Target) -> String {
    match target {
        Target::Type(id) => compilation.type_doc_id(id),
        Target::Member(id) => compilation.member_doc_id(id),
    }
}

/// The word of the export format.
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

/// What stands at each place: ids of what names mean, `use HOW ID` and `unbound`.
fn places(compilation: &Compilation<'_>, bound: &BoundUnit) -> BTreeMap<u32, Vec<String>> {
    let mut places: BTreeMap<u32, Vec<String>> = BTreeMap::new();
    for (_, findings) in &bound.decls {
        for found in &findings.refs {
            let mut id = doc_id(compilation, found.target);
            if found.certainty == Certainty::OverloadSet {
                id.insert_str(0, "one of ");
            }
            places.entry(found.offset).or_default().push(id);
        }
        for found in &findings.uses {
            let id = doc_id(compilation, Target::Member(found.target));
            let line = format!("use {} {id}", how_word(found.how));
            places.entry(found.offset).or_default().push(line);
        }
        for found in &findings.unbound {
            let at = places.entry(found.offset).or_default();
            at.push("unbound".to_owned());
        }
    }
    places
}

/// Binds a fixture; every line of carets says what the name above it means: its documentation id, from
/// source or from outside, after `one of` where the overload is not sure; `unbound` for a name that leads
/// nowhere; `-` for what is no reference (a local, a parameter, a namespace). `use HOW ID` says which member
/// is used there without being named, `no use HOW` that none is.
#[track_caller]
pub(crate) fn check_refs(text: &str) {
    let fixture = Fixture::parse(text);
    let world = world(&fixture);
    let compilation = Compilation::new(&world);
    let (mut expected, mut actual) = (String::new(), String::new());
    for file in &fixture.files {
        let project = (fixture.projects.iter()).position(|it| it.name == file.project);
        let unit = UnitKey {
            path: file.path.as_str().into(),
            project: ProjectId::new(project.expect("every file has a project")),
        };
        let facts = world.facts(&unit, cortex_syntax::Sections::Bodies);
        let places = places(&compilation, &compilation.bind_unit(&unit, &facts));
        for mark in &file.marks {
            let name = &file.text[mark.offset..mark.offset + mark.len];
            let here = places.get(&(mark.offset as u32));
            let here = here.map(Vec::as_slice).unwrap_or_default();
            let found = if let Some(how) = mark.label.strip_prefix("no use ") {
                let prefix = format!("use {how} ");
                let used = here.iter().find(|it| it.starts_with(&prefix));
                used.cloned().unwrap_or_else(|| mark.label.clone())
            } else if mark.label.starts_with("use ") {
                match here.iter().find(|it| **it == mark.label) {
                    Some(found) => found.clone(),
                    None => here.join(" and "),
                }
            } else {
                let named = here.iter().filter(|it| !it.starts_with("use "));
                let named: Vec<&str> = named.map(String::as_str).collect();
                match named.is_empty() {
                    true => "-".to_owned(),
                    false => named.join(" and "),
                }
            };
            let _ = writeln!(expected, "{name} = {}", mark.label);
            let _ = writeln!(actual, "{name} = {found}");
        }
    }
    assert!(!expected.is_empty(), "the fixture has no carets");
    assert_eq!(
        expected, actual,
        "left: the carets, right: what binding found"
    );
}

/// The documentation ids of all that a fixture declares, one a line, sorted; what the compiler makes is
/// not listed.
#[track_caller]
pub(crate) fn check_doc_ids(text: &str, expected: &[&str]) {
    let fixture = Fixture::parse(text);
    let world = world(&fixture);
    let compilation = Compilation::new(&world);
    let mut actual = Vec::new();
    for ty in types(&world, &compilation) {
        actual.push(compilation.type_doc_id(ty));
        for member in compilation.declared_members(ty) {
            if !member.is(MemberFlags::SYNTHESIZED) || member.kind == DeclKind::Property {
                actual.push(compilation.member_doc_id(member.id));
            }
        }
    }
    actual.sort();
    let mut expected: Vec<String> = expected.iter().map(|&id| id.to_owned()).collect();
    expected.sort();
    assert_eq!(
        expected, actual,
        "left: the test, right: what the types declare"
    );
}

/// What the members of a fixture's types stand for, one `TYPE: MEMBER override|interface OF` a line.
#[track_caller]
pub(crate) fn check_implementations(text: &str, expected: &[&str]) {
    let fixture = Fixture::parse(text);
    let world = world(&fixture);
    let compilation = Compilation::new(&world);
    let mut actual = Vec::new();
    for ty in types(&world, &compilation) {
        for found in compilation.implementations(ty) {
            actual.push(format!(
                "{}: {} {} {}",
                &compilation.type_doc_id(ty)[2..],
                compilation.member_doc_id(found.member),
                found.how.name(),
                compilation.member_doc_id(found.of)
            ));
        }
    }
    actual.sort();
    let mut expected: Vec<String> = expected.iter().map(|&line| line.to_owned()).collect();
    expected.sort();
    assert_eq!(expected, actual, "left: the test, right: what was found");
}

/// Checks what the types of a fixture must implement or override and do not, as the compiler tells it.
pub(crate) fn check_gaps(text: &str, expected: &[&str]) {
    let fixture = Fixture::parse(text);
    let world = world(&fixture);
    let compilation = Compilation::new(&world);
    let mut actual = Vec::new();
    for ty in types(&world, &compilation) {
        for gap in compilation.standing(ty).gaps {
            let (word, member) = match gap {
                Gap::Missing(member) => ("lacks", member),
                Gap::Nothing(member) => ("has for nothing", member),
                Gap::Unlike(member) => ("has unlike its base", member),
            };
            let ty = compilation.type_doc_id(ty);
            let member = compilation.member_doc_id(member);
            actual.push(format!("{} {word} {member}", &ty[2..]));
        }
    }
    actual.sort();
    let mut expected: Vec<String> = expected.iter().map(|&line| line.to_owned()).collect();
    expected.sort();
    assert_eq!(expected, actual, "left: the test, right: what was found");
}

fn types(
    world: &MemoryWorld,
    compilation: &Compilation<'_>,
) -> std::collections::BTreeSet<cortex_semantics::TypeId> {
    let mut types = std::collections::BTreeSet::new();
    for (unit, _) in world.units() {
        let head = compilation
            .unit(compilation.unit_id(unit))
            .head(compilation);
        types.extend(head.types.iter().filter_map(|(_, id)| *id));
    }
    types
}
