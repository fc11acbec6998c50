mod imports;
mod lists;
mod reopening;
mod selections;
