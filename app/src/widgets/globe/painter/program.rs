use wasm_bindgen::JsValue;
use web_sys::{WebGl2RenderingContext as Gl, WebGlProgram, WebGlUniformLocation};

/// `COMPLETION_STATUS_KHR` of the extension `KHR_parallel_shader_compile`.
const COMPLETION_STATUS: u32 = 0x91B1;

/// A vertex and a fragment shader. The browser compiles them on another thread: wait for
/// [`is_compiled`](Self::is_compiled) before the first use, or the page blocks.
pub(super) struct Program {
    gl: Gl,
    program: WebGlProgram,
}

impl Program {
    pub(super) fn new(gl: &Gl, [vertex, fragment]: [&str; 2]) -> Option<Self> {
        let program = gl.create_program()?;
        for (kind, source) in [(Gl::VERTEX_SHADER, vertex), (Gl::FRAGMENT_SHADER, fragment)] {
            let shader = gl.create_shader(kind)?;
            let start = "#version 300 es\nprecision highp float;precision highp int;\
                         uniform vec2 scale;uniform vec3 sun;";
            gl.shader_source(&shader, &(start.to_owned() + source));
            gl.compile_shader(&shader);
            gl.attach_shader(&program, &shader);
        }
        gl.bind_attrib_location(&program, 0, "place");
        gl.bind_attrib_location(&program, 1, "more");
        gl.link_program(&program);
        Some(Self { gl: gl.clone(), program })
    }

    /// Whether the browser has finished compiling. Requires the extension
    /// `KHR_parallel_shader_compile`.
    pub(super) fn is_compiled(&self) -> bool {
        self.parameter(COMPLETION_STATUS).is_truthy()
    }

    /// Whether the shaders are valid. Waits until they are compiled.
    pub(super) fn is_linked(&self) -> bool {
        self.parameter(Gl::LINK_STATUS).is_truthy()
    }

    fn parameter(&self, name: u32) -> JsValue {
        self.gl.get_program_parameter(&self.program, name)
    }

    pub(super) fn begin(&self, scale: [f32; 2], sun: &[f32; 3]) {
        self.gl.use_program(Some(&self.program));
        self.set("scale", &scale);
        self.set("sun", sun);
    }

    pub(super) fn turn(&self, columns: &[f32]) {
        self.gl.uniform_matrix3fv_with_f32_array(self.find("turn").as_ref(), false, columns);
    }

    /// Sets a uniform of one to three components.
    pub(super) fn set(&self, name: &str, value: &[f32]) {
        let at = self.find(name);
        match *value {
            [x, y, z] => self.gl.uniform3f(at.as_ref(), x, y, z),
            [x, y] => self.gl.uniform2f(at.as_ref(), x, y),
            [x] => self.gl.uniform1f(at.as_ref(), x),
            _ => {}
        }
    }

    /// Looks up a uniform by name for each frame. There are few, and names are less error-prone
    /// than a list.
    fn find(&self, name: &str) -> Option<WebGlUniformLocation> {
        self.gl.get_uniform_location(&self.program, name)
    }
}
