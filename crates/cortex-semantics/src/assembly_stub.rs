//! STUB until cortex-metadata has it.
use cortex_metadata::{ExternalMember, ExternalType, TypeRow};
pub struct Assembly;
impl Assembly {
    pub fn name(&self) -> &str {
        ""
    }
    pub fn find(&self, _: &str, _: &str, _: u16) -> Option<TypeRow> {
        None
    }
    pub fn named(&self, _: &str, _: &str) -> impl Iterator<Item = (u16, TypeRow)> {
        std::iter::empty()
    }
    pub fn nested(&self, _: TypeRow) -> &[TypeRow] {
        &[]
    }
    pub fn forwarded(&self, _: &str, _: &str, _: u16) -> Option<&str> {
        None
    }
    pub fn has_namespace(&self, _: &str) -> bool {
        false
    }
    pub fn type_def(&self, _: TypeRow) -> ExternalType {
        todo!()
    }
    pub fn members(&self, _: TypeRow) -> Vec<ExternalMember> {
        Vec::new()
    }
    pub fn extension_methods(&self, _: &str) -> &[TypeRow] {
        &[]
    }
    pub fn friends(&self) -> &[String] {
        &[]
    }
}
