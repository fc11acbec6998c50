//! The glyphs, drawn once for all widgets and pages. `public/favicon.svg` shows the same ones.
//!
//! The glyphs are symbols at the top of the document. Views refer to them with `<use href="#spirit">`, so
//! their paths are not in the wasm.

/// The symbols of the types by id, each on a square of 24: flame, drop, and a drop in a flame.
pub(crate) const SYMBOLS: [(&str, &str); 3] = [
    (
        "spirit",
        r#"<symbol id="spirit" viewBox="0 0 24 24"><path d="M11.2 1.5C12 5.5 5 9.3 5 15.6c0 4 3.1 6.9 7 6.9s7-2.9 7-6.9c0-3.3-1.5-5.6-3-7.6 0 2-.5 3.3-1.7 4.1.2-4.2-.4-7.7-3.1-10.6z"/></symbol>"#,
    ),
    (
        "water",
        r#"<symbol id="water" viewBox="0 0 24 24"><path d="M12 1.5c2.6 3.6 7 8.7 7 13.9a7 7 0 0 1-14 0c0-5.2 4.4-10.3 7-13.9z"/></symbol>"#,
    ),
    (
        "both",
        r#"<symbol id="both" viewBox="0 0 24 24"><path fill-rule="evenodd" d="M11.2 1.5C12 5.5 5 9.3 5 15.6c0 4 3.1 6.9 7 6.9s7-2.9 7-6.9c0-3.3-1.5-5.6-3-7.6 0 2-.5 3.3-1.7 4.1.2-4.2-.4-7.7-3.1-10.6zM12 12.2c1.3 1.6 3.3 3.7 3.3 5.6a3.3 3.3 0 0 1-6.6 0c0-1.9 2-4 3.3-5.6z"/></symbol>"#,
    ),
];

/// The symbol of the total, which only the counters show: a ring made of all three colours.
pub(crate) const TOTAL: &str = r#"<symbol id="total" viewBox="0 0 24 24"><g fill="none" stroke-width="4.5"><path stroke="var(--spirit)" d="M12 4a8 8 0 0 1 6.9 12"/><path stroke="var(--water)" d="M16.5 18.6a8 8 0 0 1-11-2"/><path stroke="var(--both)" d="M4.2 13.5A8 8 0 0 1 9 4.6"/></g></symbol>"#;
