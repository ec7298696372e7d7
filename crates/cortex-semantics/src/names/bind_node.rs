//! Types as bodies write them (§8), with what they name recorded.

use cortex_model::EdgeKind;
use cortex_syntax::{BodyId, BodyKind};
use smallvec::SmallVec;

use super::{Meaning, bind_type::Suffix};
use crate::{
    binder::Binder,
    local_names::{LocalRole, Recording},
    name::Name,
    output::{Misfit, Why},
    ty::{Ty, TyKind},
};

impl Binder<'_, '_> {
    /// A type written in a body: names recorded with `kind`.
    pub(crate) fn bind_type_node(&mut self, node: BodyId, kind: EdgeKind) -> Ty {
        let run = |binder: &mut Self| binder.type_node(node, kind);
        let ty = self.deeper(run).unwrap_or(Ty::ERROR);
        let wants_values = matches!(kind, EdgeKind::Local | EdgeKind::Creates);
        if wants_values && self.c.is_static_class(ty) {
            self.record_misfit_at(self.start_of(node), Misfit::StaticType);
        }
        ty
    }

    /// An attribute's class by its name node (§22.3), recorded.
    pub(crate) fn bind_attribute_class(&mut self, node: BodyId) -> Ty {
        // `[@Name]` is `Name` alone.
        let is_verbatim = self.body_kind(node) == BodyKind::Name && self.node(node).flags & 1 != 0;
        let suffix = if is_verbatim {
            Suffix::AsWritten
        } else {
            Suffix::Attribute
        };
        let run = |binder: &mut Self| binder.name_node(node, EdgeKind::Attribute, suffix);
        match self.deeper(run) {
            Some(Meaning::Alias(ty)) => ty,
            _ => Ty::ERROR,
        }
    }

    /// The type arguments of a `GenericName`, recorded; [`Ty::NONE`] for one that is left out.
    pub(crate) fn bind_type_arguments(&mut self, node: BodyId) -> SmallVec<[Ty; 4]> {
        let mut args = SmallVec::new();
        for child in self.children(node) {
            args.push(if self.body_kind(child) == BodyKind::OmittedType {
                Ty::NONE
            } else {
                self.bind_type_node(child, EdgeKind::Local)
            });
        }
        args
    }

    fn type_node(&mut self, node: BodyId, kind: EdgeKind) -> Ty {
        let c = self.c;
        match self.body_kind(node) {
            BodyKind::Name
            | BodyKind::GenericName
            | BodyKind::MemberAccess
            | BodyKind::AliasQualified => match self.name_node(node, kind, Suffix::AsWritten) {
                Meaning::Alias(ty) => ty,
                _ => Ty::ERROR,
            },
            BodyKind::PredefinedType => c.predefined(c.text(self.name_of(node))),
            BodyKind::ArrayType => {
                // The nodes nest from the right: what stands last is the outermost node.
                let mut ranks: SmallVec<[u8; 4]> = SmallVec::new();
                let mut element = Some(node);
                while let Some(array) =
                    element.filter(|&at| self.body_kind(at) == BodyKind::ArrayType)
                {
                    ranks.push(self.node(array).value.clamp(1, 255) as u8);
                    element = self.first(array);
                }
                ranks.reverse();
                let element = element.map_or(Ty::ERROR, |node| self.bind_type_node(node, kind));
                c.arrays(element, &ranks)
            }
            BodyKind::NullableType => {
                let inner = self.inner_type(node, kind);
                c.nullable(inner)
            }
            BodyKind::PointerType => {
                let inner = self.inner_type(node, kind);
                c.intern(TyKind::Pointer(inner))
            }
            BodyKind::RefType => self.inner_type(node, kind),
            BodyKind::TupleType => {
                let (mut elements, mut names) = (Vec::new(), Vec::new());
                for element in self.children(node) {
                    elements.push(self.inner_type(element, kind));
                    names.push(self.optional_name_of(element));
                }
                c.tuple_of(elements, names)
            }
            BodyKind::FunctionPointerType => {
                let mut parts = Vec::new();
                for part in self.children(node) {
                    parts.push(self.bind_type_node(part, kind));
                }
                c.intern(TyKind::FunctionPointer(parts.into()))
            }
            _ => Ty::ERROR,
        }
    }

    fn inner_type(&mut self, node: BodyId, kind: EdgeKind) -> Ty {
        match self.first(node) {
            Some(inner) => self.bind_type_node(inner, kind),
            None => Ty::ERROR,
        }
    }

    /// A simple or qualified name as a type, told as [`Meaning::Alias`], or as a namespace; recorded.
    fn name_node(&mut self, node: BodyId, kind: EdgeKind, suffix: Suffix) -> Meaning {
        match self.body_kind(node) {
            BodyKind::Name | BodyKind::GenericName => self.segment(None, node, kind, suffix),
            BodyKind::MemberAccess => {
                let mut children = self.children(node);
                let (Some(qualifier), Some(name)) = (children.next(), children.next()) else {
                    return Meaning::Unknown;
                };
                let run = |binder: &mut Self| {
                    binder.name_node(qualifier, EdgeKind::Static, Suffix::AsWritten)
                };
                let left = self.deeper(run).unwrap_or(Meaning::Unknown);
                self.segment(Some(left), name, kind, suffix)
            }
            BodyKind::AliasQualified => {
                let mut children = self.children(node);
                let (Some(alias), Some(name)) = (children.next(), children.next()) else {
                    return Meaning::Unknown;
                };
                let left = self.c.lookup_alias_name(&self.scope, self.name_of(alias));
                self.record_alias_before_colons(alias);
                self.segment(Some(left), name, kind, suffix)
            }
            _ => Meaning::Unknown,
        }
    }

    fn segment(
        &mut self,
        left: Option<Meaning>,
        node: BodyId,
        kind: EdgeKind,
        suffix: Suffix,
    ) -> Meaning {
        let name = self.name_of(node);
        let offset = self.node(node).offset;
        let args = match self.body_kind(node) {
            BodyKind::GenericName => self.bind_type_arguments(node),
            _ => SmallVec::new(),
        };
        let arity = args.len() as u16;
        let found = match (&left, suffix) {
            (left, Suffix::Attribute) => {
                self.c
                    .lookup_attribute_in(&self.scope, left.as_ref(), name, arity)
            }
            (Some(left), _) => self.c.lookup_qualified(&self.scope, left, name, arity),
            (None, _) => self.c.lookup_type_name(&self.scope, name, arity),
        };
        if self.recording == Recording::On
            && let Some(symbol) = self
                .c
                .local_meaning(&self.scope, name, &found, left.is_none())
        {
            self.record_local(offset, symbol, LocalRole::Use);
        }
        self.named_meaning(found, left.as_ref(), name, &args, offset, kind)
    }

    /// Records the alias that stands before `::`.
    pub(crate) fn record_alias_before_colons(&mut self, node: BodyId) {
        if self.recording == Recording::On
            && let Some(symbol) = self.c.alias_before_colons(&self.scope, self.name_of(node))
        {
            self.record_local(self.node(node).offset, symbol, LocalRole::Use);
        }
    }

    /// Records what a name was found to mean and applies its type arguments.
    pub(crate) fn named_meaning(
        &mut self,
        found: Meaning,
        left: Option<&Meaning>,
        name: Name,
        args: &[Ty],
        offset: u32,
        kind: EdgeKind,
    ) -> Meaning {
        if let Some((ty, def)) = self.c.apply(&found, left, args) {
            if let Some(def) = def {
                self.record_type(offset, def, kind);
                self.record_constructed(offset, ty);
            }
            return Meaning::Alias(ty);
        }
        match found {
            Meaning::Namespace(_) => found,
            Meaning::Ambiguous(_) => {
                self.record_unbound(offset, Why::Ambiguous);
                Meaning::Unknown
            }
            _ => {
                let contextual = self.c.contextual_type(name);
                match contextual.filter(|_| left.is_none() && args.is_empty()) {
                    Some(ty) => Meaning::Alias(ty),
                    None => {
                        let why = match left {
                            Some(Meaning::Unknown) => Why::UnknownReceiver,
                            _ => Why::NotFound,
                        };
                        self.record_unbound(offset, why);
                        Meaning::Unknown
                    }
                }
            }
        }
    }
}
