//! Which of the overloads that are gone became which of those that are new.
//!
//! Owns: the one rule by which every part of an answer pairs them. Must not know: what else members are told by.

use std::cmp::Reverse;

/// Pairs overloads of one name that are left over on both sides, given as text with their parameters in parentheses
/// (`Price(Order, int)`): those that have most parameter types in common first, then the earlier ones; two that
/// have none in common only where each is the only one. Pairs of indices, by the first.
pub fn pair_overloads(gone: &[&str], came: &[&str]) -> Vec<(usize, usize)> {
    let [before, after] = [gone, came].map(|side| {
        let side = side.iter().map(|text| parameters(text));
        side.collect::<Vec<_>>()
    });
    let mut ranked: Vec<_> = (0..gone.len())
        .flat_map(|at| (0..came.len()).map(move |to| (at, to)))
        .map(|(at, to)| {
            let n_common = n_common(&before[at], &after[to]);
            let n_others = before[at].len().abs_diff(after[to].len());
            (Reverse(n_common), n_others, at, to)
        })
        .collect();
    ranked.sort_unstable();
    let is_only = gone.len() == 1 && came.len() == 1;
    let mut out: Vec<(usize, usize)> = Vec::new();
    for (Reverse(n_common), _, at, to) in ranked {
        let is_free = out.iter().all(|&(one, other)| one != at && other != to);
        if is_free && (n_common > 0 || is_only) {
            out.push((at, to));
        }
    }
    out.sort_unstable();
    out
}

/// What stands between the commas of the parameter list.
fn parameters(text: &str) -> Vec<&str> {
    let Some(open) = text.find(['(', '[']) else {
        return Vec::new();
    };
    let (mut depth, mut start, mut out) = (0, open + 1, Vec::new());
    for (at, c) in text.char_indices().skip_while(|&(at, _)| at <= open) {
        match c {
            '<' | '(' | '[' => depth += 1,
            '>' | ')' | ']' if depth > 0 => depth -= 1,
            ')' | ']' | ',' if depth == 0 => {
                out.push(text[start..at].trim());
                start = at + 1;
                if c != ',' {
                    break;
                }
            }
            _ => {}
        }
    }
    out.retain(|text| !text.is_empty());
    out
}

/// How many parameters two lists have in common, in one order. O(product of their lengths).
fn n_common(one: &[&str], other: &[&str]) -> usize {
    let mut row = vec![0; other.len() + 1];
    for a in one {
        let mut diagonal = 0;
        for (at, b) in other.iter().enumerate() {
            let above = row[at + 1];
            row[at + 1] = match a == b {
                true => diagonal + 1,
                false => above.max(row[at]),
            };
            diagonal = above;
        }
    }
    row[other.len()]
}

#[cfg(test)]
mod tests {
    use super::{pair_overloads, parameters};

    #[test]
    fn commas_within_a_type_part_no_parameters() {
        let text = "Map(Dictionary<string, List<int>>, (int, T[,]) pair, int[])";
        let wanted = ["Dictionary<string, List<int>>", "(int, T[,]) pair", "int[]"];
        assert_eq!(parameters(text), wanted);
        assert!(parameters("Close()").is_empty());
    }

    #[test]
    fn overloads_with_most_in_common_are_one() {
        let gone = ["Send(Order)", "Send(Order, int)"];
        let came = ["Send(Order, int, CancellationToken)", "Send(Order, string)"];
        assert_eq!(pair_overloads(&gone, &came), [(0, 1), (1, 0)]);
    }

    #[test]
    fn what_has_nothing_in_common_is_one_only_where_nothing_else_is_left() {
        assert_eq!(pair_overloads(&["Send()"], &["Send(int)"]), [(0, 0)]);
        assert!(pair_overloads(&["Send()"], &["Send(int)", "Send(long)"]).is_empty());
    }
}
