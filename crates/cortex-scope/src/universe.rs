//! What atoms are resolved against: the files of one snapshot, and what is known of them.
//!
//! Must not know: where any of it comes from.

use cortex_model::ByteRange;

use crate::{named::NamedScope, provider::Provider, ranges::Ranges};

/// A file of a universe: its index in [`Universe::files`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct FileId(u32);

impl FileId {
    /// The file at an index; one beyond all others where there are more than 2³² files.
    pub fn new(index: usize) -> Self {
        Self(u32::try_from(index).unwrap_or(u32::MAX))
    }

    /// Its index.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// A file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ScopeFile {
    /// `repo:/src/A.cs` in the repository, `nuget:/<package>/<version>/…` in a package, `file:///…` elsewhere.
    pub url: String,
    /// What kind of folder it lies in.
    pub root: RootKind,
    /// The modules that it belongs to, as indices in [`Universe::modules`].
    pub modules: Vec<usize>,
    /// The library that it belongs to, as an index in [`Universe::libraries`].
    pub library: Option<usize>,
}

impl ScopeFile {
    /// The path in the repository; `None` for files elsewhere.
    pub fn repository_path(&self) -> Option<&str> {
        self.url.strip_prefix(REPOSITORY)
    }

    /// The path inside of the library; `None` for files elsewhere.
    pub fn library_path(&self) -> Option<&str> {
        let (_package, rest) = self.url.strip_prefix(PACKAGES)?.split_once('/')?;
        let (_version, path) = rest.split_once('/')?;
        Some(path)
    }
}

/// What URLs of the repository start with.
pub const REPOSITORY: &str = "repo:/";
/// What URLs of packages start with.
pub const PACKAGES: &str = "nuget:/";

/// What kind of folder a file lies in.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum RootKind {
    /// Of a project that is no test project.
    Source,
    /// Of a test project.
    TestSource,
    /// Of the repository, but of no project.
    Content,
    /// Of a library.
    Library,
    /// Elsewhere.
    Outside,
}

impl RootKind {
    /// Whether it is of the repository.
    pub fn is_in_repository(self) -> bool {
        matches!(self, Self::Source | Self::TestSource | Self::Content)
    }
}

/// A project.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ScopeModule {
    /// The name of its assembly; several may share one.
    pub name: String,
    /// The name that IDEs show: that of its file, without the extension. It means the module as well.
    pub project: String,
    /// Its folder in the repository without a `/` at the end; empty for the repository's root.
    pub directory: String,
    /// The namespace of files directly in its folder that declare none.
    pub root_namespace: String,
    /// The solution folders around it, outermost first.
    pub groups: Vec<String>,
    /// The modules that it references itself, as indices in [`Universe::modules`].
    pub references: Vec<usize>,
    /// The libraries that it sees, as indices in [`Universe::libraries`].
    pub libraries: Vec<usize>,
}

/// A package of some version.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ScopeLibrary {
    /// Its id.
    pub package: String,
    /// Its version.
    pub version: String,
}

/// What is true of some files and not of others.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Property {
    /// They differ between `HEAD` and the work tree.
    Changed,
    /// The last commits or the work tree changed them.
    RecentlyChanged,
    /// They were asked for before.
    RecentlyViewed,
    /// A tool wrote them.
    Generated,
    /// They have known errors.
    Erroneous,
    /// They are scripts and requests that git does not know.
    Scratch,
}

/// What only who asks can tell.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct CallerContext {
    /// URLs of the files that an editor shows.
    pub open_files: Option<Vec<String>>,
    /// The URL of the file in front.
    pub current_file: Option<String>,
    /// URLs of files with what is selected in them.
    pub selection: Option<Vec<(String, ByteRange)>>,
    /// URLs of files that may be named though they are not there: those of the other side of a change. Nothing of
    /// them is in any scope.
    pub elsewhere: Vec<String>,
}

/// What a provider's scope consists of.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Provided {
    /// Whole files.
    Files(Vec<FileId>),
    /// Ranges of files; of a family that gives them.
    Ranges(Vec<(FileId, Ranges)>),
}

/// Why something cannot be told: a lower-case fragment.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Unavailable(pub String);

/// The files of one snapshot and what is known of them. Asked twice, it answers the same.
pub trait Universe {
    /// All files, sorted by URL.
    fn files(&self) -> &[ScopeFile];
    /// All projects, sorted by name.
    fn modules(&self) -> &[ScopeModule];
    /// All packages.
    fn libraries(&self) -> &[ScopeLibrary];
    /// The scopes that somebody named, but for the predefined ones; those of one holder side by side.
    fn named_scopes(&self) -> &[NamedScope];
    /// What who asks has told.
    fn context(&self) -> &CallerContext;
    /// What the URLs of the repository's files start with where they are absolute, without a `/` at the end.
    fn root_url(&self) -> Option<&str>;
    /// The namespaces that each file declares something in, by file; the global one is empty. A file without
    /// any has none.
    fn namespaces(&self) -> Result<Vec<Vec<String>>, Unavailable>;
    /// The files of which something is true.
    fn files_with(&self, property: Property) -> Result<Vec<FileId>, Unavailable>;
    /// What a provider's scope consists of.
    fn provide(&self, provider: &Provider) -> Result<Provided, Unavailable>;
    /// The scopes of providers whose arguments are known beforehand, such as owners, sorted.
    fn providers(&self) -> Vec<Provider>;
    /// What a `file:///` URL that does not start with [`Universe::root_url`] is in the repository, where it leads there
    /// nevertheless, as through a symbolic link.
    fn url_in_repository(&self, _url: &str) -> Option<String> {
        None
    }
    /// What keeps some named scopes from being known, such as a file that cannot be read.
    fn named_problems(&self) -> &[String] {
        &[]
    }
    /// What was not looked at in full since this was last asked, or went otherwise than expected.
    fn take_warnings(&self) -> Vec<String> {
        Vec::new()
    }
}
