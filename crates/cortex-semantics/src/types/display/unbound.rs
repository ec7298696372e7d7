//! Types that could not be bound, as the source writes them: Roslyn gives an error type its name.

use std::sync::Arc;

use cortex_syntax::{FileFacts, NameSegment, TypeSyntax, UsingKind};

use crate::{
    compilation::Compilation,
    symbol::{Member, MemberFlags, MemberOrigin},
    ty::{Ty, TyKind},
};

/// A type as written, with the file that it stands in.
pub(super) struct Written {
    facts: Arc<FileFacts>,
    syntax: TypeSyntax,
}

impl Written {
    /// An element type or type argument.
    pub(super) fn inner(&self, index: usize) -> Option<Self> {
        let syntax = match &self.syntax {
            TypeSyntax::Array(inner, _)
            | TypeSyntax::Nullable(inner)
            | TypeSyntax::Pointer(inner)
            | TypeSyntax::Ref(inner)
            | TypeSyntax::RefReadonly(inner) => Some(&**inner),
            TypeSyntax::Named(segments) => segments.last()?.arguments.get(index),
            TypeSyntax::Tuple(elements) => elements.get(index).map(|(it, _)| it),
            _ => None,
        };
        Some(Self {
            facts: self.facts.clone(),
            syntax: syntax?.clone(),
        })
    }
}

impl Compilation<'_> {
    /// How the source writes a parameter's type, where part of it is unknown.
    pub(super) fn unbound_param(&self, member: &Member, index: usize) -> Option<Written> {
        if !self.has_unknown(member.signature.params.get(index)?.ty, 0) {
            return None;
        }
        self.written(member, |facts, decl| {
            let params = facts.decls[decl].params.as_ref()?;
            params.get(index)?.ty.clone()
        })
    }

    /// The same for the type of the receiver of an extension block.
    pub(super) fn unbound_receiver(&self, member: &Member) -> Option<Written> {
        if !self.has_unknown(member.signature.receiver?.ty, 0) {
            return None;
        }
        self.written(member, |facts, decl| {
            let block = facts.decls[decl].parent?;
            let block = &facts.decls[block as usize];
            match &block.params {
                Some(params) => params.first()?.ty.clone(),
                None => block.bases.first().cloned(),
            }
        })
    }

    /// The same for the result.
    pub(super) fn unbound_result(&self, member: &Member) -> Option<Written> {
        if !self.has_unknown(member.signature.ty, 0) {
            return None;
        }
        self.written(member, |facts, decl| facts.decls[decl].ty.clone())
    }

    /// The same for the interface of an explicit implementation.
    pub(super) fn unbound_interface(&self, member: &Member) -> Option<Written> {
        self.written(member, |facts, decl| {
            facts.decls[decl].bases.first().cloned()
        })
    }

    fn written(
        &self,
        member: &Member,
        of: impl FnOnce(&FileFacts, usize) -> Option<TypeSyntax>,
    ) -> Option<Written> {
        let MemberOrigin::Source(unit, decl) = member.origin else {
            return None;
        };
        if member.is(MemberFlags::POSITIONAL) {
            return None;
        }
        let facts = self.unit(unit).facts(self);
        let syntax = of(&facts, decl as usize)?;
        Some(Written { facts, syntax })
    }

    fn has_unknown(&self, ty: Ty, depth: u32) -> bool {
        if depth > super::MAX_DEPTH {
            return false;
        }
        let any = |types: &[Ty]| types.iter().any(|&it| self.has_unknown(it, depth + 1));
        match self.kind(ty) {
            TyKind::Error => true,
            TyKind::Named { args, .. } => any(args),
            TyKind::Array(inner, _) | TyKind::Pointer(inner) => self.has_unknown(*inner, depth + 1),
            TyKind::Tuple { elements, .. } => any(elements),
            _ => false,
        }
    }

    /// A type that could not be bound: its name as written, with its type arguments.
    pub(super) fn write_unbound(&self, out: &mut String, written: &Written, depth: u32) {
        if depth > super::MAX_DEPTH {
            return;
        }
        let inner = |out: &mut String| {
            if let Some(inner) = written.inner(0) {
                self.write_unbound(out, &inner, depth + 1);
            }
        };
        match &written.syntax {
            TypeSyntax::Named(segments) => {
                let Some(last) = segments.last() else { return };
                self.write_unbound_name(out, &written.facts, segments);
                for index in 0..last.arguments.len() {
                    out.push(if index == 0 { '{' } else { ',' });
                    if let Some(inner) = written.inner(index) {
                        self.write_unbound(out, &inner, depth + 1);
                    }
                }
                if !last.arguments.is_empty() {
                    out.push('}');
                }
            }
            TypeSyntax::Array(_, rank) => {
                inner(out);
                super::push_rank(out, *rank);
            }
            TypeSyntax::Pointer(_) => {
                inner(out);
                out.push('*');
            }
            // An error type is no reference type.
            TypeSyntax::Nullable(_) => {
                out.push_str("System.Nullable{");
                inner(out);
                out.push('}');
            }
            TypeSyntax::Ref(_) | TypeSyntax::RefReadonly(_) => inner(out),
            TypeSyntax::Predefined(name) => {
                out.push_str(predefined(written.facts.name(*name)));
            }
            TypeSyntax::Tuple(_) | TypeSyntax::FunctionPointer(..) | TypeSyntax::Unknown => {}
        }
    }

    /// A name as written, without `global::`; for an alias, what it stands for.
    fn write_unbound_name(&self, out: &mut String, facts: &FileFacts, segments: &[NameSegment]) {
        let name = |segment: &NameSegment| {
            let reference = facts.refs.get(segment.reference as usize);
            reference.map(|reference| reference.name)
        };
        if let [segment] = segments {
            let alias = facts.usings.iter().find_map(|using| match using.kind {
                UsingKind::Alias(alias) if Some(alias) == name(segment) => Some(&using.target),
                _ => None,
            });
            if let Some(TypeSyntax::Named(target)) = alias
                && target.len() > 1
            {
                return self.write_unbound_name(out, facts, target);
            }
        }
        let mut is_first = true;
        for name in segments.iter().filter_map(name) {
            let text = facts.name(name);
            if is_first && text == "global" && segments.len() > 1 {
                continue;
            }
            if !is_first {
                out.push('.');
            }
            out.push_str(text);
            is_first = false;
        }
    }
}

/// The type behind a keyword (C# specification, §8.3.5).
fn predefined(keyword: &str) -> &str {
    match keyword {
        "bool" => "System.Boolean",
        "byte" => "System.Byte",
        "sbyte" => "System.SByte",
        "short" => "System.Int16",
        "ushort" => "System.UInt16",
        "int" => "System.Int32",
        "uint" => "System.UInt32",
        "long" => "System.Int64",
        "ulong" => "System.UInt64",
        "nint" => "System.IntPtr",
        "nuint" => "System.UIntPtr",
        "float" => "System.Single",
        "double" => "System.Double",
        "decimal" => "System.Decimal",
        "char" => "System.Char",
        "string" => "System.String",
        "object" => "System.Object",
        "void" => "System.Void",
        other => other,
    }
}
