//! Imports, decisions, lists and repairs on the command line.

mod audit;
mod db;
mod import;
mod reports;
mod webhooks;
