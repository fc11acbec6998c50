//! Slow webhook tests: receivers that hang, drip or fail while others wait, and a service that stops in the middle.

mod fairness;
mod faults;
mod stopping;
