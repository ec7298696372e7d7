//! Type parameters replaced by arguments.

use crate::{
    compilation::Compilation,
    symbol::{MemberId, Param, Sym, TypeParamOwner},
    ty::{Ty, TyKind},
};

/// What type parameters stand for. Those of types are replaced by position among `types`, those of one
/// method by position among `method`'s.
#[derive(Clone, Copy, Debug, Default)]
pub struct Substitution<'a> {
    /// Arguments of the containing type, those of types around it first.
    pub types: &'a [Ty],
    /// Arguments of a method.
    pub method: Option<(MemberId, &'a [Ty])>,
}

impl Compilation<'_> {
    /// A type with its type parameters replaced. Parameters of other owners stay.
    ///
    /// Give types from one definition's own signature: inside it, every type parameter of a type is one
    /// of its owner's.
    pub fn substitute(&self, ty: Ty, by: Substitution<'_>) -> Ty {
        if by.types.is_empty() && by.method.is_none() {
            return ty;
        }
        self.substitute_at(ty, by, 0)
    }

    fn substitute_at(&self, ty: Ty, by: Substitution<'_>, depth: u32) -> Ty {
        if depth > 64 {
            return Ty::ERROR;
        }
        let all = |types: &[Ty]| -> Box<[Ty]> {
            let each = types.iter();
            each.map(|&ty| self.substitute_at(ty, by, depth + 1))
                .collect()
        };
        match self.kind(ty) {
            TyKind::Error | TyKind::Dynamic | TyKind::None | TyKind::Unbound(_) => ty,
            TyKind::Param(id) => {
                let param = self.type_param(*id);
                let index = usize::from(param.index);
                let found = match param.owner {
                    TypeParamOwner::Type(_) => by.types.get(index),
                    TypeParamOwner::Method(owner) => by
                        .method
                        .filter(|&(method, _)| method == owner)
                        .and_then(|(_, args)| args.get(index)),
                    TypeParamOwner::Local(_) => None,
                };
                found.copied().unwrap_or(ty)
            }
            TyKind::Named { args, .. } if args.is_empty() => ty,
            TyKind::Named { def, args } => self.intern(TyKind::Named {
                def: *def,
                args: all(args),
            }),
            TyKind::Array(element, rank) => {
                let element = self.substitute_at(*element, by, depth + 1);
                self.array(element, *rank)
            }
            TyKind::Pointer(element) => {
                let element = self.substitute_at(*element, by, depth + 1);
                self.intern(TyKind::Pointer(element))
            }
            TyKind::FunctionPointer(parts) => self.intern(TyKind::FunctionPointer(all(parts))),
            TyKind::Tuple { elements, names } => self.intern(TyKind::Tuple {
                elements: all(elements),
                names: names.clone(),
            }),
            TyKind::Anonymous(members) => self.intern(TyKind::Anonymous(
                members
                    .iter()
                    .map(|&(name, ty)| (name, self.substitute_at(ty, by, depth + 1)))
                    .collect(),
            )),
        }
    }

    /// The result type of a member as seen through its container, its own type parameters left.
    pub fn type_of(&self, sym: Sym) -> Ty {
        let member = self.member(sym.member);
        self.substitute(member.signature.ty, self.container_args(sym))
    }

    /// The parameters of a member as seen through its container, its own type parameters left.
    pub fn params_of(&self, sym: Sym) -> Vec<Param> {
        let by = self.container_args(sym);
        let params = self.member(sym.member).signature.params.iter();
        params
            .map(|param| Param {
                ty: self.substitute(param.ty, by),
                ..*param
            })
            .collect()
    }

    /// The arguments that a container gives to its definition's type parameters.
    pub fn container_args(&self, sym: Sym) -> Substitution<'_> {
        Substitution {
            types: self.args_of(sym.container),
            method: None,
        }
    }

    /// A type without the names of tuple elements, anywhere in it, and with `object` for `dynamic`: two
    /// types are identical (§10.2.2) where these are equal.
    pub fn without_names(&self, ty: Ty) -> Ty {
        self.plain(ty, 0)
    }

    fn plain(&self, ty: Ty, depth: u32) -> Ty {
        if depth > 64 {
            return Ty::ERROR;
        }
        let all = |types: &[Ty]| -> Box<[Ty]> {
            types.iter().map(|&ty| self.plain(ty, depth + 1)).collect()
        };
        match self.kind(ty) {
            TyKind::Dynamic => self.special(crate::special::Special::Object),
            TyKind::Named { def, args } if !args.is_empty() => self.intern(TyKind::Named {
                def: *def,
                args: all(args),
            }),
            TyKind::Array(element, rank) => self.array(self.plain(*element, depth + 1), *rank),
            TyKind::Pointer(element) => {
                let element = self.plain(*element, depth + 1);
                self.intern(TyKind::Pointer(element))
            }
            TyKind::FunctionPointer(parts) => self.intern(TyKind::FunctionPointer(all(parts))),
            TyKind::Tuple { elements, .. } => self.intern(TyKind::Tuple {
                elements: all(elements),
                names: elements.iter().map(|_| None).collect(),
            }),
            _ => ty,
        }
    }
}
