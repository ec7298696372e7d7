//! Types and members as documentation ids (C# specification, annex D.4.2, and what Roslyn makes of it).
//!
//! Owns: the text. Must not know: who asks.

mod explicit;
mod people;
mod unbound;

use cortex_model::DeclKind;

use crate::{
    Value,
    compilation::Compilation,
    name::known,
    symbol::{
        Member, MemberFlags, MemberId, MemberOrigin, RefKind, TypeId, TypeParamId, TypeParamOwner,
    },
    ty::{Ty, TyKind},
};

/// Types nested deeper are not written.
pub(crate) const MAX_DEPTH: u32 = 64;

impl Compilation<'_> {
    /// The documentation id of a type, `T:` included.
    pub fn type_doc_id(&self, id: TypeId) -> String {
        let mut out = String::from("T:");
        self.write_definition(&mut out, id);
        out
    }

    /// The documentation id of a member. Of a member of an extension block, the block stands between the
    /// static class and the name: `M:C.extension(Receiver).Name`. Parameters whose types are not known are
    /// written as the source does.
    pub fn member_doc_id(&self, id: MemberId) -> String {
        let member = self.member(id);
        let mut out = String::from(match member.kind {
            DeclKind::Field | DeclKind::Constant | DeclKind::EnumMember => "F:",
            DeclKind::Property | DeclKind::Indexer => "P:",
            DeclKind::Event => "E:",
            _ => "M:",
        });
        self.write_definition(&mut out, member.owner);
        out.push('.');
        let signature = &member.signature;
        if let Some(receiver) = signature.receiver {
            out.push_str("extension(");
            let written = self.unbound_receiver(member);
            self.write_type(&mut out, receiver.ty, written.as_ref(), 0);
            out.push(')');
            if signature.block_arity > 0 {
                push_arity(&mut out, "`", usize::from(signature.block_arity));
            }
            out.push('.');
        }
        self.write_member_name(&mut out, member);
        let own_arity = member.arity() - usize::from(signature.block_arity);
        if own_arity > 0 {
            push_arity(&mut out, "``", own_arity);
        }
        if has_params(member.kind) && !signature.params.is_empty() {
            out.push('(');
            for (index, param) in signature.params.iter().enumerate() {
                if index > 0 {
                    out.push(',');
                }
                let written = self.unbound_param(member, index);
                self.write_type(&mut out, param.ty, written.as_ref(), 0);
                if param.ref_kind != RefKind::None {
                    out.push('@');
                }
            }
            out.push(')');
        }
        if member.kind == DeclKind::Conversion {
            out.push('~');
            let written = self.unbound_result(member);
            self.write_type(&mut out, signature.ty, written.as_ref(), 0);
        }
        out
    }

    fn write_member_name(&self, out: &mut String, member: &Member) {
        if let Some(interface) = member.signature.explicit {
            self.write_explicit_interface(out, member, interface);
            out.push('#');
        }
        match member.kind {
            DeclKind::Constructor => out.push_str("#ctor"),
            DeclKind::StaticConstructor => out.push_str("#cctor"),
            DeclKind::Indexer => match self.indexer_name(member) {
                Some(name) => out.push_str(&name),
                None => out.push_str(self.text(known::ITEM)),
            },
            _ => push_escaped(out, self.text(member.name)),
        }
    }

    /// The name that `[IndexerName]` gives to an indexer of source.
    fn indexer_name(&self, member: &Member) -> Option<String> {
        let MemberOrigin::Source(unit, decl) = member.origin else {
            return None;
        };
        if member.is(MemberFlags::EXPLICIT) {
            return None;
        }
        let facts = self.unit(unit).facts(self);
        let attributes = &facts.decls[decl as usize].attributes;
        if attributes.is_empty() {
            return None;
        }
        crate::load::source::attributes::indexer_name(&facts, attributes).map(str::to_owned)
    }

    /// The name that an indexer is compiled under, which no other member of its type may have: `Item`, or what
    /// `[IndexerName]` gives it. `None` of an explicit implementation, and of what is no indexer.
    pub fn compiled_indexer_name(&self, id: MemberId) -> Option<String> {
        let member = self.member(id);
        if member.kind != DeclKind::Indexer || member.is(MemberFlags::EXPLICIT) {
            return None;
        }
        let MemberOrigin::Source(unit, decl) = member.origin else {
            return Some(self.text(known::ITEM).to_owned());
        };
        let facts = self.unit(unit).facts(self);
        let attributes = &facts.decls[decl as usize].attributes;
        let argument = crate::load::source::attributes::indexer_name_argument(&facts, attributes);
        let name = argument.and_then(|text| match self.constant_value(unit, Some(decl), text) {
            Value::Text(name) => Some(name),
            _ => None,
        });
        Some(name.unwrap_or_else(|| self.text(known::ITEM).to_owned()))
    }

    /// A definition: namespace, types around it, own name and arity.
    fn write_definition(&self, out: &mut String, id: TypeId) {
        let def = self.def(id);
        self.write_container(out, id);
        push_escaped(out, self.text(def.name));
        if def.arity > 0 {
            push_arity(out, "`", usize::from(def.arity));
        }
    }

    fn write_container(&self, out: &mut String, id: TypeId) {
        let def = self.def(id);
        match def.outer {
            Some(outer) => {
                self.write_definition(out, outer);
                out.push('.');
            }
            None if def.namespace == known::EMPTY => {}
            None => {
                out.push_str(self.text(def.namespace));
                out.push('.');
            }
        }
    }

    /// A type as documentation ids write it.
    pub(crate) fn write_exact(&self, out: &mut String, ty: Ty) {
        self.write_type(out, ty, None, 0);
    }

    /// A type in a signature. `written`: how the source writes it, for the parts that are unknown.
    fn write_type(&self, out: &mut String, ty: Ty, written: Option<&unbound::Written>, depth: u32) {
        if depth > MAX_DEPTH {
            return;
        }
        let inner = |index: usize| written.and_then(|it| it.inner(index));
        match self.kind(ty) {
            TyKind::Error | TyKind::None => {
                if let Some(written) = written {
                    self.write_unbound(out, written, depth);
                }
            }
            TyKind::Dynamic => out.push_str("System.Object"),
            TyKind::Named { def, args } => self.write_constructed(out, *def, args, written, depth),
            TyKind::Unbound(def) => self.write_definition(out, *def),
            TyKind::Param(id) => self.write_param(out, *id),
            TyKind::Array(element, rank) => {
                self.write_type(out, *element, inner(0).as_ref(), depth + 1);
                push_rank(out, *rank);
            }
            TyKind::Pointer(element) => {
                self.write_type(out, *element, inner(0).as_ref(), depth + 1);
                out.push('*');
            }
            // Roslyn writes nothing for it.
            TyKind::FunctionPointer(_) => {}
            TyKind::Tuple { .. } => {
                let elements = self.tuple_struct(ty);
                if elements != ty && !elements.is_error() {
                    self.write_type(out, elements, written, depth + 1);
                }
            }
            TyKind::Anonymous(_) => {}
        }
    }

    /// A constructed type: `Outer{A}.Inner{B}`.
    fn write_constructed(
        &self,
        out: &mut String,
        id: TypeId,
        args: &[Ty],
        written: Option<&unbound::Written>,
        depth: u32,
    ) {
        let def = self.def(id);
        let own = usize::from(def.arity).min(args.len());
        let (outer_args, own_args) = args.split_at(args.len() - own);
        match def.outer {
            Some(outer) => {
                self.write_constructed(out, outer, outer_args, None, depth + 1);
                out.push('.');
            }
            None => self.write_container(out, id),
        }
        push_escaped(out, self.text(def.name));
        for (index, &arg) in own_args.iter().enumerate() {
            out.push(if index == 0 { '{' } else { ',' });
            let written = written.and_then(|it| it.inner(index));
            self.write_type(out, arg, written.as_ref(), depth + 1);
        }
        if own > 0 {
            out.push('}');
        }
    }

    fn write_param(&self, out: &mut String, id: TypeParamId) {
        let param = self.type_param(id);
        let index = usize::from(param.index);
        match param.owner {
            TypeParamOwner::Type(_) => push_arity(out, "`", index),
            TypeParamOwner::Method(owner) => {
                // The type parameters of an extension block are those of a type.
                let of_block = usize::from(self.block_arity(owner));
                match index.checked_sub(of_block) {
                    Some(index) => push_arity(out, "``", index),
                    None => push_arity(out, "`", index),
                }
            }
            TypeParamOwner::Local(_) => out.push_str(self.text(self.type_param_name(id))),
        }
    }

    fn block_arity(&self, member: MemberId) -> u16 {
        self.member(member).signature.block_arity
    }
}

fn has_params(kind: DeclKind) -> bool {
    !matches!(
        kind,
        DeclKind::Field | DeclKind::Constant | DeclKind::EnumMember | DeclKind::Event
    )
}

fn push_arity(out: &mut String, ticks: &str, arity: usize) {
    out.push_str(ticks);
    out.push_str(&arity.to_string());
}

/// `[]`, `[0:,0:]`, …
fn push_rank(out: &mut String, rank: u8) {
    out.push('[');
    for index in 0..rank {
        if rank > 1 {
            out.push_str(if index == 0 { "0:" } else { ",0:" });
        }
    }
    out.push(']');
}

/// A metadata name: `.`, `<` and `>` have a meaning of their own in an id.
fn push_escaped(out: &mut String, name: &str) {
    out.extend(name.chars().map(escaped));
}

fn escaped(c: char) -> char {
    match c {
        '.' => '#',
        '<' => '{',
        '>' => '}',
        c => c,
    }
}

#[cfg(test)]
mod tests {
    use super::{push_arity, push_escaped, push_rank};

    #[test]
    fn ranks_arities_and_escapes_are_written_as_roslyn_does() {
        let mut out = String::new();
        push_rank(&mut out, 1);
        push_rank(&mut out, 2);
        push_arity(&mut out, "``", 3);
        push_escaped(&mut out, "<Clone>$");
        assert_eq!(out, "[][0:,0:]``3{Clone}$");
    }
}
