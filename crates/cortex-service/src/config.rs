//! What can be configured, and where each value is from.
//!
//! Owns: the keys, the layers and their order: built in, the user's file, git's configuration, the
//! repository's file, the environment, the request; later ones win. Must not know: what values are used for.

use std::{collections::BTreeSet, path::PathBuf, time::Duration};

use cortex_edit::{ReviewNeeded, VerifyWith};
use cortex_git::{ConfigOwner, GitError, Repository};
use cortex_model::RepoPath;
use cortex_wire::ConfigLayer;

use crate::workspace::Variables;

/// Larger files are not read.
const MAX_BYTES: u64 = 1 << 20;

/// Where a repository may commit configuration.
const COMMITTED: &str = ".context/config.toml";

/// Tables of that file that are read elsewhere.
const TABLES: [&str; 5] = ["scopes", "area", "vocabulary", "check", "tags"];

/// Something that can be configured.
pub struct Key {
    /// Its name in files, and behind `cortex.` in git's configuration. Case does not matter.
    pub name: &'static str,
    /// The variable of the environment that sets it.
    pub variable: &'static str,
    /// What it is where nothing is said.
    pub default: &'static str,
    /// What it means.
    pub meaning: &'static str,
    /// What its values are, in words.
    expects: &'static str,
    is_valid: fn(&str) -> bool,
    /// Who may set it.
    setters: Setters,
}

/// Who may set a value: a repository is untrusted input.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Setters {
    /// The user alone: it says where is written to.
    User,
    /// Also the configuration that git keeps in the repository's folder, which is not cloned.
    Machine,
    /// Also the repository itself: it changes what is answered and nothing else.
    Everyone,
}

/// All keys, by name.
pub const KEYS: [Key; 12] = [
    Key {
        name: "accessHistory",
        variable: "GIT_CORTEX_ACCESS_HISTORY",
        default: "on",
        meaning: "whether requests about symbols are recorded beside the index, for the prompt window: on or off",
        expects: "on or off",
        is_valid: |text| matches!(text, "on" | "off"),
        setters: Setters::Machine,
    },
    Key {
        name: "checkPolicy",
        variable: "GIT_CORTEX_CHECK_POLICY",
        default: "",
        meaning: "how bad each kind of stale context is, as rule=severity,…; on top of the policy of the base commit",
        expects: "a policy such as outline-stale=error,semantic-stale=ignore",
        is_valid: |text| cortex_fresh::Policy::default().add(text).is_ok(),
        setters: Setters::Machine,
    },
    Key {
        name: "daemon",
        variable: "GIT_CORTEX_DAEMON",
        default: "on",
        meaning: "whether commands ask a daemon: on (where one runs), auto (and start one where none does) or off",
        expects: "on, auto or off",
        is_valid: |text| matches!(text, "on" | "auto" | "off"),
        setters: Setters::User,
    },
    Key {
        name: "dir",
        variable: "GIT_CORTEX_DIR",
        default: "cortex",
        meaning: "the folder of the index, from the common git directory",
        expects: "a folder",
        is_valid: |text| !text.is_empty(),
        setters: Setters::User,
    },
    Key {
        name: "gcAuto",
        variable: "GIT_CORTEX_GC_AUTO",
        default: "500",
        meaning: "after how many new snapshots the index is collected; 0 for never",
        expects: "a number",
        is_valid: |text| text.parse::<u64>().is_ok(),
        setters: Setters::Machine,
    },
    Key {
        name: "lockTimeout",
        variable: "GIT_CORTEX_LOCK_TIMEOUT",
        default: "10",
        meaning: "for how many seconds to wait for another command that writes",
        expects: "a number of seconds",
        is_valid: |text| text.parse::<u64>().is_ok(),
        setters: Setters::Machine,
    },
    Key {
        name: "maxSize",
        variable: "GIT_CORTEX_MAX_SIZE",
        default: "2g",
        meaning: "how large the index may be; 0 for any size",
        expects: "a number of bytes, with k, m or g for more",
        is_valid: |text| bytes_of(text).is_some(),
        setters: Setters::Machine,
    },
    Key {
        name: "requireReview",
        variable: "GIT_CORTEX_REQUIRE_REVIEW",
        default: "terminal",
        meaning: "what an edit needs before it is applied: terminal (a person approves it there), signature (an allowed signer signs it) or never; HEAD may ask for more",
        expects: "terminal, signature or never",
        is_valid: |text| strictness(text).is_some(),
        setters: Setters::User,
    },
    Key {
        name: "tfm",
        variable: "GIT_CORTEX_TFM",
        default: "",
        meaning: "the target framework to look at, or all; the newest of each project where none is set",
        expects: "a target framework such as net8.0, or all",
        is_valid: |text| !text.is_empty() && text.bytes().all(|b| b.is_ascii_graphic()),
        setters: Setters::Everyone,
    },
    Key {
        name: "verify",
        variable: "GIT_CORTEX_VERIFY",
        default: "",
        meaning: "the command that edits are verified with: it runs on a copy of the work tree, without and with an edit",
        expects: "a command such as dotnet build",
        is_valid: |text| !text.trim().is_empty(),
        setters: Setters::User,
    },
    Key {
        name: "verifyAllow",
        variable: "GIT_CORTEX_VERIFY_ALLOW",
        default: "",
        meaning: "the codes of diagnostics that an edit may bring, with commas between",
        expects: "codes such as CS1591,CS0618",
        is_valid: |text| {
            text.split(',')
                .all(|it| it.trim().bytes().all(|b| b.is_ascii_alphanumeric()))
        },
        setters: Setters::User,
    },
    Key {
        name: "verifyTimeout",
        variable: "GIT_CORTEX_VERIFY_TIMEOUT",
        default: "600",
        meaning: "for how many seconds each run of that command may take",
        expects: "a number of seconds",
        is_valid: |text| text.parse::<u64>().is_ok(),
        setters: Setters::User,
    },
];

/// Whether commands ask a daemon.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum DaemonUse {
    /// They do not.
    Off,
    /// They do where one runs.
    Running,
    /// They do, and start one where none runs.
    Auto,
}

/// A number of bytes, with git's suffixes `k`, `m` and `g`.
pub fn bytes_of(text: &str) -> Option<u64> {
    let text = text.trim();
    let (number, shift) = match text.as_bytes().last()? {
        b'k' | b'K' => (&text[..text.len() - 1], 10),
        b'm' | b'M' => (&text[..text.len() - 1], 20),
        b'g' | b'G' => (&text[..text.len() - 1], 30),
        _ => (text, 0),
    };
    number.parse::<u64>().ok()?.checked_mul(1 << shift)
}

/// A layer of the configuration, and which part of it said something.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Origin {
    /// The program.
    BuiltIn,
    /// The user's own file.
    UserFile(PathBuf),
    /// Git's configuration, with the file where there is one.
    Git(ConfigOwner, Option<PathBuf>),
    /// The file that the repository commits.
    Repository,
    /// A variable of the environment.
    Environment(&'static str),
    /// The request.
    Request,
}

impl Origin {
    /// The name of the layer.
    pub(crate) fn layer(&self) -> ConfigLayer {
        match self {
            Self::BuiltIn => ConfigLayer::BuiltIn,
            Self::UserFile(_) => ConfigLayer::User,
            Self::Git(..) => ConfigLayer::Git,
            Self::Repository => ConfigLayer::Repository,
            Self::Environment(_) => ConfigLayer::Environment,
            Self::Request => ConfigLayer::CommandLine,
        }
    }

    /// The layer and the place in it, for people.
    pub(crate) fn words(&self) -> String {
        let in_file = |layer: &str, file: &Option<PathBuf>| match file {
            Some(file) => format!("{layer}, {}", file.display()),
            None => layer.to_owned(),
        };
        match self {
            Self::BuiltIn => "built in".to_owned(),
            Self::UserFile(file) => file.display().to_string(),
            Self::Git(ConfigOwner::System, file) => in_file("git, system", file),
            Self::Git(ConfigOwner::User, file) => in_file("git, user", file),
            Self::Git(ConfigOwner::Repository, file) => in_file("git, repository", file),
            Self::Git(ConfigOwner::Caller, file) => in_file("git, command line", file),
            Self::Repository => COMMITTED.to_owned(),
            Self::Environment(variable) => (*variable).to_owned(),
            Self::Request => "the command line".to_owned(),
        }
    }
}

/// What one layer says of a key.
pub(crate) struct Value {
    pub(crate) text: String,
    pub(crate) origin: Origin,
    /// Why it does not count, if it does not.
    pub(crate) problem: Option<String>,
}

/// What all layers say of a key.
pub(crate) struct Setting {
    pub(crate) key: &'static Key,
    /// Earlier layers first; the last one without a problem counts.
    pub(crate) values: Vec<Value>,
}

impl Setting {
    /// The value that counts.
    pub(crate) fn value(&self) -> &Value {
        let mut valid = self.values.iter().filter(|value| value.problem.is_none());
        valid.next_back().expect("what is built in is valid")
    }
}

/// Everything that is configured for a repository.
pub(crate) struct Config {
    /// By name.
    pub(crate) settings: Vec<Setting>,
    /// What files say that means nothing.
    pub(crate) notes: Vec<String>,
}

impl Config {
    /// Reads all layers.
    pub(crate) fn read(repo: &Repository, variables: &Variables, tfm: Option<&str>) -> Self {
        let mut notes = Vec::new();
        let user = user_file(variables).and_then(|path| {
            let text = std::fs::read_to_string(&path).ok()?;
            let values = file_values(&text, &path.display().to_string(), &[], &mut notes);
            Some((path, values))
        });
        let committed = committed_text(repo).unwrap_or_else(|error| {
            notes.push(format!("{COMMITTED} is not read: {error}"));
            None
        });
        let committed = committed
            .map(|text| {
                let values = file_values(&text, COMMITTED, &TABLES, &mut notes);
                // A file that is no TOML is told already.
                if text.parse::<toml::Table>().is_ok() {
                    notes.extend(cortex_look::config_problems(&text));
                }
                values
            })
            .unwrap_or_default();
        let at_head = text_at_head(repo).ok().flatten();
        let at_head = at_head.map(|text| file_values(&text, COMMITTED, &TABLES, &mut Vec::new()));
        let at_head = at_head.unwrap_or_default();
        let settings = KEYS.iter().map(|key| {
            let mut said: Vec<(String, Origin)> = vec![(key.default.to_owned(), Origin::BuiltIn)];
            let of_key = |values: &[(String, String)]| {
                let found = values
                    .iter()
                    .filter(|(name, _)| name.eq_ignore_ascii_case(key.name));
                found.map(|(_, text)| text.clone()).collect::<Vec<_>>()
            };
            if let Some((path, values)) = &user {
                let own = of_key(values).into_iter();
                said.extend(own.map(|text| (text, Origin::UserFile(path.clone()))));
            }
            let of_git = repo.config_values("cortex", key.name).into_iter();
            said.extend(of_git.map(|value| (value.text, Origin::Git(value.owner, value.file))));
            let is_policy = key.name == "requireReview";
            let own = of_key(&committed)
                .into_iter()
                .filter(|_| !is_policy)
                .map(|text| (text, Origin::Repository));
            said.extend(own);
            let variable = variables(key.variable).and_then(|text| text.into_string().ok());
            said.extend(variable.map(|text| (text, Origin::Environment(key.variable))));
            if is_policy {
                // An edit must not decide how it is reviewed: the file of the work tree does not count.
                let asked = of_key(&at_head).into_iter();
                said.extend(asked.map(|text| (text, Origin::Repository)));
            }
            if key.name == "tfm" {
                let requested = tfm.iter().map(|text| (*text).to_owned());
                said.extend(requested.map(|text| (text, Origin::Request)));
            }
            let mut values: Vec<Value> = Vec::with_capacity(said.len());
            for (text, origin) in said {
                let counting = values.iter().rfind(|value| value.problem.is_none());
                let before = counting.map(|value| value.text.as_str());
                values.push(Value {
                    problem: problem(key, &text, (&origin, before)),
                    text,
                    origin,
                });
            }
            Setting { key, values }
        });
        Self {
            settings: settings.collect(),
            notes,
        }
    }

    /// The setting of a key. Case does not matter, nor whether `cortex.` stands before it.
    pub(crate) fn setting(&self, name: &str) -> Option<&Setting> {
        let is_prefixed = name
            .get(..7)
            .is_some_and(|it| it.eq_ignore_ascii_case("cortex."));
        let name = if is_prefixed { &name[7..] } else { name };
        let mut settings = self.settings.iter();
        settings.find(|setting| setting.key.name.eq_ignore_ascii_case(name))
    }

    /// The value of a key of [`KEYS`].
    fn value(&self, name: &str) -> &Value {
        self.setting(name).expect("it is a key").value()
    }

    fn number(&self, name: &str) -> u64 {
        let number = self.value(name).text.parse();
        number.expect("values are checked")
    }

    /// For how many seconds to wait for another command that writes.
    pub(crate) fn lock_timeout(&self) -> u64 {
        self.number("lockTimeout")
    }

    /// After how many new snapshots the store is collected; 0 for never.
    pub(crate) fn gc_auto(&self) -> u64 {
        self.number("gcAuto")
    }

    /// How large the store may be; `None` for any size.
    pub(crate) fn max_bytes(&self) -> Option<u64> {
        let bytes = bytes_of(&self.value("maxSize").text);
        Some(bytes.expect("values are checked")).filter(|&bytes| bytes > 0)
    }

    /// Whether requests about symbols are recorded on this machine.
    pub(crate) fn records_accesses(&self) -> bool {
        self.value("accessHistory").text != "off"
    }

    /// The target framework to look at, where one is chosen.
    pub(crate) fn tfm(&self) -> Option<String> {
        let text = Some(self.value("tfm").text.clone());
        text.filter(|text| !text.is_empty() && !is_every_framework(text))
    }

    /// Whether answers unite those for all target frameworks.
    pub(crate) fn unites_frameworks(&self) -> bool {
        is_every_framework(&self.value("tfm").text)
    }

    /// How bad each kind of stale context is.
    pub(crate) fn check_policy(&self) -> String {
        self.value("checkPolicy").text.clone()
    }

    /// What an edit needs before it is applied.
    pub(crate) fn review_needed(&self, repo: &Repository) -> ReviewNeeded {
        match self.value("requireReview").text.as_str() {
            "never" => ReviewNeeded::Nothing,
            "signature" => ReviewNeeded::Signature(allowed_signers(repo)),
            _ => ReviewNeeded::Approval,
        }
    }

    /// What edits are verified with, where the user configured that.
    pub(crate) fn verify_with(&self) -> Option<VerifyWith> {
        let command = self.value("verify").text.trim().to_owned();
        let allowed = self.value("verifyAllow").text.clone();
        let seconds = self.value("verifyTimeout").text.parse().unwrap_or(600);
        (!command.is_empty()).then(|| VerifyWith {
            command,
            allowed: (allowed.split(',').map(str::trim))
                .filter(|it| !it.is_empty())
                .map(str::to_owned)
                .collect(),
            timeout: Duration::from_secs(seconds),
        })
    }

    /// Whether commands ask a daemon, and whether they start one.
    pub(crate) fn daemon(&self) -> DaemonUse {
        match self.value("daemon").text.as_str() {
            "off" => DaemonUse::Off,
            "auto" => DaemonUse::Auto,
            _ => DaemonUse::Running,
        }
    }

    /// The folder of the index, as it is written, and who says so.
    pub(crate) fn dir(&self) -> &Value {
        self.value("dir")
    }
}

/// Whether a text in the place of a target framework means all of them.
pub(crate) fn is_every_framework(text: &str) -> bool {
    text.eq_ignore_ascii_case("all")
}

/// Why a value does not count.
fn problem(key: &Key, text: &str, (origin, before): (&Origin, Option<&str>)) -> Option<String> {
    if key.name == "requireReview" && *origin == Origin::Repository {
        let is_stricter = strictness(text) > before.and_then(strictness);
        return (!is_stricter)
            .then(|| "a repository may only ask for more than its user does".to_owned());
    }
    let is_allowed = match origin {
        Origin::Repository => key.setters == Setters::Everyone,
        Origin::Git(ConfigOwner::Repository, _) => key.setters != Setters::User,
        _ => true,
    };
    if !is_allowed {
        return Some("a repository may not set it".to_owned());
    }
    let is_valid = *origin == Origin::BuiltIn || (key.is_valid)(text);
    (!is_valid).then(|| format!("it is not {}", key.expects))
}

/// How strict a policy of reviews is; `None` for what is none.
fn strictness(policy: &str) -> Option<u8> {
    match policy {
        "never" => Some(0),
        "terminal" => Some(1),
        "signature" => Some(2),
        _ => None,
    }
}

/// The file of allowed signers in the user's configuration of git; `None` where there is none that can be found from
/// everywhere.
pub(crate) fn allowed_signers(repo: &Repository) -> Option<PathBuf> {
    let values = repo.config_values_below(("gpg", Some("ssh")), "allowedSignersFile");
    let is_of_user = |owner: ConfigOwner| matches!(owner, ConfigOwner::System | ConfigOwner::User);
    let text = values.into_iter().rfind(|it| is_of_user(it.owner))?.text;
    let path = match text.strip_prefix("~/") {
        Some(rest) => std::env::home_dir()?.join(rest),
        None => PathBuf::from(text),
    };
    path.is_absolute().then_some(path)
}

/// `git-cortex/config.toml` in the folder of the user's configuration.
fn user_file(variables: &Variables) -> Option<PathBuf> {
    let folder = variables("XDG_CONFIG_HOME").map(PathBuf::from);
    let folder = folder.filter(|folder| folder.is_absolute());
    let folder = folder.or_else(|| std::env::home_dir().map(|home| home.join(".config")))?;
    Some(folder.join("git-cortex").join("config.toml"))
}

/// The text of the repository's file: of the work tree, or of `HEAD` where there is none.
fn committed_text(repo: &Repository) -> Result<Option<String>, GitError> {
    let path = RepoPath::from(COMMITTED);
    if repo.work_dir().is_some() {
        let file = repo.work_file(&path);
        let file = file.filter(|file| file.n_bytes <= MAX_BYTES);
        return Ok(file.and_then(|file| std::fs::read_to_string(file.path).ok()));
    }
    text_at_head(repo)
}

/// The text of the repository's file in `HEAD`.
fn text_at_head(repo: &Repository) -> Result<Option<String>, GitError> {
    let path = RepoPath::from(COMMITTED);
    // Where there is no commit yet.
    let Ok(head) = repo.resolve("HEAD") else {
        return Ok(None);
    };
    let files = repo.folder_files(repo.commit(head)?.tree, ".context")?;
    let Some(file) = files.into_iter().find(|file| file.path == path) else {
        return Ok(None);
    };
    let mut blobs = repo.blobs();
    if blobs.header_size(file.blob)? > MAX_BYTES {
        return Ok(None);
    }
    Ok(String::from_utf8(blobs.read(file.blob)?).ok())
}

/// The values of a file, by name; what means nothing becomes a note.
fn file_values(
    text: &str,
    place: &str,
    tables: &[&str],
    notes: &mut Vec<String>,
) -> Vec<(String, String)> {
    let table: toml::Table = match text.parse() {
        Ok(table) => table,
        Err(error) => {
            let error: toml::de::Error = error;
            let line = error
                .span()
                .map(|span| text[..span.start].lines().count().max(1));
            let line = line.map_or(String::new(), |line| format!(":{line}"));
            notes.push(format!("{place}{line} is not read: {}", error.message()));
            return Vec::new();
        }
    };
    let known: BTreeSet<String> = KEYS.iter().map(|key| key.name.to_lowercase()).collect();
    let mut out = Vec::new();
    for (name, value) in table {
        let text = match value {
            toml::Value::String(text) => Some(text),
            toml::Value::Integer(number) => Some(number.to_string()),
            _ => None,
        };
        match text {
            Some(text) if known.contains(&name.to_lowercase()) => out.push((name, text)),
            _ if tables.contains(&name.as_str()) => {}
            _ if known.contains(&name.to_lowercase()) => {
                notes.push(format!(
                    "{place} has `{name}`, which must be a text or a number"
                ));
            }
            _ => notes.push(format!("{place} has `{name}`, which means nothing")),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::{KEYS, bytes_of};

    #[test]
    fn sizes_are_written_as_for_git() {
        let sizes = ["0", "512", "3k", "20M", "2g"].map(bytes_of);
        let expected = [0, 512, 3 << 10, 20 << 20, 2 << 30].map(Some);
        assert_eq!(sizes, expected);
        assert_eq!(["", "g", "two", "-1", "1t"].map(bytes_of), [None; 5]);
        assert_eq!(bytes_of("99999999999g"), None);
    }

    #[test]
    fn what_is_built_in_is_valid() {
        for key in KEYS.iter().filter(|key| !key.default.is_empty()) {
            assert!((key.is_valid)(key.default), "{}", key.name);
        }
    }
}
