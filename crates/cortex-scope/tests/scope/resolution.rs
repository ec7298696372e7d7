//! What each kind of atom means in a universe.

use cortex_model::ByteRange;
use cortex_scope::*;

use crate::universe::Written;

/// An application, what it references, its tests, a package, and what belongs to nothing.
fn shop() -> Written {
    let mut universe = Written::default();
    let app = universe.module("App", "src/App");
    let core = universe.module("Core", "src/Core");
    let tests = universe.module("Tests", "test");
    universe.modules[app].references = vec![core];
    universe.modules[tests].references = vec![app];
    universe.libraries.push(ScopeLibrary {
        package: "Json".to_owned(),
        version: "1.0.0".to_owned(),
    });
    universe.modules[core].libraries = vec![0];
    universe.add("file:///elsewhere/x", RootKind::Outside, &[]);
    universe.add("nuget:/Json/1.0.0/Json.dll", RootKind::Library, &[]);
    universe.files[1].library = Some(0);
    universe.add("repo:/README.md", RootKind::Content, &[]);
    universe.add("repo:/src/App/A.cs", RootKind::Source, &[app]);
    universe.add("repo:/src/Core/C.cs", RootKind::Source, &[core]);
    universe.add("repo:/src/Shared/S.cs", RootKind::Source, &[app, core]);
    universe.add("repo:/test/T.cs", RootKind::TestSource, &[tests]);
    universe
}

const OUTSIDE: &str = "file:///elsewhere/x";
const JSON: &str = "nuget:/Json/1.0.0/Json.dll";
const README: &str = "repo:/README.md";
const A: &str = "repo:/src/App/A.cs";
const C: &str = "repo:/src/Core/C.cs";
const S: &str = "repo:/src/Shared/S.cs";
const T: &str = "repo:/test/T.cs";

#[test]
fn standard_and_predefined_scopes() {
    let mut universe = shop();
    let touched = vec![FileId::new(3)];
    for property in [
        Property::Changed,
        Property::RecentlyChanged,
        Property::RecentlyViewed,
        Property::Generated,
        Property::Erroneous,
        Property::Scratch,
    ] {
        universe.properties.insert(property, touched.clone());
    }
    for (name, expected) in [
        ("All Places", vec![OUTSIDE, JSON, README, A, C, S, T]),
        ("Project and Libraries", vec![JSON, README, A, C, S, T]),
        ("Project Files", vec![README, A, C, S, T]),
        ("Project Production Files", vec![A, C, S]),
        ("Project Test Files", vec![T]),
        ("Scratches and Consoles", vec![A]),
        ("Recently Viewed Files", vec![A]),
        ("Recently Changed Files", vec![A]),
        ("All", vec![OUTSIDE, JSON, README, A, C, S, T]),
        ("Non-Project Files", vec![OUTSIDE, JSON]),
        ("Production", vec![A, C, S]),
        ("Tests", vec![T]),
        ("Generated Files", vec![A]),
        ("All Changed Files", vec![A]),
        ("Problems", vec![A]),
    ] {
        assert_eq!(universe.files_of(&format!("'{name}'")), expected, "{name}");
    }
    assert_eq!(universe.files_of("pattern(problem:App.A)"), [A]);
    assert_eq!(
        universe.files_of("pattern($Tests||$Production)"),
        [A, C, S, T]
    );
}

#[test]
fn modules_with_what_they_reference() {
    let universe = shop();
    for (expression, expected) in [
        ("module(App)", vec![A, S]),
        ("module(App, MODULE_WITH_DEPENDENCIES)", vec![A, C, S]),
        ("module(App, MODULE_WITH_LIBRARIES)", vec![A, S]),
        ("module(Core, MODULE_WITH_LIBRARIES)", vec![JSON, C, S]),
        (
            "module(App, MODULE_WITH_DEPENDENCIES_AND_LIBRARIES)",
            vec![JSON, A, C, S],
        ),
        ("module(Tests, MODULE_WITH_DEPENDENCIES)", vec![A, C, S, T]),
    ] {
        assert_eq!(universe.files_of(expression), expected, "{expression}");
    }
}

/// Where assembly and project file have different names, both mean the module.
#[test]
fn a_module_goes_by_the_name_of_its_file_too() {
    let mut universe = shop();
    universe.modules[0].name = "Company.App".to_owned();
    for expression in [
        "module(App)",
        "module(Company.App)",
        "pattern(file[App]:*.cs)",
        "pattern(file[Company.*]:*.cs)",
    ] {
        assert_eq!(universe.files_of(expression), [A, S], "{expression}");
    }
}

/// A file outside of the folders of its modules is compared by its path in the repository.
#[test]
fn a_path_counts_from_the_folder_of_its_module() {
    let universe = shop();
    assert_eq!(universe.files_of("pattern(file:*)"), [README, A, C, T]);
    assert_eq!(universe.files_of("pattern(file:src//*)"), [S]);
    assert_eq!(universe.files_of("pattern(file[Core]:*//*)"), [S]);
    assert_eq!(universe.files_of("pattern(projectPath:src//*)"), [A, C, S]);
}

/// Where the folder of a module lies in that of another, the inner one counts.
#[test]
fn a_path_counts_from_the_innermost_folder() {
    let mut universe = Written::default();
    let outer = universe.module("Outer", "");
    let inner = universe.module("Inner", "src/Inner");
    universe.add("repo:/src/Inner/A.cs", RootKind::Source, &[outer, inner]);
    assert_eq!(universe.files_of("pattern(file:A.cs)").len(), 1);
    assert_eq!(universe.files_of("pattern(file[Outer]:src//*)").len(), 0);
    assert_eq!(universe.files_of("pattern(src:Inner.A)").len(), 1);
}

#[test]
fn directories_and_files_by_any_of_their_urls() {
    let universe = shop();
    for expression in [
        "dir(src/App)",
        "dir(./src/App/)",
        "dir(repo:/src/App)",
        "'directory:repo:/src/App'",
        "dir('file:///home/me/my shop/src/App')",
        "dir(file:///home/me/my%20shop/src/App)",
        "files(src/App/A.cs)",
        "files('file:///home/me/my shop/src/App/A.cs')",
    ] {
        assert_eq!(universe.files_of(expression), [A], "{expression}");
    }
    assert_eq!(universe.files_of("dir(.)"), [README, A, C, S, T]);
    assert_eq!(universe.files_of("dir(nuget:/Json)"), [JSON]);
}

#[test]
fn what_is_not_there_is_told_with_what_is_near() {
    let universe = shop();
    for (expression, expected) in [
        ("dir(src/Ap)", "no files in `repo:/src/Ap`"),
        (
            "files(A.cs)",
            "no file `repo:/A.cs`; did you mean `repo:/src/App/A.cs`?",
        ),
        (
            "module(Apps)",
            "no project is named `Apps`; did you mean `App`?",
        ),
        (
            "'Project File'",
            "no scope is named `Project File`; did you mean `Project Files`?",
        ),
        (
            "'Recntly Chnged Fils'",
            "no scope is named `Recntly Chnged Fils`; did you mean `Recently Changed Files`?",
        ),
        ("named(config, X)", "`config` has no scope `X`"),
        ("git:staged", "nothing is `git:staged`"),
        ("'Generated Files'", "nobody looked"),
        (
            "Selection",
            "only an editor knows `Selection`; the caller must provide it",
        ),
    ] {
        let request = infix::compile(expression).unwrap();
        let diagnostics = resolve(&request, &universe).unwrap_err();
        let messages: Vec<&str> = diagnostics.iter().map(|it| it.message.as_str()).collect();
        assert_eq!(messages, [format!("atom `a1`: {expected}")], "{expression}");
    }
}

#[test]
fn what_an_editor_shows_counts_when_it_is_told() {
    let mut universe = shop();
    let range = ByteRange { start: 3, end: 7 };
    universe.context = CallerContext {
        open_files: Some(vec![
            A.to_owned(),
            "file:///home/me/my shop/test/T.cs".to_owned(),
        ]),
        current_file: Some(T.to_owned()),
        selection: Some(vec![(A.to_owned(), range)]),
        ..CallerContext::default()
    };
    assert_eq!(universe.files_of("'Open Files'"), [A, T]);
    assert_eq!(universe.files_of("'Open Files' & !'Current File'"), [A]);
    let request = infix::compile("Selection & 'Project Files' | files(README.md)").unwrap();
    let resolved = resolve(&request, &universe).unwrap();
    assert_eq!(resolved.descriptor.scope_shape, ScopeShape::Mixed);
    let coverage: Vec<Coverage<'_>> = resolved.scope.files().map(|(_, it)| it).collect();
    let ranges = Ranges::new([range]);
    assert_eq!(coverage, [Coverage::Whole, Coverage::Ranges(&ranges)]);
}

#[test]
fn an_editor_that_may_be_asked_but_is_not_there_is_told() {
    let mut request = infix::compile("Selection").unwrap();
    request.allow_ui_interactive_scopes = true;
    let diagnostics = resolve(&request, &shop()).unwrap_err();
    assert_eq!(
        diagnostics[0].message,
        "atom `a1`: `Selection` is allowed, but the caller did not provide it"
    );
}

/// The holder's own scopes go before shared ones; other holders do not count in patterns.
#[test]
fn names_are_looked_up_in_the_holder_then_among_the_shared() {
    let universe = shop()
        .named(SHARED, "X", "projectPath:src/App//*")
        .named(LOCAL, "X", "projectPath:src/Core//*")
        .named(LOCAL, "OfX", "$X")
        .named(SHARED, "SharedOfX", "$X")
        .named(LOCAL, "OnlyLocal", "projectPath:test//*")
        .named(SHARED, "OfLocal", "file:a||$OnlyLocal");
    assert_eq!(universe.files_of("X"), [A]);
    assert_eq!(universe.files_of("named(NamedScopeManager, X)"), [C]);
    assert_eq!(universe.files_of("OfX"), [C]);
    assert_eq!(universe.files_of("SharedOfX"), [A]);
    assert_eq!(universe.files_of("pattern($X)"), [A]);
    assert_eq!(universe.files_of("OnlyLocal"), [T]);
    assert!(universe.files_of("OfLocal").is_empty());
}

#[test]
fn ranges_are_kept_in_one_form() {
    let range = |start, end| ByteRange { start, end };
    let ranges = Ranges::new([
        range(5, 9),
        range(3, 3),
        range(1, 2),
        range(9, 12),
        range(6, 7),
    ]);
    assert_eq!(ranges.as_slice(), [range(1, 2), range(5, 12)]);
    let other = Ranges::new([range(0, 6), range(8, 20)]);
    assert_eq!(
        ranges.intersection(&other).as_slice(),
        [range(1, 2), range(5, 6), range(8, 12)]
    );
}
