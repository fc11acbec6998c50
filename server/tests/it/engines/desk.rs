mod audit;
mod correcting;
mod decisions;
mod duplicates;
mod lists;
mod report;
