//! Any bytes read as pages of a Merkle map give entries or an error: every walk ends, also where a
//! page stands for all pages below it.

#![no_main]

use std::{ops::ControlFlow, sync::Arc};

use cortex_store::{
    StoreError,
    merkle::{
        MapRoot, MemoryPages, PageHash, PageSource, Walk, check_page, diff, get, len, scan_prefix,
        update, walk_pages,
    },
};
use libfuzzer_sys::fuzz_target;

/// Answers with the same page, whatever is asked for: what a store without checksums might do.
struct OnePage(Arc<[u8]>);

impl PageSource for OnePage {
    fn page(&self, _: PageHash) -> Result<Arc<[u8]>, StoreError> {
        Ok(Arc::clone(&self.0))
    }
}

fuzz_target!(|bytes: &[u8]| {
    let root = MapRoot::new(Some(PageHash::of(bytes)));
    let source = OnePage(bytes.into());
    let n_parts = check_page(bytes);

    let mut entries = Vec::new();
    let scanned = scan_prefix(root, b"", &source, &mut |key, value| {
        entries.push((key.to_vec(), value.to_vec()));
        ControlFlow::Continue(())
    });
    assert!(
        n_parts.is_ok() || scanned.is_err(),
        "a scan reads all that a check reads"
    );
    assert!(
        entries.is_sorted_by(|a, b| a.0 < b.0),
        "a scan visits keys in order"
    );
    if scanned.is_ok() {
        for (key, value) in &entries {
            let found = get(root, key, &source).expect("the scan has read the page");
            assert_eq!(found.as_ref(), Some(value), "a scanned key is found");
        }
    }

    // No answer is right or wrong for these: they must end, and without a panic.
    let _ = len(root, &source);
    let _ = get(root, bytes, &source);
    let _ = walk_pages(root, &source, &mut |_| Walk::Enter);
    let other = MapRoot::new(Some(PageHash::of(b"another page")));
    let _ = diff(root, other, &source, &mut |_, _, _| {});
    let change = (b"key".to_vec(), Some(b"value".to_vec()));
    let _ = update(root, &[change], &source, &mut MemoryPages::default());
});
