//! Members by name and parameter types, as people and as documentation ids write them.

use crate::doc_ids::split::split;

use cortex_bind::{MemberNode, TypeNode};
use cortex_index::{MemberSymbol, TypeSymbols};
use cortex_model::DeclKind;
use rustc_hash::FxHashMap;

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
                let last = member.name.rsplit('.').next().unwrap_or(&member.name);
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
    let is_wanted = |symbol: &&MemberSymbol| {
        symbol.id.starts_with(kind)
            && symbol.simple_name() == name
            && id_params(&symbol.id) == params.unwrap_or_default()
    };
    if !symbols.members.iter().any(|symbol| is_wanted(&symbol)) {
        return Vec::new();
    }
    let params = params.unwrap_or_default();
    let found = node.members.iter().enumerate().filter(|(_, member)| {
        letter(member.kind) == kind && has_doc_name(member, name) && has_params(member, params)
    });
    found.map(|(at, _)| at).collect()
}

/// The documentation id of a member, where one of its type's fits it alone.
pub fn doc_id(node: &TypeNode, member: &MemberNode, symbols: &TypeSymbols) -> Option<String> {
    let letter = letter(member.kind);
    let mut fitting = symbols.members.iter().filter(|symbol| {
        symbol.id.starts_with(letter)
            && has_doc_name(member, symbol.simple_name())
            && has_params(member, &id_params(&symbol.id))
    });
    let only = fitting.next().filter(|_| fitting.next().is_none())?;
    let (_, rest) = only.id.split_once('.')?;
    Some(format!("{letter}:{}.{rest}", node.fqn.replace('+', ".")))
}

/// The letter of a member's documentation id.
fn letter(kind: DeclKind) -> char {
    match kind {
        DeclKind::Field | DeclKind::Constant | DeclKind::EnumMember => 'F',
        DeclKind::Property | DeclKind::Indexer => 'P',
        DeclKind::Event => 'E',
        _ => 'M',
    }
}

/// Whether a member has this simple name in a documentation id; the names of operators are not told apart.
fn has_doc_name(member: &MemberNode, name: &str) -> bool {
    match doc_name(member) {
        OPERATOR => name.starts_with(OPERATOR),
        own => own == name,
    }
}

/// What stands for the names of all operators.
const OPERATOR: &str = "op_";

/// The simple name of a member in documentation ids.
fn doc_name(member: &MemberNode) -> &str {
    match member.kind {
        DeclKind::Constructor => "#ctor",
        DeclKind::StaticConstructor => "#cctor",
        DeclKind::Finalizer => "Finalize",
        DeclKind::Indexer => "Item",
        DeclKind::Operator | DeclKind::Conversion => OPERATOR,
        _ => member.name.rsplit('.').next().unwrap_or(&member.name),
    }
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
    let own = tail_params(member);
    own.len() == wanted.len()
        && (own.iter().zip(wanted)).all(|(own, wanted)| {
            let (own, wanted) = (simple_type(own), simple_type(wanted));
            // A type parameter is a number in documentation ids and a name elsewhere.
            own == wanted || wanted.starts_with('`')
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

/// Completes which symbol each member of a type is, by index, from those that are known: by name and parameter
/// types, keywords before type parameters. No symbol is taken twice, unless it is known to be.
pub fn symbols_of_members(
    node: &TypeNode,
    symbols: &TypeSymbols,
    mut known: Vec<Option<usize>>,
) -> Vec<Option<usize>> {
    let mut taken = vec![false; symbols.members.len()];
    known.iter().flatten().for_each(|&at| taken[at] = true);
    // By letter and name: types with a thousand members are not rare.
    let mut by_name: FxHashMap<(char, &str), Vec<usize>> = FxHashMap::default();
    for (at, symbol) in symbols.members.iter().enumerate() {
        let name = symbol.simple_name();
        let name = if name.starts_with(OPERATOR) {
            OPERATOR
        } else {
            name
        };
        let letter = symbol.id.chars().next().unwrap_or_default();
        by_name.entry((letter, name)).or_default().push(at);
    }
    for rule in [Params::Keywords, Params::Alike, Params::Count] {
        for (member, slot) in node.members.iter().zip(&mut known) {
            if slot.is_some() || member.kind == DeclKind::TopLevel {
                continue;
            }
            let is_it = |symbol: &MemberSymbol| {
                rule.fits(member, &id_params(&symbol.id)) && arity(member) == id_arity(&symbol.id)
            };
            let named = by_name.get(&(letter(member.kind), doc_name(member)));
            let mut fitting = (named.into_iter().flatten().copied())
                .filter(|&at| !taken[at] && is_it(&symbols.members[at]));
            *slot = fitting.next();
            slot.iter().for_each(|&at| taken[at] = true);
        }
    }
    known
}

/// How parameters are compared, the strictest first.
#[derive(Clone, Copy)]
enum Params {
    /// Each has the same keyword, nullable or not.
    Keywords,
    /// Each has the same name, or is a type parameter.
    Alike,
    /// There are as many.
    Count,
}

impl Params {
    fn fits(self, member: &MemberNode, wanted: &[String]) -> bool {
        let own = tail_params(member);
        own.len() == wanted.len()
            && (own.iter().zip(wanted)).all(|(own, wanted)| {
                let nullable = wanted.strip_prefix("System.Nullable{");
                let nullable = nullable.and_then(|inner| inner.strip_suffix('}'));
                let is_same = simple_type(own) == simple_type(nullable.unwrap_or(wanted));
                match self {
                    Self::Keywords if nullable.is_some() => is_same && own.ends_with('?'),
                    Self::Keywords if own.ends_with('?') => {
                        is_same && matches!(&**wanted, "System.String" | "System.Object")
                    }
                    Self::Keywords => is_same,
                    Self::Alike => is_same || wanted.starts_with('`'),
                    Self::Count => true,
                }
            })
    }
}

/// The parameter types of a member as its signature has them.
fn tail_params(member: &MemberNode) -> Vec<String> {
    let tail = member.tail.split('#').next().unwrap_or_default();
    let has_list = tail.ends_with([')', ']']) && tail.len() > 2;
    if has_list {
        split(&tail[1..tail.len() - 1], &[','])
    } else {
        Vec::new()
    }
}

/// How many type parameters a member has.
fn arity(member: &MemberNode) -> usize {
    let digits = member.tail.rsplit_once('#').map(|(_, digits)| digits);
    digits.and_then(|it| it.parse().ok()).unwrap_or(0)
}

/// How many type parameters the member of a documentation id has.
fn id_arity(id: &str) -> usize {
    let name = id.split('(').next().unwrap_or(id);
    let digits = name.rsplit_once("``").map(|(_, digits)| digits);
    digits.and_then(|it| it.parse().ok()).unwrap_or(0)
}
