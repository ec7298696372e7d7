//! Declarations that an edit gives one name where the language allows one declaration of it only. Binding alone does
//! not tell: nothing may use them.
//!
//! Source: C# specification, §7.3 (declarations), §15.3.1 (class members), §13.3 (blocks).

use std::collections::{BTreeMap, BTreeSet};

use cortex_model::{Accessibility, ByteRange, DeclKind, Modifier, TypeKind};
use cortex_semantics::{
    BoundExpressions, Compilation, LocalBindings, LocalDeclaration, LocalKind, LocalSymbol,
    MemberFlags, MemberId, Name, ProjectId, Target, Ty, TypeFlags, TypeId, TypeParamOwner, UnitId,
    UnitKey,
};
use cortex_syntax::{AccessorKind, BodyKind, FileFacts, Sections, text::decode};
use cortex_wire::{Difference, EditWarning, WarningReason};

use crate::{
    EditError,
    body_tree::BodyTree,
    identifier::bare,
    plan::{FilePlan, Plan},
    proof::{NewSide, Proof},
};

/// Whether an edit gives locals, parameters or labels another name.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Locals {
    /// It does: they are looked at, which binds every edited file once more.
    Renamed,
    /// It gives another name to types and members alone.
    Kept,
}

/// Adds the conflicts of a plan to its proof.
///
/// # Errors
/// Those of the index.
pub(crate) fn add_conflicts(
    new: &NewSide<'_>,
    (plan, locals): (&Plan, Locals),
    found: &mut Proof,
) -> Result<(), EditError> {
    new.symbols.read(|compilation| {
        let add = |found: &mut Proof| -> Result<(), EditError> {
            for file in plan.files.values() {
                for project in new.symbols.projects_of(&file.new_path)? {
                    let facts = new
                        .symbols
                        .facts(&file.new_path, project, Sections::Bodies)?;
                    let Some(facts) = facts else { continue };
                    let unit = UnitKey {
                        path: file.new_path.clone(),
                        project: ProjectId::new(project),
                    };
                    let text = EditedText {
                        compilation,
                        unit: compilation.unit_id(&unit),
                        facts: &facts,
                        file,
                    };
                    text.add_declarations(found);
                    let taken = names_taken(file);
                    if locals == Locals::Kept && taken.is_empty() {
                        continue;
                    }
                    let identifiers = new.symbols.identifiers(&file.new_bytes, project);
                    let bound = compilation.local_bindings(&unit, &facts, &identifiers);
                    let source = decode(&file.new_bytes);
                    let tree = BodyTree::new(&facts, source.as_str());
                    if locals == Locals::Renamed {
                        let functions = match allows_shadowing(compilation, unit.project) {
                            true => Functions::read(&tree),
                            false => Functions::default(),
                        };
                        let unwritten = Unwritten::read(&tree);
                        add_locals(compilation, (file, &functions, &unwritten), &bound, found);
                    }
                    let early = uses_too_early((file, &taken), &bound, &tree);
                    if !early.is_empty() {
                        let bound = compilation.bind_expressions(&unit, &facts);
                        add_uses_too_early(file, (early, &bound), found);
                    }
                }
            }
            Ok(())
        };
        Ok(add(found))
    })?
}

/// A file after an edit, as a project compiles it.
struct EditedText<'a, 'w> {
    compilation: &'a Compilation<'w>,
    unit: UnitId,
    facts: &'a FileFacts,
    file: &'a FilePlan,
}

/// Whether a member may hide an inherited one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Hiding {
    Allowed,
    Forbidden,
}

/// Constraints of type parameters that a type of the name takes the place of (C# specification, §15.2.5).
const CONSTRAINTS: [&str; 2] = ["notnull", "unmanaged"];

/// What accessors are called in metadata.
const ACCESSORS: [(DeclKind, &str); 4] = [
    (DeclKind::Property, "get_"),
    (DeclKind::Property, "set_"),
    (DeclKind::Event, "add_"),
    (DeclKind::Event, "remove_"),
];

impl EditedText<'_, '_> {
    /// Adds types and members whose new name another one has.
    fn add_declarations(&self, found: &mut Proof) {
        for (id, decl) in self.facts.decls.iter().enumerate() {
            let Some(at) = edited_at(self.file, decl.name_range.start) else {
                continue;
            };
            let id = id as u32;
            let rival = match decl.kind {
                DeclKind::Constructor | DeclKind::StaticConstructor | DeclKind::Finalizer => None,
                kind if kind.type_kind().is_some() => (self.compilation)
                    .type_of_decl(self.unit, id)
                    .and_then(|ty| self.rival_of_type(ty)),
                _ => (self.compilation)
                    .member_of_decl(self.unit, id)
                    .and_then(|member| self.rival_of_member(member)),
            };
            if let Some(rival) = rival {
                add(self.file, at, decl.line, rival, found);
                continue;
            }
            let name = self.facts.name(decl.name);
            let is_renamed = is_renamed(self.file, decl.name_range.start, name);
            let is_other = is_renamed || is_new(self.file, decl.name_range.start);
            let member = match is_other {
                true => self.compilation.member_of_decl(self.unit, id),
                false => None,
            };
            let hidden = member.and_then(|member| self.hidden_by(member));
            if let Some((hidden, Hiding::Forbidden)) = hidden {
                add(self.file, at, decl.line, hidden, found);
                continue;
            }
            if let Some(reason) = member.and_then(|member| self.misplaced(member)) {
                let key = (self.file.old.path.clone(), at);
                found.differences.entry(key).or_insert_with(|| Difference {
                    file: self.file.old.path.clone(),
                    line: decl.line,
                    question: "which members its type may have".to_owned(),
                    before: None,
                    after: Some(reason.to_owned()),
                });
            }
            if let Some((hidden, Hiding::Allowed)) = hidden {
                let key = (self.file.new_path.clone(), decl.name_range.start);
                let name = format!("{name} ({hidden})");
                found.warnings.entry(key).or_insert_with(|| EditWarning {
                    file: self.file.new_path.clone(),
                    line: decl.line,
                    name,
                    reason: WarningReason::Hides,
                });
            }
        }
    }

    /// Why the type of a member may have none like it (C# specification, §15.2.2.4, §19.4, §16.2).
    fn misplaced(&self, member: MemberId) -> Option<&'static str> {
        let c = self.compilation;
        let declared = c.member(member);
        let owner = c.def(declared.owner);
        let is_instance = !declared.is_static()
            && declared.kind != DeclKind::Constant
            && !declared.is(MemberFlags::EXTENSION_BLOCK);
        if is_instance && c.header(declared.owner).flags.has(TypeFlags::STATIC) {
            return Some("no member of an object: its class is static");
        }
        match (owner.kind, declared.kind) {
            (TypeKind::Interface, DeclKind::Field) if is_instance => {
                Some("no field of an object: its type is an interface")
            }
            (TypeKind::Interface, DeclKind::Constructor) if is_instance => {
                Some("no constructor: its type is an interface")
            }
            _ => None,
        }
    }

    /// What is called like a type where only one may be.
    fn rival_of_type(&self, ty: TypeId) -> Option<String> {
        let c = self.compilation;
        let def = c.def(ty);
        if CONSTRAINTS.contains(&c.text(def.name)) {
            return Some(format!("the constraint `{}`", c.text(def.name)));
        }
        if let Some(rival) = self.rival_in_file(ty) {
            return Some(rival);
        }
        let mut n_whole = 0;
        let mut n_parts = 0;
        for unit in c.units_of(ty) {
            let unit = c.unit(c.unit_id(&unit));
            let facts = unit.facts(c);
            for &decl in unit.head(c).declarations(ty) {
                n_parts += 1;
                let modifiers = facts.decls[decl as usize].modifiers;
                n_whole += usize::from(!modifiers.contains(Modifier::Partial));
            }
        }
        if n_parts > 1 && n_whole > 0 {
            return Some(c.display_type(c.instance_type(ty)));
        }
        if let Some(rival) = self.rival_inside(ty) {
            return Some(rival);
        }
        let outer = def.outer?;
        let outer_def = c.def(outer);
        if outer_def.name == def.name && !may_have_members_of_its_name(outer_def.kind) {
            return Some(c.display_type(c.instance_type(outer)));
        }
        if let Some(member) = c.members(outer).named(def.name).first() {
            return Some(c.display_member(*member));
        }
        self.type_parameter_named(outer, def.name)
    }

    /// The other type of this file that has the name, where one of both is seen in this file alone.
    fn rival_in_file(&self, ty: TypeId) -> Option<String> {
        let c = self.compilation;
        let def = c.def(ty);
        let declared = &c.unit(self.unit).head(c).types;
        let is_local = |decl: u32| {
            let accessibility = self.facts.decls[decl as usize].accessibility;
            accessibility == Some(Accessibility::File)
        };
        let is_ty_local = (declared.iter()).any(|(it, id)| *id == Some(ty) && is_local(it.decl));
        declared.iter().find_map(|(it, id)| {
            let id = id.filter(|&id| id != ty && (is_ty_local || is_local(it.decl)))?;
            let other = c.def(id);
            let is_rival = (other.name, other.namespace, other.arity)
                == (def.name, def.namespace, def.arity)
                && other.outer == def.outer;
            is_rival.then(|| c.display_type(c.instance_type(id)))
        })
    }

    /// The types of the parameters of a compiled method, of which the receiver of an extension block is the first;
    /// `None` of a generic one.
    fn compiled_parameters(&self, member: MemberId) -> Option<Vec<Ty>> {
        let declared = self.compilation.member(member);
        if !declared.signature.type_params.is_empty() {
            return None;
        }
        let is_instance = declared.is(MemberFlags::EXTENSION_BLOCK) && !declared.is_static();
        let receiver = declared.signature.receiver.iter().filter(|_| is_instance);
        let all = receiver.chain(&*declared.signature.params);
        Some(all.map(|param| param.ty).collect())
    }

    /// What the language makes under the name of a member, so that no member may have it.
    fn reserved(&self, member: MemberId) -> Option<String> {
        let c = self.compilation;
        let declared = c.member(member);
        let owner = c.def(declared.owner);
        let name = c.text(declared.name);
        let is_record = c.header(declared.owner).flags.has(TypeFlags::RECORD);
        let is_reserved = match name {
            // Code that writes it discards a value.
            "_" => declared.kind == DeclKind::Method,
            "Clone" => is_record,
            "EqualityContract" => owner.kind == TypeKind::Record,
            "value__" => owner.kind == TypeKind::Enum,
            "get_Item" | "set_Item" => {
                let mut members = c.members(declared.owner).all.iter();
                members.any(|&it| c.member(it).kind == DeclKind::Indexer)
            }
            _ => false,
        };
        is_reserved.then(|| format!("the compiler's own `{name}`"))
    }

    /// The member, nested type or type parameter that has the name of its type, which the language forbids.
    fn rival_inside(&self, ty: TypeId) -> Option<String> {
        let c = self.compilation;
        let def = c.def(ty);
        if let Some(parameter) = self.type_parameter_named(ty, def.name) {
            return Some(parameter);
        }
        if may_have_members_of_its_name(def.kind) {
            let mut named = c.members(ty).named(def.name).iter().copied();
            // Members of the type itself may not.
            let is_of_type =
                |&it: &MemberId| def.kind == TypeKind::Interface && c.member(it).is_static();
            return named.find(is_of_type).map(|it| c.display_member(it));
        }
        if let Some(member) = c.members(ty).named(def.name).first() {
            return Some(c.display_member(*member));
        }
        if let Some(member) = self.member_with_accessor(ty, c.text(def.name)) {
            return Some(c.display_member(member));
        }
        let nested = c.nested_types(ty, def.name);
        Some(c.display_type(c.instance_type(*nested.first()?)))
    }

    /// The property or event of a type that has an accessor of a name.
    fn member_with_accessor(&self, ty: TypeId, name: &str) -> Option<MemberId> {
        let c = self.compilation;
        ACCESSORS.into_iter().find_map(|(kind, prefix)| {
            let rest = c.name(name.strip_prefix(prefix)?);
            let mut candidates = c.members(ty).named(rest).iter().copied();
            candidates.find(|&it| c.member(it).kind == kind)
        })
    }

    /// The type parameter that a type declares under a name.
    fn type_parameter_named(&self, ty: TypeId, name: Name) -> Option<String> {
        let c = self.compilation;
        let def = c.def(ty);
        let outer = def.type_params.len() - usize::from(def.arity);
        let mut declared_here = def.type_params[outer..].iter();
        let is_named = declared_here.any(|&parameter| c.type_param_name(parameter) == name);
        is_named.then(|| format!("`{}`", c.text(name)))
    }

    /// The member that has the name of an accessor of a property or event, or whose accessor has the name of a member:
    /// compiled accessors are methods.
    fn rival_by_accessor(&self, member: MemberId) -> Option<MemberId> {
        let c = self.compilation;
        let declared = c.member(member);
        let members = c.members(declared.owner);
        let name = c.text(declared.name);
        let own = ACCESSORS.into_iter().filter(|it| it.0 == declared.kind);
        let mut rivals = own.filter_map(|(_, prefix)| {
            let accessor = c.name(&format!("{prefix}{name}"));
            members.named(accessor).first().copied()
        });
        rivals
            .next()
            .or_else(|| self.member_with_accessor(declared.owner, name))
    }

    /// What is called like a member where only one may be.
    fn rival_of_member(&self, member: MemberId) -> Option<String> {
        let c = self.compilation;
        let declared = c.member(member);
        let owner = c.def(declared.owner);
        if let Some(reserved) = self.reserved(member) {
            return Some(reserved);
        }
        let id = c.member_doc_id(member);
        let others = c.members(declared.owner).named(declared.name).iter();
        let rival = others.copied().find(|&other| {
            let other_kind = c.member(other).kind;
            let may_share = declared.kind == other_kind
                && matches!(
                    declared.kind,
                    DeclKind::Method
                        | DeclKind::Indexer
                        | DeclKind::Operator
                        | DeclKind::Conversion
                );
            let is_same = || {
                let is_of_block = |it| c.member(it).is(MemberFlags::EXTENSION_BLOCK);
                let parameters = [other, member].map(|it| self.compiled_parameters(it));
                c.member_doc_id(other) == id
                    || is_of_block(other) != is_of_block(member)
                        && parameters[0].is_some()
                        && parameters[0] == parameters[1]
            };
            other != member && (!may_share || is_same())
        });
        if let Some(rival) = rival {
            return Some(c.display_member(rival));
        }
        if let Some(nested) = c.nested_types(declared.owner, declared.name).first() {
            return Some(c.display_type(c.instance_type(*nested)));
        }
        if let Some(rival) = self.rival_by_accessor(member) {
            return Some(c.display_member(rival));
        }
        if let Some(parameter) = self.type_parameter_named(declared.owner, declared.name) {
            return Some(parameter);
        }
        let mut own_parameters = declared.signature.type_params.iter();
        if own_parameters.any(|&parameter| c.type_param_name(parameter) == declared.name) {
            return Some(format!("`{}`", c.text(declared.name)));
        }
        let may_share = may_have_members_of_its_name(owner.kind)
            && !(owner.kind == TypeKind::Interface && declared.is_static());
        (owner.name == declared.name && !may_share)
            .then(|| c.display_type(c.instance_type(declared.owner)))
    }
}

impl EditedText<'_, '_> {
    /// The inherited member that a new one hides without saying so, and whether the language lets it.
    fn hidden_by(&self, member: MemberId) -> Option<(String, Hiding)> {
        let c = self.compilation;
        let declared = c.member(member);
        let says_so = [MemberFlags::OVERRIDE, MemberFlags::NEW].iter();
        let is_named = matches!(
            declared.kind,
            DeclKind::Method
                | DeclKind::Property
                | DeclKind::Field
                | DeclKind::Constant
                | DeclKind::Event
        );
        if !is_named || says_so.into_iter().any(|&flag| declared.is(flag)) {
            return None;
        }
        let parameters = |id: MemberId| {
            let id = c.member_doc_id(id);
            id.find('(').map_or(String::new(), |at| id[at..].to_owned())
        };
        let own = c.instance_type(declared.owner);
        for base in c.self_and_bases(own).skip(1) {
            let Some(base) = c.def_of(base) else { continue };
            let named = c.members(base).named(declared.name).to_vec();
            let hidden = named.into_iter().find(|&other| {
                let it = c.member(other);
                let both_methods = it.kind == DeclKind::Method && declared.kind == DeclKind::Method;
                it.accessibility != Accessibility::Private
                    && (!both_methods || parameters(other) == parameters(member))
            });
            if let Some(hidden) = hidden {
                // Nothing could implement it any more (C# specification, §15.6.7).
                let hiding = match c.member(hidden).is(MemberFlags::ABSTRACT) {
                    true => Hiding::Forbidden,
                    false => Hiding::Allowed,
                };
                return Some((c.display_member(hidden), hiding));
            }
        }
        None
    }
}

/// Whether a member may have the name of its type.
fn may_have_members_of_its_name(kind: TypeKind) -> bool {
    matches!(kind, TypeKind::Interface | TypeKind::Enum)
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

/// What else has the name of a type parameter where the language allows it only once: what declares it, and members of
/// the type that declares it.
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
        TypeParamOwner::Method(method) => {
            (c.member(method).name == name).then(|| c.display_member(method))
        }
        TypeParamOwner::Local(_) => None,
    }
}

/// Whether the parameters and locals of a nested function may have names that are used around it: since C# 8, which is
/// the default where the framework has indices from the end.
fn allows_shadowing(c: &Compilation<'_>, project: ProjectId) -> bool {
    match c.project(project).language_version.as_deref() {
        Some(version) => {
            let major = version.split('.').next().unwrap_or_default();
            major.parse::<u32>().map_or(true, |major| major >= 8)
        }
        None => !(c.external_types_named(c.name("System"), c.name("Index"))).is_empty(),
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
fn add_locals(
    c: &Compilation<'_>,
    (file, functions, unwritten): (&FilePlan, &Functions, &Unwritten),
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
    for own in &locals.declarations {
        let Some(at) = edited_at(file, own.range.start) else {
            continue;
        };
        let rival = locals.declarations.iter().find(|other| {
            other.symbol != own.symbol
                && other.name == own.name
                && excludes_each_other(own, other)
                && other.scope.overlaps(own.scope)
                && !functions.may_hide(own, other)
        });
        let rival_of_declared = rival_of_type_parameter(c, own.symbol)
            .or_else(|| rival_of_positional(c, own.symbol))
            .or_else(|| {
                let is_taken = is_variable(own.kind) && unwritten.has(own, functions);
                is_taken.then(|| format!("`{}`, which the language declares there", own.name))
            });
        if let Some(rival) = rival_of_declared {
            let line = line_of(file, own.range.start);
            add(file, at, line, rival, found);
        } else if let Some(rival) = rival {
            let line = line_of(file, rival.range.start);
            add(
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
        let before = own.scope.start..own.range.start;
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
            }));
        }
    }
    found
}

/// Whether a local has the name of its type, as it is written before it: left of a dot the name may then mean the type
/// (C# specification, §12.8.7.2).
fn is_called_like_its_type(text: &str, local: &LocalDeclaration) -> bool {
    let before = text.get(..local.range.start as usize).unwrap_or_default();
    let before = before.trim_end().strip_suffix(&*local.name);
    before.is_some_and(|before| !before.ends_with(is_name_character))
}

/// Adds those that mean members, and types left of a dot: elsewhere a type may have the name of a local.
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
        let is_hidden = meant.get(&early.name);
        if is_hidden.is_some_and(|&is_member| is_member || early.is_qualifier) {
            let line = line_of(file, early.name);
            let rival = format!("the name in line {line}, before the variable is declared");
            add(file, early.edited, line, rival, found);
        }
    }
}

/// The line of a position in the new text.
fn line_of(file: &FilePlan, new_offset: u32) -> u32 {
    let text = &file.new_bytes[..(new_offset as usize).min(file.new_bytes.len())];
    text.iter().filter(|&&byte| byte == b'\n').count() as u32 + 1
}

/// The old position of an edit that writes a name at a new position.
fn edited_at(file: &FilePlan, new_offset: u32) -> Option<u32> {
    let edit = file.edits.writing(new_offset)?;
    Some(edit.range.start)
}

/// Whether a declaration is in a text that an edit writes: a name that takes the place of a name is not.
fn is_new(file: &FilePlan, new_offset: u32) -> bool {
    edited_at(file, new_offset).is_some() && !file.edits.was_there(new_offset)
}

fn is_name_character(character: char) -> bool {
    character == '_' || character.is_alphanumeric()
}

/// Whether a name that takes the place of a name is another one.
fn is_renamed(file: &FilePlan, new_offset: u32, name: &str) -> bool {
    let Some(edit) = file.edits.writing(new_offset) else {
        return false;
    };
    let old = decode(&file.old_bytes);
    let replaced = old.as_str().get(edit.range.as_usize()).unwrap_or_default();
    let is_name = bare(replaced).chars().all(is_name_character) && !replaced.is_empty();
    is_name && edit.text.trim_start_matches('@') == name && bare(replaced) != name
}

fn add(file: &FilePlan, at: u32, line: u32, rival: String, found: &mut Proof) {
    let key = (file.old.path.clone(), at);
    found.differences.entry(key).or_insert(Difference {
        file: file.old.path.clone(),
        line,
        question: "which declarations have the name".to_owned(),
        before: None,
        after: Some(rival),
    });
}
