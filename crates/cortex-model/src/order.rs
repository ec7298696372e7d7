//! Orders for what has none.

use std::collections::HashMap;

/// The entries of a hash map by key, so that nothing that is computed from them depends on how keys hash.
/// O(n log n).
pub fn by_key<K: Ord, V, S>(map: &HashMap<K, V, S>) -> Vec<(&K, &V)> {
    let mut entries: Vec<(&K, &V)> = map.iter().collect();
    entries.sort_unstable_by_key(|&(key, _)| key);
    entries
}
