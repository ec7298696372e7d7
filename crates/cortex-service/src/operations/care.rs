//! Operations about the index itself.

mod status;

use std::{
    cell::RefCell,
    hash::{DefaultHasher, Hasher},
    io::Write,
};

use cortex_git::{Commit, Parents};
use cortex_index::{Index, IndexError, IndexOutcome, IndexedSide, Keep};
use cortex_look::{
    GraphExternals, GraphFormat, GraphKinds, GraphOptions, QueryError, export as write_records,
    export_graph, type_graph,
};
use cortex_store::Stats;
use cortex_wire::{
    At, ConfigAnswer, ConfigRequest, ConfigSetting, ConfigValue, Envelope, ErrorCode, ExportAnswer,
    ExportEdges, ExportFormat, ExportRequest, FileCounts, GcAnswer, GcRequest, Hint,
    HistoryIndexed, IndexAnswer, IndexRequest, IndexWork, SnapshotReport, StoreSize, WireError,
};

pub use status::status;

use crate::{
    RequestContext, ServiceError, Workspace,
    config::{KEYS, Setting},
    look::{at, ended, envelope, finish},
    workspace::{DAY, mending, report_notices, side_at},
};

/// Indexes commits.
///
/// # Errors
/// Those of the request, the repository and the index.
pub fn index(
    workspace: &Workspace,
    context: &RequestContext<'_>,
    request: &IndexRequest,
) -> Result<Envelope<IndexAnswer>, ServiceError> {
    let index = workspace.index(context)?;
    if let Some(range) = &request.history {
        return index_history(&index, context, request, range);
    }
    let mut sides = Vec::new();
    for revision in &request.revisions {
        sides.push(side_at(&index, Some(revision))?);
    }
    if sides.is_empty() {
        sides.push(side_at(&index, None)?);
    }
    if request.fresh {
        index.forget_snapshots()?;
    }
    let mut snapshots = Vec::new();
    let mut newest = At::default();
    for (name, side) in sides {
        let result = mending(workspace, &index, IndexError::is_damage, || {
            workspace.side(&index, side, context)
        });
        let (side, outcome) = result.map_err(|error| ended(context, error.into()))?;
        newest = at(&side);
        snapshots.push(SnapshotReport {
            work: Some(work(outcome)),
            ..snapshot_report(name, &side)
        });
    }
    let notes = finish(&index, context);
    let answer = IndexAnswer {
        snapshots,
        history: None,
    };
    Ok(Envelope {
        at: Some(newest),
        notes,
        ..envelope("index", answer)
    })
}

/// Indexes every commit of a range.
fn index_history(
    index: &Index,
    context: &RequestContext<'_>,
    request: &IndexRequest,
    range: &str,
) -> Result<Envelope<IndexAnswer>, ServiceError> {
    let commits = commits(index, request, range)?;
    let result = index.history(&commits, context);
    let notes = finish(index, context);
    let outcome = result.map_err(|error| ended(context, error.into()))?;
    let ends = [commits.first(), commits.last()];
    let [oldest, newest] = ends.map(|commit| commit.map(|commit| commit.id.to_string()));
    let answer = IndexAnswer {
        snapshots: Vec::new(),
        history: Some(HistoryIndexed {
            range: range.to_owned(),
            commits: commits.len() as u64,
            oldest: oldest.clone(),
            newest: newest.clone(),
            work: work(outcome),
        }),
    };
    let [base, newest] = [oldest, newest].map(|commit| At {
        commit,
        overlay: None,
    });
    Ok(Envelope {
        at: Some(newest),
        base: Some(base),
        notes,
        ..envelope("index", answer)
    })
}

/// The commits of a range, oldest first.
fn commits(
    index: &Index,
    request: &IndexRequest,
    range: &str,
) -> Result<Vec<Commit>, ServiceError> {
    let (old, new) = index.repo.resolve_history(range)?;
    let parents = match request.first_parent {
        true => Parents::First,
        false => Parents::All,
    };
    let max_count = request.max_count.unwrap_or(usize::MAX);
    Ok(index.repo.history(old, new, parents, max_count)?)
}

fn work(outcome: IndexOutcome) -> IndexWork {
    IndexWork {
        parsed: outcome.parsed as u64,
        bound: outcome.rebound as u64,
        snapshots: outcome.snapshots as u64,
    }
}

fn snapshot_report(name: String, side: &IndexedSide) -> SnapshotReport {
    let stats = side.snapshot.stats();
    SnapshotReport {
        name,
        commit: side.commit.map(|commit| commit.to_string()),
        root: side.snapshot.root_hash().short(),
        files: FileCounts {
            tracked: stats.files,
            indexed: stats.files - stats.skipped,
            degraded: stats.degraded,
            skipped: stats.skipped,
        },
        types: stats.types,
        members: stats.members,
        edges: stats.edges,
        work: None,
    }
}

/// Drops what is no longer needed from the index.
///
/// # Errors
/// Those of the repository and the index.
pub fn gc(
    workspace: &Workspace,
    context: &RequestContext<'_>,
    request: &GcRequest,
) -> Result<Envelope<GcAnswer>, ServiceError> {
    let index = workspace.index(context)?;
    let irreplaceable = index.irreplaceable()?;
    let collected = match request.all {
        true => index.collect_all()?,
        false => {
            let configured = workspace.config(context)?.max_bytes();
            index.collect(Keep {
                max_age: i64::from(request.days) * DAY,
                max_bytes: request.max_bytes.or(configured),
                reads_derived: cortex_derived::current::is_current,
            })?
        }
    };
    report_notices(&index, context);
    let answer = GcAnswer {
        before: size(&collected.before),
        after: size(&collected.after),
        irreplaceable,
        folder: index.store.folder().to_string_lossy().into_owned(),
    };
    Ok(envelope("gc", answer))
}

fn size(stats: &Stats) -> StoreSize {
    StoreSize {
        bytes: stats.disk_bytes,
        snapshots: stats.snapshots.entries,
        facts: stats.facts.entries,
    }
}

/// The whole graph, written to `out` as it is read.
///
/// # Errors
/// Those of the request, the repository, the index and of `out`.
pub fn export_to(
    workspace: &Workspace,
    context: &RequestContext<'_>,
    request: &ExportRequest,
    out: &mut dyn Write,
) -> Result<Envelope<()>, ServiceError> {
    let format = match request.format {
        ExportFormat::Jsonl => None,
        ExportFormat::Dot => Some(GraphFormat::Dot),
        ExportFormat::Mermaid => Some(GraphFormat::Mermaid),
        ExportFormat::Graphml => Some(GraphFormat::GraphMl),
    };
    let is_limited =
        !request.projects.is_empty() || request.edges.is_some() || request.without_external;
    if format.is_none() && is_limited {
        let message =
            "failed to limit the export: only the formats dot, mermaid and graphml can be limited";
        return Err(WireError::new(ErrorCode::InvalidRequest, message).into());
    }
    let index = workspace.index(context)?;
    let (_, side) = side_at(&index, request.at.as_deref())?;
    let out = RefCell::new(Resumed::new(out));
    let result = mending(workspace, &index, QueryError::is_damage, || {
        let (side, _) = workspace.side(&index, side, context)?;
        let mut out = out.borrow_mut();
        out.begin();
        match format {
            None => write_records(&side.snapshot, &mut *index.blobs(&side), &mut *out)?,
            Some(format) => {
                let graph = type_graph(&side.snapshot, &graph_options(request))?;
                export_graph(&graph, format, &mut *out)?;
            }
        }
        out.flush()?;
        Ok(side)
    });
    report_notices(&index, context);
    let side = result.map_err(|error| ended(context, error.into()))?;
    let notes = finish(&index, context);
    Ok(Envelope {
        notes,
        at: Some(at(&side)),
        ..envelope("export", ())
    })
}

/// A writer to which the same bytes are written again after a failure: those that it has had are left out.
struct Resumed<'w> {
    out: &'w mut dyn Write,
    /// A hash of everything that was written out, and how many bytes that were.
    written: (DefaultHasher, u64),
    /// The same of what was written since the beginning.
    again: (DefaultHasher, u64),
}

impl<'w> Resumed<'w> {
    fn new(out: &'w mut dyn Write) -> Self {
        Self {
            out,
            written: (DefaultHasher::new(), 0),
            again: (DefaultHasher::new(), 0),
        }
    }

    /// Begins anew.
    fn begin(&mut self) {
        self.again = (DefaultHasher::new(), 0);
    }

    /// Whether what was written again is what was written out. There is no way back from other bytes.
    fn check(&self) -> std::io::Result<()> {
        match self.again.1 == self.written.1 && self.again.0.finish() != self.written.0.finish() {
            true => Err(std::io::Error::other(
                "the index was damaged while it was exported; export again",
            )),
            false => Ok(()),
        }
    }
}

impl Write for Resumed<'_> {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        let n_left = self.written.1 - self.again.1;
        if n_left > 0 {
            let n = bytes
                .len()
                .min(usize::try_from(n_left).unwrap_or(usize::MAX));
            self.again.0.write(&bytes[..n]);
            self.again.1 += n as u64;
            self.check()?;
            return Ok(n);
        }
        let n = self.out.write(bytes)?;
        self.again.0.write(&bytes[..n]);
        self.again.1 += n as u64;
        self.written = self.again.clone();
        Ok(n)
    }

    fn flush(&mut self) -> std::io::Result<()> {
        // An export that ends earlier than one before it is another one.
        match self.again.1 < self.written.1 {
            true => Err(std::io::Error::other(
                "the index was damaged while it was exported; export again",
            )),
            false => self.out.flush(),
        }
    }
}

/// The whole graph.
///
/// # Errors
/// Those of the request, the repository and the index.
pub fn export(
    workspace: &Workspace,
    context: &RequestContext<'_>,
    request: &ExportRequest,
) -> Result<Envelope<ExportAnswer>, ServiceError> {
    let mut bytes = Vec::new();
    let written = export_to(workspace, context, request, &mut bytes)?;
    let text = String::from_utf8_lossy(&bytes).into_owned();
    Ok(written.map(|()| match request.format {
        ExportFormat::Jsonl => ExportAnswer {
            records: text
                .lines()
                .map(|line| serde_json::from_str(line).expect("each line is a record"))
                .collect(),
            text: None,
        },
        _ => ExportAnswer {
            records: Vec::new(),
            text: Some(text),
        },
    }))
}

fn graph_options(request: &ExportRequest) -> GraphOptions {
    GraphOptions {
        projects: request.projects.clone(),
        kinds: match request.edges {
            Some(ExportEdges::Structural) => GraphKinds::Structural,
            Some(ExportEdges::All) | None => GraphKinds::All,
        },
        externals: match request.without_external {
            true => GraphExternals::LeftOut,
            false => GraphExternals::Leaves,
        },
    }
}

/// The configuration, and where each value is from.
///
/// # Errors
/// [`ErrorCode::UnknownKey`], and those of opening the repository.
pub fn config(
    workspace: &Workspace,
    context: &RequestContext<'_>,
    request: &ConfigRequest,
) -> Result<Envelope<ConfigAnswer>, ServiceError> {
    let config = workspace.config(context)?;
    let settings: Vec<&Setting> = match &request.key {
        None => config.settings.iter().collect(),
        Some(name) => match config.setting(name) {
            Some(setting) => vec![setting],
            None => return Err(unknown_key(name)),
        },
    };
    let answer = ConfigAnswer {
        settings: settings.into_iter().map(config_setting).collect(),
        notes: config.notes.clone(),
    };
    Ok(envelope("config", answer))
}

fn unknown_key(name: &str) -> ServiceError {
    let mut error = WireError::new(
        ErrorCode::UnknownKey,
        format!("failed to find the key `{name}`"),
    )
    .with_hint(Hint::ChooseKnown);
    error.known = KEYS.iter().map(|key| key.name.to_owned()).collect();
    error.into()
}

fn config_setting(setting: &Setting) -> ConfigSetting {
    let value = setting.value();
    let values = setting.values.iter().map(|value| ConfigValue {
        value: value.text.clone(),
        layer: value.origin.layer(),
        place: value.origin.words(),
        problem: value.problem.clone(),
    });
    ConfigSetting {
        key: format!("cortex.{}", setting.key.name),
        value: value.text.clone(),
        layer: value.origin.layer(),
        place: value.origin.words(),
        variable: setting.key.variable.to_owned(),
        meaning: setting.key.meaning.to_owned(),
        values: values.collect(),
    }
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use super::Resumed;

    #[test]
    fn what_is_written_again_is_written_out_once() {
        let mut bytes = Vec::new();
        let mut out = Resumed::new(&mut bytes);
        out.begin();
        out.write_all(b"one two").expect("memory has room");
        out.begin();
        out.write_all(b"one ").expect("it is the same");
        out.write_all(b"two three")
            .expect("it is the same, and more");
        out.flush().expect("it is whole");
        assert_eq!(bytes, b"one two three");
    }

    #[test]
    fn other_bytes_than_before_are_an_error() {
        let mut bytes = Vec::new();
        let mut out = Resumed::new(&mut bytes);
        out.write_all(b"one two").expect("memory has room");
        out.begin();
        assert!(out.write_all(b"two one three").is_err());
        out.begin();
        out.write_all(b"one").expect("nothing differs so far");
        assert!(out.flush().is_err());
        assert_eq!(bytes, b"one two");
    }
}
