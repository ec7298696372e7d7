//! Objects that git cannot read: their files are left out and told, and read as soon as they can be.

use std::{fs, path::PathBuf};

use cortex_fixture::Fixture;
use cortex_git::Side;
use cortex_index::{Index, IndexError, UnreadFile, UnreadReason};

use crate::harness::{History, Silent, Tree, difference};

const FILES: &str = "
//- /Directory.Build.props
<Project><PropertyGroup><LangVersion>12</LangVersion></PropertyGroup></Project>
//- /P/P.csproj
<Project Sdk=\"Microsoft.NET.Sdk\"><PropertyGroup><TargetFramework>net8.0</TargetFramework></PropertyGroup></Project>
//- /Q/Q.csproj
<Project Sdk=\"Microsoft.NET.Sdk\"><PropertyGroup><TargetFramework>net8.0</TargetFramework></PropertyGroup><ItemGroup><ProjectReference Include=\"../P/P.csproj\" /></ItemGroup></Project>
//- /P/A.cs
public class A { public int X() => new B().Y; }
//- /P/B.cs
public class B { public int Y; }
//- /Q/C.cs
#if DEBUG
public class C : A { int Z() => X(); }
#endif
";

/// Three commits: one with all files, one in which a source changes, one in which a project changes.
fn trees() -> Vec<Tree> {
    let first: Tree = Fixture::parse(FILES).tree().into_iter().collect();
    let mut second = first.clone();
    second.insert("Q/D.cs".into(), "class D : C { B b; }\n".into());
    let mut third = second.clone();
    let project = third.get_mut("Q/Q.csproj").expect("it is there");
    *project = project.replace("net8.0<", "net9.0<");
    vec![first, second, third]
}

/// What was done to an object.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Harm {
    Removed,
    Damaged,
}

/// Makes the content of a file of the first commit unreadable; gives the way back.
fn harm(history: &History, path: &str, how: Harm) -> impl FnOnce() {
    let index = history.index("list");
    let Side::Commit { tree, .. } = history.side(&index, 0) else {
        unreachable!("sides of a history are commits");
    };
    let files = index.repo.tree_files(tree).expect("a tree");
    let file = files.iter().find(|file| file.path.as_str() == path);
    let id = file.expect("the file is there").blob.to_string();
    let object: PathBuf = history.work().join(".git/objects").join(&id[..2]);
    let object = object.join(&id[2..]);
    let content = fs::read(&object).expect("the objects of a small import are loose");
    fs::remove_file(&object).expect("it was there");
    if how == Harm::Damaged {
        fs::write(&object, &content[..content.len() / 2]).expect("a written file");
    }
    move || {
        let _ = fs::remove_file(&object);
        fs::write(&object, &content).expect("a written file");
    }
}

fn unread(index: &Index) -> Vec<(String, UnreadReason)> {
    let files = index.unread.take().into_iter();
    files
        .map(|UnreadFile { path, reason, .. }| (path.to_string(), reason))
        .collect()
}

#[test]
fn what_git_cannot_read_is_told_with_every_snapshot_and_read_when_it_can_be() {
    let trees = trees();
    for path in trees[0].keys() {
        for how in [Harm::Removed, Harm::Damaged] {
            let history = History::new(&trees);
            let heal = harm(&history, path, how);
            let reason = match how {
                Harm::Removed => UnreadReason::Absent,
                Harm::Damaged => UnreadReason::Damaged,
            };
            // In one process and in others, forwards and from a later commit.
            let told = [(path.clone(), reason)];
            for order in [&[0, 1, 2][..], &[1, 0, 2]] {
                let store = format!("harmed-{}", order[0]);
                for &number in order {
                    let index = history.index(&store);
                    history.snapshot(&index, number);
                    if number < 2 || path != "Q/Q.csproj" {
                        assert_eq!(unread(&index), told, "{path} {how:?} {order:?} {number}");
                    }
                    history.snapshot(&index, number);
                    if number < 2 || path != "Q/Q.csproj" {
                        assert_eq!(unread(&index), told, "{path} {how:?} {order:?} {number}");
                    }
                }
            }
            heal();
            for (nth, order) in [&[0, 1, 2][..], &[1, 0, 2]].into_iter().enumerate() {
                let healed = history.index(&format!("harmed-{}", order[0]));
                for &number in order {
                    let whole = history.index(&format!("whole-{nth}-{number}"));
                    let (ours, _) = history.snapshot(&healed, number);
                    let (full, _) = history.snapshot(&whole, number);
                    assert_eq!(unread(&healed), [], "{path} {how:?} {number}");
                    let difference = difference(&ours, &full);
                    assert_eq!(difference, None, "{path} {how:?} {number}");
                }
            }
        }
    }
}

#[test]
fn a_clone_without_any_source_is_an_error_and_no_empty_answer() {
    let trees = trees();
    let history = History::new(&trees);
    for path in ["P/A.cs", "P/B.cs", "Q/C.cs"] {
        let _ = harm(&history, path, Harm::Removed);
    }
    let index = history.index("store");
    let answer = index.side(history.side(&index, 0), &Silent);
    assert!(matches!(answer.map(|_| ()), Err(IndexError::Git(_))));
}
