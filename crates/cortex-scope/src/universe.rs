//! The universe that atoms are resolved against: the files of one snapshot, and what is known about them.
//!
//! Must not know: where the data comes from.

use cortex_model::ByteRange;

use crate::{named::NamedScope, provider::Provider, ranges::Ranges};

/// A file of a universe: its index in [`Universe::files`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct FileId(u32);

impl FileId {
    /// Creates the id of the file at an index; beyond 2³² files, an id that no file has.
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
    /// The kind of folder that contains the file.
    pub root: RootKind,
    /// The modules that the file belongs to, as indices into [`Universe::modules`].
    pub modules: Vec<usize>,
    /// The library that the file belongs to, as an index into [`Universe::libraries`].
    pub library: Option<usize>,
}

impl ScopeFile {
    /// The path in the repository; `None` for files elsewhere.
    pub fn repository_path(&self) -> Option<&str> {
        self.url.strip_prefix(REPOSITORY)
    }

    /// The path inside the library; `None` for files elsewhere.
    pub fn library_path(&self) -> Option<&str> {
        let (_package, rest) = self.url.strip_prefix(PACKAGES)?.split_once('/')?;
        let (_version, path) = rest.split_once('/')?;
        Some(path)
    }
}

/// The URL prefix of repository files.
pub const REPOSITORY: &str = "repo:/";
/// The URL prefix of package files.
pub const PACKAGES: &str = "nuget:/";

/// The kind of folder that contains a file.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum RootKind {
    /// A folder of a production project.
    Source,
    /// A folder of a test project.
    TestSource,
    /// A folder of the repository outside all projects.
    Content,
    /// A folder of a library.
    Library,
    /// Elsewhere.
    Outside,
}

impl RootKind {
    /// Whether the folder is in the repository.
    pub fn is_in_repository(self) -> bool {
        matches!(self, Self::Source | Self::TestSource | Self::Content)
    }
}

/// A project.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ScopeModule {
    /// The assembly name; several projects may share one.
    pub name: String,
    /// The name that IDEs show: the project file name without extension. Scopes may use either name.
    pub project: String,
    /// The project folder without a trailing `/`; empty for the repository root.
    pub directory: String,
    /// The namespace of files directly in its folder that declare none.
    pub root_namespace: String,
    /// The containing solution folders, outermost first.
    pub groups: Vec<String>,
    /// The directly referenced modules, as indices into [`Universe::modules`].
    pub references: Vec<usize>,
    /// The visible libraries, as indices into [`Universe::libraries`].
    pub libraries: Vec<usize>,
}

/// A version of a package.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ScopeLibrary {
    /// Its id.
    pub package: String,
    /// Its version.
    pub version: String,
}

/// A property that some files have.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Property {
    /// The file differs between `HEAD` and the work tree.
    Changed,
    /// The last commits or the work tree changed the file.
    RecentlyChanged,
    /// The file was requested before.
    RecentlyViewed,
    /// The file is generated.
    Generated,
    /// The file has known errors.
    Erroneous,
    /// The file is an untracked script or request.
    Scratch,
}

/// Context that only the caller knows.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct CallerContext {
    /// URLs of the files open in an editor.
    pub open_files: Option<Vec<String>>,
    /// The URL of the file in the active editor.
    pub current_file: Option<String>,
    /// The selection, as URLs with byte ranges.
    pub selection: Option<Vec<(String, ByteRange)>>,
    /// URLs of files that may be named although this side does not have them: files of the other side of a change.
    /// No scope contains any part of them.
    pub elsewhere: Vec<String>,
}

/// The content of a provider scope.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Provided {
    /// Whole files.
    Files(Vec<FileId>),
    /// Ranges of files, from a family with local shape.
    Ranges(Vec<(FileId, Ranges)>),
}

/// Why something is unavailable, as a lower-case fragment.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Unavailable(pub String);

/// The files of one snapshot and what is known about them. Equal calls return equal results.
pub trait Universe {
    /// All files, sorted by URL.
    fn files(&self) -> &[ScopeFile];
    /// All projects, sorted by name.
    fn modules(&self) -> &[ScopeModule];
    /// All packages.
    fn libraries(&self) -> &[ScopeLibrary];
    /// The named scopes except predefined ones, grouped by holder.
    fn named_scopes(&self) -> &[NamedScope];
    /// The context that the caller provided.
    fn context(&self) -> &CallerContext;
    /// The prefix of absolute URLs of repository files, without a trailing `/`.
    fn root_url(&self) -> Option<&str>;
    /// The namespaces in which each file declares types, by file; the global namespace is the empty string.
    fn namespaces(&self) -> Result<Vec<Vec<String>>, Unavailable>;
    /// The files with a property.
    fn files_with(&self, property: Property) -> Result<Vec<FileId>, Unavailable>;
    /// The content of a provider scope.
    fn provide(&self, provider: &Provider) -> Result<Provided, Unavailable>;
    /// The provider scopes whose arguments are known in advance, such as owners, sorted.
    fn providers(&self) -> Vec<Provider>;
    /// Maps a `file:///` URL that does not start with [`Universe::root_url`] but leads into the repository, for example
    /// through a symbolic link.
    fn url_in_repository(&self, _url: &str) -> Option<String> {
        None
    }
    /// Why some named scopes are unknown, for example because a file cannot be read.
    fn named_problems(&self) -> &[String] {
        &[]
    }
    /// Takes the warnings since the last call: what was not read in full or went wrong.
    fn take_warnings(&self) -> Vec<String> {
        Vec::new()
    }
}
