//! What belongs to every command: nothing raw in what it prints, its page, its completions.

use crate::harness::World;

const PROJECT: &str = r#"<Project Sdk="Microsoft.NET.Sdk">
  <PropertyGroup><TargetFramework>net10.0</TargetFramework></PropertyGroup>
</Project>
"#;

#[test]
fn nothing_of_a_repository_reaches_the_terminal_raw() {
    let world = World::with_files(&[
        ("A/A.csproj", PROJECT),
        (
            "A/a\u{202e}b.cs",
            "namespace N;\n/// <summary>x \u{1b}[31m y\u{202e} ``` </summary>\npublic class C { /* \u{1b}[2J ``` */ public string A = \"\u{9b}\"; public C B; }\n",
        ),
    ]);
    for question in [
        &["outline", "C"][..],
        &["outline", "C", "--source"],
        &["outline", "N"],
        &["source", "C"],
        &["source", "C", "--format", "text"],
        &["map"],
        &["deps", "C"],
        &["unused", "--all"],
        &["cycles"],
        &["source", "C", "--format", "json"],
    ] {
        let text = world.answer(question);
        assert!(
            !text.contains(['\u{1b}', '\u{202e}', '\u{9b}']),
            "{question:?}: {text}"
        );
    }
}

#[test]
fn every_command_has_a_page_and_completions() {
    let world = World::empty();
    let folder = world.beside("man1");
    world.answer(&["man", "--folder", folder.to_str().expect("a name")]);
    let page =
        std::fs::read_to_string(folder.join("git-cortex-outline.1")).expect("it was written");
    assert!(
        page.contains("git\\-cortex\\-outline") && page.contains("OrderService"),
        "{page}"
    );
    assert!(world.answer(&["man"]).contains("git\\-cortex"));
    assert_eq!(world.run(&["man", "nothing"]).status.code(), Some(2));
    for shell in ["bash", "zsh", "fish", "powershell", "elvish"] {
        assert!(
            world.answer(&["completions", shell]).contains("outline"),
            "{shell}"
        );
    }
}

/// What git's own completion does for `git cortex outl<TAB>`.
#[test]
fn bash_completes_behind_git() {
    let world = World::empty();
    let script = world.beside("completions.bash");
    std::fs::write(&script, world.answer(&["completions", "bash"])).expect("it can be written");
    let ask = r#"source "$1"
words=(git cortex outl) cword=2 cur=outl prev=cortex; _git_cortex; echo "${COMPREPLY[@]}"
words=(git cortex outline --mem) cword=3 cur=--mem prev=outline; _git_cortex; echo "${COMPREPLY[@]}"
words=(git cortex outline --members "") cword=4 cur= prev=--members; _git_cortex; echo "${COMPREPLY[@]}""#;
    let output = std::process::Command::new("bash")
        .args(["--norc", "-c", ask, "bash"])
        .arg(&script)
        .output();
    // Not every system has it.
    if let Ok(output) = output {
        assert_eq!(
            String::from_utf8_lossy(&output.stdout),
            "outline\n--members\npublic all\n"
        );
    }
}
