//! Comparisons on changed lines that unchanged code near by makes as well: a rule that is written more than once.
//!
//! Owns: which comparisons are the same. Must not know: what is compared.

use std::collections::{BTreeMap, BTreeSet};

use cortex_derived::doc_ids::DocIds;
use cortex_git::ReadBlob;
use cortex_index::FileSummary;
use cortex_look::QueryError;
use cortex_model::{LineTable, RepoPath};
use cortex_syntax::text::{CodeToken, CodeTokenKind, decode, tokens};
use cortex_wire::{CodePlace, SharedCondition};
use rustc_hash::FxHashSet;

use super::{
    around::Declared,
    next::Member,
    symbols::{ChangedSymbol, changed_members},
};
use crate::{
    diff_context::{blobs::Reader, compared::Compared},
    reading::ChangedLines,
};

/// So many comparisons are looked for in the files beside a changed one.
const MAX_ASKED: usize = 12;

/// What more lines of the folder compare is what its code is about.
const MAX_PLACES: usize = 8;

/// So many files of a folder are read for one comparison.
const MAX_FILES: usize = 24;

/// So many comparisons are told.
const MAX_TOLD: usize = 4;

/// A comparison that is looked for in a folder.
struct Asked {
    shown: String,
    /// Documentation id of the changed member.
    by: String,
    places: BTreeSet<CodePlace>,
}

/// The comparisons that are looked for in a folder, by their keys.
#[derive(Default)]
struct Folder {
    asked: BTreeMap<String, Asked>,
    /// The files that may make them.
    files: BTreeMap<RepoPath, FileSummary>,
}

/// The comparisons of members with names (`send.UserId != userId`; the object may be called otherwise) on changed lines of
/// changed members of the product, or on lines of them that are gone, with the unchanged members of the same file and folder
/// that make them: those with fewest places first. `symbols`: what changed. Reads changed files, and once each of those of
/// their folders that mention what is compared.
pub(super) fn conditions(
    compared: &Compared,
    symbols: &[ChangedSymbol],
    reader: &mut Reader<'_>,
) -> Result<Vec<SharedCondition>, QueryError> {
    let told = changed_members(symbols);
    let mut folders: BTreeMap<String, Folder> = BTreeMap::new();
    for side in compared.files.iter().filter_map(|file| file.new.as_ref()) {
        let Some(file) = compared.new.file(&side.path)? else {
            continue;
        };
        let product = file.projects.iter().find(|it| !compared.is_of_tests(it));
        if let Some(project) = product {
            let folder = folders.entry(side.path.folder().to_owned()).or_default();
            ask(compared, &told, (&file, project), folder)?;
        }
    }
    let mut ids = DocIds::new(&compared.new);
    let mut out = Vec::new();
    for mut folder in folders.into_values() {
        for file in std::mem::take(&mut folder.files).values() {
            find_in(compared, &told, (file, &mut ids, reader), &mut folder)?;
        }
        let asked = folder.asked.into_values();
        let few = asked.filter(|it| (1..=MAX_PLACES).contains(&it.places.len()));
        out.extend(few.map(|asked| SharedCondition {
            condition: asked.shown,
            by: asked.by,
            places: asked.places.into_iter().collect(),
        }));
    }
    out.sort_by_key(|it| it.places.len());
    out.truncate(MAX_TOLD);
    Ok(out)
}

/// Adds the comparisons on changed lines of a file to those of its folder, with the files to look for them.
fn ask(
    compared: &Compared,
    told: &FxHashSet<Member>,
    (file, project): (&FileSummary, &RepoPath),
    folder: &mut Folder,
) -> Result<(), QueryError> {
    let sides = [
        (&compared.new, ChangedLines::of(compared, &file.path)),
        (&compared.old, ChangedLines::of_old(compared, &file.path)),
    ];
    for (snapshot, lines) in sides {
        let (Some(lines), Some(side)) = (lines, snapshot.file(&file.path)?) else {
            continue;
        };
        let changed = comparisons(lines.text()).filter(|it| lines.has(it.start));
        let mut changed = changed.peekable();
        if changed.peek().is_none() {
            continue;
        }
        let declared = Declared::of(snapshot, &side, project)?;
        let mut ids = DocIds::new(snapshot);
        for it in changed {
            let Some((key, Some(tag))) = declared.around(it.start) else {
                continue;
            };
            let is_known = folder.asked.contains_key(&it.key);
            if !told.contains(&(key, tag)) || is_known || folder.asked.len() == MAX_ASKED {
                continue;
            }
            let Some(by) = ids.of(key, Some(tag))? else {
                continue;
            };
            let mut files = compared.new.files_mentioning(&it.member)?;
            files.retain(|beside| beside.path.folder() == file.path.folder());
            files.sort_by_key(|beside| beside.path != file.path);
            let files = files.into_iter().take(MAX_FILES);
            folder.files.extend(files.map(|it| (it.path.clone(), it)));
            let asked = Asked {
                shown: it.shown,
                by,
                places: BTreeSet::new(),
            };
            folder.asked.insert(it.key, asked);
        }
    }
    Ok(())
}

/// Adds where unchanged members of a file of the product make the comparisons of a folder.
fn find_in(
    compared: &Compared,
    told: &FxHashSet<Member>,
    (file, ids, reader): (&FileSummary, &mut DocIds<'_>, &mut Reader<'_>),
    folder: &mut Folder,
) -> Result<(), QueryError> {
    let product = file.projects.iter().find(|it| !compared.is_of_tests(it));
    let Some(project) = product else {
        return Ok(());
    };
    let text = decode(&reader.read_blob(file.blob)?).as_bytes().to_vec();
    let same = comparisons(&text).filter(|it| folder.asked.contains_key(&it.key));
    let same: Vec<Comparison> = same.collect();
    if same.is_empty() {
        return Ok(());
    }
    let declared = Declared::of(&compared.new, file, project)?;
    let lines = LineTable::new(&text);
    for it in same {
        let Some((ty, Some(tag))) = declared.around(it.start) else {
            continue;
        };
        let asked = folder.asked.get_mut(&it.key);
        if let Some(asked) = asked.filter(|_| !told.contains(&(ty, tag))) {
            asked.places.insert(CodePlace {
                path: file.path.clone(),
                line: lines.position(it.start).line,
                inside: ids.of(ty, Some(tag))?,
            });
        }
    }
    Ok(())
}

/// A comparison as a text has it.
struct Comparison {
    /// The same for the same: `==` stands for `!=` as well, and a dot for the object whose member is compared.
    key: String,
    shown: String,
    member: String,
    /// Where its sign is, in bytes.
    start: u32,
}

/// The comparisons of a member with a name or a text. Others decide little: whether something is there, or how many.
fn comparisons(text: &[u8]) -> impl Iterator<Item = Comparison> {
    let tokens = tokens(text);
    (0..tokens.len()).filter_map(move |at| comparison(text, &tokens, at))
}

fn comparison(text: &[u8], tokens: &[CodeToken], at: usize) -> Option<Comparison> {
    let start = tokens[at].range.start;
    let (sign, n_tokens) = sign(text, tokens, at)?;
    let left = operand(text, tokens[..at].iter().rev())?.reversed();
    let behind = &tokens[at + n_tokens..];
    let right = operand(text, behind.iter())?;
    let goes_on = behind
        .get(right.n_tokens)
        .is_some_and(|it| matches!(text[it.range.start as usize], b'(' | b'[' | b'<'));
    if goes_on {
        return None;
    }
    let member = [&left, &right]
        .into_iter()
        .find_map(|it| it.member().map(ToOwned::to_owned))?;
    let operator = match sign {
        "!=" => "==",
        other => other,
    };
    let keys = [left.key()?, right.key()?];
    // What has the same member twice goes with any two objects: `a.OrderId == b.OrderId`.
    if keys[0] == keys[1] {
        return None;
    }
    Some(Comparison {
        key: format!("{}{operator}{}", keys[0], keys[1]),
        shown: format!("{} {sign} {}", left.shown(), right.shown()),
        member,
        start,
    })
}

/// The sign of a comparison that begins with a token, with how many tokens it is of.
fn sign(text: &[u8], tokens: &[CodeToken], at: usize) -> Option<(&'static str, usize)> {
    let token = &tokens[at];
    if token.kind != CodeTokenKind::Punctuator {
        return None;
    }
    let start = token.range.start as usize;
    let behind = text.get(start + 2);
    let sign = match text.get(start..start + 2)? {
        b"==" => "==",
        b"!=" => "!=",
        _ => return None,
    };
    let end = start + sign.len();
    let own = tokens[at..].iter();
    let n_tokens = own.take_while(|it| (it.range.start as usize) < end).count();
    (behind != Some(&b'=')).then_some((sign, n_tokens))
}

/// What stands on one side of a sign: names with dots between them, or a text.
struct Operand {
    names: Vec<String>,
    n_tokens: usize,
    is_text: bool,
}

impl Operand {
    fn reversed(mut self) -> Self {
        self.names.reverse();
        self
    }

    /// The name of the member, of an object that has a name.
    fn member(&self) -> Option<&str> {
        let last = self.names.last()?;
        (self.names.len() > 1).then_some(last)
    }

    fn shown(&self) -> String {
        self.names.join(".")
    }

    /// `None` for what is no name of anything.
    fn key(&self) -> Option<String> {
        let first = self.names.first()?;
        if self.is_text {
            return Some(first.clone());
        }
        let is_value = matches!(first.as_str(), "null" | "true" | "false" | "default" | "is");
        let is_local = first.starts_with(|c: char| c.is_lowercase() || c == '_');
        match (is_value, is_local && self.names.len() > 1) {
            (true, _) => None,
            (false, true) => Some(format!(".{}", self.names[1..].join("."))),
            (false, false) => Some(self.names.join(".")),
        }
    }
}

/// The operand that begins with the first of some tokens, in the order of these; `None` for anything but names and texts.
fn operand<'t>(text: &[u8], tokens: impl Iterator<Item = &'t CodeToken>) -> Option<Operand> {
    let mut names = Vec::new();
    let (mut n_tokens, mut is_name_next) = (0, true);
    for token in tokens {
        let range = token.range.start as usize..token.range.end as usize;
        let written = String::from_utf8_lossy(&text[range]);
        match token.kind {
            CodeTokenKind::Literal if names.is_empty() && written.starts_with('"') => {
                return Some(Operand {
                    names: vec![written.into_owned()],
                    n_tokens: 1,
                    is_text: true,
                });
            }
            CodeTokenKind::Word if is_name_next => {
                names.push(written.into_owned());
                is_name_next = false;
            }
            CodeTokenKind::Punctuator if matches!(&*written, "." | "?." | "!" | "?") => {
                is_name_next |= written.contains('.');
            }
            _ => break,
        }
        n_tokens += 1;
    }
    let is_whole = !is_name_next && !names.is_empty();
    is_whole.then_some(Operand {
        names,
        n_tokens,
        is_text: false,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn keys(code: &str) -> Vec<String> {
        comparisons(code.as_bytes()).map(|it| it.key).collect()
    }

    #[test]
    fn members_are_compared_whatever_the_object_is_called() {
        let same = [
            "if (send.UserId != userId) { }",
            "return old?.UserId == userId;",
            "x = a && _send.UserId==userId ? 1 : 2;",
        ];
        for code in same {
            assert_eq!(keys(code), [".UserId==userId"], "{code}");
        }
        assert_eq!(keys("o.Plan == Plan.Free"), [".Plan==Plan.Free"]);
        assert_eq!(keys("o.Kind == \"a\""), [".Kind==\"a\""]);
    }

    #[test]
    fn what_is_compared_with_nothing_or_with_numbers_is_no_rule() {
        for code in [
            "o.P == null",
            "o.N == 0",
            "a == b",
            "o.P = q",
            "F(o.P) == q.R[1]",
            "o.B == true",
            "x => o.P",
            "o.N >= p.M",
            "a.OrderId == b.OrderId",
        ] {
            assert_eq!(keys(code), [""; 0], "{code}");
        }
    }
}
