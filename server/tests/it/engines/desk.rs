mod decisions;
mod duplicates;
mod lists;
