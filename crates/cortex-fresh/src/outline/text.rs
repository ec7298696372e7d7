//! The bytes of an outline file, and what its header says.
//!
//! Whoever changes these bytes raises [`FORMAT`]: files of an older format are then reported as such.

use cortex_context::{
    DocStyle, documentation, first_line,
    text::{line, span},
};
use cortex_look::written::WrittenDocumentation;
use cortex_model::{Hasher, TypeKind};

use super::sheet::{Sheet, SheetMember};

/// The version of the bytes of outline files.
pub const FORMAT: u32 = 2;

/// What the header of an outline file says.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Header {
    /// The version of its bytes.
    pub format: u32,
    /// The hash of everything but documentation.
    pub api: String,
    /// The hash of the documentation.
    pub documentation: String,
}

impl Header {
    /// Reads the header of a file; `None` where it has none.
    pub fn read(text: &str) -> Option<Self> {
        let rest = text.lines().find_map(|it| it.strip_prefix(OPEN))?;
        let mut words = rest.strip_suffix(" -->")?.split(' ');
        let format = words.next()?.parse().ok()?;
        let mut value = |name: &str| {
            let word = words.next()?;
            word.strip_prefix(name).map(str::to_owned)
        };
        Some(Self {
            format,
            api: value("api=")?,
            documentation: value("docs=")?,
        })
    }
}

/// How the header starts.
const OPEN: &str = "<!-- git-cortex outline ";

/// The bytes of an outline file.
pub fn outline_text(sheet: &Sheet) -> String {
    let api = api_lines(sheet);
    let head_docs = head_documentation(&sheet.documentation);
    let member_docs: Vec<String> = (sheet.members.iter()).map(member_documentation).collect();

    let mut api_hash = Hasher::new("outline-api-1");
    for text in api.head.iter().chain(&api.members) {
        api_hash.field(text.as_bytes());
    }
    let mut docs_hash = Hasher::new("outline-docs-1");
    docs_hash.field(head_docs.as_bytes());
    for text in &member_docs {
        docs_hash.field(text.as_bytes());
    }

    let mut out = format!(
        "# {} {}\n\n{OPEN}{FORMAT} api={} docs={} -->\n\n",
        span(&sheet.path),
        sheet.id,
        api_hash.finish().short(),
        docs_hash.finish().short()
    );
    for text in &api.head {
        out.push_str(text);
        out.push('\n');
    }
    if !head_docs.is_empty() {
        out.push('\n');
        out.push_str(&head_docs);
    }
    let mut before = "";
    for (at, member) in sheet.members.iter().enumerate() {
        let title = member.kind.group().name();
        if title != before {
            out.push_str(&format!("\n## {title}\n\n"));
            before = title;
        }
        let docs = &member_docs[at];
        match docs.is_empty() {
            true => out.push_str(&format!("- {}\n", api.members[at])),
            false => out.push_str(&format!("- {} – {docs}\n", api.members[at])),
        }
    }
    out
}

/// What an outline says besides documentation.
struct ApiLines {
    head: Vec<String>,
    members: Vec<String>,
}

fn api_lines(sheet: &Sheet) -> ApiLines {
    let mut head: Vec<String> = sheet.declarations.iter().map(|it| declared(it)).collect();
    let files: Vec<String> = sheet.files.iter().map(|it| span(it.as_str())).collect();
    let assembly = match sheet.assembly.is_empty() {
        true => String::new(),
        false => format!(" in assembly {}", span(&sheet.assembly)),
    };
    head.push(format!("- {}{assembly}", kind_name(sheet.kind)));
    head.push(format!("- {}", files.join(", ")));
    ApiLines {
        head,
        members: sheet
            .members
            .iter()
            .map(|it| span(&it.declaration))
            .collect(),
    }
}

fn declared(declaration: &str) -> String {
    format!("- {}", span(declaration))
}

fn kind_name(kind: TypeKind) -> &'static str {
    kind.name()
}

/// All of a type's documentation.
fn head_documentation(all: &[WrittenDocumentation]) -> String {
    let mut parts: Vec<String> = Vec::new();
    for docs in all {
        let text = documentation(&docs.documentation, DocStyle::Markdown);
        if !text.trim().is_empty() {
            parts.push(text.trim_end().to_owned());
        }
        parts.extend(docs.inherits.iter().map(|it| inherited(it.as_deref())));
    }
    let mut out = parts.join("\n\n");
    if !out.is_empty() {
        out.push('\n');
    }
    out
}

/// One line of a member's documentation.
fn member_documentation(member: &SheetMember) -> String {
    let docs = &member.documentation;
    let first = first_line(&docs.documentation, DocStyle::Markdown);
    match docs.inherits.first() {
        Some(from) if first.is_empty() => inherited(from.as_deref()),
        _ => first,
    }
}

fn inherited(from: Option<&str>) -> String {
    match from {
        Some(from) => format!("*Inherits the documentation of {}.*", span(from)),
        None => "*Inherits its documentation.*".to_owned(),
    }
}

/// The name of a type as a title shows it, read back from the first line of a file.
pub fn title_name(text: &str) -> Option<String> {
    let title = text.lines().next()?.strip_prefix("# ")?;
    let (name, _id) = title.rsplit_once(' ')?;
    let name = name.trim_matches('`').trim();
    (!name.is_empty()).then(|| line(name).into_owned())
}
