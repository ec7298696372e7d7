//! Whether each declaration is proven, or why a person must read it.

use std::collections::BTreeMap;

use cortex_git::ReadBlob;
use cortex_index::IndexedSide;
use cortex_look::QueryError;
use cortex_model::{LineTable, RepoPath};
use cortex_syntax::text::decode;
use cortex_wire::{Difference, ProvenChange, ProvenUnit, ReadReason, UnitToRead};
use rustc_hash::FxHashSet;

use super::{
    alignment::{Alignment, Part, Unit},
    decisions::{Comparison, Differing},
    order::Reordered,
    source::{Declaration, SourceFile},
};

/// So many places are listed of one declaration.
const MAX_DIFFERENCES: usize = 10;

/// What is proven, and what is left to read; each by file and line.
pub(super) fn judge(
    alignment: &Alignment<'_>,
    found: &Comparison,
    order: &BTreeMap<usize, Reordered>,
) -> (Vec<ProvenUnit>, Vec<UnitToRead>) {
    let places = alignment.places(1);
    let mut differing: BTreeMap<u32, Vec<(u32, &Differing)>> = BTreeMap::new();
    for (&number, difference) in &found.differing {
        let unit = alignment.unit_of[number as usize];
        let (file, offset) = places[number as usize];
        let file = &alignment.files[1][file];
        // What a using brings is compared where it is used.
        if file
            .token_at(offset)
            .is_some_and(|token| file.is_qualifier(token))
        {
            continue;
        }
        differing
            .entry(unit)
            .or_default()
            .push((number, difference));
    }
    let one_sided: FxHashSet<(usize, Part)> = (alignment.units.iter())
        .filter_map(|unit| match unit.sides {
            [Some(part), None] => Some((0, part)),
            [None, Some(part)] => Some((1, part)),
            _ => None,
        })
        .collect();
    let (mut proven, mut to_read) = (Vec::new(), Vec::new());
    for (at, unit) in alignment.units.iter().enumerate() {
        let judged = Judged {
            alignment,
            found,
            unit,
            order: order.get(&at).copied(),
        };
        let differing = differing.remove(&(at as u32)).unwrap_or_default();
        if let Some(reason) = judged.reason(&differing) {
            if !judged.is_inside_of_one_sided(&one_sided) {
                to_read.push(judged.to_read(reason, &differing, &places));
            }
        } else if let Some(change) = judged.change() {
            proven.extend(judged.proven(change));
        }
    }
    proven.sort_by(|a, b| (&a.file, a.line, &a.symbol).cmp(&(&b.file, b.line, &b.symbol)));
    to_read.sort_by(|a, b| (&a.file, a.line, &a.symbol).cmp(&(&b.file, b.line, &b.symbol)));
    (proven, to_read)
}

struct Judged<'a> {
    alignment: &'a Alignment<'a>,
    found: &'a Comparison,
    unit: &'a Unit,
    order: Option<Reordered>,
}

impl<'a> Judged<'a> {
    fn file(&self, side: usize) -> Option<&'a SourceFile> {
        let (file, _) = self.unit.sides[side]?;
        Some(&self.alignment.files[side][file])
    }

    fn decl(&self, side: usize) -> Option<&'a Declaration> {
        let (_, decl) = self.unit.sides[side]?;
        Some(&self.file(side)?.decls[decl? as usize])
    }

    /// Words that stand in the place of other words and are not proven to mean the same.
    fn n_other_words(&self) -> usize {
        let is_alike = |number: &&u32| {
            self.found.alike.contains(*number) && !self.found.unknown.contains(*number)
        };
        let all = self.unit.renamed.iter();
        all.filter(|number| !is_alike(number)).count()
    }

    /// Why it must be read, if it must.
    fn reason(&self, differing: &[(u32, &Differing)]) -> Option<ReadReason> {
        let unmatched: usize = self.unit.unmatched.iter().map(Vec::len).sum();
        let sides = match self.unit.sides {
            [Some(old), Some(new)] => (old, new),
            [old, new] => {
                // What is one-sided and says nothing: an added part of a type, or a file that only holds types.
                let part = old.or(new)?;
                let side = usize::from(old.is_none());
                return match self.is_bare(side, part) {
                    true => None,
                    false if side == 0 => Some(ReadReason::Removed),
                    false => Some(ReadReason::Added),
                };
            }
        };
        if unmatched > 0 || self.n_other_words() > 0 {
            return Some(ReadReason::Changed);
        }
        if !differing.is_empty() {
            return Some(ReadReason::MeansOtherwise);
        }
        if self.order == Some(Reordered::WithEffect) {
            return Some(ReadReason::Order);
        }
        self.change()?;
        let (old, new) = sides;
        if !self.found.compiled.contains(&(old.0, new.0)) {
            return Some(ReadReason::NotCompiled);
        }
        let is_whole = |side: usize| self.file(side).is_some_and(|file| file.is_whole);
        (!is_whole(0) || !is_whole(1)).then_some(ReadReason::NotParsed)
    }

    /// Whether what only one side has says nothing that binding does not see.
    fn is_bare(&self, side: usize, (file, decl): Part) -> bool {
        let source = &self.alignment.files[side][file];
        let Some(decl) = decl else {
            return self.unit.unmatched[side].is_empty();
        };
        let is_type = source.decls[decl as usize].kind.type_kind().is_some();
        let is_part = source
            .name_token(decl)
            .is_some_and(|token| self.alignment.has_number(side, file, token));
        let says_nothing = |&token: &usize| {
            let text = source.token_text(token);
            source.is_word(token) && text != b"where" || matches!(text, b"{" | b"}")
        };
        is_type && is_part && self.unit.unmatched[side].iter().all(says_nothing)
    }

    /// Whether the type around it is new or gone as well: who reads that reads it.
    fn is_inside_of_one_sided(&self, one_sided: &FxHashSet<(usize, Part)>) -> bool {
        let side = usize::from(self.unit.sides[0].is_none());
        let (Some((file, _)), Some(decl)) = (self.unit.sides[side], self.decl(side)) else {
            return false;
        };
        self.unit.sides[1 - side].is_none()
            && decl.parent.is_some_and(|parent| {
                let part = (file, Some(parent));
                one_sided.contains(&(side, part)) && !self.is_bare(side, part)
            })
    }

    /// What changed about it, if anything did.
    fn change(&self) -> Option<ProvenChange> {
        let (old_file, new_file) = (self.file(0)?, self.file(1)?);
        let (Some(old), Some(new)) = (self.decl(0), self.decl(1)) else {
            return (!self.unit.renamed.is_empty()).then_some(ProvenChange::Names);
        };
        if old.name != new.name {
            // Constructors are called like their type.
            let is_named_by_type = new.kind.name().contains("constructor");
            return Some(match is_named_by_type {
                true => ProvenChange::Names,
                false => ProvenChange::Renamed,
            });
        }
        let is_type = new.kind.type_kind().is_some();
        let is_outermost = new.parent.is_none();
        if old_file.path != new_file.path && (is_outermost || old.parent.is_some())
            || is_outermost && old.namespace != new.namespace
        {
            return is_outermost
                .then_some(ProvenChange::Moved)
                .or_else(|| (!self.unit.renamed.is_empty()).then_some(ProvenChange::Names));
        }
        if !self.unit.renamed.is_empty() {
            return Some(ProvenChange::Names);
        }
        if self.order.is_some() {
            return Some(ProvenChange::Reordered);
        }
        let text = |file: &'a SourceFile, decl: &Declaration| &file.text[decl.range.as_usize()];
        let is_same = is_type || text(old_file, old) == text(new_file, new);
        (!is_same).then_some(ProvenChange::Layout)
    }

    fn proven(&self, change: ProvenChange) -> Option<ProvenUnit> {
        let (old_file, file) = (self.file(0)?, self.file(1)?);
        let line = |decl: &Declaration| file.line(decl.name_range.start);
        let namespaces = [0, 1].map(|side| self.decl(side).map(|decl| &decl.namespace));
        let is_elsewhere = change == ProvenChange::Moved && namespaces[0] != namespaces[1];
        let shown = |decl: Option<&Declaration>| {
            decl.map(|decl| match is_elsewhere && !decl.namespace.is_empty() {
                true => format!("{}.{}", decl.namespace, decl.display),
                false => decl.display.clone(),
            })
        };
        let symbol = shown(self.decl(1)).unwrap_or_else(|| file.path.to_string());
        Some(ProvenUnit {
            old_symbol: shown(self.decl(0)).filter(|old| *old != symbol),
            symbol,
            line: self.decl(1).map_or(1, line),
            old_file: (old_file.path != file.path).then(|| old_file.path.clone()),
            file: file.path.clone(),
            change,
        })
    }

    fn to_read(
        &self,
        reason: ReadReason,
        differing: &[(u32, &Differing)],
        places: &[(usize, u32)],
    ) -> UnitToRead {
        let side = usize::from(self.unit.sides[1].is_some());
        let file = self.file(side).expect("a unit has a side");
        let line = |decl: &Declaration| file.line(decl.name_range.start);
        let n_unmatched: usize = self.unit.unmatched.iter().map(Vec::len).sum();
        // Where the code differs, its types do as well, and that says nothing.
        let is_told = |&&(number, differing): &&(u32, &Differing)| {
            reason != ReadReason::Changed
                || differing.is_of_names && !self.unit.renamed.contains(&number)
        };
        let differing: Vec<_> = differing.iter().filter(is_told).collect();
        let mut listed: Vec<Difference> = (differing.iter())
            .map(|(number, differing)| {
                let (file, offset) = places[*number as usize];
                let file = &self.alignment.files[1][file];
                difference(&file.path, file.line(offset), differing)
            })
            .collect();
        listed.sort_by_key(|it| it.line);
        listed.truncate(MAX_DIFFERENCES);
        let first_token = || {
            let token = self.unit.unmatched[side].first()?;
            Some(file.line(file.tokens[*token].range.start))
        };
        UnitToRead {
            symbol: (self.decl(side))
                .map_or_else(|| file.path.to_string(), |decl| decl.display.clone()),
            line: self
                .decl(side)
                .map_or_else(|| first_token().unwrap_or(1), line),
            file: file.path.clone(),
            reason,
            tokens: (n_unmatched + self.n_other_words()) as u64,
            total_differences: differing.len() as u64,
            differences: listed,
        }
    }
}

fn difference(file: &RepoPath, line: u32, differing: &Differing) -> Difference {
    Difference {
        file: file.clone(),
        line,
        question: differing.question.to_owned(),
        before: differing.before.clone(),
        after: differing.after.clone(),
    }
}

/// The first places of files whose text is the same, by file and line.
pub(super) fn elsewhere(
    found: &Comparison,
    side: &IndexedSide,
    blobs: &mut dyn ReadBlob,
    max: usize,
) -> Result<Vec<Difference>, QueryError> {
    let mut lines: BTreeMap<&RepoPath, LineTable> = BTreeMap::new();
    let mut told = FxHashSet::default();
    let mut out = Vec::new();
    for ((path, offset), differing) in &found.elsewhere {
        if out.len() >= max {
            break;
        }
        if !lines.contains_key(path) {
            let table = match side.snapshot.file(path)? {
                Some(file) => LineTable::new(decode(&blobs.read_blob(file.blob)?).as_bytes()),
                None => LineTable::default(),
            };
            lines.insert(path, table);
        }
        let line = lines[path].position(*offset).line;
        if told.insert((path, line, differing)) {
            out.push(difference(path, line, differing));
        }
    }
    Ok(out)
}
