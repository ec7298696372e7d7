//! That what is read is what was written, and that nothing else is read.

use crate::names::{
    MemberRow, Spot, TypeRow,
    code::{NameTable, encode},
    sort,
};

use cortex_model::{Accessibility, DeclKind, RepoPath, TypeKey, TypeKind};
use proptest::prelude::*;

fn spot() -> impl Strategy<Value = Spot> {
    ("[a-cü/]{1,6}", 1..500_u32, 1..200_u32).prop_map(|(path, line, column)| Spot {
        path: RepoPath::from(path),
        line,
        column,
    })
}

fn member() -> impl Strategy<Value = MemberRow> {
    ("[A-Dü]{1,4}", 9..15_usize, 0..4_usize, spot()).prop_map(
        |(name, kind, accessibility, spot)| MemberRow {
            name,
            kind: DeclKind::ALL[kind],
            accessibility: Accessibility::ALL[accessibility],
            at: 0,
            spot,
        },
    )
}

fn rows() -> impl Strategy<Value = Vec<TypeRow>> {
    let ty = (
        any::<[u8; 14]>(),
        "[A-C]{1,3}(\\.[A-Cß]{1,3}){0,2}",
        spot(),
        prop::collection::vec(member(), 0..5),
        any::<u32>(),
    );
    let row = ty.prop_map(|(key, fqn, at, mut members, fan_in)| {
        for (nth, member) in members.iter_mut().enumerate() {
            member.at = nth as u32;
        }
        TypeRow {
            key: TypeKey::from_bytes(key),
            fqn,
            kind: TypeKind::Class,
            accessibility: Accessibility::Public,
            project: at.path.clone(),
            at,
            fan_in,
            members,
        }
    });
    prop::collection::vec(row, 0..12).prop_map(|mut rows| {
        sort(&mut rows);
        rows
    })
}

proptest! {
    #[test]
    fn what_is_written_is_read(rows in rows()) {
        let table = NameTable::decode(encode(&rows)).expect("it is sound");
        prop_assert_eq!(table.rows(), rows);
    }

    #[test]
    fn no_bytes_are_too_odd(
        rows in rows(),
        part in 0..5_usize,
        at in any::<prop::sample::Index>(),
        byte in any::<u8>(),
    ) {
        let mut parts = encode(&rows);
        let at = at.index(parts[part].len());
        parts[part][at] = byte;
        if let Some(table) = NameTable::decode(parts) {
            table.each_name(&mut |_, _, called| {
                called.take(1_000).for_each(|it| _ = table.path(&it));
                true
            });
        }
    }
}
