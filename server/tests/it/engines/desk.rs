mod decisions;
mod lists;
