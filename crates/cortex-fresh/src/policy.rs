//! How bad each kind of problem is.
//!
//! A policy comes from the caller, from the configuration of the user, or from the commit that a change starts from:
//! never from the change itself, which could otherwise excuse what it breaks.

use std::collections::BTreeMap;

use cortex_wire::{CheckRule, CheckSeverity};

use crate::FreshError;

/// How bad each rule is, and how much is tolerated.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Policy {
    severities: BTreeMap<CheckRule, CheckSeverity>,
    /// Stale semantics up to this number are warnings, more are errors.
    max_stale_semantics: Option<u64>,
    /// Semantics that are stale for this long are warnings, those that are stale for longer are errors.
    max_stale_days: Option<u64>,
}

/// For how long a file is stale.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Staleness {
    /// Not longer than tolerated, as far as is known.
    Recent,
    /// Longer than tolerated.
    Overdue,
}

/// The entry that limits how many semantics files are stale.
const MAX_STALE_SEMANTICS: &str = "max-stale-semantics";

/// The entry that limits for how long semantics files are stale.
const MAX_STALE_DAYS: &str = "max-stale-semantics-days";

impl Policy {
    /// Adds entries of the form `rule=severity`, `max-stale-semantics=N` or `max-stale-semantics-days=N`, separated by
    /// commas; later ones win.
    ///
    /// # Errors
    /// [`FreshError::Policy`].
    pub fn add(&mut self, text: &str) -> Result<(), FreshError> {
        let entries = text.split(',').map(str::trim);
        for entry in entries.filter(|entry| !entry.is_empty()) {
            self.add_entry(entry)?;
        }
        Ok(())
    }

    fn add_entry(&mut self, entry: &str) -> Result<(), FreshError> {
        let failed = |reason: &str, known: Vec<String>| FreshError::Policy {
            entry: entry.to_owned(),
            reason: reason.to_owned(),
            known,
        };
        let rules = || {
            let names = CheckRule::ALL.iter().map(|rule| rule.name().to_owned());
            let mut names: Vec<String> = names.collect();
            names.extend(["all", MAX_STALE_SEMANTICS, MAX_STALE_DAYS].map(str::to_owned));
            names
        };
        let Some((name, value)) = entry.split_once('=') else {
            return Err(failed("it has no `=`", rules()));
        };
        let (name, value) = (name.trim(), value.trim());
        let limit = match name {
            MAX_STALE_SEMANTICS => Some(&mut self.max_stale_semantics),
            MAX_STALE_DAYS => Some(&mut self.max_stale_days),
            _ => None,
        };
        if let Some(limit) = limit {
            let number = value.parse();
            *limit = Some(number.map_err(|_| failed("the value is not a number", Vec::new()))?);
            return Ok(());
        }
        let severity = match value {
            "error" => CheckSeverity::Error,
            "warning" | "warn" => CheckSeverity::Warning,
            "ignore" => CheckSeverity::Ignore,
            _ => {
                let known = ["error", "warning", "ignore"].map(str::to_owned).to_vec();
                return Err(failed("the severity is unknown", known));
            }
        };
        if name == "all" {
            let all = CheckRule::ALL.iter().map(|rule| (*rule, severity));
            self.severities.extend(all);
            return Ok(());
        }
        let rule = CheckRule::ALL.iter().find(|rule| rule.name() == name);
        let rule = rule.ok_or_else(|| failed("the rule is unknown", rules()))?;
        self.severities.insert(*rule, severity);
        Ok(())
    }

    /// For how many days a semantics file may be stale, where that matters.
    pub fn max_stale_days(&self) -> Option<u64> {
        let is_set = self.severities.contains_key(&CheckRule::SemanticStale);
        self.max_stale_days.filter(|_| !is_set)
    }

    /// How bad a rule is where so many semantics files are stale, this one for longer or shorter than tolerated.
    pub fn severity(
        &self,
        rule: CheckRule,
        n_stale_semantics: u64,
        staleness: Staleness,
    ) -> CheckSeverity {
        let is_tolerated = staleness == Staleness::Recent
            && (self.max_stale_semantics).is_none_or(|max| n_stale_semantics <= max);
        let default = || match rule {
            CheckRule::SemanticStale if !is_tolerated => CheckSeverity::Error,
            _ => rule.default_severity(),
        };
        let set = self.severities.get(&rule).copied();
        set.unwrap_or_else(default)
    }
}

#[cfg(test)]
mod tests {
    use cortex_wire::{CheckRule, CheckSeverity};

    use super::{Policy, Staleness};

    #[test]
    fn later_entries_win_and_unknown_ones_name_what_exists() {
        let mut policy = Policy::default();
        policy
            .add("all=ignore, outline-stale=warning")
            .expect("it is a policy");
        policy.add("outline-stale=error").expect("it is a policy");
        let severity = |rule| policy.severity(rule, 0, Staleness::Recent);
        assert_eq!(severity(CheckRule::OutlineStale), CheckSeverity::Error);
        assert_eq!(severity(CheckRule::OutlineMissing), CheckSeverity::Ignore);
        for wrong in ["outline-stale", "outline=error", "outline-stale=fatal"] {
            assert!(policy.add(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn more_stale_semantics_than_tolerated_are_errors() {
        let mut policy = Policy::default();
        policy.add("max-stale-semantics=2").expect("it is a policy");
        let rule = CheckRule::SemanticStale;
        let severity = |n| policy.severity(rule, n, Staleness::Recent);
        assert_eq!(severity(2), CheckSeverity::Warning);
        assert_eq!(severity(3), CheckSeverity::Error);
        let overdue = policy.severity(rule, 1, Staleness::Overdue);
        assert_eq!(overdue, CheckSeverity::Error);
    }

    #[test]
    fn a_severity_that_is_set_needs_no_history() {
        let mut policy = Policy::default();
        policy
            .add("max-stale-semantics-days=7")
            .expect("it is a policy");
        assert_eq!(policy.max_stale_days(), Some(7));
        policy.add("semantic-stale=error").expect("it is a policy");
        assert_eq!(policy.max_stale_days(), None);
        assert!(policy.add("max-stale-semantics-days=soon").is_err());
    }
}
