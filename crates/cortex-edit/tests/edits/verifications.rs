//! Commands of the user's that run on a copy of the work tree, without and with an edit.

use std::{fs, time::Duration};

use cortex_edit::{
    Allowed, EditError, MemberAction, MemberEdit, ReviewNeeded, Staging, VerifyWith, apply, op::Op,
    verify,
};
use cortex_git::Side;
use cortex_wire::Verification;

use crate::world::{Silent, World};

/// What stands for a compiler: an error wherever BAD is written, a warning wherever ODD is.
const BUILD: &str = r#"for file in $(find . -name '*.cs' | sort); do
    grep -n BAD "$file" | sed "s#^\([0-9]*\):.*#$PWD/${file#./}(\1,1): error CS0001: it is bad [$PWD/A.csproj]#"
    grep -n ODD "$file" | sed "s#^\([0-9]*\):.*#$PWD/${file#./}(\1,1): warning CS0002: it is odd [$PWD/A.csproj]#"
done
! grep -rq FAILS ."#;

fn with(command: &str) -> VerifyWith {
    VerifyWith {
        command: command.to_owned(),
        allowed: vec!["CS0002".to_owned()],
        timeout: Duration::from_secs(60),
    }
}

fn world() -> World {
    World::new(
        "//- /A.cs\nclass A\n{\n    string bad = \"BAD\";\n}\n//- /sub/B.cs\nclass B\n{\n    int n;\n}\n",
    )
}

fn added(world: &World, text: &str) -> Op {
    let request = MemberEdit {
        symbol: "B",
        file: None,
        action: MemberAction::Add { text },
    };
    world.edit(&request).expect("it is planned")
}

fn verified(world: &World, op: &mut Op, with: &VerifyWith) -> Result<Verification, EditError> {
    let (side, _) = (world.index.side(Side::WorkTree, &Silent)).expect("it is indexed");
    verify(&world.index, &side, &world.ops, (op, with), &Silent)
}

#[test]
#[cfg(unix)]
fn only_what_is_new_counts_and_the_work_tree_stays_as_it_is() {
    let world = world();
    let before = world.files();
    let cases = [
        ("int m;", true, &[] as &[&str]),
        (
            "string worse = \"BAD\";",
            false,
            &["sub/B.cs:4 CS0001 it is bad"],
        ),
        ("string odd = \"ODD\";", true, &[]),
        ("string fails = \"FAILS\";", false, &[]),
    ];
    for (text, passes, introduced) in cases {
        let mut op = added(&world, text);
        let found = verified(&world, &mut op, &with(BUILD)).expect("it runs");
        assert_eq!(found.passed, passes, "{text}: {found:#?}");
        let new: Vec<String> = (found.introduced.iter())
            .map(|it| {
                let line = it.line.unwrap_or_default();
                format!("{}:{line} {} {}", it.file, it.code, it.text)
            })
            .collect();
        assert_eq!(new, introduced, "{text}");
        assert_eq!(found.before.diagnostics, 1, "{found:#?}");
        assert_eq!(op.verification.as_ref(), Some(&found));
        assert_eq!(world.files(), before);
        let (allowed, staging) = (
            &Allowed {
                review: ReviewNeeded::Nothing,
                ..Allowed::default()
            },
            Staging::No,
        );
        let applied = apply(
            &world.index.repo,
            &world.ops,
            &mut op,
            (allowed, &staging),
            1,
        );
        assert_eq!(applied.is_ok(), passes, "{text}: {applied:?}");
        if let Err(error) = applied {
            let error = error.to_string();
            assert!(error.contains("finds something new in it"), "{error}");
        }
        if passes {
            world.undo(&mut op).expect("it can be undone");
        }
        assert_eq!(world.files(), before);
    }
}

#[test]
#[cfg(unix)]
fn a_command_that_takes_too_long_is_ended_with_what_it_started() {
    let world = world();
    let mut op = added(&world, "int m;");
    let mark = world.work().join("../late");
    let command = format!("(sleep 2; touch '{}') & wait", mark.display());
    let quick = VerifyWith {
        timeout: Duration::from_millis(200),
        ..with(&command)
    };
    let found = verified(&world, &mut op, &quick).expect("it runs");
    assert!(found.before.timed_out && !found.passed, "{found:#?}");
    std::thread::sleep(Duration::from_millis(2500));
    assert!(!mark.exists(), "what it started goes on");
}

#[test]
#[cfg(unix)]
fn the_copy_has_the_files_of_the_work_tree_and_no_repository() {
    let world = world();
    fs::write(world.work().join("New.cs"), "class New { }\n").expect("it is written");
    std::os::unix::fs::symlink("../..", world.work().join("out")).expect("it is made");
    let mut op = added(&world, "int m;");
    let command = "test -L out && grep -q New New.cs && grep -q 'int n' sub/B.cs && \
                   ! git rev-parse --git-dir 2>/dev/null && test -z \"$GIT_DIR\"";
    let found = verified(&world, &mut op, &with(command)).expect("it runs");
    assert_eq!(found.before.status, Some(0), "{found:#?}");
    assert!(found.passed);
}

#[test]
#[cfg(unix)]
fn files_that_changed_since_are_told() {
    let world = world();
    let mut op = added(&world, "int m;");
    fs::write(world.work().join("sub/B.cs"), "class B { }\n").expect("it is written");
    let refused = verified(&world, &mut op, &with("true"));
    assert!(
        matches!(refused, Err(EditError::Changed { .. })),
        "{refused:?}"
    );
}
