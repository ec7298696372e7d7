//! The answer of `history`, uncut: what every rendering is made from.
//!
//! Its JSON form is public: fields are added, never renamed or removed, within one schema version.
