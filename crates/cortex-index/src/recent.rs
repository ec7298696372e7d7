//! Tables of types that were read lately: one look-up in a table is mostly followed by others in it, and taking a table
//! apart costs its length.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use cortex_store::Cache;

use crate::{keys::TablePrefix, tables::Table};

/// About how many bytes of tables are kept; more where the last one alone is larger.
const MAX_BYTES: usize = 8 << 20;

/// The tables of one snapshot that were read lately, by their prefix.
pub(crate) struct RecentTables(Mutex<Cache<TablePrefix, Arc<[Table]>>>);

impl Default for RecentTables {
    fn default() -> Self {
        Self(Mutex::new(Cache::new(MAX_BYTES)))
    }
}

impl RecentTables {
    pub(crate) fn get(&self, prefix: TablePrefix) -> Option<Arc<[Table]>> {
        self.cache().get(&prefix)
    }

    pub(crate) fn put(&self, prefix: TablePrefix, tables: &Arc<[Table]>) {
        let n_bytes = tables.iter().map(Table::n_bytes).sum();
        let mut cache = self.cache();
        cache.grow(n_bytes);
        cache.insert(prefix, tables.clone(), n_bytes);
    }

    fn cache(&self) -> MutexGuard<'_, Cache<TablePrefix, Arc<[Table]>>> {
        // What a thread that panicked left behind is a list of whole entries.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
