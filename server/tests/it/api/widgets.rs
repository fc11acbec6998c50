use app::widgets::registry::WIDGETS;
use kit::lang::Lang;
use model::ReportType::Spirit;

use crate::harness::{But, Running, START, reached_at, report};

#[tokio::test]
async fn the_metrics_widget_is_complete_and_small() {
    let running = Running::new().await;
    let many: Vec<_> = (0..1_234).map(|number| report(&format!("r{number}"), Spirit)).collect();
    running.publish(&many).await;
    let answer = running.get("/embed/metrics").await;
    assert_eq!(answer.status, 200);
    let html = answer.text();
    assert!(html.contains("1,234"), "{html}");
    assert!(html.len() <= 6 * 1024, "{} bytes", html.len());
    // Inline scripts contain only data; code is loaded from files.
    for script in html.split("<script ").skip(1) {
        let (attributes, _) = script.split_once('>').unwrap();
        let is_file = attributes.starts_with("type=\"module\" src=\"/assets/")
            || attributes == "async src=\"/retry.js\"";
        assert!(is_file || attributes.contains("type=\"application/json\""), "{attributes}");
    }
    assert!(!html.contains(" style="));
}

#[tokio::test]
async fn every_file_that_the_widget_names_is_there_for_ever() {
    let running = Running::new().await;
    let html = running.get("/embed/metrics").await.text();
    let files: Vec<&str> = html.split('"').filter(|text| text.starts_with("/assets/")).collect();
    assert!(files.len() >= 3, "{files:?}");
    for file in files {
        let answer = running.get(file).await;
        assert_eq!(answer.status, 200, "{file}");
        assert_eq!(answer.header("cache-control"), "public, max-age=31536000, immutable");
        assert_eq!(answer.header("access-control-allow-origin"), "*");
    }
}

#[tokio::test]
async fn places_are_called_what_the_language_of_the_page_calls_them() {
    let running = Running::new().await;
    running.publish(&[report("a", Spirit).at("Vienna", "", "Austria")]).await;
    let german = running.get("/embed/feed?country=AUT&city=Vienna&lang=de").await.text();
    for text in [
        "<b dir=\"auto\">Wien</b>",
        "<span class=\"country\">Österreich</span>",
        ">Wien, Österreich</bdi>",
    ] {
        assert!(german.contains(text), "{text} is not in {german}");
    }
    let accepted = [("accept-language", "fr")];
    let french = running.get_with("/embed/metrics?country=AT", &accepted).await.text();
    assert!(french.contains("\"label\":\"Autriche\""), "{french}");
    let arabic = running.get("/embed/globe?lang=ar").await.text();
    assert!(arabic.contains("<li>فيينا، النمسا: "), "{arabic}");
    let elsewhere = running.get("/embed/metrics?country=Atlantis&lang=de").await.text();
    assert!(elsewhere.contains("\"label\":\"Atlantis\""), "{elsewhere}");
}

#[tokio::test]
async fn cities_reported_in_capitals_or_without_any_are_shown_as_the_gazetteer_spells_them() {
    let running = Running::new().await;
    let at = |id, city, country| report(id, Spirit).at(city, "", country);
    running
        .publish(&[
            at("a", "SAO PAULO", "Brazil"),
            at("b", "campinas", "BR"),
            at("c", "bochum", "Germany"),
            at("d", "QWXYZSTADT", "Germany"),
        ])
        .await;
    let feed = running.get("/embed/feed?lang=de").await.text();
    let live = running.get("/embed/live?view=lang%3Dde").await.text();
    let globe = running.get("/embed/globe?lang=de").await.text();
    let markers = running.get("/embed/globe/markers?lang=de").await.text();
    for city in ["São Paulo", "Campinas", "Bochum"] {
        assert!(feed.contains(&format!("<b dir=\"auto\">{city}</b>")), "{city} is not in {feed}");
        assert!(live.contains(&format!("\"city\":\"{city}\"")), "{city} is not in {live}");
        assert!(globe.contains(&format!("<li>{city}, ")), "{city} is not in {globe}");
        assert_eq!(markers.matches(&format!("\"{city}\"")).count(), 2, "{city} in {markers}");
    }
    assert!(feed.contains("<b dir=\"auto\">QWXYZSTADT</b>"), "{feed}");
    let label = running.get("/embed/metrics?country=DE&city=bochum&lang=de").await.text();
    assert!(label.contains("\"label\":\"Bochum, Deutschland\""), "{label}");
    // The API has the names as reported.
    let reports = running.json("/api/v1/reports").await;
    let cities: Vec<_> = reports["reports"].as_array().unwrap().iter().collect();
    let cities: Vec<_> = cities.iter().map(|report| report["city"].as_str().unwrap()).collect();
    assert_eq!(cities, ["SAO PAULO", "campinas", "bochum", "QWXYZSTADT"]);
}

#[tokio::test]
async fn options_from_strangers_never_reach_the_page_unescaped() {
    let running = Running::new().await;
    for query in ["theme=%22%3E%3Cscript%3Ealert(1)%3C/script%3E", "theme=dark&theme=%ff", "x"] {
        let answer = running.get(&format!("/embed/metrics?{query}")).await;
        assert_eq!(answer.status, 200, "{query}");
        assert!(!answer.text().contains("alert(1)"), "{query}");
    }
}

#[tokio::test]
async fn the_home_page_shows_the_snippets_for_the_address_it_was_reached_at() {
    let running = Running::new().await;
    let html = running.get("/").await.text();
    assert!(html.contains(&running.url("/embed/metrics")), "{html}");
    assert!(html.contains(&running.url("/embed.js")));
    let hostile = running.get_with("/", &[("host", "evil.example\"><script>")]).await;
    assert!(!hostile.text().contains("evil"));

    let running = Running::with(reached_at("https://svc.example.org"), START).await;
    let html = running.get("/").await.text();
    assert!(html.contains("https://svc.example.org/embed.js"));
}

#[tokio::test]
async fn the_loader_has_a_fixed_name_and_is_asked_for_again() {
    let running = Running::new().await;
    let answer = running.get("/embed.js").await;
    assert_eq!(answer.header("content-type"), "text/javascript; charset=utf-8");
    assert_eq!(
        answer.header("cache-control"),
        "public, max-age=3600, stale-while-revalidate=86400"
    );
    let etag = answer.header("etag");
    assert_eq!(running.get_with("/embed.js", &[("if-none-match", etag)]).await.status, 304);
}

#[tokio::test]
async fn the_loader_knows_every_widget_however_it_is_compressed() {
    let running = Running::new().await;
    let plain = running.get("/embed.js").await.text();
    for widget in WIDGETS {
        let known = format!("\"{}\":[{},", widget.name, widget.height);
        assert!(plain.contains(&known), "{known} is not in {plain}");
    }
    let client = reqwest::Client::builder;
    for (coding, client) in [("br", client().no_gzip()), ("gzip", client().no_brotli())] {
        let packed = running.get_with("/embed.js", &[("accept-encoding", coding)]).await;
        assert_eq!(packed.header("content-encoding"), coding);
        assert!(packed.body.len() < plain.len() * 2 / 3, "{coding}: {}", packed.body.len());
        let request = client.build().unwrap().get(running.url("/embed.js"));
        assert_eq!(request.send().await.unwrap().text().await.unwrap(), plain, "{coding}");
    }
}

#[tokio::test]
async fn a_page_is_the_same_bytes_wherever_it_is_rendered() {
    let elsewhere = "https://svc.example.org";
    let running = async || Running::with(reached_at(elsewhere), START).await;
    let (one, other) = (running().await, running().await);
    for running in [&one, &other] {
        running.publish(&[report("a", Spirit)]).await;
    }
    let paths = ["/", "/docs", "/docs/api", "/docs/errors"].map(str::to_owned).into_iter();
    for path in paths.chain(WIDGETS.iter().map(|widget| widget.path() + "?theme=dark")) {
        let (page, same) = (one.get(&path).await, other.get(&path).await);
        assert_eq!(page.text(), same.text(), "{path}");
        assert_eq!(page.header("etag"), same.header("etag"));
        assert!(!page.text().contains("nonce"), "{path}");
    }
}

#[tokio::test]
async fn a_widget_whose_data_cannot_be_read_is_a_problem_and_no_half_page() {
    let running = Running::new().await;
    running.publish(&[report("a", Spirit)]).await;
    running.database.tamper("ALTER TABLE counts RENAME TO elsewhere").await;
    for widget in WIDGETS {
        let answer = running.get(&format!("{}?city=campinas", widget.path())).await;
        assert_eq!(answer.status, 503, "{widget:?}");
        assert_eq!(answer.header("content-type"), "application/problem+json; charset=utf-8");
        assert_eq!(answer.json()["code"], "UNAVAILABLE");
    }
    running.database.tamper("ALTER TABLE elsewhere RENAME TO counts").await;
    for widget in WIDGETS {
        let answer = running.get(&format!("{}?city=campinas", widget.path())).await;
        assert_eq!(answer.status, 200, "{widget:?}");
        assert!(answer.text().ends_with("</html>"), "{}", answer.text());
    }
}

#[tokio::test]
async fn a_title_replaces_the_heading_and_is_escaped() {
    let running = Running::new().await;
    let title = "title=%3Cb%3EOurs%3C/b%3E%20%26%20%3C/script%3Eyours";
    let escaped = "&lt;b&gt;Ours&lt;/b&gt; &amp; &lt;/script&gt;yours";
    for widget in WIDGETS {
        let html = running.get(&format!("{}?{title}", widget.path())).await.text();
        assert!(html.contains(&format!("<title>{escaped}</title>")), "{html}");
        assert_eq!(heading(&html), escaped);
        // The title appears neither as markup nor as the end of the script with the initial state.
        assert!(!html.contains("<b>Ours") && !html.contains("</script>yours"), "{html}");
    }
}

#[tokio::test]
async fn a_title_that_is_blank_over_long_or_has_control_characters_is_ignored() {
    let running = Running::new().await;
    let longest = "x".repeat(256);
    let over_long = longest.clone() + "x";
    for widget in WIDGETS {
        let path = widget.path();
        let plain = running.get(&path).await.text();
        assert_eq!(heading(&plain), widget.title(Lang::En));
        for title in ["", "%20", "a%0Ab", "%00", "a%7Fb", "%ff", &over_long] {
            let answer = running.get(&format!("{path}?title={title}")).await;
            assert_eq!((answer.status, answer.text()), (200, plain.clone()), "{title}");
        }
        let html = running.get(&format!("{path}?title={longest}")).await.text();
        assert_eq!(heading(&html), longest);
    }
}

/// HTML of the text of a page's only heading.
fn heading(html: &str) -> &str {
    let (_, heading) = html.split_once("<h1").unwrap();
    let (heading, _) = heading.split_once("</h1>").unwrap();
    let (_, text) = heading.trim_end_matches("</bdi>").rsplit_once('>').unwrap();
    text
}
