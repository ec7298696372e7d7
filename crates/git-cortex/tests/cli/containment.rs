//! The parser pool with real workers: limits hold, and accidents are told apart from hostile text.

use cortex_sandbox::{
    Job, Launcher, Limits, Loaded, Loader, Outcome, SandboxError, SkipReason, parse_all,
};

use crate::harness::program;

const SMALL: Limits = Limits {
    file_bytes: 1 << 20,
    memory_bytes: 100 << 20,
    milliseconds: 1_000,
};

fn workers() -> Launcher {
    Launcher::Processes {
        program: program(),
        arguments: vec!["parse-worker".into()],
    }
}

/// What becomes of some texts; `None` stands for facts.
fn outcomes(
    launcher: &Launcher,
    limits: &Limits,
    texts: &[&str],
) -> Result<Vec<Option<SkipReason>>, SandboxError> {
    let jobs = vec![Job { options: 0 }; texts.len()];
    let mut outcomes = vec![None; texts.len()];
    let open = || -> Loader<'_, SandboxError> {
        Box::new(|job| Ok(Loaded::Text(texts[job].as_bytes().to_vec())))
    };
    let mut answered = 0;
    parse_all(
        launcher,
        limits,
        &[Default::default()],
        &jobs,
        2,
        &open,
        &mut |job, outcome| {
            answered += 1;
            outcomes[job] = match outcome {
                Outcome::Facts(_) => None,
                Outcome::Skipped(reason) => Some(reason),
            };
            Ok(())
        },
    )?;
    assert_eq!(answered, texts.len(), "each text is answered once");
    Ok(outcomes)
}

#[test]
fn a_text_that_costs_too_much_is_the_only_one_lost() {
    let good = "class C { void M() { } }";
    let memory = "a<".repeat(30_000);
    let time = "$\"".repeat(100 << 10);
    let large = " ".repeat(2 << 20);
    let texts = [
        good, &memory, good, good, &large, &time, good, &memory, &memory, good,
    ];
    let outcomes = outcomes(&workers(), &SMALL, &texts).expect("workers can be started");
    let died = if cfg!(unix) {
        SkipReason::ParserDied
    } else {
        SkipReason::ParserTime
    };
    let expected = [
        None,
        Some(died),
        None,
        None,
        Some(SkipReason::TooLarge),
        Some(SkipReason::ParserTime),
        None,
        Some(died),
        Some(died),
        None,
    ];
    assert_eq!(outcomes, expected);
}

#[test]
fn a_program_that_cannot_be_started_is_an_error_that_names_it() {
    let launcher = Launcher::Processes {
        program: "/nowhere/parser".into(),
        arguments: Vec::new(),
    };
    let error = outcomes(&launcher, &SMALL, &["class C { }"]).expect_err("it is not there");
    assert!(error.to_string().contains("/nowhere/parser"), "{error}");
}

#[cfg(unix)]
#[test]
fn a_worker_ended_from_outside_costs_no_text() {
    // The first worker says that it is ready, reads, and is killed as the system does when memory
    // is short; those after it are real ones.
    let folder = tempfile::tempdir().expect("a temporary folder can be made");
    let script = r#"if mkdir "$1" 2>/dev/null; then printf '\0\0\0\0'; head -c 30 >/dev/null; kill -KILL $$; fi; exec "$2" parse-worker"#;
    let mut arguments: Vec<std::ffi::OsString> = ["-c", script, "sh"].map(Into::into).into();
    arguments.extend([
        folder.path().join("first").into_os_string(),
        program().into(),
    ]);
    let launcher = Launcher::Processes {
        program: "sh".into(),
        arguments,
    };
    let texts = ["class C { }"; 9];
    let outcomes = outcomes(&launcher, &Limits::default(), &texts).expect("workers can be started");
    assert!(
        folder.path().join("first").exists(),
        "the first worker was killed"
    );
    assert_eq!(outcomes, [None; 9]);
}

#[cfg(unix)]
#[test]
fn workers_that_are_always_ended_from_outside_do_not_run_forever() {
    let script = r"printf '\0\0\0\0'; head -c 30 >/dev/null; kill -KILL $$";
    let arguments = ["-c", script].map(Into::into).into();
    let launcher = Launcher::Processes {
        program: "sh".into(),
        arguments,
    };
    let outcomes =
        outcomes(&launcher, &SMALL, &["class C { }"; 3]).expect("workers can be started");
    assert_eq!(outcomes, [Some(SkipReason::ParserDied); 3]);
}
