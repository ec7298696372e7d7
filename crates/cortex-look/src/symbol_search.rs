//! Symbols by parts of their names: the question of `search symbols`.
//!
//! Owns: which symbols are candidates, their order, what is told of each. Must not know: how a name is matched.

pub(crate) mod matcher;

use crate::bounded::{Bounded, limits};
use crate::{
    QueryError,
    symbol::nearest,
    symbol_search::matcher::{Fit, LettersOfNames, Name, Query},
    viewpoint::Viewpoint,
};
use cortex_derived::{
    doc_ids::{DocIds, written_members},
    names::{
        code::{NameTable, NamedMember},
        names,
    },
};
use cortex_wire::{SearchAnswer, Suggestion, SymbolItem};

use cortex_wire::SymbolKind;

use std::collections::{BTreeMap, BTreeSet};

use cortex_model::{Accessibility, DeclKind, RepoPath, TypeKey, TypeKind, simple_name};
use rayon::prelude::*;
use rustc_hash::{FxHashMap, FxHashSet};

/// What is looked for.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct SearchQuestion {
    /// Parts of a name.
    pub query: String,
    /// Only symbols of these kinds, by their words; `type` and `member` stand for all of theirs. All where empty.
    pub kinds: Vec<String>,
    /// Whether types from outside of the repository count.
    pub external: bool,
    /// Whether documentation ids are told, each of which has to be read.
    pub doc_ids: bool,
}

/// A candidate with what it is ranked by, the best first.
#[derive(Clone, Copy)]
struct Hit {
    score: u32,
    found: NamedMember,
    /// Its name, an index into those that fit.
    name: u32,
}

/// Names are looked through in no more pieces than this: each has its own memory of what types start with.
const MAX_CHUNKS: u32 = 8;

/// After so many names the time is looked at.
const CHECK_EVERY: usize = 4_096;

/// Finds symbols by parts of their names.
///
/// # Errors
/// Those of reading the index, and [`QueryError::UnknownKind`].
pub fn search_symbols(
    view: &Viewpoint<'_>,
    question: &SearchQuestion,
) -> Result<Bounded<SearchAnswer>, QueryError> {
    let mut answer = SearchAnswer {
        query: question.query.clone(),
        items: Vec::new(),
        total: 0,
        diagnostics: Vec::new(),
        suggestions: Vec::new(),
    };
    check_kinds(&question.kinds)?;
    let Some(query) = Query::parse(&question.query) else {
        answer.diagnostics.push("the query is empty".to_owned());
        let limits = cortex_wire::Limits::default();
        return Ok(Bounded { answer, limits });
    };
    let table = names(view.source())?;
    let found = recall_best(view, &table, &query, question, &mut answer.diagnostics);
    let Recall {
        hits,
        fitting,
        is_over,
    } = found;
    let keys: Vec<_> = hits.iter().map(|hit| rank(&table, hit)).collect();
    let mut order: Vec<u32> = (0..hits.len() as u32).collect();
    let limit = view.limits.n_items;
    // One symbol of several assemblies stands in several rows: some more are ordered than told.
    let n_ordered = limit.saturating_mul(2).saturating_add(64);
    if order.len() > n_ordered {
        order.select_nth_unstable_by(n_ordered, |&a, &b| keys[a as usize].cmp(&keys[b as usize]));
        order.truncate(n_ordered);
    }
    order.sort_unstable_by(|&a, &b| keys[a as usize].cmp(&keys[b as usize]));
    let mut seen: FxHashSet<(&str, &str, u32, u32)> = FxHashSet::default();
    let mut n_twins = 0;
    let mut chosen: Vec<Hit> = Vec::new();
    for at in order {
        let hit = hits[at as usize];
        let found = &hit.found;
        let place = (
            table.ty(found.ty).fqn,
            table.path(found),
            found.line,
            found.column,
        );
        if !seen.insert(place) {
            n_twins += 1;
        } else if chosen.len() < limit {
            chosen.push(hit);
        }
    }
    answer.total = hits.len() - n_twins;
    let mut ids = Ids {
        view,
        ids: DocIds::new(view.snapshot()),
        members: FxHashMap::default(),
    };
    for hit in chosen {
        let doc_id = match question.doc_ids {
            true => ids.of(&table, &hit.found)?,
            false => None,
        };
        let name = &fitting[hit.name as usize];
        answer.items.push(item(&table, &hit, name, doc_id));
    }
    if question.external {
        external(view, &query, question, &mut answer)?;
    }
    if answer.total == 0 {
        let near = nearest(view.snapshot(), &question.query, &|node| {
            view.filter.has_type(node)
        })?;
        let kinds = Kinds::new(&question.kinds);
        let fitting = near.into_iter().filter(|it| kinds.has_word(it.kind.word()));
        let told = fitting.map(|it| Suggestion {
            qualified_name: it.name,
            kind: it.kind,
            id: it.id,
        });
        answer.suggestions = told.collect();
    }
    let limits = limits(
        answer.items.len(),
        answer.total,
        is_over || view.limits.is_over(),
    );
    Ok(Bounded { answer, limits })
}

/// Everything that matches a query; names with gaps where no single name matches without.
fn recall_best(
    view: &Viewpoint<'_>,
    table: &NameTable,
    query: &Query,
    question: &SearchQuestion,
    diagnostics: &mut Vec<String>,
) -> Recall {
    let found = recall(view, table, query, question);
    // One name with few gaps is nearer than a query that runs from the name of a type into that of a member.
    let is_across = found.hits.iter().all(|hit| hit.score == query.across());
    if is_across
        && !found.is_over
        && let Some(query) = query.with_gaps()
    {
        let mut gapped = recall(view, table, &query, question);
        let note = match found.hits.is_empty() {
            true => "no name contains these parts; showing names with these letters in this order",
            false => {
                "no single name contains these parts; names with these letters in this order come first"
            }
        };
        if !found.hits.is_empty() {
            gapped.raise(&query);
        }
        if !gapped.hits.is_empty() {
            diagnostics.push(note.to_owned());
        }
        return gapped.and(found);
    }
    found
}

/// Everything that matches a query, in no meaningful order.
#[derive(Default)]
struct Recall {
    hits: Vec<Hit>,
    /// The names of the hits.
    fitting: Vec<String>,
    /// Whether the time limit was reached first.
    is_over: bool,
}

impl Recall {
    /// Puts names with few gaps before matches across type and member; drops the others.
    fn raise(&mut self, query: &Query) {
        self.hits.retain(|hit| query.has_few_gaps(hit.score));
        for hit in &mut self.hits {
            hit.score += query.across();
        }
    }

    /// With what else was found.
    fn and(mut self, other: Self) -> Self {
        let n_names = self.fitting.len() as u32;
        self.fitting.extend(other.fitting);
        let others = other.hits.into_iter().map(|hit| Hit {
            name: hit.name + n_names,
            ..hit
        });
        self.hits.extend(others);
        Self {
            is_over: self.is_over || other.is_over,
            ..self
        }
    }
}

/// Everything that fits, and the names of it.
fn recall(
    view: &Viewpoint<'_>,
    table: &NameTable,
    query: &Query,
    question: &SearchQuestion,
) -> Recall {
    let n_chunks = (rayon::current_num_threads() as u32).clamp(1, MAX_CHUNKS);
    let ends: Vec<u32> = (0..=n_chunks)
        .map(|nth| (u64::from(table.n_runs()) * u64::from(nth) / u64::from(n_chunks)) as u32)
        .collect();
    let chunks = ends.par_windows(2);
    let found = chunks.map(|ends| recall_in(ends[0]..ends[1], view, table, query, question));
    let found: Vec<Recall> = found.collect();
    found.into_iter().fold(Recall::default(), Recall::and)
}

/// The same for some runs of names.
fn recall_in(
    runs: std::ops::Range<u32>,
    view: &Viewpoint<'_>,
    table: &NameTable,
    query: &Query,
    question: &SearchQuestion,
) -> Recall {
    let mut is_over = false;
    let may_cross = query.may_cross();
    let mut letters = LettersOfNames::default();
    let mut name = Name::new("");
    let mut ty = Name::new("");
    // How far the start of the query fits the name of each type, found when it is asked.
    let mut heads: Vec<Option<u64>> = vec![None; table.n_types() as usize];
    let mut heads_of = |number: u32| -> u64 {
        let Some(known) = heads.get_mut(number as usize) else {
            return 0;
        };
        *known.get_or_insert_with(|| {
            let simple = simple_name(table.ty(number).fqn);
            if !query.may_start(simple) {
                return 0;
            }
            ty.set(simple);
            query.heads(&ty)
        })
    };
    let kinds = Kinds::new(&question.kinds);
    let mut passes = Passes::new(view);
    let (mut hits, mut fitting) = (Vec::new(), Vec::<String>::new());
    let mut n_names = 0;
    table.each_name_of(runs, &mut |text, n_shared, called| {
        n_names += 1;
        if n_names % CHECK_EVERY == 0 && view.limits.is_over() {
            is_over = true;
            return false;
        }
        let fit = query.fit(text, n_shared, &mut letters);
        let Some(text) = (fit != Fit::No)
            .then(|| std::str::from_utf8(text).ok())
            .flatten()
        else {
            return true;
        };
        let (score, tails) = match fit {
            Fit::Tails(tails) => (None, tails),
            Fit::No | Fit::Maybe => {
                name.set(text);
                let tails = if may_cross { query.tails(&name) } else { 0 };
                (query.score(&name), tails)
            }
        };
        if score.is_none() && tails == 0 {
            return true;
        }
        let n_before = hits.len();
        for found in called {
            let crosses = tails != 0 && found.kind.is_some() && heads_of(found.ty) & tails != 0;
            let Some(score) = score.max(crosses.then(|| query.across())) else {
                continue;
            };
            if !kinds.has(table, &found) {
                continue;
            }
            let Some(cost) = container_cost(table, query, &found) else {
                continue;
            };
            if passes.has(table, &found) {
                let score = score.saturating_sub(cost);
                let name = fitting.len() as u32;
                hits.push(Hit { score, found, name });
            }
        }
        if hits.len() > n_before {
            fitting.push(text.to_owned());
        }
        true
    });
    Recall {
        hits,
        fitting,
        is_over,
    }
}

/// What the container of a symbol takes off its score.
fn container_cost(table: &NameTable, query: &Query, found: &NamedMember) -> Option<u32> {
    if !query.is_qualified() {
        return Some(0);
    }
    let fqn = table.ty(found.ty).fqn;
    let whole = match found.kind {
        Some(_) => fqn,
        None => &fqn[..fqn.len() - fqn.rsplit(['.', '+']).next().map_or(0, str::len)],
    };
    let parts: Vec<&str> = (whole.split(['.', '+']))
        .map(|part| part.split('`').next().unwrap_or(part))
        .filter(|part| !part.is_empty())
        .collect();
    query.qualified(parts.into_iter())
}

/// Score, kind, accessibility, fan-in, length, then name and place: total, so that the same question has the same
/// answer.
type Rank<'t> = (
    std::cmp::Reverse<u32>,
    u8,
    std::cmp::Reverse<Accessibility>,
    std::cmp::Reverse<u32>,
    usize,
    &'t str,
    TypeKey,
    u32,
);

fn rank<'t>(table: &'t NameTable, hit: &Hit) -> Rank<'t> {
    let ty = table.ty(hit.found.ty);
    let kind = match hit.found.kind {
        None => 0,
        Some(DeclKind::Method | DeclKind::Property) => 1,
        Some(DeclKind::Event) => 2,
        Some(_) => 3,
    };
    (
        std::cmp::Reverse(hit.score),
        kind,
        std::cmp::Reverse(hit.found.accessibility),
        std::cmp::Reverse(ty.fan_in),
        ty.fqn.len(),
        ty.fqn,
        ty.key,
        hit.found.at,
    )
}

/// Which kinds are asked for.
struct Kinds(BTreeSet<String>);

impl Kinds {
    fn new(words: &[String]) -> Self {
        Self(words.iter().map(|word| word.to_lowercase()).collect())
    }

    fn has(&self, table: &NameTable, found: &NamedMember) -> bool {
        if self.0.is_empty() {
            return true;
        }
        let word = match found.kind {
            Some(kind) => kind.name(),
            None => table.ty(found.ty).kind.name(),
        };
        self.has_word(word)
    }

    fn has_word(&self, word: &str) -> bool {
        let is_type = TypeKind::ALL.iter().any(|kind| kind.name() == word);
        let group = if is_type { TYPE } else { MEMBER };
        self.0.is_empty() || self.0.contains(word) || self.0.contains(group)
    }
}

/// The words for all kinds of types, and of members.
const TYPE: &str = "type";
const MEMBER: &str = "member";
/// The word for types from outside of the repository.
const EXTERNAL: &str = "external";

/// What may be asked for as a kind: those of types, then those of members that have names of their own.
fn known_kinds() -> Vec<&'static str> {
    let types = TypeKind::ALL.iter().map(|kind| kind.name());
    let members = NAMED.iter().map(|kind| kind.name());
    let groups = [TYPE, MEMBER].into_iter();
    let outside = [EXTERNAL].into_iter();
    groups.chain(types).chain(members).chain(outside).collect()
}

/// The kinds of members that are found by a name.
const NAMED: [DeclKind; 6] = [
    DeclKind::Method,
    DeclKind::Property,
    DeclKind::Field,
    DeclKind::Constant,
    DeclKind::Event,
    DeclKind::EnumMember,
];

fn check_kinds(asked: &[String]) -> Result<(), QueryError> {
    let known = known_kinds();
    let wrong = asked
        .iter()
        .find(|it| !known.contains(&it.to_lowercase().as_str()));
    match wrong {
        None => Ok(()),
        Some(kind) => Err(QueryError::UnknownKind {
            kind: kind.clone(),
            known,
        }),
    }
}

/// The filter, asked once for each file of a project.
struct Passes<'v, 'a> {
    view: &'v Viewpoint<'a>,
    known: FxHashMap<(String, String), bool>,
}

impl<'v, 'a> Passes<'v, 'a> {
    fn new(view: &'v Viewpoint<'a>) -> Self {
        Self {
            view,
            known: FxHashMap::default(),
        }
    }

    fn has(&mut self, table: &NameTable, found: &NamedMember) -> bool {
        let filter = self.view.filter;
        if filter.is_everything() {
            return true;
        }
        let (path, project) = (table.path(found), table.ty(found.ty).project);
        let known = self.known.entry((path.to_owned(), project.to_owned()));
        let of_file = |path: &str| RepoPath::from(path);
        *known.or_insert_with(|| filter.has(&of_file(path), &of_file(project)))
            && filter.has_line(&of_file(path), &of_file(project), found.line)
    }
}

fn item(table: &NameTable, hit: &Hit, name: &str, doc_id: Option<String>) -> SymbolItem {
    let found = &hit.found;
    let ty = table.ty(found.ty);
    let (name, qualified_name, kind, container) = match found.kind {
        None => {
            let simple = simple_name(ty.fqn);
            let last = ty.fqn.rsplit(['.', '+']).next().map_or(0, str::len);
            let container = ty.fqn[..ty.fqn.len() - last].trim_end_matches(['.', '+']);
            (
                simple.to_owned(),
                ty.fqn.to_owned(),
                SymbolKind::from(ty.kind),
                container,
            )
        }
        Some(kind) => {
            let qualified = format!("{}.{name}", ty.fqn);
            (name.to_owned(), qualified, SymbolKind::from(kind), ty.fqn)
        }
    };
    SymbolItem {
        frameworks: Vec::new(),
        name,
        qualified_name,
        kind,
        language: "C#".to_owned(),
        file: Some(RepoPath::from(table.path(found))),
        line: Some(found.line),
        column: Some(found.column),
        score: hit.score,
        container: container.to_owned(),
        doc_id,
        assembly: None,
    }
}

/// Documentation ids of what is told.
struct Ids<'v, 'a> {
    view: &'v Viewpoint<'a>,
    ids: DocIds<'a>,
    /// By type, those of its members in their order.
    members: FxHashMap<TypeKey, Vec<Option<String>>>,
}

impl Ids<'_, '_> {
    fn of(&mut self, table: &NameTable, found: &NamedMember) -> Result<Option<String>, QueryError> {
        let ty = table.ty(found.ty);
        if found.kind.is_none() {
            return Ok(Some(format!("T:{}", ty.fqn.replace('+', "."))));
        }
        if !self.members.contains_key(&ty.key) {
            let snapshot = self.view.snapshot();
            let (Some(node), Some(own)) = (snapshot.type_node(ty.key)?, self.ids.ty(ty.key)?)
            else {
                return Ok(None);
            };
            let written = written_members(&node, &own);
            let all = written.into_iter().map(|at| Some(own.member(at?)));
            self.members.insert(ty.key, all.collect());
        }
        let all = self.members.get(&ty.key);
        Ok(all.and_then(|all| all.get(found.at as usize).cloned().flatten()))
    }
}

/// Adds types from outside of the repository that it names. Reads what every type depends on.
fn external(
    view: &Viewpoint<'_>,
    query: &Query,
    question: &SearchQuestion,
    answer: &mut SearchAnswer,
) -> Result<(), QueryError> {
    let kinds = Kinds::new(&question.kinds);
    if !view.filter.has_outside() {
        return Ok(());
    }
    if !(kinds.0.is_empty() || kinds.0.contains(TYPE) || kinds.0.contains(EXTERNAL)) {
        return Ok(());
    }
    let snapshot = view.snapshot();
    let headers = snapshot.type_headers()?;
    let found = headers.par_iter().map(|(key, header)| {
        if view.limits.is_over() || !view.filter.has_project(&header.project) {
            return Ok(Vec::new());
        }
        let edges = snapshot.edges(*key)?.external.into_iter();
        Ok(edges
            .map(|edge| (edge.id.to_string(), edge.assembly.to_string()))
            .collect())
    });
    let found = found.collect::<Result<Vec<Vec<(String, String)>>, QueryError>>()?;
    let mut users: BTreeMap<(String, String), u32> = BTreeMap::new();
    for it in found.into_iter().flatten() {
        *users.entry(it).or_default() += 1;
    }
    let mut items: Vec<(u32, SymbolItem)> = Vec::new();
    let mut name = Name::new("");
    for ((id, assembly), n) in users {
        let path = id.get(2..).unwrap_or_default().to_owned();
        let simple = simple_name(&path).to_owned();
        name.set(&simple);
        let container = path[..path.rfind('.').unwrap_or(0)].to_owned();
        let Some(score) = query.score(&name) else {
            continue;
        };
        let Some(cost) = query.qualified(container.split('.').filter(|it| !it.is_empty())) else {
            continue;
        };
        items.push((
            n,
            SymbolItem {
                frameworks: Vec::new(),
                name: simple,
                qualified_name: path,
                kind: SymbolKind::External,
                language: "C#".to_owned(),
                file: None,
                line: None,
                column: None,
                score: score.saturating_sub(cost),
                container,
                doc_id: Some(id),
                assembly: Some(assembly),
            },
        ));
    }
    items.sort_by(|(n, a), (m, b)| {
        (
            std::cmp::Reverse(a.score),
            std::cmp::Reverse(n),
            &a.doc_id,
            &a.assembly,
        )
            .cmp(&(
                std::cmp::Reverse(b.score),
                std::cmp::Reverse(m),
                &b.doc_id,
                &b.assembly,
            ))
    });
    answer.total += items.len();
    // What the repository declares goes first where both fit alike.
    answer.items.extend(items.into_iter().map(|(_, item)| item));
    answer
        .items
        .sort_by_key(|item| std::cmp::Reverse(item.score));
    answer.items.truncate(view.limits.n_items);
    Ok(())
}
