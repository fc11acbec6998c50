use js_sys::{Float32Array, Object, Uint32Array};
use web_sys::{WebGl2RenderingContext as Gl, WebGlBuffer, WebGlVertexArrayObject};

/// Vertices in the memory of the graphics card.
pub(super) struct Vertices {
    array: WebGlVertexArrayObject,
    buffer: WebGlBuffer,
    /// Number of components of a vertex.
    size: i32,
    count: i32,
}

/// Rectangles made of two triangles. All four corners have the same attributes; the shader
/// distinguishes them by vertex number.
pub(super) struct Quads {
    vertices: Vertices,
    order: WebGlBuffer,
    count: i32,
}

impl Vertices {
    /// Each vertex has one or two attributes, with `sizes` components.
    pub(super) fn new(gl: &Gl, sizes: [i32; 2]) -> Option<Self> {
        let (array, buffer) = (gl.create_vertex_array()?, gl.create_buffer()?);
        let [first, second] = sizes;
        let size = first + second;
        gl.bind_vertex_array(Some(&array));
        gl.bind_buffer(Gl::ARRAY_BUFFER, Some(&buffer));
        for (attribute, part, start) in [(0, first, 0), (1, second, first)] {
            if part > 0 {
                gl.enable_vertex_attrib_array(attribute);
                let (stride, start) = (4 * size, 4 * start);
                gl.vertex_attrib_pointer_with_i32(attribute, part, Gl::FLOAT, false, stride, start);
            }
        }
        Some(Self { array, buffer, size, count: 0 })
    }

    pub(super) fn fill(&mut self, gl: &Gl, data: &[f32]) {
        gl.bind_vertex_array(Some(&self.array));
        fill(gl, Gl::ARRAY_BUFFER, &self.buffer, &Float32Array::from(data));
        self.count = data.len() as i32 / self.size;
    }

    pub(super) fn draw(&self, gl: &Gl) {
        gl.bind_vertex_array(Some(&self.array));
        gl.draw_arrays(Gl::POINTS, 0, self.count);
    }
}

impl Quads {
    pub(super) fn new(gl: &Gl, sizes: [i32; 2]) -> Option<Self> {
        Some(Self { vertices: Vertices::new(gl, sizes)?, order: gl.create_buffer()?, count: 0 })
    }

    /// Sets the corners of the quads: see [`push_corners`].
    pub(super) fn fill(&mut self, gl: &Gl, corners: &[f32]) {
        self.vertices.fill(gl, corners);
        let mut order = Vec::new();
        for quad in 0..self.vertices.count as u32 / 4 {
            for corner in [0, 1, 2, 2, 1, 3] {
                order.push(4 * quad + corner);
            }
        }
        fill(gl, Gl::ELEMENT_ARRAY_BUFFER, &self.order, &Uint32Array::from(&order[..]));
        self.count = order.len() as i32;
    }

    /// Number of quads.
    pub(super) fn count(&self) -> f32 {
        (self.vertices.count / 4) as f32
    }

    pub(super) fn draw(&self, gl: &Gl) {
        // Drawing before the first `fill` is an error, because there is no index buffer yet.
        if self.count > 0 {
            gl.bind_vertex_array(Some(&self.vertices.array));
            gl.draw_elements_with_i32(Gl::TRIANGLES, self.count, Gl::UNSIGNED_INT, 0);
        }
    }
}

/// Adds the four corners of a quad, each with the same attributes.
pub(super) fn push_corners(corners: &mut Vec<f32>, attributes: &[f32]) {
    for _ in 0..4 {
        corners.extend_from_slice(attributes);
    }
}

fn fill(gl: &Gl, target: u32, buffer: &WebGlBuffer, data: &Object) {
    gl.bind_buffer(target, Some(buffer));
    gl.buffer_data_with_array_buffer_view(target, data, Gl::STATIC_DRAW);
}
