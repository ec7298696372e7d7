//! Types and members for people: short, as C# writes them.

use cortex_model::DeclKind;

use super::MAX_DEPTH;
use crate::{
    compilation::Compilation,
    special::Special,
    symbol::{MemberFlags, MemberId, RefKind, TypeId},
    ty::{Ty, TyKind},
};

const KEYWORDS: [(Special, &str); 18] = [
    (Special::Object, "object"),
    (Special::Void, "void"),
    (Special::Boolean, "bool"),
    (Special::Char, "char"),
    (Special::SByte, "sbyte"),
    (Special::Byte, "byte"),
    (Special::Int16, "short"),
    (Special::UInt16, "ushort"),
    (Special::Int32, "int"),
    (Special::UInt32, "uint"),
    (Special::Int64, "long"),
    (Special::UInt64, "ulong"),
    (Special::IntPtr, "nint"),
    (Special::UIntPtr, "nuint"),
    (Special::Single, "float"),
    (Special::Double, "double"),
    (Special::Decimal, "decimal"),
    (Special::String, "string"),
];

impl Compilation<'_> {
    /// A type in a few characters: `Dictionary<string, int?>`. What is unknown is `?`.
    pub fn display_type(&self, ty: Ty) -> String {
        let mut out = String::new();
        self.write_short(&mut out, ty, 0);
        out
    }

    /// A member in a few characters: `List<T>.Add(T)`.
    pub fn display_member(&self, id: MemberId) -> String {
        let owner = self.instance_type(self.member(id).owner);
        let mut out = self.display_type(owner);
        out.push('.');
        out.push_str(&self.display_own(id));
        out
    }

    /// A member in a few characters, without its type: `Add(T)`.
    pub(crate) fn display_own(&self, id: MemberId) -> String {
        let member = self.member(id);
        let mut out = String::new();
        match member.kind {
            DeclKind::Constructor | DeclKind::StaticConstructor => {
                out.push_str(self.text(self.def(member.owner).name));
            }
            DeclKind::Indexer => out.push_str("this"),
            _ => out.push_str(self.text(member.name)),
        }
        let own = &member.signature.type_params[usize::from(member.signature.block_arity)..];
        for (index, &param) in own.iter().enumerate() {
            out.push_str(if index == 0 { "<" } else { ", " });
            out.push_str(self.text(self.type_param_name(param)));
        }
        if !own.is_empty() {
            out.push('>');
        }
        let (open, close) = match member.kind {
            DeclKind::Indexer => ('[', ']'),
            DeclKind::Field
            | DeclKind::Constant
            | DeclKind::EnumMember
            | DeclKind::Property
            | DeclKind::Event => return out,
            _ => ('(', ')'),
        };
        out.push(open);
        for (index, param) in member.signature.params.iter().enumerate() {
            if index > 0 {
                out.push_str(", ");
            }
            if index == 0 && member.is(MemberFlags::EXTENSION) {
                out.push_str("this ");
            }
            out.push_str(match param.ref_kind {
                RefKind::None if param.is_params => "params ",
                RefKind::None => "",
                RefKind::Ref => "ref ",
                RefKind::Out => "out ",
                RefKind::In => "in ",
                RefKind::RefReadonly => "ref readonly ",
            });
            self.write_short(&mut out, param.ty, 0);
        }
        out.push(close);
        out
    }

    /// The keyword that stands for a type.
    pub(crate) fn keyword(&self, id: TypeId) -> Option<&'static str> {
        let mut keywords = KEYWORDS.iter();
        let found = keywords.find(|(special, _)| self.well_known(*special) == Some(id));
        found.map(|(_, keyword)| *keyword)
    }

    fn write_short(&self, out: &mut String, ty: Ty, depth: u32) {
        if depth > MAX_DEPTH {
            out.push('?');
            return;
        }
        if let Some(underlying) = self.nullable_underlying(ty) {
            self.write_short(out, underlying, depth + 1);
            out.push('?');
            return;
        }
        match self.kind(ty) {
            TyKind::Error | TyKind::None => out.push('?'),
            TyKind::Dynamic => out.push_str("dynamic"),
            TyKind::Unbound(def) => out.push_str(self.text(self.def(*def).name)),
            TyKind::Named { def, args } => {
                if let Some(keyword) = self.keyword(*def) {
                    out.push_str(keyword);
                    return;
                }
                let def = self.def(*def);
                out.push_str(self.text(def.name));
                let own = args.len() - usize::from(def.arity).min(args.len());
                self.write_list(out, &args[own..], ["<", ">"], depth);
            }
            TyKind::Param(id) => out.push_str(self.text(self.type_param_name(*id))),
            TyKind::Array(element, rank) => {
                self.write_short(out, *element, depth + 1);
                out.push('[');
                out.extend((1..*rank).map(|_| ','));
                out.push(']');
            }
            TyKind::Pointer(element) => {
                self.write_short(out, *element, depth + 1);
                out.push('*');
            }
            TyKind::FunctionPointer(parts) => {
                self.write_list(out, parts, ["delegate*<", ">"], depth);
            }
            TyKind::Tuple { elements, .. } => self.write_list(out, elements, ["(", ")"], depth),
            TyKind::Anonymous(_) => out.push_str("<anonymous type>"),
        }
    }

    fn write_list(&self, out: &mut String, types: &[Ty], around: [&str; 2], depth: u32) {
        for (index, &ty) in types.iter().enumerate() {
            out.push_str(if index == 0 { around[0] } else { ", " });
            self.write_short(out, ty, depth + 1);
        }
        if !types.is_empty() {
            out.push_str(around[1]);
        }
    }
}
