//! Changed handlers that a framework finds by the type of what it is given: a requirement, request, message or event.
//! Whoever creates one, or names its type in an attribute, runs the handler without naming it.
//!
//! Owns: which bases are those of handlers, and which places hand something over. Must not know: the frameworks.

use crate::impact::{
    symbols::ChangedSymbol,
    uses::{Found, Places, Want, Wanted, find},
};
use cortex_derived::doc_ids::DocIds;
use cortex_look::QueryError;
use cortex_wire::{MemberChangeKind, Role, UseSide, Via, ViaRelation};

use std::collections::{BTreeMap, BTreeSet};

use cortex_bind::TypeText;
use cortex_index::MemberTag;
use cortex_model::TypeKey;

/// Generic bases and interfaces whose first type argument is what a handler is given: those of ASP.NET Core, MediatR,
/// MassTransit, NServiceBus and Rebus, and what applications call their own ones.
const HANDLERS: [&str; 10] = [
    "ICommandHandler",
    "IConsumer",
    "IDomainEventHandler",
    "IEventHandler",
    "IHandleMessages",
    "IMessageHandler",
    "INotificationHandler",
    "IQueryHandler",
    "IRequestHandler",
    "IStreamRequestHandler",
];

/// The same by how names end: applications derive handlers of their own from that of ASP.NET Core.
const AUTHORIZATION: &str = "AuthorizationHandler";

/// A type that is handed to a changed handler.
pub(crate) struct Handled {
    /// The type.
    key: TypeKey,
    constructors: Vec<MemberTag>,
    /// The handler.
    handler: TypeKey,
    /// The changed member of the handler, by index.
    symbol: usize,
    to: String,
}

/// What is handed to the handlers among changed types of one side.
pub(crate) fn handled(
    ids: &mut DocIds<'_>,
    symbols: &[ChangedSymbol],
    side: UseSide,
) -> Result<Vec<Handled>, QueryError> {
    let mut handlers: BTreeMap<TypeKey, usize> = BTreeMap::new();
    for (at, symbol) in symbols.iter().enumerate() {
        // What is new is run by members that changed for it.
        let is_told = matches!(
            symbol.change,
            MemberChangeKind::Signature | MemberChangeKind::Shape | MemberChangeKind::Body
        );
        if symbol.side == side && symbol.member.is_some() && is_told {
            let known = handlers.entry(symbol.key).or_insert(at);
            // A method, if any changed: constants and fields do not run.
            if symbol.id.starts_with("M:") && !symbols[*known].id.starts_with("M:") {
                *known = at;
            }
        }
    }
    let mut out = Vec::new();
    for (handler, symbol) in handlers {
        let Some(node) = ids.snapshot().type_node(handler)? else {
            continue;
        };
        let names = node.base_list.iter().filter_map(handed);
        for name in names.collect::<BTreeSet<String>>() {
            let Some(key) = depends_on(ids, handler, &name)? else {
                continue;
            };
            let Some(own) = ids.ty(key)? else { continue };
            let members = own.symbols.members.iter().zip(own.symbols.tags());
            let constructors = members.filter(|(member, _)| member.id.starts_with("M.#ctor"));
            out.push(Handled {
                key,
                constructors: constructors.map(|(_, tag)| tag).collect(),
                handler,
                symbol,
                to: own.id.clone(),
            });
        }
    }
    Ok(out)
}

/// The full name of what a base hands to its handlers, if it is one of handlers.
pub(crate) fn handed(base: &TypeText) -> Option<String> {
    let full = base.full();
    let (name, arguments) = full.split_once('<')?;
    let simple = name.rsplit(['.', '+']).next()?;
    let is_handler = HANDLERS.contains(&simple) || simple.ends_with(AUTHORIZATION);
    let first = arguments.find([',', '<', '>'])?;
    is_handler.then(|| arguments[..first].trim().to_owned())
}

/// The type of this full name among those that a type depends on.
pub(crate) fn depends_on(
    ids: &DocIds<'_>,
    user: TypeKey,
    name: &str,
) -> Result<Option<TypeKey>, QueryError> {
    let snapshot = ids.snapshot();
    for edge in snapshot.edges(user)?.source {
        let header = snapshot.type_header(edge.target)?;
        if header.is_some_and(|header| header.fqn == name) {
            return Ok(Some(edge.target));
        }
    }
    Ok(None)
}

impl Handled {
    /// Adds what has to be found for some types to what is looked for.
    pub(crate) fn want(all: Vec<Self>, wanted: &mut Wanted, vias: &mut Vec<Via>) -> Handing {
        let mut handing = Handing::default();
        for handled in all {
            let via = vias.len();
            vias.push(Via {
                to: handled.to,
                relation: ViaRelation::Handler,
            });
            handing.handlers.insert(via, handled.handler);
            let constructors = handled.constructors.into_iter().map(Some);
            let wants = constructors.chain([None]).map(|member| Want {
                via: Some(via),
                ..Want::of(member, handled.symbol)
            });
            wanted.entry(handled.key).or_default().extend(wants);
        }
        handing
    }
}

/// Which of the places that are found hand something to a handler.
#[derive(Default)]
pub(crate) struct Handing {
    /// Handlers by the number of what leads to them.
    handlers: BTreeMap<usize, TypeKey>,
}

impl Handing {
    /// Leaves out places that hand nothing over, and adds the uses of the fields and properties that keep what is
    /// handed over: `Operations.Read`.
    pub(crate) fn finish(
        &self,
        ids: &mut DocIds<'_>,
        places: &mut Places,
    ) -> Result<(), QueryError> {
        if self.handlers.is_empty() {
            return Ok(());
        }
        places.found.retain(|found| self.is_handing(found));
        let mut keepers = Wanted::new();
        let mut known: BTreeSet<(TypeKey, MemberTag, usize)> = BTreeSet::new();
        for found in &places.found {
            let via = found.want.via.filter(|via| self.handlers.contains_key(via));
            let (Some(via), Some((key, Some(tag)))) = (via, found.inside) else {
                continue;
            };
            if known.insert((key, tag, via)) && is_value(ids, key, tag)? {
                keepers.entry(key).or_default().push(Want {
                    member: Some(tag),
                    ..found.want
                });
            }
        }
        if keepers.is_empty() {
            return Ok(());
        }
        let kept = find(ids.snapshot(), &keepers)?;
        for mut found in kept.found {
            let handler = found.want.via.and_then(|via| self.handlers.get(&via));
            if found.inside.map(|(key, _)| key) != handler.copied() {
                found.file = places.file(&kept.files[found.file as usize]);
                places.found.push(found);
            }
        }
        Ok(())
    }

    fn is_handing(&self, found: &Found) -> bool {
        let via = found.want.via;
        let Some(handler) = via.and_then(|via| self.handlers.get(&via)) else {
            return true;
        };
        let is_handler = found.inside.is_some_and(|(key, _)| key == *handler);
        let is_handing = match found.want.member {
            Some(_) => found.role == Role::Creation,
            // Its name in `new` stands for the constructor, which counts.
            None => matches!(found.role, Role::Attribute | Role::Typeof | Role::Local),
        };
        is_handing && !is_handler
    }
}

/// Whether a member is a field or property.
fn is_value(ids: &mut DocIds<'_>, key: TypeKey, tag: MemberTag) -> Result<bool, QueryError> {
    let id = ids.of(key, Some(tag))?;
    Ok(id.is_some_and(|id| id.starts_with("F:") || id.starts_with("P:")))
}

#[cfg(test)]
mod tests {
    use cortex_bind::TypeText;

    use super::handed;

    #[test]
    fn the_first_type_argument_of_a_handler_is_what_it_is_given() {
        let handed = |base: &str| handed(&TypeText::from(base));
        for base in [
            "A.AuthorizationHandler<N.R>",
            "A.AuthorizationHandler<N.R, N.O>",
            "BulkAuthorizationHandler<N.R, N.O>",
            "IRequestHandler<N.R, System.Collections.Generic.List<N.O>>",
            "IConsumer<N.R>",
        ] {
            assert_eq!(handed(base).as_deref(), Some("N.R"), "{base}");
        }
        for base in [
            "IAuthorizationHandler",
            "List<N.R>",
            "IHandlerOf<N.R>",
            "N.IConsumer",
        ] {
            assert_eq!(handed(base), None, "{base}");
        }
    }
}
