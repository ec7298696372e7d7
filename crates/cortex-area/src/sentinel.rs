//! Files whose mere presence says what a folder is.

/// What a sentinel says of its folder.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Sentinel {
    pub(crate) language: &'static str,
    pub(crate) weight: Weight,
}

/// How much a sentinel says.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum Weight {
    /// Several languages use it: it supports others and makes no area by itself beside them.
    Weak,
    /// It sets something for the folders below it, which need not be of its language.
    Setting,
    /// A project of the language.
    Project,
    /// Several projects below it that belong together.
    Workspace,
}

const fn says(language: &'static str, weight: Weight) -> Option<Sentinel> {
    Some(Sentinel { language, weight })
}

/// What a file says by its name.
pub(crate) fn sentinel(path: &str) -> Option<Sentinel> {
    use Weight::{Project, Setting, Weak, Workspace};
    let name = path.rsplit('/').next().unwrap_or(path);
    match name {
        "global.json" | "Directory.Build.props" | "Directory.Packages.props" => {
            says("csharp", Setting)
        }
        "package.json" | "deno.json" | "deno.jsonc" => says("typescript", Project),
        "tsconfig.json" => says("typescript", Project),
        "pnpm-workspace.yaml" | "lerna.json" | "nx.json" | "rush.json" => {
            says("typescript", Workspace)
        }
        "go.mod" => says("go", Project),
        "go.work" => says("go", Workspace),
        "Cargo.toml" => says("rust", Project),
        "pyproject.toml" | "requirements.txt" | "setup.py" => says("python", Project),
        "Gemfile" | "Rakefile" => says("ruby", Project),
        ".ruby-version" => says("ruby", Setting),
        "pom.xml" | "build.gradle" | "build.gradle.kts" => says("java", Project),
        "settings.gradle" | "settings.gradle.kts" => says("java", Workspace),
        "composer.json" => says("php", Project),
        "mix.exs" => says("elixir", Project),
        "Package.swift" => says("swift", Project),
        "CMakeLists.txt" => says("cpp", Weak),
        "Makefile" => says("cpp", Weak),
        _ => match name.rsplit_once('.')?.1.to_ascii_lowercase().as_str() {
            "sln" | "slnx" => says("csharp", Workspace),
            "csproj" => says("csharp", Project),
            "fsproj" => says("fsharp", Project),
            "gemspec" => says("ruby", Project),
            _ => None,
        },
    }
}

/// Whether a file says by its name what its folder is.
pub fn is_sentinel(path: &str) -> bool {
    sentinel(path).is_some()
}

/// Whether detection depends on a file being there, or on what is in it.
pub fn is_looked_at(path: &str) -> bool {
    is_sentinel(path) || path == crate::detect::CONFIG
}
