//! What a question is about: the symbol that a text means, as every answer tells it.

use crate::{
    QueryError,
    declared::{declared_member, declared_type},
    follow::redirect::{aliased, redirected},
    symbol::{
        ambiguous,
        doc_id::of_doc_id,
        member_name, member_of, nearest, resolve_all,
        resolved::{Stages, Symbol, SymbolPart},
        sort_by_likelihood,
    },
    viewpoint::Viewpoint,
};
use cortex_derived::{
    doc_ids::{DocIds, written_members},
    names::names,
    target::Target,
};
use cortex_wire::{Declaration, ResolveAnswer, Subject};

use cortex_wire::SymbolKind;
use cortex_wire::SymbolRef;

use std::{cell::Cell, collections::BTreeSet};

use cortex_bind::{main_part, member_detail};
use cortex_index::IndexError;
use cortex_model::{RepoPath, simple_name};
use cortex_syntax::Sections;

/// Finds what `text` means at a viewpoint, with what answers say of it. Of several symbols those count that the filter
/// lets pass.
///
/// # Errors
/// [`QueryError::SymbolNotFound`] with suggestions, [`QueryError::AmbiguousSymbol`] with the candidates.
pub fn find_symbol(view: &Viewpoint<'_>, text: &str) -> Result<(Symbol, Subject), QueryError> {
    find(view, text, &|_| Ok(true))
}

/// Whether a symbol counts.
type Counts<'f> = &'f dyn Fn(&Symbol) -> Result<bool, QueryError>;

/// The same among the symbols that count.
fn find(
    view: &Viewpoint<'_>,
    text: &str,
    counts: Counts<'_>,
) -> Result<(Symbol, Subject), QueryError> {
    let Meant {
        mut symbols,
        was,
        corrected,
        others,
    } = meant(view, text, counts)?;
    if symbols.iter().any(|it| view.filter.has_type(&it.node)) {
        symbols.retain(|it| view.filter.has_type(&it.node));
    }
    // What several projects compile from one file is one symbol.
    let mut others = others;
    if symbols.iter().all(|it| it.is_twin(&symbols[0])) {
        others.splice(0..0, symbols.drain(1..));
    }
    let [symbol] = <[Symbol; 1]>::try_from(symbols).map_err(|symbols| {
        ambiguous(view.snapshot(), text, &symbols).unwrap_or_else(|error| error)
    })?;
    let mut subject = subject_of(view, &symbol)?;
    subject.redirected_from = was;
    subject.total_others = others.len();
    for other in others.iter().take(MAX_OTHERS) {
        subject.others.push(other.resolved(view.snapshot())?);
    }
    subject.corrected_from = corrected;
    Ok((symbol, subject))
}

/// So many less likely symbols are named.
const MAX_OTHERS: usize = 3;

/// What a text means.
struct Meant {
    /// All that it may mean, most likely first; not empty.
    symbols: Vec<Symbol>,
    /// What it was called, where it is called otherwise now.
    was: Option<String>,
    /// What was asked for, where nothing is called so.
    corrected: Option<String>,
    /// Those that are less likely, in this order.
    others: Vec<Symbol>,
}

impl Meant {
    /// The likeliest of symbols that are in this order, where they are one: in a namespace that is less deep than
    /// those of others, or more visible. Else all of them.
    fn likeliest(mut symbols: Vec<Symbol>) -> Self {
        let rank = |symbol: &Symbol| {
            let depth = symbol.node.fqn.matches('.').count();
            (depth, std::cmp::Reverse(symbol.node.effective))
        };
        let mut others = Vec::new();
        let n_best = symbols.partition_point(|it| rank(it) <= rank(&symbols[0]));
        if symbols[..n_best].iter().all(|it| it.is_same(&symbols[0])) {
            others = symbols.split_off(n_best);
        }
        Self {
            others,
            symbols,
            was: None,
            corrected: None,
        }
    }
}

/// Finds what `text` means: what is called so, members of any type that are, what was called so in an indexed commit
/// before, then what is nearly called so. Only symbols that count; where what is called so does not, nothing else is
/// meant instead.
fn meant(view: &Viewpoint<'_>, text: &str, counts: Counts<'_>) -> Result<Meant, QueryError> {
    let (snapshot, mut reader) = (view.snapshot(), view.blobs());
    let n_outside = Cell::new(0);
    let kept = |symbols: Vec<Symbol>| -> Result<Vec<Symbol>, QueryError> {
        let n_all = symbols.len();
        let mut out = Vec::with_capacity(n_all);
        for symbol in symbols {
            if counts(&symbol)? {
                out.push(symbol);
            }
        }
        n_outside.set(n_outside.get() + n_all - out.len());
        Ok(out)
    };
    match resolve_all(snapshot, text, Stages::Exact, &mut *reader) {
        Err(QueryError::SymbolNotFound { .. }) => {}
        found => {
            let symbols = kept(found?)?;
            if !symbols.is_empty() {
                return Ok(Meant::likeliest(symbols));
            }
        }
    }
    if let Some((name, params)) = member_name(text) {
        let symbols = kept(members_called(view, &name, params.as_deref())?)?;
        if !symbols.is_empty() {
            return Ok(Meant::likeliest(symbols));
        }
    }
    let is_pattern = text.contains(['*', '?']);
    let mut former = None;
    if !is_pattern {
        former = aliased(view, text)?;
        if let (None, Some(commit)) = (&former, view.side.commit) {
            former = redirected(view.index, commit, snapshot, text)?;
        }
    }
    if let Some((symbol, was)) = former {
        let symbols = kept(vec![symbol])?;
        if !symbols.is_empty() {
            return Ok(Meant {
                symbols,
                was: Some(was),
                corrected: None,
                others: Vec::new(),
            });
        }
    }
    if n_outside.get() == 0 {
        let symbols = kept(resolve_all(snapshot, text, Stages::All, &mut *reader)?)?;
        if !symbols.is_empty() {
            return Ok(Meant {
                corrected: (!is_pattern).then(|| text.trim().to_owned()),
                ..Meant::likeliest(symbols)
            });
        }
    }
    Err(QueryError::SymbolOutside {
        symbol: text.to_owned(),
        limited_to: view.filter.limited_to().cloned().unwrap_or_default(),
        n: n_outside.get(),
    })
}

/// No more members of one name are told apart: each of them has to be read.
const MAX_CANDIDATES: usize = 200;

/// The members of all types that have a name, each type's overloads together: as it is written, else in any case.
fn members_called(
    view: &Viewpoint<'_>,
    name: &str,
    params: Option<&[String]>,
) -> Result<Vec<Symbol>, QueryError> {
    let table = names(view.source())?;
    let lower = name.to_lowercase();
    let (mut same, mut other) = (BTreeSet::new(), BTreeSet::new());
    table.each_name(&mut |text, _, called| {
        if text.len() != name.len() && text.is_ascii() && name.is_ascii() {
            return true;
        }
        let Ok(text) = std::str::from_utf8(text) else {
            return true;
        };
        let keys = match (text == name, text.to_lowercase() == lower) {
            (true, _) => &mut same,
            (false, true) => &mut other,
            (false, false) => return true,
        };
        let members = called.filter(|it| it.kind.is_some());
        keys.extend(members.map(|it| (table.ty(it.ty).key, text.to_owned())));
        true
    });
    let keys = if same.is_empty() { other } else { same };
    let mut out = Vec::new();
    for (key, name) in keys {
        out.extend(member_of(view.snapshot(), key, &name, params)?);
    }
    sort_by_likelihood(&mut out);
    out.truncate(MAX_CANDIDATES);
    Ok(out)
}

/// What a question about uses is about.
pub(crate) struct Asked {
    pub(crate) subject: Subject,
    /// The type or the members; one of each assembly that declares it.
    pub(crate) targets: Vec<Target>,
    /// The name by which a text would mention it, where it has one.
    pub(crate) name: Option<String>,
    /// Whether other assemblies see it.
    pub(crate) is_visible_outside: bool,
    /// The project that compiles it.
    pub(crate) project: RepoPath,
}

/// Finds what `text` means, as the map of uses knows it: the same symbol of several assemblies is one.
///
/// # Errors
/// Those of [`find_symbol`].
pub(crate) fn find_asked(view: &Viewpoint<'_>, text: &str) -> Result<Asked, QueryError> {
    let snapshot = view.snapshot();
    let mut ids = DocIds::new(snapshot);
    let exact = of_doc_id(snapshot, text)?;
    if let Some(&first) = exact.first() {
        return of_targets(view, &mut ids, first, exact);
    }
    let Meant {
        symbols: found,
        was,
        corrected,
        others,
    } = meant(view, text, &|_| Ok(true))?;
    let is_one = found.iter().all(|it| it.is_same(&found[0]));
    if !is_one {
        return Err(ambiguous(snapshot, text, &found)?);
    }
    let mut targets = Vec::new();
    let mut doc_id = None;
    for symbol in &found {
        let indices = match &symbol.part {
            SymbolPart::Whole => {
                targets.push(Target::Type(symbol.key));
                continue;
            }
            SymbolPart::Group(all) => all.clone(),
            SymbolPart::Member(at) => vec![*at],
        };
        let Some(ty) = ids.ty(symbol.key)? else {
            continue;
        };
        let written = written_members(&symbol.node, &ty);
        for &at in &indices {
            let Some(known) = written[at] else { continue };
            if indices.len() == 1 {
                doc_id = Some(ty.member(known));
            }
            let tag = ty.symbols.tag(known);
            targets.push(Target::Member(symbol.key, tag));
        }
    }
    targets.sort_unstable();
    targets.dedup();
    let symbol = &found[0];
    let mut subject = subject_of(view, symbol)?;
    subject.redirected_from = was;
    subject.total_others = others.len();
    for other in others.iter().take(MAX_OTHERS) {
        subject.others.push(other.resolved(view.snapshot())?);
    }
    subject.corrected_from = corrected;
    if doc_id.is_some() {
        subject.resolved.doc_id = doc_id;
    }
    let members = symbol.members();
    Ok(Asked {
        subject,
        targets,
        name: match members.first() {
            None => Some(simple_name(&symbol.node.fqn).to_owned()),
            Some(member) => member.kind.has_simple_name().then(|| {
                member
                    .name
                    .rsplit('.')
                    .next()
                    .unwrap_or(&member.name)
                    .to_owned()
            }),
        },
        is_visible_outside: symbol.node.effective.is_visible()
            && (members.is_empty() || members.iter().any(|it| it.accessibility.is_visible())),
        project: symbol.node.project.clone(),
    })
}

/// A symbol that is known by its documentation id; also one that the compiler makes.
fn of_targets(
    view: &Viewpoint<'_>,
    ids: &mut DocIds<'_>,
    first: Target,
    targets: Vec<Target>,
) -> Result<Asked, QueryError> {
    let snapshot = view.snapshot();
    let (key, tag) = match first {
        Target::Type(key) => (key, None),
        Target::Member(key, tag) => (key, Some(tag)),
    };
    let (Some(node), Some(ty)) = (snapshot.type_node(key)?, ids.ty(key)?) else {
        return Err(QueryError::Index(IndexError::Damaged { what: "type" }));
    };
    let project = node.project.clone();
    let is_visible = node.effective.is_visible();
    let Some((at, tag)) = tag.and_then(|tag| Some((ty.index(tag)?, tag))) else {
        let part = SymbolPart::Whole;
        let name = Some(simple_name(&node.fqn).to_owned());
        return Ok(Asked {
            subject: subject_of(view, &Symbol { key, node, part })?,
            targets,
            name,
            is_visible_outside: is_visible,
            project,
        });
    };
    let known = &ty.symbols.members[at];
    let is_visible_outside = is_visible && known.accessibility.is_visible();
    let written = written_members(&node, &ty);
    let Some(member) = written.iter().position(|it| *it == Some(at)) else {
        let simple = known.simple_name();
        return Ok(Asked {
            subject: Subject {
                frameworks: Vec::new(),
                resolved: SymbolRef {
                    path: format!(
                        "{}.{}",
                        node.fqn,
                        known.id.split_once('.').map_or(&*known.id, |it| it.1)
                    ),
                    kind: kind_of_id(&known.id),
                    type_id: snapshot.display_id(key)?,
                    member_id: None,
                    doc_id: ids.of(key, Some(tag))?,
                },
                redirected_from: None,
                corrected_from: None,
                total_others: 0,
                others: Vec::new(),
            },
            targets,
            name: is_identifier(simple).then(|| simple.to_owned()),
            is_visible_outside,
            project,
        });
    };
    let (kind, name) = (node.members[member].kind, node.members[member].name.clone());
    let part = SymbolPart::Member(member);
    let mut subject = subject_of(view, &Symbol { key, node, part })?;
    subject.resolved.doc_id = Some(ty.member(at));
    Ok(Asked {
        subject,
        targets,
        name: kind
            .has_simple_name()
            .then(|| name.rsplit('.').next().unwrap_or(&name).to_owned()),
        is_visible_outside,
        project,
    })
}

/// The kind of member that a documentation id is of.
pub(crate) fn kind_of_id(id: &str) -> SymbolKind {
    match id.as_bytes().first() {
        Some(b'F') => SymbolKind::Field,
        Some(b'P') => SymbolKind::Property,
        Some(b'E') => SymbolKind::Event,
        Some(b'T') => SymbolKind::Type,
        _ if id.contains("#ctor") => SymbolKind::Constructor,
        _ => SymbolKind::Method,
    }
}

/// Whether the simple name of a documentation id is one that sources use.
fn is_identifier(name: &str) -> bool {
    !name.starts_with('#') && !name.starts_with("op_") && name != "Item"
}

/// The subject of an answer about a symbol that has the name in question.
pub(crate) fn subject_of(view: &Viewpoint<'_>, symbol: &Symbol) -> Result<Subject, QueryError> {
    Ok(Subject {
        frameworks: Vec::new(),
        resolved: symbol.resolved(view.snapshot())?,
        redirected_from: None,
        corrected_from: None,
        total_others: 0,
        others: Vec::new(),
    })
}

/// The error of a question for a symbol of which nothing passes the filter.
pub(crate) fn outside(view: &Viewpoint<'_>, subject: &Subject) -> QueryError {
    QueryError::SymbolOutside {
        symbol: subject.resolved.path.clone(),
        limited_to: view.filter.limited_to().cloned().unwrap_or_default(),
        n: 1,
    }
}

/// Tells what a text means, among what the filter lets pass.
///
/// # Errors
/// Those of [`find_symbol`], and [`QueryError::SymbolOutside`] where the filter leaves out all that is called so.
pub fn resolve_symbol(view: &Viewpoint<'_>, text: &str) -> Result<ResolveAnswer, QueryError> {
    let is_everything = view.filter.is_everything();
    let found = find(view, text, &|symbol| {
        Ok(is_everything || !declared(view, symbol)?.places.is_empty())
    });
    let (symbol, subject) = match found {
        // No name that the filter leaves out is suggested.
        Err(QueryError::SymbolNotFound {
            symbol, further, ..
        }) if !is_everything => {
            return Err(QueryError::SymbolNotFound {
                suggestions: nearest(view.snapshot(), text, &|node| view.filter.has_type(node))?,
                symbol,
                further,
            });
        }
        found => found?,
    };
    let Declared {
        places,
        signatures,
        texts,
    } = declared(view, &symbol)?;
    let node = &symbol.node;
    Ok(ResolveAnswer {
        signatures,
        declared: texts,
        assembly: node.assembly.clone(),
        project: node.project.clone(),
        declarations: places,
        subject,
    })
}

/// What of a symbol the filter lets pass.
struct Declared {
    /// By path and line.
    places: Vec<Declaration>,
    /// Of the type, or of each member that passes.
    signatures: Vec<String>,
    /// The same as C# declares them.
    texts: Vec<String>,
}

/// Where a symbol is declared, as far as the filter lets that pass.
fn declared(view: &Viewpoint<'_>, symbol: &Symbol) -> Result<Declared, QueryError> {
    let node = &symbol.node;
    let members = symbol.members();
    let passes = |at: &Declaration| {
        let project = node.project_in(&at.file);
        view.filter.has_line(&at.file, project, at.line)
    };
    let (mut places, mut signatures, mut texts) = (Vec::new(), Vec::new(), Vec::new());
    if members.is_empty() {
        signatures.push(node.signature());
        texts.push(declared_type(node));
        places.extend(node.parts.iter().map(|part| Declaration {
            frameworks: Vec::new(),
            file: part.path.clone(),
            line: part.line,
        }));
        places.retain(passes);
        // The part that is called like the type comes first.
        let main = main_part(&node.fqn, &node.parts);
        places.sort_by_key(|at| {
            main.is_none_or(|main| (&main.path, main.line) != (&at.file, at.line))
        });
    }
    for member in members {
        let Some(part) = node.parts.get(member.part as usize) else {
            continue;
        };
        let facts = match view.snapshot().file(&part.path)? {
            Some(file) => {
                view.snapshot()
                    .facts(&file, node.project_of(part), Sections::Declarations)?
            }
            None => None,
        };
        let detail = facts.and_then(|facts| member_detail(&facts, member));
        let at = Declaration {
            frameworks: Vec::new(),
            file: part.path.clone(),
            line: detail.map_or(part.line, |detail| detail.line),
        };
        if passes(&at) {
            places.push(at);
            signatures.push(node.member_signature(member));
            texts.push(declared_member(member));
        }
    }
    places.sort();
    places.dedup();
    Ok(Declared {
        places,
        signatures,
        texts,
    })
}
