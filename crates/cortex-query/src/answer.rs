//! The answer of `diff-context`, uncut: what every rendering is made from.
//!
//! Its JSON form is public: fields are added, never renamed or removed, within one schema version.

mod impact;

pub use cortex_wire::{
    ApiChange, ChangedFile, CodeLine, CodeLineKind, CommitEntry, DiffContext, FileKind, FileNote,
    Frameworks, Hunk, MemberChange, MemberChangeKind, NamespaceMove, Outline, ProjectChange,
    ProjectDamage, Propagated, PropagatedCause, RangeEntry, SideEntry, StaleEntry, Totals,
    TypeChange, TypeRef,
};

pub(crate) use cortex_wire::Severity;
pub use impact::{
    Certainty, Impact, ImpactedType, LineUse, NextUser, Registration, SymbolImpact, UseSide, Via,
    ViaRelation,
};
