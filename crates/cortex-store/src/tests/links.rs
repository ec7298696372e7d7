//! Symbolic links: nothing is written through one.

use crate::{OpenOptions, Store, StoreError};

#[cfg(unix)]
#[test]
fn a_link_in_the_folder_is_refused_and_nothing_is_written_through_it() {
    for name in [
        "index.redb",
        "index.lock",
        "index.writer",
        "index.pid",
        "index.answers",
    ] {
        let folder = tempfile::tempdir().expect("a folder");
        let outside = tempfile::tempdir().expect("a folder");
        let target = outside.path().join("target");
        std::os::unix::fs::symlink(&target, folder.path().join(name)).expect("a link");
        let opened = Store::open(folder.path(), &OpenOptions::default());
        assert!(
            matches!(opened.map(drop), Err(StoreError::Link { .. })),
            "{name}"
        );
        assert!(!target.exists(), "{name}");
    }
}
