//! Attributes with the values of their arguments.

mod constructor;

use cortex_model::{Accessibility, TypeKind};
use cortex_syntax::{AttributeTarget, AttributeUse, Decl, FileFacts};

use super::{AttributeSurface, NamedConstant, constants};
use crate::{
    compilation::Compilation,
    names::{Ignore, Position, Scope},
    symbol::{TypeId, UnitId},
    ty::Ty,
};

impl Compilation<'_> {
    /// The attributes of the assembly that a file gives.
    pub fn assembly_attributes(&self, unit: UnitId) -> Vec<AttributeSurface> {
        let facts = self.unit(unit).facts(self);
        let scope = self.scope_of(unit, None, Position::Body);
        let uses = facts.assembly_attributes.iter();
        let of_assembly = uses.filter(|it| it.target == AttributeTarget::Assembly);
        let bound = of_assembly.filter_map(|it| bind(self, &scope, &facts, it));
        bound.collect()
    }
}

/// The attributes of one part of a declaration, in source order. Those whose class is unknown are left out; the
/// flag says whether there are any.
pub(super) fn of(
    c: &Compilation<'_>,
    scope: &Scope,
    facts: &FileFacts,
    decl: &Decl,
    target: AttributeTarget,
    has_unknown: &mut bool,
) -> Vec<AttributeSurface> {
    let uses = decl.attributes.iter().filter(|it| it.target == target);
    let mut out = Vec::new();
    for attribute in uses {
        match bind(c, scope, facts, attribute) {
            Some(bound) => out.push(bound),
            None => *has_unknown = true,
        }
    }
    out
}

fn bind(
    c: &Compilation<'_>,
    scope: &Scope,
    facts: &FileFacts,
    attribute: &AttributeUse,
) -> Option<AttributeSurface> {
    let class = c.bind_attribute(scope, facts, &attribute.name, &mut Ignore);
    let def = c.def_of(class)?;
    let text = attribute.arguments.map_or("", |id| facts.name(id));
    let arguments = constants::arguments(c, scope, text);
    let constants = arguments.constants.into_iter();
    Some(AttributeSurface {
        id: c.type_doc_id(def),
        arguments: constructor::arguments(c, def, arguments.written),
        named: arguments.named,
        written: text.to_owned(),
        constants: constants.map(|it| named_constant(c, it)).collect(),
    })
}

fn named_constant(c: &Compilation<'_>, (constant, value): constants::Constant) -> NamedConstant {
    let member = c.member(constant);
    let owner = c.def(member.owner);
    NamedConstant {
        ty: c.text(owner.name).to_owned(),
        is_of_enum: owner.kind == TypeKind::Enum,
        name: c.text(member.name).to_owned(),
        value,
    }
}

/// Whether another assembly can name a type, by its own accessibility alone.
pub(super) fn is_named_by_others(c: &Compilation<'_>, def: TypeId) -> bool {
    matches!(
        c.def(def).accessibility,
        Accessibility::Public | Accessibility::Protected | Accessibility::ProtectedInternal
    )
}

/// The same of a constructed type; one that is unknown counts.
pub(super) fn is_type_named_by_others(c: &Compilation<'_>, ty: Ty) -> bool {
    c.def_of(ty).is_none_or(|def| is_named_by_others(c, def))
}
