//! What `--where` asks of matches: types of metavariables, and which symbols names refer to.
//!
//! Must not know: what takes the place of the code.

use cortex_semantics::{Compilation, Target, Ty, TyKind};
use cortex_syntax::BodyId;

use super::{matching::Match, template::Template};
use crate::evaluation::Bound;

/// One of them.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Constraint {
    what: What,
    /// The symbol, or the end of its name.
    symbol: String,
}

#[derive(Clone, PartialEq, Eq, Debug)]
enum What {
    /// What a metavariable stands for is of the type, or of one that derives from it.
    Variable(String),
    /// A name of the pattern refers to the symbol.
    Name(String),
}

/// Whether a match is as it was asked for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Fulfilled {
    Yes,
    No,
    /// The type of what this metavariable stands for is not known.
    Unknown,
}

impl Constraint {
    /// Reads `x: Ns.Type` or `Name: Ns.Type.Member`.
    ///
    /// # Errors
    /// Says what is wrong with it.
    pub(super) fn parse(text: &str, pattern: &Template) -> Result<Self, String> {
        let wrong =
            || format!("`{text}` is no condition: `x: Namespace.Type` asks for the type of `$x`");
        let (name, symbol) = text.split_once(':').ok_or_else(wrong)?;
        let (name, symbol) = (name.trim(), symbol.trim().trim_start_matches(':'));
        if name.is_empty() || symbol.is_empty() {
            return Err(wrong());
        }
        let bare = name.trim_start_matches('$');
        let what = if pattern.holes.iter().any(|hole| hole.name == bare) {
            What::Variable(bare.to_owned())
        } else if pattern.names().contains(&name) {
            What::Name(name.to_owned())
        } else {
            return Err(format!("`{name}` is in no part of the pattern"));
        };
        Ok(Self {
            what,
            symbol: normal(&in_full(symbol)),
        })
    }

    pub(super) fn check(&self, bound: &Bound<'_, '_>, found: &Match) -> Fulfilled {
        let c = bound.compilation;
        match &self.what {
            What::Variable(name) => {
                let nodes = found.bindings.get(name).map_or(&[][..], |it| &it.nodes);
                let mut all = Fulfilled::Yes;
                for &node in nodes {
                    match self.of_type(bound, node) {
                        Fulfilled::Yes => {}
                        other => all = other,
                    }
                }
                all
            }
            What::Name(name) => {
                let mut places = found.names.iter().filter(|(it, _)| it == name);
                let is_meant = |&(_, node): &&(String, BodyId)| {
                    let target = bound.target(bound.tree.node(*node).offset);
                    target.is_some_and(|target| {
                        let id = match target {
                            Target::Type(ty) => c.type_doc_id(ty),
                            Target::Member(member) => c.member_doc_id(member),
                        };
                        is_end_of(&self.symbol, &normal(&id))
                    })
                };
                match places.any(|it| is_meant(&it)) {
                    true => Fulfilled::Yes,
                    false => Fulfilled::No,
                }
            }
        }
    }

    fn of_type(&self, bound: &Bound<'_, '_>, node: BodyId) -> Fulfilled {
        let c = bound.compilation;
        // An argument without a name is its expression.
        let node = match bound.tree.kind(node) {
            cortex_syntax::BodyKind::Argument => node + 1,
            _ => node,
        };
        if let Some(Target::Type(ty)) = bound.target(name_offset(bound, node)) {
            return self.is_fulfilled(c, c.instance_type(ty));
        }
        match bound.type_of(node) {
            Some(ty) => self.is_fulfilled(c, ty),
            None => Fulfilled::Unknown,
        }
    }

    fn is_fulfilled(&self, c: &Compilation<'_>, ty: Ty) -> Fulfilled {
        let is_it = |ty: Ty| {
            let shown = match c.kind(ty) {
                TyKind::Array(..) => "System.Array".to_owned(),
                TyKind::Dynamic => "dynamic".to_owned(),
                _ => match c.def_of(ty) {
                    Some(def) => normal(&c.type_doc_id(def)),
                    None => return false,
                },
            };
            is_end_of(&self.symbol, &shown)
        };
        let bases: Vec<Ty> = c.self_and_bases(ty).collect();
        let has_it = is_it(ty)
            || bases.into_iter().any(is_it)
            || c.all_interfaces(ty).iter().any(|&it| is_it(it));
        match has_it {
            true => Fulfilled::Yes,
            false => Fulfilled::No,
        }
    }
}

/// Where the last name of an expression is.
fn name_offset(bound: &Bound<'_, '_>, node: BodyId) -> u32 {
    let tree = &bound.tree;
    match tree.kind(node) {
        cortex_syntax::BodyKind::MemberAccess | cortex_syntax::BodyKind::AliasQualified => {
            let last = tree.children(node).last().copied();
            tree.node(last.unwrap_or(node)).offset
        }
        _ => tree.node(node).offset,
    }
}

/// The name of what a keyword names.
fn in_full(symbol: &str) -> String {
    let name = match symbol {
        "bool" => "Boolean",
        "byte" => "Byte",
        "sbyte" => "SByte",
        "char" => "Char",
        "decimal" => "Decimal",
        "double" => "Double",
        "float" => "Single",
        "int" => "Int32",
        "uint" => "UInt32",
        "nint" => "IntPtr",
        "nuint" => "UIntPtr",
        "long" => "Int64",
        "ulong" => "UInt64",
        "object" => "Object",
        "short" => "Int16",
        "ushort" => "UInt16",
        "string" => "String",
        _ => return symbol.to_owned(),
    };
    format!("System.{name}")
}

/// A documentation id, or a name as people write it, as the name alone.
fn normal(id: &str) -> String {
    let id = match id.as_bytes() {
        [_, b':', ..] => &id[2..],
        _ => id,
    };
    let id = &id[..id.find(['(', '~']).unwrap_or(id.len())];
    let (mut out, mut depth) = (String::new(), 0_usize);
    let mut characters = id.chars().peekable();
    while let Some(character) = characters.next() {
        match character {
            '<' | '{' => depth += 1,
            '>' | '}' => depth = depth.saturating_sub(1),
            '`' => {
                while characters
                    .next_if(|it| *it == '`' || it.is_ascii_digit())
                    .is_some()
                {}
            }
            '+' if depth == 0 => out.push('.'),
            _ if depth == 0 && !character.is_whitespace() => out.push(character),
            _ => {}
        }
    }
    out
}

/// Whether a name is another one or the end of it.
fn is_end_of(end: &str, name: &str) -> bool {
    name.strip_suffix(end)
        .is_some_and(|before| before.is_empty() || before.ends_with('.'))
}
