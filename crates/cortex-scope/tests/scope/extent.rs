//! What does not ask for projects means the same without them.

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

/// A repository with a library, as it is, or as its paths tell alone.
fn universe(has_projects: bool) -> Written {
    let mut universe = Written::default();
    if has_projects {
        universe.add("nuget:/Json/1.0/lib.dll", RootKind::Library, &[]);
        universe.libraries.push(ScopeLibrary {
            package: "Json".to_owned(),
            version: "1.0".to_owned(),
        });
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
    universe
        .properties
        .insert(Property::RecentlyChanged, vec![readme, a]);
    universe
        .provided
        .insert("git:staged".to_owned(), Provided::Files(vec![a]));
    if has_projects {
        universe
            .provided
            .insert("impact:HEAD~1".to_owned(), Provided::Files(vec![a]));
        let ranges = vec![(
            a,
            Ranges::new([cortex_model::ByteRange { start: 1, end: 2 }]),
        )];
        universe
            .provided
            .insert("type:Order".to_owned(), Provided::Ranges(ranges));
        return universe.named("shared", "Mine", "file:a.cs");
    }
    universe
}

/// The files of a scope, or the codes of what is wrong with it.
fn meaning(request: &ScopeRequest, universe: &Written) -> Result<Vec<String>, Vec<DiagnosticCode>> {
    match resolve(request, universe) {
        Ok(it) => Ok(universe
            .urls(&it.scope)
            .into_iter()
            .map(str::to_owned)
            .collect()),
        Err(faults) => Err(faults.into_iter().map(|fault| fault.code).collect()),
    }
}

#[test]
fn each_scope_that_means_something_else_without_projects_asks_for_them() {
    for atom in ATOMS {
        let request = infix::compile(atom).expect("an expression");
        let is_same = meaning(&request, &universe(true)) == meaning(&request, &universe(false));
        assert_eq!(asks_for_projects(&request), !is_same, "{atom}");
    }
}

proptest! {
    #![proptest_config(cases(2_000))]

    #[test]
    fn what_asks_for_no_projects_means_the_same_without_them(
        atoms in vec((0..ATOMS.len(), any::<bool>(), any::<bool>()), 1..4),
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
        if !asks_for_projects(&request) {
            prop_assert_eq!(meaning(&request, &universe(true)), meaning(&request, &universe(false)));
        }
    }
}
