//! Which types of a name can be named somewhere, and which one of several is meant (§7.5 of the C# specification).

use cortex_model::{Accessibility, TypeKey};
use cortex_syntax::DeclId;

use super::{Bound, Headers, InheritedTypes};
use crate::{scope::InternalsVisible, symbol::TypeSymbol};

/// Base lists that loop (an error in C#) end after this many steps.
const MAX_BASES: usize = 256;

impl Headers<'_> {
    /// A type and its source bases, breadth first, each once.
    pub(super) fn with_bases(&self, key: TypeKey) -> impl Iterator<Item = TypeKey> + '_ {
        let mut queue = vec![key];
        let mut next = 0;
        std::iter::from_fn(move || {
            let current = *queue.get(next)?;
            next += 1;
            if queue.len() < MAX_BASES && self.inherited == InheritedTypes::Found {
                for &base in self.universe.bases(current).iter() {
                    if !queue.contains(&base) {
                        queue.push(base);
                    }
                }
            }
            Some(current)
        })
    }

    /// §7.5.2: whether a nested type can be named at `at`; assemblies are looked at elsewhere.
    pub(super) fn is_accessible(
        &self,
        symbol: &TypeSymbol,
        container: TypeKey,
        at: Option<DeclId>,
    ) -> bool {
        match symbol.accessibility {
            Accessibility::Private => self.is_inside(container, at),
            Accessibility::Protected | Accessibility::PrivateProtected => {
                self.is_inside_derived(container, at)
            }
            Accessibility::ProtectedInternal => {
                self.file.project.sees(&symbol.project) == Some(InternalsVisible::Yes)
                    || self.is_inside_derived(container, at)
            }
            Accessibility::File | Accessibility::Internal | Accessibility::Public => true,
        }
    }

    /// Whether a type around `at` is, or derives from, `base`; assumed while bases are unknown.
    fn is_inside_derived(&self, base: TypeKey, at: Option<DeclId>) -> bool {
        if self.inherited == InheritedTypes::Ignored {
            return true;
        }
        let mut ty = at.and_then(|at| self.type_of_decl[at as usize]);
        while let Some(index) = ty {
            if self
                .with_bases(self.types[index].symbol.key)
                .any(|key| key == base)
            {
                return true;
            }
            ty = self.types[index].outer;
        }
        false
    }

    fn is_inside(&self, container: TypeKey, at: Option<DeclId>) -> bool {
        let mut ty = at.and_then(|at| self.type_of_decl[at as usize]);
        while let Some(index) = ty {
            if self.types[index].symbol.key == container {
                return true;
            }
            ty = self.types[index].outer;
        }
        false
    }

    /// Picks among types of one container: visible ones only; the own project's wins (CS0436).
    pub(super) fn choose<'s>(&self, candidates: impl Iterator<Item = &'s TypeSymbol>) -> Bound {
        let own = self.file.project.path.as_ref();
        let mut chosen: Vec<&TypeSymbol> = candidates
            .filter(|symbol| self.is_visible(symbol))
            .collect();
        if chosen.len() > 1 {
            let file_local = chosen.iter().any(|symbol| symbol.file.is_some());
            let has_own = chosen.iter().any(|symbol| Some(&symbol.project) == own);
            chosen.retain(|symbol| {
                (!file_local || symbol.file.is_some()) && (!has_own || Some(&symbol.project) == own)
            });
        }
        match chosen.as_slice() {
            [] => Bound::Unresolved,
            [one] => Bound::Type(one.key),
            _ => Bound::Ambiguous,
        }
    }

    fn is_visible(&self, symbol: &TypeSymbol) -> bool {
        if symbol
            .file
            .as_ref()
            .is_some_and(|file| file != self.file.path)
        {
            return false;
        }
        match self.file.project.sees(&symbol.project) {
            None => false,
            Some(InternalsVisible::Yes) => true,
            Some(InternalsVisible::No) => !matches!(
                symbol.accessibility,
                Accessibility::Internal
                    | Accessibility::File
                    | Accessibility::PrivateProtected
                    | Accessibility::Private
            ),
        }
    }
}
