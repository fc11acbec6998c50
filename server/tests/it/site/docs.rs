use std::collections::HashSet;

use app::{pages::docs::PublicPage, widgets::registry::WIDGETS};

use model::ReportType::Spirit;

use crate::harness::{Running, START, reached_at, report};

use svc::problem::Code;

fn values<'a>(html: &'a str, attribute: &str) -> Vec<&'a str> {
    let start = format!(" {attribute}=\"");
    html.split(&start).skip(1).map(|rest| rest.split('"').next().unwrap()).collect()
}

#[tokio::test]
async fn pages_have_nothing_inline() {
    let running = Running::new().await;
    for page in PublicPage::ALL {
        let html = running.get(page.path()).await.text();
        // Code samples may contain styles as text.
        let mut tags = html.split('<').skip(1).map(|tag| tag.split('>').next().unwrap());
        assert!(!tags.any(|tag| tag.contains(" style=")), "{page:?}");
        assert!(!html.contains("<style"), "{page:?}");
        for script in html.split("<script").skip(1) {
            assert!(script.starts_with(" type=\"module\" src=\"/"), "{script}");
        }
    }
}

#[tokio::test]
async fn every_link_of_the_pages_leads_somewhere() {
    let running = Running::new().await;
    let mut links = HashSet::new();
    for path in PublicPage::ALL.map(PublicPage::path).into_iter().chain(["/"]) {
        let html = running.get(path).await.text();
        let addresses = [values(&html, "href"), values(&html, "src"), values(&html, "action")];
        for address in addresses.concat() {
            let own = address.strip_prefix(&running.url("")).unwrap_or(address);
            match own.as_bytes() {
                // Icons are references within the page.
                [b'#', ..] => links.insert(format!("{path}{own}")),
                [b'/', ..] => links.insert(own.to_owned()),
                _ => links.insert(address.to_owned()),
            };
        }
    }
    assert!(links.len() > 40, "{links:?}");
    for link in links {
        if link.starts_with("https://") {
            let known = [
                "https://oembed.com",
                "https://www.standardwebhooks.com",
                "https://www.jsonfeed.org/version/1.1/",
                "https://www.geonames.org/",
                "https://www.naturalearthdata.com/",
                "https://cldr.unicode.org/",
            ];
            assert!(known.contains(&&*link), "{link}");
            continue;
        }
        let (path, anchor) = link.split_once('#').unwrap_or((&link, ""));
        if path == "/api/v1/stream" {
            continue; // Streams do not end.
        }
        let answer = running.get(path).await;
        assert!([200, 303].contains(&answer.status), "{link}: {}", answer.status);
        if !anchor.is_empty() {
            assert!(values(&answer.text(), "id").contains(&anchor), "{link}");
        }
    }
}

#[tokio::test]
async fn every_code_is_explained_where_problems_point_to() {
    let running = Running::new().await;
    let html = running.get("/docs/errors").await.text();
    for code in Code::ALL {
        let (_, section) = html.split_once(&format!("<section id=\"{}\">", code.as_str())).unwrap();
        let section = section.split("</section>").next().unwrap();
        assert!(section.contains(&format!(">{}</b>", code.status().as_u16())), "{section}");
    }
    let problem = running.get("/nowhere").await.json();
    assert_eq!(problem["type"], "/docs/errors#NOT_FOUND");
}

#[tokio::test]
async fn the_reference_shows_every_operation_with_its_parameters_and_problems() {
    let running = Running::new().await;
    let document = running.json("/api/v1/openapi.json").await;
    let mut html = String::new();
    for page in PublicPage::ALL.into_iter().filter(|page| page.is_part()) {
        html += &running.get(page.path()).await.text();
    }
    let overview = running.get("/docs/api").await.text();
    for (path, methods) in document["paths"].as_object().unwrap() {
        assert!(html.contains(&format!("data-path=\"{path}\"")), "{path}");
        for operation in methods.as_object().unwrap().values() {
            let id = operation["operationId"].as_str().unwrap();
            // The overview has the anchor, too, with a link to the page.
            let row = format!("<li id=\"{id}\"><a href=\"/docs/api/");
            assert!(overview.contains(&row), "{row} in {overview}");
            let (_, article) = html.split_once(&format!("<article id=\"{id}\"")).unwrap();
            let article = article.split("</article>").next().unwrap();
            for parameter in operation["parameters"].as_array().unwrap() {
                if parameter["in"] == "query" {
                    let field = format!("name=\"{}\"", parameter["name"].as_str().unwrap());
                    assert!(article.contains(&field), "{field} of {id}");
                }
            }
            for status in operation["responses"].as_object().unwrap().values() {
                for code in status["x-codes"].as_array().into_iter().flatten() {
                    let link = format!("href=\"/docs/errors#{}\"", code.as_str().unwrap());
                    assert!(article.contains(&link), "{link} of {id}");
                }
            }
        }
    }
}

#[tokio::test]
async fn a_form_without_javascript_is_passed_on_without_its_empty_fields() {
    let running = Running::new().await;
    running.publish(&[report("a/b", Spirit)]).await;
    for (sent, passed_on) in [
        (
            "metrics?from=&to=&country=S%C3%A3o+Tom%C3%A9&city=",
            "metrics?country=S%C3%A3o+Tom%C3%A9",
        ),
        ("metrics?from=&to=", "metrics"),
        ("metrics/series?interval=week&from=", "metrics/series?interval=week"),
        ("geo-facets?from=2024-01-01&to=2026-12-31", "geo-facets?from=2024-01-01&to=2026-12-31"),
        ("openapi.json", "openapi.json"),
        ("reports/%7Bid%7D?id=a%2Fb&lang=", "reports/a%2Fb"),
    ] {
        let answer = running.get(&format!("/docs/send/{sent}")).await;
        assert_eq!(answer.status, 303, "{sent}");
        assert_eq!(answer.header("location"), format!("/api/v1/{passed_on}"));
        assert_eq!(running.get(answer.header("location")).await.status, 200);
    }
    for nowhere in ["nothing", "/evil.example", "..%2F..%2Fx", "%2F%2Fevil.example", "metrics/"] {
        let answer = running.get(&format!("/docs/send/{nowhere}")).await;
        assert_eq!((answer.status, answer.header("location")), (404, ""), "{nowhere}");
    }
}

#[tokio::test]
async fn pages_say_where_the_service_is_reached() {
    let running = Running::new().await;
    let html = running.get("/docs").await.text();
    assert!(html.contains(&running.url("/api/v1/metrics")), "{html}");
    assert!(!html.contains("svc.example.org"));
    let hostile = running.get_with("/docs", &[("host", "evil.example\"><script>")]).await;
    assert!(!hostile.text().contains("evil"));

    let running = Running::with(reached_at("https://reports.example.net"), START).await;
    let answer = running.get("/docs/api/metrics").await;
    assert!(answer.text().contains(">'https://reports.example.net/api/v1/metrics'</span>"));
    assert_eq!(answer.headers.get_all("vary").iter().filter(|vary| *vary == "host").count(), 0);
}

#[tokio::test]
async fn the_search_finds_every_page_and_its_headings() {
    let running = Running::new().await;
    let answer = running.get("/docs/search.json").await;
    assert!(answer.body.len() <= 15_000, "{}", answer.body.len());
    let index = answer.json();
    let mut headings = 0;
    for page in index.as_array().unwrap() {
        let (path, sections) = (page[0].as_str().unwrap(), page[2].as_array().unwrap());
        let html = running.get(path).await.text();
        let ids = values(&html, "id");
        for section in sections {
            headings += 1;
            assert!(ids.contains(&section[0].as_str().unwrap()), "{section} of {path}");
        }
    }
    assert_eq!(index.as_array().unwrap().len(), PublicPage::ALL.len());
    assert!(headings > 100, "{headings}");
}

#[tokio::test]
async fn the_page_about_embedding_shows_every_widget() {
    let running = Running::new().await;
    let html = running.get("/docs/embed").await.text();
    for widget in WIDGETS {
        let frame = format!("<iframe src=\"{}?lang=en\"", widget.path());
        assert!(html.contains(&frame), "{frame} in {html}");
    }
}
