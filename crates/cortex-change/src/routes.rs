//! HTTP routes that came, went or are handled by code that changed: what the attributes of controllers and the calls of minimal APIs say.
//!
//! Owns: how a route is read from attributes, and from changed lines. Must not know: who serves it.

use cortex_bind::{AttributeNode, MemberNode, TypeNode};
use cortex_model::RepoPath;
use cortex_wire::{CodeLineKind, MemberChange, MemberChangeKind, RouteChange, TypeChange, What};

use std::collections::BTreeMap;

use crate::{changes::Pair, diff_context::compared::Compared};

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
    handler: String,
    path: RepoPath,
    line: u32,
}

/// Routes by verb and template; each place counts once for each route that it has.
type Routes = BTreeMap<(String, String), Vec<Place>>;

/// The routes of product code that one side has more often than the other, and those that attributes give to members
/// that changed. A handler that moves with its route is no difference.
pub(crate) fn changes(
    pairs: &[Pair<'_>],
    types: &[TypeChange],
    compared: &Compared,
) -> Vec<RouteChange> {
    let mut sides = [Routes::new(), Routes::new()];
    for pair in pairs {
        for (node, routes) in [pair.old, pair.new].into_iter().zip(&mut sides) {
            if let Some(node) = node.filter(|node| !compared.is_of_tests(&node.project)) {
                of_controller(node, routes);
            }
        }
    }
    let of_attributes = sides[1].clone();
    for ty in types.iter().filter(|ty| !ty.is_test) {
        of_changed_lines(ty, &mut sides);
    }
    let [old, new] = &sides;
    let mut out = Vec::new();
    for (what, routes, others) in [(What::Removed, old, new), (What::Added, new, old)] {
        for (route, places) in routes {
            let n_there = others.get(route).map_or(0, Vec::len);
            out.extend(places.iter().skip(n_there).map(|place| RouteChange {
                what,
                template: route.1.clone(),
                verb: route.0.clone(),
                handler: place.handler.clone(),
                path: place.path.clone(),
                line: place.line,
            }));
        }
    }
    // Of members that changed the very line is known.
    let members = types.iter().flat_map(|ty| {
        let simple = ty.ty.name.rsplit(['.', '+']).next().unwrap_or(&ty.ty.name);
        let members = ty.members.iter();
        members.map(move |member| {
            (
                format!("{simple}.{}", member.name),
                (&member.path, member.line),
            )
        })
    });
    let lines: BTreeMap<String, (&RepoPath, u32)> = members.collect();
    for route in &mut out {
        if let Some(&(path, line)) = lines.get(&route.handler) {
            (route.path, route.line) = (path.clone(), line);
        }
    }
    out.extend(handled(&of_attributes, types, &out));
    out.sort();
    // Several projects may compile one file.
    out.dedup();
    out
}

/// The routes that stay and whose handlers changed.
fn handled(routes: &Routes, types: &[TypeChange], differing: &[RouteChange]) -> Vec<RouteChange> {
    let mut changed: BTreeMap<String, &MemberChange> = BTreeMap::new();
    for ty in types.iter().filter(|ty| !ty.is_test) {
        let simple = ty.ty.name.rsplit(['.', '+']).next().unwrap_or(&ty.ty.name);
        let members = ty.members.iter().filter(|member| {
            matches!(
                member.change,
                MemberChangeKind::Signature | MemberChangeKind::Shape | MemberChangeKind::Body
            )
        });
        changed.extend(members.map(|member| (format!("{simple}.{}", member.name), member)));
    }
    let mut out = Vec::new();
    for ((verb, template), places) in routes {
        let is_told = |handler: &String| {
            (differing.iter())
                .any(|it| it.verb == *verb && it.template == *template && it.handler == *handler)
        };
        for place in places.iter().filter(|place| !is_told(&place.handler)) {
            if let Some(member) = changed.get(&place.handler) {
                out.push(RouteChange {
                    what: What::Changed,
                    template: template.clone(),
                    verb: verb.clone(),
                    handler: place.handler.clone(),
                    path: member.path.clone(),
                    line: member.line,
                });
            }
        }
    }
    out
}

/// Adds the routes that the attributes of a type and its members make.
fn of_controller(node: &TypeNode, routes: &mut Routes) {
    let simple = node.fqn.rsplit(['.', '+']).next().unwrap_or(&node.fqn);
    let prefixes = prefixes(node);
    for member in &node.members {
        for (verb, template) in below(&prefixes, node, member) {
            let part = node.parts.get(member.part as usize).or(node.parts.first());
            let places = routes.entry((verb.to_owned(), template)).or_default();
            places.push(Place {
                handler: format!("{simple}.{}", member.name),
                path: part.map_or_else(|| node.project.clone(), |part| part.path.clone()),
                line: part.map_or(1, |part| part.line),
            });
        }
    }
}

/// The routes that attributes give to a member of a type: verb and template.
pub(crate) fn of_action(node: &TypeNode, member: &MemberNode) -> Vec<(&'static str, String)> {
    below(&prefixes(node), node, member)
}

/// What stands before the templates of a type's members; one empty text where nothing does.
fn prefixes(node: &TypeNode) -> Vec<String> {
    let of_type = node.shapes.iter().flat_map(|shape| &shape.attributes);
    let mut prefixes: Vec<String> = of_type
        .filter(|attribute| name_of(attribute) == "Route")
        .filter_map(template)
        .collect();
    prefixes.sort();
    prefixes.dedup();
    if prefixes.is_empty() {
        prefixes.push(String::new());
    }
    prefixes
}

/// The routes of a member below those of its type.
fn below(prefixes: &[String], node: &TypeNode, member: &MemberNode) -> Vec<(&'static str, String)> {
    let simple = node.fqn.rsplit(['.', '+']).next().unwrap_or(&node.fqn);
    let controller = simple.strip_suffix("Controller").unwrap_or(simple);
    let own_routes = member.attributes.iter();
    let own_routes = own_routes.filter(|attribute| name_of(attribute) == "Route");
    let own_routes: Vec<String> = own_routes.filter_map(template).collect();
    let mut out = Vec::new();
    for attribute in &member.attributes {
        let name = name_of(attribute);
        let Some((_, verb)) = VERBS.iter().find(|(known, _)| *known == name) else {
            continue;
        };
        let templates = match template(attribute) {
            Some(own) => vec![own],
            None if own_routes.is_empty() => vec![String::new()],
            None => own_routes.clone(),
        };
        for prefix in prefixes {
            let whole = templates.iter().map(|own| {
                joined(prefix, own)
                    .replace("[controller]", controller)
                    .replace("[action]", &member.name)
            });
            out.extend(whole.map(|template| (*verb, template)));
        }
    }
    out
}

/// Adds what changed lines of a type map, each line once.
fn of_changed_lines(ty: &TypeChange, [old, new]: &mut [Routes; 2]) {
    let simple = ty.ty.name.rsplit(['.', '+']).next().unwrap_or(&ty.ty.name);
    for member in &ty.members {
        for line in &member.code {
            let side = match line.kind {
                CodeLineKind::Removed => &mut *old,
                CodeLineKind::Added => &mut *new,
                CodeLineKind::Context => continue,
            };
            for (call, verb) in MAPS {
                for (at, _) in line.text.match_indices(call) {
                    let Some(template) = argument(&line.text[at + call.len()..]) else {
                        continue;
                    };
                    let key = (verb.to_owned(), template.to_owned());
                    side.entry(key).or_default().push(Place {
                        handler: format!("{simple}.{}", member.name),
                        path: member.path.clone(),
                        line: member.line,
                    });
                }
            }
        }
    }
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
    use super::{argument, joined};

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
}
