//! Differential: what git printed, read back and written again, is what git printed; and git applies it.

use std::{
    path::Path,
    process::{Command, Stdio},
};

use cortex_model::RepoPath;
use cortex_wire::{ChangedFile, CodeLine, CodeLineKind, FileKind, Hunk};
use proptest::prelude::*;
use tempfile::TempDir;

use super::{patch, quoted};
use crate::tests::sample;

/// A repository with one commit for each side.
struct Sides {
    folder: TempDir,
    old: String,
    new: String,
}

impl Sides {
    fn new(sides: [&[Entry]; 2]) -> Self {
        let folder = TempDir::new().expect("a temporary folder");
        let root = folder.path();
        git(root, &["init", "-q", "--object-format=sha1", "."], b"");
        let [old, new] = sides.map(|entries| {
            git(root, &["read-tree", "--empty"], b"");
            for entry in entries {
                let id = match &entry.content {
                    Content::Link(id) => id.clone(),
                    Content::Bytes(bytes) => git(
                        root,
                        &["hash-object", "-w", "--no-filters", "--stdin"],
                        bytes,
                    )
                    .trim()
                    .to_owned(),
                };
                let info = format!("{:06o} {id}\t{}\0", entry.mode, entry.path);
                git(
                    root,
                    &["update-index", "-z", "--index-info"],
                    info.as_bytes(),
                );
            }
            git(root, &["write-tree"], b"").trim().to_owned()
        });
        Self { folder, old, new }
    }

    fn diff(&self, options: &[&str]) -> String {
        let mut arguments = vec!["diff-tree", "-r", "-M", "--full-index"];
        arguments.extend(options);
        arguments.extend([&*self.old, &*self.new]);
        git(self.folder.path(), &arguments, b"")
    }

    /// The changed files as git sees them.
    fn files(&self) -> Vec<ChangedFile> {
        let raw = self.diff(&["--raw", "-z", "--no-abbrev"]);
        let text = self.diff(&["-p"]);
        let mut texts = sections(&text).into_iter();
        let mut fields = raw.split_terminator('\0');
        let mut files = Vec::new();
        while let Some(head) = fields.next() {
            let words: Vec<&str> = head.trim_start_matches(':').split(' ').collect();
            let [old_mode, new_mode] =
                [0, 1].map(|i| u32::from_str_radix(words[i], 8).expect("a mode"));
            let blob = |id: &str| id.bytes().any(|b| b != b'0').then(|| id.to_owned());
            let first = RepoPath::from(fields.next().expect("a path"));
            let (path, old_path) = match words[4].starts_with('R') {
                true => (RepoPath::from(fields.next().expect("a path")), Some(first)),
                false => (first, None),
            };
            let n_sections = if words[4] == "T" { 2 } else { 1 };
            let patches: Vec<&str> = texts.by_ref().take(n_sections).collect();
            let kind = match () {
                () if patches[0].contains("\nBinary files ") => FileKind::Binary,
                () if old_mode == 0o160_000 || new_mode == 0o160_000 => FileKind::Submodule,
                () => FileKind::Text,
            };
            files.push(ChangedFile {
                path,
                old_path,
                status: cortex_wire::FileStatus::Modified,
                kind,
                is_generated: false,
                old_mode,
                new_mode,
                blobs: (blob(words[2]), blob(words[3])),
                similarity: words[4]
                    .strip_prefix('R')
                    .map(|n| n.parse().expect("a percentage")),
                added: 0,
                deleted: 0,
                hunks: patches.into_iter().flat_map(hunks).collect(),
                beside: Vec::new(),
                same_section: Vec::new(),
                named_at: Vec::new(),
            });
        }
        files
    }

    /// Applies a patch to the old side; the tree that it makes.
    fn apply(&self, patch: &str) -> String {
        let root = self.folder.path();
        git(root, &["read-tree", &self.old], b"");
        if !patch.is_empty() {
            let arguments = ["apply", "--cached", "--check", "--whitespace=nowarn", "-"];
            git(root, &arguments, patch.as_bytes());
            git(
                root,
                &["apply", "--cached", "--whitespace=nowarn", "-"],
                patch.as_bytes(),
            );
        }
        git(root, &["write-tree"], b"").trim().to_owned()
    }
}

/// One file of a side.
#[derive(Clone, Debug)]
struct Entry {
    path: String,
    mode: u32,
    content: Content,
}

#[derive(Clone, Debug)]
enum Content {
    Bytes(Vec<u8>),
    Link(String),
}

fn file(path: &str, mode: u32, text: &str) -> Entry {
    Entry {
        path: path.to_owned(),
        mode,
        content: Content::Bytes(text.as_bytes().to_vec()),
    }
}

fn link(path: &str, digit: &str) -> Entry {
    Entry {
        path: path.to_owned(),
        mode: 0o160_000,
        content: Content::Link(digit.repeat(40)),
    }
}

#[track_caller]
fn git(root: &Path, arguments: &[&str], input: &[u8]) -> String {
    use std::io::Write;
    let mut child = Command::new("git")
        .args(["-c", "core.quotePath=true", "-c", "core.autocrlf=false"])
        .args([
            "-c",
            "diff.algorithm=myers",
            "-c",
            "diff.indentHeuristic=true",
        ])
        .args(arguments)
        .current_dir(root)
        .env("GIT_CONFIG_GLOBAL", "/dev/null")
        .env("GIT_CONFIG_NOSYSTEM", "1")
        .env_remove("GIT_DIR")
        .env_remove("GIT_INDEX_FILE")
        .env_remove("GIT_WORK_TREE")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("git starts");
    let mut stdin = child.stdin.take().expect("a pipe");
    let input = input.to_vec();
    let writer = std::thread::spawn(move || {
        let _ = stdin.write_all(&input);
    });
    let output = child.wait_with_output().expect("git ends");
    writer.join().expect("the input is written");
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "git {arguments:?}: {errors}");
    String::from_utf8(output.stdout).expect("UTF-8")
}

/// The patch of each file.
fn sections(text: &str) -> Vec<&str> {
    let mut starts: Vec<usize> = text
        .match_indices("\ndiff --git ")
        .map(|(at, _)| at + 1)
        .collect();
    if text.starts_with("diff --git ") {
        starts.insert(0, 0);
    }
    let ends = starts.iter().skip(1).copied().chain([text.len()]);
    starts
        .iter()
        .zip(ends)
        .map(|(&start, end)| &text[start..end])
        .collect()
}

fn hunks(section: &str) -> Vec<Hunk> {
    let mut hunks: Vec<Hunk> = Vec::new();
    for line in section.split_terminator('\n') {
        if let Some(rest) = line.strip_prefix("@@ ") {
            let (extents, label) = rest.split_once(" @@").expect("a hunk header");
            let extent = |text: &str| {
                let (start, count) = text.split_once(',').unwrap_or((text, "1"));
                (
                    start[1..].parse().expect("a line"),
                    count.parse().expect("a count"),
                )
            };
            let (old, new) = extents.split_once(' ').expect("two extents");
            hunks.push(Hunk {
                old: extent(old),
                new: extent(new),
                label: label.strip_prefix(' ').map(str::to_owned),
                lines: Vec::new(),
                no_newline: (false, false),
            });
            continue;
        }
        let Some(hunk) = hunks.last_mut() else {
            continue;
        };
        let kind = match line.as_bytes().first() {
            Some(b' ') => CodeLineKind::Context,
            Some(b'+') => CodeLineKind::Added,
            Some(b'-') => CodeLineKind::Removed,
            Some(b'\\') => {
                match hunk.lines.last().expect("a line before the mark").kind {
                    CodeLineKind::Context => hunk.no_newline = (true, true),
                    CodeLineKind::Added => hunk.no_newline.1 = true,
                    CodeLineKind::Removed => hunk.no_newline.0 = true,
                }
                continue;
            }
            _ => continue,
        };
        hunk.lines.push(CodeLine {
            kind,
            text: line[1..].to_owned(),
        });
    }
    hunks
}

/// Our text is git's; git takes it, also with labels.
#[track_caller]
fn check_sides(old: &[Entry], new: &[Entry]) -> String {
    let sides = Sides::new([old, new]);
    let mut answer = sample::answer();
    answer.files = sides.files();
    let text = patch(&answer);
    let expected = sides.diff(&["-p"]);
    // What is invisible in a label is shown by its number: nothing else may differ.
    assert_eq!(without_labels(&text), without_labels(&expected));
    for (i, hunk) in answer
        .files
        .iter_mut()
        .flat_map(|file| &mut file.hunks)
        .enumerate()
    {
        hunk.label = Some(format!("Ns.C.M{i}(int) structure\u{202e}\n"));
    }
    let labeled = patch(&answer);
    assert_eq!(sides.apply(&labeled), sides.new, "{labeled}");
    text
}

fn without_labels(text: &str) -> Vec<&str> {
    let head = |line| match str::strip_prefix(line, "@@ ").and_then(|rest| rest.find("@@")) {
        Some(at) => &line[..at + 5],
        None => line,
    };
    text.split('\n').map(head).collect()
}

#[test]
fn edits_keep_line_breaks_and_their_absence() {
    check_sides(
        &[
            file("lf.cs", 0o100_644, "a\nb\nc\n"),
            file("crlf.cs", 0o100_644, "a\r\nb\r\nc\r\n"),
            file("cr.cs", 0o100_644, "a\rb\n"),
        ],
        &[
            file("lf.cs", 0o100_644, "a\nB\nc"),
            file("crlf.cs", 0o100_644, "a\r\nB\r\nc"),
            file("cr.cs", 0o100_644, "a\rc\n"),
        ],
    );
    check_sides(
        &[file("a", 0o100_644, "a\nb")],
        &[file("a", 0o100_644, "a\nb\n")],
    );
    check_sides(
        &[file("a", 0o100_644, "1\n2\n3\nend")],
        &[file("a", 0o100_644, "one\n2\n3\nend")],
    );
}

#[test]
fn renames_modes_and_empty_files() {
    let lines: String = (0..30).map(|i| format!("line {i}\n")).collect();
    check_sides(
        &[
            file("old name.cs", 0o100_644, &lines),
            file("same.cs", 0o100_644, &lines.replace("line", "row")),
            file("run.sh", 0o100_644, "x\n"),
            file("gone", 0o100_644, ""),
        ],
        &[
            file(
                "new name.cs",
                0o100_755,
                &lines.replace("line 7\n", "LINE 7\n"),
            ),
            file("moved/same.cs", 0o100_644, &lines.replace("line", "row")),
            file("run.sh", 0o100_755, "x\n"),
            file("made", 0o100_644, ""),
            file("text", 0o100_644, "one line"),
        ],
    );
}

#[test]
fn binaries_submodules_and_changes_of_type() {
    check_sides(
        &[
            file("logo.png", 0o100_644, "\0\u{1}a"),
            file("icon.png", 0o100_644, "\0x"),
            link("lib", "1"),
            link("dropped", "2"),
            file("link", 0o100_644, "target text\n"),
        ],
        &[
            file("logo.png", 0o100_644, "\0\u{1}b"),
            file("new.png", 0o100_644, "\0"),
            link("lib", "3"),
            link("added", "4"),
            file("link", 0o120_000, "target"),
        ],
    );
}

#[test]
fn paths_are_quoted_as_git_quotes_them() {
    assert_eq!(quoted("a/", "plain name.cs"), "a/plain name.cs");
    assert_eq!(
        quoted("", "tab\there\"\\\u{1}\u{7f}"),
        r#""tab\there\"\\\001\177""#
    );
    assert_eq!(quoted("b/", "é"), r#""b/\303\251""#);
    let names = [
        "a b",
        "a\tb",
        "a\"b",
        "a\\b",
        "é漢\u{1f680}",
        "a\nb",
        " lead",
        "-dash",
    ];
    let old: Vec<Entry> = names
        .iter()
        .map(|name| file(name, 0o100_644, "x\n"))
        .collect();
    let new: Vec<Entry> = names
        .iter()
        .map(|name| file(name, 0o100_644, "y\n"))
        .collect();
    check_sides(&old, &new);
}

fn text() -> impl Strategy<Value = String> {
    let line = prop_oneof![
        Just("a"),
        Just("b"),
        Just(""),
        Just("-- x"),
        Just("++ y"),
        Just("@@ -1 +1 @@"),
        Just("diff --git"),
        Just("\\ no"),
        Just("漢"),
        Just("\u{1b}")
    ];
    let end = prop_oneof![4 => Just("\n"), 1 => Just("\r\n")];
    (prop::collection::vec((line, end), 0..40), any::<bool>()).prop_map(|(lines, is_cut)| {
        let mut text: String = lines
            .into_iter()
            .flat_map(|(line, end)| [line, end])
            .collect();
        if is_cut {
            text.truncate(text.trim_end_matches(['\r', '\n']).len());
        }
        text
    })
}

/// A file's texts and the indices of its modes, old and new.
type Both = (String, String, usize, usize);

/// 0 where the file does not exist.
const MODES: [u32; 4] = [0, 0o100_644, 0o100_755, 0o100_644];

proptest! {
    #![proptest_config(ProptestConfig::with_cases(12))]

    #[test]
    fn git_applies_what_it_would_have_printed(
        sides in prop::collection::vec((text(), text(), 0..4usize, 0..4usize), 1..8)
    ) {
        let side = |pick: fn(&Both) -> (&str, usize)| -> Vec<Entry> {
            let entries = sides.iter().map(pick).enumerate().filter(|(_, (_, mode))| MODES[*mode] != 0);
            entries.map(|(i, (text, mode))| file(&format!("dir {}/f{i}", i % 2), MODES[mode], text)).collect()
        };
        check_sides(&side(|both| (&both.0, both.2)), &side(|both| (&both.1, both.3)));
    }
}
