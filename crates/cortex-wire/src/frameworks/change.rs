//! How the answer of `diff-context` is united.

use std::collections::BTreeMap;

use cortex_model::RepoPath;

use super::{Item, Speaker, Unite, Views, add, answers::taken, order_tests};
use crate::{
    ApiChange, DiffContext, Impact, ImpactedType, LineUse, MemberChange, MemberChangeKind,
    ReachedTests, ReachingTest, RequestingTest, Subject, SymbolImpact, TypeChange,
};

/// What each framework has, by the number of the framework.
type Lists<T> = Vec<(usize, Vec<T>)>;

/// What happened to a type, in each framework.
fn united_types(views: &Views<'_>, lists: Lists<TypeChange>) -> Vec<TypeChange> {
    let mut members: Vec<(String, Lists<MemberChange>)> = Vec::new();
    let mut stripped = Vec::new();
    for (framework, mut list) in lists {
        for ty in &mut list {
            let changed = (framework, std::mem::take(&mut ty.members));
            match members.iter_mut().find(|(id, _)| *id == ty.ty.id) {
                Some((_, known)) => known.push(changed),
                None => members.push((ty.ty.id.clone(), vec![changed])),
            }
        }
        stripped.push((framework, list));
    }
    let mut types = views.items(Speaker::Row, stripped);
    for ty in &mut types {
        let at = members.iter().position(|(id, _)| *id == ty.ty.id);
        if let Some(at) = at {
            ty.members = views.items(Speaker::Row, members.swap_remove(at).1);
        }
    }
    types
}

/// Changes of the API: the frameworks of the type that changes speak for them.
fn united_api(views: &Views<'_>, types: &[TypeChange], lists: Lists<ApiChange>) -> Vec<ApiChange> {
    let mut by_project: BTreeMap<Option<&RepoPath>, Lists<ApiChange>> = BTreeMap::new();
    for (framework, list) in lists {
        for change in list {
            let ty = types.iter().find(|it| it.ty.name == change.ty);
            let known = by_project.entry(ty.map(|it| &it.project)).or_default();
            match known.last_mut() {
                Some((last, list)) if *last == framework => list.push(change),
                _ => known.push((framework, vec![change])),
            }
        }
    }
    let mut out = Vec::new();
    for (project, lists) in by_project {
        let project: Vec<RepoPath> = project.into_iter().cloned().collect();
        let views = views.clone().about(&project);
        out.extend(views.items(Speaker::Subject, lists));
    }
    out.sort_by_key(|it| it.severity);
    out
}

fn united_symbols(views: &Views<'_>, lists: Vec<(usize, Vec<SymbolImpact>)>) -> Vec<SymbolImpact> {
    type Uses = Vec<(usize, Vec<LineUse>)>;
    let mut out: Vec<(SymbolImpact, Uses)> = Vec::new();
    for (framework, list) in lists {
        for mut symbol in list {
            let uses = (framework, std::mem::take(&mut symbol.uses));
            let is_same = |it: &SymbolImpact| (&it.id, it.change) == (&symbol.id, symbol.change);
            match out.iter_mut().find(|(known, _)| is_same(known)) {
                Some((known, all)) => {
                    add(&mut known.implemented_by, symbol.implemented_by);
                    add(&mut known.siblings, symbol.siblings);
                    add(&mut known.sibling_routines, symbol.sibling_routines);
                    known.n_mentions = known.n_mentions.max(symbol.n_mentions);
                    known.n_uses = known.n_uses.max(symbol.n_uses);
                    for rest in symbol.rest {
                        match known.rest.iter_mut().find(|it| it.path == rest.path) {
                            Some(it) => it.n_uses = it.n_uses.max(rest.n_uses),
                            None => known.rest.push(rest),
                        }
                    }
                    all.push(uses);
                }
                None => out.push((symbol, vec![uses])),
            }
        }
    }
    let united = out.into_iter().map(|(mut symbol, uses)| {
        symbol.uses = views.items(Speaker::Row, uses);
        symbol.n_uses = match symbol.rest.is_empty() {
            true => symbol.uses.len(),
            false => symbol.n_uses.max(symbol.uses.len()),
        };
        symbol
    });
    united.collect()
}

fn united_tests(
    views: &Views<'_>,
    found: Vec<(usize, Option<ReachedTests>)>,
) -> Option<ReachedTests> {
    let found = found.into_iter();
    let mut found: Vec<(usize, ReachedTests)> =
        found.filter_map(|(at, tests)| Some((at, tests?))).collect();
    // Those of types count where no framework has others.
    let mut with_tests =
        (found.iter()).filter(|(_, it)| !it.tests.is_empty() || !it.set_up.is_empty());
    let is_of_types =
        with_tests.clone().next().is_some() && with_tests.all(|(_, it)| it.is_of_types);
    let mut tests = views.items(Speaker::Row, taken(&mut found, |it| &mut it.tests));
    let mut set_up = views.items(Speaker::Row, taken(&mut found, |it| &mut it.set_up));
    order_tests(&mut tests, &mut set_up);
    let n_all = found.iter().map(|(_, it)| it.n_all).max()?;
    let n_unseen = found.iter().map(|(_, it)| it.n_unseen).max()?;
    let n_in_classes = found.iter().map(|(_, it)| it.n_in_classes).max()?;
    // What one framework's tests reach is reached.
    let mut unreached = found
        .iter_mut()
        .map(|(_, it)| std::mem::take(&mut it.unreached));
    let mut of_all = unreached.next()?;
    for other in unreached {
        of_all.retain(|id| other.contains(id));
    }
    Some(ReachedTests {
        n_all: n_all.max(tests.len() + set_up.len()),
        tests,
        set_up,
        n_unseen,
        n_in_classes,
        unreached: of_all,
        is_of_types,
    })
}

/// Adds what only other frameworks have.
fn absorb<T>(into: &mut Vec<T>, from: Vec<T>, is_same: impl Fn(&T, &T) -> bool) {
    for value in from {
        if !into.iter().any(|known| is_same(known, &value)) {
            into.push(value);
        }
    }
}

fn united_impact(views: &Views<'_>, mut impacts: Vec<(usize, Impact)>) -> Option<Impact> {
    let symbols = united_symbols(views, taken(&mut impacts, |it| &mut it.symbols));
    let tests = impacts.iter_mut().map(|(at, it)| (*at, it.tests.take()));
    let tests = united_tests(views, tests.collect());
    let requesting = taken(&mut impacts, |it| &mut it.requesting_tests);
    let requesting_tests = views.items(Speaker::Row, requesting);
    let mut impacts = impacts.into_iter().map(|(_, impact)| impact);
    let mut out = impacts.next()?;
    let same_type = |a: &ImpactedType, b: &ImpactedType| a.ty.id == b.ty.id;
    for other in impacts {
        absorb(&mut out.next, other.next, |a, b| a.id == b.id);
        absorb(&mut out.registrations, other.registrations, |a, b| a == b);
        absorb(&mut out.direct, other.direct, same_type);
        absorb(&mut out.further, other.further, same_type);
        absorb(&mut out.lagging, other.lagging, |a, b| a == b);
        // What one framework uses is used.
        out.no_longer_used.retain(|it| {
            other
                .no_longer_used
                .iter()
                .any(|unused| unused.doc_id == it.doc_id)
        });
        absorb(&mut out.written_data, other.written_data, |a, b| {
            a.doc_id == b.doc_id
        });
        absorb(&mut out.counterparts, other.counterparts, |a, b| {
            (&a.shared, &a.adds) == (&b.shared, &b.adds)
        });
        absorb(&mut out.outside_services, other.outside_services, |a, b| {
            (&a.call, &a.service) == (&b.call, &b.service)
        });
        absorb(&mut out.conditions, other.conditions, |a, b| {
            a.condition == b.condition
        });
        absorb(&mut out.near_copies, other.near_copies, |a, b| {
            a.doc_id == b.doc_id
        });
        absorb(&mut out.inherited, other.inherited, |a, b| a == b);
        absorb(&mut out.copies, other.copies, |a, b| a == b);
        absorb(
            &mut out.nearby_documentation,
            other.nearby_documentation,
            |a, b| a.path == b.path,
        );
        absorb(&mut out.deserialized, other.deserialized, |a, b| a == b);
        absorb(&mut out.columns, other.columns, |a, b| a == b);
        absorb(&mut out.type_tests, other.type_tests, |a, b| a == b);
        absorb(&mut out.left_values, other.left_values, |a, b| a == b);
        absorb(&mut out.views, other.views, |a, b| a == b);
        absorb(&mut out.handed, other.handed, |a, b| a == b);
        absorb(&mut out.procedures, other.procedures, |a, b| a == b);
        absorb(&mut out.run_routines, other.run_routines, |a, b| a == b);
        absorb(&mut out.left_routines, other.left_routines, |a, b| a == b);
        absorb(&mut out.starting_tests, other.starting_tests, |a, b| {
            (&a.application, &a.project, &a.removed) == (&b.application, &b.project, &b.removed)
        });
        absorb(&mut out.workflows, other.workflows, |a, b| a == b);
        absorb(&mut out.deleted_tests, other.deleted_tests, |a, b| a == b);
        absorb(&mut out.lost_names, other.lost_names, |a, b| {
            (&a.name, &a.was) == (&b.name, &b.was)
        });
        out.n_beyond = out.n_beyond.max(other.n_beyond);
        let (known, more) = (&mut out.unfollowed_actions, other.unfollowed_actions);
        known.n = known.n.max(more.n);
        known.has_more |= more.has_more;
        out.n_routes = out.n_routes.max(other.n_routes);
    }
    let direct = &out.direct;
    out.further
        .retain(|it| !direct.iter().any(|near| same_type(near, it)));
    Some(Impact {
        symbols,
        tests,
        requesting_tests,
        ..out
    })
}

impl Unite for DiffContext {
    fn unite(views: &Views<'_>, mut answers: Vec<(usize, Self)>, _: usize) -> (Self, bool) {
        let types = united_types(views, taken(&mut answers, |it| &mut it.types));
        let api = united_api(views, &types, taken(&mut answers, |it| &mut it.api));
        let impacts = answers.iter_mut();
        let impacts = impacts.map(|(at, it)| (*at, std::mem::take(&mut it.impact)));
        let impact = united_impact(views, impacts.collect());
        let mut rest = answers.into_iter().map(|(_, answer)| answer);
        let mut out = rest.next().expect("there is an answer to unite");
        for other in rest {
            absorb(&mut out.notes, other.notes, |a, b| a == b);
            absorb(&mut out.damage, other.damage, |a, b| a.project == b.project);
            absorb(&mut out.routes, other.routes, |a, b| a == b);
            absorb(&mut out.contracts, other.contracts, |a, b| a == b);
            absorb(&mut out.models, other.models, |a, b| a.id == b.id);
            absorb(&mut out.forms, other.forms, |a, b| a == b);
            absorb(&mut out.namespaces, other.namespaces, |a, b| a == b);
            absorb(&mut out.stale, other.stale, |a, b| a == b);
        }
        for project in &mut out.frameworks {
            let names = [std::mem::take(&mut project.active)].into_iter();
            let mut names: Vec<String> = names.chain(project.others.drain(..)).collect();
            let rank = |name: &String| views.known.names().iter().position(|it| it == name);
            names.sort_by_key(rank);
            project.active = names.join(", ");
        }
        out.types = types;
        out.api = api;
        out.impact = impact.unwrap_or_default();
        let changed: Vec<&str> = out.types.iter().map(|it| it.ty.id.as_str()).collect();
        let is_changed = |it: &ImpactedType| changed.contains(&it.ty.id.as_str());
        out.impact.direct.retain(|it| !is_changed(it));
        out.impact.further.retain(|it| !is_changed(it));
        (out, false)
    }

    fn subject(&self) -> Option<&Subject> {
        None
    }
}

impl Item for ApiChange {
    type Key = (
        Option<String>,
        String,
        Option<String>,
        Option<String>,
        String,
    );
    fn key(&self) -> Self::Key {
        let (ty, reason) = (self.ty.clone(), self.reason.clone());
        (
            self.rule.clone(),
            ty,
            self.member.clone(),
            self.symbol.clone(),
            reason,
        )
    }
    fn file(&self) -> Option<&RepoPath> {
        None
    }
    fn frameworks_mut(&mut self) -> &mut Vec<String> {
        &mut self.frameworks
    }
    fn absorb(&mut self, _: Self) {}
}

impl Item for TypeChange {
    type Key = String;
    fn key(&self) -> String {
        self.ty.id.clone()
    }
    fn file(&self) -> Option<&RepoPath> {
        self.files.first()
    }
    fn frameworks_mut(&mut self) -> &mut Vec<String> {
        &mut self.frameworks
    }
    fn absorb(&mut self, other: Self) {
        // What is the most of a change in one framework is the change.
        self.class = self.class.min(other.class);
        self.n_dependents = self.n_dependents.max(other.n_dependents);
        add(&mut self.files, other.files);
        self.old_signature = self.old_signature.take().or(other.old_signature);
        self.new_signature = self.new_signature.take().or(other.new_signature);
        self.propagated = self.propagated.take().or(other.propagated);
    }
}

impl Item for MemberChange {
    type Key = (String, MemberChangeKind, Option<String>, Option<String>);
    fn key(&self) -> Self::Key {
        let signatures = (self.old_signature.clone(), self.new_signature.clone());
        (self.id.clone(), self.change, signatures.0, signatures.1)
    }
    fn file(&self) -> Option<&RepoPath> {
        Some(&self.path)
    }
    fn frameworks_mut(&mut self) -> &mut Vec<String> {
        &mut self.frameworks
    }
    fn absorb(&mut self, other: Self) {
        add(&mut self.notes, other.notes);
    }
}

impl Item for RequestingTest {
    type Key = <ReachingTest as Item>::Key;
    fn key(&self) -> Self::Key {
        self.test.key()
    }
    fn file(&self) -> Option<&RepoPath> {
        self.test.file()
    }
    fn frameworks_mut(&mut self) -> &mut Vec<String> {
        self.test.frameworks_mut()
    }
    fn absorb(&mut self, _: Self) {}
}

impl Item for LineUse {
    type Key = (RepoPath, u32, u32, RepoPath, Option<String>);
    fn key(&self) -> Self::Key {
        let via = self.via.as_ref().map(|via| via.to.clone());
        let (line, column) = (self.at.line, self.at.column);
        (self.path.clone(), line, column, self.project.clone(), via)
    }
    /// The project: a file that several compile has its uses once for each.
    fn file(&self) -> Option<&RepoPath> {
        Some(&self.project)
    }
    fn frameworks_mut(&mut self) -> &mut Vec<String> {
        &mut self.frameworks
    }
    fn absorb(&mut self, other: Self) {
        self.certainty = self.certainty.min(other.certainty);
    }
}
