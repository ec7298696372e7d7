//! Which places outside of the repository were looked at. What was found there may be kept: it holds as long
//! as all of them are as they were.

use std::{
    collections::{BTreeMap, btree_map::Entry},
    ffi::OsString,
    fs,
    path::{Path, PathBuf},
    sync::{Mutex, PoisonError},
    time::{Duration, SystemTime, UNIX_EPOCH},
};

use serde::{Deserialize, Serialize};

/// Times of files are this coarse at worst: what changed later than this before it was looked at may change
/// again unseen.
const COARSE: Duration = Duration::from_secs(2);

/// The places that answers come from, each as it was when first looked at. A folder stands for the names in it.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Looks {
    places: Vec<(PathBuf, Option<Stamp>)>,
}

/// What tells a state of a file or folder from others.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
struct Stamp {
    since_1970: Duration,
    n_bytes: u64,
}

impl Looks {
    /// Whether every place is as it was. Costs a look at the times of each, and reads nothing.
    pub fn still_hold(&self) -> bool {
        let mut places = self.places.iter();
        places.all(|(path, before)| stamp(path) == *before)
    }

    /// Whether a change could be missed, as a place changed just before this.
    pub fn are_too_fresh(&self) -> bool {
        let now = SystemTime::now().duration_since(UNIX_EPOCH);
        let limit = now.unwrap_or_default().saturating_sub(COARSE);
        let mut stamps = self.places.iter().filter_map(|(_, stamp)| *stamp);
        stamps.any(|stamp| stamp.since_1970 >= limit)
    }
}

/// Notes looks.
#[derive(Default)]
pub(crate) struct Watcher {
    // By text: paths are compared part by part.
    seen: Mutex<BTreeMap<OsString, Option<Stamp>>>,
}

impl Watcher {
    /// To be called before a place is looked at: a change after this is seen. Tells whether something is there.
    pub(crate) fn note(&self, path: &Path) -> bool {
        let mut seen = self.seen.lock().unwrap_or_else(PoisonError::into_inner);
        let known = match seen.entry(path.as_os_str().to_owned()) {
            Entry::Occupied(known) => *known.get(),
            Entry::Vacant(place) => *place.insert(stamp(path)),
        };
        known.is_some()
    }

    pub(crate) fn looks(&self) -> Looks {
        let seen = self.seen.lock().unwrap_or_else(PoisonError::into_inner);
        let places = seen.iter();
        Looks {
            places: places
                .map(|(path, it)| (PathBuf::from(path), *it))
                .collect(),
        }
    }
}

fn stamp(path: &Path) -> Option<Stamp> {
    let metadata = fs::metadata(path).ok()?;
    let modified = metadata.modified().ok()?;
    Some(Stamp {
        since_1970: modified.duration_since(UNIX_EPOCH).unwrap_or_default(),
        n_bytes: metadata.len(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_appears_vanishes_or_changes_is_seen() {
        let folder = tempfile::tempdir().expect("a folder");
        let at = |name: &str| folder.path().join(name);
        fs::write(at("file"), "1").expect("a file");
        fs::create_dir(at("folder")).expect("a folder");
        let of = |name: &str| {
            let watcher = Watcher::default();
            watcher.note(&at(name));
            watcher.looks()
        };
        let (file, inside, absent) = (of("file"), of("folder"), of("absent"));
        assert!(file.still_hold() && inside.still_hold() && absent.still_hold());
        assert!(file.are_too_fresh() && !absent.are_too_fresh());
        fs::write(at("file"), "22").expect("a file");
        let old = SystemTime::now() - Duration::from_secs(60);
        let opened = fs::File::open(at("folder")).expect("a folder");
        opened.set_modified(old).expect("settable");
        fs::write(at("absent"), "").expect("a file");
        assert!(!file.still_hold() && !inside.still_hold() && !absent.still_hold());
    }
}
