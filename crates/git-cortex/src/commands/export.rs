//! `git cortex export`.

use std::{
    io::{BufWriter, ErrorKind, Write},
    process::ExitCode,
};

use cortex_query::{QueryError, export};

use crate::{
    arguments::{self, Global},
    commands::status::side_of,
    failure::Failure,
    progress::Bar,
    session,
};

pub(crate) fn run(global: &Global, options: &arguments::Export) -> Result<ExitCode, Failure> {
    let index = session::open(global)?;
    let (_, side) = side_of(&index, options.at.as_deref())?;
    let bar = Bar::new(global.quiet);
    let result = index.side(side, &bar);
    bar.finish();
    let (side, _) = result?;
    session::report_notices(&index, global.quiet);
    let mut out = BufWriter::new(std::io::stdout().lock());
    let mut blobs = index.blobs(&side);
    let written = export(&side.snapshot, &mut *blobs, &mut out).and_then(|()| Ok(out.flush()?));
    match written {
        Err(QueryError::Write(error)) if error.kind() == ErrorKind::BrokenPipe => {}
        result => result?,
    }
    Ok(ExitCode::SUCCESS)
}
