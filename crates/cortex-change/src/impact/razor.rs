//! Lines of Razor that name changed symbols (members behind the name of their type or as those of the model of a page, and
//! types), and what shows changed views.
//!
//! Owns: which lines these are. Must not know: where words stand in Razor.

use std::collections::{BTreeMap, BTreeSet};

use cortex_index::{IndexedSide, MemberDetails};
use cortex_look::{QueryError, mentioned::OtherTexts};
use cortex_model::{LineColumn, RepoPath};
use cortex_wire::{
    Certainty, ChangedFile, CodePlace, DiffContext, FileLanguage, FileStatus, LineUse,
    MemberChangeKind, Mention, MentionPlace, Role, ShownView, SymbolImpact, UseSide,
};

/// So many lines of a symbol are told.
const MAX_LINES: usize = 16;

/// A type with a shorter name is a word of every page.
const MIN_LETTERS: usize = 4;

/// How lines begin that say the type of what a page has: its model, or a service.
const DECLARES: [&str; 2] = ["@model ", "@inject "];

/// What stands before a member of the page's model that a tag helper names.
const TAG_HELPERS: [&str; 2] = ["asp-for=\"", "for=\""];

/// Lines of Razor by the words in them.
type Places = BTreeMap<String, Vec<Mention>>;

/// Adds the lines of Razor that name changed symbols of the product to their uses, as possible ones, each on the side of the
/// symbol, and tells what shows changed views. O(files of both sides), and the pages that have such a name.
pub(crate) fn tell(
    sides: [(&IndexedSide, &OtherTexts<'_>); 2],
    answer: &mut DiffContext,
) -> Result<(), QueryError> {
    let views = changed_views(&answer.files);
    for ((indexed, others), side) in sides.into_iter().zip([UseSide::Old, UseSide::New]) {
        let wanted = wanted(answer, side);
        let words = wanted.iter().flatten().flat_map(Wanted::words);
        let mut words: BTreeSet<String> = words.map(str::to_owned).collect();
        let constants = match side {
            UseSide::Old => Vec::new(),
            UseSide::New => constants(answer),
        };
        words.extend(constants.iter().flat_map(|(_, it)| it.member.clone()));
        if side == UseSide::New {
            words.extend(views.iter().map(|path| path.file_stem().to_owned()));
        }
        let mut places = Places::new();
        if !words.is_empty() {
            for (word, mention) in others.words_in(&words, &[FileLanguage::Razor])? {
                places.entry(word).or_default().push(mention);
            }
        }
        if !places.is_empty() {
            tell_symbols(indexed, &wanted, &places, answer)?;
            tell_constants(&constants, &places, answer);
        }
        if side == UseSide::New {
            answer.impact.views = shown_views(indexed, &views, &places)?;
        }
    }
    Ok(())
}

/// What is looked for of each symbol of a side; `None` for those of the other one, of tests, and without a name.
fn wanted(answer: &DiffContext, side: UseSide) -> Vec<Option<Wanted>> {
    let tests = answer.test_types();
    let is_wanted = |symbol: &&SymbolImpact| {
        symbol.side == side
            && !matches!(
                symbol.change,
                MemberChangeKind::Docs | MemberChangeKind::Registered
            )
            && !tests.contains(symbol.ty.as_str())
    };
    let symbols = answer.impact.symbols.iter();
    symbols
        .map(|symbol| Some(symbol).filter(is_wanted).and_then(Wanted::of))
        .collect()
}

/// Adds the lines of one side to the uses of symbols. `wanted`: what is looked for of each.
fn tell_symbols(
    indexed: &IndexedSide,
    wanted: &[Option<Wanted>],
    places: &Places,
    answer: &mut DiffContext,
) -> Result<(), QueryError> {
    let projects = indexed.snapshot.projects()?;
    let project_of = |path: &RepoPath| {
        let folders = projects.iter().map(|record| &record.project.path);
        let around = folders.filter(|project| {
            let folder = project.folder();
            folder.is_empty()
                || path
                    .as_str()
                    .strip_prefix(folder)
                    .is_some_and(|it| it.starts_with('/'))
        });
        around.max_by_key(|project| project.folder().len()).cloned()
    };
    let changed: BTreeSet<&RepoPath> = answer.files.iter().map(|file| &file.path).collect();
    for (symbol, wanted) in answer.impact.symbols.iter_mut().zip(wanted) {
        let Some(wanted) = wanted else { continue };
        // What is new has no name yet where nothing changed.
        let is_known = symbol.change != MemberChangeKind::Added;
        let lines = wanted.lines(places).into_iter();
        let lines = lines.filter(|it| is_known || changed.contains(&it.file));
        let lines = lines.take(MAX_LINES);
        let uses: Vec<LineUse> = lines
            .filter_map(|mention| Some(told(mention, project_of(&mention.file)?)))
            .collect();
        symbol.n_uses += uses.len();
        let tests = symbol.uses.iter().position(|used| used.is_test);
        let at = tests.unwrap_or(symbol.uses.len());
        symbol.uses.splice(at..at, uses);
    }
    Ok(())
}

/// The constants and values of enums that changed code names newly or no longer, with their indices among the data.
fn constants(answer: &DiffContext) -> Vec<(usize, Wanted)> {
    let data = answer.impact.written_data.iter().enumerate();
    let constants = data.filter(|(_, it)| it.change.is_of_constants() && !it.only_comparisons);
    let wanted = constants.filter_map(|(at, it)| {
        let ty = it.ty.rsplit(['.', '+']).next()?;
        let member = Some(it.member.clone());
        let ty = ty.to_owned();
        Some((at, Wanted { ty, member }))
    });
    wanted.collect()
}

/// Adds the unchanged lines of Razor that name such constants to those that read them.
fn tell_constants(constants: &[(usize, Wanted)], places: &Places, answer: &mut DiffContext) {
    let changed: BTreeSet<&RepoPath> = answer.files.iter().map(|file| &file.path).collect();
    for (at, wanted) in constants {
        let lines = wanted.lines(places).into_iter();
        let lines = lines.filter(|it| !changed.contains(&it.file));
        let lines = lines.take(MAX_LINES).map(|it| CodePlace {
            path: it.file.clone(),
            line: it.line,
            inside: None,
        });
        let readers = &mut answer.impact.written_data[*at].readers;
        readers.extend(lines);
        readers.sort();
    }
}

/// Views that all others of a folder have without naming them.
const IMPLICIT: [&str; 2] = ["_ViewImports", "_ViewStart"];

/// The changed views that are there.
fn changed_views(files: &[ChangedFile]) -> Vec<RepoPath> {
    let is_view = |file: &&ChangedFile| {
        let extension = file.path.extension();
        let mut extensions = ["cshtml", "razor"].into_iter();
        let is_razor = extensions.any(|it| extension.eq_ignore_ascii_case(it));
        let is_there = file.status != FileStatus::Deleted;
        is_razor && is_there && !IMPLICIT.contains(&file.path.file_stem())
    };
    let views = files.iter().filter(is_view);
    views.map(|file| file.path.clone()).collect()
}

/// The views that something shows, by path.
fn shown_views(
    new: &IndexedSide,
    views: &[RepoPath],
    places: &Places,
) -> Result<Vec<ShownView>, QueryError> {
    let mut out = Vec::new();
    for path in views {
        let name = path.file_stem();
        let mut shown_by: Vec<MentionPlace> = action(new, path)?.into_iter().collect();
        let named = places.get(name).into_iter().flatten();
        let named = named.filter(|it| it.file != *path && shows(&it.text, name));
        shown_by.extend(named.map(|it| MentionPlace {
            path: it.file.clone(),
            line: it.line,
        }));
        shown_by.dedup();
        if !shown_by.is_empty() {
            let path = path.clone();
            out.push(ShownView { path, shown_by });
        }
    }
    out.sort();
    Ok(out)
}

/// Whether a line takes a view as a part (`Partial("_Total")`, `<partial name="_Total" />`), gives its file
/// (`"~/Views/Cart/_Total.cshtml"`), or has it as a component (`<Total />`). Links name actions, not views.
fn shows(text: &str, view: &str) -> bool {
    let is_part = text.to_lowercase().contains("partial");
    let is_component = has_word(text, &format!("<{view}"));
    let mut found = text.match_indices(view);
    is_component
        || found.any(|(at, _)| {
            let before = text[..at].ends_with(['"', '/']);
            let behind = &text[at + view.len()..];
            let is_named = is_part && behind.starts_with('"');
            before && (is_named || behind.starts_with(".cshtml\""))
        })
}

/// The action that shows a view by its name: `OrdersController.Edit` of `Views/Orders/Edit.cshtml`.
fn action(new: &IndexedSide, view: &RepoPath) -> Result<Option<MentionPlace>, QueryError> {
    let mut folders = view.folder().rsplit('/');
    let (Some(controller), Some("Views")) = (folders.next(), folders.next()) else {
        return Ok(None);
    };
    let snapshot = &new.snapshot;
    for found in snapshot.types_named(&format!("{controller}Controller"))? {
        let Some(node) = snapshot.type_node(found.key)? else {
            continue;
        };
        let Some(at) = node
            .members
            .iter()
            .position(|it| it.name == view.file_stem())
        else {
            continue;
        };
        let details = MemberDetails::new(snapshot).of(&node)?;
        let part = node.parts.get(node.members[at].part as usize);
        if let Some(part) = part {
            return Ok(Some(MentionPlace {
                path: part.path.clone(),
                line: details[at].line,
            }));
        }
    }
    Ok(None)
}

/// What is looked for.
struct Wanted {
    ty: String,
    member: Option<String>,
}

impl Wanted {
    /// The names of a symbol; `None` where it has none of its own.
    fn of(symbol: &SymbolImpact) -> Option<Self> {
        let ty = symbol.ty.rsplit(['.', '+']).next()?.split('`').next()?;
        let member = symbol.member.as_deref();
        let is_name = member.is_none_or(|it| !it.starts_with('#') && !it.contains('.'));
        (is_name && (member.is_some() || ty.len() >= MIN_LETTERS)).then(|| Self {
            ty: ty.to_owned(),
            member: member.map(str::to_owned),
        })
    }

    fn words(&self) -> impl Iterator<Item = &str> {
        self.member.as_deref().into_iter().chain([self.ty.as_str()])
    }

    /// The lines that name it, each once.
    fn lines<'m>(&self, places: &'m Places) -> Vec<&'m Mention> {
        let of = |word: &str| places.get(word).map(Vec::as_slice).unwrap_or_default();
        let of_type = of(&self.ty);
        let mut out: Vec<&Mention> = match &self.member {
            None => of_type.iter().collect(),
            Some(member) => {
                let typed = of_type.iter();
                let typed =
                    typed.filter(|it| DECLARES.iter().any(|start| it.text.starts_with(start)));
                let typed: BTreeSet<&RepoPath> = typed.map(|it| &it.file).collect();
                let qualified = format!("{}.{member}", self.ty);
                let names = |mention: &&Mention| {
                    has_word(&mention.text, &qualified)
                        || links_to(mention, &self.ty, member)
                        || typed.contains(&mention.file) && is_of_model(&mention.text, member)
                };
                of(member).iter().filter(names).collect()
            }
        };
        out.dedup_by_key(|it| (&it.file, it.line));
        out
    }
}

/// Whether a line has a name as that of an action alone, and of another type than this one. `ty`: its simple name.
pub(super) fn links_elsewhere(mention: &Mention, ty: &str, name: &str) -> bool {
    let is_action = named_as_action(&mention.text, name).contains(&true);
    let n_named = mention.text.matches(name).count();
    is_action && n_named == 1 && !links_to(mention, ty, name)
}

/// Whether a line names an action by a tag helper, and by a call.
fn named_as_action(text: &str, action: &str) -> [bool; 2] {
    let by_tag = text.contains(&format!("asp-action=\"{action}\""));
    let by_call = text.contains(&format!("Action(\"{action}\""));
    [by_tag, by_call]
}

/// Whether a line links to an action: by tag helpers (`asp-controller="Orders" asp-action="Edit"`) or calls
/// (`Url.Action("Edit", "Orders")`). Without the controller it is the one that the folder of the page is named after.
fn links_to(mention: &Mention, ty: &str, action: &str) -> bool {
    let Some(controller) = ty.strip_suffix("Controller") else {
        return false;
    };
    let text = &mention.text;
    let [by_tag, by_call] = named_as_action(text, action);
    let is_own = mention.file.folder().rsplit('/').next() == Some(controller);
    let names_other =
        text.contains("asp-controller=") || text.contains(&format!("Action(\"{action}\", \""));
    let names_it = by_tag && text.contains(&format!("asp-controller=\"{controller}\""))
        || text.contains(&format!("\"{action}\", \"{controller}\""));
    names_it || (by_tag || by_call) && is_own && !names_other
}

/// Whether a line names a member of something, or binds it in a tag helper.
fn is_of_model(text: &str, member: &str) -> bool {
    let helpers = TAG_HELPERS.iter().map(|start| format!("{start}{member}"));
    has_word(text, &format!(".{member}")) || helpers.into_iter().any(|it| has_word(text, &it))
}

/// Whether a text has a word or several, which do not go on on either side.
fn has_word(text: &str, word: &str) -> bool {
    let is_part = |c: char| c.is_alphanumeric() || c == '_';
    text.match_indices(word).any(|(at, _)| {
        let before =
            text[..at].chars().next_back().is_some_and(is_part) && word.starts_with(is_part);
        let behind = text[at + word.len()..].chars().next().is_some_and(is_part);
        !before && !behind
    })
}

fn told(mention: &Mention, project: RepoPath) -> LineUse {
    LineUse {
        path: mention.file.clone(),
        at: LineColumn {
            line: mention.line,
            column: mention.column,
        },
        project,
        is_test: false,
        inside: None,
        role: Role::Read,
        certainty: Certainty::NameOnly,
        via: None,
        text: mention.text.clone(),
        frameworks: Vec::new(),
    }
}
