//! `cargo xtask safe-search`: how well `search ask` and `areas` do on labeled repositories.

use std::{
    fmt::Write,
    fs,
    path::{Path, PathBuf},
    process::{Command as Process, ExitCode},
};

use anyhow::{Context, Result, ensure};
use serde::Deserialize;
use serde_json::Value;

use crate::{
    cli::{Argument, Arguments, Command},
    demo::hermetic_git,
    workspace,
};

pub(crate) const COMMAND: Command = Command {
    name: "safe-search",
    summary: "Score `search ask` and `areas` by labeled questions and roots",
    help: "
Usage: cargo xtask safe-search [--store DIR] [--binary FILE] [--show] REPO...

Each REPO is a clone of a repository for which `corpus/safe-search` has labels, with the labeled commit checked
out. Prints, for each and for all: the tokens of the answers against those of a plain recursive search, with the
part of the labeled files that both find; how often the right area was chosen to get most of the budget; how many labeled
roots were detected; and what routing costs before anything is searched, with a warm index.

A token counts as four characters; lines of the plain search count up to 500 characters.

      --store DIR   a folder for indexes to use and to keep; without it, they are made and thrown away
      --binary FILE the program; without it, the one of this workspace is built
      --show        print each question
  REPO              a git repository

Example:
  cargo xtask safe-search ../Radarr ../bicep ../semantic-kernel",
    run,
};

/// Labels of one repository.
#[derive(Deserialize)]
struct Labels {
    repository: String,
    commit: String,
    root: Vec<Root>,
    question: Vec<Question>,
}

#[derive(Deserialize)]
struct Root {
    language: String,
    root: String,
}

#[derive(Deserialize)]
struct Question {
    query: String,
    plain: String,
    /// The language of the right area, where its folder has several.
    language: Option<String>,
    area: String,
    files: Vec<String>,
}

/// What is counted.
#[derive(Default)]
struct Sum {
    n_questions: usize,
    tokens: usize,
    plain_tokens: usize,
    n_files: usize,
    found: usize,
    plain_found: usize,
    routed: usize,
    n_roots: usize,
    detected: usize,
    n_further: usize,
    overheads: Vec<f64>,
}

impl Sum {
    fn add(&mut self, other: Self) {
        self.n_questions += other.n_questions;
        self.tokens += other.tokens;
        self.plain_tokens += other.plain_tokens;
        self.n_files += other.n_files;
        self.found += other.found;
        self.plain_found += other.plain_found;
        self.routed += other.routed;
        self.n_roots += other.n_roots;
        self.detected += other.detected;
        self.n_further += other.n_further;
        self.overheads.extend(other.overheads);
    }
}

impl std::fmt::Display for Sum {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let mut overheads = self.overheads.clone();
        overheads.sort_by(f64::total_cmp);
        let median = overheads.get(overheads.len() / 2).copied().unwrap_or(0.0);
        let worst = overheads.last().copied().unwrap_or(0.0);
        let saved = 100.0 * (1.0 - self.tokens as f64 / self.plain_tokens.max(1) as f64);
        write!(
            f,
            "{} questions: {} tokens, plain {} ({saved:.1} % less); files found {} of {}, plain {}; routed right {}; \
             roots {} of {}, {} further; overhead {median:.1} ms, at most {worst:.1}",
            self.n_questions,
            self.tokens,
            self.plain_tokens,
            self.found,
            self.n_files,
            self.plain_found,
            self.routed,
            self.detected,
            self.n_roots,
            self.n_further,
        )
    }
}

fn run(mut arguments: Arguments) -> Result<ExitCode> {
    let (mut store, mut binary): (Option<PathBuf>, Option<PathBuf>) = (None, None);
    let mut repositories: Vec<PathBuf> = Vec::new();
    let mut is_shown = false;
    while let Some(argument) = arguments.next()? {
        match argument {
            Argument::Option(option) if option == "--show" => is_shown = true,
            Argument::Option(option) if option == "--binary" => {
                binary = Some(arguments.value()?.into());
            }
            Argument::Option(option) if option == "--store" => {
                store = Some(arguments.value()?.into());
            }
            Argument::Value(value) => repositories.push(value.into()),
            other => return other.unexpected(),
        }
    }
    ensure!(!repositories.is_empty(), "name a repository");
    let binary = match binary {
        Some(binary) => fs::canonicalize(binary)?,
        None => workspace::build_release_binary()?,
    };
    let labels = labels()?;
    let scratch = workspace::metadata()?.target_directory.join("safe-search");
    let mut all = Sum::default();
    for repository in &repositories {
        let folder = fs::canonicalize(repository)
            .with_context(|| format!("no such folder: {}", repository.display()))?;
        let head = hermetic_git(&folder)
            .args(["rev-parse", "HEAD"])
            .output()
            .context("run git")?;
        let head = String::from_utf8_lossy(&head.stdout).trim().to_owned();
        let own = labels.iter().find(|it| it.commit == head);
        let own = own.with_context(|| {
            format!("no labels for commit `{head}` of {}", repository.display())
        })?;
        let kept = store.clone().unwrap_or_else(|| scratch.clone()).join(&head);
        fs::create_dir_all(&kept)?;
        let check = Check {
            binary: &binary,
            repository: &folder,
            store: &kept,
            is_shown,
        };
        let sum = check.run(own);
        if store.is_none() {
            fs::remove_dir_all(&kept)?;
        }
        let sum = sum?;
        println!("{}: {sum}", own.repository);
        all.add(sum);
    }
    println!("all: {all}");
    Ok(ExitCode::SUCCESS)
}

fn labels() -> Result<Vec<Labels>> {
    let mut out = Vec::new();
    for entry in fs::read_dir(workspace::root().join("corpus/safe-search"))? {
        let path = entry?.path();
        if path.extension().is_some_and(|it| it == "toml") {
            let text = fs::read_to_string(&path)?;
            out.push(toml::from_str(&text).with_context(|| format!("read {}", path.display()))?);
        }
    }
    Ok(out)
}

struct Check<'c> {
    binary: &'c Path,
    repository: &'c Path,
    store: &'c Path,
    is_shown: bool,
}

impl Check<'_> {
    fn run(&self, labels: &Labels) -> Result<Sum> {
        let mut sum = Sum::default();
        let areas = self.json(&["areas", "--format", "json"])?;
        let areas = areas["answer"]["areas"]
            .as_array()
            .cloned()
            .unwrap_or_default();
        let is = |area: &Value, root: &Root| {
            area["root"] == root.root.as_str() && area["language"] == root.language.as_str()
        };
        sum.n_roots = labels.root.len();
        for root in &labels.root {
            let is_found = areas.iter().any(|area| is(area, root));
            sum.detected += usize::from(is_found);
            if self.is_shown && !is_found {
                println!("  not detected: {} `{}`", root.language, root.root);
            }
        }
        sum.n_further = areas
            .iter()
            .filter(|area| !labels.root.iter().any(|root| is(area, root)))
            .count();
        for question in &labels.question {
            self.ask(question, &areas, &mut sum)?;
        }
        Ok(sum)
    }

    fn ask(&self, question: &Question, areas: &[Value], sum: &mut Sum) -> Result<()> {
        let ask = ["search", "safe", &question.query];
        let text = self.text(&ask)?;
        let printed = self.json(&[&ask[..], &["--format", "json", "--timing"]].concat())?;
        let json = &printed["answer"];
        let plain = self.plain(&question.plain)?;
        let lines: String = plain.lines().fold(String::new(), |mut out, line| {
            let end = line.char_indices().nth(500).map_or(line.len(), |it| it.0);
            let _ = writeln!(out, "{}", &line[..end]);
            out
        });
        // What is told to a reader counts.
        let has = |file: &&String| {
            let rest = |line: &str| line.strip_prefix(file.as_str()).map(str::to_owned);
            let is_end =
                |rest: String| rest.is_empty() || rest.starts_with(" [") || rest.starts_with(" +");
            text.lines().filter_map(rest).any(is_end)
        };
        let has_plain = |file: &&String| {
            let start = format!("{file}:");
            plain.lines().any(|line| line.starts_with(&start))
        };
        let found = question.files.iter().filter(has).count();
        let plain_found = question.files.iter().filter(has_plain).count();
        let routed_to = areas.iter().find(|it| it["name"] == json["routedTo"]);
        let is_routed = routed_to.is_some_and(|area| {
            let language = question.language.as_deref();
            area["root"] == question.area.as_str()
                && language.is_none_or(|language| area["language"] == language)
        });
        let overhead = printed["timing"]["overheadMicros"].as_f64();
        let overhead = overhead.map_or(f64::MAX, |micros| micros / 1_000.0);
        if self.is_shown {
            println!(
                "  {:6} tokens, plain {:6}; {found} of {}, plain {plain_found}; {} {overhead:5.1} ms  {}",
                tokens(&text),
                tokens(&lines),
                question.files.len(),
                match is_routed {
                    true => "right".to_owned(),
                    false => format!("not to {}", json["routedTo"]),
                },
                question.query,
            );
        }
        sum.n_questions += 1;
        sum.tokens += tokens(&text);
        sum.plain_tokens += tokens(&lines);
        sum.n_files += question.files.len();
        sum.found += found;
        sum.plain_found += plain_found;
        sum.routed += usize::from(is_routed);
        sum.overheads.push(overhead);
        Ok(())
    }

    fn text(&self, arguments: &[&str]) -> Result<String> {
        let output = Process::new(self.binary)
            .arg("-C")
            .arg(self.repository)
            .args(["--quiet"])
            .args(arguments)
            .env("GIT_CORTEX_DIR", self.store)
            .output()
            .context("run git cortex")?;
        ensure!(
            matches!(output.status.code(), Some(0 | 1)),
            "{arguments:?}: {}",
            String::from_utf8_lossy(&output.stderr)
        );
        Ok(String::from_utf8_lossy(&output.stdout).into_owned())
    }

    fn json(&self, arguments: &[&str]) -> Result<Value> {
        Ok(serde_json::from_str(&self.text(arguments)?)?)
    }

    /// The lines that a recursive search finds.
    fn plain(&self, pattern: &str) -> Result<String> {
        let output = hermetic_git(self.repository)
            .args(["grep", "-nIiE", pattern])
            .output()
            .context("run git grep")?;
        Ok(String::from_utf8_lossy(&output.stdout).into_owned())
    }
}

fn tokens(text: &str) -> usize {
    text.chars().count().div_ceil(4)
}
