//! A program means the same where no more is known than it asks for.

use cortex_scope::*;
use proptest::{collection::vec, prelude::*};

use crate::{cases, universe::Written};

const ATOMS: [&str; 18] = [
    "'All Places'",
    "'Project Files'",
    "'Project and Libraries'",
    "'Project Test Files'",
    "'Recently Changed Files'",
    "Production",
    "module(Shop)",
    "dir(src)",
    "dir(nuget:/Json/1.0)",
    "files(src/a.cs, README.md)",
    "files(nuget:/Json/1.0/lib.dll)",
    "pattern(projectPath:src//*)",
    "pattern(projectPath:*||!projectPath:src//*)",
    "pattern(file:a.cs)",
    "git:staged",
    "type:Order",
    "impact:HEAD~1",
    "named(shared, Mine)",
];

/// A repository with a library, as far as it is known.
fn universe(extent: Extent) -> Written {
    let mut universe = Written::default();
    if extent == Extent::Assemblies {
        universe.add("nuget:/Json/1.0/lib.dll", RootKind::Library, &[]);
        universe.libraries.push(ScopeLibrary {
            package: "Json".to_owned(),
            version: "1.0".to_owned(),
        });
    }
    let has_projects = extent >= Extent::Projects;
    if has_projects {
        universe.module("Shop", "src");
        universe.module("Tests", "tests");
    }
    let of = |root, module| match has_projects {
        true => (root, vec![module]),
        false => (RootKind::Content, Vec::new()),
    };
    universe.add("repo:/README.md", RootKind::Content, &[]);
    let (root, modules) = of(RootKind::Source, 0);
    universe.add("repo:/src/a.cs", root, &modules);
    let (root, modules) = of(RootKind::TestSource, 1);
    universe.add("repo:/tests/b.cs", root, &modules);
    let find = |url: &str| universe.files.iter().position(|file| file.url == url);
    let a = FileId::new(find("repo:/src/a.cs").expect("a file"));
    let readme = FileId::new(find("repo:/README.md").expect("a file"));
    let recent = vec![readme, a];
    universe
        .properties
        .insert(Property::RecentlyChanged, recent);
    let mut provide = |id: &str, what| universe.provided.insert(id.to_owned(), what);
    provide("git:staged", Provided::Files(vec![a]));
    if !has_projects {
        return universe;
    }
    provide("impact:HEAD~1", Provided::Files(vec![a]));
    let range = cortex_model::ByteRange { start: 1, end: 2 };
    provide(
        "type:Order",
        Provided::Ranges(vec![(a, Ranges::new([range]))]),
    );
    universe.named("shared", "Mine", "file:a.cs||ext:lib.dll")
}

/// The files of a scope that count, or the codes of what is wrong with it.
fn meaning(
    request: &ScopeRequest,
    extent: Extent,
    counted: Counted,
) -> Result<Vec<String>, Vec<DiagnosticCode>> {
    let universe = universe(extent);
    match resolve(request, &universe) {
        Ok(it) => Ok(universe
            .urls(&it.scope)
            .into_iter()
            .filter(|url| counted == Counted::All || url.starts_with(REPOSITORY))
            .map(str::to_owned)
            .collect()),
        Err(faults) => Err(faults.into_iter().map(|fault| fault.code).collect()),
    }
}

/// The least that a program can be told so that it means the same.
fn least(request: &ScopeRequest, counted: Counted) -> Extent {
    let all = meaning(request, Extent::Assemblies, counted);
    let each = [Extent::Paths, Extent::Projects, Extent::Assemblies];
    let mut enough = each
        .into_iter()
        .filter(|it| meaning(request, *it, counted) == all);
    enough.next().expect("all of it is enough")
}

#[test]
fn each_scope_asks_for_what_it_needs_and_no_more() {
    for counted in [Counted::All, Counted::Repository] {
        // Somebody may have named something else so.
        for atom in ATOMS.into_iter().filter(|atom| *atom != "Production") {
            let request = infix::compile(atom).expect("an expression");
            assert_eq!(
                extent(&request, counted),
                least(&request, counted),
                "{atom} {counted:?}"
            );
        }
    }
    for (expression, expected) in [
        ("'Project Files' & !dir(src)", Extent::Paths),
        ("dir(src) & 'All Places'", Extent::Paths),
        ("'Project Test Files' & !git:staged", Extent::Projects),
        ("!dir(src)", Extent::Assemblies),
        ("Production", Extent::Assemblies),
        ("dir(src) | 'All Places'", Extent::Assemblies),
    ] {
        let request = infix::compile(expression).expect("an expression");
        assert_eq!(extent(&request, Counted::All), expected, "{expression}");
    }
}

proptest! {
    #![proptest_config(cases())]

    #[test]
    fn a_program_means_the_same_where_no_more_is_known_than_it_asks_for(
        atoms in vec((0..ATOMS.len(), any::<bool>(), any::<bool>()), 1..5),
    ) {
        let mut expression = String::new();
        for (atom, is_not, is_and) in atoms {
            if !expression.is_empty() {
                expression.push_str(if is_and { " & " } else { " | " });
            }
            if is_not {
                expression.push('!');
            }
            expression.push_str(ATOMS[atom]);
        }
        let request = infix::compile(&expression).expect("an expression");
        for counted in [Counted::All, Counted::Repository] {
            prop_assert!(extent(&request, counted) >= least(&request, counted), "{expression} {counted:?}");
        }
    }
}
