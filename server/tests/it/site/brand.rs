//! The operator's own name, website, logo and labels.

use model::ReportType::{Both, Spirit, Water};

use svc::config::{Branding, Serve};

use crate::harness::{Running, START, Svc, report, settings};

const LOGO: &str =
    "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 3 1\"><path d=\"M0 0h3v1H0z\"/></svg>";

/// Starts a service that counts wells, with its logo in the returned folder.
async fn wells() -> (tempfile::TempDir, Running) {
    let folder = tempfile::tempdir().unwrap();
    let logo = folder.path().join("logo");
    std::fs::write(&logo, LOGO).unwrap();
    let branding = Branding {
        site_name: Some("<Water> & all".parse().unwrap()),
        site_url: Some("https://example.org/a?b&c".parse().unwrap()),
        site_logo: Some(logo),
        label_spirit: Some("Wells; de=Brunnen".parse().unwrap()),
        label_water: Some("<Springs>".parse().unwrap()),
        colour_spirit: Some("#166534; dark=#86efac".parse().unwrap()),
        icon_water: Some("M12 2 22 22H2z".parse().unwrap()),
        ..Branding::default()
    };
    let running = Running::with(Serve { branding, ..settings() }, START).await;
    running.publish(&[report("a", Spirit), report("b", Water), report("c", Both)]).await;
    (folder, running)
}

#[tokio::test]
async fn the_home_page_has_the_name_the_site_the_logo_and_the_labels() {
    let (_folder, running) = wells().await;
    let page = running.get("/").await.text();
    for part in [
        "<title>&lt;Water&gt; &amp; all, counted live</title>",
        "<h1>&lt;Water&gt; &amp; all, counted live</h1>",
        "content=\"&lt;Water&gt; &amp; all, counted live\"",
        "<a href=\"https://example.org/a?b&amp;c\">&lt;Water&gt; &amp; all</a>",
        "<img src=\"/logo.svg\" alt=\"\" class=\"mark logo\">",
        "<link rel=\"icon\" href=\"/logo.svg\" type=\"image/svg+xml\">",
        "content=\"3 reports so far: 1 wells, 1 &lt;Springs&gt;, 1 both\"",
        "value=\"spirit\" checked><span>Wells</span>",
    ] {
        assert!(page.contains(part), "no {part} in {page}");
    }
    assert!(!page.contains("Spirit"), "{page}");
}

#[tokio::test]
async fn widgets_and_their_pictures_say_the_labels_in_the_language_of_the_page() {
    let (_folder, running) = wells().await;
    for (lang, label) in [("en", "Wells"), ("de", "Brunnen"), ("fr", "Wells")] {
        for path in ["metrics", "feed", "globe", "trend", "metrics.svg", "globe.svg", "trend.svg"] {
            let text = running.get(&format!("/embed/{path}?lang={lang}")).await.text();
            assert!(text.contains(label), "{path} in {lang}: {text}");
            assert!(!text.contains("<Springs>"), "{path}: {text}");
            assert!(!text.contains("Spirit") && !text.contains("Esprit"), "{path}: {text}");
        }
    }
    let picture = running.get("/social.png").await;
    assert_eq!((picture.status, picture.header("content-type")), (200, "image/png"));
}

#[tokio::test]
async fn widgets_pages_and_pictures_have_the_colours_and_icons() {
    let (_folder, running) = wells().await;
    let page = running.get("/embed/metrics").await.text();
    let (_, rest) = page.split_once("href=\"/embed/colours/").unwrap();
    let path = format!("/embed/colours/{}", rest.split('"').next().unwrap());
    let sheet = running.get(&path).await;
    assert_eq!(sheet.header("content-type"), "text/css; charset=utf-8");
    assert!(sheet.header("cache-control").contains("immutable"));
    assert!(sheet.text().contains("--spirit:var(--if-light,#166534) "), "{}", sheet.text());
    assert!(!sheet.text().contains("--water"), "{}", sheet.text());
    let triangle = "d=\"M12 2 22 22H2z\"";
    for path in ["/", "/docs", "/nothing", "/embed/feed"] {
        let page = running.get_with(path, &[("accept", "text/html")]).await.text();
        assert!(
            page.contains("href=\"/embed/colours/") && page.contains(triangle),
            "{path}: {page}"
        );
    }
    for path in ["metrics.svg", "globe.svg", "trend.svg"] {
        let svg = running.get(&format!("/embed/{path}?theme=dark")).await.text();
        assert!(svg.contains(".spirit{fill:#86efac}") && !svg.contains("166534"), "{path}: {svg}");
        assert!(svg.contains(triangle), "{path}: {svg}");
    }
    let plain = Running::new().await;
    assert!(!plain.get("/").await.text().contains("/embed/colours/"));
    for path in [path.as_str(), "/embed/colours/x.css"] {
        assert_eq!(plain.get(path).await.status, 404, "{path}");
    }
}

#[tokio::test]
async fn other_programs_learn_the_name_and_the_labels() {
    let (_folder, running) = wells().await;
    let info = running.get("/api/v1/openapi.json").await.json()["info"].clone();
    assert_eq!(info["title"], "<Water> & all");
    assert_eq!(info["contact"]["url"], "https://example.org/a?b&c");
    let labels = "Events of the type `spirit` are called “Wells” here, those of `water` “<Springs>”, and those \
                  of `both` “Both”.";
    assert!(info["description"].as_str().unwrap().ends_with(labels), "{info}");
    let url = running.url("/embed/metrics");
    let answer = running.get(&format!("/oembed?url={url}")).await.json();
    let provider = (answer["provider_name"].as_str(), answer["provider_url"].as_str());
    assert_eq!(provider, (Some("<Water> & all"), Some("https://example.org/a?b&c")));
    let docs = running.get("/docs").await.text();
    assert!(docs.contains("<span>&lt;Water&gt; &amp; all</span>"), "{docs}");
    assert!(docs.contains("of wells, &lt;Springs&gt; and both"), "{docs}");
}

#[tokio::test]
async fn a_logo_that_is_opened_by_itself_runs_no_scripts() {
    let (_folder, running) = wells().await;
    let logo = running.get("/logo.svg").await;
    assert_eq!((logo.status, logo.header("content-type")), (200, "image/svg+xml"));
    let policy = "default-src 'none'; style-src 'unsafe-inline'; sandbox";
    assert_eq!(logo.header("content-security-policy"), policy);
    assert_eq!(logo.text(), LOGO);
    assert_eq!(running.get("/logo.png").await.status, 404);
    assert_eq!(Running::new().await.get("/logo.svg").await.status, 404);
}

#[test]
fn what_is_no_logo_no_url_and_no_label_is_refused_at_the_start() {
    let svc = Svc::new();
    let path = svc.path("logo.svg");
    let shown = path.display();
    let refused = |reason: &str| format!("svc: --site-logo {shown} cannot be used: {reason}\n");
    let logo = format!("--site-logo={shown}");
    let serve = ["serve", "--addr=127.0.0.1:0", "--ops-addr=127.0.0.1:0", &logo];
    let ran = svc.run(&serve);
    assert_eq!((ran.code, ran.err), (Some(1), refused("there is no such file")));
    for (bytes, reason) in [
        (&b"GIF89a"[..], "it is neither SVG nor PNG"),
        (
            &b"<html><svg xmlns=\"http://www.w3.org/2000/svg\"></svg></html>"[..],
            "it is neither SVG nor PNG",
        ),
        (&[b' '; 300 << 10][..], "it has more than 256 KiB; give a smaller one"),
    ] {
        std::fs::write(&path, bytes).unwrap();
        let ran = svc.run(&serve);
        assert_eq!((ran.code, ran.err), (Some(1), refused(reason)));
    }
    for (flag, reason) in [
        ("--site-url=example.org", "write a URL, such as https://example.org"),
        ("--site-url=javascript:alert(1)", "write a URL, such as https://example.org"),
        ("--site-name=", "write 1 to 60 characters on one line"),
        ("--label-both=a;xx=b", "\"xx\" is not a language of the widgets"),
        ("--colour-spirit=#fbbf24", "has a contrast of 1.7 in the light theme"),
        ("--colour-water=blue", "write a colour, such as #c2410c"),
        ("--icon-both=<svg/>", "write the data of an SVG path"),
    ] {
        let ran = svc.run(&["serve", flag]);
        assert_eq!(ran.code, Some(2), "{flag}: {}", ran.err);
        assert!(ran.err.contains(reason), "{flag}: {}", ran.err);
    }
}
