//! Ctrl-C: the first one lets indexing keep what it has parsed, a second one ends the process at once.

use std::{process, sync::OnceLock, thread, time::Duration};

use cortex_service::CancelToken;

/// The exit code of an interrupted command.
const EXIT: i32 = 130;

/// How long indexing may take to come to an end by itself. The store is sound at any instant, so that nothing is lost
/// after that but time.
const GRACE: Duration = Duration::from_secs(2);

/// What the user ends the command with.
pub(crate) fn token() -> &'static CancelToken {
    static TOKEN: OnceLock<CancelToken> = OnceLock::new();
    TOKEN.get_or_init(CancelToken::default)
}

/// Watches for interrupts from now on.
pub(crate) fn watch() {
    // Where no handler can be set, the system ends the process: no more is needed.
    let _ = ctrlc::set_handler(|| {
        if token().is_canceled() {
            process::exit(EXIT);
        }
        token().cancel();
        thread::spawn(|| {
            thread::sleep(GRACE);
            process::exit(EXIT);
        });
    });
}
