//! Draws the globe with WebGL 2. Five programs draw the sphere with its atmosphere, the dots of the
//! land, coasts and borders, the lights of the clusters, and the marks of single places. All sizes
//! are in radii of the globe; `scale` converts them to the frame.
//!
//! Wait until the painter [is ready](Painter::is_ready). Set a palette and the clusters of the
//! current level, then call [`Painter::draw`] with a [`Scene`] after each change. The painter keeps
//! no other state between frames.
//!
//! On a dark ground, lights add up. On a light ground, where nothing could be added, they are spots
//! of colour with a lighter halo.
//!
//! Lights and lines are plain triangles. Ten thousand instances of four vertices each took four
//! times as long to draw without a graphics card.

mod program;
mod shaders;
mod vertices;

use self::{
    program::Program,
    vertices::{Quads, Vertices, push_corners},
};
use super::{
    clusters::Cluster,
    lines::Lines,
    sphere::{Sphere, point},
};
use crate::land;
use js_sys::JSON;
use wasm_bindgen::JsCast;
use web_sys::{HtmlCanvasElement, WebGl2RenderingContext as Gl};

/// Number of lights on the whole globe from which they merge.
const CROWD: f32 = 1_500.0;

/// Red, green and blue, each from 0 to 1.
pub(super) type Colour = [f32; 3];

/// Colours of the page.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Palette {
    pub(super) near: Colour,
    pub(super) far: Colour,
    pub(super) dark: Colour,
    pub(super) air: Colour,
    pub(super) land: Colour,
    /// Colours of the three types.
    pub(super) types: [Colour; 3],
}

/// Contents of a frame.
pub(super) struct Scene {
    pub(super) sphere: Sphere,
    /// Direction of the sun: see [`sun`](super::sun).
    pub(super) sun: [f32; 3],
    /// Size of the frame and radius of the globe, in pixels of the canvas.
    pub(super) width: f32,
    pub(super) height: f32,
    pub(super) radius: f32,
    pub(super) zoom: f32,
    /// Pixels of the canvas per pixel of the page.
    pub(super) ratio: f32,
    pub(super) marks: Vec<Mark>,
}

/// A mark at a place.
pub(super) struct Mark {
    /// The place, to the right and up from the centre, in radii of the globe.
    pub(super) spot: [f32; 2],
    pub(super) shape: Shape,
    /// Share of each type, from 0 to 1.
    pub(super) shares: [f32; 3],
    /// Opacity, from 0 to 1.
    pub(super) strength: f32,
}

/// Shape of a mark, in pixels of the page.
pub(super) enum Shape {
    Ring { radius: f32, thick: f32 },
    Pillar { height: f32 },
}

/// See the [module](self).
pub(super) struct Painter {
    gl: Gl,
    sphere: Program,
    land: Program,
    lines: Program,
    lights: Program,
    marks: Program,
    dots: Vertices,
    coasts: Quads,
    borders: Quads,
    clusters: Quads,
    palette: Palette,
    /// Whether the browser compiles shaders on another thread, and reports when it is done.
    is_parallel: bool,
}

impl Painter {
    /// Returns `None` without WebGL 2, or if the browser grants no more contexts.
    pub(super) fn new(canvas: &HtmlCanvasElement) -> Option<Self> {
        let options = JSON::parse(r#"{"antialias":false,"depth":false}"#).ok()?;
        let gl: Gl =
            canvas.get_context_with_context_options("webgl2", &options).ok()??.unchecked_into();
        let is_parallel =
            gl.get_extension("KHR_parallel_shader_compile").is_ok_and(|known| known.is_some());
        gl.enable(Gl::BLEND);
        Some(Self {
            sphere: Program::new(&gl, shaders::SPHERE)?,
            land: Program::new(&gl, shaders::LAND)?,
            lines: Program::new(&gl, shaders::LINES)?,
            lights: Program::new(&gl, shaders::LIGHTS)?,
            marks: Program::new(&gl, shaders::MARK)?,
            dots: Vertices::new(&gl, [3, 0])?,
            coasts: Quads::new(&gl, [3, 3])?,
            borders: Quads::new(&gl, [3, 3])?,
            clusters: Quads::new(&gl, [4, 2])?,
            palette: Palette::default(),
            is_parallel,
            gl,
        })
    }

    /// Whether the shaders are compiled, so that drawing does not block the page.
    pub(super) fn is_ready(&self) -> bool {
        !self.is_parallel || self.programs().iter().all(|program| program.is_compiled())
    }

    /// Whether the shaders are valid.
    pub(super) fn is_valid(&self) -> bool {
        self.programs().iter().all(|program| program.is_linked())
    }

    fn programs(&self) -> [&Program; 5] {
        [&self.sphere, &self.land, &self.lines, &self.lights, &self.marks]
    }

    pub(super) fn set_palette(&mut self, palette: Palette) {
        self.palette = palette;
    }

    /// Sets the dots of the land.
    pub(super) fn set_land(&mut self) {
        let mut points = Vec::new();
        for (lat, lng) in land::points() {
            points.extend_from_slice(&point(lat, lng));
        }
        self.dots.fill(&self.gl, &points);
    }

    /// Sets the clusters of the current level: see
    /// [`Clusters::level`](super::clusters::Clusters::level).
    pub(super) fn set_clusters(&mut self, clusters: &[Cluster]) {
        let mut corners = Vec::new();
        for cluster in clusters {
            let [x, y, z] = cluster.point;
            let kind = cluster.counts.leading() as f32;
            // A position that is only roughly known has a halo without a core.
            let core = if cluster.rough { 0.0 } else { 1.0 };
            push_corners(&mut corners, &[x, y, z, cluster.radius, kind, core]);
        }
        self.clusters.fill(&self.gl, &corners);
    }

    pub(super) fn set_lines(&mut self, lines: &Lines) {
        for (quads, lines) in
            [(&mut self.coasts, &lines.coasts), (&mut self.borders, &lines.borders)]
        {
            let mut corners = Vec::new();
            for line in lines {
                let mut before = None;
                for [lat, lng] in line {
                    let [d, e, f] = point(*lat, *lng);
                    if let Some([a, b, c]) = before.replace([d, e, f]) {
                        push_corners(&mut corners, &[a, b, c, d, e, f]);
                    }
                }
            }
            quads.fill(&self.gl, &corners);
        }
    }

    pub(super) fn draw(&self, view: &Scene) {
        let (gl, palette) = (&self.gl, &self.palette);
        let scale = [2.0 * view.radius / view.width, 2.0 * view.radius / view.height];
        let turn = view.sphere.columns();
        let pixel = 1.0 / view.radius;
        let begin = |program: &Program| {
            program.begin(scale, &view.sun);
            program.turn(&turn);
            program.set("pixel", &[pixel]);
        };
        gl.viewport(0, 0, view.width as i32, view.height as i32);
        gl.clear_color(0.0, 0.0, 0.0, 0.0);
        gl.clear(Gl::COLOR_BUFFER_BIT);
        gl.blend_func(Gl::ONE, Gl::ONE_MINUS_SRC_ALPHA);

        begin(&self.sphere);
        self.sphere.set("near", &palette.near);
        self.sphere.set("far", &palette.far);
        self.sphere.set("dark", &palette.dark);
        self.sphere.set("air", &palette.air);
        gl.bind_vertex_array(None);
        gl.draw_arrays(Gl::TRIANGLE_STRIP, 0, 4);

        // Closeness: 0 at zoom 1, up to 1 where the lines have replaced the dots.
        let near = ((view.zoom - 1.0) / 1.5).min(1.0);
        begin(&self.land);
        // Dots are one degree apart. They grow more slowly than the ground.
        let size = view.radius / view.zoom * 0.0115 * (1.0 + 0.12 * (view.zoom - 1.0).min(5.0));
        // On a small globe they would merge, so they are fainter instead of smaller.
        let faint = (size / 1.6).min(1.0);
        self.land.set("size", &[size.max(1.6)]);
        let strength = 1.0 - 0.5 * near - 0.08 * (view.zoom - 2.5).clamp(0.0, 3.5);
        self.land.set("strength", &[strength * faint]);
        self.land.set("tint", &palette.land);
        self.dots.draw(gl);

        if near > 0.0 {
            begin(&self.lines);
            self.lines.set("tint", &palette.land);
            for (lines, strength) in [(&self.borders, 0.45), (&self.coasts, 0.9)] {
                self.lines.set("strength", &[strength * near]);
                lines.draw(gl);
            }
        }

        let is_dark = palette.near[0] < 0.5;
        if is_dark {
            gl.blend_func(Gl::ONE, Gl::ONE_MINUS_SRC_COLOR);
        }
        begin(&self.lights);
        // Lights grow a little as the visitor comes near. Thousands of them are smaller, with fainter
        // halos, so that they do not merge into one.
        let sparse = (CROWD * view.zoom * view.zoom / self.clusters.count()).min(1.0);
        let grow = (0.6 + 0.4 * sparse) * (1.0 + 0.1 * (view.zoom - 1.0));
        self.lights.set("grow", &[view.radius / view.zoom * grow]);
        self.lights.set("glow", &[sparse]);
        self.lights.set("hot", &[if is_dark { 0.8 } else { 0.0 }]);
        self.set_types(&self.lights);
        self.clusters.draw(gl);

        gl.blend_func(Gl::ONE, Gl::ONE_MINUS_SRC_ALPHA);
        gl.bind_vertex_array(None);
        begin(&self.marks);
        self.set_types(&self.marks);
        for mark in &view.marks {
            self.draw_mark(mark, view.ratio);
        }
    }

    fn set_types(&self, program: &Program) {
        for (name, tint) in ["spirit", "water", "both"].into_iter().zip(&self.palette.types) {
            program.set(name, tint);
        }
    }

    fn draw_mark(&self, mark: &Mark, ratio: f32) {
        let (size, off, radius, thick) = match mark.shape {
            Shape::Ring { radius, thick } => {
                let half = (radius + thick) * ratio;
                ([half, half], 0.0, radius * ratio, thick * ratio)
            }
            Shape::Pillar { height } => {
                let half = height * ratio / 2.0;
                ([8.0 * ratio, half], half, 0.0, 1.6 * ratio)
            }
        };
        let [spirit, water, _] = mark.shares;
        for (name, value) in [
            ("spot", &mark.spot[..]),
            ("size", &size),
            ("off", &[0.0, off]),
            ("cut", &[spirit, spirit + water]),
            ("radius", &[radius]),
            ("thick", &[thick]),
            ("strength", &[mark.strength]),
        ] {
            self.marks.set(name, value);
        }
        self.gl.draw_arrays(Gl::TRIANGLE_STRIP, 0, 4);
    }
}
