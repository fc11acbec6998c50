mod adding;
mod correcting;
mod deciding;
mod ids;
mod listing;
mod status;
