//! Draws the globe with WebGL 2. Four programs draw the sphere with its atmosphere, the dots of the
//! land, coasts and borders, and the discs of the clusters. All sizes are in radii of the globe;
//! `scale` converts them to the frame.
//!
//! Set a palette and the clusters of the current level, then call [`Painter::draw`] with a [`Scene`]
//! after each change. The painter keeps no other state between frames.
//!
//! Discs and lines are plain triangles. Ten thousand instances of four vertices each took four
//! times as long to draw without a graphics card.

use super::{
    clusters::{Cluster, HOLE},
    lines::Lines,
    sphere::{Position, Sphere, point},
};
use crate::land;
use js_sys::{Float32Array, JSON, Object, Uint32Array};
use wasm_bindgen::JsCast;
use web_sys::{
    HtmlCanvasElement, WebGl2RenderingContext as Gl, WebGlBuffer, WebGlProgram,
    WebGlUniformLocation, WebGlVertexArrayObject,
};

/// Red, green and blue, each from 0 to 1.
pub(super) type Colour = [f32; 3];

/// Colours of the page.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Palette {
    pub(super) near: Colour,
    pub(super) far: Colour,
    pub(super) air: Colour,
    pub(super) land: Colour,
    /// Colours of the three types.
    pub(super) types: [Colour; 3],
    /// Colour of the ring around the selected place. It differs from the colours of the types, so
    /// that the ring stands out among discs.
    pub(super) chosen: Colour,
}

/// Contents of a frame.
pub(super) struct Scene {
    pub(super) sphere: Sphere,
    /// Size of the frame and radius of the globe, in pixels of the canvas.
    pub(super) width: f32,
    pub(super) height: f32,
    pub(super) radius: f32,
    pub(super) zoom: f32,
    pub(super) rings: Vec<Ring>,
}

/// A ring around a place.
pub(super) struct Ring {
    pub(super) position: Position,
    /// Radius in screen radii: see [`clusters`](super::clusters).
    pub(super) radius: f32,
    /// Index of the type; `None` for the selected place.
    pub(super) kind: Option<usize>,
    /// Opacity, from 0 to 1.
    pub(super) strength: f32,
}

/// See the [module](self).
pub(super) struct Painter {
    gl: Gl,
    air: Program,
    land: Program,
    lines: Program,
    discs: Program,
    dots: Vertices,
    coasts: Quads,
    borders: Quads,
    clusters: Quads,
    palette: Palette,
}

struct Program {
    gl: Gl,
    program: WebGlProgram,
}

struct Vertices {
    array: WebGlVertexArrayObject,
    buffer: WebGlBuffer,
    count: i32,
}

/// Rectangles made of two triangles. All four corners have the same attributes; the shader
/// distinguishes them by vertex number.
struct Quads {
    vertices: Vertices,
    order: WebGlBuffer,
    count: i32,
}

impl Painter {
    /// Returns `None` without WebGL 2, or if the browser grants no more contexts.
    pub(super) fn new(canvas: &HtmlCanvasElement) -> Option<Self> {
        let options = JSON::parse(r#"{"antialias":false,"depth":false}"#).ok()?;
        let gl: Gl =
            canvas.get_context_with_context_options("webgl2", &options).ok()??.unchecked_into();
        let mut points = Vec::new();
        for (lat, lng) in land::points() {
            points.extend_from_slice(&point(lat, lng));
        }
        gl.enable(Gl::BLEND);
        gl.blend_func(Gl::ONE, Gl::ONE_MINUS_SRC_ALPHA);
        Some(Self {
            air: Program::new(&gl, AIR_VERTEX, AIR_FRAGMENT)?,
            land: Program::new(&gl, LAND_VERTEX, LAND_FRAGMENT)?,
            lines: Program::new(&gl, LINE_VERTEX, LINE_FRAGMENT)?,
            discs: Program::new(&gl, DISC_VERTEX, DISC_FRAGMENT)?,
            dots: Vertices::new(&gl, &points, [3, 0])?,
            coasts: Quads::new(&gl, [3, 3])?,
            borders: Quads::new(&gl, [3, 3])?,
            clusters: Quads::new(&gl, [4, 4])?,
            palette: Palette::default(),
            gl,
        })
    }

    pub(super) fn set_palette(&mut self, palette: Palette) {
        self.palette = palette;
    }

    /// Sets the clusters of the current level: see
    /// [`Clusters::level`](super::clusters::Clusters::level).
    pub(super) fn set_clusters(&mut self, clusters: &[Cluster]) {
        let mut corners = Vec::new();
        for cluster in clusters {
            let [x, y, z] = cluster.point;
            let [spirit, water, _] = cluster.counts.shares();
            // Opacity of the body, and the hole as a share of the radius.
            let body = if cluster.rough { 0.22 } else { 0.92 };
            let hole = if cluster.splits_at.is_some() { HOLE } else { 0.0 };
            let disc = [x, y, z, cluster.radius, spirit, spirit + water, body, hole];
            push_corners(&mut corners, &disc);
        }
        self.clusters.fill(&self.gl, &corners, clusters.len());
    }

    pub(super) fn set_lines(&mut self, lines: &Lines) {
        for (quads, lines) in
            [(&mut self.coasts, &lines.coasts), (&mut self.borders, &lines.borders)]
        {
            let mut corners = Vec::new();
            let mut edges = 0;
            for line in lines {
                let mut before = None;
                for [lat, lng] in line {
                    let [d, e, f] = point(*lat, *lng);
                    if let Some([a, b, c]) = before.replace([d, e, f]) {
                        push_corners(&mut corners, &[a, b, c, d, e, f]);
                        edges += 1;
                    }
                }
            }
            quads.fill(&self.gl, &corners, edges);
        }
    }

    pub(super) fn draw(&self, view: &Scene) {
        let (gl, palette) = (&self.gl, &self.palette);
        let scale = [2.0 * view.radius / view.width, 2.0 * view.radius / view.height];
        let turn = view.sphere.columns();
        let pixel = 1.0 / view.radius;
        gl.viewport(0, 0, view.width as i32, view.height as i32);
        gl.clear_color(0.0, 0.0, 0.0, 0.0);
        gl.clear(Gl::COLOR_BUFFER_BIT);

        self.air.begin(scale);
        self.air.set("pixel", &[pixel]);
        self.air.set("near", &palette.near);
        self.air.set("far", &palette.far);
        self.air.set("air", &palette.air);
        gl.bind_vertex_array(None);
        gl.draw_arrays(Gl::TRIANGLE_STRIP, 0, 4);

        // Closeness: 0 at zoom 1, up to 1 where the lines have replaced the dots.
        let near = ((view.zoom - 1.0) / 1.5).min(1.0);
        self.land.begin(scale);
        self.land.turn(&turn);
        // Dots are one degree apart. They grow more slowly than the ground.
        let size = view.radius / view.zoom * 0.0115 * (1.0 + 0.12 * (view.zoom - 1.0).min(5.0));
        self.land.set("size", &[size.max(1.6)]);
        self.land.set("strength", &[1.0 - 0.5 * near - 0.08 * (view.zoom - 2.5).clamp(0.0, 3.5)]);
        self.land.set("tint", &palette.land);
        gl.bind_vertex_array(Some(&self.dots.array));
        gl.draw_arrays(Gl::POINTS, 0, self.dots.count);

        if near > 0.0 {
            self.lines.begin(scale);
            self.lines.turn(&turn);
            self.lines.set("pixel", &[pixel]);
            self.lines.set("tint", &palette.land);
            for (lines, strength) in [(&self.borders, 0.45), (&self.coasts, 0.9)] {
                self.lines.set("strength", &[strength * near]);
                lines.draw(gl);
            }
        }

        self.discs.begin(scale);
        self.discs.turn(&turn);
        self.discs.set("pixel", &[pixel]);
        self.discs.set("grow", &[view.radius / view.zoom]);
        self.discs.set("ground", &palette.near);
        for (name, tint) in ["spirit", "water", "both"].into_iter().zip(&palette.types) {
            self.discs.set(name, tint);
        }
        self.discs.set("ring", &[0.0]);
        self.clusters.draw(gl);

        gl.bind_vertex_array(None);
        for ring in &view.rings {
            self.discs.set("ring", &[ring.strength]);
            let tint = ring.kind.and_then(|kind| palette.types.get(kind));
            self.discs.set("spirit", tint.unwrap_or(&palette.chosen));
            let [x, y, z] = point(ring.position.lat, ring.position.lng);
            gl.vertex_attrib4f(0, x, y, z, ring.radius);
            gl.vertex_attrib4f(1, 1.0, 1.0, 0.0, 0.0);
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
        gl.bind_attrib_location(&program, 1, "more");
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

    /// Sets a uniform of one or three components.
    fn set(&self, name: &str, value: &[f32]) {
        match *value {
            [x, y, z] => self.gl.uniform3f(self.find(name).as_ref(), x, y, z),
            [x] => self.gl.uniform1f(self.find(name).as_ref(), x),
            _ => {}
        }
    }

    /// Looks up a uniform by name for each frame. There are few, and names are less error-prone
    /// than a list.
    fn find(&self, name: &str) -> Option<WebGlUniformLocation> {
        self.gl.get_uniform_location(&self.program, name)
    }
}

impl Vertices {
    /// Each vertex has one or two attributes, with `sizes` components.
    fn new(gl: &Gl, data: &[f32], sizes: [i32; 2]) -> Option<Self> {
        let (array, buffer) = (gl.create_vertex_array()?, gl.create_buffer()?);
        let [first, second] = sizes;
        let all = first + second;
        gl.bind_vertex_array(Some(&array));
        fill(gl, Gl::ARRAY_BUFFER, &buffer, &Float32Array::from(data));
        for (attribute, size, start) in [(0, first, 0), (1, second, first)] {
            if size > 0 {
                gl.enable_vertex_attrib_array(attribute);
                let (stride, start) = (4 * all, 4 * start);
                gl.vertex_attrib_pointer_with_i32(attribute, size, Gl::FLOAT, false, stride, start);
            }
        }
        Some(Self { array, buffer, count: data.len() as i32 / all })
    }
}

impl Quads {
    fn new(gl: &Gl, sizes: [i32; 2]) -> Option<Self> {
        let vertices = Vertices::new(gl, &[], sizes)?;
        Some(Self { vertices, order: gl.create_buffer()?, count: 0 })
    }

    /// Sets the corners of `quads` quads: see [`push_corners`].
    fn fill(&mut self, gl: &Gl, corners: &[f32], quads: usize) {
        let mut order = Vec::new();
        for quad in 0..quads as u32 {
            for corner in [0, 1, 2, 2, 1, 3] {
                order.push(4 * quad + corner);
            }
        }
        gl.bind_vertex_array(Some(&self.vertices.array));
        fill(gl, Gl::ARRAY_BUFFER, &self.vertices.buffer, &Float32Array::from(corners));
        fill(gl, Gl::ELEMENT_ARRAY_BUFFER, &self.order, &Uint32Array::from(&order[..]));
        self.count = order.len() as i32;
    }

    fn draw(&self, gl: &Gl) {
        // Drawing before the first `fill` is an error, because there is no index buffer yet.
        if self.count > 0 {
            gl.bind_vertex_array(Some(&self.vertices.array));
            gl.draw_elements_with_i32(Gl::TRIANGLES, self.count, Gl::UNSIGNED_INT, 0);
        }
    }
}

/// Adds the four corners of a quad, each with the same attributes.
fn push_corners(corners: &mut Vec<f32>, attributes: &[f32]) {
    for _ in 0..4 {
        corners.extend_from_slice(attributes);
    }
}

fn fill(gl: &Gl, target: u32, buffer: &WebGlBuffer, data: &Object) {
    gl.bind_buffer(target, Some(buffer));
    gl.buffer_data_with_array_buffer_view(target, data, Gl::STATIC_DRAW);
}

// The sphere, lit from the upper left, and a thin rim of atmosphere.
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
const LAND_FRAGMENT: &str = "in float z;in float d;uniform float strength;uniform vec3 tint;out vec4 c;void main(){\
    float a=clamp((.5-length(gl_PointCoord-.5))*d,0.,1.);c=vec4(tint,1)*a*(.35+.5*z)*strength;}";

// Edges of lines, little more than one pixel wide, and fainter towards the edge of the globe.
const LINE_VERTEX: &str = "in vec3 place,more;uniform mat3 turn;uniform float pixel;out float off,z;\
    void main(){vec3 a=turn*place,b=turn*more,p=(gl_VertexID&1)==0?a:b;z=min(a.z,b.z);\
    off=float(gl_VertexID>>1&1)*4.-2.;vec2 w=normalize(b.xy-a.xy+vec2(1e-6,0));\
    gl_Position=z<.02?vec4(2,2,2,1):vec4((p.xy+vec2(-w.y,w.x)*off*pixel)*scale,0,1);}";
const LINE_FRAGMENT: &str = "in float off,z;uniform float strength;uniform vec3 tint;out vec4 c;\
    void main(){c=vec4(tint,1)*clamp(1.1-abs(off),0.,1.)*strength*smoothstep(0.,.4,z);}";

// Discs on the ground, hence narrower towards the edge. A disc is a pie chart of the types,
// clockwise from the top, with a thin margin in the colour of the ground and a hole if the cluster
// splits. Discs with a rough position are little more than an outline, and rings are only an
// outline.
const DISC_VERTEX: &str = "in vec4 place,more;uniform mat3 turn;uniform float grow,pixel;\
    out vec2 at,cut;out float r,seen,body,hole;\
    void main(){vec3 p=turn*place.xyz;at=vec2(gl_VertexID&1,gl_VertexID>>1&1)*2.-1.;\
    r=place.w*grow;at*=r+2.5;seen=smoothstep(.02,.35,p.z);cut=more.xy;body=more.z;\
    hole=more.w*r;\
    vec2 o=at*pixel,m=p.xy/(length(p.xy)+1e-5);o-=m*dot(o,m)*(1.-max(p.z,.5));\
    gl_Position=p.z<0.?vec4(2,2,2,1):vec4((p.xy+o)*scale,0,1);}";
const DISC_FRAGMENT: &str = "in vec2 at,cut;in float r,seen,body,hole;uniform float ring;\
    uniform vec3 spirit,water,both,ground;out vec4 c;float turned,arc;\
    float part(float x){return clamp(x*arc+.5,0.,1.);}\
    float sector(float from,float to){float s=0.;\
    for(float k=-1.;k<2.;k++)s+=part(turned+k-from)*part(to-turned-k);return to-from<.001?0.:s;}\
    void main(){float l=length(at),d=r-l;turned=fract(atan(at.x,at.y)/6.2831853);arc=l*6.2831853;\
    float s=sector(0.,cut.x),w=sector(cut.x,cut.y),b=sector(cut.y,1.);\
    vec3 tint=(spirit*s+water*w+both*b)/(s+w+b+1e-5);\
    float disc=clamp(d+.5,0.,1.),edge=disc*clamp(2.-d,0.,1.),all=clamp(d+1.8,0.,1.);\
    float full=hole>1.5?clamp(l-hole+.5,0.,1.):1.;\
    float a=ring>0.?edge*ring:max(disc*body,edge*.9)*full;\
    c=(vec4(tint,1)*a+(ring>0.?vec4(0):vec4(ground,1)*(1.-a)*(all-disc+disc*(1.-full))*.85))*seen;}";
