//! Hashes of what a project says to the binder: equal hashes, equal binding of equal files.
//!
//! An explicit canonical encoding; its version is part of the hash domain.

use cortex_model::{Hash, Hasher, RepoPath};

use crate::model::{Nullable, Project, UsingKind};

impl Project {
    /// Hashes all that changes how its files bind, except which files those are
    /// ([`Project::sources_digest`]). Notes and other frameworks do not count.
    pub fn digest(&self) -> Hash {
        let mut hasher = Hasher::new("project-v4");
        for text in [
            self.path.as_str(),
            &self.assembly,
            &self.root_namespace,
            &self.tfm,
        ] {
            hasher.field(text.as_bytes());
        }
        texts(&mut hasher, self.symbols.iter().map(String::as_str));
        optional(&mut hasher, self.language_version.as_deref());
        hasher.number(u64::from(self.allows_unsafe));
        hasher.number(match self.nullable {
            Nullable::Disable => 0,
            Nullable::Enable => 1,
            Nullable::Warnings => 2,
            Nullable::Annotations => 3,
        });
        hasher.number(self.usings.len() as u64);
        for using in &self.usings {
            match &using.kind {
                UsingKind::Namespace => hasher.number(0),
                UsingKind::Static => hasher.number(1),
                UsingKind::Alias(name) => hasher.number(2).field(name.as_bytes()),
            };
            hasher.field(using.target.as_bytes());
        }
        texts(&mut hasher, self.references.iter().map(RepoPath::as_str));
        texts(
            &mut hasher,
            self.all_references.iter().map(RepoPath::as_str),
        );
        hasher.number(self.packages.len() as u64);
        for package in &self.packages {
            hasher.field(package.name.as_bytes());
            optional(&mut hasher, package.version.as_deref());
            hasher.number(package.compile as u64);
            hasher.number(package.inheritance as u64);
        }
        hasher.number(self.pinned.len() as u64);
        for package in &self.pinned {
            hasher.field(package.name.as_bytes());
            hasher.field(package.version.as_bytes());
        }
        optional(&mut hasher, self.restore.as_ref().map(RepoPath::as_str));
        texts(&mut hasher, self.libraries.iter().map(RepoPath::as_str));
        texts(&mut hasher, self.frameworks.iter().map(String::as_str));
        texts(&mut hasher, self.friends.iter().map(String::as_str));
        hasher.number(u64::from(self.is_test));
        hasher.finish()
    }

    /// Hashes the list of its source files.
    pub fn sources_digest(&self) -> Hash {
        let mut hasher = Hasher::new("project-sources-v1");
        texts(&mut hasher, self.sources.iter().map(RepoPath::as_str));
        hasher.finish()
    }
}

fn texts<'t>(hasher: &mut Hasher, texts: impl ExactSizeIterator<Item = &'t str>) {
    hasher.number(texts.len() as u64);
    for text in texts {
        hasher.field(text.as_bytes());
    }
}

fn optional(hasher: &mut Hasher, text: Option<&str>) {
    hasher.number(u64::from(text.is_some()));
    hasher.field(text.unwrap_or_default().as_bytes());
}
