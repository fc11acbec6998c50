mod adding;
mod corrections;
mod decisions;
mod ids;
mod listing;
mod status;
