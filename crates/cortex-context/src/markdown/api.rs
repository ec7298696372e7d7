//! Changes of the public API, worst first.

mod contracts;
mod database;
mod forms;
mod moved;
mod routes;
mod template;

use std::{
    borrow::Cow,
    collections::{BTreeMap, BTreeSet},
};

use cortex_model::simple_name;
use cortex_wire::{
    ApiChange, ChangedFile, DiffContext, FileKind, MemberChangeKind, Severity, What,
};

use self::routes::{ToldRoutes, indirect_rows, is_gated_otherwise, nearest_first, route_groups};
use super::{
    impact::{is_operator, through, without_parameters},
    names::{self, Names},
    plan::{Item, Role, Section, Stage, Text, Total},
    twins::unique,
};
use crate::text::line;

/// So many rows of broken API come before what clients over HTTP meet.
const MAX_FIRST: usize = 5;

/// The section of API changes: one line each.
pub(crate) fn section<'a>(answer: &DiffContext, names: &Names, n_max: usize) -> Section<'a> {
    // What attributes of routes do is told of the routes, and other words for people break nothing.
    let is_told = |change: &ApiChange| {
        is_of_route(change) || is_of_gate(change, answer) || is_message(change)
    };
    let api = answer.api.iter().filter(|change| !is_told(change));
    let unused = Unused::of(answer);
    let mut changes = unique(api, |change| {
        (
            change.severity,
            &change.rule,
            &change.ty,
            &change.member,
            &change.reason,
        )
    });
    changes.sort_by_key(|change| (change.severity, unused.has(change)));
    let routes = route_groups(answer);
    let (removed, rest): (Vec<_>, Vec<_>) = (routes.iter())
        .take(n_max)
        .partition(|group| group[0].what == What::Removed);
    // Who may call one decides about its callers.
    let (authorized, rest): (Vec<_>, Vec<_>) =
        (rest.into_iter()).partition(|group| is_gated_otherwise(group[0]));
    let (added, handled): (Vec<_>, Vec<_>) = rest
        .into_iter()
        .partition(|group| group[0].what == What::Added || group[0].template_was.is_some());
    // Nothing but the place of a handler may be another.
    let (replaced, handled): (Vec<_>, Vec<_>) =
        (handled.into_iter()).partition(|group| group[0].was.is_some());
    let mut told = ToldRoutes::default();
    let n_changes = changes.len();
    let moved = moved::rows(&mut changes, names);
    let groups = alike(&changes);
    let lists = Lists::new(answer);
    let change = |group: &Vec<&ApiChange>| {
        let mut text = group_line(group, names, &lists);
        if group.iter().all(|change| unused.has(change)) {
            text.push_str("; no product code here names it");
        }
        if let Some(through) = group.iter().find_map(|change| unused.through(change)) {
            text.push_str(&format!("; called from outside through {through}"));
        }
        row(text, CHANGES, group.len())
    };
    let (compatible, worse): (Vec<_>, Vec<_>) =
        (groups.iter().take(n_max)).partition(|group| group[0].severity == Severity::Compatible);
    let (unnamed, worse): (Vec<_>, Vec<_>) = (worse.into_iter())
        .partition(|group| group.iter().all(|it| is_constructor(it) && unused.has(it)));
    let folded: Vec<&ApiChange> = unnamed.iter().flat_map(|it| it.iter().copied()).collect();
    let (folded, unnamed) = match folded.len() > MAX_SINGLE {
        true => (folded, Vec::new()),
        false => (Vec::new(), unnamed),
    };
    let (contracts, mut more) = contracts::rows(answer);
    let contracts = contracts.into_iter().take(n_max);
    let forms = forms::rows(answer).into_iter().take(n_max);
    let contracts = forms.chain(contracts);
    let contracts = contracts.map(|(text, n)| row(text, CONTRACTS, n));
    let [breaking, changed, came] = database::rows(&answer.database, n_max);
    let database = |(text, n): (String, usize)| row(text, OBJECTS, n);
    // Whoever uses what is gone or has another form has to change; who runs other code need not.
    let mut items: Vec<Item<'_>> = Vec::new();
    told.add(&mut items, removed.iter().chain(&authorized));
    items.extend(breaking.into_iter().chain(changed).map(database));
    told.add(&mut items, &replaced);
    let mut worse = worse.into_iter();
    items.extend(worse.by_ref().take(MAX_FIRST).map(change));
    items.extend(contracts);
    items.extend(came.into_iter().map(database));
    let (indirect, handled): (Vec<_>, Vec<_>) =
        (handled.into_iter()).partition(|it| it[0].is_indirect);
    let handled = nearest_first(handled, answer);
    // Requests come from elsewhere: what they meet is not left out for a long list of what the compiler tells.
    told.add(&mut items, &handled);
    items.extend(worse.map(change));
    let moved = moved.into_iter().take(n_max);
    items.extend(moved.map(|(text, n)| row(text, CHANGES, n)));
    told.add(&mut items, &added);
    items.extend(unnamed.into_iter().map(change));
    items.extend(constructors(&folded, names));
    let (indirect, further) =
        indirect_rows(&indirect, answer, answer.impact.unfollowed_actions.has_more);
    items.extend(indirect);
    more.extend(further);
    if items.is_empty() && compatible.is_empty() {
        items.extend(nothing(answer));
    }
    let n_worse = items.len() as u32;
    // What was added shows among the types as well.
    items.extend(compatible.into_iter().map(change));
    let n_told = items.len() as u32;
    items.extend(more.into_iter().take(n_max).map(|text| Item {
        counts: None,
        ..row(text, ROUTES, 0)
    }));
    Section {
        heading: "API changes",
        stages: stages([n_worse, n_told, items.len() as u32]),
        items,
        totals: totals(n_changes, answer),
        tail: told.into_tail(),
        ..Section::default()
    }
}

/// Stages of what may break others, of what was added, and of what rows of these leave out. `ends`: of each, among all.
fn stages(ends: [u32; 3]) -> Vec<Stage> {
    let [n_worse, n_told, n_all] = ends;
    let stage = |items: std::ops::Range<u32>, percent| Stage {
        items: items.collect(),
        percent,
        ..Stage::default()
    };
    vec![
        Stage::all((0..n_worse).collect()),
        stage(n_worse..n_told, 40),
        stage(n_told..n_all, 60),
    ]
}

/// That there is nothing: a missing section could mean that nobody looked. `None` where nothing of C# differs.
fn nothing<'a>(answer: &DiffContext) -> Option<Item<'a>> {
    let is_code = |it: &ChangedFile| it.kind == FileKind::Source && it.added + it.deleted > 0;
    let text = match answer.types.is_empty() {
        false => "none",
        true if answer.files.iter().any(is_code) => "none: no declaration and no body differs",
        true => return None,
    };
    Some(Item {
        text: Text::Line(text.to_owned()),
        role: Role::Single,
        counts: None,
    })
}

// What a row counts, by the totals of the section.
const CHANGES: u8 = 0;
const ROUTES: u8 = 1;
const CONTRACTS: u8 = 2;
const OBJECTS: u8 = 3;

fn row<'a>(text: String, total: u8, n: usize) -> Item<'a> {
    Item {
        text: Text::Line(text),
        role: Role::Single,
        counts: Some((total, n)),
    }
}

/// What the section counts.
fn totals(n_changes: usize, answer: &DiffContext) -> Vec<Total> {
    vec![
        Total {
            one: "API change",
            many: "API changes",
            n: n_changes,
        },
        Total {
            one: "route",
            many: "routes",
            n: answer.routes.len(),
        },
        Total {
            one: "route contract",
            many: "route contracts",
            n: answer.contracts.len() + answer.forms.len(),
        },
        Total {
            one: "database object",
            many: "database objects",
            n: answer.database.len(),
        },
    ]
}

/// So many changes of the same kind have a row each.
const MAX_SINGLE: usize = 2;

/// So many of the changes in one row are named.
const MAX_NAMED: usize = 8;

/// The same where all follow from one that is listed itself.
const MAX_CONSEQUENCES: usize = 3;

/// Changes in their order; those with the same rule and reason together, where they are more than a few.
fn alike<'c>(changes: &[&'c ApiChange]) -> Vec<Vec<&'c ApiChange>> {
    let mut groups: Vec<Vec<&ApiChange>> = Vec::new();
    let mut known: BTreeMap<_, usize> = BTreeMap::new();
    let mut n_types: BTreeMap<_, usize> = BTreeMap::new();
    let same = |change: &'c ApiChange| (&change.rule, &change.reason, &change.member);
    for &change in changes {
        *n_types.entry(same(change)).or_default() += 1;
    }
    for &change in changes {
        // What came or went in one type, or what happened to many types for the same reason.
        let is_value = is_value(change);
        let is_member = change.member.is_some();
        // An interface has it, and so have the types that implement it.
        let member = (change.member.as_ref())
            .filter(|_| !change.reason.contains(' ') && n_types[&same(change)] > 1);
        let ty = (is_value || !change.reason.contains(' ')).then_some(&change.ty);
        let ty = ty.filter(|_| is_member && member.is_none());
        // Members of an enum that is renumbered have each another value, for one reason.
        let reason = (!is_value).then_some(&change.reason);
        let key = (
            change.severity,
            &change.rule,
            reason,
            (ty, member),
            is_member,
        );
        let at = *known.entry(key).or_insert(groups.len());
        match groups.get_mut(at) {
            Some(group) => group.push(change),
            None => groups.push(vec![change]),
        }
    }
    let split = groups.into_iter().flat_map(|group| match group.len() {
        n if n > MAX_SINGLE || has_one_cause(group[0]) || is_of_types(&group) => vec![group],
        _ => group.into_iter().map(|change| vec![change]).collect(),
    });
    split.collect()
}

/// Whether changes are of one member in several types.
fn is_of_types(changes: &[&ApiChange]) -> bool {
    let (first, last) = (changes[0], changes[changes.len() - 1]);
    let is_same = changes.iter().all(|it| it.member == first.member);
    changes.len() > 1 && first.member.is_some() && is_same && first.ty != last.ty
}

/// Whether a change follows from one that is listed itself: a constant that attributes name has another value. Or it is
/// such a value: those of an enum differ for one reason.
fn has_one_cause(change: &ApiChange) -> bool {
    let names_cause =
        change.reason.ends_with(" was renumbered") || change.reason.ends_with(" has another value");
    is_value(change) || change.rule.as_deref() == Some("CP0015") && names_cause
}

/// Whether a member of an enum has another value.
fn is_value(change: &ApiChange) -> bool {
    change.rule.as_deref() == Some("CP0011") && change.member.is_some()
}

/// Changes of the same kind: what they are about, and why.
fn group_line(group: &[&ApiChange], names: &Names, lists: &Lists<'_>) -> String {
    let change = group[0];
    // The rule of a compatible change is named after what it would be the other way round.
    let rule = (change.rule.as_ref()).filter(|_| change.severity != Severity::Compatible);
    let rule = rule.map_or(String::new(), |rule| format!(" {rule}"));
    let what = subjects(group, names, lists);
    let values = match &change.member {
        Some(first) if group.len() > 1 && is_value(change) => format!("values: {} ", line(first)),
        _ => String::new(),
    };
    format!(
        "{}{rule} {what} | {values}{}",
        match is_of_attributes(change) && change.severity == Severity::Compatible {
            // What reads an attribute may do otherwise with it.
            true => "callers compile",
            false => word(change.severity),
        },
        reason(change, lists)
    )
}

/// Whether attributes alone differ.
fn is_of_attributes(change: &ApiChange) -> bool {
    matches!(change.rule.as_deref(), Some("CP0014" | "CP0015" | "CP0016"))
}

/// What changes of the same kind are about: types with their members.
fn subjects(changes: &[&ApiChange], names: &Names, lists: &Lists<'_>) -> String {
    let n_named = match has_one_cause(changes[0]) {
        true => MAX_CONSEQUENCES,
        false => MAX_NAMED,
    };
    if is_of_types(changes)
        && let Some(member) = &changes[0].member
    {
        let types = changes.iter().map(|it| names.listed(&it.ty));
        let types: Vec<String> = types.map(|it| it.to_string()).collect();
        let member = lists.shortened(&changes[0].ty, member);
        return format!("{}: {}", first(&types), line(&member));
    }
    let mut out = String::new();
    let mut last = None;
    for change in changes.iter().take(n_named) {
        let is_first = last != Some(&change.ty);
        out.push_str(if last.is_none() { "" } else { ", " });
        last = Some(&change.ty);
        let ty = names.listed(&change.ty);
        let member = change.member.as_deref();
        match member.map(|member| lists.shortened(&change.ty, member)) {
            Some(member) if is_first => out.push_str(&format!("{ty}: {}", line(&member))),
            Some(member) => out.push_str(&line(&member)),
            None => out.push_str(&ty),
        }
    }
    if changes.len() > n_named {
        out.push_str(&format!(" … {} more", changes.len() - n_named));
    }
    out
}

/// So many routes of a row are named.
const MAX_ROUTES: usize = 16;

/// The first of some names, and how many more there are.
fn first(names: &[String]) -> String {
    let shown = names[..names.len().min(MAX_ROUTES)].join(", ");
    match names.len().saturating_sub(MAX_ROUTES) {
        0 => shown,
        n => format!("{shown} … {n} more"),
    }
}

/// So many of those that the row leaves out have a row of their own.
const MAX_MORE_ROUTES: usize = 48;

/// The names that [`first`] leaves out, where there is room for more.
fn further(names: &[String]) -> Option<String> {
    let rest = names.get(MAX_ROUTES..).filter(|rest| !rest.is_empty())?;
    let shown = rest[..rest.len().min(MAX_MORE_ROUTES)].join(", ");
    Some(match rest.len().saturating_sub(MAX_MORE_ROUTES) {
        0 => shown,
        n => format!("{shown} … {n} more"),
    })
}

/// Changed members that no product code names, by documentation id without parameters: others of the repository cannot
/// notice that these are gone or have another signature.
struct Unused<'a> {
    ids: BTreeSet<&'a str>,
    /// By what code from outside calls members, in words.
    through: BTreeMap<&'a str, String>,
}

impl<'a> Unused<'a> {
    fn of(answer: &'a DiffContext) -> Self {
        let mut used: BTreeMap<&str, bool> = BTreeMap::new();
        let known = answer.impact.symbols.iter();
        for symbol in known.filter(|it| it.change != MemberChangeKind::Added) {
            let is_used = symbol.uses.iter().any(|it| !it.is_test)
                || symbol.rest.iter().any(|it| !it.is_test)
                || !symbol.implemented_by.is_empty()
                || symbol.called_through.is_some()
                || is_operator(symbol) && !answer.damage.is_empty();
            *used.entry(without_parameters(&symbol.id)).or_default() |= is_used;
        }
        // Actions are called by requests: that no code names one says nothing.
        let actions = answer.routes.iter();
        let actions: BTreeSet<&str> = actions
            .flat_map(|route| route.was.as_deref().into_iter().chain([&*route.handler]))
            .collect();
        let unused = used.into_iter().filter(|(id, is_used)| {
            let mut parts = without_parameters(id).rsplit('.');
            let (member, ty) = (parts.next(), parts.next());
            let name = format!("{}.{}", ty.unwrap_or_default(), member.unwrap_or_default());
            !is_used && !actions.contains(&*name)
        });
        let through = answer.impact.symbols.iter().filter_map(|symbol| {
            let through = through(symbol).filter(|_| symbol.n_uses == 0)?;
            Some((without_parameters(&symbol.id), through))
        });
        Self {
            ids: unused.map(|(id, _)| id).collect(),
            through: through.collect(),
        }
    }

    /// What code from outside calls the member through that breaks, where none here does.
    fn through(&self, change: &ApiChange) -> Option<&str> {
        let symbol = change
            .symbol
            .as_deref()
            .filter(|_| change.member.is_some())?;
        let through = self.through.get(without_parameters(symbol))?;
        (change.severity != Severity::Compatible).then_some(through)
    }

    /// Whether what breaks is such a member. What is compatible needs no users.
    fn has(&self, change: &ApiChange) -> bool {
        let symbol = change.symbol.as_deref().filter(|_| change.member.is_some());
        change.severity != Severity::Compatible
            && symbol.is_some_and(|id| self.ids.contains(without_parameters(id)))
    }
}

/// Constructors that no product code here names, as where a container calls them: one row.
fn constructors<'a>(changes: &[&ApiChange], names: &Names) -> Option<Item<'a>> {
    let mut types: Vec<String> = changes
        .iter()
        .map(|it| names.listed(&it.ty).to_string())
        .collect();
    types.dedup();
    let text = format!(
        "breaking CP0002 constructors of {} | no product code here names them",
        first(&types)
    );
    (!changes.is_empty()).then_some(row(text, CHANGES, changes.len()))
}

/// Whether a change is of a constructor that is gone or has other parameters.
fn is_constructor(change: &ApiChange) -> bool {
    let symbol = change.symbol.as_deref().unwrap_or_default();
    symbol.contains(".#ctor") && change.rule.as_deref() == Some("CP0002")
}

/// Whether `[Obsolete]` has other arguments, mostly another message.
fn is_message(change: &ApiChange) -> bool {
    let symbol = change.symbol.as_deref().unwrap_or_default();
    change.rule.as_deref() == Some("CP0015") && symbol.ends_with(":[T:System.ObsoleteAttribute]")
}

/// Whether an attribute came or went that decides who may call routes of its type, or is a filter of them, which these tell.
fn is_of_gate(change: &ApiChange, answer: &DiffContext) -> bool {
    let name = change.reason.split("`[").nth(1);
    let name = name.and_then(|rest| rest.split(['(', ']', '`', '<']).next());
    let name = name.and_then(|name| name.rsplit('.').next());
    let Some(name) = name.map(|name| name.strip_suffix("Attribute").unwrap_or(name)) else {
        return false;
    };
    let ty = simple_name(&change.ty);
    let of_type = answer.routes.iter();
    let mut of_type = of_type.filter(|route| route.handler.split('.').next() == Some(ty));
    of_type.any(|route| {
        let is_authorization = matches!(name, "Authorize" | "AllowAnonymous");
        let filters = route.filters.as_deref().unwrap_or_default();
        is_authorization && route.authorization.is_some() || filters.contains(&format!("[{name}"))
    })
}

/// Whether an attribute that gives a member a route came, went or has other arguments.
fn is_of_route(change: &ApiChange) -> bool {
    const RULES: [&str; 3] = ["CP0014", "CP0015", "CP0016"];
    let is_rule = (change.rule.as_deref()).is_some_and(|rule| RULES.contains(&rule));
    let name = (change.reason.split("`[").nth(1)).and_then(|rest| rest.split(['(', ']']).next());
    let name = name
        .and_then(|name| name.rsplit('.').next())
        .unwrap_or_default();
    let verbs = ["Get", "Post", "Put", "Delete", "Patch", "Head", "Options"];
    let is_verb = (name.strip_prefix("Http")).is_some_and(|verb| verbs.contains(&verb));
    change.member.is_some() && is_rule && (is_verb || name == "Route")
}

fn word(severity: Severity) -> &'static str {
    match severity {
        Severity::Breaking => "breaking",
        Severity::SourceBreaking => "source-breaking",
        Severity::Behavioral => "behavioral",
        Severity::Compatible => "compatible",
    }
}

/// The reason, with the signatures that it quotes as short as all others.
fn reason(change: &ApiChange, lists: &Lists<'_>) -> String {
    let mut out = String::with_capacity(change.reason.len());
    for (i, part) in change.reason.split('`').enumerate() {
        if i > 0 {
            out.push('`');
        }
        match i % 2 {
            0 => out.push_str(&line(part)),
            _ if part.starts_with('[') => out.push_str(&line(&attribute(part))),
            _ => {
                let signature = names::signature(part, &change.ty);
                out.push_str(&lists.shortened(&change.ty, &signature));
            }
        }
    }
    // What differs in the list stands among the members.
    let member = change.member.as_deref().and_then(names::parameter_list);
    let same = member.map(|(head, _)| format!(": `{head}(…)`"));
    match same.and_then(|same| out.strip_suffix(&*same).map(str::to_owned)) {
        Some(rest) => rest,
        None => out,
    }
}

/// An attribute, its arguments left out where they are long.
fn attribute(text: &str) -> Cow<'_, str> {
    match text.split_once('(') {
        Some((name, arguments)) if arguments.chars().count() > MAX_LIST => {
            Cow::Owned(format!("{name}(…)]"))
        }
        _ => Cow::Borrowed(text),
    }
}

/// A longer list of parameters is left out.
const MAX_LIST: usize = 60;

/// The members whose differences in parameters are shown with their types, by type and name: their lists need not be
/// shown again.
struct Lists<'a>(BTreeSet<(&'a str, &'a str)>);

impl<'a> Lists<'a> {
    fn new(answer: &'a DiffContext) -> Self {
        let members = answer.types.iter().flat_map(|ty| {
            let members = ty.members.iter();
            let members = members.filter(|member| !member.parameters.is_empty());
            members.map(|member| (ty.ty.name.as_str(), member.name.as_str()))
        });
        Self(members.collect())
    }

    /// `Send(…)` of `Send(Order, bool)`, where its list is long or shown with the type.
    fn shortened<'m>(&self, ty: &str, member: &'m str) -> Cow<'m, str> {
        let Some((head, list)) = names::parameter_list(member) else {
            return Cow::Borrowed(member);
        };
        let name = head.split(['<', '[']).next().unwrap_or(head);
        let name = name.rsplit([' ', '.']).next().unwrap_or(name);
        let is_known = self.0.contains(&(ty, name));
        match (list.len() > 2 && is_known) || list.chars().count() > MAX_LIST {
            true => Cow::Owned(format!("{head}(…)")),
            false => Cow::Borrowed(member),
        }
    }
}
