//! Actions whose requests and responses have another form: those that take or return a model whose properties changed.
//!
//! Owns: which changes of a type change its form, and what has a model within. Must not know: how routes are read from
//! attributes, who sends requests.

mod forms;

use std::{
    borrow::Cow,
    collections::{BTreeMap, BTreeSet},
};

use cortex_bind::{AttributeNode, MemberNode};
use cortex_derived::doc_ids::DocIds;
use cortex_git::ReadBlob;
use cortex_index::{FileSummary, Snapshot};
use cortex_look::{QueryError, follow::renames::Aliases};
use cortex_model::{Accessibility, AccessorKind, DeclKind, LineTable, Modifier, TypeKey, TypeKind};
use cortex_syntax::text::decode;
use cortex_wire::{
    BoundModel, FieldChange, MemberChangeKind, ModelChange, ModelRole, Role, RouteContract,
};

pub(crate) use self::forms::find_forms;
use crate::{
    changes::Pair,
    diff_context::{blobs::BlobSource, compared::Compared},
    impact::{
        actions::written,
        next::Member,
        symbols::ChangedSymbol,
        uses::{Found, Want, Wanted, find},
    },
    routes::Controller,
};

/// So many steps lead from a changed model to those that have it in their properties.
const MAX_STEPS: usize = 12;

/// A type that more files use is no model of a few requests.
const MAX_FILES: usize = 400;

/// Attributes of parameters that a container fills.
const SERVICES: [&str; 2] = ["FromServices", "FromKeyedServices"];

/// Conditions of `[JsonIgnore]` under which a property with a value is there.
const VALUES: [&str; 3] = ["WhenWritingNull", "WhenWritingDefault", "Never"];

/// How the bases of attributes are called that bind parameters.
const BINDER: &str = "ModelBinderAttribute";

/// In the names of attributes of actions that say what is returned.
const RESPONSE: &str = "Produces";

/// A type with a changed one within, or a changed one itself.
struct Model {
    key: TypeKey,
    /// The one that it has in a property or derives from, by index; `None` for a changed one.
    within: Option<usize>,
}

/// A member that takes or returns models.
struct Binding {
    /// The file that names them in the head of the member.
    file: FileSummary,
    /// Those that changed themselves first.
    models: Vec<Named>,
}

/// A model in the head of a member.
struct Named {
    /// By index.
    model: usize,
    role: ModelRole,
    offset: u32,
    /// Whether an expression names it: in an attribute that says what is returned, or elsewhere.
    is_expression: bool,
}

impl Named {
    /// Whether a request or a response has it. `text`: that of the file.
    fn is_bound(&self, snapshot: &Snapshot, text: &[u8]) -> Result<bool, QueryError> {
        let before = &text[..text.len().min(self.offset as usize)];
        Ok(match (self.role, self.is_expression) {
            (ModelRole::Returns, false) => true,
            (_, true) => {
                let attribute = behind_opening(before, b"[");
                attribute.contains(RESPONSE)
            }
            (ModelRole::Takes, false) => {
                let parameter = behind_opening(before, b"(,");
                !SERVICES.iter().any(|name| parameter.contains(name))
                    && !has_own_binder(snapshot, &parameter)?
            }
        })
    }
}

/// Whether an attribute of a parameter is one of the repository that binds it: its value is made, and not read.
fn has_own_binder(snapshot: &Snapshot, parameter: &str) -> Result<bool, QueryError> {
    let lists = parameter.split('[').skip(1);
    for name in lists.filter_map(|list| list.split([']', '(', ',', ':']).next()) {
        for ty in snapshot.types_named(&format!("{}Attribute", name.trim()))? {
            let bases = snapshot.type_node(ty.key)?.map(|node| node.base_list);
            let mut bases = bases.into_iter().flatten();
            if bases.any(|base| base.full().ends_with(BINDER)) {
                return Ok(true);
            }
        }
    }
    Ok(false)
}

/// What stands behind the last of some bytes that no bracket before the end of the text closes; nothing without one.
fn behind_opening<'t>(text: &'t [u8], wanted: &[u8]) -> Cow<'t, str> {
    let mut depth = 0;
    let start = text.iter().rposition(|byte| {
        let is_outside = depth == 0;
        match byte {
            b']' | b')' => depth += 1,
            b'[' | b'(' if !is_outside => depth -= 1,
            _ => {}
        }
        is_outside && wanted.contains(byte)
    });
    String::from_utf8_lossy(&text[start.map_or(text.len(), |at| at + 1)..])
}

/// Models and who takes or returns them.
#[derive(Default)]
struct Models {
    all: Vec<Model>,
    known: BTreeSet<TypeKey>,
    bound: BTreeMap<Member, Binding>,
}

/// The routes of actions that take or return models of both sides whose fields changed, by template, verb and handler, and
/// what differs of these models, by id. O(files that use the models and what has them).
pub(crate) fn find_contracts(
    compared: &Compared,
    symbols: &[ChangedSymbol],
    pairs: &[Pair<'_>],
    aliases: &Aliases,
    source: BlobSource<'_>,
) -> Result<(Vec<RouteContract>, Vec<ModelChange>), QueryError> {
    let mut ids = DocIds::new(&compared.new);
    let mut models = Models::default();
    let changed = changed_models(compared, symbols, pairs, aliases)?;
    for &key in changed.keys() {
        models.add(key, None);
    }
    let mut n_followed = 0;
    for _ in 0..MAX_STEPS {
        let n_known = models.all.len();
        models.follow(compared, &mut ids, n_followed)?;
        n_followed = n_known;
    }
    let mut reader = source.open();
    let Models { all, bound, .. } = models;
    let mut out = Vec::new();
    for (member, mut binding) in bound {
        let Some((node, at)) = written(&mut ids, member)? else {
            continue;
        };
        let action = &node.members[at];
        let routes = Controller::of(&compared.new, &node)?.routes_of(action);
        if routes.is_empty() {
            continue;
        }
        let text = decode(&reader.read_blob(binding.file.blob)?)
            .as_bytes()
            .to_vec();
        let mut bound = Vec::new();
        for named in binding.models {
            let model = &changed[&all[root(&all, named.model)].key];
            let is_other = match named.role {
                ModelRole::Returns => model.is_returned,
                ModelRole::Takes => model.is_given,
            };
            if is_other && named.is_bound(&compared.new, &text)? {
                bound.push(named);
            }
        }
        binding.models = bound;
        let Some(first) = binding.models.first() else {
            continue;
        };
        let line = LineTable::new(&text).position(first.offset).line;
        let simple = node.fqn.rsplit(['.', '+']).next().unwrap_or(&node.fqn);
        let bound = told(&all, &mut ids, &binding)?;
        out.extend(routes.into_iter().map(|(verb, template)| RouteContract {
            template,
            verb: verb.to_owned(),
            handler: format!("{simple}.{}", action.name),
            path: binding.file.path.clone(),
            line,
            models: bound.clone(),
        }));
    }
    out.sort();
    // Several projects may compile one file.
    out.dedup();
    let told: BTreeSet<&str> = (out.iter().flat_map(|it| &it.models))
        .map(|model| &*model.changed)
        .collect();
    let mut forms = Vec::new();
    for (key, Changed { fields, .. }) in changed {
        let id = ids.of(key, None)?;
        let id = id.filter(|it| !fields.is_empty() && told.contains(&**it));
        forms.extend(id.map(|id| ModelChange { id, fields }));
    }
    forms.sort();
    Ok((out, forms))
}

impl Models {
    fn add(&mut self, key: TypeKey, within: Option<usize>) {
        if self.known.insert(key) {
            self.all.push(Model { key, within });
        }
    }

    /// Finds what has models within, and who takes or returns them. `from`: the first model that was not followed.
    fn follow(
        &mut self,
        compared: &Compared,
        ids: &mut DocIds<'_>,
        from: usize,
    ) -> Result<(), QueryError> {
        let mut wanted = Wanted::new();
        for (at, model) in self.all.iter().enumerate().skip(from) {
            if compared.new.referrers(model.key, None)?.len() <= MAX_FILES {
                wanted.entry(model.key).or_default().push(want(at));
            }
        }
        let places = find(&compared.new, &wanted)?;
        for found in &places.found {
            let file = &places.files[found.file as usize];
            let Some((around, member)) = found.inside else {
                continue;
            };
            if compared.is_of_tests(&file.projects[found.project as usize]) {
                continue;
            }
            let model = found.want.symbol;
            let role = match found.role {
                Role::Parameter => Some(ModelRole::Takes),
                Role::Return | Role::Typeof | Role::TypeArgument => Some(ModelRole::Returns),
                _ => None,
            };
            if let (Some(tag), Some(role)) = (member, role) {
                let binding = self.bound.entry((around, tag)).or_insert_with(|| Binding {
                    file: file.clone(),
                    models: Vec::new(),
                });
                binding.models.push(Named {
                    model,
                    role,
                    offset: found.offset,
                    is_expression: matches!(found.role, Role::Typeof | Role::TypeArgument),
                });
            }
            if has_within(ids, found)? && is_model(&compared.new, around)? {
                self.add(around, Some(model));
            }
        }
        Ok(())
    }
}

/// The changed model within a model, by index.
fn root(models: &[Model], model: usize) -> usize {
    let mut at = model;
    while let Some(within) = models[at].within {
        at = within;
    }
    at
}

/// What a member takes and returns, in documentation ids, each once.
fn told(
    models: &[Model],
    ids: &mut DocIds<'_>,
    binding: &Binding,
) -> Result<Vec<BoundModel>, QueryError> {
    let mut out = Vec::new();
    for &Named { model, role, .. } in &binding.models {
        let Some(id) = ids.of(models[model].key, None)? else {
            continue;
        };
        let Some(changed) = ids.of(models[root(models, model)].key, None)? else {
            continue;
        };
        out.push(BoundModel { role, id, changed });
    }
    out.sort();
    out.dedup();
    Ok(out)
}

fn want(model: usize) -> Want {
    Want::of(None, model)
}

/// A model of both sides with another form.
struct Changed {
    /// What differs of its fields and those of its bases; nothing where only attributes do.
    fields: Vec<FieldChange>,
    /// Whether a request can give a value to one that differs, or what it gives is validated otherwise.
    is_given: bool,
    /// Whether responses differ.
    is_returned: bool,
}

/// What the framework calls of a model that a request gives: `IValidatableObject.Validate`.
const VALIDATES: &str = ".Validate(System.ComponentModel.DataAnnotations.ValidationContext)";

/// The types of the newer side that validate themselves otherwise.
fn validated(symbols: &[ChangedSymbol], aliases: &Aliases) -> BTreeSet<TypeKey> {
    let validating = symbols.iter().filter(|it| it.id.ends_with(VALIDATES));
    let other = validating.filter(|it| it.change != MemberChangeKind::Docs);
    other
        .map(|it| aliases.new_of(it.key).unwrap_or(it.key))
        .collect()
}

/// The product types of both sides that have other fields than before, their own or those of bases, or fields with another
/// declaration, and enums of which values came or went.
fn changed_models(
    compared: &Compared,
    symbols: &[ChangedSymbol],
    pairs: &[Pair<'_>],
    aliases: &Aliases,
) -> Result<BTreeMap<TypeKey, Changed>, QueryError> {
    let mut out = BTreeMap::new();
    let declared = declared_otherwise(compared, symbols, aliases)?;
    let other_bases = pairs.iter().filter_map(|pair| {
        let (before, after) = (pair.before()?, pair.new?);
        (before.base_list != after.base_list).then(|| aliases.new_of(pair.key).unwrap_or(pair.key))
    });
    let validated = validated(symbols, aliases);
    let keys = declared.keys().chain(&validated).copied();
    let keys: BTreeSet<TypeKey> = keys.chain(other_bases).collect();
    for key in keys {
        let old = aliases.old_of(key).unwrap_or(key);
        let nodes = (compared.old.type_node(old)?, compared.new.type_node(key)?);
        let (Some(old), Some(new)) = nodes else {
            continue;
        };
        if compared.is_of_tests(&new.project) || !is_model(&compared.new, key)? {
            continue;
        }
        let sides = [(&compared.old, &old), (&compared.new, &new)];
        let fields = forms::changes(sides, None)?;
        let is_attribute_given = declared.get(&key).copied().flatten();
        let is_returned = !fields.is_empty() || is_attribute_given.is_some();
        let is_validated = validated.contains(&key);
        if !is_returned && !is_validated {
            continue;
        }
        let is_given = is_validated
            || is_attribute_given == Some(true)
            || !forms::changes(sides, Some(ModelRole::Takes))?.is_empty();
        let changed = Changed {
            fields,
            is_given,
            is_returned,
        };
        out.insert(key, changed);
    }
    Ok(out)
}

/// The types of both sides with fields that came, went or have another declaration; of those with other attributes,
/// whether a request can give a value to one of these.
fn declared_otherwise(
    compared: &Compared,
    symbols: &[ChangedSymbol],
    aliases: &Aliases,
) -> Result<BTreeMap<TypeKey, Option<bool>>, QueryError> {
    let mut out: BTreeMap<TypeKey, Option<bool>> = BTreeMap::new();
    for symbol in symbols {
        let is_other = matches!(
            symbol.change,
            MemberChangeKind::Added
                | MemberChangeKind::Removed
                | MemberChangeKind::Signature
                | MemberChangeKind::Shape
        );
        if !is_other || !symbol.id.starts_with("P:") && !symbol.id.starts_with("F:") {
            continue;
        }
        let key = aliases.new_of(symbol.key).unwrap_or(symbol.key);
        let other = out.entry(key).or_default();
        if symbol.change != MemberChangeKind::Shape {
            continue;
        }
        let Some(node) = compared.new.type_node(key)? else {
            continue;
        };
        let is_told = |it: &&MemberNode| Some(&it.name) == symbol.name.as_ref() && is_of_form(it);
        if let Some(member) = node.members.iter().find(is_told) {
            *other = Some(is_written(member) || *other == Some(true));
        }
    }
    Ok(out)
}

/// Whether a request or response can hold an object of a type: an interface is handed over by a container.
fn is_model(snapshot: &Snapshot, key: TypeKey) -> Result<bool, QueryError> {
    let header = snapshot.type_header(key)?;
    Ok(header.is_some_and(|it| it.kind != TypeKind::Interface))
}

/// Whether a property can be given a value. One that has no accessors written is the parameter of a record.
pub(crate) fn is_written(member: &MemberNode) -> bool {
    let mut accessors = member.accessors.iter();
    let sets = |kind| matches!(kind, AccessorKind::Set | AccessorKind::Init);
    member.accessors.is_empty() || accessors.any(|accessor| sets(accessor.kind))
}

/// Whether a member is part of what is read from a request and written to a response.
fn is_of_form(member: &MemberNode) -> bool {
    let is_ignored = |attribute: &AttributeNode| {
        let name = attribute.name.to_string();
        let arguments = attribute.arguments.as_deref().unwrap_or_default();
        name.contains("JsonIgnore") && !VALUES.iter().any(|it| arguments.contains(it))
    };
    member.kind == DeclKind::Property
        && member.accessibility == Accessibility::Public
        && !member.has(Modifier::Static)
        && !(member.attributes.iter()).any(is_ignored)
}

/// Whether the type around a place has what the place names in a property that others see, or derives from it.
fn has_within(ids: &mut DocIds<'_>, found: &Found) -> Result<bool, QueryError> {
    match (found.role, found.inside) {
        (Role::Base, _) => Ok(true),
        (Role::Property, Some((around, Some(tag)))) => {
            let Some(own) = ids.ty(around)? else {
                return Ok(false);
            };
            let at = own.index(tag);
            Ok(at.is_some_and(|at| own.symbols.members[at].accessibility == Accessibility::Public))
        }
        _ => Ok(false),
    }
}
