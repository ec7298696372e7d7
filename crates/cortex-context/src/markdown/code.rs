//! Changed code: whole members, old and new merged line by line.

mod moved;
pub(super) mod rank;
mod telling;
#[cfg(test)]
mod tests;

use std::{collections::HashSet, fmt::Write, ops::Range};

use cortex_model::RepoPath;
use cortex_wire::{CodeLine, CodeLineKind, DiffContext, MemberChange, MemberChangeKind};

use super::{
    names::Names,
    plan::{Alone, Form, Item, Role, Section, Stage, Tail, Text, Total, grouped, untold},
};
use crate::text::{Tabs, line, visible};
pub(super) use moved::Moves;
use telling::{most_telling, outer_lines};

/// How much of a run of lines of one side is shown.
#[derive(Clone, Copy)]
struct Runs {
    /// A longer one is cut.
    max: usize,
    /// How many lines of such a run stay, those that say most.
    n_kept: usize,
    /// How many changed lines of a member stay, those that say most.
    most: usize,
    /// How many unchanged lines around a change stay.
    n_around: usize,
}

const BRIEF: Runs = Runs {
    max: 6,
    n_kept: 4,
    most: 6,
    n_around: 0,
};

const CUT: Runs = Runs {
    max: 16,
    n_kept: 12,
    most: 24,
    n_around: 0,
};

const LONG: Runs = Runs {
    max: 40,
    n_kept: 32,
    most: 80,
    n_around: 1,
};

/// All that changed, but for most of what is gone.
const CHANGED: Runs = Runs {
    most: usize::MAX,
    n_around: 2,
    ..CUT
};

/// So much of the section, in percent, code that was there may fill before new code is shown.
const EDITED_PERCENT: u8 = 60;

/// So many lines of comments that follow one another are folded where code differs as well.
const MAX_COMMENTS: usize = 2;

/// A changed member's code, by the indices of its type and of itself.
type Ranked = (rank::Rank, usize, usize);

/// The sections of what people wrote of the product, and of everything else: for each type its changed members, the most
/// important types first.
pub(crate) fn sections<'a>(
    answer: &'a DiffContext,
    names: &Names,
    moves: &'a Moves,
    n_max: usize,
) -> [Section<'a>; 2] {
    let (product, others) = ranked(answer, moves);
    // What changed of all members comes before all of any.
    let all_product = Total {
        one: "member's code",
        many: "members' code",
        n: product.len(),
    };
    let all_others = Total {
        one: "other member's code",
        many: "other members' code",
        n: others.len(),
    };
    let product = section(answer, names, moves, product, n_max, |items, edited| {
        let all = Stage::all(items);
        let edited = Stage {
            form: Form::Changed,
            ..Stage::all(edited)
        };
        // What differs of code that was there is shown before more is of new code, of which each has a little.
        let first = Stage {
            percent: EDITED_PERCENT,
            ..edited.clone()
        };
        let little = Stage {
            form: Form::Brief,
            ..all.clone()
        };
        let changed = Stage {
            form: Form::Changed,
            ..all.clone()
        };
        vec![first, little, edited, changed, all]
    });
    let others = section(answer, names, moves, others, n_max, |items, _| {
        vec![Stage::all(items)]
    });
    [
        Section {
            heading: "Changed code",
            totals: vec![all_product],
            ..product
        },
        Section {
            heading: "Other changed code",
            totals: vec![all_others],
            behind: Some(super::CODE),
            ..others
        },
    ]
}

/// The members whose code is told, the most important first: those of the product that people wrote, and those of tests
/// and what tools wrote.
fn ranked(answer: &DiffContext, moves: &Moves) -> (Vec<Ranked>, Vec<Ranked>) {
    let generated = answer.files.iter().filter(|file| file.is_generated);
    // What migrations do is told by the rows of the database.
    let told = answer.database.iter();
    let told = told.flat_map(|change| change.also_in.iter().chain([&change.path]));
    let generated = generated.map(|file| &file.path).chain(told);
    let generated: HashSet<&RepoPath> = generated.collect();
    let handlers = answer.routes.iter();
    let handlers: HashSet<(&str, &str)> = handlers
        .filter_map(|route| route.handler.rsplit_once('.'))
        .collect();
    let mut all: Vec<Ranked> = Vec::new();
    // A file that several projects compile is shown once.
    let mut seen = HashSet::new();
    for (t, change) in answer.types.iter().enumerate() {
        for (m, member) in change.members.iter().enumerate() {
            let is_changed = member
                .code
                .iter()
                .any(|line| line.kind != CodeLineKind::Context);
            // What a test did that is gone says its name.
            let is_gone = change.is_test && member.change == MemberChangeKind::Removed;
            if is_changed
                && !is_gone
                && !member.is_proven
                && !rank::is_in_row(change, member)
                && seen.insert((&member.path, member.line, &member.name, member.change as u8))
            {
                let author = match generated.contains(&member.path) {
                    true => rank::Author::Tool,
                    false => rank::Author::Person,
                };
                let moved = moves.of((t, m));
                let handler = (cortex_model::simple_name(&change.ty.name), &*member.name);
                let how = (handlers.contains(&handler), moved);
                all.push((rank::Rank::new(change, member, author, how), t, m));
            }
        }
    }
    all.sort_unstable();
    all.into_iter().partition(|(rank, ..)| rank.is_of_product())
}

/// A section without a heading and totals. `stages`: those of its members, which come in the order of their ranks, and of
/// those among them that were there and do something else.
fn section<'a>(
    answer: &'a DiffContext,
    names: &Names,
    moves: &'a Moves,
    mut ranked: Vec<Ranked>,
    n_max: usize,
    stages: impl Fn(Vec<u32>, Vec<u32>) -> Vec<Stage>,
) -> Section<'a> {
    ranked.truncate(n_max);
    // Types in the order of their best member, members of a type in the order of the source.
    let mut place = vec![u32::MAX; answer.types.len()];
    let mut groups: Vec<(usize, Vec<(usize, usize)>)> = Vec::new();
    for (order, &(_, t, m)) in ranked.iter().enumerate() {
        if place[t] == u32::MAX {
            place[t] = groups.len() as u32;
            groups.push((t, Vec::new()));
        }
        groups[place[t] as usize].1.push((m, order));
    }
    let mut items = Vec::new();
    let mut by_rank = vec![0; ranked.len()];
    for (t, mut members) in groups {
        let change = &answer.types[t];
        members.sort_by_key(|&(m, _)| (&change.members[m].path, change.members[m].line, m));
        let path = &change.members[members[0].0].path;
        let parent = items.len() as u32;
        items.push(Item {
            text: Text::Line(header(names, &change.ty.name, path)),
            role: Role::Parent {
                alone: Alone::Hidden,
                below: 0,
            },
            counts: None,
        });
        for (m, order) in members {
            let member = &change.members[m];
            by_rank[order] = items.len() as u32;
            items.push(Item {
                text: Text::Code(CodeText::new(
                    member,
                    moves.of((t, m)),
                    member.path != *path,
                )),
                role: Role::FreeChild(parent),
                counts: Some((0, 1)),
            });
        }
    }
    let mut labels: Vec<(usize, String)> = Vec::new();
    for (&(rank, t, m), &item) in ranked.iter().zip(&by_rank) {
        let change = &answer.types[t];
        let ty = cortex_model::simple_name(&change.ty.name);
        let label = format!("{}.{}", line(ty), line(&change.members[m].name));
        if rank.runs() && labels.iter().all(|(_, known)| *known != label) {
            labels.push((item as usize, label));
        }
    }
    let edited = ranked.iter().zip(&by_rank);
    let edited = edited.filter(|((rank, ..), _)| rank.is_edited());
    let edited = edited.map(|(_, item)| *item).collect();
    Section {
        frame: super::plan::Frame::Diff,
        tail: Some(Box::new(Untold(labels))),
        items,
        stages: stages(by_rank, edited),
        ..Section::default()
    }
}

/// The line above the members of a type. A file that is called like its type says both.
fn header(names: &Names, ty: &str, path: &RepoPath) -> String {
    match path.file_stem() == cortex_model::simple_name(ty) {
        true => format!("@@ {} @@", line(path.as_str())),
        false => format!("@@ {} {} @@", names.of(ty), line(path.as_str())),
    }
}

/// The members of a section by their items, the most important first.
struct Untold(Vec<(usize, String)>);

impl Tail for Untold {
    fn lines(&self, is_taken: &dyn Fn(usize) -> bool) -> Vec<String> {
        let cut = self.0.iter().filter(|(item, _)| !is_taken(*item));
        let cut: Vec<&str> = cut.map(|(_, name)| name.as_str()).collect();
        untold(&cut, "not shown")
    }
}

/// The text of one member.
pub(crate) struct CodeText<'a> {
    member: &'a MemberChange,
    /// The lines of its signature.
    head: Range<usize>,
    moved: Option<&'a moved::Moved>,
    /// Whether it stands in another file than the type's first member shown.
    is_elsewhere: bool,
    n_bytes: usize,
}

impl<'a> CodeText<'a> {
    fn new(member: &'a MemberChange, moved: Option<&'a moved::Moved>, is_elsewhere: bool) -> Self {
        let n_bytes = member
            .code
            .iter()
            .map(|line| line.text.len() + 2)
            .sum::<usize>()
            + 16;
        Self {
            member,
            head: head(member),
            moved,
            is_elsewhere,
            n_bytes,
        }
    }

    /// The member that has the line of this index now, or had it before. The signature is the member's own.
    fn other(&self, line: usize) -> Option<&str> {
        let moved = self.moved.filter(|_| line >= self.head.end);
        moved?.other(line)
    }

    pub(crate) fn whole(&self) -> String {
        let code = self.member.code.iter().enumerate();
        // What is gone and stands elsewhere is shown there.
        let is_kept =
            code.map(|(i, line)| line.kind != CodeLineKind::Removed || self.other(i).is_none());
        self.write(&is_kept.collect::<Vec<bool>>())
    }

    /// The changed lines within their signature, and how many lines are not shown where: unchanged ones, documentation,
    /// and most of a long stretch that is gone. `None` where neither that nor [`CodeText::cut`] would leave anything out.
    pub(crate) fn changed(&self) -> Option<String> {
        self.folded(CHANGED, |kind| kind == CodeLineKind::Removed)
            .or_else(|| self.cut().map(|_| self.whole()))
    }

    /// As [`CodeText::cut`], with very few lines.
    pub(crate) fn brief(&self) -> Option<String> {
        self.folded(BRIEF, |_| true)
    }

    /// As [`CodeText::changed`], with only those lines of a long stretch of any side that say most.
    pub(crate) fn cut(&self) -> Option<String> {
        self.folded(CUT, |_| true)
    }

    /// As [`CodeText::cut`], with more of such a stretch.
    pub(crate) fn long(&self) -> Option<String> {
        self.folded(LONG, |_| true)
    }

    /// `is_cut`: whether long stretches of a side are cut.
    fn folded(&self, runs_of: Runs, is_cut: impl Fn(CodeLineKind) -> bool) -> Option<String> {
        let code = &self.member.code;
        let (n_docs, start) = (self.head.start, self.head.end);
        // Comments say little where code differs as well.
        let mut changed = code[n_docs..]
            .iter()
            .filter(|it| it.kind != CodeLineKind::Context);
        let runs_otherwise = changed.any(|line| !is_comment(line));
        let mut is_kept = vec![false; code.len()];
        is_kept[n_docs..start].fill(true);
        let said: Vec<Range<usize>> = runs(code)
            .filter(|run| code[run.start].kind != CodeLineKind::Context)
            // A run of documentation or of the signature alone is empty, and no range of lines.
            .map(|run| run.start.max(start)..run.end)
            .flat_map(|run| self.unmoved(run))
            .filter(|run| !runs_otherwise || !code[run.clone()].iter().all(is_comment))
            .collect();
        let outer = outer_lines(code);
        let best = |stretches: &[Range<usize>], n| match runs_otherwise {
            true => most_telling(code, &outer, stretches, n),
            false => stretches.iter().flat_map(Range::clone).take(n).collect(),
        };
        let mut kept: Vec<usize> = Vec::new();
        for run in &said {
            match run.len() > runs_of.max && is_cut(code[run.start].kind) {
                true => kept.extend(best(std::slice::from_ref(run), runs_of.n_kept)),
                false => kept.extend(run.clone()),
            }
        }
        if kept.len() > runs_of.most {
            kept = best(&said, runs_of.most);
        }
        for line in kept {
            is_kept[line] = true;
            let n = runs_of.n_around;
            let around = line.saturating_sub(n).max(n_docs)..(line + 1 + n).min(code.len());
            for i in around {
                is_kept[i] |= code[i].kind == CodeLineKind::Context;
            }
        }
        if runs_otherwise {
            fold_comments(&code[n_docs..], &mut is_kept[n_docs..]);
        }
        for group in self.groups(&is_kept) {
            // Folding a line or two would save nothing.
            if group.len() <= 2 && self.other(group.start).is_none() {
                is_kept[group].fill(true);
            }
        }
        // Lines that stand far from one another bring many others with them.
        let kept = is_kept.iter_mut().filter(|is_kept| **is_kept);
        let beyond = kept.skip(runs_of.most.saturating_mul(2));
        beyond.for_each(|is_kept| *is_kept = false);
        let n_folded = is_kept.iter().filter(|&&is_kept| !is_kept).count();
        (n_folded > 0).then(|| self.write(&is_kept))
    }

    /// The parts of a range of lines that did not move.
    fn unmoved(&self, run: Range<usize>) -> Vec<Range<usize>> {
        let lines = run.filter(|&i| self.other(i).is_none());
        let lines: Vec<usize> = lines.collect();
        let parts = lines.chunk_by(|a, b| a + 1 == *b);
        parts.map(|part| part[0]..part[0] + part.len()).collect()
    }

    /// All lines, by what follows one another and is kept alike and went to, or came from, one member.
    fn groups(&self, is_kept: &[bool]) -> Vec<Range<usize>> {
        let lines: Vec<usize> = (0..is_kept.len()).collect();
        let is_alike =
            |a: &usize, b: &usize| is_kept[*a] == is_kept[*b] && self.other(*a) == self.other(*b);
        let groups = lines.chunk_by(is_alike);
        groups.map(|it| it[0]..it[0] + it.len()).collect()
    }

    /// About how long the whole text is.
    pub(crate) fn n_bytes(&self) -> usize {
        self.n_bytes
    }

    fn write(&self, is_kept: &[bool]) -> String {
        let code = &self.member.code;
        let indent = indentation(code);
        let mut out = match self.is_elsewhere {
            true => format!(
                "@@ {}:{} @@",
                line(self.member.path.as_str()),
                self.member.line
            ),
            false => format!("@@ {} @@", self.member.line),
        };
        for group in self.groups(is_kept) {
            let (other, is_kept) = (self.other(group.start), is_kept[group.start]);
            let lines = &code[group];
            if !is_kept || other.is_some() {
                write_fold(&mut out, lines, other, is_kept);
            }
            if is_kept {
                lines
                    .iter()
                    .for_each(|line| write_line(&mut out, line, indent));
            }
        }
        out
    }
}

/// Says how many lines that follow one another are not shown, and which member has or had them, if another one does.
/// `is_shown`: whether they follow nevertheless.
fn write_fold(out: &mut String, lines: &[CodeLine], other: Option<&str>, is_shown: bool) {
    let n_of = |kind| lines.iter().filter(|line| line.kind == kind).count();
    let n_changed = lines.len() - n_of(CodeLineKind::Context);
    let is_gone = n_changed == n_of(CodeLineKind::Removed);
    let word = match (other, n_changed) {
        (Some(_), _) => "",
        (None, 0) => "unchanged ",
        (None, n) if n < lines.len() => "",
        (None, _) if is_gone => "removed ",
        (None, n) if n == n_of(CodeLineKind::Added) => "added ",
        (None, _) => "changed ",
    };
    let noun = if lines.len() == 1 { "line" } else { "lines" };
    let _ = write!(out, "\n… {} {word}{noun}", grouped(lines.len()));
    let _ = match other {
        Some(other) if is_gone => write!(out, ", now in {}", line(other)),
        Some(other) => write!(out, " that {} had", line(other)),
        None if word.is_empty() => write!(out, ", {} of them changed", grouped(n_changed)),
        None => Ok(()),
    };
    if is_shown {
        out.push(':');
    }
}

fn write_line(out: &mut String, code: &CodeLine, indent: usize) {
    let text = trimmed(code);
    let own = text.len() - text.trim_start_matches([' ', '\t']).len();
    let text = &text[own.min(indent)..];
    out.push('\n');
    match code.kind {
        CodeLineKind::Context if text.is_empty() => {}
        CodeLineKind::Context => out.push(' '),
        CodeLineKind::Added => out.push('+'),
        CodeLineKind::Removed => out.push('-'),
    }
    out.push_str(&visible(text, Tabs::Keep));
}

/// The text without white space at its end; a carriage return there is the line's break.
fn trimmed(code: &CodeLine) -> &str {
    code.text.trim_end_matches([' ', '\t', '\r'])
}

/// The lines of each side that follow one another.
fn runs(code: &[CodeLine]) -> impl Iterator<Item = std::ops::Range<usize>> + '_ {
    let mut start = 0;
    code.chunk_by(|a, b| a.kind == b.kind).map(move |chunk| {
        let range = start..start + chunk.len();
        start = range.end;
        range
    })
}

/// Folds changed comments of more than a line or two.
fn fold_comments(code: &[CodeLine], is_kept: &mut [bool]) {
    let is_said = |line: &CodeLine| line.kind != CodeLineKind::Context && is_comment(line);
    let mut start = 0;
    for chunk in code.chunk_by(|a, b| is_said(a) == is_said(b)) {
        if is_said(&chunk[0]) && chunk.len() > MAX_COMMENTS {
            is_kept[start..start + chunk.len()].fill(false);
        }
        start += chunk.len();
    }
}

/// The lines of the signature, behind documentation that is not all that changed.
fn head(member: &MemberChange) -> Range<usize> {
    let docs = member.code.iter().take_while(|line| is_documentation(line));
    let n_docs = match member.change {
        MemberChangeKind::Docs => 0,
        _ => docs.count(),
    };
    n_docs..n_docs + head_len(&member.code[n_docs..])
}

/// How many lines the signature takes: up to the one that opens the body or ends the declaration.
fn head_len(code: &[CodeLine]) -> usize {
    const MAX: usize = 6;
    let opens = |line: &CodeLine| {
        let text = trimmed(line);
        text.ends_with(['{', ';']) || text.contains("=>")
    };
    code.iter()
        .take(MAX)
        .position(opens)
        .map_or(code.len().min(2), |at| at + 1)
}

/// Whether a line is one of a documentation comment.
fn is_documentation(line: &CodeLine) -> bool {
    line.text.trim_start().starts_with("///")
}

/// Whether a line is a comment alone, or blank.
fn is_comment(line: &CodeLine) -> bool {
    let text = line.text.trim();
    text.is_empty() || text.starts_with("//")
}

/// White space that all lines start with. The first line may start at the declaration itself.
fn indentation(code: &[CodeLine]) -> usize {
    let own = |line: &CodeLine| {
        let text = trimmed(line);
        // Directives stand at the margin wherever they are.
        (!text.is_empty() && !text.starts_with('#'))
            .then(|| text.len() - text.trim_start_matches([' ', '\t']).len())
    };
    let rest = code.iter().skip(1).filter_map(own).min();
    let first = code.first().and_then(own);
    match (first, rest) {
        (Some(0), Some(rest)) => rest,
        (Some(first), Some(rest)) => first.min(rest),
        (first, rest) => first.or(rest).unwrap_or(0),
    }
}
