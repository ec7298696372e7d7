//! The law of edits on a repository: every symbol can get another name and every method other parameters, and the code
//! means what it meant.
//!
//! Owns: which edits are planned, what is counted of them. What an edit promises is checked against an index that is
//! made from nothing ([`oracle`] of renames, [`signatures`]). Must not know: arguments of a command line.

mod candidates;
mod misfits;
mod oracle;
mod report;
mod signatures;

use std::{
    error::Error,
    ffi::OsString,
    fs, io,
    path::{Path, PathBuf},
    sync::Arc,
};

use cortex_git::ConfigScope;
use cortex_index::Launcher;
use cortex_service::{
    NoWatcher, RequestContext, ReviewDecision, ServiceError, Workspace, WorkspaceOptions,
};
use cortex_wire::{
    ApplyRequest, EditAnswer, EditRenameRequest, EditVerdict, ExportRequest, OpRequest,
};
use tempfile::TempDir;

pub use candidates::{Candidate, CandidateKind};
pub use misfits::Misfits;
pub use report::{Report, Rows};

use oracle::Exported;

/// What fails for other reasons than that the law is broken.
pub type Failure = Box<dyn Error>;

/// What is asked of symbols.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Asked {
    /// Types, members, parameters and locals get names that nothing has.
    FreshNames,
    /// They get names that something near has: siblings, and words of the same file.
    HostileNames,
    /// Methods and constructors get one parameter more, one less, or two of them swapped.
    Signatures,
}

impl Asked {
    /// Whether nothing that is asked can change what code means.
    pub fn keeps_meaning(self) -> bool {
        self == Self::FreshNames
    }
}

/// How much is looked at.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Sample {
    /// How many edits are planned.
    pub n_edits: usize,
    /// How many of them are compared with an index that is made from nothing.
    pub n_oracles: usize,
    /// Chooses the symbols, the names and the parameters.
    pub seed: u64,
    /// What is asked.
    pub asked: Asked,
}

/// What one edit changes, by which both exports are compared.
enum Change {
    Name { old: String, new: String },
    Signature(signatures::Change),
}

/// A repository whose symbols are edited. The work tree is written, and is afterwards as it was.
pub struct EditLaw {
    /// Removed with the law.
    scratch: TempDir,
    work: PathBuf,
    /// The same commit, checked out once more.
    twin: PathBuf,
    workspace: Workspace,
}

impl EditLaw {
    /// Checks the newest commit of a repository out, twice, in a temporary folder. Both share the objects of the
    /// repository, which has to stay.
    ///
    /// # Errors
    /// Those of git.
    pub fn new(repository: &Path, machine: Machine) -> Result<Self, Failure> {
        let scratch = tempfile::tempdir()?;
        let [work, twin] = ["work", "twin"].map(|name| scratch.path().join(name));
        let source = repository.to_string_lossy();
        for folder in [&work, &twin] {
            let to = folder.to_string_lossy();
            git(
                repository,
                &["clone", "--quiet", "--shared", &source, &to],
                &[],
            )?;
        }
        let store = scratch.path().join("index");
        Ok(Self {
            workspace: workspace(&work, store, machine),
            scratch,
            work,
            twin,
        })
    }

    /// What binding takes for forbidden in the code as it is. What compiles has none.
    ///
    /// # Errors
    /// Those of the index.
    pub fn misfits(&self) -> Result<Misfits, Failure> {
        misfits::misfits(&self.workspace.index(&context(&self.work))?)
    }

    /// Plans edits, and compares some of them with an index that is made from nothing. `say`: hears of what breaks the
    /// law as soon as it is found, and of how far it is.
    ///
    /// # Errors
    /// Those of git, of the index and of the files.
    pub fn run(
        &self,
        sample: Sample,
        machine: Machine,
        say: &mut dyn FnMut(&str),
    ) -> Result<Report, Failure> {
        let before = export(&self.workspace, &self.work)?;
        let mut random = fastrand::Rng::with_seed(sample.seed);
        let index = self.workspace.index(&context(&self.work))?;
        let candidates = match sample.asked {
            Asked::Signatures => candidates::methods(&index, sample.n_edits, &mut random)?,
            _ => candidates::sample(&index, &before, sample.n_edits, &mut random)?,
        };
        let mut report = Report::default();
        let every = candidates.len().div_ceil(sample.n_oracles.max(1)).max(1);
        // Those that are not looked at because they are refused are made up for by later ones.
        let mut n_due = 0;
        for (at, candidate) in candidates.iter().enumerate() {
            n_due += usize::from(sample.n_oracles > 0 && at.is_multiple_of(every));
            let (change, title, planned) = match sample.asked {
                Asked::Signatures => {
                    let change = signatures::Change::draw(candidate, at, &mut random);
                    let planned = self.sign(candidate, &change);
                    (
                        Change::Signature(change.clone()),
                        change.to_string(),
                        planned,
                    )
                }
                _ => {
                    let new = match sample.asked {
                        Asked::HostileNames => {
                            candidates::hostile_name(candidate, &before, &self.work, &mut random)
                        }
                        _ => candidates::fresh_name(candidate, at),
                    };
                    let title = format!("-> {new}");
                    let planned = self.rename(candidate, &new);
                    let old = candidate.name.clone();
                    (Change::Name { old, new }, title, planned)
                }
            };
            let title = format!("{} {} {title}", candidate.kind.word(), candidate.symbol);
            let problem = report.add(candidate, &planned, sample.asked);
            if let Some(problem) = problem {
                say(&format!("{title}: {problem}"));
            }
            let Ok(answer) = planned else { continue };
            let is_proven = answer.verdict == EditVerdict::Proven;
            let is_asked = is_proven
                || answer.verdict == EditVerdict::NotProven && sample.asked == Asked::FreshNames;
            if n_due > 0 && is_asked {
                n_due -= 1;
                let found = self.compare(&answer, (&before, &change), machine)?;
                let found_any = !found.is_empty();
                report.add_oracle(is_proven, found_any);
                for problem in found {
                    say(&format!("{title}: {} and {problem}", answer.state.word()));
                }
            }
            let request = OpRequest { op: answer.op };
            cortex_service::ops_drop(&self.workspace, &context(&self.work), &request)?;
            if at % 50 == 49 {
                say(&format!("{} of {} edits", at + 1, candidates.len()));
            }
        }
        Ok(report)
    }

    fn rename(&self, candidate: &Candidate, to: &str) -> Result<EditAnswer, ServiceError> {
        let request = EditRenameRequest {
            symbol: candidate.symbol.clone(),
            to: to.to_owned(),
            keep_file: false,
            also: Vec::new(),
        };
        let envelope =
            cortex_service::edit_rename(&self.workspace, &context(&self.work), &request)?;
        Ok(envelope.answer)
    }

    fn sign(
        &self,
        candidate: &Candidate,
        change: &signatures::Change,
    ) -> Result<EditAnswer, ServiceError> {
        let request = change.request(&candidate.symbol);
        let context = context(&self.work);
        let envelope = cortex_service::edit_change_signature(&self.workspace, &context, &request)?;
        Ok(envelope.answer)
    }

    /// What an operation breaks: its patch applied by git and indexed from nothing, applying and undoing it.
    fn compare(
        &self,
        answer: &EditAnswer,
        (before, change): (&Exported, &Change),
        machine: Machine,
    ) -> Result<Vec<String>, Failure> {
        let mut problems = Vec::new();
        let patch = answer.patch.as_bytes();
        for arguments in [&["apply", "--check", "-"][..], &["apply", "-"]] {
            if let Err(error) = git(&self.twin, arguments, patch) {
                return Ok(vec![format!("`git {}`: {error}", arguments.join(" "))]);
            }
        }
        let store = tempfile::tempdir_in(self.scratch.path())?;
        let from_nothing = workspace(&self.twin, store.path().join("index"), machine);
        let after = export(&from_nothing, &self.twin)?;
        problems.extend(match change {
            Change::Name { old, new } => {
                let texts = oracle::Touched::read(answer, &self.work, &self.twin)?;
                oracle::compare(before, &after, oracle::Names { old, new }, &texts)
            }
            Change::Signature(change) => signatures::compare(before, &after, change),
        });
        problems.extend(self.apply_and_undo(answer)?);
        git(&self.twin, &["reset", "--quiet", "--hard"], &[])?;
        git(&self.twin, &["clean", "-fdq"], &[])?;
        Ok(problems)
    }

    /// What applying leaves otherwise than git does, and undoing otherwise than it was.
    fn apply_and_undo(&self, answer: &EditAnswer) -> Result<Vec<String>, Failure> {
        let context = context(&self.work);
        let mut problems = Vec::new();
        let paths: Vec<&str> = (answer.files.iter())
            .flat_map(|file| [Some(&file.file), file.new_file.as_ref()])
            .flatten()
            .map(|path| path.as_str())
            .collect();
        let all = |root: &Path| -> io::Result<Vec<Option<Vec<u8>>>> {
            paths
                .iter()
                .map(|path| read_if_there(&root.join(path)))
                .collect()
        };
        let before = all(&self.work)?;
        let decision = ReviewDecision::Approve("the law of edits".to_owned());
        cortex_service::review(&self.workspace, &context, &answer.op, decision)?;
        let request = ApplyRequest {
            op: answer.op.clone(),
            allow_unproven: true,
            ..ApplyRequest::default()
        };
        cortex_service::ops_apply(&self.workspace, &context, &request)?;
        if all(&self.work)? != all(&self.twin)? {
            problems.push("applying it writes other bytes than `git apply`".to_owned());
        }
        let request = OpRequest {
            op: answer.op.clone(),
        };
        cortex_service::ops_undo(&self.workspace, &context, &request)?;
        if all(&self.work)? != before {
            problems.push("undoing it leaves other bytes".to_owned());
        }
        let status = git(&self.work, &["status", "--porcelain"], &[])?;
        if !status.is_empty() {
            problems.push(format!("undoing it leaves {}", status.trim()));
        }
        Ok(problems)
    }
}

/// Whether .NET and packages of the machine are looked at.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Machine {
    /// They are, as the environment says.
    Seen,
    /// They are not.
    Unseen,
}

fn read_if_there(path: &Path) -> io::Result<Option<Vec<u8>>> {
    match fs::read(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        bytes => bytes.map(Some),
    }
}

fn context(folder: &Path) -> RequestContext<'static> {
    RequestContext::new(folder, &NoWatcher)
}

fn workspace(folder: &Path, store: PathBuf, machine: Machine) -> Workspace {
    let variables = move |name: &str| -> Option<OsString> {
        match name {
            "GIT_CORTEX_DIR" => Some(store.clone().into()),
            "XDG_CONFIG_HOME" => Some(store.with_file_name("nothing").into()),
            "DOTNET_ROOT" | "NUGET_PACKAGES" if machine == Machine::Unseen => {
                Some(store.with_file_name("nothing").into())
            }
            _ if machine == Machine::Seen => std::env::var_os(name),
            _ => None,
        }
    };
    let options = WorkspaceOptions {
        variables: Arc::new(variables),
        config_scope: ConfigScope::RepositoryOnly,
        launcher: Launcher::InProcess,
        parallel: 2,
        freshness: None,
    };
    Workspace::new(folder, options)
}

fn export(workspace: &Workspace, folder: &Path) -> Result<Exported, Failure> {
    let mut bytes = Vec::new();
    let request = ExportRequest::default();
    cortex_service::export_to(workspace, &context(folder), &request, &mut bytes)?;
    Ok(Exported::new(String::from_utf8(bytes)?))
}

/// Runs git without the configuration of the machine.
fn git(folder: &Path, arguments: &[&str], input: &[u8]) -> Result<String, Failure> {
    use std::{
        io::Write,
        process::{Command, Stdio},
    };
    let mut child = Command::new("git")
        .current_dir(folder)
        .args(arguments)
        .env("GIT_CONFIG_GLOBAL", "/dev/null")
        .env("GIT_CONFIG_NOSYSTEM", "1")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()?;
    if let Some(mut stdin) = child.stdin.take() {
        stdin.write_all(input)?;
    }
    let output = child.wait_with_output()?;
    match output.status.success() {
        true => Ok(String::from_utf8_lossy(&output.stdout).into_owned()),
        false => Err(String::from_utf8_lossy(&output.stderr).trim().into()),
    }
}
