//! The configuration, the pins and the aliases of a side: whether what they name exists.

use std::collections::BTreeSet;

use cortex_derived::source::Source;
use cortex_index::Progress;
use cortex_look::{config_problems, configured_empty};
use cortex_model::{TypeKey, simple_name};
use cortex_wire::{CheckCounts, CheckInput, CheckRule};

use crate::{
    FreshError, aliases,
    committed::Committed,
    pins::{self, Pin},
    window::pinned_types,
};

/// The configuration.
pub const CONFIG: &str = ".context/config.toml";

/// An entry of a file that means nothing.
pub(crate) struct EntryFinding {
    pub(crate) rule: CheckRule,
    /// The file.
    pub(crate) file: &'static str,
    pub(crate) input: CheckInput,
    /// What is wrong, as a lower-case fragment.
    pub(crate) detail: String,
}

/// What is wrong with entries of files that people write.
pub(crate) fn check(
    source: Source<'_>,
    committed: &Committed,
    counts: &mut CheckCounts,
    progress: &dyn Progress,
) -> Result<Vec<EntryFinding>, FreshError> {
    let mut out = Vec::new();
    configuration(source, committed, counts, &mut out, progress)?;
    pinned(source, committed, counts, &mut out)?;
    aliased(source, committed, counts, &mut out)?;
    Ok(out)
}

fn configuration(
    source: Source<'_>,
    committed: &Committed,
    counts: &mut CheckCounts,
    out: &mut Vec<EntryFinding>,
    progress: &dyn Progress,
) -> Result<(), FreshError> {
    let Some(text) = committed.text(source.index, source.side, CONFIG)? else {
        return Ok(());
    };
    let mut add = |rule, input, detail: String| {
        out.push(EntryFinding {
            rule,
            file: CONFIG,
            input,
            detail,
        });
    };
    let is_toml = text.parse::<toml::Table>().is_ok();
    // Each reader of the file reports that it is no TOML.
    let n_reported = if is_toml { usize::MAX } else { 1 };
    for problem in config_problems(&text).into_iter().take(n_reported) {
        let detail = problem.strip_prefix("`.context/config.toml`: ");
        let detail = detail.unwrap_or(&problem).to_owned();
        add(CheckRule::ConfigInvalid, CheckInput::Definition, detail);
    }
    if !is_toml {
        return Ok(());
    }
    let found = configured_empty(source.index, source.side, &text, progress)?;
    counts.configured = found.n_entries as u64;
    for (name, problem) in found.broken_scopes {
        let detail = format!("scope `{name}`: {problem}");
        add(CheckRule::ConfigInvalid, CheckInput::Definition, detail);
    }
    for name in found.empty_scopes {
        let detail = format!("scope `{name}`");
        add(CheckRule::ScopeEmpty, CheckInput::Definition, detail);
    }
    for name in found.empty_areas {
        let detail = format!("area `{name}`");
        add(CheckRule::AreaEmpty, CheckInput::Definition, detail);
    }
    Ok(())
}

fn pinned(
    source: Source<'_>,
    committed: &Committed,
    counts: &mut CheckCounts,
    out: &mut Vec<EntryFinding>,
) -> Result<(), FreshError> {
    let Some(text) = committed.text(source.index, source.side, pins::FILE)? else {
        return Ok(());
    };
    let mut add = |rule, input, detail: String| {
        out.push(EntryFinding {
            rule,
            file: pins::FILE,
            input,
            detail,
        });
    };
    match pins::read(&text) {
        Err(reason) => add(CheckRule::ConfigInvalid, CheckInput::Definition, reason),
        Ok(pins) => {
            counts.pins = pins.pins.len() as u64;
            for name in &pins.pins {
                if pinned_types(source, name)?.is_empty() {
                    let detail = match Pin::read(name) {
                        Pin::Type(name) => format!("type `{name}` does not exist"),
                        Pin::Path(path) => format!("no type is declared in `{path}`"),
                    };
                    add(CheckRule::PinUnknown, CheckInput::Type, detail);
                }
            }
        }
    }
    Ok(())
}

fn aliased(
    source: Source<'_>,
    committed: &Committed,
    counts: &mut CheckCounts,
    out: &mut Vec<EntryFinding>,
) -> Result<(), FreshError> {
    let Some(text) = committed.text(source.index, source.side, aliases::FILE)? else {
        return Ok(());
    };
    let mut add = |input, detail: String| {
        out.push(EntryFinding {
            rule: CheckRule::AliasInvalid,
            file: aliases::FILE,
            input,
            detail,
        });
    };
    let aliases = match aliases::read(&text) {
        Ok(aliases) => aliases,
        Err(reason) => {
            add(CheckInput::Definition, reason);
            return Ok(());
        }
    };
    counts.aliases = aliases.aliases.len() as u64;
    let mut ids = BTreeSet::new();
    for alias in &aliases.aliases {
        if !ids.insert(&alias.id) {
            let detail = format!("{} has several aliases", alias.id);
            add(CheckInput::Definition, detail);
        }
        if types_called(source, &alias.now)?.is_empty() {
            let detail = format!(
                "{} leads to `{}`, which does not exist",
                alias.id, alias.now
            );
            add(CheckInput::Type, detail);
        }
    }
    Ok(())
}

/// The types of a canonical name.
pub(crate) fn types_called(source: Source<'_>, name: &str) -> Result<Vec<TypeKey>, FreshError> {
    let innermost = name.rsplit(['.', '+']).next().unwrap_or(name);
    let symbols = source.snapshot().types_named(simple_name(innermost))?;
    let symbols = symbols.iter().filter(|symbol| symbol.fqn == *name);
    Ok(symbols.map(|symbol| symbol.key).collect())
}
