//! Named pipes. The name of a pipe is seen by everybody on the machine and is taken by who comes first, so that it is
//! made of random bytes for each daemon and written to a file beside the index, where clients of the user find it.
//! Windows lets others open such a pipe for reading at most ("Named Pipe Security and Access Rights"): they cannot ask.

use std::{
    fs,
    io::{self, Read, Write},
    path::{Path, PathBuf},
    time::{Duration, Instant},
};

use tokio::{
    io::{AsyncReadExt, AsyncWriteExt, ReadHalf, WriteHalf},
    net::windows::named_pipe::{ClientOptions, NamedPipeClient, NamedPipeServer, ServerOptions},
    runtime::Runtime,
    time::timeout,
};

use super::Stream;

/// All ends of the pipe are taken (`ERROR_PIPE_BUSY`).
const PIPE_BUSY: i32 = 231;

/// A client waits this long for an end of the pipe.
const BUSY_TIME: Duration = Duration::from_secs(2);

/// The number of random bytes of a name.
const NAME_BYTES: usize = 16;

/// The file for an index in this folder that names the pipe.
pub(crate) fn address_of(index: &Path) -> PathBuf {
    index.join("daemon.pipe")
}

/// What other programs connect to.
pub(crate) fn shown(address: &Path) -> String {
    name_in(address).unwrap_or_else(|_| address.display().to_string())
}

fn name_in(address: &Path) -> io::Result<String> {
    let name = fs::read_to_string(address)?;
    match name.starts_with(r"\\.\pipe\git-cortex-") {
        true => Ok(name),
        // A pipe of another machine, or a file.
        false => Err(io::ErrorKind::InvalidData.into()),
    }
}

/// Connects to who listens.
///
/// # Errors
/// Where nobody does.
pub(crate) fn connect(address: &Path) -> io::Result<PipeStream> {
    let name = name_in(address)?;
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()?;
    let end = Instant::now() + BUSY_TIME;
    let pipe = loop {
        let opened = {
            let _inside = runtime.enter();
            ClientOptions::new().open(&name)
        };
        match opened {
            Err(error) if error.raw_os_error() == Some(PIPE_BUSY) && Instant::now() < end => {
                std::thread::sleep(Duration::from_millis(10));
            }
            opened => break opened?,
        }
    };
    Ok(PipeStream {
        pipe,
        runtime,
        patience: BUSY_TIME,
    })
}

/// A client's end of a pipe. It reads and writes overlapped, since a plain handle lets nothing be written while a read
/// waits.
pub(crate) struct PipeStream {
    // Dropped before the runtime that drives it.
    pipe: NamedPipeClient,
    runtime: Runtime,
    patience: Duration,
}

impl Stream for PipeStream {
    fn wait_at_most(&mut self, time: Duration) -> io::Result<()> {
        self.patience = time;
        Ok(())
    }
}

impl Read for PipeStream {
    fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        let read = async { timeout(self.patience, self.pipe.read(bytes)).await };
        match self.runtime.block_on(read) {
            Ok(read) => read,
            Err(_) => Err(io::ErrorKind::TimedOut.into()),
        }
    }
}

impl Write for PipeStream {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.runtime.block_on(self.pipe.write(bytes))
    }

    fn flush(&mut self) -> io::Result<()> {
        self.runtime.block_on(self.pipe.flush())
    }
}

/// A pipe of this process, until it is dropped.
pub(crate) struct Listener {
    name: String,
    // The end that the next client takes.
    free: NamedPipeServer,
    address: PathBuf,
}

impl Listener {
    /// Makes a pipe, and names it in the file. `lock` is the file of this process that keeps others from it.
    ///
    /// # Errors
    /// Where the file cannot be written.
    pub(crate) fn bind(address: &Path, _lock: &fs::File) -> io::Result<Self> {
        let mut bytes = [0; NAME_BYTES];
        getrandom::fill(&mut bytes).map_err(io::Error::other)?;
        let random: String = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
        let name = format!(r"\\.\pipe\git-cortex-{random}");
        let free = ServerOptions::new()
            .first_pipe_instance(true)
            .reject_remote_clients(true)
            .create(&name)?;
        // Whole or not at all: a client may look at any time.
        let new = address.with_extension("new");
        fs::write(&new, &name)?;
        fs::rename(&new, address)?;
        Ok(Self {
            name,
            free,
            address: address.to_path_buf(),
        })
    }

    /// The next client. Windows has refused whoever may not write to the pipe.
    ///
    /// # Errors
    /// Those of the system.
    pub(crate) async fn accept(
        &mut self,
    ) -> io::Result<Option<(ReadHalf<NamedPipeServer>, WriteHalf<NamedPipeServer>)>> {
        self.free.connect().await?;
        let next = ServerOptions::new()
            .reject_remote_clients(true)
            .create(&self.name)?;
        let taken = std::mem::replace(&mut self.free, next);
        Ok(Some(tokio::io::split(taken)))
    }
}

impl Drop for Listener {
    fn drop(&mut self) {
        // Who asks now finds nobody, and answers for itself.
        let _ = fs::remove_file(&self.address);
    }
}
