//! A project of a fixture, and its project file.

use std::fmt::Write;

/// A project as the headers of its files describe it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FixtureProject {
    /// The name of the project and of its assembly.
    pub name: String,
    /// Names of the directly referenced projects.
    pub refs: Vec<String>,
    /// Assemblies that see its internals.
    pub friends: Vec<String>,
    /// Its `Using` items: `N`, `static:T` or `X=T`.
    pub usings: Vec<String>,
    /// Its `#if` symbols.
    pub symbols: Vec<String>,
    /// Further properties: `AllowUnsafeBlocks=true`.
    pub properties: Vec<String>,
    /// Ids of the packages that it references, in version 1.0.0.
    pub packages: Vec<String>,
}

impl FixtureProject {
    pub(crate) fn new(name: &str) -> Self {
        Self {
            name: name.to_owned(),
            refs: Vec::new(),
            friends: Vec::new(),
            usings: Vec::new(),
            symbols: Vec::new(),
            properties: Vec::new(),
            packages: Vec::new(),
        }
    }

    #[track_caller]
    pub(crate) fn set(&mut self, key: &str, value: &str) {
        let list = match key {
            "refs" => &mut self.refs,
            "friends" => &mut self.friends,
            "usings" => &mut self.usings,
            "symbols" => &mut self.symbols,
            "properties" => &mut self.properties,
            "packages" => &mut self.packages,
            other => panic!("a header has no key {other}"),
        };
        list.extend(value.split(',').map(str::to_owned));
    }

    /// The path of the project file, in the root folder.
    pub fn path(&self) -> String {
        format!("{}.csproj", self.name)
    }

    /// Writes the project file with exactly these sources. Implicit usings and default globs are off.
    pub(crate) fn to_xml<'a>(&self, sources: impl Iterator<Item = &'a str>) -> String {
        let mut out = String::from("<Project Sdk=\"Microsoft.NET.Sdk\">\n  <PropertyGroup>\n");
        out.push_str("    <TargetFramework>net8.0</TargetFramework>\n");
        out.push_str("    <EnableDefaultCompileItems>false</EnableDefaultCompileItems>\n");
        let _ = writeln!(
            out,
            "    <DefineConstants>{}</DefineConstants>",
            self.symbols.join(";")
        );
        for property in &self.properties {
            let (name, value) = property.split_once('=').unwrap_or((property, ""));
            let _ = writeln!(out, "    <{name}>{value}</{name}>");
        }
        out.push_str("  </PropertyGroup>\n  <ItemGroup>\n");
        let items = sources.map(|path| format!("Compile Include=\"{path}\""));
        let items = items.chain(
            self.refs
                .iter()
                .map(|name| format!("ProjectReference Include=\"{name}.csproj\"")),
        );
        let items = items.chain(
            self.friends
                .iter()
                .map(|name| format!("InternalsVisibleTo Include=\"{name}\"")),
        );
        let items = items.chain(
            self.packages
                .iter()
                .map(|id| format!("PackageReference Include=\"{id}\" Version=\"1.0.0\"")),
        );
        let usings = self.usings.iter().map(|using| {
            match (using.strip_prefix("static:"), using.split_once('=')) {
                (Some(target), _) => format!("Using Include=\"{target}\" Static=\"true\""),
                (None, Some((alias, target))) => {
                    format!("Using Include=\"{target}\" Alias=\"{alias}\"")
                }
                (None, None) => format!("Using Include=\"{using}\""),
            }
        });
        for item in items.chain(usings) {
            let _ = writeln!(out, "    <{item} />");
        }
        out.push_str("  </ItemGroup>\n</Project>\n");
        out
    }
}
