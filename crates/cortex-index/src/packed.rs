//! Bytes that an update needs again later, kept out of its memory: compressed, and in a temporary file once they
//! are many. A cold index has tens of megabytes of each kind at once.
//!
//! Must not know: what the bytes are.

use std::{
    fs::File,
    io::{self, Read, Seek, SeekFrom, Write},
    path::{Path, PathBuf},
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use zstd::bulk::{Compressor, Decompressor};

use crate::IndexError;

/// Bytes as an update keeps them.
#[derive(Clone, Debug)]
pub(crate) enum Packed {
    /// As they are.
    Plain(Vec<u8>),
    /// Put away.
    Spilled(Spilled),
}

/// Where bytes were put away.
#[derive(Clone, Debug)]
pub(crate) struct Spilled {
    spill: Arc<Spill>,
    at: u64,
    /// How many bytes are there; compressed by zstd where they are fewer than `whole`.
    len: u32,
    whole: u32,
}

impl Packed {
    /// The bytes; none where they cannot be read back, which [`Spill::take_failure`] tells.
    pub(crate) fn into_bytes(self) -> Vec<u8> {
        match self {
            Self::Plain(bytes) => bytes,
            Self::Spilled(spilled) => spilled.bytes(),
        }
    }

    /// The same, without giving them up.
    pub(crate) fn bytes(&self) -> std::borrow::Cow<'_, [u8]> {
        match self {
            Self::Plain(bytes) => bytes.into(),
            Self::Spilled(spilled) => spilled.bytes().into(),
        }
    }
}

impl Spilled {
    fn bytes(&self) -> Vec<u8> {
        self.spill.get(self).unwrap_or_else(|error| {
            lock(&self.spill.failure).get_or_insert(error);
            Vec::new()
        })
    }
}

/// Where bytes are put away: in memory while they are few, then in a file that vanishes with this value, or
/// with the process.
#[derive(Debug)]
pub(crate) struct Spill {
    folder: PathBuf,
    /// Bytes kept in memory before the file is written to.
    buffer: usize,
    content: Mutex<Content>,
    // Those not in use: each takes a megabyte, and there are as many as threads.
    engines: Mutex<Vec<Engines>>,
    failure: Mutex<Option<io::Error>>,
}

#[derive(Default, Debug)]
struct Content {
    file: Option<File>,
    /// How many bytes are in the file.
    n_written: u64,
    /// What comes behind them.
    tail: Vec<u8>,
    /// The file could not be written: all else stays in memory.
    is_refused: bool,
}

struct Engines {
    compressor: Compressor<'static>,
    decompressor: Decompressor<'static>,
}

impl Spill {
    /// Puts away into a file of a folder. The file is made when it is needed.
    pub(crate) fn new(folder: &Path) -> Arc<Self> {
        Self::with_buffer(folder, 1 << 20)
    }

    fn with_buffer(folder: &Path, buffer: usize) -> Arc<Self> {
        Arc::new(Self {
            folder: folder.to_owned(),
            buffer,
            content: Mutex::default(),
            engines: Mutex::default(),
            failure: Mutex::default(),
        })
    }

    /// Puts bytes away; so few that their place would take as much are kept.
    pub(crate) fn put(self: &Arc<Self>, bytes: Vec<u8>) -> Packed {
        const WORTH: usize = 48;
        let Ok(whole) = u32::try_from(bytes.len()) else {
            return Packed::Plain(bytes);
        };
        if bytes.len() < WORTH {
            return Packed::Plain(bytes);
        }
        let compressed = self.with_engines(|engines| engines.compressor.compress(&bytes));
        let stored = match &compressed {
            Ok(compressed) if compressed.len() < bytes.len() => compressed,
            _ => &bytes,
        };
        let mut content = lock(&self.content);
        let at = content.n_written + content.tail.len() as u64;
        content.tail.extend_from_slice(stored);
        if content.tail.len() >= self.buffer && !content.is_refused {
            content.is_refused = content.write_tail(&self.folder).is_err();
        }
        Packed::Spilled(Spilled {
            spill: self.clone(),
            at,
            len: stored.len() as u32,
            whole,
        })
    }

    /// The first failure to read something back, which readers themselves cannot return.
    pub(crate) fn take_failure(&self) -> Result<(), IndexError> {
        match lock(&self.failure).take() {
            Some(error) => Err(IndexError::Spill(error)),
            None => Ok(()),
        }
    }

    fn get(&self, spilled: &Spilled) -> io::Result<Vec<u8>> {
        let stored = lock(&self.content).read(spilled.at, spilled.len as usize)?;
        if spilled.len == spilled.whole {
            return Ok(stored);
        }
        let whole = spilled.whole as usize;
        self.with_engines(|engines| engines.decompressor.decompress(&stored, whole))
    }

    fn with_engines<T>(&self, work: impl FnOnce(&mut Engines) -> io::Result<T>) -> io::Result<T> {
        let idle = lock(&self.engines).pop();
        let mut engines = match idle {
            Some(engines) => engines,
            None => Engines {
                compressor: Compressor::new(1)?,
                decompressor: Decompressor::new()?,
            },
        };
        let done = work(&mut engines);
        lock(&self.engines).push(engines);
        done
    }
}

impl Content {
    fn write_tail(&mut self, folder: &Path) -> io::Result<()> {
        let file = match &mut self.file {
            Some(file) => file,
            none => none.insert(tempfile::tempfile_in(folder)?),
        };
        file.seek(SeekFrom::Start(self.n_written))?;
        file.write_all(&self.tail)?;
        self.n_written += self.tail.len() as u64;
        self.tail.clear();
        Ok(())
    }

    fn read(&mut self, at: u64, len: usize) -> io::Result<Vec<u8>> {
        if let Some(start) = at.checked_sub(self.n_written) {
            let stored = self.tail.get(start as usize..).and_then(|it| it.get(..len));
            return stored
                .map(<[u8]>::to_vec)
                .ok_or(io::ErrorKind::UnexpectedEof.into());
        }
        let mut stored = vec![0; len];
        let file = self
            .file
            .as_mut()
            .ok_or(io::Error::from(io::ErrorKind::NotFound))?;
        file.seek(SeekFrom::Start(at))?;
        file.read_exact(&mut stored)?;
        Ok(stored)
    }
}

impl std::fmt::Debug for Engines {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Engines")
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::{Packed, Spill};

    fn samples() -> Vec<Vec<u8>> {
        let sample = |length: usize| {
            let alike = (0..length).map(|i| (i / 7) as u8);
            let noise =
                (0..length as u64).map(|i| (i.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 56) as u8);
            [alike.collect(), noise.collect()]
        };
        [0, 1, 47, 48, 255, 256, 5_000, 70_000]
            .into_iter()
            .flat_map(sample)
            .collect()
    }

    #[track_caller]
    fn check_round_trips(spill: &std::sync::Arc<Spill>) {
        let packed: Vec<Packed> = samples().into_iter().map(|it| spill.put(it)).collect();
        for (packed, bytes) in packed.into_iter().zip(samples()).rev() {
            assert_eq!(*packed.bytes(), bytes);
            assert_eq!(packed.into_bytes(), bytes);
        }
        spill.take_failure().expect("everything was read back");
    }

    #[test]
    fn what_was_put_away_comes_back_from_memory_and_from_the_file() {
        let folder = tempfile::tempdir().expect("a folder");
        for buffer in [1, 1_000, 1 << 30] {
            check_round_trips(&Spill::with_buffer(folder.path(), buffer));
        }
    }

    #[test]
    fn what_cannot_be_written_stays_in_memory() {
        let folder = tempfile::tempdir().expect("a folder");
        let absent = folder.path().join("absent");
        check_round_trips(&Spill::with_buffer(&absent, 1));
    }

    #[test]
    fn the_file_has_no_name_that_could_be_left_behind() {
        let folder = tempfile::tempdir().expect("a folder");
        let spill = Spill::with_buffer(folder.path(), 1);
        let packed = spill.put(vec![1; 1_000]);
        assert!(spill.content.lock().expect("no panic").file.is_some());
        drop((spill, packed));
        assert_eq!(folder.path().read_dir().expect("a folder").count(), 0);
    }

    #[test]
    fn a_failed_read_is_told() {
        let folder = tempfile::tempdir().expect("a folder");
        let spill = Spill::with_buffer(folder.path(), 1);
        let packed = spill.put(vec![1; 1_000]);
        let file = spill.content.lock().expect("no panic").file.take();
        file.expect("written").set_len(0).expect("a file");
        assert_eq!(packed.into_bytes(), Vec::<u8>::new());
        assert!(spill.take_failure().is_err());
        assert!(spill.take_failure().is_ok());
    }
}
