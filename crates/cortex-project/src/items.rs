//! The second pass over a project: items, once all properties are known.
//!
//! Only item types that binding needs, or that some read file refers to, are made; the rest
//! (`None`, `Content`, …) cost nothing.

mod fragment;
mod selection;
mod synthetic;
mod targets;

use std::{borrow::Cow, rc::Rc};

use rustc_hash::{FxHashMap, FxHashSet};

use crate::{
    condition::{Condition, Operands},
    document::{Document, GroupRole, ItemElement, ItemGroup, Metadatum, Operation},
    escape::unescape,
    evaluation::{Evaluation, Place, Recorded, unescape_owned},
    glob::{Pattern, has_wildcard},
    paths::PathId,
    template::Template,
};

pub(crate) use fragment::split_list;
use selection::Selection;

/// Item types that are always made, in lower case.
const ALWAYS: [&str; 10] = [
    "assemblyattribute",
    "compile",
    "frameworkreference",
    "globalpackagereference",
    "internalsvisibleto",
    "packagereference",
    "packageversion",
    "projectreference",
    "reference",
    "using",
];

/// How many steps of the budget an item takes: what bounds their number.
const ITEM_STEPS: usize = 16;

/// An item: what it stands for and its metadata, names in lower case.
#[derive(Clone, Debug)]
pub(crate) struct Item {
    pub(crate) spec: Spec,
    pub(crate) metadata: Rc<[(Box<str>, String)]>,
}

/// What an item stands for.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Spec {
    /// A tracked file that a pattern found.
    Tracked(PathId),
    /// Text as written, escapes undone.
    Text(Rc<str>),
}

impl Item {
    /// The value of a metadatum; empty where it has none.
    pub(crate) fn get(&self, name: &str) -> &str {
        self.metadata
            .iter()
            .find(|(key, _)| **key == *name)
            .map_or("", |(_, value)| value)
    }
}

/// All items of a project, by type.
pub(crate) struct Items<'e, 'w> {
    pub(crate) evaluation: &'e mut Evaluation<'w>,
    by_type: FxHashMap<Box<str>, Vec<Item>>,
    definitions: FxHashMap<Box<str>, Vec<(Box<str>, String)>>,
    needed: FxHashSet<Box<str>>,
}

impl<'e, 'w> Items<'e, 'w> {
    /// Evaluates the items that the first pass recorded.
    pub(crate) fn new(evaluation: &'e mut Evaluation<'w>) -> Self {
        let mut needed: FxHashSet<Box<str>> = ALWAYS.map(Box::from).into_iter().collect();
        for document in &evaluation.documents {
            needed.extend(document.item_types_read.iter().cloned());
        }
        let recorded = std::mem::take(&mut evaluation.recorded);
        let mut items = Self {
            evaluation,
            by_type: FxHashMap::default(),
            definitions: FxHashMap::default(),
            needed,
        };
        for group in &recorded {
            match group {
                Recorded::Group(document, index) => {
                    items.group(document, &document.item_groups[*index]);
                }
                Recorded::Synthetic(synthetic) => items.synthetic(*synthetic),
            }
        }
        items.hooked_targets();
        items
    }

    /// The items of a type, named in lower case.
    pub(crate) fn of(&self, item_type: &str) -> &[Item] {
        self.by_type.get(item_type).map_or(&[], Vec::as_slice)
    }

    /// The items of a type, to work on while others are made.
    fn copies_of(&mut self, item_type: &str) -> Vec<Item> {
        let n_items = self.of(item_type).len();
        if self.evaluation.take(n_items * ITEM_STEPS) {
            self.of(item_type).to_vec()
        } else {
            Vec::new()
        }
    }

    fn add(&mut self, item_type: &str, item: Item) {
        if !self.evaluation.take(ITEM_STEPS) {
            return;
        }
        match self.by_type.get_mut(item_type) {
            Some(items) => items.push(item),
            None => {
                self.by_type.insert(item_type.into(), vec![item]);
            }
        }
    }

    fn group(&mut self, document: &Rc<Document>, group: &ItemGroup) {
        if !group
            .items
            .iter()
            .any(|item| self.needed.contains(&item.item_type))
        {
            return;
        }
        let place = Place {
            document,
            line: group.line,
        };
        if !self.holds(group.condition.as_ref(), None, place) {
            return;
        }
        for element in &group.items {
            if self.needed.contains(&element.item_type) {
                self.element(document, element, group.role);
            }
        }
    }

    fn element(&mut self, document: &Rc<Document>, element: &ItemElement, role: GroupRole) {
        let place = Place {
            document,
            line: element.line,
        };
        if !self.evaluation.take(1) {
            return;
        }
        if role == GroupRole::Definitions {
            let item = self.metadata_of(element, None, place);
            let definitions = self
                .definitions
                .entry(element.item_type.clone())
                .or_default();
            definitions.extend(item.iter().cloned());
            return;
        }
        // Every item that a condition on metadata lets through is let through on its own.
        if !self.holds(element.condition.as_ref(), None, place) {
            return;
        }
        match &element.operation {
            Operation::Include { include, exclude } => {
                self.include(element, include, exclude.as_ref(), place);
            }
            Operation::Remove(remove) => {
                let selection = self.select(&element.item_type, remove, place);
                let Some(mut items) = self.by_type.remove(&element.item_type) else {
                    return;
                };
                if self.evaluation.take(items.len() * selection.cost()) {
                    let evaluation = &*self.evaluation;
                    items.retain(|item| !selection.contains(item, evaluation));
                }
                self.by_type.insert(element.item_type.clone(), items);
            }
            Operation::Update(update) => {
                let selection = self.select(&element.item_type, update, place);
                self.update(element, &selection, place);
            }
            Operation::Define => {}
        }
    }

    fn include(
        &mut self,
        element: &ItemElement,
        include: &Template,
        exclude: Option<&Template>,
        place: Place<'_>,
    ) {
        let item_type = &*element.item_type;
        let excluded = match exclude {
            Some(exclude) => self.select(item_type, exclude, place),
            None => Selection::default(),
        };
        let text = self.evaluation.expand(include, place).into_owned();
        for fragment in split_list(&text) {
            if fragment.contains("@(") {
                for item in self.referenced(fragment, place) {
                    if !excluded.contains(&item, self.evaluation) {
                        self.add_with_metadata(item_type, item, element, place);
                    }
                }
            } else if has_wildcard(fragment) && !Selection::is_by_name(item_type) {
                self.include_pattern(fragment, &excluded, element, place);
            } else {
                let item = Item {
                    spec: Spec::Text(unescape(fragment).into()),
                    metadata: Rc::default(),
                };
                if !excluded.contains(&item, self.evaluation) {
                    self.add_with_metadata(item_type, item, element, place);
                }
            }
            if !self.evaluation.take(1) {
                return;
            }
        }
    }

    fn include_pattern(
        &mut self,
        fragment: &str,
        excluded: &Selection,
        element: &ItemElement,
        place: Place<'_>,
    ) {
        let Some(pattern) = Pattern::new(self.evaluation.project_folder, &unescape(fragment))
        else {
            self.evaluation.note(
                place,
                format!("pattern leads out of the repository: {fragment}"),
            );
            return;
        };
        self.add_matches(&pattern, excluded, &element.item_type);
    }

    /// Adds every tracked file that a pattern matches and nothing excludes, without metadata.
    fn add_matches(&mut self, pattern: &Pattern, excluded: &Selection, item_type: &str) {
        let table = &self.evaluation.workspace.table;
        let candidates = pattern.candidates(table);
        let none: Rc<[(Box<str>, String)]> = Rc::default();
        let cost = pattern.cost() + excluded.cost();
        if !self.evaluation.take(candidates.len() * cost) {
            return;
        }
        let items = self.by_type.entry(item_type.into()).or_default();
        let before = items.len();
        items.extend(
            candidates
                .filter(|id| {
                    let path = table.as_str(*id);
                    pattern.matches(path) && !excluded.contains_file(*id, path)
                })
                .map(|id| Item {
                    spec: Spec::Tracked(id),
                    metadata: Rc::clone(&none),
                }),
        );
        let added = items.len() - before;
        self.evaluation.take(added * ITEM_STEPS);
    }

    fn add_with_metadata(
        &mut self,
        item_type: &str,
        mut item: Item,
        element: &ItemElement,
        place: Place<'_>,
    ) {
        // The metadata of C# files say how they are shown, not how they are compiled.
        if item_type != "compile" {
            let metadata = self.metadata_of(element, Some(&item), place);
            item.metadata = metadata.into();
        }
        self.add(item_type, item);
    }

    fn update(&mut self, element: &ItemElement, selection: &Selection, place: Place<'_>) {
        if element.metadata.is_empty() || &*element.item_type == "compile" {
            return;
        }
        let Some(mut items) = self.by_type.remove(&element.item_type) else {
            return;
        };
        if self.evaluation.take(items.len() * selection.cost()) {
            for item in &mut items {
                if selection.contains(item, self.evaluation) {
                    item.metadata = self.metadata_of(element, Some(item), place).into();
                }
            }
        }
        self.by_type.insert(element.item_type.clone(), items);
    }

    /// The metadata of an item after an element: its own and those of its type, overwritten by the element's.
    fn metadata_of(
        &mut self,
        element: &ItemElement,
        item: Option<&Item>,
        place: Place<'_>,
    ) -> Vec<(Box<str>, String)> {
        let mut metadata: Vec<(Box<str>, String)> = match item {
            Some(item) if !item.metadata.is_empty() => item.metadata.to_vec(),
            Some(_) => self
                .definitions
                .get(&element.item_type)
                .cloned()
                .unwrap_or_default(),
            None => Vec::new(),
        };
        for Metadatum {
            name,
            value,
            condition,
        } in &element.metadata
        {
            let current = item.map(|item| Item {
                spec: item.spec.clone(),
                metadata: metadata.as_slice().into(),
            });
            if !self.holds(condition.as_ref(), current.as_ref(), place) {
                continue;
            }
            let value = self.item_text(value, current.as_ref(), place);
            let value = unescape(value.trim()).into_owned();
            match metadata.iter_mut().find(|(key, _)| key == name) {
                Some((_, old)) => *old = value,
                None => metadata.push((name.clone(), value)),
            }
        }
        metadata
    }

    /// The items that a `Remove`, `Update` or `Exclude` names.
    fn select(&mut self, item_type: &str, template: &Template, place: Place<'_>) -> Selection {
        let text = self.evaluation.expand(template, place).into_owned();
        let mut selection = Selection::new(item_type);
        for fragment in split_list(&text) {
            if fragment.contains("@(") {
                for item in self.referenced(fragment, place) {
                    selection.add_item(&item, self.evaluation);
                }
            } else {
                selection.add_text(&unescape(fragment), self.evaluation);
            }
            if !self.evaluation.take(1) {
                break;
            }
        }
        selection
    }

    /// Expands properties, metadata of the current item and references to items, in this order.
    fn item_text(
        &mut self,
        template: &Template,
        current: Option<&Item>,
        place: Place<'_>,
    ) -> String {
        let text = self.evaluation.expand(template, place);
        if !text.contains(['%', '@']) {
            return text.into_owned();
        }
        let text = self.with_metadata(&text, current);
        self.with_references(&text, place)
    }

    fn holds(
        &mut self,
        condition: Option<&Condition>,
        current: Option<&Item>,
        place: Place<'_>,
    ) -> bool {
        let Some(condition) = condition else {
            return true;
        };
        let mut operands = ItemOperands {
            items: self,
            current,
            place,
        };
        let value = condition.evaluate(&mut operands);
        self.evaluation.condition_value(value, condition, place)
    }
}

struct ItemOperands<'i, 'e, 'w, 'd> {
    items: &'i mut Items<'e, 'w>,
    current: Option<&'i Item>,
    place: Place<'d>,
}

impl Operands for ItemOperands<'_, '_, '_, '_> {
    fn text<'t>(&mut self, operand: &'t Template) -> Cow<'t, str> {
        if let Some(text) = operand.literal()
            && !text.contains(['%', '@'])
        {
            return Cow::Borrowed(text);
        }
        let text = self.items.item_text(operand, self.current, self.place);
        unescape_owned(Cow::Owned(text))
    }

    fn exists(&mut self, path: &str) -> bool {
        self.items.evaluation.exists(path)
    }
}
