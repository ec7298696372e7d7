//! What a few attributes say, read off their names and their arguments' text: they change what the
//! language does, and their classes are known by name alone.

use cortex_syntax::{AttributeTarget, AttributeUse, Decl, FileFacts, TypeSyntax};

use crate::{
    compilation::Compilation,
    name::Name,
    names::{Meaning, Scope},
    symbol::{CallerInfo, MemberId, MemberOrigin, Param},
    ty::Ty,
};

/// The first attribute of a class, given without `Attribute`, that the declaration itself has.
pub(super) fn find<'f>(
    facts: &FileFacts,
    attributes: &'f [AttributeUse],
    class: &str,
) -> Option<&'f AttributeUse> {
    let mut own = (attributes.iter()).filter(|it| it.target == AttributeTarget::Declaration);
    own.find(|attribute| class_of(facts, attribute) == Some(class))
}

impl Compilation<'_> {
    /// Whether the declaration of a member has an attribute of a class, given without `Attribute`; one from outside has
    /// none.
    pub(crate) fn has_attribute(&self, member: MemberId, class: &str) -> bool {
        let member = self.member(member);
        let MemberOrigin::Source(unit, decl) = member.origin else {
            return false;
        };
        let facts = self.unit(unit).facts(self);
        let declared = &facts.decls[decl as usize];
        // What the compiler makes is at home where its type is declared.
        declared.kind == member.kind && find(&facts, &declared.attributes, class).is_some()
    }
}

/// The last name of an attribute's class, without `Attribute`.
fn class_of<'f>(facts: &'f FileFacts, attribute: &AttributeUse) -> Option<&'f str> {
    let TypeSyntax::Named(segments) = &attribute.name else {
        return None;
    };
    let reference = facts.refs.get(segments.last()?.reference as usize)?;
    let name = facts.name(reference.name);
    Some(name.strip_suffix("Attribute").unwrap_or(name))
}

/// What calls pass to the parameters of a declaration that they leave out (C# specification, §23.5.6).
pub(super) fn add_caller_infos(facts: &FileFacts, decl: &Decl, params: &mut [Param]) {
    for attribute in &decl.attributes {
        let AttributeTarget::Parameter(at) = attribute.target else {
            continue;
        };
        let caller = match class_of(facts, attribute) {
            Some("CallerMemberName") => Some(CallerInfo::MemberName),
            Some("CallerArgumentExpression") => {
                let name = attribute.arguments.and_then(|it| named_by(facts.name(it)));
                let mut declared = decl.params.iter().flatten();
                let source = declared.position(|param| Some(facts.name(param.name)) == name);
                source.map(|source| CallerInfo::Argument(source as u16))
            }
            _ => None,
        };
        if let (Some(caller), Some(param)) = (caller, params.get_mut(usize::from(at))) {
            param.caller = caller;
        }
    }
}

/// The name in a string or in `nameof`.
fn named_by(argument: &str) -> Option<&str> {
    match argument.split_once("nameof(") {
        Some((_, name)) => name.trim_end_matches(')').rsplit('.').next(),
        None => argument.split('"').nth(1),
    }
}

/// The text of an attribute's arguments.
pub(crate) fn arguments<'f>(
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
    let method = named_by(method)?;
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
    indexer_name_argument(facts, attributes)?.split('"').nth(1)
}

/// The argument of `[IndexerName]`, as written.
pub(crate) fn indexer_name_argument<'f>(
    facts: &'f FileFacts,
    attributes: &[AttributeUse],
) -> Option<&'f str> {
    arguments(facts, attributes, "IndexerName")
}
