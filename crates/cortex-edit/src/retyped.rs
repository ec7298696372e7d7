//! Parameters that are new or get other types: whether the types are what was asked for everywhere, and which decisions
//! differ for no other reason.
//!
//! Must not know: how the new types are written.

use std::collections::{BTreeMap, BTreeSet};

use cortex_index::Symbols;
use cortex_model::{Accessibility, DeclKind, RepoPath, TypeKind};
use cortex_semantics::{
    BoundExpressions, Compilation, Decision, LocalSymbol, MemberFlags, MemberId, ProjectId,
    Question, RefKind, Special, Ty, TyKind, TypeFlags, TypeId, UnitKey,
};
use cortex_syntax::{BodyId, BodyKind, DeclId, Sections, text::decode};

use crate::{
    EditError,
    body_tree::BodyTree,
    plan::Plan,
    proof::{NewSide, OldSide},
    type_text::TypeText,
};

/// Where decisions may differ because a parameter has another type: offsets of the texts as they are.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct Settled {
    /// Uses of the parameters whose type matters nowhere else.
    uses: BTreeSet<(RepoPath, u32)>,
    /// Arguments of them.
    arguments: BTreeSet<(RepoPath, u32)>,
}

impl Settled {
    /// Whether a decision at a position of a file as it is may differ.
    pub(crate) fn has(&self, path: &RepoPath, old_offset: u32, decision: &Decision) -> bool {
        let places = match decision.question {
            Question::Type => &self.uses,
            Question::Conversion => &self.arguments,
            _ => return false,
        };
        places.contains(&(path.clone(), old_offset))
    }
}

/// Checks the new types, and finds where they alone make a difference.
///
/// # Errors
/// [`EditError::Refused`] with the place where a type is not found, not the same, less accessible than its member, or
/// does not take the default value; those of the index.
pub(crate) fn settled(
    (old, new): (&OldSide<'_>, &NewSide<'_>),
    plan: &Plan,
) -> Result<Settled, EditError> {
    let mut settled = Settled::default();
    let parameters = &plan.parameters;
    if parameters.retyped.is_empty() && parameters.added.is_none() {
        return Ok(settled);
    }
    settled.arguments = arguments_that_fit(new, plan)?;
    let mut types = BTreeMap::new();
    for (path, name) in &parameters.declarations {
        let Some(file) = plan.files.get(path) else {
            continue;
        };
        let new_name = file.edits.new_position(*name).unwrap_or(*name);
        for project in old.symbols.projects_of(path)? {
            let before = uses_in(
                old.symbols,
                (path, project, *name),
                &file.old_bytes,
                parameters.retyped.iter().map(|it| it.0),
                &mut |_, _| Ok(()),
            )?;
            let after = uses_in(
                new.symbols,
                (&file.new_path, project, new_name),
                &file.new_bytes,
                (parameters.retyped.iter().map(|it| it.1)).chain(parameters.added),
                &mut |declaring, parameter| check(declaring, parameter, (path, &mut types)),
            )?;
            let after: BTreeMap<u32, Use> = after.into_iter().collect();
            for (offset, used) in before {
                let there = file
                    .edits
                    .new_position(offset)
                    .and_then(|at| after.get(&at));
                if there.is_some_and(|there| there.is_like(&used)) {
                    settled.uses.insert((path.clone(), offset));
                }
            }
        }
    }
    Ok(settled)
}

/// The arguments and default values that go on converting without a member.
fn arguments_that_fit(
    new: &NewSide<'_>,
    plan: &Plan,
) -> Result<BTreeSet<(RepoPath, u32)>, EditError> {
    let mut fitting = plan.parameters.retyped_arguments.clone();
    let places: Vec<&(RepoPath, u32)> = plan.parameters.retyped_arguments.iter().collect();
    for of_file in places.chunk_by(|a, b| a.0 == b.0) {
        let old_path = &of_file[0].0;
        let Some(file) = plan.files.get(old_path) else {
            continue;
        };
        let starts: BTreeMap<u32, u32> = (of_file.iter())
            .filter_map(|(_, old)| Some((file.edits.new_position(*old)?, *old)))
            .collect();
        for project in new.symbols.projects_of(&file.new_path)? {
            let facts = (new.symbols).facts(&file.new_path, project, Sections::Bodies)?;
            let Some(facts) = facts else { continue };
            let unit = UnitKey {
                path: file.new_path.clone(),
                project: ProjectId::new(project),
            };
            let source = decode(&file.new_bytes);
            let misfits = new.symbols.read(|compilation| {
                let bound = compilation.bind_expressions(&unit, &facts);
                let tree = BodyTree::new(&facts, source.as_str());
                let nodes = 0..facts.bodies.nodes().len() as BodyId;
                let misfits = nodes.filter_map(|node| {
                    let is_argument = tree
                        .parent(node)
                        .is_some_and(|it| tree.kind(it) == BodyKind::Argument);
                    let old = starts.get(&tree.span(node).start).filter(|_| is_argument)?;
                    (!fits(compilation, (&tree, &bound), node)).then_some(*old)
                });
                Ok(misfits.collect::<Vec<u32>>())
            })?;
            for old in misfits {
                fitting.remove(&(old_path.clone(), old));
            }
        }
    }
    Ok(fitting)
}

/// Whether an argument converts to its parameter without a member.
fn fits(
    compilation: &Compilation<'_>,
    (tree, bound): (&BodyTree<'_>, &BoundExpressions),
    node: BodyId,
) -> bool {
    let Some(found) = bound.type_of(node) else {
        return false;
    };
    match found.converted {
        None => false,
        Some(to) if !found.own.is_none() => compilation.standard_implicit(found.own, to),
        Some(to) => takes(compilation, to, tree.text_of(node)),
    }
}

/// A use of a parameter.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Use {
    /// Whether what is around it takes a value of any type, or what it is used for says which member that is.
    is_open: bool,
    /// What its place converts it to, and whether that needs no member.
    converted: Option<(String, bool)>,
    /// The types of the expressions around it that start where it starts.
    around: Vec<(String, Option<String>)>,
}

impl Use {
    /// Whether a use before an edit has all but the type of the parameter in common with this one.
    fn is_like(&self, before: &Self) -> bool {
        let is_same = match (&self.converted, &before.converted) {
            (Some((after, fits)), Some((before, _))) => *fits && after == before,
            (None, None) => self.is_open && before.is_open,
            _ => false,
        };
        is_same && self.around == before.around
    }
}

/// A declaration with parameters, bound.
struct Declaring<'a, 'w> {
    compilation: &'a Compilation<'w>,
    tree: &'a BodyTree<'a>,
    bound: &'a BoundExpressions,
    decl: DeclId,
}

/// Checks a parameter where a file declares it.
type Check<'a> = dyn FnMut(&Declaring<'_, '_>, (MemberId, u16)) -> Result<(), EditError> + 'a;

/// The uses of parameters of a member that a file declares at an offset, by where they are.
fn uses_in(
    symbols: &Symbols,
    (path, project, name): (&RepoPath, usize, u32),
    bytes: &[u8],
    positions: impl Iterator<Item = u16>,
    check: &mut Check<'_>,
) -> Result<Vec<(u32, Use)>, EditError> {
    let Some(facts) = symbols.facts(path, project, Sections::Bodies)? else {
        return Ok(Vec::new());
    };
    let declares = |(_, decl): &(usize, &cortex_syntax::Decl)| decl.name_range.start == name;
    let Some((id, _)) = facts.decls.iter().enumerate().find(declares) else {
        return Ok(Vec::new());
    };
    let unit = UnitKey {
        path: path.clone(),
        project: ProjectId::new(project),
    };
    let source = decode(bytes);
    let positions: Vec<u16> = positions.collect();
    symbols.read(|compilation| {
        let find = || -> Result<Vec<(u32, Use)>, EditError> {
            let unit_id = compilation.unit_id(&unit);
            let Some(member) = compilation.member_of_decl(unit_id, id as u32) else {
                return Ok(Vec::new());
            };
            let identifiers = symbols.identifiers(bytes, project);
            let locals = compilation.local_bindings(&unit, &facts, &identifiers);
            let bound = compilation.bind_expressions(&unit, &facts);
            let tree = BodyTree::new(&facts, source.as_str());
            let declaring = Declaring {
                compilation,
                tree: &tree,
                bound: &bound,
                decl: id as DeclId,
            };
            let mut found = Vec::new();
            for at in positions {
                check(&declaring, (member, at))?;
                for used in locals.uses_of(LocalSymbol::Parameter(member, at)) {
                    if let Some(node) = tree.name_at(used.range.start) {
                        let of_node = use_of(compilation, (&tree, &bound), node);
                        found.push((used.range.start, of_node));
                    }
                }
            }
            Ok(found)
        };
        Ok(find())
    })?
}

/// What is around a use.
fn use_of(
    compilation: &Compilation<'_>,
    (tree, bound): (&BodyTree<'_>, &BoundExpressions),
    node: BodyId,
) -> Use {
    let shown = |ty: Ty| compilation.display_type(ty);
    let types_of = |node: BodyId| {
        let found = bound.type_of(node);
        let own = found.map_or_else(String::new, |it| shown(it.own));
        (own, found.and_then(|it| it.converted).map(shown))
    };
    let start = tree.span(node).start;
    let around = tree.ancestors(node).map_while(|above| {
        let is_here = tree.span(above).start == start;
        is_here.then(|| types_of(above))
    });
    let own = bound.type_of(node);
    let converted = own.and_then(|it| {
        let to = it.converted?;
        Some((shown(to), compilation.standard_implicit(it.own, to)))
    });
    let is_open = tree.parent(node).is_some_and(|parent| {
        matches!(
            tree.kind(parent),
            BodyKind::MemberAccess | BodyKind::ElementAccess | BodyKind::Interpolation
        )
    });
    Use {
        is_open,
        converted,
        around: around.collect(),
    }
}

/// Refuses a type that a declaration cannot have. `types`: what the parameters were found to be in other declarations.
fn check(
    declaring: &Declaring<'_, '_>,
    (member, at): (MemberId, u16),
    (path, types): (&RepoPath, &mut BTreeMap<u16, (String, BTreeSet<String>)>),
) -> Result<(), EditError> {
    let compilation = declaring.compilation;
    let declared = compilation.member(member);
    let Some(param) = declared.signature.params.get(usize::from(at)) else {
        return Ok(());
    };
    let name = compilation.text(param.name);
    let shown = compilation.display_member(member);
    let refused = |reason: &str, help: &str| EditError::Refused {
        doing: format!("give `{name}` of `{shown}` in `{path}` its type"),
        reason: reason.to_owned(),
        help: vec![help.to_owned()],
    };
    let mut text = TypeText::new(compilation, declared.owner);
    let Ok(written) = text.write(param.ty) else {
        return Err(refused(
            "the type is not found in that file",
            "import its namespace there, or write the type with its namespace",
        ));
    };
    let found = (written, text.namespaces);
    if *types.entry(at).or_insert_with(|| found.clone()) != found {
        return Err(refused(
            "the type is another one in another file of the same family",
            "write the type with its namespace",
        ));
    }
    let owner = compilation.def(declared.owner);
    if visibility(declared.accessibility) > 0
        && least_visible(compilation, param.ty)
            < visibility(declared.accessibility).min(visibility(owner.accessibility))
    {
        return Err(refused(
            "fewer places see the type than the member",
            "make the type as visible as the member first",
        ));
    }
    // C# specification, 15.14 and 15.15: the code runs when the variables of the caller may be gone.
    if param.ref_kind != RefKind::None || declaring.is_span(param.ty) {
        let what = match declared.is(MemberFlags::ASYNC) {
            true => Some("an asynchronous method takes nothing by reference, and no `ref struct`"),
            false if declaring.is_iterator() => {
                Some("an iterator takes nothing by reference, and no `ref struct`")
            }
            false => None,
        };
        if let Some(reason) = what {
            return Err(refused(reason, "pass a value of another type"));
        }
    }
    if declared.kind == DeclKind::Constructor
        && declaring.is_attribute(declared.owner)
        && !declaring.is_attribute_type(param.ty)
    {
        return Err(refused(
            "an attribute cannot take a value of that type",
            "use a simple type, `string`, `object`, `Type`, an enum, or an array of one of them",
        ));
    }
    let mut members = compilation
        .members(declared.owner)
        .named(declared.name)
        .iter();
    let doc_id = compilation.member_doc_id(member);
    if members.any(|&it| it != member && compilation.member_doc_id(it) == doc_id) {
        return Err(refused(
            "another member of the type has the same parameters",
            "rename one of them first",
        ));
    }
    match declaring.default_value(at) {
        Some(value) if !declaring.takes(param.ty, value) => {
            let text = declaring.tree.text_of(value);
            Err(refused(
                &format!("its default value `{text}` is not known to be one of the type"),
                "change the default value first, to `default` or to a value of the new type",
            ))
        }
        _ => Ok(()),
    }
}

impl Declaring<'_, '_> {
    /// Whether only the stack holds values of a type.
    fn is_span(&self, ty: Ty) -> bool {
        let c = self.compilation;
        let def = c.def_of(ty);
        def.is_some_and(|def| c.header(def).flags.has(TypeFlags::REF_LIKE))
    }

    /// Whether the declaration yields.
    fn is_iterator(&self) -> bool {
        let tree = self.tree;
        let root = tree.root_of(self.decl);
        let is_yield = |id: BodyId| match tree.kind(id) {
            BodyKind::Yield => true,
            BodyKind::Empty => tree.text_of(id).starts_with("yield"),
            _ => false,
        };
        let is_inner = |id: BodyId| {
            let mut around = tree.ancestors(id);
            around.any(|it| tree.kind(it) == BodyKind::LocalFunction)
        };
        root.is_some_and(|root| tree.within(root).any(|id| is_yield(id) && !is_inner(id)))
    }

    /// Whether a type is one of attributes.
    fn is_attribute(&self, ty: TypeId) -> bool {
        let c = self.compilation;
        c.self_and_bases(c.instance_type(ty)).any(|it| {
            let def = c.def_of(it).map(|def| c.def(def));
            def.is_some_and(|def| {
                c.text(def.name) == "Attribute" && c.text(def.namespace) == "System"
            })
        })
    }

    /// Whether attributes take values of a type (C# specification, 23.2.4).
    fn is_attribute_type(&self, ty: Ty) -> bool {
        let c = self.compilation;
        if let TyKind::Array(element, 1) = c.kind(ty) {
            return !matches!(c.kind(*element), TyKind::Array(..))
                && self.is_attribute_type(*element);
        }
        let shown = c.display_type(ty);
        let is_type = |def| {
            let def = c.def(def);
            def.kind == TypeKind::Enum
                || c.text(def.name) == "Type" && c.text(def.namespace) == "System"
        };
        shown == "object"
            || crate::evaluation::is_simple(&shown)
                && !matches!(&*shown, "decimal" | "nint" | "nuint")
            || c.nullable_underlying(ty).is_none() && c.def_of(ty).is_some_and(is_type)
    }

    /// The default value of a parameter.
    fn default_value(&self, at: u16) -> Option<BodyId> {
        let tree = self.tree;
        let declares = |&root: &BodyId| tree.node(root).value == self.decl + 1;
        let is_it = |&node: &BodyId| {
            tree.kind(node) == BodyKind::ParameterDefault
                && tree.node(node).value == u32::from(at)
                && tree.parent(node).as_ref().is_some_and(declares)
        };
        let default = tree.nodes().find(is_it)?;
        tree.children(default).first().copied()
    }

    /// Whether a parameter of a type can have a default value (C# specification, §15.6.2.3).
    fn takes(&self, ty: Ty, value: BodyId) -> bool {
        let c = self.compilation;
        let by_text = || takes(c, ty, self.tree.text_of(value));
        let Some(found) = self.bound.type_of(value) else {
            return by_text();
        };
        let own = found.own;
        let is_small_integer = found.is_constant
            && [Special::Int32, Special::Int64]
                .map(|it| c.special(it))
                .contains(&own)
            && SMALLER
                .iter()
                .any(|&it| c.special(it) == c.nullable_underlying(ty).unwrap_or(ty));
        own.is_error() || is_small_integer || c.standard_implicit(own, ty) || by_text()
    }
}

/// What a constant `int` or `long` may become if its value fits (§10.2.11).
const SMALLER: [Special; 8] = [
    Special::SByte,
    Special::Byte,
    Special::Int16,
    Special::UInt16,
    Special::Int32,
    Special::UInt32,
    Special::Int64,
    Special::UInt64,
];

/// Whether a value as written is one of a type.
fn takes(compilation: &Compilation<'_>, ty: Ty, value: &str) -> bool {
    let is_nullable =
        compilation.is_reference_type(ty) || compilation.nullable_underlying(ty).is_some();
    let digits = value.trim_start_matches('-');
    let special = match value {
        "default" => return true,
        "null" => return is_nullable,
        "true" | "false" => Special::Boolean,
        _ if value.starts_with('"') => Special::String,
        _ if value.starts_with('\'') => Special::Char,
        _ if digits.parse::<i32>().is_ok() => Special::Int32,
        _ => return false,
    };
    compilation.standard_implicit(compilation.special(special), ty)
}

/// How many places see something: none of other types, those of the assembly, all.
fn visibility(accessibility: Accessibility) -> u8 {
    match accessibility {
        Accessibility::Private => 0,
        Accessibility::Internal | Accessibility::PrivateProtected => 1,
        _ => 2,
    }
}

/// That of the least visible type that a type names.
fn least_visible(compilation: &Compilation<'_>, ty: Ty) -> u8 {
    match compilation.kind(ty) {
        TyKind::Named { def, args } => {
            let outer = std::iter::successors(Some(*def), |&it| compilation.def(it).outer);
            let named = outer.map(|it| visibility(compilation.def(it).accessibility));
            let args = args.iter().map(|&it| least_visible(compilation, it));
            named.chain(args).min().unwrap_or(2)
        }
        TyKind::Array(element, _) => least_visible(compilation, *element),
        TyKind::Tuple { elements, .. } => {
            let all = elements.iter().map(|&it| least_visible(compilation, it));
            all.min().unwrap_or(2)
        }
        _ => 2,
    }
}
