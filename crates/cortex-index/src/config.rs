//! What a snapshot depends on besides the commit.

use cortex_bind::BIND_VERSION;
use cortex_model::{Hash, Hasher};
use cortex_sandbox::Limits;
use cortex_syntax::FACTS_VERSION;

/// Options that change results; their digest is part of every snapshot's key.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct IndexOptions {
    /// The target framework to look at where a project has several; the newest where `None`.
    pub tfm: Option<String>,
    /// What one file may cost.
    pub limits: Limits,
}

/// The version of the maps of a snapshot and of their values.
const MAPS_VERSION: u64 = 25;

impl IndexOptions {
    /// Identifies the program parts that make snapshots: those of other versions are never asked for again.
    pub(crate) fn versions() -> u64 {
        let versions = [MAPS_VERSION, FACTS_VERSION.into(), BIND_VERSION.into()];
        versions
            .into_iter()
            .fold(0, |all, version| all << 20 | version)
    }

    /// Identifies everything but the commit that decides a snapshot, where the machine is left out: what it
    /// lacks is kept with the snapshot.
    pub(crate) fn digest(&self) -> Hash {
        let mut hasher = Hasher::new("index-options-v1");
        hasher
            .number(MAPS_VERSION)
            .number(u64::from(FACTS_VERSION))
            .number(u64::from(BIND_VERSION));
        hasher.field(self.tfm.as_deref().unwrap_or_default().as_bytes());
        hasher.number(self.limits.file_bytes);
        hasher.finish()
    }
}
