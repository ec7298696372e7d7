//! `git cortex pack`.

use std::process::ExitCode;

use cortex_wire::{
    Envelope, PackAnswer, PackBuildRequest, PackListRequest, PackRemoveRequest, PackShowRequest,
    PackState,
};

use crate::{
    arguments::{
        Global, ReportFormat,
        pack::{Pack, What},
    },
    commands::{print_envelope, print_exact, print_lines, print_text},
    failure::Failure,
    session::Session,
};

pub(crate) fn run(global: &Global, options: &Pack) -> Result<ExitCode, Failure> {
    let session = Session::new(global)?;
    let is_json = options.format == ReportFormat::Json;
    let code = match &options.what {
        What::Build(build) => {
            let request = PackBuildRequest {
                name: build.name.clone(),
                filter: Some(build.filter.clone()),
                budget: build.budget,
                tokenizer: build.tokenizer.map(|it| it.tokenizer().name().to_owned()),
                dependencies: build.no_dependencies.then_some(false),
                dry_run: build.dry_run,
            };
            let envelope = session.ask("pack-build", cortex_service::pack_build, &request)?;
            match build.dry_run && !is_json {
                true => print_exact(&envelope.answer.text)?,
                false => print(&envelope, is_json)?,
            }
            ExitCode::SUCCESS
        }
        What::List(list) => {
            let request = PackListRequest {
                at: list.at.clone(),
            };
            let envelope = session.ask("pack-list", cortex_service::pack_list, &request)?;
            match is_json {
                true => print_envelope(&envelope)?,
                false => print_text(&cortex_context::pack_list_text(&envelope.answer))?,
            }
            ExitCode::SUCCESS
        }
        What::Show(show) | What::Diff(show) => {
            let request = PackShowRequest {
                name: show.name.clone(),
                at: show.at.clone(),
            };
            let envelope = session.ask("pack-show", cortex_service::pack_show, &request)?;
            let is_diff = matches!(options.what, What::Diff(_));
            match (is_json, is_diff) {
                (true, _) => print_envelope(&envelope)?,
                (false, true) => print_lines(&cortex_context::pack_diff_text(&envelope.answer))?,
                (false, false) => print_exact(&envelope.answer.text)?,
            }
            match is_diff && envelope.answer.state == PackState::Stale {
                true => ExitCode::FAILURE,
                false => ExitCode::SUCCESS,
            }
        }
        What::Rebuild(rebuild) => {
            for name in names(&session, &rebuild.names)? {
                let request = PackBuildRequest {
                    name,
                    ..PackBuildRequest::default()
                };
                let envelope = session.ask("pack-build", cortex_service::pack_build, &request)?;
                print(&envelope, is_json)?;
            }
            ExitCode::SUCCESS
        }
        What::Remove(remove) => {
            let request = PackRemoveRequest {
                name: remove.name.clone(),
            };
            let envelope = session.ask("pack-remove", cortex_service::pack_remove, &request)?;
            match is_json {
                true => print_envelope(&envelope)?,
                false => print_text(&cortex_context::pack_list_text(&envelope.answer))?,
            }
            ExitCode::SUCCESS
        }
    };
    session.settle();
    Ok(code)
}

fn print(envelope: &Envelope<PackAnswer>, is_json: bool) -> Result<(), Failure> {
    match is_json {
        true => print_envelope(envelope),
        false => print_text(&cortex_context::pack_text(&envelope.answer)),
    }
}

/// The packs to rebuild: those named, else all.
fn names(session: &Session<'_>, names: &[String]) -> Result<Vec<String>, Failure> {
    if !names.is_empty() {
        return Ok(names.to_vec());
    }
    let request = PackListRequest::default();
    let envelope = session.ask("pack-list", cortex_service::pack_list, &request)?;
    let packs = envelope.answer.packs.into_iter();
    Ok(packs.map(|pack| pack.name).collect())
}
