//! The methods with `[UnsafeAccessor]` that stand for what is renamed.
//!
//! Must not know: how such an attribute is written ([`super::outside_names`]).

use std::collections::BTreeSet;

use cortex_derived::target::Target;
use cortex_index::Symbols;
use cortex_look::viewpoint::Viewpoint;
use cortex_model::{DeclKind, TypeKey};
use cortex_semantics::{Compilation, MemberId};

use super::{
    NamePlaces, declared,
    global::{member_of, used_places},
    named_texts::files_at,
    outside_names::{Accessor, accessors},
};
use crate::{EditError, text_edit::TextEdit};

/// An accessor of a member that is renamed.
pub(super) struct NamedByAccessor {
    accessor: Accessor,
    form: Form,
}

impl NamedByAccessor {
    /// What lets it stand for the member under another name.
    pub(super) fn renamed(&self, to: &str) -> TextEdit {
        let Form { before, after } = self.form;
        self.accessor.renamed(&format!("{before}{to}{after}"))
    }
}

/// What compiled code has around the name of a member.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Form {
    before: &'static str,
    after: &'static str,
}

const AS_IT_IS: Form = form("", "");
const OF_PROPERTIES: [Form; 3] = [
    form("get_", ""),
    form("set_", ""),
    form("<", ">k__BackingField"),
];
const OF_EVENTS: [Form; 3] = [form("add_", ""), form("remove_", ""), AS_IT_IS];

const fn form(before: &'static str, after: &'static str) -> Form {
    Form { before, after }
}

/// The forms of a member's name in compiled code: accessors are methods, and what is stored is a field.
fn forms(kind: DeclKind) -> &'static [Form] {
    match kind {
        DeclKind::Property => &OF_PROPERTIES,
        DeclKind::Event => &OF_EVENTS,
        DeclKind::Method | DeclKind::Field => &[AS_IT_IS],
        _ => &[],
    }
}

/// Adds the accessors of some members. `ids`: their documentation ids; `name`: what they are called.
///
/// # Errors
/// [`EditError::Refused`] where an accessor may stand for another overload; those of the index.
pub(super) fn add_of_members(
    (view, symbols): (&Viewpoint<'_>, &Symbols),
    (all, ids, name): (&[Target], &[Option<String>], &str),
    places: &mut NamePlaces,
    refused: &dyn Fn(String, Vec<String>) -> EditError,
) -> Result<(), EditError> {
    let mut files = Vec::new();
    for class in ["UnsafeAccessor", "UnsafeAccessorAttribute"] {
        files.extend(view.snapshot().files_mentioning(class)?);
    }
    if files.is_empty() {
        return Ok(());
    }
    // An accessor names the type.
    let owners: BTreeSet<TypeKey> = all.iter().map(|symbol| symbol.key()).collect();
    let mut users = BTreeSet::new();
    for owner in owners {
        let using = view.snapshot().referrers(owner, None)?;
        users.extend(using.into_iter().map(|file| file.path));
    }
    files.retain(|file| users.contains(&file.path));
    // Whatever compiled code has around it; with escapes it may be anything.
    let may_name = |text: &str| text.contains(name) || text.contains("\\u");
    let mut found = Vec::new();
    for file in &files {
        for file in files_at(view, symbols, &file.path, &may_name)? {
            let all = accessors(&file.facts, &file.text).into_iter();
            found.extend(all.map(|it| (file.unit.path.clone(), it)));
        }
    }
    if found.is_empty() {
        return Ok(());
    }
    for (symbol, id) in all.iter().zip(ids) {
        let named = symbols.read(|c| {
            let named = || -> Result<_, EditError> {
                let ty = declared::type_id(c, symbol.key())?;
                Ok(member_of(c, ty, id.as_deref()).map(|member| Named::read(c, member)))
            };
            Ok(named())
        })??;
        let Some(named) = named else { continue };
        let alike = found.iter().filter_map(|(path, accessor)| {
            let form = named.form_in(accessor)?;
            Some((path, accessor, form))
        });
        let alike: Vec<_> = alike.collect();
        // What uses the type may be much: it is asked only where an accessor has the name.
        if alike.is_empty() {
            continue;
        }
        let (uses, _) = used_places(view, &[Target::Type(symbol.key())], None)?;
        for (path, accessor, form) in alike {
            let mut of_owner = uses.by_file.get(path).into_iter().flatten();
            if !of_owner.any(|place| place.contains(accessor.type_at)) {
                continue;
            }
            if named.n_like > 1 {
                let reason = format!(
                    "a method with `[UnsafeAccessor]` in `{path}` may stand for another overload"
                );
                let help = "give the overloads different names by hand, with what stands for them";
                return Err(refused(reason, vec![help.to_owned()]));
            }
            let accessor = accessor.clone();
            let accessors = places.accessors.entry(path.clone()).or_default();
            accessors.push(NamedByAccessor { accessor, form });
        }
    }
    Ok(())
}

/// A member as compiled code names it.
struct Named {
    name: String,
    kind: DeclKind,
    n_params: usize,
    /// How many methods of its type have its name and as many parameters.
    n_like: usize,
}

impl Named {
    fn read(c: &Compilation<'_>, id: MemberId) -> Self {
        let member = c.member(id);
        let n_params = |it: MemberId| c.member(it).signature.params.len();
        let same = c.members(member.owner).named(member.name).iter();
        Self {
            name: c.text(member.name).to_owned(),
            kind: member.kind,
            n_params: n_params(id),
            n_like: same.filter(|&&it| n_params(it) == n_params(id)).count(),
        }
    }

    /// The form of the name by which an accessor stands for it.
    fn form_in(&self, accessor: &Accessor) -> Option<Form> {
        if self.kind == DeclKind::Method && self.n_params != accessor.n_params {
            return None;
        }
        let mut forms = forms(self.kind).iter().copied();
        forms.find(|form| {
            let inner = accessor.name.strip_prefix(form.before);
            inner.and_then(|it| it.strip_suffix(form.after)) == Some(self.name.as_str())
        })
    }
}
