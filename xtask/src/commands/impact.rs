//! `cargo xtask impact`: the impact that `diff-context` tells equals the references that `export` writes.

use std::{
    collections::{BTreeMap, BTreeSet, HashSet},
    fs,
    io::{BufRead, BufReader},
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
    name: "impact",
    summary: "Compare the impact of real commits with the references of both sides",
    help: "
Usage: cargo xtask impact [--commits N] [--store DIR] [--binary FILE] [--show K] REPO...

For each of the newest first-parent commits: every certain reference to a changed symbol in the export of the
commit, and to a removed one in that of its parent, must be in the impact as proven, and nothing else; members
that only one of the exports has must be among the changed symbols.

      --commits N   how many commits [default: 200]
      --store DIR   an index to use and to keep; without it, one is made and thrown away
      --binary FILE the program; without it, the one of this workspace is built
      --show K      how many differences of a commit are printed [default: 5]
  REPO              a git repository

Example:
  cargo xtask impact --commits 50 ../Polly",
    run,
};

const HISTORY_LIMIT: Duration = Duration::from_secs(60 * 60);

fn run(mut arguments: Arguments) -> Result<ExitCode> {
    let (mut n_commits, mut n_shown) = (200, 5);
    let (mut store, mut binary): (Option<PathBuf>, Option<PathBuf>) = (None, None);
    let mut repositories: Vec<PathBuf> = Vec::new();
    while let Some(argument) = arguments.next()? {
        match argument {
            Argument::Option(option) if option == "--commits" => n_commits = arguments.count()?,
            Argument::Option(option) if option == "--show" => n_shown = arguments.count()?,
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
    let scratch = workspace::metadata()?.target_directory.join("impact");
    let mut code = ExitCode::SUCCESS;
    for repository in repositories {
        let own = scratch.join(std::process::id().to_string());
        let check = Check {
            binary: &binary,
            repository: fs::canonicalize(&repository)
                .with_context(|| format!("no such folder: {}", repository.display()))?,
            store: store.clone().unwrap_or_else(|| own.clone()),
            n_shown: n_shown as usize,
        };
        let outcome = check.run(n_commits);
        if own.exists() {
            fs::remove_dir_all(&own)?;
        }
        let name = repository.display();
        match outcome {
            Ok(sum) if sum.n_differences == 0 => println!("ok      {name}: {sum}"),
            Ok(sum) => {
                println!("FAILED  {name}: {sum}");
                code = ExitCode::FAILURE;
            }
            Err(error) => {
                println!("FAILED  {name}: {error:#}");
                code = ExitCode::FAILURE;
            }
        }
    }
    Ok(code)
}

/// What was compared.
#[derive(Default)]
struct Sum {
    n_commits: usize,
    n_symbols: usize,
    n_proven: usize,
    n_differences: usize,
}

impl std::fmt::Display for Sum {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(
            f,
            "{} commits, {} changed symbols, {} proven uses, {} differences",
            self.n_commits, self.n_symbols, self.n_proven, self.n_differences
        )
    }
}

/// What is read of `diff-context --format json`.
#[derive(Deserialize)]
struct Answer {
    types: Vec<TypeChange>,
    impact: Impact,
}

#[derive(Deserialize)]
struct TypeChange {
    renamed_from: Option<String>,
    name: String,
}

#[derive(Deserialize)]
struct Impact {
    symbols: Vec<Symbol>,
}

#[derive(Deserialize)]
struct Symbol {
    id: String,
    side: String,
    n_uses: usize,
    uses: Vec<Use>,
}

#[derive(Deserialize)]
struct Use {
    path: String,
    line: u32,
    column: u32,
    project: String,
    certainty: String,
}

/// What is read of a record of `export`.
#[derive(Deserialize)]
struct Reference {
    f: String,
    l: u32,
    c: u32,
    asm: String,
    to: String,
    sure: Option<bool>,
}

#[derive(Deserialize)]
struct Declared {
    id: String,
    asm: String,
}

#[derive(Deserialize)]
struct Project {
    path: String,
    asm: String,
}

/// What a reference is told apart by: target, file, line, column, assembly.
type Place = (String, String, u32, u32, String);

/// What is kept of an export.
#[derive(Default)]
struct Export {
    /// Types and members, with their assemblies.
    declared: BTreeSet<(String, String)>,
    /// Assemblies by project.
    assemblies: BTreeMap<String, String>,
    /// Certain references to what was asked for.
    references: BTreeSet<Place>,
}

struct Check<'a> {
    binary: &'a Path,
    repository: PathBuf,
    store: PathBuf,
    n_shown: usize,
}

impl Check<'_> {
    fn run(&self, n_commits: u64) -> Result<Sum> {
        let output = hermetic_git(&self.repository)
            .args(["rev-list", "--first-parent", "--reverse", "-n"])
            .args([&(n_commits + 1).to_string(), "HEAD"])
            .stderr(Stdio::inherit())
            .output()?;
        ensure!(output.status.success(), "git failed: {}", output.status);
        let commits = String::from_utf8(output.stdout)?;
        let commits: Vec<&str> = commits.lines().collect();
        let mut indexing = self.cortex();
        indexing.args(["-q", "index", "--history", "HEAD", "--first-parent", "-n"]);
        indexing
            .arg((n_commits + 1).to_string())
            .stdout(Stdio::null());
        let status = run_bounded(&mut indexing, HISTORY_LIMIT)?;
        ensure!(status.success(), "indexing failed: {status}");
        let mut sum = Sum::default();
        let start = Instant::now();
        let mut before: Option<Export> = None;
        for pair in commits.windows(2) {
            before = self
                .compare(pair[0], pair[1], before, &mut sum)
                .with_context(|| format!("at {}", pair[1]))?;
            sum.n_commits += 1;
            if sum.n_commits.is_multiple_of(10) {
                eprintln!("{sum} in {:.0} s", start.elapsed().as_secs_f64());
            }
        }
        Ok(sum)
    }

    /// Compares one commit with its parent; takes and gives back what is known of the export of the older and
    /// newer one.
    fn compare(
        &self,
        old: &str,
        new: &str,
        before: Option<Export>,
        sum: &mut Sum,
    ) -> Result<Option<Export>> {
        let output = self
            .cortex()
            .args(["-q", "diff-context", "--format", "json"])
            .arg(format!("{old}..{new}"))
            .stderr(Stdio::inherit())
            .output()?;
        ensure!(output.status.success(), "the answer is missing");
        let answer: Answer = serde_json::from_slice(&output.stdout)?;
        let symbols = &answer.impact.symbols;
        if symbols.is_empty() && answer.types.is_empty() {
            return Ok(before);
        }
        sum.n_symbols += symbols.len();
        let mut differences: Vec<String> = Vec::new();
        let counts = symbols.iter().filter(|it| it.n_uses != it.uses.len());
        differences.extend(counts.map(|it| format!("{} is cut", it.id)));
        let older = match before {
            Some(known) if symbols.iter().all(|it| it.side == "new") => known,
            _ => self.export(old, symbols, "old")?,
        };
        let exports = [older, self.export(new, symbols, "new")?];
        for (export, side) in exports.iter().zip(["old", "new"]) {
            let mut told: BTreeSet<Place> = BTreeSet::new();
            let mut n_told: BTreeMap<&str, usize> = BTreeMap::new();
            for symbol in symbols.iter().filter(|it| it.side == side) {
                *n_told.entry(&symbol.id).or_default() += 1;
                for used in symbol.uses.iter().filter(|it| it.certainty == "proven") {
                    let asm = export.assemblies.get(&used.project);
                    told.insert((
                        symbol.id.clone(),
                        used.path.clone(),
                        used.line,
                        used.column,
                        asm.cloned().unwrap_or_default(),
                    ));
                }
            }
            sum.n_proven += told.len();
            for place in told.difference(&export.references) {
                differences.push(format!("{side}: told and no reference: {place:?}"));
            }
            // An id that several assemblies declare means one of them: which, the records do not say.
            let is_told_of_all = |id: &str| {
                let first = (id.to_owned(), String::new());
                let declaring = export.declared.range(first..);
                let n = declaring.take_while(|(other, _)| other == id).count();
                n_told.get(id).is_some_and(|&told| told >= n)
            };
            for place in export.references.difference(&told) {
                if is_told_of_all(&place.0) {
                    differences.push(format!("{side}: not told: {place:?}"));
                }
            }
        }
        let known: HashSet<&str> = symbols.iter().map(|it| it.id.as_str()).collect();
        let renamed: Vec<String> = answer
            .types
            .iter()
            .filter(|ty| ty.renamed_from.is_some())
            .map(|ty| format!(":{}", ty.name.replace('+', ".")))
            .collect();
        let [before, mut after] = exports;
        for (id, asm) in after.declared.difference(&before.declared) {
            let of_renamed = renamed.iter().any(|ty| id[1..].starts_with(ty.as_str()));
            if !known.contains(id.as_str()) && !of_renamed {
                differences.push(format!("new and not told: {id} of {asm}"));
            }
        }
        sum.n_differences += differences.len();
        for difference in differences.iter().take(self.n_shown) {
            println!("{new}: {difference}");
        }
        if differences.len() > self.n_shown {
            println!("{new}: {} differences", differences.len());
        }
        after.references.clear();
        Ok(Some(after))
    }

    /// Reads what matters of the export of a commit.
    fn export(&self, commit: &str, symbols: &[Symbol], side: &str) -> Result<Export> {
        let wanted = symbols.iter().filter(|it| it.side == side);
        let wanted: HashSet<&str> = wanted.map(|it| it.id.as_str()).collect();
        let mut child = self
            .cortex()
            .args(["-q", "export", "--at", commit])
            .stdout(Stdio::piped())
            .spawn()?;
        let mut out = Export::default();
        let mut reader = BufReader::with_capacity(1 << 20, child.stdout.take().context("no pipe")?);
        let mut line = String::new();
        loop {
            line.clear();
            if reader.read_line(&mut line)? == 0 {
                break;
            }
            let rest = line.strip_prefix("{\"k\":\"").context("no record")?;
            match rest.split('"').next().unwrap_or_default() {
                "ref" | "use" => {
                    let to = rest.split_once("\"to\":\"").map(|(_, rest)| rest);
                    let to = to.and_then(|rest| rest.split('"').next());
                    if to.is_some_and(|to| wanted.contains(to)) {
                        let found: Reference = serde_json::from_str(&line)?;
                        if found.sure != Some(false) {
                            let place = (found.to, found.f, found.l, found.c, found.asm);
                            out.references.insert(place);
                        }
                    }
                }
                "type" | "member" => {
                    let found: Declared = serde_json::from_str(&line)?;
                    out.declared.insert((found.id, found.asm));
                }
                "project" => {
                    let found: Project = serde_json::from_str(&line)?;
                    out.assemblies.insert(found.path, found.asm);
                }
                _ => {}
            }
        }
        let status = child.wait()?;
        ensure!(status.success(), "export failed: {status}");
        Ok(out)
    }

    fn cortex(&self) -> Process {
        let mut command = Process::new(self.binary);
        command
            .arg("-C")
            .arg(&self.repository)
            .env("GIT_CORTEX_DIR", &self.store);
        command
    }
}
