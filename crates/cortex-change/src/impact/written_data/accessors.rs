//! Members that read a value of their own type, and who uses them: these read the value as well.
//!
//! Must not know: who writes the value.

use std::collections::{BTreeMap, BTreeSet};

use cortex_derived::doc_ids::DocIds;
use cortex_look::QueryError;
use cortex_wire::{CodePlace, DataChange, ReadThrough, Role};
use rustc_hash::FxHashSet;

use super::Candidate;
use crate::{
    diff_context::{blobs::Reader, compared::Compared},
    impact::{
        file_lines::FileLines,
        next::Member,
        uses::{Found, Places, Want, Wanted, find},
    },
};

/// A value that more members of its type read is what the type is about.
const MAX_ACCESSORS: usize = 2;

/// What more places use says little of one value.
const MAX_PLACES: usize = 24;

/// The members that read a value of their own type which is given another value or none, or newly one; none where they are
/// many. `uses`: of the value, in unchanged code.
pub(super) fn of<'f>(
    candidate: &Candidate,
    uses: impl Iterator<Item = &'f Found>,
) -> BTreeSet<Member> {
    let is_data = matches!(
        candidate.change,
        DataChange::AnotherValue | DataChange::Written | DataChange::NoLongerWritten
    );
    let readers = uses.filter(|it| is_data && it.role == Role::Read);
    let own = readers.filter_map(|it| {
        let (key, tag) = it.inside?;
        Some((key, tag?)).filter(|it| it.0 == candidate.what.0 && *it != candidate.what)
    });
    let own: BTreeSet<Member> = own.collect();
    match own.len() <= MAX_ACCESSORS {
        true => own,
        false => BTreeSet::new(),
    }
}

/// Who uses such members.
pub(super) struct Users {
    places: Places,
    /// The uses of each, by place among all.
    of: BTreeMap<Member, Vec<usize>>,
}

/// The uses of some members in other types of the product. `changed`: members that are told anyway. Reads the bindings of the
/// files that name one.
pub(super) fn users(
    compared: &Compared,
    accessors: &[BTreeSet<Member>],
    changed: &FxHashSet<Member>,
) -> Result<Users, QueryError> {
    let all: BTreeSet<Member> = accessors.iter().flatten().copied().collect();
    let all: Vec<Member> = all.into_iter().filter(|it| !changed.contains(it)).collect();
    let mut wanted = Wanted::new();
    for (nth, (key, tag)) in all.iter().enumerate() {
        let wants = wanted.entry(*key).or_default();
        wants.push(Want::of(Some(*tag), nth));
    }
    let places = match wanted.is_empty() {
        true => Places::default(),
        false => find(&compared.new, &wanted)?,
    };
    let mut of: BTreeMap<Member, Vec<usize>> = BTreeMap::new();
    for (at, found) in places.found.iter().enumerate() {
        let file = &places.files[found.file as usize];
        let project = &file.projects[usize::from(found.project)];
        let accessor = all[found.want.symbol];
        let is_own = found.inside.is_none_or(|(key, _)| key == accessor.0);
        let is_use = matches!(found.role, Role::Read | Role::Call);
        if is_use && !is_own && !compared.is_of_tests(project) {
            of.entry(accessor).or_default().push(at);
        }
    }
    of.retain(|_, uses| uses.len() <= MAX_PLACES);
    Ok(Users { places, of })
}

impl Users {
    /// Those of some members, as they are told.
    pub(super) fn tell(
        &mut self,
        accessors: &BTreeSet<Member>,
        (ids, lines): (&mut DocIds<'_>, &mut FileLines),
        reader: &mut Reader<'_>,
    ) -> Result<Vec<ReadThrough>, QueryError> {
        let mut out = Vec::new();
        for accessor in accessors {
            let uses = self.of.get(accessor).into_iter().flatten();
            let mut places: BTreeSet<CodePlace> = BTreeSet::new();
            for &at in uses {
                let found = &self.places.found[at];
                places.insert(lines.place(reader, ids, &self.places, found)?);
            }
            let id = ids.of(accessor.0, Some(accessor.1))?;
            if let Some(doc_id) = id.filter(|_| !places.is_empty()) {
                let places = places.into_iter().collect();
                out.push(ReadThrough { doc_id, places });
            }
        }
        out.sort();
        Ok(out)
    }
}
