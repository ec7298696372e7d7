//! What documentation comments say, as plain data.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The documentation of a symbol. Empty where there is none.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Documentation {
    /// What it says, in its order; no two sections have one kind and one name.
    pub sections: Vec<DocSection>,
    /// What could not be read, and what was inherited.
    pub notes: Vec<DocNote>,
}

/// One part of a documentation comment.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct DocSection {
    /// Which part.
    pub kind: DocSectionKind,
    /// What it is about: the name of a parameter, the type of an exception, what else one should see, the name of
    /// an element that C# does not know; else empty.
    pub name: String,
    /// What it says.
    pub blocks: Vec<DocBlock>,
}

/// Which part of a documentation comment, in the order in which they are shown.
#[derive(
    Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "kebab-case", rename_all_fields = "camelCase")]
pub enum DocSectionKind {
    /// `<summary>`, or text outside of all elements.
    Summary,
    /// `<typeparam>`
    TypeParam,
    /// `<param>`
    Param,
    /// `<returns>`
    Returns,
    /// `<value>`
    Value,
    /// `<exception>`
    Exception,
    /// `<remarks>`
    Remarks,
    /// `<example>`
    Example,
    /// Another element.
    Other,
    /// `<seealso>`
    SeeAlso,
}

/// A paragraph or something that stands between paragraphs.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case", rename_all_fields = "camelCase")]
pub enum DocBlock {
    /// Running text, white space folded.
    Paragraph(Vec<DocInline>),
    /// `<code>`, its common indentation taken away.
    Code {
        /// The language that it names, or nothing.
        language: String,
        /// Its lines.
        text: String,
    },
    /// `<list>`
    List {
        /// How its items are told apart.
        kind: DocListKind,
        /// `<listheader>`: empty where there is none.
        header: Vec<Vec<DocInline>>,
        /// The items.
        items: Vec<DocItem>,
    },
}

/// How the items of a list are told apart.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case", rename_all_fields = "camelCase")]
pub enum DocListKind {
    /// By bullets.
    Bullet,
    /// By numbers from this one on.
    Number(u32),
    /// Each is a row.
    Table,
}

/// An item of a list, or a row of a table.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct DocItem {
    /// `<term>` elements: of a table, each is a column.
    pub terms: Vec<Vec<DocInline>>,
    /// `<description>` elements, or what stands in the item without one: of a table, each is a column.
    pub descriptions: Vec<Vec<DocBlock>>,
}

/// A stretch of running text.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case", rename_all_fields = "camelCase")]
pub enum DocInline {
    /// Words.
    Text(String),
    /// `<c>`, a keyword, or the name of a parameter.
    Code(String),
    /// `<see cref>`: the short name of a symbol, and what is written in place of it.
    Symbol {
        /// Its short name.
        name: String,
        /// The text of the element.
        text: Vec<DocInline>,
    },
    /// `<see href>` and `<a>`
    Link {
        /// Where it leads.
        href: String,
        /// What is shown.
        text: Vec<DocInline>,
    },
    /// `<b>`
    Strong(Vec<DocInline>),
    /// `<i>`
    Emphasis(Vec<DocInline>),
    /// `<br/>`
    Break,
}

/// What a reader should know of a documentation comment.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case", rename_all_fields = "camelCase")]
pub enum DocNote {
    /// It is inherited: from this symbol.
    Inherited(String),
    /// It says that it is inherited, from something that is not of this repository, or from nothing.
    NotInherited(Option<String>),
    /// It takes text from a file, which is not read.
    Included {
        /// The file.
        file: String,
        /// Which part of it.
        path: String,
    },
    /// It is not well-formed XML, for this reason: shown as it is written.
    Malformed(String),
}

impl Documentation {
    /// Whether it says nothing.
    pub fn is_empty(&self) -> bool {
        self.sections.is_empty() && self.notes.is_empty()
    }

    /// What its summary says.
    pub fn summary(&self) -> &[DocBlock] {
        let summary = self
            .sections
            .iter()
            .find(|it| it.kind == DocSectionKind::Summary);
        summary.map_or(&[], |it| &it.blocks)
    }
}
