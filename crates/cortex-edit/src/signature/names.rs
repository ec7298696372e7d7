//! Parameters that get other names: in declarations, bodies, documentation, named arguments, and in the attributes that
//! name parameters in strings.
//!
//! Must not know: where parameters go.

use std::collections::{BTreeMap, BTreeSet};

use cortex_model::{ByteRange, RepoPath};
use cortex_semantics::{LocalBindings, LocalRole, LocalSymbol, MemberId, ProjectId, UnitKey};
use cortex_syntax::{Decl, Sections, text::decode};

use super::{Change, Here, shape::Shape};
use crate::{
    EditError,
    identifier::bare,
    proof::PlaceBefore,
    rename::{
        attribute_texts::{Naming, naming_texts},
        declared, inferred,
    },
    text_edit::{StartIs, TextEdit},
};

impl Here<'_, '_, '_> {
    /// The files that declare a member.
    pub(super) fn files_of(&self, member: MemberId) -> Result<BTreeSet<RepoPath>, EditError> {
        let owner = self.compilation.member(member).owner;
        let mut files = BTreeSet::new();
        for part in declared::parts_of(self.symbols, self.compilation, owner)? {
            if self.decls_of(member, &part).next().is_some() {
                files.insert(part.unit.path.clone());
            }
        }
        Ok(files)
    }

    /// The declarations of a member in a part of its type.
    pub(super) fn decls_of<'p>(
        &'p self,
        member: MemberId,
        part: &'p declared::Part,
    ) -> impl Iterator<Item = (u32, &'p Decl)> + 'p {
        let unit = self.compilation.unit_id(&part.unit);
        let decls = part.facts.decls.iter().zip(0_u32..);
        decls.filter_map(move |(decl, id)| {
            let is_it = decl.kind.type_kind().is_none()
                && self.compilation.member_of_decl(unit, id) == Some(member);
            is_it.then_some((id, decl))
        })
    }

    /// Adds the places of names that parameters of the family have.
    pub(super) fn add_names(
        &self,
        files: &BTreeSet<RepoPath>,
        family: &[MemberId],
        (shape, tuples): (&Shape, &BTreeSet<PlaceBefore>),
        change: &mut Change,
    ) -> Result<(), EditError> {
        if shape.renamed.is_empty() {
            return Ok(());
        }
        for path in files {
            let Some(file) = self.view.snapshot().file(path)? else {
                continue;
            };
            let bytes = self.view.blobs().read_blob(file.blob)?;
            let source = decode(&bytes);
            let text = source.as_str();
            let tuples: BTreeSet<u32> = (tuples.iter())
                .filter(|(tuple_file, _)| tuple_file == path)
                .map(|(_, offset)| *offset)
                .collect();
            for project in self.symbols.projects_of(path)? {
                let Some(facts) = self.symbols.facts(path, project, Sections::Bodies)? else {
                    continue;
                };
                let unit = UnitKey {
                    path: path.clone(),
                    project: ProjectId::new(project),
                };
                let identifiers = self.symbols.identifiers(&bytes, project);
                let locals = (self.compilation).local_bindings(&unit, &facts, &identifiers);
                let edits = self.names_in(&locals, text, family, shape);
                let places: Vec<ByteRange> = edits.iter().map(|edit| edit.range).collect();
                let edits = edits
                    .into_iter()
                    .chain(inferred::names(&facts, text, &places, &tuples));
                (change.inner.entry(path.clone()).or_default()).extend(edits);
            }
        }
        for &member in family {
            self.add_strings(member, shape, change)?;
        }
        Ok(())
    }

    /// The edits of names in one file.
    fn names_in(
        &self,
        locals: &LocalBindings,
        text: &str,
        family: &[MemberId],
        shape: &Shape,
    ) -> Vec<TextEdit> {
        let mut edits = Vec::new();
        for &member in family {
            for (at, renamed) in self.renamed_of(member, shape) {
                let symbol = LocalSymbol::Parameter(member, at as u16);
                let declared = locals.declarations_of(symbol).map(|it| (it.range, false));
                let used = locals
                    .uses_of(symbol)
                    .map(|it| (it.range, it.role == LocalRole::Documentation));
                for (range, is_documentation) in declared.chain(used) {
                    let token = text.get(range.as_usize()).unwrap_or_default();
                    if bare(token) == renamed.old {
                        edits.push(TextEdit {
                            range,
                            text: match is_documentation {
                                true => bare(&renamed.token),
                                false => renamed.token.clone(),
                            },
                            start: StartIs::Kept,
                        });
                    }
                }
            }
        }
        edits
    }

    /// The parameters of a member that get another name: those that are called like that of the member which was named.
    pub(super) fn renamed_of<'s>(
        &self,
        member: MemberId,
        shape: &'s Shape,
    ) -> Vec<(usize, &'s super::shape::Renamed)> {
        let params = &self.compilation.member(member).signature.params;
        let name = |at: usize| params.get(at).map(|it| self.compilation.text(it.name));
        let renamed = shape.renamed.iter();
        renamed
            .map(|(at, renamed)| (*at, renamed))
            .filter(|(at, renamed)| name(*at) == Some(renamed.old.as_str()))
            .collect()
    }

    /// Adds the strings that name parameters in attributes of a member, and where other text may name them.
    fn add_strings(
        &self,
        member: MemberId,
        shape: &Shape,
        change: &mut Change,
    ) -> Result<(), EditError> {
        let owner = self.compilation.member(member).owner;
        let renamed = self.renamed_of(member, shape);
        for part in declared::parts_of(self.symbols, self.compilation, owner)? {
            let path = &part.unit.path;
            let decls: Vec<(u32, &Decl)> = self.decls_of(member, &part).collect();
            let Some(file) = self
                .view
                .snapshot()
                .file(path)?
                .filter(|_| !decls.is_empty())
            else {
                continue;
            };
            let bytes = self.view.blobs().read_blob(file.blob)?;
            let source = decode(&bytes);
            let text = source.as_str();
            let project = part.unit.project.index();
            let facts = self.symbols.facts(path, project, Sections::Bodies)?;
            let texts = facts.map(|facts| naming_texts(&facts, text));
            for naming in texts.into_iter().flatten() {
                let is_of_member =
                    |decl: u32| decls.iter().any(|(declaring, _)| *declaring == decl);
                let Naming::Parameter(decl) = naming.naming else {
                    continue;
                };
                let named = &text[naming.range.as_usize()];
                if let Some((_, renamed)) = renamed.iter().find(|(_, it)| it.old == named)
                    && is_of_member(decl)
                {
                    (change.inner.entry(path.clone()).or_default()).insert(TextEdit {
                        range: ByteRange {
                            start: naming.range.start - 1,
                            end: naming.range.end + 1,
                        },
                        text: format!("\"{}\"", bare(&renamed.token)),
                        start: StartIs::New,
                    });
                }
            }
            let ranges = change.ranges.entry(path.clone()).or_default();
            ranges.extend(
                decls
                    .iter()
                    .flat_map(|(_, decl)| [decl.doc_range, decl.range]),
            );
        }
        Ok(())
    }
}

/// The edits of lists with those inside of their items: what is inside of a text that is written anew is in it already.
pub(super) fn together(
    outer: BTreeMap<RepoPath, Vec<TextEdit>>,
    inner: BTreeMap<RepoPath, BTreeSet<TextEdit>>,
) -> BTreeMap<RepoPath, Vec<TextEdit>> {
    let mut out = outer;
    out.retain(|_, of_file| !of_file.is_empty());
    for (path, of_file) in inner.into_iter().filter(|it| !it.1.is_empty()) {
        let edits = out.entry(path).or_default();
        let replaced: Vec<ByteRange> = (edits.iter())
            .map(|edit| edit.range)
            .filter(|range| range.start < range.end)
            .collect();
        edits.extend(of_file.into_iter().filter(|edit| {
            let mut replaced = replaced.iter();
            !replaced.any(|it| it.start <= edit.range.start && edit.range.end <= it.end)
        }));
    }
    out
}
