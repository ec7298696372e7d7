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
}

/// The entry that limits stale semantics.
const MAX_STALE_SEMANTICS: &str = "max-stale-semantics";

impl Policy {
    /// Adds entries of the form `rule=severity` or `max-stale-semantics=N`, separated by commas; later ones win.
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
            names.extend(["all".to_owned(), MAX_STALE_SEMANTICS.to_owned()]);
            names
        };
        let Some((name, value)) = entry.split_once('=') else {
            return Err(failed("it has no `=`", rules()));
        };
        let (name, value) = (name.trim(), value.trim());
        if name == MAX_STALE_SEMANTICS {
            let number = value.parse();
            let number = number.map_err(|_| failed("the value is not a number", Vec::new()))?;
            self.max_stale_semantics = Some(number);
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

    /// How bad a rule is where so many semantics files are stale.
    pub fn severity(&self, rule: CheckRule, n_stale_semantics: u64) -> CheckSeverity {
        let default = || match (rule, self.max_stale_semantics) {
            (CheckRule::SemanticStale, Some(max)) if n_stale_semantics > max => {
                CheckSeverity::Error
            }
            _ => rule.default_severity(),
        };
        let set = self.severities.get(&rule).copied();
        set.unwrap_or_else(default)
    }
}

#[cfg(test)]
mod tests {
    use cortex_wire::{CheckRule, CheckSeverity};

    use super::Policy;

    #[test]
    fn later_entries_win_and_unknown_ones_name_what_exists() {
        let mut policy = Policy::default();
        policy
            .add("all=ignore, outline-stale=warning")
            .expect("it is a policy");
        policy.add("outline-stale=error").expect("it is a policy");
        let severity = |rule| policy.severity(rule, 0);
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
        let severity = |n| policy.severity(CheckRule::SemanticStale, n);
        assert_eq!(severity(2), CheckSeverity::Warning);
        assert_eq!(severity(3), CheckSeverity::Error);
    }
}
