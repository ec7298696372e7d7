//! Keys of a snapshot's maps. Each starts with a hash, so that maps stay balanced, and with what
//! is asked for, so that a prefix scan answers.

use cortex_model::{Hash, RepoPath, TypeKey};
use xxhash_rust::xxh3::xxh3_128;

/// types: the whole key.
pub(crate) fn ty(key: TypeKey) -> Vec<u8> {
    key.as_bytes().to_vec()
}

/// users: (target, type that depends on it).
pub(crate) fn dependent(target: TypeKey, user: TypeKey) -> Vec<u8> {
    [&dependents_prefix(target), user.as_bytes().as_slice()].concat()
}

/// The part of the keys of dependents that the target decides.
pub(crate) fn dependents_prefix(target: TypeKey) -> [u8; TYPE + 1] {
    below_type(target, DEPENDENT)
}

/// The target of a key of dependents; `None` for other keys.
pub(crate) fn target_of_dependent(key: &[u8]) -> Option<TypeKey> {
    let (target, rest) = key.split_first_chunk::<TYPE>()?;
    (rest.first() == Some(&DEPENDENT)).then(|| TypeKey::from_bytes(*target))
}

fn below_type(key: TypeKey, kind: u8) -> [u8; TYPE + 1] {
    let mut out = [kind; TYPE + 1];
    out[..TYPE].copy_from_slice(key.as_bytes());
    out
}

/// How many bytes the key of a type has.
const TYPE: usize = 14;
const DEPENDENT: u8 = 1;
const REFERRER: u8 = 2;

/// tables: the path. Files of one folder are neighbors: what they say is alike.
pub(crate) fn table(path: &RepoPath) -> [u8; TABLE] {
    let folder = (path.as_str().rsplit_once('/')).map_or("", |(folder, _)| folder);
    let mut key = [0; TABLE];
    key[..1].copy_from_slice(&strong::<1>(folder));
    key[1..].copy_from_slice(&strong::<FILE>(path.as_str()));
    key
}

/// How many bytes a tables key has.
const TABLE: usize = 1 + FILE;

/// What names and types keep of a tables key: another table that has the same costs a needless look at it.
pub(crate) fn table_prefix(path: &RepoPath) -> TablePrefix {
    let key = table(path);
    std::array::from_fn(|i| key[i])
}

/// The bytes of a tables key that are kept.
pub(crate) type TablePrefix = [u8; 3];

/// names: (lower-case simple name, table).
pub(crate) fn name(name: &str, table: TablePrefix) -> Vec<u8> {
    [name_prefix(name).as_slice(), &table].concat()
}

/// The part of a names key that a name decides.
pub(crate) fn name_prefix(name: &str) -> [u8; 6] {
    first(name.to_lowercase().as_bytes())
}

/// namespaces: (namespace, type in it).
pub(crate) fn namespace_type(namespace: &str, key: TypeKey) -> Vec<u8> {
    [namespace_prefix(namespace).as_slice(), key.as_bytes()].concat()
}

/// namespaces: (namespace, namespace directly below it).
pub(crate) fn namespace_child(namespace: &str, child: &str) -> Vec<u8> {
    [
        namespace_prefix(namespace).as_slice(),
        &namespace_prefix(child),
    ]
    .concat()
}

/// The part of a namespaces key that the namespace decides.
pub(crate) fn namespace_prefix(namespace: &str) -> [u8; 10] {
    strong(namespace)
}

/// files: the path.
pub(crate) fn file(path: &RepoPath) -> Vec<u8> {
    strong::<FILE>(path.as_str()).to_vec()
}

/// How many bytes a files key has.
const FILE: usize = 10;

/// mentions: (identifier, file). Short on purpose: a collision costs a needless look at a file.
pub(crate) fn mention(identifier: &str, path: &RepoPath) -> Mention {
    let mut key = [0; MENTION_NAME + MENTION_FILE];
    let (name, file) = key.split_at_mut(MENTION_NAME);
    name.copy_from_slice(&mention_prefix(identifier));
    file.copy_from_slice(&mention_file(path));
    key
}

/// A key of mentions.
pub(crate) type Mention = [u8; MENTION_NAME + MENTION_FILE];

/// How many bytes of a mentions key the identifier decides.
const MENTION_NAME: usize = 6;

/// How many bytes of a files key a mention keeps.
pub(crate) const MENTION_FILE: usize = 3;

/// What a mention keeps of a files key. Files that share it share their entries.
pub(crate) type MentionFile = [u8; MENTION_FILE];

/// What mentions and users keep of a path.
pub(crate) fn mention_file(path: &RepoPath) -> MentionFile {
    let key = strong::<FILE>(path.as_str());
    std::array::from_fn(|i| key[i])
}

/// The part of a mentions key that the identifier decides.
pub(crate) fn mention_prefix(identifier: &str) -> [u8; MENTION_NAME] {
    first(identifier.as_bytes())
}

/// uses: (table of the file, project).
pub(crate) fn uses(path: &RepoPath, project: &RepoPath) -> Vec<u8> {
    [table(path).as_slice(), &strong::<4>(project.as_str())].concat()
}

/// The files key of the file that a uses key is of.
pub(crate) fn file_of_uses(key: &[u8]) -> &[u8] {
    key.get(1..TABLE).unwrap_or_default()
}

/// projects: the path.
pub(crate) fn project(path: &RepoPath) -> Vec<u8> {
    strong::<10>(path.as_str()).to_vec()
}

fn first<const N: usize>(bytes: &[u8]) -> [u8; N] {
    let hash = xxh3_128(bytes).to_be_bytes();
    std::array::from_fn(|i| hash[i])
}

fn strong<const N: usize>(text: &str) -> [u8; N] {
    let hash = Hash::of(text.as_bytes());
    std::array::from_fn(|i| hash.as_bytes()[i])
}

/// extensions: (member name, type that declares extension members of it). A collision is told apart by
/// the type's declarations.
pub(crate) fn extension(name: &str, key: TypeKey) -> Vec<u8> {
    [extension_prefix(name).as_slice(), key.as_bytes()].concat()
}

/// The part of an extensions key that a name decides.
pub(crate) fn extension_prefix(name: &str) -> [u8; 6] {
    first(name.as_bytes())
}

/// occupied: (namespace, project that declares a type in it or below).
pub(crate) fn occupied(namespace: &str, project: &RepoPath) -> Vec<u8> {
    [
        namespace_prefix(namespace).as_slice(),
        &strong::<6>(project.as_str()),
    ]
    .concat()
}

/// users: (type, file that means it or has a value of it).
pub(crate) fn referrer(target: TypeKey, path: &RepoPath) -> Vec<u8> {
    [referrers_prefix(target).as_slice(), &mention_file(path)].concat()
}

/// The part of the keys of referrers that the type decides.
pub(crate) fn referrers_prefix(target: TypeKey) -> [u8; TYPE + 1] {
    below_type(target, REFERRER)
}
