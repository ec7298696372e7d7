//! Whether two members have the same signature (§7.6) as seen through their containers.

use smallvec::SmallVec;

use crate::{
    compilation::Compilation,
    symbol::{RefKind, Sym},
    ty::Ty,
    types::substitute::Substitution,
};

/// Whether names of parameters count.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum ParamNames {
    Equal,
    Any,
}

impl Compilation<'_> {
    /// Whether two members of one name take the same parameters: number of type parameters, types, by value or
    /// by reference.
    pub fn same_signature(&self, a: Sym, b: Sym) -> bool {
        self.signatures_match(a, b, ParamNames::Any)
    }

    pub(super) fn signatures_match(&self, a: Sym, b: Sym, names: ParamNames) -> bool {
        let (left, right) = (
            &self.member(a.member).signature,
            &self.member(b.member).signature,
        );
        if left.params.len() != right.params.len()
            || left.type_params.len() != right.type_params.len()
        {
            return false;
        }
        let is_by_value = |kind| kind == RefKind::None;
        let pairs = || left.params.iter().zip(&right.params);
        if !pairs().all(|(left, right)| {
            is_by_value(left.ref_kind) == is_by_value(right.ref_kind)
                && (names == ParamNames::Any || left.name == right.name)
        }) {
            return false;
        }
        if a.container == b.container && left.type_params.is_empty() {
            return pairs().all(|(left, right)| self.is_same(left.ty, right.ty));
        }
        // The type parameters of one stand for those of the other by position.
        let method_args: SmallVec<[Ty; 4]> = left
            .type_params
            .iter()
            .map(|&param| self.param_type(param))
            .collect();
        let left_by = self.container_args(a);
        let right_by = Substitution {
            method: (!method_args.is_empty()).then_some((b.member, &method_args[..])),
            ..self.container_args(b)
        };
        pairs().all(|(left, right)| {
            let left = self.substitute(left.ty, left_by);
            let right = self.substitute(right.ty, right_by);
            self.is_same(left, right)
        })
    }

    fn is_same(&self, a: Ty, b: Ty) -> bool {
        a == b || self.without_names(a) == self.without_names(b)
    }
}
