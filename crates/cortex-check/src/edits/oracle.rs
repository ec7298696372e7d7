//! What a rename promises, checked without what planned it: the records of an export before, and those of an index that
//! is made from nothing of the tree that `git apply` leaves.
//!
//! Three laws. With the new name written as the old one in ids and paths, both exports have the same records. At each
//! place of code, what it refers to is the same under a map of ids that is one to one. Nothing is declared twice that was
//! not. Hashes and tags of types do not occur in an export, so that nothing else needs a map.
//!
//! Columns move where names get longer: in files that the rename touches, a place is told by the number of the token on
//! its line, which a rename keeps.

use std::{
    collections::{BTreeMap, BTreeSet, HashMap},
    fs, io,
    path::Path,
};

use cortex_syntax::text::decode;
use cortex_wire::EditAnswer;
use serde_json::Value;

use super::{Candidate, CandidateKind};

/// The records of an export.
pub(super) struct Exported {
    pub(super) text: String,
}

/// The names of a rename.
#[derive(Clone, Copy)]
pub(super) struct Names<'n> {
    pub(super) old: &'n str,
    pub(super) new: &'n str,
}

impl Exported {
    pub(super) fn new(text: String) -> Self {
        Self { text }
    }

    /// The types or members that code declares, each id once.
    pub(super) fn declared(&self, kind: CandidateKind) -> Vec<Candidate> {
        let word = kind.word();
        let mut files: HashMap<String, String> = HashMap::new();
        let mut found = BTreeMap::new();
        let beginning = format!("{{\"k\":\"{word}\"");
        for line in self.text.lines() {
            let is_type = line.starts_with("{\"k\":\"type\"");
            if !is_type && !line.starts_with(&beginning) {
                continue;
            }
            let Ok(record) = serde_json::from_str::<Value>(line) else {
                continue;
            };
            let id = text(&record, "id").to_owned();
            if is_type {
                let file = record["files"][0].as_str().unwrap_or_default();
                files.insert(id.clone(), file.to_owned());
            }
            if !line.starts_with(&beginning) || record["synth"] == Value::Bool(true) {
                continue;
            }
            let ty = if is_type { &*id } else { text(&record, "type") };
            let name = name_of(&id);
            if name.starts_with('#') || name.is_empty() {
                continue;
            }
            let candidate = Candidate {
                kind,
                name,
                file: files.get(ty).cloned().unwrap_or_default(),
                symbol: id.clone(),
                parameters: Vec::new(),
            };
            found.insert(id, candidate);
        }
        found.into_values().collect()
    }

    /// The names of what is declared beside a type or a member.
    pub(super) fn siblings(&self, candidate: &Candidate) -> BTreeSet<String> {
        let around = container_of(&candidate.symbol);
        let Some(around) = around.filter(|_| candidate.kind <= CandidateKind::Member) else {
            return BTreeSet::new();
        };
        let ids = self.text.lines().filter_map(|line| {
            let is_declared = ["{\"k\":\"type\"", "{\"k\":\"member\""]
                .iter()
                .any(|beginning| line.starts_with(beginning));
            let id = line.split_once("\"id\":\"").filter(|_| is_declared)?.1;
            id.split('"').next()
        });
        ids.filter(|id| container_of(id) == Some(around))
            .map(name_of)
            .filter(|name| !name.starts_with('#'))
            .collect()
    }
}

pub(super) fn text<'v>(record: &'v Value, field: &str) -> &'v str {
    record[field].as_str().unwrap_or_default()
}

/// A documentation id without its kind and its parameters.
pub(super) fn path_of(id: &str) -> &str {
    let id = id.get(2..).unwrap_or_default();
    let end = id.find(['(', '~']).unwrap_or(id.len());
    &id[..end]
}

fn container_of(id: &str) -> Option<&str> {
    path_of(id).rsplit_once('.').map(|(around, _)| around)
}

/// The name of what an id is of.
fn name_of(id: &str) -> String {
    let path = path_of(id);
    let last = path.rsplit('.').next().unwrap_or_default();
    let explicit = match last.starts_with("#c") {
        true => last,
        false => last.rsplit('#').next().unwrap_or_default(),
    };
    explicit.split('`').next().unwrap_or_default().to_owned()
}

/// The texts of the files that an operation changes.
pub(super) struct Touched {
    before: HashMap<String, TokenTable>,
    after: HashMap<String, TokenTable>,
}

impl Touched {
    pub(super) fn read(answer: &EditAnswer, before: &Path, after: &Path) -> io::Result<Self> {
        let mut touched = Self {
            before: HashMap::new(),
            after: HashMap::new(),
        };
        for file in &answer.files {
            let new = file.new_file.as_ref().unwrap_or(&file.file);
            let old_text = fs::read(before.join(file.file.as_str()))?;
            let new_text = fs::read(after.join(new.as_str()))?;
            let path = file.file.as_str();
            (touched.before).insert(path.to_owned(), TokenTable::new(&old_text));
            (touched.after).insert(new.as_str().to_owned(), TokenTable::new(&new_text));
        }
        Ok(touched)
    }
}

/// Where the tokens of each line start, as columns.
struct TokenTable {
    lines: Vec<Vec<u32>>,
}

impl TokenTable {
    fn new(bytes: &[u8]) -> Self {
        let source = decode(bytes);
        let lines = cortex_model::LineTable::new(source.as_bytes());
        let mut out: Vec<Vec<u32>> = Vec::new();
        let is_word = |c: char| c == '_' || c == '@' || c == '\\' || c.is_alphanumeric();
        let mut was_word = false;
        for (offset, c) in source.as_str().char_indices() {
            if !(is_word(c) && was_word) {
                let at = lines.position(offset as u32);
                out.resize_with(out.len().max(at.line as usize), Vec::new);
                out[at.line as usize - 1].push(at.column);
            }
            was_word = is_word(c);
        }
        Self { lines: out }
    }

    /// The number of the token that a place is in.
    fn token(&self, line: u64, column: u64) -> usize {
        let Some(starts) = self.lines.get(line as usize - 1) else {
            return 0;
        };
        starts.partition_point(|&start| u64::from(start) <= column)
    }
}

/// What of an export can be compared.
struct Normal {
    /// Every record, with the new name as the old one, sorted.
    records: Vec<String>,
    /// What each place refers to.
    targets: BTreeMap<String, Vec<String>>,
    /// How often an id is declared.
    declared: BTreeMap<String, usize>,
}

/// So many differences of one kind are told.
const MAX_TOLD: usize = 4;

/// What differs that must not.
pub(super) fn compare(
    before: &Exported,
    after: &Exported,
    names: Names<'_>,
    touched: &Touched,
) -> Vec<String> {
    let old = normal(before, names, &touched.before);
    let new = normal(after, names, &touched.after);
    let mut problems = Vec::new();
    let (gone, come) = difference(&old.records, &new.records);
    for (records, word) in [(gone, "gone"), (come, "new")] {
        let told = records.iter().take(MAX_TOLD);
        problems.extend(told.map(|record| format!("{word}: {record}")));
        if records.len() > MAX_TOLD {
            problems.push(format!("{word}: {} records", records.len()));
        }
    }
    let mut forth: HashMap<&str, &str> = HashMap::new();
    let mut back: HashMap<&str, &str> = HashMap::new();
    let mut n_told = 0;
    for (place, targets) in &old.targets {
        let Some([to]) = new.targets.get(place).map(Vec::as_slice) else {
            continue;
        };
        let [from] = targets.as_slice() else { continue };
        let known = *forth.entry(from).or_insert(to);
        let known_back = *back.entry(to).or_insert(from);
        if (known != to || known_back != from) && n_told < MAX_TOLD {
            n_told += 1;
            problems.push(format!(
                "{place}: {from} is {to}; elsewhere {known_back} is {known}"
            ));
        }
    }
    for (id, n) in &new.declared {
        if *n > 1 && old.declared.get(id).is_none_or(|before| before < n) {
            problems.push(format!("{id} is declared {n} times"));
        }
    }
    problems
}

fn normal(exported: &Exported, names: Names<'_>, texts: &HashMap<String, TokenTable>) -> Normal {
    let mut out = Normal {
        records: Vec::new(),
        targets: BTreeMap::new(),
        declared: BTreeMap::new(),
    };
    for line in exported.text.lines() {
        let file = field(line, "f");
        let Some(path) = file.filter(|path| texts.contains_key(*path)) else {
            if let Some(id) = field(line, "id")
                && ["{\"k\":\"type\"", "{\"k\":\"member\""]
                    .iter()
                    .any(|beginning| line.starts_with(beginning))
            {
                let asm = field(line, "asm").unwrap_or_default();
                *out.declared.entry(format!("{id} of {asm}")).or_default() += 1;
            }
            if let (Some(_), Some(to)) = (file, field(line, "to")) {
                let key = line.replacen(to, "", 1);
                // What a place is inside of has a name that may change, too.
                let key = key.split("\"in\":").next().unwrap_or_default().to_owned();
                out.targets.entry(key).or_default().push(to.to_owned());
            }
            out.records.push(sorted_files(renamed(line, names)));
            continue;
        };
        let Ok(record) = serde_json::from_str::<Value>(line) else {
            continue;
        };
        let at = [&record["l"], &record["c"]].map(|it| it.as_u64().unwrap_or(1));
        let token = texts[path].token(at[0], at[1]);
        let (kind, asm, to) = (
            text(&record, "k"),
            text(&record, "asm"),
            text(&record, "to"),
        );
        let place = format!(
            "{kind} {} {}:{token} of {asm} {}",
            renamed(path, names),
            at[0],
            text(&record, "how")
        );
        let rest = format!(
            "{place} to {} in {} sure {}",
            renamed(to, names),
            renamed(text(&record, "in"), names),
            record["sure"]
        );
        if !to.is_empty() {
            out.targets.entry(place).or_default().push(to.to_owned());
        }
        out.records.push(rest);
    }
    out.records.sort_unstable();
    out
}

/// A text of a record, as it is written.
fn field<'l>(line: &'l str, name: &str) -> Option<&'l str> {
    let beginning = format!("\"{name}\":\"");
    let at = line.find(&beginning)? + beginning.len();
    let end = line[at..].find('"')?;
    Some(&line[at..at + end])
}

/// A record with its files in order: paths that change may stand elsewhere.
fn sorted_files(line: String) -> String {
    let Some((start, rest)) = line.split_once("\"files\":[") else {
        return line;
    };
    let Some((files, end)) = rest.split_once(']') else {
        return line;
    };
    let mut files: Vec<&str> = files.split(',').collect();
    files.sort_unstable();
    format!("{start}\"files\":[{}]{end}", files.join(","))
}

/// A text with the new name written as the old one.
fn renamed(text: &str, names: Names<'_>) -> String {
    if !text.contains(names.new) {
        return text.to_owned();
    }
    let is_word = |c: char| c == '_' || c.is_alphanumeric();
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find(names.new) {
        let end = at + names.new.len();
        out.push_str(&rest[..at]);
        let is_whole = !out.ends_with(is_word) && !rest[end..].starts_with(is_word);
        out.push_str(if is_whole { names.old } else { names.new });
        rest = &rest[end..];
    }
    out.push_str(rest);
    out
}

/// What only one of two sorted lists has.
pub(super) fn difference(old: &[String], new: &[String]) -> (Vec<String>, Vec<String>) {
    let (mut gone, mut come) = (Vec::new(), Vec::new());
    let (mut a, mut b) = (old.iter().peekable(), new.iter().peekable());
    loop {
        match (a.peek(), b.peek()) {
            (None, None) => return (gone, come),
            (Some(x), Some(y)) if x == y => {
                a.next();
                b.next();
            }
            (Some(x), y) if y.is_none_or(|y| x < y) => gone.extend(a.next().cloned()),
            _ => come.extend(b.next().cloned()),
        }
    }
}
