//! Slow tests that run on both engines, because locks, recovery and isolation differ: kills, clocks that jump, and long
//! histories compared with a recount.

mod clock;
mod counting;
mod killed_commands;
mod killed_corrections;
mod kills;
mod locked;
mod mirroring;
mod model;
mod rebuild;
mod rebuilding;
mod repairing;
