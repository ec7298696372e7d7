//! Builds the demonstration repository from `fixtures/demo/history`.
//!
//! Owns: the format of that folder (described in `fixtures/demo/README.md`) and the fixed surroundings
//! that make equal files give equal commit ids. Must not know what the files mean.

use std::{
    fs,
    io::Write,
    path::{Path, PathBuf},
    process::{Command, Stdio},
};

use anyhow::{Context, Result, ensure};

use crate::workspace;

const AUTHOR: &str = "Kilnhouse Maintainers <maintainers@kilnhouse.example>";
/// The first commit's time, in seconds since 1970; each further commit is a day younger.
const FIRST_COMMIT: u64 = 1_756_720_800;
const SECONDS_PER_DAY: u64 = 86_400;

/// The folder of the demonstration's history.
#[must_use]
pub fn history() -> PathBuf {
    workspace::root().join("fixtures/demo/history")
}

/// Makes a repository with a work tree at `destination` from a history, replacing an older one.
///
/// # Errors
/// When `destination` exists and is not a repository that this function made, when a file cannot be
/// read or written, when the history breaks its format, or when `git` fails.
pub fn build(history: &Path, destination: &Path) -> Result<()> {
    let marker = destination.join(".git/demonstration");
    if destination.exists() {
        let is_empty = fs::read_dir(destination)?.next().is_none();
        ensure!(
            is_empty || marker.exists(),
            "{} is neither empty nor a demonstration repository",
            destination.display()
        );
        fs::remove_dir_all(destination)?;
    }
    fs::create_dir_all(destination)?;
    let stream = fast_import_stream(history)?;
    let init = [
        "init",
        "--quiet",
        "--initial-branch=main",
        "--object-format=sha1",
    ];
    run(hermetic_git(destination).args(init), b"")?;
    fs::write(&marker, "made by `cargo xtask demo`\n")?;
    run(
        hermetic_git(destination).args(["fast-import", "--quiet"]),
        &stream,
    )?;
    run(
        hermetic_git(destination).args(["reset", "--quiet", "--hard"]),
        b"",
    )
}

/// A `git` command that no configuration, template or environment of the machine can change.
#[must_use]
pub fn hermetic_git(folder: &Path) -> Command {
    let mut command = Command::new("git");
    for (name, _) in std::env::vars_os() {
        if name.as_encoded_bytes().starts_with(b"GIT_") {
            command.env_remove(name);
        }
    }
    command
        .current_dir(folder)
        .env("GIT_CONFIG_NOSYSTEM", "1")
        .env(
            "GIT_CONFIG_GLOBAL",
            if cfg!(windows) { "NUL" } else { "/dev/null" },
        )
        .env("GIT_CEILING_DIRECTORIES", folder.parent().unwrap_or(folder))
        .env("LC_ALL", "C")
        .env("TZ", "UTC")
        .args(["-c", "core.autocrlf=false", "-c", "core.fileMode=false"])
        .args(["-c", "init.templateDir=", "-c", "core.hooksPath="])
        // It would go on beside its caller, in a folder that the caller thinks its own.
        .args(["-c", "maintenance.auto=false", "-c", "gc.auto=0"]);
    command
}

fn run(command: &mut Command, input: &[u8]) -> Result<()> {
    let mut child = command
        .stdin(Stdio::piped())
        .spawn()
        .context("cannot start git")?;
    let written = child
        .stdin
        .take()
        .expect("the input is piped")
        .write_all(input);
    ensure!(child.wait()?.success(), "git failed: {command:?}");
    written.context("git did not read its input")
}

/// The whole history in the language of `git fast-import`.
fn fast_import_stream(history: &Path) -> Result<Vec<u8>> {
    let mut stream = Vec::new();
    for (number, commit) in (0..).zip(sorted_entries(history)?) {
        append_commit(
            &mut stream,
            &commit,
            FIRST_COMMIT + number * SECONDS_PER_DAY,
        )
        .with_context(|| format!("cannot read the commit {}", commit.display()))?;
    }
    ensure!(!stream.is_empty(), "{} holds no commit", history.display());
    Ok(stream)
}

fn append_commit(stream: &mut Vec<u8>, commit: &Path, time: u64) -> Result<()> {
    let message = fs::read(commit.join("message.txt")).context("message.txt")?;
    write!(
        stream,
        "commit refs/heads/main\ncommitter {AUTHOR} {time} +0000\n"
    )?;
    append_data(stream, &message)?;
    for line in lines_of(&commit.join("rename.txt"))? {
        let (old, new) = line
            .split_once(" -> ")
            .with_context(|| format!("rename.txt: `{line}` has no ` -> `"))?;
        writeln!(stream, "R {} {}", quoted(old), quoted(new))?;
    }
    for path in lines_of(&commit.join("delete.txt"))? {
        writeln!(stream, "D {}", quoted(&path))?;
    }
    let files = commit.join("files");
    let mut folders = vec![files.clone()];
    while let Some(folder) = folders.pop() {
        for entry in sorted_entries(&folder)? {
            if entry.is_dir() {
                folders.push(entry);
                continue;
            }
            let path = entry
                .strip_prefix(&files)
                .expect("the walk stays below its root");
            let path = path
                .to_str()
                .context("a path is not UTF-8")?
                .replace('\\', "/");
            writeln!(stream, "M 100644 inline {}", quoted(&path))?;
            append_data(stream, &fs::read(&entry)?)?;
        }
    }
    stream.push(b'\n');
    Ok(())
}

fn append_data(stream: &mut Vec<u8>, data: &[u8]) -> Result<()> {
    writeln!(stream, "data {}", data.len())?;
    stream.extend_from_slice(data);
    stream.push(b'\n');
    Ok(())
}

/// A path as `fast-import` reads it when it may hold spaces.
fn quoted(path: &str) -> String {
    format!("\"{}\"", path.replace('\\', r"\\").replace('"', "\\\""))
}

/// The lines of a list that need not exist.
fn lines_of(file: &Path) -> Result<Vec<String>> {
    match fs::read_to_string(file) {
        Ok(text) => Ok(text.lines().map(str::to_owned).collect()),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(Vec::new()),
        Err(error) => Err(error).with_context(|| file.display().to_string()),
    }
}

fn sorted_entries(folder: &Path) -> Result<Vec<PathBuf>> {
    if !folder.exists() {
        return Ok(Vec::new());
    }
    let entries = fs::read_dir(folder).with_context(|| folder.display().to_string())?;
    let mut paths = entries
        .map(|entry| Ok(entry?.path()))
        .collect::<Result<Vec<_>>>()?;
    paths.sort();
    Ok(paths)
}
