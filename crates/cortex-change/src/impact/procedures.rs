//! Routines of a database that a change defines anew in SQL, and the members that name them.
//!
//! Owns: how SQL names what it defines. Must not know: why members are looked at.

use std::collections::BTreeSet;

use cortex_derived::doc_ids::DocIds;
use cortex_git::ReadBlob;
use cortex_index::{BoundTarget, FileSummary, MemberTag};
use cortex_look::QueryError;
use cortex_model::{ByteRange, RepoPath, TypeKey};
use cortex_syntax::{Sections, text::decode};

use crate::{
    diff_context::{blobs::BlobSource, compared::Compared},
    impact::strings::strings,
};

/// Words behind which the name of a routine stands.
const KINDS: [&str; 4] = ["PROCEDURE", "PROC", "FUNCTION", "VIEW"];

/// Words before these where the routine is defined, or goes.
const STATEMENTS: [&str; 4] = ["CREATE", "ALTER", "REPLACE", "DROP"];

/// The stored procedures, functions and views that changed files of SQL define or drop.
pub(crate) struct Procedures<'a> {
    source: BlobSource<'a>,
    /// In lower case, without schemas.
    names: BTreeSet<String>,
}

impl<'a> Procedures<'a> {
    /// Those of a difference.
    pub(crate) fn of(compared: &Compared, source: BlobSource<'a>) -> Self {
        let mut names = BTreeSet::new();
        for side in
            (compared.files.iter()).filter_map(|file| file.new.as_ref().or(file.old.as_ref()))
        {
            if side.path.extension().eq_ignore_ascii_case("sql") {
                let text = decode(compared.texts.get(side.blob));
                names.extend(defined(&String::from_utf8_lossy(text.as_bytes())));
            }
        }
        Self { source, names }
    }

    /// Whether a string of a member names one of them. Reads the files of the type where there are any.
    pub(crate) fn are_named_in(
        &self,
        ids: &mut DocIds<'_>,
        key: TypeKey,
        id: &str,
    ) -> Result<bool, QueryError> {
        if self.names.is_empty() {
            return Ok(false);
        }
        let Some(tag) = ids.ty(key)?.and_then(|own| own.tag_of(id)) else {
            return Ok(false);
        };
        let snapshot = ids.snapshot();
        let Some(node) = snapshot.type_node(key)? else {
            return Ok(false);
        };
        let paths: BTreeSet<&RepoPath> = node.parts.iter().map(|part| &part.path).collect();
        let mut reader = self.source.open();
        for path in paths {
            let Some(file) = snapshot.file(path)? else {
                continue;
            };
            let ranges = ranges(ids, &file, &node.project, (key, tag))?;
            if ranges.is_empty() {
                continue;
            }
            let text = decode(&reader.read_blob(file.blob)?).as_bytes().to_vec();
            let declared = ranges
                .iter()
                .filter_map(|range| text.get(range.start as usize..range.end as usize));
            if declared.flat_map(strings).any(|it| self.has_name(&it.said)) {
                return Ok(true);
            }
        }
        Ok(false)
    }

    fn has_name(&self, text: &str) -> bool {
        let is_end = |c: char| !c.is_alphanumeric() && c != '_';
        let mut words = text.split(is_end).filter(|word| !word.is_empty());
        words.any(|word| self.names.contains(&word.to_lowercase()))
    }
}

/// Where a file declares a member.
fn ranges(
    ids: &DocIds<'_>,
    file: &FileSummary,
    project: &RepoPath,
    (key, tag): (TypeKey, MemberTag),
) -> Result<Vec<ByteRange>, QueryError> {
    let snapshot = ids.snapshot();
    let Some(facts) = snapshot.facts(file, project, Sections::Declarations)? else {
        return Ok(Vec::new());
    };
    let bindings = snapshot.bindings(&file.path, project)?;
    let ranges = bindings.decls.iter().filter_map(|decl| {
        let target = &bindings.targets[decl.symbol? as usize];
        let range = facts.decls.get(decl.decl? as usize)?.range;
        matches!(target, BoundTarget::Member(of, which) if (*of, *which) == (key, tag))
            .then_some(range)
    });
    Ok(ranges.collect())
}

/// The routines that a text of SQL defines or drops, in lower case and without their schemas.
fn defined(sql: &str) -> Vec<String> {
    let words: Vec<&str> = sql.split_whitespace().collect();
    let is_one_of = |word: &str, all: &[&str]| all.iter().any(|it| it.eq_ignore_ascii_case(word));
    let mut out = Vec::new();
    for (at, pair) in words.windows(2).enumerate() {
        if !is_one_of(pair[0], &STATEMENTS) || !is_one_of(pair[1], &KINDS) {
            continue;
        }
        let mut rest = words[at + 2..].iter();
        let name = rest.find(|word| !is_one_of(word, &["IF", "NOT", "EXISTS"]));
        let name = name.and_then(|name| name.split(['(', ';']).next());
        let name = name.and_then(|name| name.rsplit('.').next());
        let name = name.map(|name| name.trim_matches(['[', ']', '"', '`']).to_lowercase());
        out.extend(name.filter(|name| !name.is_empty()));
    }
    out
}

#[cfg(test)]
mod tests {
    use super::defined;

    #[test]
    fn routines_are_named_behind_what_defines_them() {
        let sql = "CREATE OR ALTER PROCEDURE [dbo].[User_Read]\n  @Id INT\nAS SELECT 1\nGO\nalter proc Plain(@a int)\nDROP PROCEDURE IF EXISTS dbo.Gone;\nCREATE TABLE [dbo].[User] (Id INT)\nEXEC [dbo].[Called]";
        assert_eq!(defined(sql), ["user_read", "plain", "gone"]);
    }
}
