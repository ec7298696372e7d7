//! `git cortex gc`.

use std::process::ExitCode;

use crate::{
    arguments::{self, Global},
    commands::print_text,
    failure::Failure,
    session,
};

pub(crate) fn run(global: &Global, options: &arguments::Gc) -> Result<ExitCode, Failure> {
    let index = session::open(global)?;
    let collected = if options.all {
        index.collect_all()?
    } else {
        index.collect(i64::from(options.days) * 24 * 3600)?
    };
    session::report_notices(&index, global.quiet);
    print_text(&format!(
        "{:.1} MB → {:.1} MB; {} → {} snapshots, {} → {} texts\n",
        collected.before.file_bytes as f64 / 1e6,
        collected.after.file_bytes as f64 / 1e6,
        collected.before.snapshots.entries,
        collected.after.snapshots.entries,
        collected.before.facts.entries,
        collected.after.facts.entries,
    ))?;
    Ok(ExitCode::SUCCESS)
}
