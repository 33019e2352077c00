//! Graphs of vectors: they find what a scan finds, follow other writers, and are built again where they are damaged.
