//! Islands that have a wasm module of their own.

use leptos::{
    prelude::*,
    tachys::{html::islands::Island, reactive_graph::OwnedView},
};

/// Renders a component as the island `name`.
pub fn island<V: 'static>(name: &'static str, component: fn() -> V) -> Island<OwnedView<V>> {
    Island::new(name, view(component))
}

/// A component with an owner of its own, in which everything is hydrated.
fn view<V: 'static>(component: fn() -> V) -> OwnedView<V> {
    Owner::new().with(|| Owner::with_hydration(move || OwnedView::new(component())))
}

/// Hydrates the element of an [`island`].
#[cfg(feature = "hydrate")]
pub fn hydrate<V: RenderHtml + 'static>(element: &web_sys::HtmlElement, component: fn() -> V) {
    use leptos::tachys::view::Position;

    let state = view(component).hydrate_from_position::<true>(element, Position::FirstChild);
    // Lives as long as its page: see [`crate::page::leave`].
    std::mem::forget(state);
}

/// Exports the function `$name`, which hydrates an [`island`](crate::island::island) of this name.
/// With the feature `split`, the island's code is in the wasm module `$name`, which
/// `frontend/boot.js` loads before.
///
/// Replaces `#[island(lazy)]`, which loads the module during hydration: its promise and futures are
/// 3 kB of each first load, and without `split` they need a script that imitates wasm-split.
// rustfmt would indent the names further each time.
#[rustfmt::skip]
#[macro_export]
macro_rules! own_module {
    ($name:ident, $component:ident) => {
        #[cfg(feature = "hydrate")]
        const _: () = {
            use wasm_bindgen::prelude::wasm_bindgen;
            use web_sys::HtmlElement;

            // Names that wasm-split looks for. It moves what only `export` reaches into a module,
            // and replaces calls of `import`. A module has one function, so its digits never differ.
            #[cfg(feature = "split")]
            #[link(wasm_import_module = "__wasm_split_placeholder__")]
            #[allow(unsafe_code, improper_ctypes)]
            unsafe extern "C" {
                #[link_name = concat!(
                    "__wasm_split_00", stringify!($name), "00_import_00000000000000000000000000000000"
                )]
                safe fn import(element: HtmlElement);
            }

            #[cfg(feature = "split")]
            #[allow(unsafe_code, improper_ctypes_definitions)]
            #[unsafe(export_name = concat!(
                "__wasm_split_00", stringify!($name), "00_export_00000000000000000000000000000000"
            ))]
            extern "C" fn export(element: HtmlElement) {
                $crate::island::hydrate(&element, $component);
            }

            #[cfg(not(feature = "split"))]
            fn import(element: HtmlElement) {
                $crate::island::hydrate(&element, $component);
            }

            #[wasm_bindgen]
            pub fn $name(element: HtmlElement) {
                import(element);
            }
        };
    };
}
