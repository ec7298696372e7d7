//! Trees, blobs, ranges, differences and the work tree, through gix with reduced trust
