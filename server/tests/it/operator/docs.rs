//! The documentation for operators: on their address, and in the Debian package.

use std::{
    collections::{BTreeMap, BTreeSet},
    path::{Component, Path, PathBuf},
};

use app::pages::docs::{GUIDES, PublicPage};

use crate::{
    desk::running,
    harness::{Answer, Running},
};

const MANIFEST: &str = include_str!("../../../Cargo.toml");

/// The response at a path of the operator's address.
async fn ops(running: &Running, path: &str) -> Answer {
    let url = format!("http://{}{path}", running.service.ops_addr.unwrap());
    running.ask(running.http.get(url), &[]).await
}

fn values<'a>(html: &'a str, attribute: &str) -> Vec<&'a str> {
    let start = format!(" {attribute}=\"");
    html.split(&start).skip(1).map(|rest| rest.split('"').next().unwrap()).collect()
}

#[tokio::test]
async fn each_page_is_on_the_operators_address_only_and_every_link_leads_somewhere() {
    let running = Running::new().await;
    let mut links = BTreeSet::new();
    let own = GUIDES.map(|guide| guide.path);
    for path in own.into_iter().chain(["/docs/operator"]) {
        assert_eq!(running.get(path).await.status, 404, "{path}");
    }
    // Requests to the public API cannot be tried out there.
    let public = PublicPage::ALL.into_iter().filter(|page| !page.is_part()).map(PublicPage::path);
    let paths = own.into_iter().chain(["/docs/operator"]).chain(public);
    let mut ids = BTreeMap::new();
    for path in paths {
        let answer = ops(&running, path).await;
        assert_eq!((answer.status, answer.header("x-frame-options")), (200, "DENY"), "{path}");
        let html = answer.text();
        assert_eq!(html.matches("<h1>").count(), 1, "{path}");
        assert!(html.contains("<meta name=\"robots\" content=\"noindex\""), "{path}");
        for link in [values(&html, "href"), values(&html, "src")].concat() {
            let from_here = if link.starts_with('#') { path } else { "" };
            links.insert(format!("{from_here}{link}"));
        }
        let of_page: BTreeSet<String> =
            values(&html, "id").into_iter().map(str::to_owned).collect();
        ids.insert(path, of_page);
    }
    // The search leads to headings of these pages.
    let index = ops(&running, "/docs/search.json").await.json();
    assert_eq!(index.as_array().unwrap().len(), ids.len());
    for page in index.as_array().unwrap() {
        let ids = &ids[page[0].as_str().unwrap()];
        for section in page[2].as_array().unwrap() {
            assert!(ids.contains(section[0].as_str().unwrap()), "{section} of {page}");
        }
    }
    for path in ["/docs/operate/install", "/docs/keys", "/docs/webhooks", "/docs/operator"] {
        assert!(links.contains(path), "{path} in {links:?}");
    }
    for link in links.iter().filter(|link| link.starts_with('/')) {
        let (path, anchor) = link.split_once('#').unwrap_or((link, ""));
        match ids.get(path) {
            Some(ids) => assert!(anchor.is_empty() || ids.contains(anchor), "{link}"),
            // The desk leads to where one signs in.
            None => assert!([200, 303, 307].contains(&ops(&running, path).await.status), "{link}"),
        }
    }
}

#[tokio::test]
async fn with_the_operators_api_on_the_public_address_their_pages_are_there_too() {
    let running = running().await;
    for guide in GUIDES {
        assert_eq!(running.get(guide.path).await.status, 200, "{}", guide.path);
        assert_eq!(ops(&running, guide.path).await.status, 404, "{}", guide.path);
    }
    let public = running.get("/docs").await.text();
    assert!(!public.contains("For operators"), "{public}");
    let index = running.get("/docs/operate").await.text();
    assert!(index.contains("<h1>For operators</h1>"), "{index}");
}

/// Path without `..`.
fn plain(path: &Path) -> PathBuf {
    let mut plain = PathBuf::new();
    for part in path.components() {
        match part {
            Component::ParentDir => _ = plain.pop(),
            part => plain.push(part),
        }
    }
    plain
}

/// The files of the package in `/usr/share/doc/svc`, by their paths there, each with its path in the repository.
fn packaged(repository: &Path) -> BTreeMap<PathBuf, PathBuf> {
    let (_, assets) = MANIFEST.split_once("\nassets = [\n").unwrap();
    let lines = assets.split("\n]").next().unwrap().lines();
    let mut files = BTreeMap::new();
    for line in lines.filter(|line| line.contains("\"usr/share/doc/svc/")) {
        let [from, to, _] = values_of(line);
        let to = Path::new(to).strip_prefix("usr/share/doc/svc").unwrap();
        let from = plain(&repository.join("server").join(from));
        let (folder, name) = (from.parent().unwrap(), from.file_name().unwrap().to_str().unwrap());
        let ending = name.strip_prefix('*');
        for entry in std::fs::read_dir(folder).unwrap() {
            let file = entry.unwrap().path();
            let found = file.file_name().unwrap().to_str().unwrap();
            if ending.map_or(found == name, |ending| file.is_file() && found.ends_with(ending)) {
                files.insert(to.join(found), file.clone());
            }
        }
    }
    files
}

/// The quoted values in a line.
fn values_of(line: &str) -> [&str; 3] {
    let quoted: Vec<&str> = line.split('"').skip(1).step_by(2).collect();
    quoted.try_into().unwrap()
}

#[test]
fn every_link_of_the_documentation_leads_somewhere_in_the_package() {
    let repository = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
    let files = packaged(repository);
    let pages = files.iter().filter(|(path, _)| {
        path.starts_with("docs") && path.extension().is_some_and(|ending| ending == "md")
    });
    let mut links = 0;
    for (page, source) in pages {
        let text = std::fs::read_to_string(source).unwrap();
        // Code shows links of others.
        let text: String = text.split("```").step_by(2).collect();
        let markdown = text.split("](").skip(1).map(|rest| rest.split(')').next().unwrap());
        let pictures = [values(&text, "src"), values(&text, "srcset")].concat();
        for link in markdown.chain(pictures).filter(|link| !link.contains("://")) {
            let file = link.split('#').next().unwrap();
            let target = plain(&page.parent().unwrap().join(file));
            let is_there = file.is_empty() || files.contains_key(&target);
            assert!(is_there, "{} links to {link}", page.display());
            links += 1;
        }
    }
    assert!(links > 100, "{links}");
}
