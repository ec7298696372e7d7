//! Flipped bits: answers are right or absent.

use std::fs;

use super::*;
use crate::Notice;

#[test]
fn whatever_bit_flips_no_answer_is_wrong() {
    let sound = tempfile::tempdir().expect("a folder");
    let store = open(sound.path());
    let mut expected = Expected::default();
    for number in 0..6 {
        let mut batch = store.begin_write().expect("open");
        expected.put(&mut batch, number).expect("staged");
        batch.commit().expect("written");
    }
    store.compact().expect("space");
    drop(store);
    let image = fs::read(sound.path().join("index.redb")).expect("readable");

    let mut random = Random::new(42);
    let (mut n_noticed, mut n_replaced) = (0, 0);
    for round in 0..500 {
        let folder = tempfile::tempdir().expect("a folder");
        let mut damaged = image.clone();
        for _ in 0..1 + round % 5 {
            // A third of the flips into the first pages, which is where the structure is.
            let range = if random.below(3) == 0 {
                64 << 10
            } else {
                damaged.len()
            };
            let byte = random.below(range.min(damaged.len()));
            damaged[byte] ^= 1 << random.below(8);
        }
        fs::write(folder.path().join("index.redb"), &damaged).expect("writable");
        let store = match Store::open(folder.path(), &OpenOptions::default()) {
            Ok(store) => store,
            // A seal makes a flipped schema damage, so no store is taken for a newer one.
            Err(error) => panic!("round {round}: {error}"),
        };
        expected.check_what_is_there(&store);
        let notices = store.take_notices();
        n_noticed += u32::from(!notices.is_empty());
        let is_replaced = |notice: &Notice| matches!(notice, Notice::MovedAside { .. });
        n_replaced += u32::from(notices.iter().any(is_replaced));

        // Everything can be computed again, and then is there.
        let mut again = Expected::default();
        for _ in 0..4 {
            again = Expected::default();
            let rebuilt = store.begin_write().and_then(|mut batch| {
                (0..6).try_for_each(|number| again.put(&mut batch, number))?;
                batch.commit()
            });
            match rebuilt {
                Ok(()) if again.check_what_is_there(&store) == 0 => break,
                Ok(()) | Err(StoreError::Stale | StoreError::DamagedPage(_)) => {}
                Err(error) => panic!("round {round}: {error}"),
            }
        }
        again.check_all(&store);
    }
    assert!(
        n_noticed > 100 && n_replaced > 3,
        "{n_noticed}, {n_replaced}"
    );
}

#[test]
fn no_database_at_all_is_moved_aside() {
    for content in [
        b"not a database".to_vec(),
        vec![0; 100_000],
        vec![0xff; 4096],
    ] {
        let folder = tempfile::tempdir().expect("a folder");
        fs::write(folder.path().join("index.redb"), &content).expect("writable");
        let store = open(folder.path());
        let to = folder.path().join("index.redb.damaged-1");
        let notices = store.take_notices();
        assert!(
            matches!(notices.as_slice(), [Notice::MovedAside { to: path, .. }] if *path == to),
            "{notices:?}"
        );
        assert_eq!(fs::read(to).expect("kept"), content);
        let mut batch = store.begin_write().expect("open");
        let mut expected = Expected::default();
        expected.put(&mut batch, 0).expect("staged");
        batch.commit().expect("written");
        expected.check_all(&store);
    }
}
