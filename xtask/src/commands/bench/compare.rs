//! `cargo xtask bench --compare`: git cortex beside the alternatives, measured in turn.
//!
//! Owns: the order of the works and what each needs to be there. Must not know how a process is measured
//! or a table written.

use std::{
    fs,
    path::{Path, PathBuf},
    process::{Command as Process, ExitCode},
};

use anyhow::{Context, Result, ensure};

use super::{
    measure::measure,
    peers::Peers,
    table::{Row, head, lines, replace_marked},
    works::{Contender, HISTORY, Subject, Work, copy_folder, size_of},
};
use crate::{
    cli::{Argument, Arguments},
    commands::demo::build_at,
    workspace,
};

/// What takes longer, in seconds, is run once.
const LONG: f64 = 60.0;

/// A change of more files than this is shown beside one of few.
const MANY_FILES: usize = 10;

pub(super) fn run(mut arguments: Arguments) -> Result<ExitCode> {
    let (mut n_runs, mut prints) = (5, false);
    let mut repositories: Vec<PathBuf> = Vec::new();
    while let Some(argument) = arguments.next()? {
        match argument {
            Argument::Option(option) if option == "--runs" => n_runs = arguments.count()? | 1,
            Argument::Option(option) if option == "--print" => prints = true,
            Argument::Value(value) => repositories.push(value.into()),
            other => return other.unexpected(),
        }
    }
    if repositories.is_empty() {
        repositories.push(build_at(None)?);
    }
    let binary = workspace::build_release_binary()?;
    let example = ["--package", "cortex-syntax", "--example", "parse_errors"];
    let parser = workspace::build_release(&example, "parse_errors")?;
    let peers = Peers::find();
    let scratch = workspace::metadata()?
        .target_directory
        .join("compare")
        .join(std::process::id().to_string());

    let (build, load_before) = (build()?, load());
    let (mut tables, mut code) = (String::new(), ExitCode::SUCCESS);
    for repository in &repositories {
        let table = fs::canonicalize(repository)
            .context("no such folder")
            .and_then(|it| {
                let subject = Subject::clone(&it, scratch.clone(), (&binary, &parser, &peers))?;
                compare(&subject, n_runs)
            });
        if scratch.exists() {
            fs::remove_dir_all(&scratch)?;
        }
        let name = repository.file_name().unwrap_or(repository.as_os_str());
        match table {
            Ok(table) => tables.push_str(&format!("\n### {}: {table}", name.display())),
            // What was measured of the others is worth having.
            Err(error) => {
                eprintln!("FAILED  {}: {error:#}", repository.display());
                code = ExitCode::FAILURE;
            }
        }
    }
    ensure!(!tables.is_empty(), "nothing was measured");
    let text = format!("{}\n{tables}", preface(&peers, &build, &load_before));
    if prints {
        println!("{text}");
    } else {
        let path = workspace::root().join("docs/performance.md");
        fs::write(
            &path,
            replace_marked(&fs::read_to_string(&path)?, &text)
                .with_context(|| format!("cannot write to {}", path.display()))?,
        )?;
    }
    Ok(code)
}

/// The commit that the sources are at.
fn build() -> Result<String> {
    let output = Process::new("git")
        .args(["describe", "--always", "--exclude=*", "--dirty"])
        .current_dir(workspace::root())
        .output()?;
    Ok(String::from_utf8_lossy(&output.stdout).trim().to_owned())
}

/// What holds for all tables.
fn preface(peers: &Peers, build: &str, load_before: &str) -> String {
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let mut text = format!(
        "Build {build}; {cores} cores, {}; load average {load_before} at the start, {} at the end (of {cores}). \
         Medians (least–most); the commands of one work run in turn, and a ratio is git cortex over the \
         other, the median of the runs pair by pair: below 1, git cortex takes less. CPU is user and system \
         time with children; memory is the largest single process.",
        std::env::consts::OS,
        load(),
    );
    text.push_str(&format!(" Beside it: {}.", peers.versions.join(", ")));
    if !peers.missing.is_empty() {
        text.push_str(&format!(" Not there: {}.", peers.missing.join(", ")));
    }
    text.push('\n');
    text
}

/// How many processes ran or waited in the last minute, five and fifteen.
fn load() -> String {
    let text = fs::read_to_string("/proc/loadavg").unwrap_or_default();
    let words: Vec<&str> = text.split_whitespace().take(3).collect();
    if words.is_empty() {
        return "unknown".to_owned();
    }
    words.join(" ")
}

/// The title, the table and the remarks of one repository.
fn compare(subject: &Subject<'_>, n_runs: u64) -> Result<String> {
    let files = subject.git(&["ls-files", "*.cs"])?;
    let bytes: u64 = (files.lines())
        .map(|path| size_of(&subject.clone.join(path)))
        .sum();
    let mut text = format!(
        "{} C# files, {:.1} MB\n\n{}",
        files.lines().count(),
        bytes as f64 / 1e6,
        head()
    );
    let mut measured = |work: Work| -> Result<Vec<Row>> {
        let rows = run_work(&work, n_runs, &subject.scratch)?;
        text.push_str(&lines(&work.title, &rows));
        Ok(rows)
    };

    let cold = measured(subject.cold())?;
    let is_slow = (cold.iter().flat_map(|row| &row.samples)).any(|it| it.wall > LONG);
    let index = |store: &str, revisions: &[&str]| {
        let words = [&["index"], revisions].concat();
        once(&subject.cortex(store, &words), &subject.scratch)
    };
    index("head", &["HEAD"])?;
    if let Some(name) = (subject.names()?.iter().take(20)).find(|name| {
        let lookup = subject.cortex("head", &["history", name, "-n", "1"]);
        once(&lookup, &subject.scratch).is_ok()
    }) {
        measured(subject.lookup(name))?;
    }

    let length = subject.git(&["rev-list", "--first-parent", "--count", "HEAD"])?;
    let n_commits = length.trim().parse::<usize>()?.saturating_sub(1);
    let n_commits = n_commits.min(HISTORY);
    if n_commits == 0 {
        return Ok(text);
    }
    // What every store that a measured command starts from has.
    let oldest = format!("HEAD~{n_commits}");
    index("old", &[&oldest])?;
    let log = ["log", "--first-parent", "-m", "--no-renames", "--name-only"];
    let of = [
        "--format=commit %H",
        &format!("{oldest}..HEAD"),
        "--",
        "*.cs",
    ];
    let changes = changes(&subject.git(&[&log[..], &of].concat())?);
    let (small, large) = chosen(&changes);
    for (commit, n_files) in [small, large].into_iter().flatten() {
        copy_folder(&subject.store("old"), &subject.store("base"))?;
        index("base", &[&format!("{commit}~1")])?;
        copy_folder(&subject.store("base"), &subject.store("both"))?;
        index("both", &[commit])?;
        for work in subject.commit(commit, *n_files, "base", "both") {
            measured(work)?;
        }
        fs::remove_dir_all(subject.store("both"))?;
        fs::remove_dir_all(subject.store("base"))?;
    }

    let before = size_of(&subject.store("old"));
    let rows = measured(subject.history(n_commits, "old"))?;
    let remark = history_remark(&rows[0], n_commits, before);

    if let Some((commit, n_files)) = small {
        subject.git(&["checkout", "--quiet", "--detach", &format!("{commit}~1")])?;
        index("old", &["HEAD"])?;
        if !is_slow {
            keep_graph(subject)?;
        }
        subject.git(&["checkout", "--quiet", commit, "--", "*.cs"])?;
        measured(subject.edit(*n_files, "old"))?;
    }
    text.push_str(&remark);
    Ok(text)
}

/// Brings the graph of another tool, if there is one, up to the commit that is edited, and keeps a copy.
fn keep_graph(subject: &Subject<'_>) -> Result<()> {
    let graph = subject.clone.join(".codegraph");
    if !graph.exists() {
        return Ok(());
    }
    let cold = subject.cold();
    let Some(build) = cold
        .contenders
        .iter()
        .find(|it| it.leaves.as_ref() == Some(&graph))
    else {
        return Ok(());
    };
    once(build, &subject.scratch)?;
    copy_folder(&graph, &subject.scratch.join("codegraph"))
}

fn once(contender: &Contender, scratch: &Path) -> Result<()> {
    measure(&mut contender.prepared()?, scratch).map(drop)
}

/// Runs the contenders in turn. The first must succeed; one of the others that fails has no samples.
fn run_work(work: &Work, n_runs: u64, scratch: &Path) -> Result<Vec<Row>> {
    eprintln!("── {}", work.title);
    let mut rows: Vec<Row> = (work.contenders.iter())
        .map(|contender| Row {
            label: contender.label.clone(),
            samples: Vec::new(),
            left: None,
        })
        .collect();
    for round in 0..n_runs {
        for (number, contender) in work.contenders.iter().enumerate() {
            let row = &mut rows[number];
            let is_long = row.samples.first().is_some_and(|it| it.wall > LONG);
            if round > 0 && (is_long || row.samples.is_empty()) {
                continue;
            }
            match measure(&mut contender.prepared()?, scratch) {
                Ok(sample) => row.samples.push(sample),
                Err(error) => {
                    ensure!(number > 0, "{error:#}");
                    eprintln!("{}: {error:#}", contender.label);
                    row.samples.clear();
                }
            }
            row.left = contender.leaves.as_deref().map(size_of);
        }
    }
    Ok(rows)
}

/// A commit and how many files it changes.
type Change = (String, usize);

/// Commits, newest first, from what `git log --name-only` says.
fn changes(log: &str) -> Vec<Change> {
    let mut changes: Vec<Change> = Vec::new();
    for line in log.lines().filter(|line| !line.is_empty()) {
        match (line.strip_prefix("commit "), changes.last_mut()) {
            (Some(commit), _) => changes.push((commit.to_owned(), 0)),
            (None, Some((_, n_files))) => *n_files += 1,
            (None, None) => {}
        }
    }
    changes
}

/// The newest of the smallest changes, and the newest of many files.
fn chosen(changes: &[Change]) -> (Option<&Change>, Option<&Change>) {
    let small = (changes.iter().filter(|it| it.1 > 0)).min_by_key(|it| it.1);
    let large = changes.iter().find(|it| it.1 >= MANY_FILES);
    (small, large)
}

fn history_remark(row: &Row, n_commits: usize, before: u64) -> String {
    let walls = row.samples.iter().map(|it| it.wall);
    let Some(wall) = super::measure::spread(walls) else {
        return String::new();
    };
    let grown = row.left.unwrap_or_default().saturating_sub(before);
    format!(
        "\n{n_commits} commits in a row: {:.0} commits per second; the store grows from {:.1} to {:.1} MB, \
         {:.0} KB a commit.\n",
        n_commits as f64 / wall.median,
        before as f64 / 1e6,
        row.left.unwrap_or_default() as f64 / 1e6,
        grown as f64 / 1e3 / n_commits as f64
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_newest_small_and_the_newest_large_change_are_chosen() {
        let files = "x.cs\n".repeat(MANY_FILES);
        let log = format!(
            "commit a\n\nx.cs\ny.cs\ncommit b\n\nx.cs\ncommit c\n\nx.cs\ncommit d\n\n{files}commit e\n\nx.cs\n"
        );
        let changes = changes(&log);
        let counts: Vec<usize> = changes.iter().map(|it| it.1).collect();
        assert_eq!(counts, [2, 1, 1, MANY_FILES, 1]);
        let (small, large) = chosen(&changes);
        assert_eq!(small.map(|it| it.0.as_str()), Some("b"));
        assert_eq!(large.map(|it| it.0.as_str()), Some("d"));
    }
}
