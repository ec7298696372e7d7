//! The question of `diff-context`, from a range to the whole answer.

pub(crate) mod blobs;
pub(crate) mod compared;
pub(crate) mod proven;
pub mod question;

use crate::comparison::Comparison;
use crate::{
    changes::{self, Pair},
    code,
    compat::{self, question::ApiQuestion},
    contracts, damage,
    diff_context::{
        blobs::{BlobSource, Reader},
        compared::{Compared, Limited, Texts},
        question::{Hunks, Question, UseLines},
    },
    impact::{
        self, dangling, generic_callers::Running, handed, names::ChangedNames, procedures,
        registrations, siblings, symbols,
    },
    moves::{self, names::MovedNames},
    projects,
    propagation::Propagation,
    reaching::{
        Look, requesting::requesting_tests, running_otherwise, starting::starting_tests,
        workflows::workflows,
    },
    reading, routes,
};
use cortex_derived::target::Target;
use cortex_git::{
    FileChange, Overlay, PathFilter, Range, RangeSpec, RenameOptions, Side, find_renames,
};
use cortex_index::{FileStatus, Index, IndexedSide, Progress, is_project_file};
use cortex_look::{
    QueryError,
    follow::{
        differing::ChangedType,
        renames::{self, Aliases},
    },
    mentioned::OtherTexts,
    scope::Scopes,
};
use cortex_model::{DeclKind, RepoPath, TypeKey};
use cortex_scope::{
    CallerContext, Counted, Diagnostic, DiagnosticCode, FailureMode, REPOSITORY,
    Resolved as ResolvedScope, ScopeRequest, ScopeShape, ScopedPaths, Severity,
};
use cortex_wire::{
    ApiChange, CodeShown, CommitEntry, DeletedTest, DiffContext, FileNote, Frameworks, Impact,
    LeftValue, MemberChangeKind, RangeEntry, ReachedTests, RouteChange, RouteContract, SideEntry,
    SideKind, TextKind, Totals, TypeChange, UseSide, What,
};
use rustc_hash::FxHashSet;
use std::{borrow::Cow, collections::BTreeSet};

/// More changed files than that reach into most of a snapshot.
const MANY_FILES: usize = 100;

/// The cache of decoded pages for those, in bytes.
const PAGES_OF_MANY: usize = 64 << 20;

/// Where not all uses are told, those of so many types are looked for, the most important ones.
const MAX_FOLLOWED: usize = 200;

/// Where hunks are not told, the code of so many types is, of the most important ones.
const MAX_SHOWN: usize = 400;

/// Where not all uses are told, tests are looked for until there are so many.
const MIN_TESTS: usize = 20;

/// How many commits of a range are listed.
const MAX_COMMITS: usize = 50;

/// Answers `diff-context`: indexes what is missing, compares, follows the graph.
///
/// Costs in proportion to the change and to what depends on it.
pub fn diff_context(
    index: &Index,
    question: &Question,
    progress: &dyn Progress,
) -> Result<Comparison<DiffContext>, QueryError> {
    let range = index.repo.resolve_range(&question.range)?;
    let (old, mut outcome) = index.side(range.old, progress)?;
    let (new, second) = index.side(range.new, progress)?;
    outcome.add(second);
    let source = BlobSource {
        index,
        sides: [&old, &new],
    };
    let mut files = changed_files(index, &range.paths, &old, &new, &mut source.open())?;
    let n_all = files.len();
    if let Some(request) = &question.scope {
        let sides = files.iter().flat_map(|file| [&file.old, &file.new]);
        let known: Vec<String> = sides
            .flatten()
            .map(|side| format!("{REPOSITORY}{}", side.path))
            .collect();
        let sides = in_scope(index, [&old, &new], request, &known, progress)?;
        files.retain(|file| {
            let both = [&file.old, &file.new].into_iter().zip(&sides);
            let mut both =
                both.filter_map(|(side, scope)| Some(scope.has_path(side.as_ref()?.path.as_str())));
            both.any(|is_in| is_in)
        });
    }
    let n_outside = n_all - files.len();
    if files.len() >= MANY_FILES {
        index.store.keep_pages(PAGES_OF_MANY);
    }
    let (texts, differing) = rayon::join(
        || Texts::load(&files, source),
        || cortex_look::follow::differing::differing_types(&old.snapshot, &new.snapshot),
    );
    let (texts, differing) = (texts?, differing?);
    let limited = if range.paths.is_empty() && question.scope.is_none() {
        Limited::No
    } else {
        Limited::ToPaths
    };
    let context_files = context_files(index, &new)?;
    let snapshots = [&old, &new].map(|side| side.snapshot.clone());
    let compared = Compared::new(snapshots, files, texts, limited, context_files)?;
    let sides = [&old, &new];
    let touched = touched_projects(&compared, &differing)?;
    let (api, answer) = rayon::join(
        || match is_api_touched(&compared, &touched) {
            true => api(index, &compared, sides, &differing),
            false => Ok(Vec::new()),
        },
        || {
            let changed = changes::changed_types(&compared, &differing);
            answer(&compared, &changed, &range, question, sides, source)
        },
    );
    let mut answer = DiffContext {
        api: api?,
        ..answer?
    };
    moves::api::tell(&compared, &mut answer)?;
    outside_of_csharp(index, &compared, sides, source, &mut answer)?;
    answer.range.scope = (question.scope.is_some()).then(|| question.scope_text.clone());
    answer.range.n_outside = n_outside;
    Ok(Comparison {
        answer,
        sides: [old, new],
        outcome,
    })
}

/// Tells what has to do with the change in texts that are not C#; of a limited question, what files and strings name.
fn outside_of_csharp(
    index: &Index,
    compared: &Compared,
    sides: [&IndexedSide; 2],
    source: BlobSource<'_>,
    answer: &mut DiffContext,
) -> Result<(), QueryError> {
    let [before, after] = &sides.map(|side| OtherTexts::of(index, side));
    impact::other_files::tell(compared, after, source, &mut answer.files)?;
    answer.impact.files_of_name = impact::other_files::files_of_name(after, answer)?;
    answer.impact.nearby_documentation =
        impact::nearby_documentation::nearby_documentation(compared, after, answer)?;
    let mut left = impact::left_names::left_names(compared, after, source, answer)?;
    let mut values = impact::left_values::left_values(compared, after, source)?;
    // What attributes say of a route is told with it.
    let routes: Vec<&LeftValue> = left
        .iter()
        .filter(|it| it.kind == TextKind::Route)
        .collect();
    values.retain(|value| {
        !routes
            .iter()
            .any(|route| route.value.contains(&value.value))
    });
    left.extend(impact::documented::documented(compared, source, answer)?);
    left.extend(values);
    answer.impact.left_values = left;
    if compared.limited != Limited::No {
        return Ok(());
    }
    impact::razor::tell([(sides[0], before), (sides[1], after)], answer)?;
    impact::mentions::tell((index, sides[1]), after, answer)?;
    impact::columns::tell(&compared.new, after, answer)
}

/// The files of each side that are in a scope. What one side alone knows has nothing on the other one. `known`: the URLs
/// of the files that differ.
fn in_scope(
    index: &Index,
    sides: [&IndexedSide; 2],
    request: &ScopeRequest,
    known: &[String],
    progress: &dyn Progress,
) -> Result<[ScopedPaths; 2], QueryError> {
    let open = |side| {
        let context = CallerContext {
            elsewhere: known.to_vec(),
            ..CallerContext::default()
        };
        let asked = (request, Counted::Repository);
        Scopes::open_for(asked, index, side, context, progress)
    };
    let [old, new] = [open(sides[0])?, open(sides[1])?];
    let (in_old, in_new) = (old.resolve(request)?, new.resolve(request)?);
    let lacking = [missing_atoms(&in_old), missing_atoms(&in_new)];
    let is_one_sided = matches!(&lacking, [Some(old), Some(new)] if old.is_disjoint(new));
    let paths = |scopes: &Scopes<'_>, resolved, lacking: &Option<BTreeSet<String>>| {
        let resolved: Result<ResolvedScope, Vec<Diagnostic>> = match (&resolved, lacking) {
            (Err(_), Some(lacking)) if is_one_sided => {
                scopes.resolve(&empty_where_missing(request, lacking))?
            }
            _ => resolved,
        };
        let resolved = resolved.map_err(QueryError::Scope)?;
        if resolved.descriptor.scope_shape != ScopeShape::Global {
            return Err(QueryError::Scope(vec![Diagnostic {
                severity: Severity::Error,
                code: DiagnosticCode::WrongShape,
                token_index: None,
                atom_id: None,
                message: "a change is limited to whole files: `type:`, `members:` and `Selection` are parts of files".to_owned(),
            }]));
        }
        Ok(scopes.paths_of(&resolved.scope))
    };
    // What neither side knows is told by the newer one.
    let in_new = paths(&new, in_new, &lacking[1])?;
    Ok([paths(&old, in_old, &lacking[0])?, in_new])
}

/// The atoms that mean nothing on a side; `None` where more is wrong.
fn missing_atoms(resolved: &Result<ResolvedScope, Vec<Diagnostic>>) -> Option<BTreeSet<String>> {
    let faults = resolved.as_ref().err().map_or(&[][..], Vec::as_slice);
    let errors = faults.iter().filter(|it| it.severity == Severity::Error);
    errors
        .map(|it| match it.code {
            DiagnosticCode::UnresolvedAtom => it.atom_id.clone(),
            _ => None,
        })
        .collect()
}

/// The same program with some atoms taken as empty where they mean nothing.
fn empty_where_missing(request: &ScopeRequest, missing: &BTreeSet<String>) -> ScopeRequest {
    let mut request = request.clone();
    for atom in &mut request.atoms {
        if missing.contains(&atom.atom_id) {
            atom.on_resolve_failure = Some(FailureMode::EmptyScope);
        } else if request.strict {
            atom.on_resolve_failure = Some(FailureMode::Fail);
        }
    }
    request.strict = false;
    request
}

/// The answer but for changes of the public API.
fn answer(
    compared: &Compared,
    changed: &[ChangedType],
    range: &Range,
    question: &Question,
    [old, new]: [&IndexedSide; 2],
    source: BlobSource<'_>,
) -> Result<DiffContext, QueryError> {
    let aliases = renames::find(changed, &compared.files);
    let mut pairs = changes::pairs(changed, &aliases);
    let names = MovedNames::of(&pairs);
    names.apply(&mut pairs);
    let pairs = pairs;
    let n_followed = match question.uses {
        UseLines::All => usize::MAX,
        UseLines::First(_) => MAX_FOLLOWED,
    };
    let (mut types, order) = described(compared, &pairs, &names, &aliases, question.hunks)?;
    let files = code::changed_files(compared, &types, question.hunks);
    let described = types.iter().zip(order.iter().map(|&at| &pairs[at]));
    let [own, run] = beside_moves(changed, &aliases, described);
    let changed = &*own;
    let propagation = Propagation::of(compared, changed)?;
    propagation.tell(changed, &mut types)?;
    let told = types.iter_mut().zip(order.iter().map(|&at| &pairs[at]));
    let told = told.take(n_followed);
    let symbols = symbols::changed_symbols(compared, &aliases, told)?;
    let named_there = ChangedNames::of(compared, changed)?;
    let named_there = named_there.as_ref();
    let reading = reading::to_read(compared, changed, &symbols, named_there, source)?;
    let (mut contracts, models) =
        contracts::find_contracts(compared, &symbols, &pairs, &aliases, source)?;
    let mut named = procedures::named(compared, source)?;
    let exchanged = registrations::exchanged(compared, &mut source.open())?;
    let other_code = symbols::running_otherwise(&symbols).into_iter();
    let other_code = other_code.map(|(key, tag)| Target::Member(key, tag));
    let handed = handed::handed(compared, &Vec::from_iter(other_code), source)?;
    let mut by_others = running_otherwise::running(compared, source, (&named, &exchanged))?;
    by_others.code.extend(&handed.scanning);
    let (impact, tests) = rayon::join(
        || {
            let mut reader = source.open();
            let uses = question.uses;
            let changed = (changed, named_there);
            let symbols = (symbols, &*exchanged);
            impact::impact(compared, changed, symbols, &propagation, &mut reader, uses)
        },
        || tests(compared, &run, by_others, question.uses),
    );
    let (mut tests, mut deleted) = tests?;
    if let Some(reached) = &mut tests {
        let run: FxHashSet<&str> = running(&types).collect();
        reached.unreached.retain(|id| run.contains(id.as_str()));
    }
    retain_gone(&mut deleted, &types);
    let (impact, actions) = impact?;
    let differing = (types.iter().flat_map(|ty| &ty.members)).filter_map(|it| it.doc_id.as_deref());
    siblings::tell_beside_routines(&mut named, compared, &differing.collect(), source)?;
    let routes = routes::changes(&pairs, &types, (&impact.symbols, &actions.routes), compared)?;
    let impact = Impact {
        tests,
        starting_tests: starting_tests(&compared.new, &actions.running, source)?,
        requesting_tests: requesting_tests(&compared.new, &impact.symbols, &routes)?,
        deleted_tests: deleted,
        handed: handed.told,
        workflows: workflows(compared, source)?,
        procedures: named.into_iter().map(|it| it.told).collect(),
        lost_names: dangling::find(compared, &pairs, &aliases, source)?,
        ..impact
    };
    contracts.retain(|it| !is_new(it, &routes));
    // Until here the code told which members moved and what hunks belong to.
    for member in types.iter_mut().flat_map(|ty| &mut ty.members) {
        match member.follows_moves {
            true => member.code.clear(),
            false => code::shorten(&mut member.code, question.code),
        }
    }
    let totals = Totals {
        files: files.len(),
        added: files.iter().map(|file| file.added).sum(),
        deleted: files.iter().map(|file| file.deleted).sum(),
    };
    Ok(DiffContext {
        proof: None,
        range: range_entry(&question.range, range, [old, new]),
        totals,
        notes: notes(compared, new)?,
        damage: damage::damage(compared, &new_paths(compared))?,
        frameworks: frameworks(compared)?,
        api: Vec::new(),
        routes,
        contracts,
        models,
        forms: contracts::find_forms(compared, &pairs)?,
        database: compared.database(source)?.to_vec(),
        projects: projects::project_changes(compared),
        stale: reading::stale(compared, &types),
        namespaces: moves::namespace_moves(&types),
        types,
        impact,
        reading: reading.outlines,
        called: match question.code {
            CodeShown::None => Vec::new(),
            CodeShown::Changed | CodeShown::Full => reading.called,
        },
        files,
    })
}

/// The paths of changed files that are there.
fn new_paths(compared: &Compared) -> BTreeSet<&RepoPath> {
    let files = compared.files.iter();
    files
        .filter_map(|file| Some(&file.new.as_ref()?.path))
        .collect()
}

/// Leaves of deleted tests those that neither moved nor have another name.
fn retain_gone(deleted: &mut Vec<DeletedTest>, types: &[TypeChange]) {
    let gone: FxHashSet<&str> = (types.iter().flat_map(|ty| &ty.members))
        .filter(|member| member.change == MemberChangeKind::Removed && !member.is_moved())
        .filter_map(|member| member.doc_id.as_deref())
        .collect();
    deleted.retain(|test| gone.contains(test.id.as_str()));
}

/// Whether the route of a contract is new: it has no other form than before.
fn is_new(contract: &RouteContract, routes: &[RouteChange]) -> bool {
    let is_same = |route: &RouteChange| {
        let is_of = (&route.verb, &route.template) == (&contract.verb, &contract.template);
        is_of && route.what == What::Added
    };
    routes.iter().any(is_same)
}

/// The changed types, the most important first, each with the pair that it is made of, by index.
fn described(
    compared: &Compared,
    pairs: &[Pair<'_>],
    names: &MovedNames,
    aliases: &Aliases,
    hunks: Hunks,
) -> Result<(Vec<TypeChange>, Vec<usize>), QueryError> {
    let n_shown = match hunks {
        Hunks::Told => usize::MAX,
        Hunks::Counted => MAX_SHOWN,
    };
    let mut described = changes::describe(compared, pairs, names, n_shown)?;
    if moves::members::follow_renamed(compared, pairs, aliases, names, &mut described)? {
        changes::sort(&mut described);
    }
    let (mut types, order): (Vec<TypeChange>, Vec<usize>) = described.into_iter().unzip();
    moves::tell_moved_members(&mut types);
    Ok((types, order))
}

/// The changed types that differ in more than names of types that moved; and those with the types that have other names,
/// which tests run.
fn beside_moves<'a, 'd>(
    changed: &'a [ChangedType],
    aliases: &Aliases,
    described: impl Iterator<Item = (&'d TypeChange, &'d Pair<'d>)>,
) -> [Cow<'a, [ChangedType]>; 2] {
    let follow: FxHashSet<TypeKey> = described
        .filter(|(ty, _)| ty.follows_moves)
        .map(|(_, pair)| pair.key)
        .collect();
    let follows = |ty: &ChangedType| {
        let key = aliases.new_of(ty.key).unwrap_or(ty.key);
        follow.contains(&key)
    };
    let own = without(changed, &follows);
    let run = without(changed, &|ty| {
        follows(ty) && ty.old.is_some() && ty.new.is_some()
    });
    [own, run]
}

/// The changed types but for some.
fn without<'a>(
    changed: &'a [ChangedType],
    is_left_out: &dyn Fn(&ChangedType) -> bool,
) -> Cow<'a, [ChangedType]> {
    match changed.iter().any(is_left_out) {
        true => changed
            .iter()
            .filter(|ty| !is_left_out(ty))
            .cloned()
            .collect(),
        false => Cow::Borrowed(changed),
    }
}

/// The documentation ids of changed members of the product of which code runs otherwise than before.
fn running(types: &[TypeChange]) -> impl Iterator<Item = &str> {
    let members = types.iter().filter(|ty| !ty.is_test);
    let members = members.flat_map(|ty| &ty.members).filter(|member| {
        let is_there = !matches!(
            member.change,
            MemberChangeKind::Removed | MemberChangeKind::Docs
        );
        // Where objects are made is decided elsewhere.
        let is_made = member.kind == DeclKind::Constructor;
        is_there && member.has_body && !is_made && !member.follows_moves
    });
    let ids = members.filter_map(|member| member.doc_id.as_deref());
    // The start of an application runs what registers services.
    ids.filter(|id| !id.contains(".IServiceCollection"))
}

/// The tests that may run what changed, or the members that run something else since a text that is no code did: all
/// where all uses are told, else the nearest ones; `None` where so many types changed that what reaches them all is no
/// choice.
fn tests(
    compared: &Compared,
    changed: &[ChangedType],
    by_others: Running,
    wanted: UseLines,
) -> Result<(Option<ReachedTests>, Vec<DeletedTest>), QueryError> {
    let (look, n_paths) = match wanted {
        UseLines::All => (Look::All, usize::MAX),
        UseLines::First(_) if changed.len() > MAX_FOLLOWED => return Ok((None, Vec::new())),
        UseLines::First(_) => (Look::Nearest(MIN_TESTS), MIN_TESTS),
    };
    let texts = |side, path: &_| {
        let side = match side {
            UseSide::Old => compared.old_side(path),
            UseSide::New => compared.new_side(path),
        };
        Some(compared.texts.get(side?.blob).to_vec())
    };
    let (reached, deleted) = crate::reaching::question::tests_of_types(
        &compared.old,
        &compared.new,
        (changed, by_others),
        &texts,
        n_paths,
        look,
    )?;
    Ok((Some(reached), deleted))
}

/// Projects that declare types that differ or compile a changed file: attributes of an assembly belong to no type.
fn touched_projects(
    compared: &Compared,
    differing: &[ChangedType],
) -> Result<FxHashSet<RepoPath>, QueryError> {
    let nodes = differing.iter().flat_map(|ty| [&ty.old, &ty.new]).flatten();
    let mut touched: FxHashSet<RepoPath> = nodes.map(|node| node.project.clone()).collect();
    for file in &compared.files {
        for (snapshot, side) in [(&compared.old, &file.old), (&compared.new, &file.new)] {
            if let Some(side) = side {
                let summary = snapshot.file(&side.path)?;
                touched.extend(summary.into_iter().flat_map(|file| file.projects));
            }
        }
    }
    Ok(touched)
}

/// Whether the public API can differ: a library is touched, or sees a project that is, or a project changed.
fn is_api_touched(compared: &Compared, touched: &FxHashSet<RepoPath>) -> bool {
    let files = compared.files.iter();
    let mut paths = files.flat_map(|file| [&file.old, &file.new]).flatten();
    if paths.any(|side| is_project_file(&side.path)) {
        return true;
    }
    let records = compared.projects.iter().flatten();
    let libraries = records.filter(|record| !record.project.is_test);
    let mut seen = libraries.flat_map(|record| {
        let own = std::iter::once(&record.project.path);
        own.chain(&record.project.all_references)
    });
    seen.any(|path| touched.contains(path))
}

/// Changes of the public API, of the chosen files where the question is limited to paths.
fn api(
    index: &Index,
    compared: &Compared,
    sides: [&IndexedSide; 2],
    differing: &[ChangedType],
) -> Result<Vec<ApiChange>, QueryError> {
    let answer = compat::compare(index, sides, &ApiQuestion::default(), Some(differing))?;
    let is_wanted =
        |path: &RepoPath| compared.limited == Limited::No || compared.file_at(path).is_some();
    Ok(crate::compat::told::api_changes(&answer, &is_wanted))
}

/// The files that differ between two sides, renames found. `paths`: pathspecs that limit them.
pub(crate) fn changed_files(
    index: &Index,
    paths: &[String],
    old: &IndexedSide,
    new: &IndexedSide,
    reader: &mut Reader<'_>,
) -> Result<Vec<FileChange>, QueryError> {
    let tree = |side: &IndexedSide| -> Result<_, QueryError> {
        Ok(side
            .commit
            .map(|commit| index.repo.commit(commit))
            .transpose()?
            .map(|commit| commit.tree))
    };
    let (old_tree, new_tree) = (tree(old)?, tree(new)?);
    let mut changes = if old_tree == new_tree {
        Vec::new()
    } else {
        index.repo.diff_trees(old_tree, new_tree)?
    };
    for (overlay, newer) in [(&old.overlay, false), (&new.overlay, true)] {
        if let Some(overlay) = overlay {
            changes = lay_over(changes, overlay, newer);
        }
    }
    let mut filter: PathFilter = index.repo.path_filter(paths)?;
    changes.retain(|change| {
        [&change.old, &change.new]
            .into_iter()
            .flatten()
            .any(|side| filter.matches(&side.path))
    });
    Ok(find_renames(changes, reader, &RenameOptions::default()).changes)
}

/// Combines a difference A→B with an overlay over B (`newer`) or over A.
fn lay_over(changes: Vec<FileChange>, overlay: &Overlay, newer: bool) -> Vec<FileChange> {
    let mut by_path: std::collections::BTreeMap<_, FileChange> = changes
        .into_iter()
        .map(|change| (change.path().clone(), change))
        .collect();
    for change in &overlay.changes {
        let path = change.path().clone();
        let below = by_path.remove(&path);
        let (before, after) = match below {
            Some(below) if newer => (below.old, change.new.clone()),
            Some(below) => (change.new.clone(), below.new),
            None if newer => (change.old.clone(), change.new.clone()),
            None => (change.new.clone(), change.old.clone()),
        };
        if let Some(change) = FileChange::between(before, after) {
            by_path.insert(path, change);
        }
    }
    by_path.into_values().collect()
}

/// Committed context of the newer side's commit.
fn context_files(index: &Index, side: &IndexedSide) -> Result<Option<Vec<RepoPath>>, QueryError> {
    let Some(commit) = side.commit else {
        return Ok(None);
    };
    let files = index
        .repo
        .folder_files(index.repo.commit(commit)?.tree, ".context")?;
    Ok((!files.is_empty()).then(|| files.into_iter().map(|file| file.path).collect()))
}

/// What was compared, in plain data.
pub(crate) fn range_entry(
    spec: &RangeSpec,
    range: &Range,
    [old, new]: [&IndexedSide; 2],
) -> RangeEntry {
    RangeEntry {
        spec: spec_text(spec),
        old: side_entry(range.old, old),
        new: side_entry(range.new, new),
        commits: (range.commits.iter().take(MAX_COMMITS))
            .map(|commit| CommitEntry {
                id: commit.id.to_string(),
                subject: commit.subject.clone(),
                body: commit.body.clone(),
                author: commit.author.clone(),
            })
            .collect(),
        n_commits: range.n_commits,
        paths: range.paths.clone(),
        scope: None,
        n_outside: 0,
    }
}

/// A side and what is planned over it.
pub(crate) fn planned_entry(base: Side, [old, new]: [&IndexedSide; 2]) -> RangeEntry {
    RangeEntry {
        spec: String::new(),
        old: side_entry(base, old),
        new: SideEntry {
            kind: SideKind::Planned,
            commit: new.commit.map(|commit| commit.to_string()),
        },
        commits: Vec::new(),
        n_commits: 0,
        paths: Vec::new(),
        scope: None,
        n_outside: 0,
    }
}

fn spec_text(spec: &RangeSpec) -> String {
    let mut words: Vec<&str> = Vec::new();
    words.extend(spec.revisions.iter().map(String::as_str));
    if words.is_empty() {
        // The same question in a word that can be pasted.
        "HEAD".to_owned()
    } else {
        words.join(" ")
    }
}

fn side_entry(side: Side, indexed: &IndexedSide) -> SideEntry {
    let kind = match side {
        Side::Empty => SideKind::Nothing,
        Side::Commit { .. } => SideKind::Commit,
        Side::Index => SideKind::Index,
        Side::WorkTree => SideKind::WorkTree,
    };
    SideEntry {
        kind,
        commit: indexed.commit.map(|commit| commit.to_string()),
    }
}

/// What is degraded, skipped or inactive among the changed files, and what the overlay could not tell.
fn notes(compared: &Compared, new: &IndexedSide) -> Result<Vec<FileNote>, QueryError> {
    let mut notes = Vec::new();
    for side in compared
        .files
        .iter()
        .flat_map(|file| [&file.old, &file.new])
        .flatten()
    {
        if let Some(reason) = compared.texts.absence(side.blob) {
            notes.push(FileNote {
                path: side.path.clone(),
                text: reason.to_owned(),
            });
        }
    }
    for side in compared.files.iter().filter_map(|file| file.new.as_ref()) {
        let Some(summary) = compared.new.file(&side.path)? else {
            continue;
        };
        let mut note = |text: String| {
            notes.push(FileNote {
                path: side.path.clone(),
                text,
            })
        };
        match summary.status {
            FileStatus::Indexed => {}
            FileStatus::Degraded(1) => note("one place did not parse".to_owned()),
            FileStatus::Degraded(places) => note(format!("{places} places did not parse")),
            FileStatus::Skipped(_) => {
                note(format!(
                    "skipped: {}",
                    summary
                        .status
                        .skip_reason()
                        .map_or("no facts", |reason| reason.text())
                ));
            }
        }
        if summary.inactive > 0 && changes_inactive(compared, side) {
            note("the change touches code that `#if` leaves out".to_owned());
        }
    }
    if let Some(overlay) = &new.overlay {
        notes.extend(overlay.conflicts.iter().map(|path| FileNote {
            path: path.clone(),
            text: "has merge conflicts".to_owned(),
        }));
    }
    notes.sort_by(|a, b| (&a.path, &a.text).cmp(&(&b.path, &b.text)));
    Ok(notes)
}

/// Whether a changed line of the new side lies between conditional directives that leave it out.
fn changes_inactive(compared: &Compared, side: &cortex_git::FileSide) -> bool {
    let Some(file) = compared.file_at(&side.path) else {
        return false;
    };
    let old = file
        .old
        .as_ref()
        .map_or(&[][..], |old| compared.texts.get(old.blob));
    let new = compared.texts.get(side.blob);
    let depths = code::conditional_lines(new);
    cortex_git::diff_lines(old, new).hunks.iter().any(|hunk| {
        hunk.new
            .clone()
            .any(|line| depths.get(line as usize).copied().unwrap_or(false))
    })
}

fn frameworks(compared: &Compared) -> Result<Vec<Frameworks>, QueryError> {
    let mut touched = std::collections::BTreeSet::new();
    for side in compared.files.iter().filter_map(|file| file.new.as_ref()) {
        if let Some(summary) = compared.new.file(&side.path)? {
            touched.extend(summary.projects);
        }
    }
    let shown =
        (compared.projects[1].iter()).filter(|record| touched.contains(&record.project.path));
    Ok(shown
        .filter(|record| !record.project.tfm.is_empty())
        .map(|record| Frameworks {
            project: record.project.path.clone(),
            active: record.project.tfm.clone(),
            others: record.project.other_tfms.clone(),
        })
        .collect())
}
