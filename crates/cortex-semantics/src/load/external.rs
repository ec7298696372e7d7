//! STUB (owner: SYMBOLS)
use crate::{
    compilation::Compilation,
    symbol::{ExternalId, MemberTable, TypeDef, TypeHeader},
};
use cortex_metadata::TypeRow;
pub(crate) fn header(
    _c: &Compilation<'_>,
    _def: &TypeDef,
    _a: ExternalId,
    _row: TypeRow,
) -> TypeHeader {
    TypeHeader::default()
}
pub(crate) fn type_constraints(
    _c: &Compilation<'_>,
    _def: &TypeDef,
    _a: ExternalId,
    _row: TypeRow,
) {
}
pub(crate) fn members(
    _c: &Compilation<'_>,
    _def: &TypeDef,
    _a: ExternalId,
    _row: TypeRow,
) -> MemberTable {
    MemberTable::default()
}
