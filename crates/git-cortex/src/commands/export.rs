//! `git cortex export`.

use std::{
    io::{BufWriter, ErrorKind, Write},
    process::ExitCode,
};

use clap::{CommandFactory, error::ErrorKind as UsageError};
use cortex_index::IndexError;
use cortex_look::{
    GraphExternals, GraphFormat, GraphKinds, GraphOptions, QueryError, export, export_graph,
    type_graph,
};

use crate::{
    arguments::{self, Arguments, ExportFormat, ExportKinds, Global},
    commands::status::side_of,
    failure::Failure,
    progress::Bar,
    session,
};

pub(crate) fn run(global: &Global, options: &arguments::Export) -> Result<ExitCode, Failure> {
    let format = match options.format {
        ExportFormat::Jsonl => None,
        ExportFormat::Dot => Some(GraphFormat::Dot),
        ExportFormat::Mermaid => Some(GraphFormat::Mermaid),
        ExportFormat::Graphml => Some(GraphFormat::GraphMl),
    };
    let is_limited = !options.projects.is_empty() || options.kinds.is_some() || options.no_external;
    if format.is_none() && is_limited {
        let message = "the form jsonl is always whole; choose another with --format";
        let error = Arguments::command().error(UsageError::ArgumentConflict, message);
        return Ok(arguments::refuse(&error));
    }
    let index = session::open(global)?;
    let (_, side) = side_of(&index, options.at.as_deref())?;
    let bar = Bar::new(global.quiet);
    let result = session::mending(&index, IndexError::is_damage, || index.side(side, &bar));
    bar.finish();
    let (side, _) = result?;
    session::report_notices(&index, global.quiet);
    let mut out = BufWriter::new(std::io::stdout().lock());
    let written = match format {
        None => export(&side.snapshot, &mut *index.blobs(&side), &mut out),
        Some(format) => type_graph(&side.snapshot, &graph_options(options))
            .and_then(|graph| export_graph(&graph, format, &mut out)),
    };
    match written.and_then(|()| Ok(out.flush()?)) {
        Err(QueryError::Write(error)) if error.kind() == ErrorKind::BrokenPipe => {}
        result => result?,
    }
    session::settle(&index, global);
    Ok(ExitCode::SUCCESS)
}

fn graph_options(options: &arguments::Export) -> GraphOptions {
    GraphOptions {
        projects: options.projects.clone(),
        kinds: match options.kinds {
            Some(ExportKinds::Structural) => GraphKinds::Structural,
            Some(ExportKinds::All) | None => GraphKinds::All,
        },
        externals: if options.no_external {
            GraphExternals::LeftOut
        } else {
            GraphExternals::Leaves
        },
    }
}
