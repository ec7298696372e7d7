//! Conflicts of variables, labels and type parameters with what has their name in the same code, and with what code
//! meant by it before their declaration.

use std::collections::{BTreeMap, BTreeSet};

use cortex_model::{ByteRange, DeclKind};
use cortex_semantics::{
    BoundExpressions, Compilation, LocalBindings, LocalDeclaration, LocalKind, LocalSymbol,
    MemberFlags, Target, TypeParamOwner,
};
use cortex_syntax::{AccessorKind, BodyId, BodyKind, text::decode};

use super::{EditedText, Locals, edited_at, is_name_character, is_new, line_of};
use crate::{
    body_tree::BodyTree, identifier::bare, plan::FilePlan, proof::Proof,
    statement_rules::Shadowing, ways::Conditions,
};

/// Adds the conflicts of a file's locals, parameters, labels and type parameters.
pub(super) fn add(text: &EditedText<'_, '_>, locals: Locals, found: &mut Proof) {
    let taken = names_taken(text.file);
    if locals == Locals::Kept && taken.is_empty() {
        return;
    }
    if locals == Locals::Renamed {
        let functions = match text.shadowing() {
            Shadowing::Allowed => Functions::read(text.tree()),
            Shadowing::Forbidden => Functions::default(),
        };
        let unwritten = Unwritten::read(text.tree());
        let violated = text.violations(&Conditions::new()).into_iter();
        let violated = violated.map(|it| it.offset).collect();
        let members = Members::read(text.tree());
        let context = (text.file, (&functions, &members, &violated), &unwritten);
        add_rivals(text.compilation, context, text.locals(), found);
    }
    let early = uses_too_early((text.file, &taken), text.locals(), text.tree());
    if !early.is_empty() {
        add_uses_too_early(text.file, (early, text.bound()), found);
    }
}

/// Whether a symbol is a type parameter of a method or local function, whose name no variable inside may have.
fn is_method_type_parameter(c: &Compilation<'_>, symbol: LocalSymbol) -> bool {
    match symbol {
        LocalSymbol::TypeParameter(id) => {
            !matches!(c.type_param(id).owner, TypeParamOwner::Type(_))
        }
        _ => false,
    }
}

/// What else has the name of a type parameter where the language allows it only once: the type that declares it, and its
/// members.
fn rival_of_type_parameter(c: &Compilation<'_>, symbol: LocalSymbol) -> Option<String> {
    let LocalSymbol::TypeParameter(id) = symbol else {
        return None;
    };
    let name = c.type_param_name(id);
    match c.type_param(id).owner {
        TypeParamOwner::Type(ty) => {
            if c.def(ty).name == name {
                return Some(c.display_type(c.instance_type(ty)));
            }
            if let Some(member) = c.members(ty).named(name).first() {
                return Some(c.display_member(*member));
            }
            let nested = c.nested_types(ty, name);
            Some(c.display_type(c.instance_type(*nested.first()?)))
        }
        // Methods may have the names of their type parameters.
        TypeParamOwner::Method(_) | TypeParamOwner::Local(_) => None,
    }
}

/// The lambdas, anonymous methods and local functions of a file: where each is, and where the name of a local function
/// is, which is declared around it.
#[derive(Default)]
struct Functions(Vec<(ByteRange, Option<u32>)>);

impl Functions {
    fn read(tree: &BodyTree<'_>) -> Self {
        let functions = tree.nodes().filter_map(|id| match tree.kind(id) {
            BodyKind::Lambda | BodyKind::AnonymousMethod => Some((tree.span(id), None)),
            BodyKind::LocalFunction => Some((tree.span(id), Some(tree.node(id).offset))),
            _ => None,
        });
        Self(functions.collect())
    }

    /// The innermost function around a declaration.
    fn around(&self, declaration: &LocalDeclaration) -> Option<ByteRange> {
        let at = declaration.range.start;
        let around = self
            .0
            .iter()
            .filter(|(span, name)| span.contains(at) && *name != Some(at));
        around
            .map(|(span, _)| *span)
            .min_by_key(|span| span.end - span.start)
    }

    /// Whether one of two variables is that of a function inside of the other's, where it may hide the other one.
    fn may_hide(&self, one: &LocalDeclaration, other: &LocalDeclaration) -> bool {
        let may = |it: &LocalDeclaration| {
            matches!(
                it.kind,
                LocalKind::Local | LocalKind::LocalFunction | LocalKind::Parameter
            )
        };
        may(one) && may(other) && self.around(one) != self.around(other)
    }
}

/// The code of the members of a file, initial values included: where each is. Of a member with parameters, all of it.
struct Members(Vec<ByteRange>);

impl Members {
    fn read(tree: &BodyTree<'_>) -> Self {
        let is_function = |kind| {
            matches!(
                kind,
                DeclKind::Method
                    | DeclKind::Constructor
                    | DeclKind::Operator
                    | DeclKind::Conversion
                    | DeclKind::Indexer
            )
        };
        let decls = tree.facts.decls.iter();
        let functions = decls.filter(|it| is_function(it.kind)).map(|it| it.range);
        let is_code = |&id: &BodyId| {
            matches!(
                tree.kind(id),
                BodyKind::Accessor | BodyKind::Body | BodyKind::Initializer
            )
        };
        let code = tree.nodes().filter(is_code).map(|id| tree.span(id));
        Self(functions.chain(code).collect())
    }

    /// Whether one of two variables is a parameter of a type, which those of its members may hide, and the other one is
    /// theirs.
    fn hide(&self, c: &Compilation<'_>, one: &LocalDeclaration, other: &LocalDeclaration) -> bool {
        let is_of_type = |it: &LocalDeclaration| match it.symbol {
            LocalSymbol::Parameter(member, _) => c.member(member).is(MemberFlags::PRIMARY),
            _ => false,
        };
        let is_of_member = |it: &LocalDeclaration| {
            let mut members = self.0.iter();
            members.any(|member| member.contains(it.range.start))
        };
        [(one, other), (other, one)]
            .into_iter()
            .any(|(outer, inner)| is_of_type(outer) && is_of_member(inner))
    }
}

/// The variables that the language declares: where each is one, with its name (C# specification, §15.7.3, §15.8.2, §7.1.3).
struct Unwritten(Vec<(ByteRange, &'static str)>);

impl Unwritten {
    fn read(tree: &BodyTree<'_>) -> Self {
        let mut out = Vec::new();
        for root in tree.nodes().filter(|&id| tree.kind(id) == BodyKind::Decl) {
            let decl = (tree.node(root).value as usize).checked_sub(1);
            let Some(decl) = decl.and_then(|at| tree.facts.decls.get(at)) else {
                continue;
            };
            for part in tree.children(root) {
                let name = match tree.kind(part) {
                    BodyKind::Accessor => {
                        let accessor = decl.accessors.get(tree.node(part).value as usize);
                        let sets = accessor.is_some_and(|it| it.kind != AccessorKind::Get);
                        sets.then_some("value")
                    }
                    BodyKind::Body if decl.kind == DeclKind::TopLevel => Some("args"),
                    _ => None,
                };
                out.extend(name.map(|name| (tree.span(part), name)));
            }
        }
        Self(out)
    }

    /// Whether a declaration has the name of one of them where it cannot hide it.
    fn has(&self, declaration: &LocalDeclaration, functions: &Functions) -> bool {
        let inside = functions.around(declaration);
        self.0.iter().any(|(span, name)| {
            let is_hidden = inside.is_some_and(|function| span.contains(function.start));
            *name == &*declaration.name && span.contains(declaration.range.start) && !is_hidden
        })
    }
}

/// What a parameter of a record cannot be called like.
fn rival_of_positional(c: &Compilation<'_>, symbol: LocalSymbol) -> Option<String> {
    match symbol {
        LocalSymbol::Parameter(constructor, at) => c.rival_of_positional(constructor, at),
        _ => None,
    }
}

/// Adds locals and parameters whose new name another one has in a scope around or inside of theirs.
fn add_rivals(
    c: &Compilation<'_>,
    (file, (functions, members, violated), unwritten): (
        &FilePlan,
        (&Functions, &Members, &BTreeSet<u32>),
        &Unwritten,
    ),
    locals: &LocalBindings,
    found: &mut Proof,
) {
    let is_variable = |kind| {
        matches!(
            kind,
            LocalKind::Local
                | LocalKind::LocalFunction
                | LocalKind::Parameter
                | LocalKind::RangeVariable
        )
    };
    let excludes_each_other = |one: &LocalDeclaration, other: &LocalDeclaration| {
        one.kind == other.kind
            || is_variable(one.kind) && is_variable(other.kind)
            || is_variable(one.kind) && is_method_type_parameter(c, other.symbol)
            || is_variable(other.kind) && is_method_type_parameter(c, one.symbol)
    };
    // Where code declares both, the rules of statements tell exactly whether they see each other.
    let may_share = |one: &LocalDeclaration, other: &LocalDeclaration| {
        [one, other].into_iter().all(|it| {
            matches!(it.symbol, LocalSymbol::Declared(_)) && !violated.contains(&it.range.start)
        })
    };
    for own in &locals.declarations {
        let Some(at) = edited_at(file, own.range.start) else {
            continue;
        };
        // Of new text, the rules of statements tell more exactly where a name is taken.
        let is_renamed = !is_new(file, own.range.start);
        let rival = locals.declarations.iter().find(|other| {
            is_renamed
                && other.symbol != own.symbol
                && other.name == own.name
                && excludes_each_other(own, other)
                && other.scope.overlaps(own.scope)
                && !functions.may_hide(own, other)
                && !members.hide(c, own, other)
                && !may_share(own, other)
        });
        let rival_of_declared = rival_of_type_parameter(c, own.symbol)
            .or_else(|| rival_of_positional(c, own.symbol))
            .or_else(|| {
                let is_taken = is_variable(own.kind) && unwritten.has(own, functions);
                is_taken.then(|| format!("`{}`, which the language declares there", own.name))
            });
        if let Some(rival) = rival_of_declared {
            let line = line_of(file, own.range.start);
            super::add(file, at, line, rival, found);
        } else if let Some(rival) = rival {
            let line = line_of(file, rival.range.start);
            super::add(
                file,
                at,
                line,
                format!("`{}` of line {line}", own.name),
                found,
            );
        }
    }
}

/// The names that an edit writes and that its file has already: what they mean may now be a local.
fn names_taken(file: &FilePlan) -> BTreeSet<String> {
    let old = decode(&file.old_bytes);
    let mut written: BTreeSet<String> = (file.edits.all().iter())
        .map(|edit| bare(&edit.text))
        .filter(|text| !text.is_empty() && text.chars().all(is_name_character))
        .collect();
    written.retain(|name| old.as_str().contains(name));
    written
}

/// A name before the declaration of a local that has it.
struct EarlyUse {
    /// The old place of the edit that makes them the same.
    edited: u32,
    name: u32,
    /// Whether a type may stand there for a value: left of a dot.
    is_qualifier: bool,
    /// Whether a value comes before a type there: in patterns, but for the whole one behind `is`.
    is_value_first: bool,
    /// Whether it is a discard where nothing is called `_`.
    may_discard: bool,
}

/// The names before the declaration of a local that stand in its scope and are the same, where the edit wrote one of both:
/// they mean the local, and cannot (C# specification, §7.7.1, §13.6.2).
fn uses_too_early(
    (file, taken): (&FilePlan, &BTreeSet<String>),
    locals: &LocalBindings,
    tree: &BodyTree<'_>,
) -> Vec<EarlyUse> {
    let mut found = Vec::new();
    let locals = locals.declarations.iter();
    for own in locals.filter(|own| own.kind == LocalKind::Local && taken.contains(&*own.name)) {
        let scope = section_of_label(tree, own).unwrap_or(own.scope.start);
        let before = scope..own.range.start;
        for id in tree.nodes() {
            let node = tree.node(id);
            let is_same = (node.name()).is_some_and(|name| *tree.facts.name(name) == *own.name);
            let is_name = matches!(node.kind, BodyKind::Name | BodyKind::GenericName);
            let sets = |it| tree.kind(it) == BodyKind::ObjectInitializer;
            let parent = tree.parent(id);
            let is_set = parent.is_some_and(|it| sets(it) || tree.parent(it).is_some_and(sets));
            // Behind a dot, and before the colon of a pattern, a name is that of a member.
            let is_of_object = parent.is_some_and(|it| match tree.kind(it) {
                BodyKind::MemberAccess => tree.index_in_parent(id) > 0,
                BodyKind::MemberBinding => true,
                BodyKind::Subpattern => {
                    tree.index_in_parent(id) == 0 && tree.children(it).len() > 1
                }
                _ => false,
            });
            if !is_name || !is_same || !before.contains(&node.offset) || is_set || is_of_object {
                continue;
            }
            let name = node.offset;
            let edited = edited_at(file, own.range.start).or_else(|| edited_at(file, name));
            found.extend(edited.map(|edited| EarlyUse {
                edited,
                name,
                is_qualifier: parent.is_some_and(|it| tree.kind(it) == BodyKind::MemberAccess)
                    && !is_called_like_its_type(tree.text, own),
                is_value_first: is_value_first(tree, id),
                may_discard: &*own.name == "_",
            }));
        }
    }
    found
}

/// The start of the section of `switch` in whose labels a variable is declared: it is in scope there alone (C#
/// specification, §7.7.1).
fn section_of_label(tree: &BodyTree<'_>, local: &LocalDeclaration) -> Option<u32> {
    let declared = tree.declared_at(local.range.start)?;
    let around = |id: &BodyId| {
        matches!(
            tree.kind(*id),
            BodyKind::CaseLabel | BodyKind::Lambda | BodyKind::AnonymousMethod | BodyKind::Section
        )
    };
    let label = tree.ancestors(declared).find(around)?;
    let section = tree.parent(label)?;
    (tree.kind(label) == BodyKind::CaseLabel).then(|| tree.span(section).start)
}

/// Whether a name is a pattern that is a constant if a value has the name, and a type otherwise.
fn is_value_first(tree: &BodyTree<'_>, name: BodyId) -> bool {
    let pattern = tree.parent(name);
    let is_pattern = pattern.is_some_and(|it| tree.kind(it) == BodyKind::ConstantPattern);
    let around = pattern.and_then(|it| tree.parent(it));
    is_pattern && around.is_some_and(|it| tree.kind(it) != BodyKind::Is)
}

/// Whether a local has the name of its type, as it is written before it: left of a dot the name may then mean the type
/// (C# specification, §12.8.7.2).
fn is_called_like_its_type(text: &str, local: &LocalDeclaration) -> bool {
    let before = text.get(..local.range.start as usize).unwrap_or_default();
    let before = before.trim_end().strip_suffix(&*local.name);
    before.is_some_and(|before| !before.ends_with(is_name_character))
}

/// Adds those that mean members, discards, and types left of a dot or in a pattern: elsewhere a type may have the name of a
/// local.
fn add_uses_too_early(
    file: &FilePlan,
    (early, bound): (Vec<EarlyUse>, &BoundExpressions),
    found: &mut Proof,
) {
    let refs = bound.unit.decls.iter().flat_map(|(_, found)| &found.refs);
    let meant: BTreeMap<u32, bool> = (refs)
        .map(|it| (it.offset, matches!(it.target, Target::Member(_))))
        .collect();
    for early in early {
        let is_hidden = match meant.get(&early.name) {
            Some(is_member) => *is_member || early.is_qualifier || early.is_value_first,
            None => early.may_discard,
        };
        if is_hidden {
            let line = line_of(file, early.name);
            let rival = format!("the name in line {line}, before the variable is declared");
            super::add(file, early.edited, line, rival, found);
        }
    }
}
