mod decisions;
mod duplicates;
