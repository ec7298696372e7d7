//! What is on the machine decides what names mean: a snapshot that was made without an assembly is made
//! again when it appears, and comes out as if it had always been there.

use std::{fs, path::PathBuf};

use cortex_index::{
    FrameworkAssemblies, Index, IndexOutcome, IndexedSide, ProjectRecord, References, Roots,
    Snapshot,
};
use tempfile::TempDir;

use crate::{
    harness::{History, Tree, difference},
    image::Image,
};

const USER: &str = "namespace N; public class A { Lib.Thing x; Lib.Nothing y; B z; }\n";
const OTHER: &str = "namespace N; public class B { }\n";

/// A project file with these items.
fn project_file(inside: &str) -> String {
    format!(
        "<Project Sdk=\"Microsoft.NET.Sdk\"><PropertyGroup><TargetFramework>net8.0</TargetFramework></PropertyGroup><ItemGroup>{inside}</ItemGroup></Project>\n"
    )
}

/// The assembly `Lib` of a major version; it declares `Lib.Thing`.
fn library(major: u8) -> Vec<u8> {
    let mut image = Image::new("Lib", [u32::from(major), 0, 0, 0]);
    image.type_def(1, "Lib", "Thing", 0);
    image.finish()
}

/// A history of two commits, the second of which changes a body, and a package folder.
struct Machine {
    history: History,
    folder: TempDir,
}

impl Machine {
    fn new() -> Self {
        let files = [
            ("P/a.cs", USER.to_owned()),
            ("Q/b.cs", OTHER.to_owned()),
            (
                "P/P.csproj",
                project_file(
                    "<PackageReference Include=\"Lib\" Version=\"1.0.0\" /><ProjectReference Include=\"../Q/Q.csproj\" />",
                ),
            ),
            ("Q/Q.csproj", project_file("")),
        ];
        let tree: Tree = files
            .into_iter()
            .map(|(path, text)| (path.to_owned(), text))
            .collect();
        let mut edited = tree.clone();
        edited.insert("P/a.cs".to_owned(), format!("{USER}// read twice\n"));
        Self {
            history: History::new(&[tree, edited]),
            folder: tempfile::tempdir().expect("a temporary folder"),
        }
    }

    fn packages(&self) -> PathBuf {
        self.folder.path().join("packages")
    }

    /// Puts a version of the package into the folder; it declares `Lib.Thing`.
    fn restore(&self, version: &str) {
        let major = version.as_bytes()[0] - b'0';
        let folder = self.packages().join("lib").join(version);
        let files = folder.join("lib/net8.0");
        fs::create_dir_all(&files).expect("folders can be made");
        fs::write(files.join("Lib.dll"), library(major)).expect("files can be written");
        let nuspec = "<package><metadata><id>Lib</id></metadata></package>";
        fs::write(folder.join("lib.nuspec"), nuspec).expect("files can be written");
    }

    /// Asks as a process of its own would: with nothing remembered of the package folder.
    fn ask(&self, index: &mut Index) -> (Snapshot, IndexOutcome) {
        self.ask_at(index, 0)
    }

    /// Asks for one of the commits.
    fn ask_at(&self, index: &mut Index, number: usize) -> (Snapshot, IndexOutcome) {
        index.references = References::new(Roots {
            dotnet: Vec::new(),
            packages: vec![self.packages()],
        });
        self.history.snapshot(index, number)
    }
}

/// Makes everything in a folder an hour old: what changed just now is not relied on.
#[cfg(unix)]
fn age(folder: &std::path::Path) {
    for entry in fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("readable").path();
        if path.is_dir() {
            age(&path);
        } else {
            set_old(&path);
        }
    }
    set_old(folder);
}

#[cfg(unix)]
fn set_old(path: &std::path::Path) {
    let an_hour_ago = std::time::SystemTime::now() - std::time::Duration::from_secs(3600);
    let rounded = an_hour_ago
        .duration_since(std::time::UNIX_EPOCH)
        .expect("it is later")
        .as_secs()
        / 3600
        * 3600;
    let at = std::time::UNIX_EPOCH + std::time::Duration::from_secs(rounded);
    let file = fs::File::open(path).expect("it opens");
    file.set_modified(at).expect("its time can be set");
}

fn project(snapshot: &Snapshot, path: &str) -> ProjectRecord {
    let found = snapshot.project(&path.into()).expect("the store reads");
    found.expect("it is a project")
}

#[track_caller]
fn equals_a_new_one(machine: &Machine, snapshot: &Snapshot) {
    let (full, _) = machine.ask(&mut machine.history.index("fresh"));
    assert_eq!(difference(snapshot, &full), None);
}

#[test]
fn a_package_that_appears_is_bound_and_nothing_else_is_bound_again() {
    let machine = Machine::new();
    let mut index = machine.history.index("store");
    let (before, _) = machine.ask(&mut index);
    let damaged = project(&before, "P/P.csproj");
    assert_eq!(damaged.references.missing.len(), 1);
    assert_eq!(damaged.references.missing[0].name, "Lib");
    assert_eq!(damaged.references.missing[0].version, "1.0.0");
    let unbound = damaged.counts.n_unbound();
    assert!(unbound >= 2, "{:?}", damaged.counts);
    assert_eq!(project(&before, "Q/Q.csproj").counts.n_unbound(), 0);
    let (_, again) = machine.ask(&mut index);
    assert_eq!(again.snapshots, 0, "nothing appeared");

    machine.restore("1.0.0");
    let (after, outcome) = machine.ask(&mut index);
    assert_eq!((outcome.snapshots, outcome.parsed), (1, 0));
    assert_eq!(outcome.rebound, 1, "the other project sees nothing new");
    let record = project(&after, "P/P.csproj");
    assert_eq!(record.references.missing, []);
    assert!(record.counts.n_unbound() < unbound);
    assert!(record.counts.outside > damaged.counts.outside);
    equals_a_new_one(&machine, &after);
    let (_, again) = machine.ask(&mut index);
    assert_eq!(again.snapshots, 0, "it is whole now");
}

#[test]
fn a_version_that_was_wanted_takes_the_place_of_another() {
    let machine = Machine::new();
    let mut index = machine.history.index("store");
    machine.restore("2.0.0");
    let (before, _) = machine.ask(&mut index);
    let references = project(&before, "P/P.csproj").references;
    assert_eq!(references.approximate.len(), 1);
    assert_eq!(references.approximate[0].found, "2.0.0");
    let (_, again) = machine.ask(&mut index);
    assert_eq!(again.snapshots, 0, "it is not there yet");
    machine.restore("1.0.0");
    let (after, outcome) = machine.ask(&mut index);
    assert_eq!((outcome.snapshots, outcome.rebound), (1, 1));
    assert_eq!(project(&after, "P/P.csproj").references.approximate, []);
    equals_a_new_one(&machine, &after);
}

/// A restore for `P` that asked for this version of the package and got 2.0.0.
fn assets(asked: &str) -> String {
    format!(
        r#"{{"version": 3, "targets": {{"net8.0": {{
            "Lib/2.0.0": {{"type": "package", "compile": {{"lib/net8.0/Lib.dll": {{}}}}}},
            "Q/1.0.0": {{"type": "project", "framework": ".NETCoreApp,Version=v8.0"}}}}}},
        "libraries": {{"Lib/2.0.0": {{"path": "lib/2.0.0"}}, "Q/1.0.0": {{"path": "../Q/Q.csproj"}}}},
        "project": {{"frameworks": {{"net8.0": {{"dependencies": {{
            "Lib": {{"target": "Package", "version": "{asked}"}}}}}}}}}}}}"#
    )
}

#[test]
fn a_restore_counts_while_it_answers_what_the_commit_asks() {
    let machine = Machine::new();
    let mut index = machine.history.index("store");
    machine.restore("2.0.0");
    let approximate = |machine: &Machine, index: &mut Index| {
        let (snapshot, outcome) = machine.ask(index);
        equals_a_new_one(machine, &snapshot);
        let (_, again) = machine.ask(index);
        assert_eq!(again.snapshots, 0, "nothing changed since");
        let references = project(&snapshot, "P/P.csproj").references;
        (references.approximate.len(), outcome.snapshots)
    };
    assert_eq!(approximate(&machine, &mut index), (1, 1));
    let file = machine.history.work().join("P/obj/project.assets.json");
    fs::create_dir_all(file.parent().expect("a folder")).expect("folders can be made");
    fs::write(&file, assets("[1.0.0, )")).expect("files can be written");
    assert_eq!(
        approximate(&machine, &mut index),
        (0, 1),
        "NuGet's sources had no other"
    );
    fs::write(&file, assets("[1.5.0, )")).expect("files can be written");
    assert_eq!(
        approximate(&machine, &mut index),
        (1, 1),
        "it is of another day"
    );
    fs::write(&file, "[[[[").expect("files can be written");
    assert_eq!(approximate(&machine, &mut index), (1, 1));
    fs::remove_file(&file).expect("files can be removed");
    assert_eq!(approximate(&machine, &mut index), (1, 1));
}

#[test]
fn a_library_that_is_named_by_file_is_seen_from_the_work_tree() {
    let mut machine = Machine::new();
    let reference = "<Reference Include=\"Lib\"><HintPath>..\\libs\\Lib.dll</HintPath></Reference>";
    let tree: Tree = [
        ("P/a.cs", USER.to_owned()),
        ("P/P.csproj", project_file(reference)),
    ]
    .map(|(path, text)| (path.to_owned(), text))
    .into();
    machine.history = History::new(&[tree]);
    let mut index = machine.history.index("store");
    let (before, _) = machine.ask(&mut index);
    let record = project(&before, "P/P.csproj");
    assert_eq!(record.references.unreadable, ["Lib.dll"]);
    let unbound = record.counts.n_unbound();
    let libs = machine.history.work().join("libs");
    fs::create_dir(&libs).expect("folders can be made");
    fs::write(libs.join("Lib.dll"), library(1)).expect("files can be written");
    let (after, outcome) = machine.ask(&mut index);
    assert_eq!((outcome.snapshots, outcome.rebound), (1, 1));
    let record = project(&after, "P/P.csproj");
    assert_eq!(record.references.unreadable, [""; 0]);
    assert!(record.counts.n_unbound() < unbound);
    equals_a_new_one(&machine, &after);
}

#[test]
fn the_built_in_table_gives_way_to_a_framework_that_appears() {
    let machine = Machine::new();
    let mut index = machine.history.index("store");
    let (before, _) = machine.ask(&mut index);
    let stands_in = project(&before, "Q/Q.csproj").references.framework;
    assert!(
        matches!(stands_in, FrameworkAssemblies::BuiltIn(_)),
        "{stands_in:?}"
    );
    let pack = "microsoft.netcore.app.ref/8.0.5/ref/net8.0";
    let folder = machine.packages().join(pack);
    fs::create_dir_all(&folder).expect("folders can be made");
    let mut image = Image::new("System.Runtime", [8, 0, 0, 0]);
    image.type_def(1, "System", "Object", 0);
    fs::write(folder.join("System.Runtime.dll"), image.finish()).expect("files can be written");
    let (after, outcome) = machine.ask(&mut index);
    assert_eq!((outcome.snapshots, outcome.rebound), (1, 2));
    assert_eq!(
        project(&after, "Q/Q.csproj").references.framework,
        FrameworkAssemblies::Machine("8.0.5".to_owned())
    );
    equals_a_new_one(&machine, &after);
}

#[test]
fn counts_tell_names_apart_by_what_their_file_lacks() {
    let files = [
        ("a.cs", "class A { Missing x; }\n"),
        ("b.cs", "class B { Missing x; void M( { } ]]] }\n"),
        (
            "c.cs",
            "#if NO\nclass D { }\n#endif\nclass C { Missing x; A a; }\n",
        ),
    ];
    let tree: Tree = files
        .map(|(path, text)| (path.to_owned(), text.to_owned()))
        .into();
    let history = History::new(&[tree]);
    let (snapshot, _) = history.snapshot(&history.index("store"), 0);
    let records = snapshot.projects().expect("the store reads");
    let [record] = records.as_slice() else {
        panic!("loose files are one project");
    };
    let counts = record.counts;
    assert_eq!((counts.files, counts.degraded, counts.skipped), (3, 1, 0));
    assert_eq!(counts.inactive, 1);
    assert_eq!(counts.bound, 1);
    assert_eq!(counts.files_unbound, 3);
    assert_eq!(counts.unbound_conditional, 1);
    assert!(counts.unbound_degraded >= 1);
    assert_eq!(counts.n_unbound(), counts.unbound_degraded + 2);
}

#[cfg(unix)]
#[test]
fn what_was_found_on_the_machine_is_kept_until_it_changes() {
    let machine = Machine::new();
    machine.restore("1.0.0");
    let n_kept = |index: &Index| index.store.names("assemblies").expect("it reads").len();
    let mut fresh = machine.history.index("too fresh");
    machine.ask(&mut fresh);
    assert_eq!(n_kept(&fresh), 0, "it could change again unseen");
    let library = machine.packages().join("lib/1.0.0/lib/net8.0/Lib.dll");
    let bytes = fs::read(&library).expect("it is there");
    for change in [
        "nothing",
        "another library",
        "another library unseen",
        "gone",
    ] {
        fs::write(&library, &bytes).expect("files can be written");
        age(&machine.packages());
        let mut index = machine.history.index(change);
        machine.ask(&mut index);
        assert_eq!(n_kept(&index), 1);
        match change {
            "nothing" => {}
            "gone" => fs::remove_file(&library).expect("it is there"),
            _ => fs::write(&library, super::machine::library(7)).expect("files can be written"),
        }
        if change.ends_with("unseen") {
            age(&machine.packages());
        }
        let (after, outcome) = machine.ask_at(&mut index, 1);
        assert_eq!(outcome.snapshots, 1);
        let (full, _) = machine.ask_at(&mut machine.history.index(&format!("{change}, full")), 1);
        assert_eq!(difference(&after, &full), None, "{change}");
    }
}

#[cfg(unix)]
#[test]
fn what_a_question_finds_on_the_machine_is_kept_as_well() {
    let machine = Machine::new();
    machine.restore("1.0.0");
    age(&machine.packages());
    let mut index = machine.history.index("store");
    let kept = |index: &Index| index.store.names("assemblies").expect("it reads");
    let (snapshot, _) = machine.ask(&mut index);
    let before = kept(&index);
    let nuspec = machine.packages().join("lib/1.0.0/lib.nuspec");
    let now = std::time::SystemTime::now() - std::time::Duration::from_secs(60);
    let file = fs::File::open(nuspec).expect("it opens");
    file.set_modified(now).expect("its time can be set");
    index.references = References::new(Roots {
        dotnet: Vec::new(),
        packages: vec![machine.packages()],
    });
    let side = IndexedSide {
        snapshot,
        commit: None,
        overlay: None,
    };
    index.symbols(&side, None).expect("it reads");
    let after = kept(&index);
    assert_eq!((before.len(), after.len()), (1, 1));
    assert_ne!(before, after, "the next process looks no more");
}
