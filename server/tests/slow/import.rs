//! Imports that come slowly, and from archives larger than the memory.

mod archives;
mod standard_input;
