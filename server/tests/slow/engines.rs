//! Slow tests that run on both engines, because locks, recovery and isolation are the engine's own: kills, clocks that jump,
//! and long histories that are counted again in another way.

mod clock;
mod counting;
mod killed;
mod kills;
mod locked;
mod mirroring;
mod model;
mod rebuild;
mod rebuilding;
mod repairing;
