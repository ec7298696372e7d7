//! The program behind `cargo xtask edits`: the law of edits on one repository.

use std::{error::Error, io::Write, path::Path, process::ExitCode, time::Instant};

use cortex_check::edits::{Asked, EditLaw, Machine, Sample};

fn main() -> Result<ExitCode, Box<dyn Error>> {
    let words: Vec<String> = std::env::args().skip(1).collect();
    if let [repository, asked] = words.as_slice()
        && asked == "misfits"
    {
        return print_misfits(repository);
    }
    let [repository, n_edits, n_oracles, seed, asked] = words.as_slice() else {
        return Err(
            "REPOSITORY EDITS ORACLES SEED fresh|hostile|signatures, or REPOSITORY misfits".into(),
        );
    };
    let sample = Sample {
        n_edits: n_edits.parse()?,
        n_oracles: n_oracles.parse()?,
        seed: seed.parse()?,
        asked: match asked.as_str() {
            "hostile" => Asked::HostileNames,
            "signatures" => Asked::Signatures,
            _ => Asked::FreshNames,
        },
    };
    let start = Instant::now();
    let mut errors = std::io::stderr();
    let mut say = |text: &str| {
        let _ = writeln!(errors, "{text}");
    };
    let law = EditLaw::new(Path::new(repository), Machine::Seen)?;
    let report = law.run(sample, Machine::Seen, &mut say)?;
    let mut out = std::io::stdout();
    write!(out, "{report}")?;
    writeln!(out, "{:.0} s", start.elapsed().as_secs_f64())?;
    let is_broken =
        report.n_wrong > 0 || sample.asked.keeps_meaning() && report.total().n_changed > 0;
    Ok(match is_broken {
        true => ExitCode::FAILURE,
        false => ExitCode::SUCCESS,
    })
}

/// How many places of each question are printed.
const MAX_PLACES: usize = 40;

fn print_misfits(repository: &str) -> Result<ExitCode, Box<dyn Error>> {
    let misfits = EditLaw::new(Path::new(repository), Machine::Seen)?.misfits()?;
    let mut out = std::io::stdout();
    let n_misfits: usize = misfits.found.values().map(Vec::len).sum();
    writeln!(
        out,
        "{n_misfits} misfits in {} decisions",
        misfits.n_decisions
    )?;
    for (question, places) in &misfits.found {
        writeln!(out, "{question}: {}", places.len())?;
        for (place, line) in places.iter().take(MAX_PLACES) {
            writeln!(out, "  {place}: {line}")?;
        }
    }
    Ok(match n_misfits {
        0 => ExitCode::SUCCESS,
        _ => ExitCode::FAILURE,
    })
}
