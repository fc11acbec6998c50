//! Draws the globe with WebGL 2. Three programs: the sphere with its air, the land's dots, and the
//! markers, of which all are one draw. Everything is given in radii of the globe; `scale` brings it
//! to the picture.
//!
//! The markers are plain triangles. As instances of four vertices each, ten thousand took four times
//! as long to draw where there is no graphics card.

use super::sphere::{Sphere, point};
use crate::land;
use js_sys::{Float32Array, JSON, Object, Uint32Array};
use wasm_bindgen::JsCast;
use web_sys::{
    HtmlCanvasElement, WebGl2RenderingContext as Gl, WebGlBuffer, WebGlProgram,
    WebGlUniformLocation, WebGlVertexArrayObject,
};

/// Red, green and blue, each up to 1.
pub(super) type Colour = [f32; 3];

/// What is added to a marker's type where its position is only roughly known.
pub(super) const ROUGH: usize = 4;
/// What the ring around the place that is told about has for a type: among many markers of its own
/// colour one would not see it.
pub(super) const CHOSEN: usize = 3;

/// A marker or ring as a vertex has it: where it is, and in one number its type and, behind the
/// point, its radius.
pub(super) fn mark([x, y, z]: [f32; 3], radius: f32, look: usize) -> [f32; 4] {
    [x, y, z, look as f32 + radius.min(0.9)]
}

/// The colours of the page.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Palette {
    pub(super) near: Colour,
    pub(super) far: Colour,
    pub(super) air: Colour,
    pub(super) land: Colour,
    /// Those of the types, and of what is [`CHOSEN`].
    pub(super) types: [Colour; 4],
}

/// What a picture is of.
pub(super) struct View {
    pub(super) sphere: Sphere,
    /// The size of the picture and the globe's radius, in the canvas's pixels.
    pub(super) width: f32,
    pub(super) height: f32,
    pub(super) radius: f32,
    pub(super) zoom: f32,
    pub(super) rings: Vec<Ring>,
}

/// A ring around a place.
pub(super) struct Ring {
    pub(super) lat: f32,
    pub(super) lng: f32,
    /// In radii of the globe at zoom 1.
    pub(super) radius: f32,
    /// A type, or [`CHOSEN`].
    pub(super) kind: usize,
    /// How much of it can be seen, up to 1.
    pub(super) strength: f32,
}

/// See the [module](self).
pub(super) struct Painter {
    gl: Gl,
    air: Program,
    land: Program,
    marks: Program,
    dots: (WebGlVertexArrayObject, i32),
    markers: (WebGlVertexArrayObject, WebGlBuffer, WebGlBuffer, i32),
    palette: Palette,
}

struct Program {
    gl: Gl,
    program: WebGlProgram,
}

impl Painter {
    /// `None` where there is no WebGL 2, or no more of it.
    pub(super) fn new(canvas: &HtmlCanvasElement) -> Option<Self> {
        let options = JSON::parse(r#"{"antialias":false,"depth":false}"#).ok()?;
        let gl: Gl =
            canvas.get_context_with_context_options("webgl2", &options).ok()??.unchecked_into();
        let air = Program::new(&gl, AIR_VERTEX, AIR_FRAGMENT)?;
        let land = Program::new(&gl, LAND_VERTEX, LAND_FRAGMENT)?;
        let marks = Program::new(&gl, MARK_VERTEX, MARK_FRAGMENT)?;
        let points: Vec<f32> = land::points().flat_map(|(lat, lng)| point(lat, lng)).collect();
        let (dots, _) = array(&gl, &points, 3)?;
        let (markers, corners) = array(&gl, &[], 4)?;
        let triangles = gl.create_buffer()?;
        gl.enable(Gl::BLEND);
        gl.blend_func(Gl::ONE, Gl::ONE_MINUS_SRC_ALPHA);
        Some(Self {
            dots: (dots, points.len() as i32 / 3),
            markers: (markers, corners, triangles, 0),
            palette: Palette::default(),
            gl,
            air,
            land,
            marks,
        })
    }

    pub(super) fn set_palette(&mut self, palette: Palette) {
        self.palette = palette;
    }

    /// Takes a [`mark`] for each marker.
    pub(super) fn set_markers(&mut self, marks: &[[f32; 4]]) {
        let (array, corners, triangles, vertices) = &mut self.markers;
        let quads: Vec<f32> = marks.iter().flat_map(|mark| [*mark; 4]).flatten().collect();
        let triangles_of = |quad: u32| [0, 1, 2, 2, 1, 3].map(|corner| 4 * quad + corner);
        let order: Vec<u32> = (0..marks.len() as u32).flat_map(triangles_of).collect();
        self.gl.bind_vertex_array(Some(array));
        fill(&self.gl, Gl::ARRAY_BUFFER, corners, &Float32Array::from(&quads[..]));
        fill(&self.gl, Gl::ELEMENT_ARRAY_BUFFER, triangles, &Uint32Array::from(&order[..]));
        *vertices = order.len() as i32;
    }

    pub(super) fn draw(&self, view: &View) {
        let (gl, palette) = (&self.gl, &self.palette);
        let scale = [2.0 * view.radius / view.width, 2.0 * view.radius / view.height];
        let turn = view.sphere.columns();
        gl.viewport(0, 0, view.width as i32, view.height as i32);
        gl.clear_color(0.0, 0.0, 0.0, 0.0);
        gl.clear(Gl::COLOR_BUFFER_BIT);

        self.air.begin(scale);
        self.air.set("pixel", &[1.0 / view.radius]);
        self.air.set("near", &palette.near);
        self.air.set("far", &palette.far);
        self.air.set("air", &palette.air);
        gl.bind_vertex_array(None);
        gl.draw_arrays(Gl::TRIANGLE_STRIP, 0, 4);

        self.land.begin(scale);
        self.land.turn(&turn);
        // Dots are a degree apart.
        self.land.set("size", &[(view.radius * 0.0115).max(1.6)]);
        self.land.set("tint", &palette.land);
        gl.bind_vertex_array(Some(&self.dots.0));
        gl.draw_arrays(Gl::POINTS, 0, self.dots.1);

        self.marks.begin(scale);
        self.marks.turn(&turn);
        // Coming nearer parts what is close together, so markers grow less than the ground.
        let grow = 1.0 / view.zoom.sqrt();
        self.marks.set("grow", &[grow]);
        self.marks.set("pixel", &[1.0 / view.radius]);
        for (name, tint) in ["spirit", "water", "both", "chosen"].into_iter().zip(&palette.types) {
            self.marks.set(name, tint);
        }
        self.marks.set("ring", &[0.0]);
        gl.bind_vertex_array(Some(&self.markers.0));
        gl.draw_elements_with_i32(Gl::TRIANGLES, self.markers.3, Gl::UNSIGNED_INT, 0);

        gl.bind_vertex_array(None);
        for ring in &view.rings {
            self.marks.set("ring", &[ring.strength]);
            let [x, y, z, w] = mark(point(ring.lat, ring.lng), ring.radius, ring.kind);
            gl.vertex_attrib4f(0, x, y, z, w);
            gl.draw_arrays(Gl::TRIANGLE_STRIP, 0, 4);
        }
    }
}

impl Program {
    fn new(gl: &Gl, vertex: &str, fragment: &str) -> Option<Self> {
        let program = gl.create_program()?;
        for (kind, source) in [(Gl::VERTEX_SHADER, vertex), (Gl::FRAGMENT_SHADER, fragment)] {
            let shader = gl.create_shader(kind)?;
            let start = "#version 300 es\nprecision highp float;precision highp int;\
                         uniform vec2 scale;";
            gl.shader_source(&shader, &(start.to_owned() + source));
            gl.compile_shader(&shader);
            gl.attach_shader(&program, &shader);
        }
        gl.bind_attrib_location(&program, 0, "place");
        gl.link_program(&program);
        let linked = gl.get_program_parameter(&program, Gl::LINK_STATUS).is_truthy();
        linked.then(|| Self { gl: gl.clone(), program })
    }

    fn begin(&self, scale: [f32; 2]) {
        self.gl.use_program(Some(&self.program));
        self.gl.uniform2f(self.find("scale").as_ref(), scale[0], scale[1]);
    }

    fn turn(&self, columns: &[f32]) {
        self.gl.uniform_matrix3fv_with_f32_array(self.find("turn").as_ref(), false, columns);
    }

    /// Sets one number or three.
    fn set(&self, name: &str, value: &[f32]) {
        match *value {
            [x, y, z] => self.gl.uniform3f(self.find(name).as_ref(), x, y, z),
            [x] => self.gl.uniform1f(self.find(name).as_ref(), x),
            _ => {}
        }
    }

    /// Asked anew for each picture: there are few, and a name is easier to keep right than a list.
    fn find(&self, name: &str) -> Option<WebGlUniformLocation> {
        self.gl.get_uniform_location(&self.program, name)
    }
}

/// An array of vertices with so many numbers each.
fn array(gl: &Gl, data: &[f32], size: i32) -> Option<(WebGlVertexArrayObject, WebGlBuffer)> {
    let array = gl.create_vertex_array()?;
    let buffer = gl.create_buffer()?;
    gl.bind_vertex_array(Some(&array));
    fill(gl, Gl::ARRAY_BUFFER, &buffer, &Float32Array::from(data));
    gl.enable_vertex_attrib_array(0);
    gl.vertex_attrib_pointer_with_i32(0, size, Gl::FLOAT, false, 0, 0);
    Some((array, buffer))
}

fn fill(gl: &Gl, target: u32, buffer: &WebGlBuffer, data: &Object) {
    gl.bind_buffer(target, Some(buffer));
    gl.buffer_data_with_array_buffer_view(target, data, Gl::STATIC_DRAW);
}

// The sphere, lit from the upper left, and a thin rim of air around it.
const AIR_VERTEX: &str = "out vec2 at;void main(){\
    at=vec2(gl_VertexID&1,gl_VertexID>>1)*2.4-1.2;gl_Position=vec4(at*scale,0,1);}";
const AIR_FRAGMENT: &str = "in vec2 at;uniform float pixel;uniform vec3 near,far,air;out vec4 c;\
    void main(){float d=length(at);float ball=clamp((1.-d)/pixel+.5,0.,1.);\
    vec3 lit=mix(near,far,min(1.,length(at-vec2(-.2,.3))/1.4));\
    lit=mix(lit,air,smoothstep(.9,1.,d)*.22);\
    float rim=clamp(1.-(d-1.)/.076,0.,1.)*.55;\
    c=vec4(lit,1)*ball+vec4(air,1)*rim*rim*1.8*(1.-ball);}";

// Dots, smaller and fainter towards the edge, where the ground is seen from the side.
const LAND_VERTEX: &str = "in vec3 place;uniform mat3 turn;uniform float size;out float z;\
    out float d;void main(){vec3 p=turn*place;z=p.z;\
    gl_Position=z<.03?vec4(2,2,2,1):vec4(p.xy*scale,0,1);d=size*(.5+.5*z)+1.;gl_PointSize=d;}";
const LAND_FRAGMENT: &str = "in float z;in float d;uniform vec3 tint;out vec4 c;void main(){\
    float a=clamp((.5-length(gl_PointCoord-.5))*d,0.,1.);c=vec4(tint,1)*a*(.35+.5*z);}";

// Discs that lie on the ground, hence narrower towards the edge: a soft body and a clear edge, little
// more than an edge where the position is rough, or the edge alone.
const MARK_VERTEX: &str = "in vec4 place;uniform mat3 turn;uniform float grow,pixel;\
    uniform vec3 spirit,water,both,chosen;out vec2 at;out vec3 tint;out float r,seen,rough;void main(){\
    vec3 p=turn*place.xyz;at=vec2(gl_VertexID&1,gl_VertexID>>1&1)*2.-1.;\
    r=fract(place.w)*grow/pixel+1.5;at*=r;seen=smoothstep(0.,.1,p.z);\
    rough=step(4.,place.w);float k=floor(place.w)-4.*rough;\
    tint=k<.5?spirit:k<1.5?water:k<2.5?both:chosen;\
    vec2 o=at*pixel,m=p.xy/(length(p.xy)+1e-5);o-=m*dot(o,m)*(1.-max(p.z,.35));\
    gl_Position=p.z<0.?vec4(2,2,2,1):vec4((p.xy+o)*scale,0,1);}";
const MARK_FRAGMENT: &str = "in vec2 at;in vec3 tint;in float r,seen,rough;\
    uniform float ring;out vec4 c;void main(){float d=r-1.-length(at);\
    float body=clamp(d+.5,0.,1.);float edge=body*clamp(2.5-d,0.,1.);\
    float a=ring>0.?edge*ring:mix(max(body*.62,edge*.9),max(body*.18,edge*.75),rough);\
    c=vec4(tint,1)*a*seen;}";
