//! Whether code means after an edit what it meant before: every decision of binding, in every file that can see a
//! changed name, compared.
//!
//! Owns: which files are compared, what counts as a difference and what as a doubt. Must not know: what the edit is.

mod carried;
mod compared;
mod fresh;
mod type_facts;

use std::collections::{BTreeMap, BTreeSet};

use cortex_git::ReadBlob;
use cortex_index::{
    ComparedSide, FileInProject, FileStatus, FileSummary, Index, IndexedSide, Progress, Snapshot,
    Symbols, compare_fingerprints,
};
use cortex_look::unused::doubts::MayBeUsed;
use cortex_model::{LineTable, RepoPath};
use cortex_semantics::{CallerNames, CallerTextOf, Decision, Question};
use cortex_syntax::{FileFacts, Part, RefContext, Sections, text::decode};
use cortex_wire::{
    Difference, Doubt, DoubtReason, EditVerdict, EditWarning, Residue, WarningReason,
};
use rustc_hash::FxHashMap;

use self::compared::{Compared, MovesCode};
pub(crate) use self::fresh::{Renamed, prove_fresh};
use crate::{
    EditError,
    identifier::bare,
    plan::{After, Before, FileFate, Plan},
    retyped::settled,
    text_edit::TextEdits,
};

/// A place of the side before an edit: a file and an offset of its decoded text.
pub type PlaceBefore = (RepoPath, u32);

/// What an edit was found to do.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Proof {
    /// Where the code means something else.
    pub differences: BTreeMap<PlaceBefore, Difference>,
    /// Why the proof may miss something.
    pub doubts: BTreeMap<PlaceBefore, Doubt>,
    /// Texts that mention the old name and stay as they are.
    pub residue: BTreeMap<PlaceBefore, Residue>,
    /// What to look at in the text that the edit writes.
    pub warnings: BTreeMap<PlaceBefore, EditWarning>,
    /// The files that were compared, by their old paths.
    pub compared: BTreeSet<RepoPath>,
    /// How many files were compared, each inside of each project.
    pub n_files: u64,
    /// How many decisions were compared.
    pub n_decisions: u64,
}

impl Proof {
    /// The verdict.
    pub fn verdict(&self) -> EditVerdict {
        let is_open = self.warnings.values().any(|it| it.reason.is_open());
        match (
            self.differences.is_empty(),
            self.doubts.is_empty() && !is_open,
        ) {
            (false, _) => EditVerdict::ChangedMeaning,
            (true, false) => EditVerdict::NotProven,
            (true, true) => EditVerdict::Proven,
        }
    }

    /// Adds what planning found, before what was found at the same places.
    pub(crate) fn warn(&mut self, warnings: Vec<EditWarning>) {
        for (at, warning) in warnings.into_iter().enumerate() {
            (self.warnings).insert((warning.file.clone(), at as u32), warning);
        }
    }

    /// Tells of a place what was told of none yet, or what leaves the verdict open in the stead of what does not.
    pub(crate) fn warn_at(&mut self, offset: u32, warning: EditWarning) {
        let is_more = |told: &EditWarning| !told.reason.is_open() && warning.reason.is_open();
        let key = (warning.file.clone(), offset);
        if self.warnings.get(&key).is_none_or(is_more) {
            self.warnings.insert(key, warning);
        }
    }

    /// Takes out members that implement something and did not: for edits that are made for that.
    pub(crate) fn allow_new_implementations(&mut self) {
        let implements = Question::Implements.words();
        (self.differences).retain(|_, it| it.before.is_some() || it.question != implements);
    }

    /// Adds that something which no code names may use what goes.
    pub(crate) fn doubt_use(&mut self, used: MayBeUsed) {
        let place = (used.file.clone(), used.line);
        self.doubts.entry(place).or_insert(Doubt {
            file: used.file,
            line: used.line,
            reason: DoubtReason::MayBeUsed,
            used_by: Some(used.reason),
        });
    }

    /// What both say of one edit, for two target frameworks: what one of them does not compile is proven by the other.
    #[must_use]
    pub fn and(mut self, other: Self) -> Self {
        let is_inactive = |doubt: &Doubt| doubt.reason == DoubtReason::Inactive;
        // Code for the one that looked at the file and has no doubt there. One that did not look says nothing.
        let is_code = |by: &Self, key: &PlaceBefore| {
            by.compared.contains(&key.0) && !by.doubts.contains_key(key)
        };
        let before = self.clone();
        (self.doubts).retain(|key, doubt| !is_inactive(doubt) || !is_code(&other, key));
        for (key, doubt) in &other.doubts {
            if !is_inactive(doubt) || !is_code(&before, key) {
                (self.doubts.entry(key.clone())).or_insert_with(|| doubt.clone());
            }
        }
        self.residue.extend(other.residue);
        self.differences.extend(other.differences);
        self.warnings.extend(other.warnings);
        self.compared.extend(other.compared);
        self.n_files += other.n_files;
        self.n_decisions += other.n_decisions;
        self
    }
}

/// The side before an edit: its graph, and its declarations.
#[derive(Clone, Copy)]
pub struct OldSide<'a> {
    /// The side.
    pub side: &'a IndexedSide,
    /// Its symbols.
    pub symbols: &'a Symbols,
}

/// The side after an edit: its declarations, and which files may be bound otherwise there.
#[derive(Clone, Copy)]
pub struct NewSide<'a> {
    /// Its symbols.
    pub symbols: &'a Symbols,
    /// How files are found that mention none of the names, and that the edit may change nevertheless.
    pub others: Others<'a>,
}

/// See [`NewSide::others`].
#[derive(Clone, Copy)]
pub enum Others<'a> {
    /// By the graph of the new side: what it stores of them differs.
    Bound(&'a Snapshot),
    /// There are none, and of the files that mention a name the declarations are enough that do: the edit gives another
    /// name to something that code finds by writing its name.
    Using(Uses<'a>),
    /// There are none, and no other file sees what is edited.
    Edited,
}

/// Where code uses what gets another name.
#[derive(Clone, Copy)]
pub struct Uses<'a> {
    /// The places, by file: offsets, ascending.
    pub places: &'a BTreeMap<RepoPath, Vec<u32>>,
    /// The files whose code can mean it, whatever it is called, beside those that the edit changes: of a private member
    /// those with a part of its type, of a variable its own; documentation elsewhere may name it. `None`: all.
    pub seen_in: Option<&'a BTreeSet<RepoPath>>,
}

impl Uses<'_> {
    /// Whether a name in a file may mean what gets another name.
    fn may_be_in(
        self,
        snapshot: &Snapshot,
        file: &FileSummary,
        names: &BTreeSet<String>,
    ) -> Result<bool, EditError> {
        let Some(seen_in) = self.seen_in else {
            return Ok(true);
        };
        // What is not read may be a part of the type.
        let is_read = file.status == FileStatus::Indexed;
        Ok(seen_in.contains(&file.path) || !is_read || documents(snapshot, file, names)?)
    }
}

/// Whether documentation in a file refers to one of some names: it may name what no code can use.
fn documents(
    snapshot: &Snapshot,
    file: &FileSummary,
    names: &BTreeSet<String>,
) -> Result<bool, EditError> {
    for project in &file.projects {
        let Some(facts) = snapshot.facts(file, project, Sections::References)? else {
            continue;
        };
        let mut refs = facts.refs.iter();
        if refs.any(|it| it.context == RefContext::Doc && names.contains(facts.name(it.name))) {
            return Ok(true);
        }
    }
    Ok(false)
}

/// Compares two sides of an edit. `names`: the names that the edit takes away or brings.
///
/// # Errors
/// Those of the index.
pub fn prove(
    index: &Index,
    (old, new): (&OldSide<'_>, &NewSide<'_>),
    plan: &Plan,
    names: &BTreeSet<String>,
    progress: &dyn Progress,
) -> Result<Proof, EditError> {
    let mut units = units_to_compare(old, new.others, plan, names)?;
    if let Others::Bound(_) = new.others {
        let concerned = type_facts::files_concerned((old, new), plan)?;
        let others = concerned.into_iter().flat_map(units_of);
        units.extend(others.filter(|(path, _)| !plan.files.contains_key(path)));
    }
    let before = Before(plan);
    let after = After::new(plan);
    let mut pairs = Vec::with_capacity(units.len());
    for (path, project) in &units {
        let new_path = plan.files.get(path).map_or(path, |file| &file.new_path);
        let moved = plan.project.as_ref().filter(|it| it.files.contains(path));
        let new_project = match moved {
            Some(moved) if moved.from == *project => &moved.to,
            _ => project,
        };
        let projects = [
            old.symbols.project_index(project),
            new.symbols.project_index(new_project),
        ];
        if let [Some(a), Some(b)] = projects {
            pairs.push([(path.clone(), a), (new_path.clone(), b)]);
        }
    }
    let uses = match new.others {
        Others::Using(uses) => Some(uses.places),
        Others::Bound(_) | Others::Edited => None,
    };
    let new_uses = uses.map(|uses| uses_after(plan, uses));
    let of_old = |path: &RepoPath, facts: &FileFacts| part(facts, names, (uses, path));
    let of_new = |path: &RepoPath, facts: &FileFacts| part(facts, names, (new_uses.as_ref(), path));
    let sides = [
        ComparedSide {
            symbols: old.symbols,
            positions: &before,
            part: &of_old,
        },
        ComparedSide {
            symbols: new.symbols,
            positions: &after,
            part: &of_new,
        },
    ];
    let moves_code = match plan.moved.is_empty() {
        true => MovesCode::No,
        false => MovesCode::Yes,
    };
    let interrupted = || progress.interrupted();
    let compared =
        compare_fingerprints(sides, &pairs, index.parallel, &interrupted, &|old, new| {
            Compared::new(old, new, moves_code)
        })?;
    let settled = settled((old, new), plan)?;
    let mut compared = compared;
    for (unit, of_unit) in carried::left_files(old.symbols, (plan, &before), index.parallel)? {
        pairs.push([unit.clone(), unit]);
        compared.push(of_unit);
    }
    carried::settle(
        (old.symbols, new.symbols),
        (plan, &before, &after),
        &mut compared,
        index.parallel,
    )?;
    let mut texts = Texts::new(index, old, plan);
    let mut found = Proof::default();
    for ([(path, _), _], mut compared) in pairs.iter().zip(compared) {
        found.n_decisions += compared.n_decisions;
        if plan.edits_strings {
            compared.allow_other_strings();
        }
        carried::allow_requalified(path, (plan, &before), &mut compared);
        if let Some(moved) = plan.moved.get(path) {
            compared.allow(moved);
            add_doubts_of_moved(path, &compared, &moved.involved, &mut texts, &mut found)?;
        }
        let involved = plan.carried.iter().filter(|it| it.from == *path);
        let involved: Vec<_> = involved.map(|it| it.range).collect();
        add_doubts_of_moved(path, &compared, &involved, &mut texts, &mut found)?;
        compared.allow_other_types(path, &settled);
        let edits = plan.files.get(path).map(|file| &file.edits);
        add_differences((path, edits), &compared, &mut texts, &mut found)?;
        add_caller_texts((path, plan), &compared.caller_texts, &mut texts, &mut found)?;
        add_doubts(path, &compared, names, &mut texts, &mut found)?;
    }
    let old_units: Vec<FileInProject> = pairs.into_iter().map(|[old, _]| old).collect();
    found.compared = old_units.iter().map(|(path, _)| path.clone()).collect();
    for path in found.compared.clone() {
        doubts_of_file(old, &path, names, &mut texts, &mut found)?;
    }
    found.n_files = old_units.len() as u64;
    Ok(found)
}

/// What of a file is compared: all of it, or the declarations that mention a name or use what is renamed.
fn part(
    facts: &FileFacts,
    names: &BTreeSet<String>,
    (uses, path): (Option<&BTreeMap<RepoPath, Vec<u32>>>, &RepoPath),
) -> Part {
    match uses {
        None => Part::Whole,
        Some(uses) => {
            let here = uses.get(path).map_or(&[][..], Vec::as_slice);
            facts.part_mentioning(&|name| names.contains(name), here)
        }
    }
}

/// Where the places of files are after an edit that keeps them.
fn uses_after(plan: &Plan, uses: &BTreeMap<RepoPath, Vec<u32>>) -> BTreeMap<RepoPath, Vec<u32>> {
    let moved = uses
        .iter()
        .map(|(path, places)| match plan.files.get(path) {
            None => (path.clone(), places.clone()),
            Some(file) => {
                let places = places.iter().filter_map(|&at| file.edits.new_position(at));
                (file.new_path.clone(), places.collect())
            }
        });
    moved.collect()
}

/// A file inside each project that compiles it.
fn units_of(file: FileSummary) -> impl Iterator<Item = (RepoPath, RepoPath)> {
    let FileSummary { path, projects, .. } = file;
    (projects.into_iter()).map(move |project| (path.clone(), project))
}

/// The files that may see one of the names, each inside of each project that compiles it, by their old paths.
fn units_to_compare(
    old: &OldSide<'_>,
    others: Others<'_>,
    plan: &Plan,
    names: &BTreeSet<String>,
) -> Result<BTreeSet<(RepoPath, RepoPath)>, EditError> {
    let old_paths: BTreeMap<&RepoPath, &RepoPath> = (plan.files.iter())
        .map(|(path, file)| (&file.new_path, path))
        .collect();
    let mut units = BTreeSet::new();
    let before = &old.side.snapshot;
    let mut add = |file: FileSummary| {
        let path = old_paths.get(&file.path).copied().unwrap_or(&file.path);
        let moved = plan.project.as_ref().filter(|it| it.files.contains(path));
        let projects = file.projects.into_iter().map(|project| match moved {
            Some(moved) if moved.to == project => moved.from.clone(),
            _ => project,
        });
        units.extend(projects.map(|it| (path.clone(), it)));
    };
    let is_seen = !matches!(others, Others::Edited);
    for name in names.iter().filter(|_| is_seen) {
        for file in before.files_mentioning(name)? {
            let may_mean_it = match others {
                Others::Using(uses) => uses.may_be_in(before, &file, names)?,
                Others::Bound(_) | Others::Edited => true,
            };
            if may_mean_it {
                add(file);
            }
        }
    }
    for path in plan.files.keys() {
        before.file(path)?.into_iter().for_each(&mut add);
    }
    match others {
        // What the edit does not write has the words that it had.
        Others::Using(uses) => {
            for path in uses.places.keys() {
                before.file(path)?.into_iter().for_each(&mut add);
            }
        }
        Others::Edited => {}
        Others::Bound(after) => {
            for name in names {
                after.files_mentioning(name)?.into_iter().for_each(&mut add);
            }
            // A `foreach` uses `GetEnumerator` and has not the word.
            let otherwise = Snapshot::files_bound_otherwise(before, after)?;
            otherwise.into_iter().flatten().for_each(&mut add);
            // A member overrides or implements another one by its name, which the file of a derived type need not have.
            let mut relatives = Snapshot::types_demanded_otherwise(before, after)?;
            relatives.extend(Snapshot::types_implementing_otherwise(before, after)?);
            for key in relatives {
                let parts = before.type_node(key)?.map(|node| node.parts);
                for part in parts.into_iter().flatten() {
                    before.file(&part.path)?.into_iter().for_each(&mut add);
                }
            }
        }
    }
    // One that comes or goes has nothing that could be decided otherwise.
    units.retain(|(path, _)| {
        let file = plan.files.get(path);
        file.is_none_or(|file| file.fate == FileFate::Changed)
    });
    Ok(units)
}

/// Texts of the old side; the last one is kept.
struct Texts<'a> {
    old: Box<dyn ReadBlob + 'a>,
    side: &'a OldSide<'a>,
    plan: &'a Plan,
    last: Option<(RepoPath, (Vec<u8>, LineTable))>,
}

impl<'a> Texts<'a> {
    fn new(index: &'a Index, side: &'a OldSide<'a>, plan: &'a Plan) -> Self {
        Self {
            old: index.blobs(side.side),
            side,
            plan,
            last: None,
        }
    }

    fn of(&mut self, path: &RepoPath) -> Result<&(Vec<u8>, LineTable), EditError> {
        let last = match self.last.take() {
            Some(last) if last.0 == *path => last,
            _ => {
                let text = match self.plan.files.get(path) {
                    Some(file) => decode(&file.old_bytes).as_bytes().to_vec(),
                    None => match self.side.side.snapshot.file(path)? {
                        Some(file) => decode(&self.old.read_blob(file.blob)?).as_bytes().to_vec(),
                        None => Vec::new(),
                    },
                };
                let lines = LineTable::new(&text);
                (path.clone(), (text, lines))
            }
        };
        Ok(&self.last.insert(last).1)
    }

    fn line(&mut self, path: &RepoPath, offset: u32) -> Result<u32, EditError> {
        Ok(self.of(path)?.1.position(offset).line)
    }
}

/// Adds what is not bound of the code that moves, and of the code that it moves to.
fn add_doubts_of_moved(
    path: &RepoPath,
    compared: &Compared,
    involved: &[cortex_model::ByteRange],
    texts: &mut Texts<'_>,
    found: &mut Proof,
) -> Result<(), EditError> {
    for &(offset, reason) in &compared.undecided {
        if !involved.iter().any(|range| range.contains(offset)) {
            continue;
        }
        let line = texts.line(path, offset)?;
        (found.doubts.entry((path.clone(), offset))).or_insert_with(|| Doubt {
            file: path.clone(),
            line,
            reason,
            used_by: None,
        });
    }
    Ok(())
}

/// Adds what is decided otherwise.
fn add_differences(
    (path, edits): (&RepoPath, Option<&TextEdits>),
    Compared { gone, come, .. }: &Compared,
    texts: &mut Texts<'_>,
    found: &mut Proof,
) -> Result<(), EditError> {
    let instead: FxHashMap<u32, &Decision> = (come.iter().rev())
        .map(|decision| (decision.offset, decision))
        .collect();
    let of_file = (path.clone(), 0)..=(path.clone(), u32::MAX);
    let mut shown: BTreeSet<String> = (found.differences.range(of_file))
        .filter_map(|(_, difference)| difference.after.clone())
        .collect();
    // A type that now has what it lacked means what it meant.
    for decision in gone.iter().filter(|it| it.question != Question::Gap) {
        let line = texts.line(path, decision.own_offset)?;
        let after = (instead.get(&decision.offset)).map(|it| it.shown.to_string());
        let key = (path.clone(), decision.own_offset);
        found.differences.entry(key).or_insert_with(|| {
            shown.extend(after.clone());
            Difference {
                file: path.clone(),
                line,
                question: decision.question.words().to_owned(),
                before: Some(decision.shown.to_string()),
                after,
            }
        });
    }
    for decision in come {
        // Each call that lost its arguments is to be read; of other answers the first place says enough.
        let is_known = !shown.insert(decision.shown.to_string());
        let is_each = matches!(decision.question, Question::Misfit(_) | Question::Gap);
        if is_known && !is_each {
            continue;
        }
        // Its own position is on the new side.
        let stays = decision.offset == decision.own_offset;
        let before = edits
            .filter(|_| stays)
            .and_then(|edits| edits.old_position(decision.own_offset));
        let offset = before.unwrap_or(decision.offset.min(decision.own_offset));
        let line = texts.line(path, offset)?;
        let key = (path.clone(), offset);
        found.differences.entry(key).or_insert_with(|| Difference {
            file: path.clone(),
            line,
            question: decision.question.words().to_owned(),
            before: None,
            after: Some(decision.shown.to_string()),
        });
    }
    Ok(())
}

/// Adds the calls that pass text in which an edit changes a name: what runs sees another text.
fn add_caller_texts(
    (path, plan): (&RepoPath, &Plan),
    caller_texts: &[CallerNames],
    texts: &mut Texts<'_>,
    found: &mut Proof,
) -> Result<(), EditError> {
    let Some(file) = plan.files.get(path) else {
        return Ok(());
    };
    for caller in caller_texts {
        if !caller.names.iter().any(|&name| file.edits.is_edited(name)) {
            continue;
        }
        let (text, lines) = texts.of(path)?;
        let token = cortex_syntax::text::token_at(text, caller.own_offset);
        let warning = EditWarning {
            file: file.new_path.clone(),
            line: lines.position(caller.own_offset).line,
            name: String::from_utf8_lossy(&text[token.as_usize()]).into_owned(),
            reason: match caller.of {
                CallerTextOf::Member => WarningReason::CallerMemberName,
                CallerTextOf::Argument => WarningReason::CallerArgumentExpression,
            },
        };
        let key = (path.clone(), caller.own_offset);
        found.warnings.entry(key).or_insert(warning);
    }
    Ok(())
}

/// Adds names that could not be bound, or not for certain, and that may be those of the edit.
fn add_doubts(
    path: &RepoPath,
    compared: &Compared,
    names: &BTreeSet<String>,
    texts: &mut Texts<'_>,
    found: &mut Proof,
) -> Result<(), EditError> {
    for &(offset, reason) in &compared.undecided {
        let (text, lines) = texts.of(path)?;
        let token = cortex_syntax::text::token_at(text, offset);
        let token = String::from_utf8_lossy(&text[token.as_usize()]);
        if !names.contains(&bare(&token)) && !compared.settled.contains(&offset) {
            continue;
        }
        let line = lines.position(offset).line;
        let key = (path.clone(), offset);
        found.doubts.entry(key).or_insert_with(|| Doubt {
            file: path.clone(),
            line,
            reason,
            used_by: None,
        });
    }
    Ok(())
}

/// Adds what of a file was not understood, where it mentions one of the names.
fn doubts_of_file(
    side: &OldSide<'_>,
    path: &RepoPath,
    names: &BTreeSet<String>,
    texts: &mut Texts<'_>,
    found: &mut Proof,
) -> Result<(), EditError> {
    let snapshot = &side.side.snapshot;
    let Some(file) = snapshot.file(path)? else {
        return Ok(());
    };
    if file.status != FileStatus::Indexed {
        found
            .doubts
            .entry((path.clone(), 0))
            .or_insert_with(|| Doubt {
                file: path.clone(),
                line: 1,
                reason: DoubtReason::Degraded,
                used_by: None,
            });
    }
    if file.inactive == 0 {
        return Ok(());
    }
    // What every project leaves out is read by nobody.
    let mut inactive: Option<Vec<cortex_model::ByteRange>> = None;
    for project in &file.projects {
        let Some(facts) = snapshot.facts(&file, project, Sections::All)? else {
            continue;
        };
        let own: Vec<_> = facts.inactive.iter().map(|it| it.range).collect();
        inactive = Some(match inactive {
            None => own,
            Some(all) => intersection(&all, &own),
        });
    }
    let (text, lines) = texts.of(path)?;
    for range in inactive.unwrap_or_default() {
        for (offset, word) in words(text, range) {
            if !names.contains(&bare(word)) {
                continue;
            }
            let line = lines.position(offset).line;
            found
                .doubts
                .entry((path.clone(), offset))
                .or_insert_with(|| Doubt {
                    file: path.clone(),
                    line,
                    reason: DoubtReason::Inactive,
                    used_by: None,
                });
        }
    }
    Ok(())
}

/// What is in both of two lists of ranges.
pub(crate) fn intersection(
    a: &[cortex_model::ByteRange],
    b: &[cortex_model::ByteRange],
) -> Vec<cortex_model::ByteRange> {
    let mut out = Vec::new();
    for one in a {
        for other in b {
            let start = one.start.max(other.start);
            let end = one.end.min(other.end);
            if start < end {
                out.push(cortex_model::ByteRange { start, end });
            }
        }
    }
    out
}

/// The words in a range of a text, each with where it starts.
pub(crate) fn words(
    text: &[u8],
    range: cortex_model::ByteRange,
) -> impl Iterator<Item = (u32, &str)> {
    let end = (range.end as usize).min(text.len());
    let start = (range.start as usize).min(end);
    let is_part = |b: u8| b == b'_' || b == b'@' || b.is_ascii_alphanumeric() || b >= 0x80;
    let mut at = start;
    std::iter::from_fn(move || {
        while at < end && !is_part(text[at]) {
            at += 1;
        }
        if at >= end {
            return None;
        }
        let first = at;
        while at < end && is_part(text[at]) {
            at += 1;
        }
        Some((
            first as u32,
            std::str::from_utf8(&text[first..at]).unwrap_or_default(),
        ))
    })
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use cortex_model::RepoPath;
    use cortex_wire::{Doubt, DoubtReason};

    use super::Proof;

    /// What a framework says that compared some files, in one of which it does not read a place.
    fn looked_at(files: &[&str], unread: Option<&str>) -> Proof {
        let compared: BTreeSet<RepoPath> = files.iter().map(|&file| RepoPath::from(file)).collect();
        let mut proof = Proof {
            compared,
            ..Proof::default()
        };
        if let Some(file) = unread.map(RepoPath::from) {
            let doubt = Doubt {
                file: file.clone(),
                line: 1,
                reason: DoubtReason::Inactive,
                used_by: None,
            };
            proof.doubts.insert((file, 5), doubt);
        }
        proof
    }

    #[test]
    fn only_a_framework_that_compared_a_file_settles_what_another_does_not_read() {
        let unread = || looked_at(&["A.cs"], Some("A.cs"));
        let cases = [
            (looked_at(&["A.cs"], None), 0),
            (looked_at(&["A.cs"], Some("A.cs")), 1),
            (looked_at(&["B.cs"], None), 1),
            (looked_at(&[], None), 1),
        ];
        for (other, n_left) in cases {
            let both = [unread().and(other.clone()), other.and(unread())];
            for proof in both {
                assert_eq!(proof.doubts.len(), n_left);
            }
        }
    }
}
