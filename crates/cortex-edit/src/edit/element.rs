//! A rename of an element of a tuple with its proof: uses are found by what binding makes of the declaration alone.

use std::collections::{BTreeMap, BTreeSet};

use cortex_index::{Progress, Symbols};
use cortex_look::viewpoint::Viewpoint;
use cortex_model::{LineTable, RepoPath};
use cortex_semantics::{AsTheyAre, FilePositions, Positions, Question};
use cortex_syntax::{
    BodyKind, Sections,
    text::{decode, token_at},
};
use cortex_wire::{Doubt, DoubtReason};

use super::{Sides, reach::prove_mentioning};
use crate::{
    EditError,
    body_tree::BodyTree,
    draft::Draft,
    identifier::bare,
    proof::{PlaceBefore, Proof},
    rename::element::{ElementRename, facts_with_bodies, names_in_file, plan_element},
};

/// So many times uses are looked for: each time may find some behind those that were found before.
const MAX_ROUNDS: usize = 6;

/// Plans and proves it.
///
/// # Errors
/// [`EditError::Refused`] where no end is found; those of planning and of the index.
pub(super) fn renamed_element(
    sides: &Sides<'_, '_>,
    renaming: &ElementRename,
    progress: &dyn Progress,
) -> Result<(Draft, Proof), EditError> {
    let mut places = BTreeSet::from([renaming.declared.clone()]);
    for _ in 0..MAX_ROUNDS {
        let draft = plan_element(sides[0], renaming, &places)?;
        let mut proof = prove_mentioning(sides, &draft, progress)?;
        let mut found = BTreeSet::new();
        for place in proof.differences.keys() {
            if !places.contains(place) && is_use(sides[0], place, &renaming.old)? {
                found.insert(place.clone());
            }
        }
        if found.is_empty() {
            found = literals(sides, renaming, &draft, &places, progress)?;
        }
        if found.is_empty() {
            add_doubts(sides, renaming, &places, &mut proof)?;
            add_joined(sides, (renaming, &draft), progress, &mut proof)?;
            return Ok((draft, proof));
        }
        places.extend(found);
    }
    let help = "rename the element in the types that it flows to first";
    Err(renaming.refused("its uses cannot be followed", help))
}

/// Whether the old name stands at a place behind a dot, or before the colon of a part of a pattern.
fn is_use(
    (view, symbols): (&Viewpoint<'_>, &Symbols),
    (path, offset): &PlaceBefore,
    old: &str,
) -> Result<bool, EditError> {
    let Some(file) = view.snapshot().file(path)? else {
        return Ok(false);
    };
    let bytes = view.blobs().read_blob(file.blob)?;
    let source = decode(&bytes);
    let token = token_at(source.as_bytes(), *offset);
    let text = source.as_str();
    let name = text.get(token.as_usize()).unwrap_or_default();
    if bare(name) != old {
        return Ok(false);
    }
    let before = text.get(..*offset as usize).unwrap_or_default().trim_end();
    if before.ends_with('.') && !before.ends_with("..") {
        return Ok(true);
    }
    let facts = facts_with_bodies(symbols, path)?;
    Ok(facts.is_some_and(|facts| names_part(&BodyTree::new(&facts, text), *offset)))
}

/// Whether the name at an offset is that of a part of a positional pattern.
fn names_part(tree: &BodyTree<'_>, offset: u32) -> bool {
    let part = tree.name_at(offset).and_then(|it| tree.parent(it));
    let Some(part) = part.filter(|&it| tree.kind(it) == BodyKind::Subpattern) else {
        return false;
    };
    let clause = tree.parent(part).map(|it| tree.kind(it));
    clause == Some(BodyKind::PositionalClause) && tree.children(part).len() == 2
}

/// The names in literals that become a tuple whose element has the new name.
fn literals(
    sides: &Sides<'_, '_>,
    renaming: &ElementRename,
    draft: &Draft,
    places: &BTreeSet<PlaceBefore>,
    progress: &dyn Progress,
) -> Result<BTreeSet<PlaceBefore>, EditError> {
    let mut out = BTreeSet::new();
    for &(view, symbols) in sides {
        let mut wanted: BTreeMap<RepoPath, Vec<(u32, usize, u32)>> = BTreeMap::new();
        for file in view.snapshot().files_mentioning(&renaming.old)? {
            let names = names_in_file((view, symbols), &file.path, &renaming.old, &|_| false)?;
            let mut literals = names.map(|it| it.literals).unwrap_or_default();
            literals.retain(|it| !places.contains(&(file.path.clone(), it.2)));
            if !literals.is_empty() {
                wanted.insert(file.path, literals);
            }
        }
        if wanted.is_empty() {
            continue;
        }
        let planned = planned(view, symbols, draft, progress)?;
        out.extend(of_new_type(view, &planned, (renaming, draft), &wanted)?);
    }
    Ok(out)
}

/// The symbols once an edit is made.
fn planned(
    view: &Viewpoint<'_>,
    symbols: &Symbols,
    draft: &Draft,
    progress: &dyn Progress,
) -> Result<Symbols, EditError> {
    let index = view.index;
    let files = draft.plan.planned_files();
    if let Some(planned) = index.planned_symbols((view.side, symbols), &files, progress)? {
        return Ok(planned);
    }
    let (side, _) = index.planned(view.side, &files, progress)?;
    Ok(index.symbols(&side, Some(symbols))?)
}

fn of_new_type(
    view: &Viewpoint<'_>,
    planned: &Symbols,
    (renaming, draft): (&ElementRename, &Draft),
    wanted: &BTreeMap<RepoPath, Vec<(u32, usize, u32)>>,
) -> Result<BTreeSet<PlaceBefore>, EditError> {
    let mut out = BTreeSet::new();
    for (path, literals) in wanted {
        let edits = draft.plan.files.get(path).map(|file| &file.edits);
        let types = NamedTypes::of(view, planned, path, renaming)?;
        for &(start, _, name) in literals {
            let Some(start) = edits.map_or(Some(start), |edits| edits.new_position(start)) else {
                continue;
            };
            if types.is(start, Question::Conversion, Called::New) {
                out.insert((path.clone(), name));
            }
        }
    }
    Ok(out)
}

/// Which of both names an element of a type has.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Called {
    Old,
    New,
}

/// Which expressions of a file have, or become, a type with an element of the old or the new name.
struct NamedTypes {
    old: BTreeSet<(u32, Question)>,
    new: BTreeSet<(u32, Question)>,
}

impl NamedTypes {
    fn of(
        view: &Viewpoint<'_>,
        symbols: &Symbols,
        path: &RepoPath,
        renaming: &ElementRename,
    ) -> Result<Self, EditError> {
        let projects = symbols.projects_of(path)?.into_iter();
        let units: Vec<_> = projects.map(|project| (path.clone(), project)).collect();
        let parallel = view.index.parallel;
        type Answers = BTreeMap<(u32, Question), BTreeSet<cortex_model::Hash>>;
        let answers = |positions: &(dyn Positions + Sync)| -> Result<Answers, EditError> {
            let mut out = Answers::new();
            for print in symbols.fingerprints(&units, positions, parallel)? {
                let decisions = print.decisions.into_iter();
                for it in decisions.filter(|it| is_type(it.question)) {
                    let answers = out.entry((it.own_offset, it.question)).or_default();
                    answers.insert(it.answer);
                }
            }
            Ok(out)
        };
        let plain = answers(&AsTheyAre)?;
        let with = |name: &str| -> Result<BTreeSet<(u32, Question)>, EditError> {
            let marked = answers(&Marked(name))?;
            let differs = marked
                .into_iter()
                .filter(|(key, it)| plain.get(key) != Some(it));
            Ok(differs.map(|(key, _)| key).collect())
        };
        Ok(Self {
            old: with(&renaming.old)?,
            new: with(&renaming.new)?,
        })
    }

    /// Whether an expression has, or becomes, a type with an element of one name and none of the other.
    fn is(&self, at: u32, question: Question, called: Called) -> bool {
        let (this, other) = match called {
            Called::Old => (&self.old, &self.new),
            Called::New => (&self.new, &self.old),
        };
        this.contains(&(at, question)) && !other.contains(&(at, question))
    }
}

fn is_type(question: Question) -> bool {
    matches!(question, Question::Type | Question::Conversion)
}

/// Positions as they are, with elements of one name told apart from all others.
struct Marked<'n>(&'n str);

impl Positions for Marked<'_> {
    fn of_file(&self, path: &RepoPath) -> FilePositions<'_> {
        FilePositions {
            path: path.clone(),
            offset: Box::new(Some),
            side: "new",
        }
    }

    fn element<'n>(&'n self, name: &'n str) -> &'n str {
        match name == self.0 {
            true => "\u{1}",
            false => name,
        }
    }
}

/// Adds expressions whose type has one of both names and that become a type with the other one, unless a declaration
/// says that type: a type that is inferred of both has neither name.
fn add_joined(
    sides: &Sides<'_, '_>,
    (renaming, draft): (&ElementRename, &Draft),
    progress: &dyn Progress,
    proof: &mut Proof,
) -> Result<(), EditError> {
    for &(view, symbols) in sides {
        let after = planned(view, symbols, draft, progress)?;
        let mut paths: BTreeSet<RepoPath> = draft.plan.files.keys().cloned().collect();
        for name in [&renaming.old, &renaming.new] {
            let files = view.snapshot().files_mentioning(name)?.into_iter();
            paths.extend(files.map(|file| file.path));
        }
        for path in paths {
            let types = NamedTypes::of(view, &after, &path, renaming)?;
            let joined: Vec<u32> = (types.old.iter().chain(&types.new))
                .map(|&(at, _)| at)
                .filter(|&at| {
                    [(Called::Old, Called::New), (Called::New, Called::Old)]
                        .into_iter()
                        .any(|(from, to)| {
                            types.is(at, Question::Type, from)
                                && types.is(at, Question::Conversion, to)
                        })
                })
                .collect();
            if joined.is_empty() {
                continue;
            }
            add_inferred(view, &after, (&path, draft), &joined, proof)?;
        }
    }
    Ok(())
}

/// Adds those of some expressions whose place does not say what they become.
fn add_inferred(
    view: &Viewpoint<'_>,
    after: &Symbols,
    (path, draft): (&RepoPath, &Draft),
    joined: &[u32],
    proof: &mut Proof,
) -> Result<(), EditError> {
    let bytes = match draft.plan.files.get(path) {
        Some(file) => file.new_bytes.to_vec(),
        None => match view.snapshot().file(path)? {
            Some(file) => view.blobs().read_blob(file.blob)?,
            None => return Ok(()),
        },
    };
    let source = decode(&bytes);
    let lines = LineTable::new(source.as_bytes());
    for project in after.projects_of(path)? {
        let Some(facts) = after.facts(path, project, Sections::Bodies)? else {
            continue;
        };
        let tree = BodyTree::new(&facts, source.as_str());
        for &at in joined {
            let all = 0..facts.bodies.nodes().len() as u32;
            let is_said = all.filter(|&it| tree.span(it).start == at).any(|it| {
                let parent = tree.parent(it).map(|it| tree.kind(it));
                matches!(
                    parent,
                    Some(
                        BodyKind::Declarator
                            | BodyKind::Assignment
                            | BodyKind::Return
                            | BodyKind::Body
                    )
                )
            });
            if !is_said {
                let line = lines.position(at).line;
                proof.doubts.entry((path.clone(), at)).or_insert(Doubt {
                    file: path.clone(),
                    line,
                    reason: DoubtReason::Undecided,
                    used_by: None,
                });
            }
        }
    }
    Ok(())
}

/// Adds places that have the old name, and of which nobody can tell whether they mean the element: patterns, and what
/// could not be bound.
fn add_doubts(
    sides: &Sides<'_, '_>,
    renaming: &ElementRename,
    places: &BTreeSet<PlaceBefore>,
    proof: &mut Proof,
) -> Result<(), EditError> {
    for &(view, symbols) in sides {
        let paths: BTreeSet<&RepoPath> = places.iter().map(|(path, _)| path).collect();
        for path in paths {
            let projects = symbols.projects_of(path)?;
            let units: Vec<_> = (projects.into_iter())
                .map(|project| (path.clone(), project))
                .collect();
            let mut bound = BTreeSet::new();
            for print in symbols.fingerprints(&units, &AsTheyAre, view.index.parallel)? {
                let decided = print.decisions.iter().filter(|it| {
                    !matches!(
                        it.question,
                        Question::Unbound(_) | Question::Type | Question::Conversion
                    )
                });
                bound.extend(decided.map(|it| it.own_offset));
            }
            let is_bound = |at: u32| bound.contains(&at) || places.contains(&(path.clone(), at));
            let names = names_in_file((view, symbols), path, &renaming.old, &is_bound)?;
            let Some(names) = names.filter(|it| !it.unknown.is_empty()) else {
                continue;
            };
            let Some(file) = view.snapshot().file(path)? else {
                continue;
            };
            let bytes = view.blobs().read_blob(file.blob)?;
            let lines = LineTable::new(decode(&bytes).as_bytes());
            for at in names.unknown {
                let line = lines.position(at).line;
                proof.doubts.entry((path.clone(), at)).or_insert(Doubt {
                    file: path.clone(),
                    line,
                    reason: DoubtReason::Undecided,
                    used_by: None,
                });
            }
        }
    }
    Ok(())
}
