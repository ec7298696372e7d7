//! How far the inside of a type went away from what was last said of it.

use cortex_wire::Drift;

use cortex_model::ChangeClass;

/// So many internal changes are drift,
const MAX_CHANGES: usize = 5;
/// and so are fewer that go back this many seconds.
const MAX_SECONDS: i64 = 24 * 3600;

/// Counts from the newest commit backward.
pub(crate) struct Drifting {
    newest: i64,
    drift: Drift,
    is_closed: bool,
}

impl Drifting {
    /// From a commit of this time.
    pub(crate) fn from(newest: i64) -> Self {
        Self {
            newest,
            drift: Drift {
                n_changes: 0,
                seconds: 0,
                since: None,
                is_over: false,
            },
            is_closed: false,
        }
    }

    /// Adds the next older change.
    pub(crate) fn add(&mut self, class: ChangeClass, commit: &str, time: i64) {
        if self.is_closed {
            return;
        }
        match class {
            ChangeClass::Internal => {
                self.drift.n_changes += 1;
                self.drift.seconds = (self.newest - time).max(0);
            }
            ChangeClass::Docs | ChangeClass::Cosmetic | ChangeClass::Unchanged => {}
            ChangeClass::Added
            | ChangeClass::Removed
            | ChangeClass::Structure
            | ChangeClass::PublicBehavior => {
                self.drift.since = Some(commit.to_owned());
                self.is_closed = true;
            }
        }
    }

    /// What was counted; `None` where the walk ended before its end was in sight.
    pub(crate) fn finish(mut self, went_to_the_end: bool) -> Option<Drift> {
        let is_old = self.drift.seconds >= MAX_SECONDS;
        self.drift.is_over =
            self.drift.n_changes >= MAX_CHANGES || (self.drift.n_changes > 0 && is_old);
        (self.is_closed || went_to_the_end).then_some(self.drift)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn internal_changes_count_until_something_shows_outside() {
        let of = |changes: &[(ChangeClass, i64)]| {
            let mut drifting = Drifting::from(1_000_000);
            for &(class, time) in changes {
                drifting.add(class, "c", time);
            }
            drifting.finish(false)
        };
        let recent = (ChangeClass::Internal, 999_000);
        assert_eq!(of(&[recent, recent]), None, "more may be older");
        let end = (ChangeClass::PublicBehavior, 0);
        let drift = of(&[recent, (ChangeClass::Docs, 0), recent, end, recent]).expect("closed");
        assert_eq!(
            (drift.n_changes, drift.seconds, drift.is_over),
            (2, 1_000, false)
        );
        assert!(
            of(&[recent; 5].into_iter().chain([end]).collect::<Vec<_>>())
                .is_some_and(|it| it.is_over)
        );
        assert!(of(&[(ChangeClass::Internal, 1), end]).is_some_and(|it| it.is_over));
        assert!(of(&[end]).is_some_and(|it| it.n_changes == 0 && !it.is_over));
    }
}
