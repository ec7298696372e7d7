//! Measures how much of real C# is understood, and what repairing costs.
//!
//! `parse_errors [--quiet] [--all] FOLDER…` parses every `.cs` file below the folders, prints the
//! first error of each file that has one (`--all`: every error), the repairs by kind and the
//! totals. The symbols are those of a debug build for .NET 10.
//!
//! `parse_errors --parser FOLDER…` runs the parser alone on the raw texts, in one thread, and prints
//! nothing: what parsing costs a whole process, to compare with.
#![expect(
    clippy::print_stdout,
    reason = "an example that a person reads the output of"
)]

use cortex_syntax::text::{CSharpParser, RepairKind, decode, parse, preprocess, repair};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

#[derive(Default)]
struct Totals {
    files: usize,
    bytes: usize,
    without_repair: usize,
    with_errors: usize,
    read_raw: Duration,
    read: Duration,
    preprocessing: Duration,
    repairing: Duration,
    repairs: BTreeMap<RepairKind, usize>,
}

fn main() -> std::io::Result<()> {
    let (options, folders): (Vec<String>, Vec<String>) = std::env::args()
        .skip(1)
        .partition(|arg| arg.starts_with("--"));
    let is_quiet = options.iter().any(|option| option == "--quiet");
    let n_shown = match options.iter().any(|option| option == "--all") {
        _ if is_quiet => 0,
        true => usize::MAX,
        false => 1,
    };
    let symbols = symbols();
    let mut parser = CSharpParser::new();
    for folder in &folders {
        let mut totals = Totals::default();
        let mut files = Vec::new();
        collect(Path::new(folder), &mut files)?;
        files.sort();
        if options.iter().any(|option| option == "--parser") {
            for file in &files {
                parse_raw(decode(&std::fs::read(file)?).as_bytes());
            }
            continue;
        }
        for file in &files {
            let bytes = std::fs::read(file)?;
            measure(&mut parser, &symbols, file, &bytes, n_shown, &mut totals);
        }
        report(folder, &totals);
    }
    Ok(())
}

/// How long the parser alone takes.
fn parse_raw(text: &[u8]) -> Duration {
    let mut bare = tree_sitter::Parser::new();
    bare.set_language(&tree_sitter_c_sharp::LANGUAGE.into())
        .expect("the linked grammar has the version of the linked library");
    let start = Instant::now();
    drop(bare.parse(text, None));
    start.elapsed()
}

fn measure(
    parser: &mut CSharpParser,
    symbols: &BTreeSet<String>,
    file: &Path,
    bytes: &[u8],
    n_shown: usize,
    totals: &mut Totals,
) {
    let source = decode(bytes);
    let text = source.as_bytes();
    let is_defined = |name: &str| symbols.contains(name);

    totals.read_raw += parse_raw(text);

    let start = Instant::now();
    let parsed = parse(parser, text, &is_defined, None).expect("no hook stops the parse");
    totals.read += start.elapsed();

    let start = Instant::now();
    let plain = preprocess(text, &is_defined);
    totals.preprocessing += start.elapsed();
    let start = Instant::now();
    drop(repair(&plain.text));
    totals.repairing += start.elapsed();

    totals.files += 1;
    totals.bytes += bytes.len();
    totals.without_repair += usize::from(parsed.repairs.is_empty() && parsed.errors.is_empty());
    totals.with_errors += usize::from(!parsed.errors.is_empty());
    for repair in &parsed.repairs {
        *totals.repairs.entry(repair.kind).or_default() += 1;
    }
    for error in parsed.errors.iter().take(n_shown) {
        let before = &text[..error.start as usize];
        let line = before.iter().filter(|&&byte| byte == b'\n').count() + 1;
        let shown = source.as_str().lines().nth(line - 1).unwrap_or_default();
        let range = error.end - error.start;
        println!("{}:{line}: [{range}] {}", file.display(), shown.trim());
    }
}

fn report(folder: &str, totals: &Totals) {
    let Totals { files, bytes, .. } = totals;
    println!("{folder}: {files} files, {:.1} MB", *bytes as f64 / 1e6);
    println!("  with errors      {}", totals.with_errors);
    println!("  clean, unrepaired {}", totals.without_repair);
    for (kind, n) in &totals.repairs {
        println!("  {n:6} {kind:?}");
    }
    println!(
        "  parser alone {:.2?}, parse() {:.2?} = {:.3}×; all files: preprocess {:.2?}, repair {:.2?}",
        totals.read_raw,
        totals.read,
        totals.read.as_secs_f64() / totals.read_raw.as_secs_f64(),
        totals.preprocessing,
        totals.repairing,
    );
}

fn collect(path: &Path, files: &mut Vec<PathBuf>) -> std::io::Result<()> {
    let mut pending = vec![path.to_path_buf()];
    while let Some(path) = pending.pop() {
        if path.is_dir() {
            if path.file_name().is_some_and(|name| name == ".git") {
                continue;
            }
            for entry in std::fs::read_dir(&path)? {
                pending.push(entry?.path());
            }
        } else if path.extension().is_some_and(|extension| extension == "cs") {
            files.push(path);
        }
    }
    Ok(())
}

fn symbols() -> BTreeSet<String> {
    let mut symbols: BTreeSet<String> = ["DEBUG", "TRACE", "NET", "NETCOREAPP", "NET10_0"]
        .map(String::from)
        .into();
    symbols.extend((5..=10).map(|version| format!("NET{version}_0_OR_GREATER")));
    let core = ["1_0", "1_1", "2_0", "2_1", "2_2", "3_0", "3_1"];
    symbols.extend(core.map(|version| format!("NETCOREAPP{version}_OR_GREATER")));
    symbols
}
