//! Questions to snapshots: change sets and their impact
