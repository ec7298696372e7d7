//! Which types of a side a filter selects.

use std::collections::BTreeSet;

use cortex_derived::source::Source;
use cortex_git::{Cached, RangeSpec};
use cortex_index::{Progress, TypeHeader};
use cortex_look::{Filter, FilterOptions};
use cortex_model::{TypeKey, simple_name};
use cortex_scope::infix;
use rustc_hash::{FxHashMap, FxHashSet};

use super::filter::{Step, Term, TermKind, fits};
use crate::{FreshError, committed::Committed, error::scope_error, selection::stable_scope};

/// Where tags are defined.
const CONFIG: &str = ".context/config.toml";

/// The types of a side as filters see them.
pub struct PackUniverse<'a> {
    source: Source<'a>,
    progress: &'a dyn Progress,
    /// By key.
    pub headers: Vec<(TypeKey, TypeHeader)>,
    at: FxHashMap<TypeKey, usize>,
}

impl<'a> PackUniverse<'a> {
    /// Lists the types of a side. O(types).
    ///
    /// # Errors
    /// Those of reading the snapshot.
    pub fn new(source: Source<'a>, progress: &'a dyn Progress) -> Result<Self, FreshError> {
        let headers = source.snapshot().type_headers()?;
        let keys = headers.iter().enumerate();
        let at = keys.map(|(at, (key, _))| (*key, at)).collect();
        Ok(Self {
            source,
            progress,
            headers,
            at,
        })
    }

    /// The head of a type.
    pub fn header(&self, key: TypeKey) -> Option<&TypeHeader> {
        Some(&self.headers[*self.at.get(&key)?].1)
    }

    /// The types that a filter selects, by key.
    ///
    /// # Errors
    /// [`FreshError::Filter`] for a term without a meaning here; those of reading the repository.
    pub fn select(&self, filter: &str, steps: &[Step]) -> Result<Vec<TypeKey>, FreshError> {
        let mut stack: Vec<Vec<bool>> = Vec::new();
        for step in steps {
            let top = stack.pop();
            let next = match (step, top) {
                (Step::Term(term), top) => {
                    stack.extend(top);
                    self.term(filter, term)?
                }
                (Step::Not, Some(top)) => top.into_iter().map(|it| !it).collect(),
                (Step::And | Step::Or, Some(right)) => {
                    let left = stack.pop().unwrap_or_default();
                    let pairs = left.into_iter().zip(right);
                    match step {
                        Step::And => pairs.map(|(a, b)| a && b).collect(),
                        _ => pairs.map(|(a, b)| a || b).collect(),
                    }
                }
                (_, None) => Vec::new(),
            };
            stack.push(next);
        }
        let selected = stack.pop().unwrap_or_default();
        let selected = self.headers.iter().zip(selected);
        Ok(selected
            .filter(|(_, is_selected)| *is_selected)
            .map(|((key, _), _)| *key)
            .collect())
    }

    fn term(&self, filter: &str, term: &Term) -> Result<Vec<bool>, FreshError> {
        let value = term.value.as_str();
        let each = |fits: &dyn Fn(&TypeHeader) -> bool| {
            Ok(self
                .headers
                .iter()
                .map(|(_, header)| fits(header))
                .collect())
        };
        match term.kind {
            TermKind::Namespace => {
                each(&|header| is_in_namespace(value, namespace_of(&header.fqn)))
            }
            TermKind::Type => each(&|header| is_named(value, header)),
            TermKind::Access => {
                let known = ["public", "internal", "protected", "private", "file"];
                if !known.iter().any(|known| fits(value, known)) && !value.contains(['*', ' ']) {
                    let hint = format!("choose one of {}", known.join(", "));
                    return Err(wrong(filter, term, "unknown accessibility", hint));
                }
                each(&|header| fits(value, &header.effective.to_string()))
            }
            TermKind::Kind => each(&|header| fits(value, header.kind.name())),
            TermKind::Project => each(&|header| {
                fits(value, &header.assembly) || fits(value, header.project.as_str())
            }),
            TermKind::Path => each(&|header| {
                let mut parts = header.parts.iter();
                parts.any(|part| is_below(value, part.path.as_str()))
            }),
            TermKind::Tag => self.tag(filter, term),
            TermKind::Depends => self.depends(filter, term),
            TermKind::Changed => self.changed(value),
            TermKind::Scope => self.scope(filter, term),
        }
    }

    /// Types that depend on others by these names.
    fn depends(&self, filter: &str, term: &Term) -> Result<Vec<bool>, FreshError> {
        let (name, is_transitive) = match term.value.strip_suffix('+') {
            Some(name) => (name, true),
            None => (term.value.as_str(), false),
        };
        let targets = self.headers.iter();
        let targets = targets.filter(|(_, header)| is_named(name, header));
        let mut waiting: Vec<TypeKey> = targets.map(|(key, _)| *key).collect();
        if waiting.is_empty() {
            let hint = "write the simple or the full name of a type; * and ? are wildcards";
            return Err(wrong(
                filter,
                term,
                "no type has this name",
                hint.to_owned(),
            ));
        }
        let mut seen: FxHashSet<TypeKey> = waiting.iter().copied().collect();
        let mut out = vec![false; self.headers.len()];
        while let Some(target) = waiting.pop() {
            for (user, _) in self.source.snapshot().dependents(target)? {
                if user == target {
                    continue;
                }
                if let Some(at) = self.at.get(&user) {
                    out[*at] = true;
                }
                if is_transitive && seen.insert(user) {
                    waiting.push(user);
                }
            }
        }
        Ok(out)
    }

    /// Types whose code, shape or documentation differs in a range.
    fn changed(&self, range: &str) -> Result<Vec<bool>, FreshError> {
        let index = self.source.index;
        let range = index.repo.resolve_range(&RangeSpec {
            revisions: vec![range.to_owned()],
            cached: Cached::No,
            paths: Vec::new(),
        })?;
        let (old, _) = index.side(range.old, self.progress)?;
        let (new, _) = index.side(range.new, self.progress)?;
        let mut keys: BTreeSet<TypeKey> = BTreeSet::new();
        cortex_index::Snapshot::differing_types(
            &old.snapshot,
            &new.snapshot,
            &mut |key, before, after| {
                let hashes = |node: Option<cortex_bind::TypeNode>| {
                    node.map(|node| (node.structure(), node.hashes))
                };
                if hashes(before) != hashes(after) {
                    keys.insert(key);
                }
            },
        )?;
        let headers = self.headers.iter();
        Ok(headers.map(|(key, _)| keys.contains(key)).collect())
    }

    fn scope(&self, filter: &str, term: &Term) -> Result<Vec<bool>, FreshError> {
        let request = infix::compile_in(&term.value, "");
        let request = request.map_err(|error| {
            let hint = "`git`, project and pattern atoms are listed with the scopes".to_owned();
            wrong(filter, term, &format!("malformed scope: {error}"), hint)
        })?;
        let options = FilterOptions {
            scope: Some(request),
            scope_text: term.value.clone(),
            ..FilterOptions::default()
        };
        let Source { index, side } = self.source;
        let found = Filter::new(index, side, &options, self.progress);
        let resolved = found.map_err(|error| match scope_error(&term.value, error) {
            FreshError::UnresolvedScope { reason, .. } => {
                let hint = "write it as for every command that takes a scope".to_owned();
                wrong(filter, term, &reason, hint)
            }
            error => error,
        })?;
        let headers = self.headers.iter();
        Ok(headers
            .map(|(_, header)| resolved.part_of(header).is_some())
            .collect())
    }

    /// Types that a tag of the configuration names: by patterns, or by an attribute in brackets.
    fn tag(&self, filter: &str, term: &Term) -> Result<Vec<bool>, FreshError> {
        let Source { index, side } = self.source;
        let committed = Committed::read(index, side)?;
        let text = committed.text(index, side, CONFIG)?.unwrap_or_default();
        let tags = tags(&text);
        let known: Vec<&str> = tags.iter().map(|(name, _)| name.as_str()).collect();
        let tagged = tags.iter().filter(|(name, _)| fits(&term.value, name));
        let entries: Vec<&String> = tagged.flat_map(|(_, entries)| entries).collect();
        if entries.is_empty() {
            let hint = match known.as_slice() {
                [] => "define it in the table `tags` of `.context/config.toml`".to_owned(),
                known => format!("choose one of {}", known.join(", ")),
            };
            return Err(wrong(filter, term, "unknown tag", hint));
        }
        let (attributes, patterns): (Vec<&str>, Vec<&str>) = (entries.iter())
            .map(|entry| entry.trim())
            .partition(|entry| entry.starts_with('['));
        let mut out = Vec::with_capacity(self.headers.len());
        for (key, header) in &self.headers {
            let mut is_tagged = patterns.iter().any(|pattern| is_named(pattern, header));
            if !is_tagged && !attributes.is_empty() {
                let node = self.source.snapshot().type_node(*key)?;
                let has = |wanted: &str| {
                    let wanted = wanted.trim_matches(['[', ']']);
                    let mut all = node.iter().flat_map(cortex_bind::TypeNode::attributes);
                    all.any(|attribute| is_attribute(wanted, &attribute.name.to_string()))
                };
                is_tagged = attributes.iter().any(|wanted| has(wanted));
            }
            out.push(is_tagged);
        }
        Ok(out)
    }
}

/// Whether a filter selects the same types of the same commit at any time.
pub fn is_stable(steps: &[Step]) -> bool {
    steps.iter().all(|step| match step {
        Step::Term(term) => match term.kind {
            TermKind::Changed => false,
            TermKind::Scope => stable_scope(&term.value).is_ok(),
            _ => true,
        },
        _ => true,
    })
}

fn wrong(filter: &str, term: &Term, message: &str, hint: String) -> FreshError {
    FreshError::Filter {
        filter: filter.to_owned(),
        source: super::filter::FilterError {
            position: term.position,
            message: message.to_owned(),
            hint,
        },
    }
}

/// The tags of a configuration with their entries.
fn tags(text: &str) -> Vec<(String, Vec<String>)> {
    let table: Option<toml::Table> = text.parse().ok();
    let tags = table.and_then(|table| table.get("tags").and_then(|it| it.as_table().cloned()));
    let entries = |value: &toml::Value| match value {
        toml::Value::String(entry) => vec![entry.clone()],
        toml::Value::Array(all) => {
            let all = all.iter().filter_map(toml::Value::as_str);
            all.map(str::to_owned).collect()
        }
        _ => Vec::new(),
    };
    let tags = tags.unwrap_or_default().into_iter();
    tags.map(|(name, value)| (name, entries(&value))).collect()
}

fn is_attribute(wanted: &str, name: &str) -> bool {
    let simple = name.rsplit(['.', ':', '+']).next().unwrap_or(name);
    let simple = simple.strip_suffix("Attribute").unwrap_or(simple);
    let wanted = wanted.strip_suffix("Attribute").unwrap_or(wanted);
    fits(wanted, simple) || fits(wanted, name)
}

/// The namespace of a type's canonical name.
fn namespace_of(fqn: &str) -> &str {
    let outer = fqn.split('+').next().unwrap_or(fqn);
    outer
        .rsplit_once('.')
        .map_or("", |(namespace, _)| namespace)
}

fn is_in_namespace(pattern: &str, namespace: &str) -> bool {
    fits(pattern, namespace) || fits(&format!("{pattern}.*"), namespace)
}

/// By its simple name, or by its full name as written in C# or as canonical.
fn is_named(pattern: &str, header: &TypeHeader) -> bool {
    let innermost = header.fqn.rsplit(['.', '+']).next().unwrap_or(&header.fqn);
    let dotted = header.fqn.replace('+', ".");
    fits(pattern, simple_name(innermost)) || fits(pattern, &header.fqn) || fits(pattern, &dotted)
}

/// A path, a pattern of paths, or a folder.
fn is_below(pattern: &str, path: &str) -> bool {
    let folder = pattern.trim_end_matches('/');
    fits(pattern, path) || fits(&format!("{folder}/*"), path)
}

#[cfg(test)]
mod tests {
    use super::{is_attribute, is_below, is_in_namespace, namespace_of, tags};

    #[test]
    fn namespaces_have_those_below_them() {
        assert!(is_in_namespace("shop", "Shop.Orders"));
        assert!(!is_in_namespace("shop", "Shopping"));
        assert!(is_in_namespace("*.orders", "Shop.Orders.Late"));
        assert_eq!(namespace_of("Shop.Orders.A`1+B"), "Shop.Orders");
        assert_eq!(namespace_of("A+B"), "");
    }

    #[test]
    fn paths_are_files_patterns_or_folders() {
        assert!(is_below("src/Shop/", "src/Shop/A.cs"));
        assert!(is_below("src/Shop", "src/Shop/A.cs"));
        assert!(is_below("*.g.cs", "src/A.g.cs"));
        assert!(!is_below("src/Sho", "src/Shop/A.cs"));
    }

    #[test]
    fn tags_name_types_and_attributes() {
        let all = tags("[tags]\ncore = [\"Shop.*\", \"[Module]\"]\none = \"A\"\n");
        assert_eq!(all.len(), 2);
        assert!(is_attribute("Module", "Shop.ModuleAttribute"));
        assert!(!is_attribute("Module", "Shop.SubModule"));
    }
}
