use model::ReportType::Spirit;

use super::snippet;
use crate::harness::{But, Running, report};

#[tokio::test]
async fn what_the_query_chooses_is_shown_and_written_into_both_snippets() {
    let running = Running::new().await;
    let html = running.get("/?widget=metrics&theme=dark&bg=none").await.text();
    assert!(html.contains(" src=\"/embed/metrics?theme=dark&amp;bg=none\""), "{html}");
    let iframe = snippet(&html, "iframe");
    assert!(iframe.contains("/embed/metrics?theme=dark&amp;amp;bg=none\""), "{iframe}");
    let script = snippet(&html, "script");
    assert!(
        script.contains("data-theme=\"dark\"") && script.contains("data-bg=\"none\""),
        "{script}"
    );
    for chosen in ["dark", "none", "metrics"] {
        let (_, input) = html.split_once(&format!("value=\"{chosen}\"")).unwrap();
        assert!(input.split('>').next().unwrap().contains("checked"), "{chosen}");
    }
    // One choice of each group, all types and the full width are checked. The visitor's language needs no choice.
    assert_eq!((html.matches(" checked").count(), html.matches(" selected").count()), (11, 1));
}

#[tokio::test]
async fn the_choice_is_also_linked_as_files_and_feeds() {
    let running = Running::new().await;
    for (query, filters) in
        [("", ""), ("?theme=dark&types=water&city=Lyon", "?city=Lyon&amp;types=water")]
    {
        let html = running.get(&format!("/{query}")).await.text();
        let (_, files) = html.split_once("<p id=\"files\">").unwrap();
        let (files, _) = files.split_once("</p>").unwrap();
        for path in ["/api/v1/reports.csv", "/api/v1/reports.geojson", "/api/v1/reports.ndjson"]
            .into_iter()
            .chain(["/feeds/reports.atom", "/feeds/reports.json"])
        {
            assert!(files.contains(&format!("href=\"{path}{filters}\"")), "{path} in {files}");
        }
    }
}

#[tokio::test]
async fn places_types_and_an_accent_are_written_into_both_snippets_and_stay_in_the_form() {
    let running = Running::new().await;
    let path =
        "/?widget=feed&types=water&types=both&accent=%23C0FFEE&city=%22%3E%3Cb%3E&country=Brazil";
    let html = running.get(path).await.text();
    let script = snippet(&html, "script");
    // Snippets are text of the page, so their attribute values are escaped twice.
    for part in [
        "data-types=\"water,both\"",
        "data-accent=\"c0ffee\"",
        "data-country=\"Brazil\"",
        "data-city=\"&amp;quot;&amp;gt;&amp;lt;b&amp;gt;\"",
    ] {
        assert!(script.contains(part), "{part} in {script}");
    }
    let iframe = snippet(&html, "iframe");
    assert!(
        iframe.contains(
            "/embed/feed?accent=c0ffee&amp;amp;country=Brazil&amp;amp;city=%22%3E%3Cb%3E\
             &amp;amp;types=water%2Cboth\""
        ),
        "{iframe}"
    );
    assert!(!html.contains("<b>\""), "{html}");
    let checked = |value: &str| {
        let (_, input) = html.split_once(&format!("value=\"{value}\"")).unwrap();
        input.split('>').next().unwrap().contains("checked")
    };
    assert_eq!(["spirit", "water", "both"].map(checked), [false, true, true]);
    for field in ["name=\"accent\" value=\"c0ffee\"", "name=\"country\" value=\"Brazil\""] {
        assert!(html.contains(field), "{field} in {html}");
    }
}

#[tokio::test]
async fn what_is_not_known_is_as_good_as_nothing() {
    let running = Running::new().await;
    let plain = running.get("/").await.text();
    for query in [
        "widget=nothing&theme=pink",
        "theme=%22%3E%3Cscript%3Ealert(1)%3C/script%3E",
        "widget=%3Cscript%3Ealert(1)%3C/script%3E&bg=%ff",
        "x=y&&=",
    ] {
        assert_eq!(running.get(&format!("/?{query}")).await.text(), plain, "{query}");
    }
}

#[tokio::test]
async fn the_page_is_in_the_language_of_its_address_else_in_the_visitors() {
    let running = Running::new().await;
    for (query, accepted, lang, text) in [
        ("", "de, en;q=0.5", "de", ">Auf Ihre Seite setzen</h2>"),
        ("?language=ar", "de", "ar\" dir=\"rtl", ">ضعه في صفحتك</h2>"),
        ("?language=xx", "pt-BR", "pt", ">Coloque na sua página</h2>"),
        // `lang` is the language of the snippet.
        ("?lang=de", "ja", "en", ">Put it on your page</h2>"),
    ] {
        let answer = running.get_with(&format!("/{query}"), &[("accept-language", accepted)]).await;
        let page = answer.text();
        assert!(page.contains(&format!("<html lang=\"{lang}\"")), "{query}: {page}");
        assert!(page.contains(text), "{query}: {page}");
        assert_eq!(answer.header("content-language"), &lang[..2]);
        let varies = answer.headers.get_all("vary").iter().any(|vary| vary == "accept-language");
        assert_eq!(varies, query != "?language=ar", "{query}");
    }
    let german = running.get("/?language=de&widget=feed").await.text();
    assert!(
        german.contains(" src=\"/embed/metrics?theme=dark&amp;bg=none&amp;lang=de\""),
        "{german}"
    );
    assert!(german.contains("<input type=\"hidden\" name=\"language\" value=\"de\">"), "{german}");
    assert!(snippet(&german, "iframe").contains("/embed/feed\""), "{german}");
    for lang in ["en", "pt", "es", "fr", "de", "ar"] {
        let link = format!("href=\"/?language={lang}\"");
        assert!(german.contains(&link), "{link} in {german}");
        let page = running.get(&format!("/?language={lang}")).await.text();
        assert_eq!(page.contains("Put it on your page"), lang == "en", "{lang}");
    }
}

#[tokio::test]
async fn an_unknown_place_is_said_to_be_one_with_those_that_may_be_meant() {
    let running = Running::new().await;
    let hint = async |query: &str| {
        let html = running.get(&format!("/?{query}")).await.text();
        let (_, rest) = html.split_once("id=\"no-such-place\"").unwrap();
        rest.split_once("</div>").unwrap().0.to_owned()
    };
    let marseille = hint("widget=feed&theme=dark&city=Marseile&country=France").await;
    assert!(marseille.contains("No such place."), "{marseille}");
    let link =
        "href=\"/?widget=feed&amp;theme=dark&amp;country=France&amp;city=Marseille#builder\"";
    assert!(marseille.contains(link), "{marseille}");
    assert!(marseille.contains("<bdi>Marseille, France</bdi>"), "{marseille}");
    let nothing = hint("country=Qwertyland").await;
    assert!(nothing.contains("No such place.") && !nothing.contains("<a"), "{nothing}");
    for known in ["", "city=Lyon", "country=Brasil"] {
        assert!(!hint(known).await.contains("No such place."), "{known}");
    }
    // A place with reports exists, even if the gazetteer does not have it.
    let village = "city=Qwxyzdorf&country=Germany";
    assert!(hint(village).await.contains("No such place."));
    running.publish(&[report("a", Spirit).at("Qwxyzdorf", "", "DE")]).await;
    assert!(!hint(village).await.contains("No such place."));
}

#[tokio::test]
async fn a_link_to_the_page_has_a_title_words_and_a_picture() {
    let running = Running::new().await;
    for path in ["/", "/docs", "/docs/api"] {
        let html = running.get(path).await.text();
        for property in ["og:title", "og:description", "og:image", "og:url"] {
            assert!(html.contains(&format!("property=\"{property}\"")), "{property} of {path}");
        }
        assert!(html.contains(&format!("content=\"{}\"", running.url("/social.png"))), "{path}");
    }
    let picture = running.get("/social.png").await;
    assert_eq!((picture.status, picture.header("content-type")), (200, "image/png"));
    let size = |at: usize| u32::from_be_bytes(picture.body[at..at + 4].try_into().unwrap());
    assert_eq!((size(16), size(20)), (1_200, 630));
}

#[tokio::test]
async fn browsers_find_an_icon_where_they_look_for_one_by_themselves() {
    // HTML pages link to their icon. For API responses, browsers request this path.
    let running = Running::new().await;
    let icon = running.get("/favicon.ico").await;
    assert_eq!((icon.status, icon.header("content-type")), (200, "image/x-icon"));
}
