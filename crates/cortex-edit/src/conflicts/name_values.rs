//! What the compiler decides by the value of a name: `nameof` of what an edit renames is another constant, and so are the
//! constants that are made of it, in every file that uses them.
//!
//! Source: C# specification, §12.8.23 (`nameof`), §12.23 (constant expressions), §13.8.3 (labels). Everywhere else the value
//! is data: it is told, and decides nothing.

mod constants;

use std::collections::{BTreeMap, BTreeSet};

use cortex_git::ReadBlob;
use cortex_index::{Index, Symbols};
use cortex_model::{ByteRange, DeclKind, LineTable, RepoPath};
use cortex_semantics::{Compilation, ProjectId, UnitId, UnitKey, Value};
use cortex_syntax::{BodyId, BodyKind, FileFacts, Op, Sections, body_flags, text::decode};
use cortex_wire::{Difference, Doubt, DoubtReason, EditWarning, WarningReason};

use self::constants::Constants;
use super::is_name_character;
use crate::{
    EditError,
    body_tree::BodyTree,
    identifier::bare,
    plan::{FileFate, FilePlan, Plan},
    proof::{NewSide, OldSide, Proof},
    statement_rules::labels,
    text_edit::StartIs,
};

/// Attributes of which the compiler or the runtime takes a string for something else than the name of a symbol.
const TAKING_TEXT: [&str; 7] = [
    "Conditional",
    "DllImport",
    "Experimental",
    "IndexerName",
    "InternalsVisibleTo",
    "LibraryImport",
    "UnmanagedCallersOnly",
];

/// Adds what is decided by values of names that an edit changes.
///
/// # Errors
/// Those of the index.
pub(super) fn add(
    index: &Index,
    (old, new): (&OldSide<'_>, &NewSide<'_>),
    plan: &Plan,
    found: &mut Proof,
) -> Result<(), EditError> {
    let files: Vec<&FilePlan> = plan.files.values().filter(|it| may_matter(it)).collect();
    if files.is_empty() {
        return Ok(());
    }
    let mut constants = BTreeSet::new();
    let mut paths = BTreeSet::new();
    for file in files {
        for project in new.symbols.projects_of(&file.new_path)? {
            let Some(facts) = facts_of(new.symbols, &file.new_path, project)? else {
                continue;
            };
            constants.extend(written_constants(&facts, file).map(str::to_owned));
            if !renames_in_name_of(file) {
                continue;
            }
            let source = decode(&file.new_bytes);
            let tree = BodyTree::new(&facts, source.as_str());
            let renamed = renamed_in(&tree, file);
            let made = renamed.iter().filter_map(|&id| constant_around(&tree, id));
            constants.extend(made.map(str::to_owned));
            if !renamed.is_empty() {
                paths.insert(file.old.path.clone());
            }
        }
    }
    add_users(old, &mut constants, &mut paths)?;
    let mut blobs = index.blobs(old.side);
    for path in paths {
        let Some(sides) = Sides::read(old, plan, &path, blobs.as_mut())? else {
            continue;
        };
        for project in new.symbols.projects_of(&sides.new_path)? {
            add_of_file((old, new), (&sides, project), &constants, found)?;
        }
    }
    Ok(())
}

/// Whether an edit of a file may give constants another value: it renames what `nameof` names, or writes in a constant.
/// Trees are read of these files alone.
fn may_matter(file: &FilePlan) -> bool {
    let is_edited = file.fate == FileFate::Changed && file.is_csharp();
    is_edited && (renames_in_name_of(file) || writes_constants(file))
}

/// Whether an edit gives another name to what stands in `nameof(…)`, as far as the text before it tells.
pub(crate) fn renames_in_name_of(file: &FilePlan) -> bool {
    let text = decode(&file.old_bytes);
    let is_part = |it: char| is_name_character(it) || it.is_whitespace() || "@.:<>,".contains(it);
    let mut edits = file.edits.all().iter();
    edits.any(|edit| {
        let before = text.as_str().get(..edit.range.start as usize);
        let callee = before.map(|it| it.trim_end_matches(is_part));
        let callee = callee.and_then(|it| it.strip_suffix('('));
        edit.start == StartIs::Kept && callee.is_some_and(|it| it.trim_end().ends_with("nameof"))
    })
}

/// Whether an edit writes text in the declaration of a constant, or in a statement with such a word.
fn writes_constants(file: &FilePlan) -> bool {
    let text = decode(&file.new_bytes);
    let text = text.as_str();
    let mut edits = file.edits.all().iter();
    edits.any(|edit| {
        let start = file.edits.new_start(edit).unwrap_or_default() as usize;
        let is_end = |it: char| matches!(it, ';' | '{' | '}');
        let before = text.get(..start).and_then(|it| it.rsplit(is_end).next());
        let is_in = before.is_some_and(|it| it.contains("const"));
        edit.start == StartIs::New && (is_in || edit.text.contains("const"))
    })
}

fn facts_of(
    symbols: &Symbols,
    path: &RepoPath,
    project: usize,
) -> Result<Option<FileFacts>, EditError> {
    Ok(symbols.facts(path, project, Sections::Bodies)?)
}

/// The `nameof` of a file after an edit that give the name that the edit changes.
pub(crate) fn renamed_in(tree: &BodyTree<'_>, file: &FilePlan) -> Vec<BodyId> {
    let is_renamed = |&id: &BodyId| {
        let Some(name) = named_by(tree, id) else {
            return false;
        };
        let old = decode(&file.old_bytes);
        file.edits
            .writing(tree.node(name).offset)
            .is_some_and(|edit| {
                let replaced = old.as_str().get(edit.range.as_usize()).unwrap_or_default();
                let last = |text: &str| bare(text.rsplit(['.', ':']).next().unwrap_or(text));
                edit.start == StartIs::Kept && last(replaced) != last(&edit.text)
            })
    };
    tree.nodes().filter(is_renamed).collect()
}

/// The last name in `nameof`, which it gives.
fn named_by(tree: &BodyTree<'_>, id: BodyId) -> Option<BodyId> {
    let parts = tree.children(id);
    let (BodyKind::Invocation, [callee, arguments]) = (tree.kind(id), parts.as_slice()) else {
        return None;
    };
    if tree.kind(*callee) != BodyKind::Name || tree.text_of(*callee) != "nameof" {
        return None;
    }
    let mut at = *tree.children(*arguments).first()?;
    loop {
        at = match tree.kind(at) {
            BodyKind::Name | BodyKind::GenericName => return Some(at),
            BodyKind::Argument => *tree.children(at).first()?,
            BodyKind::MemberAccess | BodyKind::AliasQualified => *tree.children(at).last()?,
            _ => return None,
        };
    }
}

/// Whether some `nameof` of a file, before an edit that gives another name to what it names, may be a part of a constant
/// that is more than the argument of a call.
pub(crate) fn may_decide(tree: &BodyTree<'_>, file: &FilePlan) -> bool {
    let is_edited = |id: BodyId| {
        let name = named_by(tree, id);
        name.is_some_and(|it| file.edits.is_edited(tree.node(it).offset))
    };
    let is_part = |id: BodyId| {
        let mut around = tree.ancestors(id);
        let is_governing = |it: BodyId| {
            let value = tree.children(it).first().copied();
            value.is_some_and(|value| tree.within(value).contains(&id))
        };
        around.any(|it| match tree.kind(it) {
            BodyKind::Binary
            | BodyKind::ConstantPattern
            | BodyKind::GotoCase
            | BodyKind::ParameterDefault
            | BodyKind::Attribute => true,
            BodyKind::Switch | BodyKind::SwitchExpression => is_governing(it),
            _ => false,
        })
    };
    let mut all = tree.nodes();
    all.any(|id| is_edited(id) && (is_part(id) || constant_around(tree, id).is_some()))
}

/// The constant of whose initial value a node is a part.
fn constant_around<'f>(tree: &BodyTree<'f>, id: BodyId) -> Option<&'f str> {
    for around in tree.ancestors(id) {
        match tree.kind(around) {
            BodyKind::Declarator if is_constant(tree, around) => {
                return Some(tree.facts.name(tree.node(around).value));
            }
            BodyKind::Attribute | BodyKind::ParameterDefault => return None,
            BodyKind::Decl => {
                let decl = tree.node(around).value.checked_sub(1)?;
                let decl = &tree.facts.decls[decl as usize];
                return (decl.kind == DeclKind::Constant).then(|| tree.facts.name(decl.name));
            }
            _ => {}
        }
    }
    None
}

/// Whether a declared variable is a constant.
fn is_constant(tree: &BodyTree<'_>, declarator: BodyId) -> bool {
    let parent = tree.parent(declarator);
    parent.is_some_and(|it| {
        tree.kind(it) == BodyKind::LocalDeclaration && tree.node(it).flags & body_flags::CONST != 0
    })
}

/// The constants of types whose initial value an edit writes.
fn written_constants<'f>(
    facts: &'f FileFacts,
    file: &'f FilePlan,
) -> impl Iterator<Item = &'f str> {
    let written = super::Written::of(file);
    let constants = facts
        .decls
        .iter()
        .filter(|it| it.kind == DeclKind::Constant);
    constants
        .filter(move |it| written.touches(it.range))
        .map(|it| facts.name(it.name))
}

/// Adds the files that name constants, and the constants whose value they are a part of.
fn add_users(
    old: &OldSide<'_>,
    constants: &mut BTreeSet<String>,
    paths: &mut BTreeSet<RepoPath>,
) -> Result<(), EditError> {
    let mut open: Vec<String> = constants.iter().cloned().collect();
    while let Some(name) = open.pop() {
        for file in old.side.snapshot.files_mentioning(&name)? {
            for project in old.symbols.projects_of(&file.path)? {
                let Some(facts) = facts_of(old.symbols, &file.path, project)? else {
                    continue;
                };
                let declared = facts
                    .decls
                    .iter()
                    .filter(|it| it.kind == DeclKind::Constant);
                for decl in declared {
                    let value = decl.value.map_or("", |it| facts.name(it));
                    let mut words = value.split(|it: char| it != '_' && !it.is_alphanumeric());
                    let own = facts.name(decl.name);
                    if words.any(|it| it == name) && constants.insert(own.to_owned()) {
                        open.push(own.to_owned());
                    }
                }
            }
            paths.insert(file.path);
        }
    }
    Ok(())
}

/// Both sides of a file.
struct Sides {
    old_path: RepoPath,
    new_path: RepoPath,
    old_text: String,
    new_text: String,
    /// What an edit changes in it.
    file: Option<FilePlan>,
}

impl Sides {
    /// `None` of a file that the edit brings or takes away.
    fn read(
        old: &OldSide<'_>,
        plan: &Plan,
        path: &RepoPath,
        blobs: &mut dyn ReadBlob,
    ) -> Result<Option<Self>, EditError> {
        if let Some(file) = plan.files.get(path) {
            return Ok((file.fate == FileFate::Changed).then(|| Self {
                old_path: path.clone(),
                new_path: file.new_path.clone(),
                old_text: decode(&file.old_bytes).as_str().to_owned(),
                new_text: decode(&file.new_bytes).as_str().to_owned(),
                file: Some(file.clone()),
            }));
        }
        let Some(file) = old.side.snapshot.file(path)? else {
            return Ok(None);
        };
        let text = decode(&blobs.read_blob(file.blob)?).as_str().to_owned();
        Ok(Some(Self {
            old_path: path.clone(),
            new_path: path.clone(),
            old_text: text.clone(),
            new_text: text,
            file: None,
        }))
    }

    /// Where a position of the new text was.
    fn old_position(&self, at: u32) -> Option<u32> {
        match &self.file {
            Some(file) => file.edits.old_position(at),
            None => Some(at),
        }
    }
}

/// Adds what a file decides by constants that have another value, as a project compiles it.
fn add_of_file(
    (old, new): (&OldSide<'_>, &NewSide<'_>),
    (sides, project): (&Sides, usize),
    constants: &BTreeSet<String>,
    found: &mut Proof,
) -> Result<(), EditError> {
    let new_facts = facts_of(new.symbols, &sides.new_path, project)?;
    let Some(facts) = &new_facts else {
        return Ok(());
    };
    let tree = BodyTree::new(facts, &sides.new_text);
    let renamed = sides.file.iter().flat_map(|it| renamed_in(&tree, it));
    let mut changed: BTreeSet<BodyId> = renamed.collect();
    changed.extend(tree.nodes().filter(|&id| {
        tree.kind(id) == BodyKind::Name && constants.contains(facts.name(tree.node(id).value))
    }));
    if changed.is_empty() {
        return Ok(());
    }
    let old_facts = facts_of(old.symbols, &sides.old_path, project)?;
    let key = |path: &RepoPath| UnitKey {
        path: path.clone(),
        project: ProjectId::new(project),
    };
    let told = new.symbols.read(|c| {
        let file = ChangedConstants {
            constants: Constants {
                tree: &tree,
                compilation: c,
                unit: c.unit_id(&key(&sides.new_path)),
            },
            changed: &changed,
        };
        let comparisons = file.comparisons();
        let old_values = match (&old_facts, comparisons.is_empty()) {
            (Some(facts), false) => old.symbols.read(|c| {
                let unit = c.unit_id(&key(&sides.old_path));
                Ok(old_comparisons(
                    (c, unit),
                    (facts, sides),
                    &file,
                    &comparisons,
                ))
            })?,
            _ => BTreeMap::new(),
        };
        Ok(file.told(&old_values))
    })?;
    for (at, told) in told {
        told.add((sides, at), found);
    }
    Ok(())
}

/// What is told of a place.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Told {
    /// Something else is decided: the question, and the answer now.
    Decided(&'static str, &'static str),
    /// The value is not known.
    Unknown,
    /// The running program has another value: of a constant, or of what is compared.
    Value(String),
}

impl Told {
    fn add(self, (sides, at): (&Sides, u32), found: &mut Proof) {
        let offset = sides.old_position(at).unwrap_or(at);
        let file = sides.old_path.clone();
        let line = LineTable::new(sides.old_text.as_bytes())
            .position(offset)
            .line;
        let key = (file.clone(), offset);
        match self {
            Self::Decided(question, after) => {
                found.differences.entry(key).or_insert_with(|| Difference {
                    file,
                    line,
                    question: question.to_owned(),
                    before: None,
                    after: Some(after.to_owned()),
                });
            }
            Self::Unknown => {
                found.doubts.entry(key).or_insert_with(|| Doubt {
                    file,
                    line,
                    reason: DoubtReason::Undecided,
                    used_by: None,
                });
            }
            Self::Value(name) => {
                let warning = EditWarning {
                    file: sides.new_path.clone(),
                    line,
                    name,
                    reason: WarningReason::NameOf,
                };
                found.warn_at(offset, warning);
            }
        }
    }
}

/// Whether the values of a pattern are known.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Known {
    /// All of them are.
    All,
    /// One is not that an edit changes nothing of: a type, or a constant that is not read.
    NotOthers,
    /// One is not that may have another value.
    NotChanged,
}

/// The parts of a file that are constants with another value.
struct ChangedConstants<'c, 't, 'f, 'a, 'w> {
    constants: Constants<'t, 'f, 'a, 'w>,
    /// `nameof` that gives another name, and names of constants.
    changed: &'c BTreeSet<BodyId>,
}

impl ChangedConstants<'_, '_, '_, '_, '_> {
    fn is_changed(&self, id: BodyId) -> bool {
        let within = self.constants.tree.within(id);
        self.changed.range(within).next().is_some()
    }

    /// The comparisons for equality with a value that changed: by constants, which decide what code is reached.
    fn comparisons(&self) -> Vec<BodyId> {
        let tree = self.constants.tree;
        let is_equality = |id: BodyId| {
            let flags = tree.node(id).flags;
            tree.kind(id) == BodyKind::Binary
                && (flags == Op::Equal as u8 || flags == Op::NotEqual as u8)
        };
        let all = tree.nodes();
        all.filter(|&it| is_equality(it) && self.is_changed(it))
            .collect()
    }

    /// What is told, by where. `old_values`: whether the sides of comparisons were equal.
    fn told(&self, old_values: &BTreeMap<BodyId, bool>) -> BTreeMap<u32, Told> {
        let tree = self.constants.tree;
        let mut told = BTreeMap::new();
        for (&id, &before) in old_values {
            if self.are_equal(id).is_some_and(|after| after != before) {
                let at = tree.span(id).start;
                told.insert(at, Told::Decided(CONDITION, "the other value"));
            }
        }
        for id in tree.nodes() {
            match tree.kind(id) {
                BodyKind::Switch | BodyKind::SwitchExpression => self.add_switch(id, &mut told),
                BodyKind::Attribute => self.add_attribute(id, &mut told),
                _ => {}
            }
        }
        for &id in self.changed {
            if let Some(name) = self.kept_as_value(id) {
                told.entry(tree.span(id).start).or_insert(Told::Value(name));
            }
        }
        told
    }

    /// Whether the values of a comparison are equal.
    fn are_equal(&self, comparison: BodyId) -> Option<bool> {
        let parts = self.constants.tree.children(comparison);
        let [left, right] = parts.as_slice() else {
            return None;
        };
        Some(self.constants.value(*left)? == self.constants.value(*right)?)
    }

    fn add_switch(&self, id: BodyId, told: &mut BTreeMap<u32, Told>) {
        let tree = self.constants.tree;
        let Some(&value) = tree.children(id).first() else {
            return;
        };
        if self.is_changed(value) && self.constants.value(value).is_some() {
            told.insert(tree.span(value).start, Told::Decided(LABEL, "another one"));
        }
        // What is compared with, and whether its value changed.
        let mut before: BTreeMap<String, bool> = BTreeMap::new();
        let mut all_known = true;
        for label in &labels(tree, id) {
            let mut values = Vec::new();
            let known = self.add_values(label.pattern, &mut values);
            let is_changed = self.is_changed(label.pattern);
            let is_repeated = !values.is_empty()
                && values.iter().all(|it| before.contains_key(it))
                && values.iter().any(|it| is_changed || before[it]);
            let at = tree.span(label.pattern).start;
            if is_repeated {
                told.insert(at, Told::Decided(LABEL, "a label before it has its value"));
            } else if known == Known::NotChanged {
                told.insert(at, Told::Unknown);
            }
            all_known &= known == Known::All;
            if !label.has_condition {
                before.extend(values.into_iter().map(|it| (it, is_changed)));
            }
        }
        let jumps = tree
            .within(id)
            .filter(|&it| tree.kind(it) == BodyKind::GotoCase);
        let is_statement = tree.kind(id) == BodyKind::Switch;
        let has_changed = before.values().any(|&it| it);
        for jump in jumps.filter(|&it| is_statement && all_known && self.goes_to(it, id)) {
            let target = tree.children(jump).first().copied();
            let target = target.filter(|&it| has_changed || self.is_changed(it));
            let value = target.and_then(|it| self.constants.value(it));
            if value.is_some_and(|it| !before.contains_key(&written(&it))) {
                told.insert(tree.span(jump).start, Told::Decided(LABEL, "none"));
            }
        }
    }

    /// Whether a `goto case` goes to a label of a `switch`: the one around it that is nearest.
    fn goes_to(&self, jump: BodyId, switch: BodyId) -> bool {
        let tree = self.constants.tree;
        let mut around = tree.ancestors(jump);
        around.find(|&it| tree.kind(it) == BodyKind::Switch) == Some(switch)
    }

    /// Adds what a pattern compares with, one text for each way in which it fits; whether the values are known.
    fn add_values(&self, pattern: BodyId, values: &mut Vec<String>) -> Known {
        let tree = self.constants.tree;
        let parts = tree.children(pattern);
        match (tree.kind(pattern), parts.as_slice()) {
            (BodyKind::ParenthesizedPattern, &[inner]) => self.add_values(inner, values),
            (BodyKind::BinaryPattern, &[left, right]) if tree.node(pattern).flags & 1 == 1 => {
                let first = self.add_values(left, values);
                first.max(self.add_values(right, values))
            }
            _ => {
                let mut text = String::new();
                let known = self.write_pattern(pattern, &mut text);
                values.push(text);
                known
            }
        }
    }

    /// Writes a pattern with the values of its constants in their place; whether they are known.
    fn write_pattern(&self, pattern: BodyId, out: &mut String) -> Known {
        let tree = self.constants.tree;
        let span = tree.span(pattern);
        let constants: Vec<BodyId> = (tree.within(pattern))
            .filter(|&it| tree.kind(it) == BodyKind::ConstantPattern)
            .collect();
        let mut known = Known::All;
        let write = |range: ByteRange, out: &mut String| {
            for token in tree.tokens_in(range) {
                out.push_str(tree.text.get(token.as_usize()).unwrap_or_default());
                out.push(' ');
            }
        };
        let mut end = span.start;
        for constant in constants {
            let own = tree.span(constant);
            let value = tree.children(constant).first().copied();
            match value.and_then(|it| self.constants.value(it)) {
                Some(value) => {
                    write(
                        ByteRange {
                            start: end,
                            end: own.start,
                        },
                        out,
                    );
                    out.push_str(&written(&value));
                    end = own.end;
                }
                None if self.is_changed(constant) => known = Known::NotChanged,
                None => known = known.max(Known::NotOthers),
            }
        }
        write(
            ByteRange {
                start: end,
                end: span.end,
            },
            out,
        );
        known
    }

    /// Adds an attribute of which something else is made.
    fn add_attribute(&self, id: BodyId, told: &mut BTreeMap<u32, Told>) {
        let tree = self.constants.tree;
        let parts = tree.children(id);
        let (Some(&class), Some(&arguments)) = (parts.first(), parts.get(1)) else {
            return;
        };
        let name = tree.text_of(class);
        let name = name.rsplit(['.', ':']).next().unwrap_or(name);
        let name = name.strip_suffix("Attribute").unwrap_or(name);
        if TAKING_TEXT.contains(&name) && self.is_changed(arguments) {
            let question = "what the compiler and the runtime make of the declaration";
            told.insert(tree.span(id).start, Told::Decided(question, "another text"));
        }
    }

    /// What has the value of a constant, where it is more than the argument of a call: a constant, a default value, what is
    /// compared with.
    fn kept_as_value(&self, id: BodyId) -> Option<String> {
        let tree = self.constants.tree;
        if tree.kind(id) != BodyKind::Invocation {
            return None;
        }
        let of_constant = constant_around(tree, id).map(str::to_owned);
        let is_compared = |it: BodyId| match tree.kind(it) {
            BodyKind::ConstantPattern | BodyKind::ParameterDefault => true,
            BodyKind::Binary => {
                let flags = tree.node(it).flags;
                flags == Op::Equal as u8 || flags == Op::NotEqual as u8
            }
            _ => false,
        };
        let is_part = |it: &BodyId| {
            matches!(
                tree.kind(*it),
                BodyKind::Binary
                    | BodyKind::Parenthesized
                    | BodyKind::ConstantPattern
                    | BodyKind::ParameterDefault
            )
        };
        let mut around = tree.ancestors(id).take_while(is_part);
        let compared = || around.any(is_compared).then(|| tree.text_of(id).to_owned());
        of_constant.or_else(compared)
    }
}

/// What a constant condition is about.
const CONDITION: &str = "what the constant condition is";

/// What labels are about.
const LABEL: &str = "which label the value reaches";

/// A value as a label has it.
fn written(value: &Value) -> String {
    format!("{value:?}")
}

/// Whether the values of comparisons were equal before an edit, where they are known.
fn old_comparisons(
    (compilation, unit): (&Compilation<'_>, UnitId),
    (facts, sides): (&FileFacts, &Sides),
    new: &ChangedConstants<'_, '_, '_, '_, '_>,
    comparisons: &[BodyId],
) -> BTreeMap<BodyId, bool> {
    let tree = BodyTree::new(facts, &sides.old_text);
    let nothing = BTreeSet::new();
    let before = ChangedConstants {
        constants: Constants {
            tree: &tree,
            compilation,
            unit,
        },
        changed: &nothing,
    };
    let by_offset: BTreeMap<u32, BodyId> = (tree.nodes())
        .filter(|&it| tree.kind(it) == BodyKind::Binary)
        .map(|it| (tree.node(it).offset, it))
        .collect();
    let old_of = |id: BodyId| {
        let offset = sides.old_position(new.constants.tree.node(id).offset)?;
        by_offset.get(&offset).copied()
    };
    let all = comparisons.iter();
    all.filter_map(|&id| Some((id, before.are_equal(old_of(id)?)?)))
        .collect()
}
