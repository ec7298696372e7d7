//! Attributes that decide who may call an action, and filters that run around it.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use cortex_bind::{AttributeNode, MemberNode, TypeNode};
use cortex_index::Snapshot;
use cortex_look::QueryError;
use cortex_model::{member_short_id, simple_name};

use super::{
    MemberOf,
    attributes::{Controller, is_action, name_of},
};
use crate::{changes::Pair, diff_context::compared::Compared};

/// The attributes of compared members of the product that decide who may call them, and those that are filters.
pub(super) struct Authorizations {
    before: BTreeMap<MemberOf, Gates>,
    after: BTreeMap<MemberOf, Gates>,
    /// The names of their attributes that are filters.
    filters: BTreeSet<String>,
}

/// What decides whether the code of an action runs.
struct Gates {
    authorization: Vec<String>,
    /// The names of all attributes of the action and its type, each with its text.
    attributes: BTreeSet<(String, String)>,
}

/// What differs of it, both sides in words.
#[derive(Default)]
pub(super) struct GateChange {
    pub(super) authorization: Option<String>,
    pub(super) filters: Option<String>,
}

impl GateChange {
    pub(super) fn is_none(&self) -> bool {
        self.authorization.is_none() && self.filters.is_none()
    }
}

impl Authorizations {
    pub(super) fn of(pairs: &[Pair<'_>], compared: &Compared) -> Result<Self, QueryError> {
        let mut all = Self {
            before: BTreeMap::new(),
            after: BTreeMap::new(),
            filters: BTreeSet::new(),
        };
        for pair in pairs {
            let sides = [(&compared.old, pair.before()), (&compared.new, pair.new)];
            let gates = [&mut all.before, &mut all.after];
            for ((snapshot, node), side) in sides.into_iter().zip(gates) {
                if let Some(node) = node.filter(|node| !compared.is_of_tests(&node.project)) {
                    let controller = Controller::of(snapshot, node)?;
                    side.extend(of_actions(node, &controller));
                }
            }
        }
        let sides = all.before.values().chain(all.after.values());
        let names = sides.flat_map(|gates| gates.attributes.iter().map(|(name, _)| name.clone()));
        let names: BTreeSet<String> = names.collect();
        let mut known = HashMap::new();
        for name in names {
            if is_filter([&compared.new, &compared.old], &name, &mut known)? {
                all.filters.insert(name);
            }
        }
        Ok(all)
    }

    /// What differs between the gates of a former handler and those of the one of today.
    pub(super) fn difference(&self, was: &MemberOf, is: &MemberOf) -> GateChange {
        let (Some(before), Some(after)) = (self.before.get(was), self.after.get(is)) else {
            return GateChange::default();
        };
        let change = |before: Vec<String>, after: Vec<String>| {
            (before != after).then(|| format!("{} → {}", words(&before), words(&after)))
        };
        let filters = |gates: &Gates, others: &Gates| -> Vec<String> {
            let alone = gates.attributes.difference(&others.attributes);
            let alone = alone.filter(|(name, _)| self.filters.contains(name));
            alone.map(|(_, text)| text.clone()).collect()
        };
        GateChange {
            authorization: change(before.authorization.clone(), after.authorization.clone()),
            filters: change(filters(before, after), filters(after, before)),
        }
    }
}

fn name_and_text(attribute: &AttributeNode) -> (String, String) {
    let name = name_of(attribute);
    let arguments = attribute.arguments.as_ref();
    let arguments = arguments.map_or_else(String::new, |it| format!("({it})"));
    let text = format!("[{name}{arguments}]");
    (name, text)
}

fn of_actions<'n>(
    node: &'n TypeNode,
    controller: &Controller<'n>,
) -> impl Iterator<Item = (MemberOf, Gates)> {
    let actions = node.members.iter();
    let actions = actions.filter(|it| is_action(node, it) || !controller.routes_of(it).is_empty());
    actions.map(move |member| {
        let id = member_short_id(&node.full_member_signature(member));
        ((node.fqn.clone(), id), Gates::of(node, member))
    })
}

impl Gates {
    fn of(node: &TypeNode, member: &MemberNode) -> Self {
        let of_type = node.shapes.iter().flat_map(|shape| &shape.attributes);
        let all: Vec<&AttributeNode> = of_type.chain(&member.attributes).collect();
        Self {
            authorization: authorization(&all),
            attributes: all.into_iter().map(name_and_text).collect(),
        }
    }
}

/// Attributes of ASP.NET Core that decide whether an action runs, and are not authorization.
const KNOWN_FILTERS: [&str; 13] = [
    "AutoValidateAntiforgeryToken",
    "Consumes",
    "DisableCors",
    "DisableRateLimiting",
    "DisableRequestSizeLimit",
    "EnableCors",
    "EnableRateLimiting",
    "FeatureGate",
    "IgnoreAntiforgeryToken",
    "RequestSizeLimit",
    "RequireAntiforgeryToken",
    "RequireHttps",
    "ValidateAntiForgeryToken",
];

/// What a filter of the repository may derive from, beside classes that are called so: `ActionFilterAttribute`.
const FILTER_INTERFACES: [&str; 13] = [
    "IActionFilter",
    "IAlwaysRunResultFilter",
    "IAsyncActionFilter",
    "IAsyncAlwaysRunResultFilter",
    "IAsyncAuthorizationFilter",
    "IAsyncExceptionFilter",
    "IAsyncResourceFilter",
    "IAsyncResultFilter",
    "IAuthorizationFilter",
    "IExceptionFilter",
    "IFilterFactory",
    "IResourceFilter",
    "IResultFilter",
];

/// Whether an attribute is a filter of actions: one of the framework's, or one of the repository that derives from such.
/// `name`: without `Attribute`. `sides`: where its class is looked for, in this order.
fn is_filter(
    sides: [&Snapshot; 2],
    name: &str,
    known: &mut HashMap<String, bool>,
) -> Result<bool, QueryError> {
    if KNOWN_FILTERS.contains(&name) || name.ends_with("Filter") {
        return Ok(true);
    }
    if let Some(&known) = known.get(name) {
        return Ok(known);
    }
    // A class that derives from itself is none.
    known.insert(name.to_owned(), false);
    let mut bases: BTreeSet<String> = BTreeSet::new();
    for snapshot in sides {
        for class in [format!("{name}Attribute"), name.to_owned()] {
            for symbol in snapshot.types_named(&class)? {
                let header = snapshot.type_header(symbol.key)?;
                let list = header.into_iter().flat_map(|header| header.base_list);
                bases.extend(list.map(|base| base.to_string()));
            }
        }
    }
    for base in bases {
        let base = simple_name(base.split('<').next().unwrap_or_default());
        let class = base.strip_suffix("Attribute").unwrap_or(base);
        if FILTER_INTERFACES.contains(&base) || is_filter(sides, class, known)? {
            known.insert(name.to_owned(), true);
            return Ok(true);
        }
    }
    Ok(false)
}

/// The attributes that decide who may call an action: one that admits everyone stands for all.
fn authorization(all: &[&AttributeNode]) -> Vec<String> {
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
