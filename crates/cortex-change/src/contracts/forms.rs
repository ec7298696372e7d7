//! The form of requests and responses: which fields models have, and which differ between two of them.
//!
//! Must not know: which models changed themselves.

use std::{borrow::Cow, collections::BTreeMap};

use cortex_bind::{AttributeNode, MemberNode, TypeNode, TypeText};
use cortex_index::Snapshot;
use cortex_look::QueryError;
use cortex_model::{DeclKind, Modifier, TypeKey, TypeKind, simple_name};
use cortex_wire::{FieldChange, ModelRole, RouteForm};

use super::{is_of_form, is_written};
use crate::{changes::Pair, diff_context::compared::Compared, routes};

/// Models in fields of models are compared so far down.
const MAX_DEPTH: usize = 2;

/// So many bases of a model are looked at.
const MAX_BASES: usize = 8;

/// An action with a route.
#[derive(Clone, Copy)]
struct Action<'n> {
    /// With the names of its own side.
    node: &'n TypeNode,
    /// With the names that types have now.
    renamed: &'n TypeNode,
    /// By index.
    member: usize,
}

/// By verb and template.
type Actions<'n> = BTreeMap<(&'static str, String), Action<'n>>;

/// The routes of both sides whose action takes or returns a model that it did not, in place of another one: by template,
/// verb and role. Fields are compared as JSON has them. O(types that differ + models that such actions name).
pub(crate) fn find_forms(
    compared: &Compared,
    pairs: &[Pair<'_>],
) -> Result<Vec<RouteForm>, QueryError> {
    let (mut old, mut new) = (Actions::new(), Actions::new());
    for pair in pairs {
        let (Some(before), Some(renamed), Some(after)) = (pair.old, pair.before(), pair.new) else {
            continue;
        };
        if !compared.is_of_tests(&after.project) {
            add_actions(&mut old, &compared.old, before, renamed)?;
            add_actions(&mut new, &compared.new, after, after)?;
        }
    }
    let mut out = Vec::new();
    for (route, is) in &new {
        let Some(was) = old.get(route) else {
            continue;
        };
        for role in [ModelRole::Takes, ModelRole::Returns] {
            if written(was.renamed, was.member, role) == written(is.node, is.member, role) {
                continue;
            }
            let [from, to] = [(&compared.old, was), (&compared.new, is)];
            let from_models = models(from.0, from.1, role)?;
            let to_models = models(to.0, to.1, role)?;
            if from_models.len() != to_models.len() {
                continue;
            }
            for (from, to) in from_models.iter().zip(&to_models) {
                let mut fields = Vec::new();
                let sides = [(&compared.old, from), (&compared.new, to)];
                compare(sides, Some(role), "", MAX_DEPTH, &mut fields)?;
                if !fields.is_empty() {
                    out.push(form(route, is, role, [from, to], fields));
                }
            }
        }
    }
    out.sort();
    Ok(out)
}

/// What differs between the fields of a model on both sides, those of its bases among them: in what requests give it or
/// responses have of it, or in either. Those of enums are their values.
pub(super) fn changes(
    [(old, from), (new, to)]: [(&Snapshot, &TypeNode); 2],
    role: Option<ModelRole>,
) -> Result<Vec<FieldChange>, QueryError> {
    let mut out = Vec::new();
    compare([(old, from), (new, to)], role, "", 1, &mut out)?;
    Ok(out)
}

fn add_actions<'n>(
    actions: &mut Actions<'n>,
    snapshot: &Snapshot,
    node: &'n TypeNode,
    renamed: &'n TypeNode,
) -> Result<(), QueryError> {
    let controller = routes::Controller::of(snapshot, node)?;
    for (member, action) in node.members.iter().enumerate() {
        for (verb, template) in controller.routes_of(action) {
            let action = Action {
                node,
                renamed,
                member,
            };
            actions.entry((verb, template)).or_insert(action);
        }
    }
    Ok(())
}

fn form(
    (verb, template): &(&str, String),
    action: &Action<'_>,
    role: ModelRole,
    [from, to]: [&TypeNode; 2],
    fields: Vec<FieldChange>,
) -> RouteForm {
    let member = &action.node.members[action.member];
    let part = action.node.parts.get(member.part as usize);
    let part = part.or(action.node.parts.first());
    RouteForm {
        template: template.clone(),
        verb: (*verb).to_owned(),
        handler: format!("{}.{}", simple_name(&action.node.fqn), member.name),
        path: part.map_or_else(|| action.node.project.clone(), |part| part.path.clone()),
        role,
        was: from.fqn.clone(),
        is: to.fqn.clone(),
        fields,
    }
}

/// The types that an action writes for what it takes or returns.
fn written(node: &TypeNode, member: usize, role: ModelRole) -> Vec<String> {
    let member = &node.members[member];
    let types: Vec<&TypeText> = match role {
        ModelRole::Takes => member.params.iter().flatten().map(|it| &it.ty).collect(),
        ModelRole::Returns => member.ty.iter().collect(),
    };
    types.into_iter().map(TypeText::full).collect()
}

/// The models of the repository in what an action takes or returns, in order.
fn models(
    snapshot: &Snapshot,
    action: &Action<'_>,
    role: ModelRole,
) -> Result<Vec<TypeNode>, QueryError> {
    let mut out = Vec::new();
    for text in written(action.node, action.member, role) {
        out.extend(models_in(snapshot, &text)?);
    }
    Ok(out)
}

/// The models of the repository that a type names, from the outermost.
fn models_in(snapshot: &Snapshot, ty: &str) -> Result<Vec<TypeNode>, QueryError> {
    let mut out = Vec::new();
    let is_name = |c: char| c.is_alphanumeric() || matches!(c, '_' | '.' | '+');
    for name in ty.split(|c| !is_name(c)).filter(|it| !it.is_empty()) {
        for symbol in snapshot.types_named(simple_name(name))? {
            let is_same = symbol.fqn.replace('+', ".") == name.replace('+', ".");
            let is_model = matches!(
                symbol.kind,
                TypeKind::Class | TypeKind::Record | TypeKind::Struct | TypeKind::RecordStruct
            );
            if is_same && is_model {
                out.extend(snapshot.type_node(symbol.key)?);
            }
        }
    }
    Ok(out)
}

/// A field of a model.
struct Field {
    /// Its type without namespaces.
    ty: String,
    /// With them.
    full: String,
    is_required: bool,
}

impl Field {
    /// Whether it is the same as another one but for the name of the model in its type.
    fn is_like(&self, other: &Self, [own, others]: [&TypeNode; 2]) -> bool {
        let around = |field: &Self, model: &TypeNode| field.ty.replace(simple_name(&model.fqn), "");
        self.is_required == other.is_required && around(self, own) == around(other, others)
    }

    fn words(&self, role: Option<ModelRole>) -> String {
        match self.is_required && role != Some(ModelRole::Returns) {
            true => format!("{}, required", self.ty),
            false => self.ty.clone(),
        }
    }
}

/// Notes what differs between the fields of two models. `role`: of which fields; of all without one. `prefix`: of the
/// names.
fn compare(
    [(old, from), (new, to)]: [(&Snapshot, &TypeNode); 2],
    role: Option<ModelRole>,
    prefix: &str,
    depth: usize,
    out: &mut Vec<FieldChange>,
) -> Result<(), QueryError> {
    let (mut before, after) = (fields(old, from, role)?, fields(new, to, role)?);
    for (name, is) in after {
        let was = before.remove(&name);
        let name = format!("{prefix}{name}");
        let Some(was) = was else {
            out.push(FieldChange {
                name,
                was: None,
                is: Some(is.words(role)),
            });
            continue;
        };
        if was.full != is.full && depth > 0 {
            let from = models_in(old, &was.full)?;
            let to = models_in(new, &is.full)?;
            if let ([from], [to]) = (&from[..], &to[..]) {
                let prefix = format!("{name}.");
                let mut within = Vec::new();
                let models = [(old, from), (new, to)];
                compare(models, role, &prefix, depth - 1, &mut within)?;
                // What a model is called is not in JSON.
                let is_same = within.is_empty() && was.is_like(&is, [from, to]);
                if is_same || depth > 1 {
                    out.extend(within);
                    continue;
                }
            }
        }
        let [was, is] = [was, is].map(|field| field.words(role));
        if was != is {
            out.push(FieldChange {
                name,
                was: Some(was),
                is: Some(is),
            });
        }
    }
    out.extend(before.into_iter().map(|(name, was)| FieldChange {
        name: format!("{prefix}{name}"),
        was: Some(was.words(role)),
        is: None,
    }));
    Ok(())
}

/// The fields of a model as JSON has them, with those of its bases.
fn fields(
    snapshot: &Snapshot,
    model: &TypeNode,
    role: Option<ModelRole>,
) -> Result<BTreeMap<String, Field>, QueryError> {
    let mut out = BTreeMap::new();
    let mut left: Vec<TypeKey> = model.bases.clone();
    let mut next = Some(Cow::Borrowed(model));
    for _ in 0..MAX_BASES {
        let Some(node) = next else { break };
        let is_value = |member: &MemberNode| member.kind == DeclKind::EnumMember;
        let members = node.members.iter();
        let members = members.filter(|member| is_of_form(member) || is_value(member));
        let is_taken = |member: &&MemberNode| role != Some(ModelRole::Takes) || is_written(member);
        let given = members.filter(is_taken);
        for member in given {
            let (name, ty) = match &member.ty {
                _ if is_value(member) => (member.name.clone(), String::new()),
                Some(ty) => (json_name(member), ty.full()),
                None => continue,
            };
            // One of a base that is hidden or overridden is none.
            out.entry(name).or_insert_with(|| Field {
                ty: without_namespaces(&ty),
                full: ty,
                is_required: is_required(member),
            });
        }
        next = match left.pop() {
            Some(base) => snapshot.type_node(base)?.map(Cow::Owned),
            None => None,
        };
        left.extend(next.iter().flat_map(|node| &node.bases));
    }
    Ok(out)
}

fn is_required(member: &MemberNode) -> bool {
    let names = member.attributes.iter().map(routes::name_of);
    let requires = |name: String| matches!(&*name, "Required" | "JsonRequired");
    member.has(Modifier::Required) || names.into_iter().any(requires)
}

/// The name that an attribute gives a property in JSON, or its own in camel case.
fn json_name(member: &MemberNode) -> String {
    let names = |attribute: &&AttributeNode| {
        matches!(
            &*routes::name_of(attribute),
            "JsonPropertyName" | "JsonProperty"
        )
    };
    let given = member.attributes.iter().find(names);
    let given = given.and_then(|it| routes::string(it.arguments.as_deref()?));
    if let Some(given) = given {
        return given.to_owned();
    }
    let mut rest = member.name.chars();
    let first = rest.next().into_iter().flat_map(char::to_lowercase);
    first.chain(rest).collect()
}

/// `List<Order>` of `System.Collections.Generic.List<Shop.Order>`.
fn without_namespaces(ty: &str) -> String {
    let mut out = String::new();
    let mut name = String::new();
    for c in ty.chars() {
        match c {
            '.' | '+' => name.clear(),
            c if c.is_alphanumeric() || c == '_' => name.push(c),
            c => {
                out.push_str(&name);
                name.clear();
                out.push(c);
            }
        }
    }
    out + &name
}

#[cfg(test)]
mod tests {
    use super::without_namespaces;

    #[test]
    fn types_lose_their_namespaces() {
        let of = without_namespaces;
        assert_eq!(
            of("System.Collections.Generic.List<Shop.Order?>"),
            "List<Order?>"
        );
        assert_eq!(of("(int a, A.B+C[] b)"), "(int a, C[] b)");
    }
}
