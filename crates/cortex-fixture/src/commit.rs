//! Commits trees to a real repository, in one run of `git fast-import`.

use std::{
    collections::BTreeMap,
    io::{self, Write},
    path::Path,
    process::{Command, Stdio},
};

use crate::Fixture;

impl Fixture {
    /// Creates a repository in an empty folder, whose branch `main` has one commit with this tree.
    pub fn commit_into(&self, folder: &Path) -> io::Result<()> {
        let tree: BTreeMap<String, String> = self.tree().into_iter().collect();
        Self::commit_all_into(&[tree], folder)
    }

    /// Creates a repository in an empty folder, whose branch `main` has these trees (path to content)
    /// as commits, oldest first. Nothing is checked out. Equal trees give equal commits.
    pub fn commit_all_into(trees: &[BTreeMap<String, String>], folder: &Path) -> io::Result<()> {
        run(git(folder).args(["init", "-q", "-b", "main"]))?;
        let mut import = git(folder)
            .args(["fast-import", "--quiet", "--force"])
            .stdin(Stdio::piped())
            .spawn()?;
        let mut stream = Vec::new();
        for (number, tree) in trees.iter().enumerate() {
            let time = 1_700_000_000 + number;
            writeln!(
                stream,
                "commit refs/heads/main\ncommitter T <t@example.org> {time} +0000\ndata 0\ndeleteall"
            )?;
            for (path, text) in tree {
                writeln!(
                    stream,
                    "M 100644 inline {path}\ndata {}\n{text}",
                    text.len()
                )?;
            }
        }
        stream.extend_from_slice(b"done\n");
        if let Some(input) = &mut import.stdin {
            input.write_all(&stream)?;
        }
        let status = import.wait()?;
        if status.success() {
            Ok(())
        } else {
            Err(io::Error::other("git fast-import failed"))
        }
    }

    /// Runs `git` in a folder, isolated from the configuration of the machine.
    pub fn git(folder: &Path, arguments: &[&str]) -> io::Result<()> {
        run(git(folder).args(arguments))
    }
}

/// Runs `git` in a folder, isolated from the configuration of the machine and with one author at one time; returns what
/// it prints.
pub fn run_git(folder: &Path, arguments: &[&str]) -> io::Result<String> {
    // Git would put a file in the place of `/dev/null`.
    assert!(
        !arguments.contains(&"--global"),
        "tests do not write the user's configuration"
    );
    let mut command = git(folder);
    for who in ["AUTHOR", "COMMITTER"] {
        command
            .env(format!("GIT_{who}_NAME"), "A U Thor")
            .env(format!("GIT_{who}_EMAIL"), "author@example.com")
            .env(format!("GIT_{who}_DATE"), "2026-01-02T03:04:05Z");
    }
    // Maintenance after a commit would still write in the folder when a test removes it.
    let output = command
        .args(["-c", "maintenance.auto=false", "-c", "gc.auto=0"])
        .args(["-c", "core.fileMode=true"])
        .args(arguments)
        .stdin(Stdio::null())
        .output()?;
    let errors = String::from_utf8_lossy(&output.stderr);
    match output.status.success() {
        true => Ok(String::from_utf8_lossy(&output.stdout).into_owned()),
        false => Err(io::Error::other(errors.into_owned())),
    }
}

fn run(command: &mut Command) -> io::Result<()> {
    let status = command.status()?;
    if status.success() {
        Ok(())
    } else {
        Err(io::Error::other(format!("{command:?} failed")))
    }
}

fn git(folder: &Path) -> Command {
    let mut command = Command::new("git");
    command.current_dir(folder);
    for variable in [
        "GIT_DIR",
        "GIT_WORK_TREE",
        "GIT_INDEX_FILE",
        "GIT_OBJECT_DIRECTORY",
    ] {
        command.env_remove(variable);
    }
    command
        .env("GIT_CONFIG_NOSYSTEM", "1")
        .env("GIT_CONFIG_GLOBAL", "/dev/null")
        .env("HOME", folder);
    command
}

#[cfg(test)]
mod tests {
    use crate::Fixture;

    #[test]
    fn a_fixture_becomes_a_commit() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let fixture = Fixture::parse("//- /src/A.cs\nclass A { }\n");
        fixture
            .commit_into(folder.path())
            .expect("git makes the commit");
        Fixture::git(folder.path(), &["reset", "-q", "--hard"]).expect("git checks it out");
        let text =
            std::fs::read_to_string(folder.path().join("src/A.cs")).expect("the file is there");
        assert_eq!(text, fixture.files[0].text);
        assert!(folder.path().join("App.csproj").exists());
    }
}
