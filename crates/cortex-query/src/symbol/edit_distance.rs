//! How far apart two names are.

/// The number of single-character edits, swaps of neighbours counted as one (optimal string alignment), ignoring
/// case; `None` above `limit`.
pub(crate) fn edit_distance(a: &str, b: &str, limit: usize) -> Option<usize> {
    let fold = |text: &str| -> Vec<char> { text.chars().flat_map(char::to_lowercase).collect() };
    let (a, b) = (fold(a), fold(b));
    if a.len().abs_diff(b.len()) > limit {
        return None;
    }
    let mut before_last: Vec<usize> = Vec::new();
    let mut last: Vec<usize> = (0..=b.len()).collect();
    for i in 1..=a.len() {
        let mut row = vec![i];
        for j in 1..=b.len() {
            let mut least = (last[j - 1] + usize::from(a[i - 1] != b[j - 1]))
                .min(last[j] + 1)
                .min(row[j - 1] + 1);
            if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                least = least.min(before_last[j - 2] + 1);
            }
            row.push(least);
        }
        if row.iter().min().is_some_and(|least| *least > limit) {
            return None;
        }
        before_last = std::mem::replace(&mut last, row);
    }
    let distance = *last.last().expect("a row has a first cell");
    (distance <= limit).then_some(distance)
}
