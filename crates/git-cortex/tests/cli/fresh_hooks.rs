//! `install-hooks`, and the recipes for CI: what they run, and what they leave alone.

use std::{
    fs,
    path::{Path, PathBuf},
    process::Output,
};

use xtask::demo;

use crate::harness::{World, program, shown};

fn world() -> World {
    let world = World::with_files(&[
        ("src/App.csproj", "<Project Sdk=\"Microsoft.NET.Sdk\"/>\n"),
        (
            "src/A.cs",
            "public class A\n{\n    public int M() => 1;\n}\n",
        ),
    ]);
    world.answer(&["export-context"]);
    world.commit("Add context");
    world
}

/// Runs git with the command on its path, as users have it.
fn git(world: &World, arguments: &[&str]) -> Output {
    let program = program();
    let folder = program.parent().expect("a program is in a folder");
    let paths = std::env::var_os("PATH").unwrap_or_default();
    let paths = std::iter::once(folder.to_owned()).chain(std::env::split_paths(&paths));
    let paths = std::env::join_paths(paths).expect("folders have no separators");
    let who = ["-c", "user.name=A", "-c", "user.email=a@example.com"];
    let hooks = format!(
        "core.hooksPath={}",
        world.path().join(".git/hooks").display()
    );
    demo::hermetic_git(world.path())
        .env("HOME", world.beside("home"))
        .env("PATH", paths)
        .args(who)
        .args(["-c", &hooks])
        .args(arguments)
        .output()
        .expect("git is installed")
}

fn hook(world: &World) -> PathBuf {
    world.path().join(".git/hooks/pre-commit")
}

#[cfg(unix)]
#[test]
fn the_hook_stops_commits_of_stale_context_alone() {
    let world = world();
    world.answer(&["install-hooks"]);
    world.write("README.md", "# Shop\n");
    world.git(&["add", "README.md"]);
    let output = git(&world, &["commit", "--quiet", "-m", "Add a readme"]);
    assert!(output.status.success(), "{}", shown(&output));

    world.edit("src/A.cs", "int M", "long M");
    let output = git(&world, &["commit", "--quiet", "-a", "-m", "Change A"]);
    assert!(
        !output.status.success(),
        "`-a` gives the hook an index of its own"
    );
    assert!(shown(&output).contains("check --fix"), "{}", shown(&output));
    world.answer(&["check", "--fix"]);
    let output = git(&world, &["commit", "--quiet", "-a", "-m", "Change A"]);
    assert!(output.status.success(), "{}", shown(&output));

    world.answer(&["install-hooks", "--uninstall"]);
    assert!(!hook(&world).exists());
    world.edit("src/A.cs", "long M", "short M");
    let output = git(
        &world,
        &["commit", "--quiet", "-a", "-m", "Forget the outline"],
    );
    assert!(output.status.success(), "{}", shown(&output));
}

#[test]
fn a_hook_that_exists_is_left_alone() {
    let world = world();
    let text = "#!/bin/sh\nexit 0\n";
    fs::create_dir_all(hook(&world).parent().expect("it has a folder")).expect("it can be made");
    fs::write(hook(&world), text).expect("it can be written");
    let output = world.run(&["install-hooks", "--merge-driver"]);
    assert!(!output.status.success());
    let errors = shown(&output);
    assert!(
        errors.contains("git cortex check --cached"),
        "a way out: {errors}"
    );
    world.answer(&["install-hooks", "--uninstall"]);
    assert_eq!(fs::read_to_string(hook(&world)).ok().as_deref(), Some(text));
    let config = world.read(".git/config");
    assert!(
        !config.contains("cortex"),
        "nothing is half installed: {config}"
    );
}

#[test]
fn the_configured_folder_of_hooks_counts() {
    let world = world();
    world.git(&["config", "core.hooksPath", ".hooks"]);
    world.answer(&["install-hooks"]);
    assert!(world.path().join(".hooks/pre-commit").exists());
    assert!(!hook(&world).exists());
    assert_eq!(world.answer(&["install-hooks"]), "nothing to do\n");
    world.answer(&["install-hooks", "--uninstall"]);
    assert!(!world.path().join(".hooks/pre-commit").exists());

    let outside = world.beside("hooks");
    let outside = outside.to_string_lossy();
    world.git(&["config", "core.hooksPath", &outside]);
    let output = world.run(&["install-hooks"]);
    assert!(!output.status.success(), "{}", shown(&output));
    assert!(!Path::new(&*outside).exists());

    world.git(&["config", "--unset", "core.hooksPath"]);
    let shared = format!("[core]\n\thooksPath = {outside}\n");
    fs::write(world.beside("home/.gitconfig"), shared).expect("it can be written");
    let output = world.run(&["install-hooks"]);
    let errors = shown(&output);
    assert!(errors.contains("other repositories share"), "{errors}");
}

#[cfg(unix)]
#[test]
fn the_merge_driver_keeps_ours_and_a_fix_tells_the_truth() {
    let world = world();
    let config = world.read(".git/config");
    world.answer(&["install-hooks", "--merge-driver"]);
    assert_eq!(
        world.answer(&["install-hooks", "--merge-driver"]),
        "nothing to do\n"
    );
    let change = |branch: &str, old: &str, new: &str| {
        world.edit("src/A.cs", old, new);
        world.answer(&["check", "--fix"]);
        world.commit(branch);
    };
    world.git(&["checkout", "--quiet", "-b", "theirs"]);
    change(
        "theirs",
        "{\n    public",
        "{\n    public int Theirs() => 2;\n\n\n\n    public",
    );
    world.git(&["checkout", "--quiet", "main"]);
    change(
        "ours",
        "=> 1;\n",
        "=> 1;\n\n\n\n    public int Ours() => 3;\n",
    );
    let output = git(&world, &["merge", "--quiet", "--no-edit", "theirs"]);
    assert!(output.status.success(), "{}", shown(&output));
    assert!(
        shown(&output).contains("kept our version"),
        "{}",
        shown(&output)
    );
    let check = |arguments: &[&str]| world.run(arguments).status.code();
    assert_eq!(
        check(&["check"]),
        Some(1),
        "the outline is that of one side"
    );
    assert_eq!(check(&["check", "--fix"]), Some(0));
    world.answer(&["install-hooks", "--uninstall"]);
    assert_eq!(world.read(".git/config"), config);
}

#[test]
fn commands_of_the_recipes_work() {
    let world = world();
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/recipes");
    let mut n_commands = 0;
    for entry in fs::read_dir(folder).expect("there are recipes") {
        let path = entry.expect("it can be listed").path();
        let text = fs::read_to_string(&path).expect("recipes are text");
        assert!(!text.contains('\t'), "{}: YAML has no tabs", path.display());
        for line in text
            .lines()
            .filter(|line| !line.trim_start().starts_with('#'))
        {
            let Some((_, command)) = line.split_once("git cortex ") else {
                continue;
            };
            let command = command.split('>').next().unwrap_or(command);
            let arguments: Vec<&str> = command.split_whitespace().collect();
            let output = world.run(&arguments);
            assert!(output.status.success(), "{line}: {}", shown(&output));
            n_commands += 1;
        }
    }
    assert_eq!(n_commands, 4, "one for each recipe");
}
