//! Routes that attributes give to actions, or conventions where no attribute does.
//!
//! Must not know: which of them changed, and who may call them.

use std::collections::BTreeSet;

use cortex_bind::{AttributeNode, MemberNode, TypeNode};
use cortex_index::Snapshot;
use cortex_look::QueryError;
use cortex_model::{Accessibility, DeclKind, Modifier, RepoPath, member_short_id};

use super::{Place, Routes, add, mapped::string, served::endpoints_of};

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

/// A type with the templates that stand before those of its members.
pub(crate) struct Controller<'n> {
    node: &'n TypeNode,
    /// Of its own attributes, else of the nearest base that has some: the attribute is inherited.
    prefixes: Vec<String>,
}

/// So many bases of a controller are looked at.
const MAX_BASES: usize = 8;

impl<'n> Controller<'n> {
    /// `snapshot`: that of the side that has the type.
    pub(crate) fn of(snapshot: &Snapshot, node: &'n TypeNode) -> Result<Self, QueryError> {
        let mut prefixes = prefixes(node);
        let mut bases = node.bases.clone();
        for _ in 0..MAX_BASES {
            let base = match is_controller(node) && prefixes.is_empty() {
                true => bases.pop(),
                false => None,
            };
            let Some(base) = base else { break };
            if let Some(base) = snapshot.type_node(base)? {
                prefixes = self::prefixes(&base);
                bases.extend(&base.bases);
            }
        }
        Ok(Self { node, prefixes })
    }

    /// The routes that attributes give to a member of the type: verb and template.
    pub(crate) fn routes_of(&self, member: &MemberNode) -> Vec<(&'static str, String)> {
        below(&self.prefixes, self.node, member)
    }

    /// These, and the endpoints of frameworks that run the member.
    pub(crate) fn entries_of(&self, member: &MemberNode) -> Vec<(&'static str, String)> {
        let mut out = self.routes_of(member);
        out.extend(endpoints_of(self.node, member));
        out
    }

    /// The members to which attributes give routes, with these.
    pub(super) fn members(&self) -> Vec<(&'n MemberNode, Vec<(&'static str, String)>)> {
        let members = self.node.members.iter();
        let members = members.map(|member| (member, self.routes_of(member)));
        members.filter(|(_, routes)| !routes.is_empty()).collect()
    }
}

/// The place of a member's route. `simple`: the name of its type.
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

/// Adds the routes that the attributes of a type and its members make.
pub(super) fn of_controller(controller: &Controller<'_>, routes: &mut Routes) {
    let node = controller.node;
    let simple = node.fqn.rsplit(['.', '+']).next().unwrap_or(&node.fqn);
    for (member, of_member) in controller.members() {
        for (verb, template) in of_member {
            add(
                routes,
                (verb.to_owned(), template),
                place_of(node, member, simple),
            );
        }
    }
}

/// Calls that map actions without attributes of routes by `{controller=Home}/{action=Index}/{id?}`.
const DEFAULT_ROUTE: [&str; 2] = ["MapDefaultControllerRoute", "UseMvcWithDefaultRoute"];

/// The projects whose actions have the default route.
pub(super) fn conventional(snapshot: &Snapshot) -> Result<BTreeSet<RepoPath>, QueryError> {
    let mut out = BTreeSet::new();
    for call in DEFAULT_ROUTE {
        let files = snapshot.files_mentioning(call)?.into_iter();
        out.extend(files.flat_map(|file| file.projects));
    }
    Ok(out)
}

/// Adds the default routes of the actions to which no attribute gives one. Those of areas stand below these, and are left
/// out.
pub(super) fn by_convention(of: &Controller<'_>, routes: &mut Routes) {
    let node = of.node;
    if !of.prefixes.is_empty() {
        return;
    }
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
        if !is_plain || !is_action(node, member) || !of.routes_of(member).is_empty() {
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

/// Whether a note tells that an attribute differs which gives a route: `` `[HttpGet("…")]` → … ``.
pub(super) fn is_of_routes(note: &str) -> bool {
    let name = note.strip_prefix("`[").unwrap_or_default();
    let name = name.split(['(', ']']).next().unwrap_or_default();
    let name = simple(name);
    name == "Route" || VERBS.iter().any(|(verb, _)| *verb == name)
}

/// The simple name of an attribute's class, without `Attribute`.
pub(crate) fn name_of(attribute: &AttributeNode) -> String {
    simple(&attribute.name.to_string()).to_owned()
}

fn simple(class: &str) -> &str {
    let simple = class.rsplit('.').next().unwrap_or(class);
    simple.strip_suffix("Attribute").unwrap_or(simple)
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
    use super::joined;

    #[test]
    fn templates_of_actions_stand_below_those_of_controllers() {
        assert_eq!(joined("api/[controller]", "{id}"), "/api/[controller]/{id}");
        assert_eq!(joined("/api/", ""), "/api");
        assert_eq!(joined("api", "~/health"), "/health");
        assert_eq!(joined("", "health"), "/health");
    }
}
