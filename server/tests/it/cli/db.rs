mod backup;
mod failing;
mod foreign;
mod migrate;
