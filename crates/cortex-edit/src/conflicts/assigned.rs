//! Variables of new code that have no value where it is used, and `out` parameters without one at the end.
//!
//! Source: C# specification, §9.4 (definite assignment). Says nothing of variables that lambdas and local functions use, of
//! structs, which may get their values part by part, and where a `switch` without `default` or `?.` decides.

use cortex_model::{ByteRange, TypeKind};
use cortex_semantics::{LocalKind, LocalRole, LocalSymbol, RefKind, Special, Ty};
use cortex_syntax::{BodyId, BodyKind, Decl, DeclId, Op};

use super::EditedText;
use crate::{
    body_tree::BodyTree,
    ways::{Conditions, Ways, is_deferred},
};

/// Structs that have no parts.
const WHOLE: [Special; 14] = [
    Special::Boolean,
    Special::Char,
    Special::SByte,
    Special::Byte,
    Special::Int16,
    Special::UInt16,
    Special::Int32,
    Special::UInt32,
    Special::Int64,
    Special::UInt64,
    Special::Single,
    Special::Double,
    Special::Decimal,
    Special::IntPtr,
];

impl EditedText<'_, '_> {
    /// The name of a variable of a declaration that has no value on some way to where it needs one.
    pub(super) fn without_value(
        &self,
        conditions: &Conditions,
        (id, decl): (DeclId, &Decl),
    ) -> Option<String> {
        let tree = self.tree();
        let root = tree.root_of(id)?;
        let parts = tree.children(root).into_iter();
        let is_argument = |it: &BodyId| tree.kind(*it) == BodyKind::BaseArguments;
        let arguments = parts.clone().find(is_argument).map(|it| tree.span(it));
        let parts =
            parts.filter(|&it| matches!(tree.kind(it), BodyKind::Body | BodyKind::Accessor));
        let mut blocks = parts
            .flat_map(|part| tree.children(part))
            .filter(|&it| tree.kind(it) == BodyKind::Block);
        blocks.find_map(|block| self.without_value_in(conditions, (block, arguments), decl))
    }

    /// `arguments`: those of the constructor that runs before the block.
    fn without_value_in(
        &self,
        conditions: &Conditions,
        (block, arguments): (BodyId, Option<ByteRange>),
        decl: &Decl,
    ) -> Option<String> {
        let tree = self.tree();
        let ways = Ways::around(tree, conditions, (block, block))?;
        let spans = [Some(tree.span(block)), arguments];
        let is_in_code = |at: u32| spans.iter().flatten().any(|it| it.contains(at));
        let declared = self.locals().declarations.iter();
        let own = declared.filter(|it| decl.range.contains(it.range.start));
        for declaration in own {
            let parameter = match (declaration.kind, declaration.symbol) {
                (LocalKind::Local, _) if is_in_code(declaration.range.start) => None,
                (LocalKind::Parameter, LocalSymbol::Parameter(member, at)) => {
                    let params = &self.compilation.member(member).signature.params;
                    let param = params.get(usize::from(at));
                    match param.filter(|it| it.ref_kind == RefKind::Out) {
                        Some(param) => Some(param.ty),
                        None => continue,
                    }
                }
                _ => continue,
            };
            let places = self.places(declaration.symbol);
            let is_name = |at: u32| at == declaration.range.start || places.contains(&at);
            let needs_value = match parameter {
                Some(_) => ways.needs_value(is_name),
                None => ways.use_without_value(is_name).is_some(),
            };
            if !needs_value {
                continue;
            }
            let is_followed = (places.iter()).all(|&at| {
                tree.name_at(at)
                    .is_none_or(|it| is_followed(tree, block, it))
            });
            let is_whole = || match parameter {
                Some(ty) => self.is_whole(ty),
                None => {
                    let mut names = places.iter().filter_map(|&it| tree.name_at(it));
                    names.all(|it| {
                        let ty = self.bound().type_of(it);
                        ty.is_some_and(|ty| self.is_whole(ty.own))
                    })
                }
            };
            if is_followed && is_whole() {
                return Some(declaration.name.to_string());
            }
        }
        None
    }

    /// Where code uses a variable.
    fn places(&self, symbol: LocalSymbol) -> Vec<u32> {
        let uses = self.locals().uses_of(symbol);
        let uses = uses.filter(|it| it.role == LocalRole::Use);
        uses.map(|it| it.range.start).collect()
    }

    /// Whether a variable of a type has one value, and not one for each part.
    fn is_whole(&self, ty: Ty) -> bool {
        let c = self.compilation;
        c.is_reference_type(ty)
            || c.type_kind(ty) == Some(TypeKind::Enum)
            || WHOLE.iter().any(|&it| c.is_special(ty, it))
    }
}

/// Whether the ways to and from a name are those of the language.
fn is_followed(tree: &BodyTree<'_>, block: BodyId, name: BodyId) -> bool {
    let mut around = tree.ancestors(name).take_while(|&it| it != block);
    !around.any(|it| match tree.kind(it) {
        kind if is_deferred(kind) => true,
        BodyKind::ConditionalAccess => true,
        BodyKind::Switch | BodyKind::SwitchExpression => true,
        BodyKind::Binary => {
            let op = Op::ALL.get(usize::from(tree.node(it).flags));
            op == Some(&Op::Coalesce)
        }
        BodyKind::Invocation => {
            let callee = tree.children(it).first().copied();
            callee.is_some_and(|it| tree.text_of(it) == "nameof")
        }
        _ => false,
    })
}
