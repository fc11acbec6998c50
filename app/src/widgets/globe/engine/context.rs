//! Reasons for a new frame other than input and new data: size, theme, visibility, and a restored
//! WebGL context.

use super::{
    super::painter::{Colour, Painter, Palette},
    Engine,
};
use kit::{
    dom::{use_attributes, use_listener, use_media, use_on_screen, use_resize},
    signals::effect,
};
use leptos::prelude::*;
use std::{rc::Rc, time::Duration};

/// Time between two checks whether the painter is ready.
const CHECK: Duration = Duration::from_millis(30);

impl Engine {
    /// Starts drawing, if WebGL is available. Each step is a task of its own, so that the page
    /// responds in between; until the end, it shows the server's drawing.
    pub(super) fn begin(self: &Rc<Self>) {
        self.after(Duration::ZERO, |engine| {
            let painter = Painter::new(&engine.elements.canvas);
            engine.has_webgl.set(painter.is_some());
            if let Some(painter) = painter {
                engine.await_painter(painter);
            }
        });
    }

    /// Uses the painter as soon as it is ready.
    fn await_painter(self: &Rc<Self>, mut painter: Painter) {
        self.after(CHECK, move |engine| {
            if !painter.is_ready() {
                return engine.await_painter(painter);
            }
            if !painter.is_valid() {
                return engine.has_webgl.set(false);
            }
            engine.after(Duration::ZERO, |engine| {
                painter.set_land();
                *engine.painter.borrow_mut() = Some(painter);
                engine.take_colours();
                engine.paint_places();
                engine.paint_lines();
                engine.request_frame();
            });
        });
    }

    /// Calls `then` in a later task, unless the component is cleaned up.
    fn after(self: &Rc<Self>, wait: Duration, then: impl FnOnce(&Rc<Self>) + 'static) {
        let engine = self.clone();
        set_timeout(
            move || {
                if !engine.stopped.get() {
                    then(&engine);
                }
            },
            wait,
        );
    }

    /// Whether the browser has WebGL, as far as is known.
    pub(in super::super) fn can_draw(&self) -> bool {
        self.has_webgl.get()
    }

    /// Observes all of these until the component is cleaned up.
    pub(super) fn use_context(self: &Rc<Self>) {
        let (stage, canvas) = (&self.elements.stage, &self.elements.canvas);
        let engine = self.clone();
        use_listener(canvas, "webglcontextlost", move |event| {
            // Otherwise the browser would never restore the context.
            event.prevent_default();
            *engine.painter.borrow_mut() = None;
            engine.has_webgl.set(false);
            engine.signals.is_drawn.set(false);
            engine.close();
        });
        let engine = self.clone();
        use_listener(canvas, "webglcontextrestored", move |_| engine.begin());
        let engine = self.clone();
        use_resize(stage, move || engine.request_frame());
        let engine = self.clone();
        use_on_screen(stage, move |is_on_screen| {
            engine.signals.is_on_screen.set(is_on_screen);
            engine.request_frame();
        });
        let engine = self.clone();
        use_listener(&document(), "visibilitychange", move |_| engine.request_frame());
        let engine = self.clone();
        let restyle = move || {
            engine.take_colours();
            engine.request_frame();
        };
        if let Some(root) = document().document_element() {
            use_attributes(&root, restyle.clone());
        }
        let scheme = use_media("(prefers-color-scheme: dark)");
        effect(move |_| {
            scheme.get();
            restyle();
        });
        let (engine, signals) = (self.clone(), self.signals);
        effect(move |_| {
            if signals.is_paused.get() {
                engine.halt();
            }
        });
        // After any of these ends, a rotating globe continues to rotate.
        let engine = self.clone();
        effect(move |_| {
            for signal in [signals.is_paused, signals.is_held, signals.is_over] {
                signal.get();
            }
            engine.request_frame();
        });
    }

    /// Reads the colours of the page.
    fn take_colours(&self) {
        let root = document().document_element();
        let style = root.and_then(|root| window().get_computed_style(&root).ok().flatten());
        let colour = |name: &str| -> Colour {
            let text = style.as_ref().and_then(|style| style.get_property_value(name).ok());
            parse_colour(text.unwrap_or_default().trim()).unwrap_or([0.5; 3])
        };
        if let Some(painter) = &mut *self.painter.borrow_mut() {
            painter.set_palette(Palette {
                near: colour("--near"),
                far: colour("--far"),
                air: colour("--air"),
                land: colour("--land"),
                dark: colour("--dark"),
                types: [colour("--spirit"), colour("--water"), colour("--both")],
            });
        }
    }
}

/// Parses a colour as written in the style sheets: `#` and six digits.
fn parse_colour(text: &str) -> Option<Colour> {
    let digits = text.strip_prefix('#').filter(|digits| digits.len() == 6)?;
    let part = |start: usize| {
        let part = u8::from_str_radix(digits.get(start..start + 2)?, 16).ok()?;
        Some(f32::from(part) / 255.0)
    };
    Some([part(0)?, part(2)?, part(4)?])
}
