//! Where types are seen, and whether what names them is seen nowhere else (C# specification, §7.5.5).

use cortex_model::Accessibility;

use crate::{
    compilation::Compilation,
    symbol::TypeId,
    ty::{Ty, TyKind},
};

/// What limits where a declaration is seen: how far, and in which type; from the inside out.
type Limits = Vec<(Accessibility, Option<TypeId>)>;

impl Compilation<'_> {
    /// Whether a member of a type, declared with an accessibility, is nowhere seen where a type that it names is not.
    pub fn is_seen_with(&self, (owner, member): (TypeId, Accessibility), ty: Ty) -> bool {
        let mut own = vec![(member, Some(owner))];
        own.extend(self.limits(owner));
        self.sees(&own, ty)
    }

    /// The same of a type and its bases, constraints and the like.
    pub(crate) fn is_type_seen_with(&self, named_by: TypeId, ty: Ty) -> bool {
        self.sees(&self.limits(named_by), ty)
    }

    fn sees(&self, own: &Limits, ty: Ty) -> bool {
        match self.kind(ty) {
            TyKind::Named { def, args } => {
                self.sees_definition(own, *def) && args.iter().all(|&it| self.sees(own, it))
            }
            TyKind::Array(element, _) | TyKind::Pointer(element) => self.sees(own, *element),
            TyKind::Tuple { elements, .. } => elements.iter().all(|&it| self.sees(own, it)),
            _ => true,
        }
    }

    fn limits(&self, ty: TypeId) -> Limits {
        let types = std::iter::successors(Some(ty), |&it| self.def(it).outer);
        types
            .map(|it| (self.def(it).accessibility, self.def(it).outer))
            .collect()
    }

    fn sees_definition(&self, own: &Limits, ty: TypeId) -> bool {
        let is_inside = |inner: Option<TypeId>, outer: Option<TypeId>| {
            let mut around = std::iter::successors(inner, |&it| self.def(it).outer);
            outer.is_none() || around.any(|it| Some(it) == outer)
        };
        self.limits(ty)
            .into_iter()
            .all(|(limit, around)| match limit {
                Accessibility::Public => true,
                Accessibility::Private => own.iter().any(|&(own, inside)| {
                    own == Accessibility::Private && is_inside(inside, around)
                }),
                Accessibility::Internal => own.iter().any(|&(own, _)| {
                    !matches!(
                        own,
                        Accessibility::Public
                            | Accessibility::Protected
                            | Accessibility::ProtectedInternal
                    )
                }),
                Accessibility::File => own.iter().any(|&(own, _)| own == Accessibility::File),
                // Derived types see it as well: those are not looked for.
                Accessibility::Protected
                | Accessibility::ProtectedInternal
                | Accessibility::PrivateProtected => {
                    own.iter().any(|&(own, _)| own != Accessibility::Public)
                }
            })
    }
}
