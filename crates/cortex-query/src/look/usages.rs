//! Where a symbol is used: every place that names it or uses it without a name.
//!
//! Owns: which places count, their order, and what is not known beside them.
//! Must not know: how names were bound.

use std::collections::BTreeMap;

use cortex_index::{FileStatus, FileSummary, Snapshot};
use cortex_model::RepoPath;
use rustc_hash::FxHashMap;
use serde::Serialize;

use super::{
    Filter, Subject, Viewpoint,
    family::{self, Relation},
    places::{Outside, Place, PlaceCertainty, Texts, Wanted, files_using, places},
    subject::{Asked, find_asked},
};
use crate::{
    QueryError,
    doc_ids::DocIds,
    names::{inactive_words, unbound_names},
    reach::Target,
};

/// Which uses are looked for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Family {
    /// Those of the symbol alone.
    Alone,
    /// Also those of members that it overrides or implements, which may run it, and of members that override or
    /// implement it.
    WithOverrides,
}

/// The answer of `usages`.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct UsagesAnswer {
    /// What it is about.
    #[serde(flatten)]
    pub subject: Subject,
    /// `found`, `elsewhere` where the filter leaves out all there are, `none`, or `not-known` where none was found and
    /// some may exist.
    pub verdict: Verdict,
    /// How many places there are.
    pub total: usize,
    /// How many more places the filter leaves out.
    #[serde(skip_serializing_if = "is_zero")]
    pub elsewhere: usize,
    /// How many of each context, by its word.
    pub contexts: BTreeMap<&'static str, usize>,
    /// How many files they stand in.
    pub n_files: usize,
    /// The places, those of tests last, then by file and position; no more than asked for.
    pub items: Vec<Usage>,
    /// What may be used beside them.
    pub not_known: NotKnown,
    /// Whether the time was over before all was looked at.
    pub timed_out: bool,
    /// Whether there are more places than told.
    pub probably_has_more: bool,
}

fn is_zero(n: &usize) -> bool {
    *n == 0
}

/// What an answer comes to.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Verdict {
    /// There are places.
    Found,
    /// There are places, none of which the filter lets pass.
    Elsewhere,
    /// There is none in the repository, and none can be.
    None,
    /// There is none, but not all could be understood.
    NotKnown,
}

/// A place that uses a symbol.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Usage {
    /// The file.
    pub file: RepoPath,
    /// The 1-based line.
    pub line: u32,
    /// The 1-based column, in UTF-16 units.
    pub column: u32,
    /// What the place does: `call`, `read`, `write`, `creation`, `base`, `attribute`, `doc`, `nameof`, …
    pub context: &'static str,
    /// How sure it is that the place means the symbol.
    pub certainty: PlaceCertainty,
    /// Documentation id of the member or type around it.
    #[serde(rename = "in", skip_serializing_if = "Option::is_none")]
    pub inside: Option<String>,
    /// What the place means, where that is another member of the family.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub via: Option<UsageVia>,
    /// Whether a test project compiles it.
    pub test: bool,
    /// The line's text, trimmed.
    pub text: String,
}

/// A member of the family of the one that is asked for.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct UsageVia {
    /// Its documentation id.
    pub doc_id: String,
    /// How it stands to the one that is asked for: `overridden`, `implemented`, `override`, `implementation`.
    pub relation: &'static str,
}

/// Why there may be more uses than were found.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct NotKnown {
    /// Places that have its name, and whose meaning is not known.
    pub name_only: usize,
    /// Some of them.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub places: Vec<Usage>,
    /// Places of its name in code that conditional compilation leaves out.
    pub inactive: usize,
    /// Some of them.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub inactive_places: Vec<Usage>,
    /// Files that mention its name and were understood only in part.
    pub degraded_files: usize,
    /// Files of the repository that were not read at all.
    pub skipped_files: u64,
    /// Whether code outside of the repository may use it.
    pub visible_outside: bool,
}

/// So many places are told whose meaning is not known.
const MAX_NAME_ONLY: usize = 20;

/// Finds the uses of what `text` means.
///
/// # Errors
/// Those of [`super::find_symbol`].
pub fn usages(
    view: &Viewpoint<'_>,
    text: &str,
    family: Family,
) -> Result<UsagesAnswer, QueryError> {
    let asked = find_asked(view, text)?;
    let snapshot = view.snapshot();
    let mut ids = DocIds::new(snapshot);
    let mut wanted = Wanted::default();
    for &target in &asked.targets {
        wanted.insert(target, 0);
    }
    let mut vias: Vec<UsageVia> = Vec::new();
    if family == Family::WithOverrides {
        for relative in family::relatives(&mut ids, &asked.targets)? {
            let Some(target) = relative.target else {
                continue;
            };
            let number = vias.len() as u32 + 1;
            wanted.entry(target).or_insert(number);
            vias.push(UsageVia {
                doc_id: relative.doc_id,
                relation: match relative.relation {
                    Relation::Overridden => "overridden",
                    Relation::Implemented => "implemented",
                    Relation::Override => "override",
                    Relation::Implementation => "implementation",
                },
            });
        }
    }
    let files = files_using(snapshot, &wanted)?;
    let is_over = || view.limits.is_over();
    let marked = (view.filter, Outside::Marked);
    let mut found = places(snapshot, &files, &wanted, marked, &is_over)?;
    // A name is a better place than the symbol that it stands for: `new T(…)` is one use of the constructor.
    let tests = TestProjects::read(snapshot)?;
    let is_test: Vec<bool> = files.iter().map(|file| tests.compile(file)).collect();
    found.sort_by_key(|it| {
        let rank = (!it.passes, it.target);
        (is_test[it.file as usize], it.file, it.offset, rank)
    });
    found.dedup_by_key(|it| (it.file, it.offset));
    let n_all = found.len();
    found.retain(|it| it.passes);
    let elsewhere = n_all - found.len();
    let mut texts = Texts::new(view.blobs());
    let mut contexts: BTreeMap<&'static str, usize> = BTreeMap::new();
    for place in &found {
        *contexts.entry(place.context).or_default() += 1;
    }
    let mut n_files = 0;
    let mut last = None;
    for place in &found {
        n_files += usize::from(last != Some(place.file));
        last = Some(place.file);
    }
    let mut items = Vec::new();
    let mut told: Vec<&FileSummary> = (found.iter().take(view.limits.n_items))
        .map(|place| &files[place.file as usize])
        .collect();
    told.dedup_by_key(|file| &file.path);
    texts.load(view, &told)?;
    for place in found.iter().take(view.limits.n_items) {
        let file = &files[place.file as usize];
        let via = vias.get((place.target as usize).wrapping_sub(1));
        items.push(tell(
            view.filter,
            &mut ids,
            &mut texts,
            file,
            place,
            via,
            is_test[place.file as usize],
        )?);
    }
    let not_known = not_known(view, &asked, &mut ids, &mut texts, &tests)?;
    let timed_out = view.limits.is_over();
    // That there is none is said of the whole repository alone.
    let is_doubtful = || -> Result<bool, QueryError> {
        if timed_out || not_known.is_any() || view.filter.is_everything() {
            return Ok(timed_out || not_known.is_any());
        }
        let everything = Filter::everything();
        let whole = Viewpoint {
            filter: &everything,
            ..*view
        };
        let mut texts = Texts::new(view.blobs());
        let mut ids = DocIds::new(snapshot);
        Ok(self::not_known(&whole, &asked, &mut ids, &mut texts, &tests)?.is_any())
    };
    Ok(UsagesAnswer {
        verdict: match (found.is_empty(), elsewhere) {
            (false, _) => Verdict::Found,
            (true, 1..) => Verdict::Elsewhere,
            (true, 0) if is_doubtful()? => Verdict::NotKnown,
            (true, 0) => Verdict::None,
        },
        total: found.len(),
        elsewhere,
        contexts,
        n_files,
        probably_has_more: timed_out || found.len() > items.len(),
        items,
        not_known,
        timed_out,
        subject: asked.subject,
    })
}

impl NotKnown {
    fn is_any(&self) -> bool {
        self.name_only > 0
            || self.inactive > 0
            || self.degraded_files > 0
            || self.skipped_files > 0
            || self.visible_outside
    }
}

/// A place in words.
pub(super) fn tell(
    filter: &Filter,
    ids: &mut DocIds<'_>,
    texts: &mut Texts<'_>,
    file: &FileSummary,
    place: &Place,
    via: Option<&UsageVia>,
    test: bool,
) -> Result<Usage, QueryError> {
    let text = texts.of(file)?;
    let at = text.position(place.offset);
    let context = match place.context {
        "typeof" | "read" | "call" | "static" if text.is_in_nameof(place.offset) => "nameof",
        context => context,
    };
    Ok(Usage {
        file: file.path.clone(),
        line: at.line,
        column: at.column,
        context,
        certainty: place.certainty,
        inside: match place.inside {
            Some(target) => id_of(ids, target)?,
            None => None,
        },
        via: via.cloned(),
        test,
        text: text.snippet(place.offset, filter.ranges(&file.path)),
    })
}

/// The documentation id of a target.
pub(super) fn id_of(ids: &mut DocIds<'_>, target: Target) -> Result<Option<String>, QueryError> {
    match target {
        Target::Type(key) => ids.of(key, None),
        Target::Member(key, tag) => ids.of(key, Some(tag)),
    }
}

/// The projects of tests.
pub(super) struct TestProjects(FxHashMap<RepoPath, bool>);

impl TestProjects {
    pub(super) fn read(snapshot: &Snapshot) -> Result<Self, QueryError> {
        let records = snapshot.projects()?;
        let known = records.into_iter();
        Ok(Self(
            known
                .map(|it| (it.project.path, it.project.is_test))
                .collect(),
        ))
    }

    pub(super) fn has(&self, project: &RepoPath) -> bool {
        self.0.get(project).copied().unwrap_or(false)
    }

    /// Whether only test projects compile a file.
    pub(super) fn compile(&self, file: &FileSummary) -> bool {
        !file.projects.is_empty() && file.projects.iter().all(|it| self.has(it))
    }
}

/// What may use the symbol beside the places that are bound to it.
fn not_known(
    view: &Viewpoint<'_>,
    asked: &Asked,
    ids: &mut DocIds<'_>,
    texts: &mut Texts<'_>,
    tests: &TestProjects,
) -> Result<NotKnown, QueryError> {
    let snapshot = view.snapshot();
    let stats = snapshot.stats();
    let mut out = NotKnown {
        skipped_files: stats.skipped,
        visible_outside: asked.is_visible_outside && !tests.has(&asked.project),
        ..NotKnown::default()
    };
    let Some(name) = &asked.name else {
        return Ok(out);
    };
    if stats.degraded > 0 {
        let files = snapshot.files_mentioning(name)?;
        let is_in_part = |file: &&FileSummary| {
            matches!(file.status, FileStatus::Degraded(_)) && view.filter.has_file(file)
        };
        out.degraded_files = files.iter().filter(is_in_part).count();
    }
    let unbound = unbound_names(&view.source())?;
    for (path, offset) in unbound.of(name) {
        let file = snapshot.file(path)?;
        let Some(file) =
            file.filter(|it| view.filter.has_file(it) && view.filter.has_offset(&it.path, offset))
        else {
            continue;
        };
        if !view.filter.has_offset(path, offset) {
            continue;
        }
        if out.places.len() >= MAX_NAME_ONLY {
            out.name_only += 1;
            continue;
        }
        if texts.of(&file)?.word(offset) != name.as_str() {
            continue;
        }
        out.name_only += 1;
        let place = Place::of_name(offset, "unknown");
        let is_test = tests.compile(&file);
        out.places
            .push(tell(view.filter, ids, texts, &file, &place, None, is_test)?);
    }
    (out.inactive, out.inactive_places) = inactive(view, name, ids, texts, tests)?;
    Ok(out)
}

/// The places of a name in code that conditional compilation leaves out: how many, and the first of them.
pub(super) fn inactive(
    view: &Viewpoint<'_>,
    name: &str,
    ids: &mut DocIds<'_>,
    texts: &mut Texts<'_>,
    tests: &TestProjects,
) -> Result<(usize, Vec<Usage>), QueryError> {
    let (mut n, mut out) = (0, Vec::new());
    for (path, offset) in inactive_words(&view.source())?.of(name) {
        let file = view.snapshot().file(&path)?;
        let Some(file) =
            file.filter(|it| view.filter.has_file(it) && view.filter.has_offset(&it.path, offset))
        else {
            continue;
        };
        if out.len() >= MAX_NAME_ONLY {
            n += 1;
            continue;
        }
        if texts.of(&file)?.word(offset) != name {
            continue;
        }
        n += 1;
        let place = Place::of_name(offset, "inactive");
        let is_test = tests.compile(&file);
        out.push(tell(view.filter, ids, texts, &file, &place, None, is_test)?);
    }
    Ok((n, out))
}
