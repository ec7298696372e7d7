//! `cargo xtask corpus`: the release binary on real C# sources.

use std::{
    fs,
    path::{Path, PathBuf},
    process::{Command as Process, ExitCode, Stdio},
    time::{Duration, Instant},
};

use anyhow::{Context, Result, bail, ensure};
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

  REPO   a git repository; without one, C# sources are taken from Debian source packages through
         `apt-get source` (this needs a Debian with `deb-src` lines and the network)

Example:
  cargo xtask corpus ../efcore ../jellyfin",
    run,
};

/// Small to large; each is a tree of real C#.
const SOURCE_PACKAGES: &[&str] = &["log4net", "nunit", "keepass2", "mono"];
const DOWNLOAD_LIMIT: Duration = Duration::from_secs(10 * 60);
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
        repositories = debian_repositories(&scratch)?;
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

/// A git repository for each source package that can be had; kept for the next run.
fn debian_repositories(scratch: &Path) -> Result<Vec<PathBuf>> {
    let mut found = Vec::new();
    for package in SOURCE_PACKAGES {
        let repository = scratch.join(package);
        if repository.join(".git").exists() {
            found.push(repository);
            continue;
        }
        match unpack_source_package(package, &repository) {
            Ok(()) => found.push(repository),
            Err(error) => eprintln!("{package}: {error:#}"),
        }
    }
    if found.is_empty() {
        bail!("no source package could be had; name repositories on the command line");
    }
    Ok(found)
}

fn unpack_source_package(package: &str, repository: &Path) -> Result<()> {
    let downloads = repository.with_extension("download");
    fs::create_dir_all(&downloads)?;
    let mut download = Process::new("apt-get");
    download
        .args(["source", "--download-only", "--quiet", package])
        .current_dir(&downloads)
        .stdout(Stdio::null());
    let status = run_bounded(&mut download, DOWNLOAD_LIMIT)?;
    ensure!(status.success(), "apt-get source failed: {status}");
    let is_upstream = |path: &PathBuf| {
        path.to_string_lossy().contains(".orig.tar.")
            && path.extension().is_some_and(|it| it != "asc")
    };
    let archive = fs::read_dir(&downloads)?
        .filter_map(|entry| Some(entry.ok()?.path()))
        .find(is_upstream)
        .context("the source package has no upstream archive")?;
    fs::create_dir_all(repository)?;
    let mut unpack = Process::new("tar");
    unpack.arg("-xf").arg(&archive).arg("-C").arg(repository);
    ensure!(
        run_bounded(&mut unpack, DOWNLOAD_LIMIT)?.success(),
        "cannot unpack {}",
        archive.display()
    );
    let steps: [&[&str]; 3] = [
        &["init", "--quiet"],
        &["add", "--all", "--force"],
        &[
            "-c",
            "user.name=corpus",
            "-c",
            "user.email=corpus@invalid",
            "commit",
            "--quiet",
            "--message=Import",
        ],
    ];
    for step in steps {
        let status = run_bounded(hermetic_git(repository).args(step), DOWNLOAD_LIMIT)?;
        ensure!(status.success(), "git {} failed", step[0]);
    }
    Ok(())
}
