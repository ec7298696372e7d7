//! Routines of a database that a change defines anew in SQL, and the members that name them.
//!
//! Owns: how SQL names what it defines. Must not know: why members are looked at.

use std::collections::{BTreeMap, BTreeSet};

use cortex_derived::doc_ids::DocIds;
use cortex_git::ReadBlob;
use cortex_index::FileSummary;
use cortex_look::QueryError;
use cortex_model::{ByteRange, LineTable, RepoPath, TypeKey};
use cortex_syntax::text::decode;
use cortex_wire::NamedProcedure;

use crate::{
    diff_context::{blobs::BlobSource, compared::Compared},
    impact::{around::Declared, strings::strings},
};

/// Words behind which the name of a routine stands.
const KINDS: [&str; 4] = ["PROCEDURE", "PROC", "FUNCTION", "VIEW"];

/// Words before these where the routine is defined, or goes.
const STATEMENTS: [&str; 4] = ["CREATE", "ALTER", "REPLACE", "DROP"];

/// The stored procedures, functions and views that changed files of SQL define or drop.
pub(crate) struct Procedures<'a> {
    source: BlobSource<'a>,
    /// As they are written, by the same in lower case; without schemas.
    names: BTreeMap<String, String>,
}

impl<'a> Procedures<'a> {
    /// Those of a difference.
    pub(crate) fn of(compared: &Compared, source: BlobSource<'a>) -> Self {
        let mut names = BTreeMap::new();
        for side in
            (compared.files.iter()).filter_map(|file| file.new.as_ref().or(file.old.as_ref()))
        {
            if side.path.extension().eq_ignore_ascii_case("sql") {
                let text = decode(compared.texts.get(side.blob));
                let found = defined(&String::from_utf8_lossy(text.as_bytes()));
                names.extend(found.into_iter().map(|name| (name.to_lowercase(), name)));
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
            let declared = Declared::of(snapshot, &file, &node.project)?;
            let ranges: Vec<ByteRange> = declared.ranges((key, tag)).collect();
            if ranges.is_empty() {
                continue;
            }
            let text = decode(&reader.read_blob(file.blob)?).as_bytes().to_vec();
            let declared = ranges
                .iter()
                .filter_map(|range| text.get(range.start as usize..range.end as usize));
            if declared
                .flat_map(strings)
                .any(|it| self.name_in(&it.said).is_some())
            {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// The first of them that a text names.
    fn name_in(&self, text: &str) -> Option<&str> {
        let is_end = |c: char| !c.is_alphanumeric() && c != '_';
        let mut words = text.split(is_end).filter(|word| !word.is_empty());
        words.find_map(|word| self.names.get(&word.to_lowercase()).map(String::as_str))
    }
}

/// What code that names routines of a database mentions.
const CALLS: [&str; 8] = [
    "CommandType",
    "ExecuteSql",
    "ExecuteSqlRaw",
    "ExecuteSqlRawAsync",
    "FromSql",
    "FromSqlRaw",
    "SqlQueryRaw",
    "StoredProcedure",
];

/// The strings of product code of the newer side that name routines which a difference defines or drops, by name, path
/// and line. Reads the files that mention a call where there are such routines.
pub(crate) fn named(
    compared: &Compared,
    source: BlobSource<'_>,
) -> Result<Vec<NamedProcedure>, QueryError> {
    let procedures = Procedures::of(compared, source);
    let mut out = Vec::new();
    if procedures.names.is_empty() {
        return Ok(out);
    }
    let snapshot = &compared.new;
    let mut files: BTreeMap<RepoPath, FileSummary> = BTreeMap::new();
    for call in CALLS {
        for file in snapshot.files_mentioning(call)? {
            files.entry(file.path.clone()).or_insert(file);
        }
    }
    let mut ids = DocIds::new(snapshot);
    let mut reader = source.open();
    for file in files.values() {
        let product = file.projects.iter().find(|it| !compared.is_of_tests(it));
        let Some(project) = product else { continue };
        let text = decode(&reader.read_blob(file.blob)?).as_bytes().to_vec();
        let all = strings(&text).into_iter();
        let named = all.filter_map(|it| Some((it.start as u32, procedures.name_in(&it.said)?)));
        let named: Vec<(u32, &str)> = named.collect();
        if named.is_empty() {
            continue;
        }
        let lines = LineTable::new(&text);
        let declared = Declared::of(snapshot, file, project)?;
        for (offset, name) in named {
            let inside = match declared.around(offset) {
                Some((key, tag)) => ids.of(key, tag)?,
                None => None,
            };
            out.push(NamedProcedure {
                name: name.to_owned(),
                path: file.path.clone(),
                line: lines.position(offset).line,
                inside,
            });
        }
    }
    out.sort();
    out.dedup();
    Ok(out)
}

/// The routines that a text of SQL defines or drops, as they are written, without their schemas.
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
        let name = name.map(|name| name.trim_matches(['[', ']', '"', '`']).to_owned());
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
        assert_eq!(defined(sql), ["User_Read", "Plain", "Gone"]);
    }
}
