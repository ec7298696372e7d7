//! `rewrite`: all code that is like a pattern becomes other code.
//!
//! Owns: which places are meant, and what becomes of them. Must not know: whether the code means the same afterwards
//! ([`crate::proof`]).

mod constraints;
mod matching;
mod template;
mod written;

use std::collections::{BTreeMap, BTreeSet};

use cortex_index::Symbols;
use cortex_look::viewpoint::Viewpoint;
use cortex_model::{ByteRange, LineTable, RepoPath};
use cortex_semantics::{Compilation, ProjectId, UnitKey};
use cortex_syntax::{
    BodyKind, FileFacts, Sections,
    text::{Lexical, LexicalKind, decode},
};
use cortex_wire::{EditKind, EditWarning, WarningReason};
use rayon::prelude::*;

use self::{
    constraints::{Constraint, Fulfilled},
    matching::{Match, Matcher},
    template::{Shape, Template},
    written::Writer,
};
use crate::{
    EditError,
    body_tree::BodyTree,
    conflicts::Locals,
    context::needs_constant,
    draft::Draft,
    evaluation::{Bound, Effect},
    expression_tree::{is_in_tree, unfit_kind},
    inline_variable::has_directive,
    moved::{Fragment, MovingEdit, moving_edits},
    plan::Plan,
    usings::files_at,
};

/// Code that is like a pattern becomes other code.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Rewrite<'r> {
    /// An expression or statements, with `$x` for one expression, statement, type or name and `$$$x` for any number of
    /// arguments, elements or statements.
    pub pattern: &'r str,
    /// What takes its place, with the same metavariables.
    pub replacement: &'r str,
    /// Which types metavariables have (`x: Ns.Type`), and which symbols names refer to (`Name: Ns.Type.Member`).
    pub conditions: &'r [String],
    /// The files, or folders of them, by path; all where there is none.
    pub paths: &'r [String],
}

impl Rewrite<'_> {
    fn title(&self) -> String {
        let shown = |code: &str| code.split_whitespace().collect::<Vec<_>>().join(" ");
        match self.replacement.trim() {
            "" => format!("remove `{}`", shown(self.pattern)),
            replacement => format!(
                "rewrite `{}` as `{}`",
                shown(self.pattern),
                shown(replacement)
            ),
        }
    }

    fn refused(&self, reason: impl Into<String>, help: Vec<String>) -> EditError {
        EditError::Refused {
            doing: self.title(),
            reason: reason.into(),
            help,
        }
    }
}

/// What is to do, read.
struct Rule {
    pattern: Template,
    replacement: Template,
    conditions: Vec<Constraint>,
    /// Whether what code does and means must be known.
    needs_binding: bool,
}

/// The matches of a file in one project.
struct InFile {
    path: RepoPath,
    text: String,
    edits: Vec<MovingEdit>,
    /// Where code that moves starts, or has its operator.
    placed: BTreeSet<u32>,
    warnings: Vec<Warned>,
    n_like: usize,
}

/// A place to look at.
struct Warned {
    range: ByteRange,
    reason: WarningReason,
}

/// Plans a rewrite, with what is to look at. Each view is read; where two need other edits of one place, the plan is
/// refused.
///
/// # Errors
/// [`EditError::Refused`] for patterns that cannot be read or that nothing is like; those of the index.
pub(crate) fn plan_rewrite(
    views: &[(&Viewpoint<'_>, &Symbols)],
    request: &Rewrite<'_>,
) -> Result<(Draft, Vec<EditWarning>), EditError> {
    let rule = rule(request)?;
    let mut found: BTreeMap<RepoPath, InFile> = BTreeMap::new();
    let mut n_like = 0;
    for (view, symbols) in views {
        for file in in_view((view, symbols), request, &rule)? {
            n_like += file.n_like;
            match found.entry(file.path.clone()) {
                std::collections::btree_map::Entry::Vacant(entry) => {
                    entry.insert(file);
                }
                std::collections::btree_map::Entry::Occupied(entry) => entry.into_mut().add(file),
            }
        }
    }
    let (view, _) = views[0];
    let mut edits = BTreeMap::new();
    let mut moved = BTreeMap::new();
    for (path, file) in &mut found {
        // What one project knows needs no other.
        let is_edited = |range: ByteRange| file.edits.iter().any(|edit| edit.range == range);
        let is_left = |it: &Warned| !(is_of_place_left(it.reason) && is_edited(it.range));
        file.warnings.retain(is_left);
        if file.edits.is_empty() {
            continue;
        }
        let made = moving_edits(&file.text, &file.edits).ok_or_else(|| {
            let reason = format!("`{path}`: two projects or target frameworks need other edits");
            request.refused(reason, Vec::new())
        })?;
        let (made, mut text) = made;
        text.placed_anew.clone_from(&file.placed);
        edits.insert(path.clone(), made);
        moved.insert(path.clone(), text);
    }
    if edits.is_empty() {
        return Err(nothing(request, &found, n_like));
    }
    let mut plan = Plan::of_edits(view.index, view.side, edits, &BTreeMap::new())?;
    plan.moved = moved;
    let warnings = warnings(&rule, request, &plan, &found);
    let draft = Draft {
        kind: EditKind::Rewrite,
        title: request.title(),
        subject: None,
        n_family: 0,
        names: BTreeSet::new(),
        locals: Locals::Kept,
        old_name: None,
        left_alone: BTreeMap::new(),
        plan,
    };
    Ok((draft, warnings))
}

/// Reads the request.
fn rule(request: &Rewrite<'_>) -> Result<Rule, EditError> {
    let help =
        "`$x` stands for one expression, `$$$x` for any number of arguments: `Foo($x, $$$rest)`";
    let wrong =
        |of: &str, reason: &str| request.refused(format!("{of}: {reason}"), vec![help.to_owned()]);
    let pattern = Template::parse(request.pattern).map_err(|it| wrong("the pattern", &it))?;
    let replacement =
        Template::parse(request.replacement).map_err(|it| wrong("the replacement", &it))?;
    let is_empty =
        |template: &Template| matches!(template.shape(), Shape::Statements(all) if all.is_empty());
    let is_hole_alone = pattern.holes.first().is_some_and(|hole| {
        hole.range.start == 0
            && hole.range.end as usize == pattern.source.trim_end_matches(';').len()
    });
    if is_empty(&pattern) || is_hole_alone {
        return Err(wrong("the pattern", "all code is like it"));
    }
    match (pattern.shape(), replacement.shape()) {
        (Shape::Expression(_), Shape::Expression(_))
        | (Shape::Statements(_), Shape::Statements(_)) => {}
        (Shape::Expression(_), Shape::Statements(_)) => {
            let reason = "the pattern is an expression, and this is none";
            return Err(wrong("the replacement", reason));
        }
        (Shape::Statements(_), Shape::Expression(_)) => {
            let reason =
                "the pattern is a statement, and this is an expression: a `;` may be missing";
            return Err(wrong("the replacement", reason));
        }
    }
    for hole in &replacement.holes {
        if !pattern
            .holes
            .iter()
            .any(|it| it.name == hole.name && it.is_many == hole.is_many)
        {
            let sign = if hole.is_many { "$$$" } else { "$" };
            let reason = format!(
                "`{sign}{}` is not in the pattern",
                &request.replacement.trim()[hole.range.as_usize()].trim_start_matches('$')
            );
            return Err(wrong("the replacement", &reason));
        }
    }
    let conditions: Result<Vec<Constraint>, String> = (request.conditions.iter())
        .map(|it| Constraint::parse(it, &pattern))
        .collect();
    let conditions = conditions.map_err(|reason| request.refused(reason, Vec::new()))?;
    let names = |template: &Template| -> Vec<String> {
        template
            .holes
            .iter()
            .map(|hole| hole.name.clone())
            .collect()
    };
    Ok(Rule {
        needs_binding: !conditions.is_empty() || names(&pattern) != names(&replacement),
        conditions,
        pattern,
        replacement,
    })
}

/// The matches that one target framework sees, by file and project.
fn in_view(
    (view, symbols): (&Viewpoint<'_>, &Symbols),
    request: &Rewrite<'_>,
    rule: &Rule,
) -> Result<Vec<InFile>, EditError> {
    let mut paths: Option<BTreeSet<RepoPath>> = None;
    if !request.paths.is_empty() {
        paths = Some(files_at(view, request.paths)?);
    }
    for name in rule.pattern.names_of_symbols() {
        let files = view.snapshot().files_mentioning(name)?;
        let mut named: BTreeSet<RepoPath> = files.into_iter().map(|file| file.path).collect();
        if let Some(paths) = &paths {
            named.retain(|path| paths.contains(path));
        }
        paths = Some(named);
    }
    let paths = match paths {
        Some(paths) => paths,
        None => {
            let files = view.snapshot().files()?.into_iter();
            files.map(|file| file.path).collect()
        }
    };
    let mut units = Vec::new();
    for path in paths {
        for project in symbols.projects_of(&path)? {
            units.push((path.clone(), project));
        }
    }
    let words = rule.pattern.names();
    // Files that have such code first, without binding any.
    let like = units.par_iter().map_init(
        || view.blobs(),
        |blobs, (path, project)| -> Result<_, EditError> {
            let Some(file) = view.snapshot().file(path)? else {
                return Ok(None);
            };
            let bytes = blobs.read_blob(file.blob)?;
            let source = decode(&bytes);
            // A name may be written with escapes.
            let has = |word: &&str| source.as_str().contains(*word);
            if !words.iter().all(has) && !source.as_str().contains("\\u") {
                return Ok(None);
            }
            let Some(facts) = symbols.facts(path, *project, Sections::Bodies)? else {
                return Ok(None);
            };
            let tree = BodyTree::new(&facts, source.as_str());
            let is_like = !Matcher::new(&rule.pattern, &tree).matches().is_empty();
            Ok(is_like.then(|| (path.clone(), *project, bytes)))
        },
    );
    let like: Vec<_> = (like.collect::<Result<Vec<_>, _>>()?.into_iter())
        .flatten()
        .collect();
    let n_together = like.len().div_ceil(rayon::current_num_threads()).max(1);
    let found = like.par_chunks(n_together).map(|units| {
        symbols.read(|compilation| {
            let mut found = Vec::with_capacity(units.len());
            for (path, project, bytes) in units {
                let Some(facts) = symbols.facts(path, *project, Sections::Bodies)? else {
                    continue;
                };
                let source = decode(bytes);
                let unit = Unit {
                    symbols,
                    compilation,
                    key: UnitKey {
                        path: path.clone(),
                        project: ProjectId::new(*project),
                    },
                    project: *project,
                    bytes,
                    text: source.as_str(),
                    facts: &facts,
                };
                found.push(unit.rewritten(rule));
            }
            Ok(found)
        })
    });
    let found = found.collect::<Result<Vec<_>, _>>()?;
    Ok(found.into_iter().flatten().collect())
}

/// A file inside of a project.
struct Unit<'a, 'w> {
    symbols: &'a Symbols,
    compilation: &'a Compilation<'w>,
    key: UnitKey,
    project: usize,
    bytes: &'a [u8],
    text: &'a str,
    facts: &'a FileFacts,
}

impl Unit<'_, '_> {
    /// What becomes of the file.
    fn rewritten(&self, rule: &Rule) -> InFile {
        let tree = BodyTree::new(self.facts, self.text);
        let mut matches = Matcher::new(&rule.pattern, &tree).matches();
        let mut out = InFile {
            path: self.key.path.clone(),
            text: self.text.to_owned(),
            edits: Vec::new(),
            placed: BTreeSet::new(),
            warnings: Vec::new(),
            n_like: matches.len(),
        };
        let tree_part = unfit_in_tree(&rule.replacement);
        let needs_binding = rule.needs_binding || tree_part && !matches.is_empty();
        let bound = needs_binding.then(|| {
            let identifiers = self.symbols.identifiers(self.bytes, self.project);
            Bound::new(
                self.compilation,
                BodyTree::new(self.facts, self.text),
                self.compilation.bind_expressions(&self.key, self.facts),
                (self.compilation).local_bindings(&self.key, self.facts, &identifiers),
            )
        });
        let lexical = Lexical::of(self.text.as_bytes());
        let warnings = &mut out.warnings;
        matches.retain(|found| {
            let is_asked = bound.as_ref().map_or(Fulfilled::Yes, |bound| {
                let mut all = rule.conditions.iter().map(|it| it.check(bound, found));
                all.find(|it| *it != Fulfilled::Yes)
                    .unwrap_or(Fulfilled::Yes)
            });
            let reason = match is_asked {
                Fulfilled::No => return false,
                Fulfilled::Unknown => Some(WarningReason::UnknownType),
                Fulfilled::Yes => self.reason_to_stay(found, &lexical).or_else(|| {
                    let bound = bound.as_ref().filter(|_| tree_part);
                    place_refuses(&tree, bound, (found, &rule.replacement))
                }),
            };
            let range = found.range;
            warnings.extend(reason.map(|reason| Warned { range, reason }));
            reason.is_none()
        });
        let writer = Writer::new(&tree, &matches, &rule.replacement);
        let mut end = 0;
        for found in &matches {
            if found.range.start < end {
                continue;
            }
            end = found.range.end;
            let edit = writer.edit(found);
            if is_in_string(&tree, found) && edit.fragments.iter().any(breaks_string) {
                let reason = WarningReason::InString;
                let range = found.range;
                out.warnings.push(Warned { range, reason });
                continue;
            }
            out.edits.push(edit);
        }
        for found in &matches {
            for &node in found.bindings.values().flat_map(|it| &it.nodes) {
                out.placed.insert(tree.span(node).start);
                out.placed.insert(tree.node(node).offset);
            }
            let reason = bound
                .as_ref()
                .and_then(|it| other_evaluation(it, rule, found));
            let range = found.range;
            out.warnings
                .extend(reason.map(|reason| Warned { range, reason }));
        }
        out
    }

    /// Why a match is left as it is.
    fn reason_to_stay(&self, found: &Match, lexical: &Lexical) -> Option<WarningReason> {
        let is_kept = |range: ByteRange| {
            let mut bindings = found.bindings.values();
            bindings.any(|it| it.range.start <= range.start && range.end <= it.range.end)
        };
        let mut comments = lexical
            .parts()
            .iter()
            .filter(|(range, kind)| *kind == LexicalKind::Comment && range.overlaps(found.range));
        let is_broken = self.facts.errors.iter().any(|it| it.overlaps(found.range));
        let is_divided = has_directive(self.facts, self.text, found.range);
        (is_broken || is_divided || comments.any(|(range, _)| !is_kept(*range)))
            .then_some(WarningReason::HasComment)
    }
}

impl InFile {
    /// Takes what another project or target framework finds in the same file.
    fn add(&mut self, other: Self) {
        for edit in other.edits {
            if !self.edits.contains(&edit) {
                self.edits.push(edit);
            }
        }
        self.placed.extend(other.placed);
        self.warnings.extend(other.warnings);
    }
}

/// Whether the new code has something that no expression tree holds.
fn unfit_in_tree(replacement: &Template) -> bool {
    let tree = replacement.tree();
    tree.nodes().any(|id| match tree.kind(id) {
        // What a pattern is depends on what its names mean.
        BodyKind::Is => tree.text_of(id).split_whitespace().any(|it| it == "is"),
        BodyKind::Lambda => tree
            .children(id)
            .iter()
            .any(|&it| tree.kind(it) == BodyKind::Block),
        _ => unfit_kind(&tree, id).is_some(),
    })
}

/// Why the place of a match cannot have the new code. `bound`: where it may not stand in an expression tree.
fn place_refuses(
    tree: &BodyTree<'_>,
    bound: Option<&Bound<'_, '_>>,
    (found, replacement): (&Match, &Template),
) -> Option<WarningReason> {
    let node = *found.nodes.first()?;
    if needs_constant(tree, node) && !is_constant(replacement) {
        return Some(WarningReason::NeedsConstant);
    }
    let is_in_tree = bound.is_some_and(|bound| is_in_tree(bound, node));
    is_in_tree.then_some(WarningReason::InExpressionTree)
}

/// Whether the new code is a constant without names: what a name is depends on the place.
fn is_constant(replacement: &Template) -> bool {
    let tree = replacement.tree();
    let Shape::Expression(root) = replacement.shape() else {
        return false;
    };
    tree.within(*root).all(|id| match tree.kind(id) {
        BodyKind::Literal
        | BodyKind::Parenthesized
        | BodyKind::Unary
        | BodyKind::Binary
        | BodyKind::Checked
        | BodyKind::Conditional
        | BodyKind::Default
        | BodyKind::DefaultLiteral
        | BodyKind::Cast
        | BodyKind::PredefinedType => true,
        // What a metavariable stands for was there before.
        BodyKind::Name => replacement.hole_at(tree.node(id).offset).is_some(),
        _ => false,
    })
}

/// Whether a match stands in a hole of an interpolated string.
fn is_in_string(tree: &BodyTree<'_>, found: &Match) -> bool {
    (tree.ancestors(found.nodes[0])).any(|it| tree.kind(it) == BodyKind::Interpolation)
}

/// Whether new text cannot stand in a string in every version of the language.
fn breaks_string(fragment: &Fragment) -> bool {
    matches!(fragment, Fragment::New(text) if text.contains(['"', '\n', '{', '}', '\\', ':']))
}

/// Whether a warning is about a place that is left as it is.
fn is_of_place_left(reason: WarningReason) -> bool {
    matches!(
        reason,
        WarningReason::UnknownType
            | WarningReason::HasComment
            | WarningReason::InString
            | WarningReason::NeedsConstant
            | WarningReason::InExpressionTree
    )
}

/// How what metavariables stand for is evaluated otherwise, where that may matter.
fn other_evaluation(bound: &Bound<'_, '_>, rule: &Rule, found: &Match) -> Option<WarningReason> {
    let does = |name: &str| {
        let nodes = found.bindings.get(name).map_or(&[][..], |it| &it.nodes);
        let mut nodes = nodes.iter();
        nodes.any(|&node| bound.effect(node) == Effect::Does)
    };
    let order = |template: &Template| -> Vec<String> {
        let names = template.holes.iter().map(|hole| &hole.name);
        names.filter(|name| does(name)).cloned().collect()
    };
    let (before, after) = (order(&rule.pattern), order(&rule.replacement));
    let count = |all: &[String], name: &String| all.iter().filter(|it| *it == name).count();
    if before.iter().any(|name| count(&after, name) == 0) {
        return Some(WarningReason::NotEvaluated);
    }
    if (after.iter()).any(|name| count(&after, name) > count(&before, name)) {
        return Some(WarningReason::EvaluatedAgain);
    }
    (before != after).then_some(WarningReason::OtherOrder)
}

/// What is to look at, as an answer has it.
fn warnings(
    rule: &Rule,
    request: &Rewrite<'_>,
    plan: &Plan,
    found: &BTreeMap<RepoPath, InFile>,
) -> Vec<EditWarning> {
    let mut out = Vec::new();
    for (path, file) in found {
        let planned = plan.files.get(path);
        let new_text = planned.map(|it| decode(&it.new_bytes).as_str().to_owned());
        let lines = LineTable::new(new_text.as_deref().unwrap_or(&file.text).as_bytes());
        let mut seen = BTreeSet::new();
        for warned in &file.warnings {
            if !seen.insert((warned.range, warned.reason)) {
                continue;
            }
            let start = warned.range.start;
            // Where something else stands now, what is around it stays.
            let places = (0..=start).rev();
            let position = planned.map_or(Some(start), |it| {
                places
                    .take(MAX_BACK)
                    .find_map(|at| it.edits.new_position(at))
            });
            let code = file.text[warned.range.as_usize()].split_whitespace();
            let name: String = code.collect::<Vec<_>>().join(" ");
            out.push(EditWarning {
                file: path.clone(),
                line: lines.position(position.unwrap_or(start)).line,
                name: name.chars().take(MAX_SHOWN).collect(),
                reason: warned.reason,
            });
        }
    }
    let again = rule.replacement.tree();
    let is_again = !Matcher::new(&rule.pattern, &again).matches().is_empty();
    let first = plan.files.iter().next().filter(|_| is_again);
    if let Some((path, file)) = first {
        let edit = &file.edits.all()[0];
        let text = decode(&file.new_bytes);
        let start = file.edits.new_position(edit.range.end).unwrap_or_default();
        out.push(EditWarning {
            file: path.clone(),
            line: LineTable::new(text.as_bytes()).position(start).line,
            name: request.replacement.trim().chars().take(MAX_SHOWN).collect(),
            reason: WarningReason::MatchesAgain,
        });
    }
    out
}

/// So many characters of code are shown.
const MAX_SHOWN: usize = 80;

/// So many bytes before a place are looked at for one that stays.
const MAX_BACK: usize = 4096;

/// Why nothing changes.
fn nothing(request: &Rewrite<'_>, found: &BTreeMap<RepoPath, InFile>, n_like: usize) -> EditError {
    let left: Vec<&Warned> = found.values().flat_map(|file| &file.warnings).collect();
    let places = |n: usize| match n {
        1 => "one place is like it".to_owned(),
        n => format!("{n} places are like it"),
    };
    if n_like == 0 {
        let help = match request.paths {
            [] => {
                "names and operators have to be those of the pattern; `$x` stands for one expression"
            }
            _ => "no file that is named has such code",
        };
        return request.refused("no code is like it", vec![help.to_owned()]);
    }
    let n_unknown = left
        .iter()
        .filter(|it| it.reason == WarningReason::UnknownType)
        .count();
    match (left.len(), n_unknown) {
        (0, _) => {
            let reason = format!("{}, and none as its conditions ask", places(n_like));
            request.refused(reason, Vec::new())
        }
        (n, unknown) if unknown == n => request.refused(
            format!("{}, and the types there are not known", places(n)),
            vec!["restore the packages of the repository, or leave out the condition".to_owned()],
        ),
        (n, _) => request.refused(
            format!(
                "{}, where the new code cannot stand: with comments or directives in it, in strings, constants or expression trees",
                places(n)
            ),
            vec!["edit these by hand".to_owned()],
        ),
    }
}
