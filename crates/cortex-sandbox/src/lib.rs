//! Parser processes with bounded memory and time
