//! Decoded values that a long-lived process keeps between questions.
//!
//! Owns: how much is kept, and what goes first. Must not know: what the values are.

use std::{
    any::Any,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

/// What stays where nobody says otherwise, in bytes.
const MAX_BYTES: usize = 96 << 20;

/// Values of any type by kind and key; the least recently used go when there are too many bytes.
pub struct Memory {
    entries: Mutex<Vec<Entry>>,
    max_bytes: usize,
}

struct Entry {
    kind: &'static str,
    key: Vec<u8>,
    value: Arc<dyn Any + Send + Sync>,
    n_bytes: usize,
}

impl Default for Memory {
    fn default() -> Self {
        Self::new(MAX_BYTES)
    }
}

impl Memory {
    /// Holds up to so many bytes.
    pub fn new(max_bytes: usize) -> Self {
        Self {
            entries: Mutex::default(),
            max_bytes,
        }
    }

    /// A value of a kind; `None` where it is not here.
    pub fn get<T: Any + Send + Sync>(&self, kind: &'static str, key: &[u8]) -> Option<Arc<T>> {
        let mut entries = self.entries();
        let at = (entries.iter()).position(|it| it.kind == kind && it.key == key)?;
        // The last one was used last.
        let entry = entries.remove(at);
        let value = Arc::clone(&entry.value);
        entries.push(entry);
        value.downcast().ok()
    }

    /// Keeps a value of about so many bytes; not one that is larger than all that may stay.
    pub fn put<T: Any + Send + Sync>(
        &self,
        kind: &'static str,
        key: &[u8],
        value: Arc<T>,
        n_bytes: usize,
    ) {
        if n_bytes > self.max_bytes {
            return;
        }
        let mut entries = self.entries();
        entries.retain(|it| it.kind != kind || it.key != key);
        let mut n_all: usize = entries.iter().map(|it| it.n_bytes).sum();
        while n_all + n_bytes > self.max_bytes {
            n_all -= entries.remove(0).n_bytes;
        }
        entries.push(Entry {
            kind,
            key: key.to_vec(),
            value,
            n_bytes,
        });
    }

    fn entries(&self) -> MutexGuard<'_, Vec<Entry>> {
        // What a thread that panicked left behind is a list of whole entries.
        self.entries.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::Memory;

    #[test]
    fn the_least_recently_used_go_first() {
        let memory = Memory::new(10);
        memory.put("text", b"a", Arc::new("a".to_owned()), 4);
        memory.put("text", b"b", Arc::new("b".to_owned()), 4);
        assert!(memory.get::<String>("text", b"a").is_some());
        memory.put("text", b"c", Arc::new("c".to_owned()), 4);
        assert!(memory.get::<String>("text", b"b").is_none());
        assert!(memory.get::<String>("text", b"a").is_some());
        assert!(memory.get::<String>("number", b"a").is_none());
        memory.put("text", b"large", Arc::new("large".to_owned()), 11);
        assert!(memory.get::<String>("text", b"large").is_none());
        assert!(memory.get::<String>("text", b"c").is_some());
    }
}
