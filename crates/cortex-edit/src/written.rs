//! What is to say of the text that an edit writes: that it parses, and which of its names mean nothing.
//!
//! Must not know: what the edit is for.

use std::collections::BTreeSet;

use cortex_index::{Index, Symbols};
use cortex_model::{ByteRange, LineTable, RepoPath};
use cortex_semantics::{AsTheyAre, Certainty, Misfit, Question, Why};
use cortex_syntax::{
    Sections,
    text::{decode, token_at},
};
use cortex_wire::{EditWarning, WarningReason};

use crate::{
    EditError,
    plan::Plan,
    proof::{NewSide, OldSide, Proof},
    text_edit::StartIs,
};

/// Refuses an edit after which less of a file parses than before.
///
/// # Errors
/// [`EditError::Refused`] with the first place; those of the index.
pub(crate) fn check_syntax(
    (old, new): (&OldSide<'_>, &NewSide<'_>),
    plan: &Plan,
) -> Result<(), EditError> {
    for (path, file) in &plan.files {
        for project in new.symbols.projects_of(&file.new_path)? {
            let errors = |symbols: &Symbols, path: &RepoPath| -> Result<_, EditError> {
                let facts = symbols.facts(path, project, Sections::All)?;
                Ok(facts.map(|facts| facts.errors).unwrap_or_default())
            };
            let after = errors(new.symbols, &file.new_path)?;
            if after.is_empty() || after.len() <= errors(old.symbols, path)?.len() {
                continue;
            }
            let is_written = |error: &&ByteRange| !file.edits.was_there(error.start);
            let error = after.iter().find(is_written).unwrap_or(&after[0]);
            let lines = LineTable::new(decode(&file.new_bytes).as_bytes());
            let line = lines.position(error.start).line;
            return Err(EditError::Refused {
                doing: format!("edit `{path}`"),
                reason: format!("line {line} of it would not parse"),
                help: Vec::new(),
            });
        }
    }
    Ok(())
}

/// Adds the names in what an edit writes that mean nothing, or not one thing.
///
/// # Errors
/// Those of the index.
pub(crate) fn add_warnings(
    index: &Index,
    (old, new): (&OldSide<'_>, &NewSide<'_>),
    plan: &Plan,
    found: &mut Proof,
) -> Result<(), EditError> {
    let written = (plan.files.values()).filter(|file| {
        let mut edits = file.edits.all().iter();
        edits.any(|edit| edit.start == StartIs::New && !edit.text.trim().is_empty())
    });
    let mut all = Vec::new();
    let mut known = BTreeSet::new();
    for file in written {
        let units: Vec<(RepoPath, usize)> = (new.symbols.projects_of(&file.new_path)?)
            .into_iter()
            .map(|project| (file.new_path.clone(), project))
            .collect();
        let source = decode(&file.new_bytes);
        let text = source.as_bytes();
        let lines = LineTable::new(text);
        for print in (new.symbols).fingerprints(&units, &AsTheyAre, index.parallel)? {
            for decision in &print.decisions {
                let reason = match decision.question {
                    Question::Unbound(why) => reason_of(why),
                    Question::Name(_, Certainty::OverloadSet)
                    | Question::Misfit(Misfit::Arguments) => WarningReason::NoOverload,
                    Question::Misfit(_) => WarningReason::NotAllowed,
                    Question::Gap => WarningReason::Gap,
                    _ => continue,
                };
                let offset = decision.own_offset;
                let token = token_at(text, offset);
                let name = String::from_utf8_lossy(&text[token.as_usize()]).into_owned();
                let moved = plan.moved.get(&file.old.path);
                let is_moved = moved.is_some_and(|moved| moved.common_position(offset).is_some());
                match is_moved || file.edits.was_there(offset) {
                    true => known.extend((reason == WarningReason::NotFound).then_some(name)),
                    false => {
                        let warning = EditWarning {
                            file: file.new_path.clone(),
                            line: lines.position(offset).line,
                            name,
                            reason,
                        };
                        all.push((offset, warning));
                    }
                }
            }
        }
    }
    if all
        .iter()
        .any(|(_, it)| it.reason == WarningReason::NotFound && !known.contains(&it.name))
    {
        known.extend(not_found(index, old, plan)?);
    }
    for (offset, mut warning) in all {
        if warning.reason == WarningReason::NotFound && known.contains(&warning.name) {
            warning.reason = WarningReason::NotFoundBefore;
        }
        found.warn_at(offset, warning);
    }
    Ok(())
}

/// The names of the edited files that mean nothing as the files are.
fn not_found(index: &Index, old: &OldSide<'_>, plan: &Plan) -> Result<BTreeSet<String>, EditError> {
    let mut names = BTreeSet::new();
    for file in plan.files.values().filter(|file| file.is_before()) {
        let path = &file.old.path;
        let units: Vec<(RepoPath, usize)> = (old.symbols.projects_of(path)?)
            .into_iter()
            .map(|project| (path.clone(), project))
            .collect();
        let source = decode(&file.old_bytes);
        let text = source.as_bytes();
        for print in (old.symbols).fingerprints(&units, &AsTheyAre, index.parallel)? {
            let decisions = print.decisions.iter();
            let unbound = decisions.filter(|it| it.question == Question::Unbound(Why::NotFound));
            names.extend(unbound.map(|it| {
                let token = token_at(text, it.own_offset);
                String::from_utf8_lossy(&text[token.as_usize()]).into_owned()
            }));
        }
    }
    Ok(names)
}

fn reason_of(why: Why) -> WarningReason {
    match why {
        Why::NotFound => WarningReason::NotFound,
        Why::Ambiguous => WarningReason::Ambiguous,
        Why::NoOverload => WarningReason::NoOverload,
        Why::UnknownReceiver => WarningReason::UnknownReceiver,
    }
}
