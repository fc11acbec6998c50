mod backup;
mod check;
mod failing;
mod foreign;
mod migrate;
mod rebuild;
mod restore;
