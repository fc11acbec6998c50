mod adding;
mod corrections;
mod decisions;
mod idempotency;
mod ids;
mod listing;
mod status;
