//! The interface before the name of an explicit implementation: as C# writes it, fully qualified, with the
//! characters replaced that have a meaning in an id.

use super::{MAX_DEPTH, escaped};
use crate::{
    compilation::Compilation,
    name::known,
    special::Special,
    symbol::{Member, TypeId},
    ty::{Ty, TyKind},
};

impl Compilation<'_> {
    pub(super) fn write_explicit_interface(
        &self,
        out: &mut String,
        member: &Member,
        interface: Ty,
    ) {
        if interface.is_error() {
            if let Some(written) = self.unbound_interface(member) {
                let mut text = String::new();
                self.write_unbound(&mut text, &written, 0);
                out.extend(text.chars().map(escaped));
            }
            return;
        }
        let mut text = String::new();
        self.write_qualified(&mut text, interface, 0);
        out.extend(text.chars().filter(|c| *c != ' ').map(escaped));
    }

    /// A type as C# writes it: namespaces and no keywords, type parameters by name.
    fn write_qualified(&self, out: &mut String, ty: Ty, depth: u32) {
        if depth > MAX_DEPTH {
            return;
        }
        if let Some(underlying) = self.nullable_underlying(ty) {
            self.write_qualified(out, underlying, depth + 1);
            out.push('?');
            return;
        }
        match self.kind(ty) {
            TyKind::Named { def, args } => self.write_qualified_named(out, *def, args, depth),
            TyKind::Unbound(def) => self.write_qualified_named(out, *def, &[], depth),
            TyKind::Param(id) => out.push_str(self.text(self.type_param_name(*id))),
            TyKind::Array(element, rank) => {
                self.write_qualified(out, *element, depth + 1);
                out.push('[');
                out.extend((1..*rank).map(|_| ','));
                out.push(']');
            }
            TyKind::Pointer(element) => {
                self.write_qualified(out, *element, depth + 1);
                out.push('*');
            }
            TyKind::Tuple { elements, names } => {
                for (index, (&element, name)) in elements.iter().zip(names).enumerate() {
                    out.push(if index == 0 { '(' } else { ',' });
                    self.write_qualified(out, element, depth + 1);
                    if let Some(name) = name {
                        out.push(' ');
                        out.push_str(self.text(*name));
                    }
                }
                out.push(')');
            }
            TyKind::Dynamic => out.push_str("dynamic"),
            _ => {}
        }
    }

    fn write_qualified_named(&self, out: &mut String, id: TypeId, args: &[Ty], depth: u32) {
        let def = self.def(id);
        let own = usize::from(def.arity).min(args.len());
        let (outer_args, own_args) = args.split_at(args.len() - own);
        match def.outer {
            Some(outer) => {
                self.write_qualified_named(out, outer, outer_args, depth + 1);
                out.push('.');
            }
            None if def.namespace == known::EMPTY => {}
            None => {
                out.push_str(self.text(def.namespace));
                out.push('.');
            }
        }
        // `void` has no other name.
        if self.well_known(Special::Void) == Some(id) {
            out.push_str("void");
            return;
        }
        out.push_str(self.text(def.name));
        for (index, &arg) in own_args.iter().enumerate() {
            out.push(if index == 0 { '<' } else { ',' });
            self.write_qualified(out, arg, depth + 1);
        }
        if own > 0 {
            out.push('>');
        }
    }
}
