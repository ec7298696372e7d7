//! Who uses what changed, in the answer.

pub use cortex_wire::{
    Certainty, Impact, ImpactedType, LineUse, NextUser, Registration, SymbolImpact, UseSide, Via,
    ViaRelation,
};
