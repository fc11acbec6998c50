/// A rendered page stands still.
pub(super) fn keep() {}
