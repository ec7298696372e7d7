//! What is made of snapshots and kept beside them: in memory while a process lives, in the store from process to
//! process.
//!
//! Owns: where each value is kept, which goes when another comes, and from which an older one is brought up to date.
//! Must not know: what is made, its form.
//!
//! Each kind of value has some slots in the store, so that a few branches and work trees have theirs side by side. A
//! directory tells of which snapshot each slot is; a slot tells it as well, as two processes may write at a time.

use std::{any::Any, borrow::Cow, sync::Arc};

use cortex_index::{Differing, Form, Origin, Snapshot};
use serde::{Deserialize, Serialize};

use crate::{DerivedError, limits::Limits, source::Source};

/// Where something is read from: a snapshot at least.
pub trait Reads: Copy {
    /// The graph.
    fn snapshot(&self) -> &Snapshot;
}

impl Reads for &Snapshot {
    fn snapshot(&self) -> &Snapshot {
        self
    }
}

impl Reads for Source<'_> {
    fn snapshot(&self) -> &Snapshot {
        &self.side.snapshot
    }
}

/// A snapshot that is read within a time.
#[derive(Clone, Copy)]
pub struct Timed<'a> {
    /// The graph.
    pub snapshot: &'a Snapshot,
    /// How long it may take.
    pub limits: Limits,
}

impl Reads for Timed<'_> {
    fn snapshot(&self) -> &Snapshot {
        self.snapshot
    }
}

/// Something that is made of a whole snapshot.
pub trait Derived: Sized {
    /// Under this name it is kept.
    const NAME: &'static str;
    /// The version of its form and of what it says.
    const VERSION: u32;
    /// Of how many snapshots it is kept.
    const N_SLOTS: u8 = 4;
    /// What it is read from.
    type Source<'a>: Reads;

    /// Reads all of a snapshot.
    fn read(source: Self::Source<'_>) -> Result<Self, DerivedError>;

    /// Brings what was kept of another snapshot to this one: the same as reading all of it. `None` where that has to
    /// be done.
    fn update(
        kept: &Parts<'_>,
        source: Self::Source<'_>,
        differing: &Differing,
    ) -> Result<Option<Self>, DerivedError>;

    /// As it is kept: parts that can be read one by one.
    fn parts(&self) -> Vec<Part<'_>>;
}

/// What a question reads of something that is kept: all of it, or some of its parts.
pub trait View<T: Derived>: Any + Send + Sync + Sized {
    /// Under this name it is in memory.
    const NAME: &'static str;

    /// Reads it off what is kept; `None` where that is damaged.
    fn open(parts: &Parts<'_>) -> Option<Self>;

    /// Takes it from the whole.
    fn of(all: T) -> Self;

    /// How much memory it takes, about.
    fn n_bytes(&self) -> usize;
}

/// A part of a value.
pub struct Part<'v> {
    /// Its name.
    pub name: &'static str,
    /// What is kept.
    pub bytes: Cow<'v, [u8]>,
    /// How it is kept.
    pub form: Form,
}

impl<'v> Part<'v> {
    /// Bytes that are compressed as a whole.
    pub fn packed(name: &'static str, bytes: impl Into<Cow<'v, [u8]>>) -> Self {
        Self {
            name,
            bytes: bytes.into(),
            form: Form::Packed,
        }
    }

    /// Bytes that are kept as they are.
    pub fn in_place(name: &'static str, bytes: impl Into<Cow<'v, [u8]>>) -> Self {
        Self {
            name,
            bytes: bytes.into(),
            form: Form::InPlace,
        }
    }
}

/// The name of the only part.
pub const WHOLE: &str = "all";

/// The parts of a value as the store has them.
pub struct Parts<'s> {
    snapshot: &'s Snapshot,
    kind: &'static str,
    slot: u8,
    origin: Origin,
}

impl Parts<'_> {
    /// A part; `None` where it is lost or of another snapshot by now.
    pub fn get(&self, part: &str) -> Option<Vec<u8>> {
        let name = part_name(self.kind, self.slot, part);
        let (origin, bytes) = self.snapshot.kept(&name)?;
        (origin == self.origin).then_some(bytes)
    }
}

fn part_name(kind: &str, slot: u8, part: &str) -> String {
    format!("{kind}/{slot}/{part}")
}

/// Which slot is of which snapshot, the last written one first.
#[derive(Serialize, Deserialize, Default)]
struct Directory {
    version: u32,
    slots: Vec<(u8, Origin)>,
}

impl Directory {
    fn read<T: Derived>(snapshot: &Snapshot) -> Self {
        let kept = snapshot.kept(&directory_name(T::NAME));
        let known = kept.and_then(|(_, bytes)| serde_json::from_slice::<Self>(&bytes).ok());
        known.filter(|it| it.version == T::VERSION).unwrap_or(Self {
            version: T::VERSION,
            slots: Vec::new(),
        })
    }

    /// Gives a slot to a snapshot: its own, a free one, or the one that was written longest ago.
    fn assign(&mut self, origin: Origin, n_slots: u8) -> u8 {
        let own = (self.slots.iter()).find(|(_, known)| *known == origin);
        let own = own.map(|(slot, _)| *slot);
        let free = || (0..n_slots).find(|slot| self.slots.iter().all(|(it, _)| it != slot));
        let oldest = || self.slots.last().map(|(slot, _)| *slot);
        let slot = own.or_else(free).or_else(oldest).unwrap_or_default();
        self.slots.retain(|(it, _)| *it != slot);
        self.slots.insert(0, (slot, origin));
        slot
    }
}

fn directory_name(kind: &str) -> String {
    format!("{kind}/slots")
}

/// What is kept of a snapshot, or is made of it now. O(what is read of it) where it is kept; else O(what differs from
/// what is kept of another snapshot), or O(snapshot).
///
/// # Errors
/// Those of reading the snapshot.
pub fn get<T: Derived, V: View<T>>(source: T::Source<'_>) -> Result<Arc<V>, DerivedError> {
    let snapshot = source.snapshot();
    if let Some(found) = find::<T, V>(snapshot) {
        return Ok(found);
    }
    let found = V::of(make::<T>(source)?);
    Ok(remember(snapshot, snapshot.origin(), found))
}

/// What is kept of a snapshot, if it is.
pub fn find<T: Derived, V: View<T>>(snapshot: &Snapshot) -> Option<Arc<V>> {
    let origin = snapshot.origin();
    known::<T, V>(snapshot, origin).or_else(|| {
        let found = V::open(&parts::<T>(snapshot)?)?;
        Some(remember(snapshot, origin, found))
    })
}

/// What is kept of a snapshot or of another one, with what differs between them: for those who bring what they read of
/// it to the snapshot by themselves. O(what is read of it + what differs).
///
/// # Errors
/// Those of reading the snapshot.
pub fn nearest<T: Derived, V: View<T>>(
    snapshot: &Snapshot,
) -> Result<Option<(Arc<V>, Differing)>, DerivedError> {
    if let Some(found) = find::<T, V>(snapshot) {
        return Ok(Some((found, Differing::default())));
    }
    for &(slot, origin) in &Directory::read::<T>(snapshot).slots {
        let Some(differing) = snapshot.since(&origin)? else {
            continue;
        };
        let open = || {
            let kept = Parts {
                snapshot,
                kind: T::NAME,
                slot,
                origin,
            };
            Some(remember(snapshot, origin, V::open(&kept)?))
        };
        if let Some(found) = known::<T, V>(snapshot, origin).or_else(open) {
            return Ok(Some((found, differing)));
        }
    }
    Ok(None)
}

/// What is in memory of a snapshot.
fn known<T: Derived, V: View<T>>(snapshot: &Snapshot, origin: Origin) -> Option<Arc<V>> {
    snapshot.memory().get::<V>(V::NAME, &origin.to_bytes())
}

/// The parts that are kept of a snapshot, for those who read a little of one.
pub fn parts<T: Derived>(snapshot: &Snapshot) -> Option<Parts<'_>> {
    let origin = snapshot.origin();
    let slots = Directory::read::<T>(snapshot).slots;
    let (slot, _) = slots.into_iter().find(|(_, known)| *known == origin)?;
    Some(Parts {
        snapshot,
        kind: T::NAME,
        slot,
        origin,
    })
}

/// `origin`: of what it is, be it another snapshot.
fn remember<T: Derived, V: View<T>>(snapshot: &Snapshot, origin: Origin, found: V) -> Arc<V> {
    let (key, n_bytes) = (origin.to_bytes(), found.n_bytes());
    let found = Arc::new(found);
    (snapshot.memory()).put(V::NAME, &key, Arc::clone(&found), n_bytes);
    found
}

/// Makes it and keeps it in the store.
fn make<T: Derived>(source: T::Source<'_>) -> Result<T, DerivedError> {
    let snapshot = source.snapshot();
    let mut directory = Directory::read::<T>(snapshot);
    let made = match updated::<T>(source, &directory)? {
        Some(made) => made,
        None => T::read(source)?,
    };
    let slot = directory.assign(snapshot.origin(), T::N_SLOTS);
    let parts: Vec<(String, Part<'_>)> = (made.parts().into_iter())
        .map(|part| (part_name(T::NAME, slot, part.name), part))
        .collect();
    let name = directory_name(T::NAME);
    if let Ok(directory) = serde_json::to_vec(&directory) {
        let mut values: Vec<(&str, &[u8], Form)> = (parts.iter())
            .map(|(name, part)| (name.as_str(), &*part.bytes, part.form))
            .collect();
        values.push((&name, &directory, Form::InPlace));
        snapshot.keep_as(&values);
    }
    Ok(made)
}

fn updated<T: Derived>(
    source: T::Source<'_>,
    directory: &Directory,
) -> Result<Option<T>, DerivedError> {
    let snapshot = source.snapshot();
    for &(slot, origin) in &directory.slots {
        let Some(differing) = snapshot.since(&origin)? else {
            continue;
        };
        let kept = Parts {
            snapshot,
            kind: T::NAME,
            slot,
            origin,
        };
        if let Some(made) = T::update(&kept, source, &differing)? {
            return Ok(Some(made));
        }
    }
    Ok(None)
}
