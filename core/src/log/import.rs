//! The readers of log formats, one file each; only they know foreign field names.

pub(crate) mod iris;
