//! Which of the programs to compare with are on this machine, under which name, in which version.
//!
//! Must not know what is measured.

use std::{
    ffi::OsString,
    process::{Command, Stdio},
};

/// A program to compare with.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Peer {
    Ctags,
    Readtags,
    Ripgrep,
    AstGrep,
    Codegraph,
}

/// How a peer may be called, and how to know that it is the one meant: another program may have its name
/// (`sg` changes the group, and three programs are called `codegraph`).
struct Calling {
    peer: Peer,
    name: &'static str,
    words: &'static [&'static str],
    asked: &'static str,
    known_by: &'static str,
}

const fn calling(
    peer: Peer,
    name: &'static str,
    words: &'static [&'static str],
    asked: &'static str,
    known_by: &'static str,
) -> Calling {
    Calling {
        peer,
        name,
        words,
        asked,
        known_by,
    }
}

/// The first that is there counts.
const CALLINGS: &[Calling] = &[
    calling(
        Peer::Ctags,
        "Universal Ctags",
        &["ctags"],
        "--version",
        "Universal Ctags",
    ),
    calling(
        Peer::Readtags,
        "readtags",
        &["readtags"],
        "-h",
        "tag file entries",
    ),
    calling(Peer::Ripgrep, "ripgrep", &["rg"], "--version", "ripgrep"),
    calling(
        Peer::AstGrep,
        "ast-grep",
        &["ast-grep"],
        "--version",
        "ast-grep",
    ),
    calling(Peer::AstGrep, "ast-grep", &["sg"], "--version", "ast-grep"),
    calling(
        Peer::Codegraph,
        "@optave/codegraph",
        &["codegraph"],
        "--help",
        "fn-impact",
    ),
    calling(
        Peer::Codegraph,
        "@optave/codegraph",
        &["npx", "--no-install", "@optave/codegraph"],
        "--help",
        "fn-impact",
    ),
];

/// The peers of this machine.
pub(super) struct Peers {
    found: Vec<(Peer, &'static [&'static str])>,
    /// Their names with versions, in order.
    pub(super) versions: Vec<String>,
    /// The names of those that are not here, in order.
    pub(super) missing: Vec<&'static str>,
}

impl Peers {
    /// Looks for all of them on the `PATH`.
    pub(super) fn find() -> Self {
        let mut peers = Self {
            found: Vec::new(),
            versions: Vec::new(),
            missing: Vec::new(),
        };
        for calling in CALLINGS {
            if peers.command(calling.peer).is_some() {
                continue;
            }
            if says(calling.words, calling.asked).is_some_and(|it| it.contains(calling.known_by)) {
                peers.missing.retain(|name| *name != calling.name);
                peers.found.push((calling.peer, calling.words));
                peers.versions.extend(version(calling));
            } else if !peers.missing.contains(&calling.name) {
                peers.missing.push(calling.name);
            }
        }
        peers
    }

    /// The words that start a peer, if it is here.
    pub(super) fn command(&self, peer: Peer) -> Option<Vec<OsString>> {
        let (_, words) = self.found.iter().find(|(it, _)| *it == peer)?;
        Some(words.iter().map(OsString::from).collect())
    }
}

/// `name version`, where it tells one.
fn version(calling: &Calling) -> Option<String> {
    let said = says(calling.words, "--version")?;
    let word = said
        .split([' ', ',', '\n'])
        .find(|word| word.starts_with(|it: char| it.is_ascii_digit()))?;
    Some(format!("{} {word}", calling.name))
}

fn says(words: &[&str], argument: &str) -> Option<String> {
    let output = Command::new(words[0])
        .args(&words[1..])
        .arg(argument)
        .stdin(Stdio::null())
        .output()
        .ok()?;
    let mut said = String::from_utf8_lossy(&output.stdout).into_owned();
    said.push_str(&String::from_utf8_lossy(&output.stderr));
    Some(said)
}
