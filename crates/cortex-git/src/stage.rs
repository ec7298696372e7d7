//! What a person asked to have staged or committed: by `git` itself, so that every form of the index is written as git
//! writes it. Its commands are those that look at no file of the work tree, so that no filter runs; hooks, monitors of
//! the file system and programs that sign do not either.
//!
//! The only place of this crate that writes to the repository. Must not know: why files changed.

use std::{
    io::Write,
    path::{Path, PathBuf},
    process::{Command, Stdio},
};

use cortex_model::{BlobId, CommitId, RepoPath};

use crate::{change::FileMode, error::GitError, repository::Repository};

/// What the index has, or is to have, at a path.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct IndexEntry {
    /// The path.
    pub path: RepoPath,
    /// Its content and mode; `None` where nothing is staged.
    pub staged: Option<(BlobId, FileMode)>,
}

/// Why something cannot be staged or committed now.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum NotNow {
    /// A merge, rebase, cherry-pick or the like is in progress.
    InProgress,
    /// Other changes are staged.
    OthersStaged,
}

impl Repository {
    /// What the index has at some paths, in their order.
    ///
    /// # Errors
    /// [`GitError::Io`] where `git` cannot be started, [`GitError::Engine`] where it fails.
    pub fn index_entries(&self, paths: &[RepoPath]) -> Result<Vec<IndexEntry>, GitError> {
        let out = self.git(&["ls-files", "-s", "-z"], Vec::new())?;
        let mut found = std::collections::BTreeMap::new();
        for entry in out.split(|&byte| byte == 0).filter(|it| !it.is_empty()) {
            let Some(tab) = entry.iter().position(|&byte| byte == b'\t') else {
                continue;
            };
            let meta = String::from_utf8_lossy(&entry[..tab]);
            let mut words = meta.split(' ');
            let mode = words.next().and_then(|it| u32::from_str_radix(it, 8).ok());
            let mode = mode.and_then(FileMode::from_bits);
            let id = words
                .next()
                .and_then(|it| gix::ObjectId::from_hex(it.as_bytes()).ok());
            if let (Some(mode), Some(id), Some("0")) = (mode, id, words.next()) {
                let id = BlobId(crate::ids::from_gix(&id));
                found.insert(RepoPath::from_bytes(&entry[tab + 1..]), (id, mode));
            }
        }
        let entries = paths.iter().map(|path| IndexEntry {
            path: path.clone(),
            staged: found.get(path).copied(),
        });
        Ok(entries.collect())
    }

    /// Whether a commit of what is going to be staged would be of that alone; the reason where it would not.
    ///
    /// # Errors
    /// As [`Repository::index_entries`].
    pub fn is_ready_to_commit(&self) -> Result<Option<NotNow>, GitError> {
        if self.local().state().is_some() {
            return Ok(Some(NotNow::InProgress));
        }
        // Fails, with what to do, where nobody said who commits.
        for who in ["GIT_AUTHOR_IDENT", "GIT_COMMITTER_IDENT"] {
            self.git(&["var", who], Vec::new())?;
        }
        let differing = self.git(
            &[
                "diff-index",
                "--cached",
                "--no-ext-diff",
                "--name-only",
                "HEAD",
                "--",
            ],
            Vec::new(),
        )?;
        Ok((!differing.is_empty()).then_some(NotNow::OthersStaged))
    }

    /// Makes the index have some entries, all or none, and the object database the contents: files with the bytes of
    /// each that it may lack.
    ///
    /// # Errors
    /// As [`Repository::index_entries`].
    pub fn stage(&self, entries: &[IndexEntry], contents: &[PathBuf]) -> Result<(), GitError> {
        let mut paths = Vec::new();
        for content in contents {
            paths.extend_from_slice(content.as_os_str().as_encoded_bytes());
            paths.push(b'\n');
        }
        if !paths.is_empty() {
            self.git(
                &["hash-object", "-w", "--no-filters", "--stdin-paths"],
                paths,
            )?;
        }
        let zero = gix::ObjectId::null(self.local().object_hash()).to_string();
        let mut lines = Vec::new();
        for entry in entries {
            let meta = match entry.staged {
                Some((id, mode)) => format!("{:06o} {id}\t", mode.bits()),
                None => format!("0 {zero}\t"),
            };
            lines.extend_from_slice(meta.as_bytes());
            lines.extend_from_slice(&entry.path.to_bytes());
            lines.push(0);
        }
        self.git(&["update-index", "-z", "--index-info"], lines)?;
        Ok(())
    }

    /// Commits what is staged onto the branch that is checked out, without a signature.
    ///
    /// # Errors
    /// As [`Repository::index_entries`]: `git` says why, for instance that nobody said who commits, or that the branch
    /// was moved meanwhile.
    pub fn commit_staged(&self, message: &str) -> Result<CommitId, GitError> {
        let word = |out: Vec<u8>| String::from_utf8_lossy(&out).trim().to_owned();
        let parent = self.resolve("HEAD")?.to_string();
        let tree = word(self.git(&["write-tree"], Vec::new())?);
        let text = message.as_bytes().to_vec();
        let commit = word(self.git(&["commit-tree", &tree, "-p", &parent], text)?);
        let subject = message.lines().next().unwrap_or_default();
        let reason = format!("commit: {subject}");
        self.git(
            &["update-ref", "-m", &reason, "HEAD", &commit, &parent],
            Vec::new(),
        )?;
        self.resolve(&commit)
    }

    /// Runs `git` in the work tree; its standard output.
    fn git(&self, arguments: &[&str], input: Vec<u8>) -> Result<Vec<u8>, GitError> {
        let doing = || format!("run `git {}`", arguments.join(" "));
        let folder = self.work_dir().unwrap_or_else(|| Path::new("."));
        let io = |source| GitError::Io {
            action: "run `git` in",
            path: folder.to_owned(),
            source,
        };
        let mut command = Command::new("git");
        command
            .args([
                "-c",
                "core.hooksPath=/dev/null",
                "-c",
                "core.fsmonitor=false",
            ])
            .args(["-c", "core.quotePath=false"])
            .args(arguments)
            .current_dir(folder)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        let mut child = command.spawn().map_err(io)?;
        let mut stdin = child.stdin.take();
        // It may end without reading all, and says why on its standard error.
        let writer = std::thread::spawn(move || {
            if let Some(stdin) = &mut stdin {
                let _ = stdin.write_all(&input);
            }
        });
        let output = child.wait_with_output().map_err(io)?;
        let _ = writer.join();
        match output.status.success() {
            true => Ok(output.stdout),
            false => {
                let said = String::from_utf8_lossy(&output.stderr);
                Err(GitError::engine(
                    doing(),
                    std::io::Error::other(said.trim().to_owned()),
                ))
            }
        }
    }
}
