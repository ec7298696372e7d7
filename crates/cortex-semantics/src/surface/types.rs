//! The surface of a type.

use cortex_model::{Accessibility, DeclKind, RepoPath, TypeKind};
use cortex_syntax::AttributeTarget;

use super::{
    InterfaceSurface, MethodShape, Place, TypeParamSurface, TypeSurface, attributes, members,
};
use crate::{
    compilation::Compilation,
    load::source::parts,
    names::Position,
    symbol::{Constraints, TypeDef, TypeFlags, TypeId, TypeOrigin, TypeParamId},
    ty::Ty,
    types::MAX_BASES,
};

/// Interfaces of a type that are listed; a type has some hundred at the most.
const MAX_INTERFACES: usize = 4_096;

impl Compilation<'_> {
    /// What other assemblies can see of a type of this repository. Loads its members, its bases and their
    /// interfaces.
    pub fn surface(&self, id: TypeId) -> TypeSurface {
        TypeSurface {
            is_inheritable: self.is_inheritable(self.def(id)),
            members: members::of(self, id),
            ..self.head_surface(id)
        }
    }

    /// The same without members, as if nobody could derive from it: loads no members.
    pub fn head_surface(&self, id: TypeId) -> TypeSurface {
        let (def, header) = (self.def(id), self.header(id));
        let own = self.instance_type(id);
        let is_base_unknown = header.base.is_some_and(Ty::is_error);
        let mut has_unknown = is_base_unknown;
        let parts = parts(self, def);
        let mut of_type = Vec::new();
        let mut place = None;
        for part in &parts {
            let facts = self.unit(part.unit).facts(self);
            let decl = &facts.decls[part.decl as usize];
            place.get_or_insert_with(|| Place {
                name: self.display_type(own),
                path: self.unit(part.unit).key.path.clone(),
                line: decl.line,
            });
            if decl.kind == DeclKind::TopLevel {
                continue;
            }
            let scope = self.scope_of(part.unit, Some(part.decl), Position::Header);
            let target = AttributeTarget::Declaration;
            of_type.extend(attributes::of(
                self,
                &scope,
                &facts,
                decl,
                target,
                &mut has_unknown,
            ));
        }
        let bases = self.self_and_bases(own).skip(1);
        let bases = bases.map(|base| self.type_key(base)).collect();
        let mut interfaces = Vec::new();
        self.interfaces_in_order(own, &mut interfaces, 0);
        has_unknown |= interfaces.iter().any(|&ty| self.is_partly_unknown(ty));
        let type_params = &def.type_params[def.type_params.len() - usize::from(def.arity)..];
        let type_params = type_params.iter().enumerate();
        TypeSurface {
            id: self.type_doc_id(id),
            name: self.graph_name(def),
            key: self.definition_key(id),
            place: place.unwrap_or_else(|| Place {
                name: self.display_type(own),
                path: RepoPath::from(""),
                line: 1,
            }),
            kind: def.kind,
            accessibility: def.accessibility,
            flags: header.flags,
            is_inheritable: false,
            is_base_unknown,
            bases,
            interfaces: (interfaces.iter())
                .map(|&ty| InterfaceSurface {
                    key: self.type_key(ty),
                    is_visible: attributes::is_type_named_by_others(self, ty),
                })
                .collect(),
            underlying: header.underlying.map(|ty| self.type_key(ty)),
            type_params: type_params
                .map(|(index, &param)| {
                    let mut out = self.type_param_surface(param);
                    for part in &parts {
                        let facts = self.unit(part.unit).facts(self);
                        let decl = &facts.decls[part.decl as usize];
                        let scope = self.scope_of(part.unit, Some(part.decl), Position::Header);
                        let target = AttributeTarget::TypeParameter(index as u16);
                        let found =
                            attributes::of(self, &scope, &facts, decl, target, &mut has_unknown);
                        out.attributes.extend(found);
                    }
                    out
                })
                .collect(),
            attributes: of_type,
            members: Vec::new(),
            has_unknown,
        }
    }

    /// Whether other assemblies can name a type of this repository: it and the types around it are public, or
    /// protected in a type that can be derived from.
    pub fn is_visible_outside(&self, id: TypeId) -> bool {
        let def = self.def(id);
        let Some(outer) = def.outer else {
            return def.accessibility == Accessibility::Public;
        };
        let is_own = match def.accessibility {
            Accessibility::Public => true,
            Accessibility::Protected | Accessibility::ProtectedInternal => {
                self.is_inheritable(self.def(outer))
            }
            _ => false,
        };
        is_own && self.is_visible_outside(outer)
    }

    /// The name of a type of this repository in the graph.
    fn graph_name(&self, def: &TypeDef) -> String {
        let TypeOrigin::Source { key, .. } = &def.origin else {
            return String::new();
        };
        let symbol = self.world.symbol(*key);
        symbol.map_or_else(String::new, |symbol| symbol.fqn.to_string())
    }

    /// Whether a class of another assembly can derive from a type.
    fn is_inheritable(&self, def: &TypeDef) -> bool {
        if self.header(def.id).flags.has(TypeFlags::SEALED) {
            return false;
        }
        let mut members = self.members(def.id).all.iter().map(|&it| self.member(it));
        members.any(|member| {
            let is_visible = matches!(
                member.accessibility,
                Accessibility::Public | Accessibility::Protected | Accessibility::ProtectedInternal
            );
            member.kind == DeclKind::Constructor && is_visible
        })
    }

    /// The interfaces of a type in the order in which the SDK's check goes through them: each own one with those
    /// that it brings, then those of each base type.
    fn interfaces_in_order(&self, ty: Ty, out: &mut Vec<Ty>, depth: usize) {
        if depth > MAX_BASES || out.len() > MAX_INTERFACES {
            return;
        }
        for interface in self.own_interfaces(ty) {
            out.push(interface);
            self.interfaces_in_order(interface, out, depth + 1);
        }
        if self.is_interface(ty) {
            return;
        }
        for base in self.self_and_bases(ty).skip(1) {
            for interface in self.own_interfaces(base) {
                out.push(interface);
                self.interfaces_in_order(interface, out, depth + 1);
            }
        }
    }

    /// Whether a base type of a type, or of an interface one of its interfaces, has a method that stands for
    /// another in the SDK's check.
    pub fn inherits_method(&self, id: TypeId, shape: &MethodShape) -> bool {
        let own = self.instance_type(id);
        let mut above = Vec::new();
        if self.def(id).kind == TypeKind::Interface {
            self.interfaces_in_order(own, &mut above, 0);
        } else {
            above.extend(self.self_and_bases(own).skip(1));
        }
        above.into_iter().any(|base| {
            let Some(def) = self.def_of(base) else {
                return false;
            };
            members::methods_of(self, def, base).any(|found| found == *shape)
        })
    }

    /// The accessibility of the member of a type that has a documentation id; accessors have none of their own.
    pub fn accessibility_of(&self, id: TypeId, doc_id: &str) -> Option<Accessibility> {
        let mut members = self.declared_members(id);
        let found = members.find(|member| self.member_doc_id(member.id) == doc_id);
        found.map(|member| member.accessibility)
    }

    pub(super) fn type_param_surface(&self, id: TypeParamId) -> TypeParamSurface {
        let constraints = self.constraints(id);
        let mut types: Vec<(String, String)> = constraints
            .types
            .iter()
            .map(|&ty| {
                let mut doc_id = String::from("T:");
                self.write_exact(&mut doc_id, ty);
                (self.type_key(ty), doc_id)
            })
            .collect();
        types.sort_unstable();
        types.dedup();
        TypeParamSurface {
            name: self.text(self.type_param_name(id)).to_owned(),
            variance: constraints.variance,
            words: words(constraints),
            types,
            attributes: Vec::new(),
        }
    }
}

/// The constraints that are words, sorted. `struct` says more than `new()`, `unmanaged` more than `struct`.
fn words(constraints: &Constraints) -> Vec<&'static str> {
    let mut out = Vec::new();
    let mut add = |word, is_there: bool| {
        if is_there {
            out.push(word);
        }
    };
    add("class", constraints.is_reference);
    add("new()", constraints.has_new && !constraints.is_value);
    add("notnull", constraints.is_not_null);
    add("struct", constraints.is_value && !constraints.is_unmanaged);
    add("unmanaged", constraints.is_unmanaged);
    out
}
