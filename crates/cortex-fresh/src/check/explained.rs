//! Findings as problems: which inputs differ, and how the texts do.

use cortex_derived::source::Source;
use cortex_model::RepoPath;
use cortex_wire::{CheckProblem, CheckRule, CheckSeverity, ContextSymbol};

use super::{Checked, Explain, Finding};
use crate::{
    FreshError,
    committed::{OUTLINE_END, OUTLINES, text_of},
    export::render,
    outline::text::title_name,
    reasons,
    selection::Expected,
};

/// Of so many problems the reasons are read from the texts.
const N_EXPLAINED: usize = 1_000;

/// Findings as problems, with the inputs that differ.
pub(super) fn explained(
    source: Source<'_>,
    checked: &Checked,
    findings: &[&Finding],
    explain: Explain,
) -> Result<Vec<CheckProblem>, FreshError> {
    let expected = &checked.selected.outlines;
    let stale: Vec<&Expected> = (findings.iter())
        .filter(|finding| finding.rule == CheckRule::OutlineStale || explain == Explain::Diffs)
        .filter_map(|finding| {
            let at = expected.binary_search_by(|outline| outline.path.cmp(&finding.path));
            at.ok().map(|at| &expected[at])
        })
        .take(N_EXPLAINED)
        .collect();
    let fresh = render(source, &stale)?;
    let fresh_of = |path: &RepoPath| {
        let at = fresh.binary_search_by(|(other, _)| other.cmp(path)).ok()?;
        Some(String::from_utf8_lossy(&fresh[at].1).into_owned())
    };
    let mut out = Vec::with_capacity(findings.len());
    for (nth, finding) in findings.iter().enumerate() {
        let is_outline = finding.path.as_str().starts_with(OUTLINES)
            && finding.path.as_str().ends_with(OUTLINE_END);
        let file = checked.committed.files.get(&finding.path);
        let committed = match file {
            Some(file) if is_outline && nth < N_EXPLAINED => {
                text_of(source.index, source.side, file)?
            }
            _ => None,
        };
        let new = fresh_of(&finding.path);
        let mut reasons = finding.reasons.clone();
        if let (CheckRule::OutlineStale, Some(old), Some(new)) = (finding.rule, &committed, &new) {
            reasons = reasons::of_outline(old, new);
        }
        let diff = match explain {
            Explain::Diffs if is_outline => {
                let (old, new) = (committed.as_deref(), new.as_deref());
                let (old, new) = (old.unwrap_or_default(), new.unwrap_or_default());
                Some(reasons::unified(old, new))
            }
            Explain::Diffs => finding.diff.clone(),
            Explain::Inputs => None,
        };
        out.push(CheckProblem {
            rule: finding.rule,
            severity: CheckSeverity::Error,
            file: finding.path.clone(),
            op: finding.op.clone(),
            symbol: symbol(source, finding, committed.as_deref())?,
            reasons,
            is_fixable: matches!(
                finding.rule,
                CheckRule::OutlineStale
                    | CheckRule::OutlineMissing
                    | CheckRule::OutlineOrphaned
                    | CheckRule::PackStale
            ),
            diff,
        });
    }
    Ok(out)
}

/// The type that a finding is about: of the snapshot, else as the file names it.
fn symbol(
    source: Source<'_>,
    finding: &Finding,
    committed: Option<&str>,
) -> Result<Option<ContextSymbol>, FreshError> {
    if let Some(key) = finding.key
        && let Some(header) = source.snapshot().type_header(key)?
    {
        return Ok(Some(ContextSymbol {
            path: header.fqn,
            type_id: key.short_id(8),
        }));
    }
    let name = finding.path.file_name();
    let id = name.strip_suffix(OUTLINE_END).unwrap_or(name);
    let path = committed.and_then(title_name);
    Ok(path.map(|path| ContextSymbol {
        path,
        type_id: id.to_owned(),
    }))
}
