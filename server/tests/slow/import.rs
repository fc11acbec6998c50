//! Imports of slow input, and of archives larger than the memory.

mod archives;
mod standard_input;
