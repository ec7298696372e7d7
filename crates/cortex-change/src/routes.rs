//! HTTP routes that came, went or are handled by code that changed: what the attributes of controllers and the calls of minimal APIs say.
//!
//! Owns: how a route is read from attributes, and from the lines of changed members. Must not know: who serves it.

mod templates;
mod through;

use cortex_bind::{AttributeNode, MemberNode, TypeNode};
use cortex_index::Snapshot;
use cortex_look::QueryError;
use cortex_model::{Accessibility, DeclKind, Modifier, RepoPath, member_short_id};
use cortex_wire::{
    CodeLineKind, MemberChange, MemberChangeKind, RouteChange, SymbolImpact, TypeChange, What,
};

use std::collections::{BTreeMap, BTreeSet};

use self::through::{Helper, helpers, indirectly, through_others};
use crate::{changes::Pair, diff_context::compared::Compared, impact::actions::ReachedRoute};

/// Attributes of actions with their verbs.
const VERBS: [(&str, &str); 7] = [
    ("HttpGet", "GET"),
    ("HttpPost", "POST"),
    ("HttpPut", "PUT"),
    ("HttpDelete", "DELETE"),
    ("HttpPatch", "PATCH"),
    ("HttpHead", "HEAD"),
    ("HttpOptions", "OPTIONS"),
];

/// The verb of an action that no attribute limits to one.
pub(crate) const ANY: &str = "ANY";

/// Calls that map a template, with what they make of it.
const MAPS: [(&str, &str); 8] = [
    ("MapGet", "GET"),
    ("MapPost", "POST"),
    ("MapPut", "PUT"),
    ("MapDelete", "DELETE"),
    ("MapPatch", "PATCH"),
    ("MapMethods", "methods"),
    ("MapGroup", "group"),
    ("MapHub", "hub"),
];

/// Where a route stands.
#[derive(Clone)]
struct Place {
    /// The canonical name of the type, and the member that the route is of or whose code maps it.
    member: MemberOf,
    /// What tells it from other places of the same route: the action, or what a call that maps the route is made on.
    /// Branches may map one route several times.
    identity: String,
    handler: String,
    path: RepoPath,
    line: u32,
}

/// A member by the canonical name of its type and its short id: overloads are members of their own.
type MemberOf = (String, String);

/// Routes by verb and template; each place counts once for each route that it has.
type Routes = BTreeMap<(String, String), Vec<Place>>;

/// Adds a place of a route, unless the same is there.
fn add(routes: &mut Routes, route: (String, String), place: Place) {
    let places = routes.entry(route).or_default();
    if places.iter().all(|known| known.identity != place.identity) {
        places.push(place);
    }
}

/// The places that one side of a route has more than the other: those that the other side lacks go first.
fn surplus<'p>(places: &'p [Place], others: &[Place]) -> impl Iterator<Item = &'p Place> {
    let has = |place: &Place| others.iter().any(|it| it.identity == place.identity);
    let (common, alone): (Vec<&Place>, Vec<&Place>) = places.iter().partition(|place| has(place));
    let n = places.len().saturating_sub(others.len());
    alone.into_iter().chain(common).take(n)
}

/// The routes of which a member of another type is the handler now, each with the former one.
fn moved(
    old: &Routes,
    new: &Routes,
    changed: &BTreeMap<MemberOf, &MemberChange>,
) -> Vec<RouteChange> {
    let mut out = Vec::new();
    for ((verb, template), places) in new {
        let before = old.get(&(verb.clone(), template.clone()));
        let before = before.map_or(&[][..], Vec::as_slice);
        let alone = |places: &'_ [Place], others: &[Place]| -> Vec<usize> {
            let has = |place: &Place| {
                let is_same =
                    |it: &Place| it.identity == place.identity || it.member.0 == place.member.0;
                others.iter().any(is_same)
            };
            (0..places.len()).filter(|&at| !has(&places[at])).collect()
        };
        let pairs = alone(places, before).into_iter().zip(alone(before, places));
        for (to, from) in pairs {
            let (to, from) = (&places[to], &before[from]);
            let (path, line) = match changed.get(&to.member) {
                Some(member) => (&member.path, member.line),
                None => (&to.path, to.line),
            };
            let types = [&to.member.0, &from.member.0].map(|it| cortex_model::simple_name(it));
            let was = match types[0] == types[1] {
                true => {
                    let member = from.handler.rsplit('.').next().unwrap_or_default();
                    format!("{}.{member}", from.member.0)
                }
                false => from.handler.clone(),
            };
            out.push(RouteChange {
                what: What::Changed,
                template: template.clone(),
                verb: verb.clone(),
                handler: to.handler.clone(),
                path: path.clone(),
                line,
                through: None,
                was: Some(was),
                template_was: None,
                authorization: None,
                parameters: Vec::new(),
                is_indirect: false,
            });
        }
    }
    out
}

/// The routes of product code that one side has more often than the other, and those that attributes give to members
/// that changed, that run a changed helper of their controller, or that others may call now. A handler that moves with
/// its route is no difference. `symbols`: the changed symbols with their uses. `reached`:
/// the routes of all actions that run them.
pub(crate) fn changes(
    pairs: &[Pair<'_>],
    types: &[TypeChange],
    (symbols, reached): (&[SymbolImpact], &[ReachedRoute]),
    compared: &Compared,
) -> Result<Vec<RouteChange>, QueryError> {
    let mut sides = [Routes::new(), Routes::new()];
    let conventional = conventional(&compared.new)?;
    for pair in pairs {
        for (node, routes) in [pair.before(), pair.new].into_iter().zip(&mut sides) {
            if let Some(node) = node.filter(|node| !compared.is_of_tests(&node.project)) {
                of_controller(node, routes);
                if conventional.contains(&node.project) {
                    by_convention(node, routes);
                }
            }
        }
    }
    let of_attributes = sides.clone();
    for ty in types.iter().filter(|ty| !ty.is_test) {
        of_changed_members(ty, &mut sides);
    }
    let changed = changed_members(types);
    let [old, new] = &sides;
    let mut out = Vec::new();
    for (what, routes, others) in [(What::Removed, old, new), (What::Added, new, old)] {
        for (route, places) in routes {
            let others = others.get(route).map_or(&[][..], Vec::as_slice);
            for place in surplus(places, others) {
                // Of members that changed the very line is known.
                let (path, line) = match changed.get(&place.member) {
                    Some(member) => (&member.path, member.line),
                    None => (&place.path, place.line),
                };
                out.push(RouteChange {
                    what,
                    template: route.1.clone(),
                    verb: route.0.clone(),
                    handler: place.handler.clone(),
                    path: path.clone(),
                    line,
                    through: None,
                    was: None,
                    template_was: None,
                    authorization: None,
                    parameters: Vec::new(),
                    is_indirect: false,
                });
            }
        }
    }
    templates::join(&mut out);
    out.extend(moved(old, new, &changed));
    out.extend(handed_over(&of_attributes, pairs, &changed));
    // Annotations of reference types run nothing, and who names a member by another name runs what it ran.
    let all = types.iter().flat_map(|ty| &ty.members);
    let quiet: BTreeSet<&str> = all
        .filter(|member| {
            member.is_annotation_only()
                || member.is_only_renamed()
                || member.is_only_narrower()
                || member.is_only_described_otherwise()
        })
        .filter_map(|member| member.doc_id.as_deref())
        .collect();
    // Who names a type by another name runs what it ran.
    let renamed = types
        .iter()
        .filter(|ty| ty.renamed_from.is_some() && ty.old_signature.is_none());
    let renamed: BTreeSet<&str> = renamed.map(|ty| ty.ty.name.as_str()).collect();
    let is_loud = |symbol: &SymbolImpact| {
        let is_quiet = match symbol.member {
            Some(_) => quiet.contains(symbol.id.as_str()),
            None => renamed.contains(symbol.ty.as_str()),
        };
        !is_quiet
    };
    let loud: Vec<&SymbolImpact> = symbols.iter().filter(|it| is_loud(it)).collect();
    let causes = Causes {
        changed,
        helpers: helpers(pairs, &loud, compared)?,
        authorizations: authorizations(pairs, compared),
    };
    out.extend(handled(&of_attributes[1], &causes, &out));
    out.extend(through_others(&loud, compared, &out)?);
    let reached = reached.iter().map(|route| (route, &symbols[route.symbol]));
    let reached = reached.filter(|(_, symbol)| is_loud(symbol));
    out.extend(indirectly(reached, &out));
    out.sort();
    // Several projects may compile one file.
    out.dedup();
    Ok(out)
}

/// The routes that attributes give to another member than before, which is there still.
fn handed_over(
    [old, new]: &[Routes; 2],
    pairs: &[Pair<'_>],
    changed: &BTreeMap<MemberOf, &MemberChange>,
) -> Vec<RouteChange> {
    let nodes = pairs.iter().filter_map(|pair| pair.new);
    let members = nodes.flat_map(|node| {
        let of_node = node.members.iter();
        of_node.map(|member| {
            (
                node.fqn.clone(),
                member_short_id(&node.full_member_signature(member)),
            )
        })
    });
    let there: BTreeSet<MemberOf> = members.collect();
    let mut out = Vec::new();
    for (route, places) in new {
        let before = old.get(route).map_or(&[][..], Vec::as_slice);
        let alone = |places: &'_ [Place], others: &[Place]| -> Vec<Place> {
            let has = |place: &Place| others.iter().any(|it| it.identity == place.identity);
            places.iter().filter(|place| !has(place)).cloned().collect()
        };
        let pairs = alone(before, places).into_iter().zip(alone(places, before));
        for (was, is) in pairs.filter(|(was, _)| there.contains(&was.member)) {
            let (path, line) = match changed.get(&is.member) {
                Some(member) => (member.path.clone(), member.line),
                None => (is.path, is.line),
            };
            out.push(RouteChange {
                what: What::Changed,
                template: route.1.clone(),
                verb: route.0.clone(),
                handler: is.handler,
                path,
                line,
                through: None,
                was: Some(was.handler),
                template_was: None,
                authorization: None,
                parameters: Vec::new(),
                is_indirect: false,
            });
        }
    }
    out
}

/// Whether all that differs of a member are the routes that attributes give it: the code behind those that stay is the
/// same.
fn is_only_routed(member: &MemberChange) -> bool {
    let of_routes = |note: &String| {
        let name = note
            .strip_prefix("`[")
            .and_then(|rest| rest.split(['(', ']']).next());
        let name = name
            .and_then(|name| name.rsplit('.').next())
            .unwrap_or_default();
        let name = name.strip_suffix("Attribute").unwrap_or(name);
        name == "Route" || VERBS.iter().any(|(verb, _)| *verb == name)
    };
    member.change == MemberChangeKind::Shape
        && !member.notes.is_empty()
        && member.notes.iter().all(of_routes)
}

/// Why a route that stays is told.
struct Causes<'a> {
    /// Its handler changed.
    changed: BTreeMap<MemberOf, &'a MemberChange>,
    /// Its handler runs a changed private member of its type.
    helpers: BTreeMap<MemberOf, Helper>,
    /// The attributes that decide who may call it, before and after.
    authorizations: BTreeMap<MemberOf, String>,
}

/// The members of types on both sides whose authorization differs.
fn authorizations(pairs: &[Pair<'_>], compared: &Compared) -> BTreeMap<MemberOf, String> {
    let mut out = BTreeMap::new();
    for pair in pairs {
        let (Some(old), Some(new)) = (pair.before(), pair.new) else {
            continue;
        };
        if compared.is_of_tests(&new.project) {
            continue;
        }
        let id = |node: &TypeNode, member| member_short_id(&node.full_member_signature(member));
        let before: BTreeMap<String, &MemberNode> = (old.members.iter())
            .map(|member| (id(old, member), member))
            .collect();
        for member in &new.members {
            let id = id(new, member);
            let Some(before) = before.get(&id) else {
                continue;
            };
            let (before, after) = (authorization(old, before), authorization(new, member));
            if before != after {
                let text = format!("{} → {}", words(&before), words(&after));
                out.insert((new.fqn.clone(), id), text);
            }
        }
    }
    out
}

/// The attributes that decide who may call an action: one that admits everyone stands for all.
fn authorization(node: &TypeNode, member: &MemberNode) -> Vec<String> {
    let of_type = node.shapes.iter().flat_map(|shape| &shape.attributes);
    let all: Vec<&AttributeNode> = of_type.chain(&member.attributes).collect();
    if let Some(open) = all.iter().find(|it| name_of(it) == "AllowAnonymous") {
        return vec![open.to_string()];
    }
    let all = all.iter().filter_map(|it| {
        // One of the repository's may take the requirement as a type argument.
        let name = it.name.to_string();
        let (class, argument) = name.split_once('<').unwrap_or((&name, ""));
        let simple = |name: &str| name.rsplit('.').next().unwrap_or(name).to_owned();
        let class = simple(class);
        let class = class.strip_suffix("Attribute").unwrap_or(&class);
        let argument = match argument {
            "" => String::new(),
            argument => format!("<{}", simple(argument)),
        };
        let arguments = it.arguments.as_ref();
        let arguments = arguments.map_or_else(String::new, |it| format!("({it})"));
        (class == "Authorize").then(|| format!("[Authorize{argument}{arguments}]"))
    });
    let mut out: Vec<String> = all.collect();
    out.sort();
    out.dedup();
    out
}

fn words(attributes: &[String]) -> String {
    match attributes {
        [] => "none".to_owned(),
        all => format!("`{}`", all.concat()),
    }
}

/// The changed members of product code.
fn changed_members(types: &[TypeChange]) -> BTreeMap<MemberOf, &MemberChange> {
    let types = types.iter().filter(|ty| !ty.is_test);
    let members = types.flat_map(|ty| {
        let members = ty.members.iter().filter(|member| !member.follows_moves);
        members.map(|member| ((ty.ty.name.clone(), member.id.clone()), member))
    });
    members.collect()
}

/// The routes that stay and whose handlers changed, or something that decides about them.
fn handled(routes: &Routes, causes: &Causes<'_>, differing: &[RouteChange]) -> Vec<RouteChange> {
    let mut out = Vec::new();
    for ((verb, template), places) in routes {
        for place in places {
            let changed = causes.changed.get(&place.member).filter(|it| {
                matches!(
                    it.change,
                    MemberChangeKind::Signature | MemberChangeKind::Shape | MemberChangeKind::Body
                ) && !is_only_routed(it)
                    && !it.is_only_renamed()
                    && !it.is_only_described_otherwise()
            });
            let authorization = causes.authorizations.get(&place.member);
            let helper = causes.helpers.get(&place.member);
            let helper = helper.filter(|_| changed.is_none() && authorization.is_none());
            let (path, line) = match (changed, helper) {
                (Some(member), _) => (&member.path, member.line),
                (None, Some(helper)) => (&helper.path, helper.line),
                (None, None) if authorization.is_some() => (&place.path, place.line),
                (None, None) => continue,
            };
            let is_told = (differing.iter()).any(|it| {
                let is_route = it.verb == *verb && it.template == *template;
                let is_same = it.handler == place.handler && it.line == line;
                is_route && is_same && it.template_was.is_none()
            });
            if !is_told {
                out.push(RouteChange {
                    what: What::Changed,
                    template: template.clone(),
                    verb: verb.clone(),
                    handler: place.handler.clone(),
                    path: path.clone(),
                    line,
                    through: helper.map(|helper| helper.name.clone()),
                    was: None,
                    template_was: None,
                    authorization: authorization.cloned(),
                    parameters: changed.map_or_else(Vec::new, |it| it.parameters.clone()),
                    is_indirect: false,
                });
            }
        }
    }
    out
}

/// The members of a type to which attributes give routes, with these.
fn of_members(node: &TypeNode) -> Vec<(&MemberNode, Vec<(&'static str, String)>)> {
    let prefixes = prefixes(node);
    let members = node.members.iter();
    let members = members.map(|member| (member, below(&prefixes, node, member)));
    members.filter(|(_, routes)| !routes.is_empty()).collect()
}

/// Adds the routes that the attributes of a type and its members make.
fn of_controller(node: &TypeNode, routes: &mut Routes) {
    let simple = node.fqn.rsplit(['.', '+']).next().unwrap_or(&node.fqn);
    for (member, of_member) in of_members(node) {
        for (verb, template) in of_member {
            add(
                routes,
                (verb.to_owned(), template),
                place_of(node, member, simple),
            );
        }
    }
}

fn place_of(node: &TypeNode, member: &MemberNode, simple: &str) -> Place {
    let part = node.parts.get(member.part as usize).or(node.parts.first());
    let id = member_short_id(&node.full_member_signature(member));
    Place {
        identity: format!("{}.{id}", node.fqn),
        member: (node.fqn.clone(), id),
        handler: format!("{simple}.{}", member.name),
        path: part.map_or_else(|| node.project.clone(), |part| part.path.clone()),
        line: part.map_or(1, |part| part.line),
    }
}

/// Calls that map actions without attributes of routes by `{controller=Home}/{action=Index}/{id?}`.
const DEFAULT_ROUTE: [&str; 2] = ["MapDefaultControllerRoute", "UseMvcWithDefaultRoute"];

/// The projects whose actions have the default route.
fn conventional(snapshot: &Snapshot) -> Result<BTreeSet<RepoPath>, QueryError> {
    let mut out = BTreeSet::new();
    for call in DEFAULT_ROUTE {
        let files = snapshot.files_mentioning(call)?.into_iter();
        out.extend(files.flat_map(|file| file.projects));
    }
    Ok(out)
}

/// Adds the default routes of the actions to which no attribute gives one. Those of areas stand below these, and are left
/// out.
fn by_convention(node: &TypeNode, routes: &mut Routes) {
    let simple = node.fqn.rsplit(['.', '+']).next().unwrap_or(&node.fqn);
    let controller = simple.strip_suffix("Controller").unwrap_or(simple);
    let of_type: Vec<String> = (node.shapes.iter().flat_map(|shape| &shape.attributes))
        .map(name_of)
        .collect();
    if ["Route", "Area", "ApiController"]
        .iter()
        .any(|it| of_type.iter().any(|name| name == it))
    {
        return;
    }
    for member in &node.members {
        let is_plain = !member.has(Modifier::Override) && member.interface().is_none();
        if !is_plain || !is_action(node, member) || !of_action(node, member).is_empty() {
            continue;
        }
        let named = member
            .attributes
            .iter()
            .find(|it| name_of(it) == "ActionName");
        let action = named.and_then(template).unwrap_or_else(|| {
            let name = member.name.strip_suffix("Async");
            name.unwrap_or(&member.name).to_owned()
        });
        let mut verbs: Vec<&str> = (member.attributes.iter())
            .filter_map(|attribute| {
                let name = name_of(attribute);
                VERBS.iter().find(|(known, _)| *known == name)
            })
            .map(|(_, verb)| *verb)
            .collect();
        if verbs.is_empty() {
            verbs.push(ANY);
        }
        for verb in verbs {
            let route = (verb.to_owned(), format!("/{controller}/{action}/{{id?}}"));
            add(routes, route, place_of(node, member, simple));
        }
    }
}

/// The names of the attributes that give an action its verb.
pub(crate) fn verb_attributes() -> impl Iterator<Item = &'static str> {
    VERBS.into_iter().map(|(attribute, _)| attribute)
}

/// Whether any file names an attribute of a verb.
pub(crate) fn are_declared(snapshot: &Snapshot) -> Result<bool, QueryError> {
    for attribute in verb_attributes() {
        if !snapshot.files_mentioning(attribute)?.is_empty() {
            return Ok(true);
        }
    }
    Ok(false)
}

/// The routes that attributes give to a member of a type: verb and template.
pub(crate) fn of_action(node: &TypeNode, member: &MemberNode) -> Vec<(&'static str, String)> {
    below(&prefixes(node), node, member)
}

/// Whether a type is a controller by its name.
pub(crate) fn is_controller(node: &TypeNode) -> bool {
    node.fqn.ends_with("Controller")
}

/// Whether a member may be an action by conventions: a public method of a controller.
pub(crate) fn is_action(node: &TypeNode, member: &MemberNode) -> bool {
    is_controller(node)
        && member.kind == DeclKind::Method
        && member.accessibility == Accessibility::Public
        && !member.has(Modifier::Static)
        && (member.attributes.iter()).all(|attribute| name_of(attribute) != "NonAction")
}

/// Whether a member is an action that no attribute limits to some verbs.
fn is_open_action(node: &TypeNode, member: &MemberNode) -> bool {
    is_action(node, member)
        && !member.has(Modifier::Override)
        && member.interface().is_none()
        && (member.attributes.iter()).all(|attribute| {
            let name = name_of(attribute);
            !name.starts_with("Http") && name != "AcceptVerbs"
        })
}

/// What stands before the templates of a type's members; nothing where the type has no template.
fn prefixes(node: &TypeNode) -> Vec<String> {
    let of_type = node.shapes.iter().flat_map(|shape| &shape.attributes);
    let mut prefixes: Vec<String> = of_type
        .filter(|attribute| name_of(attribute) == "Route")
        .filter_map(template)
        .collect();
    prefixes.sort();
    prefixes.dedup();
    prefixes
}

/// The routes of a member below those of its type.
fn below(prefixes: &[String], node: &TypeNode, member: &MemberNode) -> Vec<(&'static str, String)> {
    let simple = node.fqn.rsplit(['.', '+']).next().unwrap_or(&node.fqn);
    let controller = simple.strip_suffix("Controller").unwrap_or(simple);
    let own_routes = member.attributes.iter();
    let own_routes = own_routes.filter(|attribute| name_of(attribute) == "Route");
    let own_routes: Vec<String> = own_routes.filter_map(template).collect();
    let of_verbs = (member.attributes.iter()).filter_map(|attribute| {
        let name = name_of(attribute);
        let (_, verb) = VERBS.iter().find(|(known, _)| *known == name)?;
        Some((*verb, template(attribute)))
    });
    let mut of_verbs: Vec<(&'static str, Option<String>)> = of_verbs.collect();
    // Below the route of its type an action needs no verb.
    if of_verbs.is_empty() && is_open_action(node, member) {
        of_verbs.push((ANY, None));
    }
    let mut out = Vec::new();
    for (verb, template) in of_verbs {
        let templates = match template {
            Some(own) => vec![own],
            // A verb alone limits a conventional route: only a template makes one.
            None if own_routes.is_empty() && prefixes.is_empty() => continue,
            None if own_routes.is_empty() => vec![String::new()],
            None => own_routes.clone(),
        };
        let no_prefix = [String::new()];
        let prefixes = match prefixes {
            [] => &no_prefix[..],
            prefixes => prefixes,
        };
        for prefix in prefixes {
            let whole = templates.iter().map(|own| {
                joined(prefix, own)
                    .replace("[controller]", controller)
                    .replace("[action]", &member.name)
            });
            out.extend(whole.map(|template| (verb, template)));
        }
    }
    out
}

/// Adds what the lines of changed members map, those that stay to both sides.
fn of_changed_members(ty: &TypeChange, [old, new]: &mut [Routes; 2]) {
    let simple = ty.ty.name.rsplit(['.', '+']).next().unwrap_or(&ty.ty.name);
    for member in &ty.members {
        for line in &member.code {
            for (verb, receiver, template) in mapped(&line.text) {
                let route = (verb.to_owned(), template.to_owned());
                let place = Place {
                    member: (ty.ty.name.clone(), member.id.clone()),
                    identity: receiver.to_owned(),
                    handler: format!("{simple}.{}", member.name),
                    path: member.path.clone(),
                    line: member.line,
                };
                if line.kind != CodeLineKind::Added {
                    add(old, route.clone(), place.clone());
                }
                if line.kind != CodeLineKind::Removed {
                    add(new, route, place);
                }
            }
        }
    }
}

/// The routes that a line maps: the verb, what the call is made on, and the template.
fn mapped(text: &str) -> impl Iterator<Item = (&'static str, &str, &str)> {
    MAPS.into_iter().flat_map(move |(call, verb)| {
        text.match_indices(call).filter_map(move |(at, _)| {
            let template = argument(&text[at + call.len()..])?;
            let before = text[..at].trim_end_matches('.');
            let is_name = |c: char| c.is_alphanumeric() || matches!(c, '_' | '.' | '?');
            let receiver = before.rsplit(|c| !is_name(c)).next().unwrap_or_default();
            Some((verb, receiver, template))
        })
    })
}

/// The first argument of a call, after its name, where that is a string.
fn argument(text: &str) -> Option<&str> {
    let text = match text.strip_prefix('<') {
        Some(rest) => rest.split_once('>')?.1,
        None => text,
    };
    string(text.strip_prefix('(')?)
}

/// The text of the string that a text begins with.
fn string(text: &str) -> Option<&str> {
    let text = text.trim_start();
    let text = text.strip_prefix('@').unwrap_or(text);
    text.strip_prefix('"')?.split_once('"').map(|(it, _)| it)
}

/// The simple name of an attribute's class, without `Attribute`.
fn name_of(attribute: &AttributeNode) -> String {
    let name = attribute.name.to_string();
    let simple = name.rsplit('.').next().unwrap_or(&name);
    simple
        .strip_suffix("Attribute")
        .unwrap_or(simple)
        .to_owned()
}

/// The template of an attribute: its first argument, where that is a string.
fn template(attribute: &AttributeNode) -> Option<String> {
    let arguments = attribute.arguments.as_deref()?;
    let arguments = arguments.trim_start();
    let arguments = match arguments.strip_prefix("template") {
        Some(rest) => rest.trim_start().strip_prefix(':')?,
        None => arguments,
    };
    string(arguments).map(str::to_owned)
}

/// The template of an action below that of its controller.
fn joined(prefix: &str, own: &str) -> String {
    let own = own.trim_end_matches('/');
    if let Some(absolute) = own.strip_prefix("~/").or(own.strip_prefix('/')) {
        return format!("/{absolute}");
    }
    let prefix = prefix.trim_start_matches("~/").trim_matches('/');
    match (prefix, own) {
        ("", own) => format!("/{own}"),
        (prefix, "") => format!("/{prefix}"),
        (prefix, own) => format!("/{prefix}/{own}"),
    }
}

#[cfg(test)]
mod tests {
    use super::{argument, joined, mapped};

    #[test]
    fn templates_of_actions_stand_below_those_of_controllers() {
        assert_eq!(joined("api/[controller]", "{id}"), "/api/[controller]/{id}");
        assert_eq!(joined("/api/", ""), "/api");
        assert_eq!(joined("api", "~/health"), "/health");
        assert_eq!(joined("", "health"), "/health");
    }

    #[test]
    fn calls_map_their_first_argument() {
        assert_eq!(argument("(\"/a/{b}\", Handle)"), Some("/a/{b}"));
        assert_eq!(argument("<Hub>(\"/hub\")"), Some("/hub"));
        assert_eq!(argument("(path, Handle)"), None);
        assert_eq!(argument("s(\"x\")"), None);
    }

    #[test]
    fn a_mapped_route_has_what_the_call_is_made_on() {
        let found = |text: &'static str| mapped(text).collect::<Vec<_>>();
        assert_eq!(
            found("if (x) app.MapGet(\"/a\", F);"),
            [("GET", "app", "/a")]
        );
        assert_eq!(found("    .MapHub<H>(\"/hub\")"), [("hub", "", "/hub")]);
        assert_eq!(found("MapGet(path, F)"), []);
    }
}
