//! Commit to snapshot, incrementally
