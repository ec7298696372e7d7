//! One file inside one project, bound: its types' parts and what each of them uses.

use std::cell::Cell;

use cortex_model::{
    Accessibility, AccessorKind, DeclKind, EdgeKind, Modifier, Modifiers, TypeKey, TypeKind,
};
use cortex_syntax::{DeclId, RefContext, RefId, TypeSyntax};
use serde::{Deserialize, Serialize};

use crate::{
    detail::member_detail,
    graph::{MemberDetail, PartRef},
    lookup::{Bound, InheritedTypes, Lookup, Universe, as_type},
    member::{MemberNode, TypeShape},
    outside::{Outside, TypeText},
    scope::FileScope,
    signature::{Renderer, accessor},
    symbol::{DeclaredType, TypeSymbol, is_partial},
};

/// What binding a file finds.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct BoundFile {
    /// Its type declarations, in source order.
    pub parts: Vec<BoundPart>,
    /// References to types of this repository, by reference id.
    pub uses: Vec<Use>,
    /// References that the language calls ambiguous.
    pub ambiguous: Vec<RefId>,
}

/// One reference to a type of this repository.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
pub struct Use {
    /// The reference in the file's facts.
    pub reference: RefId,
    /// The declaration around it.
    pub decl: Option<DeclId>,
    /// The type that it names.
    pub target: TypeKey,
    /// How.
    pub kind: EdgeKind,
}

/// One declaration of a type, bound.
#[derive(Clone, PartialEq, Debug)]
pub struct BoundPart {
    /// The type.
    pub symbol: TypeSymbol,
    /// The most restricted accessibility on the way in from outside.
    pub effective: Accessibility,
    /// Its modifiers.
    pub modifiers: Modifiers,
    /// Whether other parts may exist.
    pub partial: bool,
    /// Where it stands.
    pub place: PartRef,
    /// Base types as bound text, in order.
    pub base_texts: Vec<TypeText>,
    /// Base types declared in source, in order.
    pub bases: Vec<TypeKey>,
    /// Attributes and type parameters; the types of a delegate or enum.
    pub shape: TypeShape,
    /// Members, in source order.
    pub members: Vec<(MemberNode, MemberDetail)>,
    /// Words of its documentation.
    pub doc_hash: u64,
    /// Its text.
    pub text_hash: u64,
    /// Whether the file did not parse as a whole.
    pub degraded: bool,
}

/// Binds a file: every reference, every signature, whose types from outside `outside` knows. O(references +
/// declarations).
pub fn bind_file(
    file: FileScope<'_>,
    types: &[DeclaredType],
    universe: &dyn Universe,
    outside: &dyn Outside,
) -> BoundFile {
    let facts = file.facts;
    let enclosing = enclosing_decls(file);
    let mut lookup = Lookup::new(file, types, universe, InheritedTypes::Found);
    let bound = lookup.bind_all(&enclosing);
    let bases = bind_bases(file, types, universe);
    let mut out = BoundFile::default();
    for (id, what) in bound.iter().enumerate() {
        let reference = &facts.refs[id];
        match what {
            Bound::Ambiguous(_) => out.ambiguous.push(id as RefId),
            Bound::Type(target) => {
                let around = enclosing[id].and_then(|decl| lookup.type_of_decl[decl as usize]);
                let from_interface =
                    around.is_some_and(|ty| types[ty].symbol.kind == TypeKind::Interface);
                let kind = edge_kind(reference.context, || {
                    from_interface
                        || universe
                            .symbol(*target)
                            .is_some_and(|symbol| symbol.kind == TypeKind::Interface)
                });
                let Some(kind) = kind else { continue };
                out.uses.push(Use {
                    reference: id as RefId,
                    decl: enclosing[id],
                    target: *target,
                    kind,
                });
            }
            _ => {}
        }
    }
    let renderer = Renderer {
        facts,
        bound: &bound,
        universe,
        outside,
        decl: Cell::new(0),
    };
    let mut members: Vec<Vec<(MemberNode, MemberDetail)>> = vec![Vec::new(); types.len()];
    let detailed = |member: MemberNode| {
        let detail = member_detail(facts, &member).unwrap_or_default();
        (member, detail)
    };
    for (id, decl) in facts.decls.iter().enumerate() {
        let Some(ty) = lookup.type_of_decl[id] else {
            continue;
        };
        if decl.kind.is_member() {
            members[ty].push(detailed(member(
                file,
                &renderer,
                id as DeclId,
                &types[ty].symbol,
            )));
        } else if types[ty].decl == id as DeclId {
            members[ty].extend(
                primary_members(file, &renderer, id as DeclId, &types[ty].symbol)
                    .into_iter()
                    .map(detailed),
            );
        }
    }
    for (index, (ty, members)) in types.iter().zip(members).enumerate() {
        let decl = &facts.decls[ty.decl as usize];
        renderer.decl.set(ty.decl);
        let base_texts = decl.bases.iter().map(|base| renderer.type_text(base));
        out.parts.push(BoundPart {
            symbol: ty.symbol.clone(),
            effective: effective(types, index),
            modifiers: decl.modifiers,
            partial: is_partial(decl),
            place: PartRef {
                path: file.path.clone(),
                range: decl.range,
                doc_range: decl.doc_range,
                line: decl.line,
                project: None,
            },
            base_texts: base_texts.collect(),
            bases: bases[index].clone(),
            shape: renderer.type_shape(decl),
            members,
            doc_hash: decl.doc_hash,
            text_hash: decl.text_hash,
            degraded: facts.is_degraded(),
        });
    }
    out
}

/// The source base types of each declared type, in order.
///
/// Base lists are bound before any base is known, so nested types inherited from a base are not
/// found here (C# specification, §15.2.4.2, has base lists bound without them for the same reason).
pub fn bind_bases(
    file: FileScope<'_>,
    types: &[DeclaredType],
    universe: &dyn Universe,
) -> Vec<Vec<TypeKey>> {
    let facts = file.facts;
    let mut lookup = Lookup::new(file, types, universe, InheritedTypes::Ignored);
    let bases = types.iter().map(|ty| {
        let decl = &facts.decls[ty.decl as usize];
        let named = decl.bases.iter().filter_map(|base| {
            let TypeSyntax::Named(segments) = base else {
                return None;
            };
            let mut left = None;
            for segment in segments {
                let reference = facts.refs.get(segment.reference as usize)?;
                left = Some(lookup.bind(reference, left, Some(ty.decl)));
            }
            as_type(&left?).filter(|&key| key != ty.symbol.key)
        });
        named.collect()
    });
    bases.collect()
}

/// What a position says about the dependency; `None` for using directives, which make none.
fn edge_kind(context: RefContext, is_interface: impl FnOnce() -> bool) -> Option<EdgeKind> {
    use RefContext as C;
    Some(match context {
        C::Using => return None,
        C::Base => {
            if is_interface() {
                EdgeKind::Implements
            } else {
                EdgeKind::Inherits
            }
        }
        C::ExplicitInterface => EdgeKind::Implements,
        C::Constraint => EdgeKind::Constraint,
        C::Attribute => EdgeKind::Attribute,
        C::Field => EdgeKind::Field,
        C::Property => EdgeKind::Property,
        C::Event => EdgeKind::Event,
        C::Parameter => EdgeKind::Parameter,
        C::Return => EdgeKind::Return,
        C::Creation => EdgeKind::Creates,
        C::Throw => EdgeKind::Throws,
        C::Cast => EdgeKind::Casts,
        C::Pattern => EdgeKind::Pattern,
        C::TypeOf | C::NameOf => EdgeKind::TypeOf,
        C::Catch => EdgeKind::Catches,
        C::Local | C::TypeArgument => EdgeKind::Local,
        C::Doc => EdgeKind::Doc,
        C::Alias
        | C::Head
        | C::Value
        | C::Call
        | C::Member
        | C::MemberCall
        | C::Write
        | C::MemberWrite
        | C::Initializer
        | C::PatternMember
        | C::ArgumentName => EdgeKind::Static,
    })
}

/// The innermost declaration around each reference.
fn enclosing_decls(file: FileScope<'_>) -> Vec<Option<DeclId>> {
    let facts = file.facts;
    let mut out = Vec::with_capacity(facts.refs.len());
    let mut open: Vec<DeclId> = Vec::new();
    let mut next = 0;
    let mut docs = 0;
    for reference in &facts.refs {
        if reference.context == RefContext::Doc {
            while facts
                .decls
                .get(docs)
                .is_some_and(|decl| decl.doc_range.end <= reference.offset)
            {
                docs += 1;
            }
            out.push((docs < facts.decls.len()).then_some(docs as DeclId));
            continue;
        }
        while facts
            .decls
            .get(next)
            .is_some_and(|decl| decl.range.start <= reference.offset)
        {
            open.push(next as DeclId);
            next += 1;
        }
        while open
            .last()
            .is_some_and(|&decl| facts.decls[decl as usize].range.end <= reference.offset)
        {
            open.pop();
        }
        out.push(open.last().copied());
    }
    out
}

fn effective(types: &[DeclaredType], index: usize) -> Accessibility {
    let mut least = types[index].symbol.accessibility;
    let mut outer = types[index].outer;
    while let Some(index) = outer {
        least = least.min(types[index].symbol.accessibility);
        outer = types[index].outer;
    }
    least
}

fn member(file: FileScope<'_>, renderer: &Renderer<'_>, id: DeclId, ty: &TypeSymbol) -> MemberNode {
    let facts = file.facts;
    let decl = &facts.decls[id as usize];
    renderer.decl.set(id);
    let explicit = decl.kind != DeclKind::TopLevel && !decl.bases.is_empty();
    let accessibility = decl.accessibility.unwrap_or(match (ty.kind, decl.kind) {
        _ if explicit => Accessibility::Public,
        (TypeKind::Interface | TypeKind::Enum, _) | (_, DeclKind::Finalizer) => {
            Accessibility::Public
        }
        _ => Accessibility::Private,
    });
    let mut name = String::new();
    if let Some(interface) = decl.bases.first().filter(|_| explicit) {
        name.push_str(&renderer.type_text(interface).short());
        name.push('.');
    }
    let interface_len = name.len() as u32;
    match decl.kind {
        DeclKind::Operator | DeclKind::Conversion => name.push_str("operator "),
        _ => {}
    }
    name.push_str(if decl.kind == DeclKind::TopLevel {
        "<Main>$"
    } else {
        facts.name(decl.name)
    });
    let has_type = !matches!(
        decl.kind,
        DeclKind::Constructor
            | DeclKind::StaticConstructor
            | DeclKind::Finalizer
            | DeclKind::EnumMember
    );
    MemberNode {
        kind: decl.kind,
        accessibility,
        modifiers: decl.modifiers,
        ty: (decl.ty.as_ref())
            .filter(|_| has_type)
            .map(|ty| renderer.type_text(ty)),
        name,
        interface_len,
        params: decl.params.as_deref().map(|params| renderer.params(params)),
        type_params: renderer.type_params(decl),
        attributes: renderer.attributes(&decl.attributes),
        accessors: renderer.accessors(decl),
        part: 0,
        decl: id,
        primary: false,
    }
}

/// The primary constructor, and the properties that a record makes of its parameters (C# specification, §15.16).
fn primary_members(
    file: FileScope<'_>,
    renderer: &Renderer<'_>,
    id: DeclId,
    ty: &TypeSymbol,
) -> Vec<MemberNode> {
    let facts = file.facts;
    let decl = &facts.decls[id as usize];
    renderer.decl.set(id);
    let params = decl.params.as_deref();
    let Some(params) = params.filter(|_| decl.kind != DeclKind::Delegate) else {
        return Vec::new();
    };
    let made = |kind, name: &str| MemberNode {
        kind,
        accessibility: Accessibility::Public,
        modifiers: Modifiers::EMPTY,
        ty: None,
        name: name.to_owned(),
        interface_len: 0,
        params: None,
        type_params: Vec::new(),
        attributes: Vec::new(),
        accessors: Vec::new(),
        part: 0,
        decl: id,
        primary: true,
    };
    let mut out = vec![MemberNode {
        params: Some(renderer.params(params)),
        ..made(DeclKind::Constructor, ty.name())
    }];
    if matches!(ty.kind, TypeKind::Record | TypeKind::RecordStruct) {
        let is_mutable =
            ty.kind == TypeKind::RecordStruct && !decl.modifiers.contains(Modifier::Readonly);
        let setter = match is_mutable {
            true => AccessorKind::Set,
            false => AccessorKind::Init,
        };
        out.extend(params.iter().map(|param| MemberNode {
            modifiers: param.modifiers.without(Modifier::Params),
            ty: param.ty.as_ref().map(|ty| renderer.type_text(ty)),
            accessors: vec![accessor(AccessorKind::Get), accessor(setter)],
            ..made(DeclKind::Property, facts.name(param.name))
        }));
    }
    out
}
