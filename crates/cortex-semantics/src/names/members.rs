//! §12.5: the members of a name of a type.

use cortex_model::DeclKind;
use smallvec::SmallVec;

use super::{Access, Called, MemberLookup, signatures::ParamNames};
use crate::{
    compilation::Compilation,
    name::{Name, known},
    special::Special,
    symbol::{Member, MemberFlags, Sym, TypeId},
    ty::{Ty, TyKind},
};

/// What is looked for.
#[derive(Clone, Copy)]
struct Wanted {
    name: Name,
    arity: Option<u16>,
    called: Called,
    from: Access,
}

/// What was found so far; methods let the search go on, anything else ends it.
#[derive(Default)]
struct Found {
    methods: SmallVec<[Sym; 4]>,
    others: SmallVec<[Sym; 4]>,
    ty: Option<(TypeId, Ty)>,
}

impl Compilation<'_> {
    /// §12.5: the members of a name of a type, as constructed, its base types and interfaces included;
    /// of a type parameter those of its constraints and `object`; of an interface those of `object` last;
    /// of a tuple its elements' names (`Item1`, and the written ones) as fields of its struct.
    ///
    /// Indexers, constructors and members of extension blocks have no name here. Of a method that a more
    /// derived type overrides, or hides with equal parameters, only that one is given.
    pub fn lookup_member(
        &self,
        ty: Ty,
        name: Name,
        arity: Option<u16>,
        from: Access,
    ) -> MemberLookup {
        self.lookup_called(ty, name, arity, Called::No, from)
    }

    /// The same for a name that is called: then fields, properties and events of other types than
    /// delegates, and types, are passed over.
    pub fn lookup_called(
        &self,
        ty: Ty,
        name: Name,
        arity: Option<u16>,
        called: Called,
        from: Access,
    ) -> MemberLookup {
        let wanted = Wanted {
            name,
            arity: arity.filter(|&arity| arity > 0),
            called,
            from,
        };
        let mut found = Found::default();
        match self.kind(ty) {
            TyKind::Error
            | TyKind::Dynamic
            | TyKind::None
            | TyKind::Pointer(_)
            | TyKind::FunctionPointer(_) => {}
            TyKind::Unbound(def) => {
                return self.lookup_called(self.instance_type(*def), name, arity, called, from);
            }
            TyKind::Named { .. } if self.is_interface(ty) => {
                let interfaces = self.all_interfaces(ty);
                self.in_interfaces(
                    std::iter::once(ty).chain(interfaces.iter().copied()),
                    wanted,
                    &mut found,
                );
                if found.others.is_empty() && found.ty.is_none() {
                    self.in_classes(self.special(Special::Object), wanted, &mut found);
                }
            }
            TyKind::Param(_) => {
                self.in_classes(self.effective_base(ty), wanted, &mut found);
                if found.others.is_empty() && found.ty.is_none() {
                    let interfaces = self.effective_interfaces(ty);
                    self.in_interfaces(interfaces.into_iter(), wanted, &mut found);
                }
            }
            TyKind::Tuple { elements, names } => {
                if let Some((field, index)) = self.tuple_field(ty, elements.len(), names, name)
                    && (called == Called::No || self.is_callable(elements[index]))
                {
                    return MemberLookup::Member(field);
                }
                self.in_classes(self.tuple_struct(ty), wanted, &mut found);
            }
            TyKind::Anonymous(_) => {
                self.in_classes(self.special(Special::Object), wanted, &mut found);
            }
            TyKind::Named { .. } | TyKind::Array(..) => self.in_classes(ty, wanted, &mut found),
        }
        found.result()
    }

    /// A class, struct, enum or delegate and its base classes.
    fn in_classes(&self, ty: Ty, wanted: Wanted, found: &mut Found) {
        for &class in self.chain(ty).iter() {
            let Some(def) = self.def_of(class) else {
                continue;
            };
            for &id in self.members(def).named(wanted.name) {
                let member = self.member(id);
                let sym = Sym {
                    member: id,
                    container: class,
                };
                if !self.is_wanted(member, sym, wanted) {
                    continue;
                }
                if member.kind == DeclKind::Method {
                    self.add_method(&mut found.methods, sym);
                } else if found.methods.is_empty() && found.others.is_empty() {
                    found.others.push(sym);
                }
            }
            if !found.others.is_empty() {
                return;
            }
            if found.methods.is_empty() && self.add_nested(def, class, wanted, found) {
                return;
            }
        }
    }

    /// Interfaces, each before those that it extends: what it declares hides what they do.
    fn in_interfaces(
        &self,
        interfaces: impl Iterator<Item = Ty>,
        wanted: Wanted,
        found: &mut Found,
    ) {
        for interface in interfaces {
            let Some(def) = self.def_of(interface) else {
                continue;
            };
            let hides = |other: &Sym| self.extends(other.container, interface);
            let is_hidden = found.others.iter().any(hides)
                || found
                    .ty
                    .is_some_and(|(_, container)| self.extends(container, interface));
            if is_hidden {
                continue;
            }
            let hides_others = found.methods.iter().any(hides);
            for &id in self.members(def).named(wanted.name) {
                let member = self.member(id);
                let sym = Sym {
                    member: id,
                    container: interface,
                };
                if !self.is_wanted(member, sym, wanted) {
                    continue;
                }
                if member.kind == DeclKind::Method {
                    self.add_method(&mut found.methods, sym);
                } else if !hides_others {
                    found.others.push(sym);
                }
            }
            if found.methods.is_empty() && found.others.is_empty() && found.ty.is_none() {
                self.add_nested(def, interface, wanted, found);
            }
        }
    }

    /// Whether what stands in a type hides what stands in an interface; a class hides all.
    fn extends(&self, hiding: Ty, hidden: Ty) -> bool {
        !self.is_interface(hiding) || self.all_interfaces(hiding).contains(&hidden)
    }

    fn is_wanted(&self, member: &Member, sym: Sym, wanted: Wanted) -> bool {
        if member.is(MemberFlags::EXTENSION_BLOCK) {
            return false;
        }
        let fits = match member.kind {
            DeclKind::Indexer | DeclKind::Constructor => false,
            DeclKind::Method => wanted
                .arity
                .is_none_or(|arity| usize::from(arity) == member.arity()),
            _ => wanted.arity.is_none() && (wanted.called == Called::No || self.can_be_called(sym)),
        };
        fits && self.is_accessible(sym, wanted.from)
    }

    pub(super) fn can_be_called(&self, sym: Sym) -> bool {
        self.is_callable(self.type_of(sym))
    }

    fn is_callable(&self, ty: Ty) -> bool {
        match self.kind(ty) {
            TyKind::Error | TyKind::Dynamic | TyKind::FunctionPointer(_) => true,
            _ => self.is_delegate(ty),
        }
    }

    /// Adds a method unless a more derived one overrides or hides it, or is its other part.
    fn add_method(&self, methods: &mut SmallVec<[Sym; 4]>, sym: Sym) {
        let is_left_out = methods.iter().any(|&nearer| {
            let nearer_member = self.member(nearer.member);
            let names = if nearer_member.is(MemberFlags::OVERRIDE) {
                ParamNames::Any
            } else {
                ParamNames::Equal
            };
            self.signatures_match(nearer, sym, names)
                && (nearer.container == sym.container
                    || !self.is_interface(sym.container)
                    || self.extends(nearer.container, sym.container))
        });
        if !is_left_out {
            methods.push(sym);
        }
    }

    fn add_nested(&self, def: TypeId, container: Ty, wanted: Wanted, found: &mut Found) -> bool {
        if wanted.called == Called::Yes {
            return false;
        }
        let arity = wanted.arity.unwrap_or(0);
        let nested = self.nested_named(def, wanted.name);
        let nested = nested
            .into_iter()
            .find(|&id| self.def(id).arity == arity && self.is_type_accessible(id, wanted.from));
        found.ty = nested.map(|id| (id, container));
        found.ty.is_some()
    }

    /// The field behind an element of a tuple, by `Item1` or its own name.
    fn tuple_field(
        &self,
        ty: Ty,
        count: usize,
        names: &[Option<Name>],
        name: Name,
    ) -> Option<(Sym, usize)> {
        let named = names.iter().position(|&own| own == Some(name));
        let index = named.or_else(|| {
            let number: usize = self.text(name).strip_prefix("Item")?.parse().ok()?;
            number.checked_sub(1).filter(|&index| index < count)
        })?;
        let mut container = self.tuple_struct(ty);
        for _ in 0..index / 7 {
            container = *self.args_of(container).get(7)?;
        }
        let def = self.def_of(container)?;
        let field = self.name(ITEMS[index % 7]);
        let member = *self.members(def).named(field).first()?;
        Some((Sym { member, container }, index))
    }

    /// Every instance constructor of a type, accessible ones only. In a base initializer give no
    /// `through`, for `new T()` give `T`: protected ones are accessible in the former alone.
    pub fn constructors(&self, ty: Ty, from: Access) -> SmallVec<[Sym; 4]> {
        let Some(def) = self.def_of(ty) else {
            return SmallVec::new();
        };
        let found = self.members(def).named(known::CTOR).iter();
        let syms = found.map(|&member| Sym {
            member,
            container: ty,
        });
        syms.filter(|&sym| {
            !self.member(sym.member).is(MemberFlags::STATIC) && self.is_accessible(sym, from)
        })
        .collect()
    }

    /// Indexers of a type, its bases and interfaces, most derived first, overridden ones left out.
    pub fn indexers(&self, ty: Ty, from: Access) -> SmallVec<[Sym; 4]> {
        let mut found = SmallVec::new();
        match self.kind(ty) {
            TyKind::Named { .. } if self.is_interface(ty) => {
                let interfaces = self.all_interfaces(ty);
                for interface in std::iter::once(ty).chain(interfaces.iter().copied()) {
                    self.add_indexers(interface, from, &mut found);
                }
            }
            TyKind::Param(_) => {
                let base = self.effective_base(ty);
                for &class in self.chain(base).iter() {
                    self.add_indexers(class, from, &mut found);
                }
                for interface in self.effective_interfaces(ty) {
                    self.add_indexers(interface, from, &mut found);
                }
            }
            TyKind::Named { .. } => {
                for &class in self.chain(ty).iter() {
                    self.add_indexers(class, from, &mut found);
                }
            }
            TyKind::Tuple { .. } => return self.indexers(self.tuple_struct(ty), from),
            _ => {}
        }
        found
    }

    fn add_indexers(&self, ty: Ty, from: Access, found: &mut SmallVec<[Sym; 4]>) {
        let Some(def) = self.def_of(ty) else { return };
        for &member in self.members(def).named(known::ITEM) {
            let sym = Sym {
                member,
                container: ty,
            };
            if self.member(member).kind == DeclKind::Indexer && self.is_accessible(sym, from) {
                self.add_method(found, sym);
            }
        }
    }
}

const ITEMS: [&str; 7] = [
    "Item1", "Item2", "Item3", "Item4", "Item5", "Item6", "Item7",
];

impl Found {
    fn result(self) -> MemberLookup {
        if !self.methods.is_empty() {
            return MemberLookup::Methods(self.methods);
        }
        match (&*self.others, self.ty) {
            ([], None) => MemberLookup::None,
            ([], Some((def, container))) => MemberLookup::Type(def, container),
            (&[one], _) => MemberLookup::Member(one),
            _ => MemberLookup::Ambiguous(self.others),
        }
    }
}
