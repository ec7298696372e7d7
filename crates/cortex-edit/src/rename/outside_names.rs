//! Names by which the runtime finds what C# does not bind: the function behind `[DllImport]` and `[LibraryImport]`, the
//! member behind `[UnsafeAccessor]`. Where the attribute does not say the name, it is that of the method with the
//! attribute: a rename writes it out.
//!
//! Source: documentation of `DllImportAttribute`, `LibraryImportAttribute` and `UnsafeAccessorAttribute`.
//!
//! Must not know: which symbol is renamed.

use cortex_model::ByteRange;
use cortex_syntax::{BodyId, BodyKind, FileFacts, RefId, TypeSyntax};

use super::attribute_texts::{class_of, content, last_name};
use crate::{
    body_tree::BodyTree,
    text_edit::{StartIs, TextEdit},
};

/// The attribute of methods that stand for members of other types.
const ACCESSOR: &str = "UnsafeAccessor";

/// Attributes of methods that stand for something with a name of its own, and the property that says this name.
const NAMING: [(&str, &str); 3] = [
    ("DllImport", "EntryPoint"),
    ("LibraryImport", "EntryPoint"),
    (ACCESSOR, "Name"),
];

/// Whether a text may have such an attribute.
pub(super) fn may_have_some(text: &str) -> bool {
    NAMING.iter().any(|(class, _)| text.contains(class))
}

/// The insertions that write out the names which attributes take from the methods that are called `name` at `places`.
pub(super) fn written_out(
    facts: &FileFacts,
    text: &str,
    (name, places): (&str, &[ByteRange]),
) -> Vec<TextEdit> {
    let tree = BodyTree::new(facts, text);
    let attributes = attributes(&tree).into_iter();
    let unnamed = attributes.filter(|it| {
        it.value.is_none() && places.iter().any(|place| place.start == it.method.name_at)
    });
    unnamed.map(|it| it.insertion(name)).collect()
}

/// A method that stands for a member of another type.
#[derive(Clone)]
pub(super) struct Accessor {
    /// Where the name of the type is.
    pub(super) type_at: u32,
    /// How many parameters the member has.
    pub(super) n_params: usize,
    /// The name of the member.
    pub(super) name: String,
    /// What is between the quotes of that name; none where it is that of the method.
    written: Option<ByteRange>,
    attribute: NamingAttribute,
}

impl Accessor {
    /// What gives the member another name.
    pub(super) fn renamed(&self, to: &str) -> TextEdit {
        match self.written {
            None => self.attribute.insertion(to),
            Some(range) => TextEdit {
                range,
                text: to.to_owned(),
                start: StartIs::Kept,
            },
        }
    }
}

/// The accessors of a file.
pub(super) fn accessors(facts: &FileFacts, text: &str) -> Vec<Accessor> {
    let tree = BodyTree::new(facts, text);
    let attributes = attributes(&tree).into_iter();
    let of_members = attributes.filter(|it| it.class == ACCESSOR);
    let accessors = of_members.filter_map(|attribute| {
        let written = match attribute.value {
            None => None,
            Some(value) => Some(content(&tree, value)?),
        };
        let name = match written {
            None => attribute.method.name.clone(),
            Some(range) => text.get(range.as_usize())?.to_owned(),
        };
        Some(Accessor {
            type_at: attribute.method.first_type_at?,
            n_params: attribute.method.n_params.checked_sub(1)?,
            name,
            written,
            attribute,
        })
    });
    accessors.collect()
}

/// One of these attributes.
#[derive(Clone)]
struct NamingAttribute {
    class: &'static str,
    property: &'static str,
    /// What its property is set to.
    value: Option<BodyId>,
    /// Where a setting can be written, and what stands around it.
    place: (u32, &'static str, &'static str),
    method: Method,
}

/// A method or local function.
#[derive(Clone)]
struct Method {
    name: String,
    name_at: u32,
    n_params: usize,
    /// Where the name of its first parameter's type is.
    first_type_at: Option<u32>,
}

impl NamingAttribute {
    /// Sets the property to a name.
    fn insertion(&self, name: &str) -> TextEdit {
        let (at, before, after) = self.place;
        TextEdit {
            range: ByteRange { start: at, end: at },
            text: format!("{before}{} = \"{name}\"{after}", self.property),
            start: StartIs::New,
        }
    }
}

fn attributes(tree: &BodyTree<'_>) -> Vec<NamingAttribute> {
    let all = tree.nodes();
    let attributes = all.filter(|&id| tree.kind(id) == BodyKind::Attribute);
    attributes.filter_map(|id| read(tree, id)).collect()
}

fn read(tree: &BodyTree<'_>, attribute: BodyId) -> Option<NamingAttribute> {
    let children = tree.children(attribute);
    let (&written, arguments) = (children.first()?, children.get(1).copied());
    let class = class_of(tree, written)?;
    let &(class, property) = NAMING.iter().find(|(known, _)| *known == class)?;
    let all = arguments.map(|it| tree.children(it)).unwrap_or_default();
    // A constructor has no name that could be given.
    let is_of_constructor = (all.first())
        .is_some_and(|&kind| class == ACCESSOR && tree.text_of(kind).ends_with("Constructor"));
    if is_of_constructor {
        return None;
    }
    let value = (all.iter())
        .filter(|&&it| tree.kind(it) == BodyKind::MemberInit)
        .find_map(|&setting| match tree.children(setting)[..] {
            [name, value] => (tree.text_of(name) == property).then_some(value),
            _ => None,
        });
    let place = match (arguments, all.last()) {
        (_, Some(&last)) => (tree.span(last).end, ", ", ""),
        (Some(empty), None) => (tree.span(empty).start + 1, "", ""),
        (None, None) => (tree.span(written).end, "(", ")"),
    };
    Some(NamingAttribute {
        class,
        property,
        value,
        place,
        method: method_of(tree, attribute)?,
    })
}

/// The method or local function that has an attribute.
fn method_of(tree: &BodyTree<'_>, attribute: BodyId) -> Option<Method> {
    let facts = tree.facts;
    let around = tree.parent(attribute)?;
    let node = tree.node(around);
    match node.kind {
        BodyKind::LocalFunction => {
            let mut params = tree.children(around);
            params.retain(|&it| tree.kind(it) == BodyKind::LambdaParameter);
            let first_type = (params.first()).and_then(|&it| tree.children(it).first().copied());
            Some(Method {
                name: facts.name(node.value).to_owned(),
                name_at: node.offset,
                n_params: params.len(),
                first_type_at: first_type.and_then(|it| type_name_at(tree, it)),
            })
        }
        BodyKind::Decl => {
            let decl = &facts.decls[node.value.checked_sub(1)? as usize];
            let params = decl.params.as_deref().unwrap_or_default();
            let first_type = params.first().and_then(|it| it.ty.as_ref());
            let reference =
                (first_type.and_then(last_reference)).and_then(|it| facts.refs.get(it as usize));
            Some(Method {
                name: facts.name(decl.name).to_owned(),
                name_at: decl.name_range.start,
                n_params: params.len(),
                first_type_at: reference.map(|it| it.offset),
            })
        }
        _ => None,
    }
}

/// Where the last name of a type in a body is.
fn type_name_at(tree: &BodyTree<'_>, ty: BodyId) -> Option<u32> {
    match tree.kind(ty) {
        BodyKind::RefType | BodyKind::NullableType => {
            type_name_at(tree, tree.children(ty).first().copied()?)
        }
        _ => Some(tree.node(last_name(tree, ty)?).offset),
    }
}

/// The last name of a type in the head of a declaration.
fn last_reference(ty: &TypeSyntax) -> Option<RefId> {
    match ty {
        TypeSyntax::Named(segments) => Some(segments.last()?.reference),
        TypeSyntax::Ref(inner) | TypeSyntax::RefReadonly(inner) | TypeSyntax::Nullable(inner) => {
            last_reference(inner)
        }
        _ => None,
    }
}
