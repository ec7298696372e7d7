//! Arguments of `git cortex install-hooks`.

use clap::Args;

/// Install the pre-commit hook that checks staged context.
#[derive(Args, Debug)]
#[command(
    after_help = "The hook runs `git cortex check --cached` before each commit. It is written where git looks for hooks, \
core.hooksPath included if it is set for this repository; a hook that exists already is left alone.\n\nThe merge driver \
keeps your version of an outline or pack that both sides of a merge changed, and says so: run `git cortex check --fix` \
after the merge. It is configured for this clone only, in its configuration and its info/attributes.\n\nExamples:\n  \
git cortex install-hooks\n  git cortex install-hooks --merge-driver\n  git cortex install-hooks --uninstall"
)]
pub(crate) struct InstallHooks {
    /// Also configure a merge driver for outlines and packs
    #[arg(long, conflicts_with = "uninstall")]
    pub(crate) merge_driver: bool,
    /// Remove the hook and the merge driver
    #[arg(long)]
    pub(crate) uninstall: bool,
}
