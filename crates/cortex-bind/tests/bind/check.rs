//! Binds a fixture and compares with its carets.

use std::{
    collections::{BTreeMap, BTreeSet},
    fmt::Write,
    sync::Arc,
};

use cortex_bind::{
    Bound as Meaning, BoundFile, BoundPart, DeclaredType, FileScope, GlobalUsing, InternalsVisible,
    NoOutside, ProjectScope, TypeNode, TypeSymbol, Universe, bind_bases, bind_file, bind_headers,
    declared_types, merge_parts,
};
use cortex_fixture::{Fixture, FixtureFile};
use cortex_model::{RepoPath, TypeKey};
use cortex_syntax::{FileFacts, ParseOptions, extract};

/// All types of a fixture, in memory.
#[derive(Default)]
struct Types {
    symbols: BTreeMap<TypeKey, TypeSymbol>,
    namespaces: BTreeSet<String>,
    bases: BTreeMap<TypeKey, Vec<TypeKey>>,
}

impl Universe for Types {
    fn types_named(&self, name: &str) -> Arc<[TypeSymbol]> {
        self.symbols
            .values()
            .filter(|symbol| symbol.name() == name)
            .cloned()
            .collect()
    }

    fn has_namespace(&self, namespace: &str) -> bool {
        self.namespaces.contains(namespace)
    }

    fn bases(&self, of: TypeKey) -> Arc<[TypeKey]> {
        self.bases.get(&of).cloned().unwrap_or_default().into()
    }

    fn symbol(&self, key: TypeKey) -> Option<TypeSymbol> {
        self.symbols.get(&key).cloned()
    }
}

struct Unit<'a> {
    file: &'a FixtureFile,
    path: RepoPath,
    facts: FileFacts,
    types: Vec<DeclaredType>,
}

/// A fixture, bound.
pub(crate) struct Bound<'a> {
    types: Types,
    files: Vec<(Unit<'a>, BoundFile, Vec<Meaning>)>,
}

impl<'a> Bound<'a> {
    pub(crate) fn new(fixture: &'a Fixture) -> Self {
        let units: Vec<Unit<'_>> = fixture
            .files
            .iter()
            .map(|file| read(fixture, file))
            .collect();
        let mut types = Types::default();
        for unit in &units {
            declare(unit, &mut types);
        }
        let scopes: BTreeMap<&str, ProjectScope> = fixture
            .projects
            .iter()
            .map(|project| (project.name.as_str(), scope(fixture, &project.name, &units)))
            .collect();
        let in_file = |unit| file_scope(unit, &scopes);
        let mut bases: BTreeMap<TypeKey, Vec<TypeKey>> = BTreeMap::new();
        for unit in &units {
            for (ty, found) in unit
                .types
                .iter()
                .zip(bind_bases(in_file(unit), &unit.types, &types))
            {
                let all = bases.entry(ty.symbol.key).or_default();
                found.iter().for_each(|base| {
                    if !all.contains(base) {
                        all.push(*base)
                    }
                });
            }
        }
        types.bases = bases;
        let bound: Vec<_> = units
            .iter()
            .map(|unit| {
                (
                    bind_file(in_file(unit), &unit.types, &types, &NoOutside),
                    bind_headers(in_file(unit), &unit.types, &types),
                )
            })
            .collect();
        Self {
            files: units
                .into_iter()
                .zip(bound)
                .map(|(unit, (file, names))| (unit, file, names))
                .collect(),
            types,
        }
    }

    /// Every type by canonical name, its parts merged.
    pub(crate) fn nodes(&self) -> BTreeMap<String, TypeNode> {
        let mut parts: BTreeMap<TypeKey, Vec<BoundPart>> = BTreeMap::new();
        for (_, file, _) in &self.files {
            for part in &file.parts {
                parts.entry(part.symbol.key).or_default().push(part.clone());
            }
        }
        let merged = parts
            .into_values()
            .map(|parts| merge_parts(parts, "App", &|_| 0));
        merged.map(|node| (node.fqn.clone(), node)).collect()
    }

    fn name_of(&self, key: TypeKey) -> String {
        let symbol = &self.types.symbols[&key];
        let several = self
            .types
            .symbols
            .values()
            .filter(|other| other.fqn == symbol.fqn)
            .count()
            > 1;
        match (&symbol.file, several) {
            (Some(file), true) => format!("{}@{file}", symbol.fqn),
            (None, true) => format!(
                "{}@{}",
                symbol.fqn,
                symbol.project.as_str().trim_end_matches(".csproj")
            ),
            (_, false) => symbol.fqn.clone(),
        }
    }
}

fn file_scope<'a>(unit: &'a Unit<'_>, scopes: &'a BTreeMap<&str, ProjectScope>) -> FileScope<'a> {
    FileScope {
        facts: &unit.facts,
        path: &unit.path,
        project: &scopes[unit.file.project.as_str()],
    }
}

fn read<'a>(fixture: &'a Fixture, file: &'a FixtureFile) -> Unit<'a> {
    let project = fixture.project(&file.project);
    let options = ParseOptions {
        symbols: project.symbols.iter().cloned().collect(),
    };
    let facts = extract(file.text.as_bytes(), &options);
    assert!(
        !facts.is_degraded(),
        "{} does not parse:\n{}",
        file.path,
        file.text
    );
    let path = path(&file.path);
    let types = declared_types(&facts, &path, &self::path(&project.path()), &project.name);
    Unit {
        file,
        path,
        facts,
        types,
    }
}

fn path(text: &str) -> RepoPath {
    RepoPath::from(text)
}

fn declare(unit: &Unit<'_>, types: &mut Types) {
    for ty in &unit.types {
        let symbol = &ty.symbol;
        let known = types
            .symbols
            .entry(symbol.key)
            .or_insert_with(|| symbol.clone());
        known.accessibility = known.accessibility.max(symbol.accessibility);
        let mut namespace = symbol.namespace();
        while !namespace.is_empty() {
            types.namespaces.insert(namespace.to_owned());
            namespace = namespace.rfind('.').map_or("", |end| &namespace[..end]);
        }
    }
}

fn scope(fixture: &Fixture, name: &str, units: &[Unit<'_>]) -> ProjectScope {
    let project = fixture.project(name);
    let mut usings: Vec<GlobalUsing> = (project.usings.iter())
        .map(
            |using| match (using.strip_prefix("static:"), using.split_once('=')) {
                (Some(target), _) => GlobalUsing::Static(target.to_owned()),
                (None, Some((alias, target))) => {
                    GlobalUsing::Alias(alias.to_owned(), target.to_owned())
                }
                (None, None) => GlobalUsing::Namespace(using.clone()),
            },
        )
        .collect();
    usings.extend(
        units
            .iter()
            .filter(|unit| unit.file.project == name)
            .flat_map(|unit| GlobalUsing::of_file(&unit.facts)),
    );
    usings.sort();
    let visible = fixture.references(name).into_iter().map(|other| {
        let other = fixture.project(other);
        let is_friend = other.name == name || other.friends.iter().any(|friend| friend == name);
        (
            path(&other.path()),
            if is_friend {
                InternalsVisible::Yes
            } else {
                InternalsVisible::No
            },
        )
    });
    ProjectScope {
        path: Some(path(&project.path())),
        assembly: name.to_owned(),
        visible: visible.collect(),
        sees_all: false,
        usings,
    }
}

/// Binds a fixture; every line of carets names the type that the name above it means: its canonical
/// name, with `@project` (or `@file`) where several types have it, `-` for no type of the fixture and
/// `ambiguous` where the language does not choose.
#[track_caller]
pub(crate) fn check_uses(text: &str) {
    let fixture = Fixture::parse(text);
    let bound = Bound::new(&fixture);
    let (mut expected, mut actual) = (String::new(), String::new());
    for (unit, _, names) in &bound.files {
        for mark in &unit.file.marks {
            let name = &unit.file.text[mark.offset..mark.offset + mark.len];
            let is_named = unit.facts.refs.iter().any(|reference| {
                reference.offset as usize == mark.offset
                    && unit.facts.name(reference.name).len() == mark.len
            });
            // Locals are no references.
            let is_word = name.bytes().all(|byte| byte.is_ascii_alphanumeric());
            assert!(
                is_named || (mark.label == "-" && is_word),
                "the carets do not stand under one name: `{name}`"
            );
            let mut meanings = unit.facts.refs.iter().zip(names);
            let found = meanings.find(|(it, _)| it.offset as usize == mark.offset);
            let found = match found {
                Some((_, Meaning::Ambiguous)) => "ambiguous".to_owned(),
                Some((_, Meaning::Type(key))) => bound.name_of(*key),
                _ => "-".to_owned(),
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
