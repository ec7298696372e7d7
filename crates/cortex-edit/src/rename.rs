//! `rename`: a type, a member, a namespace, a parameter, a local, an element of a tuple and the like get another name,
//! everywhere.
//!
//! Owns: which places have the name. Must not know: whether the code means the same afterwards ([`crate::proof`]).

mod accessors;
pub(crate) mod attribute_texts;
pub(crate) mod declared;
pub(crate) mod element;
pub(crate) mod global;
mod inactive;
pub(crate) mod inferred;
pub(crate) mod local;
mod markup;
mod named_texts;
pub(crate) mod namespace;
mod outside_names;

use std::collections::{BTreeMap, BTreeSet};

use cortex_index::Symbols;
use cortex_look::{
    QueryError,
    symbol::{offset_at, place_of},
    viewpoint::Viewpoint,
};
use cortex_model::{ByteRange, RepoPath};
use cortex_syntax::{
    Sections,
    text::{FileOffsets, decode},
};
use cortex_wire::{EditWarning, ResidueKind, Subject, WarningReason};

use self::{accessors::NamedByAccessor, local::AtPlace};
use crate::{
    EditError,
    identifier::{bare, written},
    plan::{Plan, find_file},
    proof::{PlaceBefore, Proof, Uses},
    text_edit::{StartIs, TextEdit, TextEdits},
    texts::{Extent, MentioningTexts},
};

/// What is to be renamed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Rename<'r> {
    /// The symbol, as any question names it; of what is not a type or a member, the place of a name.
    pub symbol: &'r str,
    /// Its new name.
    pub to: &'r str,
    /// Whether the file of a type keeps its name.
    pub keep_file: bool,
    /// The texts that get the new name as well.
    pub also: &'r [ResidueKind],
}

/// A rename that is planned.
pub(crate) struct Planned {
    /// What is renamed, where it is a type or a member.
    pub(crate) subject: Option<Subject>,
    /// What it is called now.
    pub(crate) old_name: String,
    /// What it will be called, without `@`.
    pub(crate) new_name: String,
    /// The files.
    pub(crate) plan: Plan,
    /// How many other symbols get the name as well: overrides, implementations, what they implement.
    pub(crate) n_family: usize,
    /// Whether parameters get the name as well: those of records.
    pub(crate) has_parameters: bool,
    /// Which code may see the name.
    seen_by: SeenBy,
    /// Where the name may matter without being written.
    pub(crate) reach: Reach,
    /// Where code uses what is renamed, also without writing its name: offsets of the decoded texts, ascending.
    pub(crate) uses: BTreeMap<RepoPath, Vec<u32>>,
    /// See [`Uses::seen_in`].
    seen_in: Option<BTreeSet<RepoPath>>,
    /// The files with a part of the type, or of the type of the member.
    parts: BTreeSet<RepoPath>,
    /// What it writes besides the new name.
    pub(crate) warnings: Vec<EditWarning>,
}

/// Which code may see a name.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum SeenBy {
    /// Its own files, and nothing behind a dot: that of a local, type parameter, label or alias.
    OwnFiles,
    /// All, but nothing behind a dot: that of a parameter, which arguments may name.
    Arguments,
    /// All.
    Everywhere,
}

/// Parameters that the compiler names where it passes the parts of an interpolated string to a handler.
const PASSED_UNWRITTEN: [&str; 2] = ["alignment", "format"];

impl Planned {
    /// Whether code may name it as an argument without writing its name.
    pub(crate) fn is_passed_unwritten(&self) -> bool {
        let mut names = [&self.old_name, &self.new_name].into_iter();
        self.seen_by == SeenBy::Arguments && names.any(|it| PASSED_UNWRITTEN.contains(&it.as_str()))
    }

    /// Where code uses what is renamed.
    pub(crate) fn uses(&self) -> Uses<'_> {
        Uses {
            places: &self.uses,
            seen_in: self.seen_in.as_ref(),
        }
    }

    /// Takes out of a proof what is about other symbols of the same name: those that no code can mean there.
    ///
    /// # Errors
    /// Those of reading files.
    pub(crate) fn keep_own(
        &self,
        view: &Viewpoint<'_>,
        proof: &mut Proof,
    ) -> Result<(), EditError> {
        if self.seen_by == SeenBy::Everywhere {
            return Ok(());
        }
        let is_own = |path: &RepoPath| {
            self.seen_by != SeenBy::OwnFiles || self.plan.files.contains_key(path)
        };
        proof.doubts.retain(|(path, _), _| is_own(path));
        // That a text follows a variable is what it is for.
        (proof.warnings)
            .retain(|_, warning| warning.reason != WarningReason::CallerArgumentExpression);
        let mut reader = view.blobs();
        let mut behind_dots = Vec::new();
        let doubts = proof.doubts.iter();
        for of_file in doubts.collect::<Vec<_>>().chunk_by(|a, b| a.0.0 == b.0.0) {
            let Some(file) = view.snapshot().file(&of_file[0].0.0)? else {
                continue;
            };
            let bytes = reader.read_blob(file.blob)?;
            let source = decode(&bytes);
            let is_behind_dot = |offset: u32| {
                let before = source.as_str().get(..offset as usize).unwrap_or_default();
                let before = before.trim_end();
                before.ends_with('.') && !before.ends_with("..") || before.ends_with("->")
            };
            let keys = of_file.iter().map(|(key, _)| (*key).clone());
            behind_dots.extend(keys.filter(|(_, offset)| is_behind_dot(*offset)));
        }
        for key in behind_dots {
            proof.doubts.remove(&key);
        }
        Ok(())
    }
}

impl Planned {
    /// Lists the texts that mention the old name and stay as they are.
    ///
    /// # Errors
    /// Those of the index.
    pub(crate) fn add_residue(
        &self,
        view: &Viewpoint<'_>,
        proof: &mut Proof,
    ) -> Result<(), EditError> {
        let declaring = self.plan.files.keys().cloned().collect();
        let extent = texts_of(self.subject.as_ref(), self.reach, &declaring);
        MentioningTexts::find(view, &self.old_name, extent)?.add_residue(&self.plan, proof);
        Ok(())
    }
}

/// Where texts may mention what is renamed: those of other files do not mean a local or a private member.
fn texts_of<'a>(
    subject: Option<&'a Subject>,
    reach: Reach,
    files: &'a BTreeSet<RepoPath>,
) -> Extent<'a> {
    match subject {
        Some(subject) if reach != Reach::Written || subject.resolved.member_id.is_none() => {
            Extent::Everywhere(subject)
        }
        _ => Extent::Files(files),
    }
}

/// Where the name of a symbol may decide something although code does not write it there.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum Reach {
    /// Nowhere: names of types, of variables and of private members are looked for where they are written.
    Written,
    /// In types that inherit or implement: a member implements another one by its name, which neither the class nor the
    /// interface need to say.
    Inherited,
}

/// Plans a rename: in each view of the same files, which are those of one target framework after another; the first one has
/// what is renamed. In the tuples that start at places of `tuples` the names that elements take from what is renamed are written
/// out.
///
/// # Errors
/// [`EditError::Refused`] for what cannot be renamed, [`EditError::NoChange`], and those of the index.
pub(crate) fn plan_rename(
    views: &[(&Viewpoint<'_>, &Symbols)],
    rename: &Rename<'_>,
    tuples: &BTreeSet<PlaceBefore>,
) -> Result<Planned, EditError> {
    let doing = || format!("rename `{}` to `{}`", rename.symbol, rename.to);
    let token = written(rename.to).map_err(|reason| EditError::Refused {
        doing: doing(),
        reason,
        help: Vec::new(),
    })?;
    let new_name = bare(&token);
    let mut found: Option<Found> = None;
    for (view, symbols) in views {
        let variable = found.as_ref().filter(|it| it.subject.is_none());
        let elsewhere = variable.map(|it| &it.places);
        let here = found_in((view, symbols), rename, elsewhere, &doing);
        match (&mut found, here) {
            (None, here) => found = Some(here?),
            (Some(found), Ok(here)) => {
                found.has_parameters |= here.has_parameters;
                found.reach = found.reach.max(here.reach);
                found.seen_by = found.seen_by.max(here.seen_by);
                found.places.extend(here.places);
                found.parts.extend(here.parts);
                found.seen_in = match (found.seen_in.take(), here.seen_in) {
                    (Some(files), Some(more)) => Some(&files | &more),
                    _ => None,
                };
            }
            // Another framework need not have it.
            (Some(_), Err(EditError::Query(QueryError::SymbolNotFound { .. }))) => {}
            (Some(_), Err(error)) => return Err(error),
        }
    }
    let found = found.expect("there is a view at least");
    let (view, symbols) = views[0];
    if found.old_name == new_name {
        return Err(EditError::NoChange { doing: doing() });
    }
    // Of types and members: without `@` it discards a value in patterns.
    let token = match &found.subject {
        Some(_) if new_name == "_" => "@_".to_owned(),
        _ => token,
    };
    let mut moved = BTreeMap::new();
    if !rename.keep_file {
        for file in &found.named_files {
            let new = renamed_file(file, &found.old_name, &new_name);
            // Where another file is, this one keeps its name: what the other one declares is still there.
            let is_free = find_file(view.index, view.side, &new)?.is_none();
            if is_free || found.named_files.contains(&new) {
                moved.insert(file.clone(), new);
            }
        }
    }
    let names = Names {
        old: &found.old_name,
        new: &new_name,
        token: &token,
        tuples,
        is_of_type: found
            .subject
            .as_ref()
            .is_some_and(|it| it.resolved.member_id.is_none()),
    };
    let uses = found.places.starts();
    let edits_strings = !found.places.in_texts.is_empty()
        || !found.places.accessors.is_empty()
        || rename.also.contains(&ResidueKind::String);
    let WrittenNames {
        mut edits,
        warnings,
    } = found.places.written(view, symbols, &names)?;
    if !rename.also.is_empty() {
        let declaring = edits.keys().cloned().collect();
        let extent = texts_of(found.subject.as_ref(), found.reach, &declaring);
        let texts = MentioningTexts::find(view, &found.old_name, extent)?;
        texts.add_edits(view, (rename.also, &new_name), &mut edits)?;
    }
    let mut plan = Plan::of_edits(view.index, view.side, edits, &moved)?;
    plan.edits_strings = edits_strings;
    Ok(Planned {
        subject: found.subject,
        old_name: found.old_name,
        new_name,
        plan,
        n_family: found.n_family,
        has_parameters: found.has_parameters,
        seen_by: found.seen_by,
        reach: found.reach,
        uses,
        seen_in: found.seen_in,
        parts: found.parts,
        warnings,
    })
}

/// What a rename finds in one view. `elsewhere`: the places of a variable in those before.
fn found_in(
    (view, symbols): (&Viewpoint<'_>, &Symbols),
    rename: &Rename<'_>,
    elsewhere: Option<&NamePlaces>,
    doing: &dyn Fn() -> String,
) -> Result<Found, EditError> {
    match local::find(view, symbols, (rename.symbol, elsewhere))? {
        Some(AtPlace::Local(local)) => return Ok(*local),
        Some(AtPlace::Property(id)) => return global::find(view, symbols, &id, doing),
        None => {}
    }
    let found = global::find(view, symbols, rename.symbol, doing)?;
    match stands_at(view, rename.symbol, &found.places)? {
        true => Ok(found),
        false => Err(EditError::Refused {
            doing: doing(),
            reason: "no name of a symbol is at that place".to_owned(),
            help: vec!["name the symbol, or the place of its name".to_owned()],
        }),
    }
}

/// Whether a place that a request names is one of a name that changes. What is no place with a column is named otherwise.
fn stands_at(view: &Viewpoint<'_>, text: &str, places: &NamePlaces) -> Result<bool, EditError> {
    let Some((path, line, Some(column))) = place_of(text) else {
        return Ok(true);
    };
    let Some(file) = view.snapshot().file(&path)? else {
        return Ok(true);
    };
    let bytes = view.blobs().read_blob(file.blob)?;
    let Some(offset) = offset_at(decode(&bytes).as_bytes(), line, column) else {
        return Ok(true);
    };
    let mut ranges = places.by_file.get(&path).into_iter().flatten();
    Ok(ranges.any(|range| range.start <= offset && offset <= range.end))
}

/// What a rename found.
struct Found {
    subject: Option<Subject>,
    old_name: String,
    places: NamePlaces,
    /// The files that are called like the type.
    named_files: Vec<RepoPath>,
    n_family: usize,
    has_parameters: bool,
    reach: Reach,
    seen_by: SeenBy,
    /// See [`Uses::seen_in`].
    seen_in: Option<BTreeSet<RepoPath>>,
    /// The files with a part of the type, or of the type of the member.
    parts: BTreeSet<RepoPath>,
}

/// Old and new name.
struct Names<'n> {
    old: &'n str,
    new: &'n str,
    /// The new one as code writes it.
    token: &'n str,
    /// The tuples in which names of elements are written out.
    tuples: &'n BTreeSet<PlaceBefore>,
    /// Whether it is that of a type: nothing takes its name from an expression that names a type.
    is_of_type: bool,
}

impl Names<'_> {
    /// What takes the place of a token; `None` where it is not the name.
    fn instead_of(&self, token: &str) -> Option<String> {
        let token = bare(token);
        if token == self.old {
            return Some(self.token.to_owned());
        }
        // An attribute may be named without its ending.
        let short = self.old.strip_suffix("Attribute")?;
        if token != short {
            return None;
        }
        let new = self.new.strip_suffix("Attribute").unwrap_or(self.new);
        written(new).ok()
    }
}

/// Places of a name, in the decoded texts of files.
#[derive(Default)]
struct NamePlaces {
    by_file: BTreeMap<RepoPath, Vec<ByteRange>>,
    /// Those in strings of attributes.
    in_texts: BTreeMap<RepoPath, Vec<ByteRange>>,
    /// What stands for a member by the text of an attribute.
    accessors: BTreeMap<RepoPath, Vec<NamedByAccessor>>,
}

impl NamePlaces {
    fn add(&mut self, path: &RepoPath, range: ByteRange) {
        self.by_file.entry(path.clone()).or_default().push(range);
    }

    fn add_texts(&mut self, path: &RepoPath, ranges: Vec<ByteRange>) {
        if !ranges.is_empty() {
            self.in_texts
                .entry(path.clone())
                .or_default()
                .extend(ranges);
        }
    }

    fn extend(&mut self, other: Self) {
        for (path, ranges) in other.by_file {
            self.by_file.entry(path).or_default().extend(ranges);
        }
        for (path, ranges) in other.in_texts {
            self.in_texts.entry(path).or_default().extend(ranges);
        }
        for (path, accessors) in other.accessors {
            self.accessors.entry(path).or_default().extend(accessors);
        }
    }

    /// Where they start, ascending.
    fn starts(&self) -> BTreeMap<RepoPath, Vec<u32>> {
        let starts = self.by_file.iter().map(|(path, ranges)| {
            let starts: BTreeSet<u32> = ranges.iter().map(|range| range.start).collect();
            (path.clone(), starts.into_iter().collect())
        });
        starts.collect()
    }

    /// Writes another name there. Places that have another text are left as they are: a symbol is used there without
    /// being named.
    fn written(
        self,
        view: &Viewpoint<'_>,
        symbols: &Symbols,
        names: &Names<'_>,
    ) -> Result<WrittenNames, EditError> {
        let mut reader = view.blobs();
        let mut out = WrittenNames::default();
        let mut by_file = self.by_file;
        for path in self.in_texts.keys().chain(self.accessors.keys()) {
            by_file.entry(path.clone()).or_default();
        }
        for (path, ranges) in by_file {
            let Some(file) = view.snapshot().file(&path)? else {
                continue;
            };
            let bytes = reader.read_blob(file.blob)?;
            let source = decode(&bytes);
            let text = source.as_str();
            let mut edits: Vec<TextEdit> = (ranges.into_iter())
                .filter_map(|range| {
                    let token = text.get(range.as_usize())?;
                    let new = names.instead_of(token)?;
                    let new = match is_xml_name(text, range.start) {
                        true => bare(&new),
                        false => new,
                    };
                    (new != token).then_some(TextEdit {
                        range,
                        text: new,
                        start: StartIs::Kept,
                    })
                })
                .collect();
            let inferred = written_out(symbols, &path, text, &edits, names)?;
            edits.extend(inferred.by_expressions);
            for setting in inferred.by_attributes {
                out.warnings.push(EditWarning {
                    file: path.clone(),
                    line: line_of(text, setting.range.start),
                    name: names.old.to_owned(),
                    reason: WarningReason::NamedOutside,
                });
                edits.push(setting);
            }
            let in_texts = self.in_texts.get(&path).into_iter().flatten();
            edits.extend(in_texts.map(|&range| TextEdit {
                range,
                text: names.new.to_owned(),
                start: StartIs::Kept,
            }));
            let accessors = self.accessors.get(&path).into_iter().flatten();
            edits.extend(accessors.map(|it| it.renamed(names.new)));
            let edits = TextEdits::new(edits).expect("tokens do not overlap");
            if !edits.is_empty() {
                out.edits.insert(path, edits);
            }
        }
        Ok(out)
    }
}

/// What a rename writes.
#[derive(Default)]
struct WrittenNames {
    edits: BTreeMap<RepoPath, TextEdits>,
    /// The names that are written out where code outside of C# wants them.
    warnings: Vec<EditWarning>,
}

/// The 1-based line of an offset.
fn line_of(text: &str, offset: u32) -> u32 {
    let before = &text.as_bytes()[..offset as usize];
    before.iter().filter(|&&byte| byte == b'\n').count() as u32 + 1
}

/// Whether a position is the start of the value of `name="…"` in a documentation comment, where a name that is a keyword
/// has no `@`.
fn is_xml_name(text: &str, start: u32) -> bool {
    let before = &text[..start as usize];
    let Some(before) = before.strip_suffix(['"', '\'']) else {
        return false;
    };
    let before = before.trim_end().strip_suffix('=');
    before.is_some_and(|before| before.trim_end().ends_with("name"))
}

/// What writes out the names that are taken from those which others replace.
#[derive(Default)]
struct WrittenOut {
    by_expressions: Vec<TextEdit>,
    by_attributes: BTreeSet<TextEdit>,
}

/// What writes out the names that are taken from those which `edits` replace.
fn written_out(
    symbols: &Symbols,
    path: &RepoPath,
    text: &str,
    edits: &[TextEdit],
    names: &Names<'_>,
) -> Result<WrittenOut, EditError> {
    let tuples = names
        .tuples
        .range((path.clone(), 0)..=(path.clone(), u32::MAX));
    let tuples: BTreeSet<u32> = tuples.map(|&(_, offset)| offset).collect();
    let takes_inferred = !tuples.is_empty() || inferred::may_have_objects(text);
    let takes_outside = outside_names::may_have_some(text);
    let mut out = WrittenOut::default();
    if edits.is_empty() || names.is_of_type || !(takes_inferred || takes_outside) {
        return Ok(out);
    }
    let places: Vec<ByteRange> = edits.iter().map(|edit| edit.range).collect();
    for project in symbols.projects_of(path)? {
        let Some(facts) = symbols.facts(path, project, Sections::Bodies)? else {
            continue;
        };
        if takes_inferred {
            (out.by_expressions).extend(inferred::names(&facts, text, &places, &tuples));
        }
        if takes_outside {
            let named = (names.old, places.as_slice());
            (out.by_attributes).extend(outside_names::written_out(&facts, text, named));
        }
    }
    Ok(out)
}

/// A range of a stored file as one of its decoded text.
pub(crate) fn text_range(offsets: &FileOffsets, range: ByteRange) -> ByteRange {
    ByteRange {
        start: offsets.text_offset(range.start),
        end: offsets.text_offset(range.end),
    }
}

/// The path of a file called like a type: `Order.cs`, `Order.Lines.cs`, ``Order`1.cs``, `Order{T}.cs`.
fn renamed_file(path: &RepoPath, old: &str, new: &str) -> RepoPath {
    let rest = path.file_name().strip_prefix(old).unwrap_or_default();
    let folder = match path.folder() {
        "" => String::new(),
        folder => format!("{}/", folder.trim_end_matches('/')),
    };
    RepoPath::from(format!("{folder}{new}{rest}").as_str())
}

/// Whether a file is called like a type.
fn is_called_like(path: &RepoPath, name: &str) -> bool {
    let rest = path.file_name().strip_prefix(name);
    rest.is_some_and(|rest| rest.starts_with(['.', '`', '{']))
}
