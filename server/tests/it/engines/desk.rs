mod audit;
mod decisions;
mod duplicates;
