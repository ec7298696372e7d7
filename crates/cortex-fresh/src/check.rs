//! Whether the context that a side commits is what its sources say.
//!
//! Owns: what is compared, what a change is blamed for. Must not know: exit statuses, formats.
//!
//! A finding is a file with the bytes that it has and those that it should have. A check that is limited to a change
//! leaves out what the base finds as well, with the same bytes on both sides: what the change made stale differs in one
//! of them, so it is never left out.

mod explained;

use std::collections::BTreeSet;

use cortex_derived::source::Source;
use cortex_index::{Index, IndexedSide, Progress};
use cortex_model::{BlobId, RepoPath, TypeKey};
use cortex_wire::{
    CheckAnswer, CheckCounts, CheckInput, CheckProblem, CheckReason, CheckRule, CheckSeverity,
    CheckVerdict, OutlineSelection, PackState,
};

use explained::explained;

use crate::{
    FreshError, Policy,
    committed::Committed,
    configured,
    export::outline_writes,
    overdue::{Overdue, overdue},
    pack::{
        files::{self, PackChange},
        manifest::{self, Manifest},
    },
    policy::Staleness,
    reasons,
    selection::{Expected, SELECTION, Selected, recorded, select},
    semantics,
    write::Writes,
};

/// The version of the answer's form.
const SCHEMA: u32 = 1;

/// How a side is checked.
pub struct CheckOptions<'a> {
    /// What the change starts from, where only the change counts.
    pub base: Option<&'a IndexedSide>,
    /// How bad problems are.
    pub policy: &'a Policy,
    /// Whether differences are shown.
    pub explain: Explain,
    /// The records of operations of the side.
    pub records: &'a OpRecords,
}

/// Records of operations, as whoever keeps them found them.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct OpRecords {
    /// How many there are.
    pub n_ops: u64,
    /// What is wrong with them.
    pub findings: Vec<OpFinding>,
}

/// A record of an operation that is not true, or that waits for a person.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct OpFinding {
    /// What is wrong.
    pub rule: CheckRule,
    /// The operation.
    pub op: String,
    /// The file of the record.
    pub file: RepoPath,
    /// What is wrong exactly, as a lower-case fragment.
    pub detail: String,
}

/// Whether differences are shown.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Explain {
    /// The inputs that differ.
    Inputs,
    /// Also the difference of the texts.
    Diffs,
}

/// A side with what was found.
#[derive(Clone, Debug)]
pub struct Checked {
    committed: Committed,
    selection: Option<OutlineSelection>,
    selected: Selected,
    findings: Vec<Finding>,
    counts: CheckCounts,
}

/// A file that is not as it should be.
#[derive(Clone, Debug)]
struct Finding {
    rule: CheckRule,
    path: RepoPath,
    /// What is there.
    committed: Option<BlobId>,
    /// What should be there.
    fresh: Option<BlobId>,
    key: Option<TypeKey>,
    op: Option<String>,
    reasons: Vec<CheckReason>,
    /// From what is there to what should be there, where that is known already.
    diff: Option<String>,
}

/// What two findings have in common that are one problem.
type Identity<'f> = (
    CheckRule,
    &'f RepoPath,
    Option<BlobId>,
    Option<BlobId>,
    Vec<&'f str>,
);

impl Finding {
    fn identity(&self) -> Identity<'_> {
        let details = self.reasons.iter();
        let details =
            details.filter_map(|reason| reason.detail.as_deref().or(reason.after.as_deref()));
        (
            self.rule,
            &self.path,
            self.committed,
            self.fresh,
            details.collect(),
        )
    }
}

impl Checked {
    /// Adds what is wrong with records of operations.
    fn add_records(&mut self, records: &OpRecords) {
        self.counts.ops = records.n_ops;
        for record in &records.findings {
            self.findings.push(Finding {
                rule: record.rule,
                path: record.file.clone(),
                committed: None,
                fresh: None,
                key: None,
                op: Some(record.op.clone()),
                reasons: vec![reasons::words(CheckInput::Record, record.detail.clone())],
                diff: None,
            });
        }
    }
}

/// Checks the context of a side.
///
/// # Errors
/// Those of reading the sides.
pub fn check(
    index: &Index,
    side: &IndexedSide,
    options: &CheckOptions<'_>,
    progress: &dyn Progress,
) -> Result<(CheckAnswer, Checked), FreshError> {
    let source = Source { index, side };
    let mut checked = find(source, progress)?;
    checked.add_records(options.records);
    let mut findings: Vec<&Finding> = checked.findings.iter().collect();
    let n_all = findings.len();
    let base = match options.base {
        // Where nothing is found, nothing can be left out.
        Some(base) if n_all > 0 => Some(find(Source { index, side: base }, progress)?),
        _ => None,
    };
    if let Some(base) = &base {
        let known: BTreeSet<Identity<'_>> = base.findings.iter().map(Finding::identity).collect();
        findings.retain(|finding| !known.contains(&finding.identity()));
    }
    let outside_change = (n_all - findings.len()) as u64;
    let is_stale_semantic = |it: &&&Finding| it.rule == CheckRule::SemanticStale;
    let n_stale = findings.iter().filter(is_stale_semantic).count() as u64;
    let mut undecided = Vec::new();
    let mut overdue_files = BTreeSet::new();
    if n_stale > 0
        && let Some(days) = options.policy.max_stale_days()
    {
        match overdue(index, side, days, progress)? {
            Overdue::Files(files) => overdue_files = files,
            Overdue::Unknown => undecided.push(format!(
                "the history of this shallow clone does not reach back {days} days, so how long \
                 semantics are stale is unknown"
            )),
        }
    }
    let staleness = |finding: &Finding| {
        let file = finding.committed.map(|blob| (finding.path.clone(), blob));
        match file.is_some_and(|file| overdue_files.contains(&file)) {
            true => Staleness::Overdue,
            false => Staleness::Recent,
        }
    };
    let severity =
        |finding: &Finding| (options.policy).severity(finding.rule, n_stale, staleness(finding));
    findings.retain(|finding| severity(finding) != CheckSeverity::Ignore);

    let mut problems = explained(source, &checked, &findings, options.explain)?;
    for (problem, finding) in problems.iter_mut().zip(&findings) {
        problem.severity = severity(finding);
        if let Some(days) = options.policy.max_stale_days()
            && staleness(finding) == Staleness::Overdue
        {
            let detail = format!("stale for more than {days} days");
            problem
                .reasons
                .push(reasons::words(CheckInput::Age, detail));
        }
    }
    let is_error = |problem: &CheckProblem| problem.severity == CheckSeverity::Error;
    let answer = CheckAnswer {
        schema: SCHEMA,
        verdict: match problems.iter().any(is_error) {
            true => CheckVerdict::Stale,
            false if !undecided.is_empty() => CheckVerdict::Undecided,
            false => CheckVerdict::Fresh,
        },
        problems,
        outside_change,
        checked: checked.counts,
        fixed: Vec::new(),
        undecided,
    };
    Ok((answer, checked))
}

/// What would make a checked side fresh, as far as the sources determine it.
///
/// # Errors
/// Those of reading the side.
pub fn fixes(
    index: &Index,
    side: &IndexedSide,
    checked: &Checked,
    progress: &dyn Progress,
) -> Result<Writes, FreshError> {
    let source = Source { index, side };
    let mut out = match checked.selection {
        Some(_) => outline_writes(source, &checked.committed, &checked.selected.outlines)?,
        None => Writes::default(),
    };
    for finding in &checked.findings {
        if finding.rule == CheckRule::PackStale
            && let Some(name) = manifest::pack_name(finding.path.as_str())
        {
            let change = PackChange::default();
            let (writes, _) = files::build_pack(index, side, name, &change, progress)?;
            out.files.extend(writes.files);
        }
    }
    out.files.sort();
    Ok(out)
}

/// Finds everything that is not as it should be, by path.
fn find(source: Source<'_>, progress: &dyn Progress) -> Result<Checked, FreshError> {
    let (index, side) = (source.index, source.side);
    let committed = Committed::read(index, side)?;
    let mut findings: Vec<Finding> = Vec::new();
    let mut counts = CheckCounts::default();
    for file in committed.unsafe_entries() {
        findings.push(Finding {
            rule: CheckRule::ContextUnsafe,
            path: file.path.clone(),
            committed: Some(file.blob),
            fresh: None,
            key: None,
            op: None,
            reasons: Vec::new(),
            diff: None,
        });
    }
    let (selection, selected) = outlines(source, &committed, &mut findings, progress)?;
    counts.outlines = selected.outlines.len() as u64;
    for finding in semantics::check(source, &committed)? {
        findings.push(Finding {
            rule: finding.rule,
            path: finding.file.path.clone(),
            committed: Some(finding.file.blob),
            fresh: None,
            key: finding.key,
            op: None,
            reasons: finding.reasons,
            diff: None,
        });
    }
    counts.semantics = semantics::files(&committed).count() as u64;
    counts.packs = packs(source, &committed, &mut findings, progress)?;
    for entry in configured::check(source, &committed, &mut counts, progress)? {
        let path = RepoPath::from(entry.file);
        findings.push(Finding {
            rule: entry.rule,
            committed: None,
            path,
            fresh: None,
            key: None,
            op: None,
            reasons: vec![reasons::words(entry.input, entry.detail)],
            diff: None,
        });
    }
    findings.sort_by(|a, b| (&a.path, a.rule).cmp(&(&b.path, b.rule)));
    Ok(Checked {
        committed,
        selection,
        selected,
        findings,
        counts,
    })
}

/// Compares packs with what their filters select. Gives how many were compared: those whose filters depend on more than
/// the files of a commit are not.
fn packs(
    source: Source<'_>,
    committed: &Committed,
    findings: &mut Vec<Finding>,
    progress: &dyn Progress,
) -> Result<u64, FreshError> {
    let mut n_compared = 0;
    for name in files::names(committed) {
        let path = manifest::pack_path(&name).unwrap_or_default();
        let text = committed.text(source.index, source.side, &path)?;
        let text = text.unwrap_or_default();
        let path = RepoPath::from(path.as_str());
        let mut add = |rule, input, detail: String| {
            findings.push(Finding {
                rule,
                committed: committed.files.get(&path).map(|file| file.blob),
                path: path.clone(),
                fresh: None,
                key: None,
                op: None,
                reasons: vec![reasons::words(input, detail)],
                diff: None,
            });
        };
        n_compared += 1;
        let manifest = match Manifest::read(&text) {
            Ok(manifest) => manifest,
            Err(reason) => {
                add(CheckRule::PackUnreadable, CheckInput::Definition, reason);
                continue;
            }
        };
        if manifest.format != manifest::FORMAT {
            let detail = format!(
                "format {}, this program writes {}",
                manifest.format,
                manifest::FORMAT
            );
            add(CheckRule::PackStale, CheckInput::Format, detail);
            continue;
        }
        if manifest.is_readable() && !files::is_decidable(&manifest) {
            n_compared -= 1;
            continue;
        }
        let (state, problem, fresh) = files::compared(source, &name, &manifest, &text, progress)?;
        match (state, problem) {
            (PackState::Fresh, _) => {}
            (_, Some(problem)) => {
                add(CheckRule::PackUnreadable, CheckInput::Definition, problem);
            }
            (_, None) => {
                let fresh = fresh.unwrap_or_default();
                let detail = reasons::of_pack(&text, &fresh);
                add(CheckRule::PackStale, CheckInput::Text, detail);
                if let Some(last) = findings.last_mut() {
                    last.fresh = Some(source.index.repo.blob_id(fresh.as_bytes())?);
                    last.diff = Some(reasons::unified(&text, &fresh));
                }
            }
        }
    }
    Ok(n_compared)
}

/// Compares outlines with what their types say.
fn outlines(
    source: Source<'_>,
    committed: &Committed,
    findings: &mut Vec<Finding>,
    progress: &dyn Progress,
) -> Result<(Option<OutlineSelection>, Selected), FreshError> {
    let mut wrong_selection = |detail: String| {
        let path = RepoPath::from(SELECTION);
        findings.push(Finding {
            rule: CheckRule::OutlineSelection,
            committed: committed.files.get(&path).map(|file| file.blob),
            path,
            fresh: None,
            key: None,
            op: None,
            reasons: vec![reasons::words(CheckInput::Definition, detail)],
            diff: None,
        });
    };
    let selection = match recorded(source.index, source.side, committed) {
        Ok(Some(selection)) => selection,
        Ok(None) => return Ok((None, Selected::default())),
        Err(FreshError::Selection { reason, .. }) => {
            wrong_selection(reason);
            return Ok((None, Selected::default()));
        }
        Err(error) => return Err(error),
    };
    let selected = match select(source, &selection, progress) {
        Ok(selected) => selected,
        Err(
            error @ (FreshError::Scope { .. }
            | FreshError::UnresolvedScope { .. }
            | FreshError::UnstableScope { .. }),
        ) => {
            wrong_selection(error.to_string());
            return Ok((None, Selected::default()));
        }
        Err(error) => return Err(error),
    };
    for name in &selected.unknown {
        wrong_selection(format!("type `{name}` does not exist"));
    }
    compare(committed, &selected.outlines, findings);
    Ok((Some(selection), selected))
}

fn compare(committed: &Committed, expected: &[Expected], findings: &mut Vec<Finding>) {
    let finding = |rule, path: &RepoPath, committed, outline: Option<&Expected>| Finding {
        rule,
        path: path.clone(),
        committed,
        fresh: outline.map(|outline| outline.blob),
        key: outline.map(|outline| outline.key),
        op: None,
        reasons: Vec::new(),
        diff: None,
    };
    for outline in expected {
        match committed.files.get(&outline.path) {
            None => findings.push(finding(
                CheckRule::OutlineMissing,
                &outline.path,
                None,
                Some(outline),
            )),
            // What is no file is found already.
            Some(file) if file.mode.is_file() && file.blob != outline.blob => {
                let blob = Some(file.blob);
                let rule = CheckRule::OutlineStale;
                findings.push(finding(rule, &outline.path, blob, Some(outline)));
            }
            Some(_) => {}
        }
    }
    for file in committed.outlines() {
        let at = expected.binary_search_by(|outline| outline.path.cmp(&file.path));
        if at.is_err() {
            let rule = CheckRule::OutlineOrphaned;
            findings.push(finding(rule, &file.path, Some(file.blob), None));
        }
    }
}
