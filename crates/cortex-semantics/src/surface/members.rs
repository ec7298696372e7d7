//! The surfaces of members: those that another assembly may see, each property and event with its accessors.

use cortex_model::{Accessibility, DeclKind, TypeKind};
use cortex_syntax::{AccessorKind, AttributeTarget, Decl, FileFacts};

use super::{
    AttributeSurface, MemberKind, MemberSurface, MethodShape, ParamSurface, Place, Value,
    attributes, constants, nullability,
};
use crate::{
    compilation::Compilation,
    name::known,
    names::{Position, Scope},
    special::Special,
    symbol::{Member, MemberFlags, MemberOrigin, Param, RefKind, Sym, TypeId},
    ty::Ty,
};

/// The members of a type that another assembly may see.
pub(super) fn of(c: &Compilation<'_>, id: TypeId) -> Vec<MemberSurface> {
    let mut out = Vec::new();
    for member in c.declared_members(id) {
        let is_seen = matches!(
            member.accessibility,
            Accessibility::Public | Accessibility::Protected | Accessibility::ProtectedInternal
        );
        if !is_seen || member.is(MemberFlags::EXPLICIT) {
            continue;
        }
        let MemberOrigin::Source(unit, decl) = member.origin else {
            continue;
        };
        let facts = c.unit(unit).facts(c);
        let mut scope = c.scope_of(unit, Some(decl), Position::Body);
        if member.is(MemberFlags::PRIMARY) || member.is(MemberFlags::SYNTHESIZED) {
            scope.position = Position::Header;
        }
        let site = Site {
            c,
            member,
            facts: &facts,
            decl: &facts.decls[decl as usize],
            scope,
        };
        site.surfaces(&mut out);
    }
    out
}

/// The methods of a type, accessors among them, as they look from a type that derives from it.
pub(super) fn methods_of<'c>(
    c: &'c Compilation<'_>,
    id: TypeId,
    container: Ty,
) -> impl Iterator<Item = MethodShape> + 'c {
    let all = c.members(id).all.iter().map(|&id| c.member(id));
    all.flat_map(move |member| {
        let sym = Sym {
            member: member.id,
            container,
        };
        let ty = c.type_key(c.type_of(sym));
        let void = || c.type_key(c.special(Special::Void));
        let name = c.text(member.name);
        let shape = |name: String, n_params: usize, ty: String| MethodShape {
            name,
            n_params,
            ty,
            arity: member.arity(),
        };
        let n_params = member.signature.params.len();
        match member.kind {
            DeclKind::Property | DeclKind::Indexer => {
                let mut out = Vec::new();
                if member.is(MemberFlags::GETTER) {
                    out.push(shape(format!("get_{name}"), n_params, ty));
                }
                if member.is(MemberFlags::SETTER) {
                    out.push(shape(format!("set_{name}"), n_params + 1, void()));
                }
                out
            }
            DeclKind::Event => ["add", "remove"]
                .into_iter()
                .map(|verb| shape(format!("{verb}_{name}"), 1, void()))
                .collect(),
            DeclKind::Method | DeclKind::Operator | DeclKind::Conversion | DeclKind::Finalizer => {
                vec![shape(name.to_owned(), n_params, ty)]
            }
            _ => Vec::new(),
        }
    })
}

/// A member with its declaration.
struct Site<'a, 'c, 'w> {
    c: &'c Compilation<'w>,
    member: &'c Member,
    facts: &'a FileFacts,
    decl: &'a Decl,
    scope: Scope,
}

impl Site<'_, '_, '_> {
    fn surfaces(&self, out: &mut Vec<MemberSurface>) {
        let (c, member) = (self.c, self.member);
        match member.kind {
            DeclKind::Field | DeclKind::Constant | DeclKind::EnumMember => {
                out.push(self.whole(MemberKind::Field, c.text(member.name)));
            }
            DeclKind::Property | DeclKind::Indexer => {
                let is_indexer = member.kind == DeclKind::Indexer;
                let name = if is_indexer {
                    "this"
                } else {
                    c.text(member.name)
                };
                let property = self.whole(MemberKind::Property, name);
                if member.is(MemberFlags::GETTER) {
                    out.push(self.accessor(&property, AccessorKind::Get));
                }
                if member.is(MemberFlags::SETTER) {
                    out.push(self.accessor(&property, self.setter()));
                }
                out.push(property);
            }
            DeclKind::Event => {
                let event = self.whole(MemberKind::Event, c.text(member.name));
                out.push(self.accessor(&event, AccessorKind::Add));
                out.push(self.accessor(&event, AccessorKind::Remove));
                out.push(event);
            }
            DeclKind::Constructor => {
                let name = c.text(c.def(member.owner).name);
                out.push(self.whole(MemberKind::Constructor, name));
            }
            DeclKind::StaticConstructor => {}
            _ => out.push(self.whole(MemberKind::Method, c.text(member.name))),
        }
    }

    fn setter(&self) -> AccessorKind {
        let declared = self.decl.accessors.iter().map(|it| it.kind);
        let is_init = declared.into_iter().any(|kind| kind == AccessorKind::Init)
            || self.is_made() && self.member.is(MemberFlags::READONLY);
        if is_init {
            AccessorKind::Init
        } else {
            AccessorKind::Set
        }
    }

    /// Whether the declaration is that of the type.
    fn is_made(&self) -> bool {
        let made = [
            MemberFlags::SYNTHESIZED,
            MemberFlags::PRIMARY,
            MemberFlags::POSITIONAL,
        ];
        made.into_iter().any(|flag| self.member.is(flag))
    }

    fn attributes(&self, target: AttributeTarget, has_unknown: &mut bool) -> Vec<AttributeSurface> {
        attributes::of(
            self.c,
            &self.scope,
            self.facts,
            self.decl,
            target,
            has_unknown,
        )
    }

    /// What the attributes of the member itself belong to in its declaration; `None` where it can have none.
    fn own_target(&self) -> Option<AttributeTarget> {
        if self.member.is(MemberFlags::PRIMARY) {
            Some(AttributeTarget::Method)
        } else if self.member.is(MemberFlags::POSITIONAL) {
            let params = self.decl.params.iter().flatten();
            let name = self.c.text(self.member.name);
            let at = params
                .enumerate()
                .find(|(_, param)| self.facts.name(param.name) == name);
            at.map(|(at, _)| AttributeTarget::PropertyOfParameter(at as u16))
        } else if self.member.is(MemberFlags::SYNTHESIZED) {
            None
        } else {
            Some(AttributeTarget::Declaration)
        }
    }

    /// Whether the declaration's parameters are those of the member.
    fn has_declared_params(&self) -> bool {
        !self.is_made()
            || self.member.is(MemberFlags::PRIMARY)
            || self.decl.kind == DeclKind::Delegate && self.member.name == known::INVOKE
    }

    /// Whether it is a method of objects in an extension block (C# 14): compiled, it is an extension method whose first
    /// parameter is the block's receiver.
    fn is_extension_of_block(&self) -> bool {
        let member = self.member;
        member.kind == DeclKind::Method
            && member.is(MemberFlags::EXTENSION_BLOCK)
            && !member.is_static()
    }

    fn flags(&self) -> MemberFlags {
        match self.is_extension_of_block() {
            true => (self.member.flags.without(MemberFlags::EXTENSION_BLOCK))
                .with(MemberFlags::STATIC)
                .with(MemberFlags::EXTENSION),
            false => self.member.flags,
        }
    }

    /// The receiver of the block that the member stands in, where it is a parameter of the compiled method.
    fn receiver(&self) -> Option<ParamSurface> {
        let receiver = self.member.signature.receiver.as_ref();
        let receiver = receiver.filter(|_| self.is_extension_of_block())?;
        Some(ParamSurface {
            name: self.c.text(receiver.name).to_owned(),
            ref_kind: receiver.ref_kind,
            is_params: false,
            nullability: String::new(),
            default: None,
            attributes: Vec::new(),
        })
    }

    fn whole(&self, kind: MemberKind, name: &str) -> MemberSurface {
        let (c, member) = (self.c, self.member);
        let signature = &member.signature;
        let mut has_unknown = self.is_partly_unknown();
        let of_self = self.own_target();
        let of_self = of_self.map_or_else(Vec::new, |it| self.attributes(it, &mut has_unknown));
        let is_declared = !self.is_made() || self.decl.kind == DeclKind::Delegate;
        let return_attributes = if is_declared && kind == MemberKind::Method {
            self.attributes(AttributeTarget::Return, &mut has_unknown)
        } else {
            Vec::new()
        };
        let id = c.member_doc_id(member.id);
        let ty = c.type_key(signature.ty);
        let mut type_params: Vec<_> = (signature.type_params.iter())
            .map(|&param| c.type_param_surface(param))
            .collect();
        let own = usize::from(signature.block_arity);
        for (index, param) in type_params.iter_mut().skip(own).enumerate() {
            let target = AttributeTarget::TypeParameter(index as u16);
            param.attributes = self.attributes(target, &mut has_unknown);
        }
        let params = self.params(&signature.params, &mut has_unknown);
        let params = self.receiver().into_iter().chain(params).collect();
        let key = self.key(kind, name, &ty);
        MemberSurface {
            // What is unknown has no name in the key.
            key: if has_unknown {
                format!("{key} {id}")
            } else {
                key
            },
            id,
            name: match kind {
                MemberKind::Constructor => ".ctor".to_owned(),
                _ => c.text(member.name).to_owned(),
            },
            place: Place {
                name: c.display_own(member.id),
                path: self.c.unit(self.scope.unit).key.path.clone(),
                line: self.decl.line,
            },
            kind,
            accessibility: member.accessibility,
            flags: self.flags(),
            ty_text: c.display_result(member.id),
            ty,
            nullability: if is_declared {
                nullability::marks(self.decl.ty.as_ref())
            } else {
                String::new()
            },
            returns: signature.ref_kind,
            type_params,
            params,
            attributes: of_self,
            return_attributes,
            value: self.value(),
            body: if self.is_made() {
                0
            } else {
                self.decl.impl_hash
            },
            has_unknown,
        }
    }

    fn is_partly_unknown(&self) -> bool {
        let signature = &self.member.signature;
        let mut types = signature
            .params
            .iter()
            .map(|param| param.ty)
            .chain([signature.ty]);
        types.any(|ty| self.c.is_partly_unknown(ty))
    }

    fn value(&self) -> Option<Value> {
        if !self.member.is(MemberFlags::CONST) {
            return None;
        }
        if let Some(value) = self.member.signature.constant {
            return Some(Value::Integer(value));
        }
        let text = self.facts.name(self.decl.value?);
        Some(constants::value(self.c, &self.scope, text))
    }

    fn params(&self, params: &[Param], has_unknown: &mut bool) -> Vec<ParamSurface> {
        let declared = self
            .decl
            .params
            .as_deref()
            .filter(|_| self.has_declared_params());
        let each = params.iter().enumerate();
        each.map(|(at, param)| {
            let declared = declared.and_then(|params| params.get(at));
            let default = declared.and_then(|it| it.default);
            ParamSurface {
                name: self.c.text(param.name).to_owned(),
                ref_kind: param.ref_kind,
                is_params: param.is_params,
                nullability: nullability::marks(declared.and_then(|it| it.ty.as_ref())),
                default: default
                    .map(|text| constants::value(self.c, &self.scope, self.facts.name(text))),
                attributes: if declared.is_some() {
                    self.attributes(AttributeTarget::Parameter(at as u16), has_unknown)
                } else {
                    Vec::new()
                },
            }
        })
        .collect()
    }

    /// `Type Owner.Name<T>(Parameter,…)`. Enum members and constructors have no type before them, a property has
    /// no parameters but an indexer's.
    fn key(&self, kind: MemberKind, name: &str, ty: &str) -> String {
        let (c, member) = (self.c, self.member);
        let mut out = String::new();
        if kind != MemberKind::Constructor && member.kind != DeclKind::EnumMember {
            out.push_str(ty);
            out.push(' ');
        }
        out.push_str(&c.definition_key(member.owner));
        out.push('.');
        out.push_str(name);
        for (index, &param) in member.signature.type_params.iter().enumerate() {
            out.push(if index == 0 { '<' } else { ',' });
            out.push_str(c.text(c.type_param_name(param)));
        }
        if !member.signature.type_params.is_empty() {
            out.push('>');
        }
        let brackets = match member.kind {
            DeclKind::Indexer => ['[', ']'],
            _ if matches!(kind, MemberKind::Method | MemberKind::Constructor) => ['(', ')'],
            _ => return out,
        };
        out.push(brackets[0]);
        let receiver = member.signature.receiver.iter();
        for (index, param) in receiver.chain(&member.signature.params).enumerate() {
            if index > 0 {
                out.push(',');
            }
            if index == 0 && self.flags().has(MemberFlags::EXTENSION) {
                out.push_str("this ");
            }
            c.write_key(&mut out, param.ty, 0);
        }
        out.push(brackets[1]);
        out
    }

    /// An accessor of a property, indexer or event.
    fn accessor(&self, whole: &MemberSurface, kind: AccessorKind) -> MemberSurface {
        let (c, member) = (self.c, self.member);
        let signature = &member.signature;
        let is_setter = matches!(kind, AccessorKind::Set | AccessorKind::Init);
        let prefix = match kind {
            AccessorKind::Get => "get_",
            AccessorKind::Set | AccessorKind::Init => "set_",
            AccessorKind::Add => "add_",
            AccessorKind::Remove => "remove_",
        };
        // `P:N.T.Name(Parameters)`: the owner's name is as long as in its own id.
        let owner = c.type_doc_id(member.owner).len();
        let (owner, rest) = whole.id[2..].split_at(owner - 1);
        let (name, params) = rest.split_once('(').unwrap_or((rest, ""));
        let mut id = format!("M:{owner}{prefix}{name}");
        let mut written = params.trim_end_matches(')').to_owned();
        if kind != AccessorKind::Get {
            if !written.is_empty() {
                written.push(',');
            }
            c.write_exact(&mut written, signature.ty);
        }
        if !written.is_empty() {
            id = format!("{id}({written})");
        }
        let void = c.special(Special::Void);
        let ty = if kind == AccessorKind::Get {
            signature.ty
        } else {
            void
        };
        let ty_key = c.type_key(ty);
        let is_event = whole.kind == MemberKind::Event;
        let key = if is_event {
            format!("{prefix}{name}")
        } else {
            let of_property = whole.key.strip_prefix(&whole.ty).unwrap_or(&whole.key);
            format!("{ty_key}{of_property}.{}", kind.name())
        };
        let mut has_unknown = whole.has_unknown;
        let mut params = whole.params.clone();
        if kind != AccessorKind::Get {
            params.push(ParamSurface {
                name: "value".to_owned(),
                ref_kind: RefKind::None,
                is_params: false,
                nullability: String::new(),
                default: None,
                attributes: self
                    .attributes(AttributeTarget::ParameterOfAccessor(kind), &mut has_unknown),
            });
        }
        let own = match kind {
            AccessorKind::Get => signature.getter,
            AccessorKind::Set | AccessorKind::Init => signature.setter,
            _ => None,
        };
        let is_field_like = is_event && self.decl.accessors.is_empty();
        let mut of_self = self.attributes(AttributeTarget::Accessor(kind), &mut has_unknown);
        if is_field_like && !self.is_made() {
            of_self.extend(self.attributes(AttributeTarget::Method, &mut has_unknown));
        }
        MemberSurface {
            id,
            key,
            place: Place {
                name: format!("{}.{}", whole.place.name, kind.name()),
                ..whole.place.clone()
            },
            name: format!("{prefix}{}", c.text(member.name)),
            kind: MemberKind::Accessor,
            accessibility: own.unwrap_or(member.accessibility),
            ty: ty_key,
            ty_text: if is_setter || is_event {
                "void".to_owned()
            } else {
                whole.ty_text.clone()
            },
            nullability: String::new(),
            returns: if kind == AccessorKind::Get {
                whole.returns
            } else {
                RefKind::None
            },
            type_params: Vec::new(),
            params,
            attributes: of_self,
            return_attributes: self
                .attributes(AttributeTarget::ReturnOfAccessor(kind), &mut has_unknown),
            value: None,
            has_unknown,
            ..whole.clone()
        }
    }
}

impl Compilation<'_> {
    /// The type of a member as the compiler's messages write it: keywords, full names, `?` of references as
    /// written.
    fn display_result(&self, id: crate::symbol::MemberId) -> String {
        let member = self.member(id);
        if self.def(member.owner).kind == TypeKind::Enum {
            return String::new();
        }
        let mut out = self.display_full_type(member.signature.ty);
        let is_annotated = match member.origin {
            MemberOrigin::Source(unit, decl) if !member.is(MemberFlags::SYNTHESIZED) => {
                let facts = self.unit(unit).facts(self);
                let ty = facts.decls[decl as usize].ty.as_ref();
                nullability::marks(ty).starts_with('?')
            }
            _ => false,
        };
        if is_annotated && !out.ends_with('?') {
            out.push('?');
        }
        out
    }
}
