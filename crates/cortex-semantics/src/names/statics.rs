//! §12.8.4: what a simple name in an expression means outside of the types around it.

use cortex_model::DeclKind;
use smallvec::{SmallVec, smallvec};

use super::{Access, Called, Meaning, MemberLookup, Outside, Position, Scope};
use crate::{
    compilation::Compilation,
    name::Name,
    symbol::{MemberFlags, Sym},
    ty::Ty,
};

impl Compilation<'_> {
    /// §12.8.4: a simple name that no local and no type around it has: types and namespaces of the namespace
    /// declarations around, inner to outer, and in each after its aliases what its directives bring in,
    /// static members of `using static` among that. No type is called; a namespace that is has no meaning.
    pub fn lookup_outside(&self, at: &Scope, name: Name, arity: u16, called: Called) -> Outside {
        let outside = Scope {
            container: None,
            position: Position::Body,
            type_params: Vec::new(),
            ..*at
        };
        let scopes = self.namespace_scopes(at.unit);
        let mut index = self.namespace_index(at) as usize;
        if !self.any_statics(at.unit, index) {
            return Outside::Meaning(match called {
                Called::Yes => Meaning::Unknown,
                Called::No => self.lookup_type_name(&outside, name, arity),
            });
        }
        for _ in 0..=scopes.len() {
            let scope = &scopes[index];
            for (level, &namespace) in scope.levels.iter().enumerate() {
                let found = self.in_namespace(&outside, namespace, name, arity);
                let mut found = match (called, found) {
                    (Called::No, found) | (Called::Yes, found @ Meaning::Namespace(_)) => found,
                    (Called::Yes, _) => Meaning::Unknown,
                };
                if level == 0 && found == Meaning::Unknown {
                    if scope.imports.has_statics() {
                        let members = self.imported_members(at, index, name, arity, called);
                        if let MemberLookup::Member(sym) = members
                            && called == Called::No
                            && self.lookup_in_imports(&outside, scope, name, arity)
                                != Meaning::Unknown
                        {
                            // CS0229: an imported type of the name. Methods come before types.
                            return Outside::Members(MemberLookup::Ambiguous(smallvec![sym]));
                        }
                        if !matches!(members, MemberLookup::None) {
                            return Outside::Members(members);
                        }
                    }
                    if called == Called::No {
                        found = self.lookup_in_imports(&outside, scope, name, arity);
                    }
                }
                if found != Meaning::Unknown {
                    return Outside::Meaning(found);
                }
            }
            if index == 0 {
                break;
            }
            index = scope.parent as usize;
        }
        Outside::Meaning(Meaning::Unknown)
    }

    fn any_statics(&self, unit: crate::symbol::UnitId, index: usize) -> bool {
        let scopes = self.namespace_scopes(unit);
        let mut index = index;
        for _ in 0..=scopes.len() {
            if scopes[index].imports.has_statics() {
                return true;
            }
            if index == 0 {
                return false;
            }
            index = scopes[index].parent as usize;
        }
        false
    }

    /// Static members of a name that the directives of one namespace declaration import: methods of all of
    /// them together, or one other member. Extension methods are not called by their simple name.
    fn imported_members(
        &self,
        at: &Scope,
        index: usize,
        name: Name,
        arity: u16,
        called: Called,
    ) -> MemberLookup {
        let scope = &self.namespace_scopes(at.unit)[index];
        if arity == 0 && self.lookup_alias(at, scope, name).is_some() {
            return MemberLookup::None;
        }
        let mut methods: SmallVec<[Sym; 4]> = SmallVec::new();
        let mut others: SmallVec<[Sym; 4]> = SmallVec::new();
        let mut seen: SmallVec<[Ty; 8]> = SmallVec::new();
        for target in scope.imports.both().flat_map(|imports| &imports.statics) {
            let Some(ty) = self.resolve_static(at, target) else {
                continue;
            };
            if seen.contains(&ty) {
                continue;
            }
            seen.push(ty);
            let Some(def) = self.def_of(ty) else { continue };
            for &id in self.members(def).named(name) {
                let member = self.member(id);
                let sym = Sym {
                    member: id,
                    container: ty,
                };
                if !member.is_static()
                    || member.is(MemberFlags::EXTENSION_BLOCK)
                    || !self.is_accessible(sym, self.from(at))
                {
                    continue;
                }
                if member.kind == DeclKind::Method {
                    let fits = arity == 0 || usize::from(arity) == member.arity();
                    if fits && !member.is(MemberFlags::EXTENSION) {
                        methods.push(sym);
                    }
                } else if arity == 0 && (called == Called::No || self.can_be_called(sym)) {
                    others.push(sym);
                }
            }
        }
        match (methods.is_empty(), others.len()) {
            (false, _) => MemberLookup::Methods(methods),
            (true, 0) => MemberLookup::None,
            (true, 1) => MemberLookup::Member(others[0]),
            _ => MemberLookup::Ambiguous(others),
        }
    }

    /// The access of a scope through a receiver of a type.
    pub fn access_through(&self, at: &Scope, through: Option<Ty>) -> Access {
        Access {
            through,
            ..self.from(at)
        }
    }
}
