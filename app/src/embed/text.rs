/// One type for every text that changes, so that the code that keeps a text current is in the wasm
/// once.
pub(super) type Text = Box<dyn FnMut() -> String + Send>;

pub(super) fn text(text: impl FnMut() -> String + Send + 'static) -> Text {
    Box::new(text)
}
