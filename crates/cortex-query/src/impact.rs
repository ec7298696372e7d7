//! Who depends on what changed: direct users with their lines, then ring by ring, then tests.

use std::collections::{BTreeMap, BTreeSet};

use cortex_bind::TypeNode;
use cortex_git::ReadBlob;
use cortex_index::{BoundTarget, Snapshot};
use cortex_model::{BlobId, ChangeClass, EdgeKinds, LineTable, RepoPath, TypeKey};
use cortex_syntax::text::decode;
use rustc_hash::{FxHashMap, FxHashSet};

use crate::{
    QueryError,
    answer::{
        Certainty, Impact, ImpactedType, LineUse, MemberChangeKind, TestEntry, TypeChange, TypeRef,
    },
    changes::{ChangedType, type_ref},
    diff_context::{Compared, Reader},
    propagation::Propagation,
};

/// Rings beyond the direct users that are listed.
const MAX_DISTANCE: u32 = 4;

/// Types listed beyond the direct users.
const MAX_FURTHER: usize = 400;

/// The walk goes no further once it reached this many types beyond the direct users.
const MAX_REACHED: usize = 1_200;

/// Direct users whose lines are looked up, by weight; the others are named without lines.
const MAX_WITH_LINES: usize = 300;

/// A type reached, before its lines are known.
struct Reached {
    distance: u32,
    via: TypeKey,
    kinds: EdgeKinds,
}

/// Follows the dependents of every type whose users may notice.
pub(crate) fn impact(
    compared: &Compared,
    changed: &[ChangedType],
    types: &[TypeChange],
    propagation: &Propagation<'_>,
    reader: &mut Reader<'_>,
) -> Result<Impact, QueryError> {
    let sources: Vec<&ChangedType> = changed
        .iter()
        .filter(|ty| {
            matches!(
                ty.class,
                ChangeClass::Structure | ChangeClass::Removed | ChangeClass::PublicBehavior
            )
        })
        .collect();
    let Rings {
        reached,
        degrees,
        n_cut,
    } = Rings::around(compared, &sources)?;
    let tests: BTreeMap<RepoPath, bool> = if changed.is_empty() {
        BTreeMap::new()
    } else {
        let records = compared.new.projects()?.into_iter();
        records
            .map(|record| (record.project.path, record.project.is_test))
            .collect()
    };
    let is_source: FxHashSet<TypeKey> = sources.iter().map(|ty| ty.key).collect();
    let mut names: FxHashMap<TypeKey, String> = changed
        .iter()
        .map(|ty| (ty.key, ty.node().fqn.clone()))
        .collect();
    let changed_members = changed_members(types, changed);

    // Nearest first, then those that others depend on most.
    let mut ranked: Vec<(TypeKey, &Reached)> =
        reached.iter().map(|(&key, reach)| (key, reach)).collect();
    ranked.sort_by_key(|(key, reach)| {
        let weight = degrees.get(key).copied().unwrap_or(0);
        (
            reach.distance,
            !reach.kinds.is_structural(),
            std::cmp::Reverse(weight),
            *key,
        )
    });
    let mut impact = Impact {
        n_beyond: n_cut,
        ..Impact::default()
    };
    let mut users: Vec<(TypeNode, usize)> = Vec::new();
    let mut lines = Lines {
        snapshot: &compared.new,
        reader,
        cache: FxHashMap::default(),
    };
    for (key, reach) in ranked {
        let Some(header) = compared.new.type_header(key)? else {
            continue;
        };
        let is_test = tests.get(&header.project).copied().unwrap_or(false);
        let shown = reach.distance == 1 || impact.further.len() < MAX_FURTHER;
        impact.n_beyond += usize::from(!shown);
        if !shown && !is_test {
            continue;
        }
        let ty = TypeRef {
            name: header.fqn,
            id: compared.new.display_id(key)?,
            kind: header.kind,
        };
        names.entry(key).or_insert_with(|| ty.name.clone());
        let node = if is_test || reach.distance == 1 {
            compared.new.type_node(key)?
        } else {
            None
        };
        if is_test && node.as_ref().is_some_and(declares_tests) {
            let project = header.project.clone();
            impact.tests.push(TestEntry {
                ty: ty.clone(),
                distance: reach.distance,
                project,
            });
        }
        if !shown {
            continue;
        }
        let entry = ImpactedType {
            ty,
            distance: reach.distance,
            via: names.get(&reach.via).cloned().unwrap_or_default(),
            kinds: reach.kinds.iter().collect(),
            project: header.project,
            is_test,
            uses: Vec::new(),
            propagated: propagation.reaching(key)?,
        };
        if reach.distance > 1 {
            impact.further.push(entry);
            continue;
        }
        if let Some(node) = node.filter(|_| impact.direct.len() < MAX_WITH_LINES) {
            users.push((node, impact.direct.len()));
        }
        impact.direct.push(entry);
    }
    // By path: the store keeps facts of neighbouring files together.
    users.sort_by(|(a, _), (b, _)| a.parts.cmp(&b.parts));
    for (node, at) in users {
        impact.direct[at].uses = lines.of(&node, &is_source, &names, &changed_members)?;
    }
    // A changed test class runs as well.
    for ty in changed
        .iter()
        .filter(|ty| ty.new.is_some() && ty.class <= ChangeClass::Internal)
    {
        let node = ty.node();
        if tests.get(&node.project).copied().unwrap_or(false) && declares_tests(node) {
            let project = node.project.clone();
            impact.tests.push(TestEntry {
                ty: type_ref(&compared.new, ty.key, node)?,
                distance: 0,
                project,
            });
        }
    }
    impact
        .tests
        .sort_by(|a, b| (a.distance, &a.ty).cmp(&(b.distance, &b.ty)));
    impact.test_filter = filter(&impact.tests);
    Ok(impact)
}

/// Whether a type has test methods of a framework that is known by its attributes.
fn declares_tests(node: &TypeNode) -> bool {
    const ATTRIBUTES: [&str; 12] = [
        "Fact",
        "Theory",
        "Test",
        "TestCase",
        "TestCaseSource",
        "TestMethod",
        "DataTestMethod",
        "ConditionalFact",
        "ConditionalTheory",
        "SkippableFact",
        "Property",
        "Arguments",
    ];
    node.members.iter().any(|member| {
        ATTRIBUTES.iter().any(|attribute| {
            member.shape.split('[').skip(1).any(|text| {
                let name = text.split([']', '(']).next().unwrap_or(text);
                let name = name.rsplit('.').next().unwrap_or(name);
                name == *attribute || name.strip_suffix("Attribute") == Some(*attribute)
            })
        })
    })
}

/// `FullyQualifiedName~…` terms for `dotnet test --filter`.
fn filter(tests: &[TestEntry]) -> String {
    let classes: BTreeSet<String> = tests
        .iter()
        .map(|test| {
            let name = test.ty.name.split('`').next().unwrap_or(&test.ty.name);
            format!("FullyQualifiedName~{name}.")
        })
        .collect();
    classes.into_iter().collect::<Vec<_>>().join("|")
}

/// Names of members whose users may notice, by type.
fn changed_members(
    types: &[TypeChange],
    changed: &[ChangedType],
) -> FxHashMap<TypeKey, BTreeSet<String>> {
    let keys: FxHashMap<(&str, &str), TypeKey> = changed
        .iter()
        .map(|ty| ((ty.node().fqn.as_str(), ty.node().project.as_str()), ty.key))
        .collect();
    let mut out: FxHashMap<TypeKey, BTreeSet<String>> = FxHashMap::default();
    for ty in types {
        let Some(&key) = keys.get(&(ty.ty.name.as_str(), ty.project.as_str())) else {
            continue;
        };
        let noticed = ty.members.iter().filter(|member| {
            !matches!(
                member.change,
                MemberChangeKind::Added | MemberChangeKind::Docs
            ) && member.accessibility > cortex_model::Accessibility::Private
        });
        out.entry(key)
            .or_default()
            .extend(noticed.map(|member| member.name.clone()));
    }
    out
}

/// The types around changed ones, ring by ring.
#[derive(Default)]
pub(crate) struct Rings {
    reached: BTreeMap<TypeKey, Reached>,
    /// How many types depend on each type that the walk went on from.
    degrees: FxHashMap<TypeKey, usize>,
    /// How many steps to further types were not taken.
    n_cut: usize,
}

impl Rings {
    /// What each type that was reached depends on, one step nearer to a source.
    pub(crate) fn steps(&self) -> impl Iterator<Item = (TypeKey, TypeKey)> {
        self.reached.iter().map(|(&key, reach)| (key, reach.via))
    }

    /// Goes from types to what depends on them, as far as it is listed. O(dependents).
    pub(crate) fn around(
        compared: &Compared,
        sources: &[&ChangedType],
    ) -> Result<Self, QueryError> {
        let mut rings = Self::default();
        let is_source: FxHashSet<TypeKey> = sources.iter().map(|ty| ty.key).collect();
        let mut ring: Vec<TypeKey> = sources.iter().map(|ty| ty.key).collect();
        // Users of a removed type are those of the old side that still exist.
        let removed: FxHashSet<TypeKey> = sources
            .iter()
            .filter(|ty| ty.new.is_none())
            .map(|ty| ty.key)
            .collect();
        for distance in 1..=MAX_DISTANCE {
            let mut next = Vec::new();
            for via in std::mem::take(&mut ring) {
                let snapshot = if removed.contains(&via) {
                    &compared.old
                } else {
                    &compared.new
                };
                let users = snapshot.dependents(via)?;
                rings.degrees.insert(via, users.len());
                for (user, kinds) in users {
                    if is_source.contains(&user) {
                        continue;
                    }
                    if let Some(known) = rings.reached.get_mut(&user) {
                        if known.distance == distance {
                            known.kinds = known.kinds.union(kinds);
                        }
                    } else if distance > 1 && rings.reached.len() >= MAX_REACHED {
                        rings.n_cut += 1;
                    } else {
                        rings.reached.insert(
                            user,
                            Reached {
                                distance,
                                via,
                                kinds,
                            },
                        );
                        next.push(user);
                    }
                }
            }
            ring = next;
        }
        Ok(rings)
    }
}

/// A file whose lines are looked up.
struct Loaded {
    text: Vec<u8>,
    lines: LineTable,
}

/// Finds the lines on which a type uses others.
struct Lines<'a, 'r> {
    snapshot: &'a Snapshot,
    reader: &'a mut Reader<'r>,
    cache: FxHashMap<BlobId, std::rc::Rc<Loaded>>,
}

impl Lines<'_, '_> {
    fn of(
        &mut self,
        user: &TypeNode,
        targets: &FxHashSet<TypeKey>,
        names: &FxHashMap<TypeKey, String>,
        members: &FxHashMap<TypeKey, BTreeSet<String>>,
    ) -> Result<Vec<LineUse>, QueryError> {
        let mut out: Vec<LineUse> = Vec::new();
        for part in &user.parts {
            let Some(summary) = self.snapshot.file(&part.path)? else {
                continue;
            };
            let bindings = self.snapshot.bindings(&part.path, &user.project)?;
            let is_wanted =
                |target: &BoundTarget| target.key().is_some_and(|key| targets.contains(&key));
            if !bindings.targets.iter().any(is_wanted) {
                continue;
            }
            let loaded = self.load(&summary)?;
            let Loaded { text, lines } = &*loaded;
            let refs = bindings.decls.iter().flat_map(|decl| &decl.refs);
            for found in refs.filter(|found| part.range.contains(found.offset)) {
                let target = &bindings.targets[found.target as usize];
                let Some(key) = target.key().filter(|key| targets.contains(key)) else {
                    continue;
                };
                let name = identifier_at(text, found.offset);
                let named = match target {
                    BoundTarget::Type(_) => names.get(&key).cloned().unwrap_or_default(),
                    _ if members.get(&key).is_some_and(|it| it.contains(name)) => name.to_owned(),
                    _ => continue,
                };
                let certainty = match found.certainty {
                    cortex_semantics::Certainty::Exact => Certainty::Proven,
                    cortex_semantics::Certainty::OverloadSet => Certainty::Possible,
                };
                out.push(line_use(
                    lines,
                    text,
                    &part.path,
                    found.offset,
                    named,
                    found.kind,
                    certainty,
                ));
            }
        }
        out.sort_by(|a, b| {
            (&a.path, a.at.line, a.certainty, a.at.column).cmp(&(
                &b.path,
                b.at.line,
                b.certainty,
                b.at.column,
            ))
        });
        out.dedup_by(|a, b| a.path == b.path && a.at.line == b.at.line && a.names == b.names);
        Ok(out)
    }

    fn load(
        &mut self,
        summary: &cortex_index::FileSummary,
    ) -> Result<std::rc::Rc<Loaded>, QueryError> {
        if let Some(loaded) = self.cache.get(&summary.blob) {
            return Ok(loaded.clone());
        }
        let text = decode(&self.reader.read_blob(summary.blob)?)
            .as_bytes()
            .to_vec();
        let lines = LineTable::new(&text);
        let loaded = std::rc::Rc::new(Loaded { text, lines });
        self.cache.insert(summary.blob, loaded.clone());
        Ok(loaded)
    }
}

/// The identifier that starts at an offset.
fn identifier_at(text: &[u8], offset: u32) -> &str {
    let rest = text.get(offset as usize..).unwrap_or_default();
    let rest = rest.strip_prefix(b"@").unwrap_or(rest);
    let rest = std::str::from_utf8(&rest[..rest.len().min(512)]).unwrap_or_else(|error| {
        std::str::from_utf8(&rest[..error.valid_up_to()]).unwrap_or_default()
    });
    let end = rest.find(|c: char| !c.is_alphanumeric() && c != '_');
    &rest[..end.unwrap_or(rest.len())]
}

fn line_use(
    lines: &LineTable,
    text: &[u8],
    path: &RepoPath,
    offset: u32,
    names: String,
    kind: cortex_model::EdgeKind,
    certainty: Certainty,
) -> LineUse {
    let at = lines.position(offset);
    let from = (offset as usize).min(text.len());
    let start = text[..from]
        .iter()
        .rposition(|&b| b == b'\n')
        .map_or(0, |at| at + 1);
    let end = text[from..]
        .iter()
        .position(|&b| b == b'\n')
        .map_or(text.len(), |at| from + at);
    let text = String::from_utf8_lossy(&text[start..end]).trim().to_owned();
    LineUse {
        path: path.clone(),
        at,
        names,
        kind,
        certainty,
        text,
    }
}
