//! The `git cortex` command: arguments, configuration, the terminal, exit codes. Nothing else.

mod arguments;
mod commands;
mod daemon;
mod failure;
mod given;
mod harmless;
mod interrupt;
mod more;
mod pager;
mod paint;
mod progress;
mod session;
mod shell;
mod words;

use std::process::ExitCode;

use clap::FromArgMatches;

use crate::{
    arguments::{Arguments, Command},
    failure::Failure,
    given::Given,
};

fn main() -> ExitCode {
    let mut command = arguments::command();
    let matches = command.try_get_matches_from_mut(std::env::args_os());
    let parsed = matches.and_then(|matches| {
        let mut arguments = Arguments::from_arg_matches(&matches)?;
        arguments.global.given = Given::new(&command, &matches);
        Ok(arguments)
    });
    let arguments = match parsed {
        Ok(arguments) => arguments,
        Err(error) => return arguments::refuse(&error),
    };
    arguments.global.color.apply();
    failure::report_panics();
    interrupt::watch();
    match std::panic::catch_unwind(|| run(&arguments)) {
        Ok(Ok(code)) => code,
        Ok(Err(failure)) => failure.report(arguments.command.error_form()),
        // The hook has said it.
        Err(_) => ExitCode::from(Failure::INTERNAL),
    }
}

fn run(arguments: &Arguments) -> Result<ExitCode, Failure> {
    match &arguments.command {
        Command::ParseWorker => Ok(parse_worker()),
        Command::DiffContext(options) => commands::diff_context::run(&arguments.global, options),
        Command::Api(options) => commands::api::run(&arguments.global, options),
        Command::History(options) => commands::history::run(&arguments.global, options),
        Command::Tests(options) => commands::tests::run(&arguments.global, options),
        Command::Scope(options) => commands::scope::run(&arguments.global, options),
        Command::Areas(options) => commands::areas::run(&arguments.global, options),
        Command::Outline(options) => commands::outline::run(&arguments.global, options),
        Command::Map(options) => commands::map::run(&arguments.global, options),
        Command::Source(options) => commands::source::run(&arguments.global, options),
        Command::Deps(options) => commands::deps::run(&arguments.global, options),
        Command::Cycles(options) => commands::cycles::run(&arguments.global, options),
        Command::Unused(options) => commands::unused::run(&arguments.global, options),
        Command::Resolve(options) => commands::resolve::run(&arguments.global, options),
        Command::Usages(options) => commands::usages::run(&arguments.global, options),
        Command::Callers(options) => commands::calls::callers(&arguments.global, options),
        Command::Callees(options) => commands::calls::callees(&arguments.global, options),
        Command::Implementations(options) => {
            commands::relatives::implementations(&arguments.global, options)
        }
        Command::Overrides(options) => commands::relatives::overrides(&arguments.global, options),
        Command::Hierarchy(options) => commands::relatives::hierarchy(&arguments.global, options),
        Command::Search(options) => commands::search::run(&arguments.global, options),
        Command::ExportContext(options) => {
            commands::export_context::run(&arguments.global, options)
        }
        Command::Pack(options) => commands::pack::run(&arguments.global, options),
        Command::Window(options) => commands::window::window(&arguments.global, options),
        Command::Pin(options) => commands::window::pin(&arguments.global, options),
        Command::Unpin(options) => commands::window::unpin(&arguments.global, options),
        Command::Dismiss(options) => commands::window::dismiss(&arguments.global, options),
        Command::Context(options) => commands::window::context(&arguments.global, options),
        Command::InstallHooks(options) => commands::install_hooks::run(&arguments.global, options),
        Command::Check(options) => commands::check::run(&arguments.global, options),
        Command::Prove(options) => commands::prove::run(&arguments.global, options),
        Command::Edit(options) => commands::edit::edit(&arguments.global, options),
        Command::Review(options) => commands::edit::review(&arguments.global, options),
        Command::Apply(options) => commands::edit::apply(&arguments.global, options),
        Command::Verify(options) => commands::edit::verify(&arguments.global, options),
        Command::Undo(options) => commands::edit::undo(&arguments.global, options),
        Command::Ops(options) => commands::edit::ops(&arguments.global, options),
        Command::Index(options) => commands::index::run(&arguments.global, options),
        Command::Status(options) => commands::status::run(&arguments.global, options),
        Command::Export(options) => commands::export::run(&arguments.global, options),
        Command::Daemon(options) => commands::daemon::run(&arguments.global, options),
        Command::Mcp(options) => commands::mcp::run(&arguments.global, options),
        Command::Guide(options) => commands::guide::run(&arguments.global, options),
        Command::Man(options) => commands::manual::man(options),
        Command::Completions(options) => commands::manual::completions(options),
        Command::Config(options) => commands::config::run(&arguments.global, options),
        Command::Gc(options) => commands::gc::run(&arguments.global, options),
    }
}

/// Serves the parser pool of another `git cortex` process.
fn parse_worker() -> ExitCode {
    match cortex_sandbox::serve(std::io::stdin(), std::io::stdout().lock()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(_) => ExitCode::from(Failure::INTERNAL),
    }
}
