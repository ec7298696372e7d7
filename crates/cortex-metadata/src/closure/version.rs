//! NuGet versions and version ranges.
//!
//! The rules are those of NuGet's documentation, "Package versioning": numbers of up to four parts, labels
//! compared part by part without case, intervals in brackets, `*` for floating.

use std::cmp::Ordering;

/// The parts of a version label that are looked at.
const MAX_LABEL_PARTS: usize = 32;

/// A package version.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Version {
    numbers: [u32; 4],
    /// The label of a pre-release, in lower case; empty for a release.
    label: String,
}

impl Version {
    pub(crate) fn parse(text: &str) -> Option<Self> {
        let text = text.trim();
        let text = text.split('+').next()?;
        let (numbers, label) = text.split_once('-').unwrap_or((text, ""));
        if text.ends_with('-') {
            return None;
        }
        let mut parsed = [0; 4];
        let mut parts = numbers.split('.');
        for (place, part) in parsed.iter_mut().zip(&mut parts) {
            if part.is_empty() || !part.bytes().all(|byte| byte.is_ascii_digit()) {
                return None;
            }
            *place = part.parse().ok()?;
        }
        parts.next().is_none().then(|| Self {
            numbers: parsed,
            label: label.to_ascii_lowercase(),
        })
    }

    /// Whether it is a release or pre-release of this major and minor version.
    pub(crate) fn is_of(&self, major: u32, minor: u32) -> bool {
        self.numbers[0] == major && self.numbers[1] == minor
    }

    /// The major and the minor number.
    pub(crate) fn major_minor(&self) -> (u32, u32) {
        (self.numbers[0], self.numbers[1])
    }

    fn is_release(&self) -> bool {
        self.label.is_empty()
    }
}

impl Ord for Version {
    fn cmp(&self, other: &Self) -> Ordering {
        let by_release = || match (self.is_release(), other.is_release()) {
            (true, true) => Ordering::Equal,
            (true, false) => Ordering::Greater,
            (false, true) => Ordering::Less,
            (false, false) => compare_labels(&self.label, &other.label),
        };
        self.numbers.cmp(&other.numbers).then_with(by_release)
    }
}

impl PartialOrd for Version {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl std::fmt::Display for Version {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let [major, minor, patch, revision] = self.numbers;
        write!(f, "{major}.{minor}.{patch}")?;
        if revision > 0 {
            write!(f, ".{revision}")?;
        }
        match self.label.as_str() {
            "" => Ok(()),
            label => write!(f, "-{label}"),
        }
    }
}

fn compare_labels(left: &str, right: &str) -> Ordering {
    let mut left_parts = left.split('.').take(MAX_LABEL_PARTS);
    let mut right_parts = right.split('.').take(MAX_LABEL_PARTS);
    loop {
        let (left, right) = match (left_parts.next(), right_parts.next()) {
            (None, None) => return Ordering::Equal,
            (None, Some(_)) => return Ordering::Less,
            (Some(_), None) => return Ordering::Greater,
            (Some(left), Some(right)) => (left, right),
        };
        let order = match (left.parse::<u64>(), right.parse::<u64>()) {
            (Ok(left), Ok(right)) => left.cmp(&right),
            (Ok(_), Err(_)) => Ordering::Less,
            (Err(_), Ok(_)) => Ordering::Greater,
            (Err(_), Err(_)) => left.cmp(right),
        };
        if order != Ordering::Equal {
            return order;
        }
    }
}

/// Which versions a reference accepts.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Range {
    min: Option<(Version, Bound)>,
    max: Option<(Version, Bound)>,
    floating: Option<Floating>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Bound {
    Inclusive,
    Exclusive,
}

/// The highest version with a prefix.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Floating {
    numbers: Vec<u32>,
    /// The beginning of a label, where pre-releases are accepted.
    label: Option<String>,
}

/// Which of the present versions a range chooses.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Choice {
    /// The one that NuGet would have restored.
    Exact(usize),
    /// Another one: that which NuGet would have restored is not present.
    Approximate(usize),
    /// None is present.
    Absent,
}

impl Range {
    /// Any version, the lowest first: what a dependency without a version accepts.
    pub(crate) const ANY: Self = Self {
        min: None,
        max: None,
        floating: None,
    };

    /// The highest release.
    pub(crate) fn newest() -> Self {
        Self {
            floating: Some(Floating {
                numbers: Vec::new(),
                label: None,
            }),
            ..Self::ANY
        }
    }

    pub(crate) fn parse(text: &str) -> Option<Self> {
        let text = text.trim();
        let open = match text.chars().next()? {
            '[' => Bound::Inclusive,
            '(' => Bound::Exclusive,
            _ => return Self::from_minimum(text, Bound::Inclusive),
        };
        let close = match text.chars().next_back()? {
            ']' => Bound::Inclusive,
            ')' => Bound::Exclusive,
            _ => return None,
        };
        let inside = text.get(1..text.len() - 1)?;
        let Some((low, high)) = inside.split_once(',') else {
            let only = Version::parse(inside)?;
            return Some(Self {
                min: Some((only.clone(), Bound::Inclusive)),
                max: Some((only, Bound::Inclusive)),
                floating: None,
            });
        };
        let mut range = match low.trim() {
            "" => Self::ANY,
            low => Self::from_minimum(low, open)?,
        };
        range.max = match high.trim() {
            "" => None,
            high => Some((Version::parse(high)?, close)),
        };
        Some(range)
    }

    fn from_minimum(text: &str, bound: Bound) -> Option<Self> {
        if !text.contains('*') {
            return Some(Self {
                min: Some((Version::parse(text)?, bound)),
                ..Self::ANY
            });
        }
        let (numbers, label) = match text.split_once('-') {
            Some((numbers, label)) => (numbers, Some(label.strip_suffix('*')?)),
            None => (text, None),
        };
        let mut floating = Floating {
            numbers: Vec::new(),
            label: label.map(str::to_ascii_lowercase),
        };
        for part in numbers.split('.').take(4) {
            if part == "*" {
                break;
            }
            floating.numbers.push(part.parse().ok()?);
        }
        let mut lowest = [0; 4];
        for (place, number) in lowest.iter_mut().zip(&floating.numbers) {
            *place = *number;
        }
        let lowest = Version {
            numbers: lowest,
            // The lowest label of all.
            label: floating.label.as_ref().map_or("", |_| "0").to_owned(),
        };
        Some(Self {
            min: Some((lowest, Bound::Inclusive)),
            max: None,
            floating: Some(floating),
        })
    }

    /// The lowest version that could be accepted; orders the wishes of several dependents.
    pub(crate) fn minimum(&self) -> Option<&Version> {
        self.min.as_ref().map(|(version, _)| version)
    }

    pub(crate) fn accepts(&self, version: &Version) -> bool {
        let above = self.min.as_ref().is_none_or(|(min, bound)| match bound {
            Bound::Inclusive => version >= min,
            Bound::Exclusive => version > min,
        });
        let below = self.max.as_ref().is_none_or(|(max, bound)| match bound {
            Bound::Inclusive => version <= max,
            Bound::Exclusive => version < max,
        });
        above && below
    }

    /// Chooses from the present versions, sorted ascending.
    pub(crate) fn choose(&self, present: &[Version]) -> Choice {
        if let Some(floating) = &self.floating {
            let found = present
                .iter()
                .rposition(|version| floating.accepts(version) && self.accepts(version));
            if let Some(found) = found {
                return Choice::Exact(found);
            }
        }
        if let Some(found) = present.iter().position(|version| self.accepts(version)) {
            let is_lowest = self.floating.is_none()
                && self
                    .min
                    .as_ref()
                    .is_none_or(|(min, _)| present[found] == *min);
            return match is_lowest {
                true => Choice::Exact(found),
                false => Choice::Approximate(found),
            };
        }
        let higher = present
            .iter()
            .position(|version| self.minimum().is_some_and(|min| version >= min));
        match higher.or(present.len().checked_sub(1)) {
            Some(found) => Choice::Approximate(found),
            None => Choice::Absent,
        }
    }
}

impl Floating {
    fn accepts(&self, version: &Version) -> bool {
        let prefix = self.numbers.iter().zip(&version.numbers);
        prefix.into_iter().all(|(wanted, found)| wanted == found)
            && match &self.label {
                None => version.is_release(),
                Some(label) => version.is_release() || version.label.starts_with(label.as_str()),
            }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn versions(text: &str) -> Vec<Version> {
        text.split(' ')
            .map(|version| Version::parse(version).expect("a version"))
            .collect()
    }

    #[track_caller]
    fn check_choice(range: &str, present: &str, chosen: &str) {
        let present = versions(present);
        let found = match Range::parse(range).expect("a range").choose(&present) {
            Choice::Exact(found) => present[found].to_string(),
            Choice::Approximate(found) => format!("~{}", present[found]),
            Choice::Absent => "none".to_owned(),
        };
        assert_eq!(found, chosen);
    }

    #[test]
    fn versions_are_ordered_as_nuget_orders_them() {
        let ordered =
            "1.0.0-alpha 1.0.0-alpha.2 1.0.0-alpha.10 1.0.0-beta 1.0 1.0.0.1 1.2 1.10 2.0-rc.1 2";
        assert!(versions(ordered).is_sorted());
        assert_eq!(Version::parse("1.0"), Version::parse("1.0.0.0+meta"));
        assert_eq!(Version::parse("1.0-RC1"), Version::parse("1.0.0-rc1"));
        for bad in [
            "",
            "1.",
            "a",
            "1.2.3.4.5",
            "1..2",
            "1.0-",
            "../1",
            "99999999999",
        ] {
            assert_eq!(Version::parse(bad), None, "{bad}");
        }
    }

    #[test]
    fn the_lowest_applicable_version_is_chosen() {
        check_choice("1.1", "1.0 1.1 1.2", "1.1.0");
        check_choice("1.1", "1.0 1.2 1.3", "~1.2.0");
        check_choice("1.1", "0.9 1.0", "~1.0.0");
        check_choice("[1.1]", "1.0 1.1 1.2", "1.1.0");
        check_choice("[1.1]", "1.0 1.2", "~1.2.0");
        check_choice("[1.0,2.0)", "0.9 1.0 2.0", "1.0.0");
        check_choice("(1.0,2.0]", "1.0 2.0", "~2.0.0");
        check_choice("(,2.0]", "1.0 2.0", "1.0.0");
    }

    #[test]
    fn a_floating_version_is_the_highest_of_its_prefix() {
        check_choice("*", "1.0 2.0 3.0-beta", "2.0.0");
        check_choice("1.*", "1.0 1.5 2.0", "1.5.0");
        check_choice("1.0.*", "1.0.3 1.5", "1.0.3");
        check_choice("*-*", "1.0 3.0-beta", "3.0.0-beta");
        check_choice(
            "1.0.0-beta.*",
            "1.0.0-alpha.9 1.0.0-beta.2 1.0.0-beta.11",
            "1.0.0-beta.11",
        );
        check_choice("3.*", "1.0 2.0", "~2.0.0");
        check_choice("[1.0.*,2.0)", "1.0.1 1.0.2 1.1.0", "1.0.2");
    }
}
