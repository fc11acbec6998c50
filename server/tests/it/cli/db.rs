mod backup;
mod check;
mod failing;
mod foreign;
mod migrate;
mod restore;
