//! Which types matter most: personalized PageRank over the type graph.
//!
//! Must not know: what is done with ranks.

use cortex_derived::dependencies::Dependencies;

/// How much of a type's rank goes to what it depends on.
const DAMPING: f64 = 0.85;

/// After so many rounds the order of what is shown does not change any more.
const N_ROUNDS: usize = 40;

/// A dependency that shows in a signature weighs so much more than one of the code alone.
const STRUCTURAL: f64 = 3.0;

/// More uses than that at one type say nothing more.
const MAX_COUNT: u32 = 8;

/// The rank of each type; those that do not take part have none. `start`: where a walk starts, and how likely;
/// whatever its sum is. The same graph and start give the same bits: sums are made in the order of types.
///
/// O(rounds · (types + edges)).
pub(crate) fn page_rank(all: &Dependencies, takes_part: &[bool], start: &[f64]) -> Vec<f64> {
    let n = all.n_types();
    let mut start: Vec<f64> = (0..n)
        .map(|at| if takes_part[at] { start[at] } else { 0.0 })
        .collect();
    let sum: f64 = start.iter().sum();
    if sum <= 0.0 {
        return vec![0.0; n];
    }
    start.iter_mut().for_each(|it| *it /= sum);
    let mut starts = Vec::with_capacity(n + 1);
    let mut edges: Vec<(u32, f64)> = Vec::new();
    starts.push(0);
    for from in 0..n {
        let first = edges.len();
        let own = if takes_part[from] { all.of(from) } else { &[] };
        for edge in own {
            if takes_part[edge.target as usize] {
                let kind = if edge.kinds.is_structural() {
                    STRUCTURAL
                } else {
                    1.0
                };
                edges.push((
                    edge.target,
                    kind * f64::from(edge.count.clamp(1, MAX_COUNT)),
                ));
            }
        }
        let sum: f64 = edges[first..].iter().map(|it| it.1).sum();
        edges[first..].iter_mut().for_each(|it| it.1 /= sum);
        starts.push(edges.len());
    }
    let mut rank = start.clone();
    for _ in 0..N_ROUNDS {
        let mut next = vec![0.0; n];
        // What has no way on starts again.
        let mut lost = 0.0;
        for at in 0..n {
            let own = &edges[starts[at]..starts[at + 1]];
            if own.is_empty() {
                lost += rank[at];
            }
            for &(target, share) in own {
                next[target as usize] += DAMPING * rank[at] * share;
            }
        }
        let restart = 1.0 - DAMPING + DAMPING * lost;
        for at in 0..n {
            next[at] += restart * start[at];
        }
        rank = next;
    }
    rank
}
