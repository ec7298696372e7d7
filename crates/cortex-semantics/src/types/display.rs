//! Types and members as DocIds and for people. STUB (owner: SYMBOLS)
use crate::{
    compilation::Compilation,
    symbol::{MemberId, TypeId},
};
impl Compilation<'_> {
    /// The documentation id of a type, `T:` included (C# specification, annex D.4.2).
    pub fn type_doc_id(&self, _id: TypeId) -> String {
        String::new()
    }
    /// The documentation id of a member.
    pub fn member_doc_id(&self, _id: MemberId) -> String {
        String::new()
    }
}
