//! Which repository a folder is, in the usual cases and the hostile ones.
