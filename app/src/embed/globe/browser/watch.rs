//! What makes a new picture necessary besides hands and news: size, theme, coming into view, and a
//! WebGL context that comes again.

use super::{super::painter::Painter, Globe};
use crate::embed::{dom::on, first::field};
use js_sys::{Array, Function, JSON};
use leptos::prelude::{document, window};
use std::rc::Rc;
use wasm_bindgen::{JsCast, JsValue};
use web_sys::{IntersectionObserver, MutationObserver, MutationObserverInit, ResizeObserver};

impl Globe {
    /// The context can go at any time, and come again.
    pub(super) fn watch_context(self: &Rc<Self>) {
        on(&self.canvas, "webglcontextlost", {
            let globe = self.clone();
            move |event| {
                event.unchecked_ref::<web_sys::Event>().prevent_default();
                *globe.painter.borrow_mut() = None;
                globe.unveil(false);
            }
        });
        on(&self.canvas, "webglcontextrestored", {
            let globe = self.clone();
            move |_| _ = globe.begin()
        });
    }

    /// Begins to draw, where that is possible.
    pub(super) fn begin(self: &Rc<Self>) -> bool {
        *self.painter.borrow_mut() = Painter::new(&self.canvas);
        let can = self.can_draw();
        if can {
            self.lines.set(false);
            self.paint_in();
            self.give_markers();
            self.want();
        }
        can
    }

    pub(super) fn can_draw(&self) -> bool {
        self.painter.borrow().is_some()
    }

    /// Whatever else makes a new picture necessary: size, theme, coming into view.
    pub(super) fn watch(self: &Rc<Self>, call: &impl Fn(fn(&Rc<Self>, JsValue)) -> Function) {
        if let Ok(sizes) = ResizeObserver::new(&call(|globe, _| globe.want())) {
            sizes.observe(&self.stage);
        }
        let seen = call(|globe, entries| {
            let last = entries.unchecked_into::<Array>().pop();
            globe.on_screen.set(field(&last, "isIntersecting").is_truthy());
            globe.want();
        });
        if let Ok(seen) = IntersectionObserver::new(&seen) {
            seen.observe(&self.stage);
        }
        let page = document();
        on(&page, "visibilitychange", {
            let globe = self.clone();
            move |_| globe.want()
        });
        let themed = call(|globe, _| {
            globe.paint_in();
            globe.want();
        });
        if let (Ok(theme), Some(root)) = (MutationObserver::new(&themed), page.document_element()) {
            let options: MutationObserverInit =
                JSON::parse(r#"{"attributes":true}"#).unwrap_or_default().unchecked_into();
            _ = theme.observe_with_options(&root, &options);
        }
        if let Ok(Some(scheme)) = window().match_media("(prefers-color-scheme: dark)") {
            _ = scheme.add_event_listener_with_callback("change", &themed);
        }
    }
}
