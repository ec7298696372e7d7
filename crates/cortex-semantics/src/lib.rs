//! What every name and expression of C# means: symbols from source and metadata, types, name lookup,
//! conversions, type inference, overload resolution.
//!
//! Owns: the rules of the language, by section of the C# specification. Must not know: git, the store,
//! how a snapshot is kept.

mod binder;
mod caches;
mod compilation;
mod conversions;
mod declared;
mod driver;
mod expr;
mod expression_types;
mod expressions;
mod fingerprint;
mod implementations;
mod load;
mod local_names;
mod name;
mod names;
mod operator_names;
mod operators;
mod output;
mod overload;
mod special;
mod statements;
mod surface;
mod symbol;
mod ty;
mod types;
mod unit;
mod world;

pub use compilation::Compilation;
pub use cortex_bind::{GlobalUsing, InternalsVisible};
pub use declared::member_word;
pub use expression_types::{BoundExpressions, ExpressionType};
pub use fingerprint::{
    AsTheyAre, CARRIED, CallerNames, CallerTextOf, Decision, FilePositions, Fingerprint,
    Fingerprints, Positions, Question,
};
pub use implementations::{Gap, Implementation, Implements, Standing};
pub use local_names::{
    LocalBindings, LocalDeclaration, LocalKind, LocalRole, LocalSymbol, LocalUse,
};
pub use name::{Name, Names, is_special_name, known};
pub use names::{
    Access, Called, Meaning, MemberLookup, Outside, OutsideNames, OutsideNamesOfFile, Position,
    Scope, TypeRefSink,
};
pub use operator_names::operator_name;
pub use output::{
    BoundUnit, Certainty, Findings, How, Misfit, Receiver, Ref, Target, Unbound, Use, Why,
};
pub use overload::ArgumentTraits;
pub use special::Special;
pub use surface::{
    AttributeSurface, InterfaceSurface, MemberKind, MemberSurface, MethodShape, NamedConstant,
    ParamSurface, Place, TypeParamSurface, TypeSurface, Value,
};
pub use symbol::{
    ExternalId, Member, MemberFlags, MemberId, MemberOrigin, MemberTable, Param, ProjectId,
    RefKind, Signature, Sym, TypeDef, TypeFlags, TypeHeader, TypeId, TypeOrigin, TypeParam,
    TypeParamId, TypeParamOwner, UnitId, Variance,
};
pub use ty::{Ty, TyKind};
pub use types::substitute::Substitution;
pub use unit::{Unit, file_names};
pub use world::{ProjectView, UnitKey, World};
