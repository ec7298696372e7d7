//! Answers for several target frameworks, united into one.
//!
//! Each framework is asked by itself, of the files that a project with this framework compiles. What all of these
//! report is plain; what only some report names them.

use std::{cell::RefCell, collections::BTreeMap};

use cortex_model::RepoPath;

use crate::{
    CallEdge, CallItem, Declaration, DepsType, MemberOutline, OutlineDependency, OutlinePlace,
    OutlineType, OutsideDependency, ReachingTest, RelativeEntry, SourcePart, Subject, SymbolItem,
    UnusedItem, Usage,
};

mod answers;
mod change;

/// What is known of target frameworks where their answers are united.
pub trait FrameworkViews {
    /// The frameworks, in the order of the answers.
    fn names(&self) -> &[String];

    /// For each framework, whether a project that targets it compiles a file; of a project, whether it targets it.
    fn compiling(&self, path: &RepoPath) -> Vec<bool>;

    /// Whether a framework declares a symbol, by its id.
    fn declares(&self, framework: usize, id: &str) -> bool;
}

/// An answer that can be united from those of several target frameworks.
pub trait Unite: Sized {
    /// One answer of several, of which there is at least one. Each has everything that there is; `None` for a framework
    /// that does not have what the request is about. No more than `limit` items remain; gives whether this cut some.
    fn unite(views: &Views<'_>, answers: Vec<(usize, Self)>, limit: usize) -> (Self, bool);

    /// What it is about.
    fn subject(&self) -> Option<&Subject> {
        None
    }
}

/// The target frameworks whose answers are united.
#[derive(Clone)]
pub struct Views<'a> {
    known: &'a dyn FrameworkViews,
    compiling: RefCell<BTreeMap<RepoPath, Vec<bool>>>,
    /// The frameworks that compile what the request is about.
    subject: Vec<bool>,
}

impl<'a> Views<'a> {
    /// Frameworks. `declarations`: the files that declare what the request is about.
    pub fn new(known: &'a dyn FrameworkViews, declarations: &[RepoPath]) -> Self {
        let views = Self {
            known,
            compiling: RefCell::default(),
            subject: vec![true; known.names().len()],
        };
        views.about(declarations)
    }

    /// The same about what some files declare; about everything where there are none.
    fn about(mut self, declarations: &[RepoPath]) -> Self {
        let compiled = declarations.iter().map(|file| self.of_file(file));
        let any = compiled.reduce(|a, b| a.iter().zip(b).map(|(a, b)| *a || b).collect());
        self.subject = any.unwrap_or_else(|| vec![true; self.known.names().len()]);
        self
    }

    /// For each framework, whether it speaks for a file. Where none does, all do.
    fn of_file(&self, file: &RepoPath) -> Vec<bool> {
        let mut known = self.compiling.borrow_mut();
        if let Some(found) = known.get(file) {
            return found.clone();
        }
        let mut found = self.known.compiling(file);
        if found.iter().all(|is_compiled| !is_compiled) {
            found.fill(true);
        }
        known.insert(file.clone(), found.clone());
        found
    }

    fn of(&self, file: Option<&RepoPath>) -> Vec<bool> {
        file.map_or_else(|| self.subject.clone(), |file| self.of_file(file))
    }

    /// The names of frameworks; none where they are all of those that speak.
    fn named(&self, having: &[bool], speaking: &[bool]) -> Vec<String> {
        let has_all = (having.iter().zip(speaking)).all(|(has, speaks)| *has || !speaks);
        if has_all {
            return Vec::new();
        }
        let names = self.known.names().iter().zip(having).zip(speaking);
        names
            .filter(|((_, has), speaks)| **has && **speaks)
            .map(|((name, _), _)| name.clone())
            .collect()
    }

    /// Items of several frameworks, each once, in the order that those of one framework have.
    fn items<T: Item>(
        &self,
        speaker: Speaker,
        lists: impl IntoIterator<Item = (usize, Vec<T>)>,
    ) -> Vec<T> {
        let mut nodes: Vec<Node<T>> = Vec::new();
        let mut known: BTreeMap<T::Key, usize> = BTreeMap::new();
        let mut first = None;
        for (framework, list) in lists {
            let mut before: Option<usize> = None;
            for item in list {
                let speaking = match speaker {
                    Speaker::Row => self.of(item.file()),
                    Speaker::Subject => self.subject.clone(),
                };
                if !speaking[framework] {
                    continue;
                }
                if let Some(&at) = known.get(&item.key()) {
                    nodes[at].having[framework] = true;
                    nodes[at].item.absorb(item);
                    before = Some(at);
                    continue;
                }
                let mut having = vec![false; speaking.len()];
                having[framework] = true;
                let at = nodes.len();
                known.insert(item.key(), at);
                let next = match before {
                    Some(before) => nodes[before].next.replace(at),
                    None => first.replace(at),
                };
                nodes.push(Node {
                    item,
                    having,
                    speaking,
                    next,
                });
                before = Some(at);
            }
        }
        let mut order = Vec::with_capacity(nodes.len());
        while let Some(at) = first {
            order.push(at);
            first = nodes[at].next;
        }
        let mut nodes: Vec<Option<Node<T>>> = nodes.into_iter().map(Some).collect();
        let items = order.into_iter().filter_map(|at| nodes[at].take());
        items
            .map(|mut node| {
                *node.item.frameworks_mut() = self.named(&node.having, &node.speaking);
                node.item
            })
            .collect()
    }

    /// What several answers are about.
    fn subject(&self, subjects: Vec<(usize, Subject)>) -> Option<Subject> {
        let mut having = vec![false; self.subject.len()];
        for (framework, _) in &subjects {
            having[*framework] = true;
        }
        let (_, mut subject) = subjects.into_iter().next()?;
        subject.frameworks = self.named(&having, &self.subject);
        Some(subject)
    }
}

/// Whose compilation decides which frameworks speak for a row.
#[derive(Clone, Copy)]
enum Speaker {
    /// That of the row's file.
    Row,
    /// That of what the request is about.
    Subject,
}

struct Node<T> {
    item: T,
    /// The frameworks that report it.
    having: Vec<bool>,
    /// Those that could.
    speaking: Vec<bool>,
    /// The item after it.
    next: Option<usize>,
}

/// A row of an answer, as frameworks share it.
pub(crate) trait Item {
    /// What makes it the same row.
    type Key: Ord;
    fn key(&self) -> Self::Key;
    /// The file whose compilation decides which frameworks speak for it; that of the request's subject where none.
    fn file(&self) -> Option<&RepoPath>;
    fn frameworks_mut(&mut self) -> &mut Vec<String>;
    /// Takes in what another framework reports of the same row.
    fn absorb(&mut self, other: Self);
}

/// Puts the tests of several frameworks in order. What one framework reaches by a body is no more a matter of set-up.
fn order_tests(tests: &mut [ReachingTest], set_up: &mut Vec<ReachingTest>) {
    set_up.retain(|it| !tests.iter().any(|test| test.key() == it.key()));
    let rank = |it: &ReachingTest| {
        (
            it.is_by_test_code,
            !it.is_changed,
            it.certainty,
            it.distance,
        )
    };
    tests.sort_by_key(rank);
    set_up.sort_by_key(rank);
}

macro_rules! items {
    ($($item:ty: |$it:ident| $key:expr => $key_type:ty, $file:expr, |$mine:ident, $other:ident| $absorb:expr;)*) => {
        $(impl Item for $item {
            type Key = $key_type;
            fn key(&self) -> $key_type {
                let $it = self;
                let _ = $it;
                $key
            }
            fn file(&self) -> Option<&RepoPath> {
                let $it = self;
                let _ = $it;
                $file
            }
            fn frameworks_mut(&mut self) -> &mut Vec<String> {
                &mut self.frameworks
            }
            fn absorb(&mut self, $other: Self) {
                let $mine = self;
                $absorb
            }
        })*
    };
}

fn add<T: PartialEq>(to: &mut Vec<T>, from: Vec<T>) {
    for value in from {
        if !to.contains(&value) {
            to.push(value);
        }
    }
}

items! {
    Usage: |it| (it.file.clone(), it.line, it.column, it.via.as_ref().map(|via| via.doc_id.clone()))
        => (RepoPath, u32, u32, Option<String>),
        Some(&it.file),
        |mine, other| mine.certainty = mine.certainty.min(other.certainty);
    Declaration: |it| (it.file.clone(), it.line) => (RepoPath, u32), Some(&it.file), |_mine, _other| {};
    CallItem: |it| it.doc_id.clone() => String, it.at.as_ref().map(|at| &at.file), |mine, other| {
        mine.depth = mine.depth.min(other.depth);
        mine.through_outside = mine.through_outside.max(other.through_outside);
    };
    CallEdge: |it| (it.from.clone(), it.to.clone(), it.via.clone()) => (String, String, Option<String>),
        it.sites.first().map(|site| &site.file),
        |mine, other| {
            add(&mut mine.contexts, other.contexts);
            mine.contexts.sort_unstable();
            add(&mut mine.sites, other.sites);
            mine.sites.sort_by(|a, b| (&a.file, a.line, a.column).cmp(&(&b.file, b.line, b.column)));
            mine.n_sites = mine.n_sites.max(other.n_sites).max(mine.sites.len());
        };
    RelativeEntry: |it| (it.doc_id.clone(), it.nearer.clone(), it.inside.clone())
        => (String, Option<String>, Option<String>),
        it.at.as_ref().map(|at| &at.file),
        |mine, other| mine.depth = mine.depth.min(other.depth);
    DepsType: |it| it.id.clone() => String, Some(&it.file), |mine, other| {
        add(&mut mine.kinds, other.kinds);
        mine.kinds.sort_unstable();
        mine.count = mine.count.max(other.count);
    };
    OutsideDependency: |it| it.name.clone() => String, None, |mine, other| {
        add(&mut mine.kinds, other.kinds);
        mine.kinds.sort_unstable();
    };
    OutlinePlace: |it| (it.file.clone(), it.line) => (RepoPath, u32), Some(&it.file), |_mine, _other| {};
    OutlineType: |it| it.name.clone() => String, None, |_mine, _other| {};
    OutlineDependency: |it| it.id.clone() => String, None, |mine, other| {
        add(&mut mine.kinds, other.kinds);
        mine.kinds.sort_unstable();
        mine.count = mine.count.max(other.count);
    };
    MemberOutline: |it| (it.id.clone(), it.signature.clone(), it.file.clone()) => (String, String, RepoPath), Some(&it.file),
        |_mine, _other| {};
    SourcePart: |it| (it.file.clone(), it.first, it.last) => (RepoPath, u32, u32), Some(&it.file),
        |_mine, _other| {};
    SymbolItem: |it| (it.qualified_name.clone(), it.file.clone(), it.line, it.column)
        => (String, Option<RepoPath>, Option<u32>, Option<u32>),
        it.file.as_ref(),
        |_mine, _other| {};
    UnusedItem: |it| it.id.clone() => String, Some(&it.file), |mine, other| {
        add(&mut mine.reasons, other.reasons);
        mine.reasons.sort_unstable();
        mine.n_tests = mine.n_tests.max(other.n_tests);
        mine.is_recursive |= other.is_recursive;
    };
    ReachingTest: |it| (it.project.clone(), it.class.clone(), it.id.clone()) => (RepoPath, String, String), Some(&it.project),
        |mine, other| if (other.certainty, other.distance) < (mine.certainty, mine.distance) {
            *mine = other;
        };
}
