//! What a place does with the symbol that it uses: the roles of answers from what binding found.

use cortex_model::EdgeKind;
use cortex_semantics::How;
use cortex_wire::Role;

/// The role of a place that names a symbol.
pub fn role_of_name(kind: EdgeKind) -> Role {
    match kind {
        EdgeKind::Inherits | EdgeKind::Implements => Role::Base,
        EdgeKind::Constraint => Role::Constraint,
        EdgeKind::Attribute => Role::Attribute,
        EdgeKind::Field => Role::Field,
        EdgeKind::Property => Role::Property,
        EdgeKind::Event => Role::Event,
        EdgeKind::Parameter => Role::Parameter,
        EdgeKind::Return => Role::Return,
        EdgeKind::Nested => Role::Nested,
        EdgeKind::Creates => Role::Creation,
        EdgeKind::Calls | EdgeKind::Extension => Role::Call,
        EdgeKind::Reads => Role::Read,
        EdgeKind::Writes => Role::Write,
        EdgeKind::Casts => Role::Cast,
        EdgeKind::Pattern => Role::Pattern,
        EdgeKind::TypeOf => Role::Typeof,
        EdgeKind::Static => Role::Static,
        EdgeKind::Local => Role::Local,
        EdgeKind::Throws => Role::Throw,
        EdgeKind::Catches => Role::Catch,
        EdgeKind::Doc => Role::Doc,
    }
}

/// The role of a place that uses a member without naming it.
pub fn role_of_use(how: How) -> Role {
    match how {
        How::New => Role::Creation,
        How::Index => Role::Index,
        How::Operator => Role::Operator,
        How::Conversion => Role::Conversion,
        How::Add => Role::Add,
        How::Foreach => Role::Foreach,
        How::Deconstruct => Role::Deconstruct,
        How::Await => Role::Await,
        How::Query => Role::Query,
        How::Dispose => Role::Dispose,
        How::Other => Role::Other,
    }
}
