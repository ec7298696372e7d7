//! Makes room for writers: closes what this process has open for reading while another waits to
//! write. A reader that comes back finds the next state, or the same.

use std::path::PathBuf;
use std::sync::mpsc::{RecvTimeoutError, SyncSender, sync_channel};
use std::sync::{PoisonError, RwLock, Weak};
use std::thread;
use std::time::Duration;

use crate::damage::discard;
use crate::link::Reading;
use crate::lock::WriterWatch;

/// How long a writer waits for idle readers at most.
const INTERVAL: Duration = Duration::from_millis(5);

/// What a store has open for reading, if anything, with the watch over it.
#[derive(Default)]
pub(crate) struct Link(Option<(Reading, Watch)>);

impl Link {
    /// What is open.
    pub(crate) fn reading(&self) -> Option<&Reading> {
        self.0.as_ref().map(|(reading, _)| reading)
    }

    /// Closes the database and releases the lock.
    pub(crate) fn close(&mut self) {
        discard(self.0.take());
    }

    /// Puts what was opened in place of what there is, and watches over it.
    pub(crate) fn open(&mut self, reading: Reading, folder: PathBuf, this: Weak<RwLock<Self>>) {
        self.close();
        self.0 = Some((reading, Watch::start(folder, this)));
    }
}

/// A thread that ends when this is dropped.
struct Watch {
    _stop: SyncSender<()>,
}

impl Watch {
    fn start(folder: PathBuf, link: Weak<RwLock<Link>>) -> Self {
        let (stop, stopped) = sync_channel(0);
        let mut turn = WriterWatch::new(folder);
        let watch = move || {
            while stopped.recv_timeout(INTERVAL) == Err(RecvTimeoutError::Timeout) {
                if !turn.is_writer_waiting() {
                    continue;
                }
                // Whatever is open now has to make room, be it what this watch was set over or not.
                if let Some(link) = link.upgrade() {
                    link.write().unwrap_or_else(PoisonError::into_inner).close();
                }
                return;
            }
        };
        // Without a thread writers wait until the store is released.
        let _ = thread::Builder::new().name("watch".to_owned()).spawn(watch);
        Self { _stop: stop }
    }
}
