//! Actions whose requests and responses have another form: those that take or return a model whose properties changed.
//!
//! Owns: which changes of a type change its form, and what has a model within. Must not know: how routes are read from
//! attributes, who sends requests.

use std::collections::{BTreeMap, BTreeSet};

use cortex_bind::MemberNode;
use cortex_derived::doc_ids::DocIds;
use cortex_git::ReadBlob;
use cortex_index::{FileSummary, Snapshot};
use cortex_look::QueryError;
use cortex_model::{Accessibility, DeclKind, LineTable, Modifier, TypeKey, TypeKind};
use cortex_syntax::text::decode;
use cortex_wire::{BoundModel, MemberChangeKind, ModelRole, Role, RouteContract, UseSide};

use crate::{
    diff_context::{blobs::BlobSource, compared::Compared},
    impact::{
        next::Member,
        requests::written,
        symbols::ChangedSymbol,
        uses::{Found, Want, Wanted, find},
    },
    routes,
};

/// So many steps lead from a changed model to those that have it in their properties.
const MAX_STEPS: usize = 4;

/// A type that more files use is no model of a few requests.
const MAX_FILES: usize = 400;

/// A type with a changed one within, or a changed one itself.
struct Model {
    key: TypeKey,
    /// The one that it has in a property or derives from, by index; `None` for a changed one.
    within: Option<usize>,
}

/// A member that takes or returns models.
struct Binding {
    /// A file that names one of them in the head of the member, and where.
    file: FileSummary,
    offset: u32,
    /// Indices of models, those that changed themselves first.
    models: Vec<(usize, ModelRole)>,
}

/// Models and who takes or returns them.
#[derive(Default)]
struct Models {
    all: Vec<Model>,
    known: BTreeSet<TypeKey>,
    bound: BTreeMap<Member, Binding>,
}

/// The routes of actions that take or return models of both sides whose properties changed; by template, verb and
/// handler. O(files that use the models and what has them).
pub(crate) fn find_contracts(
    compared: &Compared,
    symbols: &[ChangedSymbol],
    source: BlobSource<'_>,
) -> Result<Vec<RouteContract>, QueryError> {
    let mut ids = DocIds::new(&compared.new);
    let mut models = Models::default();
    for key in changed_models(compared, symbols)? {
        models.add(key, None);
    }
    let mut n_followed = 0;
    for _ in 0..MAX_STEPS {
        let n_known = models.all.len();
        models.follow(compared, &mut ids, n_followed)?;
        n_followed = n_known;
    }
    let mut reader = source.open();
    let mut out = Vec::new();
    for (&member, binding) in &models.bound {
        let Some((node, at)) = written(&mut ids, member)? else {
            continue;
        };
        let action = &node.members[at];
        let routes = routes::of_action(&node, action);
        if routes.is_empty() {
            continue;
        }
        let text = decode(&reader.read_blob(binding.file.blob)?)
            .as_bytes()
            .to_vec();
        let simple = node.fqn.rsplit(['.', '+']).next().unwrap_or(&node.fqn);
        let bound = models.told(&mut ids, binding)?;
        out.extend(routes.into_iter().map(|(verb, template)| RouteContract {
            template,
            verb: verb.to_owned(),
            handler: format!("{simple}.{}", action.name),
            path: binding.file.path.clone(),
            line: LineTable::new(&text).position(binding.offset).line,
            models: bound.clone(),
        }));
    }
    out.sort();
    // Several projects may compile one file.
    out.dedup();
    Ok(out)
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
                Role::Return => Some(ModelRole::Returns),
                _ => None,
            };
            if let (Some(tag), Some(role)) = (member, role) {
                let binding = self.bound.entry((around, tag)).or_insert_with(|| Binding {
                    file: file.clone(),
                    offset: found.offset,
                    models: Vec::new(),
                });
                if !binding.models.contains(&(model, role)) {
                    binding.models.push((model, role));
                }
            }
            if has_within(ids, found)? && is_model(&compared.new, around)? {
                self.add(around, Some(model));
            }
        }
        Ok(())
    }

    /// What a member takes and returns, in documentation ids.
    fn told(&self, ids: &mut DocIds<'_>, binding: &Binding) -> Result<Vec<BoundModel>, QueryError> {
        let mut out = Vec::new();
        for &(at, role) in &binding.models {
            let Some(id) = ids.of(self.all[at].key, None)? else {
                continue;
            };
            let mut changed = at;
            while let Some(within) = self.all[changed].within {
                changed = within;
            }
            let Some(changed) = ids.of(self.all[changed].key, None)? else {
                continue;
            };
            out.push(BoundModel { role, id, changed });
        }
        out.sort();
        Ok(out)
    }
}

fn want(model: usize) -> Want {
    Want::of(None, model)
}

/// The product types of both sides of which properties that others see came, went, or have another declaration.
fn changed_models(
    compared: &Compared,
    symbols: &[ChangedSymbol],
) -> Result<BTreeSet<TypeKey>, QueryError> {
    let mut out = BTreeSet::new();
    for symbol in symbols {
        let is_other = matches!(
            symbol.change,
            MemberChangeKind::Added
                | MemberChangeKind::Removed
                | MemberChangeKind::Signature
                | MemberChangeKind::Shape
        );
        if !is_other || !symbol.id.starts_with("P:") {
            continue;
        }
        let nodes = (
            compared.old.type_node(symbol.key)?,
            compared.new.type_node(symbol.key)?,
        );
        let (Some(old), Some(new)) = nodes else {
            continue;
        };
        let node = match symbol.side {
            UseSide::Old => old,
            UseSide::New => new,
        };
        let is_told = node
            .members
            .iter()
            .any(|member| Some(&member.name) == symbol.name.as_ref() && is_of_form(member));
        if is_told && !compared.is_of_tests(&node.project) && is_model(&compared.new, symbol.key)? {
            out.insert(symbol.key);
        }
    }
    Ok(out)
}

/// Whether a request or response can hold an object of a type: an interface is handed over by a container.
fn is_model(snapshot: &Snapshot, key: TypeKey) -> Result<bool, QueryError> {
    let header = snapshot.type_header(key)?;
    Ok(header.is_some_and(|it| it.kind != TypeKind::Interface))
}

/// Whether a member is part of what is read from a request and written to a response.
fn is_of_form(member: &MemberNode) -> bool {
    let is_ignored = |name: &str| name.contains("JsonIgnore");
    member.kind == DeclKind::Property
        && member.accessibility == Accessibility::Public
        && !member.has(Modifier::Static)
        && !(member.attributes.iter()).any(|it| is_ignored(&it.name.to_string()))
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
