//! Bounds of type parameters from pairs of types (C# specification, §12.6.3.9 to §12.6.3.11), and what they
//! are fixed to (§12.6.3.12).
//!
//! A formal type is one of the signature as declared; the type parameters that are inferred are variables
//! in it. Must not know: expressions.

use smallvec::SmallVec;

use crate::{
    compilation::Compilation,
    conversions::Explicit,
    special::Special,
    symbol::{TypeParamId, Variance},
    ty::{Ty, TyKind},
};

/// What is known of one type parameter.
#[derive(Clone, Default, Debug)]
pub(super) struct Bounds {
    pub(super) fixed: Option<Ty>,
    exact: SmallVec<[Ty; 2]>,
    lower: SmallVec<[Ty; 2]>,
    upper: SmallVec<[Ty; 2]>,
    /// The natural type of a lambda or method group: counts where nothing else does.
    natural: Option<Ty>,
    /// Whether something unknown would have been a bound.
    pub(super) is_unknown: bool,
}

impl Bounds {
    pub(super) fn has_any(&self) -> bool {
        !self.exact.is_empty()
            || !self.lower.is_empty()
            || !self.upper.is_empty()
            || self.natural.is_some()
    }
}

/// How a bound limits a type parameter.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Bound {
    /// It is this type.
    Exact,
    /// This type converts to it.
    Lower,
    /// It converts to this type.
    Upper,
}

/// The bounds of all type parameters of a method.
pub(super) struct Variables<'c> {
    pub(super) params: &'c [TypeParamId],
    pub(super) bounds: SmallVec<[Bounds; 4]>,
}

/// Types nested deeper make no bounds.
const MAX_NESTED: u32 = 64;

impl<'c> Variables<'c> {
    pub(super) fn of(params: &'c [TypeParamId]) -> Self {
        Self {
            params,
            bounds: params.iter().map(|_| Bounds::default()).collect(),
        }
    }

    /// The variable that a formal type is.
    pub(super) fn index_of(&self, c: &Compilation<'_>, formal: Ty) -> Option<usize> {
        let TyKind::Param(id) = c.kind(formal) else {
            return None;
        };
        self.params.iter().position(|param| param == id)
    }

    /// A bound that counts only where there is no other.
    pub(super) fn natural(&mut self, index: usize, ty: Ty) {
        self.bounds[index].natural.get_or_insert(ty);
    }

    /// §12.6.3.9 to §12.6.3.11: what a type says of the variables in a formal one.
    pub(super) fn infer(&mut self, c: &Compilation<'_>, kind: Bound, source: Ty, formal: Ty) {
        self.infer_at(c, kind, source, formal, 0);
    }

    fn infer_at(&mut self, c: &Compilation<'_>, kind: Bound, source: Ty, formal: Ty, depth: u32) {
        if depth > MAX_NESTED || source.is_none() {
            return;
        }
        if let Some(index) = self.index_of(c, formal) {
            let bounds = &mut self.bounds[index];
            if source.is_error() {
                bounds.is_unknown = true;
            } else if bounds.fixed.is_none() {
                let list = match kind {
                    Bound::Exact => &mut bounds.exact,
                    Bound::Lower => &mut bounds.lower,
                    Bound::Upper => &mut bounds.upper,
                };
                if !list.contains(&source) {
                    list.push(source);
                }
            }
            return;
        }
        if source.is_error() {
            self.mark_unknown(c, formal);
            return;
        }
        match (c.kind(formal), c.kind(source)) {
            (TyKind::Array(formal, rank), TyKind::Array(source, source_rank))
                if rank == source_rank =>
            {
                self.element(c, kind, *source, *formal, depth);
            }
            (TyKind::Pointer(formal), TyKind::Pointer(source)) => {
                self.infer_at(c, Bound::Exact, *source, *formal, depth + 1);
            }
            (TyKind::FunctionPointer(formals), TyKind::FunctionPointer(sources))
                if formals.len() == sources.len() =>
            {
                for (&formal, &source) in formals.iter().zip(sources) {
                    self.infer_at(c, Bound::Exact, source, formal, depth + 1);
                }
            }
            (
                TyKind::Tuple {
                    elements: formals, ..
                },
                TyKind::Tuple {
                    elements: sources, ..
                },
            ) if formals.len() == sources.len() => {
                for (&formal, &source) in formals.iter().zip(sources) {
                    self.infer_at(c, kind, source, formal, depth + 1);
                }
            }
            (TyKind::Tuple { .. }, TyKind::Named { .. }) => {
                let formal = c.tuple_struct(formal);
                self.infer_at(c, kind, source, formal, depth + 1);
            }
            (TyKind::Named { .. }, _) => self.constructed(c, kind, source, formal, depth),
            _ => {}
        }
    }

    /// Marks every variable in a formal type: something unknown would have said what it is.
    fn mark_unknown(&mut self, c: &Compilation<'_>, formal: Ty) {
        let params = self.params;
        let bounds = &mut self.bounds;
        super::super::mapping::mentions(c, formal, &mut |id| {
            if let Some(index) = params.iter().position(|&param| param == id) {
                bounds[index].is_unknown = true;
            }
            false
        });
    }

    /// Elements of arrays: exactly, where they are not references.
    fn element(&mut self, c: &Compilation<'_>, kind: Bound, source: Ty, formal: Ty, depth: u32) {
        let kind = if c.is_reference_type(source) || source.is_error() {
            kind
        } else {
            Bound::Exact
        };
        self.infer_at(c, kind, source, formal, depth + 1);
    }

    fn constructed(
        &mut self,
        c: &Compilation<'_>,
        kind: Bound,
        source: Ty,
        formal: Ty,
        depth: u32,
    ) {
        let TyKind::Named { def, args } = c.kind(formal) else {
            return;
        };
        let tuple = c.tuple_struct(source);
        if c.def_of(tuple) == Some(*def) {
            self.arguments(c, kind, tuple, formal, depth);
            return;
        }
        if let TyKind::Array(element, rank) = c.kind(source)
            && kind != Bound::Upper
            && args.len() == 1
        {
            // C# 14: first-class spans. An array is an IEnumerable<T> and its like by its interfaces.
            let is = |special| c.well_known(special) == Some(*def);
            let lists = [
                Special::IEnumerableT,
                Special::ICollectionT,
                Special::IListT,
                Special::IReadOnlyListT,
                Special::IReadOnlyCollectionT,
            ];
            if *rank == 1 && kind == Bound::Lower {
                if is(Special::Span) {
                    self.infer_at(c, Bound::Exact, *element, args[0], depth + 1);
                    return;
                }
                if is(Special::ReadOnlySpan) || lists.into_iter().any(is) {
                    self.element(c, kind, *element, args[0], depth);
                    return;
                }
            }
        }
        match kind {
            Bound::Exact => {}
            Bound::Lower => {
                if c.well_known(Special::ReadOnlySpan) == Some(*def)
                    && let Some(element) = c.arg_of(source, Special::Span)
                {
                    self.element(c, kind, element, args[0], depth);
                    return;
                }
                if c.well_known(Special::ReadOnlySpan) == Some(*def)
                    && c.is_special(source, Special::String)
                {
                    let char = c.special(Special::Char);
                    self.infer_at(c, Bound::Exact, char, args[0], depth + 1);
                    return;
                }
                if let Some(found) = unique_base(c, source, *def) {
                    self.arguments(c, kind, found, formal, depth);
                }
            }
            Bound::Upper => {
                // The formal type derives from or implements the source.
                if let TyKind::Array(element, 1) = c.kind(source) {
                    let _ = element;
                    return;
                }
                let Some(wanted) = c.def_of(source) else {
                    return;
                };
                if let Some(found) = unique_base(c, formal, wanted) {
                    self.arguments(c, kind, source, found, depth);
                }
            }
        }
    }

    /// Two constructions of one definition, argument by argument.
    fn arguments(&mut self, c: &Compilation<'_>, kind: Bound, source: Ty, formal: Ty, depth: u32) {
        let Some(def) = c.def_of(formal) else { return };
        let (sources, formals) = (c.args_of(source), c.args_of(formal));
        // Nullable<T> passes its bound on (§12.6.3.10).
        if Some(def) == c.well_known(Special::Nullable) {
            if let (&[source], &[formal]) = (sources, formals) {
                self.infer_at(c, kind, source, formal, depth + 1);
            }
            return;
        }
        let params = &c.def(def).type_params;
        let is_variant = c.is_interface(formal) || c.is_delegate(formal);
        for ((&source, &formal), &param) in sources.iter().zip(formals).zip(params) {
            let variance = if kind == Bound::Exact || !is_variant {
                Variance::None
            } else if c.is_reference_type(source) || source.is_error() {
                c.constraints(param).variance
            } else {
                Variance::None
            };
            let kind = match (variance, kind) {
                (Variance::None, _) | (_, Bound::Exact) => Bound::Exact,
                (Variance::Out, kind) => kind,
                (Variance::In, Bound::Lower) => Bound::Upper,
                (Variance::In, Bound::Upper) => Bound::Lower,
            };
            self.infer_at(c, kind, source, formal, depth + 1);
        }
    }

    /// §12.6.3.12: decides one variable from its bounds; whether that is possible.
    pub(super) fn fix(&mut self, c: &Compilation<'_>, index: usize) -> bool {
        let bounds = &self.bounds[index];
        let found = best(c, bounds).or_else(|| bounds.is_unknown.then_some(Ty::ERROR));
        self.bounds[index].fixed = found;
        found.is_some()
    }
}

/// The one construction of a definition among a type's bases and interfaces.
fn unique_base(c: &Compilation<'_>, ty: Ty, def: crate::symbol::TypeId) -> Option<Ty> {
    if c.def(def).kind == cortex_model::TypeKind::Interface {
        let interfaces = c.all_interfaces(ty);
        let mut matching = interfaces.iter().filter(|&&it| c.def_of(it) == Some(def));
        let first = *matching.next()?;
        return matching
            .all(|&other| c.is_identical(first, other))
            .then_some(first);
    }
    let mut bases = c.self_and_bases(ty).skip(1);
    bases.find(|&base| c.def_of(base) == Some(def))
}

fn best(c: &Compilation<'_>, bounds: &Bounds) -> Option<Ty> {
    let mut candidates: SmallVec<[Ty; 4]> = SmallVec::new();
    let all = if bounds.exact.is_empty() {
        [&bounds.lower[..], &bounds.upper[..]]
    } else {
        [&bounds.exact[..], &[]]
    };
    for &ty in all.into_iter().flatten() {
        match candidates.iter_mut().find(|it| c.is_identical(**it, ty)) {
            // `dynamic` is preferred to `object`, names of tuple elements to none.
            Some(same) if ty == Ty::DYNAMIC => *same = ty,
            Some(_) => {}
            None => candidates.push(ty),
        }
    }
    if candidates.is_empty() {
        return bounds.natural;
    }
    if !bounds.exact.is_empty() && candidates.len() > 1 {
        return None;
    }
    if candidates.len() == 1
        && bounds.lower.len() + bounds.upper.len() <= 1
        && bounds.exact.is_empty()
    {
        return Some(candidates[0]);
    }
    candidates.retain(|candidate| {
        bounds.lower.iter().all(|&it| converts(c, it, *candidate))
            && bounds.upper.iter().all(|&it| converts(c, *candidate, it))
    });
    let mut found = None;
    for &candidate in &candidates {
        if candidates.iter().all(|&it| converts(c, it, candidate)) {
            if found.is_some() {
                return None;
            }
            found = Some(candidate);
        }
    }
    found
}

/// An implicit conversion between types, user-defined ones included; `dynamic` converts to nothing here.
fn converts(c: &Compilation<'_>, from: Ty, to: Ty) -> bool {
    if from == to || c.is_identical(from, to) {
        return true;
    }
    if from == Ty::DYNAMIC {
        return false;
    }
    c.standard_implicit(from, to) || c.user_defined_conversion(from, to, Explicit::No).is_some()
}
