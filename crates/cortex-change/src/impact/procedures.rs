//! Routines of a database that a change defines anew in SQL, and the members that name them.
//!
//! Must not know: how SQL is read, why members are looked at.

use std::collections::{BTreeMap, BTreeSet};

use cortex_derived::doc_ids::{DocIds, written_members};
use cortex_git::ReadBlob;
use cortex_index::{FileSummary, Snapshot};
use cortex_look::QueryError;
use cortex_model::{LineTable, RepoPath, TypeKey, simple_name};
use cortex_syntax::text::decode;
use cortex_wire::{NamedProcedure, NamedRoutine};

use crate::{
    database::behind::{Files, is_routine},
    diff_context::{blobs::BlobSource, compared::Compared},
    impact::{
        around::Declared,
        generic_callers::{Callers, Running, callers_for},
        next::Member,
        strings::{HOLE, strings},
    },
    reading::source::Sources,
};

/// The stored procedures, functions and views that changed files of SQL define otherwise, or drop.
pub(crate) struct Procedures {
    /// As they are written, by the same in lower case; without schemas.
    names: BTreeMap<String, String>,
}

impl Procedures {
    /// Those of a difference.
    pub(crate) fn of(compared: &Compared, source: BlobSource<'_>) -> Result<Self, QueryError> {
        let changes = compared.database(source)?.iter();
        let routines = changes.filter(|it| is_routine(it.object));
        let names = routines.map(|it| (it.name.to_lowercase(), it.name.clone()));
        Ok(Self {
            names: names.collect(),
        })
    }

    /// Whether a string of a member names one of them. `id`: the documentation id of the member.
    pub(super) fn are_named_in(
        &self,
        strings: &mut MemberStrings<'_>,
        ids: &mut DocIds<'_>,
        (key, id): (TypeKey, &str),
    ) -> Result<bool, QueryError> {
        if self.names.is_empty() {
            return Ok(false);
        }
        let mut said = strings.of(ids, key, id)?.into_iter();
        Ok(said.any(|it| self.name_in(&it).is_some()))
    }

    /// The first of them that a text names.
    fn name_in(&self, text: &str) -> Option<&str> {
        let mut words = words(text);
        words.find_map(|word| self.names.get(&word.to_lowercase()).map(String::as_str))
    }

    /// Those of which a text names the end, behind what it puts in: `{Table}_Update`; each with what that is, in lower
    /// case. `owner`: the name of the type that has the text, which tells what is put in; of a generic one, nothing does.
    fn ends_in(&self, text: &str, owner: &str) -> Vec<(&str, &str)> {
        let is_generic = owner.contains('`');
        let owner = simple_name(owner).to_lowercase();
        let ends = words(text).filter(|word| {
            let before = word.as_ptr() as usize - text.as_ptr() as usize;
            word.len() > 1 && word.starts_with('_') && text[..before].ends_with(HOLE)
        });
        let ends: Vec<String> = ends.map(str::to_lowercase).collect();
        let names = self.names.iter().filter_map(|(lower, name)| {
            let mut starts = ends
                .iter()
                .filter_map(|end| lower.strip_suffix(end.as_str()));
            let start = starts.find(|start| is_generic || owner.starts_with(start))?;
            Some((name.as_str(), start))
        });
        names.collect()
    }
}

/// The strings of members of the newer side. Reads each file once.
pub(super) struct MemberStrings<'a>(Sources<'a>);

impl<'a> MemberStrings<'a> {
    pub(super) fn new(compared: &'a Compared, source: BlobSource<'a>) -> Self {
        Self(Sources::new(compared, source))
    }

    /// What the strings of a member say, with [`HOLE`] for each part that is put in. `id`: its documentation id.
    fn of(
        &mut self,
        ids: &mut DocIds<'_>,
        key: TypeKey,
        id: &str,
    ) -> Result<Vec<String>, QueryError> {
        let (Some(node), Some(own)) = (ids.snapshot().type_node(key)?, ids.ty(key)?) else {
            return Ok(Vec::new());
        };
        let symbol = own.tag_of(id).and_then(|tag| own.index(tag));
        let mut written = written_members(&node, &own).into_iter();
        let Some(at) = written.position(|it| it.is_some() && it == symbol) else {
            return Ok(Vec::new());
        };
        let body = self.0.body(&node, &node.members[at])?;
        let said = body.map(|body| strings(body.lines.join("\n").as_bytes()));
        Ok(said.into_iter().flatten().map(|it| it.said).collect())
    }
}

/// The routines that a member names and whose files did not change, by name. `id`: its documentation id; `owner`: the name
/// of its type, which tells what a name begins with that a string puts together (`{Table}_Update`).
pub(super) fn unchanged_routines(
    ids: &mut DocIds<'_>,
    (key, id, owner): (TypeKey, &str, &str),
    files: Files<'_>,
    strings: &mut MemberStrings<'_>,
) -> Result<Vec<NamedRoutine>, QueryError> {
    let owner = simple_name(owner).to_lowercase();
    let mut out = BTreeSet::new();
    let mut seen: BTreeSet<String> = BTreeSet::new();
    for said in strings.of(ids, key, id)? {
        for word in names_in(&said).filter(|word| seen.insert(word.clone())) {
            let found = match word.starts_with('_') {
                // The longest beginning of the type's name that makes one.
                true => {
                    let mut starts = (1..=owner.len()).rev().filter_map(|end| owner.get(..end));
                    starts.find_map(|start| files.routine(&format!("{start}{word}")).transpose())
                }
                false => files.routine(&word).transpose(),
            };
            let Some((path, found)) = found.transpose()? else {
                continue;
            };
            out.insert(NamedRoutine {
                member: id.to_owned(),
                name: found.name,
                path,
                line: found.line,
            });
        }
    }
    Ok(Vec::from_iter(out))
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

/// A string that names a routine.
pub(crate) struct Naming {
    pub(crate) told: NamedProcedure,
    /// The member around it.
    pub(crate) member: Option<Member>,
    /// The members that run the routine and others of its kind for no other object: the one that has the name, or the
    /// callers of a generic one for this object, of which some may be tests.
    pub(crate) running: Running,
}

/// The files that mention a call of a routine, by path.
pub(super) fn calling(snapshot: &Snapshot) -> Result<BTreeMap<RepoPath, FileSummary>, QueryError> {
    let mut files: BTreeMap<RepoPath, FileSummary> = BTreeMap::new();
    for call in CALLS {
        for file in snapshot.files_mentioning(call)? {
            files.entry(file.path.clone()).or_insert(file);
        }
    }
    Ok(files)
}

/// The names in a text, in lower case.
pub(super) fn names_in(said: &str) -> impl Iterator<Item = String> {
    words(said).map(str::to_lowercase)
}

/// The strings of product code of the newer side that name routines which a difference defines or drops, by name, path
/// and line. Reads the files that mention a call where there are such routines.
pub(crate) fn named(
    compared: &Compared,
    source: BlobSource<'_>,
) -> Result<Vec<Naming>, QueryError> {
    let procedures = Procedures::of(compared, source)?;
    let mut out = Vec::new();
    if procedures.names.is_empty() {
        return Ok(out);
    }
    let snapshot = &compared.new;
    let files = calling(snapshot)?;
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
            let member = around.and_then(|(key, tag)| Some((key, tag?)));
            let owner = match around {
                Some((key, _)) => snapshot.type_header(key)?,
                None => None,
            };
            let owner = owner.map_or_else(String::new, |header| header.fqn);
            let names = match (procedures.name_in(&it.said), around) {
                (Some(name), _) => vec![(name, "")],
                (None, Some(_)) => procedures.ends_in(&it.said, &owner),
                (None, None) => Vec::new(),
            };
            let inside = match around {
                Some((key, tag)) => ids.of(key, tag)?,
                None => None,
            };
            let is_generic =
                owner.contains('`') && names.iter().any(|(_, object)| !object.is_empty());
            let of_objects = match (member, &inside) {
                (Some(member), Some(id)) if is_generic => {
                    let objects: Vec<&str> = names.iter().map(|(_, object)| *object).collect();
                    callers_for(compared, &mut ids, source, (member, id), &objects)?
                }
                (member, _) => {
                    let running = Running {
                        code: member.into_iter().collect(),
                        ..Running::default()
                    };
                    let callers = Callers {
                        running,
                        ..Callers::default()
                    };
                    vec![Some(callers); names.len()]
                }
            };
            for ((name, _), of_object) in names.into_iter().zip(of_objects) {
                // A generic type that no object of this name is given to means another routine.
                let Some(callers) = of_object else {
                    continue;
                };
                let told = NamedProcedure {
                    name: name.to_owned(),
                    path: file.path.clone(),
                    line: lines.position(it.start as u32).line,
                    inside: inside.clone(),
                    callers: callers.places,
                    callers_of_callers: callers.through,
                    siblings: Vec::new(),
                };
                out.push(Naming {
                    told,
                    member,
                    running: callers.running,
                });
            }
        }
    }
    out.sort_by(|a, b| a.told.cmp(&b.told));
    out.dedup_by(|a, b| a.told == b.told);
    Ok(out)
}
