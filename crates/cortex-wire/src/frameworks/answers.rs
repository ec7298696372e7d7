//! How each answer about one snapshot is united.

use std::collections::{BTreeMap, BTreeSet};

use super::{Speaker, Unite, Views, order_tests};
use crate::{
    CallsAnswer, DepsAnswer, DepsPath, DepsSide, Direction, NotKnown, OutlineAnswer, OutlineOrMap,
    RelativesAnswer, ResolveAnswer, SearchAnswer, SourceAnswer, Subject, SubjectTests, TestsAnswer,
    Through, TypeOutline, UnusedAnswer, UnusedItem, Usage, UsagesAnswer, Verdict,
};

/// So many places that may be uses are named.
const N_DOUBTS: usize = 5;

/// Takes a list out of each answer.
pub(super) fn taken<A, T>(
    answers: &mut [(usize, A)],
    list: impl Fn(&mut A) -> &mut Vec<T>,
) -> Vec<(usize, Vec<T>)> {
    let each = answers.iter_mut();
    each.map(|(framework, answer)| (*framework, std::mem::take(list(answer))))
        .collect()
}

/// The first answer, with the subject of all.
fn first<A>(
    views: &Views<'_>,
    answers: Vec<(usize, A)>,
    subject: impl Fn(&mut A) -> &mut Subject,
) -> A {
    let mut answers = answers.into_iter();
    let (framework, mut out) = answers.next().expect("there is an answer to unite");
    let mut subjects = vec![(framework, subject(&mut out).clone())];
    for (framework, mut answer) in answers {
        subjects.push((framework, subject(&mut answer).clone()));
    }
    if let Some(united) = views.subject(subjects) {
        *subject(&mut out) = united;
    }
    out
}

fn cut<T>(items: &mut Vec<T>, limit: usize) -> bool {
    let is_cut = items.len() > limit;
    items.truncate(limit);
    is_cut
}

/// The greatest of a count that cannot be united from rows.
fn greatest<A>(answers: &[(usize, A)], count: impl Fn(&A) -> usize) -> usize {
    let counts = answers.iter().map(|(_, answer)| count(answer));
    counts.max().unwrap_or_default()
}

fn united_through<A>(answers: &[(usize, A)], list: impl Fn(&A) -> &Vec<Through>) -> Vec<Through> {
    let mut out: Vec<Through> = Vec::new();
    for through in answers.iter().flat_map(|(_, answer)| list(answer)) {
        match out.iter_mut().find(|it| it.doc_id == through.doc_id) {
            Some(known) => known.total = known.total.max(through.total),
            None => out.push(through.clone()),
        }
    }
    out
}

fn is_at(places: &[Usage], place: &Usage) -> bool {
    let at = |it: &Usage| (it.file.clone(), it.line, it.column);
    places.iter().any(|it| at(it) == at(place))
}

/// The places that are in every list.
fn shared(lists: impl IntoIterator<Item = Vec<Usage>>) -> Vec<Usage> {
    let in_both = |known: Vec<Usage>, places: Vec<Usage>| {
        let shared = known.into_iter().filter(|place| is_at(&places, place));
        shared.collect()
    };
    lists.into_iter().reduce(in_both).unwrap_or_default()
}

/// What may be a use in any framework. What is a use in one is no doubt, and code that some framework compiles is not
/// left out.
fn united_doubts(all: Vec<NotKnown>, is_found: impl Fn(&Usage) -> bool) -> NotKnown {
    let mut out = NotKnown::default();
    let mut inactive: Vec<Vec<Usage>> = Vec::new();
    let mut n_inactive = usize::MAX;
    for doubts in all {
        let n_found = doubts.places.iter().filter(|it| is_found(it)).count();
        out.name_only = out.name_only.max(doubts.name_only - n_found);
        for place in doubts.places {
            if !is_found(&place) && !is_at(&out.places, &place) {
                out.places.push(place);
            }
        }
        n_inactive = n_inactive.min(doubts.inactive);
        inactive.push(doubts.inactive_places);
        out.degraded_files = out.degraded_files.max(doubts.degraded_files);
        out.skipped_files = out.skipped_files.max(doubts.skipped_files);
        out.visible_outside |= doubts.visible_outside;
    }
    out.inactive_places = shared(inactive);
    out.inactive_places.retain(|place| !is_found(place));
    out.inactive = match out.inactive_places.is_empty() {
        true => 0,
        false => n_inactive,
    };
    out.name_only = out.name_only.max(out.places.len());
    out.places.truncate(N_DOUBTS);
    out.inactive_places.truncate(N_DOUBTS);
    out
}

impl Unite for UsagesAnswer {
    fn unite(views: &Views<'_>, mut answers: Vec<(usize, Self)>, limit: usize) -> (Self, bool) {
        let mut items = views.items(Speaker::Row, taken(&mut answers, |it| &mut it.items));
        items.sort_by(|a, b| {
            let place = |it: &Usage| (it.test, it.file.clone(), it.line, it.column);
            place(a).cmp(&place(b))
        });
        let doubts = answers.iter_mut();
        let doubts = doubts.map(|(_, it)| std::mem::take(&mut it.not_known));
        let doubts: Vec<NotKnown> = doubts.collect();
        let not_known = united_doubts(doubts, |it| is_at(&items, it));
        let through = united_through(&answers, |it| &it.through);
        let elsewhere = greatest(&answers, |it| it.elsewhere);
        let is_doubtful = not_known.is_any()
            || !through.is_empty()
            || (answers.iter()).any(|(_, it)| it.mentions.total > 0);
        let mut out = first(views, answers, |it| &mut it.subject);
        out.contexts = BTreeMap::new();
        for item in &items {
            *out.contexts.entry(item.context).or_default() += 1;
        }
        let mut files: Vec<_> = items.iter().map(|item| &item.file).collect();
        files.sort_unstable();
        files.dedup();
        out.n_files = files.len();
        out.verdict = match (items.is_empty(), elsewhere) {
            (false, _) => Verdict::Found,
            (true, 1..) => Verdict::Elsewhere,
            (true, 0) if is_doubtful => Verdict::NotKnown,
            (true, 0) => Verdict::None,
        };
        (out.total, out.elsewhere) = (items.len(), elsewhere);
        (out.items, out.not_known, out.through) = (items, not_known, through);
        let is_cut = cut(&mut out.items, limit);
        let is_cut = cut(&mut out.mentions.items, limit) | is_cut;
        (out, is_cut)
    }

    fn subject(&self) -> Option<&Subject> {
        Some(&self.subject)
    }
}

impl Unite for ResolveAnswer {
    fn unite(views: &Views<'_>, mut answers: Vec<(usize, Self)>, _: usize) -> (Self, bool) {
        let lists = taken(&mut answers, |it| &mut it.declarations);
        let declarations = views.items(Speaker::Row, lists);
        let each_once = |of: fn(&Self) -> &Vec<String>| {
            let mut once: Vec<String> = Vec::new();
            for text in answers.iter().flat_map(|(_, it)| of(it)) {
                if !once.contains(text) {
                    once.push(text.clone());
                }
            }
            once
        };
        let (signatures, declared) = (each_once(|it| &it.signatures), each_once(|it| &it.declared));
        let out = Self {
            declarations,
            signatures,
            declared,
            ..first(views, answers, |it| &mut it.subject)
        };
        (out, false)
    }

    fn subject(&self) -> Option<&Subject> {
        Some(&self.subject)
    }
}

impl Unite for CallsAnswer {
    fn unite(views: &Views<'_>, mut answers: Vec<(usize, Self)>, limit: usize) -> (Self, bool) {
        let speaker = match answers.first().map(|(_, it)| it.direction) {
            Some(Direction::Callees) => Speaker::Subject,
            _ => Speaker::Row,
        };
        let mut items = views.items(speaker, taken(&mut answers, |it| &mut it.items));
        let mut edges = views.items(Speaker::Row, taken(&mut answers, |it| &mut it.edges));
        items.sort_by_cached_key(|it| (it.depth, it.at.is_none(), it.test, it.doc_id.clone()));
        let through = united_through(&answers, |it| &it.through);
        let doubts = answers.iter_mut();
        let doubts = doubts.map(|(_, it)| std::mem::take(&mut it.not_known));
        let doubts: Vec<NotKnown> = doubts.collect();
        let sites: BTreeSet<_> = (edges.iter().flat_map(|it| &it.sites))
            .map(|site| (&site.file, site.line, site.column))
            .collect();
        let is_found = |it: &Usage| sites.contains(&(&it.file, it.line, it.column));
        let not_known = united_doubts(doubts, is_found);
        let mut out = first(views, answers, |it| &mut it.subject);
        out.total = items.len();
        let left_out = items.split_off(limit.min(items.len()));
        let is_left_out = |id: &String| left_out.iter().any(|it| it.doc_id == *id);
        edges.retain(|it| !is_left_out(&it.from) && !is_left_out(&it.to));
        (out.items, out.edges, out.through) = (items, edges, through);
        out.not_known = not_known;
        (out, !left_out.is_empty())
    }

    fn subject(&self) -> Option<&Subject> {
        Some(&self.subject)
    }
}

impl Unite for RelativesAnswer {
    fn unite(views: &Views<'_>, mut answers: Vec<(usize, Self)>, limit: usize) -> (Self, bool) {
        let mut up = views.items(Speaker::Subject, taken(&mut answers, |it| &mut it.up));
        let mut down = views.items(Speaker::Row, taken(&mut answers, |it| &mut it.down));
        for list in [&mut up, &mut down] {
            list.sort_by_key(|it| it.depth);
        }
        let n_implements = greatest(&answers, |it| it.n_implements);
        let n_implementations = greatest(&answers, |it| it.n_implementations);
        let (n_up, n_down) = (up.len(), down.len());
        let is_cut = cut(&mut up, limit);
        let is_cut = cut(&mut down, limit) | is_cut;
        let out = Self {
            up,
            down,
            n_up,
            n_down,
            n_implements,
            n_implementations,
            ..first(views, answers, |it| &mut it.subject)
        };
        (out, is_cut)
    }

    fn subject(&self) -> Option<&Subject> {
        Some(&self.subject)
    }
}

fn side(
    views: &Views<'_>,
    speaker: Speaker,
    sides: Vec<(usize, Option<DepsSide>)>,
    limit: usize,
) -> (Option<DepsSide>, bool) {
    if sides.iter().all(|(_, side)| side.is_none()) {
        return (None, false);
    }
    let lists = sides.into_iter();
    let lists = lists.map(|(framework, side)| (framework, side.map_or(Vec::new(), |it| it.types)));
    let mut types = views.items(speaker, lists);
    types.sort_by_key(|it| std::cmp::Reverse(it.count));
    let n_types = types.len();
    let is_cut = cut(&mut types, limit);
    (Some(DepsSide { n_types, types }), is_cut)
}

impl Unite for DepsAnswer {
    fn unite(views: &Views<'_>, mut answers: Vec<(usize, Self)>, limit: usize) -> (Self, bool) {
        let (mut out_sides, mut in_sides) = (Vec::new(), Vec::new());
        for (framework, answer) in &mut answers {
            out_sides.push((*framework, answer.depends_on.take()));
            in_sides.push((*framework, answer.used_by.take()));
        }
        let (depends_on, is_out_cut) = side(views, Speaker::Subject, out_sides, limit);
        let (used_by, is_in_cut) = side(views, Speaker::Row, in_sides, limit);
        let mut outside = views.items(Speaker::Subject, taken(&mut answers, |it| &mut it.outside));
        outside.sort_by(|a, b| a.name.cmp(&b.name));
        // A way that some framework has is better than one that goes the other way round, or none.
        let worth = |path: &DepsPath| (path.steps.is_empty(), path.is_reversed);
        let paths = answers.iter().filter_map(|(_, it)| it.path.clone());
        let path = paths.min_by_key(worth);
        let out = Self {
            depends_on,
            used_by,
            outside,
            path,
            ..first(views, answers, |it| &mut it.subject)
        };
        (out, is_out_cut || is_in_cut)
    }

    fn subject(&self) -> Option<&Subject> {
        Some(&self.subject)
    }
}

impl Unite for SourceAnswer {
    fn unite(views: &Views<'_>, mut answers: Vec<(usize, Self)>, _: usize) -> (Self, bool) {
        let mut parts = views.items(Speaker::Row, taken(&mut answers, |it| &mut it.parts));
        parts.sort_by(|a, b| (&a.file, a.line).cmp(&(&b.file, b.line)));
        let out = Self {
            parts,
            ..first(views, answers, |it| &mut it.subject)
        };
        (out, false)
    }

    fn subject(&self) -> Option<&Subject> {
        Some(&self.subject)
    }
}

fn united_type(views: &Views<'_>, mut outlines: Vec<(usize, TypeOutline)>) -> Option<TypeOutline> {
    let mut members = views.items(Speaker::Row, taken(&mut outlines, |it| &mut it.members));
    // By kind, in the order of the source.
    let mut kinds = Vec::new();
    for member in &members {
        if !kinds.contains(&member.kind) {
            kinds.push(member.kind);
        }
    }
    members.sort_by_cached_key(|it| {
        let kind = kinds.iter().position(|kind| *kind == it.kind);
        (kind, it.file.clone(), it.line)
    });
    let files = views.items(Speaker::Row, taken(&mut outlines, |it| &mut it.files));
    let subject = Speaker::Subject;
    let implements = views.items(subject, taken(&mut outlines, |it| &mut it.implements));
    let depends_on = views.items(subject, taken(&mut outlines, |it| &mut it.depends_on));
    // Whose uses they are decides which frameworks speak, and a row does not say it.
    let mut used_by = views.items(subject, taken(&mut outlines, |it| &mut it.used_by));
    used_by.iter_mut().for_each(|it| it.frameworks.clear());
    let nested_names = views.items(subject, taken(&mut outlines, |it| &mut it.nested_names));
    let mut nested: Vec<Vec<(usize, TypeOutline)>> = Vec::new();
    for (framework, list) in taken(&mut outlines, |it| &mut it.nested) {
        for outline in list {
            match nested.iter_mut().find(|it| it[0].1.id == outline.id) {
                Some(known) => known.push((framework, outline)),
                None => nested.push(vec![(framework, outline)]),
            }
        }
    }
    let nested = nested.into_iter().filter_map(|it| united_type(views, it));
    let nested = nested.collect();
    let n_outside = greatest(&outlines, |it| it.n_outside);
    let n_hidden = greatest(&outlines, |it| it.n_hidden);
    let (_, out) = outlines.into_iter().next()?;
    Some(TypeOutline {
        members,
        files,
        implements,
        n_depends_on: depends_on.len(),
        depends_on,
        n_used_by: used_by.len(),
        used_by,
        nested,
        nested_names,
        n_outside,
        n_hidden,
        ..out
    })
}

impl Unite for OutlineAnswer {
    fn unite(views: &Views<'_>, mut answers: Vec<(usize, Self)>, _: usize) -> (Self, bool) {
        let mut source = views.items(Speaker::Row, taken(&mut answers, |it| &mut it.source));
        source.sort_by(|a, b| (&a.file, a.line).cmp(&(&b.file, b.line)));
        let types = answers.iter().map(|(at, it)| (*at, it.ty.clone()));
        let ty = united_type(views, types.collect());
        let mut out = first(views, answers, |it| &mut it.subject);
        out.source = source;
        out.ty = ty.unwrap_or(out.ty);
        (out, false)
    }

    fn subject(&self) -> Option<&Subject> {
        Some(&self.subject)
    }
}

impl Unite for OutlineOrMap {
    fn unite(views: &Views<'_>, answers: Vec<(usize, Self)>, limit: usize) -> (Self, bool) {
        let mut outlines = Vec::new();
        let mut map = None;
        for (framework, answer) in answers {
            match answer {
                Self::Outline(outline) => outlines.push((framework, outline)),
                Self::Map(found) => map = map.or(Some(found)),
            }
        }
        match map {
            Some(map) if outlines.is_empty() => (Self::Map(map), false),
            _ => {
                let (outline, is_cut) = OutlineAnswer::unite(views, outlines, limit);
                (Self::Outline(outline), is_cut)
            }
        }
    }

    fn subject(&self) -> Option<&Subject> {
        match self {
            Self::Outline(outline) => outline.subject(),
            Self::Map(_) => None,
        }
    }
}

impl Unite for SearchAnswer {
    fn unite(views: &Views<'_>, mut answers: Vec<(usize, Self)>, limit: usize) -> (Self, bool) {
        let mut items = views.items(Speaker::Row, taken(&mut answers, |it| &mut it.items));
        items.sort_by_key(|it| std::cmp::Reverse(it.score));
        let (_, mut out) = answers
            .into_iter()
            .next()
            .expect("there is an answer to unite");
        out.total = items.len();
        if out.total > 0 {
            out.suggestions.clear();
        }
        let is_cut = cut(&mut items, limit);
        out.items = items;
        (out, is_cut)
    }
}

impl Unite for UnusedAnswer {
    /// Unused is what no framework uses that has it.
    fn unite(views: &Views<'_>, mut answers: Vec<(usize, Self)>, limit: usize) -> (Self, bool) {
        let mut items = views.items(Speaker::Row, taken(&mut answers, |it| &mut it.items));
        items.retain(|item| {
            if item.frameworks.is_empty() {
                return true;
            }
            let speaking = views.of_file(&item.file);
            let names = views.known.names().iter().zip(&speaking).enumerate();
            let mut silent = names
                .filter(|(_, (name, speaks))| **speaks && !item.frameworks.contains(name))
                .map(|(framework, _)| framework);
            !silent.any(|framework| views.known.declares(framework, &item.id))
        });
        let rank = |it: &UnusedItem| {
            let why = it.reasons.first().map(|reason| reason.why);
            (why, it.n_tests > 0, it.file.clone(), it.line)
        };
        items.sort_by_cached_key(rank);
        let n_types = greatest(&answers, |it| it.n_types);
        let n_members = greatest(&answers, |it| it.n_members);
        let n_inactive = answers.iter().map(|(_, it)| it.n_inactive).min();
        let (_, mut out) = answers
            .into_iter()
            .next()
            .expect("there is an answer to unite");
        (out.n_types, out.n_members) = (n_types, n_members);
        out.n_inactive = n_inactive.unwrap_or_default();
        (out.n_unused, out.n_only_tests, out.n_mentioned) = (0, 0, 0);
        out.n_maybe = BTreeMap::new();
        for item in &items {
            out.n_mentioned += usize::from(item.reasons.is_empty() && item.n_mentions > 0);
            match item.reasons.first() {
                Some(reason) => *out.n_maybe.entry(reason.why).or_default() += 1,
                None if item.n_tests > 0 => out.n_only_tests += 1,
                None => out.n_unused += 1,
            }
        }
        let is_cut = cut(&mut items, limit);
        out.items = items;
        (out, is_cut)
    }
}

impl Unite for SubjectTests {
    fn unite(views: &Views<'_>, mut answers: Vec<(usize, Self)>, _: usize) -> (Self, bool) {
        let mut tests = views.items(Speaker::Row, taken(&mut answers, |it| &mut it.tests));
        let mut set_up = views.items(Speaker::Row, taken(&mut answers, |it| &mut it.set_up));
        order_tests(&mut tests, &mut set_up);
        let mut members: Vec<String> = Vec::new();
        for (_, answer) in &mut answers {
            members.append(&mut answer.members);
        }
        members.sort_unstable();
        members.dedup();
        let n_all = greatest(&answers, |it| it.n_all).max(tests.len() + set_up.len());
        let n_unseen = greatest(&answers, |it| it.n_unseen);
        let known = answers.iter().position(|(_, it)| it.error.is_none());
        let (_, out) = answers.swap_remove(known.unwrap_or_default());
        let out = Self {
            tests,
            set_up,
            members,
            n_all,
            n_unseen,
            ..out
        };
        (out, false)
    }
}

impl Unite for TestsAnswer {
    fn unite(views: &Views<'_>, answers: Vec<(usize, Self)>, limit: usize) -> (Self, bool) {
        let mut by_subject: Vec<Vec<(usize, SubjectTests)>> = Vec::new();
        for (framework, answer) in answers {
            for (at, subject) in answer.subjects.into_iter().enumerate() {
                match by_subject.get_mut(at) {
                    Some(known) => known.push((framework, subject)),
                    None => by_subject.push(vec![(framework, subject)]),
                }
            }
        }
        let subjects = by_subject.into_iter();
        let subjects = subjects.map(|it| SubjectTests::unite(views, it, limit).0);
        let out = Self {
            subjects: subjects.collect(),
        };
        (out, false)
    }
}

/// An answer with its graph, which is that of the first framework: what is drawn is one view.
impl<A: Unite, G> Unite for (A, G) {
    fn unite(views: &Views<'_>, answers: Vec<(usize, Self)>, limit: usize) -> (Self, bool) {
        let mut graph = None;
        let mut united = Vec::with_capacity(answers.len());
        for (framework, (answer, found)) in answers {
            graph = graph.or(Some(found));
            united.push((framework, answer));
        }
        let (answer, is_cut) = A::unite(views, united, limit);
        (
            (answer, graph.expect("there is an answer to unite")),
            is_cut,
        )
    }

    fn subject(&self) -> Option<&Subject> {
        self.0.subject()
    }
}
