mod backup;
mod check;
mod copy;
mod failing;
mod foreign;
mod migrate;
mod rebuild;
mod restore;
