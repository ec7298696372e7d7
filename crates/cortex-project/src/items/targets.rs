//! Items that hooked targets make, as far as they grant access to internals.

use std::rc::Rc;

use crate::{
    document::{Document, GroupRole, ItemElement, Operation},
    escape::unescape,
    evaluation::Place,
};

use super::{
    ALWAYS, Item, Items, Spec,
    fragment::{batch_type, split_list},
};

impl Items<'_, '_> {
    /// Targets that hook themselves into the build may grant access to internals; what else they make
    /// is generated and not followed.
    pub(super) fn hooked_targets(&mut self) {
        let documents = self.evaluation.documents.clone();
        for document in &documents {
            for target in &document.targets {
                let place = Place {
                    document,
                    line: target.line,
                };
                let makes_grants = target
                    .item_groups
                    .iter()
                    .flat_map(|group| &group.items)
                    .any(is_grant);
                if !makes_grants || !self.holds(target.condition.as_ref(), None, place) {
                    continue;
                }
                for group in &target.item_groups {
                    let place = Place {
                        document,
                        line: group.line,
                    };
                    if !self.holds(group.condition.as_ref(), None, place) {
                        continue;
                    }
                    for element in group
                        .items
                        .iter()
                        .filter(|element| is_grant(element) || is_own(element))
                    {
                        self.batched(document, element);
                    }
                }
            }
        }
    }

    /// Applies an element of a target, once for every item of the type whose metadata it reads.
    fn batched(&mut self, document: &Rc<Document>, element: &ItemElement) {
        let place = Place {
            document,
            line: element.line,
        };
        let Operation::Include { include, .. } = &element.operation else {
            return;
        };
        let text = self.evaluation.expand(include, place).into_owned();
        let Some(batch) = batch_type(&text) else {
            self.element(document, element, GroupRole::Items);
            return;
        };
        for source in self.copies_of(&batch) {
            if !self.holds(element.condition.as_ref(), Some(&source), place)
                || !self.evaluation.take(1)
            {
                continue;
            }
            let text = self.with_metadata(&text, Some(&source));
            let metadata = self.metadata_of(element, Some(&source), place);
            let metadata: Rc<[(Box<str>, String)]> = metadata.into();
            for fragment in split_list(&text) {
                let item = Item {
                    spec: Spec::Text(unescape(fragment).into()),
                    metadata: Rc::clone(&metadata),
                };
                self.add(&element.item_type, item);
            }
        }
    }
}

/// Whether an element grants another assembly access to internals.
fn is_grant(element: &ItemElement) -> bool {
    matches!(
        &*element.item_type,
        "internalsvisibleto" | "assemblyattribute"
    )
}

/// Whether an element is of a type that is not one of those that every build knows.
fn is_own(element: &ItemElement) -> bool {
    !ALWAYS.contains(&&*element.item_type)
}
