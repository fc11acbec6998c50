mod adding;
mod correcting;
mod deciding;
mod listing;
mod status;
