//! The program behind `cargo xtask edits`: the law of edits on one repository.

use std::{error::Error, io::Write, path::Path, process::ExitCode, time::Instant};

use cortex_check::edits::{EditLaw, Machine, NewNames, Sample};

fn main() -> Result<ExitCode, Box<dyn Error>> {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let [repository, n_renames, n_oracles, seed, names] = words.as_slice() else {
        return Err("REPOSITORY RENAMES ORACLES SEED fresh|hostile".into());
    };
    let sample = Sample {
        n_renames: n_renames.parse()?,
        n_oracles: n_oracles.parse()?,
        seed: seed.parse()?,
        names: match names.as_str() {
            "hostile" => NewNames::Hostile,
            _ => NewNames::Fresh,
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
    let is_broken = report.n_wrong > 0 || names == "fresh" && report.total().n_changed > 0;
    Ok(match is_broken {
        true => ExitCode::FAILURE,
        false => ExitCode::SUCCESS,
    })
}
