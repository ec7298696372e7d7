//! Languages: their files, and what lies among these and is not theirs.

/// A language, or a group of them that live together.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Language {
    /// Its name in answers.
    pub id: &'static str,
    /// The endings of its files, without the dot, in lower case.
    pub extensions: &'static [&'static str],
    /// Folders of its tools, in which nothing is written by hand.
    pub excluded: &'static [&'static str],
}

/// All languages, in the order in which equal evidence counts.
pub const LANGUAGES: &[Language] = &[
    Language {
        id: "csharp",
        extensions: &[
            "cs", "csx", "cshtml", "razor", "xaml", "csproj", "props", "targets",
        ],
        excluded: &["bin", "obj"],
    },
    Language {
        id: "typescript",
        extensions: &[
            "ts", "tsx", "js", "jsx", "mjs", "cjs", "mts", "cts", "vue", "svelte", "html", "css",
            "scss", "less",
        ],
        excluded: &["node_modules", "dist", "build", "coverage"],
    },
    Language {
        id: "go",
        extensions: &["go"],
        excluded: &["vendor"],
    },
    Language {
        id: "rust",
        extensions: &["rs"],
        excluded: &["target"],
    },
    Language {
        id: "python",
        extensions: &["py", "pyi", "ipynb"],
        excluded: &[".venv", "venv", "__pycache__", "dist", "build"],
    },
    Language {
        id: "ruby",
        extensions: &["rb", "erb", "rake", "gemspec"],
        excluded: &["vendor"],
    },
    Language {
        id: "java",
        extensions: &["java", "kt", "kts", "groovy", "gradle"],
        excluded: &["build", "target"],
    },
    Language {
        id: "php",
        extensions: &["php"],
        excluded: &["vendor"],
    },
    Language {
        id: "elixir",
        extensions: &["ex", "exs", "eex", "heex"],
        excluded: &["deps", "_build"],
    },
    Language {
        id: "swift",
        extensions: &["swift"],
        excluded: &[".build"],
    },
    Language {
        id: "cpp",
        extensions: &["c", "cc", "cpp", "cxx", "h", "hh", "hpp", "cmake"],
        excluded: &["build"],
    },
    Language {
        id: "fsharp",
        extensions: &["fs", "fsi", "fsx", "fsproj"],
        excluded: &["bin", "obj"],
    },
    Language {
        id: "shell",
        extensions: &["sh", "bash", "ps1", "psm1"],
        excluded: &[],
    },
];

/// A language by its name.
pub fn language_of(id: &str) -> Option<&'static Language> {
    LANGUAGES.iter().find(|language| language.id == id)
}

/// The language of a file by its ending.
pub(crate) fn of_path(path: &str) -> Option<&'static Language> {
    let name = path.rsplit('/').next().unwrap_or(path);
    let (_, extension) = name.rsplit_once('.')?;
    let extension = extension.to_ascii_lowercase();
    LANGUAGES
        .iter()
        .find(|language| language.extensions.contains(&extension.as_str()))
}

impl Language {
    /// Globs of its files below a folder.
    pub(crate) fn globs(&self, root: &str) -> Vec<String> {
        let list = self.extensions.join(",");
        let names = match self.extensions.len() {
            1 => format!("*.{list}"),
            _ => format!("*.{{{list}}}"),
        };
        vec![below(root, &format!("**/{names}"))]
    }

    /// Globs of what its tools write below a folder.
    pub(crate) fn excludes(&self, root: &str) -> Vec<String> {
        let each = self.excluded.iter();
        each.map(|folder| below(root, &format!("**/{folder}/**")))
            .collect()
    }
}

/// A glob below a folder.
pub(crate) fn below(root: &str, glob: &str) -> String {
    match root {
        "" => glob.to_owned(),
        root => format!("{root}/{glob}"),
    }
}
