mod audit;
mod decisions;
