use std::{error::Error, io, iter};

/// An error and what is behind it, from the outside in. An `io::Error` hides what it wraps from [`Error::source`], which
/// gives what is behind that.
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
