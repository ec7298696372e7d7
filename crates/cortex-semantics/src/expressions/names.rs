//! Simple names in expressions (C# specification, §12.8.4), names after `::` (§7.8.1), and names that
//! are both a value and its type (§12.8.7.2).

use std::rc::Rc;

use cortex_model::{DeclKind, EdgeKind};
use cortex_syntax::{BodyId, BodyKind};
use smallvec::SmallVec;

use crate::{
    binder::Binder,
    expr::{Constant, Expr, ExprKind, Extensions, MethodGroup},
    local_names::{LocalRole, LocalSymbol, Recording},
    name::{Name, known},
    names::{Called, Meaning, MemberLookup, Outside},
    output::{Receiver, Why},
    special::Special,
    surface::{Value, value_of},
    symbol::{MemberFlags, MemberId, RefKind, Sym, TypeId},
    ty::{Ty, TyKind},
};

/// How a name is read that is both a value and its type.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Reading {
    /// As the value: an instance member follows.
    Value,
    /// As the type: a static member follows.
    Type,
}

/// What a simple name means in an expression.
pub(super) enum SimpleName {
    /// A local, by number.
    Local(u32),
    /// `field` in an accessor.
    BackingField(Ty),
    /// A parameter of a type's primary constructor: its type, the constructor, its position.
    Parameter(Ty, MemberId, u16),
    /// Methods.
    Methods(SmallVec<[Sym; 4]>),
    /// Another member.
    Member(Sym),
    /// A type: its definition, where it has one, and itself.
    Type(Option<TypeId>, Ty),
    /// A namespace.
    Namespace(Name),
    /// `_`, where nothing has this name.
    Discard,
    /// Nothing, or too much.
    Unbound(Why),
}

impl Binder<'_, '_> {
    /// A simple name that is not before a dot.
    pub(super) fn bind_simple_name(&mut self, node: BodyId) -> Expr {
        let args = self.type_arguments(node);
        let meaning = self.simple_name(node, &args);
        self.use_simple_name(node, meaning, args)
    }

    /// What stands before a dot: a name may be both a value and its type, which is recorded when it is
    /// known what follows ([`Self::settle`]).
    pub(crate) fn bind_receiver(&mut self, node: BodyId) -> Expr {
        if self.body_kind(node) != BodyKind::Name {
            let receiver = self.bind(node);
            return match receiver.kind {
                ExprKind::Type | ExprKind::Namespace(_) | ExprKind::Base => receiver,
                _ => self.finish(receiver),
            };
        }
        let meaning = self.simple_name(node, &[]);
        if let Some(ty) = self.value_type(&meaning)
            && let Some(named) = self.type_of_same_name(self.name_of(node), ty)
        {
            return Expr::of(node, ty, ExprKind::ColorColor(named));
        }
        let receiver = self.use_simple_name(node, meaning, Box::default());
        self.touch(receiver.ty);
        match receiver.kind {
            ExprKind::Type | ExprKind::Namespace(_) => receiver,
            _ => self.finish(receiver),
        }
    }

    /// Decides for one reading of a name that is both a value and its type, and records it; other
    /// expressions stay as they are.
    pub(crate) fn settle(&mut self, expr: Expr, reading: Reading) -> Expr {
        let ExprKind::ColorColor(named) = expr.kind else {
            return expr;
        };
        let node = expr.node;
        match reading {
            Reading::Value => {
                let meaning = self.simple_name(node, &[]);
                self.use_simple_name(node, meaning, Box::default())
            }
            Reading::Type => {
                let def = self.c.def_of(named);
                self.record_simple_name(node, &SimpleName::Type(def, named));
                if let Some(def) = def {
                    self.record_type(self.node(node).offset, def, EdgeKind::Static);
                }
                Expr::of(node, named, ExprKind::Type)
            }
        }
    }

    /// The type of what a name means, if that is a value.
    fn value_type(&self, meaning: &SimpleName) -> Option<Ty> {
        match *meaning {
            SimpleName::Local(local) => {
                let local = &self.locals[local as usize];
                local.function.is_none().then_some(local.ty)
            }
            SimpleName::Parameter(ty, ..) => Some(ty),
            SimpleName::Member(sym) => Some(self.c.type_of(sym)),
            _ => None,
        }
    }

    /// The type that a name means as a type, if it is this one.
    fn type_of_same_name(&self, name: Name, ty: Ty) -> Option<Ty> {
        let type_name = match self.c.kind(ty) {
            TyKind::Named { def, .. } => self.c.def(*def).name,
            TyKind::Param(param) => self.c.type_param_name(*param),
            _ => return None,
        };
        if type_name != name {
            return None;
        }
        let named = match self.c.lookup_type_name(&self.scope, name, 0) {
            Meaning::Type { def, outer } => self.construct(def, outer, &[]),
            Meaning::Param(param) => self.c.param_type(param),
            Meaning::Alias(ty) => ty,
            _ => return None,
        };
        (named == ty).then_some(named)
    }

    /// The type arguments that a name has, written; empty where one is left out.
    pub(crate) fn type_arguments(&mut self, node: BodyId) -> Box<[Ty]> {
        if self.body_kind(node) != BodyKind::GenericName {
            return Box::default();
        }
        let mut args = Vec::new();
        for arg in self.children(node) {
            if self.body_kind(arg) != BodyKind::OmittedType {
                args.push(self.bind_type_node(arg, EdgeKind::Local));
            }
        }
        args.into()
    }

    /// §12.8.4: locals, then each type around from inside out (its type parameters, members, parameters
    /// of its primary constructor), then namespaces and what usings bring in.
    pub(super) fn simple_name(&mut self, node: BodyId, args: &[Ty]) -> SimpleName {
        let called = if self.is_called(node) {
            Called::Yes
        } else {
            Called::No
        };
        self.looked_up(node, args, called)
    }

    /// Whether a name before an argument list means something that can be called.
    pub(crate) fn names_what_is_called(&self, node: BodyId) -> bool {
        match self.simple_name_as(node, &[], Called::Yes).0 {
            SimpleName::Methods(_) | SimpleName::Member(_) => true,
            SimpleName::Local(local) => {
                let local = &self.locals[local as usize];
                local.function.is_some() || self.c.is_delegate(local.ty)
            }
            SimpleName::Parameter(ty, ..) => self.c.is_delegate(ty),
            _ => false,
        }
    }

    /// Whether nothing has a simple name, so that `_` discards a value.
    pub(crate) fn means_nothing(&self, node: BodyId) -> bool {
        let (meaning, _) = self.simple_name_as(node, &[], Called::No);
        matches!(meaning, SimpleName::Discard)
    }

    /// Records the variable that a name means as if it stood alone; nothing where it means none.
    pub(crate) fn record_variable_alone(&mut self, node: BodyId) {
        let meaning = self.looked_up(node, &[], Called::No);
        if matches!(
            meaning,
            SimpleName::Local(_) | SimpleName::Parameter(..) | SimpleName::BackingField(_)
        ) {
            self.use_simple_name(node, meaning, Box::default());
        }
    }

    /// The same, with a note that the name was no local's.
    fn looked_up(&mut self, node: BodyId, args: &[Ty], called: Called) -> SimpleName {
        let (meaning, this) = self.simple_name_as(node, args, called);
        if let Some(this) = this {
            self.record_receiver(self.node(node).offset, Receiver::Of(this));
        }
        if !matches!(meaning, SimpleName::Local(_)) {
            let name = self.name_of(node);
            self.asked.push(name);
        }
        meaning
    }

    /// What a simple name means, and the type around it that has it as a member.
    fn simple_name_as(
        &self,
        node: BodyId,
        args: &[Ty],
        called: Called,
    ) -> (SimpleName, Option<Ty>) {
        let name = self.name_of(node);
        let arity = self.arity_of(node);
        if let Some(local) = self.local(name)
            && (arity == 0 || self.locals[local as usize].function.is_some())
        {
            return (SimpleName::Local(local), None);
        }
        if name == known::FIELD
            && arity == 0
            && !self.is_verbatim(node)
            && let Some(ty) = self.backing_field
        {
            return (SimpleName::BackingField(ty), None);
        }
        if arity == 0 {
            let mut params = self.scope.type_params.iter().rev();
            if let Some(&(_, param)) = params.find(|param| param.0 == name) {
                return (SimpleName::Type(None, self.c.param_type(param)), None);
            }
        }
        for &ty in &self.enclosing {
            if let Some(found) = self.name_in_type(ty, name, arity, args, called) {
                let is_member = matches!(found, SimpleName::Methods(_) | SimpleName::Member(_));
                return (found, is_member.then_some(ty));
            }
        }
        (self.name_outside_types(name, arity, args, called), None)
    }

    /// A simple name among what one enclosing type has.
    fn name_in_type(
        &self,
        ty: Ty,
        name: Name,
        arity: u16,
        args: &[Ty],
        called: Called,
    ) -> Option<SimpleName> {
        let def = self.c.def_of(ty)?;
        if arity == 0 {
            let own = usize::from(self.c.def(def).arity);
            let params = self.c.def(def).type_params.iter().rev().take(own);
            for &param in params {
                if self.c.type_param_name(param) == name {
                    return Some(SimpleName::Type(None, self.c.param_type(param)));
                }
            }
        }
        let from = self.access(None);
        match self.c.lookup_called(ty, name, Some(arity), called, from) {
            MemberLookup::Methods(methods) => Some(SimpleName::Methods(methods)),
            MemberLookup::Member(sym) => Some(SimpleName::Member(sym)),
            MemberLookup::Type(def, container) => {
                let ty = self.construct(def, Some(container), args);
                Some(SimpleName::Type(Some(def), ty))
            }
            MemberLookup::Ambiguous(_) => Some(SimpleName::Unbound(Why::Ambiguous)),
            MemberLookup::None if arity == 0 => self.primary_parameter(def, name),
            MemberLookup::None => None,
        }
    }

    /// A parameter of a type's primary constructor.
    fn primary_parameter(&self, def: TypeId, name: Name) -> Option<SimpleName> {
        if !self.c.def(def).is_source() {
            return None;
        }
        let constructors = self.c.members(def).named(known::CTOR).iter();
        let mut constructors = constructors.map(|&id| self.c.member(id));
        let primary = constructors.find(|member| member.is(MemberFlags::PRIMARY))?;
        let params = &primary.signature.params;
        let index = params.iter().position(|param| param.name == name)?;
        Some(SimpleName::Parameter(
            params[index].ty,
            primary.id,
            index as u16,
        ))
    }

    /// A simple name that no type around has.
    fn name_outside_types(
        &self,
        name: Name,
        arity: u16,
        args: &[Ty],
        called: Called,
    ) -> SimpleName {
        let meaning = match self.c.lookup_outside(&self.scope, name, arity, called) {
            Outside::Meaning(meaning) => meaning,
            Outside::Members(MemberLookup::Methods(methods)) => {
                return SimpleName::Methods(methods);
            }
            Outside::Members(MemberLookup::Member(sym)) => return SimpleName::Member(sym),
            Outside::Members(MemberLookup::Type(def, container)) => {
                return SimpleName::Type(Some(def), self.construct(def, Some(container), args));
            }
            Outside::Members(MemberLookup::Ambiguous(_)) => {
                return SimpleName::Unbound(Why::Ambiguous);
            }
            Outside::Members(MemberLookup::None) => Meaning::Unknown,
        };
        match meaning {
            Meaning::Type { def, outer } => {
                SimpleName::Type(Some(def), self.construct(def, outer, args))
            }
            Meaning::Alias(ty) => SimpleName::Type(self.c.def_of(ty), ty),
            Meaning::Namespace(name) => SimpleName::Namespace(name),
            Meaning::Param(param) => SimpleName::Type(None, self.c.param_type(param)),
            Meaning::Ambiguous(_) => SimpleName::Unbound(Why::Ambiguous),
            Meaning::Unknown if name == known::UNDERSCORE => SimpleName::Discard,
            Meaning::Unknown => SimpleName::Unbound(Why::NotFound),
        }
    }

    /// Records what a simple name means, and makes an expression of it.
    pub(super) fn use_simple_name(
        &mut self,
        node: BodyId,
        meaning: SimpleName,
        args: Box<[Ty]>,
    ) -> Expr {
        let offset = self.node(node).offset;
        self.record_simple_name(node, &meaning);
        match meaning {
            SimpleName::Local(local) => self.use_local(node, local, args),
            SimpleName::BackingField(ty) => Expr::variable(node, ty),
            SimpleName::Parameter(ty, constructor, _) => {
                self.check_captured(offset, constructor);
                Expr::variable(node, ty)
            }
            SimpleName::Methods(methods) => {
                let group = MethodGroup {
                    name: self.name_of(node),
                    offset,
                    receiver: None,
                    methods: methods.into_vec().into(),
                    type_args: args,
                    extensions: Extensions::No,
                };
                Expr::of(node, Ty::NONE, ExprKind::Methods(Rc::new(group)))
            }
            SimpleName::Member(sym) => {
                self.check_named_alone(offset, sym.member);
                self.member_value(node, offset, sym)
            }
            SimpleName::Type(def, ty) => {
                if let Some(def) = def {
                    self.record_type(offset, def, EdgeKind::Static);
                    self.record_constructed(offset, ty);
                }
                Expr::of(node, ty, ExprKind::Type)
            }
            SimpleName::Namespace(name) => Expr::of(node, Ty::NONE, ExprKind::Namespace(name)),
            SimpleName::Discard => Expr::of(node, Ty::NONE, ExprKind::Discard),
            SimpleName::Unbound(why) => {
                self.record_unbound(offset, why);
                Expr::error(node)
            }
        }
    }

    /// Records what a simple name means that is no symbol of the snapshot.
    fn record_simple_name(&mut self, node: BodyId, meaning: &SimpleName) {
        if self.recording == Recording::Off {
            return;
        }
        let symbol = match *meaning {
            SimpleName::Local(local) => Some(self.locals[local as usize].symbol),
            SimpleName::BackingField(_) => Some(LocalSymbol::Implicit),
            SimpleName::Parameter(_, member, index) => Some(LocalSymbol::Parameter(member, index)),
            SimpleName::Type(def, ty) => match *self.c.kind(ty) {
                TyKind::Param(param) if def.is_none() => Some(LocalSymbol::TypeParameter(param)),
                _ if self.arity_of(node) == 0 => {
                    self.c.alias_in_scope(&self.scope, self.name_of(node))
                }
                _ => None,
            },
            SimpleName::Namespace(namespace) => {
                let alias = self.c.alias_in_scope(&self.scope, self.name_of(node));
                Some(alias.unwrap_or(LocalSymbol::Namespace(namespace)))
            }
            _ => None,
        };
        if let Some(symbol) = symbol {
            self.record_local(self.node(node).offset, symbol, LocalRole::Use);
        }
    }

    fn use_local(&mut self, node: BodyId, local: u32, args: Box<[Ty]>) -> Expr {
        let local = &self.locals[local as usize];
        if let Some(member) = local.function {
            let group = MethodGroup {
                name: local.name,
                offset: self.node(node).offset,
                receiver: None,
                methods: Box::new([Sym {
                    member,
                    container: self.enclosing.first().copied().unwrap_or(Ty::ERROR),
                }]),
                type_args: args,
                extensions: Extensions::No,
            };
            return Expr::of(node, Ty::NONE, ExprKind::Methods(Rc::new(group)));
        }
        // A local in its own initial value has no type yet.
        let ty = if local.ty.is_none() {
            Ty::ERROR
        } else {
            local.ty
        };
        match local.constant {
            Some(constant) => Expr::value(node, ty).with_constant(Some(constant)),
            None => Expr::variable(node, ty),
        }
    }

    /// A field, property, event, constant or enum member, recorded at a name.
    pub(super) fn member_value(&mut self, node: BodyId, offset: u32, sym: Sym) -> Expr {
        self.record_member(offset, sym.member, EdgeKind::Reads);
        self.record_foreign_event(offset, sym.member);
        let ty = self.c.type_of(sym);
        self.touch(ty);
        let member = self.c.member(sym.member);
        match member.kind {
            DeclKind::Constant | DeclKind::EnumMember => {
                Expr::value(node, ty).with_constant(Some(self.constant_of(sym)))
            }
            DeclKind::Field => Expr::variable(node, ty),
            _ if member.signature.ref_kind != RefKind::None => Expr::variable(node, ty),
            _ => Expr::value(node, ty),
        }
    }

    fn constant_of(&self, sym: Sym) -> Constant {
        let signature = &self.c.member(sym.member).signature;
        match signature.constant {
            Some(value) if self.c.is_special(signature.ty, Special::Boolean) => {
                Constant::Bool(value != 0)
            }
            Some(value) => Constant::Int(self.unwrapped(value, signature.ty)),
            None if self.c.is_special(signature.ty, Special::String) => Constant::String,
            // What is stored does not depend on it.
            None if self.recording == Recording::On
                && self.c.is_special(signature.ty, Special::Boolean) =>
            {
                match value_of(self.c, sym) {
                    Some(Value::Boolean(value)) => Constant::Bool(value),
                    _ => Constant::Other,
                }
            }
            None => Constant::Other,
        }
    }

    /// The value of a constant of a type as it is stored, where the upper half of `ulong` wraps.
    fn unwrapped(&self, value: i64, ty: Ty) -> i128 {
        let enumeration = self.c.def_of(ty).filter(|_| self.c.is_enum(ty));
        let ty = enumeration.map_or(Some(ty), |def| self.c.header(def).underlying);
        match ty.is_some_and(|it| self.c.is_special(it, Special::UInt64)) {
            true => i128::from(value as u64),
            false => i128::from(value),
        }
    }

    /// How many type arguments a name has, those that are left out included.
    pub(super) fn arity_of(&self, node: BodyId) -> u16 {
        match self.body_kind(node) {
            BodyKind::GenericName => self.children(node).count() as u16,
            _ => 0,
        }
    }

    /// Whether a name is written with `@`, so that it is no contextual keyword.
    fn is_verbatim(&self, node: BodyId) -> bool {
        self.node(node).flags & 1 != 0
    }

    /// A definition with the arguments of the type around it and its own. Without its own, it is
    /// unbound.
    pub(super) fn construct(&self, def: TypeId, outer: Option<Ty>, args: &[Ty]) -> Ty {
        let definition = self.c.def(def);
        let own = usize::from(definition.arity);
        if args.len() != own {
            return self.c.intern(TyKind::Unbound(def));
        }
        if definition.type_params.is_empty() {
            return self.c.named(def, &[]);
        }
        let inherited = definition.type_params.len().saturating_sub(own);
        let mut all: SmallVec<[Ty; 4]> = SmallVec::new();
        if let Some(outer) = outer {
            all.extend(self.c.args_of(outer).iter().take(inherited).copied());
        }
        let rest = &definition.type_params[all.len()..inherited];
        all.extend(rest.iter().map(|&param| self.c.param_type(param)));
        all.extend_from_slice(args);
        self.c.named(def, &all)
    }

    /// `alias::name`, `global::name`.
    pub(super) fn bind_alias_qualified(&mut self, node: BodyId) -> Expr {
        let mut children = self.children(node);
        let (Some(alias), Some(name)) = (children.next(), children.next()) else {
            return Expr::error(node);
        };
        let left = self.c.lookup_alias_name(&self.scope, self.name_of(alias));
        self.record_alias_before_colons(alias);
        self.bind_qualified(node, &left, name)
    }

    /// A name in a namespace.
    pub(super) fn bind_qualified(&mut self, node: BodyId, left: &Meaning, name: BodyId) -> Expr {
        let args = self.type_arguments(name);
        let offset = self.node(name).offset;
        let found =
            self.c
                .lookup_qualified(&self.scope, left, self.name_of(name), self.arity_of(name));
        match found {
            Meaning::Type { def, outer } => {
                self.record_type(offset, def, EdgeKind::Static);
                let ty = self.construct(def, outer, &args);
                self.record_constructed(offset, ty);
                Expr::of(node, ty, ExprKind::Type)
            }
            Meaning::Alias(ty) => {
                if let Some(def) = self.c.def_of(ty) {
                    self.record_type(offset, def, EdgeKind::Static);
                }
                Expr::of(node, ty, ExprKind::Type)
            }
            Meaning::Namespace(name) => {
                self.record_local(offset, LocalSymbol::Namespace(name), LocalRole::Use);
                Expr::of(node, Ty::NONE, ExprKind::Namespace(name))
            }
            Meaning::Param(param) => Expr::of(node, self.c.param_type(param), ExprKind::Type),
            Meaning::Ambiguous(_) => {
                self.record_unbound(offset, Why::Ambiguous);
                Expr::error(node)
            }
            Meaning::Unknown => {
                self.record_unbound(offset, Why::NotFound);
                Expr::error(node)
            }
        }
    }
}
