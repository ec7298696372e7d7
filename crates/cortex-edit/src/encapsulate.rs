//! `encapsulate-field`: a field becomes private, and a property stands for it to other code.
//!
//! The property has the name that other code writes, where the field had it; code of the type itself uses the field as
//! before. Must not know: whether the code means the same afterwards ([`crate::proof`]).

use std::collections::{BTreeMap, BTreeSet};

use cortex_index::Symbols;
use cortex_look::viewpoint::Viewpoint;
use cortex_model::{Accessibility, ByteRange, DeclKind, Modifier, RepoPath, TypeKind};
use cortex_semantics::{
    Compilation, LocalSymbol, MemberFlags, MemberId, ProjectId, RefKind, Ty, TyKind, TypeFlags,
    UnitKey,
};
use cortex_syntax::{
    BodyId, BodyKind, Decl, Op, Sections, ref_kind,
    text::{CodeToken, decode, tokens},
};
use cortex_wire::EditKind;

use crate::{
    EditError,
    body_tree::BodyTree,
    conflicts::Locals,
    draft::Draft,
    evaluation::{Bound, Write, write_of},
    identifier::{bare, written},
    inline_variable::shown,
    layout::{Layout, indent_at},
    located::{Declaration, Located, locate},
    moved::MovedText,
    plan::Plan,
    rename::{Rename, declared, global::member_of, plan_rename},
    text_edit::{StartIs, TextEdit, TextEdits},
};

/// A field gets a property.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct EncapsulateField<'r> {
    /// The field, as any question names it.
    pub symbol: &'r str,
    /// The name of the property; by default that of the field, as a property is called.
    pub name: Option<&'r str>,
}

impl EncapsulateField<'_> {
    fn title(&self) -> String {
        format!("encapsulate `{}`", self.symbol)
    }

    fn refused(&self, reason: impl Into<String>, help: &str) -> EditError {
        EditError::Refused {
            doing: self.title(),
            reason: reason.into(),
            help: match help {
                "" => Vec::new(),
                help => vec![help.to_owned()],
            },
        }
    }
}

/// What the field and its property are called.
struct Names {
    old: String,
    field: String,
    property: String,
}

/// Where a type is declared: its files, with the bytes of each part.
type Inside = BTreeMap<RepoPath, Vec<ByteRange>>;

/// Plans a property for a field. `choice`: which of the names that the field may get it gets; there is no plan for one
/// more than there are.
///
/// # Errors
/// [`EditError::Refused`] for what is no such field, and with the place that a property cannot take; those of the index.
pub(crate) fn plan_encapsulate(
    views: &[(&Viewpoint<'_>, &Symbols)],
    request: &EncapsulateField<'_>,
    choice: usize,
) -> Result<Option<Draft>, EditError> {
    let (view, symbols) = views[0];
    let title = request.title();
    let located = locate(view, symbols, request.symbol, &|| title.clone())?;
    let at = located.one(None, &|| title.clone())?;
    check_field(at, request)?;
    let Some(names) = names(at, request)?.into_iter().nth(choice) else {
        return Ok(None);
    };
    let inside = inside(symbols, &located)?;
    let is_in_type = |path: &RepoPath, offset: u32| {
        let ranges = inside.get(path).into_iter().flatten();
        ranges.into_iter().any(|range| range.contains(offset))
    };
    // What takes another name: the field, where the property gets its name, or else what uses it elsewhere.
    let moves_field = names.property == names.old;
    let renamed = plan_rename(
        views,
        &Rename {
            symbol: request.symbol,
            to: if moves_field {
                &names.field
            } else {
                &names.property
            },
            keep_file: true,
            also: &[],
        },
        &BTreeSet::new(),
    )?;
    let mut outside: BTreeMap<RepoPath, Vec<u32>> = BTreeMap::new();
    for (path, places) in &renamed.uses {
        let places = places.iter().copied();
        let places: Vec<u32> = places.filter(|&place| !is_in_type(path, place)).collect();
        outside.insert(path.clone(), places);
    }
    for (view, symbols) in views {
        check_uses((view, symbols), request, &located, &outside)?;
    }
    let mut edits: BTreeMap<RepoPath, Vec<TextEdit>> = BTreeMap::new();
    for (path, file) in &renamed.plan.files {
        let text = decode(&file.old_bytes);
        let named = names_of(symbols, path, text.as_str())?;
        let all = file.edits.all().iter();
        let kept = all.filter(|edit| {
            is_in_type(path, edit.range.start) == moves_field
                && !(moves_field && named.iter().any(|range| range.contains(edit.range.start)))
        });
        edits.insert(path.clone(), kept.cloned().collect());
    }
    let access = symbols.read(|compilation| Ok(widest_access(compilation, &located)))?;
    let (own, property, name_at) = at_declaration(at, &names, access, request)?;
    edits.entry(at.path.clone()).or_default().extend(own);
    let mut together = BTreeMap::new();
    for (path, of_file) in edits.into_iter().filter(|(_, edits)| !edits.is_empty()) {
        let of_file = TextEdits::new(of_file)
            .ok_or_else(|| request.refused("two edits would overlap", ""))?;
        together.insert(path, of_file);
    }
    let own = &together[&at.path];
    let field = own.new_position(at.decl().name_range.start);
    let behind = own.new_position(at.decl().range.end);
    let (Some(field), Some(behind)) = (field, behind) else {
        return Err(request.refused("its declaration cannot be read", ""));
    };
    let property = behind - property.len() as u32 + name_at;
    let mut plan = Plan::of_edits(view.index, view.side, together, &BTreeMap::new())?;
    plan.moved
        .insert(at.path.clone(), MovedText::standing_for(property, field));
    plan.fields.insert((at.path.clone(), property));
    Ok(Some(Draft {
        kind: EditKind::EncapsulateField,
        title: format!("encapsulate `{}` as `{}`", request.symbol, names.property),
        subject: Some(located.subject),
        n_family: 0,
        names: BTreeSet::from([names.old, names.field, names.property]),
        locals: Locals::Kept,
        old_name: None,
        left_alone: BTreeMap::new(),
        plan,
    }))
}

/// Refuses what a property cannot stand for.
fn check_field(at: &Declaration, request: &EncapsulateField<'_>) -> Result<(), EditError> {
    let decl = at.decl();
    let reason = match decl.kind {
        DeclKind::Field => None,
        DeclKind::Constant => Some("it is a constant: attributes and `case` may need its value"),
        DeclKind::Property => Some("it is a property already"),
        _ => Some("it is no field"),
    };
    if let Some(reason) = reason {
        return Err(request.refused(reason, ""));
    }
    let text = &at.text[decl.range.as_usize()];
    if decl.modifiers.contains(Modifier::Fixed)
        || type_text(at).is_some_and(|it| it.starts_with("ref "))
    {
        return Err(request.refused("it is a buffer or a reference", ""));
    }
    let same = |other: &&Decl| other.kind == DeclKind::Field && other.range.overlaps(decl.range);
    if at.facts.decls.iter().filter(same).count() > 1 || !text.ends_with(';') {
        let help = "declare each of them on its own first";
        return Err(request.refused("other fields are declared with it", help));
    }
    if text.lines().any(|line| line.trim_start().starts_with('#')) {
        return Err(request.refused("a directive stands in its declaration", ""));
    }
    Ok(())
}

/// What field and property may be called, the best first.
fn names(at: &Declaration, request: &EncapsulateField<'_>) -> Result<Vec<Names>, EditError> {
    let old = at.name().to_owned();
    let plain = old.trim_start_matches('_');
    let plain = match plain.split_at_checked(2) {
        Some(("m_" | "s_", rest)) => rest,
        _ => plain,
    };
    let with_first = |name: &str, change: fn(char) -> String| {
        let mut characters = name.chars();
        let first = characters.next().map(change).unwrap_or_default();
        format!("{first}{}", characters.as_str())
    };
    let property = match request.name {
        Some(name) => bare(&written(name).map_err(|reason| request.refused(reason, ""))?),
        None => with_first(plain, |it| it.to_uppercase().collect()),
    };
    let siblings: Vec<&str> = (at.facts.decls.iter())
        .filter(|other| other.parent == at.decl().parent)
        .map(|other| at.facts.name(other.name))
        .collect();
    let is_taken = |name: &str| name != old && siblings.contains(&name);
    if property.is_empty() || is_taken(&property) {
        let help = "give the property another name";
        return Err(request.refused(format!("`{property}` is another member of the type"), help));
    }
    let with_field = |field: String| Names {
        old: old.clone(),
        field,
        property: property.clone(),
    };
    if property != old {
        return Ok(vec![with_field(old.clone())]);
    }
    let lower = with_first(plain, |it| it.to_lowercase().collect());
    // As the other fields of the type are called.
    let fields = at.facts.decls.iter().filter(|other| {
        other.kind == DeclKind::Field
            && other.parent == at.decl().parent
            && matches!(other.accessibility, None | Some(Accessibility::Private))
    });
    let mut fields = fields.map(|other| at.facts.name(other.name));
    let is_plain = fields.clone().next().is_some() && !fields.any(|name| name.starts_with('_'));
    let underscored = format!("_{lower}");
    let candidates = match is_plain && lower != old {
        true => [lower, underscored],
        false => [underscored.clone(), format!("{underscored}Value")],
    };
    let free = candidates
        .into_iter()
        .filter(|name| !is_taken(name) && *name != old);
    let names: Vec<Names> = free.map(with_field).collect();
    match names.is_empty() {
        true => Err(request.refused("no name is free for the field", "")),
        false => Ok(names),
    }
}

/// The declarations of the type of a member.
fn inside(symbols: &Symbols, located: &Located) -> Result<Inside, EditError> {
    let mut inside = Inside::new();
    symbols.read(|compilation| {
        let mut find = || -> Result<(), EditError> {
            for symbol in &located.symbols {
                let ty = declared::type_id(compilation, symbol.key())?;
                for part in declared::parts_of(symbols, compilation, ty)? {
                    let unit = compilation.unit_id(&part.unit);
                    for (id, decl) in part.facts.decls.iter().enumerate() {
                        if compilation.type_of_decl(unit, id as u32) == Some(ty) {
                            let ranges = inside.entry(part.unit.path.clone()).or_default();
                            ranges.push(decl.range);
                        }
                    }
                }
            }
            Ok(())
        };
        Ok(find())
    })??;
    Ok(inside)
}

/// Where a file only names something: in `nameof`, and in documentation. These go on naming what other code sees.
fn names_of(symbols: &Symbols, path: &RepoPath, text: &str) -> Result<Vec<ByteRange>, EditError> {
    let mut out = Vec::new();
    for project in symbols.projects_of(path)? {
        let Some(facts) = symbols.facts(path, project, Sections::Bodies)? else {
            continue;
        };
        out.extend(facts.decls.iter().map(|decl| decl.doc_range));
        let tree = BodyTree::new(&facts, text);
        for id in 0..facts.bodies.nodes().len() as BodyId {
            let callee = id + 1;
            if tree.kind(id) == BodyKind::Invocation
                && tree.kind(callee) == BodyKind::Name
                && tree.text_of(callee) == "nameof"
            {
                out.push(tree.span(id));
            }
        }
    }
    Ok(out)
}

/// Refuses uses by other types that a property cannot take.
fn check_uses(
    (view, symbols): (&Viewpoint<'_>, &Symbols),
    request: &EncapsulateField<'_>,
    located: &Located,
    outside: &BTreeMap<RepoPath, Vec<u32>>,
) -> Result<(), EditError> {
    let mut reader = view.blobs();
    for (path, places) in outside.iter().filter(|(_, places)| !places.is_empty()) {
        let Some(file) = view.snapshot().file(path)? else {
            continue;
        };
        let bytes = reader.read_blob(file.blob)?;
        let source = decode(&bytes);
        for project in symbols.projects_of(path)? {
            let Some(facts) = symbols.facts(path, project, Sections::Bodies)? else {
                continue;
            };
            let identifiers = symbols.identifiers(&bytes, project);
            let key = UnitKey {
                path: path.clone(),
                project: ProjectId::new(project),
            };
            let refused = symbols.read(|compilation| {
                let bound = Bound::new(
                    compilation,
                    BodyTree::new(&facts, source.as_str()),
                    compilation.bind_expressions(&key, &facts),
                    compilation.local_bindings(&key, &facts, &identifiers),
                );
                let ty = field_type(compilation, located);
                let found = places.iter().find_map(|&place| {
                    let reason = misfit(&bound, place, ty)?;
                    Some(format!("{}: {reason}", shown(path, source.as_str(), place)))
                });
                Ok(found)
            })?;
            if let Some(reason) = refused {
                let help = "change that code first: a property is no variable";
                return Err(request.refused(reason, help));
            }
        }
    }
    Ok(())
}

/// The type of the field, with what may change it besides an assignment.
#[derive(Clone, Copy)]
struct FieldType {
    is_value: bool,
    /// It is a field of a struct.
    is_of_struct: bool,
    /// No member of it changes it.
    is_unchangeable: bool,
}

fn field_of(c: &Compilation<'_>, located: &Located) -> Option<MemberId> {
    let id = located.subject.resolved.doc_id.as_deref();
    located.symbols.iter().find_map(|symbol| {
        let ty = c.source_type(symbol.key())?;
        member_of(c, ty, id)
    })
}

/// The accessibility of a property for a private field: `public`, but where its type would be less accessible.
fn widest_access(c: &Compilation<'_>, located: &Located) -> &'static str {
    let Some(field) = field_of(c, located) else {
        return "public";
    };
    let field = c.member(field);
    let is_seen = |member| c.is_seen_with((field.owner, member), field.signature.ty);
    let wide = [
        (Accessibility::Public, "public"),
        (Accessibility::Internal, "internal"),
    ];
    let widest = wide.into_iter().find(|(access, _)| is_seen(*access));
    widest.map_or("private", |(_, word)| word)
}

fn field_type(c: &Compilation<'_>, located: &Located) -> FieldType {
    let Some(member) = field_of(c, located) else {
        return FieldType {
            is_value: true,
            is_of_struct: true,
            is_unchangeable: false,
        };
    };
    let ty: Ty = c.member(member).signature.ty;
    let is_value = match c.kind(ty) {
        TyKind::Array(..) | TyKind::Dynamic | TyKind::Anonymous(_) => false,
        TyKind::Named { def, .. } => !matches!(
            c.def(*def).kind,
            TypeKind::Class | TypeKind::Record | TypeKind::Interface | TypeKind::Delegate
        ),
        _ => true,
    };
    let def = c.def_of(ty);
    let is_unchangeable = c.member(member).is(MemberFlags::READONLY)
        || crate::evaluation::is_simple(&c.display_type(ty))
        || def.is_some_and(|def| {
            c.def(def).kind == TypeKind::Enum || c.header(def).flags.has(TypeFlags::READONLY)
        });
    let owner = c.def(c.member(member).owner).kind;
    FieldType {
        is_value,
        is_of_struct: matches!(owner, TypeKind::Struct | TypeKind::RecordStruct),
        is_unchangeable,
    }
}

/// Why a use of a field cannot be one of a property, if it cannot.
fn misfit(bound: &Bound<'_, '_>, place: u32, ty: FieldType) -> Option<&'static str> {
    const PART: &str = "a part of its value is changed there, which would be one of a copy";
    const CALLED: &str = "a method is called there that may change it, which would change a copy";
    let tree = &bound.tree;
    let name = tree.name_at(place)?;
    let mut whole = name;
    while let Some(parent) = tree.parent(whole) {
        let is_last = tree.index_in_parent(whole) > 0;
        match tree.kind(parent) {
            BodyKind::MemberAccess if is_last => whole = parent,
            BodyKind::MemberBinding | BodyKind::Parenthesized | BodyKind::SuppressNull => {
                whole = parent;
            }
            _ => break,
        }
    }
    // A property takes a struct that has a value; its fields give it one (C# specification, 9.4.1).
    if ty.is_of_struct
        && write_of(tree, whole).is_some()
        && has_no_value(bound, tree.children(whole).first().copied())
    {
        return Some("the struct is given its value field by field there");
    }
    let parent = tree.parent(whole)?;
    let node = tree.node(parent);
    match node.kind {
        BodyKind::Argument if node.flags & 7 != ref_kind::NONE => {
            return Some("it is passed by reference there");
        }
        BodyKind::RefExpression => return Some("a reference to it is taken there"),
        BodyKind::Unary if Op::ALL.get(usize::from(node.flags)) == Some(&Op::AddressOf) => {
            return Some("its address is taken there");
        }
        BodyKind::MemberInit if ty.is_value => {
            let value = tree.children(parent).get(1).map(|&it| tree.kind(it));
            let is_part = matches!(
                value,
                Some(BodyKind::ObjectInitializer | BodyKind::CollectionInitializer)
            );
            return is_part.then_some(PART);
        }
        _ => {}
    }
    if !ty.is_value {
        return None;
    }
    if write_of(tree, whole) == Some(Write::Part) {
        return Some(PART);
    }
    let mut at = whole;
    while let Some(parent) = tree.parent(at) {
        let is_first = tree.index_in_parent(at) == 0;
        match tree.kind(parent) {
            BodyKind::Parenthesized | BodyKind::SuppressNull => {}
            BodyKind::MemberAccess if is_first => {}
            BodyKind::Invocation if is_first && at != whole && !ty.is_unchangeable => {
                return Some(CALLED);
            }
            // `GetEnumerator` and `GetAwaiter` are called on the variable itself.
            BodyKind::Await if !ty.is_unchangeable => return Some(CALLED),
            BodyKind::ForEach
                if tree.children(parent).get(2) == Some(&at) && !ty.is_unchangeable =>
            {
                return Some(CALLED);
            }
            _ => return None,
        }
        at = parent;
    }
    None
}

/// Whether an expression is a variable that is declared without a value, or an `out` parameter.
fn has_no_value(bound: &Bound<'_, '_>, receiver: Option<BodyId>) -> bool {
    let tree = &bound.tree;
    let Some(receiver) = receiver.filter(|&it| tree.kind(it) == BodyKind::Name) else {
        return false;
    };
    match bound.local(tree.node(receiver).offset) {
        Some(LocalSymbol::Declared(at)) => tree.declared_at(at).is_some_and(|declared| {
            let is_local = tree
                .parent(declared)
                .is_some_and(|it| tree.kind(it) == BodyKind::LocalDeclaration);
            match tree.kind(declared) {
                BodyKind::Declarator => is_local && tree.children(declared).is_empty(),
                BodyKind::LambdaParameter => tree.node(declared).flags & 7 == ref_kind::OUT,
                _ => false,
            }
        }),
        Some(LocalSymbol::Parameter(member, at)) => {
            let params = &bound.compilation.member(member).signature.params;
            let param = params.get(usize::from(at));
            param.is_some_and(|it| it.ref_kind == RefKind::Out)
        }
        _ => false,
    }
}

/// The tokens of a declaration before its name.
fn head(at: &Declaration) -> Vec<ByteRange> {
    let (start, end) = (at.decl().range.start, at.decl().name_range.start);
    let text = &at.text[start as usize..end as usize];
    let all = tokens(text.as_bytes()).into_iter();
    let all = all.map(|token: CodeToken| ByteRange {
        start: start + token.range.start,
        end: start + token.range.end,
    });
    // Behind the attributes.
    let (mut out, mut depth) = (Vec::new(), 0_usize);
    for range in all {
        match &at.text[range.as_usize()] {
            "[" if out.is_empty() => depth += 1,
            "]" if depth > 0 => depth -= 1,
            _ if depth > 0 => {}
            _ => out.push(range),
        }
    }
    out
}

const MODIFIERS: [&str; 12] = [
    "public",
    "private",
    "protected",
    "internal",
    "static",
    "readonly",
    "volatile",
    "unsafe",
    "new",
    "required",
    "extern",
    "file",
];

/// The type of a field as it is written.
fn type_text(at: &Declaration) -> Option<&str> {
    let all = head(at);
    let mut rest = all
        .iter()
        .skip_while(|it| MODIFIERS.contains(&&at.text[it.as_usize()]));
    let start = rest.next()?.start as usize;
    Some(at.text[start..at.decl().name_range.start as usize].trim_end())
}

/// The edits of the declaration: the modifiers, and the property behind it, whose text and the place of whose name in it
/// are given as well.
fn at_declaration(
    at: &Declaration,
    names: &Names,
    widest: &str,
    request: &EncapsulateField<'_>,
) -> Result<(Vec<TextEdit>, String, u32), EditError> {
    let decl = at.decl();
    let text: &str = &at.text;
    let ty = type_text(at).ok_or_else(|| request.refused("its type cannot be read", ""))?;
    let modifiers: Vec<(ByteRange, &str)> = (head(at).into_iter())
        .map(|range| (range, &text[range.as_usize()]))
        .take_while(|(_, word)| MODIFIERS.contains(word))
        .collect();
    let is_access = |word: &str| matches!(word, "public" | "private" | "protected" | "internal");
    let mut edits = Vec::new();
    let mut is_private = false;
    for &(range, word) in &modifiers {
        let goes = is_access(word) && is_private || matches!(word, "new" | "required");
        if !goes && !is_access(word) {
            continue;
        }
        let behind = &text[range.end as usize..];
        let white = behind.len() - behind.trim_start_matches([' ', '\t']).len();
        let (end, new) = match goes {
            true => (range.end + white as u32, String::new()),
            false => (range.end, "private".to_owned()),
        };
        is_private |= is_access(word);
        if text[range.start as usize..end as usize] != *new {
            edits.push(TextEdit {
                range: ByteRange {
                    start: range.start,
                    end,
                },
                text: new,
                start: StartIs::New,
            });
        }
    }
    let access: Vec<&str> = modifiers
        .iter()
        .map(|it| it.1)
        .filter(|it| is_access(it))
        .collect();
    let access = match access.as_slice() {
        [] | ["private"] => widest.to_owned(),
        all => all.join(" "),
    };
    let others = modifiers.iter().map(|it| it.1);
    let others = others.filter(|it| matches!(*it, "static" | "unsafe" | "new" | "required"));
    let others: String = others.map(|it| format!("{it} ")).collect();
    let layout = Layout::of(text, &at.facts);
    let indent = indent_at(text, decl.range.start as usize);
    let (end, inner) = (layout.line_end, layout.deeper(indent));
    let token = |name: &str| written(name).unwrap_or_else(|_| name.to_owned());
    let is_static = decl.modifiers.contains(Modifier::Static);
    let field = match (names.field.as_str(), is_static) {
        ("value", false) => "this.value".to_owned(),
        (name, _) => token(name),
    };
    let mut property = format!("{end}{end}");
    let docs = decl.doc_range;
    if docs.start < docs.end {
        // The documentation is for those who use the property.
        let own = text[docs.as_usize()].trim_end();
        property.push_str(&format!("{indent}{}{end}", own.trim_start()));
        let line = text[..docs.start as usize]
            .rfind('\n')
            .map_or(0, |it| it + 1);
        edits.push(TextEdit {
            range: ByteRange {
                start: line as u32,
                end: (decl.range.start as usize - indent.len()) as u32,
            },
            text: String::new(),
            start: StartIs::New,
        });
    }
    property.push_str(&format!("{indent}{access} {others}{ty} "));
    let name_at = property.len() as u32;
    property.push_str(&token(&names.property));
    if decl.modifiers.contains(Modifier::Readonly) {
        property.push_str(&format!(" => {field};"));
    } else {
        let brace = match layout.brace_on_own_line {
            true => format!("{end}{indent}{{"),
            false => " {".to_owned(),
        };
        property.push_str(&format!(
            "{brace}{end}{inner}get => {field};{end}{inner}set => {field} = value;{end}{indent}}}"
        ));
    }
    let place = decl.range.end;
    edits.push(TextEdit {
        range: ByteRange {
            start: place,
            end: place,
        },
        text: property.clone(),
        start: StartIs::New,
    });
    Ok((edits, property, name_at))
}
