//! A cache of a bounded number of bytes; what was not used for longest goes first, roughly.

use std::collections::{HashMap, VecDeque};
use std::hash::Hash;

/// Values by key. An entry that was used since it was last looked at gets a second chance.
pub struct Cache<K, V> {
    entries: HashMap<K, Slot<V>>,
    order: VecDeque<K>,
    n_bytes: usize,
    limit: usize,
}

struct Slot<V> {
    value: V,
    n_bytes: usize,
    used: bool,
}

impl<K: Copy + Eq + Hash, V: Clone> Cache<K, V> {
    /// Holds up to so many bytes.
    pub fn new(limit: usize) -> Self {
        Self {
            entries: HashMap::new(),
            order: VecDeque::new(),
            n_bytes: 0,
            limit,
        }
    }

    /// Keeps at least so many bytes from now on.
    pub fn grow(&mut self, limit: usize) {
        self.limit = self.limit.max(limit);
    }

    /// A value; it stays longer for having been asked for.
    pub fn get(&mut self, key: &K) -> Option<V> {
        let slot = self.entries.get_mut(key)?;
        slot.used = true;
        Some(slot.value.clone())
    }

    /// Adds a value of about so many bytes; one larger than the whole cache is not kept.
    pub fn insert(&mut self, key: K, value: V, n_bytes: usize) {
        if n_bytes > self.limit || self.entries.contains_key(&key) {
            return;
        }
        while self.n_bytes + n_bytes > self.limit {
            let Some(oldest) = self.order.pop_front() else {
                break;
            };
            match self.entries.get_mut(&oldest) {
                Some(slot) if slot.used => {
                    slot.used = false;
                    self.order.push_back(oldest);
                }
                Some(_) => {
                    let dropped = self.entries.remove(&oldest);
                    self.n_bytes -= dropped.map_or(0, |slot| slot.n_bytes);
                }
                None => {}
            }
        }
        self.n_bytes += n_bytes;
        self.order.push_back(key);
        let slot = Slot {
            value,
            n_bytes,
            used: false,
        };
        self.entries.insert(key, slot);
    }

    pub(crate) fn clear(&mut self) {
        self.entries.clear();
        self.order.clear();
        self.n_bytes = 0;
    }
}

#[cfg(test)]
mod tests {
    use super::Cache;

    #[test]
    fn it_stays_within_its_bytes_and_keeps_what_is_used() {
        let mut cache = Cache::new(1000);
        for key in 0..100u32 {
            cache.insert(key, key, 100);
            assert!(cache.n_bytes <= 1000);
            assert_eq!(cache.get(&0), Some(0));
        }
        assert_eq!(cache.get(&50), None);
        cache.insert(1000, 1, 1001);
        assert_eq!(cache.get(&1000), None);
        cache.grow(2000);
        cache.grow(500);
        (200..220).for_each(|key| cache.insert(key, key, 100));
        assert_eq!((cache.n_bytes, cache.get(&201)), (2000, Some(201)));
        cache.clear();
        assert_eq!(cache.get(&0), None);
        assert_eq!(cache.n_bytes, 0);
    }
}
