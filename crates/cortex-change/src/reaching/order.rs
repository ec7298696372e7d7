//! In which order tests are told: the likeliest to run the member first.
//!
//! Owns: the order, the names in answers. Must not know: how tests were found.

use crate::reaching::{
    answer::Reaching,
    doubles::Doubles,
    near::{STEP, Ways},
    solve::Reach,
};
use cortex_derived::reach::graph::{MemberGraph, MemberIndex, Node, Role, TypeIndex, TypeRole};
use cortex_look::QueryError;
use cortex_wire::{Certainty, DeletedTest, ReachingTest};

use std::rc::Rc;

use cortex_index::{MemberTag, Snapshot};
use cortex_model::{RepoPath, simple_name};
use rustc_hash::{FxHashMap, FxHashSet};

/// The names of members, read as they are needed.
pub(crate) struct Names<'a> {
    snapshot: &'a Snapshot,
    graph: &'a MemberGraph,
    types: FxHashMap<TypeIndex, Named>,
    tests: FxHashMap<u32, Rc<Told>>,
    doubles: Doubles,
}

/// What a test is known by: its class and method.
pub(crate) type Key = (String, String);

pub(crate) fn key(test: &ReachingTest) -> Key {
    (test.class.clone(), test.id.clone())
}

/// What is told of a test.
pub(crate) struct Told {
    id: String,
    class: String,
    project: RepoPath,
    method: String,
    words: Words,
}

/// What the name of a class of tests has behind that of the type which it tests.
const OF_TESTS: [&str; 6] = ["Test", "Tests", "UnitTests", "Facts", "Spec", "Specs"];

impl Told {
    /// Whether the class is named after one of some types, by simple name.
    fn is_named_after(&self, types: &FxHashSet<String>) -> bool {
        let class = simple_name(&self.class);
        let mut tested = OF_TESTS.iter().filter_map(|it| class.strip_suffix(it));
        tested.any(|tested| types.contains(tested))
    }
}

/// A type with the parts of its members' ids.
struct Named {
    /// ``Ns.Outer`1+Inner``.
    fqn: String,
    project: RepoPath,
    /// By tag.
    members: FxHashMap<MemberTag, Box<str>>,
}

impl<'a> Names<'a> {
    pub(crate) fn new(snapshot: &'a Snapshot, graph: &'a MemberGraph) -> Self {
        Self {
            snapshot,
            graph,
            types: FxHashMap::default(),
            tests: FxHashMap::default(),
            doubles: Doubles::default(),
        }
    }

    fn ty(&mut self, ty: TypeIndex) -> Result<&Named, QueryError> {
        if !self.types.contains_key(&ty) {
            let key = self.graph.types[ty as usize];
            let header = self.snapshot.type_header(key)?;
            let symbols = self.snapshot.symbols(key)?;
            let (fqn, project) = header.map_or_else(
                || (String::new(), RepoPath::from("")),
                |header| (header.fqn, header.project),
            );
            let named = Named {
                fqn,
                project,
                members: (symbols.tags())
                    .zip(symbols.members.iter().map(|member| member.id.clone()))
                    .collect(),
            };
            self.types.insert(ty, named);
        }
        Ok(&self.types[&ty])
    }

    /// The name of a type.
    pub(crate) fn class(&mut self, ty: TypeIndex) -> Result<String, QueryError> {
        Ok(self.ty(ty)?.fqn.clone())
    }

    /// The documentation id of a member.
    pub(crate) fn id(&mut self, member: MemberIndex) -> Result<String, QueryError> {
        let tag = self.graph.tags[member as usize];
        let named = self.ty(self.graph.owner(member))?;
        let part = named.members.get(&tag).map_or("M.", |id| id);
        let (kind, rest) = part.split_once('.').unwrap_or(("M", part));
        Ok(format!("{kind}:{}.{rest}", named.fqn.replace('+', ".")))
    }

    fn test(&mut self, test: u32) -> Result<Rc<Told>, QueryError> {
        if let Some(told) = self.tests.get(&test) {
            return Ok(told.clone());
        }
        let entry = &self.graph.entries[test as usize];
        let (class, method) = (entry.class, entry.method);
        let words = self.words(class, Some(method))?;
        let tag = self.graph.tags[method as usize];
        let owner = self.ty(self.graph.owner(method))?;
        let part = owner.members.get(&tag);
        let path = part.and_then(|id| id.split(['(', '`', '~']).next());
        let name = path.and_then(|path| path.rsplit(['.', '#']).next());
        let name = name.unwrap_or_default().to_owned();
        let told = Rc::new(Told {
            method: name,
            id: self.id(method)?,
            class: self.class(class)?,
            project: self.ty(class)?.project.clone(),
            words,
        });
        self.tests.insert(test, told.clone());
        Ok(told)
    }

    /// A test that is gone.
    pub(crate) fn deleted(&mut self, test: u32) -> Result<DeletedTest, QueryError> {
        let told = self.test(test)?;
        Ok(DeletedTest {
            project: told.project.clone(),
            class: told.class.clone(),
            method: told.method.clone(),
            id: told.id.clone(),
        })
    }

    /// The words of the names of a member and its type.
    fn words(&mut self, ty: TypeIndex, member: Option<MemberIndex>) -> Result<Words, QueryError> {
        let named = self.ty(ty)?;
        let simple = named.fqn.rsplit(['.', '+']).next().unwrap_or_default();
        let mut out = Words::default();
        add_words(simple.split('`').next().unwrap_or(simple), &mut out);
        if let Some(member) = member {
            let tag = self.graph.tags[member as usize];
            let owner = self.ty(self.graph.owner(member))?;
            let id = owner.members.get(&tag).map_or("", |id| id);
            let path = id.split(['(', '~']).next().unwrap_or(id);
            let name = path.rsplit(['.', '#']).next().unwrap_or(path);
            if !matches!(name, "ctor" | "cctor") {
                add_words(name.split('`').next().unwrap_or(name), &mut out);
            }
        }
        Ok(out)
    }
}

/// Words of names, in lower case.
type Words = FxHashSet<String>;

/// Adds the words that capitals, digits and underscores part a name into.
fn add_words(name: &str, out: &mut Words) {
    let chars: Vec<char> = name.chars().collect();
    let mut word = String::new();
    for (at, &c) in chars.iter().enumerate() {
        let after_lower = at > 0 && !chars[at - 1].is_uppercase();
        let before_lower = chars.get(at + 1).is_some_and(|next| next.is_lowercase());
        let ends = !c.is_alphanumeric() || c.is_uppercase() && (after_lower || before_lower);
        if ends && !word.is_empty() {
            out.insert(std::mem::take(&mut word));
        }
        if c.is_alphanumeric() {
            word.extend(c.to_lowercase());
        }
    }
    if !word.is_empty() {
        out.insert(word);
    }
}

/// The tests that were found, in order: those whose body reaches a goal, and those that do by set-up alone.
///
/// First what is near: steps through calls that many members may answer count more. Of equal ones, and of
/// nearly equal ones, those whose names have words in common with the goal's. The first `n_paths` of each sort
/// are told with the way, and those of `always`.
pub(crate) fn ordered(
    names: &mut Names<'_>,
    goals: &[Node],
    ways: &Ways,
    found: &[(u32, Reach)],
    (n_paths, always): (usize, &FxHashSet<Key>),
) -> Result<Reaching, QueryError> {
    let graph = names.graph;
    let mut n_told = [0; 3];
    let (mut wanted, mut types) = (Words::default(), FxHashSet::default());
    for &goal in goals {
        if let Some((member, Role::Run)) = graph.role(goal) {
            let owner = graph.owner(member);
            wanted.extend(names.words(owner, Some(member))?);
            types.insert(simple_name(&names.class(owner)?).to_owned());
        }
    }
    let mut all = Vec::with_capacity(found.len());
    for &(test, reach) in found {
        let entry = &graph.entries[test as usize];
        let run = graph.node(entry.method, Role::Run);
        let created = graph.type_node(entry.class, TypeRole::Created);
        let mut from = vec![run, created];
        if matches!(reach, Reach::SetUp | Reach::SetUpReflection) {
            from.push(graph.type_node(entry.class, TypeRole::SetUp));
            from.extend(entry.data.iter().map(|&data| graph.node(data, Role::Run)));
        }
        let nearest = (from.into_iter()).min_by_key(|&node| ways.cost(node).unwrap_or(u32::MAX));
        let from = nearest.unwrap_or(run);
        let told = names.test(test)?;
        let cost = i64::from(ways.cost(from).unwrap_or(u32::MAX));
        let common = wanted
            .iter()
            .filter(|word| told.words.contains(*word))
            .count();
        let bonus = STEP as usize * common / wanted.len().max(1);
        let order = cost - bonus as i64;
        all.push((order, told, reach, from, entry));
    }
    all.sort_by(|a, b| (a.0, &a.1.id, &a.1.class).cmp(&(b.0, &b.1.id, &b.1.class)));
    let mut out = Reaching::default();
    for (_, told, reach, from, entry) in all {
        let (method, skipped) = (entry.method, entry.is_skipped);
        let (list, n_sort) = match reach {
            Reach::Body => (&mut out.tests, 0),
            Reach::Reflection => (&mut out.tests, 1),
            Reach::SetUp | Reach::SetUpReflection => (&mut out.set_up, 2),
        };
        let is_own = from == graph.node(method, Role::Run);
        let distance = ways
            .n_members(graph, from)
            .saturating_sub(u32::from(is_own));
        let is_exact = match reach {
            Reach::Body | Reach::SetUp => true,
            // It calls the contract itself, and nothing stands for what implements that.
            Reach::Reflection if distance <= 1 && ways.begins_with_call(graph, from) => {
                !names.doubles.in_project(names.snapshot, &told.project)?
            }
            Reach::Reflection | Reach::SetUpReflection => false,
        };
        let mut test = ReachingTest {
            frameworks: Vec::new(),
            id: told.id.clone(),
            class: told.class.clone(),
            project: told.project.clone(),
            method: told.method.clone(),
            distance,
            certainty: match is_exact {
                true => Certainty::Exact,
                false => Certainty::Possible,
            },
            is_named_after: told.is_named_after(&types),
            is_by_test_code: false,
            is_changed: false,
            skipped,
            path: Vec::new(),
        };
        let is_first = n_told[n_sort] < n_paths;
        n_told[n_sort] += usize::from(is_first);
        if is_first || always.contains(&key(&test)) {
            let mut path = ways.members(graph, from);
            if path.first() != Some(&method) {
                path.insert(0, method);
            }
            let ids = path.into_iter().map(|member| names.id(member));
            test.path = ids.collect::<Result<_, _>>()?;
        }
        list.push(test);
    }
    Ok(out)
}
