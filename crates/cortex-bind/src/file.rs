//! One file inside one project, bound: the parts of its types.

use std::{
    cell::Cell,
    collections::{BTreeMap, BTreeSet},
};

use cortex_model::{
    Accessibility, AccessorKind, DeclKind, Hasher, Modifier, Modifiers, TypeKey, TypeKind,
};
use cortex_syntax::{DeclId, FileFacts, RefContext, TypeSyntax};

use crate::{
    detail::member_detail,
    graph::{MemberDetail, PartRef},
    headers::{Headers, InheritedTypes, Universe, as_type, bind_headers, innermost_types},
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
    /// The order of its initializers that may have effects, hashed; 0 where at most one may.
    pub initializer_order: u64,
    /// Words of its documentation.
    pub doc_hash: u64,
    /// Its text.
    pub text_hash: u64,
    /// Whether the file did not parse as a whole.
    pub degraded: bool,
}

/// Binds a file: the headers of its declarations, whose types from outside `outside` knows. O(references +
/// declarations).
pub fn bind_file(
    file: FileScope<'_>,
    types: &[DeclaredType],
    universe: &dyn Universe,
    outside: &dyn Outside,
) -> BoundFile {
    let facts = file.facts;
    let bound = bind_headers(file, types, universe);
    let bases = bind_bases(file, types, universe);
    let type_of_decl = innermost_types(facts, types);
    let mut out = BoundFile::default();
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
        let Some(ty) = type_of_decl[id] else {
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
    let mut effects = initializer_effects(facts, &type_of_decl);
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
            initializer_order: effects.remove(&index).map_or(0, order_of),
            doc_hash: decl.doc_hash,
            text_hash: decl.text_hash,
            degraded: facts.is_degraded(),
        });
    }
    out
}

/// By type, as an index: the fields, properties and events whose initial values may have effects, in source order.
/// Calls, assignments and the creation of objects may.
fn initializer_effects(
    facts: &FileFacts,
    type_of_decl: &[Option<usize>],
) -> BTreeMap<usize, Vec<(bool, String)>> {
    use RefContext as C;
    let effects = facts.refs.iter().filter(|reference| {
        matches!(
            reference.context,
            C::Call | C::MemberCall | C::Write | C::MemberWrite | C::Creation
        )
    });
    let offsets: BTreeSet<u32> = effects.map(|reference| reference.offset).collect();
    let mut out: BTreeMap<usize, Vec<(bool, String)>> = BTreeMap::new();
    for (id, decl) in facts.decls.iter().enumerate() {
        let has_value = match decl.kind {
            DeclKind::Field | DeclKind::Event => true,
            DeclKind::Property => decl.value.is_some(),
            _ => false,
        };
        let body = decl.body_range;
        if !has_value || offsets.range(body.start..body.end).next().is_none() {
            continue;
        }
        if let Some(ty) = type_of_decl[id] {
            let is_static = decl.modifiers.contains(Modifier::Static);
            let name = facts.name(decl.name).to_owned();
            out.entry(ty).or_default().push((is_static, name));
        }
    }
    out
}

/// A hash of the order of initializers: those of static members run apart from the others (C# specification,
/// §15.5.6).
fn order_of(mut members: Vec<(bool, String)>) -> u64 {
    members.sort_by_key(|(is_static, _)| *is_static);
    let of = |wanted: bool| members.iter().filter(|it| it.0 == wanted).count();
    if of(true) < 2 && of(false) < 2 {
        return 0;
    }
    let mut hasher = Hasher::new("initializer-order-v1");
    for (is_static, name) in &members {
        hasher.number(u64::from(*is_static)).field(name.as_bytes());
    }
    hasher.finish().to_u64()
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
    let mut headers = Headers::new(file, types, universe, InheritedTypes::Ignored);
    let bases = types.iter().map(|ty| {
        let decl = &facts.decls[ty.decl as usize];
        let named = decl.bases.iter().filter_map(|base| {
            let TypeSyntax::Named(segments) = base else {
                return None;
            };
            let mut left = None;
            for segment in segments {
                let reference = facts.refs.get(segment.reference as usize)?;
                left = Some(headers.bind(reference, left, ty.decl));
            }
            as_type(&left?).filter(|&key| key != ty.symbol.key)
        });
        named.collect()
    });
    bases.collect()
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
