use crate::shell::{Assets, Glyphs, Head, render};
use leptos::prelude::*;

/// A kind of problem, as the page explains it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Explained {
    /// The `code` member of a problem, and the anchor here.
    pub code: &'static str,
    /// The HTTP status.
    pub status: u16,
    /// When it is answered; code stands between backquotes.
    pub when: &'static str,
}

fn marked(text: &'static str) -> impl IntoView {
    let piece = |(index, piece): (usize, &'static str)| {
        if index % 2 == 1 { view! { <code>{piece}</code> }.into_any() } else { piece.into_any() }
    };
    text.split('`').enumerate().map(piece).collect_view()
}

/// The document of `/docs/errors`: one anchor a code, where the `type` of a problem points.
pub fn page(problems: &[Explained], assets: &Assets) -> String {
    let problem = |problem: &Explained| {
        view! {
            <section id=problem.code>
                <h2>
                    <code>{problem.code}</code>
                </h2>
                <p>
                    {format!("{}, when ", problem.status)} {marked(problem.when)} "."
                </p>
            </section>
        }
    };
    render(|| {
        view! {
            <!DOCTYPE html>
            <html lang="en" data-theme="auto">
                <head>
                    <Head title="Errors of the API".to_owned() style=assets.styles.page.clone() />
                </head>
                <body>
                    <Glyphs />
                    <main>
                        <header>
                            <h1>"Errors of the API"</h1>
                            <p class="lead">
                                "Every error is answered as "
                                <code>"application/problem+json"</code>
                                ". Its code names one of these, and its detail says what to change."
                            </p>
                        </header>
                        {problems.iter().map(problem).collect_view()}
                    </main>
                </body>
            </html>
        }
    })
}
