//! Members by name and parameter types, as people and as documentation ids write them.

use crate::doc_ids::split::split;

use cortex_bind::{MemberNode, TypeNode};
use cortex_index::{MemberSymbol, TypeSymbols};
use cortex_model::DeclKind;

/// How names are compared.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Case {
    /// `a` is not `A`.
    Same,
    /// `a` is `A`.
    Ignored,
}

impl Case {
    /// Whether two names are equal.
    pub fn is_same(self, a: &str, b: &str) -> bool {
        match self {
            Self::Same => a == b,
            Self::Ignored => a.to_lowercase() == b.to_lowercase(),
        }
    }
}

/// The members of a type that have a name; with parameters, those that have them too.
pub fn named(node: &TypeNode, name: &str, params: Option<&[String]>, case: Case) -> Vec<usize> {
    let found = node.members.iter().enumerate().filter(|(_, member)| {
        let is_named = match (member.kind, name) {
            (DeclKind::Constructor, "#ctor") | (DeclKind::StaticConstructor, "#cctor") => true,
            (DeclKind::StaticConstructor | DeclKind::Finalizer, _) => false,
            (DeclKind::Indexer, "this[]" | "Item") => true,
            _ => {
                let last = member.simple_name();
                case.is_same(&member.name, name) || case.is_same(last, name)
            }
        };
        is_named && params.is_none_or(|params| has_params(member, params))
    });
    found.map(|(at, _)| at).collect()
}

/// The members that a documentation id's last part means.
pub fn by_doc_id(
    node: &TypeNode,
    symbols: &TypeSymbols,
    kind: char,
    name: &str,
    params: Option<&[String]>,
) -> Vec<usize> {
    // `N#I#Add` implements `N.I.Add`.
    let name = match name.strip_prefix('#') {
        Some(_) => name,
        None => name.rsplit('#').next().unwrap_or(name),
    };
    let is_wanted = |symbol: &MemberSymbol| {
        symbol.id.starts_with(kind)
            && symbol.simple_name() == name
            && id_params(&symbol.id) == params.unwrap_or_default()
    };
    let declared = node.members.iter().zip(symbols.declared()).enumerate();
    let found = declared.filter(|(_, (_, symbol))| {
        symbol.is_some_and(|symbol| is_wanted(&symbols.members[symbol]))
    });
    found.map(|(at, _)| at).collect()
}

/// The documentation id of a member, by its index.
pub fn doc_id(node: &TypeNode, at: usize, symbols: &TypeSymbols) -> Option<String> {
    let symbol = symbols.declared().nth(at).flatten()?;
    let (letter, rest) = symbols.members[symbol].id.split_once('.')?;
    Some(format!("{letter}:{}.{rest}", node.fqn.replace('+', ".")))
}

/// The parameter types of a member's documentation id.
fn id_params(id: &str) -> Vec<String> {
    let id = id.split_once('~').map_or(id, |(id, _)| id);
    match (id.find('('), id.ends_with(')')) {
        (Some(open), true) => split(&id[open + 1..id.len() - 1], &[',']),
        _ => Vec::new(),
    }
}

/// Whether a member has parameters of these types, as far as they are written: by simple names.
fn has_params(member: &MemberNode, wanted: &[String]) -> bool {
    let params = member.params.as_deref().unwrap_or_default();
    params.len() == wanted.len()
        && (params.iter().zip(wanted)).all(|(param, wanted)| {
            let (declared, wanted) = (simple_type(&param.ty.short()), simple_type(wanted));
            // A type parameter is a number in documentation ids and a name elsewhere.
            declared == wanted || wanted.starts_with('`')
        })
}

/// A type's simple name with its array ranks: what C# source and documentation ids have in common.
fn simple_type(text: &str) -> String {
    let mut words = text.split_whitespace().filter(|word| {
        !matches!(
            *word,
            "ref" | "in" | "out" | "params" | "readonly" | "scoped" | "this"
        )
    });
    let text = words.next_back().unwrap_or(text);
    let text = text.trim_end_matches(['@', '*', '?', '&']);
    let ranks = text.len() - text.trim_end_matches(['[', ']', ',']).len();
    let (text, ranks) = text.split_at(text.len() - ranks);
    let text = text.trim_end_matches('?');
    let head = text.split(['<', '{']).next().unwrap_or(text);
    let simple = head.rsplit(['.', '+']).next().unwrap_or(head);
    let name = match simple {
        "Boolean" => "bool",
        "Byte" => "byte",
        "SByte" => "sbyte",
        "Char" => "char",
        "Int16" => "short",
        "UInt16" => "ushort",
        "Int32" => "int",
        "UInt32" => "uint",
        "Int64" => "long",
        "UInt64" => "ulong",
        "Single" => "float",
        "Double" => "double",
        "Decimal" => "decimal",
        "String" => "string",
        "Object" => "object",
        "IntPtr" => "nint",
        "UIntPtr" => "nuint",
        other => other,
    };
    format!("{name}{ranks}")
}
