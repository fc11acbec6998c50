use super::{FIRST, board::MetricsBoard};
use crate::{
    embed::catalogue::Embed,
    model::Metrics,
    shell::{Assets, Boot, Discovery, Glyphs, Head, json, render},
    words::EN_HEADINGS,
};
use leptos::prelude::*;

/// The document of `/embed/metrics`, whole, with the first values in it. `base_url` is where the
/// service is reached from outside, without a slash at its end.
pub fn page(first: &Metrics, embed: &Embed, base_url: &str, assets: &Assets) -> String {
    let Embed { widget, options } = embed;
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
                    <Discovery
                        base_url=base_url.to_owned()
                        address=embed.address()
                        title=widget.title
                    />
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

    fn html(query: &str) -> String {
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
        page(&first, &Embed::from_query(query), "https://a.example", &Assets::default())
    }

    #[test]
    fn the_page_is_complete_without_scripts() {
        let html = html("");
        assert!(html.starts_with("<!DOCTYPE html><html lang=\"en\" data-theme=\"auto\""));
        for text in
            [">1,234,567<", ">567<", ">+12 today<", ">1 country<", ">34 cities<", "as of 14:05 UTC"]
        {
            assert!(html.contains(text), "{text} is not in {html}");
        }
    }

    #[test]
    fn the_page_is_small_and_has_nothing_inline_that_runs() {
        let html = html("");
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
        let html = html("theme=dark&bg=none");
        assert!(html.contains("data-theme=\"dark\" data-bg=\"none\""), "{html}");
        let oembed = "href=\"https://a.example/oembed?url=https%3A%2F%2Fa.example%2Fembed%2F\
                      metrics%3Ftheme%3Ddark%26bg%3Dnone&amp;format=json\"";
        assert!(html.contains(oembed), "{html}");
    }
}
