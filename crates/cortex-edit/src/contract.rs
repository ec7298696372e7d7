//! What a declaration allows other code to do, beyond what its name means: to write a property, to override a member. An edit
//! that takes it away breaks code that binds as it did.
//!
//! Source: C# specification, §15.3 to §15.11 (members), §15.2 (classes), §15.7.3 (accessors).
//!
//! Owns: what of a declaration that is, and which uses need it. Must not know: how the edit was planned.

use std::collections::BTreeMap;

use cortex_look::{
    QueryError,
    uses::{edit_target, is_overridden, uses},
    viewpoint::Viewpoint,
};
use cortex_model::{Accessibility, AccessorKind, DeclKind, Modifier};
use cortex_syntax::{
    Accessor, Constraint, Decl, DeclId, FileFacts, Sections, TypeSyntax, Variance, text::decode,
};
use cortex_wire::{Difference, Role};

use crate::{
    EditError,
    plan::{FilePlan, Plan},
    proof::{NewSide, OldSide, Proof},
};

/// Adds the uses of edited declarations that need what these no longer allow. O(uses of such declarations).
///
/// # Errors
/// Those of the index.
pub(crate) fn add_lost_rights(
    view: &Viewpoint<'_>,
    (old, new): (&OldSide<'_>, &NewSide<'_>),
    plan: &Plan,
    found: &mut Proof,
) -> Result<(), EditError> {
    for file in plan.files.values().filter(|file| file.is_csharp()) {
        let path = &file.old.path;
        let (Some(before), Some(after)) = (
            old.symbols.projects_of(path)?.first().copied(),
            new.symbols.projects_of(&file.new_path)?.first().copied(),
        ) else {
            continue;
        };
        let (Some(before), Some(after)) = (
            old.symbols.facts(path, before, Sections::All)?,
            new.symbols.facts(&file.new_path, after, Sections::All)?,
        ) else {
            continue;
        };
        for lost in lost_rights(&before, &after) {
            add_uses(view, (plan, file), &lost, found)?;
        }
    }
    Ok(())
}

/// What a declaration no longer allows.
struct LostRight {
    /// Where its name is on the old side.
    line: u32,
    name_at: u32,
    needed_by: NeededBy,
    before: String,
    after: String,
}

/// Which uses need a right.
#[derive(Clone, Copy, PartialEq, Eq)]
enum NeededBy {
    /// All but those in documentation.
    Uses,
    Reads,
    Writes,
    Calls,
    /// Members that override it.
    Overrides,
}

impl NeededBy {
    fn has(self, role: Role) -> bool {
        match self {
            Self::Uses => !matches!(role, Role::Doc | Role::Nameof | Role::Literal),
            Self::Reads => role == Role::Read,
            Self::Writes => role == Role::Write,
            Self::Calls => matches!(
                role,
                Role::Call | Role::Creation | Role::Index | Role::Attribute
            ),
            Self::Overrides => false,
        }
    }
}

/// Adds the places that need a right.
fn add_uses(
    view: &Viewpoint<'_>,
    (plan, file): (&Plan, &FilePlan),
    lost: &LostRight,
    found: &mut Proof,
) -> Result<(), EditError> {
    let path = &file.old.path;
    let text = decode(&file.old_bytes);
    let at = crate::inline_variable::shown(path, text.as_str(), lost.name_at);
    let symbols = match edit_target(view, &at) {
        Ok(target) => target.symbols,
        // What no project declares, nothing uses.
        Err(QueryError::SymbolNotFound { .. }) => return Ok(()),
        Err(error) => return Err(error.into()),
    };
    let mut add = |path: &cortex_model::RepoPath, offset: u32, line: u32| {
        let key = (path.clone(), offset);
        // What is lost says more than that the code is forbidden now.
        let is_more = |told: &Difference| told.before.is_none();
        if found.differences.get(&key).is_none_or(is_more) {
            let difference = Difference {
                file: path.clone(),
                line,
                question: "what the declaration allows".to_owned(),
                before: Some(lost.before.clone()),
                after: Some(lost.after.clone()),
            };
            found.differences.insert(key, difference);
        }
    };
    if lost.needed_by == NeededBy::Overrides {
        if is_overridden(view, &symbols)? {
            add(path, lost.name_at, lost.line);
        }
        return Ok(());
    }
    for place in uses(view, &symbols)? {
        let is_edited = plan
            .files
            .get(&place.file)
            .is_some_and(|file| file.edits.new_position(place.range.start).is_none());
        if !is_edited && lost.needed_by.has(place.role) {
            add(&place.file, place.range.start, place.line);
        }
    }
    Ok(())
}

/// A declaration's place among others: the names around it, its own, how many parameters it has, and how many others
/// before it have all of these.
type Key = (Vec<String>, String, Option<usize>, usize);

fn by_key(facts: &FileFacts) -> BTreeMap<Key, DeclId> {
    let mut out = BTreeMap::new();
    for (id, decl) in facts.decls.iter().enumerate() {
        let is_callable = matches!(
            decl.kind,
            DeclKind::Method | DeclKind::Constructor | DeclKind::Operator | DeclKind::Indexer
        );
        let n_params = decl.params.as_ref().filter(|_| is_callable).map(Vec::len);
        let mut around = Vec::new();
        let mut parent = decl.parent;
        while let Some(id) = parent {
            let outer = &facts.decls[id as usize];
            around.push(format!(
                "{}`{}",
                facts.name(outer.name),
                outer.type_params.len()
            ));
            parent = outer.parent;
        }
        let name = format!("{}`{}", facts.name(decl.name), decl.type_params.len());
        let mut key = (around, name, n_params, 0);
        while out.contains_key(&key) {
            key.3 += 1;
        }
        out.insert(key, id as DeclId);
    }
    out
}

/// What declarations of a file no longer allow.
fn lost_rights(before: &FileFacts, after: &FileFacts) -> Vec<LostRight> {
    let [old, new] = [before, after].map(by_key);
    let mut out = Vec::new();
    for (key, &id) in &old {
        let Some(&new_id) = new.get(key) else {
            continue;
        };
        let decls = [(before, id), (after, new_id)].map(|(facts, id)| Declared {
            facts,
            decl: &facts.decls[id as usize],
        });
        let [old_decl, new_decl] = &decls;
        let lost = match old_decl.decl.kind.type_kind().is_some() {
            true => lost_of_type(old_decl, new_decl),
            false => lost_of_member(old_decl, new_decl),
        };
        out.extend(
            lost.into_iter()
                .map(|(needed_by, before, after)| LostRight {
                    line: old_decl.decl.line,
                    name_at: old_decl.decl.name_range.start,
                    needed_by,
                    before,
                    after,
                }),
        );
    }
    out
}

struct Declared<'f> {
    facts: &'f FileFacts,
    decl: &'f Decl,
}

type Lost = (NeededBy, String, String);

fn lost_of_member(old: &Declared<'_>, new: &Declared<'_>) -> Vec<Lost> {
    let (before, after) = (old.decl, new.decl);
    let mut out = Vec::new();
    let mut lose =
        |by, before: &str, after: &str| out.push((by, before.to_owned(), after.to_owned()));
    let [was, is] = [before, after].map(|it| move |modifier| it.modifiers.contains(modifier));
    match (was(Modifier::Static), is(Modifier::Static)) {
        (true, false) if after.kind != DeclKind::Constant => {
            lose(NeededBy::Uses, "of the type", "of an object");
        }
        (false, true) if before.kind != DeclKind::Constant => {
            lose(NeededBy::Uses, "of an object", "of the type");
        }
        _ => {}
    }
    let is_variable =
        |decl: &Decl| decl.kind == DeclKind::Field && !decl.modifiers.contains(Modifier::Readonly);
    if is_variable(before) && after.kind == DeclKind::Field && is(Modifier::Readonly) {
        lose(NeededBy::Writes, "can be written", "readonly");
    }
    let has_accessors = |decl: &Decl| matches!(decl.kind, DeclKind::Property | DeclKind::Indexer);
    if has_accessors(after) && (has_accessors(before) || is_variable(before)) {
        if reads(before) > reads(after) {
            lose(NeededBy::Reads, "can be read", &reads(after).text("read"));
        }
        if writes(before) > writes(after) {
            lose(
                NeededBy::Writes,
                "can be written",
                &writes(after).text("written"),
            );
        }
        let kinds = |decl: &Decl| -> Vec<AccessorKind> {
            match decl.accessors.as_slice() {
                // Of an expression.
                [] => vec![AccessorKind::Get],
                all => all.iter().map(|it| it.kind).collect(),
            }
        };
        if is_overridable(before) && kinds(before) != kinds(after) {
            lose(NeededBy::Overrides, "these accessors", "other accessors");
        }
    }
    let is_like_field = |it: &Decl| it.kind == DeclKind::Event && it.accessors.is_empty();
    if is_like_field(before) && after.kind == DeclKind::Event && !is_like_field(after) {
        lose(NeededBy::Reads, "can be raised", "has accessors");
    }
    if is_overridable(before) {
        // One that is no longer virtual leaves its overrides without what they override, which the proof tells.
        if is(Modifier::Sealed) && !was(Modifier::Sealed) {
            lose(
                NeededBy::Overrides,
                "can be overridden",
                "cannot be overridden",
            );
        }
        if before.accessibility != after.accessibility {
            let [a, b] = [before, after].map(|it| access(it.accessibility));
            lose(NeededBy::Overrides, a, b);
        }
    }
    let [old_params, new_params] = [old, new].map(|it| it.decl.params.as_deref().unwrap_or(&[]));
    for (a, b) in old_params.iter().zip(new_params) {
        let [a, b] =
            [(old, a), (new, b)].map(|(side, param)| param.default.map(|it| side.facts.name(it)));
        if let (Some(a), Some(b)) = (a, b)
            && a != b
        {
            lose(
                NeededBy::Calls,
                &format!("`{a}` by default"),
                &format!("`{b}` by default"),
            );
        }
    }
    out
}

fn lost_of_type(old: &Declared<'_>, new: &Declared<'_>) -> Vec<Lost> {
    let (before, after) = (old.decl, new.decl);
    let mut out = Vec::new();
    let mut lose =
        |by, before: &str, after: &str| out.push((by, before.to_owned(), after.to_owned()));
    if before.kind != after.kind {
        let [a, b] =
            [before.kind, after.kind].map(|kind| kind.type_kind().map_or("", |it| it.name()));
        lose(NeededBy::Uses, a, b);
        return out;
    }
    let [was, is] = [before, after].map(|it| it.modifiers.contains(Modifier::Static));
    if is && !was {
        lose(NeededBy::Uses, "has objects", "static");
    }
    let bases = |it: &Declared<'_>| -> Vec<String> {
        it.decl
            .bases
            .iter()
            .map(|base| written(it.facts, base))
            .collect()
    };
    let kept = bases(new);
    for base in bases(old).iter().filter(|base| !kept.contains(base)) {
        lose(
            NeededBy::Uses,
            &format!("a `{base}`"),
            &format!("no `{base}`"),
        );
    }
    for (a, b) in before.type_params.iter().zip(&after.type_params) {
        let name = old.facts.name(a.name);
        if a.variance != b.variance && a.variance != Variance::None {
            lose(
                NeededBy::Uses,
                &format!("variant in `{name}`"),
                "not variant",
            );
        }
        let constraints = |it: &Declared<'_>, all: &[Constraint]| -> Vec<String> {
            let all = all.iter().map(|constraint| match constraint {
                Constraint::Type(ty) => written(it.facts, ty),
                Constraint::Keyword(word) => it.facts.name(*word).to_owned(),
            });
            all.collect()
        };
        let had = constraints(old, &a.constraints);
        for constraint in constraints(new, &b.constraints) {
            if !had.contains(&constraint) {
                let after = format!("`{name}` must be `{constraint}`");
                lose(NeededBy::Uses, &format!("any `{name}`"), &after);
            }
        }
    }
    out
}

/// How far a value may be read or written; more is greater.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Access {
    Nobody,
    /// Who may is another question than before.
    Some(Accessibility),
    InInitializers,
    Everybody,
}

impl Access {
    fn text(self, done: &str) -> String {
        match self {
            Self::Nobody => format!("cannot be {done}"),
            Self::Some(accessibility) => format!("{done} by {} code", access(Some(accessibility))),
            Self::InInitializers => format!("{done} by initializers"),
            Self::Everybody => format!("can be {done}"),
        }
    }
}

fn reads(decl: &Decl) -> Access {
    match decl.accessors.is_empty() {
        // A field, or a property with an expression.
        true => Access::Everybody,
        false => (decl.accessors.iter())
            .find(|it| it.kind == AccessorKind::Get)
            .map_or(Access::Nobody, |it| limit(it, Access::Everybody)),
    }
}

fn writes(decl: &Decl) -> Access {
    if decl.kind == DeclKind::Field {
        return Access::Everybody;
    }
    let mut setters = decl.accessors.iter();
    setters
        .find_map(|it| match it.kind {
            AccessorKind::Set => Some(limit(it, Access::Everybody)),
            AccessorKind::Init => Some(limit(it, Access::InInitializers)),
            _ => None,
        })
        .unwrap_or(Access::Nobody)
}

fn limit(accessor: &Accessor, access: Access) -> Access {
    accessor.accessibility.map_or(access, Access::Some)
}

/// Whether other types may override a member.
fn is_overridable(decl: &Decl) -> bool {
    let is = |modifier| decl.modifiers.contains(modifier);
    (is(Modifier::Virtual) || is(Modifier::Abstract) || is(Modifier::Override))
        && !is(Modifier::Sealed)
}

fn access(accessibility: Option<Accessibility>) -> &'static str {
    accessibility.map_or("not accessible", |it| it.name())
}

/// A type as a person writes it.
fn written(facts: &FileFacts, ty: &TypeSyntax) -> String {
    let all = |types: &[TypeSyntax]| -> String {
        let types: Vec<String> = types.iter().map(|it| written(facts, it)).collect();
        types.join(", ")
    };
    match ty {
        TypeSyntax::Named(segments) => {
            let segments: Vec<String> = segments
                .iter()
                .map(|segment| {
                    let name = (facts.refs.get(segment.reference as usize))
                        .map_or("?", |it| facts.name(it.name));
                    match segment.arguments.is_empty() {
                        true => name.to_owned(),
                        false => format!("{name}<{}>", all(&segment.arguments)),
                    }
                })
                .collect();
            segments.join(".")
        }
        TypeSyntax::Predefined(name) => facts.name(*name).to_owned(),
        TypeSyntax::Array(inner, rank) => {
            format!(
                "{}[{}]",
                written(facts, inner),
                ",".repeat(usize::from(*rank) - 1)
            )
        }
        TypeSyntax::Nullable(inner) => format!("{}?", written(facts, inner)),
        TypeSyntax::Pointer(inner) => format!("{}*", written(facts, inner)),
        TypeSyntax::Ref(inner) => format!("ref {}", written(facts, inner)),
        TypeSyntax::RefReadonly(inner) => format!("ref readonly {}", written(facts, inner)),
        TypeSyntax::Tuple(elements) => {
            let types: Vec<TypeSyntax> = elements.iter().map(|(it, _)| it.clone()).collect();
            format!("({})", all(&types))
        }
        TypeSyntax::FunctionPointer(name, types) => {
            format!("{}<{}>", facts.name(*name), all(types))
        }
        TypeSyntax::Unknown => "?".to_owned(),
    }
}
