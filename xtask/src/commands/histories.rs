//! `cargo xtask histories`: incremental equals full, on the commits of real repositories.

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
    name: "histories",
    summary: "Compare the index of a real history with indexes made from nothing",
    help: "
Usage: cargo xtask histories [--commits N] [--every K] REPO...

Indexes the newest first-parent commits of each repository with `git cortex index --history`, then every
K-th of them again from nothing, parse included, and compares the root hashes. The indexes are its own and
are thrown away.

      --commits N   how many commits [default: 1000]
      --every K     compare every K-th [default: 25]
  REPO              a git repository

Example:
  cargo xtask histories --commits 300 --every 10 ../Polly",
    run,
};

const HISTORY_LIMIT: Duration = Duration::from_secs(60 * 60);

/// How many snapshots one command is asked for.
const ASKED_AT_ONCE: usize = 200;

/// What is read of `index --format json`.
#[derive(Deserialize)]
struct Report {
    snapshots: Vec<Reported>,
}

#[derive(Deserialize, PartialEq, Debug)]
struct Reported {
    commit: String,
    root: String,
}

fn run(mut arguments: Arguments) -> Result<ExitCode> {
    let (mut n_commits, mut every) = (1000, 25);
    let mut repositories: Vec<PathBuf> = Vec::new();
    while let Some(argument) = arguments.next()? {
        match argument {
            Argument::Option(option) if option == "--commits" => n_commits = arguments.count()?,
            Argument::Option(option) if option == "--every" => every = arguments.count()?,
            Argument::Value(value) => repositories.push(value.into()),
            other => return other.unexpected(),
        }
    }
    ensure!(!repositories.is_empty(), "name a repository");
    let binary = workspace::build_release_binary()?;
    let scratch = workspace::metadata()?.target_directory.join("histories");
    let mut code = ExitCode::SUCCESS;
    for repository in repositories {
        let check = Check {
            binary: &binary,
            repository: fs::canonicalize(&repository)
                .with_context(|| format!("no such folder: {}", repository.display()))?,
            scratch: scratch.join(std::process::id().to_string()),
        };
        let outcome = check.run(n_commits, every);
        if check.scratch.exists() {
            fs::remove_dir_all(&check.scratch)?;
        }
        match outcome {
            Ok(line) => println!("ok      {}: {line}", repository.display()),
            Err(error) => {
                println!("FAILED  {}: {error:#}", repository.display());
                code = ExitCode::FAILURE;
            }
        }
    }
    Ok(code)
}

struct Check<'a> {
    binary: &'a Path,
    repository: PathBuf,
    scratch: PathBuf,
}

impl Check<'_> {
    fn run(&self, n_commits: u64, every: u64) -> Result<String> {
        let output = hermetic_git(&self.repository)
            .args(["rev-list", "--first-parent", "--reverse", "-n"])
            .args([&n_commits.to_string(), "HEAD"])
            .stderr(Stdio::inherit())
            .output()?;
        ensure!(output.status.success(), "git failed: {}", output.status);
        let commits = String::from_utf8(output.stdout)?;
        let commits: Vec<&str> = commits.lines().collect();

        let start = Instant::now();
        let mut indexing = self.cortex("history");
        indexing.args(["-q", "index", "--history", "HEAD", "--first-parent", "-n"]);
        indexing.arg(n_commits.to_string()).stdout(Stdio::null());
        let status = run_bounded(&mut indexing, HISTORY_LIMIT)?;
        ensure!(status.success(), "indexing failed: {status}");
        let seconds = start.elapsed().as_secs_f64();

        let mut incremental = Vec::new();
        for asked in commits.chunks(ASKED_AT_ONCE) {
            incremental.extend(self.roots("history", asked)?);
        }
        let mut n_compared = 0;
        for (number, known) in incremental.iter().enumerate() {
            if !(number as u64 + 1).is_multiple_of(every) && number + 1 < incremental.len() {
                continue;
            }
            let folder = self.scratch.join("full");
            if folder.exists() {
                fs::remove_dir_all(folder)?;
            }
            let full = self.roots("full", &[&known.commit])?;
            ensure!(
                full == [Reported {
                    commit: known.commit.clone(),
                    root: known.root.clone()
                }],
                "{} has root {} incrementally, and {} from nothing",
                known.commit,
                known.root,
                full[0].root
            );
            n_compared += 1;
        }
        Ok(format!(
            "{} commits in {seconds:.1} s, {:.0} per second; {n_compared} of {n_compared} equal an index from nothing",
            commits.len(),
            commits.len() as f64 / seconds
        ))
    }

    /// The root hashes of the snapshots of commits, in order.
    fn roots(&self, folder: &str, commits: &[&str]) -> Result<Vec<Reported>> {
        let output = self
            .cortex(folder)
            .args(["-q", "index", "--format", "json"])
            .args(commits)
            .stderr(Stdio::inherit())
            .output()?;
        ensure!(
            output.status.success(),
            "indexing failed: {}",
            output.status
        );
        let report: Report = serde_json::from_slice(&output.stdout).context("cannot read it")?;
        ensure!(
            report.snapshots.len() == commits.len(),
            "a snapshot is missing"
        );
        Ok(report.snapshots)
    }

    fn cortex(&self, folder: &str) -> Process {
        let mut command = Process::new(self.binary);
        command
            .arg("-C")
            .arg(&self.repository)
            .env("GIT_CORTEX_DIR", self.scratch.join(folder));
        command
    }
}
