//! SHA-256 with an explicit canonical encoding: what is hashed is a sequence of length-prefixed fields.

use std::fmt;

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use crate::base32;

/// A SHA-256 hash, stored whole and shown short.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Hash([u8; 32]);

impl Hash {
    /// The hash of nothing known: used where a value has no such hash, never equal to a real one.
    pub const ZERO: Self = Self([0; 32]);

    /// Hashes one byte string, without a length prefix (equals `sha256sum`).
    pub fn of(bytes: &[u8]) -> Self {
        Self(Sha256::digest(bytes).into())
    }

    /// Takes a hash as its 32 bytes.
    pub const fn from_bytes(bytes: [u8; 32]) -> Self {
        Self(bytes)
    }

    /// The 32 bytes.
    pub const fn as_bytes(&self) -> &[u8; 32] {
        &self.0
    }

    /// The first 8 bytes as a big-endian number: for in-file tables where 64 bits suffice.
    pub fn to_u64(self) -> u64 {
        let [a, b, c, d, e, f, g, h, ..] = self.0;
        u64::from_be_bytes([a, b, c, d, e, f, g, h])
    }

    /// The 8 characters shown to users.
    pub fn short(&self) -> String {
        self.shortened().to_string()
    }

    /// The first bits.
    pub fn shortened(&self) -> ShortHash {
        let [a, b, c, d, e, ..] = self.0;
        ShortHash([a, b, c, d, e])
    }
}

/// What is shown of a hash: 40 bits, as 8 characters.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct ShortHash([u8; Self::LEN]);

impl ShortHash {
    /// Its length in bytes.
    pub const LEN: usize = 5;

    /// Takes a short hash as its bytes.
    pub const fn from_bytes(bytes: [u8; Self::LEN]) -> Self {
        Self(bytes)
    }

    /// Its bytes.
    pub const fn as_bytes(&self) -> &[u8; Self::LEN] {
        &self.0
    }
}

impl fmt::Display for ShortHash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&base32(&self.0, 8))
    }
}

impl fmt::Debug for ShortHash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl fmt::Debug for Hash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.short())
    }
}

impl Serialize for Hash {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serde_bytes::serialize(&self.0, serializer)
    }
}

impl<'de> Deserialize<'de> for Hash {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        serde_bytes::deserialize(deserializer).map(Self)
    }
}

/// Feeds fields into a hash so that no two different field sequences collide by concatenation.
#[derive(Clone, Default)]
pub struct Hasher(Sha256);

impl Hasher {
    /// Starts a hash in a domain, such as `structure-v1`: the version of what is hashed is part of it.
    pub fn new(domain: &str) -> Self {
        let mut hasher = Self(Sha256::new());
        hasher.field(domain.as_bytes());
        hasher
    }

    /// Adds one byte string with its length before it.
    pub fn field(&mut self, bytes: &[u8]) -> &mut Self {
        self.number(bytes.len() as u64);
        self.0.update(bytes);
        self
    }

    /// Adds one number.
    pub fn number(&mut self, number: u64) -> &mut Self {
        self.0.update(number.to_le_bytes());
        self
    }

    /// Ends the hash.
    pub fn finish(self) -> Hash {
        Hash(self.0.finalize().into())
    }
}
