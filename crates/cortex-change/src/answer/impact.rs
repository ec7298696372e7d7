//! Who uses what changed, in the answer.
