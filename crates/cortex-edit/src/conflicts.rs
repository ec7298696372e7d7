//! Declarations of an edit that the language does not allow, which binding alone does not tell: nothing may use them. Here,
//! types and members that get one name where only one may have it.
//!
//! Source: C# specification, §7.3 (declarations), §15.3.1 (class members), §13.3 (blocks).

mod assigned;
mod captures;
mod discards;
mod edited_text;
mod labels;
mod locals;
pub(crate) mod name_values;
mod rules;
mod statements;
mod versions;
pub(crate) mod well_known;

use cortex_index::{Index, IndexError, Symbols};
use cortex_model::{Accessibility, DeclKind, Modifier, RepoPath, TypeKind};
use cortex_semantics::{MemberFlags, MemberId, Name, ProjectId, Ty, TypeFlags, TypeId, UnitKey};
use cortex_syntax::{BodyKind, Constraint, DeclId, FileFacts, Sections, text::decode};
use cortex_wire::{Difference, EditWarning, WarningReason};

use self::edited_text::{EditedText, Read, Written};
use crate::{
    EditError,
    identifier::bare,
    plan::{FilePlan, Plan},
    proof::{NewSide, OldSide, Proof},
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
    index: &Index,
    (old, new): (&OldSide<'_>, &NewSide<'_>),
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
                    let source = decode(&file.new_bytes);
                    let identifiers = || new.symbols.identifiers(&file.new_bytes, project);
                    let any_file =
                        |is: &dyn Fn(&FileFacts) -> bool| any_file(new.symbols, plan, is);
                    let text = EditedText {
                        compilation,
                        unit: compilation.unit_id(&unit),
                        key: &unit,
                        facts: &facts,
                        file,
                        plan,
                        source: source.as_str(),
                        written: Written::of(file),
                        identifiers: &identifiers,
                        any_file: &any_file,
                        read: Read::default(),
                    };
                    text.add_declarations(found);
                    rules::add(&text, found);
                    locals::add(&text, locals, found);
                    statements::add(&text, old, found)?;
                    labels::add(&text, found);
                    captures::add(&text, found);
                    versions::add(&text, (old, plan), found)?;
                }
            }
            Ok(())
        };
        Ok(add(found))
    })??;
    name_values::add(index, (old, new), plan, found)
}

/// Whether the facts of some file are so after an edit, as one of its projects compiles it; also where they cannot be
/// read. O(files): for names that next to nothing has.
fn any_file(symbols: &Symbols, plan: &Plan, is: &dyn Fn(&FileFacts) -> bool) -> bool {
    let is_so = |path: &RepoPath| -> Result<bool, IndexError> {
        for project in symbols.projects_of(path)? {
            let facts = symbols.facts(path, project, Sections::Bodies)?;
            if facts.is_some_and(|facts| is(&facts)) {
                return Ok(true);
            }
        }
        Ok(false)
    };
    let Ok(others) = symbols.snapshot().files() else {
        return true;
    };
    let edited = plan.files.values().map(|file| &file.new_path);
    let mut all = edited.chain(others.iter().map(|file| &file.path));
    all.any(|path| is_so(path).unwrap_or(true))
}

/// Whether a type parameter of a file may have a constraint that is a word of [`CONSTRAINTS`].
fn constrains(facts: &FileFacts, word: &str) -> bool {
    let mut params = facts.decls.iter().flat_map(|it| &it.type_params);
    let of_declarations = params.any(|param| {
        let mut constraints = param.constraints.iter();
        constraints.any(|it| matches!(it, Constraint::Keyword(own) if facts.name(*own) == word))
    });
    // Of a local function, the words are not kept.
    let mut nodes = facts.bodies.nodes().iter();
    of_declarations || nodes.any(|node| node.kind == BodyKind::TypeParameter)
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
            let name = self.facts.name(decl.name);
            let is_other = is_renamed(self.file, decl.name_range.start, name)
                || is_new(self.file, decl.name_range.start);
            let rival = match decl.kind {
                DeclKind::Constructor | DeclKind::StaticConstructor | DeclKind::Finalizer
                    if !is_new(self.file, decl.name_range.start) =>
                {
                    None
                }
                kind if kind.type_kind().is_some() => (self.compilation)
                    .type_of_decl(self.unit, id)
                    .and_then(|ty| self.rival_of_type(ty)),
                _ => (self.compilation)
                    .member_of_decl(self.unit, id)
                    .and_then(|member| self.rival_of_member(member)),
            };
            if let Some(rival) = rival.or_else(|| self.known_by_compiler(id)) {
                add(self.file, at, decl.line, rival, found);
                continue;
            }
            let member = match is_other {
                true => self.compilation.member_of_decl(self.unit, id),
                false => None,
            };
            let hidden = member.and_then(|member| self.hidden_by(member));
            if let Some((hidden, Hiding::Forbidden)) = hidden {
                add(self.file, at, decl.line, hidden, found);
                continue;
            }
            if let Some((hidden, Hiding::Allowed)) = hidden {
                let warning = EditWarning {
                    file: self.file.new_path.clone(),
                    line: decl.line,
                    name: format!("{name} ({hidden})"),
                    reason: WarningReason::Hides,
                };
                found.warn_at(decl.name_range.start, warning);
            }
        }
    }

    /// What the compiler looks for under the name that a declaration had, or gets.
    fn known_by_compiler(&self, id: DeclId) -> Option<String> {
        let c = self.compilation;
        let decl = &self.facts.decls[id as usize];
        let start = decl.name_range.start;
        let new = self.facts.name(decl.name);
        if !is_renamed(self.file, start, new) {
            return None;
        }
        let text = decode(&self.file.old_bytes);
        let old = self.file.edits.writing(start)?.range.as_usize();
        let old = bare(text.as_str().get(old)?);
        let told = |name: &str| Some(format!("the compiler's own use of `{name}`"));
        if decl.kind.type_kind().is_some() {
            let def = c.def(c.type_of_decl(self.unit, id)?);
            let mut names = [old.as_str(), new].into_iter();
            let known = names.find(|it| well_known::is_known(c.text(def.namespace), it));
            return known.filter(|_| def.outer.is_none()).and_then(told);
        }
        let owner = c.def(c.member(c.member_of_decl(self.unit, id)?).owner);
        let is_used = well_known::has_known_members(c.text(owner.namespace), c.text(owner.name));
        (is_used && owner.outer.is_none())
            .then(|| told(&old))
            .flatten()
    }

    /// What is called like a type where only one may be.
    fn rival_of_type(&self, ty: TypeId) -> Option<String> {
        let c = self.compilation;
        let def = c.def(ty);
        let name = c.text(def.name);
        if CONSTRAINTS.contains(&name) && (self.any_file)(&|facts| constrains(facts, name)) {
            return Some(format!("the constraint `{name}`"));
        }
        if name == "_" && (self.any_file)(&discards::has_some) {
            return Some("the compiler's own `_`".to_owned());
        }
        if let Some(rival) = self.rival_in_file(ty) {
            return Some(rival);
        }
        if self.has_rival_parts(ty) {
            return Some(c.display_type(c.instance_type(ty)));
        }
        if let Some(rival) = self.rival_inside(ty) {
            return Some(rival);
        }
        let full_name = (def.namespace, def.name);
        if def.outer.is_none()
            && def.arity == 0
            && c.declares_namespace(self.key.project, full_name)
        {
            return Some(format!("the namespace `{name}`"));
        }
        let outer = def.outer?;
        let outer_def = c.def(outer);
        if outer_def.name == def.name && !may_have_members_of_its_name(outer_def.kind) {
            return Some(c.display_type(c.instance_type(outer)));
        }
        if let Some(member) = self.compiled_under(outer, def.name) {
            return Some(c.display_member(member));
        }
        self.type_parameter_named(outer, def.name)
    }

    /// Whether declarations of a type are those of two: one of them is no part, or some got the name that others had.
    fn has_rival_parts(&self, ty: TypeId) -> bool {
        let c = self.compilation;
        let (mut n_parts, mut n_whole, mut n_renamed, mut n_kept) = (0, 0, 0, 0);
        for key in c.units_of(ty) {
            let unit = c.unit(c.unit_id(&key));
            let facts = unit.facts(c);
            let mut files = self.plan.files.values();
            let file = files.find(|file| file.new_path == key.path);
            for &decl in unit.head(c).declarations(ty) {
                let decl = &facts.decls[decl as usize];
                let start = decl.name_range.start;
                let name = facts.name(decl.name);
                n_parts += 1;
                n_whole += usize::from(!decl.modifiers.contains(Modifier::Partial));
                n_renamed += usize::from(file.is_some_and(|file| is_renamed(file, start, name)));
                n_kept += usize::from(file.is_none_or(|file| edited_at(file, start).is_none()));
            }
        }
        n_parts > 1 && (n_whole > 0 || n_renamed > 0 && n_kept > 0)
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

    /// Whether code may discard a value as `_`, which a member of that name would take.
    fn takes_discards(&self, member: MemberId) -> bool {
        let c = self.compilation;
        let declared = c.member(member);
        if declared.accessibility != Accessibility::Private {
            return (self.any_file)(&discards::has_some);
        }
        let parts = c.units_of(declared.owner).into_iter();
        let mut parts = parts.map(|part| c.unit(c.unit_id(&part)).facts(c));
        parts.any(|facts| discards::has_some(&facts))
    }

    /// What the language makes under the name of a member, so that no member may have it.
    fn reserved(&self, member: MemberId) -> Option<String> {
        let c = self.compilation;
        let declared = c.member(member);
        let owner = c.def(declared.owner);
        let name = c.text(declared.name);
        let is_record = c.header(declared.owner).flags.has(TypeFlags::RECORD);
        let is_reserved = match name {
            "_" => self.takes_discards(member),
            "Clone" => is_record,
            "EqualityContract" => owner.kind == TypeKind::Record,
            "value__" => owner.kind == TypeKind::Enum,
            // An accessor takes what its indexer takes.
            _ if declared.kind == DeclKind::Method => self
                .indexer_with_accessor(declared.owner, name)
                .is_some_and(|it| self.has_parameters_of_accessor(member, it)),
            _ if declared.kind != DeclKind::Indexer => {
                (self.indexer_with_accessor(declared.owner, name)).is_some()
            }
            _ => false,
        };
        is_reserved.then(|| format!("the compiler's own `{name}`"))
    }

    /// Whether a method has the parameters of the accessor whose name it has (C# specification, §15.3.10.2).
    fn has_parameters_of_accessor(&self, method: MemberId, property: MemberId) -> bool {
        let c = self.compilation;
        let [own, of_property] = [method, property].map(|it| &c.member(it).signature);
        if !own.type_params.is_empty() {
            return false;
        }
        let types = |it: &[cortex_semantics::Param]| it.iter().map(|it| it.ty).collect::<Vec<_>>();
        let mut expected = types(&of_property.params);
        if !c.text(c.member(method).name).starts_with("get_") {
            expected.push(of_property.ty);
        }
        types(&own.params) == expected
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
        if let Some(member) = self.compiled_under(ty, def.name) {
            return Some(c.display_member(member));
        }
        let name = c.text(def.name);
        let accessor = self.member_with_accessor(ty, name);
        if let Some(member) = accessor.or_else(|| self.indexer_with_accessor(ty, name)) {
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

    /// The indexer of a type that is compiled under a name.
    fn indexer_named(&self, ty: TypeId, name: &str) -> Option<MemberId> {
        let c = self.compilation;
        let mut members = c.members(ty).all.iter().copied();
        members.find(|&it| {
            c.member(it).kind == DeclKind::Indexer
                && c.compiled_indexer_name(it).as_deref() == Some(name)
        })
    }

    /// The member of a type that is compiled under a name.
    fn compiled_under(&self, ty: TypeId, name: Name) -> Option<MemberId> {
        let c = self.compilation;
        let mut named = c.members(ty).named(name).iter().copied();
        named
            .find(|&it| c.member(it).kind != DeclKind::Indexer)
            .or_else(|| self.indexer_named(ty, c.text(name)))
    }

    /// The indexer with an accessor of a name.
    fn indexer_with_accessor(&self, ty: TypeId, name: &str) -> Option<MemberId> {
        let rest = (name.strip_prefix("get_")).or_else(|| name.strip_prefix("set_"))?;
        self.indexer_named(ty, rest)
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
        let mut others = others.copied();
        let rival = others.find(|&other| {
            let other_kind = c.member(other).kind;
            if other_kind == DeclKind::Indexer && declared.kind != DeclKind::Indexer {
                return c.compiled_indexer_name(other).as_deref() == Some(c.text(declared.name));
            }
            let has_overloads = |kind| matches!(kind, DeclKind::Indexer | DeclKind::Constructor);
            // Operators are compiled as methods (`op_Addition`).
            let is_method = |kind| {
                matches!(
                    kind,
                    DeclKind::Method | DeclKind::Operator | DeclKind::Conversion
                )
            };
            let may_share = declared.kind == other_kind && has_overloads(other_kind)
                || is_method(declared.kind) && is_method(other_kind);
            let is_same = || {
                let is_of_block = |it| c.member(it).is(MemberFlags::EXTENSION_BLOCK);
                let parameters = [other, member].map(|it| self.compiled_parameters(it));
                c.member_doc_id(other) == id
                    || (is_of_block(other) != is_of_block(member) || declared.kind != other_kind)
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
        let indexer = || match declared.kind {
            DeclKind::Indexer => None,
            _ => self.indexer_named(declared.owner, c.text(declared.name)),
        };
        if let Some(rival) = self.rival_by_accessor(member).or_else(indexer) {
            return Some(c.display_member(rival));
        }
        if let Some(parameter) = self.type_parameter_named(declared.owner, declared.name) {
            return Some(parameter);
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
                // Nothing could implement it any more (C# specification, §15.6.7), or set what has to be set.
                let forbidden = [MemberFlags::ABSTRACT, MemberFlags::REQUIRED];
                let hidden_member = c.member(hidden);
                let hiding = match forbidden.into_iter().any(|it| hidden_member.is(it)) {
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

/// What is to say of a word that may not stand where an edit writes it, or leaves it.
fn not_allowed(file: &FilePlan, line: u32, (word, reason): (&str, &str)) -> EditWarning {
    EditWarning {
        file: file.new_path.clone(),
        line,
        name: format!("{word} ({reason})"),
        reason: WarningReason::NotAllowed,
    }
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
