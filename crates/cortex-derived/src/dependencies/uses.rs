//! How often types and members are used, and from where.
//!
//! Owns: what counts as a use. Must not know: how it is kept.

use crate::dependencies::Dependencies;

use std::collections::BTreeMap;

use cortex_index::{BoundTarget, FileBindings, MemberTag};
use cortex_model::{EdgeKind, TypeKey};
use rustc_hash::FxHashMap;

/// The uses of each type of [`Dependencies`], by index.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Uses {
    /// By type, in the order of the dependencies.
    pub types: Vec<TypeUses>,
}

/// The uses of a type.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct TypeUses {
    /// Names that mean it or one of its members, in code that is not its own.
    pub outside: u32,
    /// Those of them that stand in projects of tests.
    pub tests: u32,
    /// Names in documentation.
    pub docs: u32,
    /// Of its members that are used, by tag.
    pub members: Vec<MemberUses>,
}

/// The uses of a member.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct MemberUses {
    /// Which member it is.
    pub tag: MemberTag,
    /// Uses by other members.
    pub outside: u32,
    /// Those of them that stand in projects of tests.
    pub tests: u32,
    /// Uses by itself.
    pub inside: u32,
}

impl TypeUses {
    /// Adds the uses of another type, member by member.
    pub fn add(&mut self, other: &Self) {
        self.outside = self.outside.saturating_add(other.outside);
        self.tests = self.tests.saturating_add(other.tests);
        self.docs = self.docs.saturating_add(other.docs);
        for member in &other.members {
            match self.members.binary_search_by_key(&member.tag, |it| it.tag) {
                Ok(at) => {
                    let own = &mut self.members[at];
                    own.outside = own.outside.saturating_add(member.outside);
                    own.tests = own.tests.saturating_add(member.tests);
                    own.inside = own.inside.saturating_add(member.inside);
                }
                Err(at) => self.members.insert(at, *member),
            }
        }
    }

    /// The uses of a member; of one that nothing uses, none.
    pub fn member(&self, tag: MemberTag) -> MemberUses {
        let found = self.members.binary_search_by_key(&tag, |it| it.tag);
        found.map_or(
            MemberUses {
                tag,
                outside: 0,
                tests: 0,
                inside: 0,
            },
            |at| self.members[at],
        )
    }
}

/// What one file uses inside one project.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct FileUses {
    /// Of its path.
    pub(crate) path: u64,
    /// Whether the project is one of tests.
    pub(crate) is_test: bool,
    /// By type, then member.
    pub(crate) used: Vec<Used>,
}

/// How often a file uses a symbol: from outside of it, from inside, in documentation.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Used {
    pub(crate) key: TypeKey,
    /// `None`: the type, or any of its members.
    pub(crate) member: Option<MemberTag>,
    pub(crate) outside: u32,
    pub(crate) inside: u32,
    pub(crate) docs: u32,
}

impl FileUses {
    pub(crate) fn new(path: u64, is_test: bool, bindings: &FileBindings) -> Self {
        let mut found: BTreeMap<(TypeKey, Option<MemberTag>), [u32; 3]> = BTreeMap::new();
        for decl in &bindings.decls {
            let own = decl.symbol.map(|at| &bindings.targets[at as usize]);
            let refs = decl
                .refs
                .iter()
                .map(|it| (it.target, it.kind == EdgeKind::Doc));
            let uses = decl.uses.iter().map(|it| (it.target, false));
            for (target, is_doc) in refs.chain(uses) {
                let (key, member) = match &bindings.targets[target as usize] {
                    BoundTarget::Type(key) => (*key, None),
                    BoundTarget::Member(key, tag) => (*key, Some(*tag)),
                    BoundTarget::External(..) => continue,
                };
                let is_own_type = own.and_then(BoundTarget::key) == Some(key);
                let mut add = |member: Option<MemberTag>, is_inside: bool| {
                    let counts = found.entry((key, member)).or_default();
                    let at = if is_doc { 2 } else { usize::from(is_inside) };
                    counts[at] = counts[at].saturating_add(1);
                };
                add(None, is_own_type);
                if let Some(tag) = member {
                    let is_itself = matches!(own, Some(BoundTarget::Member(owner, it)) if *owner == key && *it == tag);
                    add(Some(tag), is_itself);
                }
            }
        }
        let used = found
            .into_iter()
            .map(|((key, member), [outside, inside, docs])| Used {
                key,
                member,
                outside,
                inside,
                docs,
            });
        Self {
            path,
            is_test,
            used: used.collect(),
        }
    }
}

impl Uses {
    /// The uses in all files.
    pub(crate) fn of(types: &Dependencies, files: &[FileUses]) -> Self {
        let mut all = vec![TypeUses::default(); types.n_types()];
        let mut members: Vec<FxHashMap<MemberTag, MemberUses>> =
            vec![FxHashMap::default(); types.n_types()];
        let indices: FxHashMap<TypeKey, usize> = (types.types.iter().enumerate())
            .map(|(at, ty)| (ty.key, at))
            .collect();
        for file in files {
            for used in &file.used {
                let Some(&at) = indices.get(&used.key) else {
                    continue;
                };
                let of_tests = if file.is_test { used.outside } else { 0 };
                match used.member {
                    None => {
                        let ty = &mut all[at];
                        ty.outside = ty.outside.saturating_add(used.outside);
                        ty.tests = ty.tests.saturating_add(of_tests);
                        ty.docs = ty.docs.saturating_add(used.docs);
                    }
                    Some(tag) => {
                        let member = members[at].entry(tag).or_insert(MemberUses {
                            tag,
                            outside: 0,
                            tests: 0,
                            inside: 0,
                        });
                        member.outside = member.outside.saturating_add(used.outside);
                        member.tests = member.tests.saturating_add(of_tests);
                        member.inside = member.inside.saturating_add(used.inside);
                    }
                }
            }
        }
        for (ty, members) in all.iter_mut().zip(members) {
            ty.members = members.into_values().collect();
            ty.members.sort_unstable_by_key(|it| it.tag);
        }
        Self { types: all }
    }
}
