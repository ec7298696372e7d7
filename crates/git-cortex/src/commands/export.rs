//! `git cortex export`.

use std::{
    io::{BufWriter, ErrorKind, Write},
    process::ExitCode,
};

use cortex_wire::{ExportEdges, ExportRequest};

use crate::{
    arguments::{self, ExportFormat, ExportKinds, Global},
    failure::Failure,
    session::Session,
};

pub(crate) fn run(global: &Global, options: &arguments::Export) -> Result<ExitCode, Failure> {
    let is_limited = !options.projects.is_empty() || options.kinds.is_some() || options.no_external;
    if options.format == ExportFormat::Jsonl && is_limited {
        let message = "failed to limit the export: --project, --kinds and --no-external need --format dot, mermaid or graphml";
        return Err(Failure::usage(message));
    }
    let request = ExportRequest {
        at: options.at.clone(),
        format: match options.format {
            ExportFormat::Jsonl => cortex_wire::ExportFormat::Jsonl,
            ExportFormat::Dot => cortex_wire::ExportFormat::Dot,
            ExportFormat::Mermaid => cortex_wire::ExportFormat::Mermaid,
            ExportFormat::Graphml => cortex_wire::ExportFormat::Graphml,
        },
        projects: options.projects.clone(),
        edges: options.kinds.map(|kinds| match kinds {
            ExportKinds::Structural => ExportEdges::Structural,
            ExportKinds::All => ExportEdges::All,
        }),
        without_external: options.no_external,
    };
    let session = Session::new(global)?;
    let mut out = Closable {
        out: BufWriter::new(std::io::stdout().lock()),
        is_closed: false,
    };
    let written = session.ask_with("export", |workspace, context| {
        cortex_service::export_to(workspace, context, &request, &mut out)
    });
    match written {
        // A closed pipe is the reader's choice, not an error.
        Err(_) if out.is_closed => {}
        result => session.report_unread(&result?),
    }
    session.settle();
    Ok(ExitCode::SUCCESS)
}

/// A writer that remembers whether its reader has left.
struct Closable<W> {
    out: W,
    is_closed: bool,
}

impl<W: Write> Write for Closable<W> {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        let written = self.out.write(bytes);
        self.note(written)
    }

    fn flush(&mut self) -> std::io::Result<()> {
        let flushed = self.out.flush();
        self.note(flushed)
    }
}

impl<W> Closable<W> {
    fn note<T>(&mut self, result: std::io::Result<T>) -> std::io::Result<T> {
        if let Err(error) = &result {
            self.is_closed |= error.kind() == ErrorKind::BrokenPipe;
        }
        result
    }
}
