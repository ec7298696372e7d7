//! The program behind `cargo xtask edits`: the law of edits on one repository.

use std::{error::Error, io::Write, path::Path, process::ExitCode, time::Instant};

use cortex_check::edits::{Asked, EditLaw, Machine, Sample};

fn main() -> Result<ExitCode, Box<dyn Error>> {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let [repository, n_edits, n_oracles, seed, asked] = words.as_slice() else {
        return Err("REPOSITORY EDITS ORACLES SEED fresh|hostile|signatures".into());
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
