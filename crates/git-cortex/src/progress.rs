//! A progress bar for indexing: on a terminal, and only when it takes longer than a moment.

use std::{
    sync::{
        OnceLock,
        atomic::{AtomicU64, Ordering},
    },
    time::{Duration, Instant},
};

use cortex_service::{Event, Stage, Watcher};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use crate::{harmless::in_text, words};

/// How long nothing is shown.
const QUIET_FOR: Duration = Duration::from_millis(500);

/// Shows one bar per stage on standard error.
pub(crate) struct Bar {
    start: Instant,
    is_quiet: bool,
    wanted: bool,
    bar: OnceLock<ProgressBar>,
    stage: AtomicU64,
}

impl Bar {
    pub(crate) fn new(quiet: bool) -> Self {
        let wanted = !quiet && std::io::IsTerminal::is_terminal(&std::io::stderr());
        Self {
            start: Instant::now(),
            is_quiet: quiet,
            wanted,
            bar: OnceLock::new(),
            stage: AtomicU64::new(u64::MAX),
        }
    }

    /// Takes the bar off the terminal.
    pub(crate) fn finish(&self) {
        if let Some(bar) = self.bar.get() {
            bar.finish_and_clear();
        }
    }
}

impl Watcher for Bar {
    fn progress(&self, stage: Stage, done: usize, total: usize) {
        if !self.wanted || self.start.elapsed() < QUIET_FOR {
            return;
        }
        let bar = self.bar.get_or_init(|| {
            let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::stderr_with_hz(8));
            let unit = match stage {
                Stage::History => "commits",
                Stage::Parse | Stage::Bind | Stage::Write => "files",
            };
            let template = format!("{{msg}} {{wide_bar}} {{pos}}/{{len}} {unit}, {{eta}} left");
            if let Ok(style) = ProgressStyle::with_template(&template) {
                bar.set_style(style);
            }
            bar
        });
        if self.stage.swap(stage as u64, Ordering::Relaxed) != stage as u64 {
            bar.reset();
            bar.set_message(match stage {
                Stage::Parse => "parsing",
                Stage::Bind => "binding",
                Stage::Write => "writing",
                Stage::History => "indexing",
            });
        }
        bar.set_length(total as u64);
        bar.set_position(done as u64);
    }

    fn event(&self, event: Event) {
        if !self.is_quiet {
            anstream::eprintln!("note: {}", in_text(&words::event(&event)));
        }
    }
}
