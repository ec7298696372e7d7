//! Operators that types declare, and which of them is the best (C# specification, §12.4.3 to §12.4.6).
//!
//! Must not know: operators of the language.

use cortex_model::{DeclKind, TypeKind};
use cortex_syntax::Op;
use smallvec::SmallVec;

use super::{compares, is_equality, names};
use crate::{
    binder::Binder,
    compilation::Compilation,
    conversions::{Better, builtin::Builtin},
    expr::{Arg, Expr, ExprKind},
    name::Name,
    symbol::{Member, MemberFlags, RefKind, Sym, TypeParamOwner},
    ty::{Ty, TyKind},
};

/// An operator that takes the operands, as its lifted form where that is the one.
#[derive(Clone, Debug)]
pub(super) struct Candidate {
    pub(super) sym: Sym,
    /// What the operands convert to.
    pub(super) params: SmallVec<[Ty; 2]>,
    pub(super) result: Ty,
    is_lifted: bool,
}

impl Compilation<'_> {
    /// Whether operators can be declared for a type at all.
    fn may_have_operators(&self, ty: Ty) -> bool {
        match self.kind(ty) {
            TyKind::Param(_) => true,
            TyKind::Named { def, .. } => {
                !matches!(self.def(*def).kind, TypeKind::Enum | TypeKind::Delegate)
                    && self.builtin(ty).is_none()
            }
            _ => false,
        }
    }

    /// Whether a member with the name of an operator may be one: source says which methods are.
    pub(crate) fn may_be_operator(&self, member: &Member) -> bool {
        member.kind != DeclKind::Method || !self.def(member.owner).is_source()
    }

    /// §12.4.2.4: the lifted form of an operator, if it has one.
    fn lifted(&self, params: &[Ty], result: Ty, form: Form) -> Option<(SmallVec<[Ty; 2]>, Ty)> {
        let plain = |ty: Ty| self.is_value_type(ty) && self.nullable_underlying(ty).is_none();
        if !params.iter().all(|&ty| plain(ty)) {
            return None;
        }
        let is_bool = self.builtin(result) == Some(Builtin::Boolean);
        let result = match form {
            Form::Equality if !self.is_identical(params[0], params[1]) => return None,
            Form::Equality | Form::Comparison if !is_bool => return None,
            Form::Equality | Form::Comparison => result,
            Form::Other if !plain(result) || self.is_void(result) => return None,
            Form::Other => self.nullable(result),
        };
        let params = params.iter().map(|&ty| self.nullable(ty)).collect();
        Some((params, result))
    }
}

/// What an operator's lifted form depends on.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Form {
    Equality,
    Comparison,
    Other,
}

impl Binder<'_, '_> {
    /// The declared binary operator for two operands.
    pub(super) fn user_binary(&mut self, op: Op, left: &Expr, right: &Expr) -> Option<Candidate> {
        self.user_form(names::binary(op), &[left, right], form_of(op))
    }

    /// The declared unary operator for an operand.
    pub(super) fn user_unary(&mut self, op: Op, operand: &Expr) -> Option<Candidate> {
        self.user_form(names::unary(op), &[operand], Form::Other)
    }

    /// The declared operator of the first of some names that has one for the operands.
    pub(super) fn user_operator(
        &mut self,
        names: &[Name],
        operands: &[&Expr],
    ) -> Option<Candidate> {
        if !self.have_operators(operands) {
            return None;
        }
        let mut names = names.iter();
        names.find_map(|&name| self.best_operator(name, operands, Form::Other))
    }

    fn user_form(&mut self, names: &[&str], operands: &[&Expr], form: Form) -> Option<Candidate> {
        if !self.have_operators(operands) {
            return None;
        }
        names.iter().find_map(|name| {
            let name = self.c.name(name);
            self.best_operator(name, operands, form)
        })
    }

    fn have_operators(&self, operands: &[&Expr]) -> bool {
        let mut operands = operands.iter();
        operands.any(|operand| self.c.may_have_operators(self.c.strip_nullable(operand.ty)))
    }

    fn best_operator(&mut self, name: Name, operands: &[&Expr], form: Form) -> Option<Candidate> {
        let mut found: SmallVec<[Candidate; 4]> = SmallVec::new();
        let mut seen: SmallVec<[Ty; 2]> = SmallVec::new();
        for operand in operands {
            let ty = self.c.strip_nullable(operand.ty);
            if seen.contains(&ty) || !self.c.may_have_operators(ty) {
                continue;
            }
            seen.push(ty);
            self.operators_of(ty, name, operands, form, &mut found);
        }
        self.best_candidate(found, operands)
    }

    /// §12.4.6: the operators of the nearest type of a chain of bases that has any that apply; of type
    /// parameters and interfaces, those of their interfaces as well.
    fn operators_of(
        &mut self,
        ty: Ty,
        name: Name,
        operands: &[&Expr],
        form: Form,
        found: &mut SmallVec<[Candidate; 4]>,
    ) {
        let c = self.c;
        let before = found.len();
        for ty in c.self_and_bases(ty) {
            self.operators_in(ty, name, operands, form, found);
            if found.len() > before {
                return;
            }
        }
        if matches!(c.kind(ty), TyKind::Param(_)) || c.is_interface(ty) {
            for &interface in c.all_interfaces(ty).iter() {
                self.operators_in(interface, name, operands, form, found);
            }
        }
    }

    fn operators_in(
        &mut self,
        ty: Ty,
        name: Name,
        operands: &[&Expr],
        form: Form,
        found: &mut SmallVec<[Candidate; 4]>,
    ) {
        let c = self.c;
        if c.builtin(ty).is_some() {
            return;
        }
        let Some(def) = c.def_of(ty) else { return };
        for &member in c.members(def).named(name) {
            let sym = Sym {
                member,
                container: ty,
            };
            let member = c.member(member);
            if !member.is_static()
                || !c.may_be_operator(member)
                || member.is(MemberFlags::EXTENSION_BLOCK)
                || found.iter().any(|it| it.sym == sym)
            {
                continue;
            }
            if let Some(candidate) = self.candidate(sym, operands, form) {
                found.push(candidate);
            }
        }
    }

    fn candidate(&mut self, sym: Sym, operands: &[&Expr], form: Form) -> Option<Candidate> {
        let c = self.c;
        let signature = &c.member(sym.member).signature;
        if signature.params.len() != operands.len() {
            return None;
        }
        let by = c.container_args(sym);
        let declared = signature.params.iter();
        let params: SmallVec<[Ty; 2]> = declared.map(|it| c.substitute(it.ty, by)).collect();
        let result = c.substitute(signature.ty, by);
        if self.take(operands, &params) {
            return Some(Candidate {
                sym,
                params,
                result,
                is_lifted: false,
            });
        }
        let (params, result) = c.lifted(&params, result, form)?;
        self.take(operands, &params).then_some(Candidate {
            sym,
            params,
            result,
            is_lifted: true,
        })
    }

    fn take(&mut self, operands: &[&Expr], params: &[Ty]) -> bool {
        let mut pairs = operands.iter().zip(params);
        pairs.all(|(operand, &param)| self.implicit_conversion(operand, param).exists())
    }

    /// §12.6.4.3: the one that is better than all others.
    fn best_candidate(
        &mut self,
        mut found: SmallVec<[Candidate; 4]>,
        operands: &[&Expr],
    ) -> Option<Candidate> {
        if found.len() < 2 {
            return found.pop();
        }
        let best = (0..found.len()).find(|&index| {
            (0..found.len()).all(|other| {
                index == other
                    || self.better_candidate(&found[index], &found[other], operands) == Better::Left
            })
        })?;
        Some(found.swap_remove(best))
    }

    fn better_candidate(&mut self, a: &Candidate, b: &Candidate, operands: &[&Expr]) -> Better {
        let mut found = Better::Neither;
        for (index, operand) in operands.iter().enumerate() {
            match self.better_conversion(operand, a.params[index], b.params[index]) {
                Better::Neither => {}
                better if found == Better::Neither || found == better => found = better,
                _ => return Better::Neither,
            }
        }
        if found != Better::Neither {
            return found;
        }
        if a.is_lifted != b.is_lifted {
            return Better::of(!a.is_lifted, !b.is_lifted);
        }
        Better::of(self.is_more_specific(a, b), self.is_more_specific(b, a))
    }

    /// §12.6.4.3: parameters as declared, a type parameter being less specific than another type.
    fn is_more_specific(&self, a: &Candidate, b: &Candidate) -> bool {
        let declared =
            |candidate: &Candidate| &self.c.member(candidate.sym.member).signature.params;
        let open = |ty: Ty| match self.c.kind(ty) {
            TyKind::Param(id) => {
                matches!(self.c.type_param(*id).owner, TypeParamOwner::Type(_))
            }
            _ => false,
        };
        let mut some = false;
        for (a, b) in declared(a).iter().zip(declared(b)) {
            match (open(a.ty), open(b.ty)) {
                (true, false) => return false,
                (false, true) => some = true,
                _ => {}
            }
        }
        some
    }

    // ---- extension blocks ----

    /// C# 14: an operator of an extension block in scope, where no other applies.
    pub(super) fn extension_operator(
        &mut self,
        names: &[&str],
        operands: &[&Expr],
    ) -> Option<Candidate> {
        names.iter().find_map(|name| {
            let name = self.c.name(name);
            let levels = self.c.extensions_in_scope(&self.scope, name);
            levels
                .iter()
                .find_map(|level| self.best_extension(level, operands))
        })
    }

    fn best_extension(&mut self, level: &[Sym], operands: &[&Expr]) -> Option<Candidate> {
        let mut found: SmallVec<[Candidate; 4]> = SmallVec::new();
        for &sym in level {
            let member = self.c.member(sym.member);
            if !member.is_static() || member.signature.params.len() != operands.len() {
                continue;
            }
            let candidate = if member.arity() == 0 {
                self.candidate(sym, operands, Form::Other)
            } else {
                self.inferred_extension(sym, operands)
            };
            found.extend(candidate);
        }
        self.best_candidate(found, operands)
    }

    fn inferred_extension(&mut self, sym: Sym, operands: &[&Expr]) -> Option<Candidate> {
        let operands = operands.iter();
        let args: Vec<Arg> = operands
            .map(|&operand| Arg {
                name: None,
                ref_kind: RefKind::None,
                expr: operand.clone(),
            })
            .collect();
        let resolved = self.resolve(&[sym], &[], &args)?;
        Some(Candidate {
            sym,
            params: resolved.targets.iter().copied().collect(),
            result: resolved.ty,
            is_lifted: false,
        })
    }

    // ---- instance operators ----

    /// C# 14: an instance operator `x += y` or `x++` of the type of a variable.
    pub(super) fn instance_operator(
        &mut self,
        op: Op,
        target: &Expr,
        operands: &[&Expr],
    ) -> Option<Candidate> {
        let c = self.c;
        if !matches!(target.kind, ExprKind::Variable) || !c.may_have_operators(target.ty) {
            return None;
        }
        for &name in names::assignment(op) {
            let name = c.name(name);
            let mut types: SmallVec<[Ty; 4]> = c.self_and_bases(target.ty).collect();
            if matches!(c.kind(target.ty), TyKind::Param(_)) || c.is_interface(target.ty) {
                types.extend(c.all_interfaces(target.ty).iter().copied());
            }
            for ty in types {
                let mut found: SmallVec<[Candidate; 4]> = SmallVec::new();
                let Some(def) = c.def_of(ty) else { continue };
                for &member in c.members(def).named(name) {
                    let sym = Sym {
                        member,
                        container: ty,
                    };
                    let declared = c.member(member);
                    if !declared.is_static() && c.may_be_operator(declared) {
                        found.extend(self.candidate(sym, operands, Form::Other));
                    }
                }
                if !found.is_empty() {
                    return self.best_candidate(found, operands);
                }
            }
        }
        None
    }
}

fn form_of(op: Op) -> Form {
    if is_equality(op) {
        Form::Equality
    } else if compares(op) {
        Form::Comparison
    } else {
        Form::Other
    }
}
