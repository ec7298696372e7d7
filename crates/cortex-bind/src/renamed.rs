//! Types as they would be bound were types of the repository called otherwise.
//!
//! Owns: where canonical names of types stand in what a snapshot keeps of a type. Must not know: which types have other
//! names, and why.

use cortex_model::{DeclKind, simple_name};

use crate::{
    graph::TypeNode,
    member::{AttributeNode, MemberNode, ParamNode, TypeParamNode},
    outside::{CLOSE, OPEN, TypeText},
};

/// Gives the other name of a type; `None` for one that keeps its own. A generic type that is named is asked for without its
/// arity and with what follows, as `N.Type<`; one that is declared by its canonical name.
pub type NameOf<'n> = dyn Fn(&str) -> Option<&'n str> + 'n;

impl TypeText {
    /// The text with other names for types of this repository.
    #[must_use]
    pub fn renamed(&self, name_of: &NameOf<'_>) -> Self {
        Self::new(renamed(self.marked(), name_of))
    }
}

impl TypeNode {
    /// The type with other names for itself and for the types that its declarations name. Its members keep their order.
    #[must_use]
    pub fn renamed(&self, name_of: &NameOf<'_>) -> Self {
        let mut out = self.clone();
        if let Some(name) = name_of(&self.fqn) {
            out.fqn = name.to_owned();
        }
        each(&mut out.base_list, name_of);
        for shape in &mut out.shapes {
            attributes(&mut shape.attributes, name_of);
            type_params(&mut shape.type_params, name_of);
            each(&mut shape.ty, name_of);
            params(&mut shape.params, name_of);
        }
        let simple = simple_name(&out.fqn).to_owned();
        for member in &mut out.members {
            if matches!(
                member.kind,
                DeclKind::Constructor | DeclKind::StaticConstructor | DeclKind::Finalizer
            ) && member.name == simple_name(&self.fqn)
            {
                member.name.clone_from(&simple);
            }
            member.rename(name_of);
        }
        out
    }

    /// Whether both have the same [`TypeNode::structure`], in whatever order their members stand.
    pub fn has_structure_of(&self, other: &Self) -> bool {
        let members = |node: &Self| {
            let visible = node
                .members
                .iter()
                .filter(|it| it.accessibility.is_visible());
            let texts = visible.map(|member| {
                let signature = node.marked_member_signature(member);
                (signature, member.marked_shape())
            });
            let mut texts: Vec<(String, String)> = texts.collect();
            texts.sort_unstable();
            texts
        };
        self.has_signature_of(other) && members(self) == members(other)
    }
}

impl MemberNode {
    fn rename(&mut self, name_of: &NameOf<'_>) {
        each(&mut self.ty, name_of);
        params(&mut self.params, name_of);
        type_params(&mut self.type_params, name_of);
        attributes(&mut self.attributes, name_of);
        if let Some(interface) = self.interface() {
            let interface = renamed(interface, name_of);
            self.name = format!("{interface}.{}", self.simple_name());
            self.interface_len = interface.len() as u32 + 1;
        }
    }
}

fn each<'t>(types: impl IntoIterator<Item = &'t mut TypeText>, name_of: &NameOf<'_>) {
    for ty in types {
        *ty = ty.renamed(name_of);
    }
}

fn params(params: &mut Option<Vec<ParamNode>>, name_of: &NameOf<'_>) {
    let params = params.iter_mut().flatten();
    each(params.map(|param| &mut param.ty), name_of);
}

fn type_params(params: &mut [TypeParamNode], name_of: &NameOf<'_>) {
    let constraints = params.iter_mut().flat_map(|param| &mut param.constraints);
    each(constraints, name_of);
}

fn attributes(attributes: &mut [AttributeNode], name_of: &NameOf<'_>) {
    each(attributes.iter_mut().map(|it| &mut it.name), name_of);
    attributes.sort_by_cached_key(AttributeNode::marked);
}

/// The text of a bound type with other names for types of this repository; those from outside stand behind marks.
fn renamed(marked: &str, name_of: &NameOf<'_>) -> String {
    let is_name = |c: char| c.is_alphanumeric() || matches!(c, '_' | '.' | '+' | '`' | '@');
    let end_of = |text: &str| text.find(|c| !is_name(c)).unwrap_or(text.len());
    let mut out = String::with_capacity(marked.len());
    let mut rest = marked;
    while let Some(first) = rest.chars().next() {
        let n_bytes = if first == OPEN {
            let behind = rest
                .find(CLOSE)
                .map_or(rest.len(), |at| at + CLOSE.len_utf8());
            behind + end_of(&rest[behind..])
        } else if is_name(first) {
            let end = end_of(rest);
            // Without its arity a generic type is called as the one beside it that is not.
            let end = end + usize::from(rest[end..].starts_with('<'));
            if let Some(name) = name_of(&rest[..end]) {
                out.push_str(name);
                rest = &rest[end..];
                continue;
            }
            end
        } else {
            first.len_utf8()
        };
        out.push_str(&rest[..n_bytes]);
        rest = &rest[n_bytes..];
    }
    out
}

#[cfg(test)]
mod tests {
    use super::renamed;

    #[test]
    fn names_of_the_repository_alone_have_other_names() {
        let name_of = |name: &str| match name {
            "A.X" => Some("B.X"),
            "X" => Some("Y"),
            "A.G<" => Some("B.G<"),
            _ => None,
        };
        let check = |text: &str, expected: &str| assert_eq!(renamed(text, &name_of), expected);
        check("A.X", "B.X");
        check("A.X[]?", "B.X[]?");
        check("A.G<A.X,AA.X,A.G>", "B.G<B.X,AA.X,A.G>");
        check("A.X.Z", "A.X.Z");
        check(
            "\u{1}A.\u{2}X<X,\u{1}N.\u{2}L<A.X>>",
            "\u{1}A.\u{2}X<Y,\u{1}N.\u{2}L<B.X>>",
        );
    }
}
