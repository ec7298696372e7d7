//! Everything about a symbol that decides what binds to it, as text: where it is equal, no other file binds
//! otherwise.
//!
//! Must not know: how it is compared.

use std::fmt::Write;

use crate::{
    compilation::Compilation,
    symbol::{CallerInfo, Member, Param, TypeId, TypeParamId},
    ty::{Ty, TyKind},
};

impl Compilation<'_> {
    /// A member with its types, parameters and modifiers.
    pub fn shape_text(&self, member: &Member) -> String {
        let signature = &member.signature;
        let mut out = format!(
            "{:?} {:?} {:?} {:?} {:?} {:?} ",
            member.kind,
            member.flags,
            member.accessibility,
            signature.getter,
            signature.setter,
            signature.ref_kind,
        );
        self.write_shape(&mut out, signature.ty);
        for &param in &signature.type_params {
            self.write_type_param(&mut out, param);
        }
        for param in signature.receiver.iter().chain(&signature.params) {
            self.write_shape_param(&mut out, *param);
        }
        if let Some(explicit) = signature.explicit {
            self.write_shape(&mut out, explicit);
        }
        let _ = write!(out, " {:?} {}", signature.constant, signature.priority);
        out
    }

    /// The head of a type: bases, constraints, modifiers.
    pub fn header_text(&self, id: TypeId) -> String {
        let (def, header) = (self.def(id), self.header(id));
        let mut out = format!(
            "{:?} {:?} {:?} {} ",
            def.kind, def.accessibility, header.flags, header.is_task_like
        );
        for &param in &def.type_params {
            self.write_type_param(&mut out, param);
        }
        let types = header.base.iter().chain(&header.interfaces);
        for &ty in types.chain(&header.underlying) {
            self.write_shape(&mut out, ty);
        }
        if let Some((builder, method)) = header.collection_builder {
            self.write_shape(&mut out, builder);
            out.push_str(self.text(method));
        }
        out
    }

    fn write_shape_param(&self, out: &mut String, param: Param) {
        let _ = write!(
            out,
            " ({} {:?} {} {} ",
            self.text(param.name),
            param.ref_kind,
            param.is_params,
            param.is_optional
        );
        // A file keeps whether its calls pass the text of an argument.
        if let CallerInfo::Argument(source) = param.caller {
            let _ = write!(out, "text of {source} ");
        }
        self.write_shape(out, param.ty);
        out.push(')');
    }

    fn write_type_param(&self, out: &mut String, id: TypeParamId) {
        let constraints = self.constraints(id);
        let _ = write!(
            out,
            " <{} {} {} {} {} {:?}",
            self.text(self.type_param_name(id)),
            constraints.is_reference,
            constraints.is_value,
            constraints.has_new,
            constraints.allows_ref_like,
            constraints.variance
        );
        for &ty in &constraints.types {
            self.write_shape(out, ty);
        }
        out.push('>');
    }

    /// A type exactly, and the names of its tuples' elements.
    fn write_shape(&self, out: &mut String, ty: Ty) {
        out.push(' ');
        self.write_exact(out, ty);
        self.write_names(out, ty, 0);
    }

    fn write_names(&self, out: &mut String, ty: Ty, depth: u32) {
        if depth > 16 {
            return;
        }
        match self.kind(ty) {
            TyKind::Dynamic => out.push_str(" dynamic"),
            TyKind::Named { args, .. } => {
                args.iter()
                    .for_each(|&arg| self.write_names(out, arg, depth + 1));
            }
            TyKind::Array(element, _) | TyKind::Pointer(element) => {
                self.write_names(out, *element, depth + 1);
            }
            TyKind::Tuple { elements, names } => {
                for (&element, name) in elements.iter().zip(names) {
                    out.push(' ');
                    out.push_str(name.map_or("-", |name| self.text(name)));
                    self.write_names(out, element, depth + 1);
                }
            }
            _ => {}
        }
    }
}
