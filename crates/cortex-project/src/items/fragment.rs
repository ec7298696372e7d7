//! `@(…)` and `%(…)` in the text of items: lists, references, transforms, metadata.

use std::rc::Rc;

use rustc_hash::FxHashSet;

use crate::{
    evaluation::Place,
    functions::{MAX_TEXT, Value, call_on},
    paths::{Location, absolute, resolve},
    template::{closing, identifier_end, split_arguments},
};

use super::{Item, Items, Spec};

/// The parts of a list, split at `;` outside of `@(…)`, trimmed, without empty ones.
pub(crate) fn split_list(text: &str) -> Vec<&str> {
    let bytes = text.as_bytes();
    let mut parts = Vec::new();
    let (mut start, mut at) = (0, 0);
    while at < bytes.len() {
        match bytes[at] {
            b';' => {
                parts.push(&text[start..at]);
                start = at + 1;
            }
            b'@' if bytes.get(at + 1) == Some(&b'(') => {
                at = closing(text, at + 1).unwrap_or(at);
            }
            _ => {}
        }
        at += 1;
    }
    parts.push(&text[start..]);
    parts.retain_mut(|part| {
        *part = part.trim();
        !part.is_empty()
    });
    parts
}

/// The item type of the first `%(Type.Name)` in a text, in lower case.
pub(super) fn batch_type(text: &str) -> Option<String> {
    text.match_indices("%(").find_map(|(at, _)| {
        let rest = text[at + 2..].trim_start();
        let end = identifier_end(rest);
        rest[end..]
            .trim_start()
            .starts_with('.')
            .then(|| rest[..end].to_ascii_lowercase())
    })
}

impl Items<'_, '_> {
    /// The items that a fragment with `@(…)` in it stands for: those of the type where it is nothing
    /// else, with their metadata; else one text.
    pub(super) fn referenced(&mut self, fragment: &str, place: Place<'_>) -> Vec<Item> {
        if fragment.starts_with("@(")
            && closing(fragment, 1) == Some(fragment.len() - 1)
            && let Some(items) = self.reference(&fragment[2..fragment.len() - 1])
        {
            return items;
        }
        let text = self.with_references(fragment, place);
        split_list(&text)
            .into_iter()
            .map(|part| Item {
                spec: Spec::Text(part.into()),
                metadata: Rc::default(),
            })
            .collect()
    }

    /// Replaces every `@(…)` in a text by the list that it stands for.
    pub(super) fn with_references(&mut self, text: &str, place: Place<'_>) -> String {
        let mut out = String::new();
        let mut rest = text;
        while let Some(at) = rest.find("@(") {
            let Some(close) = closing(rest, at + 1) else {
                break;
            };
            out.push_str(&rest[..at]);
            let inner = &rest[at + 2..close];
            match self.reference(inner) {
                Some(items) => {
                    let separator = separator_of(inner).unwrap_or(";");
                    let texts: Vec<String> = items.iter().map(|item| self.identity(item)).collect();
                    out.push_str(&texts.join(separator));
                }
                None => self
                    .evaluation
                    .note(place, format!("item list not understood: @({inner})")),
            }
            if out.len() > MAX_TEXT || !self.evaluation.take(out.len()) {
                return String::new();
            }
            rest = &rest[close + 1..];
        }
        out.push_str(rest);
        out
    }

    /// The items of `Type`, `Type->'…'` or `Type->Function(…)`; `None` where it is neither.
    fn reference(&mut self, inner: &str) -> Option<Vec<Item>> {
        let inner = inner.trim();
        let end = identifier_end(inner);
        if end == 0 {
            return None;
        }
        let item_type = inner[..end].to_ascii_lowercase();
        let mut items = self.copies_of(&item_type);
        let mut rest = inner[end..].trim_start();
        while let Some(transform) = rest.strip_prefix("->") {
            if !self.evaluation.take(items.len() + 1) {
                return Some(Vec::new());
            }
            let transform = transform.trim_start();
            if let Some(text) = transform.strip_prefix('\'') {
                let close = text.find('\'')?;
                for item in &mut items {
                    let spec = self.with_metadata(&text[..close], Some(item));
                    item.spec = Spec::Text(spec.into());
                }
                rest = text[close + 1..].trim_start();
            } else {
                let end = identifier_end(transform);
                let name = transform[..end].to_ascii_lowercase();
                let after = transform[end..].trim_start();
                if !after.starts_with('(') {
                    return None;
                }
                let close = closing(after, 0)?;
                let arguments: Vec<String> = split_arguments(&after[1..close])
                    .into_iter()
                    .map(str::to_owned)
                    .collect();
                items = self.item_function(items, &name, &arguments)?;
                rest = after[close + 1..].trim_start();
            }
        }
        (rest.is_empty() || rest.starts_with(',')).then_some(items)
    }

    fn item_function(
        &self,
        mut items: Vec<Item>,
        name: &str,
        arguments: &[String],
    ) -> Option<Vec<Item>> {
        let text_item = |text: String| Item {
            spec: Spec::Text(text.into()),
            metadata: Rc::default(),
        };
        match (name, arguments) {
            ("distinct" | "distinctwithcase", []) => {
                let mut seen = FxHashSet::default();
                items.retain(|item| seen.insert(self.identity(item).to_lowercase()));
            }
            ("reverse", []) => items.reverse(),
            ("count", []) => return Some(vec![text_item(items.len().to_string())]),
            ("clearmetadata", []) => {
                for item in &mut items {
                    item.metadata = Rc::default();
                }
            }
            ("withmetadatavalue", [key, value]) => {
                items.retain(|item| self.metadatum(item, key).eq_ignore_ascii_case(value));
            }
            ("withoutmetadatavalue", [key, value]) => {
                items.retain(|item| !self.metadatum(item, key).eq_ignore_ascii_case(value));
            }
            ("hasmetadata", [key]) => items.retain(|item| !self.metadatum(item, key).is_empty()),
            ("metadata", [key]) => {
                items = items
                    .iter()
                    .map(|item| self.metadatum(item, key))
                    .filter(|value| !value.is_empty())
                    .map(text_item)
                    .collect();
            }
            ("anyhavemetadatavalue", [key, value]) => {
                let any = items
                    .iter()
                    .any(|item| self.metadatum(item, key).eq_ignore_ascii_case(value));
                return Some(vec![text_item(any.to_string())]);
            }
            ("exists", []) => items.retain(|item| self.evaluation.exists(&self.identity(item))),
            ("directoryname", []) => {
                for item in &mut items {
                    let folder =
                        self.metadatum(item, "rootdir") + &self.metadatum(item, "directory");
                    item.spec = Spec::Text(folder.trim_end_matches('/').into());
                }
            }
            _ => {
                for item in &mut items {
                    let identity = Value::Text(self.identity(item));
                    let text = call_on(identity, name, arguments).ok()?.into_text();
                    item.spec = Spec::Text(text.into());
                }
            }
        }
        Some(items)
    }

    /// Replaces every `%(…)` in a text by the metadatum of the item; without an item by nothing.
    pub(super) fn with_metadata(&self, text: &str, item: Option<&Item>) -> String {
        let mut out = String::new();
        let mut rest = text;
        while let Some(at) = rest.find("%(") {
            let Some(close) = closing(rest, at + 1) else {
                break;
            };
            out.push_str(&rest[..at]);
            let name = rest[at + 2..close].trim();
            let name = name.rsplit('.').next().unwrap_or(name);
            if let Some(item) = item {
                out.push_str(&self.metadatum(item, name));
            }
            rest = &rest[close + 1..];
        }
        out.push_str(rest);
        out
    }

    /// An item as text: relative to the project where it is a tracked file.
    pub(crate) fn identity(&self, item: &Item) -> String {
        match &item.spec {
            Spec::Text(text) => text.to_string(),
            Spec::Tracked(id) => {
                let path = self.evaluation.workspace.table.as_str(*id);
                let folder = self.evaluation.project_folder;
                match path
                    .strip_prefix(folder)
                    .and_then(|rest| rest.strip_prefix('/'))
                {
                    Some(rest) if !folder.is_empty() => rest.to_owned(),
                    _ if folder.is_empty() => path.to_owned(),
                    _ => absolute(&Location::Inside(path.to_owned())),
                }
            }
        }
    }

    /// A metadatum, own or well-known.
    fn metadatum(&self, item: &Item, name: &str) -> String {
        let name = name.trim().to_ascii_lowercase();
        let declared = item.get(&name);
        if !declared.is_empty() {
            return declared.to_owned();
        }
        let identity = self.identity(item).replace('\\', "/");
        let full = || absolute(&resolve(self.evaluation.project_folder, &identity));
        let file = identity.rsplit('/').next().unwrap_or(&identity);
        let dot = file.rfind('.').unwrap_or(file.len());
        match name.as_str() {
            "identity" => self.identity(item),
            "filename" => file[..dot].to_owned(),
            "extension" => file[dot..].to_owned(),
            "fullpath" => full(),
            "rootdir" => "/".to_owned(),
            "directory" => {
                let full = full();
                full[..=full.rfind('/').unwrap_or(0)]
                    .trim_start_matches('/')
                    .to_owned()
            }
            "relativedir" => identity[..identity.len() - file.len()].to_owned(),
            _ => String::new(),
        }
    }
}

/// The text between quotes after the last comma of `Type, ';'`.
fn separator_of(inner: &str) -> Option<&str> {
    let (_, after) = inner.rsplit_once(',')?;
    after.trim().strip_prefix('\'')?.strip_suffix('\'')
}

#[cfg(test)]
mod tests {
    use super::split_list;

    #[test]
    fn lists_split_at_semicolons_outside_of_item_references() {
        assert_eq!(
            split_list(" a ;; @(B->'%(C);x') ;\n d;"),
            ["a", "@(B->'%(C);x')", "d"]
        );
        assert_eq!(split_list("@(a;b"), ["@(a", "b"]);
    }
}
