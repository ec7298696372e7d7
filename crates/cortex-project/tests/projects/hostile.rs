//! Files that mean harm, or are no project files at all: notes, bounded work, never a panic.

use std::{collections::BTreeMap, time::Instant};

use crate::fixture::{Tree, app, notes, sources};
use cortex_model::RepoPath;

#[track_caller]
fn check_bounded(elements: &str, others: &str) -> String {
    let start = Instant::now();
    let project = app(elements, others);
    assert!(start.elapsed().as_secs() < 20, "took {:?}", start.elapsed());
    notes(&project)
}

#[test]
fn malformed_and_strangely_encoded_files_are_noted() {
    let text = "<Project Sdk=\"Microsoft.NET.Sdk\"><PropertyGroup><AssemblyName>Wide</AssemblyName></PropertyGroup></Project>";
    let wide: Vec<u8> = format!("\u{feff}{text}")
        .encode_utf16()
        .flat_map(u16::to_le_bytes)
        .collect();
    let files: BTreeMap<RepoPath, Vec<u8>> = [
        ("a.csproj", wide),
        ("b.csproj", b"<Project><PropertyGroup>".to_vec()),
        ("c.csproj", vec![0xff; 64]),
        ("d.csproj", Vec::new()),
        (
            "e.csproj",
            b"<!DOCTYPE x [<!ENTITY a \"b\">]><Project>&a;</Project>".to_vec(),
        ),
        (
            "f.csproj",
            b"version https://git-lfs.github.com/spec/v1".to_vec(),
        ),
    ]
    .into_iter()
    .map(|(path, content)| (path.into(), content))
    .collect();
    let graph = Tree::from_files(files).graph();
    assert_eq!(graph.project("a.csproj").expect("a").assembly, "Wide");
    for path in ["b.csproj", "c.csproj", "d.csproj", "e.csproj", "f.csproj"] {
        let project = graph.project(path).expect(path);
        assert!(notes(project).contains("not a project file"), "{path}");
    }
}

#[test]
fn properties_that_double_end() {
    let doubling = "<V>$(V)$(V)</V>".repeat(64);
    let notes = check_bounded(
        &format!("<PropertyGroup><V>x</V>{doubling}</PropertyGroup>"),
        "",
    );
    assert!(notes.contains("a text grows too long"));
    let many = "<V>$(V)$(W)</V>".repeat(20_000);
    check_bounded(
        &format!(
            "<PropertyGroup><W>{}</W>{many}</PropertyGroup>",
            "x".repeat(50_000)
        ),
        "",
    );
}

#[test]
fn items_that_double_end() {
    let doubling = "<Mine Include=\"@(Mine)\"/>".repeat(64);
    let notes = check_bounded(
        &format!(
            "<ItemGroup><Mine Include=\"a\"/>{doubling}<Compile Include=\"@(Mine)\"/></ItemGroup>"
        ),
        "",
    );
    assert!(notes.contains("too many steps"));
}

#[test]
fn patterns_over_many_files_end() {
    let files: Vec<String> = (0..5_000).map(|i| format!("App/a/b/c/{i}.cs")).collect();
    let others = format!("//- {}\n", files.join(" "));
    let many = "<Compile Include=\"**/*/**/*?*.cs\"/><Compile Remove=\"**/x*/**\"/>".repeat(20_000);
    let notes = check_bounded(&format!("<ItemGroup>{many}</ItemGroup>"), &others);
    assert!(notes.contains("too many steps"));
}

#[test]
fn a_long_chain_of_imports_ends() {
    let files: String = (0..500)
        .map(|i| {
            format!(
                "//- p/{i}.props\n<Project><Import Project=\"{}.props\"/></Project>\n",
                i + 1
            )
        })
        .collect();
    let notes = check_bounded("<Import Project=\"../p/0.props\"/>", &files);
    assert!(notes.contains("imports are nested too deep"));
}

#[test]
fn imports_inside_of_choices_need_no_deep_stack() {
    let files: String = (0..100)
        .map(|i| {
            let (open, close) = (
                "<Choose><Otherwise>".repeat(12),
                "</Otherwise></Choose>".repeat(12),
            );
            format!(
                "//- p/{i}.props\n<Project>{open}<Import Project=\"{}.props\"/>{close}</Project>\n",
                i + 1
            )
        })
        .collect();
    let notes = check_bounded("<Import Project=\"../p/0.props\"/>", &files);
    assert!(notes.contains("imports are nested too deep"));
}

#[test]
fn a_thousand_notes_are_not_kept() {
    let many: String = (0..5_000)
        .map(|i| format!("\n<V{i}>$([No]::Such())</V{i}>"))
        .collect();
    let project = app(&format!("<PropertyGroup>{many}</PropertyGroup>"), "");
    assert!(project.notes.len() <= 200);
}

#[test]
fn odd_paths_lead_nowhere() {
    let project = app(
        r#"<ItemGroup><Compile Include="/etc/passwd;C:\x.cs;..\..\..\x.cs;%2e%2e/%2e%2e/y.cs;;;**/../z.cs"/></ItemGroup>"#,
        "//- App/a.cs\n",
    );
    assert_eq!(sources(&project), "App/a.cs");
}

#[test]
fn damaged_files_never_panic() {
    let project = "<Project Sdk=\"Microsoft.NET.Sdk\"><Import Project=\"$([MSBuild]::GetPathOfFileAbove('x.props', '$(MSBuildThisFileDirectory)..\\'))\" Condition=\"Exists('..\\é.props') Or !HasTrailingSlash('$(A.Substring(1, 2).Replace('é', '_'))')\"/>
<PropertyGroup><TargetFrameworks>net8.0;$([System.IO.Path]::ChangeExtension('a.b', 'c'))</TargetFrameworks><A>$([System.String]::Join(';', 'é', $(B.Split(',')[0])))</A></PropertyGroup>
<ItemGroup><Compile Include=\"**/*.cs;@(X->'%(Filename)é%(RelativeDir)')\" Exclude=\"..\\é\\**\"/><Using Include=\"é\" Alias=\"a\"/></ItemGroup>
<Target BeforeTargets=\"x\"><ItemGroup><InternalsVisibleTo Include=\"%(X.Identity)%3b\"/></ItemGroup></Target></Project>";
    let pieces = [
        "$(", "@(", "%(", ")", "'", "é", ";", "->", "[", "]::", "..\\", "**/", "%C3", "/", "!", "(",
    ];
    let mut numbers = fastrand::Rng::with_seed(0x2545_F491_4F6C_DD1D);
    let mut random = |below: usize| numbers.usize(..below);
    for _ in 0..400 {
        let mut damaged = project.as_bytes().to_vec();
        for _ in 0..=random(12) {
            let at = random(damaged.len());
            match random(3) {
                0 => drop(damaged.remove(at)),
                1 => damaged[at] = random(256) as u8,
                _ => drop(damaged.splice(at..at, pieces[random(pieces.len())].bytes())),
            }
        }
        let files = BTreeMap::from([
            ("é/a.csproj".into(), damaged),
            ("é/b.cs".into(), Vec::new()),
            ("x.props".into(), b"<Project/>".to_vec()),
        ]);
        assert_eq!(Tree::from_files(files).graph().projects.len(), 1);
    }
}
