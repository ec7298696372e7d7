//! The declaration around a place of a file.
//!
//! Must not know: what stands there.

use cortex_index::{BoundTarget, FileSummary, MemberTag, Snapshot};
use cortex_look::QueryError;
use cortex_model::{ByteRange, RepoPath, TypeKey};
use cortex_syntax::Sections;

/// The types and members that a file declares inside a project, with where.
#[derive(Default)]
pub(crate) struct Declared(Vec<(ByteRange, (TypeKey, Option<MemberTag>))>);

impl Declared {
    /// Reads the declarations and bindings of the file; there are none where it was not read.
    pub(crate) fn of(
        snapshot: &Snapshot,
        file: &FileSummary,
        project: &RepoPath,
    ) -> Result<Self, QueryError> {
        let Some(facts) = snapshot.facts(file, project, Sections::Declarations)? else {
            return Ok(Self::default());
        };
        let bindings = snapshot.bindings(&file.path, project)?;
        let declared = bindings.decls.iter().filter_map(|decl| {
            let range = facts.decls.get(decl.decl? as usize)?.range;
            let symbol = match bindings.targets[decl.symbol? as usize] {
                BoundTarget::Type(key) => (key, None),
                BoundTarget::Member(key, tag) => (key, Some(tag)),
                BoundTarget::External(..) => return None,
            };
            Some((range, symbol))
        });
        Ok(Self(declared.collect()))
    }

    /// Where a member is declared.
    pub(crate) fn ranges(&self, member: (TypeKey, MemberTag)) -> impl Iterator<Item = ByteRange> {
        let wanted = (member.0, Some(member.1));
        let parts = self.0.iter().filter(move |(_, symbol)| *symbol == wanted);
        parts.map(|(range, _)| *range)
    }

    /// The members with where each is declared, by position.
    pub(crate) fn members(&self) -> impl Iterator<Item = (ByteRange, (TypeKey, MemberTag))> {
        let all = self.0.iter();
        all.filter_map(|(range, (key, tag))| Some((*range, (*key, (*tag)?))))
    }

    /// The innermost one around an offset.
    pub(crate) fn around(&self, offset: u32) -> Option<(TypeKey, Option<MemberTag>)> {
        let all = self.0.iter();
        let around = all.filter(|(range, _)| range.start <= offset && offset < range.end);
        let inner = around.min_by_key(|(range, _)| range.end - range.start);
        inner.map(|(_, symbol)| *symbol)
    }
}
