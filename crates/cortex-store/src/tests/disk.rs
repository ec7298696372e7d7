//! A disk that fails when it is told to, behind redb's storage interface.

use std::fs;
use std::io;
use std::path::Path;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use redb::{Database, DatabaseError, ReadOnlyDatabase, StorageBackend};

use crate::link::Medium;

/// What happens, and at which operation.
#[derive(Debug, Clone, Copy)]
pub(super) enum Fault {
    None,
    /// The operation fails, all others succeed.
    Fail {
        at: usize,
    },
    /// The power goes: of what was not synced, some writes arrive, one of them in part.
    PowerLoss {
        at: usize,
        seed: u64,
    },
    /// Writes past this size find no space.
    Full {
        bytes: usize,
    },
}

#[derive(Debug)]
enum Pending {
    Write(usize, Vec<u8>),
    Resize(usize),
}

impl Pending {
    fn apply(&self, image: &mut Vec<u8>) {
        match self {
            Self::Resize(len) => image.resize(*len, 0),
            Self::Write(offset, bytes) => {
                if image.len() < offset + bytes.len() {
                    image.resize(offset + bytes.len(), 0);
                }
                image[*offset..offset + bytes.len()].copy_from_slice(bytes);
            }
        }
    }
}

/// What the process sees, and what is on the platters.
#[derive(Debug, Default)]
pub(super) struct DiskState {
    seen: Vec<u8>,
    durable: Vec<u8>,
    pending: Vec<Pending>,
    n_operations: usize,
    fault: Option<Fault>,
    is_off: bool,
}

/// One file on such a disk. Databases of other names are out of its scope.
#[derive(Debug, Clone, Default)]
pub(super) struct Disk(Arc<Mutex<DiskState>>);

impl Disk {
    fn state(&self) -> MutexGuard<'_, DiskState> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn set(&self, fault: Fault) {
        let mut state = self.state();
        state.n_operations = 0;
        state.fault = Some(fault);
    }

    /// How many operations there were since the fault was set.
    pub(super) fn n_operations(&self) -> usize {
        self.state().n_operations
    }

    /// Puts what survived into a real file.
    pub(super) fn save(&self, path: &Path) {
        fs::write(path, &self.state().durable).expect("writable");
    }

    fn operate(&self, operation: Pending) -> io::Result<()> {
        let mut state = self.step()?;
        if let (Some(Fault::Full { bytes }), Pending::Write(offset, data)) =
            (state.fault, &operation)
            && offset + data.len() > bytes
        {
            return Err(io::ErrorKind::StorageFull.into());
        }
        operation.apply(&mut state.seen);
        state.pending.push(operation);
        Ok(())
    }

    fn step(&self) -> io::Result<MutexGuard<'_, DiskState>> {
        let mut state = self.state();
        if state.is_off {
            return Err(io::Error::other("the power is off"));
        }
        let number = state.n_operations;
        state.n_operations += 1;
        match state.fault {
            Some(Fault::Fail { at }) if at == number => Err(io::Error::other("injected")),
            Some(Fault::PowerLoss { at, seed }) if at == number => {
                state.lose_power(seed);
                Err(io::Error::other("the power goes"))
            }
            _ => Ok(state),
        }
    }
}

impl DiskState {
    fn lose_power(&mut self, seed: u64) {
        let mut random = fastrand::Rng::with_seed(seed);
        self.is_off = true;
        for operation in std::mem::take(&mut self.pending) {
            match (random.usize(..4), operation) {
                (0, _) => {}
                (1, Pending::Write(offset, bytes)) => {
                    // Sectors are whole.
                    let sectors = random.usize(..bytes.len() / 512 + 1);
                    let torn = bytes[..sectors * 512].to_vec();
                    Pending::Write(offset, torn).apply(&mut self.durable);
                }
                (_, operation) => operation.apply(&mut self.durable),
            }
        }
    }
}

impl StorageBackend for Disk {
    fn len(&self) -> io::Result<u64> {
        Ok(self.state().seen.len() as u64)
    }

    fn read(&self, offset: u64, out: &mut [u8]) -> io::Result<()> {
        let state = self.state();
        let start = offset as usize;
        let found = state.seen.get(start..start + out.len());
        out.copy_from_slice(found.ok_or(io::ErrorKind::UnexpectedEof)?);
        Ok(())
    }

    fn set_len(&self, len: u64) -> io::Result<()> {
        self.operate(Pending::Resize(len as usize))
    }

    fn sync_data(&self) -> io::Result<()> {
        let mut state = self.step()?;
        let state = &mut *state;
        for operation in state.pending.drain(..) {
            operation.apply(&mut state.durable);
        }
        Ok(())
    }

    fn write(&self, offset: u64, data: &[u8]) -> io::Result<()> {
        self.operate(Pending::Write(offset as usize, data.to_vec()))
    }
}

impl Medium for Disk {
    fn open_write(&self, path: &Path, cache_bytes: usize) -> Result<Database, DatabaseError> {
        // A file of that name stands for the content of the disk, so that it can be moved aside.
        if !path.exists() {
            fs::write(path, "x")?;
            let mut state = self.state();
            state.seen.clear();
            state.durable.clear();
            state.pending.clear();
        }
        Database::builder()
            .set_cache_size(cache_bytes)
            .create_with_backend(self.clone())
    }

    fn open_read(&self, _: &Path, _: usize) -> Result<ReadOnlyDatabase, DatabaseError> {
        // As after a crash: the store goes on with a writer.
        Err(DatabaseError::RepairAborted)
    }
}
