//! What an edit does to files, before anything is written.

use std::{
    borrow::Cow,
    collections::{BTreeMap, BTreeSet},
    sync::Arc,
};

use cortex_git::{FileMode, PlannedFile, Repository, TreeFile, TreeFinder};
use cortex_index::{Index, IndexedSide};
use cortex_model::{BlobId, ByteRange, DeclKind, RepoPath};
use cortex_semantics::{CARRIED, FilePositions, Positions};
use cortex_syntax::text::decode;

use crate::{
    EditError,
    moved::MovedText,
    text_edit::{StartIs, TextEdit, TextEdits},
};

/// What a plan does with a file.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum FileFate {
    /// It gets other bytes, another path, or both.
    #[default]
    Changed,
    /// It is new.
    Made,
    /// It goes.
    Removed,
}

/// One file of a plan.
#[derive(Clone, Debug)]
pub struct FilePlan {
    /// What becomes of it.
    pub fate: FileFate,
    /// The file as it is; of a new one, its path and mode with no content.
    pub old: TreeFile,
    /// Where it will be: elsewhere where the edit renames it. Of one that goes, where it is.
    pub new_path: RepoPath,
    /// What changes in it.
    pub edits: TextEdits,
    /// Its bytes as they are.
    pub old_bytes: Arc<[u8]>,
    /// Its bytes as they will be.
    pub new_bytes: Arc<[u8]>,
}

impl FilePlan {
    /// Whether it stays as it is.
    pub(crate) fn is_kept(&self) -> bool {
        self.fate == FileFate::Changed
            && self.old.path == self.new_path
            && self.old_bytes == self.new_bytes
    }

    /// A new file.
    ///
    /// # Errors
    /// Those of hashing.
    pub fn made(
        repo: &Repository,
        path: RepoPath,
        mode: FileMode,
        bytes: Arc<[u8]>,
    ) -> Result<Self, EditError> {
        let none: Arc<[u8]> = Arc::default();
        let text = decode(&bytes);
        let edit = TextEdit {
            range: ByteRange { start: 0, end: 0 },
            text: text.as_str().to_owned(),
            start: StartIs::New,
        };
        Ok(Self {
            fate: FileFate::Made,
            old: TreeFile {
                path: path.clone(),
                blob: repo.blob_id(&none)?,
                mode,
            },
            new_path: path,
            edits: TextEdits::new(vec![edit]).expect("there is one edit"),
            old_bytes: none,
            new_bytes: bytes,
        })
    }

    /// A file that goes.
    pub fn removed(old: TreeFile, bytes: Arc<[u8]>) -> Self {
        let end = decode(&bytes).as_str().len() as u32;
        let edit = TextEdit {
            range: ByteRange { start: 0, end },
            text: String::new(),
            start: StartIs::New,
        };
        Self {
            fate: FileFate::Removed,
            new_path: old.path.clone(),
            old,
            edits: TextEdits::new(vec![edit]).expect("there is one edit"),
            old_bytes: bytes,
            new_bytes: Arc::default(),
        }
    }

    /// What comes of this, and of what a later plan does with the file; `None` where nothing does. The edits are those of
    /// the later one.
    pub fn then(self, later: Self) -> Option<Self> {
        let fate = match (self.is_before(), later.is_after()) {
            (true, true) => FileFate::Changed,
            (false, true) => FileFate::Made,
            (true, false) => FileFate::Removed,
            (false, false) => return None,
        };
        let old_path = match fate {
            // What is new is called as it will be.
            FileFate::Made => later.new_path.clone(),
            _ => self.old.path.clone(),
        };
        let new_path = match fate {
            FileFate::Removed => self.old.path,
            _ => later.new_path,
        };
        Some(Self {
            fate,
            old: TreeFile {
                path: old_path,
                ..self.old
            },
            new_path,
            edits: later.edits,
            old_bytes: self.old_bytes,
            new_bytes: later.new_bytes,
        })
    }

    /// Whether there is such a file now.
    pub fn is_before(&self) -> bool {
        self.fate != FileFate::Made
    }

    /// Whether there will be such a file.
    pub fn is_after(&self) -> bool {
        self.fate != FileFate::Removed
    }

    /// Whether nothing becomes of it.
    pub fn is_same(&self) -> bool {
        self.fate == FileFate::Changed
            && self.old_bytes == self.new_bytes
            && self.old.path == self.new_path
    }

    /// Whether C# is in it.
    pub fn is_csharp(&self) -> bool {
        let is_source = |path: &RepoPath| path.extension().eq_ignore_ascii_case("cs");
        is_source(&self.old.path) || is_source(&self.new_path)
    }
}

/// The files that an edit changes, by the path that they have now.
#[derive(Clone, Debug, Default)]
pub struct Plan {
    /// See above; a new one by the path that it will have.
    pub files: BTreeMap<RepoPath, FilePlan>,
    /// What becomes of parameters that change places.
    pub parameters: MovedParameters,
    /// Code that moves inside of its file, by the path that the file has now.
    pub moved: BTreeMap<RepoPath, MovedText>,
    /// Properties that are to other code what fields were: where their names will be.
    pub fields: BTreeSet<(RepoPath, u32)>,
    /// Whether strings get other values on purpose.
    pub edits_strings: bool,
    /// A namespace that gets another name.
    pub namespace: Option<RenamedNamespace>,
    /// An element of tuples that gets another name, wherever it is.
    pub element: Option<RenamedElement>,
    /// Code that goes to another file, or to another type of the same file.
    pub carried: Vec<Carried>,
    /// Files that go to another project.
    pub project: Option<MovedProject>,
    /// A new type whose type parameters are those of another one.
    pub generic_twin: Option<GenericTwin>,
    /// Names that get or lose a qualifier: expressions of them start elsewhere. By the path that their file has now.
    pub requalified: BTreeSet<(RepoPath, u32)>,
}

/// A declaration that goes to another file or type.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Carried {
    /// The file that has it, by the path that it has now.
    pub from: RepoPath,
    /// What goes there.
    pub range: ByteRange,
    /// The file that gets it, by the path that it will have.
    pub to: RepoPath,
    /// Where it will start.
    pub start: u32,
    /// What it is made of: edits of the text that goes.
    pub edits: TextEdits,
    /// How long it will be.
    pub len: u32,
    /// Where its common positions begin, behind those of the declarations before it.
    pub common: u32,
}

impl Carried {
    /// The common position of an old one.
    fn of_old(&self, offset: u32) -> Option<u32> {
        let at = offset.checked_sub(self.range.start)?;
        let at = self.range.contains(offset).then_some(at)?;
        Some(CARRIED + self.common + self.edits.new_position(at)?)
    }

    /// The common position of a new one.
    fn of_new(&self, offset: u32) -> Option<u32> {
        let at = offset.checked_sub(self.start).filter(|&at| at < self.len)?;
        let common = CARRIED + self.common + at;
        self.edits.was_there(at).then_some(common)
    }
}

/// Files that go from one project to another with all types that they declare.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct MovedProject {
    /// The files, by the paths that they have now.
    pub files: BTreeSet<RepoPath>,
    /// The project that compiles them.
    pub from: RepoPath,
    /// The one that will.
    pub to: RepoPath,
}

/// A new type or method with type parameters of another one: code that goes from there to the new one means the same by
/// both.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct GenericTwin {
    /// The file of the new one.
    pub path: RepoPath,
    /// Where its name will be.
    pub name: u32,
    /// The file of the other one, by the path that it has now.
    pub of_path: RepoPath,
    /// Where its name is.
    pub of_name: u32,
    /// Which type parameter of the other each one of the new one is.
    pub parameters: Vec<u16>,
}

/// An element of tuples that gets another name. Code means the same by both names of it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RenamedElement {
    /// The name that it has.
    pub old: String,
    /// The name that it gets.
    pub new: String,
}

impl RenamedElement {
    /// The one name for both.
    fn common<'n>(&'n self, name: &'n str) -> &'n str {
        match name == self.old {
            true => &self.new,
            false => name,
        }
    }
}

/// A namespace that gets another name, with those below it. Full names without `@`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RenamedNamespace {
    /// The name that it has.
    pub old: String,
    /// The name that it gets.
    pub new: String,
}

impl RenamedNamespace {
    /// What a namespace is called afterwards; `None` for one that keeps its name.
    pub fn renamed(&self, namespace: &str) -> Option<String> {
        let rest = namespace.strip_prefix(self.old.as_str())?;
        (rest.is_empty() || rest.starts_with('.')).then(|| format!("{}{rest}", self.new))
    }
}

/// Members whose parameters come, go or change places, all in the same way.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct MovedParameters {
    /// Where their names are declared: the file, and the offset in its text as it is.
    pub declarations: BTreeSet<(RepoPath, u32)>,
    /// The new position of each parameter; none for one that goes.
    pub new_positions: Vec<Option<u16>>,
    /// Where the new one is.
    pub added: Option<u16>,
    /// Those that get other types: where each was, and where it will be.
    pub retyped: Vec<(u16, u16)>,
    /// Where arguments of these start: the file, and the offset in its text as it is.
    pub retyped_arguments: BTreeSet<(RepoPath, u32)>,
}

impl Plan {
    /// Reads the files of a side, and applies edits to them. `moved`: files that are renamed, by path; they need no
    /// edits.
    ///
    /// # Errors
    /// Those of reading and encoding.
    pub fn of_edits(
        index: &Index,
        side: &IndexedSide,
        edits: BTreeMap<RepoPath, TextEdits>,
        moved: &BTreeMap<RepoPath, RepoPath>,
    ) -> Result<Self, EditError> {
        let mut reader = index.blobs(side);
        let mut all = edits;
        for path in moved.keys() {
            all.entry(path.clone()).or_default();
        }
        let mut files = BTreeMap::new();
        let mut finder = FileFinder::new(index, side)?;
        for (path, edits) in all {
            let old = finder.find(&path)?.ok_or_else(|| no_file(&path))?;
            let old_bytes = reader.read_blob(old.blob)?;
            let new_bytes = edits.apply(&old_bytes)?;
            let plan = FilePlan {
                fate: FileFate::Changed,
                new_path: moved.get(&path).unwrap_or(&path).clone(),
                edits,
                old_bytes: old_bytes.into(),
                new_bytes: new_bytes.into(),
                old,
            };
            files.insert(path, plan);
        }
        Ok(Self {
            files,
            ..Self::default()
        })
    }

    /// The files as the index takes them.
    pub fn planned_files(&self) -> Vec<PlannedFile> {
        let planned = self.files.values().map(|file| PlannedFile {
            old: file.is_before().then(|| file.old.clone()),
            new: (file.is_after())
                .then(|| (file.new_path.clone(), file.old.mode, file.new_bytes.clone())),
        });
        planned.collect()
    }

    /// Whether a file gets another path.
    pub fn moves_files(&self) -> bool {
        self.files
            .values()
            .any(|file| file.new_path != file.old.path)
    }

    /// How many places it changes.
    pub fn n_edits(&self) -> usize {
        self.files.values().map(|file| file.edits.all().len()).sum()
    }
}

fn no_file(path: &RepoPath) -> EditError {
    EditError::Refused {
        doing: format!("edit `{path}`"),
        reason: "it is no file of the repository".to_owned(),
        help: Vec::new(),
    }
}

/// A file of a side with its mode, if there is one: of any kind.
pub(crate) fn find_file(
    index: &Index,
    side: &IndexedSide,
    path: &RepoPath,
) -> Result<Option<TreeFile>, EditError> {
    FileFinder::new(index, side)?.find(path)
}

/// Finds files of a side with their modes, of any kind. Reads each folder once.
struct FileFinder<'a> {
    changed: BTreeMap<&'a RepoPath, &'a Option<TreeFile>>,
    committed: Option<TreeFinder<'a>>,
}

impl<'a> FileFinder<'a> {
    fn new(index: &'a Index, side: &'a IndexedSide) -> Result<Self, EditError> {
        let changes = side.overlay.iter().flat_map(|overlay| &overlay.changes);
        let committed = match side.commit {
            Some(commit) => Some(index.repo.tree_finder(index.repo.commit(commit)?.tree)),
            None => None,
        };
        Ok(Self {
            changed: (changes.rev())
                .map(|change| (change.path(), &change.new))
                .collect(),
            committed,
        })
    }

    fn find(&mut self, path: &RepoPath) -> Result<Option<TreeFile>, EditError> {
        match (self.changed.get(path), &mut self.committed) {
            (Some(&new), _) => Ok(new.clone()),
            (None, Some(tree)) => Ok(tree.find(path)?),
            (None, None) => Ok(None),
        }
    }
}

/// Positions before an edit: where they are afterwards.
pub struct Before<'p>(pub &'p Plan);

/// Positions after an edit, as far as they were there before.
pub struct After<'p> {
    by_new_path: BTreeMap<&'p RepoPath, (&'p TextEdits, Option<&'p MovedText>)>,
    /// Where members with other parameters are declared afterwards, and the parameters that they had.
    declarations: BTreeSet<(&'p RepoPath, u32)>,
    had: BTreeSet<u16>,
    fields: &'p BTreeSet<(RepoPath, u32)>,
    element: Option<&'p RenamedElement>,
    carried: &'p [Carried],
    generic_twin: Option<(&'p GenericTwin, TypePlace)>,
}

/// Where the name of a type is: its file, and the offset.
type TypePlace = (RepoPath, u32);

impl<'p> After<'p> {
    /// Of a plan.
    pub fn new(plan: &'p Plan) -> Self {
        let files = plan.files.iter();
        Self {
            fields: &plan.fields,
            element: plan.element.as_ref(),
            carried: &plan.carried,
            generic_twin: plan.generic_twin.as_ref().and_then(|twin| {
                let before = Before(plan);
                let there = before.of_file(&twin.of_path);
                let name = (there.offset)(twin.of_name)?;
                Some((twin, (there.path.clone(), name)))
            }),
            by_new_path: files
                .map(|(path, file)| (&file.new_path, (&file.edits, plan.moved.get(path))))
                .collect(),
            declarations: (plan.parameters.declarations.iter())
                .filter_map(|(path, name)| {
                    let file = plan.files.get(path)?;
                    Some((&file.new_path, file.edits.new_position(*name)?))
                })
                .collect(),
            had: (plan.parameters.new_positions.iter().flatten().copied()).collect(),
        }
    }
}

impl Positions for Before<'_> {
    fn of_file(&self, path: &RepoPath) -> FilePositions<'_> {
        match self.0.files.get(path) {
            Some(file) => {
                let moved = self.0.moved.get(path);
                let carried: Vec<&Carried> = (self.0.carried.iter())
                    .filter(|it| it.from == *path)
                    .collect();
                FilePositions {
                    path: file.new_path.clone(),
                    offset: Box::new(move |offset| {
                        let moved = moved.and_then(|moved| moved.new_position(offset));
                        let carried = || carried.iter().find_map(|it| it.of_old(offset));
                        let moved = moved.or_else(carried);
                        moved.or_else(|| file.edits.new_position(offset))
                    }),
                    side: "old",
                }
            }
            None => FilePositions {
                path: path.clone(),
                offset: Box::new(Some),
                side: "old",
            },
        }
    }

    fn parameter(&self, path: &RepoPath, name: u32, at: u16) -> Option<u16> {
        let moved = &self.0.parameters;
        match moved.declarations.contains(&(path.clone(), name)) {
            true => moved.new_positions.get(usize::from(at)).copied().flatten(),
            false => Some(at),
        }
    }

    fn project<'n>(&'n self, path: &RepoPath, project: &'n RepoPath) -> &'n RepoPath {
        match &self.0.project {
            Some(moved) if moved.from == *project && moved.files.contains(path) => &moved.to,
            _ => project,
        }
    }

    fn namespace<'n>(&self, name: &'n str) -> Cow<'n, str> {
        let renamed = self.0.namespace.as_ref().and_then(|it| it.renamed(name));
        renamed.map_or(Cow::Borrowed(name), Cow::Owned)
    }

    fn element<'n>(&'n self, name: &'n str) -> &'n str {
        self.0.element.as_ref().map_or(name, |it| it.common(name))
    }
}

impl Positions for After<'_> {
    fn of_file(&self, path: &RepoPath) -> FilePositions<'_> {
        let common = path.clone();
        let offset: Box<dyn Fn(u32) -> Option<u32>> = match self.by_new_path.get(path) {
            Some(&(edits, moved)) => Box::new(move |offset| {
                let mut carried = self.carried.iter().filter(|it| it.to == common);
                let moved = moved.and_then(|moved| moved.common_position(offset));
                let moved = moved.or_else(|| carried.find_map(|it| it.of_new(offset)));
                moved.or_else(|| edits.was_there(offset).then_some(offset))
            }),
            None => Box::new(Some),
        };
        FilePositions {
            path: path.clone(),
            offset,
            side: "new",
        }
    }

    fn kind(&self, path: &RepoPath, name: u32, kind: DeclKind) -> DeclKind {
        match self.fields.contains(&(path.clone(), name)) {
            true => DeclKind::Field,
            false => kind,
        }
    }

    fn parameter(&self, path: &RepoPath, name: u32, at: u16) -> Option<u16> {
        let is_changed = self.declarations.contains(&(path, name));
        (!is_changed || self.had.contains(&at)).then_some(at)
    }

    fn element<'n>(&'n self, name: &'n str) -> &'n str {
        self.element.map_or(name, |it| it.common(name))
    }

    fn type_parameter(&self, path: &RepoPath, name: u32, at: u16) -> Option<(RepoPath, u32, u16)> {
        let (twin, (path_of, name_of)) = self.generic_twin.as_ref()?;
        let is_twin = twin.path == *path && twin.name == name;
        let at = twin.parameters.get(usize::from(at)).filter(|_| is_twin)?;
        Some((path_of.clone(), *name_of, *at))
    }
}

/// A file that an operation changes, as its record has it.
#[derive(Clone, PartialEq, Eq, Debug, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct FileRecord {
    /// The file as it was; `None` for a new one.
    pub old: Option<FileState>,
    /// The file as it will be; `None` for one that goes.
    pub new: Option<FileState>,
}

/// A file on one side of an operation.
#[derive(Clone, PartialEq, Eq, Debug, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct FileState {
    /// Its path.
    pub path: RepoPath,
    /// Its content, as git names it.
    pub blob: BlobId,
    /// Its mode, as git writes it.
    pub mode: u32,
}

impl FileState {
    /// A file of a tree.
    pub fn new(path: &RepoPath, blob: BlobId, mode: FileMode) -> Self {
        Self {
            path: path.clone(),
            blob,
            mode: mode.bits(),
        }
    }

    /// Its mode.
    pub(crate) fn file_mode(&self) -> FileMode {
        let modes = [
            FileMode::Regular,
            FileMode::Executable,
            FileMode::Symlink,
            FileMode::Submodule,
        ];
        let mut modes = modes.into_iter();
        (modes.find(|mode| mode.bits() == self.mode)).unwrap_or(FileMode::Regular)
    }

    /// Whether it may be run.
    pub fn is_executable(&self) -> bool {
        self.mode == FileMode::Executable.bits()
    }
}
