//! Types and members that nothing of the repository refers to, and why each may be in use nevertheless.
//!
//! Owns: which reasons there are. Must not know: how they are shown.

pub mod doubts;
mod made;
pub(crate) mod reasons;

pub use reasons::is_called_by_name;

use crate::bounded::{Bounded, limits_of_found};
use crate::{
    QueryError,
    mentions::{OtherFiles, add_spellings},
    places::Texts,
    unused::{
        made::Made,
        reasons::{Around, Reflected},
    },
    viewpoint::Viewpoint,
};
use cortex_derived::dependencies::kept::WithUses;
use cortex_derived::dependencies::{
    Dependencies,
    uses::{TypeUses, Uses},
};
use cortex_derived::names::{inactive::inactive_words, unbound::unbound_names};
use cortex_derived::outside::Spellings;
use cortex_wire::{UnusedAnswer, UnusedItem, UnusedReason, UnusedWhy};

use std::{borrow::Cow, cell::OnceCell, collections::BTreeMap};

use cortex_bind::{MemberNode, PartRef, TypeNode, main_part};
use cortex_index::MemberDetails;
use cortex_model::{
    Accessibility, DeclKind, EdgeKind, RepoPath, TypeKey, member_short_id, simple_name,
};
use rayon::prelude::*;

/// What is looked for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct UnusedOptions {
    /// Types, members or both.
    pub what: UnusedWhat,
    /// What is listed.
    pub listed: UnusedListed,
}

/// Types or members.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum UnusedWhat {
    /// Types alone.
    Types,
    /// Members alone, of types that are used.
    Members,
    /// Both.
    All,
}

/// What is listed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum UnusedListed {
    /// What nothing speaks for.
    Certain,
    /// Also what may be used.
    All,
}

/// A candidate before it is told.
struct Found {
    key: TypeKey,
    /// Index of a member.
    member: Option<usize>,
    n_tests: u32,
    is_recursive: bool,
    n_mentions: usize,
    reasons: Vec<UnusedReason>,
}

/// Looks for what has no reference.
pub fn unused(
    view: &Viewpoint<'_>,
    options: &UnusedOptions,
) -> Result<Bounded<UnusedAnswer>, QueryError> {
    let snapshot = view.snapshot();
    let read = WithUses::of_snapshot(view.timed())?;
    let (all, uses) = (&read.types, &read.uses);
    let reflected = Reflected::read(view)?;
    let made = Made::of(view)?;
    let wanted = candidates(view, all)?;
    let looked = wanted.par_iter().map(|&at| {
        if view.limits.is_over() {
            return Ok(None);
        }
        let Some(uses) = of_twins(all, uses, at) else {
            return Ok(Some(Looked::default()));
        };
        let is_value: OnceCell<bool> = OnceCell::new();
        let around = Around {
            is_test: all.is_test(at),
            reflected: &reflected,
            is_value: &|| {
                let known = is_value.get();
                if let Some(known) = known {
                    return Ok(*known);
                }
                let users = snapshot.dependents(all.types[at].key)?;
                let found = users
                    .iter()
                    .any(|(_, kinds)| kinds.contains(EdgeKind::TypeOf));
                Ok(*is_value.get_or_init(|| found))
            },
            made_by: &|| made.by(all.types[at].key),
        };
        look(view, all.types[at].key, &uses, &around, options).map(Some)
    });
    let looked: Vec<Option<Looked>> = looked.collect::<Result<_, QueryError>>()?;
    let timed_out = looked.iter().any(Option::is_none);
    let mut out = UnusedAnswer {
        n_types: 0,
        n_members: 0,
        n_unused: 0,
        n_maybe: BTreeMap::new(),
        n_only_tests: 0,
        n_mentioned: 0,
        not_searched: Vec::new(),
        n_inactive: n_inactive(view)?,
        items: Vec::new(),
    };
    let mut found: Vec<Found> = Vec::new();
    for looked in looked.into_iter().flatten() {
        out.n_types += usize::from(looked.is_counted);
        out.n_members += looked.n_members;
        found.extend(looked.found);
    }
    let others = OtherFiles::list(view)?;
    out.not_searched = others.not_searched();
    add_mentions(view, &others, &mut found)?;
    add_doubts(view, &mut found)?;
    for item in &found {
        out.n_mentioned += usize::from(item.reasons.is_empty() && item.n_mentions > 0);
        match item.reasons.first() {
            Some(reason) => *out.n_maybe.entry(reason.why).or_default() += 1,
            None if item.n_tests > 0 => out.n_only_tests += 1,
            None => out.n_unused += 1,
        }
    }
    if options.listed == UnusedListed::Certain {
        found.retain(|item| item.reasons.is_empty());
    }
    let n_all = found.len();
    out.items = told(view, found, view.limits.n_items)?;
    let limits = limits_of_found(
        "find what nothing uses",
        [out.items.len(), n_all],
        timed_out,
    )?;
    Ok(Bounded {
        answer: out,
        limits,
    })
}

/// Finds the names of what seems unused in files that are not C#. What Razor or XAML name may be in use.
fn add_mentions(
    view: &Viewpoint<'_>,
    others: &OtherFiles<'_>,
    found: &mut [Found],
) -> Result<(), QueryError> {
    let snapshot = view.snapshot();
    let mut by_spelling: BTreeMap<String, Vec<usize>> = BTreeMap::new();
    let mut spellings = Spellings::default();
    for (at, item) in found.iter().enumerate() {
        if !item.reasons.is_empty() || item.n_tests > 0 {
            continue;
        }
        let Some(node) = snapshot.type_node(item.key)? else {
            continue;
        };
        let mut names = Spellings::default();
        match item.member.and_then(|at| node.members.get(at)) {
            None => add_spellings(&mut names, simple_name(&node.fqn)),
            Some(member) => {
                let name = member.name.rsplit('.').next().unwrap_or(&member.name);
                names.insert(name.to_owned(), &[]);
            }
        }
        for (name, languages) in names {
            by_spelling.entry(name.clone()).or_default().push(at);
            // The full name of one symbol may be the short one of another.
            let known = spellings.entry(name).or_insert(languages);
            if languages.is_empty() {
                *known = languages;
            }
        }
    }
    for (name, mention) in others.find(view, &spellings)? {
        for &at in by_spelling.get(&name).into_iter().flatten() {
            let item = &mut found[at];
            item.n_mentions += 1;
            if mention.language.is_markup() && item.reasons.is_empty() {
                item.reasons.push(UnusedReason {
                    why: UnusedWhy::Markup,
                    what: format!("{}:{}", mention.file, mention.line),
                });
            }
        }
    }
    Ok(())
}

/// Finds names of what seems unused that could not be bound, or that no project compiles: they may mean it.
fn add_doubts(view: &Viewpoint<'_>, found: &mut [Found]) -> Result<(), QueryError> {
    let mut by_name: BTreeMap<String, Vec<usize>> = BTreeMap::new();
    for (at, item) in found.iter().enumerate() {
        if !item.reasons.is_empty() || item.n_tests > 0 {
            continue;
        }
        let Some(node) = view.snapshot().type_node(item.key)? else {
            continue;
        };
        let name = match item.member.and_then(|at| node.members.get(at)) {
            Some(member) => member.name.rsplit('.').next().unwrap_or(&member.name),
            None => simple_name(&node.fqn),
        };
        by_name.entry(name.to_owned()).or_default().push(at);
    }
    let unbound = unbound_names(view.source())?.first_of(by_name.keys().map(String::as_str));
    let inactive = inactive_words(view.source())?;
    let mut texts = Texts::new(view.blobs());
    for (name, items) in by_name {
        let inactive = inactive.of(&name).into_iter();
        let unbound = unbound.get(&name).cloned().unwrap_or_default().into_iter();
        let places = unbound.map(|it| (UnusedWhy::NotBound, it));
        let places = places.chain(inactive.map(|it| (UnusedWhy::Inactive, it)));
        for (why, (path, offset)) in places {
            let Some(file) = view.snapshot().file(&path)? else {
                continue;
            };
            let text = texts.of(&file)?;
            if text.word(offset) != name {
                continue;
            }
            let line = text.position(offset).line;
            for &at in &items {
                found[at].reasons.push(UnusedReason {
                    why,
                    // What lies outside of the filter is not spoken of.
                    what: match view.filter.has_file(&file) {
                        true => format!("{path}:{line}"),
                        false => String::new(),
                    },
                });
            }
            break;
        }
    }
    Ok(())
}

/// The types that pass with something of theirs.
fn candidates(view: &Viewpoint<'_>, all: &Dependencies) -> Result<Vec<usize>, QueryError> {
    let filter = view.filter;
    if filter.is_everything() {
        return Ok((0..all.n_types()).collect());
    }
    let mut out = Vec::new();
    for (key, header) in view.snapshot().type_headers()? {
        let mut parts = header.parts.iter();
        if parts.any(|part| filter.has(&part.path, &header.project)) {
            out.extend(all.index(key));
        }
    }
    out.sort_unstable();
    Ok(out)
}

#[derive(Default)]
struct Looked {
    is_counted: bool,
    n_members: usize,
    found: Vec<Found>,
}

fn n_inactive(view: &Viewpoint<'_>) -> Result<usize, QueryError> {
    let files = view.snapshot().files()?.into_iter();
    let inactive = files.filter(|file| file.inactive > 0 && view.filter.has_file(file));
    Ok(inactive.count())
}

/// The uses of a type; of one whose file several projects compile those of all together, and `None` for all but the
/// first of these.
fn of_twins<'u>(all: &Dependencies, uses: &'u Uses, at: usize) -> Option<Cow<'u, TypeUses>> {
    let is_twin = |&other: &usize| {
        let (own, other) = (&all.types[at], &all.types[other]);
        own.key.bare() == other.key.bare() && own.path == other.path
    };
    // Twins stand side by side: keys start with what they share.
    let before = (0..at)
        .rev()
        .take_while(|&it| all.types[it].key.bare() == all.types[at].key.bare());
    if before.clone().any(|it| is_twin(&it)) {
        return None;
    }
    let after = (at + 1..all.n_types())
        .take_while(|&it| all.types[it].key.bare() == all.types[at].key.bare());
    let mut out = Cow::Borrowed(&uses.types[at]);
    for other in after.filter(is_twin) {
        out.to_mut().add(&uses.types[other]);
    }
    Some(out)
}

/// Looks at one type and its members.
fn look(
    view: &Viewpoint<'_>,
    key: TypeKey,
    uses: &TypeUses,
    around: &Around<'_>,
    options: &UnusedOptions,
) -> Result<Looked, QueryError> {
    let (snapshot, filter) = (view.snapshot(), view.filter);
    let Some(node) = snapshot.type_node(key)? else {
        return Ok(Looked {
            is_counted: true,
            ..Looked::default()
        });
    };
    // Members may pass where their type does not.
    let is_counted = filter.has_type(&node);
    let mut out = Looked {
        is_counted,
        ..Looked::default()
    };
    // That tests use the public API of a library says nothing.
    let only_tests = |outside: u32, tests: u32, accessibility: Accessibility| {
        let is_public = node.effective.is_visible() && accessibility.is_visible();
        outside > 0 && outside == tests && !around.is_test && !is_public
    };
    if uses.outside == 0 || only_tests(uses.outside, uses.tests, node.effective) {
        if options.what != UnusedWhat::Members && is_counted {
            out.found.push(Found {
                key,
                member: None,
                n_tests: uses.tests,
                is_recursive: false,
                n_mentions: 0,
                reasons: match uses.outside {
                    0 => reasons::of_type(snapshot, key, &node, around)?,
                    _ => Vec::new(),
                },
            });
        }
        return Ok(out);
    }
    if options.what == UnusedWhat::Types {
        return Ok(out);
    }
    let passing = match filter.is_everything() {
        true => None,
        false => Some(filter.members(&mut MemberDetails::new(snapshot), &node)?),
    };
    let symbols = snapshot.symbols(key)?;
    let of_members: Vec<Option<usize>> = symbols.declared().collect();
    let id = |symbol: usize| {
        let part = &*symbols.members[symbol].id;
        let (kind, rest) = part.split_once('.').unwrap_or(("M", part));
        format!("{kind}:{}.{rest}", node.fqn.replace('+', "."))
    };
    for (at, member) in node.members.iter().enumerate() {
        let passes = passing.as_ref().is_none_or(|passing| passing[at]);
        if !is_looked_at(member) || !passes {
            continue;
        }
        out.n_members += 1;
        let Some(symbol) = of_members.get(at).copied().flatten() else {
            continue;
        };
        let of_it = uses.member(symbols.tag(symbol));
        if of_it.outside > 0 && !only_tests(of_it.outside, of_it.tests, member.accessibility) {
            continue;
        }
        let known = (snapshot, key, &symbols);
        let mut reasons = reasons::of_member(&node, member, &id(symbol), known, around)?;
        if of_it.outside > 0 {
            // What is called through another member is no test's alone.
            if reasons.iter().any(|it| reasons::is_certain(it.why)) {
                continue;
            }
            // Tests name it, and what makes its objects in the product does not.
            reasons.retain(|it| matches!(it.why, UnusedWhy::TypeArgument | UnusedWhy::UnknownBase));
        }
        out.found.push(Found {
            key,
            member: Some(at),
            n_tests: of_it.tests,
            is_recursive: of_it.inside > 0,
            n_mentions: 0,
            reasons,
        });
    }
    Ok(out)
}

/// Finalizers, static constructors and the code of a file run by themselves; a property of a primary constructor and
/// a value of an enum stand where they do for their type.
fn is_looked_at(member: &MemberNode) -> bool {
    !member.primary
        && !matches!(
            member.kind,
            DeclKind::Finalizer
                | DeclKind::StaticConstructor
                | DeclKind::TopLevel
                | DeclKind::EnumMember
        )
}

/// Where a symbol is declared: a member in its part of the type, a type in the first that passes.
fn part_of<'n>(
    view: &Viewpoint<'_>,
    node: &'n TypeNode,
    member: Option<&MemberNode>,
) -> Option<&'n PartRef> {
    let passes = |part: &&PartRef| {
        view.filter
            .has_line(&part.path, node.project_of(part), part.line)
    };
    match member {
        Some(member) => node.parts.get(member.part as usize),
        None => {
            let main = main_part(&node.fqn, &node.parts);
            (main.filter(passes))
                .or_else(|| node.parts.iter().find(passes))
                .or(main)
        }
    }
}

fn told(view: &Viewpoint<'_>, found: Vec<Found>, n: usize) -> Result<Vec<UnusedItem>, QueryError> {
    let snapshot = view.snapshot();
    let mut nodes: BTreeMap<TypeKey, TypeNode> = BTreeMap::new();
    for item in &found {
        if !nodes.contains_key(&item.key)
            && let Some(node) = snapshot.type_node(item.key)?
        {
            nodes.insert(item.key, node);
        }
    }
    let place = |item: &Found| {
        let node = nodes.get(&item.key);
        let member = item.member.and_then(|at| node?.members.get(at));
        let part = node.and_then(|it| part_of(view, it, member));
        let section = (item.reasons.first().map(|it| it.why), item.n_tests > 0);
        (
            section,
            part.map(|it| (it.path.clone(), it.line)),
            member.map(|it| it.decl),
            item.key,
            item.member,
        )
    };
    let mut found = found;
    found.sort_by_cached_key(place);
    found.truncate(n);
    let mut details = MemberDetails::new(snapshot);
    let mut out = Vec::new();
    for item in found {
        let Some(node) = nodes.get(&item.key) else {
            continue;
        };
        let type_id = snapshot.display_id(item.key)?;
        let member = item.member.map(|at| &node.members[at]);
        let part = part_of(view, node, member);
        let line = match item.member {
            Some(at) => details
                .of(node)?
                .get(at)
                .map(|it| it.line)
                .filter(|line| *line > 0),
            None => None,
        };
        out.push(UnusedItem {
            frameworks: Vec::new(),
            name: match member {
                Some(it) => format!("{}.{}{}", node.fqn, it.name, it.path_tail()),
                None => node.fqn.clone(),
            },
            id: match member {
                Some(it) => format!(
                    "{type_id}_{}",
                    member_short_id(&node.full_member_signature(it))
                ),
                None => type_id,
            },
            kind: member.map_or(node.kind.into(), |it| it.kind.into()),
            accessibility: member.map_or(node.effective, |it| it.accessibility.min(node.effective)),
            file: part.map_or_else(|| RepoPath::from(""), |part| part.path.clone()),
            line: line.or(part.map(|part| part.line)).unwrap_or_default(),
            n_tests: item.n_tests,
            is_recursive: item.is_recursive,
            n_mentions: item.n_mentions,
            reasons: item.reasons,
        });
    }
    Ok(out)
}
