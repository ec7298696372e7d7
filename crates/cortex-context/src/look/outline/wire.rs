//! The JSON form of an outline: documentation in it is Markdown.
//!
//! It is public: fields are added, never renamed or removed, within one schema version.

use cortex_wire::{
    DocSectionKind, Documentation, MemberOutline, OutlineAnswer, SourcePart, Subject, TypeOutline,
};
use serde::Serialize;

use crate::documentation::{DocStyle, blocks, note};

/// All of an outline, uncut.
pub fn outline_json(answer: &OutlineAnswer) -> String {
    crate::json(&Answer {
        schema: answer.schema,
        subject: &answer.subject,
        ty: Type::new(&answer.ty),
        source: &answer.source,
    })
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Answer<'a> {
    schema: u32,
    #[serde(flatten)]
    subject: &'a Subject,
    #[serde(rename = "type")]
    ty: Type<'a>,
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    source: &'a [SourcePart],
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Type<'a> {
    #[serde(flatten)]
    ty: &'a TypeOutline,
    #[serde(skip_serializing_if = "Option::is_none")]
    documentation: Option<Docs>,
    members: Vec<Member<'a>>,
    nested: Vec<Type<'a>>,
}

impl<'a> Type<'a> {
    fn new(ty: &'a TypeOutline) -> Self {
        Self {
            ty,
            documentation: Docs::new(&ty.docs),
            members: ty.members.iter().map(Member::new).collect(),
            nested: ty.nested.iter().map(Self::new).collect(),
        }
    }
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Member<'a> {
    #[serde(flatten)]
    member: &'a MemberOutline,
    #[serde(skip_serializing_if = "Option::is_none")]
    documentation: Option<Docs>,
}

impl<'a> Member<'a> {
    fn new(member: &'a MemberOutline) -> Self {
        Self {
            member,
            documentation: Docs::new(&member.docs),
        }
    }
}

/// Documentation by section.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Docs {
    sections: Vec<Section>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    notes: Vec<String>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Section {
    kind: &'static str,
    #[serde(skip_serializing_if = "String::is_empty")]
    name: String,
    text: String,
}

impl Docs {
    /// `None` where there is none.
    pub(crate) fn new(docs: &Documentation) -> Option<Self> {
        let sections = docs.sections.iter().map(|section| Section {
            kind: word(section.kind),
            name: section.name.clone(),
            text: blocks(&section.blocks, DocStyle::Markdown),
        });
        (!docs.is_empty()).then(|| Self {
            sections: sections.collect(),
            notes: docs
                .notes
                .iter()
                .map(|it| note(it, DocStyle::Text))
                .collect(),
        })
    }
}

fn word(kind: DocSectionKind) -> &'static str {
    match kind {
        DocSectionKind::Summary => "summary",
        DocSectionKind::TypeParam => "typeParam",
        DocSectionKind::Param => "param",
        DocSectionKind::Returns => "returns",
        DocSectionKind::Value => "value",
        DocSectionKind::Exception => "exception",
        DocSectionKind::Remarks => "remarks",
        DocSectionKind::Example => "example",
        DocSectionKind::Other => "other",
        DocSectionKind::SeeAlso => "seeAlso",
    }
}
