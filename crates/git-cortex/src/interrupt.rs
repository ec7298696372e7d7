//! Ctrl-C: the first one lets indexing keep what it has parsed, a second one ends the process at once.

use std::{
    process,
    sync::atomic::{AtomicBool, Ordering},
    thread,
    time::Duration,
};

/// The exit code of an interrupted command.
pub(crate) const EXIT: u8 = 130;

/// How long indexing may take to come to an end by itself. The store is sound at any instant, so
/// that nothing is lost after that but time.
const GRACE: Duration = Duration::from_secs(2);

static ASKED: AtomicBool = AtomicBool::new(false);

/// Whether the user wants the command to end.
pub(crate) fn is_asked_for() -> bool {
    ASKED.load(Ordering::Relaxed)
}

/// Whether the user wants the command to end, for what looks at it again and again.
pub(crate) fn asked() -> &'static AtomicBool {
    &ASKED
}

/// Watches for interrupts from now on.
pub(crate) fn watch() {
    // Where no handler can be set, the system ends the process: no more is needed.
    let _ = ctrlc::set_handler(|| {
        if ASKED.swap(true, Ordering::Relaxed) {
            process::exit(EXIT.into());
        }
        thread::spawn(|| {
            thread::sleep(GRACE);
            process::exit(EXIT.into());
        });
    });
}
