//! §22.3: an attribute's class.

use super::{Meaning, Scope};
use crate::{compilation::Compilation, name::Name, special::Special, symbol::TypeId};

impl Compilation<'_> {
    /// §22.3: an attribute's class: `NameAttribute` and `Name`, the one that derives from `Attribute`.
    pub fn lookup_attribute(&self, at: &Scope, name: Name, arity: u16) -> Meaning {
        self.lookup_attribute_in(at, None, name, arity)
    }

    /// The same after a dot.
    pub(crate) fn lookup_attribute_in(
        &self,
        at: &Scope,
        left: Option<&Meaning>,
        name: Name,
        arity: u16,
    ) -> Meaning {
        let look = |name| match left {
            Some(left) => self.lookup_qualified(at, left, name, arity),
            None => self.lookup_type_name(at, name, arity),
        };
        let long = look(self.attribute_name(name));
        let plain = look(name);
        match (self.rank(&long), self.rank(&plain)) {
            // Both are attributes: an error, unless one name is meant (CS1614).
            (Rank::Attribute, Rank::Attribute) => match (&long, &plain) {
                (Meaning::Type { def: a, .. }, Meaning::Type { def: b, .. }) if a != b => {
                    Meaning::Ambiguous(vec![*a, *b])
                }
                _ => long,
            },
            (long_rank, plain_rank) if long_rank >= plain_rank => long,
            _ => plain,
        }
    }

    fn attribute_name(&self, name: Name) -> Name {
        if let Some(&found) = self.caches.attribute_names.borrow().get(&name) {
            return found;
        }
        let found = self.name(&format!("{}Attribute", self.text(name)));
        self.caches.attribute_names.borrow_mut().insert(name, found);
        found
    }

    fn rank(&self, meaning: &Meaning) -> Rank {
        let def = match *meaning {
            Meaning::Type { def, .. } => def,
            Meaning::Alias(ty) => match self.def_of(ty) {
                Some(def) => def,
                None => return Rank::Unknown,
            },
            Meaning::Ambiguous(_) => return Rank::Type,
            _ => return Rank::Nothing,
        };
        self.rank_of(def)
    }

    /// Whether a class derives from `Attribute`; `None` where a base is not known.
    pub(crate) fn is_attribute_class(&self, def: TypeId) -> Option<bool> {
        match self.rank_of(def) {
            Rank::Attribute => Some(true),
            Rank::Type => Some(false),
            Rank::Nothing | Rank::Unknown => None,
        }
    }

    fn rank_of(&self, def: TypeId) -> Rank {
        let Some(attribute) = self.well_known(Special::Attribute) else {
            return Rank::Unknown;
        };
        let object = self.well_known(Special::Object);
        let chain = self.chain(self.instance_type(def));
        if chain.iter().any(|&ty| self.def_of(ty) == Some(attribute)) {
            Rank::Attribute
        } else if chain.last().and_then(|&ty| self.def_of(ty)) == object {
            Rank::Type
        } else {
            Rank::Unknown
        }
    }
}

/// How likely a type is an attribute.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Rank {
    Nothing,
    /// A type that is none.
    Type,
    /// A class with an unknown base.
    Unknown,
    Attribute,
}
