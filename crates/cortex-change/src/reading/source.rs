//! What files that did not change declare, as they write it.

use std::{
    collections::{BTreeMap, btree_map::Entry},
    rc::Rc,
};

use cortex_bind::{MemberNode, TypeNode, member_detail};
use cortex_git::{GitError, ReadBlob};
use cortex_look::{QueryError, declared::declared_member, written::member_declaration};
use cortex_model::RepoPath;
use cortex_syntax::{FileFacts, Sections, text::decode};

use crate::diff_context::{
    blobs::{BlobSource, Reader},
    compared::Compared,
};

/// Reads each file of the newer side once.
pub(crate) struct Sources<'a> {
    compared: &'a Compared,
    reader: Reader<'a>,
    known: BTreeMap<RepoPath, Option<Rc<Source>>>,
}

struct Source {
    text: String,
    facts: FileFacts,
}

/// The lines of a member.
pub(crate) struct MemberLines {
    pub(crate) path: RepoPath,
    /// The 1-based line of its name.
    pub(crate) line: u32,
    pub(crate) lines: Vec<String>,
}

impl<'a> Sources<'a> {
    pub(crate) fn new(compared: &'a Compared, source: BlobSource<'a>) -> Self {
        Self {
            compared,
            reader: source.open(),
            known: BTreeMap::new(),
        }
    }

    /// The declaration of a member of a type on one line.
    pub(crate) fn declaration(
        &mut self,
        node: &TypeNode,
        member: &MemberNode,
    ) -> Result<String, QueryError> {
        let source = self.of(node, member)?;
        let written =
            source.and_then(|source| member_declaration(&source.text, &source.facts, member));
        Ok(written.unwrap_or_else(|| declared_member(member)))
    }

    /// The lines of a member of a type without its documentation; `None` where it has no body.
    pub(crate) fn body(
        &mut self,
        node: &TypeNode,
        member: &MemberNode,
    ) -> Result<Option<MemberLines>, QueryError> {
        let Some(source) = self.of(node, member)? else {
            return Ok(None);
        };
        let detail = member_detail(&source.facts, member);
        let Some(detail) = detail.filter(|it| it.has_body || it.has_code) else {
            return Ok(None);
        };
        let (start, end) = (detail.range.start as usize, detail.range.end as usize);
        let Some(before) = source.text.get(..start) else {
            return Ok(None);
        };
        let from = before.rfind('\n').map_or(0, |at| at + 1);
        let lines = source.text.get(from..end).map(str::lines);
        Ok(lines.map(|lines| MemberLines {
            path: node.parts[member.part as usize].path.clone(),
            line: detail.line,
            lines: lines.map(str::to_owned).collect(),
        }))
    }

    /// The file that declares a member; `None` where it was not read or is not here.
    fn of(
        &mut self,
        node: &TypeNode,
        member: &MemberNode,
    ) -> Result<Option<Rc<Source>>, QueryError> {
        let Some(part) = node.parts.get(member.part as usize) else {
            return Ok(None);
        };
        let entry = match self.known.entry(part.path.clone()) {
            Entry::Occupied(known) => return Ok(known.get().clone()),
            Entry::Vacant(entry) => entry,
        };
        let snapshot = &self.compared.new;
        let Some(file) = snapshot.file(&part.path)? else {
            return Ok(None);
        };
        let facts = snapshot.facts(&file, node.project_of(part), Sections::Declarations)?;
        let text = match self.reader.read_blob(file.blob) {
            Ok(bytes) => Some(decode(&bytes).as_str().to_owned()),
            // Of a partial clone.
            Err(GitError::MissingObject { .. }) => None,
            Err(error) => return Err(error.into()),
        };
        let source = facts.zip(text).map(|(facts, text)| Source { text, facts });
        Ok(entry.insert(source.map(Rc::new)).clone())
    }
}
