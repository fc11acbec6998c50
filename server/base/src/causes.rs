use std::{error::Error, io, iter};

/// Iterates over an error and its causes, from the outermost on. [`Error::source`] of an
/// `io::Error` skips the wrapped error and returns that error's cause, so the wrapped error is read
/// with [`io::Error::get_ref`].
pub fn causes<'e>(
    error: &'e (dyn Error + 'static),
) -> impl Iterator<Item = &'e (dyn Error + 'static)> {
    iter::successors(Some(error), |error| {
        let error: &'e (dyn Error + 'static) = *error;
        match error.downcast_ref::<io::Error>() {
            Some(error) => error.get_ref().map(|inner| inner as &(dyn Error + 'static)),
            None => error.source(),
        }
    })
}
