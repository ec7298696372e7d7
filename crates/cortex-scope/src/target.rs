//! The target of an atom, parsed once into a form that is valid by construction, and the stable names of scopes.

use cortex_model::Hash;

use crate::{
    data::{AtomKind, ModuleFlavor, ScopeAtom, ScopeShape},
    hints,
    pattern::PatternSet,
    provider::{Family, Provider, UnknownProvider},
    standard::StandardScope,
    universe::REPOSITORY,
};

/// The target of an atom.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Target {
    /// A standard scope, which every repository has.
    Standard(StandardScope),
    /// A project.
    Module {
        /// The assembly or project name.
        name: String,
        /// Which referenced modules and libraries are included.
        flavor: ModuleFlavor,
    },
    /// A named scope.
    Named {
        /// The name.
        name: String,
        /// The holder; where it is missing, the first holder that has the name.
        holder: Option<String>,
    },
    /// A pattern as written, which may be malformed.
    Pattern(String),
    /// All files in a directory and below: a URL without a trailing `/`, except for a root.
    Directory(String),
    /// Files: URLs, sorted, without duplicates.
    Files(Vec<String>),
    /// A provider scope, which git or the index defines.
    Provider(Provider),
    /// A provider scope by its stable name, to be found in the catalog.
    ProviderReference(String),
}

impl Target {
    /// Reads an atom, or reports what it is missing.
    pub fn from_atom(atom: &ScopeAtom) -> Result<Self, String> {
        let reference = atom.scope_ref_id.as_deref();
        let after = |prefix: &str| reference.and_then(|id| id.strip_prefix(prefix));
        let missing =
            |field: &str| format!("an atom of kind {} needs `{field}`", atom.kind.as_str());
        match atom.kind {
            AtomKind::Standard => {
                let id = atom
                    .standard_scope_id
                    .as_deref()
                    .or_else(|| after("standard:"))
                    .ok_or_else(|| missing("standardScopeId"))?;
                StandardScope::from_id(id)
                    .map(Self::Standard)
                    .ok_or_else(|| {
                        let known: Vec<&str> =
                            StandardScope::ALL.iter().map(|it| it.id()).collect();
                        format!("unknown standard scope `{id}`; available: {}", list(&known))
                    })
            }
            AtomKind::Module => match (&atom.module_name, after("module:")) {
                (Some(name), _) => Ok(Self::Module {
                    name: name.clone(),
                    flavor: atom.module_flavor.unwrap_or_default(),
                }),
                (None, Some(rest)) => Ok(module(rest)),
                (None, None) => Err(missing("moduleName")),
            },
            AtomKind::NamedScope => match (&atom.named_scope_name, after("named:")) {
                (Some(name), _) => Ok(Self::Named {
                    name: name.clone(),
                    holder: atom.named_scope_holder_id.clone(),
                }),
                (None, Some(rest)) => named(rest).ok_or_else(|| {
                    "a reference to a named scope is `named:<holder>:<name>`".into()
                }),
                (None, None) => Err(missing("namedScopeName")),
            },
            AtomKind::Pattern => match &atom.pattern_text {
                Some(text) => Ok(Self::Pattern(text.clone())),
                None => Err(missing("patternText")),
            },
            AtomKind::Directory => atom
                .directory_url
                .as_deref()
                .or_else(|| after("directory:"))
                .map(|url| Self::Directory(directory_url(url)))
                .ok_or_else(|| missing("directoryUrl")),
            AtomKind::Files if atom.file_urls.is_empty() => Err(missing("fileUrls")),
            AtomKind::Files => Ok(Self::files(atom.file_urls.iter().map(String::as_str))),
            AtomKind::ProviderScope => match (&atom.provider_scope_id, reference) {
                (Some(id), _) => Provider::parse(id)
                    .map(Self::Provider)
                    .map_err(|error| unknown_provider(id, error)),
                (None, Some(id)) if id.starts_with("provider:") => {
                    Ok(Self::ProviderReference(id.to_owned()))
                }
                (None, _) => Err(missing("providerScopeId")),
            },
        }
    }

    /// Parses what people write for a scope: a stable name, a provider scope, a standard or a named scope.
    pub(crate) fn from_text(text: &str) -> Self {
        if let Some(scope) = text
            .strip_prefix("standard:")
            .and_then(StandardScope::from_id)
        {
            return Self::Standard(scope);
        }
        if let Some(rest) = text.strip_prefix("module:") {
            return module(rest);
        }
        if let Some(target) = text.strip_prefix("named:").and_then(named) {
            return target;
        }
        if let Some(url) = text.strip_prefix("directory:") {
            return Self::Directory(directory_url(url));
        }
        if text.starts_with("provider:") {
            return Self::ProviderReference(text.to_owned());
        }
        if let Ok(provider) = Provider::parse(text) {
            return Self::Provider(provider);
        }
        match StandardScope::from_id(text) {
            Some(scope) => Self::Standard(scope),
            None => Self::Named {
                name: text.to_owned(),
                holder: None,
            },
        }
    }

    /// Creates the target for some files by their URLs, in any order.
    pub(crate) fn files<'u>(urls: impl IntoIterator<Item = &'u str>) -> Self {
        let mut urls: Vec<String> = urls.into_iter().map(with_scheme).collect();
        urls.sort();
        urls.dedup();
        Self::Files(urls)
    }

    /// Creates an atom with this target.
    pub(crate) fn to_atom(&self, atom_id: &str) -> ScopeAtom {
        let kind = match self {
            Self::Standard(_) => AtomKind::Standard,
            Self::Module { .. } => AtomKind::Module,
            Self::Named { .. } => AtomKind::NamedScope,
            Self::Pattern(_) => AtomKind::Pattern,
            Self::Directory(_) => AtomKind::Directory,
            Self::Files(_) => AtomKind::Files,
            Self::Provider(_) | Self::ProviderReference(_) => AtomKind::ProviderScope,
        };
        let mut atom = ScopeAtom::new(atom_id, kind);
        atom.scope_ref_id = self.reference();
        match self {
            Self::Standard(scope) => atom.standard_scope_id = Some(scope.id().to_owned()),
            Self::Module { name, flavor } => {
                atom.module_name = Some(name.clone());
                atom.module_flavor = Some(*flavor);
            }
            Self::Named { name, holder } => {
                atom.named_scope_name = Some(name.clone());
                atom.named_scope_holder_id.clone_from(holder);
            }
            Self::Pattern(text) => atom.pattern_text = Some(text.clone()),
            Self::Directory(url) => atom.directory_url = Some(url.clone()),
            Self::Files(urls) => atom.file_urls.clone_from(urls),
            Self::Provider(provider) => atom.provider_scope_id = Some(provider.id()),
            Self::ProviderReference(_) => {}
        }
        atom
    }

    /// The stable name; `None` for a named scope whose holder only a universe knows.
    pub fn reference(&self) -> Option<String> {
        Some(match self {
            Self::Standard(scope) => format!("standard:{}", scope.id()),
            Self::Module { name, flavor } => format!("module:{name}:{}", flavor.as_str()),
            Self::Named { name, holder } => format!("named:{}:{name}", holder.as_ref()?),
            Self::Pattern(text) => {
                let normal = PatternSet::parse(text).map(|pattern| pattern.to_string());
                format!("pattern:{}", short_hash(normal.as_ref().unwrap_or(text)))
            }
            Self::Directory(url) => format!("directory:{url}"),
            Self::Files(urls) => format!("files:{}", short_hash(&urls.join("\n"))),
            Self::Provider(provider) => format!(
                "provider:{}:{}",
                provider.family().id(),
                short_hash(&provider.id())
            ),
            Self::ProviderReference(reference) => reference.clone(),
        })
    }

    /// The shape of the result.
    pub fn shape(&self) -> ScopeShape {
        match self {
            Self::Standard(scope) => scope.shape(),
            Self::Provider(provider) => provider.family().shape(),
            Self::ProviderReference(reference) => reference
                .strip_prefix("provider:")
                .and_then(Family::from_id)
                .map_or(ScopeShape::Global, Family::shape),
            Self::Module { .. }
            | Self::Named { .. }
            | Self::Pattern(_)
            | Self::Directory(_)
            | Self::Files(_) => ScopeShape::Global,
        }
    }
}

/// `<name>:<flavor>` or `<name>`.
fn module(text: &str) -> Target {
    let split = text
        .rsplit_once(':')
        .and_then(|(name, flavor)| Some((name, ModuleFlavor::from_text(flavor)?)));
    let (name, flavor) = split.unwrap_or((text, ModuleFlavor::Module));
    Target::Module {
        name: name.to_owned(),
        flavor,
    }
}

/// `<holder>:<name>`.
fn named(text: &str) -> Option<Target> {
    let (holder, name) = text.split_once(':')?;
    Some(Target::Named {
        name: name.to_owned(),
        holder: Some(holder.to_owned()),
    })
}

fn unknown_provider(id: &str, error: UnknownProvider) -> String {
    match error {
        UnknownProvider::Argument(family) => hints::wrong_argument(id, family),
        UnknownProvider::Family => {
            let known: Vec<String> = Family::ALL.iter().map(|it| it.usage()).collect();
            format!("unknown provider scope `{id}`; available: {}", list(&known))
        }
    }
}

fn list<S: AsRef<str>>(names: &[S]) -> String {
    let names: Vec<String> = names
        .iter()
        .map(|name| format!("`{}`", name.as_ref()))
        .collect();
    names.join(", ")
}

/// Converts what people write in a folder of the repository (`""` for its root) to a URL: a URL, an absolute path, a
/// path relative to that folder where it starts with `./` or `../`, or else a path from the repository root. `None` for
/// a path that leaves the repository.
pub fn written_url(text: &str, folder: &str) -> Option<String> {
    let is_from_folder =
        matches!(text, "." | "..") || text.starts_with("./") || text.starts_with("../");
    if !is_from_folder {
        return Some(with_scheme(text));
    }
    let mut parts: Vec<&str> = folder.split('/').filter(|part| !part.is_empty()).collect();
    for part in text.split('/') {
        match part {
            "" | "." => {}
            ".." => {
                parts.pop()?;
            }
            part => parts.push(part),
        }
    }
    Some(format!("{REPOSITORY}{}", parts.join("/")))
}

/// Adds a scheme: a relative path is a path from the repository root.
fn with_scheme(url: &str) -> String {
    let is_drive = url.as_bytes().get(1..3) == Some(b":/");
    if is_drive {
        return format!("file:///{url}");
    }
    if url.starts_with('/') {
        return format!("file://{url}");
    }
    match has_scheme(url) {
        true => url.to_owned(),
        false => format!("{REPOSITORY}{}", url.trim_start_matches("./")),
    }
}

/// Whether a URL begins with a scheme (RFC 3986, §3.1) and a slash.
fn has_scheme(url: &str) -> bool {
    let is_of_scheme = |c: char| c.is_ascii_alphanumeric() || matches!(c, '+' | '-' | '.');
    (url.split_once(":/")).is_some_and(|(scheme, _)| {
        scheme.starts_with(|c: char| c.is_ascii_alphabetic()) && scheme.chars().all(is_of_scheme)
    })
}

fn directory_url(url: &str) -> String {
    let url = match url {
        "." => REPOSITORY.to_owned(),
        url => with_scheme(url),
    };
    let trimmed = url.trim_end_matches('/');
    match trimmed.ends_with(':') {
        true => format!("{trimmed}/"),
        false => trimmed.to_owned(),
    }
}

/// The first 12 digits of SHA-256 in hexadecimal.
fn short_hash(text: &str) -> String {
    Hash::of(text.as_bytes()).as_bytes()[..6]
        .iter()
        .map(|byte| format!("{byte:02x}"))
        .collect()
}
