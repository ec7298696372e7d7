//! `extract-interface`: what a type shows to other code becomes an interface in a file of its own, which the type
//! implements.
//!
//! The declarations are those of the type, as they are written there. Owns: which members, and the new file. Must not
//! know: whether other code means the same afterwards ([`crate::proof`]).

use std::collections::{BTreeMap, BTreeSet};

use cortex_index::{Progress, Symbols};
use cortex_look::viewpoint::Viewpoint;
use cortex_model::{Accessibility, DeclKind, Modifier, RepoPath, TypeKind};
use cortex_semantics::MemberId;
use cortex_syntax::{AccessorKind, Decl, text::tokens};
use cortex_wire::EditKind;

use crate::{
    EditError,
    conflicts::Locals,
    draft::Draft,
    edit::Sides,
    identifier::{bare, written},
    implement::base_edit,
    layout::indent_at,
    located::{Declaration, Located, locate},
    new_path::check_new_path,
    new_type::{Frame, constraints, made_like, new_file, organize_new_file, type_parameters},
    plan::Plan,
    rename::declared,
    text_edit::TextEdits,
};

/// A type gets an interface.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ExtractInterface<'r> {
    /// The class, struct or record, as any question names it.
    pub symbol: &'r str,
    /// The name of the interface.
    pub name: &'r str,
    /// The names of the members; all public ones of an instance where there is none.
    pub members: &'r [String],
    /// The path of the new file, or a folder with `/` at its end; beside the type's by default.
    pub to: Option<&'r str>,
}

impl ExtractInterface<'_> {
    fn title(&self) -> String {
        format!("extract `{}` from `{}`", self.name, self.symbol)
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

/// Plans an interface: first with all using directives of the type's file, of which those go that it does not need.
///
/// # Errors
/// [`EditError::Refused`] for types and members that it cannot be made of, and projects that would not compile it; those of
/// the index.
pub(crate) fn plan_extract_interface(
    views: &Sides<'_, '_>,
    request: &ExtractInterface<'_>,
    progress: &dyn Progress,
) -> Result<Draft, EditError> {
    let Whole {
        mut draft,
        of_type,
        path,
    } = plan_whole(views[0], request)?;
    let refused = |reason: String, help: &str| request.refused(reason, help);
    let places = (&of_type, &path);
    organize_new_file(views, &mut draft.plan, places, &refused, progress)?;
    Ok(draft)
}

/// An interface in a file with all using directives of its type's.
struct Whole {
    draft: Draft,
    /// The type's file.
    of_type: RepoPath,
    /// The new one.
    path: RepoPath,
}

/// Plans an interface; the new file has all using directives of the type's.
///
/// # Errors
/// [`EditError::Refused`] for types and members that it cannot be made of; those of the index.
fn plan_whole(
    (view, symbols): (&Viewpoint<'_>, &Symbols),
    request: &ExtractInterface<'_>,
) -> Result<Whole, EditError> {
    let title = request.title();
    let token = written(request.name).map_err(|reason| request.refused(reason, ""))?;
    let located = locate(view, symbols, request.symbol, &|| title.clone())?;
    let at = &located.declarations[0];
    match at.decl().kind.type_kind() {
        Some(TypeKind::Class | TypeKind::Struct | TypeKind::Record | TypeKind::RecordStruct) => {}
        _ => return Err(request.refused("it is no class, struct or record", "")),
    }
    if at.parent().is_some_and(|it| it.kind.type_kind().is_some()) {
        return Err(request.refused("it is a type inside of another one", ""));
    }
    if at.decl().modifiers.contains(Modifier::Static) {
        return Err(request.refused("a static class implements nothing", ""));
    }
    let shown = shown_members(symbols, &located, request)?;
    let path = new_file(at, &bare(&token), request.to);
    let root = view.index.repo.work_dir().ok_or(EditError::NoWorkTree)?;
    check_new_path(root, &path, &|_| false)?;
    let texts = shown.iter().map(|member| member.text.as_str());
    let parameters = type_parameters(at, texts);
    let generics = match parameters.as_slice() {
        [] => String::new(),
        all => format!("<{}>", all.join(", ")),
    };
    let text = file_text(at, &shown, &format!("{token}{generics}"), &parameters);
    let mut edits = BTreeMap::new();
    let base = base_edit(at, &format!("{token}{generics}"));
    let base = base.map_err(|reason| request.refused(reason, ""))?;
    let base = TextEdits::new(vec![base]);
    edits.insert(at.path.clone(), base.expect("there is one edit"));
    let mut plan = Plan::of_edits(view.index, view.side, edits, &BTreeMap::new())?;
    let made = made_like(view, &plan.files[&at.path], &path, &text)?;
    plan.files.insert(path.clone(), made);
    let draft = Draft {
        kind: EditKind::ExtractInterface,
        title,
        subject: Some(located.subject.clone()),
        n_family: 0,
        names: BTreeSet::from([bare(&token)]),
        locals: Locals::Kept,
        old_name: None,
        left_alone: BTreeMap::new(),
        plan,
    };
    Ok(Whole {
        draft,
        of_type: at.path.clone(),
        path,
    })
}

/// A member as the interface has it.
struct Shown {
    /// Its documentation, as it is written.
    docs: String,
    /// Its declaration.
    text: String,
}

/// The members that the interface gets, as they are written.
fn shown_members(
    symbols: &Symbols,
    located: &Located,
    request: &ExtractInterface<'_>,
) -> Result<Vec<Shown>, EditError> {
    let implemented = implemented(symbols, located)?;
    let own = own_names(located);
    let mut shown = Vec::new();
    let mut missing: BTreeSet<&str> = request.members.iter().map(String::as_str).collect();
    for at in &located.declarations {
        for decl in at.children() {
            let name = match decl.kind {
                DeclKind::Indexer => "this",
                _ => at.facts.name(decl.name),
            };
            let is_named = request.members.iter().any(|it| it == name);
            if request.members.is_empty() {
                let is_known = implemented.contains(&(at.path.clone(), decl.name_range.start));
                if is_known || decl.modifiers.contains(Modifier::Override) {
                    continue;
                }
            } else if !is_named {
                continue;
            }
            match why_not(decl).or_else(|| is_divided(at, decl).then_some(DIVIDED)) {
                None => {
                    let text = member_text(at, decl)
                        .ok_or_else(|| request.refused(format!("`{name}` cannot be read"), ""))?;
                    let text = qualified(&text, &located.declarations[0], &own);
                    let text = text.map_err(|hidden| {
                        let reason =
                            format!("`{name}` names `{hidden}`, which an interface does not see");
                        request.refused(reason, "name the other members")
                    })?;
                    shown.push(Shown {
                        docs: at.text[decl.doc_range.as_usize()].trim().to_owned(),
                        text,
                    });
                }
                Some(reason) if is_named => {
                    return Err(request.refused(format!("`{name}` {reason}"), ""));
                }
                Some(_) => {}
            }
            missing.remove(name);
        }
    }
    if let Some(name) = missing.first() {
        return Err(request.refused(format!("the type declares no `{name}`"), ""));
    }
    if shown.is_empty() {
        let reason = "it has no public member of an instance that no interface has already";
        return Err(request.refused(reason, "name the members that it is to have"));
    }
    Ok(shown)
}

/// Why a member cannot be one of an interface that its type implements.
fn why_not(decl: &Decl) -> Option<&'static str> {
    match decl.kind {
        DeclKind::Method | DeclKind::Property | DeclKind::Indexer | DeclKind::Event => {}
        _ => return Some("is no method, property, indexer or event"),
    }
    if decl.accessibility != Some(Accessibility::Public) {
        return Some("is not public");
    }
    decl.modifiers
        .contains(Modifier::Static)
        .then_some("is static")
}

/// Where the members are declared that implement an interface already.
fn implemented(
    symbols: &Symbols,
    located: &Located,
) -> Result<BTreeSet<(RepoPath, u32)>, EditError> {
    let mut out = BTreeSet::new();
    symbols.read(|c| {
        let mut find = || -> Result<(), EditError> {
            let ty = declared::type_id(c, located.symbols[0].key())?;
            let own = c.instance_type(ty);
            let mut found: BTreeSet<MemberId> = BTreeSet::new();
            for &interface in c.all_interfaces(own).iter() {
                let Some(def) = c.def_of(interface) else {
                    continue;
                };
                let members = c.members(def).all.clone();
                found.extend(
                    (members.iter()).filter_map(|&of| c.implementation_of(own, interface, of)),
                );
            }
            for part in declared::parts_of(symbols, c, ty)? {
                let unit = c.unit_id(&part.unit);
                for (id, decl) in part.facts.decls.iter().enumerate() {
                    let member = c.member_of_decl(unit, id as u32);
                    if member.is_some_and(|member| found.contains(&member)) {
                        out.insert((part.unit.path.clone(), decl.name_range.start));
                    }
                }
            }
            Ok(())
        };
        Ok(find())
    })??;
    Ok(out)
}

/// Modifiers that a member of an interface has no more.
const MODIFIERS: [&str; 13] = [
    "public", "virtual", "override", "abstract", "sealed", "async", "new", "partial", "extern",
    "readonly", "required", "unsafe", "static",
];

/// Why a member with directives in its head is not written elsewhere.
const DIVIDED: &str = "has a directive in its head";

/// Whether a directive stands before the body of a member, behind its documentation.
fn is_divided(at: &Declaration, decl: &Decl) -> bool {
    let end = match decl.body_range.start < decl.body_range.end {
        true => decl.body_range.start,
        false => decl.range.end,
    };
    let head = &at.text[decl.range.start as usize..end as usize];
    head.lines().any(|line| line.trim_start().starts_with('#'))
}

/// A member without attributes, modifiers and body.
fn member_text(at: &Declaration, decl: &Decl) -> Option<String> {
    let text: &str = &at.text;
    let start = decl.range.start as usize;
    let body = match decl.body_range.start < decl.body_range.end {
        true => decl.body_range.start as usize,
        false => decl.range.end as usize,
    };
    let all = tokens(&text.as_bytes()[start..body]);
    let word =
        |at: usize| &text[start + all[at].range.start as usize..start + all[at].range.end as usize];
    let mut first = 0;
    let mut depth = 0_usize;
    while first < all.len() {
        match word(first) {
            "[" => depth += 1,
            "]" => depth = depth.saturating_sub(1),
            it if depth == 0 && !MODIFIERS.contains(&it) => break,
            _ => {}
        }
        first += 1;
    }
    let from = start + all.get(first)?.range.start as usize;
    let head = text[from..body]
        .trim_end()
        .trim_end_matches("=>")
        .trim_end();
    let head = head.trim_end_matches([';', '{']).trim_end();
    let head = head.replace(&format!("\n{}", indent_at(text, start)), "\n");
    let is_unsafe = decl.modifiers.contains(Modifier::Unsafe);
    let modifier = if is_unsafe { "unsafe " } else { "" };
    Some(match decl.kind {
        DeclKind::Property | DeclKind::Indexer => {
            let accessors: Vec<&str> = (decl.accessors.iter())
                .filter(|it| it.accessibility.is_none())
                .filter_map(|it| match it.kind {
                    AccessorKind::Get => Some("get;"),
                    AccessorKind::Set => Some("set;"),
                    AccessorKind::Init => Some("init;"),
                    _ => None,
                })
                .collect();
            let accessors = match accessors.is_empty() {
                true => "get;".to_owned(),
                false => accessors.join(" "),
            };
            format!("{modifier}{head} {{ {accessors} }}")
        }
        _ => format!("{modifier}{head};"),
    })
}

/// The types and constants that a type declares, with whether code outside of it sees them.
fn own_names(located: &Located) -> BTreeMap<String, bool> {
    let all = located.declarations.iter().flat_map(|at| {
        let own = at.children().filter(|decl| {
            decl.kind.type_kind().is_some()
                || matches!(decl.kind, DeclKind::Constant | DeclKind::Delegate)
        });
        own.map(|decl| {
            let is_seen = matches!(
                decl.accessibility,
                Some(
                    Accessibility::Public
                        | Accessibility::Internal
                        | Accessibility::ProtectedInternal
                )
            );
            (at.facts.name(decl.name).to_owned(), is_seen)
        })
    });
    all.collect()
}

/// A member with the type before those names that only code inside of the type sees.
///
/// # Errors
/// A name that code outside of the type cannot write.
fn qualified(text: &str, at: &Declaration, own: &BTreeMap<String, bool>) -> Result<String, String> {
    let all = tokens(text.as_bytes());
    let word = |at: usize| all.get(at).map_or("", |it| &text[it.range.as_usize()]);
    let parameters: Vec<&str> = (at.decl().type_params.iter())
        .map(|it| at.facts.name(it.name))
        .collect();
    let around = match parameters.is_empty() {
        true => at.name().to_owned(),
        false => format!("{}<{}>", at.name(), parameters.join(", ")),
    };
    let is_name =
        |word: &str| word.starts_with(|it: char| it == '_' || it == '@' || it.is_alphabetic());
    let modifiers = [
        "ref", "out", "in", "params", "this", "scoped", "readonly", "event", "unsafe",
    ];
    let mut out = String::with_capacity(text.len());
    let mut end = 0;
    for (number, token) in all.iter().enumerate() {
        let Some(&is_seen) = own.get(word(number)) else {
            continue;
        };
        let before = if number == 0 { "" } else { word(number - 1) };
        // What stands behind a type is the name of a member or parameter.
        let is_declared = is_name(before) && !modifiers.contains(&before)
            || matches!(before, ">" | "]" | "?" | "*" | ".");
        if is_declared || word(number + 1) == ":" {
            continue;
        }
        if !is_seen {
            return Err(word(number).to_owned());
        }
        let start = token.range.start as usize;
        out.push_str(&text[end..start]);
        out.push_str(&around);
        out.push('.');
        end = start;
    }
    out.push_str(&text[end..]);
    Ok(out)
}

/// The text of the new file.
fn file_text(at: &Declaration, shown: &[Shown], name: &str, parameters: &[String]) -> String {
    let constraints = constraints(at, parameters);
    let frame = Frame::new(at, &format!("interface {name}{constraints}"));
    let mut lines: Vec<String> = Vec::new();
    for (number, member) in shown.iter().enumerate() {
        if number > 0 {
            lines.push(String::new());
        }
        if !member.docs.is_empty() {
            let docs = member.docs.lines();
            lines.extend(docs.map(|it| format!("{}{}", frame.inner, it.trim_start())));
        }
        let text = member.text.lines();
        lines.extend(text.map(|it| format!("{}{it}", frame.inner)));
    }
    lines.push(String::new());
    format!(
        "{}{}{}",
        frame.opening,
        lines.join(frame.line_end),
        frame.closing
    )
}
