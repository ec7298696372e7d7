//! How many files of each area are searched.

/// What is shared, and among whom.
#[derive(Clone, PartialEq, Debug)]
pub struct Budget<'a> {
    /// How many files in all.
    pub n_files: usize,
    /// How areas do, as [`crate::route`] says.
    pub scores: &'a [f64],
    /// The area that gets most.
    pub winner: Option<usize>,
    /// How many files each area could use.
    pub wanted: &'a [usize],
}

/// What one area gets.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Share {
    /// By the rules, before what others could not use.
    pub planned: usize,
    /// What it may use.
    pub files: usize,
}

/// The winner gets so much of all, in hundredths.
const WINNER: usize = 75;

/// Shares a budget: three quarters to the winner, the rest equally among the others that have a score; equal shares
/// without a winner. What an area cannot use flows on, to the one with the best score first.
///
/// The shares never exceed the budget, and use all of it where areas want as much.
pub fn share(budget: &Budget<'_>) -> Vec<Share> {
    let n = budget.wanted.len();
    let mut out = vec![Share::default(); n];
    if n == 0 {
        return out;
    }
    let score = |area: usize| budget.scores.get(area).copied().unwrap_or(0.0);
    let mut order: Vec<usize> = (0..n).collect();
    order.sort_by(|a, b| score(*b).total_cmp(&score(*a)).then(a.cmp(b)));
    if let Some(winner) = budget.winner.filter(|winner| *winner < n) {
        order.retain(|area| *area != winner);
        order.insert(0, winner);
    }
    let has_scores = order.iter().any(|area| score(*area) > 0.0);
    let winner = budget.winner.filter(|winner| *winner < n);
    let others: Vec<usize> = order
        .iter()
        .copied()
        .filter(|area| Some(*area) != winner && (!has_scores || score(*area) > 0.0))
        .collect();
    let for_winner = match winner {
        None => 0,
        Some(_) if others.is_empty() => budget.n_files,
        Some(_) => (budget.n_files * WINNER).div_ceil(100),
    };
    if let Some(winner) = winner {
        out[winner].planned = for_winner;
    }
    let rest = budget.n_files - for_winner;
    for (nth, area) in others.iter().enumerate() {
        // The first ones get what does not divide.
        out[*area].planned = rest / others.len() + usize::from(nth < rest % others.len());
    }
    let mut left = budget.n_files;
    for (share, wanted) in out.iter_mut().zip(budget.wanted) {
        share.files = share.planned.min(*wanted);
        left -= share.files;
    }
    for area in order {
        let more = (budget.wanted[area] - out[area].files).min(left);
        out[area].files += more;
        left -= more;
    }
    out
}
