//! Who calls a member, and whom it calls, through as many steps as are asked for.
//!
//! Owns: which uses are calls, the order of the answer. Must not know: how names were bound.

use crate::bounded::{Bounded, limits_of_found};
use crate::{
    QueryError,
    dispatch::{Dispatch, Types},
    drawing::Drawing,
    family,
    places::{Outside, Texts, Wanted, files_using, places, target_of},
    roles::{role_of_name, role_of_use},
    subject::{Asked, find_asked, kind_of_id},
    through::through,
    usages::{Family, TestProjects, id_of, not_known},
    viewpoint::Viewpoint,
};
use cortex_derived::{
    doc_ids::{DocIds, written_members},
    target::Target,
};
use cortex_wire::{CallEdge, CallItem, CallsAnswer, Direction, NotKnown, Site, Where};

use cortex_wire::{FamilyRelation, Role, SymbolKind};
use std::collections::BTreeMap;

use cortex_bind::{PartRef, member_detail};
use cortex_index::{BoundTarget, FileSummary, Receiver};
use cortex_model::{EdgeKind, RepoPath, TypeKey};
use cortex_syntax::Sections;
use rustc_hash::{FxHashMap, FxHashSet};

/// A place as it was found: what it does, its file, its offset, and whether the answer may speak of it.
type Found<'f> = (Role, &'f FileSummary, u32, bool);

/// Of so many callers it is told what else may run them.
const MAX_THROUGH: usize = 40;

/// So many places of one call are told.
const MAX_SITES: usize = 5;

/// Whether a context runs nothing.
fn is_silent(role: Role) -> bool {
    matches!(role, Role::Doc | Role::Nameof | Role::Typeof)
}

/// Follows calls from what `text` means, `depth` steps far.
///
/// # Errors
/// Those of [`crate::subject::find_symbol`].
pub fn calls(
    view: &Viewpoint<'_>,
    text: &str,
    direction: Direction,
    depth: u32,
    family: Family,
) -> Result<Bounded<CallsAnswer>, QueryError> {
    let asked = find_asked(view, text)?;
    let mut walk = Walk {
        view,
        direction,
        // What the answer may not speak of leads to what it may.
        outside: match depth > 1 && !view.filter.is_everything() {
            true => Outside::Marked,
            false => Outside::Skipped,
        },
        ids: DocIds::new(view.snapshot()),
        texts: Texts::new(view.blobs()),
        tests: TestProjects::read(view.snapshot())?,
        dispatch: Dispatch::default(),
        family,
        items: Vec::new(),
        targets: FxHashMap::default(),
        passing: FxHashSet::default(),
        wheres: Wheres::default(),
        seen: FxHashSet::default(),
        whole: FxHashSet::default(),
        overloads: FxHashSet::default(),
        declared: BTreeMap::new(),
        depth,
        edges: BTreeMap::new(),
    };
    let mut ring = walk.members(&asked)?;
    walk.seen.extend(ring.iter().copied());
    // Of a type, what its members do among themselves is not asked; of overloads it is.
    match asked.targets.iter().any(|it| matches!(it, Target::Type(_))) {
        true => walk.whole.extend(ring.iter().map(|it| it.key())),
        false => walk.overloads.extend(ring.iter().copied()),
    }
    for step in 1..=depth {
        if ring.is_empty() || view.limits.is_over() || walk.n_told() > view.limits.n_items {
            break;
        }
        ring = match direction {
            Direction::Callers => walk.callers(&ring, step)?,
            Direction::Callees => walk.callees(&ring, step)?,
        };
    }
    walk.finish(asked)
}

struct Walk<'v, 'a> {
    view: &'v Viewpoint<'a>,
    direction: Direction,
    outside: Outside,
    ids: DocIds<'a>,
    texts: Texts<'a>,
    tests: TestProjects,
    dispatch: Dispatch,
    family: Family,
    items: Vec<CallItem>,
    /// The member of each item.
    targets: FxHashMap<String, Target>,
    /// The items that the filter lets pass, where there is one.
    passing: FxHashSet<String>,
    wheres: Wheres,
    /// What was or will be asked.
    seen: FxHashSet<Target>,
    /// The types that were asked for as a whole.
    whole: FxHashSet<TypeKey>,
    /// The members that were asked for, where these are not whole types. One that calls another is told once.
    overloads: FxHashSet<Target>,
    /// Where callers of what is outside are declared, by id.
    declared: BTreeMap<String, Where>,
    /// How many steps are gone.
    depth: u32,
    /// By caller, callee and what is named.
    edges: BTreeMap<(String, String, Option<String>), CallEdge>,
}

impl Walk<'_, '_> {
    /// The members that are asked for: all of a type.
    fn members(&mut self, asked: &Asked) -> Result<Vec<Target>, QueryError> {
        let mut out = Vec::new();
        for &target in &asked.targets {
            match target {
                Target::Member(..) => out.push(target),
                Target::Type(key) => {
                    if let Some(own) = self.ids.ty(key)? {
                        let tags = own.symbols.tags();
                        out.extend(tags.map(|tag| Target::Member(key, tag)));
                    }
                }
            }
        }
        Ok(out)
    }

    /// Those that call members of a ring: the next ring.
    fn callers(&mut self, ring: &[Target], step: u32) -> Result<Vec<Target>, QueryError> {
        let view = self.view;
        let mut wanted = Wanted::default();
        // What a call names, by number: the members of the ring, and what it names instead.
        let mut named: Vec<(Vec<Target>, Option<String>)> = Vec::new();
        for &target in ring {
            wanted.insert(target, named.len() as u32);
            named.push((vec![target], None));
        }
        if self.family == Family::WithOverrides {
            for &target in ring {
                for relative in family::relatives(&mut self.ids, &[target])? {
                    let is_above = family::is_above(relative.relation);
                    let Some(above) = relative.target.filter(|_| is_above) else {
                        continue;
                    };
                    let number = *wanted.entry(above).or_insert(named.len() as u32) as usize;
                    match named.get_mut(number) {
                        None => named.push((vec![target], Some(relative.doc_id))),
                        Some((targets, Some(_))) => targets.push(target),
                        // A call of another member of the ring is one of that alone.
                        Some((_, None)) => {}
                    }
                }
            }
        }
        let files = files_using(view.snapshot(), &wanted)?;
        let is_over = || view.limits.is_over();
        let filter = (view.filter, self.outside);
        let found = places(view.snapshot(), &files, &wanted, filter, &is_over)?;
        let mut next = Vec::new();
        for place in found {
            let Some(inside) = place.inside.filter(|_| !is_silent(place.role)) else {
                continue;
            };
            if step == 1 && self.whole.contains(&inside.key()) {
                continue;
            }
            let file = &files[place.file as usize];
            let (targets, via) = &named[place.target as usize];
            let target = match via {
                None => targets.first().copied(),
                Some(_) => self.runnable(targets, &place.receiver)?,
            };
            let Some(target) = target else { continue };
            let (Some(from), Some(to)) =
                (id_of(&mut self.ids, inside)?, id_of(&mut self.ids, target)?)
            else {
                continue;
            };
            if self.texts.of(file)?.is_in_nameof(place.offset) {
                continue;
            }
            let site = (place.role, file, place.offset, place.passes);
            self.add_edge(from, to, via.clone(), site)?;
            self.add_found(inside, target, step, &mut next)?;
        }
        next.sort_unstable();
        Ok(next)
    }

    /// Adds a member that was found from another one, and asks it next, each once.
    fn add_found(
        &mut self,
        found: Target,
        other: Target,
        step: u32,
        next: &mut Vec<Target>,
    ) -> Result<(), QueryError> {
        if self.seen.insert(found) {
            self.add_item(found, step)?;
            next.push(found);
        } else if found != other && self.overloads.remove(&found) {
            self.add_item(found, step)?;
        }
        Ok(())
    }

    /// The first of some members that a call may run.
    fn runnable(
        &mut self,
        targets: &[Target],
        receiver: &Receiver,
    ) -> Result<Option<Target>, QueryError> {
        for &target in targets {
            let dispatch = &mut self.dispatch;
            if dispatch.may_run(&mut Types(&mut self.ids), target.key(), receiver)? {
                return Ok(Some(target));
            }
        }
        Ok(None)
    }

    /// What members of a ring call: the next ring.
    fn callees(&mut self, ring: &[Target], step: u32) -> Result<Vec<Target>, QueryError> {
        let mut by_type: BTreeMap<TypeKey, Vec<Target>> = BTreeMap::new();
        for &target in ring {
            by_type.entry(target.key()).or_default().push(target);
        }
        let snapshot = self.view.snapshot();
        let mut next = Vec::new();
        for (key, targets) in by_type {
            let Some(header) = snapshot.type_header(key)? else {
                continue;
            };
            let mut places: Vec<(&RepoPath, &RepoPath)> = (header.parts.iter())
                .map(|part| (&part.path, header.project_of(part)))
                .collect();
            places.sort_unstable();
            places.dedup();
            for (path, project) in places {
                if self.view.limits.is_over() {
                    return Ok(Vec::new());
                }
                let Some(file) = snapshot.file(path)? else {
                    continue;
                };
                let may_pass = self.view.filter.has(path, project);
                let bindings = snapshot.bindings(path, project)?;
                for decl in &bindings.decls {
                    let own = decl.symbol;
                    let own = own.and_then(|it| target_of(&bindings.targets[it as usize]));
                    let Some(own) = own.filter(|it| targets.contains(it)) else {
                        continue;
                    };
                    let Some(from) = id_of(&mut self.ids, own)? else {
                        continue;
                    };
                    let refs = decl
                        .refs
                        .iter()
                        .map(|it| (it.offset, it.target, role_of_name(it.kind)));
                    let uses = decl.uses.iter();
                    let uses = uses.map(|it| (it.offset, it.target, role_of_use(it.how)));
                    let mut all: Vec<(u32, u32, Role)> = refs.chain(uses).collect();
                    all.sort_unstable();
                    for (offset, target, context) in all {
                        let target = match target_of(&bindings.targets[target as usize]) {
                            Some(target @ Target::Member(..)) if !is_silent(context) => target,
                            _ => continue,
                        };
                        if target == own || self.texts.of(&file)?.is_in_nameof(offset) {
                            continue;
                        }
                        let passes = may_pass && self.view.filter.has_offset(path, offset);
                        let site = (context, &file, offset, passes);
                        let caller = (from.as_str(), own);
                        self.add_callee(caller, target, None, site, step, &mut next)?;
                        if self.family == Family::WithOverrides {
                            let named = id_of(&mut self.ids, target)?;
                            let receiver = decl.receiver_at(&bindings.targets, offset);
                            for relative in family::relatives(&mut self.ids, &[target])? {
                                let is_below = matches!(
                                    relative.relation,
                                    FamilyRelation::Override | FamilyRelation::Implementation
                                );
                                let below = relative.target.filter(|_| is_below);
                                let below = below.as_slice();
                                if let Some(below) = self.runnable(below, &receiver)? {
                                    let via = named.clone();
                                    self.add_callee(caller, below, via, site, step, &mut next)?;
                                }
                            }
                        }
                    }
                    for (target, kinds) in &decl.externals {
                        let BoundTarget::External(id, _) = &bindings.targets[*target as usize]
                        else {
                            continue;
                        };
                        let runs = [
                            EdgeKind::Calls,
                            EdgeKind::Creates,
                            EdgeKind::Extension,
                            EdgeKind::Reads,
                            EdgeKind::Writes,
                        ];
                        let words: Vec<Role> = (runs.into_iter())
                            .filter(|&kind| kinds.contains(kind))
                            .map(role_of_name)
                            .collect();
                        if words.is_empty() {
                            continue;
                        }
                        self.add_external((&from, own), id, words, step)?;
                    }
                }
            }
        }
        next.sort_unstable();
        Ok(next)
    }

    fn add_callee(
        &mut self,
        (from, own): (&str, Target),
        target: Target,
        via: Option<String>,
        site: Found<'_>,
        step: u32,
        next: &mut Vec<Target>,
    ) -> Result<(), QueryError> {
        let Some(to) = id_of(&mut self.ids, target)? else {
            return Ok(());
        };
        self.add_edge(from.to_owned(), to, via, site)?;
        self.add_found(target, own, step, next)
    }

    fn add_edge(
        &mut self,
        from: String,
        to: String,
        via: Option<String>,
        (context, file, offset, passes): Found<'_>,
    ) -> Result<(), QueryError> {
        let edge = self.edges.entry((from.clone(), to.clone(), via.clone()));
        let edge = edge.or_insert_with(|| CallEdge {
            frameworks: Vec::new(),
            from,
            to,
            via,
            contexts: Vec::new(),
            n_sites: 0,
            sites: Vec::new(),
            caller: None,
        });
        if !edge.contexts.contains(&context) {
            edge.contexts.push(context);
            edge.contexts.sort_unstable();
        }
        // What is called may pass where the call does not.
        if !passes {
            return Ok(());
        }
        edge.n_sites += 1;
        if edge.sites.len() < MAX_SITES {
            let text = self.texts.of(file)?;
            let at = text.position(offset);
            edge.sites.push(Site {
                file: file.path.clone(),
                line: at.line,
                column: at.column,
                text: text.snippet(offset, self.view.filter.ranges(&file.path)),
            });
        }
        Ok(())
    }

    fn add_external(
        &mut self,
        (from, caller): (&str, Target),
        id: &str,
        contexts: Vec<Role>,
        step: u32,
    ) -> Result<(), QueryError> {
        if !self.view.filter.is_everything() {
            return Ok(());
        }
        if !self.declared.contains_key(from)
            && let Some(at) = self.wheres.of(self.view, &mut self.ids, caller)?
        {
            self.declared.insert(from.to_owned(), at);
        }
        let key = (from.to_owned(), id.to_owned(), None);
        self.edges.entry(key).or_insert_with(|| CallEdge {
            frameworks: Vec::new(),
            from: from.to_owned(),
            to: id.to_owned(),
            via: None,
            n_sites: 0,
            contexts,
            sites: Vec::new(),
            caller: self.declared.get(from).cloned(),
        });
        if self.items.iter().all(|it| it.doc_id != id) {
            self.items.push(CallItem {
                frameworks: Vec::new(),
                doc_id: id.to_owned(),
                kind: SymbolKind::External,
                depth: step,
                at: None,
                test: false,
                through: Vec::new(),
                through_outside: 0,
            });
        }
        Ok(())
    }

    fn add_item(&mut self, target: Target, step: u32) -> Result<(), QueryError> {
        let Some(doc_id) = id_of(&mut self.ids, target)? else {
            return Ok(());
        };
        let passes = self.passes(target)?;
        // Of the same member in several projects the one that is told.
        if passes && !self.view.filter.is_everything() && self.passing.insert(doc_id.clone()) {
            self.targets.insert(doc_id.clone(), target);
        }
        if self.items.iter().any(|it| it.doc_id == doc_id) {
            return Ok(());
        }
        self.targets.entry(doc_id.clone()).or_insert(target);
        let project = self.view.snapshot().type_header(target.key())?;
        let test = project.is_some_and(|it| self.tests.has(&it.project));
        self.items.push(CallItem {
            frameworks: Vec::new(),
            kind: kind_of_id(&doc_id),
            doc_id,
            depth: step,
            at: None,
            test,
            through: Vec::new(),
            through_outside: 0,
        });
        Ok(())
    }

    /// Whether the answer may speak of a member.
    fn passes(&mut self, target: Target) -> Result<bool, QueryError> {
        let filter = self.view.filter;
        if filter.is_everything() {
            return Ok(true);
        }
        let Some(header) = self.view.snapshot().type_header(target.key())? else {
            return Ok(false);
        };
        let mut parts = header.parts.iter();
        if !parts.any(|part| filter.has(&part.path, &header.project)) {
            return Ok(false);
        }
        let at = self.wheres.of(self.view, &mut self.ids, target)?;
        Ok(at.is_some_and(|at| filter.has_line(&at.file, &at.project, at.line)))
    }

    /// How many items are told.
    fn n_told(&self) -> usize {
        if self.view.filter.is_everything() {
            return self.items.len();
        }
        let calling = self.calling();
        let told = self.items.iter();
        told.filter(|item| self.is_told(item, &calling)).count()
    }

    /// The callers with a place that the filter lets pass.
    fn calling(&self) -> FxHashSet<&str> {
        let edges = self.edges.values().filter(|edge| edge.n_sites > 0);
        edges.map(|edge| edge.from.as_str()).collect()
    }

    fn is_told(&self, item: &CallItem, calling: &FxHashSet<&str>) -> bool {
        let is_caller = self.direction == Direction::Callers;
        self.view.filter.is_everything()
            || (self.passing.contains(&item.doc_id)
                && (!is_caller || calling.contains(item.doc_id.as_str())))
    }

    /// Tells of callers that were followed what else may run them.
    fn tell_ways_above(&mut self) -> Result<(), QueryError> {
        let mut n_looked = 0;
        for item in &mut self.items {
            let target = self.targets.get(&item.doc_id).copied();
            let Some(target) = target.filter(|_| item.depth < self.depth) else {
                continue;
            };
            if n_looked >= MAX_THROUGH || self.view.limits.is_over() {
                break;
            }
            n_looked += 1;
            let counts = |role| !is_silent(role);
            item.through = through(self.view, &mut self.ids, &[target], counts)?;
        }
        Ok(())
    }

    fn finish(mut self, asked: Asked) -> Result<Bounded<CallsAnswer>, QueryError> {
        let (view, direction) = (self.view, self.direction);
        if !view.filter.is_everything() {
            let calling = self.calling();
            let told: Vec<CallItem> = (self.items.iter())
                .filter(|item| self.is_told(item, &calling))
                .cloned()
                .collect();
            self.items = told;
        }
        let order = |it: &CallItem| {
            (
                it.depth,
                it.kind == SymbolKind::External,
                direction == Direction::Callees && it.is_data(),
                it.test,
                it.doc_id.clone(),
            )
        };
        self.items.sort_by_cached_key(order);
        let total = self.items.len();
        self.items.truncate(view.limits.n_items);
        for item in &mut self.items {
            if let Some(&target) = self.targets.get(&item.doc_id) {
                item.at = self.wheres.of(view, &mut self.ids, target)?;
            }
        }
        let is_alone = self.family == Family::Alone && direction == Direction::Callers;
        if is_alone && view.filter.is_everything() {
            self.tell_ways_above()?;
        }
        let mut starts: FxHashSet<String> = FxHashSet::default();
        for target in self.members(&asked)? {
            starts.extend(id_of(&mut self.ids, target)?);
        }
        let near_and_far = |edge: &CallEdge| match direction {
            Direction::Callers => (edge.to.clone(), edge.from.clone()),
            Direction::Callees => (edge.from.clone(), edge.to.clone()),
        };
        let may_tell = |id: &String| {
            view.filter.is_everything() || starts.contains(id) || self.passing.contains(id)
        };
        let mut hidden: FxHashMap<String, FxHashSet<String>> = FxHashMap::default();
        for (near, far) in self.edges.values().map(near_and_far) {
            if !may_tell(&near) {
                hidden.entry(far).or_default().insert(near);
            }
        }
        for item in &mut self.items {
            item.through_outside = hidden.get(&item.doc_id).map_or(0, FxHashSet::len);
        }
        let shown: FxHashSet<&str> = self.items.iter().map(|it| it.doc_id.as_str()).collect();
        let is_told = |id: &String| shown.contains(id.as_str()) || starts.contains(id);
        let edges: Vec<CallEdge> = (self.edges.into_values())
            .filter(|edge| is_told(&edge.from) && is_told(&edge.to))
            // Between members that are asked for, the calls have to pass.
            .filter(|edge| {
                let ends = [&edge.from, &edge.to];
                edge.n_sites > 0 || ends.iter().any(|id| shown.contains(id.as_str()))
            })
            .collect();
        let through = match is_alone {
            true => through(view, &mut self.ids, &asked.targets, |role| !is_silent(role))?,
            false => Vec::new(),
        };
        let not_known = match direction {
            Direction::Callers => {
                not_known(view, &asked, &mut self.ids, &mut self.texts, &self.tests)?
            }
            Direction::Callees => NotKnown::default(),
        };
        let doing = match direction {
            Direction::Callers => "find callers",
            Direction::Callees => "find callees",
        };
        let n_items = [self.items.len(), total];
        let limits = limits_of_found(doing, n_items, view.limits.is_over())?;
        let answer = CallsAnswer {
            subject: asked.subject,
            direction,
            items: self.items,
            edges,
            total,
            through,
            not_known,
        };
        Ok(Bounded { answer, limits })
    }
}

/// Where members are declared, types read once.
#[derive(Default)]
pub(crate) struct Wheres {
    members: FxHashMap<Target, Option<Where>>,
}

impl Wheres {
    pub(crate) fn of(
        &mut self,
        view: &Viewpoint<'_>,
        ids: &mut DocIds<'_>,
        target: Target,
    ) -> Result<Option<Where>, QueryError> {
        if let Some(known) = self.members.get(&target) {
            return Ok(known.clone());
        }
        let snapshot = view.snapshot();
        let key = target.key();
        let (Some(node), Some(own)) = (snapshot.type_node(key)?, ids.ty(key)?) else {
            return Ok(None);
        };
        let of_part = |at: usize, line: Option<u32>| {
            node.parts.get(at).map(|part| Where {
                file: part.path.clone(),
                line: line.unwrap_or(part.line),
                project: node.project_of(part).clone(),
            })
        };
        // What the compiler makes stands where its type does.
        let passes = |part: &PartRef| {
            let project = node.project_of(part);
            view.filter.has_line(&part.path, project, part.line)
        };
        let whole = of_part(node.parts.iter().position(passes).unwrap_or(0), None);
        self.members.insert(Target::Type(key), whole.clone());
        for tag in own.symbols.tags() {
            self.members.insert(Target::Member(key, tag), whole.clone());
        }
        let mut facts = Vec::with_capacity(node.parts.len());
        for part in &node.parts {
            facts.push(match snapshot.file(&part.path)? {
                Some(file) => {
                    snapshot.facts(&file, node.project_of(part), Sections::Declarations)?
                }
                None => None,
            });
        }
        let written = written_members(&node, &own);
        for (member, known) in node.members.iter().zip(written) {
            let Some(known) = known else { continue };
            let tag = own.symbols.tag(known);
            let part = member.part as usize;
            let facts = facts.get(part).and_then(Option::as_ref);
            let line = facts.and_then(|facts| Some(member_detail(facts, member)?.line));
            self.members
                .insert(Target::Member(key, tag), of_part(part, line));
        }
        Ok(self.members.get(&target).cloned().flatten())
    }
}

/// The calls as a graph, callers pointing to what they call.
pub fn draw_calls(answer: &CallsAnswer) -> Drawing {
    let mut out = Drawing::default();
    let kinds: FxHashMap<&str, SymbolKind> = (answer.items.iter())
        .map(|it| (it.doc_id.as_str(), it.kind))
        .collect();
    if let Some(own) = &answer.subject.resolved.doc_id {
        out.node(own, own, answer.subject.resolved.kind.word());
    }
    for edge in &answer.edges {
        let [from, to] = [&edge.from, &edge.to].map(|id| {
            let kind = kinds.get(id.as_str()).copied();
            out.node(id, id, kind.unwrap_or(kind_of_id(id)).word())
        });
        let words: Vec<&str> = edge.contexts.iter().map(|role| role.word()).collect();
        out.edge(from, to, &words.join(", "));
    }
    for item in answer.items.iter().filter(|it| it.through_outside > 0) {
        let far = out.node(&item.doc_id, &item.doc_id, item.kind.word());
        let near = out.outside();
        match answer.direction {
            Direction::Callers => out.edge(far, near, "call"),
            Direction::Callees => out.edge(near, far, "call"),
        }
    }
    out
}
