//! Nothing: this package exists for its benchmarks.
