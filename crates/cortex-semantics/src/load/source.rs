//! STUB (owner: SYMBOLS)
use crate::{
    compilation::Compilation,
    symbol::{MemberTable, TypeDef, TypeHeader},
};
pub(crate) fn header(_c: &Compilation<'_>, _def: &TypeDef) -> TypeHeader {
    TypeHeader::default()
}
pub(crate) fn type_constraints(_c: &Compilation<'_>, _def: &TypeDef) {}
pub(crate) fn members(_c: &Compilation<'_>, _def: &TypeDef) -> MemberTable {
    MemberTable::default()
}
