mod audit;
mod decisions;
mod duplicates;
mod lists;
mod report;
