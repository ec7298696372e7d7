//! `cargo xtask corpus`: the release binary on real C# sources.

mod debian;

use std::{
    fs,
    path::{Path, PathBuf},
    process::{Command as Process, ExitCode, Stdio},
    time::{Duration, Instant},
};

use anyhow::{Context, Result, ensure};
use serde::Deserialize;

use crate::{
    cli::{Argument, Arguments, Command},
    demo::hermetic_git,
    process::run_bounded,
    workspace,
};

pub(crate) const COMMAND: Command = Command {
    name: "corpus",
    summary: "Index real repositories and check that every file is accounted for",
    help: "
Usage: cargo xtask corpus [REPO]...

Indexes each repository with the release binary, into an index of its own that is thrown away, and checks
that git's count of tracked C# files is what `git cortex status` counts, and that indexed and skipped files add up to it.

  REPO   a git repository; without one, the C# of some Debian source packages is fetched with apt-get
         (about 130 MB, once) and put into repositories in cargo's target folder

Example:
  cargo xtask corpus ../efcore ../jellyfin",
    run,
};

const INDEX_LIMIT: Duration = Duration::from_secs(20 * 60);

/// What is read of `status --format json`.
#[derive(Deserialize)]
struct Status {
    files: FileCounts,
}

/// Counts of C# files in the commit.
#[derive(Deserialize)]
struct FileCounts {
    tracked: u64,
    indexed: u64,
    skipped: u64,
    degraded: u64,
}

fn run(mut arguments: Arguments) -> Result<ExitCode> {
    let mut repositories: Vec<PathBuf> = Vec::new();
    while let Some(argument) = arguments.next()? {
        match argument {
            Argument::Value(value) => repositories.push(value.into()),
            other => return other.unexpected(),
        }
    }
    let binary = workspace::build_release_binary()?;
    let scratch = workspace::metadata()?.target_directory.join("corpus");
    if repositories.is_empty() {
        repositories = debian::repositories(&scratch)?;
    }
    let mut code = ExitCode::SUCCESS;
    for repository in repositories {
        match check_repository(&binary, &repository, &scratch.join("index")) {
            Ok(line) => println!("ok      {}: {line}", repository.display()),
            Err(error) => {
                println!("FAILED  {}: {error:#}", repository.display());
                code = ExitCode::FAILURE;
            }
        }
    }
    Ok(code)
}

fn check_repository(binary: &Path, repository: &Path, index: &Path) -> Result<String> {
    let repository = fs::canonicalize(repository).context("no such folder")?;
    if index.exists() {
        fs::remove_dir_all(index)?;
    }
    let cortex = || {
        let mut command = Process::new(binary);
        command
            .arg("-C")
            .arg(&repository)
            .env("GIT_CORTEX_DIR", index);
        command
    };
    let start = Instant::now();
    let mut indexing = cortex();
    indexing
        .args(["index", "--format", "json"])
        .stdout(Stdio::null());
    let status = run_bounded(&mut indexing, INDEX_LIMIT)?;
    ensure!(status.success(), "indexing failed: {status}");
    let time = start.elapsed().as_secs_f64();

    let output = cortex()
        .args(["status", "--format", "json"])
        .stderr(Stdio::inherit())
        .output()?;
    ensure!(output.status.success(), "status failed: {}", output.status);
    let Status { files } =
        serde_json::from_slice(&output.stdout).context("cannot read the status")?;
    let tracked = tracked_sources(&repository)?;
    ensure!(
        files.tracked == tracked,
        "git tracks {tracked} C# files, status counts {}",
        files.tracked
    );
    ensure!(
        files.indexed + files.skipped == files.tracked,
        "{} indexed and {} skipped are not {} tracked",
        files.indexed,
        files.skipped,
        files.tracked
    );
    Ok(format!(
        "{tracked} C# files in {time:.1} s, {} skipped, {} degraded",
        files.skipped, files.degraded
    ))
}

/// Regular C# files of `HEAD`, as git itself counts them.
fn tracked_sources(repository: &Path) -> Result<u64> {
    let output = hermetic_git(repository)
        .args([
            "-c",
            "safe.directory=*",
            "ls-tree",
            "-r",
            "-z",
            "--full-tree",
            "HEAD",
        ])
        .output()?;
    ensure!(output.status.success(), "git ls-tree failed");
    let entries = output.stdout.split(|byte| *byte == 0);
    let sources = entries.filter(|it| it.starts_with(b"100") && it.ends_with(b".cs"));
    Ok(sources.count() as u64)
}
