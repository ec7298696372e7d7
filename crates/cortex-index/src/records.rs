//! The values of a snapshot's maps other than types, and how they become bytes.

use cortex_bind::{GlobalUsing, Use};
use cortex_model::{BlobId, EdgeKind, Hash, RepoPath, TypeKey, put_varint, take_varint};
use cortex_project::Project;
use cortex_sandbox::SkipReason;
use cortex_store::merkle::MapRoot;
use serde::{Deserialize, Serialize, de::DeserializeOwned};

use crate::IndexError;

/// A C# file of a snapshot.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct FileSummary {
    /// Its path.
    pub path: RepoPath,
    /// Its content.
    pub blob: BlobId,
    /// How far it was understood.
    pub status: FileStatus,
    /// Paths of the projects that compile it, sorted.
    pub projects: Vec<RepoPath>,
    /// How many stretches `#if` leaves out.
    pub inactive: u32,
}

/// How far a file was understood.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum FileStatus {
    /// Wholly.
    Indexed,
    /// All but this many stretches that did not parse.
    Degraded(u32),
    /// Not at all; the number of a [`SkipReason`].
    Skipped(u8),
}

impl FileStatus {
    /// Why the file was skipped, if it was.
    pub fn skip_reason(self) -> Option<SkipReason> {
        let Self::Skipped(number) = self else {
            return None;
        };
        SkipReason::ALL
            .into_iter()
            .find(|&reason| reason as u8 == number)
    }
}

/// A project of a snapshot.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct ProjectRecord {
    /// As evaluated; its list of sources is left empty here, see [`FileSummary::projects`].
    pub project: Project,
    /// Which sources it has.
    pub sources: Hash,
    /// `global using` directives of its files, by path.
    pub global_usings: Vec<(RepoPath, Vec<GlobalUsing>)>,
    /// Assemblies that its files let see its internals, by path.
    pub friends: Vec<(RepoPath, Vec<String>)>,
}

/// Counts of a snapshot.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Stats {
    /// Tracked C# files.
    pub files: u64,
    /// Those of them that were parsed only in part.
    pub degraded: u64,
    /// Those of them that were not parsed.
    pub skipped: u64,
    /// Types.
    pub types: u64,
    /// Members.
    pub members: u64,
    /// Edges between types.
    pub edges: u64,
}

/// The roots of a snapshot's maps: what its identity consists of.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub(crate) struct Roots {
    pub(crate) types: MapRoot,
    pub(crate) dependents: MapRoot,
    pub(crate) names: MapRoot,
    pub(crate) namespaces: MapRoot,
    pub(crate) files: MapRoot,
    pub(crate) mentions: MapRoot,
    pub(crate) uses: MapRoot,
    pub(crate) projects: MapRoot,
}

impl Roots {
    pub(crate) fn all(&self) -> [&MapRoot; 8] {
        [
            &self.types,
            &self.dependents,
            &self.names,
            &self.namespaces,
            &self.files,
            &self.mentions,
            &self.uses,
            &self.projects,
        ]
    }
}

/// What the `snapshots` table holds.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub(crate) struct SnapshotRecord {
    pub(crate) roots: Roots,
    pub(crate) stats: Stats,
}

pub(crate) fn encode<T: Serialize>(value: &T) -> Vec<u8> {
    rmp_serde::to_vec(value).expect("records hold nothing that MessagePack cannot")
}

pub(crate) fn decode<T: DeserializeOwned>(
    bytes: &[u8],
    what: &'static str,
) -> Result<T, IndexError> {
    rmp_serde::from_slice(bytes).map_err(|_| IndexError::Damaged { what })
}

/// The references of one file, inside one project, to types of the repository.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct FileUses {
    /// By reference id.
    pub uses: Vec<Use>,
}

impl FileUses {
    /// Columns: distinct targets, then per use the reference's distance from the one before, the
    /// declaration, the target's number, the kind.
    pub(crate) fn encode(uses: &[Use]) -> Vec<u8> {
        let mut targets: Vec<TypeKey> = uses.iter().map(|u| u.target).collect();
        targets.sort_unstable();
        targets.dedup();
        let mut out = Vec::with_capacity(targets.len() * 14 + uses.len() * 5);
        put_varint(&mut out, targets.len() as u32);
        targets
            .iter()
            .for_each(|target| out.extend_from_slice(target.as_bytes()));
        put_varint(&mut out, uses.len() as u32);
        let mut before = 0;
        for u in uses {
            put_varint(&mut out, u.reference - before);
            before = u.reference;
        }
        uses.iter()
            .for_each(|u| put_varint(&mut out, u.decl.map_or(0, |decl| decl + 1)));
        uses.iter().for_each(|u| {
            put_varint(
                &mut out,
                targets.binary_search(&u.target).unwrap_or_default() as u32,
            )
        });
        out.extend(uses.iter().map(|u| u.kind as u8));
        out
    }

    pub(crate) fn decode(bytes: &[u8]) -> Option<Self> {
        let mut input = bytes;
        let n_targets = take_varint(&mut input)? as usize;
        let (raw, rest) = input.split_at_checked(n_targets.checked_mul(14)?)?;
        input = rest;
        let targets: Vec<TypeKey> = raw
            .chunks_exact(14)
            .map(|chunk| chunk.try_into().map(TypeKey::from_bytes))
            .collect::<Result<_, _>>()
            .ok()?;
        let count = take_varint(&mut input)? as usize;
        if count > input.len() {
            return None;
        }
        let mut references = Vec::with_capacity(count);
        let mut before = 0u32;
        for _ in 0..count {
            before = before.checked_add(take_varint(&mut input)?)?;
            references.push(before);
        }
        let decls: Option<Vec<u32>> = (0..count).map(|_| take_varint(&mut input)).collect();
        let numbers: Option<Vec<u32>> = (0..count).map(|_| take_varint(&mut input)).collect();
        let uses = references
            .into_iter()
            .zip(decls?)
            .zip(numbers?)
            .zip(input)
            .map(|(((reference, decl), target), &kind)| {
                Some(Use {
                    reference,
                    decl: decl.checked_sub(1),
                    target: *targets.get(target as usize)?,
                    kind: *EdgeKind::ALL.get(usize::from(kind))?,
                })
            });
        uses.collect::<Option<_>>().map(|uses| Self { uses })
    }
}

#[cfg(test)]
mod tests {
    use cortex_bind::Use;
    use cortex_model::{EdgeKind, TypeKey};
    use proptest::prelude::*;

    use super::FileUses;

    proptest! {
        #[test]
        fn uses_round_trip(raw in prop::collection::vec((0u32..1 << 20, prop::option::of(0u32..900), any::<u8>(), 0usize..23), 0..40)) {
            let mut uses: Vec<Use> = raw.into_iter().map(|(reference, decl, target, kind)| Use {
                reference, decl, target: TypeKey::from_bytes([target; 14]), kind: EdgeKind::ALL[kind],
            }).collect();
            uses.sort();
            let bytes = FileUses::encode(&uses);
            prop_assert_eq!(FileUses::decode(&bytes), Some(FileUses { uses }));
        }

        #[test]
        fn garbage_is_refused(bytes in prop::collection::vec(any::<u8>(), 0..60)) {
            let _ = FileUses::decode(&bytes);
        }
    }
}
