//! Target frameworks: their short names, order, compatibility and the `#if` symbols they imply.
//!
//! Must not know: projects. Rules from the .NET SDK's target framework inference and its generated
//! define constants.

use std::cmp::Ordering;

use crate::version::Version;

/// The newest framework that this version knows, taken where a project's is unknown.
pub(crate) const NEWEST: &str = "net10.0";

/// Which of two target frameworks, by their short names, is older: `Less` where the first is.
pub fn compare_frameworks(one: &str, other: &str) -> Ordering {
    Framework::parse(one)
        .rank()
        .cmp(&Framework::parse(other).rank())
}

/// The family of a target framework, in the order in which one is preferred to another, worst first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum Family {
    /// Anything that is not one of the others: `uap10.0`, `monoandroid12`, `portable-…`.
    Other,
    /// .NET Framework.
    NetFramework,
    /// .NET Standard.
    NetStandard,
    /// .NET Core and .NET 5 or newer.
    NetCoreApp,
}

impl Family {
    /// The identifier as MSBuild writes it.
    pub(crate) fn identifier(self) -> &'static str {
        match self {
            Self::Other => "Unsupported",
            Self::NetFramework => ".NETFramework",
            Self::NetStandard => ".NETStandard",
            Self::NetCoreApp => ".NETCoreApp",
        }
    }
}

/// A parsed short name such as `net8.0-windows10.0.19041.0`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Framework {
    pub(crate) family: Family,
    pub(crate) version: Version,
    pub(crate) platform: Option<Platform>,
}

/// The operating system that a framework is bound to.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Platform {
    /// In lower case.
    pub(crate) name: String,
    pub(crate) version: Option<Version>,
}

impl Framework {
    /// Reads a short name in any case; a name of no known family is [`Family::Other`].
    pub(crate) fn parse(text: &str) -> Self {
        let text = text.trim().to_ascii_lowercase();
        let (base, platform) = match text.split_once('-') {
            Some((base, platform)) => (base, Some(platform)),
            None => (text.as_str(), None),
        };
        let (family, digits) = if let Some(digits) = base.strip_prefix("netstandard") {
            (Family::NetStandard, digits)
        } else if let Some(digits) = base.strip_prefix("netcoreapp") {
            (Family::NetCoreApp, digits)
        } else if let Some(digits) = base.strip_prefix("net") {
            (Family::NetFramework, digits)
        } else {
            (Family::Other, "")
        };
        let version = if digits.contains('.') {
            Version::parse(digits)
        } else {
            // `net472` is 4.7.2.
            let spread: Vec<String> = digits.chars().map(String::from).collect();
            Version::parse(&spread.join("."))
        };
        match version {
            Some(version)
                if family != Family::Other && digits.starts_with(|c: char| c.is_ascii_digit()) =>
            {
                let modern = family == Family::NetFramework && version.parts[0] >= 5;
                Self {
                    family: if modern { Family::NetCoreApp } else { family },
                    version,
                    platform: platform
                        .filter(|_| modern)
                        .filter(|platform| !platform.is_empty())
                        .map(Platform::parse),
                }
            }
            _ => Self {
                family: Family::Other,
                version: Version {
                    parts: [0; 4],
                    written: 2,
                },
                platform: None,
            },
        }
    }

    /// The framework that a non-SDK project names by `TargetFrameworkIdentifier` and `-Version`.
    pub(crate) fn short_name(identifier: &str, version: &str) -> Option<String> {
        let version = Version::parse(version)?;
        let digits = || {
            let mut digits: String = version.parts.iter().map(u32::to_string).collect();
            while digits.len() > 2 && digits.ends_with('0') {
                digits.pop();
            }
            digits
        };
        match identifier.to_ascii_lowercase().as_str() {
            "" | ".netframework" => Some(format!("net{}", digits())),
            ".netstandard" => Some(format!("netstandard{}", version.to_parts(2))),
            ".netcoreapp" if version.parts[0] >= 5 => Some(format!("net{}", version.to_parts(2))),
            ".netcoreapp" => Some(format!("netcoreapp{}", version.to_parts(2))),
            _ => None,
        }
    }

    /// What decides which of a project's frameworks is active: the greatest.
    /// A framework without a platform goes before the same with one.
    pub(crate) fn rank(&self) -> (Family, [u32; 4], bool) {
        (self.family, self.version.parts, self.platform.is_none())
    }

    /// Whether a project for `self` can use what was built for `candidate`.
    pub(crate) fn accepts(&self, candidate: &Self) -> bool {
        if let Some(platform) = &candidate.platform
            && self.platform.as_ref().map(|known| &known.name) != Some(&platform.name)
        {
            return false;
        }
        if self.family == candidate.family {
            return self.family != Family::Other && self.version.parts >= candidate.version.parts;
        }
        candidate.family == Family::NetStandard
            && self
                .netstandard()
                .is_some_and(|newest| candidate.version.parts <= newest)
    }

    /// The newest .NET Standard that it implements.
    fn netstandard(&self) -> Option<[u32; 4]> {
        let [major, minor, patch, _] = self.version.parts;
        match (self.family, major, minor, patch) {
            (Family::NetCoreApp, 3.., _, _) => Some([2, 1, 0, 0]),
            (Family::NetCoreApp, 2, _, _) => Some([2, 0, 0, 0]),
            (Family::NetCoreApp, _, _, _) => Some([1, 6, 0, 0]),
            (Family::NetFramework, 4, 6, 1..) | (Family::NetFramework, 4, 7.., _) => {
                Some([2, 0, 0, 0])
            }
            (Family::NetFramework, 4, 6, 0) => Some([1, 3, 0, 0]),
            (Family::NetFramework, 4, 5, 1..) => Some([1, 2, 0, 0]),
            (Family::NetFramework, 4, 5, 0) => Some([1, 1, 0, 0]),
            _ => None,
        }
    }

    /// The version of C# that the compiler takes for it where a project sets none, as `LangVersion` writes it; `None`
    /// where the framework is of no known family.
    pub(crate) fn default_language_version(&self) -> Option<&'static str> {
        let [major, minor, ..] = self.version.parts;
        match (self.family, major, minor) {
            (Family::Other, ..) => None,
            (Family::NetCoreApp, 10.., _) => Some("14.0"),
            (Family::NetCoreApp, 9, _) => Some("13.0"),
            (Family::NetCoreApp, 8, _) => Some("12.0"),
            (Family::NetCoreApp, 7, _) => Some("11.0"),
            (Family::NetCoreApp, 6, _) => Some("10.0"),
            (Family::NetCoreApp, 5, _) => Some("9.0"),
            (Family::NetCoreApp, 3.., _) | (Family::NetStandard, 2, 1..) => Some("8.0"),
            (Family::NetCoreApp | Family::NetStandard | Family::NetFramework, ..) => Some("7.3"),
        }
    }

    /// The symbols that the SDK defines for it, in no particular order.
    pub(crate) fn symbols(&self) -> Vec<String> {
        let [major, minor, ..] = self.version.parts;
        let mut symbols = Vec::new();
        match self.family {
            Family::Other => {}
            Family::NetFramework => {
                symbols.push("NETFRAMEWORK".to_owned());
                symbols.push(format!("NET{}", plain_digits(self.version)));
                for known in NET_FRAMEWORKS {
                    let known = Version::parse(known).expect("a version literal");
                    if known.parts <= self.version.parts {
                        symbols.push(format!("NET{}_OR_GREATER", plain_digits(known)));
                    }
                }
            }
            Family::NetStandard => {
                symbols.push("NETSTANDARD".to_owned());
                symbols.push(format!("NETSTANDARD{major}_{minor}"));
                for (known_major, known_minor) in NET_STANDARDS {
                    if (known_major, known_minor) <= (major, minor) {
                        symbols.push(format!("NETSTANDARD{known_major}_{known_minor}_OR_GREATER"));
                    }
                }
            }
            Family::NetCoreApp => {
                symbols.push("NETCOREAPP".to_owned());
                for (known_major, known_minor) in NET_CORES {
                    if (known_major, known_minor) <= (major, minor) {
                        symbols.push(format!("NETCOREAPP{known_major}_{known_minor}_OR_GREATER"));
                    }
                }
                if major < 5 {
                    symbols.push(format!("NETCOREAPP{major}_{minor}"));
                } else {
                    symbols.push("NET".to_owned());
                    symbols.push(format!("NET{major}_{minor}"));
                    // Bounded: a version out of this world implies no endless chain.
                    for known in 5..=major.min(99) {
                        symbols.push(format!("NET{known}_0_OR_GREATER"));
                    }
                }
            }
        }
        if let Some(platform) = &self.platform {
            platform.symbols(&mut symbols);
        }
        symbols
    }
}

impl Platform {
    fn parse(text: &str) -> Self {
        let end = text
            .find(|c: char| c.is_ascii_digit())
            .unwrap_or(text.len());
        Self {
            name: text[..end].to_owned(),
            version: Version::parse(&text[end..]),
        }
    }

    fn symbols(&self, symbols: &mut Vec<String>) {
        let name = self.name.to_ascii_uppercase();
        symbols.push(name.clone());
        let windows = self.name == "windows";
        let version = match self.version {
            Some(version) => version,
            None if windows => Version {
                parts: [7, 0, 0, 0],
                written: 2,
            },
            None => return,
        };
        symbols.push(format!("{name}{}", version.to_string().replace('.', "_")));
        let known: &[&str] = if windows { &WINDOWS } else { &[] };
        for known in known {
            let parsed = Version::parse(known).expect("a version literal");
            if parsed.parts <= version.parts {
                symbols.push(format!("{name}{}_OR_GREATER", known.replace('.', "_")));
            }
        }
        if !windows {
            for major in 1..=version.parts[0].min(99) {
                symbols.push(format!("{name}{major}_0_OR_GREATER"));
            }
        }
    }
}

/// `4.7.2` as `472`, `4.0` as `40`.
fn plain_digits(version: Version) -> String {
    version.to_string().replace('.', "")
}

const NET_FRAMEWORKS: [&str; 15] = [
    "2.0", "3.0", "3.5", "4.0", "4.5", "4.5.1", "4.5.2", "4.6", "4.6.1", "4.6.2", "4.7", "4.7.1",
    "4.7.2", "4.8", "4.8.1",
];
const NET_STANDARDS: [(u32, u32); 9] = [
    (1, 0),
    (1, 1),
    (1, 2),
    (1, 3),
    (1, 4),
    (1, 5),
    (1, 6),
    (2, 0),
    (2, 1),
];
const NET_CORES: [(u32, u32); 7] = [(1, 0), (1, 1), (2, 0), (2, 1), (2, 2), (3, 0), (3, 1)];
const WINDOWS: [&str; 9] = [
    "7.0",
    "8.0",
    "10.0.17763.0",
    "10.0.18362.0",
    "10.0.19041.0",
    "10.0.20348.0",
    "10.0.22000.0",
    "10.0.22621.0",
    "10.0.26100.0",
];

#[cfg(test)]
mod tests {
    use super::{Family, Framework};

    #[track_caller]
    fn check_symbols(name: &str, expected: &str) {
        let mut symbols = Framework::parse(name).symbols();
        symbols.sort_unstable();
        assert_eq!(symbols.join(" "), expected);
    }

    #[test]
    fn a_framework_implies_its_own_symbol_and_those_of_all_older_ones() {
        check_symbols(
            "net6.0",
            "NET NET5_0_OR_GREATER NET6_0 NET6_0_OR_GREATER NETCOREAPP NETCOREAPP1_0_OR_GREATER \
             NETCOREAPP1_1_OR_GREATER NETCOREAPP2_0_OR_GREATER NETCOREAPP2_1_OR_GREATER \
             NETCOREAPP2_2_OR_GREATER NETCOREAPP3_0_OR_GREATER NETCOREAPP3_1_OR_GREATER",
        );
        check_symbols(
            "netcoreapp2.0",
            "NETCOREAPP NETCOREAPP1_0_OR_GREATER NETCOREAPP1_1_OR_GREATER NETCOREAPP2_0 \
             NETCOREAPP2_0_OR_GREATER",
        );
        check_symbols(
            "net40",
            "NET20_OR_GREATER NET30_OR_GREATER NET35_OR_GREATER NET40 NET40_OR_GREATER NETFRAMEWORK",
        );
        check_symbols(
            "netstandard1.1",
            "NETSTANDARD NETSTANDARD1_0_OR_GREATER NETSTANDARD1_1 NETSTANDARD1_1_OR_GREATER",
        );
    }

    #[test]
    fn a_platform_adds_its_name_and_versions() {
        let windows = Framework::parse("net8.0-windows").symbols();
        for symbol in ["WINDOWS", "WINDOWS7_0", "WINDOWS7_0_OR_GREATER"] {
            assert!(windows.contains(&symbol.to_owned()), "{symbol}");
        }
        let newer = Framework::parse("net8.0-windows10.0.19041.0").symbols();
        for symbol in ["WINDOWS10_0_19041_0", "WINDOWS10_0_18362_0_OR_GREATER"] {
            assert!(newer.contains(&symbol.to_owned()), "{symbol}");
        }
        assert!(!newer.contains(&"WINDOWS10_0_22000_0_OR_GREATER".to_owned()));
    }

    #[test]
    fn newer_families_and_versions_rank_higher() {
        let order = [
            "uap10.0",
            "net20",
            "net48",
            "netstandard1.0",
            "netstandard2.1",
            "netcoreapp3.1",
            "net5.0",
            "net10.0-windows",
            "net10.0",
        ];
        let ranks: Vec<_> = order.map(|name| Framework::parse(name).rank()).to_vec();
        assert!(ranks.is_sorted_by(|a, b| a < b));
    }

    #[test]
    fn a_framework_accepts_what_it_implements() {
        let accepts = |target: &str, candidate: &str| {
            Framework::parse(target).accepts(&Framework::parse(candidate))
        };
        assert!(accepts("net8.0", "netcoreapp3.1"));
        assert!(accepts("net8.0-windows", "net6.0"));
        assert!(!accepts("net8.0", "net6.0-windows"));
        assert!(!accepts("netstandard2.0", "net8.0"));
        assert!(accepts("netcoreapp3.1", "netstandard2.1"));
        assert!(!accepts("netcoreapp2.1", "netstandard2.1"));
        assert!(accepts("net461", "netstandard2.0"));
        assert!(!accepts("net46", "netstandard2.0"));
        assert!(!accepts("net8.0", "net48"));
        assert!(!accepts("", "net8.0"));
    }

    #[test]
    fn names_that_are_no_framework_are_other() {
        for name in [
            "",
            "-windows",
            "net",
            "netx",
            "portable-net45",
            "net1234567890",
        ] {
            assert_eq!(Framework::parse(name).family, Family::Other, "{name}");
        }
        assert_eq!(
            Framework::short_name("", "v4.7.2").as_deref(),
            Some("net472")
        );
        assert_eq!(Framework::short_name("", "v4.0").as_deref(), Some("net40"));
    }
}
