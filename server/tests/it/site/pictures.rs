use app::widgets::registry::{WIDGETS, Widget};
use model::ReportType::{Spirit, Water};

use crate::harness::{Answer, But, Running, report};

/// Width and height of a PNG in pixels, from its header.
fn size(png: &Answer) -> (u32, u32) {
    assert!(png.body.starts_with(b"\x89PNG\r\n\x1a\n"), "{}", png.status);
    let number = |at: usize| u32::from_be_bytes(png.body[at..at + 4].try_into().unwrap());
    (number(16), number(20))
}

fn with_pictures() -> impl Iterator<Item = String> {
    WIDGETS.iter().filter(|widget| widget.has_picture()).map(Widget::path)
}

#[tokio::test]
async fn an_svg_loads_nothing() {
    let running = Running::new().await;
    running.publish(&[report("a", Spirit), report("b", Water)]).await;
    for path in with_pictures() {
        let svg = running.get(&format!("{path}.svg")).await.text();
        let svg = svg.replace("xmlns=\"http://www.w3.org/2000/svg\"", "");
        assert!(svg.starts_with("<svg ") && svg.ends_with("</svg>"), "{svg}");
        for outside in ["<script", "<image", "@import", "<a ", "<foreignObject", "http:", "https:"]
        {
            assert!(!svg.contains(outside), "{outside} is in {svg}");
        }
    }
}

#[tokio::test]
async fn a_picture_is_sent_again_only_when_the_data_changed() {
    let running = Running::new().await;
    for path in with_pictures().flat_map(|path| [format!("{path}.svg"), format!("{path}.png")]) {
        let first = running.get(&path).await;
        let known = [("if-none-match", first.header("etag"))];
        assert_eq!(running.get_with(&path, &known).await.status, 304, "{path}");
        running.publish(&[report(&format!("of {path}"), Spirit)]).await;
        let changed = running.get_with(&path, &known).await;
        assert_eq!(changed.status, 200, "{path}");
        assert_ne!(changed.body, first.body, "{path}");
    }
}

#[tokio::test]
async fn a_png_has_two_pixels_for_each_of_the_svg() {
    let running = Running::new().await;
    for path in with_pictures() {
        let svg = running.get(&format!("{path}.svg?lang=de")).await.text();
        let side = |name: &str| {
            let (_, rest) = svg.split_once(&format!(" {name}=\"")).unwrap();
            rest.split('"').next().unwrap().parse::<u32>().unwrap()
        };
        let png = running.get(&format!("{path}.png?lang=de")).await;
        assert_eq!(size(&png), (2 * side("width"), 2 * side("height")), "{path}");
    }
}

#[tokio::test]
async fn a_png_is_light_unless_it_is_to_be_dark() {
    let running = Running::new().await;
    let png = async |query: &str| running.get(&format!("/embed/metrics.png{query}")).await.body;
    let light = png("?theme=light").await;
    assert_eq!(png("").await, light);
    assert_eq!(png("?theme=auto").await, light);
    assert_ne!(png("?theme=dark").await, light);
}

#[tokio::test]
async fn each_option_changes_both_formats() {
    let running = Running::new().await;
    running.publish(&[report("a", Spirit), report("b", Water).at("Lyon", "", "France")]).await;
    for path in with_pictures() {
        for ending in ["svg", "png"] {
            let plain = running.get(&format!("{path}.{ending}")).await.body;
            for query in [
                "theme=dark",
                "bg=none",
                "accent=c2410c",
                "lang=ar",
                "country=FR",
                "types=water",
                "title=Mine",
            ] {
                let path = format!("{path}.{ending}?{query}");
                let answer = running.get(&path).await;
                assert_eq!(answer.status, 200, "{path}");
                assert_ne!(answer.body, plain, "{path}");
            }
        }
    }
}

#[tokio::test]
async fn options_of_a_picture_are_a_closed_set() {
    let running = Running::new().await;
    let plain = running.get("/embed/metrics.svg").await.text();
    assert!(plain.contains("prefers-color-scheme:dark"));
    let dark = running.get("/embed/metrics.svg?theme=dark").await.text();
    assert!(dark.contains("#0b1220") && !dark.contains("prefers-color-scheme"));
    let hostile = "/embed/metrics.svg?theme=%3C/style%3E%3Cscript%3Ealert(1)%3C/script%3E";
    assert_eq!(running.get(hostile).await.text(), plain);
}

#[tokio::test]
async fn whatever_stands_in_a_title_is_drawn() {
    let running = Running::new().await;
    for title in [
        "%3C/text%3E%3Cscript%3Ealert(1)%3C/script%3E",
        "%22%26%27%5D%5D%3E",
        "%EF%BF%BE%EF%BF%BF%E2%80%A8%E2%80%A9",
        "%E2%80%AE%E2%81%A9%E2%81%A9abc",
        "%F0%9F%94%A5+%E6%9D%B1%E4%BA%AC+%D8%A7%D9%84%D9%82%D8%A7%D9%87%D8%B1%D8%A9+abc+%CC%81%CC%81",
        "%D9%8F%D9%8F%D9%8F%E2%80%8D%E2%80%8D%D9%8F",
        &"%F0%9D%94%B8".repeat(256),
    ] {
        for path in with_pictures() {
            for lang in ["en", "ar"] {
                let query = format!("title={title}&lang={lang}");
                let svg = running.get(&format!("{path}.svg?{query}")).await.text();
                assert!(svg.ends_with("</svg>") && !svg.contains("<script"), "{svg}");
                let png = running.get(&format!("{path}.png?{query}")).await;
                assert_eq!(png.status, 200, "{path}?{query}: {}", png.text());
            }
        }
    }
}

#[tokio::test]
async fn the_counters_are_those_of_the_place_and_the_types_asked_for() {
    let running = Running::new().await;
    running.publish(&[report("a", Spirit), report("b", Water).at("Lyon", "", "France")]).await;
    for (query, said) in [
        ("", "Reports so far: Total 2, Spirit 1, Water 1, Both 0"),
        ("?country=FR", "Reports so far · France: Total 1, Spirit 0, Water 1, Both 0"),
        (
            "?country=FR&lang=de",
            "Bisherige Berichte · Frankreich: Gesamt 1, Geist 0, Wasser 1, Beides 0",
        ),
        ("?city=campinas", "Reports so far · campinas: Total 1, Spirit 1, Water 0, Both 0"),
        ("?types=spirit", "Reports so far: Spirit 1"),
        ("?title=Ours&types=water,both", "Ours: Total 1, Water 1, Both 0"),
    ] {
        let svg = running.get(&format!("/embed/metrics.svg{query}")).await.text();
        assert!(svg.contains(&format!("<title id=\"title\">{said}</title>")), "{query}: {svg}");
    }
}

#[tokio::test]
async fn what_other_sites_show_of_a_link_has_the_counters_of_this_service() {
    let [one, other] = [Running::new().await, Running::new().await];
    let [empty, same] = [one.get("/social.png").await, other.get("/social.png").await];
    assert_eq!((size(&empty), empty.body == same.body), ((1_200, 630), true));
    one.publish(&[report("a", Spirit)]).await;
    other.publish(&[report("a", Water)]).await;
    let [spirit, water] = [one.get("/social.png").await, other.get("/social.png").await];
    assert_ne!(spirit.body, empty.body);
    assert_ne!(spirit.body, water.body);
    assert_eq!(one.get("/social.png?theme=dark").await.body, spirit.body);
    let alt = "<meta property=\"og:image:alt\" \
               content=\"1 report so far: 0 spirit, 1 water, 0 both\">";
    let html = other.get("/").await.text();
    assert!(html.contains(alt), "{html}");
}

#[tokio::test]
async fn a_picture_is_rendered_once_however_many_ask() {
    let running = Running::new().await;
    let asked = (0..20).map(|_| running.get("/embed/metrics.png?title=once"));
    let answers = futures_util::future::join_all(asked).await;
    assert!(answers.iter().all(|answer| answer.status == 200 && answer.body == answers[0].body));
}

#[tokio::test]
async fn data_that_cannot_be_read_is_a_problem_and_no_picture() {
    let running = Running::new().await;
    running.database.store.close().await;
    for path in ["/embed/metrics.svg?country=FR", "/embed/metrics.png?country=FR"] {
        let answer = running.get(path).await;
        assert_eq!((answer.status, &answer.json()["code"]), (503, &"UNAVAILABLE".into()), "{path}");
    }
}

#[tokio::test]
async fn other_names_and_methods_are_refused() {
    let running = Running::new().await;
    for path in ["/embed/unknown", "/embed/unknown.svg", "/embed/metrics.gif", "/embed/.png"] {
        let answer = running.get(path).await;
        assert_eq!((answer.status, &answer.json()["code"]), (404, &"NOT_FOUND".into()), "{path}");
    }
    for path in ["/embed/metrics.svg", "/embed/metrics.png"] {
        let head = running.ask(running.http.head(running.url(path)), &[]).await;
        assert_eq!((head.status, head.body.len()), (200, 0), "{path}");
        assert!(head.header("etag").starts_with("W/\""), "{path}");
        let post = running.ask(running.http.post(running.url(path)), &[]).await;
        assert_eq!((post.status, post.header("allow")), (405, "GET,HEAD,OPTIONS"), "{path}");
    }
}
