//! `git cortex gc`.

use std::process::ExitCode;

use cortex_index::Keep;

use crate::{
    arguments::{self, Global},
    commands::print_text,
    failure::Failure,
    harmless::in_text,
    session,
};

pub(crate) fn run(global: &Global, options: &arguments::Gc) -> Result<ExitCode, Failure> {
    let index = session::open(global)?;
    let collected = if options.all {
        let kinds = index.irreplaceable()?;
        if !kinds.is_empty() && !global.quiet {
            let list: Vec<String> = kinds
                .iter()
                .map(|(kind, number)| format!("{kind} ({number})"))
                .collect();
            anstream::eprintln!(
                "note: what cannot be computed again stays: {}; deleting `{}` would lose it",
                in_text(&list.join(", ")),
                in_text(&index.store.folder().to_string_lossy())
            );
        }
        index.collect_all()?
    } else {
        let configured = session::max_bytes(&index, global);
        index.collect(Keep {
            max_age: i64::from(options.days) * session::DAY,
            max_bytes: options.max_size.map_or(configured, Some),
        })?
    };
    session::report_notices(&index, global.quiet);
    print_text(&format!(
        "{:.1} MB → {:.1} MB; {} → {} snapshots, {} → {} texts\n",
        collected.before.disk_bytes as f64 / 1e6,
        collected.after.disk_bytes as f64 / 1e6,
        collected.before.snapshots.entries,
        collected.after.snapshots.entries,
        collected.before.facts.entries,
        collected.after.facts.entries,
    ))?;
    Ok(ExitCode::SUCCESS)
}
