//! How far apart two names are.

/// The number of single-character edits, swaps of neighbors counted as one (optimal string alignment), ignoring
/// case; `None` above `limit`. Costs the product of the lengths, or nothing where these alone tell.
#[must_use]
pub fn edit_distance(a: &str, b: &str, limit: usize) -> Option<usize> {
    if a.is_ascii() && b.is_ascii() && a.len().abs_diff(b.len()) > limit {
        return None;
    }
    let distance = strsim::osa_distance(&a.to_lowercase(), &b.to_lowercase());
    (distance <= limit).then_some(distance)
}

#[cfg(test)]
mod tests {
    use super::edit_distance;

    #[test]
    fn a_swap_of_neighbors_is_one_edit() {
        assert_eq!(edit_distance("mian", "main", 1), Some(1));
        assert_eq!(edit_distance("man", "main", 1), Some(1));
        assert_eq!(edit_distance("Main", "main", 1), Some(0));
        assert_eq!(edit_distance("feature", "main", 2), None);
        assert_eq!(edit_distance("mains", "mai", 1), None);
        assert_eq!(edit_distance("ÄÖ", "äö", 0), Some(0));
    }
}
