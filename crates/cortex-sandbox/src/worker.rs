//! The worker's side: reads texts, answers facts, ends itself when a text costs too much.

use std::{
    io::{self, Read, Write},
    sync::{
        Arc,
        atomic::{AtomicBool, AtomicU64, Ordering},
        mpsc,
    },
    thread,
    time::{Duration, Instant},
};

use cortex_syntax::{Extractor, ParseOptions, encode_facts};

use crate::{Limits, Outcome, SkipReason, frame};

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
    let limits = frame::read(&mut input)?
        .and_then(|bytes| frame::limits_from_bytes(&bytes))
        .ok_or_else(garbled)?;
    let sets = frame::read(&mut input)?
        .and_then(|bytes| frame::options_from_bytes(&bytes))
        .ok_or_else(garbled)?;
    limit_memory(limits.memory_bytes);
    let watchdog = Watchdog::start();
    let (sender, jobs) = mpsc::sync_channel::<Vec<u8>>(WINDOW);
    let abandoned = watchdog.abandoned.clone();
    thread::spawn(move || {
        while let Ok(Some(job)) = frame::read(&mut input) {
            if sender.send(job).is_err() {
                break;
            }
        }
        abandoned.store(true, Ordering::Release);
    });
    frame::write(&mut output, &[])?;
    let mut extractor = Extractor::default();
    for job in jobs {
        let (set, text) = job.split_first_chunk::<4>().ok_or_else(garbled)?;
        let options = sets
            .get(u32::from_le_bytes(*set) as usize)
            .ok_or_else(garbled)?;
        watchdog.begin(allowance(&limits, text.len()));
        let answer = to_bytes(outcome(&mut extractor, text, options));
        watchdog.end();
        frame::write(&mut output, &answer)?;
    }
    Ok(())
}

/// Facts of one text as the pool's callers store them, unless the text has too much of something.
pub(crate) fn outcome(extractor: &mut Extractor, text: &[u8], options: &ParseOptions) -> Outcome {
    let facts = extractor.facts(text, options);
    match facts.excess() {
        None => Outcome::Facts(encode_facts(&facts)),
        Some(excess) => Outcome::Skipped(excess.into()),
    }
}

/// An outcome as a frame: one byte is the number of a reason, more are facts.
fn to_bytes(outcome: Outcome) -> Vec<u8> {
    match outcome {
        Outcome::Facts(facts) => facts,
        Outcome::Skipped(reason) => vec![reason as u8],
    }
}

/// The outcome that a frame holds.
pub(crate) fn from_bytes(bytes: Vec<u8>) -> Outcome {
    match bytes[..] {
        [number] => {
            Outcome::Skipped(SkipReason::from_number(number).unwrap_or(SkipReason::ParserDied))
        }
        _ => Outcome::Facts(bytes),
    }
}

/// Time for a text: a parser reads more than 1 MB/s on anything but hostile text.
fn allowance(limits: &Limits, bytes: usize) -> Duration {
    Duration::from_millis(limits.milliseconds + limits.milliseconds / 4 * (bytes >> 20) as u64)
}

#[cfg(unix)]
fn limit_memory(bytes: u64) {
    use rustix::process::{Resource, Rlimit, setrlimit};
    // Where the limit cannot be set, the watchdog still bounds time.
    let limit = Rlimit {
        current: Some(bytes),
        maximum: Some(bytes),
    };
    let _ = setrlimit(Resource::Data, limit);
    let _ = setrlimit(
        Resource::Core,
        Rlimit {
            current: Some(0),
            maximum: Some(0),
        },
    );
}

#[cfg(not(unix))]
fn limit_memory(_bytes: u64) {}

/// Time on the wall for a text, in units of its processor time: a machine that is busy with other
/// things must not make a text look hostile.
const PATIENCE: u32 = 8;

/// How often the watchdog looks.
const PERIOD: Duration = Duration::from_millis(100);

/// How long a text may still take when nobody waits for its answer any more.
const ABANDONED: Duration = Duration::from_secs(1);

/// Ends the process when a text takes too long: nothing else stops a parser inside C code.
struct Watchdog {
    start: Instant,
    due: Arc<Due>,
    /// Whether the pool is gone.
    abandoned: Arc<AtomicBool>,
}

/// When the text under way must have been answered, in milliseconds; 0 while there is none.
#[derive(Default)]
struct Due {
    /// Of this process's processor time.
    processor: AtomicU64,
    /// Since the watchdog's start.
    wall: AtomicU64,
}

impl Watchdog {
    fn start() -> Self {
        let start = Instant::now();
        let due = Arc::new(Due::default());
        let abandoned = Arc::new(AtomicBool::new(false));
        let (watched, gone) = (due.clone(), abandoned.clone());
        thread::spawn(move || {
            let mut left = ABANDONED;
            loop {
                thread::sleep(PERIOD);
                let is_past = |due: &AtomicU64, now: Duration| {
                    let due = due.load(Ordering::Acquire);
                    due != 0 && now.as_millis() as u64 > due
                };
                if is_past(&watched.processor, processor_time(start))
                    || is_past(&watched.wall, start.elapsed())
                {
                    std::process::exit(EXIT_TIME);
                }
                if gone.load(Ordering::Acquire) {
                    left = left.saturating_sub(PERIOD);
                    if left.is_zero() && watched.wall.load(Ordering::Acquire) != 0 {
                        std::process::exit(EXIT_TIME);
                    }
                }
            }
        });
        Self {
            start,
            due,
            abandoned,
        }
    }

    fn begin(&self, allowance: Duration) {
        let at = |now: Duration, allowance: Duration| ((now + allowance).as_millis() as u64).max(1);
        self.due
            .processor
            .store(at(processor_time(self.start), allowance), Ordering::Release);
        self.due.wall.store(
            at(self.start.elapsed(), allowance * PATIENCE),
            Ordering::Release,
        );
    }

    fn end(&self) {
        self.due.processor.store(0, Ordering::Release);
        self.due.wall.store(0, Ordering::Release);
    }
}

/// Processor time that this process has used.
#[cfg(unix)]
fn processor_time(_start: Instant) -> Duration {
    let time = rustix::time::clock_gettime(rustix::time::ClockId::ProcessCPUTime);
    Duration::new(time.tv_sec as u64, time.tv_nsec as u32)
}

/// Where it cannot be asked for: the time since `start`.
#[cfg(not(unix))]
fn processor_time(start: Instant) -> Duration {
    start.elapsed()
}
