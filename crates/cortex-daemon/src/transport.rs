//! How bytes get from a client to the daemon of a place: over a Unix socket, or on Windows over a named pipe.
//!
//! Each system gives the same: `address_of` an index, `shown` to a person, `connect` for a [`Stream`] whose reads end
//! in time, and a `Listener` that accepts whoever may ask.

use std::{
    io::{self, Read, Write},
    time::Duration,
};

#[cfg(unix)]
mod unix;
#[cfg(unix)]
pub(crate) use unix::{Listener, address_of, connect, shown};

#[cfg(windows)]
mod windows;
#[cfg(windows)]
pub(crate) use windows::{Listener, address_of, connect, shown};

/// A client's end of a connection.
pub(crate) trait Stream: Read + Write + Send {
    /// A read that has waited for this time ends as [`io::ErrorKind::WouldBlock`] or [`io::ErrorKind::TimedOut`].
    ///
    /// # Errors
    /// Those of the system.
    fn wait_at_most(&mut self, time: Duration) -> io::Result<()>;
}
