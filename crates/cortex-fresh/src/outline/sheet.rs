//! What an outline says of a type, as plain data, read from the texts of its declarations.

use std::{collections::BTreeMap, rc::Rc};

use cortex_bind::{MemberNode, TypeNode, member_detail};
use cortex_derived::DerivedError;
use cortex_git::ReadBlob;
use cortex_index::Snapshot;
use cortex_look::written::{
    WrittenDocumentation, member_attributes, member_declaration, member_value, type_attributes,
    type_declaration, written_documentation,
};
use cortex_model::{Accessibility, ByteRange, DeclKind, RepoPath, TypeKey, TypeKind};
use cortex_syntax::{FileFacts, Sections, text::decode};

/// Attributes that whoever uses a symbol must know.
const SHOWN_ATTRIBUTES: [&str; 4] = ["Obsolete", "Flags", "Experimental", "EditorBrowsable"];

/// What an outline says.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Sheet {
    /// Canonical name.
    pub path: String,
    /// Short id, never lengthened.
    pub id: String,
    /// Kind of type.
    pub kind: TypeKind,
    /// The assembly.
    pub assembly: String,
    /// The files that declare it, sorted.
    pub files: Vec<RepoPath>,
    /// Its declarations, in the order of files; each text once.
    pub declarations: Vec<String>,
    /// Its documentation, one entry for each declaration that has some.
    pub documentation: Vec<WrittenDocumentation>,
    /// The members that others can use, by kind, in the order of the source.
    pub members: Vec<SheetMember>,
}

/// A member.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SheetMember {
    /// What it declares.
    pub kind: DeclKind,
    /// Its declaration as written.
    pub declaration: String,
    /// Its documentation.
    pub documentation: WrittenDocumentation,
}

/// Whether a type is part of what other assemblies see.
pub fn is_public(node: &TypeNode) -> bool {
    node.effective.is_visible()
}

/// Reads sheets; each file once.
pub struct SheetReader<'s> {
    snapshot: &'s Snapshot,
    blobs: Box<dyn ReadBlob + 's>,
    files: BTreeMap<(RepoPath, RepoPath), Option<Rc<File>>>,
}

/// A file as a project sees it.
struct File {
    text: String,
    facts: FileFacts,
}

impl<'s> SheetReader<'s> {
    /// Reads types of a snapshot, and texts from `blobs`.
    pub fn new(snapshot: &'s Snapshot, blobs: Box<dyn ReadBlob + 's>) -> Self {
        Self {
            snapshot,
            blobs,
            files: BTreeMap::new(),
        }
    }

    /// What the outline of a type says; `None` where no text declares it.
    ///
    /// # Errors
    /// Those of reading the snapshot and the texts.
    pub fn read(&mut self, key: TypeKey, node: &TypeNode) -> Result<Option<Sheet>, DerivedError> {
        let mut sheet = Sheet {
            path: node.fqn.clone(),
            id: key.short_id(8),
            kind: node.kind,
            assembly: node.assembly.clone(),
            files: Vec::new(),
            declarations: Vec::new(),
            documentation: Vec::new(),
            members: Vec::new(),
        };
        for part in &node.parts {
            let Some(file) = self.file(&part.path, node.project_of(part))? else {
                continue;
            };
            sheet.files.push(part.path.clone());
            if let Some(written) = type_declaration(&file.text, &file.facts, part) {
                let attributes = type_attributes(&file.facts, part, &SHOWN_ATTRIBUTES);
                let declaration = with_attributes(&attributes, written);
                if !sheet.declarations.contains(&declaration) {
                    sheet.declarations.push(declaration);
                }
            }
            let documentation = documentation_at(&file.text, part.doc_range);
            if documentation != WrittenDocumentation::default() {
                sheet.documentation.push(documentation);
            }
        }
        sheet.files.sort();
        sheet.files.dedup();
        if sheet.files.is_empty() {
            return Ok(None);
        }
        sheet.members = self.members(node)?;
        Ok(Some(sheet))
    }

    fn members(&mut self, node: &TypeNode) -> Result<Vec<SheetMember>, DerivedError> {
        let mut shown: Vec<&MemberNode> = (node.members.iter())
            .filter(|it| is_shown(node, it))
            .collect();
        shown.sort_by_key(|member| (member.kind.group(), member.part, member.decl));
        let mut out: Vec<SheetMember> = Vec::with_capacity(shown.len());
        // What a declaration of several fields writes before the first name.
        let mut common = String::new();
        for member in shown {
            let Some(part) = node.parts.get(member.part as usize) else {
                continue;
            };
            let Some(file) = self.file(&part.path, node.project_of(part))? else {
                continue;
            };
            let written = member_declaration(&file.text, &file.facts, member);
            let value = member_value(&file.facts, member).map(|value| format!(" = {value}"));
            let value = value.unwrap_or_default();
            let declaration = match written {
                Some(written) => {
                    let named = written.strip_suffix(value.as_str()).unwrap_or(&written);
                    if let Some(before) = named.strip_suffix(member.name.as_str()) {
                        common = before.to_owned();
                    }
                    written
                }
                None => format!("{common}{}{value}", member.name),
            };
            let attributes = member_attributes(&file.facts, member, &SHOWN_ATTRIBUTES);
            let declaration = with_attributes(&attributes, declaration);
            let detail = member_detail(&file.facts, member);
            let range = detail.map(|detail| detail.doc_range).unwrap_or_default();
            // A partial member has two declarations, of which one is enough.
            let is_again = out.iter().any(|known| known.declaration == declaration);
            if !is_again {
                out.push(SheetMember {
                    kind: member.kind,
                    declaration,
                    documentation: documentation_at(&file.text, range),
                });
            }
        }
        Ok(out)
    }

    fn file(
        &mut self,
        path: &RepoPath,
        project: &RepoPath,
    ) -> Result<Option<Rc<File>>, DerivedError> {
        let key = (path.clone(), project.clone());
        if let Some(known) = self.files.get(&key) {
            return Ok(known.clone());
        }
        let found = match self.snapshot.file(path)? {
            None => None,
            Some(summary) => {
                let facts = self.snapshot.facts(&summary, project, Sections::All)?;
                match facts {
                    None => None,
                    Some(facts) => {
                        let bytes = self.blobs.read_blob(summary.blob)?;
                        let text = String::from_utf8_lossy(decode(&bytes).as_bytes()).into_owned();
                        Some(Rc::new(File { text, facts }))
                    }
                }
            }
        };
        // Types of one file are read one after another; older files are rarely needed again.
        if self.files.len() >= MAX_FILES {
            self.files.clear();
        }
        self.files.insert(key, found.clone());
        Ok(found)
    }
}

/// How many of some types, sorted by file, one reader should read: some for each thread to take, and so many that a file
/// with very many types is not read for each few of them.
pub fn n_together(n_types: usize) -> usize {
    n_types
        .div_ceil(rayon::current_num_threads() * 4)
        .max(MIN_TOGETHER)
}

/// See [`n_together`].
const MIN_TOGETHER: usize = 128;

/// So many files are held at once.
const MAX_FILES: usize = 64;

fn with_attributes(attributes: &[String], declaration: String) -> String {
    match attributes {
        [] => declaration,
        all => format!("[{}] {declaration}", all.join(", ")),
    }
}

fn documentation_at(text: &str, range: ByteRange) -> WrittenDocumentation {
    if range.end <= range.start {
        return WrittenDocumentation::default();
    }
    let comment = text.get(range.as_usize());
    comment.map(written_documentation).unwrap_or_default()
}

/// Whether others can use a member and its text declares it. Parameters of a primary constructor stand in the
/// declaration of the type; an explicit implementation is used through its interface.
fn is_shown(node: &TypeNode, member: &MemberNode) -> bool {
    let is_visible = member.accessibility.is_visible()
        || !node.effective.is_visible() && member.accessibility >= Accessibility::Internal;
    let is_declared = !member.primary && member.interface_len == 0;
    let is_usable = !matches!(
        member.kind,
        DeclKind::Finalizer | DeclKind::StaticConstructor | DeclKind::TopLevel
    );
    is_visible && is_declared && is_usable
}
