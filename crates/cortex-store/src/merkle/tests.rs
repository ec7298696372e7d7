//! Laws of maps, against `BTreeMap` as the model.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::ControlFlow;

use proptest::collection::{btree_map, vec};
use proptest::prelude::*;

use super::*;

type Model = BTreeMap<Vec<u8>, Vec<u8>>;

fn build(model: &Model, pages: &mut MemoryPages) -> MapRoot {
    let changes: Vec<Change> = model
        .iter()
        .map(|(key, value)| (key.clone(), Some(value.clone())))
        .collect();
    apply(MapRoot::EMPTY, &changes, pages)
}

fn apply(root: MapRoot, changes: &[Change], pages: &mut MemoryPages) -> MapRoot {
    let mut new = MemoryPages::default();
    let root = update(root, changes, pages, &mut new).expect("sound pages");
    for (hash, page) in new.iter() {
        check_page(page).expect("written pages are well-formed");
        pages.put(hash, page.to_vec());
    }
    root
}

fn entries(root: MapRoot, prefix: &[u8], pages: &MemoryPages) -> Vec<(Vec<u8>, Vec<u8>)> {
    let mut all = Vec::new();
    scan_prefix(root, prefix, pages, &mut |key, value| {
        all.push((key.to_vec(), value.to_vec()));
        ControlFlow::Continue(())
    })
    .expect("sound pages");
    all
}

/// Keys of three kinds: few bytes that are prefixes of each other, hashes, and paths.
fn key() -> impl Strategy<Value = Vec<u8>> {
    prop_oneof![
        vec(0u8..4, 1..6),
        any::<[u8; 16]>().prop_map(|key| key.to_vec()),
        "src/[ab]{1,2}/[A-C]{1,20}\\.cs".prop_map(String::into_bytes),
    ]
}

fn value() -> impl Strategy<Value = Vec<u8>> {
    prop_oneof![
        8 => vec(any::<u8>(), 0..60),
        1 => (100usize..1500).prop_map(|len| vec![7; len]),
        1 => (3000usize..9000).prop_map(|len| vec![8; len]),
    ]
}

fn model(entries: std::ops::Range<usize>) -> impl Strategy<Value = Model> {
    btree_map(key(), value(), entries)
}

/// Changes of a model: some of its keys deleted or set, and some new keys.
fn changes_of(model: &Model) -> impl Strategy<Value = Vec<Change>> + use<> {
    let keys: Vec<Vec<u8>> = model.keys().cloned().collect();
    let old = if keys.is_empty() {
        Just(Vec::new()).boxed()
    } else {
        let deleted_more = prop_oneof![3 => Just(None), 1 => value().prop_map(Some)];
        let n_keys = keys.len();
        vec((prop::sample::select(keys), deleted_more), 0..=n_keys).boxed()
    };
    let new = vec(
        (
            key(),
            prop_oneof![1 => Just(None), 4 => value().prop_map(Some)],
        ),
        0..30,
    );
    (old, new).prop_map(|(old, new)| {
        let all: BTreeMap<_, _> = old.into_iter().chain(new).collect();
        all.into_iter().collect()
    })
}

fn changed(model: &Model, changes: &[Change]) -> Model {
    let mut model = model.clone();
    for (key, value) in changes {
        match value {
            Some(value) => model.insert(key.clone(), value.clone()),
            None => model.remove(key),
        };
    }
    model
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(160))]

    #[test]
    fn updates_equal_those_of_a_btree_map_and_a_fresh_build(
        (model, batches) in model(0..400).prop_flat_map(|model| {
            let batches = vec(changes_of(&model), 1..4);
            (Just(model), batches)
        })
    ) {
        let mut pages = MemoryPages::default();
        let mut model = model;
        let mut root = build(&model, &mut pages);
        for changes in batches {
            root = apply(root, &changes, &mut pages);
            model = changed(&model, &changes);
            let mut fresh = MemoryPages::default();
            prop_assert_eq!(root, build(&model, &mut fresh));
            prop_assert_eq!(len(root, &pages).expect("sound"), model.len() as u64);
            let listed = entries(root, b"", &pages);
            prop_assert!(listed.iter().map(|(k, v)| (k, v)).eq(model.iter()));
            for (key, _) in &changes {
                prop_assert_eq!(get(root, key, &pages).expect("sound"), model.get(key).cloned());
            }
        }
    }

    #[test]
    fn the_root_depends_on_the_content_only(
        (entries, cuts) in model(0..300).prop_flat_map(|model| {
            let entries: Vec<_> = model.into_iter().collect();
            (Just(entries).prop_shuffle(), vec(1usize..60, 1..20))
        })
    ) {
        let model: Model = entries.iter().cloned().collect();
        let mut pages = MemoryPages::default();
        let whole = build(&model, &mut pages);
        let mut root = MapRoot::EMPTY;
        let mut rest = entries.as_slice();
        let mut cuts = cuts.into_iter().cycle();
        while !rest.is_empty() {
            let (batch, left) = rest.split_at(cuts.next().unwrap_or(1).min(rest.len()));
            let mut batch: Vec<Change> =
                batch.iter().map(|(key, value)| (key.clone(), Some(value.clone()))).collect();
            batch.sort();
            root = apply(root, &batch, &mut pages);
            rest = left;
        }
        prop_assert_eq!(root, whole);
    }

    #[test]
    fn the_difference_is_the_naive_one(
        (old, changes) in model(0..300).prop_flat_map(|model| {
            let changes = changes_of(&model);
            (Just(model), changes)
        })
    ) {
        let new = changed(&old, &changes);
        let mut pages = MemoryPages::default();
        let (a, b) = (build(&old, &mut pages), build(&new, &mut pages));
        let keys: BTreeSet<_> = old.keys().chain(new.keys()).collect();
        let naive: Vec<_> = keys
            .into_iter()
            .map(|key| (key.clone(), old.get(key).cloned(), new.get(key).cloned()))
            .filter(|(_, old, new)| old != new)
            .collect();
        let mut seen = Vec::new();
        diff(a, b, &pages, &mut |key, old, new| {
            seen.push((key.to_vec(), old.map(<[u8]>::to_vec), new.map(<[u8]>::to_vec)));
        }).expect("sound");
        prop_assert_eq!(seen, naive);
    }

    #[test]
    fn a_prefix_gives_the_range_of_a_btree_map(model in model(0..300), prefix in vec(0u8..4, 0..4),
        text in "s?r?c?/?[ab]?") {
        let mut pages = MemoryPages::default();
        let root = build(&model, &mut pages);
        for prefix in [prefix, text.into_bytes()] {
            let expected: Vec<_> = model
                .range(prefix.clone()..)
                .take_while(|(key, _)| key.starts_with(&prefix))
                .map(|(key, value)| (key.clone(), value.clone()))
                .collect();
            prop_assert_eq!(entries(root, &prefix, &pages), expected);
        }
    }

    #[test]
    fn any_bytes_are_a_page_or_refused(bytes in vec(any::<u8>(), 0..200), kind in 0u8..3) {
        let mut bytes = bytes;
        if let Some(first) = bytes.first_mut() && kind < 2 {
            *first = 0x10 + kind;
        }
        if let Ok(parts) = check_page(&bytes) {
            prop_assert!(parts <= bytes.len() as u64);
        }
    }

    #[test]
    fn walks_over_forged_pages_end(model in model(20..200), flips in vec((any::<prop::sample::Index>(),
        any::<prop::sample::Index>(), 0u8..8), 1..8), key in key()) {
        let mut sound = MemoryPages::default();
        let root = build(&model, &mut sound);
        // Pages under their old names with other content: what a broken hash function would give.
        let mut pages: Vec<(PageHash, Vec<u8>)> =
            sound.iter().map(|(hash, page)| (hash, page.to_vec())).collect();
        for (page, byte, bit) in flips {
            let page = page.index(pages.len());
            let page = &mut pages[page].1;
            let byte = byte.index(page.len());
            page[byte] ^= 1 << bit;
        }
        let mut forged = MemoryPages::default();
        for (hash, page) in pages {
            forged.put(hash, page);
        }
        let mut n_visits = 0u64;
        let _ = scan_prefix(root, b"", &forged, &mut |_, _| { n_visits += 1; ControlFlow::Continue(()) });
        let _ = walk_pages(root, &forged, &mut |_| { n_visits += 1; Walk::Enter });
        let _ = diff(root, MapRoot::EMPTY, &forged, &mut |_, _, _| n_visits += 1);
        let _ = get(root, &key, &forged);
        let _ = update(root, &[(key, Some(vec![1]))], &forged, &mut MemoryPages::default());
        prop_assert!(n_visits <= 8 * model.len() as u64 + 100);
        prop_assert!(forged.n_reads() <= 8 * model.len() as u64 + 200);
    }
}

fn numbered(n: u32) -> Model {
    (0..n)
        .map(|i| {
            let key = cortex_model::Hash::of(&i.to_le_bytes()).as_bytes()[..16].to_vec();
            (key, format!("value of entry {i}").into_bytes())
        })
        .collect()
}

#[test]
fn one_change_in_a_large_map_touches_one_path() {
    let model = numbered(20_000);
    let mut pages = MemoryPages::default();
    let root = build(&model, &mut pages);
    let total = pages.iter().count() as u64;
    for (key, _) in model.iter().step_by(997) {
        let before = pages.n_reads();
        let mut new = MemoryPages::default();
        let changed =
            update(root, &[(key.clone(), Some(vec![1; 9]))], &pages, &mut new).expect("sound");
        assert!(
            new.iter().count() <= 20,
            "{} pages written",
            new.iter().count()
        );
        assert!(pages.n_reads() - before <= 22);
        for (hash, page) in new.iter() {
            pages.put(hash, page.to_vec());
        }
        let before = pages.n_reads();
        let mut seen = Vec::new();
        diff(root, changed, &pages, &mut |key, _, _| {
            seen.push(key.to_vec())
        })
        .expect("sound");
        assert_eq!(seen, std::slice::from_ref(key));
        assert!(pages.n_reads() - before <= 44);
    }
    assert!(total > 250);
}

#[test]
fn pages_are_filled_and_a_walk_meets_each_once() {
    for n in [3_000, 7_000, 20_000, 50_000] {
        let model = numbered(n);
        let mut pages = MemoryPages::default();
        let root = build(&model, &mut pages);
        let bytes: usize = pages.iter().map(|(_, page)| page.len()).sum();
        let content: usize = model
            .iter()
            .map(|(key, value)| key.len() + value.len())
            .sum();
        let n_pages = pages.iter().count();
        assert!(bytes < content * 23 / 20, "{bytes} bytes for {content}");
        assert!(bytes / n_pages > 2000, "pages of {} bytes", bytes / n_pages);
        let mut seen = BTreeSet::new();
        walk_pages(root, &pages, &mut |hash| {
            assert!(seen.insert(hash));
            Walk::Enter
        })
        .expect("sound");
        assert_eq!(seen.len(), n_pages);
    }
}

#[test]
fn the_longest_keys_nest_to_the_last_nibble() {
    let mut model = Model::new();
    for len in 1..=MAX_KEY_BYTES {
        model.insert(vec![0x11; len], vec![1; 2500]);
        let mut key = vec![0x11; len];
        key[len - 1] = 0x12;
        model.insert(key, vec![2; 2500]);
    }
    let mut pages = MemoryPages::default();
    let root = build(&model, &mut pages);
    assert!(entries(root, b"", &pages).into_iter().eq(model.clone()));
    let deletes: Vec<Change> = model
        .keys()
        .skip(1)
        .map(|key| (key.clone(), None))
        .collect();
    let left = apply(root, &deletes, &mut pages);
    assert_eq!(entries(left, b"", &pages).len(), 1);
    assert_eq!(
        apply(left, &[(vec![0x11], None)], &mut pages),
        MapRoot::EMPTY
    );
}

#[test]
fn changes_out_of_order_and_bad_keys_are_refused() {
    let mut pages = MemoryPages::default();
    for changes in [
        vec![(vec![2], None), (vec![1], None)],
        vec![(vec![1], None), (vec![1], None)],
        vec![(vec![], None)],
        vec![(vec![0; 65], None)],
    ] {
        let refused = update(
            MapRoot::EMPTY,
            &changes,
            &MemoryPages::default(),
            &mut pages,
        );
        assert!(matches!(refused, Err(StoreError::InvalidChange(_))));
    }
}

#[test]
fn the_bytes_of_pages_are_those_of_version_1() {
    let mut pages = MemoryPages::default();
    let small = Model::from([
        (b"abc".to_vec(), b"1".to_vec()),
        (b"abd".to_vec(), b"".to_vec()),
    ]);
    let root = build(&small, &mut pages).page().expect("not empty");
    let bytes = pages.page(root).expect("stored");
    assert_eq!(&*bytes, b"\x10\x02\x00\x03\x01abc1\x02\x01\x00d");
    let large = build(&numbered(5_000), &mut pages)
        .page()
        .expect("not empty");
    assert_eq!(
        large.to_string(),
        "a85a2c01439ce02835e669960a4dbf89",
        "a change of this hash is a new format version"
    );
}
