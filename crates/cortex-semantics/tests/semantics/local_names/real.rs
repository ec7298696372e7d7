//! Laws over real sources: every name is accounted for once, and renaming what the ranges say changes nothing.
//!
//! `CORTEX_SOURCES=DIR cargo test -p cortex-semantics --test semantics real -- --ignored --nocapture` takes all
//! C# files below a directory for one project.

#![expect(
    clippy::print_stdout,
    reason = "the figures are what the ignored test is run for"
)]

use std::{
    collections::{BTreeMap, BTreeSet},
    path::{Path, PathBuf},
};

use cortex_bind::{GlobalUsing, InternalsVisible};
use cortex_semantics::{
    Certainty, Compilation, LocalBindings, LocalKind, LocalSymbol, Target, UnitKey, World as _,
};
use cortex_syntax::{
    BodyKind, Extractor, FileFacts, IdentifierPosition, Identifiers, ParseOptions, RefContext,
    Sections,
};

use crate::{
    check::doc_id,
    memory::{MemoryFile, MemoryProject, MemoryWorld},
};

const SYMBOLS: &[&str] = &[
    "NET",
    "NET8_0",
    "NET8_0_OR_GREATER",
    "NET6_0_OR_GREATER",
    "NETCOREAPP",
];
const USINGS: &[&str] = &[
    "System",
    "System.Collections.Generic",
    "System.IO",
    "System.Linq",
    "System.Linq.Expressions",
    "System.Reflection",
    "System.Diagnostics",
    "System.Diagnostics.CodeAnalysis",
    "System.Threading",
    "System.Threading.Tasks",
];

/// Words that are no names where nothing has them.
const CONTEXTUAL: &[&str] = &[
    "var",
    "nameof",
    "dynamic",
    "nint",
    "nuint",
    "_",
    "global",
    "notnull",
    "unmanaged",
    "value",
    "field",
    "await",
    "args",
];

fn options() -> ParseOptions {
    ParseOptions {
        symbols: SYMBOLS.iter().map(|&symbol| symbol.to_owned()).collect(),
    }
}

fn world(files: &[(String, Vec<u8>)]) -> MemoryWorld {
    let project = MemoryProject {
        path: "P.csproj".to_owned(),
        assembly: "P".to_owned(),
        symbols: SYMBOLS.iter().map(|&symbol| symbol.to_owned()).collect(),
        usings: USINGS
            .iter()
            .map(|&it| GlobalUsing::Namespace(it.to_owned()))
            .collect(),
        visible: vec![(0, InternalsVisible::Yes)],
    };
    let files: Vec<MemoryFile> = files
        .iter()
        .map(|(path, bytes)| MemoryFile {
            path: path.clone(),
            project: 0,
            bytes: bytes.clone(),
        })
        .collect();
    MemoryWorld::new(vec![project], &files)
}

fn sources(root: &Path) -> Vec<(String, Vec<u8>)> {
    let mut files = Vec::new();
    let mut pending: Vec<PathBuf> = vec![root.to_owned()];
    while let Some(folder) = pending.pop() {
        let entries = std::fs::read_dir(&folder).expect("the folder can be read");
        for entry in entries {
            let path = entry.expect("the entry can be read").path();
            if path.is_dir() {
                pending.push(path);
            } else if path.extension().is_some_and(|it| it == "cs") {
                let bytes = std::fs::read(&path).expect("the file can be read");
                // What is renamed must be where it is written: no other encoding here.
                if std::str::from_utf8(&bytes).is_ok() {
                    let bytes = bytes
                        .strip_prefix(b"\xef\xbb\xbf")
                        .unwrap_or(&bytes)
                        .to_vec();
                    files.push((path.to_string_lossy().into_owned(), bytes));
                }
            }
        }
    }
    files.sort();
    files
}

/// A file with everything that is known of it.
struct Bound {
    path: String,
    text: String,
    facts: std::sync::Arc<FileFacts>,
    identifiers: Identifiers,
    locals: LocalBindings,
    /// By offset: what is stored, with ids of the documentation.
    stored: BTreeMap<u32, Vec<String>>,
    unbound: BTreeSet<u32>,
}

fn bind<'w>(
    compilation: &Compilation<'w>,
    world: &MemoryWorld,
    files: &[(String, Vec<u8>)],
) -> Vec<Bound> {
    let mut extractor = Extractor::default();
    let texts: BTreeMap<&str, &[u8]> = files
        .iter()
        .map(|(path, bytes)| (path.as_str(), bytes.as_slice()))
        .collect();
    let units: Vec<UnitKey> = world.units().map(|(unit, _)| unit.clone()).collect();
    let mut out = Vec::new();
    for unit in units {
        let facts = world.facts(&unit, Sections::Bodies);
        let bytes = texts[unit.path.as_str()];
        let identifiers = extractor.identifiers(bytes, &options());
        let locals = compilation.local_bindings(&unit, &facts, &identifiers);
        let bound = compilation.bind_unit(&unit, &facts);
        let mut stored: BTreeMap<u32, Vec<String>> = BTreeMap::new();
        let mut unbound = BTreeSet::new();
        for (_, findings) in &bound.decls {
            for found in &findings.refs {
                let id = doc_id(compilation, found.target);
                let sure = if found.certainty == Certainty::Exact {
                    ""
                } else {
                    "?"
                };
                let line = format!("{id}{sure} {:?}", found.kind);
                stored.entry(found.offset).or_default().push(line);
            }
            for found in &findings.uses {
                let id = doc_id(compilation, Target::Member(found.target));
                let line = format!("use {id} {:?}", found.how);
                stored.entry(found.offset).or_default().push(line);
            }
            unbound.extend(findings.unbound.iter().map(|it| it.offset));
        }
        out.push(Bound {
            path: unit.path.as_str().to_owned(),
            text: String::from_utf8(bytes.to_vec()).expect("checked when it was read"),
            facts,
            identifiers,
            locals,
            stored,
            unbound,
        });
    }
    out
}

#[test]
#[ignore = "needs a directory with sources"]
fn every_name_is_accounted_for_and_may_be_renamed() {
    let roots = std::env::var("CORTEX_SOURCES").expect("CORTEX_SOURCES names a directory");
    for root in roots.split(':') {
        let files = sources(Path::new(root));
        let before_world = world(&files);
        let before_compilation = Compilation::new(&before_world);
        let before = bind(&before_compilation, &before_world, &files);
        let n_wrong = account(root, &before);
        let renamed = rename(&before);
        let after_world = world(&renamed.files);
        let after_compilation = Compilation::new(&after_world);
        let after = bind(&after_compilation, &after_world, &renamed.files);
        let n_different = compare(root, &before, &after, &renamed);
        println!("{root}: {n_wrong} names not accounted for, {n_different} files differ");
    }
}

/// Counts what each identifier is, and prints those that nothing accounts for.
fn account(root: &str, files: &[Bound]) -> usize {
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    let mut names: BTreeMap<(LocalSymbol, &str), &str> = BTreeMap::new();
    for file in files {
        for declared in &file.locals.declarations {
            names.insert(in_file(declared.symbol, &file.path), &declared.name);
        }
    }
    let mut n_wrong = 0;
    let mut complain = |file: &Bound, start: u32, what: &str| {
        n_wrong += 1;
        if n_wrong <= 60 {
            let line = file.text[..start as usize].lines().count();
            let text = file.text[..start as usize]
                .rfind('\n')
                .map_or(0, |at| at + 1);
            let shown = file.text[text..].lines().next().unwrap_or_default().trim();
            println!("{}:{line}: {what}: {shown}", file.path);
        }
    };
    for file in files {
        let declared: BTreeSet<u32> = file
            .facts
            .decls
            .iter()
            .map(|decl| decl.name_range.start)
            .collect();
        // Where it is not known what is called or imported, nothing more is known of these.
        let imported = file.facts.refs.iter();
        let imported = imported.filter(|it| it.context == RefContext::Using);
        let arguments = file.facts.bodies.nodes().iter();
        let arguments = arguments.filter(|it| it.kind == BodyKind::Argument && it.value != 0);
        let unknown: BTreeSet<u32> = imported
            .map(|it| it.offset)
            .chain(arguments.map(|it| it.offset))
            .collect();
        let mut locals: BTreeMap<u32, BTreeSet<LocalSymbol>> = BTreeMap::new();
        let names_here = file.locals.declarations.iter();
        let names_here = names_here.map(|it| (it.range.start, it.symbol));
        let uses = file
            .locals
            .uses
            .iter()
            .map(|it| (it.range.start, it.symbol));
        for (at, symbol) in names_here.chain(uses) {
            locals.entry(at).or_default().insert(symbol);
        }
        for used in &file.locals.uses {
            let written = &file.text[used.range.as_usize()];
            let written = written.strip_prefix('@').unwrap_or(written);
            let tag = Some(&written).filter(|_| !written.contains('\\'));
            if let (Some(name), Some(written)) = (names.get(&in_file(used.symbol, &file.path)), tag)
                && name != written
            {
                complain(file, used.range.start, "another name than its declaration");
            }
        }
        for token in &file.identifiers.tokens {
            let at = token.range.start;
            let broken = file
                .facts
                .errors
                .iter()
                .any(|it| it.start <= at && at <= it.end);
            let symbols = locals.get(&at).map_or(0, BTreeSet::len);
            let is_stored = file
                .stored
                .get(&at)
                .is_some_and(|all| all.iter().any(|it| !it.starts_with("use ")));
            let what = match (symbols, is_stored) {
                _ if broken => "in broken code",
                (2.., _) => {
                    complain(file, at, &format!("{}: two symbols", token.name));
                    "two symbols"
                }
                (1, true) => "stored, through an alias or at a declaration",
                (1, false) if is_element(&locals[&at]) => "element",
                (1, false) => "local",
                (0, true) => "stored",
                (_, false) if declared.contains(&at) => "declaration",
                (_, false) if file.unbound.contains(&at) => "unresolved",
                _ => match token.position {
                    IdentifierPosition::Element => "element",
                    IdentifierPosition::Keyword | IdentifierPosition::Constraint => "keyword",
                    _ if unknown.contains(&at) => "of an unknown call or namespace",
                    _ if CONTEXTUAL.contains(&&*token.name) => "contextual",
                    _ => {
                        complain(file, at, &token.name);
                        "NOT ACCOUNTED FOR"
                    }
                },
            };
            *counts.entry(what).or_default() += 1;
        }
    }
    println!("{root}: {} files: {counts:?}", files.len());
    n_wrong
}

/// A symbol, with its file where that is the only one that knows it.
fn in_file(symbol: LocalSymbol, path: &str) -> (LocalSymbol, &str) {
    match symbol {
        LocalSymbol::Declared(_) => (symbol, path),
        _ => (symbol, ""),
    }
}

fn is_element(symbols: &BTreeSet<LocalSymbol>) -> bool {
    (symbols.iter()).any(|it| matches!(it, LocalSymbol::Element(_)))
}

struct Renamed {
    files: Vec<(String, Vec<u8>)>,
    /// From new to old name.
    names: BTreeMap<String, String>,
    /// By file: old offset to new, of every identifier.
    moved: BTreeMap<String, BTreeMap<u32, u32>>,
}

/// Gives every local symbol that the sources declare a name of its own.
fn rename(files: &[Bound]) -> Renamed {
    let mut new_names: BTreeMap<LocalSymbol, String> = BTreeMap::new();
    let mut names = BTreeMap::new();
    let mut kinds: BTreeMap<&str, usize> = BTreeMap::new();
    for file in files {
        for declared in &file.locals.declarations {
            let is_property = declared.kind == LocalKind::Parameter
                && file.facts.decls.iter().any(|decl| {
                    matches!(
                        decl.kind,
                        cortex_model::DeclKind::Record | cortex_model::DeclKind::RecordStruct
                    ) && decl.range.contains(declared.range.start)
                        && (decl.body_range.end == 0
                            || declared.range.start < decl.body_range.start)
                });
            if declared.kind == LocalKind::Namespace || is_property || &*declared.name == "_" {
                continue;
            }
            let is_shared = !matches!(declared.symbol, LocalSymbol::Declared(_));
            if is_shared && new_names.contains_key(&declared.symbol) {
                continue;
            }
            let new = format!("zq{}", names.len());
            names.insert(new.clone(), declared.name.to_string());
            *kinds.entry(kind_word(declared.kind)).or_default() += 1;
            if is_shared {
                new_names.insert(declared.symbol, new);
            }
        }
    }
    println!("renamed: {kinds:?}");
    let mut out = Renamed {
        files: Vec::new(),
        names: BTreeMap::new(),
        moved: BTreeMap::new(),
    };
    let mut fresh = names.len();
    for file in files {
        let mut own: BTreeMap<LocalSymbol, String> = BTreeMap::new();
        let mut edits: BTreeMap<u32, (u32, String)> = BTreeMap::new();
        let inferred = inferred_names(&file.facts);
        let declared = file.locals.declarations.iter();
        let declared = declared.map(|it| (it.range, it.symbol, &*it.name != "_"));
        let uses = file
            .locals
            .uses
            .iter()
            .map(|it| (it.range, it.symbol, true));
        for (range, symbol, may) in declared.chain(uses) {
            let new = match symbol {
                LocalSymbol::Declared(at) => {
                    let of = file
                        .locals
                        .declarations
                        .iter()
                        .find(|it| it.symbol == symbol);
                    if of.is_none_or(|it| &*it.name == "_" || it.range.start != at) || !may {
                        continue;
                    }
                    let new = own.entry(symbol).or_insert_with(|| {
                        fresh += 1;
                        format!("zq{fresh}")
                    });
                    let name = of.map(|it| it.name.to_string()).unwrap_or_default();
                    names.insert(new.clone(), name);
                    new.clone()
                }
                _ => match new_names.get(&symbol) {
                    Some(new) => new.clone(),
                    None => continue,
                },
            };
            let old = file.text[range.as_usize()]
                .trim_start_matches('@')
                .to_owned();
            let new = match inferred.get(&range.start) {
                Some(separator) => format!("{old}{separator} {new}"),
                None => new,
            };
            edits.insert(range.start, (range.end, new));
        }
        let (text, moved) = apply(&file.text, &edits, &file.identifiers, &inferred);
        out.files.push((file.path.clone(), text.into_bytes()));
        out.moved.insert(file.path.clone(), moved);
    }
    out.names = names;
    out
}

fn kind_word(kind: LocalKind) -> &'static str {
    match kind {
        LocalKind::Local => "local",
        LocalKind::LocalFunction => "local function",
        LocalKind::Parameter => "parameter",
        LocalKind::TypeParameter => "type parameter",
        LocalKind::RangeVariable => "range variable",
        LocalKind::Label => "label",
        LocalKind::Alias => "alias",
        LocalKind::Namespace => "namespace",
    }
}

/// Names that also give an element of a tuple or a member of an anonymous object its name, with what
/// separates such a name from its value.
fn inferred_names(facts: &FileFacts) -> BTreeMap<u32, &'static str> {
    let bodies = &facts.bodies;
    let mut out = BTreeMap::new();
    let mut name = |id: u32, separator: &'static str| {
        if let Some(value) = bodies.children(id).next()
            && bodies.node(id).value == 0
            && bodies.kind(value) == BodyKind::Name
        {
            out.insert(bodies.node(value).offset, separator);
        }
    };
    for (node, id) in bodies.nodes().iter().zip(0..) {
        match node.kind {
            BodyKind::AnonymousMember => name(id, " ="),
            BodyKind::Tuple => bodies.children(id).for_each(|child| name(child, ":")),
            _ => {}
        }
    }
    out
}

fn apply(
    text: &str,
    edits: &BTreeMap<u32, (u32, String)>,
    identifiers: &Identifiers,
    inferred: &BTreeMap<u32, &'static str>,
) -> (String, BTreeMap<u32, u32>) {
    let mut out = String::with_capacity(text.len());
    let mut shifts: Vec<(u32, i64)> = Vec::new();
    let mut from = 0;
    for (&start, (end, new)) in edits {
        out.push_str(&text[from..start as usize]);
        out.push_str(new);
        from = *end as usize;
        shifts.push((start, out.len() as i64 - i64::from(*end)));
    }
    out.push_str(&text[from..]);
    let moved = identifiers.tokens.iter().map(|token| {
        let at = token.range.start;
        let before = shifts.partition_point(|&(start, _)| start < at);
        let shift = before.checked_sub(1).map_or(0, |index| shifts[index].1);
        let name = inferred.get(&at).filter(|_| edits.contains_key(&at));
        let added = name.map_or(0, |separator| {
            text[token.range.as_usize()].len() + separator.len() + 1
        });
        (at, (i64::from(at) + shift + added as i64) as u32)
    });
    (out, moved.collect())
}

/// Compares what is stored for every identifier, and which identifiers are one symbol.
fn compare(root: &str, before: &[Bound], after: &[Bound], renamed: &Renamed) -> usize {
    let mut n_different = 0;
    let mut n_names = 0;
    for (old, new) in before.iter().zip(after) {
        let moved = &renamed.moved[&old.path];
        if old.facts.errors.len() != new.facts.errors.len() {
            println!("{root}: {}: parses otherwise when renamed", old.path);
        }
        let mut shown = 0;
        let mut partner: BTreeMap<LocalSymbol, LocalSymbol> = BTreeMap::new();
        for token in &old.identifiers.tokens {
            let at = token.range.start;
            let there = moved[&at];
            n_names += 1;
            let stored = old.stored.get(&at).cloned().unwrap_or_default();
            let now = new.stored.get(&there).cloned().unwrap_or_default();
            let now: Vec<String> = now.iter().map(|it| old_names(it, &renamed.names)).collect();
            let symbols = (old.locals.symbol_at(at), new.locals.symbol_at(there));
            let same_symbol = match symbols {
                (None, None) => true,
                (Some(a), Some(b)) => {
                    matches!((a, b), (LocalSymbol::Declared(_), LocalSymbol::Declared(_)))
                        && *partner.entry(a).or_insert(b) == b
                        || std::mem::discriminant(&a) == std::mem::discriminant(&b)
                            && !matches!(a, LocalSymbol::Declared(_))
                }
                _ => false,
            };
            if stored != now || !same_symbol {
                shown += 1;
                if shown <= 3 {
                    let line = old.text[..at as usize].lines().count();
                    println!(
                        "{root}: {}:{line}: {}: {stored:?} {:?}, renamed {now:?} {:?}",
                        old.path, token.name, symbols.0, symbols.1
                    );
                }
            }
        }
        n_different += usize::from(shown > 0);
    }
    println!("{root}: {n_names} names compared after renaming");
    n_different
}

/// A text with the names before renaming.
fn old_names(text: &str, names: &BTreeMap<String, String>) -> String {
    let mut out = String::new();
    let mut rest = text;
    while let Some(at) = rest.find("zq") {
        let digits = rest[at + 2..]
            .bytes()
            .take_while(u8::is_ascii_digit)
            .count();
        let end = at + 2 + digits;
        out.push_str(&rest[..at]);
        out.push_str(
            names
                .get(&rest[at..end])
                .map_or(&rest[at..end], String::as_str),
        );
        rest = &rest[end..];
    }
    out.push_str(rest);
    out
}
