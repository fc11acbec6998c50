//! Receivers that hang, drip or fail while others wait, and a service that stops meanwhile: what takes its time.

mod fairness;
mod faults;
mod stopping;
