//! Facts, Merkle pages and snapshots in a redb database
