//! The worker's side: reads texts, answers facts, ends itself when a text costs too much.

use std::{
    io::{self, Read, Write},
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
        mpsc,
    },
    thread,
    time::{Duration, Instant},
};

use cortex_syntax::{Extractor, ParseOptions, encode_facts};

use crate::{Limits, frame};

/// The exit status of a worker whose text took too long.
pub(crate) const EXIT_TIME: i32 = 75;

/// Jobs that may wait inside a worker. The pool never has more outstanding, so that neither side
/// blocks on a full pipe while the other does.
pub(crate) const WINDOW: usize = 2;

/// Serves jobs until `input` ends. Call it first thing in a process of its own: it limits the
/// memory of the whole process.
///
/// # Errors
/// When a stream breaks or carries something else than the pool's frames.
pub fn serve(mut input: impl Read + Send + 'static, mut output: impl Write) -> io::Result<()> {
    let garbled = || io::Error::new(io::ErrorKind::InvalidData, "not a frame of the parser pool");
    let limits = frame::read(&mut input)?.and_then(|bytes| frame::limits_from_bytes(&bytes)).ok_or_else(garbled)?;
    let sets = frame::read(&mut input)?.and_then(|bytes| frame::options_from_bytes(&bytes)).ok_or_else(garbled)?;
    limit_memory(limits.memory_bytes);
    let watchdog = Watchdog::start();
    let (sender, jobs) = mpsc::sync_channel::<Vec<u8>>(WINDOW);
    thread::spawn(move || {
        while let Ok(Some(job)) = frame::read(&mut input) {
            if sender.send(job).is_err() {
                break;
            }
        }
    });
    frame::write(&mut output, &[])?;
    let mut extractor = Extractor::default();
    for job in jobs {
        let (set, text) = job.split_first_chunk::<4>().ok_or_else(garbled)?;
        let options = sets.get(u32::from_le_bytes(*set) as usize).ok_or_else(garbled)?;
        watchdog.begin(allowance(&limits, text.len()));
        let answer = encode(&mut extractor, text, options);
        watchdog.end();
        frame::write(&mut output, &answer)?;
    }
    Ok(())
}

/// Facts of one text as the pool's callers store them.
pub(crate) fn encode(extractor: &mut Extractor, text: &[u8], options: &ParseOptions) -> Vec<u8> {
    encode_facts(&extractor.facts(text, options))
}

/// Milliseconds for a text: a parser reads more than 1 MB/s on anything but hostile text.
fn allowance(limits: &Limits, bytes: usize) -> Duration {
    Duration::from_millis(limits.milliseconds + limits.milliseconds / 4 * (bytes >> 20) as u64)
}

#[cfg(unix)]
fn limit_memory(bytes: u64) {
    use rustix::process::{Resource, Rlimit, setrlimit};
    // Where the limit cannot be set, the watchdog still bounds time.
    let limit = Rlimit { current: Some(bytes), maximum: Some(bytes) };
    let _ = setrlimit(Resource::Data, limit);
    let _ = setrlimit(Resource::Core, Rlimit { current: Some(0), maximum: Some(0) });
}

#[cfg(not(unix))]
fn limit_memory(_bytes: u64) {}

/// Ends the process when a text takes too long: nothing else stops a parser inside C code.
struct Watchdog {
    start: Instant,
    // Milliseconds after `start`; 0 while no text is being parsed.
    deadline: Arc<AtomicU64>,
}

impl Watchdog {
    fn start() -> Self {
        let start = Instant::now();
        let deadline = Arc::new(AtomicU64::new(0));
        let watched = deadline.clone();
        thread::spawn(move || loop {
            thread::sleep(Duration::from_millis(100));
            let deadline = watched.load(Ordering::Acquire);
            if deadline != 0 && start.elapsed().as_millis() as u64 > deadline {
                std::process::exit(EXIT_TIME);
            }
        });
        Self { start, deadline }
    }

    fn begin(&self, allowance: Duration) {
        let deadline = (self.start.elapsed() + allowance).as_millis() as u64;
        self.deadline.store(deadline.max(1), Ordering::Release);
    }

    fn end(&self) {
        self.deadline.store(0, Ordering::Release);
    }
}
