//! Routines of a database that a change defines anew in SQL, and the members that name them.
//!
//! Owns: how SQL names what it defines. Must not know: why members are looked at.

use std::collections::{BTreeMap, BTreeSet};

use cortex_derived::doc_ids::DocIds;
use cortex_git::ReadBlob;
use cortex_index::{FileSummary, Index, IndexedSide};
use cortex_look::QueryError;
use cortex_model::{ByteRange, LineTable, RepoPath, TypeKey};
use cortex_syntax::text::decode;
use cortex_wire::NamedProcedure;

use crate::{
    diff_context::{
        blobs::BlobSource,
        changed_files,
        compared::{Compared, Limited, Texts},
    },
    impact::{
        around::Declared,
        next::Member,
        strings::{HOLE, strings},
    },
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
            if is_sql(&side.path) {
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
        let mut words = words(text);
        words.find_map(|word| self.names.get(&word.to_lowercase()).map(String::as_str))
    }

    /// Those of which a text names the end, behind what it puts in: `{Table}_Update`. `owner`: the name of the type that
    /// has the text, which tells what is put in; of a generic one, nothing does.
    fn ends_in(&self, text: &str, owner: &str) -> Vec<&str> {
        let owner = owner.rsplit(['.', '+']).next().unwrap_or(owner);
        let owner = owner.to_lowercase();
        let ends = words(text).filter(|word| {
            let before = word.as_ptr() as usize - text.as_ptr() as usize;
            word.len() > 1 && word.starts_with('_') && text[..before].ends_with(HOLE)
        });
        let ends: Vec<String> = ends.map(str::to_lowercase).collect();
        let names = self.names.iter().filter(|(name, _)| {
            let mut starts = ends
                .iter()
                .filter_map(|end| name.strip_suffix(end.as_str()));
            starts.any(|start| owner.contains('`') || owner.starts_with(start))
        });
        names.map(|(_, name)| name.as_str()).collect()
    }
}

/// The names in a text.
fn words(text: &str) -> impl Iterator<Item = &str> {
    let is_end = |c: char| !c.is_alphanumeric() && c != '_';
    text.split(is_end).filter(|word| !word.is_empty())
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

/// What names a routine, and the member that has it where it names no other routine for other objects.
pub(crate) type Naming = (NamedProcedure, Option<Member>);

/// The members that name routines of which files of SQL differ between two sides. Compares the trees, and reads the files
/// that mention a call, where there are such routines.
pub(crate) fn naming_members(
    index: &Index,
    sides: [&IndexedSide; 2],
) -> Result<Vec<Member>, QueryError> {
    let source = BlobSource { index, sides };
    let mut files = changed_files(index, &[], sides[0], sides[1], &mut source.open())?;
    files.retain(|file| {
        let side = file.new.as_ref().or(file.old.as_ref());
        side.is_some_and(|side| is_sql(&side.path))
    });
    if files.is_empty() {
        return Ok(Vec::new());
    }
    let texts = Texts::load(&files, source)?;
    let snapshots = sides.map(|side| side.snapshot.clone());
    let compared = Compared::new(snapshots, files, texts, Limited::No, None)?;
    let named = named(&compared, source)?;
    Ok(named.into_iter().filter_map(|(_, member)| member).collect())
}

fn is_sql(path: &RepoPath) -> bool {
    path.extension().eq_ignore_ascii_case("sql")
}

/// The strings of product code of the newer side that name routines which a difference defines or drops, by name, path
/// and line. Reads the files that mention a call where there are such routines.
pub(crate) fn named(
    compared: &Compared,
    source: BlobSource<'_>,
) -> Result<Vec<Naming>, QueryError> {
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
        let mut all = strings(&text);
        all.retain(|it| procedures.name_in(&it.said).is_some() || it.said.contains(HOLE));
        if all.is_empty() {
            continue;
        }
        let lines = LineTable::new(&text);
        let declared = Declared::of(snapshot, file, project)?;
        for it in all {
            let around = declared.around(it.start as u32);
            let mut is_generic = false;
            let names = match (procedures.name_in(&it.said), around) {
                (Some(name), _) => vec![name],
                (None, Some((key, _))) => {
                    let header = snapshot.type_header(key)?;
                    let owner = header.map_or_else(String::new, |header| header.fqn);
                    is_generic = owner.contains('`');
                    procedures.ends_in(&it.said, &owner)
                }
                (None, None) => Vec::new(),
            };
            for name in names {
                let inside = match around {
                    Some((key, tag)) => ids.of(key, tag)?,
                    None => None,
                };
                let named = NamedProcedure {
                    name: name.to_owned(),
                    path: file.path.clone(),
                    line: lines.position(it.start as u32).line,
                    inside,
                };
                let member = around.and_then(|(key, tag)| Some((key, tag?)));
                let member = member.filter(|_| !is_generic);
                out.push((named, member));
            }
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
