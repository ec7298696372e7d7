//! The written forms of a symbol, told apart.

use cortex_derived::doc_ids::split::split;
use cortex_model::RepoPath;

/// What a text may mean, before any snapshot is looked at.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum SymbolPath {
    /// `T_7XPKJFH2`, `T_7XPKJFH2_K3M0ZQ`, each also with `@Assembly`.
    Id {
        /// With its assembly, where that is said.
        ty: Owner<String>,
        /// The six characters of a member.
        member: Option<String>,
    },
    /// `T:Ns.Type`, `M:Ns.Type.Member(System.Int32)`, …
    DocId {
        /// `T`, `M`, `P`, `F` or `E`.
        kind: char,
        /// What follows the colon.
        name: NamePath,
    },
    /// `src/File.cs:12`, `src/File.cs:12:5`.
    Place {
        /// The file.
        path: RepoPath,
        /// 1-based.
        line: u32,
        /// 1-based, in UTF-16 units; anything on the line where it is left out.
        column: Option<u32>,
    },
    /// A name.
    Name(NamePath),
}

/// Something with the assembly that it is in, where that is said.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Owner<T> {
    pub(crate) it: T,
    pub(crate) assembly: Option<String>,
}

/// A dotted name.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NamePath {
    /// Its parts; not empty.
    pub(crate) segments: Vec<Segment>,
    /// What stands in the parentheses behind it, part by part.
    pub(crate) params: Option<Vec<String>>,
    /// What follows `@`.
    pub(crate) assembly: Option<String>,
}

/// One part of a name.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Segment {
    /// Without type arguments.
    pub(crate) name: String,
    /// How many type arguments are written; `None` where none are.
    pub(crate) arity: Option<u32>,
}

impl SymbolPath {
    /// Reads any text; no text is refused.
    pub fn parse(text: &str) -> Self {
        let text = text.trim();
        if let Some((path, line, column)) = place_of(text) {
            return Self::Place { path, line, column };
        }
        if let Some((kind, rest)) = doc_id(text) {
            let name = NamePath::parse(rest.split_once('~').map_or(rest, |(name, _)| name));
            return Self::DocId { kind, name };
        }
        id(text).unwrap_or_else(|| Self::Name(NamePath::parse(text)))
    }
}

impl NamePath {
    fn parse(text: &str) -> Self {
        let text = text.strip_prefix("global::").unwrap_or(text);
        let (text, assembly) = match text.rsplit_once('@') {
            // In documentation ids a `@` inside of the parentheses marks a reference.
            Some((name, assembly)) if !assembly.contains([')', ',']) && !assembly.is_empty() => {
                (name, Some(assembly.to_owned()))
            }
            _ => (text, None),
        };
        let (name, params) = match (text.find('('), text.ends_with(')')) {
            (Some(open), true) => (
                &text[..open],
                Some(split(&text[open + 1..text.len() - 1], &[','])),
            ),
            _ => (text, None),
        };
        // `Type..ctor`: the second dot belongs to the name.
        let name = name
            .replace("..ctor", ".#ctor")
            .replace("..cctor", ".#cctor");
        let segments = split(&name, &['.', '+']);
        Self {
            segments: segments.iter().map(|part| Segment::parse(part)).collect(),
            params: params.map(|all| all.into_iter().filter(|one| !one.is_empty()).collect()),
            assembly,
        }
    }

    /// Whether a part has `*` or `?`.
    pub(crate) fn is_pattern(&self) -> bool {
        let is_wild = |segment: &Segment| segment.name.contains(['*', '?']);
        self.segments.iter().any(is_wild)
    }

    /// Its last part.
    pub(crate) fn last(&self) -> &Segment {
        self.segments.last().expect("splitting gives a part")
    }
}

impl Segment {
    pub(crate) fn parse(text: &str) -> Self {
        if let Some((name, digits)) = text.split_once('`') {
            let digits = digits.trim_start_matches('`');
            return Self {
                name: name.to_owned(),
                arity: digits.parse().ok(),
            };
        }
        match text.find('<') {
            Some(open) if text.ends_with('>') && open > 0 => Self {
                name: text[..open].to_owned(),
                arity: Some(split(&text[open + 1..text.len() - 1], &[',']).len() as u32),
            },
            _ => Self {
                name: text.to_owned(),
                arity: None,
            },
        }
    }
}

/// The file, line and column that a text names: `path/File.cs:LINE`, `path/File.cs:LINE:COLUMN`.
pub fn place_of(text: &str) -> Option<(RepoPath, u32, Option<u32>)> {
    let at = text.to_ascii_lowercase().rfind(".cs:")? + 3;
    let mut numbers = text[at + 1..].split(':');
    let line = numbers.next()?.parse().ok()?;
    let column = match (numbers.next(), numbers.next()) {
        (None, _) => None,
        (Some(column), None) => Some(column.parse().ok()?),
        _ => return None,
    };
    let path = text[..at].replace('\\', "/");
    let path = path.strip_prefix("./").unwrap_or(&path);
    Some((RepoPath::from(path), line, column))
}

fn doc_id(text: &str) -> Option<(char, &str)> {
    let (kind, rest) = text.split_once(':')?;
    let kind = kind.chars().next().filter(|_| kind.len() == 1)?;
    (matches!(kind, 'T' | 'M' | 'P' | 'F' | 'E') && !rest.starts_with(':')).then_some((kind, rest))
}

fn id(text: &str) -> Option<SymbolPath> {
    let (id, assembly) = match text.split_once('@') {
        Some((id, rest)) => (id, Some(rest)),
        None => (text, None),
    };
    // The member's characters may stand behind the assembly, as answers show them.
    let (assembly, behind) = match assembly.and_then(|rest| rest.rsplit_once('_')) {
        Some((assembly, member)) if is_base32(member, &[6]) => (Some(assembly), Some(member)),
        _ => (assembly, None),
    };
    let rest = id.strip_prefix("T_")?;
    let (ty, member) = match rest.split_once('_') {
        Some((ty, member)) => (ty, Some(member)),
        None => (rest, behind),
    };
    let is_id = is_base32(ty, &[8, 12, 16]) && member.is_none_or(|it| is_base32(it, &[6]));
    is_id.then(|| SymbolPath::Id {
        ty: Owner {
            it: format!("T_{ty}"),
            assembly: assembly.map(str::to_owned),
        },
        member: member.map(str::to_owned),
    })
}

/// Crockford's alphabet, in one of these lengths.
fn is_base32(text: &str, lengths: &[usize]) -> bool {
    let is_digit = |b: u8| b.is_ascii_digit() || (b.is_ascii_uppercase() && !b"ILOU".contains(&b));
    lengths.contains(&text.len()) && text.bytes().all(is_digit)
}
