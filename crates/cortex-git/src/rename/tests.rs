//! Laws of rename detection, on contents held in memory.

use std::collections::BTreeMap;

use cortex_model::{BlobId, ObjectId, RepoPath};

use super::{RenameOptions, Renames, find_renames};
use crate::{
    blobs::ReadBlob,
    change::{FileChange, FileMode, FileSide},
    error::GitError,
};

#[derive(Default)]
struct Contents {
    by_id: BTreeMap<BlobId, Vec<u8>>,
    n_reads: usize,
}

impl Contents {
    fn side(&mut self, path: &str, content: &str) -> FileSide {
        let digest = cortex_model::Hash::of(content.as_bytes());
        let blob = BlobId(ObjectId::from_slice(digest.as_bytes()).expect("32 bytes"));
        self.by_id.insert(blob, content.into());
        FileSide {
            path: RepoPath::from(path),
            blob,
            mode: FileMode::Regular,
        }
    }
}

impl ReadBlob for Contents {
    fn read_blob(&mut self, id: BlobId) -> Result<Vec<u8>, GitError> {
        self.n_reads += 1;
        Ok(self.by_id[&id].clone())
    }

    fn blob_size(&mut self, id: BlobId) -> Result<u64, GitError> {
        Ok(self.by_id[&id].len() as u64)
    }
}

fn run(
    deleted: &[(&str, &str)],
    added: &[(&str, &str)],
    options: RenameOptions,
) -> (Renames, usize) {
    let mut contents = Contents::default();
    let mut changes = Vec::new();
    for (path, content) in deleted {
        changes.extend(FileChange::between(
            Some(contents.side(path, content)),
            None,
        ));
    }
    for (path, content) in added {
        changes.extend(FileChange::between(
            None,
            Some(contents.side(path, content)),
        ));
    }
    let renames = find_renames(changes, &mut contents, &options);
    (renames, contents.n_reads)
}

#[track_caller]
fn check_renames(deleted: &[(&str, &str)], added: &[(&str, &str)], expected: &[&str]) {
    let (renames, _) = run(deleted, added, RenameOptions::default());
    let actual: Vec<String> = renames
        .changes
        .iter()
        .map(|change| {
            let old = change.old.as_ref().map_or("", |side| side.path.as_str());
            let new = change.new.as_ref().map_or("", |side| side.path.as_str());
            let similarity = match change.status {
                crate::ChangeStatus::Renamed { similarity } => similarity.to_string(),
                _ => String::new(),
            };
            let letter = change.status.letter();
            [format!("{letter}{similarity}"), old.into(), new.into()]
                .into_iter()
                .filter(|part| !part.is_empty())
                .collect::<Vec<_>>()
                .join(" ")
        })
        .collect();
    assert_eq!(actual, expected);
}

#[test]
fn equal_content_is_a_rename_and_is_not_read() {
    check_renames(
        &[("a.cs", "x\n")],
        &[("b.txt", "x\n")],
        &["R100 a.cs b.txt"],
    );
    let (_, n_reads) = run(
        &[("a.cs", "x\n")],
        &[("b.cs", "x\n")],
        RenameOptions::default(),
    );
    assert_eq!(n_reads, 0);
}

#[test]
fn of_equal_files_the_one_that_keeps_its_name_is_taken() {
    check_renames(
        &[("a/one.cs", "x\n"), ("a/two.cs", "x\n")],
        &[
            ("b/one.cs", "x\n"),
            ("b/three.cs", "x\n"),
            ("b/two.cs", "x\n"),
        ],
        &[
            "R100 a/one.cs b/one.cs",
            "A b/three.cs",
            "R100 a/two.cs b/two.cs",
        ],
    );
}

#[test]
fn a_file_is_the_source_of_one_rename() {
    check_renames(
        &[("a.cs", "x\n")],
        &[("b.cs", "x\n"), ("c.cs", "x\n")],
        &["R100 a.cs b.cs", "A c.cs"],
    );
}

#[test]
fn similar_content_is_a_rename_from_half_on() {
    check_renames(
        &[("a.cs", "aaa\nbbb\nccc\nddd\n")],
        &[("b.cs", "aaa\nbbb\nccc\nxxx\n")],
        &["R75 a.cs b.cs"],
    );
    check_renames(
        &[("a.cs", "aaa\nbbb\nccc\nddd\n")],
        &[("b.cs", "aaa\nxxx\nyyy\nzzz\n")],
        &["D a.cs", "A b.cs"],
    );
}

#[test]
fn the_most_similar_pair_wins() {
    check_renames(
        &[
            ("a.cs", "a\nb\nc\nd\ne\nf\n"),
            ("b.cs", "a\nb\nc\nd\ne\ng\n"),
        ],
        &[("c.cs", "a\nb\nc\nd\ne\ng\nh\n")],
        &["D a.cs", "R85 b.cs c.cs"],
    );
}

#[test]
fn similar_files_of_other_extensions_are_not_joined() {
    check_renames(
        &[("a.cs", "aaa\nbbb\nccc\n")],
        &[("a.vb", "aaa\nbbb\nddd\n")],
        &["D a.cs", "A a.vb"],
    );
}

#[test]
fn empty_files_are_renames_of_each_other_only_by_equality() {
    check_renames(&[("a.cs", "")], &[("b.cs", "")], &["R100 a.cs b.cs"]);
    check_renames(&[("a.cs", "")], &[("b.cs", "x")], &["D a.cs", "A b.cs"]);
}

#[test]
fn a_moved_file_is_found_among_many_that_share_their_lines() {
    let boilerplate = "using System;\n{\n}\n".repeat(4);
    let text = |i: usize, tail: &str| {
        format!(
            "{boilerplate}class C{i} : B{i}\n{{ int F{i}; int G{i}; }}\n// {i} is a long line\n{tail}"
        )
    };
    let names: Vec<_> = (0..300)
        .map(|i| (format!("a/{i}.cs"), text(i, "")))
        .collect();
    let moved: Vec<_> = (0..300)
        .map(|i| (format!("b/x{i}.cs"), text(i, "// new\n")))
        .collect();
    let old: Vec<_> = names
        .iter()
        .map(|(a, b)| (a.as_str(), b.as_str()))
        .collect();
    let new: Vec<_> = moved
        .iter()
        .map(|(a, b)| (a.as_str(), b.as_str()))
        .collect();
    let (renames, n_reads) = run(&old, &new, RenameOptions::default());
    assert_eq!(n_reads, 600);
    assert_eq!(renames.changes.len(), 300);
    for change in &renames.changes {
        let (old, new) = (
            change.old.as_ref().expect("renamed"),
            change.new.as_ref().expect("renamed"),
        );
        assert_eq!(format!("x{}", old.path.file_name()), new.path.file_name());
    }
}

#[test]
fn bounds_are_kept_and_said() {
    let options = RenameOptions {
        max_read_bytes: 20,
        ..RenameOptions::default()
    };
    let (renames, n_reads) = run(
        &[("a.cs", "aaa\nbbb\nccc\n")],
        &[("b.cs", "aaa\nbbb\nddd\n"), ("c.cs", "aaa\nbbb\neee\n")],
        options,
    );
    assert_eq!(
        (renames.n_skipped, n_reads, renames.changes.len()),
        (2, 1, 3)
    );
}
