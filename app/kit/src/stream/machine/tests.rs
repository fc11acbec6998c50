//! Scripts of several pages in a simulated [world].

mod random;
mod scripts;
mod world;
