//! Imports, decisions, lists and repairs from the command line.

mod audit;
mod db;
mod import;
mod reports;
mod webhooks;
