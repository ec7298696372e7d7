//! The values of a snapshot's maps other than types, and how they become bytes.

use cortex_bind::GlobalUsing;
use cortex_model::{Accessibility, BlobId, EdgeKind, EdgeKinds, Hash, RepoPath, TypeKey};
use cortex_project::Project;
use cortex_sandbox::SkipReason;
use cortex_store::merkle::MapRoot;
use rustc_hash::FxHashSet;
use serde::{Deserialize, Serialize, de::DeserializeOwned};

use crate::{
    IndexError,
    bindings::MemberTag,
    damage::{Lacking, ProjectCounts, ProjectReferences},
    unread::Unread,
    untracked::Untracked,
};

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
    /// The contents of its [`libraries`](Project::libraries), in their order; `None` for untracked ones.
    pub libraries: Vec<Option<BlobId>>,
    /// The assemblies from outside that it was bound with.
    pub references: ProjectReferences,
    /// How much of it was read and bound.
    pub counts: ProjectCounts,
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
    /// Which table a type is in.
    pub(crate) types: MapRoot,
    /// See [`crate::tables`].
    pub(crate) tables: MapRoot,
    /// By type: what depends on it, then which files refer to it.
    pub(crate) users: MapRoot,
    /// Which tables have types of a name.
    pub(crate) names: MapRoot,
    pub(crate) namespaces: MapRoot,
    pub(crate) files: MapRoot,
    pub(crate) mentions: MapRoot,
    pub(crate) uses: MapRoot,
    pub(crate) projects: MapRoot,
    pub(crate) extensions: MapRoot,
    pub(crate) occupied: MapRoot,
}

impl Roots {
    pub(crate) fn all(&self) -> [&MapRoot; 11] {
        [
            &self.types,
            &self.tables,
            &self.users,
            &self.names,
            &self.namespaces,
            &self.files,
            &self.mentions,
            &self.uses,
            &self.projects,
            &self.extensions,
            &self.occupied,
        ]
    }
}

/// What the `snapshots` table holds.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub(crate) struct SnapshotRecord {
    pub(crate) roots: Roots,
    pub(crate) stats: Stats,
    pub(crate) lacking: Lacking,
    pub(crate) untracked: Untracked,
    /// Types with members whose tags are not those of their ids, by key.
    pub(crate) retagged: Vec<TypeKey>,
    pub(crate) unread: Unread,
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

/// What a type depends on.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct TypeEdges {
    /// Types of this repository, by key.
    pub source: Vec<Edge>,
    /// Types from outside, by documentation id.
    pub external: Vec<ExternalEdge>,
}

impl TypeEdges {
    /// What a type depends on: by its signatures and by what is written in it. What is written where a
    /// signature stands and is not part of it (`Outer` of `Outer.Inner`) counts as any other use.
    pub(crate) fn merged(signature: &Self, written: &Self) -> Self {
        let mut out = signature.clone();
        let plain = |kinds: EdgeKinds| {
            let is_position = |kind: &EdgeKind| {
                kind.is_structural() && !matches!(kind, EdgeKind::Attribute | EdgeKind::Nested)
            };
            if !kinds.iter().any(|kind| is_position(&kind)) {
                return kinds;
            }
            let others = kinds.iter().filter(|kind| !is_position(kind));
            others.chain([EdgeKind::Static]).collect()
        };
        for edge in &written.source {
            let found = signature
                .source
                .binary_search_by_key(&edge.target, |it| it.target);
            match found {
                Ok(index) => {
                    let known = &mut out.source[index];
                    known.kinds = known.kinds.union(edge.kinds);
                    known.count += edge.count;
                }
                Err(_) => out.source.push(Edge {
                    kinds: plain(edge.kinds),
                    ..*edge
                }),
            }
        }
        out.source.sort_unstable();
        for edge in &written.external {
            let key = (&edge.id, &edge.assembly);
            let found = signature
                .external
                .binary_search_by_key(&key, |it| (&it.id, &it.assembly));
            match found {
                Ok(index) => {
                    let known = &mut out.external[index];
                    known.kinds = known.kinds.union(edge.kinds);
                }
                Err(_) => out.external.push(ExternalEdge {
                    kinds: plain(edge.kinds),
                    ..edge.clone()
                }),
            }
        }
        out.external.sort_unstable();
        out
    }
}

/// A dependency on another type of this repository.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
pub struct Edge {
    /// The type depended on.
    pub target: TypeKey,
    /// Why.
    pub kinds: EdgeKinds,
    /// At how many positions.
    pub count: u32,
}

/// A dependency on a type from outside.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
pub struct ExternalEdge {
    /// Its documentation id.
    pub id: Box<str>,
    /// Its assembly.
    pub assembly: Box<str>,
    /// Why.
    pub kinds: EdgeKinds,
}

/// The symbols that a type declares, and what they implement.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct TypeSymbols {
    /// A hash of everything about its head that decides what binds to it: bases, constraints, modifiers.
    pub header: u64,
    /// Members, accessors left out, by documentation id. Those that are written are described by
    /// [`cortex_bind::TypeNode::members`], see [`TypeSymbols::declared`].
    pub members: Vec<MemberSymbol>,
    /// What its head and the signatures of its members name.
    pub signature: TypeEdges,
    /// Members of the type or of a base that override or implement others, sorted.
    pub implementations: Vec<Implementation>,
    /// Which of `members` each of [`cortex_bind::TypeNode::members`] is, in their order.
    pub(crate) declared: Vec<DeclaredAs>,
    /// Members whose tags are not those of their ids, which others have: index and tag, by index.
    pub(crate) retagged: Vec<(u32, MemberTag)>,
}

/// Which member of a type a declaration makes: its index, counted from 1; 0 for none.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(transparent)]
pub(crate) struct DeclaredAs(pub(crate) u32);

impl TypeSymbols {
    /// Which of [`TypeSymbols::members`] each of [`cortex_bind::TypeNode::members`] is, in their order; `None` for
    /// what makes no member (top-level statements) and for what a variant of the project declares that is not the
    /// one that speaks for the type.
    pub fn declared(&self) -> impl ExactSizeIterator<Item = Option<usize>> + '_ {
        let declared = self.declared.iter();
        declared.map(|member| member.0.checked_sub(1).map(|at| at as usize))
    }

    /// The tag of a member, by its index. No two members of a type with different ids have one tag.
    pub fn tag(&self, at: usize) -> MemberTag {
        match (self.retagged).binary_search_by_key(&(at as u32), |(member, _)| *member) {
            Ok(found) => self.retagged[found].1,
            Err(_) => MemberTag::of_id(&self.members[at].id),
        }
    }

    /// The tags of all members, in their order.
    pub fn tags(&self) -> impl Iterator<Item = MemberTag> + '_ {
        (0..self.members.len()).map(|at| self.tag(at))
    }

    /// The index of the member with this documentation id without the type. O(log members).
    pub fn member_with_id(&self, id: &str) -> Option<usize> {
        let found = (self.members).binary_search_by(|member| (*member.id).cmp(id));
        found.ok()
    }

    /// The members whose tags are not those of their ids, which others have, with their tags.
    pub(crate) fn retagged(&self) -> impl Iterator<Item = (&str, MemberTag)> {
        let members = self.retagged.iter();
        members.map(|&(at, tag)| (&*self.members[at as usize].id, tag))
    }
}

/// Gives the members other tags whose ids have a tag that a member before them has: index and tag. `members`: by
/// id, the same id perhaps several times.
pub(crate) fn retagged(members: &[MemberSymbol]) -> Vec<(u32, MemberTag)> {
    let mut out = Vec::new();
    let mut taken: FxHashSet<MemberTag> = FxHashSet::default();
    let mut previous: Option<(&str, MemberTag)> = None;
    for (at, member) in members.iter().enumerate() {
        let plain = MemberTag::of_id(&member.id);
        let tag = match previous {
            Some((id, tag)) if id == &*member.id => tag,
            _ => {
                let mut tag = plain;
                let mut number = 1;
                while !taken.insert(tag) {
                    tag = MemberTag::of_id(&format!("{}\0{number}", member.id));
                    number += 1;
                }
                tag
            }
        };
        if tag != plain {
            out.push((at as u32, tag));
        }
        previous = Some((&member.id, tag));
    }
    out
}

/// A member as documentation and other assemblies know it.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
pub struct MemberSymbol {
    /// Its documentation id without its type's: `M.Add(System.Int32)`.
    #[serde(with = "doc_ids::of_member")]
    pub id: Box<str>,
    /// As declared, or the default of its position.
    pub accessibility: Accessibility,
    /// Whether the compiler makes it.
    pub synthesized: bool,
    /// A hash of everything that decides what binds to it: types, parameters, modifiers.
    pub shape: u64,
}

/// A member that overrides or implements another.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
pub struct Implementation {
    /// The documentation id of the member.
    #[serde(with = "doc_ids::whole")]
    pub member: Box<str>,
    /// The documentation id of what it overrides or implements.
    #[serde(with = "doc_ids::whole")]
    pub of: Box<str>,
    /// Which of the two.
    pub how: ImplementationKind,
}

/// Documentation ids in parts that other records have as well: names of types and members.
mod doc_ids {
    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    /// `M.` or `M:`, and what follows.
    fn split(id: &str) -> (&str, &str) {
        id.split_at_checked(2).unwrap_or(("", id))
    }

    /// The id of a member without its type's.
    pub(super) mod of_member {
        use super::*;

        pub(crate) fn serialize<S: Serializer>(id: &str, serializer: S) -> Result<S::Ok, S::Error> {
            split(id).serialize(serializer)
        }

        pub(crate) fn deserialize<'de, D: Deserializer<'de>>(
            deserializer: D,
        ) -> Result<Box<str>, D::Error> {
            let (kind, name) = <(&str, &str)>::deserialize(deserializer)?;
            Ok([kind, name].concat().into())
        }
    }

    /// The id of a member with that of its type.
    pub(super) mod whole {
        use super::*;

        pub(crate) fn serialize<S: Serializer>(id: &str, serializer: S) -> Result<S::Ok, S::Error> {
            let (kind, name) = split(id);
            // Parameters have dots of their own.
            let end = name.find('(').unwrap_or(name.len());
            let (ty, member) = match name[..end].rfind('.') {
                Some(dot) => (Some(&name[..dot]), &name[dot + 1..]),
                None => (None, name),
            };
            (kind, ty, member).serialize(serializer)
        }

        pub(crate) fn deserialize<'de, D: Deserializer<'de>>(
            deserializer: D,
        ) -> Result<Box<str>, D::Error> {
            let (kind, ty, member) = <(&str, Option<&str>, &str)>::deserialize(deserializer)?;
            let id = match ty {
                Some(ty) => [kind, ty, ".", member].concat(),
                None => [kind, member].concat(),
            };
            Ok(id.into())
        }
    }
}

/// How a member stands to another.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
pub enum ImplementationKind {
    /// It overrides it.
    Override,
    /// It implements it.
    Interface,
}

impl MemberSymbol {
    /// The simple name: what a file that uses the member mentions (`M.N#I#Add``1(System.Int32)` is `Add`).
    pub fn simple_name(&self) -> &str {
        let name = self.id.split_once('.').map_or(&*self.id, |(_, name)| name);
        let name = match name.strip_prefix("extension(") {
            // The receiver may hold parentheses of its own: the name follows the last `).` or ``)`n.``.
            Some(block) => {
                let plain = block.find(").").map(|end| end + 2);
                let generic = block.find(")`").and_then(|end| {
                    let dot = block[end..].find('.')?;
                    Some(end + dot + 1)
                });
                &block[plain.into_iter().chain(generic).min().unwrap_or(0)..]
            }
            None => name,
        };
        let name = name.split(['(', '`', '~']).next().unwrap_or(name);
        if name.starts_with('#') {
            return name;
        }
        name.rsplit('#').next().unwrap_or(name)
    }
}

#[cfg(test)]
mod tests {
    use cortex_model::Accessibility;

    use super::{Implementation, ImplementationKind, MemberSymbol, decode, encode};

    #[test]
    fn documentation_ids_come_back_whatever_they_look_like() {
        for id in [
            "M:N.C.Add(System.Int32,N.D{System.String})",
            "M:N.C.#ctor",
            "M:C.op_Implicit(C)~System.Int32",
            "P:N.C`1.N#I#Item(System.Int32)",
            "M:Main",
            "M:.A",
            "M.é(N.C)",
            "é",
            "M",
            "",
        ] {
            let found = Implementation {
                member: id.into(),
                of: id.into(),
                how: ImplementationKind::Interface,
            };
            let symbol = MemberSymbol {
                id: id.into(),
                accessibility: Accessibility::Public,
                synthesized: false,
                shape: 0,
            };
            let bytes = encode(&(&found, &symbol));
            let read: (Implementation, MemberSymbol) = decode(&bytes, "ids").expect("as written");
            assert_eq!(read, (found, symbol));
        }
    }

    #[test]
    fn the_simple_name_of_a_member_is_what_a_file_would_mention() {
        for (id, name) in [
            ("M.Add(System.Int32)", "Add"),
            ("M.Select``2(System.Func{``0,``1})", "Select"),
            ("M.N#I#Add(System.Int32)", "Add"),
            ("M.#ctor(System.String)", "#ctor"),
            ("P.extension(N.C).Double", "Double"),
            (
                "M.extension(System.Collections.Generic.IEnumerable{`0})`1.Pick(System.Int32)",
                "Pick",
            ),
            ("M.op_Implicit(N.C)~System.Int32", "op_Implicit"),
        ] {
            let member = MemberSymbol {
                id: id.into(),
                accessibility: Accessibility::Public,
                synthesized: false,
                shape: 0,
            };
            assert_eq!(member.simple_name(), name, "{id}");
        }
    }
}
