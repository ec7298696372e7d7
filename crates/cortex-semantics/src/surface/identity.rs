//! Types as text that is equal in two compilations exactly where the .NET SDK's compatibility check calls
//! them equal: full names with the names of type parameters and tuple elements, without nullability of
//! references.

use crate::{
    compilation::Compilation,
    name::known,
    symbol::TypeId,
    ty::{Ty, TyKind},
    types::display::MAX_DEPTH,
};

/// How types are written.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Style {
    /// To be compared: full names alone.
    Key,
    /// As the compiler's messages write them: with the language's keywords, and a space after commas.
    Message,
}

impl Compilation<'_> {
    /// A type as the compiler's messages write it, without nullability of references.
    pub(super) fn display_full_type(&self, ty: Ty) -> String {
        let mut out = String::new();
        self.write_styled(&mut out, ty, Style::Message, 0);
        out
    }

    /// A type definition by its full name, with the names of its type parameters.
    pub fn definition_key(&self, id: TypeId) -> String {
        self.type_key(self.instance_type(id))
    }

    /// A type by its full name.
    pub fn type_key(&self, ty: Ty) -> String {
        let mut out = String::new();
        self.write_key(&mut out, ty, 0);
        out
    }

    pub(super) fn write_key(&self, out: &mut String, ty: Ty, depth: u32) {
        self.write_styled(out, ty, Style::Key, depth);
    }

    fn write_styled(&self, out: &mut String, ty: Ty, style: Style, depth: u32) {
        if depth > MAX_DEPTH {
            return;
        }
        if let Some(underlying) = self.nullable_underlying(ty) {
            self.write_styled(out, underlying, style, depth + 1);
            out.push('?');
            return;
        }
        match self.kind(ty) {
            TyKind::Error | TyKind::None => out.push('?'),
            TyKind::Dynamic => out.push_str("dynamic"),
            TyKind::Named { def, args } => self.write_named_key(out, *def, args, style, depth),
            TyKind::Unbound(def) => self.write_named_key(out, *def, &[], style, depth),
            TyKind::Param(id) => out.push_str(self.text(self.type_param_name(*id))),
            TyKind::Array(element, rank) => {
                self.write_styled(out, *element, style, depth + 1);
                out.push('[');
                out.extend((1..*rank).map(|_| ','));
                out.push(']');
            }
            TyKind::Pointer(element) => {
                self.write_styled(out, *element, style, depth + 1);
                out.push('*');
            }
            TyKind::FunctionPointer(parts) => {
                out.push_str("delegate*");
                self.write_key_list(out, parts, ["<", ">"], style, depth);
            }
            TyKind::Tuple { elements, names } => {
                for (index, (&element, name)) in elements.iter().zip(names).enumerate() {
                    out.push_str(if index == 0 { "(" } else { style.comma() });
                    self.write_styled(out, element, style, depth + 1);
                    if let Some(name) = name {
                        out.push(' ');
                        out.push_str(self.text(*name));
                    }
                }
                out.push(')');
            }
            TyKind::Anonymous(_) => out.push_str("<anonymous>"),
        }
    }

    fn write_named_key(&self, out: &mut String, id: TypeId, args: &[Ty], style: Style, depth: u32) {
        if depth > MAX_DEPTH {
            return;
        }
        let keyword = self.keyword(id).filter(|_| style == Style::Message);
        if let Some(keyword) = keyword {
            out.push_str(keyword);
            return;
        }
        let def = self.def(id);
        let own = usize::from(def.arity).min(args.len());
        let (outer_args, own_args) = args.split_at(args.len() - own);
        match def.outer {
            Some(outer) => {
                self.write_named_key(out, outer, outer_args, style, depth + 1);
                out.push('.');
            }
            None if def.namespace == known::EMPTY => {}
            None => {
                out.push_str(self.text(def.namespace));
                out.push('.');
            }
        }
        out.push_str(self.text(def.name));
        if args.is_empty() && def.arity > 0 {
            out.push('`');
            out.push_str(&def.arity.to_string());
        }
        self.write_key_list(out, own_args, ["<", ">"], style, depth);
    }

    fn write_key_list(
        &self,
        out: &mut String,
        types: &[Ty],
        around: [&str; 2],
        style: Style,
        depth: u32,
    ) {
        for (index, &ty) in types.iter().enumerate() {
            out.push_str(if index == 0 { around[0] } else { style.comma() });
            self.write_styled(out, ty, style, depth + 1);
        }
        if !types.is_empty() {
            out.push_str(around[1]);
        }
    }
}

impl Style {
    fn comma(self) -> &'static str {
        match self {
            Self::Key => ",",
            Self::Message => ", ",
        }
    }
}
