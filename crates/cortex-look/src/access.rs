//! Which types requests on this machine were about: kept beside the index, never in the repository.
//!
//! A request adds a line to a second file, since a file that takes the place of another waits for the disk; lines are
//! folded into the first file when there are many, and when the window changes.
//!
//! Owns: the file, its bounds, the order of its entries. Must not know: what is made of it.

use std::{
    fs,
    io::{self, Write},
    path::Path,
};

use cortex_index::{IndexError, Snapshot};
use cortex_model::{RepoPath, TypeKey, from_base32};
use serde::{Deserialize, Serialize};

/// So many types are remembered.
pub const MAX_ACCESSES: usize = 512;

/// So many files of one type are remembered.
const MAX_FILES: usize = 8;

/// The file in the folder of the index.
const FILE: &str = "access.json";

/// The file of the lines that are not folded yet.
const LINES: &str = "access.lines";

/// Lines of so many bytes are folded.
const MAX_LINES_BYTES: u64 = 32 << 10;

/// Larger files are started over.
const MAX_BYTES: u64 = 4 << 20;

/// The version of its form; another one is started over.
const VERSION: u32 = 1;

/// A request about the type that was requested last, so soon after it, is the same look at it.
const SAME_LOOK_SECONDS: i64 = 60;

/// A type that a request was about.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Access {
    /// The short id of the type, as answers show it.
    pub type_id: String,
    /// The files that declared it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub files: Vec<RepoPath>,
    /// When, in seconds since 1970.
    pub time: i64,
}

/// A type that the user put into the prompt window, or took out of it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Choice {
    /// The short id of the type.
    pub type_id: String,
    /// In seconds since 1970: until when it counts.
    pub until: i64,
}

/// The history of accesses, and what the user put into the prompt window for a while.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct AccessLog {
    version: u32,
    /// The newest first, each type once; at most [`MAX_ACCESSES`].
    #[serde(default)]
    pub accesses: Vec<Access>,
    /// What the user added, the newest first.
    #[serde(default)]
    pub added: Vec<Choice>,
    /// What the user dismissed, until it is requested again.
    #[serde(default)]
    pub dismissed: Vec<String>,
    /// The pack whose types count more.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pack: Option<String>,
}

impl Default for AccessLog {
    fn default() -> Self {
        Self {
            version: VERSION,
            accesses: Vec::new(),
            added: Vec::new(),
            dismissed: Vec::new(),
            pack: None,
        }
    }
}

impl AccessLog {
    /// Reads the log beside an index; an empty one where there is none or it cannot be read, as it is a convenience.
    pub fn read(folder: &Path) -> Self {
        let text_of = |name: &str| {
            let path = folder.join(name);
            let is_small = fs::metadata(&path).is_ok_and(|found| found.len() <= MAX_BYTES);
            is_small.then(|| fs::read_to_string(path).ok()).flatten()
        };
        let text = text_of(FILE);
        let log: Option<Self> = text.and_then(|text| serde_json::from_str(&text).ok());
        let mut log = log.filter(|log| log.version == VERSION).unwrap_or_default();
        log.accesses.truncate(MAX_ACCESSES);
        log.added.truncate(MAX_ACCESSES);
        log.dismissed.truncate(MAX_ACCESSES);
        for line in text_of(LINES).unwrap_or_default().lines() {
            // One that was not written to its end is none.
            if let Ok(access) = serde_json::from_str::<Access>(line) {
                log.note(&access.type_id, access.files, access.time);
            }
        }
        log
    }

    /// Whether nothing is recorded.
    pub fn is_absent(folder: &Path) -> bool {
        let is_there = |name: &str| fs::metadata(folder.join(name)).is_ok();
        !is_there(FILE) && !is_there(LINES)
    }

    /// Adds that a type was requested, without reading what is there: a line of a file. O(1), but for every few hundredth
    /// time.
    ///
    /// # Errors
    /// Those of the system.
    pub fn append(folder: &Path, access: Access) -> io::Result<()> {
        let access = Access {
            files: access.files.into_iter().take(MAX_FILES).collect(),
            ..access
        };
        let line = format!("{}\n", serde_json::to_string(&access)?);
        let path = folder.join(LINES);
        let mut file = fs::File::options().create(true).append(true).open(path)?;
        file.write_all(line.as_bytes())?;
        if file.metadata()?.len() > MAX_LINES_BYTES {
            drop(file);
            Self::read(folder).write(folder)?;
        }
        Ok(())
    }

    /// Writes the log, whole or not at all.
    ///
    /// # Errors
    /// Those of the system.
    pub fn write(&self, folder: &Path) -> io::Result<()> {
        let json = serde_json::to_string(self)?;
        let temporary = folder.join(format!(".{FILE}-{}", std::process::id()));
        let written = fs::write(&temporary, json);
        let result = written.and_then(|()| fs::rename(&temporary, folder.join(FILE)));
        if result.is_err() {
            let _ = fs::remove_file(&temporary);
            return result;
        }
        match fs::remove_file(folder.join(LINES)) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
            _ => Ok(()),
        }
    }

    /// Notes that a type was requested. Says whether that is news.
    pub fn note(&mut self, type_id: &str, files: Vec<RepoPath>, now: i64) -> bool {
        let is_dismissed = self.is_dismissed(type_id);
        let is_same_look = self.accesses.first().is_some_and(|last| {
            last.type_id == type_id
                && last.files == files
                && (0..SAME_LOOK_SECONDS).contains(&(now - last.time))
        });
        if is_same_look && !is_dismissed {
            return false;
        }
        self.dismissed.retain(|it| it != type_id);
        self.accesses.retain(|it| it.type_id != type_id);
        let access = Access {
            type_id: type_id.to_owned(),
            files: files.into_iter().take(MAX_FILES).collect(),
            time: now,
        };
        self.accesses.insert(0, access);
        self.accesses.truncate(MAX_ACCESSES);
        true
    }

    /// Adds a type until a time.
    pub fn add(&mut self, type_id: &str, until: i64) {
        self.dismissed.retain(|it| it != type_id);
        self.added.retain(|it| it.type_id != type_id);
        let choice = Choice {
            type_id: type_id.to_owned(),
            until,
        };
        self.added.insert(0, choice);
        self.added.truncate(MAX_ACCESSES);
    }

    /// Takes a type out until it is requested or added again.
    pub fn dismiss(&mut self, type_id: &str) {
        self.added.retain(|it| it.type_id != type_id);
        self.dismissed.retain(|it| it != type_id);
        self.dismissed.insert(0, type_id.to_owned());
        self.dismissed.truncate(MAX_ACCESSES);
    }

    /// Removes what the user added, and the pack; the history stays.
    pub fn clear(&mut self) {
        self.added.clear();
        self.pack = None;
    }

    /// Whether a type is dismissed.
    pub fn is_dismissed(&self, type_id: &str) -> bool {
        self.dismissed.iter().any(|it| it == type_id)
    }

    /// The files that declared what was requested, the newest first, each once.
    pub fn files(&self) -> Vec<RepoPath> {
        let mut out: Vec<RepoPath> = Vec::new();
        for file in self.accesses.iter().flat_map(|it| &it.files) {
            if !out.contains(file) {
                out.push(file.clone());
            }
        }
        out
    }
}

/// The types of a short id: `T_2H7F3K9Q`, with `@Assembly` where several declare the type.
///
/// # Errors
/// Those of reading the snapshot.
pub fn types_of_id(snapshot: &Snapshot, text: &str) -> Result<Vec<TypeKey>, IndexError> {
    let (id, assembly) = match text.split_once('@') {
        Some((id, assembly)) => (id, Some(assembly)),
        None => (text, None),
    };
    let digits = id.strip_prefix("T_").unwrap_or_default();
    let Some(bits) = digits.get(..8).and_then(from_base32) else {
        return Ok(Vec::new());
    };
    let mut out = Vec::new();
    for key in snapshot.types_starting(bits)? {
        if key.short_id(digits.len()) != id {
            continue;
        }
        let is_in = match assembly {
            None => true,
            Some(assembly) => {
                let header = snapshot.type_header(key)?;
                header.is_some_and(|header| header.assembly == assembly)
            }
        };
        if is_in {
            out.push(key);
        }
    }
    Ok(out)
}

/// The files that declare the types of a short id, sorted.
///
/// # Errors
/// Those of reading the snapshot.
pub fn files_of_id(snapshot: &Snapshot, id: &str) -> Result<Vec<RepoPath>, IndexError> {
    let mut out = Vec::new();
    for key in types_of_id(snapshot, id)? {
        let header = snapshot.type_header(key)?;
        let parts = header.into_iter().flat_map(|header| header.parts);
        out.extend(parts.map(|part| part.path));
    }
    out.sort();
    out.dedup();
    Ok(out)
}

#[cfg(test)]
mod tests {
    use cortex_model::RepoPath;

    use super::{Access, AccessLog, LINES, MAX_ACCESSES, MAX_LINES_BYTES};

    #[test]
    fn the_history_is_bounded_and_survives_a_restart() {
        let folder = tempfile::tempdir().expect("a temporary folder can be made");
        let mut log = AccessLog::read(folder.path());
        for n in 0..MAX_ACCESSES + 9 {
            let file = RepoPath::from(format!("{n}.cs").as_str());
            assert!(log.note(&format!("T_{n:08}"), vec![file], n as i64));
        }
        log.note("T_00000300", Vec::new(), 9_999);
        log.dismiss("T_00000301");
        log.add("T_00000302", 10_000);
        log.write(folder.path()).expect("it can be written");
        let again = AccessLog::read(folder.path());
        assert_eq!(again, log);
        assert_eq!(again.accesses.len(), MAX_ACCESSES);
        assert_eq!(again.accesses[0].type_id, "T_00000300");
        assert_eq!(again.files()[0].as_str(), "520.cs");
        assert!(again.is_dismissed("T_00000301"));
        for broken in ["{", "{\"version\":2}", ""] {
            std::fs::write(folder.path().join("access.json"), broken).expect("it can be written");
            assert_eq!(AccessLog::read(folder.path()), AccessLog::default());
        }
    }

    #[test]
    fn appended_lines_say_what_was_noted_and_are_folded() {
        let folder = tempfile::tempdir().expect("a temporary folder can be made");
        assert!(AccessLog::is_absent(folder.path()));
        let mut noted = AccessLog::default();
        noted.dismiss("T_00000007");
        noted.write(folder.path()).expect("it can be written");
        for n in 0..2_000_i64 {
            let access = Access {
                type_id: format!("T_{:08}", n * 7 % 600),
                files: vec![RepoPath::from(format!("{n}.cs").as_str())],
                time: n,
            };
            noted.note(&access.type_id, access.files.clone(), n);
            AccessLog::append(folder.path(), access).expect("it can be written");
            let lines = std::fs::metadata(folder.path().join(LINES));
            assert!(lines.map_or(0, |lines| lines.len()) <= MAX_LINES_BYTES);
        }
        let path = folder.path().join(LINES);
        let mut lines = std::fs::read_to_string(&path).expect("some are not folded");
        assert_eq!(AccessLog::read(folder.path()), noted);
        // A line that a process did not write to its end is none.
        lines.push_str("{\"typeId\":\"T_000");
        std::fs::write(&path, lines).expect("it can be written");
        assert_eq!(AccessLog::read(folder.path()), noted);
        noted.write(folder.path()).expect("it can be written");
        assert!(!path.exists());
        assert_eq!(AccessLog::read(folder.path()), noted);
    }

    #[test]
    fn what_is_requested_again_is_no_longer_dismissed_and_looks_in_a_row_are_one() {
        let mut log = AccessLog::default();
        assert!(log.note("T_A", Vec::new(), 1));
        assert!(!log.note("T_A", Vec::new(), 2));
        log.dismiss("T_A");
        assert!(log.is_dismissed("T_A"));
        assert!(log.note("T_A", Vec::new(), 3));
        assert!(!log.is_dismissed("T_A"));
        log.add("T_B", 9);
        log.dismiss("T_B");
        assert!(log.added.is_empty());
        log.add("T_B", 9);
        assert!(!log.is_dismissed("T_B"));
        log.clear();
        assert!(log.added.is_empty() && log.accesses.len() == 1);
    }
}
