//! What is compared on one repository: pieces of work, each as the commands that do it.
//!
//! The first command of a work is that of git cortex. Everything happens in a clone that shares the objects
//! of the repository; the repository itself is read and nothing else.

use std::{
    ffi::OsString,
    fs,
    path::{Path, PathBuf},
    process::{Command, Stdio},
};

use anyhow::{Context, Result, ensure};

use super::peers::{Peer, Peers};
use crate::demo::hermetic_git;

/// How many commits are indexed in a row.
pub(super) const HISTORY: usize = 200;

/// The rule of ast-grep that finds a name where it is a name.
const NAME_RULE: &str = "{ id: name, language: csharp, rule: { kind: identifier, regex: ^NAME$ } }";

/// One command, with what is done before each run.
pub(super) struct Contender {
    pub(super) label: String,
    /// Folders as they must be before a run: where, and what it is a copy of; `None` for nothing there.
    pub(super) folders: Vec<(PathBuf, Option<PathBuf>)>,
    words: Vec<OsString>,
    folder: PathBuf,
    store: PathBuf,
    /// What to tell the size of.
    pub(super) leaves: Option<PathBuf>,
}

/// A piece of work and who does it.
pub(super) struct Work {
    pub(super) title: String,
    pub(super) contenders: Vec<Contender>,
}

/// A clone with the commits and names that the works are about.
pub(super) struct Subject<'a> {
    pub(super) binary: &'a Path,
    pub(super) parser: &'a Path,
    pub(super) peers: &'a Peers,
    pub(super) scratch: PathBuf,
    pub(super) clone: PathBuf,
}

impl Contender {
    /// Restores the folders and answers the command to run.
    pub(super) fn prepared(&self) -> Result<Command> {
        for (folder, origin) in &self.folders {
            if folder.exists() {
                fs::remove_dir_all(folder)?;
            }
            if let Some(origin) = origin {
                copy_folder(origin, folder)?;
            }
        }
        let mut command = Command::new(&self.words[0]);
        command
            .args(&self.words[1..])
            .current_dir(&self.folder)
            .env("GIT_CORTEX_DIR", &self.store);
        Ok(command)
    }
}

impl<'a> Subject<'a> {
    /// Clones a repository into `scratch`.
    pub(super) fn clone(
        repository: &Path,
        scratch: PathBuf,
        (binary, parser, peers): (&'a Path, &'a Path, &'a Peers),
    ) -> Result<Self> {
        fs::create_dir_all(&scratch)?;
        let clone = scratch.join("clone");
        let status = hermetic_git(&scratch)
            .args(["-c", "safe.directory=*", "clone", "--quiet", "--shared"])
            .arg("--no-checkout")
            .args([repository, &clone])
            .status()?;
        ensure!(status.success(), "git clone failed: {status}");
        let subject = Self {
            binary,
            parser,
            peers,
            scratch,
            clone,
        };
        subject.git(&["read-tree", "HEAD"])?;
        // A file whose object is not there, as in a partial clone, is no reason to stop, unless it is C#.
        let all = subject.git(&["checkout-index", "--all", "--force", "--quiet"]);
        if all.is_err() {
            subject.git(&["checkout", "--quiet", "HEAD", "--", "*.cs"])?;
        }
        subject.git(&["update-index", "--refresh", "-q"]).ok();
        Ok(subject)
    }

    /// What git says in the clone.
    pub(super) fn git(&self, words: &[&str]) -> Result<String> {
        let output = hermetic_git(&self.clone)
            .args(words)
            .stderr(Stdio::inherit())
            .output()?;
        ensure!(output.status.success(), "git {} failed", words.join(" "));
        String::from_utf8(output.stdout).context("git does not answer in UTF-8")
    }

    /// The place of a store.
    pub(super) fn store(&self, name: &str) -> PathBuf {
        self.scratch.join(format!("store-{name}"))
    }

    /// A command of git cortex on a store, which is not restored before runs.
    pub(super) fn cortex(&self, store: &str, words: &[&str]) -> Contender {
        let mut all = vec![self.binary.into(), "-q".into()];
        all.extend(words.iter().map(OsString::from));
        Contender {
            label: format!("git cortex {}", words.join(" ")),
            folders: Vec::new(),
            words: all,
            folder: self.clone.clone(),
            store: self.store(store),
            leaves: None,
        }
    }

    /// The same, on a store that is made anew for each run: empty, or as `origin`.
    fn cortex_from(&self, origin: Option<&str>, words: &[&str]) -> Contender {
        let mut contender = self.cortex("run", words);
        let origin = origin.map(|name| self.store(name));
        contender.folders.push((self.store("run"), origin));
        contender
    }

    fn other(&self, label: &str, words: Vec<OsString>) -> Contender {
        Contender {
            label: label.to_owned(),
            folders: Vec::new(),
            words,
            folder: self.clone.clone(),
            store: self.store("none"),
            leaves: None,
        }
    }

    /// A command of a peer, if it is here. `label` says the words without paths.
    fn peer(&self, peer: Peer, label: &str, words: &[&str]) -> Option<Contender> {
        let mut all = self.peers.command(peer)?;
        all.extend(words.iter().map(OsString::from));
        Some(self.other(label, all))
    }

    fn tags(&self) -> PathBuf {
        self.scratch.join("tags")
    }

    fn ctags(&self) -> Option<Contender> {
        let tags = self.tags();
        let words = ["-R", "--languages=C#", "-f", tags.to_str()?, "."];
        let mut ctags = self.peer(Peer::Ctags, "ctags -R --languages=C# -f TAGS", &words)?;
        ctags.leaves = Some(tags);
        Some(ctags)
    }

    fn codegraph(&self, label: &str) -> Option<Contender> {
        let mut codegraph = self.peer(Peer::Codegraph, label, &["build", "."])?;
        let graph = self.clone.join(".codegraph");
        codegraph.leaves = Some(graph);
        Some(codegraph)
    }

    /// Everything from nothing.
    pub(super) fn cold(&self) -> Work {
        let mut cortex = self.cortex_from(None, &["index", "HEAD"]);
        cortex.leaves = Some(self.store("run"));
        let parser = vec![self.parser.into(), "--parser".into(), ".".into()];
        let mut contenders = vec![cortex, self.other("tree-sitter alone, one thread", parser)];
        contenders.extend(self.ctags());
        if let Some(mut codegraph) = self.codegraph("codegraph build") {
            codegraph
                .folders
                .push((self.clone.join(".codegraph"), None));
            contenders.push(codegraph);
        }
        let title = "cold index".to_owned();
        Work { title, contenders }
    }

    /// Where is `name`? The stores, tags and graph of [`Subject::cold`] are there.
    pub(super) fn lookup(&self, name: &str) -> Work {
        let mut contenders = vec![
            self.cortex("head", &["history", name, "-n", "1"]),
            self.cortex("head", &["status", "--at", "HEAD"]),
        ];
        let git = ["git", "grep", "-n", "-w", name, "--", "*.cs"];
        let git = git.iter().map(OsString::from).collect();
        contenders.push(self.other(&format!("git grep -n -w {name} -- '*.cs'"), git));
        contenders.extend(self.peer(
            Peer::Ripgrep,
            &format!("rg -n -w {name} -g '*.cs'"),
            &["-n", "-w", name, "-g", "*.cs", "."],
        ));
        contenders.extend(self.peer(
            Peer::AstGrep,
            &format!("ast-grep scan, identifiers {name}"),
            &[
                "scan",
                "--inline-rules",
                &NAME_RULE.replace("NAME", name),
                ".",
            ],
        ));
        if let Some(tags) = self.tags().to_str().filter(|_| self.tags().exists()) {
            let words = ["-t", tags, name];
            contenders.extend(self.peer(
                Peer::Readtags,
                &format!("readtags -t TAGS {name}"),
                &words,
            ));
        }
        if self.clone.join(".codegraph").exists() {
            contenders.extend(self.peer(
                Peer::Codegraph,
                &format!("codegraph where {name}"),
                &["where", name],
            ));
        }
        let title = "lookup of a symbol".to_owned();
        Work { title, contenders }
    }

    /// One commit, whose parent is indexed in the store `base`, and both in the store `both`.
    pub(super) fn commit(&self, commit: &str, n_files: usize, base: &str, both: &str) -> Vec<Work> {
        let commit = &commit[..10];
        let range = format!("{commit}~1..{commit}");
        let git = ["git", "diff", &range, "--", "*.cs"];
        let git = git.iter().map(OsString::from).collect();
        let files = files(n_files);
        let work = |title: String, contenders| Work { title, contenders };
        vec![
            work(
                format!("a commit of {files}, parent indexed"),
                vec![self.cortex_from(Some(base), &["index", commit])],
            ),
            work(
                format!("first answer about it ({files})"),
                vec![self.cortex_from(Some(base), &["diff-context", &range])],
            ),
            work(
                format!("asked again ({files})"),
                vec![
                    self.cortex(both, &["diff-context", &range]),
                    self.other(&format!("git diff {range} -- '*.cs'"), git),
                ],
            ),
        ]
    }

    /// The newest `n` commits, where the one before them is indexed in the store `base`.
    pub(super) fn history(&self, n: usize, base: &str) -> Work {
        let n_commits = n.to_string();
        let words = ["index", "--history", "HEAD", "--first-parent", "-n"];
        let mut cortex = self.cortex_from(Some(base), &[&words[..], &[&n_commits]].concat());
        cortex.leaves = Some(self.store("run"));
        Work {
            title: format!("{n} commits in a row"),
            contenders: vec![cortex],
        }
    }

    /// The work tree with some files edited, its commit indexed in the store `base`.
    pub(super) fn edit(&self, n_files: usize, base: &str) -> Work {
        let mut contenders = vec![self.cortex_from(Some(base), &["index"])];
        contenders.extend(self.ctags());
        let graph = self.scratch.join("codegraph");
        if graph.exists()
            && let Some(mut codegraph) = self.codegraph("codegraph build, updating")
        {
            let place = self.clone.join(".codegraph");
            codegraph.folders.push((place, Some(graph)));
            contenders.push(codegraph);
        }
        let title = format!("{} edited in the work tree", files(n_files));
        Work { title, contenders }
    }

    /// Names to look up, the most ordinary first: of types that are called as their file, those in the
    /// middle of the list by path.
    pub(super) fn names(&self) -> Result<Vec<String>> {
        let mut names = Vec::new();
        for path in self.git(&["ls-files", "*.cs"])?.lines() {
            let Some(name) = path
                .rsplit('/')
                .next()
                .and_then(|it| it.strip_suffix(".cs"))
            else {
                continue;
            };
            let text = fs::read(self.clone.join(path)).unwrap_or_default();
            let text = String::from_utf8_lossy(&text);
            let is_declared = ["class", "interface"].iter().any(|keyword| {
                text.lines()
                    .any(|line| line.trim_end().ends_with(&format!("{keyword} {name}")))
            });
            if is_declared {
                names.push(name.to_owned());
            }
        }
        let middle = names.len() / 2;
        names.rotate_left(middle);
        Ok(names)
    }
}

/// `1 C# file`, `2 C# files`.
fn files(n: usize) -> String {
    format!("{n} C# file{}", if n == 1 { "" } else { "s" })
}

/// Copies the files of a folder, those of its folders included.
pub(super) fn copy_folder(from: &Path, to: &Path) -> Result<()> {
    fs::create_dir_all(to)?;
    for entry in fs::read_dir(from)? {
        let entry = entry?;
        let place = to.join(entry.file_name());
        if entry.file_type()?.is_dir() {
            copy_folder(&entry.path(), &place)?;
        } else {
            fs::copy(entry.path(), place)?;
        }
    }
    Ok(())
}

/// Bytes of a file, or of all files of a folder; zero for nothing.
pub(super) fn size_of(path: &Path) -> u64 {
    if path.is_dir() {
        let entries = fs::read_dir(path).into_iter().flatten().flatten();
        return entries.map(|entry| size_of(&entry.path())).sum();
    }
    fs::metadata(path).map_or(0, |it| it.len())
}
