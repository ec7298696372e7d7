//! Target frameworks: their names, and which is nearest to a project's.
//!
//! The rules are those of NuGet's documentation, "Target frameworks" and "Framework compatibility".

/// A target framework.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Framework {
    pub(crate) family: Family,
    /// Major, minor, patch.
    pub(crate) version: [u16; 3],
    /// The operating system of `net8.0-windows10.0`, with its version.
    platform: Option<(String, [u16; 3])>,
    /// The .NET whose assemblies are taken for its own, which the machine has not.
    stand_in: Option<[u16; 3]>,
}

/// Frameworks that only differ by version.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Family {
    /// .NET, and .NET Core before version 5.
    Core,
    /// .NET Standard.
    Standard,
    /// .NET Framework.
    Framework,
    /// A portable class library that .NET Framework can use; its version is that of the profile's .NET Framework.
    Portable,
}

impl Framework {
    /// What a project without a known framework is taken for: newer than all that exist.
    pub(crate) const NEWEST: Self = Self {
        family: Family::Core,
        version: [u16::MAX, 0, 0],
        platform: None,
        stand_in: None,
    };

    /// This framework on a machine that has another one's assemblies only: packages that have nothing for it
    /// are asked for what they have for the other.
    pub(crate) fn with_stand_in(mut self, other: &Self) -> Self {
        let is_other = self.family != other.family || self.version != other.version;
        self.stand_in = (is_other && other.family == Family::Core).then_some(other.version);
        self
    }

    /// .NET of a version.
    pub(crate) fn core(major: u32, minor: u32) -> Self {
        let part = |part: u32| u16::try_from(part).unwrap_or(u16::MAX);
        Self {
            version: [part(major), part(minor), 0],
            ..Self::NEWEST
        }
    }

    /// Parses a short name (`net8.0`, `netstandard2.0`, `net462`), a full one (`.NETFramework,Version=v4.6.2`)
    /// or the mixture of package descriptions (`.NETFramework4.6.2`). `None` for families that are not known.
    pub(crate) fn parse(name: &str) -> Option<Self> {
        let name = name.trim().to_ascii_lowercase();
        if let Some(profile) = name.strip_prefix("portable-") {
            let framework = profile
                .split('+')
                .filter_map(Self::parse)
                .find(|part| part.family == Family::Framework)?;
            return Some(Self {
                family: Family::Portable,
                ..framework
            });
        }
        let joined = name.replace(",version=v", "").replace(' ', "");
        let (main, platform) = joined.split_once('-').unwrap_or((&joined, ""));
        let (family, digits) = if let Some(rest) = main.strip_prefix(".netframework") {
            (Family::Framework, rest)
        } else if let Some(rest) = strip_any(main, &[".netcoreapp", "netcoreapp"]) {
            (Family::Core, rest)
        } else if let Some(rest) = strip_any(main, &[".netstandard", "netstandard"]) {
            (Family::Standard, rest)
        } else {
            (Family::Framework, main.strip_prefix("net")?)
        };
        let version = parse_digits(digits)?;
        let family = match family {
            // `net5.0` and later are the .NET that .NET Core became.
            Family::Framework if version[0] >= 5 => Family::Core,
            family => family,
        };
        let platform = match (family, platform) {
            (Family::Core, platform) if !platform.is_empty() => {
                let digits = platform.find(|letter: char| letter.is_ascii_digit());
                let (system, version) = platform.split_at(digits.unwrap_or(platform.len()));
                Some((system.to_owned(), parse_digits(version).unwrap_or_default()))
            }
            _ => None,
        };
        Some(Self {
            family,
            version,
            platform,
            stand_in: None,
        })
    }

    /// How near something made for another framework is to this one: greater is nearer, `None` is not usable.
    fn nearness(&self, made_for: &Self) -> Option<(u8, [u16; 3], Option<[u16; 3]>)> {
        let platform = match (&self.platform, &made_for.platform) {
            (_, None) => None,
            (Some((family, supported)), Some((system, version)))
                if family == system && version <= supported =>
            {
                Some(*version)
            }
            _ => return None,
        };
        let (tier, newest) = match (self.family, made_for.family) {
            (Family::Core, Family::Core)
            | (Family::Standard, Family::Standard)
            | (Family::Framework, Family::Framework)
            | (Family::Portable, Family::Portable) => (3, self.version),
            (Family::Core, Family::Standard) => (2, core_standard(self.version)),
            (Family::Framework, Family::Standard) => (2, framework_standard(self.version)?),
            (Family::Framework, Family::Portable) => (1, self.version),
            _ => return None,
        };
        (made_for.version <= newest).then_some((tier, made_for.version, platform))
    }

    /// The framework that is tried where nothing fits: SDKs let .NET use what was made for .NET Framework.
    fn fallback(&self) -> Option<Self> {
        let allowed = match self.family {
            Family::Core | Family::Standard => self.version >= [2, 0, 0],
            Family::Framework | Family::Portable => false,
        };
        allowed.then_some(Self {
            family: Family::Framework,
            version: [4, 8, 1],
            platform: None,
            stand_in: None,
        })
    }

    /// The place of the nearest usable framework; `None` in the list stands for *any framework*.
    pub(crate) fn nearest(&self, list: &[Option<Self>]) -> Option<usize> {
        let nearest_of = |framework: &Self| {
            list.iter()
                .enumerate()
                .filter_map(|(place, made_for)| {
                    let nearness = match made_for {
                        Some(made_for) => framework.nearness(made_for)?,
                        None => (0, [0; 3], None),
                    };
                    Some((nearness, std::cmp::Reverse(place)))
                })
                .max()
                .map(|(_, place)| place.0)
        };
        nearest_of(self)
            .or_else(|| nearest_of(&self.fallback()?))
            .or_else(|| {
                nearest_of(&Self {
                    version: self.stand_in?,
                    ..Self::NEWEST
                })
            })
    }
}

fn strip_any<'a>(text: &'a str, prefixes: &[&str]) -> Option<&'a str> {
    prefixes.iter().find_map(|prefix| text.strip_prefix(prefix))
}

/// `8.0`, `4.6.2` or, without dots, one digit for each part: `462`.
fn parse_digits(text: &str) -> Option<[u16; 3]> {
    let mut version = [0; 3];
    if text.contains('.') {
        let mut parts = text.split('.');
        for place in &mut version {
            match parts.next() {
                Some(part) => *place = part.parse().ok()?,
                None => break,
            }
        }
        return Some(version);
    }
    if !text.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    for (place, digit) in version.iter_mut().zip(text.bytes()) {
        *place = u16::from(digit - b'0');
    }
    Some(version)
}

/// The newest .NET Standard of a .NET (Core).
fn core_standard(version: [u16; 3]) -> [u16; 3] {
    match version[0] {
        0 | 1 => [1, 6, 0],
        2 => [2, 0, 0],
        _ => [2, 1, 0],
    }
}

/// The newest .NET Standard of a .NET Framework.
fn framework_standard(version: [u16; 3]) -> Option<[u16; 3]> {
    Some(match version {
        [4, 5, 0] => [1, 1, 0],
        [4, 5, _] => [1, 2, 0],
        [4, 6, 0] => [1, 3, 0],
        [4, _, _] if version >= [4, 6, 1] => [2, 0, 0],
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check_nearest(project: &str, present: &[&str], nearest: Option<&str>) {
        let list: Vec<_> = present.iter().map(|name| Framework::parse(name)).collect();
        assert!(list.iter().all(Option::is_some), "{present:?}");
        let project = Framework::parse(project).expect("a framework");
        let found = project.nearest(&list).map(|place| present[place]);
        assert_eq!(found, nearest);
    }

    #[test]
    fn the_three_ways_to_write_a_framework_mean_the_same() {
        for names in [
            [
                "net462",
                ".NETFramework4.6.2",
                ".NETFramework,Version=v4.6.2",
            ],
            [
                "netstandard2.0",
                ".NETStandard2.0",
                ".NETStandard,Version=v2.0",
            ],
            ["net10.0", ".NETCoreApp10.0", ".NETCoreApp,Version=v10.0"],
        ] {
            let first = Framework::parse(names[0]);
            assert!(first.is_some());
            assert_eq!(first, Framework::parse(names[1]));
            assert_eq!(first, Framework::parse(names[2]));
        }
        assert_eq!(Framework::parse("MonoAndroid1.0"), None);
        assert_eq!(Framework::parse("uap10.0"), None);
        assert_eq!(Framework::parse(""), None);
    }

    #[test]
    fn the_own_family_is_nearer_than_the_standard_and_higher_is_nearer() {
        let all = [
            "netstandard2.0",
            "net6.0",
            "net8.0",
            "net462",
            "netstandard2.1",
        ];
        check_nearest("net10.0", &all, Some("net8.0"));
        check_nearest("net7.0", &all, Some("net6.0"));
        check_nearest("netcoreapp3.1", &all, Some("netstandard2.1"));
        check_nearest("netcoreapp2.1", &all, Some("netstandard2.0"));
        check_nearest("net48", &all, Some("net462"));
        check_nearest("net461", &all, Some("netstandard2.0"));
        check_nearest("netstandard2.0", &all, Some("netstandard2.0"));
        check_nearest("net45", &all, None);
        check_nearest(
            "net45",
            &["portable-net45+win8"],
            Some("portable-net45+win8"),
        );
    }

    #[test]
    fn platforms_only_fit_their_own() {
        check_nearest("net8.0", &["net8.0-windows7.0"], None);
        check_nearest(
            "net8.0-windows10.0",
            &["net8.0", "net8.0-windows7.0"],
            Some("net8.0-windows7.0"),
        );
        check_nearest(
            "net8.0-windows10.0",
            &["net8.0-android34.0", "net6.0"],
            Some("net6.0"),
        );
    }

    #[test]
    fn what_was_made_for_the_old_framework_is_the_last_resort() {
        check_nearest("net10.0", &["net45"], Some("net45"));
        check_nearest(
            "net10.0",
            &["net45", "netstandard1.0"],
            Some("netstandard1.0"),
        );
        check_nearest("netstandard1.3", &["net45"], None);
    }
}
