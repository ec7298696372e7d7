//! Projects evaluated from trees in memory, by the rule that each test is about.

mod fixture;
mod hostile;
mod items;
mod properties;
