//! Unchanged code that is written like changed code: it still has a statement that changed code lost, or has what stands
//! around new statements and lacks these.
//!
//! Owns: which statements are the same, and which say enough to be found by. Must not know: what they do.

use std::collections::{BTreeMap, BTreeSet};

use cortex_derived::doc_ids::DocIds;
use cortex_git::ReadBlob;
use cortex_index::FileSummary;
use cortex_look::QueryError;
use cortex_model::{ByteRange, LineTable, RepoPath};
use cortex_syntax::text::{CodeToken, CodeTokenKind, decode, tokens};
use cortex_wire::{CodePlace, CopiedCode, CopyChange};
use rustc_hash::{FxHashMap, FxHashSet};

use super::{
    alike_tokens::{AlikeToken, alike_tokens},
    around::Declared,
    next::Member,
    symbols::{ChangedSymbol, changed_members},
};
use crate::{
    diff_context::{blobs::Reader, compared::Compared},
    reading::ChangedLines,
};

/// Of more changed files, a few statements say nothing.
const MAX_CHANGED: usize = 60;

/// A statement that is found by itself has so many tokens, and so many names of more than [`MIN_LETTERS`] letters.
const MIN_TOKENS: usize = 7;
const MIN_NAMES: usize = 2;
const MIN_LETTERS: usize = 3;

/// The same of two statements between which others are new, together.
const MIN_TOKENS_AROUND: usize = 14;
const MIN_NAMES_AROUND: usize = 3;

/// More new statements in one place are more than a step that others lack.
const MAX_NEW: usize = 8;

/// So many statements are looked for, each in so many files at most.
const MAX_ASKED: usize = 24;
const MAX_FILES: usize = 40;

/// What stands at more places is how things are written here.
const MAX_PLACES: usize = 5;
const MAX_PLACES_BEHIND: usize = 2;

/// With so many new statements of its member one that is gone is compared.
const MAX_COMPARED: usize = 64;

/// So much of a statement is shown, in characters.
const MAX_SHOWN: usize = 90;

/// So many are told.
const MAX_TOLD: usize = 3;

/// A statement, or the head of one, as a text has it.
struct Statement {
    /// The same for the same code: names that begin small or with `_` and are no member of something are alike.
    key: String,
    range: ByteRange,
    n_tokens: usize,
    /// The names in it that begin with a capital.
    names: BTreeSet<String>,
}

/// What is looked for.
struct Asked {
    change: CopyChange,
    shown: String,
    inserted: Option<String>,
    by: Member,
    /// The names in it.
    names: BTreeSet<String>,
    /// The statements that are found, one behind the other.
    keys: Vec<String>,
    /// The keys of new statements that must not follow.
    lacks: BTreeSet<String>,
    /// The only folder in which it is looked for.
    folder: Option<String>,
    places: BTreeSet<CodePlace>,
}

/// A changed file on one side.
struct Side {
    lines: ChangedLines,
    statements: Vec<Statement>,
}

/// How often the changed files of the product have each statement: before, and now.
type Counts = FxHashMap<String, [usize; 2]>;

/// The statements that changed members of the product lost and that unchanged ones have, at five places at most; and those
/// they newly have between two that stand together in unchanged members, or, at two places of the same folder, behind one
/// that does. Fewest places first. `symbols`: what changed. Reads the changed files, and those that mention all names
/// of such a statement, where at most forty do.
pub(super) fn copies(
    compared: &Compared,
    symbols: &[ChangedSymbol],
    reader: &mut Reader<'_>,
) -> Result<Vec<CopiedCode>, QueryError> {
    let changed = changed_members(symbols);
    let mut asked = asked(compared, &changed)?;
    asked.sort_by_key(|it| (it.change, std::cmp::Reverse(it.keys.concat().len())));
    asked.truncate(MAX_ASKED);
    let mut by_file: BTreeMap<RepoPath, (FileSummary, Vec<usize>)> = BTreeMap::new();
    let mut mentioning = Mentioning::default();
    for (at, asked) in asked.iter().enumerate() {
        let mut files = mentioning.all(compared, &asked.names)?;
        if let Some(folder) = asked.folder.as_deref() {
            files.retain(|it| it.path.folder() == folder);
        }
        if files.len() <= MAX_FILES {
            for file in files {
                let entry = by_file.entry(file.path.clone());
                entry.or_insert((file, Vec::new())).1.push(at);
            }
        }
    }
    for (file, wanted) in by_file.into_values() {
        find_in(compared, &changed, (&file, reader), (&wanted, &mut asked))?;
    }
    told(compared, asked)
}

/// The files of the product that mention names, as far as they were asked for.
#[derive(Default)]
struct Mentioning(BTreeMap<String, BTreeMap<RepoPath, FileSummary>>);

impl Mentioning {
    /// The files that mention each of some names, by path.
    fn all(
        &mut self,
        compared: &Compared,
        names: &BTreeSet<String>,
    ) -> Result<Vec<FileSummary>, QueryError> {
        for name in names {
            if !self.0.contains_key(name) {
                let mut files = compared.new.files_mentioning(name)?;
                files.retain(|it| it.projects.iter().any(|it| !compared.is_of_tests(it)));
                let files = files.into_iter().map(|it| (it.path.clone(), it));
                self.0.insert(name.clone(), files.collect());
            }
        }
        let mut of_names: Vec<_> = names.iter().filter_map(|name| self.0.get(name)).collect();
        of_names.sort_by_key(|it| it.len());
        let Some((fewest, others)) = of_names.split_first() else {
            return Ok(Vec::new());
        };
        let all = fewest
            .iter()
            .filter(|(path, _)| others.iter().all(|it| it.contains_key(*path)));
        Ok(all.map(|(_, file)| file.clone()).collect())
    }
}

/// What was found, once for the same code.
fn told(compared: &Compared, mut asked: Vec<Asked>) -> Result<Vec<CopiedCode>, QueryError> {
    asked.retain(|it| (1..=it.max_places()).contains(&it.places.len()));
    asked.sort_by_key(|it| {
        (
            it.places.len(),
            it.change,
            std::cmp::Reverse(it.keys.concat().len()),
        )
    });
    let mut ids = DocIds::new(&compared.new);
    let mut out: Vec<CopiedCode> = Vec::new();
    let mut known: BTreeSet<BTreeSet<Option<String>>> = BTreeSet::new();
    for asked in asked {
        let members = asked.places.iter().map(|it| it.inside.clone());
        if out.len() == MAX_TOLD || !known.insert(members.collect()) {
            continue;
        }
        if let Some(by) = ids.of(asked.by.0, Some(asked.by.1))? {
            out.push(CopiedCode {
                code: asked.shown,
                change: asked.change,
                inserted: asked.inserted,
                by,
                places: asked.places.into_iter().collect(),
            });
        }
    }
    Ok(out)
}

impl Asked {
    fn max_places(&self) -> usize {
        match self.folder {
            Some(_) => MAX_PLACES_BEHIND,
            None => MAX_PLACES,
        }
    }

    /// Whether what is looked for begins with a statement.
    fn begins(&self, statements: &[Statement], at: usize) -> bool {
        let rest = &statements[at..];
        let is_there = rest.len() >= self.keys.len()
            && self.keys.iter().zip(rest).all(|(key, it)| *key == it.key);
        let mut behind = rest.iter().skip(1).take(MAX_NEW);
        is_there && !behind.any(|it| self.lacks.contains(&it.key))
    }
}

/// What is looked for, of all changed files of the product that were there before.
fn asked(compared: &Compared, changed: &FxHashSet<Member>) -> Result<Vec<Asked>, QueryError> {
    let mut files: Vec<(FileSummary, FileSummary, RepoPath, [Side; 2])> = Vec::new();
    let mut counts = Counts::default();
    for file in &compared.files {
        let paths = [&file.old, &file.new].map(|side| side.as_ref().map(|it| &it.path));
        let mut sides = Vec::new();
        for (of, (path, snapshot)) in paths
            .into_iter()
            .zip([&compared.old, &compared.new])
            .enumerate()
        {
            let Some(path) = path else { continue };
            let lines = match of {
                0 => ChangedLines::of_old(compared, path),
                _ => ChangedLines::of(compared, path),
            };
            let summary = snapshot.file(path)?;
            let product = (summary.iter())
                .flat_map(|it| &it.projects)
                .find(|it| !compared.is_of_tests(it))
                .cloned();
            let (Some(lines), Some(project), Some(summary)) = (lines, product, summary) else {
                continue;
            };
            let statements = statements(lines.text());
            for it in &statements {
                counts.entry(it.key.clone()).or_default()[of] += 1;
            }
            sides.push((Side { lines, statements }, project, summary));
        }
        if let Ok([(old, _, was), (new, project, is)]) = <[_; 2]>::try_from(sides) {
            files.push((was, is, project, [old, new]));
        }
        if files.len() > MAX_CHANGED {
            return Ok(Vec::new());
        }
    }
    let mut out = Vec::new();
    for (was, is, project, [old, new]) in &files {
        let declared = Declared::of(&compared.old, was, project)?;
        let within_old = Within { declared, changed };
        let declared = Declared::of(&compared.new, is, project)?;
        let within = Within { declared, changed };
        let now = changed_statements(new, &within);
        out.extend(lost((old, &within_old), &now, &counts));
        out.extend(gained(old, new, &within, (&counts, is.path.folder())));
    }
    Ok(out)
}

/// The members that a file declares.
struct Within<'c> {
    declared: Declared,
    changed: &'c FxHashSet<Member>,
}

impl Within<'_> {
    /// The member whose code a statement is; nothing for what declares one.
    fn member(&self, statement: &Statement) -> Option<Member> {
        let start = statement.range.start;
        let (key, tag) = self.declared.around(start)?;
        let member = (key, tag?);
        let mut ranges = self.declared.ranges(member);
        ranges
            .any(|it| it.start < start && start < it.end)
            .then_some(member)
    }

    fn changed(&self, statement: &Statement) -> Option<Member> {
        self.member(statement)
            .filter(|it| self.changed.contains(it))
    }
}

/// The statements on lines that are gone, and that changed files have less often now; what is thrown with the condition in
/// front of it, where it says little alone. `now`: what tells whether one only has something more in it.
fn lost<'s>(
    (old, within): (&'s Side, &'s Within<'_>),
    now: &'s FxHashMap<Member, Vec<String>>,
    counts: &'s Counts,
) -> impl Iterator<Item = Asked> + 's {
    let gone = old.statements.iter().enumerate().filter(move |(_, it)| {
        let [before, now] = counts[&it.key];
        now < before && old.lines.has_any(it.range.start..it.range.end)
    });
    gone.filter_map(move |(at, it)| {
        let by = within.changed(it)?;
        let guard = at.checked_sub(1).map(|at| &old.statements[at]);
        let guard = guard.filter(|guard| {
            let is_thrown = old.lines.text()[it.range.start as usize..].starts_with(b"throw ");
            is_thrown && within.changed(guard) == Some(by)
        });
        let (keys, names) = match guard {
            _ if it.is_telling() => (vec![it.key.clone()], it.names.clone()),
            Some(guard) => {
                let names: BTreeSet<String> = guard.names.union(&it.names).cloned().collect();
                let n_tokens = guard.n_tokens + it.n_tokens;
                if n_tokens < MIN_TOKENS_AROUND || names.len() < MIN_NAMES {
                    return None;
                }
                (vec![guard.key.clone(), it.key.clone()], names)
            }
            None => return None,
        };
        let inserted = (keys.len() == 1)
            .then(|| inserted(&written(old.lines.text(), it), now.get(&by)?))
            .flatten();
        Some(Asked {
            change: match inserted {
                Some(_) => CopyChange::Extended,
                None => CopyChange::Gone,
            },
            shown: shown(old.lines.text(), it),
            inserted,
            by,
            names,
            keys,
            lacks: BTreeSet::new(),
            folder: None,
            places: BTreeSet::new(),
        })
    })
}

/// The statements on changed lines of the newer side, each in one line, by member; of each member the first ones.
fn changed_statements(new: &Side, within: &Within<'_>) -> FxHashMap<Member, Vec<String>> {
    let mut out: FxHashMap<Member, Vec<String>> = FxHashMap::default();
    let on_changed = |it: &&Statement| new.lines.has_any(it.range.start..it.range.end);
    for statement in new.statements.iter().filter(on_changed) {
        if let Some(member) = within.changed(statement) {
            let known = out.entry(member).or_default();
            if known.len() < MAX_COMPARED {
                known.push(written(new.lines.text(), statement));
            }
        }
    }
    out
}

/// What was put into a statement that is otherwise the same, in one of some. `before`: the statement in one line.
fn inserted(before: &str, now: &[String]) -> Option<String> {
    let put_in = now.iter().filter_map(|now| put_in(before, now));
    put_in.min_by_key(|it| it.len()).map(beginning)
}

/// What one text has more than another one in one place. O(their lengths).
fn put_in<'n>(before: &str, now: &'n str) -> Option<&'n str> {
    let more = now.len().checked_sub(before.len()).filter(|n| *n > 0)?;
    let (old, new) = (before.as_bytes(), now.as_bytes());
    let end = old.iter().zip(new).take_while(|(a, b)| a == b).count();
    // Both ends together are all that was there.
    if !new.ends_with(&old[end..]) {
        return None;
    }
    // What was put in may end as what is in front of it does: an argument or a member access is told whole.
    let is_same = |at: &usize| *at == end || new[*at] == new[at + more];
    let starts = (0..=end).rev().take_while(is_same);
    let start = starts.min_by_key(|&at| match (at.checked_sub(1).map(|at| new[at]), new[at]) {
        (None | Some(b' ' | b'('), _) => 0,
        (_, b'.') => 1,
        _ => 2,
    })?;
    let put_in = now.get(start..start + more)?.trim();
    put_in.contains(char::is_alphanumeric).then_some(put_in)
}

/// The new statements between two of one member that stood together.
fn gained(
    old: &Side,
    new: &Side,
    within: &Within<'_>,
    (counts, folder): (&Counts, &str),
) -> Vec<Asked> {
    let together = old.statements.windows(2);
    let together: FxHashSet<[&str; 2]> = together
        .map(|pair| [&*pair[0].key, &*pair[1].key])
        .collect();
    let is_new = |it: &Statement| {
        let [before, now] = counts[&it.key];
        before < now && new.lines.has_any(it.range.start..it.range.end)
    };
    let mut out = Vec::new();
    let mut at = 1;
    while at < new.statements.len() {
        let rest = &new.statements[at..];
        let n = rest.iter().take_while(|it| is_new(it)).count();
        let (before, behind) = (&new.statements[at - 1], rest.get(n));
        at += n + 1;
        let Some(behind) = behind.filter(|_| (1..=MAX_NEW).contains(&n)) else {
            continue;
        };
        let members = [before, &rest[0], behind].map(|it| within.changed(it));
        let [Some(by), Some(first), Some(last)] = members else {
            continue;
        };
        if by != first || by != last || !together.contains(&[&*before.key, &*behind.key]) {
            continue;
        }
        let both: BTreeSet<String> = before.names.union(&behind.names).cloned().collect();
        let is_between = before.n_tokens + behind.n_tokens >= MIN_TOKENS_AROUND
            && both.len() >= MIN_NAMES_AROUND;
        let (keys, names, folder) = match is_between {
            true => (vec![before.key.clone(), behind.key.clone()], both, None),
            false if before.is_telling() => {
                let (key, names) = (before.key.clone(), before.names.clone());
                (vec![key], names, Some(folder.to_owned()))
            }
            false => continue,
        };
        out.push(Asked {
            change: CopyChange::Added,
            shown: shown(new.lines.text(), &rest[0]),
            inserted: None,
            by,
            names,
            keys,
            lacks: rest[..n].iter().map(|it| it.key.clone()).collect(),
            folder,
            places: BTreeSet::new(),
        });
    }
    out
}

/// Adds where unchanged members of a file of the product have what is looked for.
fn find_in(
    compared: &Compared,
    changed: &FxHashSet<Member>,
    (file, reader): (&FileSummary, &mut Reader<'_>),
    (wanted, asked): (&[usize], &mut [Asked]),
) -> Result<(), QueryError> {
    let product = file.projects.iter().find(|it| !compared.is_of_tests(it));
    let Some(project) = product else {
        return Ok(());
    };
    let text = decode(&reader.read_blob(file.blob)?).as_bytes().to_vec();
    let statements = statements(&text);
    let found = (0..statements.len()).flat_map(|at| {
        let begins = wanted
            .iter()
            .filter(|&&it| asked[it].begins(&statements, at));
        begins.map(move |&it| (at, it)).collect::<Vec<_>>()
    });
    let found: Vec<(usize, usize)> = found.collect();
    if found.is_empty() {
        return Ok(());
    }
    let declared = Declared::of(&compared.new, file, project)?;
    let within = Within { declared, changed };
    let mut ids = DocIds::new(&compared.new);
    let lines = LineTable::new(&text);
    for (at, wanted) in found {
        let statement = &statements[at];
        let member = within.member(statement);
        if let Some((key, tag)) = member.filter(|it| !changed.contains(it)) {
            asked[wanted].places.insert(CodePlace {
                path: file.path.clone(),
                line: lines.position(statement.range.start).line,
                inside: ids.of(key, Some(tag))?,
            });
        }
    }
    Ok(())
}

impl Statement {
    /// Whether the same code hardly stands in two places for different reasons.
    fn is_telling(&self) -> bool {
        self.n_tokens >= MIN_TOKENS && self.names.len() >= MIN_NAMES
    }
}

/// A statement in one line, or how it begins.
fn shown(text: &[u8], statement: &Statement) -> String {
    beginning(&written(text, statement))
}

/// A statement in one line.
fn written(text: &[u8], statement: &Statement) -> String {
    let range = statement.range.start as usize..statement.range.end as usize;
    let text = String::from_utf8_lossy(&text[range]);
    let words: Vec<&str> = text.split_whitespace().collect();
    words.join(" ")
}

/// As much of a text as is shown.
fn beginning(text: &str) -> String {
    match text.char_indices().nth(MAX_SHOWN) {
        Some((end, _)) => format!("{}…", text[..end].trim_end()),
        None => text.to_owned(),
    }
}

/// The statements of a text and the heads of those that have others in them: what stands between semicolons and braces, but
/// for those in parentheses and in strings.
fn statements(text: &[u8]) -> Vec<Statement> {
    let tokens = tokens(text);
    let written = |it: &CodeToken| &text[it.range.start as usize..it.range.end as usize];
    let (mut out, mut first) = (Vec::new(), 0);
    let (mut depth, mut n_holes) = (0_usize, 0_usize);
    for (at, token) in tokens.iter().enumerate() {
        let is_in_text = at > 0 && tokens[at - 1].kind == CodeTokenKind::Literal;
        let ends = match written(token) {
            b"(" | b"[" => {
                depth += 1;
                false
            }
            b")" | b"]" => {
                depth = depth.saturating_sub(1);
                false
            }
            b"{" if is_in_text => {
                n_holes += 1;
                false
            }
            b"}" if n_holes > 0 => {
                n_holes -= 1;
                false
            }
            b"{" | b"}" => true,
            b";" => depth == 0,
            _ => token.kind == CodeTokenKind::Directive,
        };
        if ends {
            out.extend(statement(text, &tokens[first..at]));
            (first, depth) = (at + 1, 0);
        }
    }
    out.extend(statement(text, &tokens[first..]));
    out
}

fn statement(text: &[u8], tokens: &[CodeToken]) -> Option<Statement> {
    let (first, last) = (tokens.first()?, tokens.last()?);
    let mut key = String::new();
    let mut names = BTreeSet::new();
    for token in alike_tokens(text, tokens) {
        match token {
            AlikeToken::Variable => key.push('~'),
            AlikeToken::Other(written) => key.push_str(&written),
            AlikeToken::Name(written) => {
                key.push_str(&written);
                let is_long = written.chars().count() > MIN_LETTERS;
                if is_long && written.starts_with(char::is_uppercase) {
                    names.insert(written.into_owned());
                }
            }
        }
        key.push(' ');
    }
    Some(Statement {
        key,
        range: ByteRange {
            start: first.range.start,
            end: last.range.end,
        },
        n_tokens: tokens.len(),
        names,
    })
}

#[cfg(test)]
mod tests {
    use super::statements;

    #[test]
    fn statements_end_at_semicolons_and_braces_outside_of_parentheses_and_strings() {
        let code = "if (a.Is) { b.Go($\"{x} and {y}\", c => { d(); }); } else { return; }";
        let keys: Vec<String> = statements(code.as_bytes())
            .into_iter()
            .map(|it| it.key.replace(' ', ""))
            .collect();
        assert_eq!(
            keys,
            [
                "if(~.Is)",
                "~.Go($\"{~}and{~}\",~=>",
                "~()",
                ")",
                "else",
                "return"
            ]
        );
    }
}
