//! The map of a repository or of a part of it: which types one must know first, and what of them.
//!
//! Owns: which types and members come first. Must not know: how much of them is shown, budgets.

use crate::bounded::{Bounded, limits};
use crate::{
    QueryError,
    area::{certain_area, has_type, likely_area},
    declared::{declared_member, declared_type},
    documentation::inherit::Reader,
    outline::MembersShown,
    passing::Passing,
    rank::page_rank,
    subject::find_symbol,
    symbol::{resolve, resolved::Stages},
    viewpoint::Viewpoint,
};
use cortex_bind::MemberNode;
use cortex_derived::dependencies::kept::WithUses;
use cortex_derived::dependencies::{
    Dependencies, Type,
    uses::{TypeUses, Uses},
};
use cortex_wire::{
    Area, Documentation, MapAnswer, MapFocus, MapMember, MapNamespace, MapProject, MapType,
};

use std::collections::BTreeMap;

use cortex_index::MemberDetails;
use cortex_model::{Accessibility, DeclKind, Modifier, TypeKind};
use rustc_hash::FxHashMap;

/// How much of all walks starts at what is in focus.
const FOCUS: f64 = 0.8;

/// What a map shows.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct MapOptions {
    /// Symbols, namespaces, projects or paths around which it is drawn.
    pub focus: Vec<String>,
    /// Which part it shows.
    pub area: Area,
    /// Whether types of test projects are shown.
    pub tests: TestsShown,
    /// Which members.
    pub members: MembersShown,
    /// Whether the documentation of types is read.
    pub docs: MapDocs,
    /// No more types than that.
    pub n_types: usize,
    /// No more members of a type than that.
    pub n_members: usize,
}

/// Whether a map shows test projects.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TestsShown {
    /// Not, unless what is in focus is in one.
    Without,
    /// As all others.
    With,
}

/// Whether a map has the documentation of its types.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum MapDocs {
    /// Not.
    Without,
    /// The summaries.
    With,
}

/// Finds the part of a repository that a text means, if it is not the name of a symbol.
pub fn find_area(view: &Viewpoint<'_>, text: &str) -> Result<Option<Area>, QueryError> {
    if let Some(found) = certain_area(view, text)? {
        return Ok(Some(found));
    }
    let is_name = text.chars().all(|c| c.is_alphanumeric() || c == '_');
    if is_name && !view.snapshot().types_named(text)?.is_empty() {
        return Ok(None);
    }
    match resolve(view.snapshot(), text, Stages::Exact, &mut *view.blobs()) {
        Err(QueryError::SymbolNotFound { .. }) => likely_area(view, text),
        // The symbol is told, or why it is not one.
        _ => Ok(None),
    }
}

/// Draws a map.
///
/// # Errors
/// Those of [`find_symbol`] where a focus means nothing.
pub fn map(view: &Viewpoint<'_>, options: &MapOptions) -> Result<Bounded<MapAnswer>, QueryError> {
    let snapshot = view.snapshot();
    let read = WithUses::of_snapshot(view.timed())?;
    let (all, uses) = (&read.types, &read.uses);
    let (focus, in_focus) = focus(view, all, &options.focus)?;
    let with_tests =
        options.tests == TestsShown::With || in_focus.iter().any(|&at| all.is_test(at));
    let passing = Passing::of(view, all)?;
    let passes = |at: usize| has_type(&options.area, all, &all.types[at]) && passing.has(all, at);
    let is_in: Vec<bool> = (0..all.n_types()).map(passes).collect();
    let is_left_out = |at: usize| !with_tests && all.is_test(at);
    let n_test_types = (0..all.n_types())
        .filter(|&at| is_in[at] && is_left_out(at))
        .count();
    view.limits.check("rank types")?;
    let takes_part: Vec<bool> = (0..all.n_types()).map(|at| !is_left_out(at)).collect();
    let start = start(all, &takes_part, &in_focus);
    let ranks = page_rank(all, &takes_part, &start);
    // A few types that know each other alone hold their rank among themselves: who else depends on them counts.
    let mut n_users = vec![0u32; all.n_types()];
    for from in (0..all.n_types()).filter(|&at| takes_part[at]) {
        let project = all.types[from].project;
        for edge in all.of(from) {
            let is_near = all.types[edge.target as usize].project == project;
            n_users[edge.target as usize] += if is_near { 1 } else { 2 };
        }
    }
    let near = neighbors(all, &in_focus);
    let mut order: Vec<(f64, usize)> = (0..all.n_types())
        .filter(|&at| is_in[at] && takes_part[at])
        .map(|at| {
            // Around a focus, nearness is what counts, and what is in it counts as it is.
            let weight = match in_focus.binary_search(&at) {
                Ok(_) => 1.0,
                Err(_) if in_focus.is_empty() => {
                    weight(&all.types[at]) * f64::from(1 + n_users[at]).sqrt()
                }
                Err(_) => weight(&all.types[at]),
            };
            // Few others use what is particular to the focus; what everybody uses is near to nothing.
            let nearness = near.as_ref().map(|near| {
                let is_in_focus = in_focus.binary_search(&at).is_ok();
                let n_near = near.get(&at).copied().unwrap_or(0.0);
                let hub = f64::from(1 + n_users[at]).sqrt();
                f64::from(u8::from(is_in_focus)) * NEAREST + (n_near + ranks[at]) * weight / hub
            });
            (nearness.unwrap_or(ranks[at] * weight), at)
        })
        .collect();
    let by_rank = |a: &(f64, usize), b: &(f64, usize)| {
        let (left, right) = (&all.types[a.1], &all.types[b.1]);
        b.0.total_cmp(&a.0)
            .then_with(|| (&left.fqn, left.key).cmp(&(&right.fqn, right.key)))
    };
    order.sort_unstable_by(by_rank);
    let n_types = order.len();
    let mut projects = overview(all, order.iter().map(|it| it.1), &passing);
    order.truncate(options.n_types);
    let mut blobs = view.blobs();
    let mut reader = Reader::new(snapshot, &mut *blobs);
    let n_chosen = order.len();
    let mut timed_out = false;
    for (nth, (_, at)) in order.into_iter().enumerate() {
        if view.limits.is_over() {
            timed_out = true;
            break;
        }
        let found = Drawn {
            view,
            all,
            uses,
            passing: &passing,
            options,
        };
        let found = found.of(at, nth + 1, &mut reader)?;
        let project = &mut projects[all.types[at].project as usize];
        let namespace = namespace_of(&all.types[at].fqn);
        if let Some(found) = found
            && let Some(slot) = project
                .namespaces
                .iter_mut()
                .find(|it| it.name == namespace)
        {
            slot.types.push(found);
        }
    }
    projects.retain(|project| project.n_types > 0);
    for project in &mut projects {
        project.namespaces.retain(|it| !it.types.is_empty());
    }
    let limits = limits(n_chosen, n_types, timed_out);
    let answer = MapAnswer {
        area: options.area.clone(),
        focus,
        n_types,
        n_test_types,
        projects,
    };
    Ok(Bounded { answer, limits })
}

/// What is in focus, and the types of it, ascending.
fn focus(
    view: &Viewpoint<'_>,
    all: &Dependencies,
    asked: &[String],
) -> Result<(Vec<MapFocus>, Vec<usize>), QueryError> {
    let (mut out, mut types) = (Vec::new(), Vec::new());
    for text in asked {
        let (means, is_corrected, found) = match find_area(view, text)? {
            Some(area) => {
                let of = all
                    .types
                    .iter()
                    .enumerate()
                    .filter(|(_, ty)| has_type(&area, all, ty));
                let of: Vec<usize> = of.map(|(at, _)| at).collect();
                (format!("{} {}", area.kind(), area.name()), false, of)
            }
            None => {
                let (symbol, subject) = find_symbol(view, text)?;
                let of = all.index(symbol.key).into_iter().collect();
                let is_corrected = subject.corrected_from.is_some();
                (symbol.node.fqn.clone(), is_corrected, of)
            }
        };
        out.push(MapFocus {
            asked: text.clone(),
            means,
            is_corrected,
            n_types: found.len(),
        });
        types.extend(found);
    }
    types.sort_unstable();
    types.dedup();
    Ok((out, types))
}

/// A focus of more types is an area of its own, and what it depends on ranks by its weight.
const MAX_FOCUS: usize = 16;

/// What lies in a small focus stands before everything else.
const NEAREST: f64 = 1e9;

/// How much each neighbor of the types in focus has to do with them: what they use, and what uses them. `None` where
/// these are none or many.
fn neighbors(all: &Dependencies, in_focus: &[usize]) -> Option<FxHashMap<usize, f64>> {
    if in_focus.is_empty() || in_focus.len() > MAX_FOCUS {
        return None;
    }
    let mut out: FxHashMap<usize, f64> = FxHashMap::default();
    let is_in_focus = |at: usize| in_focus.binary_search(&at).is_ok();
    for from in 0..all.n_types() {
        for edge in all.of(from) {
            let to = edge.target as usize;
            let other = match (is_in_focus(from), is_in_focus(to)) {
                (true, false) => to,
                (false, true) => from,
                _ => continue,
            };
            *out.entry(other).or_default() += 1.0 + f64::from(edge.count).sqrt();
        }
    }
    Some(out)
}

/// Where walks start: anywhere, or mostly at what is in focus, each type of it as likely as the others.
fn start(all: &Dependencies, takes_part: &[bool], in_focus: &[usize]) -> Vec<f64> {
    let n = takes_part.iter().filter(|it| **it).count().max(1) as f64;
    let anywhere = if in_focus.is_empty() {
        1.0
    } else {
        1.0 - FOCUS
    };
    let mut out = vec![anywhere / n; all.n_types()];
    for &at in in_focus {
        out[at] += FOCUS / in_focus.len() as f64;
    }
    out
}

/// How much of its rank counts for a newcomer: what one meets in every file is seldom what it is about.
fn weight(ty: &Type) -> f64 {
    let access = match ty.effective {
        Accessibility::Public => 1.0,
        it if it.is_visible() => 0.7,
        Accessibility::Private => 0.2,
        _ => 0.5,
    };
    let kind = match ty.kind {
        TypeKind::Interface | TypeKind::Class | TypeKind::Record => 1.0,
        TypeKind::Struct | TypeKind::RecordStruct => 0.8,
        TypeKind::Enum | TypeKind::Delegate => 0.5,
    };
    let name = ty.fqn.split('`').next().unwrap_or(&ty.fqn);
    let nested = if ty.fqn.contains('+') { 0.5 } else { 1.0 };
    let role = match () {
        () if name.ends_with("Attribute") || name.ends_with("Exception") => 0.3,
        () if name.ends_with("Resources") || name.ends_with("Strings") => 0.1,
        () => 1.0,
    };
    access * kind * nested * role
}

/// Every project with how many types it has, without the types; by index.
fn overview(
    all: &Dependencies,
    types: impl Iterator<Item = usize>,
    passing: &Passing,
) -> Vec<MapProject> {
    let mut out: Vec<MapProject> = (all.projects.iter())
        .map(|project| MapProject {
            path: project.path.clone(),
            assembly: project.assembly.clone(),
            is_test: project.is_test,
            n_types: 0,
            uses: Vec::new(),
            namespaces: Vec::new(),
        })
        .collect();
    let mut namespaces: BTreeMap<(u32, &str), usize> = BTreeMap::new();
    let mut uses: BTreeMap<(u32, u32), u64> = BTreeMap::new();
    for at in types {
        let ty = &all.types[at];
        out[ty.project as usize].n_types += 1;
        *namespaces
            .entry((ty.project, namespace_of(&ty.fqn)))
            .or_default() += 1;
        for edge in all.of(at) {
            let other = all.types[edge.target as usize].project;
            if other != ty.project && passing.has(all, edge.target as usize) {
                *uses.entry((ty.project, other)).or_default() += u64::from(edge.count.max(1));
            }
        }
    }
    for ((project, name), n_types) in namespaces {
        out[project as usize].namespaces.push(MapNamespace {
            name: name.to_owned(),
            n_types,
            types: Vec::new(),
        });
    }
    let mut uses: Vec<((u32, u32), u64)> = uses.into_iter().collect();
    uses.sort_by_key(|&(pair, n)| (pair.0, std::cmp::Reverse(n), pair.1));
    for ((from, to), _) in uses {
        let assembly = &all.projects[to as usize].assembly;
        if !out[from as usize].uses.contains(assembly) {
            out[from as usize].uses.push(assembly.clone());
        }
    }
    out
}

/// What types are drawn from.
struct Drawn<'d> {
    view: &'d Viewpoint<'d>,
    all: &'d Dependencies,
    uses: &'d Uses,
    passing: &'d Passing,
    options: &'d MapOptions,
}

impl Drawn<'_> {
    fn of(
        &self,
        at: usize,
        rank: usize,
        reader: &mut Reader<'_, '_>,
    ) -> Result<Option<MapType>, QueryError> {
        let (snapshot, options) = (self.view.snapshot(), self.options);
        let ty = &self.all.types[at];
        let Some(node) = snapshot.type_node(ty.key)? else {
            return Ok(None);
        };
        let own_uses = &self.uses.types[at];
        let (members, n_members) = members(self.view, ty, &node, own_uses, options)?;
        let (file, line) = self.passing.place(self.all, at);
        Ok(Some(MapType {
            name: ty.fqn.clone(),
            id: snapshot.display_id(ty.key)?,
            kind: ty.kind,
            accessibility: ty.effective,
            declaration: declared_type(&node),
            file: file.clone(),
            line,
            rank,
            uses: own_uses.outside - own_uses.tests.min(own_uses.outside),
            docs: match options.docs {
                MapDocs::With => reader.of(ty.key, None)?,
                MapDocs::Without => Documentation::default(),
            },
            members,
            n_members,
        }))
    }
}

/// The members of a type by how often their names are used.
fn members(
    view: &Viewpoint<'_>,
    ty: &Type,
    node: &cortex_bind::TypeNode,
    uses: &TypeUses,
    options: &MapOptions,
) -> Result<(Vec<MapMember>, usize), QueryError> {
    let snapshot = view.snapshot();
    let passing = match view.filter.is_everything() {
        true => None,
        false => Some(
            view.filter
                .members(&mut MemberDetails::new(snapshot), node)?,
        ),
    };
    let symbols = snapshot.symbols(ty.key)?;
    let mut by_name: FxHashMap<&str, u32> = FxHashMap::default();
    for (symbol, tag) in symbols.members.iter().zip(symbols.tags()) {
        let member = uses.member(tag);
        let n = member.outside - member.tests.min(member.outside);
        let slot = by_name.entry(symbol.simple_name()).or_default();
        *slot = slot.saturating_add(n);
    }
    let is_shown = |accessibility: Accessibility| {
        options.members == MembersShown::All
            || accessibility.is_visible()
            || !ty.effective.is_visible() && accessibility >= Accessibility::Internal
    };
    let is_explicit = |member: &MemberNode| {
        options.members == MembersShown::Public && member.interface().is_some()
    };
    let mut out: Vec<(bool, MapMember)> = Vec::new();
    let mut n_members = 0;
    for (at, member) in node.members.iter().enumerate() {
        let passes = passing.as_ref().is_none_or(|passing| passing[at]);
        if !passes || !is_shown(member.accessibility) || is_explicit(member) {
            continue;
        }
        n_members += 1;
        let name = match member.kind {
            DeclKind::Constructor => "#ctor",
            DeclKind::Indexer => "Item",
            _ => member.simple_name(),
        };
        if let Some((_, known)) = out
            .iter_mut()
            .find(|(_, it)| it.name == member.name && it.kind == member.kind)
        {
            known.n_overloads += 1;
            continue;
        }
        // What overrides a member is known from its base.
        let is_common =
            member.has(Modifier::Override) || matches!(&*member.name, "Dispose" | "DisposeAsync");
        let shown = MapMember {
            name: member.name.clone(),
            kind: member.kind,
            declaration: declared_member(member),
            n_overloads: 0,
            uses: by_name.get(name).copied().unwrap_or_default(),
        };
        out.push((is_common, shown));
    }
    out.sort_by_key(|(is_common, member)| (*is_common, std::cmp::Reverse(member.uses)));
    out.truncate(options.n_members);
    let members = out.into_iter().map(|(_, member)| member);
    Ok((members.collect(), n_members))
}

/// The namespace of a canonical name; empty for the global one.
fn namespace_of(fqn: &str) -> &str {
    let outer = fqn.split(['+', '`']).next().unwrap_or(fqn);
    outer.rfind('.').map_or("", |dot| &fqn[..dot])
}
