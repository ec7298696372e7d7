//! What types of a change are called now that had other names, and sides of types compared under these names.
//!
//! Owns: which names count as moved, and what differs in nothing else. Must not know: how a change is told.

use std::collections::{BTreeMap, BTreeSet};

use cortex_bind::TypeNode;
use cortex_model::simple_name;
use rustc_hash::{FxHashMap, FxHashSet};

use crate::changes::Pair;

/// New names of types by their old ones: canonical names, and those of generic types as signatures write them
/// (`N.Type<`).
#[derive(Default)]
pub(crate) struct MovedNames {
    of: FxHashMap<String, String>,
    /// Old and new canonical names.
    types: BTreeMap<String, String>,
}

impl MovedNames {
    /// The types that went to another namespace or into another type under their own names; of those that have another
    /// name the ones of which nothing else that others see differs, once all types have their new names. What is
    /// called two ways now counts as none.
    pub(crate) fn of(pairs: &[Pair<'_>]) -> Self {
        let renamed = pairs.iter().filter_map(|pair| {
            let (old, new) = (pair.old?, pair.new?);
            (old.fqn != new.fqn).then_some((old, new))
        });
        let mut renamed: Vec<(&TypeNode, &TypeNode)> = renamed.collect();
        let mut news: FxHashMap<&str, FxHashSet<&str>> = FxHashMap::default();
        for (old, new) in &renamed {
            news.entry(&old.fqn).or_default().insert(&new.fqn);
        }
        renamed.retain(|(old, _)| news[old.fqn.as_str()].len() == 1);
        loop {
            let names = Self::from_names(renamed.iter().map(|(old, new)| (&*old.fqn, &*new.fqn)));
            let n_before = renamed.len();
            renamed.retain(|(old, new)| {
                let is_called_alike = last_name(&old.fqn) == last_name(&new.fqn);
                is_called_alike || names.applied(old).has_structure_of(new)
            });
            // Without some names others may differ in more than names.
            if renamed.len() == n_before {
                return names;
            }
        }
    }

    /// Of old and new canonical names.
    pub(crate) fn from_names<'n>(names: impl Iterator<Item = (&'n str, &'n str)>) -> Self {
        let mut out = Self::default();
        for (old, new) in names {
            out.types.insert(old.to_owned(), new.to_owned());
            out.of.insert(old.to_owned(), new.to_owned());
            if let (Some(old), Some(new)) = (written_generic(old), written_generic(new)) {
                out.of.insert(old, new);
            }
        }
        out
    }

    /// Whether no type has another name.
    pub(crate) fn is_empty(&self) -> bool {
        self.types.is_empty()
    }

    /// The new canonical name of a type.
    pub(crate) fn new_of(&self, old: &str) -> Option<&str> {
        self.types.get(old).map(String::as_str)
    }

    /// The former canonical name of a type.
    pub(crate) fn old_of(&self, new: &str) -> Option<&str> {
        let mut types = self.types.iter().filter(|(_, it)| *it == new);
        types.next().map(|(old, _)| old.as_str())
    }

    /// Old and new simple names of the types that are called otherwise.
    pub(crate) fn simple_names(&self) -> BTreeSet<(String, String)> {
        let simple = (self.types.iter()).map(|(old, new)| (simple_name(old), simple_name(new)));
        let renamed = simple.filter(|(old, new)| old != new);
        renamed
            .map(|(old, new)| (old.to_owned(), new.to_owned()))
            .collect()
    }

    /// Gives each pair its older side under the new names, where that differs.
    pub(crate) fn apply(&self, pairs: &mut [Pair<'_>]) {
        if self.is_empty() {
            return;
        }
        for pair in pairs {
            if let (Some(old), Some(_)) = (pair.old, pair.new) {
                let applied = self.applied(old);
                pair.renamed = (applied != *old).then_some(applied);
            }
        }
    }

    fn applied(&self, node: &TypeNode) -> TypeNode {
        node.renamed(&|name| self.of.get(name).map(String::as_str))
    }

    /// Whether two texts of code are the same but for white space and for how they qualify types that have other names.
    pub(crate) fn are_same(&self, old: &str, new: &str) -> bool {
        let simple = |name: &str| simple_name(name).to_owned();
        let mut olds: FxHashMap<String, Vec<(&str, String)>> = FxHashMap::default();
        let mut news = olds.clone();
        for (before, after) in &self.types {
            let name = simple(after);
            (olds.entry(simple(before)).or_default()).push((before, name.clone()));
            news.entry(name.clone()).or_default().push((after, name));
        }
        unqualified(old, &olds) == unqualified(new, &news)
    }
}

/// A generic type as signatures name it; `None` for others.
fn written_generic(fqn: &str) -> Option<String> {
    let (name, arity) = fqn.rsplit_once('`')?;
    (!arity.contains(['+', '.'])).then(|| format!("{name}<"))
}

/// The last part of a canonical name, with its arity.
fn last_name(fqn: &str) -> &str {
    fqn.rsplit(['.', '+']).next().unwrap_or(fqn)
}

/// The words and signs of a text without white space. A chain of names that ends with the name of a type, behind nothing or
/// the end of its namespace, is what the type is called now. `types`: canonical names by simple ones, each with what
/// it stands for.
fn unqualified(text: &str, types: &FxHashMap<String, Vec<(&str, String)>>) -> Vec<String> {
    let is_word = |c: char| c.is_alphanumeric() || c == '_' || c == '@';
    let mut tokens: Vec<&str> = Vec::new();
    let mut rest = text.trim_start();
    while let Some(first) = rest.chars().next() {
        let end = match is_word(first) {
            true => rest.find(|c| !is_word(c)).unwrap_or(rest.len()),
            false => first.len_utf8(),
        };
        tokens.push(&rest[..end]);
        rest = rest[end..].trim_start();
    }
    let mut out: Vec<String> = Vec::with_capacity(tokens.len());
    for token in tokens {
        let called = types.get(token).and_then(|types| {
            let n_names = types.iter().filter_map(|(fqn, is)| {
                let outer = &fqn[..fqn.len() - last_name(fqn).len()];
                let mut n = 0;
                for part in outer.split(['.', '+']).rev().skip(1) {
                    let is_before = out.len() >= n + 2
                        && out[out.len() - n - 1] == "."
                        && out[out.len() - n - 2] == part;
                    if !is_before {
                        break;
                    }
                    n += 2;
                }
                // Behind what is left another dot would make it a member of something.
                let before = out.len().checked_sub(n + 1).map(|at| out[at].as_str());
                (before != Some(".")).then_some((n, is))
            });
            n_names.max_by_key(|(n, _)| *n)
        });
        match called {
            Some((n, name)) => {
                out.truncate(out.len() - n);
                let is_global = out.len() >= 3 && out[out.len() - 3..] == ["global", ":", ":"];
                if is_global {
                    out.truncate(out.len() - 3);
                }
                out.push(name.clone());
            }
            None => out.push(token.to_owned()),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::MovedNames;

    #[test]
    fn code_is_the_same_however_it_qualifies_what_moved() {
        let names = MovedNames::from_names([("A.Old.X", "A.New.X")].into_iter());
        let same = |old, new| names.are_same(old, new);
        assert!(same("new Old.X(1)", "new X(1)"));
        assert!(same("new  global::A.Old.X( 1)", "new A.New.X(1)"));
        assert!(same("X x = F<A.Old.X>();", "X x = F<X>();"));
        assert!(!same("new Old.X(1)", "new X(2)"));
        assert!(!same("it.X", "X"));
        assert!(!same("new Other.X()", "new X()"));
        assert!(!same("new Old.Y()", "new Y()"));
    }
}
