//! Which of a project's target frameworks is active.

use crate::{
    document::Document,
    evaluation::Evaluation,
    framework::{Family, Framework},
    items::split_list,
};

/// Further frameworks of a project are left out.
const MAX_FRAMEWORKS: usize = 200;

/// The target frameworks that a project names.
pub(crate) struct Frameworks {
    /// As written, without repetition.
    pub(crate) names: Vec<String>,
}

impl Frameworks {
    pub(crate) fn of(evaluation: &Evaluation<'_>) -> Self {
        let single = evaluation.text("TargetFramework");
        let names = if single.is_empty() {
            let list = evaluation.get("TargetFrameworks");
            let mut names: Vec<String> = Vec::new();
            for name in split_list(&list) {
                if names.len() == MAX_FRAMEWORKS {
                    break;
                }
                if !names.iter().any(|known| known.eq_ignore_ascii_case(name)) {
                    names.push(name.to_owned());
                }
            }
            names
        } else {
            vec![single]
        };
        Self { names }
    }

    /// The property without a value that stands where a framework should, and how it is written: that
    /// of an SDK which is not in the repository.
    pub(crate) fn unknown(&self, evaluation: &Evaluation<'_>) -> Option<(String, String)> {
        if evaluation.sdks.is_empty() {
            return None;
        }
        let some_known = self.names.iter().any(|name| is_known(name));
        if some_known && !evaluation.lacks_sdk {
            return None;
        }
        ["TargetFramework", "TargetFrameworks"]
            .iter()
            .flat_map(|name| evaluation.undefined_behind(name))
            .filter(|(name, _)| !matches!(name.as_str(), "targetframework" | "targetframeworks"))
            // Beside a known framework, a list that may add more is empty, not unknown.
            .find(|(name, _)| !(some_known && name.ends_with('s')))
    }

    /// The framework asked for where the project has it, else the newest; of equals the first.
    pub(crate) fn active(&self, wanted: Option<&str>) -> Option<String> {
        if let Some(wanted) = wanted
            && let Some(name) = self
                .names
                .iter()
                .find(|name| name.eq_ignore_ascii_case(wanted))
        {
            return Some(name.clone());
        }
        self.names
            .iter()
            .map(|name| (Framework::parse(name), name))
            .filter(|(framework, _)| framework.family != Family::Other)
            .reduce(|best, next| {
                if next.0.rank() > best.0.rank() {
                    next
                } else {
                    best
                }
            })
            .map(|(_, name)| name.clone())
            .or_else(|| self.names.first().cloned())
    }
}

fn is_known(name: &str) -> bool {
    Framework::parse(name).family != Family::Other
}

/// The line of the last property that names target frameworks.
pub(crate) fn framework_line(document: &Document) -> u32 {
    document
        .properties
        .iter()
        .filter(|property| matches!(&*property.name, "targetframework" | "targetframeworks"))
        .map(|property| property.line)
        .next_back()
        .unwrap_or_default()
}
