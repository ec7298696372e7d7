//! Ids of git objects, by kind. Both object formats (SHA-1 and SHA-256) fit.

use std::fmt;

use serde::{Deserialize, Serialize};

/// The id of a git object: 20 bytes (SHA-1) or 32 bytes (SHA-256).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ObjectId {
    bytes: [u8; 32],
    // Invariant: 20 or 32, and bytes past it are zero.
    len: u8,
}

impl ObjectId {
    /// Takes an id as raw bytes; `None` unless there are 20 or 32 of them.
    pub fn from_slice(raw: &[u8]) -> Option<Self> {
        if raw.len() != 20 && raw.len() != 32 {
            return None;
        }
        let mut bytes = [0; 32];
        bytes[..raw.len()].copy_from_slice(raw);
        Some(Self {
            bytes,
            len: raw.len() as u8,
        })
    }

    /// Takes an id as 40 or 64 hexadecimal digits.
    pub fn from_hex(hex: &str) -> Option<Self> {
        if !hex.is_ascii() || !hex.len().is_multiple_of(2) {
            return None;
        }
        let raw: Option<Vec<u8>> = (0..hex.len() / 2)
            .map(|i| u8::from_str_radix(&hex[2 * i..2 * i + 2], 16).ok())
            .collect();
        Self::from_slice(&raw?)
    }

    /// The raw bytes, 20 or 32.
    pub fn as_slice(&self) -> &[u8] {
        &self.bytes[..usize::from(self.len)]
    }

    /// The first 10 hexadecimal digits, as git abbreviates in a repository of middle size.
    pub fn short(&self) -> String {
        let mut text = self.to_string();
        text.truncate(10);
        text
    }
}

impl fmt::Display for ObjectId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.as_slice()
            .iter()
            .try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

impl fmt::Debug for ObjectId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl Serialize for ObjectId {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        if serializer.is_human_readable() {
            serializer.collect_str(self)
        } else {
            serializer.serialize_bytes(self.as_slice())
        }
    }
}

impl schemars::JsonSchema for ObjectId {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "ObjectId".into()
    }

    fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
        schemars::json_schema!({ "type": "string", "pattern": "^[0-9a-f]+$" })
    }
}

impl<'de> Deserialize<'de> for ObjectId {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        use serde::de::Error;
        if deserializer.is_human_readable() {
            let hex = String::deserialize(deserializer)?;
            Self::from_hex(&hex).ok_or_else(|| D::Error::custom("not an object id"))
        } else {
            let raw: serde_bytes::ByteBuf = Deserialize::deserialize(deserializer)?;
            Self::from_slice(&raw).ok_or_else(|| D::Error::custom("not an object id"))
        }
    }
}

macro_rules! object_id {
    ($($(#[$doc:meta])* $name:ident),*) => {$(
        $(#[$doc])*
        #[derive(
            Clone,
            Copy,
            PartialEq,
            Eq,
            PartialOrd,
            Ord,
            Hash,
            Debug,
            Serialize,
            Deserialize,
            schemars::JsonSchema,
        )]
        #[serde(transparent)]
        pub struct $name(pub ObjectId);

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                fmt::Display::fmt(&self.0, f)
            }
        }
    )*};
}

object_id! {
    /// The id of a blob: the content of one file.
    BlobId,
    /// The id of a tree: the content of one folder.
    TreeId,
    /// The id of a commit.
    CommitId
}

#[cfg(test)]
mod tests {
    use super::ObjectId;

    #[test]
    fn hexadecimal_round_trips_in_both_formats() {
        for hex in ["09bb545d72969ad7fb4ea07db0d5c34f4fc07877", &"0f".repeat(32)] {
            assert_eq!(ObjectId::from_hex(hex).expect("valid").to_string(), hex);
        }
        assert_eq!(ObjectId::from_hex("09bb"), None);
        assert_eq!(ObjectId::from_hex("xx".repeat(20).as_str()), None);
    }
}
