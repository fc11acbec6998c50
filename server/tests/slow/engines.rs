//! Slow tests that run on both engines, because locks and recovery are the engine's own.

mod clock;
mod killed;
mod kills;
mod locked;
mod rebuild;
