//! What the machine has, seen from the command line: frameworks, packages, restores and libraries.

use std::{fs, path::Path};

use crate::{harness::World, image::Image};

const PROJECT: &str = "App/App.csproj";

/// A repository with one project of these items, whose code uses `Lib.Thing`.
fn world(items: &str) -> World {
    let project = format!(
        "<Project Sdk=\"Microsoft.NET.Sdk\"><PropertyGroup><TargetFramework>net8.0</TargetFramework></PropertyGroup><ItemGroup>{items}</ItemGroup></Project>\n"
    );
    World::with_files(&[
        (PROJECT, &project),
        ("App/A.cs", "class A { Lib.Thing thing; }\n"),
        (".gitignore", "obj/\n"),
    ])
}

fn write(path: &Path, bytes: impl AsRef<[u8]>) {
    fs::create_dir_all(path.parent().expect("a folder")).expect("folders can be made");
    fs::write(path, bytes).expect("files can be written");
}

/// An assembly that declares one type.
fn assembly(name: &str, major: u32, namespace: &str, ty: &str) -> Vec<u8> {
    let mut image = Image::new(name, [major, 0, 0, 0]);
    image.type_def(1, namespace, ty, 0);
    image.finish()
}

/// Puts version 2.0.0 of the package `Lib` into a package folder.
fn restore_package(packages: &Path) {
    let folder = packages.join("lib/2.0.0");
    let dll = assembly("Lib", 2, "Lib", "Thing");
    write(&folder.join("lib/net8.0/Lib.dll"), dll);
    let nuspec = "<package><metadata><id>Lib</id></metadata></package>";
    write(&folder.join("lib.nuspec"), nuspec);
}

/// Puts the reference assemblies of a framework of this version into an installation.
fn install_framework(dotnet: &Path) {
    let pack = "packs/Microsoft.NETCore.App.Ref/8.0.99/ref/net8.0/System.Runtime.dll";
    let dll = assembly("System.Runtime", 8, "System", "Object");
    write(&dotnet.join(pack), dll);
}

/// What the status says of the project.
#[track_caller]
fn status(world: &World) -> String {
    let text = world.answer(&["status", "--projects"]);
    let own = text.split_once(PROJECT).expect("the project is listed").1;
    own.to_owned()
}

#[test]
fn what_the_home_of_a_machine_has_does_not_reach_these_tests() {
    let world = world("<PackageReference Include=\"Lib\" Version=\"2.0.0\" />");
    install_framework(&world.beside("home/.dotnet"));
    restore_package(&world.beside("home/.nuget/packages"));
    world.answer(&["index"]);
    let isolated = status(&world);
    assert!(
        isolated.contains("missing packages: Lib 2.0.0"),
        "{isolated}"
    );
    assert!(isolated.contains("framework: built-in table"), "{isolated}");

    // Without the variables the same home counts.
    let run = |arguments: &[&str]| {
        let mut command = world.command(arguments);
        command
            .env_remove("DOTNET_ROOT")
            .env_remove("NUGET_PACKAGES");
        let output = command.output().expect("the command can be started");
        assert!(output.status.success());
        String::from_utf8(output.stdout).expect("answers are UTF-8")
    };
    run(&["index"]);
    let usual = run(&["status", "--projects"]);
    assert!(!usual.contains("missing packages"), "{usual}");
    assert!(usual.contains("framework: reference assemblies"), "{usual}");
}

#[test]
fn a_restore_of_the_work_tree_counts_while_the_project_asks_the_same() {
    let world = world("<PackageReference Include=\"Lib\" Version=\"1.0.0\" />");
    restore_package(&world.beside("packages"));
    world.answer(&["index"]);
    let by_rules = status(&world);
    assert!(
        by_rules.contains("Lib 2.0.0 used instead of 1.0.0"),
        "{by_rules}"
    );

    let assets = r#"{"version": 3, "targets": {"net8.0": {
        "Lib/2.0.0": {"type": "package", "compile": {"lib/net8.0/Lib.dll": {}}}}},
        "libraries": {"Lib/2.0.0": {"path": "lib/2.0.0"}},
        "project": {"frameworks": {"net8.0": {"dependencies": {
            "Lib": {"target": "Package", "version": "[1.0.0, )"}}}}}}"#;
    world.write("App/obj/project.assets.json", assets);
    world.answer(&["index"]);
    let restored = status(&world);
    assert!(!restored.contains("used instead of"), "{restored}");
    assert_eq!(world.answer(&["index"]), world.answer(&["index"]));

    world.edit(PROJECT, "1.0.0", "1.2.0");
    world.commit("Ask for another version");
    world.answer(&["index"]);
    let stale = status(&world);
    assert!(stale.contains("Lib 2.0.0 used instead of 1.2.0"), "{stale}");
}

#[test]
fn a_restore_that_is_no_ordinary_file_is_not_read() {
    let world = world("<PackageReference Include=\"Lib\" Version=\"1.0.0\" />");
    restore_package(&world.beside("packages"));
    world.write("App/obj/project.assets.json/inside", "");
    world.answer(&["index"]);
    #[cfg(unix)]
    {
        let obj = world.path().join("App/obj");
        fs::remove_dir_all(&obj).expect("folders can be removed");
        fs::create_dir(&obj).expect("folders can be made");
        let link = obj.join("project.assets.json");
        std::os::unix::fs::symlink("/dev/zero", link).expect("links can be made");
        world.answer(&["index"]);
    }
    assert!(status(&world).contains("used instead of"));
}

#[test]
fn a_tracked_library_is_seen_as_the_commit_has_it() {
    let reference = r#"<Reference Include="Lib"><HintPath>..\lib\Lib.dll</HintPath></Reference>"#;
    let world = world(reference);
    let bound = |world: &World| {
        let status = world.json(&["status", "--projects"]);
        let projects = status["projects"].as_array().expect("a list");
        projects[0]["understood"]["names"]["unbound"].clone()
    };
    world.answer(&["index"]);
    assert!(status(&world).contains("cannot be read: Lib.dll"));
    world.write("lib/Lib.dll", assembly("Lib", 1, "Lib", "Other"));
    world.commit("Add a library without the type");
    world.answer(&["index"]);
    let other = bound(&world);
    world.write("lib/Lib.dll", assembly("Lib", 2, "Lib", "Thing"));
    world.commit("Replace the library");
    world.answer(&["index"]);
    assert_ne!(bound(&world), other);
    assert!(status(&world).contains("  all "), "{}", status(&world));
}
