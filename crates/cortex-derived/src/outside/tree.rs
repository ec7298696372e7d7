//! The files of a tree outside of C#, as numbers of their contents.

use std::collections::BTreeMap;

use cortex_index::{Snapshot, UnreadFile, UnreadReason, is_any_readable};
use cortex_model::{BlobId, ObjectId, RepoPath, TreeId};
use cortex_wire::FileLanguage;

use crate::{
    outside::{
        ContentKey,
        table::{NAME, Table, language_of, number_of},
    },
    source::Source,
    words::{put, take},
};

/// The version of the form of what is kept.
const VERSION: u8 = 2;

/// So many trees are known at a time, each in the place that its id gives it.
pub(super) const N_TREES: u8 = 8;

/// The files of a tree outside of C#.
#[derive(PartialEq, Eq, Debug)]
pub(super) struct TreeFiles {
    /// Of which table the numbers are.
    pub(super) generation: u64,
    /// Over how many buckets the table spreads its words.
    pub(super) n_buckets: u32,
    /// The contents by their numbers, with how many files have them.
    pub(super) contents: Vec<(u32, FileLanguage, usize)>,
    /// How many files are not searched, by extension.
    pub(super) others: BTreeMap<String, usize>,
    /// Files that git could not read.
    pub(super) unread: Vec<UnreadFile>,
}

impl TreeFiles {
    /// Of the contents of a tree; `None` where the table does not have one.
    pub(super) fn new(
        table: &Table,
        of_tree: &[ContentKey],
        others: BTreeMap<String, usize>,
        unread: Vec<UnreadFile>,
    ) -> Option<Self> {
        let numbers = table.numbers();
        let mut contents: BTreeMap<u32, (FileLanguage, usize)> = BTreeMap::new();
        for key in of_tree {
            let number = *numbers.get(key)?;
            contents.entry(number).or_insert((key.1, 0)).1 += 1;
        }
        Some(Self {
            generation: table.generation(),
            n_buckets: table.n_buckets(),
            contents: (contents.into_iter())
                .map(|(number, (language, n))| (number, language, n))
                .collect(),
            others,
            unread,
        })
    }

    /// Whether git can still read none of what it could not read.
    pub(super) fn is_unread_still(&self, source: Source<'_>) -> bool {
        !is_any_readable(&self.unread, &source.index.repo)
    }

    /// What is kept of a tree.
    pub(super) fn kept(snapshot: &Snapshot, tree: TreeId) -> Option<Self> {
        let (_, bytes) = snapshot.kept(&name(tree))?;
        Self::decode(&bytes, tree)
    }

    pub(super) fn encode(&self, tree: TreeId) -> Vec<u8> {
        let mut out = vec![VERSION];
        put_text(&mut out, &tree.to_string());
        out.extend(self.generation.to_be_bytes());
        put(&mut out, self.n_buckets);
        put(&mut out, self.others.len() as u32);
        for (extension, n) in &self.others {
            put_text(&mut out, extension);
            put(&mut out, *n as u32);
        }
        put(&mut out, self.unread.len() as u32);
        for file in &self.unread {
            put_text(&mut out, &file.blob.to_string());
            put_text(&mut out, file.path.as_str());
            put(&mut out, u32::from(file.reason == UnreadReason::Absent));
        }
        let mut last = 0;
        for (number, language, n) in &self.contents {
            put(&mut out, number - last);
            last = *number;
            put(&mut out, number_of(*language));
            put(&mut out, *n as u32);
        }
        out
    }

    /// The same; `None` where it is of another tree or damaged.
    pub(super) fn decode(bytes: &[u8], tree: TreeId) -> Option<Self> {
        let mut rest = bytes.strip_prefix(&[VERSION])?;
        if take_text(&mut rest)? != tree.to_string() {
            return None;
        }
        let (generation, after) = rest.split_first_chunk::<8>()?;
        rest = after;
        let n_buckets = take(&mut rest)?;
        let n_others = take(&mut rest)?;
        let mut others = BTreeMap::new();
        for _ in 0..n_others {
            let extension = take_text(&mut rest)?.to_owned();
            others.insert(extension, take(&mut rest)? as usize);
        }
        let n_unread = take(&mut rest)?;
        let unread = (0..n_unread).map(|_| take_unread(&mut rest));
        let unread = unread.collect::<Option<Vec<UnreadFile>>>()?;
        let mut contents = Vec::new();
        let mut number = 0_u32;
        while !rest.is_empty() {
            number = number.checked_add(take(&mut rest)?)?;
            let language = language_of(take(&mut rest)?)?;
            contents.push((number, language, take(&mut rest)? as usize));
        }
        Some(Self {
            generation: u64::from_be_bytes(*generation),
            n_buckets,
            contents,
            others,
            unread,
        })
    }
}

/// Under which name a tree is kept.
pub(super) fn name(tree: TreeId) -> String {
    let first = tree.0.as_slice().first().copied().unwrap_or_default();
    format!("{NAME}/tree/{}", first % N_TREES)
}

fn take_unread(rest: &mut &[u8]) -> Option<UnreadFile> {
    Some(UnreadFile {
        blob: ObjectId::from_hex(take_text(rest)?).map(BlobId)?,
        path: RepoPath::from(take_text(rest)?),
        reason: match take(rest)? {
            0 => UnreadReason::Damaged,
            _ => UnreadReason::Absent,
        },
    })
}

fn put_text(out: &mut Vec<u8>, text: &str) {
    put(out, text.len() as u32);
    out.extend(text.as_bytes());
}

fn take_text<'t>(rest: &mut &'t [u8]) -> Option<&'t str> {
    let n = take(rest)? as usize;
    let (text, after) = rest.split_at_checked(n)?;
    *rest = after;
    std::str::from_utf8(text).ok()
}
