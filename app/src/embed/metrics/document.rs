use super::{FIRST, board::MetricsBoard};
use crate::{
    embed::EmbedOptions,
    model::Metrics,
    shell::{Assets, Boot, Glyphs, Head, json, render},
    words::EN_HEADINGS,
};
use leptos::prelude::*;

/// The document of `/embed/metrics`, whole, with the first values in it.
pub fn page(first: &Metrics, options: &EmbedOptions, assets: &Assets) -> String {
    render(|| {
        provide_context(first.clone());
        view! {
            <!DOCTYPE html>
            <html
                lang="en"
                data-theme=options.theme.as_str()
                data-bg=options.background.as_str()
            >
                <head>
                    <Head title=EN_HEADINGS.metrics.to_owned() style=assets.styles.metrics.clone() />
                    <Boot assets=assets.clone() island="metrics_board" />
                </head>
                <body>
                    <Glyphs />
                    <main class="metrics">
                        <h1>{EN_HEADINGS.metrics}</h1>
                        <MetricsBoard />
                    </main>
                    <script id=FIRST type="application/json" inner_html=json(first)></script>
                </body>
            </html>
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn html(options: &EmbedOptions) -> String {
        let first = Metrics {
            spirit: 1_234_000,
            water: 567,
            total: 1_234_567,
            total_today: 12,
            countries: 1,
            cities: 34,
            updated_at: "2026-01-05T14:05:09.123Z".to_owned(),
            ..Metrics::default()
        };
        page(&first, options, &Assets::default())
    }

    #[test]
    fn the_page_is_complete_without_scripts() {
        let html = html(&EmbedOptions::default());
        assert!(html.starts_with("<!DOCTYPE html><html lang=\"en\" data-theme=\"auto\""));
        for text in
            [">1,234,567<", ">567<", ">+12 today<", ">1 country<", ">34 cities<", "as of 14:05 UTC"]
        {
            assert!(html.contains(text), "{text} is not in {html}");
        }
    }

    #[test]
    fn the_page_is_small_and_has_nothing_inline_that_runs() {
        let html = html(&EmbedOptions::default());
        assert!(html.len() <= 6_000, "{} bytes", html.len());
        assert!(!html.contains(" style="), "{html}");
        assert!(!html.contains("<style"), "{html}");
        for script in html.split("<script ").skip(1) {
            let runs = !script.contains("type=\"application/json\"");
            assert_eq!(runs, script.contains(" src="), "{script}");
        }
    }

    #[test]
    fn options_are_written_as_their_names() {
        let html = html(&EmbedOptions::from_query("theme=dark&bg=none"));
        assert!(html.contains("data-theme=\"dark\" data-bg=\"none\""), "{html}");
    }
}
