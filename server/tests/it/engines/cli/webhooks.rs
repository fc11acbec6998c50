mod listing;
mod replaying;
