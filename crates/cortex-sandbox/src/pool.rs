//! The pool's side: hands texts to workers and replaces those that die.

use std::{
    collections::VecDeque,
    io::BufReader,
    process::{Child, ChildStdin, ChildStdout, Command, Stdio},
    sync::{
        atomic::{AtomicUsize, Ordering},
        mpsc,
    },
    thread,
};

use cortex_syntax::{Extractor, ParseOptions};

use crate::{
    Launcher, Limits, OptionSets, SandboxError, SkipReason, frame,
    worker::{self, EXIT_TIME, WINDOW},
};

/// One text to be parsed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Job {
    /// Index into the option sets.
    pub options: u32,
}

/// What became of one text.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Outcome {
    /// Encoded facts, as `cortex_syntax::decode_facts` reads them.
    Facts(Vec<u8>),
    /// No facts.
    Skipped(SkipReason),
}

/// Parses texts on `parallel` workers and gives each outcome to `done`, in no particular order.
///
/// `open` is called once on each thread of the pool and gives what reads the text of a job by its
/// index. A job that cannot be read ends the run after the others under way.
///
/// # Errors
/// When workers cannot be started, or `load` or `done` fails.
pub fn parse_all<'l, E: From<SandboxError> + Send>(
    launcher: &Launcher,
    limits: &Limits,
    sets: &OptionSets,
    jobs: &[Job],
    parallel: usize,
    open: &(dyn Fn() -> Loader<'l, E> + Sync),
    done: &mut dyn FnMut(usize, Outcome) -> Result<(), E>,
) -> Result<(), E> {
    let next = AtomicUsize::new(0);
    let queue = Queue {
        jobs,
        next: &next,
        limits,
    };
    thread::scope(|scope| {
        let (sender, outcomes) = mpsc::sync_channel(64);
        for _ in 0..parallel.clamp(1, jobs.len().max(1)) {
            let sender = sender.clone();
            let queue = &queue;
            scope.spawn(move || {
                let result = match launcher {
                    Launcher::InProcess => queue.run_here(&mut open(), sets, &sender),
                    Launcher::Processes { program, arguments } => {
                        let mut command = Command::new(program);
                        command.args(arguments);
                        queue.run_worker(command, &mut open(), sets, &sender)
                    }
                };
                if let Err(error) = result {
                    let _ = sender.send(Err(error));
                }
            });
        }
        drop(sender);
        let mut result = Ok(());
        for outcome in outcomes {
            if result.is_ok() {
                result = outcome.and_then(|(job, outcome)| done(job, outcome));
            }
            if result.is_err() {
                // The workers finish what they have and stop.
                next.store(jobs.len(), Ordering::Relaxed);
            }
        }
        result
    })
}

/// `CREATE_NEW_PROCESS_GROUP`.
#[cfg(windows)]
const NEW_PROCESS_GROUP: u32 = 0x0000_0200;

/// How often a text goes again whose worker was ended by a signal from outside: the system's way
/// to get memory back is one of them.
const MAX_ACCIDENTS: usize = 2;

/// What reading the text of a job gave.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Loaded {
    /// The text.
    Text(Vec<u8>),
    /// No text to parse, and why.
    Skipped(SkipReason),
}

/// Reads the text of a job by its index.
pub type Loader<'l, E> = Box<dyn FnMut(usize) -> Result<Loaded, E> + 'l>;

struct Queue<'a> {
    jobs: &'a [Job],
    next: &'a AtomicUsize,
    limits: &'a Limits,
}

type Sender<E> = mpsc::SyncSender<Result<(usize, Outcome), E>>;

impl Queue<'_> {
    /// The next job with its text; jobs that are too large or have none are answered on the way.
    fn take<E>(
        &self,
        load: &mut Loader<'_, E>,
        sender: &Sender<E>,
    ) -> Result<Option<(usize, Vec<u8>)>, E> {
        loop {
            let job = self.next.fetch_add(1, Ordering::Relaxed);
            if job >= self.jobs.len() {
                return Ok(None);
            }
            let reason = match load(job)? {
                Loaded::Text(text) if text.len() as u64 <= self.limits.file_bytes => {
                    return Ok(Some((job, text)));
                }
                Loaded::Text(_) => SkipReason::TooLarge,
                Loaded::Skipped(reason) => reason,
            };
            let _ = sender.send(Ok((job, Outcome::Skipped(reason))));
        }
    }

    fn run_here<E>(
        &self,
        load: &mut Loader<'_, E>,
        sets: &[ParseOptions],
        sender: &Sender<E>,
    ) -> Result<(), E> {
        let mut extractor = Extractor::default();
        while let Some((job, text)) = self.take(load, sender)? {
            let options = &sets[self.jobs[job].options as usize];
            let outcome = worker::outcome(&mut extractor, &text, options);
            let _ = sender.send(Ok((job, outcome)));
        }
        Ok(())
    }

    fn run_worker<E: From<SandboxError>>(
        &self,
        mut command: Command,
        load: &mut Loader<'_, E>,
        sets: &[ParseOptions],
        sender: &Sender<E>,
    ) -> Result<(), E> {
        let mut waiting: VecDeque<(usize, Vec<u8>)> = VecDeque::new();
        let mut accidents = 0;
        let mut sent: VecDeque<(usize, Vec<u8>)> = VecDeque::new();
        let mut worker: Option<Worker> = None;
        loop {
            while sent.len() < WINDOW {
                let job = match waiting.pop_front() {
                    Some(job) => job,
                    None => match self.take(load, sender)? {
                        Some(job) => job,
                        None => break,
                    },
                };
                let running = match &mut worker {
                    Some(running) => running,
                    none => none.insert(Worker::start(&mut command, self.limits, sets)?),
                };
                // A failed write means that the worker is gone: reading its answer tells.
                let _ = running.send(self.jobs[job.0].options, &job.1);
                sent.push_back(job);
            }
            let (Some(running), Some(job)) = (&mut worker, sent.front().map(|job| job.0)) else {
                break;
            };
            match running.receive() {
                Some(answer) => {
                    accidents = 0;
                    sent.pop_front();
                    let _ = sender.send(Ok((job, worker::from_bytes(answer))));
                }
                None => {
                    // It died over the first job that it had not answered; the others go again.
                    match worker.take().map_or(Ending::Died, Worker::end) {
                        // Somebody's signal says nothing about the text, unless it comes every time.
                        Ending::Ended if accidents < MAX_ACCIDENTS => accidents += 1,
                        ending => {
                            accidents = 0;
                            sent.pop_front();
                            let _ = sender.send(Ok((job, Outcome::Skipped(ending.reason()))));
                        }
                    }
                    waiting.extend(sent.drain(..));
                }
            }
        }
        if let Some(worker) = worker {
            worker.end();
        }
        Ok(())
    }
}

struct Worker {
    child: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
}

impl Worker {
    fn start(
        command: &mut Command,
        limits: &Limits,
        sets: &[ParseOptions],
    ) -> Result<Self, SandboxError> {
        let program = command.get_program().to_string_lossy().into_owned();
        // An interrupt typed at the terminal is for the command, which then lets its workers go.
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(command, 0);
        #[cfg(windows)]
        std::os::windows::process::CommandExt::creation_flags(command, NEW_PROCESS_GROUP);
        let failed = |source| SandboxError::Start {
            program: program.clone(),
            source,
        };
        let mut child = command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .map_err(failed)?;
        let (Some(input), Some(output)) = (child.stdin.take(), child.stdout.take()) else {
            return Err(failed(std::io::Error::other("its pipes were not opened")));
        };
        let mut worker = Self {
            child,
            input,
            output: BufReader::with_capacity(1 << 16, output),
        };
        frame::write(&mut worker.input, &frame::limits_to_bytes(limits)).map_err(failed)?;
        frame::write(&mut worker.input, &frame::options_to_bytes(sets)).map_err(failed)?;
        match worker.receive() {
            Some(_) => Ok(worker),
            None => Err(failed(std::io::Error::other(
                "it ended before it was ready",
            ))),
        }
    }

    fn send(&mut self, options: u32, text: &[u8]) -> std::io::Result<()> {
        use std::io::Write;
        self.input
            .write_all(&(text.len() as u32 + 4).to_le_bytes())?;
        self.input.write_all(&options.to_le_bytes())?;
        self.input.write_all(text)
    }

    fn receive(&mut self) -> Option<Vec<u8>> {
        frame::read(&mut self.output).ok().flatten()
    }

    /// Lets the worker end and tells how it did.
    fn end(self) -> Ending {
        let Self {
            mut child,
            input,
            output,
        } = self;
        drop((input, output));
        match child.wait() {
            Ok(status) if status.code() == Some(EXIT_TIME) => Ending::TooLong,
            Ok(status) if is_foreign(status) => Ending::Ended,
            _ => Ending::Died,
        }
    }
}

/// How a worker ended.
#[derive(Clone, Copy)]
enum Ending {
    /// By its own watchdog.
    TooLong,
    /// By a signal from outside.
    Ended,
    /// In any other way: a parser that gets no more memory aborts.
    Died,
}

impl Ending {
    fn reason(self) -> SkipReason {
        match self {
            Self::TooLong => SkipReason::ParserTime,
            Self::Ended | Self::Died => SkipReason::ParserDied,
        }
    }
}

/// Whether a process was ended by a signal that it does not send itself.
#[cfg(unix)]
fn is_foreign(status: std::process::ExitStatus) -> bool {
    use rustix::process::Signal;
    let signal = std::os::unix::process::ExitStatusExt::signal(&status);
    let foreign = [
        Signal::HUP,
        Signal::INT,
        Signal::QUIT,
        Signal::KILL,
        Signal::TERM,
    ];
    signal.is_some_and(|signal| foreign.iter().any(|foreign| foreign.as_raw() == signal))
}

#[cfg(not(unix))]
fn is_foreign(_status: std::process::ExitStatus) -> bool {
    false
}
