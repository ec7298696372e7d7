//! Attributes that decide who may call an action.

use std::collections::BTreeMap;

use cortex_bind::{AttributeNode, MemberNode, TypeNode};
use cortex_model::member_short_id;

use super::{MemberOf, attributes::name_of};
use crate::{changes::Pair, diff_context::compared::Compared};

/// The attributes that decide who may call the members of compared types of the product.
pub(super) struct Authorizations {
    before: BTreeMap<MemberOf, Vec<String>>,
    after: BTreeMap<MemberOf, Vec<String>>,
}

impl Authorizations {
    pub(super) fn of(pairs: &[Pair<'_>], compared: &Compared) -> Self {
        let mut all = Self {
            before: BTreeMap::new(),
            after: BTreeMap::new(),
        };
        for pair in pairs {
            for (node, side) in [(pair.before(), &mut all.before), (pair.new, &mut all.after)] {
                let node = node.filter(|node| !compared.is_of_tests(&node.project));
                side.extend(node.into_iter().flat_map(of_members));
            }
        }
        all
    }

    /// Both sides in words, where it differs who may call a former handler and the one of today.
    pub(super) fn difference(&self, was: &MemberOf, is: &MemberOf) -> Option<String> {
        let (before, after) = (self.before.get(was)?, self.after.get(is)?);
        (before != after).then(|| format!("{} → {}", words(before), words(after)))
    }
}

fn of_members(node: &TypeNode) -> impl Iterator<Item = (MemberOf, Vec<String>)> {
    node.members.iter().map(move |member| {
        let id = member_short_id(&node.full_member_signature(member));
        ((node.fqn.clone(), id), of_member(node, member))
    })
}

/// The attributes that decide who may call an action: one that admits everyone stands for all.
fn of_member(node: &TypeNode, member: &MemberNode) -> Vec<String> {
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
