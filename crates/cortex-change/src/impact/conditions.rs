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
use cortex_wire::{CodePlace, SharedCondition, UseSide};
use rustc_hash::FxHashSet;

use super::{around::Declared, next::Member, symbols::ChangedSymbol};
use crate::{
    diff_context::{blobs::Reader, compared::Compared},
    reading::ChangedLines,
};

/// So many comparisons are looked for.
const MAX_ASKED: usize = 12;

/// What more lines of the folder compare is what its code is about.
const MAX_PLACES: usize = 8;

/// So many files of a folder are read for one comparison.
const MAX_FILES: usize = 24;

/// So many comparisons are told.
const MAX_TOLD: usize = 4;

/// The comparisons of members with names (`send.UserId != userId`; the object may be called otherwise) on changed lines of
/// changed members of the product, or on lines of them that are gone, with the unchanged members of the same file and folder
/// that make them: those with fewest places first. `symbols`: what changed. Reads changed files, and those of their folders
/// that mention what is compared.
pub(super) fn conditions(
    compared: &Compared,
    symbols: &[ChangedSymbol],
    reader: &mut Reader<'_>,
) -> Result<Vec<SharedCondition>, QueryError> {
    let there = symbols.iter().filter(|it| it.side == UseSide::New);
    let told: FxHashSet<Member> = there.filter_map(|it| Some((it.key, it.member?))).collect();
    let mut asked: BTreeMap<String, Asked> = BTreeMap::new();
    for (path, project) in product_files(compared)? {
        let sides = [
            (&compared.new, ChangedLines::of(compared, &path)),
            (&compared.old, ChangedLines::of_old(compared, &path)),
        ];
        for (snapshot, lines) in sides {
            let (Some(lines), Some(file)) = (lines, snapshot.file(&path)?) else {
                continue;
            };
            let declared = Declared::of(snapshot, &file, &project)?;
            let mut ids = DocIds::new(snapshot);
            for it in comparisons(lines.text()).filter(|it| lines.has(it.start)) {
                let Some((key, Some(tag))) = declared.around(it.start) else {
                    continue;
                };
                if !told.contains(&(key, tag)) || asked.contains_key(&it.key) {
                    continue;
                }
                if let Some(by) = ids.of(key, Some(tag))? {
                    let entry = Asked {
                        shown: it.shown,
                        member: it.member,
                        path: path.clone(),
                        by,
                    };
                    asked.insert(it.key, entry);
                }
            }
        }
    }
    let mut ids = DocIds::new(&compared.new);
    let mut out = Vec::new();
    for (key, asked) in asked.into_iter().take(MAX_ASKED) {
        let mut places: BTreeSet<CodePlace> = BTreeSet::new();
        for file in files_beside(compared, &asked)? {
            let product = file.projects.iter().find(|it| !compared.is_of_tests(it));
            let Some(project) = product else { continue };
            let text = decode(&reader.read_blob(file.blob)?).as_bytes().to_vec();
            let mut same = comparisons(&text).filter(|it| it.key == key).peekable();
            if same.peek().is_none() {
                continue;
            }
            let (declared, lines) = (
                Declared::of(&compared.new, &file, project)?,
                LineTable::new(&text),
            );
            for it in same {
                let Some((ty, Some(tag))) = declared.around(it.start) else {
                    continue;
                };
                if !told.contains(&(ty, tag)) {
                    places.insert(CodePlace {
                        path: file.path.clone(),
                        line: lines.position(it.start).line,
                        inside: ids.of(ty, Some(tag))?,
                    });
                }
            }
        }
        if !places.is_empty() && places.len() <= MAX_PLACES {
            out.push(SharedCondition {
                condition: asked.shown,
                by: asked.by,
                places: places.into_iter().collect(),
            });
        }
    }
    out.sort_by_key(|it| it.places.len());
    out.truncate(MAX_TOLD);
    Ok(out)
}

/// A comparison that is looked for.
struct Asked {
    shown: String,
    /// The name of a member that it compares.
    member: String,
    path: RepoPath,
    by: String,
}

/// The changed files of the product, each in the first project of it that is not of tests.
fn product_files(compared: &Compared) -> Result<Vec<(RepoPath, RepoPath)>, QueryError> {
    let mut out = Vec::new();
    for file in &compared.files {
        let Some(new) = &file.new else { continue };
        if let Some(summary) = compared.new.file(&new.path)? {
            let mut projects = summary.projects.iter();
            let product = projects.find(|it| !compared.is_of_tests(it));
            out.extend(product.map(|project| (new.path.clone(), project.clone())));
        }
    }
    Ok(out)
}

/// The file of a comparison, and those of its folder that mention the member.
fn files_beside(compared: &Compared, asked: &Asked) -> Result<Vec<FileSummary>, QueryError> {
    let folder = |path: &RepoPath| {
        let end = path.as_str().rfind('/').unwrap_or(0);
        path.as_str()[..end].to_owned()
    };
    let own = folder(&asked.path);
    let all = compared.new.files_mentioning(&asked.member)?.into_iter();
    let beside = all.filter(|file| folder(&file.path) == own);
    let mut out: Vec<FileSummary> = beside.collect();
    out.sort_by_key(|file| file.path != asked.path);
    out.truncate(MAX_FILES);
    Ok(out)
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
    Some(Comparison {
        key: format!("{}{operator}{}", left.key()?, right.key()?),
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
        ] {
            assert_eq!(keys(code), [""; 0], "{code}");
        }
    }
}
