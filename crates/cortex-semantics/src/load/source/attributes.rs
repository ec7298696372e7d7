//! What a few attributes say, read off their names and their arguments' text: they change what the
//! language does, and their classes are known by name alone.

use cortex_syntax::{AttributeTarget, AttributeUse, FileFacts, TypeSyntax};

use crate::{
    compilation::Compilation,
    name::Name,
    names::{Meaning, Scope},
    ty::Ty,
};

/// The first attribute of a class, given without `Attribute`, that the declaration itself has.
pub(super) fn find<'f>(
    facts: &FileFacts,
    attributes: &'f [AttributeUse],
    class: &str,
) -> Option<&'f AttributeUse> {
    let mut own = (attributes.iter()).filter(|it| it.target == AttributeTarget::Declaration);
    own.find(|attribute| {
        let TypeSyntax::Named(segments) = &attribute.name else {
            return false;
        };
        let reference = segments
            .last()
            .and_then(|it| facts.refs.get(it.reference as usize));
        reference.is_some_and(|reference| {
            let name = facts.name(reference.name);
            name == class || name.strip_suffix("Attribute") == Some(class)
        })
    })
}

/// The text of an attribute's arguments.
pub(super) fn arguments<'f>(
    facts: &'f FileFacts,
    attributes: &[AttributeUse],
    class: &str,
) -> Option<&'f str> {
    find(facts, attributes, class)?
        .arguments
        .map(|id| facts.name(id))
}

/// `[CollectionBuilder(typeof(B), "M")]`, with a string or `nameof`.
pub(super) fn collection_builder(
    c: &Compilation<'_>,
    at: &Scope,
    arguments: &str,
) -> Option<(Ty, Name)> {
    let (builder, method) = arguments.split_once("),")?;
    let builder = builder.split_once("typeof(")?.1.trim();
    let method = method.trim();
    let method = match method.split_once("nameof(") {
        Some((_, name)) => name.trim_end_matches(')').rsplit('.').next()?,
        None => method.split('"').nth(1)?,
    };
    let mut names = builder
        .strip_prefix("global::")
        .unwrap_or(builder)
        .split('.');
    let mut meaning = c.lookup_type_name(at, c.name(names.next()?.trim()), 0);
    for name in names {
        meaning = c.lookup_qualified(at, &meaning, c.name(name.trim()), 0);
    }
    match meaning {
        Meaning::Type { def, .. } if c.def(def).type_params.is_empty() => {
            Some((c.named(def, &[]), c.name(method.trim())))
        }
        Meaning::Alias(ty) => Some((ty, c.name(method.trim()))),
        _ => None,
    }
}

/// The name that `[IndexerName("…")]` gives.
pub(crate) fn indexer_name<'f>(
    facts: &'f FileFacts,
    attributes: &[AttributeUse],
) -> Option<&'f str> {
    arguments(facts, attributes, "IndexerName")?
        .split('"')
        .nth(1)
}
