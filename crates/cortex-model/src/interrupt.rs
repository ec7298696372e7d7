//! How whoever asks ends the work on an answer: one token to cancel it, one reason to stop, one check for all layers.

use std::{
    fmt,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
};

/// Why work ends before it is done.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Stop {
    /// The time limit was reached.
    TimedOut,
    /// The caller canceled the request.
    Canceled,
}

/// Cancels a request from another thread, or from a handler of signals.
#[derive(Clone, Debug, Default)]
pub struct CancelToken(Arc<AtomicBool>);

impl CancelToken {
    /// Asks the request to end at the next safe moment.
    pub fn cancel(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    /// Whether the request is to end.
    pub fn is_canceled(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

/// Says whether to go on; by default, always. Whoever creates it owns the clock.
#[derive(Clone, Default)]
pub struct Interrupt(Option<Arc<dyn Fn() -> Option<Stop> + Send + Sync>>);

impl Interrupt {
    /// Stops the work once the function gives a reason. It is called often, on any thread.
    pub fn new(stop: impl Fn() -> Option<Stop> + Send + Sync + 'static) -> Self {
        Self(Some(Arc::new(stop)))
    }

    /// Why to stop, or `None` to go on.
    pub fn stop(&self) -> Option<Stop> {
        self.0.as_ref().and_then(|stop| stop())
    }

    /// Fails where it is time to stop.
    ///
    /// # Errors
    /// The reason to stop.
    pub fn check(&self) -> Result<(), Stop> {
        match self.stop() {
            Some(stop) => Err(stop),
            None => Ok(()),
        }
    }
}

impl fmt::Debug for Interrupt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Interrupt")
    }
}

#[cfg(test)]
mod tests {
    use super::{CancelToken, Interrupt, Stop};

    #[test]
    fn every_copy_of_a_token_cancels_what_checks_it() {
        assert_eq!(Interrupt::default().check(), Ok(()));
        let token = CancelToken::default();
        let copy = token.clone();
        let interrupt = Interrupt::new(move || copy.is_canceled().then_some(Stop::Canceled));
        assert_eq!(interrupt.check(), Ok(()));
        token.cancel();
        assert_eq!(interrupt.clone().check(), Err(Stop::Canceled));
    }
}
