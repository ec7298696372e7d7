use proptest::prelude::*;

use super::*;
use crate::model::SigType;

/// The unpacked block of an assembly of the built-in table.
fn block() -> Vec<u8> {
    let table = MetadataTable::built_in().expect("a whole table");
    let mut assemblies = table.framework("Microsoft.NETCore.App");
    let packed = assemblies.find_map(|assembly| match assembly.table() {
        Some(packed) if &*packed.name == "System.Collections.Immutable" => Some(packed),
        _ => None,
    });
    let packed = packed.expect("the assembly was packed");
    packed
        .file
        .unpack(packed.block.clone())
        .expect("a whole block")
}

/// Takes every record; answers how many types had both a name and members.
fn take_all(bytes: Vec<u8>, rows: std::ops::Range<u32>) -> usize {
    let Some(block) = Block::new(bytes) else {
        return 0;
    };
    let full = rows.filter(|&row| {
        let Some((ty, members)) = block.find(row) else {
            return false;
        };
        let take = |bytes| Reader {
            bytes,
            block: &block,
        };
        let ty = ExternalType::take(&mut take(ty));
        let reader = &mut take(members);
        let members = Vec::<ExternalMember>::take(reader);
        let blocks = Vec::<ExternalExtension>::take(reader);
        ty.is_some_and(|ty| !ty.name.is_empty())
            && members.is_some_and(|members| !members.is_empty())
            && blocks.is_some()
    });
    full.count()
}

#[test]
fn a_whole_block_has_whole_records() {
    assert!(take_all(block(), 0..500) > 20);
}

#[test]
fn few_bytes_never_make_a_huge_signature() {
    // No strings; forty signatures, each a function pointer of twice the one before.
    let mut bytes = vec![0, 40, 8];
    for number in 0..39 {
        bytes.extend([7, 2, number, number]);
    }
    bytes.push(0);
    assert!(Block::new(bytes).is_none());
    let whole = Block::new(vec![0, 2, 8, 7, 2, 0, 0, 0]).expect("a small one is whole");
    let mut reader = Reader {
        bytes: &[1],
        block: &whole,
    };
    let pointer = SigType::FunctionPointer(vec![SigType::Dynamic; 2]);
    assert_eq!(SigType::take(&mut reader), Some(pointer));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]
    #[test]
    fn damaged_blocks_never_panic(flips in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..20)) {
        let mut bytes = block();
        for (place, byte) in flips {
            let place = place.index(bytes.len());
            bytes[place] = byte;
        }
        take_all(bytes, 0..300);
    }
}
