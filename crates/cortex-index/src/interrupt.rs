//! Ends what reads snapshots, from outside.

use std::{fmt, sync::Arc};

use crate::IndexError;

/// Tells whoever reads a snapshot to end. By default nobody is told.
#[derive(Clone, Default)]
pub struct Interrupt(Option<Arc<dyn Fn() -> bool + Send + Sync>>);

impl Interrupt {
    /// Ends what is read once `is_over` says so. It is asked before each read of the store, on any thread.
    pub fn new(is_over: impl Fn() -> bool + Send + Sync + 'static) -> Self {
        Self(Some(Arc::new(is_over)))
    }

    /// Fails where it is time to end.
    ///
    /// # Errors
    /// [`IndexError::Interrupted`].
    pub fn check(&self) -> Result<(), IndexError> {
        match &self.0 {
            Some(is_over) if is_over() => Err(IndexError::Interrupted),
            _ => Ok(()),
        }
    }
}

impl fmt::Debug for Interrupt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Interrupt")
    }
}
