//! HTML of views that wait for nothing.

use leptos::{prelude::*, tachys::html::InertElement};

/// Rendered HTML, as a view.
pub type Html = InertElement;

/// Views that can be rendered at once.
pub trait IntoHtml {
    /// Renders the view. It may contain islands; of a `Suspend`, nothing would show.
    ///
    /// The type of a view contains the types of all its parts. If it is boxed or awaited as a whole, the compiler makes
    /// code for each of these types to await, stream, build and replace it: for pages and desk together, 10 MB. Of a view
    /// that becomes HTML, only the code that renders it remains.
    fn into_html(self) -> Html;
}

impl<V: IntoView> IntoHtml for V {
    fn into_html(self) -> Html {
        Html::new(self.into_view().to_html())
    }
}
