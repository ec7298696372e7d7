//! Where a symbol is used: every place that names it or uses it without a name.
//!
//! Owns: which places count, their order, and what is not known beside them.
//! Must not know: how names were bound.

use crate::bounded::{Bounded, limits_of_found};
use crate::{
    QueryError,
    dispatch::{Dispatch, Types},
    family,
    filter::Filter,
    found_by::found_by,
    mentions::{OtherFiles, add_spellings, not_searched},
    places::{Outside, Place, Text, Texts, Wanted, files_using, places},
    subject::{Asked, find_asked},
    through::through,
    viewpoint::Viewpoint,
};
use cortex_derived::{
    doc_ids::DocIds,
    names::{inactive::inactive_words, unbound::unbound_names},
    outside::{self, Spellings},
    target::Target,
};
use cortex_wire::{Mentions, NotKnown, Usage, UsageVia, UsagesAnswer, Verdict};

use cortex_wire::Role;

use std::collections::BTreeMap;

use cortex_index::{FileStatus, FileSummary, Snapshot};
use cortex_model::RepoPath;
use rustc_hash::{FxHashMap, FxHashSet};

/// Which uses are looked for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Family {
    /// Those of the symbol alone.
    Alone,
    /// Also those of members that it overrides or implements, which may run it, and of members that override or
    /// implement it.
    WithOverrides,
}

/// Which uses are listed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct UsagesOptions {
    /// Of which symbols.
    pub family: Family,
    /// In which roles; in every role where there are none.
    pub roles: Vec<Role>,
    /// What becomes of names in files that are not C#.
    pub mentions: MentionsShown,
}

impl Default for UsagesOptions {
    fn default() -> Self {
        Self {
            family: Family::Alone,
            roles: Vec::new(),
            mentions: MentionsShown::Counted,
        }
    }
}

/// What becomes of names in files that are not C#.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum MentionsShown {
    /// They are counted.
    Counted,
    /// They are listed.
    Listed,
}

/// So many places are told whose meaning is not known.
const MAX_NAME_ONLY: usize = 20;

/// What is looked for, each with the number of the relative that it is, from 1; 0 for the symbol itself.
fn wanted(
    ids: &mut DocIds<'_>,
    asked: &Asked,
    family: Family,
) -> Result<(Wanted, Vec<UsageVia>), QueryError> {
    let mut wanted = Wanted::default();
    for &target in &asked.targets {
        wanted.insert(target, 0);
    }
    let mut vias: Vec<UsageVia> = Vec::new();
    if family == Family::WithOverrides {
        for relative in family::relatives(ids, &asked.targets)? {
            let Some(target) = relative.target else {
                continue;
            };
            let number = vias.len() as u32 + 1;
            wanted.entry(target).or_insert(number);
            vias.push(UsageVia {
                doc_id: relative.doc_id,
                relation: relative.relation,
            });
        }
    }
    Ok((wanted, vias))
}

/// Finds the uses of what `text` means.
///
/// # Errors
/// Those of [`crate::subject::find_symbol`].
pub fn usages(
    view: &Viewpoint<'_>,
    text: &str,
    options: &UsagesOptions,
) -> Result<Bounded<UsagesAnswer>, QueryError> {
    let asked = find_asked(view, text)?;
    let snapshot = view.snapshot();
    let mut ids = DocIds::new(snapshot);
    let (wanted, vias) = wanted(&mut ids, &asked, options.family)?;
    let files = files_using(snapshot, &wanted)?;
    let is_over = || view.limits.is_over();
    let marked = (view.filter, Outside::Marked);
    let mut found = places(snapshot, &files, &wanted, marked, &is_over)?;
    retain_runnable(&mut ids, &asked, &vias, &mut found)?;
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
    let mut texts = Texts::new(view.blobs());
    refine_roles(view, &mut texts, &files, &asked.targets, &mut found)?;
    if !options.roles.is_empty() {
        retain_roles(view, &mut texts, &files, &mut found, &options.roles)?;
    }
    let elsewhere = n_all - found.len();
    let mut contexts: BTreeMap<Role, usize> = BTreeMap::new();
    for place in &found {
        *contexts.entry(place.role).or_default() += 1;
    }
    let n_files = found.chunk_by(|a, b| a.file == b.file).count();
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
    let mentions = mentions(view, &asked, options.mentions, found.is_empty())?;
    let through = match options.family {
        Family::Alone => {
            let counts = |role| options.roles.is_empty() || options.roles.contains(&role);
            through(view, &mut ids, &asked.targets, counts)?
        }
        Family::WithOverrides => Vec::new(),
    };
    let found_by = match options.roles.is_empty() {
        true => found_by(view, &mut ids, &mut texts, (&asked.targets, &tests))?,
        false => Vec::new(),
    };
    let timed_out = view.limits.is_over();
    let has_others = mentions.total > 0 || !through.is_empty() || !found_by.is_empty();
    let is_known_doubt = timed_out || has_others;
    let is_doubtful = || match is_known_doubt || not_known.is_any() {
        true => Ok(true),
        false => is_doubtful_elsewhere(view, &asked, &tests),
    };
    let n_mentions = match options.mentions {
        MentionsShown::Counted => mentions.items.len(),
        MentionsShown::Listed => mentions.total,
    };
    let n_shown = items.len() + mentions.items.len();
    let n_items = [n_shown, found.len() + n_mentions];
    let limits = limits_of_found("find usages", n_items, timed_out)?;
    let answer = UsagesAnswer {
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
        items,
        through,
        found_by,
        not_known,
        mentions,
        subject: asked.subject,
    };
    Ok(Bounded { answer, limits })
}

/// Whether something outside of the filter may use it: that there is no use is said of the whole repository alone.
fn is_doubtful_elsewhere(
    view: &Viewpoint<'_>,
    asked: &Asked,
    tests: &TestProjects,
) -> Result<bool, QueryError> {
    if view.filter.is_everything() {
        return Ok(false);
    }
    let everything = Filter::everything();
    let whole = Viewpoint {
        filter: &everything,
        ..*view
    };
    let mut texts = Texts::new(view.blobs());
    let mut ids = DocIds::new(view.snapshot());
    Ok(not_known(&whole, asked, &mut ids, &mut texts, tests)?.is_any())
}

/// Leaves out what calls a member that the one asked for overrides or implements, on what can be no object of its type.
fn retain_runnable(
    ids: &mut DocIds<'_>,
    asked: &Asked,
    vias: &[UsageVia],
    found: &mut Vec<Place>,
) -> Result<(), QueryError> {
    let mut dispatch = Dispatch::default();
    let mut out = Vec::with_capacity(found.len());
    for place in found.drain(..) {
        let via = vias.get((place.target as usize).wrapping_sub(1));
        let is_above = via.is_some_and(|via| family::is_above(via.relation));
        let mut may_run = !is_above;
        for target in &asked.targets {
            may_run =
                may_run || dispatch.may_run(&mut Types(ids), target.key(), &place.receiver)?;
        }
        if may_run {
            out.push(place);
        }
    }
    *found = out;
    Ok(())
}

/// Tells type arguments and registrations from locals and values: their texts show it.
fn refine_roles(
    view: &Viewpoint<'_>,
    texts: &mut Texts<'_>,
    files: &[FileSummary],
    targets: &[Target],
    found: &mut [Place],
) -> Result<(), QueryError> {
    if targets.iter().all(|it| matches!(it, Target::Member(..))) {
        // A member that `nameof` names is kept as a type that `typeof` does.
        let named = found.iter_mut().filter(|it| it.role == Role::Typeof);
        named.for_each(|place| place.role = Role::Nameof);
        return Ok(());
    }
    let named: FxHashSet<RepoPath> = match found.iter().any(|it| it.role == Role::Static) {
        true => (view.snapshot().files_mentioning("nameof")?.into_iter())
            .map(|file| file.path)
            .collect(),
        false => FxHashSet::default(),
    };
    let is_open = |place: &Place| match place.role {
        Role::Local | Role::Typeof => true,
        Role::Static => named.contains(&files[place.file as usize].path),
        _ => false,
    };
    let mut to_read: Vec<&FileSummary> = (found.iter().filter(|place| is_open(place)))
        .map(|place| &files[place.file as usize])
        .collect();
    to_read.dedup_by_key(|file| &file.path);
    texts.load(view, &to_read)?;
    for place in found.iter_mut().filter(|place| is_open(place)) {
        let text = texts.of(&files[place.file as usize])?;
        if place.role != Role::Static {
            place.role = text.role_of_type(place.offset, place.role);
        }
        place.role = role_at(text, place);
    }
    Ok(())
}

/// Keeps the places of some roles. Texts are read where only they show the role.
fn retain_roles(
    view: &Viewpoint<'_>,
    texts: &mut Texts<'_>,
    files: &[FileSummary],
    found: &mut Vec<Place>,
    roles: &[Role],
) -> Result<(), QueryError> {
    let may_be_nameof =
        |role| matches!(role, Role::Typeof | Role::Read | Role::Call | Role::Static);
    found.retain(|place| {
        roles.contains(&place.role) || may_be_nameof(place.role) && roles.contains(&Role::Nameof)
    });
    let mut to_read: Vec<&FileSummary> = (found.iter())
        .filter(|place| may_be_nameof(place.role))
        .map(|place| &files[place.file as usize])
        .collect();
    to_read.dedup_by_key(|file| &file.path);
    texts.load(view, &to_read)?;
    let mut out = Vec::with_capacity(found.len());
    for mut place in found.drain(..) {
        if may_be_nameof(place.role) {
            place.role = role_at(texts.of(&files[place.file as usize])?, &place);
        }
        if roles.contains(&place.role) {
            out.push(place);
        }
    }
    *found = out;
    Ok(())
}

/// Where the name of a symbol stands in files that are not C#.
fn mentions(
    view: &Viewpoint<'_>,
    asked: &Asked,
    shown: MentionsShown,
    has_no_use: bool,
) -> Result<Mentions, QueryError> {
    let Some(name) = &asked.name else {
        return Ok(Mentions::default());
    };
    let mut spellings = Spellings::default();
    match asked.targets.first() {
        Some(Target::Type(_)) => add_spellings(&mut spellings, name),
        _ => _ = spellings.insert(name.clone(), &[]),
    }
    if shown == MentionsShown::Counted
        && view.filter.is_everything()
        && let Some(counts) = outside::count(view.source(), &spellings, view.limits)?
    {
        let not_searched = has_no_use.then(|| not_searched(&counts.others));
        return Ok(Mentions {
            total: counts.total,
            n_files: counts.n_files,
            languages: counts.languages,
            items: Vec::new(),
            not_searched: not_searched.unwrap_or_default(),
        });
    }
    let files = OtherFiles::list(view)?;
    let found = files.find(view, &spellings)?;
    let mut out = Mentions {
        total: found.len(),
        ..Mentions::default()
    };
    let mut last = None;
    for (_, mention) in &found {
        *out.languages.entry(mention.language).or_default() += 1;
        out.n_files += usize::from(last != Some(&mention.file));
        last = Some(&mention.file);
    }
    if has_no_use {
        out.not_searched = files.not_searched();
    }
    if shown == MentionsShown::Listed {
        let found = found.into_iter().map(|(_, mention)| mention);
        out.items = found.take(view.limits.n_items).collect();
    }
    Ok(out)
}

/// A place in words.
pub(crate) fn tell(
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
    let context = role_at(text, place);
    Ok(Usage {
        frameworks: Vec::new(),
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

/// The role of a place: what an argument of `nameof` names is only named.
pub(crate) fn role_at(text: &Text, place: &Place) -> Role {
    match place.role {
        Role::Typeof | Role::Read | Role::Call | Role::Static
            if text.is_in_nameof(place.offset) =>
        {
            Role::Nameof
        }
        role => role,
    }
}

/// The documentation id of a target.
pub(crate) fn id_of(ids: &mut DocIds<'_>, target: Target) -> Result<Option<String>, QueryError> {
    match target {
        Target::Type(key) => Ok(ids.of(key, None)?),
        Target::Member(key, tag) => Ok(ids.of(key, Some(tag))?),
    }
}

/// The projects of tests.
pub(crate) struct TestProjects(FxHashMap<RepoPath, bool>);

impl TestProjects {
    pub(crate) fn read(snapshot: &Snapshot) -> Result<Self, QueryError> {
        let records = snapshot.projects()?;
        let known = records.into_iter();
        Ok(Self(
            known
                .map(|it| (it.project.path, it.project.is_test))
                .collect(),
        ))
    }

    pub(crate) fn has(&self, project: &RepoPath) -> bool {
        self.0.get(project).copied().unwrap_or(false)
    }

    /// Whether only test projects compile a file.
    pub(crate) fn compile(&self, file: &FileSummary) -> bool {
        !file.projects.is_empty() && file.projects.iter().all(|it| self.has(it))
    }
}

/// What may use the symbol beside the places that are bound to it.
pub(crate) fn not_known(
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
    let unbound = unbound_names(view.source())?;
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
        let place = Place::of_name(offset, Role::Unknown);
        let is_test = tests.compile(&file);
        out.places
            .push(tell(view.filter, ids, texts, &file, &place, None, is_test)?);
    }
    (out.inactive, out.inactive_places) = inactive(view, name, ids, texts, tests)?;
    Ok(out)
}

/// The places of a name in code that conditional compilation leaves out: how many, and the first of them.
pub(crate) fn inactive(
    view: &Viewpoint<'_>,
    name: &str,
    ids: &mut DocIds<'_>,
    texts: &mut Texts<'_>,
    tests: &TestProjects,
) -> Result<(usize, Vec<Usage>), QueryError> {
    let (mut n, mut out) = (0, Vec::new());
    for (path, offset) in inactive_words(view.source())?.of(name) {
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
        let place = Place::of_name(offset, Role::Inactive);
        let is_test = tests.compile(&file);
        out.push(tell(view.filter, ids, texts, &file, &place, None, is_test)?);
    }
    Ok((n, out))
}
