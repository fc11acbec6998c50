//! Strict parser for `/metrics`: text that is not valid OpenMetrics fails the test.

use std::collections::BTreeSet;

use crate::harness::{Answer, Running};

/// All metric families, in order.
#[derive(Clone, Debug)]
pub(crate) struct Exposition {
    pub families: Vec<Family>,
}

/// All samples of one metric.
#[derive(Clone, Debug)]
pub(crate) struct Family {
    pub name: String,
    pub kind: String,
    pub samples: Vec<Sample>,
}

#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Sample {
    pub name: String,
    pub labels: Vec<(String, String)>,
    pub value: f64,
}

impl Exposition {
    /// Metrics of a service, after refreshing those that come from the database.
    pub(crate) async fn of(running: &Running) -> Self {
        running.service.app.readings.refresh().await;
        let url = format!("http://{}/metrics", running.service.ops_addr.unwrap());
        let answer = Answer::of(running.http.get(url).send().await.unwrap()).await;
        assert_eq!(answer.status, 200);
        assert_eq!(
            answer.header("content-type"),
            "application/openmetrics-text; version=1.0.0; charset=utf-8"
        );
        Self::parse(&answer.text())
    }

    pub(crate) fn parse(text: &str) -> Self {
        let text = text.strip_suffix("# EOF\n").unwrap();
        assert!(text.ends_with('\n') && !text.contains("\n\n"), "{text}");
        let mut families: Vec<Family> = Vec::new();
        let mut lines = text.lines();
        while let Some(line) = lines.next() {
            if let Some(described) = line.strip_prefix("# HELP ") {
                let (name, help) = described.split_once(' ').unwrap();
                assert!(help.ends_with('.') && !help.contains('\\'), "{line}");
                let kind = lines.next().unwrap().strip_prefix(&format!("# TYPE {name} ")).unwrap();
                assert!(families.iter().all(|family| family.name != name), "{name} twice");
                families.push(Family {
                    name: name.to_owned(),
                    kind: kind.to_owned(),
                    samples: Vec::new(),
                });
            } else {
                families.last_mut().unwrap().add(Sample::parse(line));
            }
        }
        families.iter().for_each(Family::check);
        Self { families }
    }

    fn samples(&self) -> impl Iterator<Item = &Sample> {
        self.families.iter().flat_map(|family| &family.samples)
    }

    /// Labels and values of all samples with this name. Labels are joined as in `a,b`.
    pub(crate) fn all(&self, name: &str) -> Vec<(String, f64)> {
        let named = self.samples().filter(|sample| sample.name == name);
        named
            .map(|sample| {
                let labels: Vec<&str> =
                    sample.labels.iter().map(|(_, value)| value.as_str()).collect();
                (labels.join(","), sample.value)
            })
            .collect()
    }

    /// Value of the only sample with this name.
    pub(crate) fn one(&self, name: &str) -> f64 {
        let all = self.all(name);
        assert_eq!(all.len(), 1, "{name}: {all:?}");
        all[0].1
    }

    /// Names of all samples, present or possible, as queries use them.
    pub(crate) fn names(&self) -> BTreeSet<String> {
        self.families.iter().flat_map(Family::names).collect()
    }
}

impl Family {
    fn add(&mut self, sample: Sample) {
        assert!(self.names().contains(&sample.name), "{sample:?} among {}", self.name);
        let twin = |other: &Sample| (&other.name, &other.labels) == (&sample.name, &sample.labels);
        assert!(!self.samples.iter().any(twin), "{sample:?} twice");
        self.samples.push(sample);
    }

    fn names(&self) -> Vec<String> {
        let endings: &[&str] = match &*self.kind {
            "counter" => &["_total"],
            "gauge" => &[""],
            "histogram" => &["_bucket", "_sum", "_count"],
            kind => panic!("{} is a {kind}", self.name),
        };
        endings.iter().map(|ending| format!("{}{ending}", self.name)).collect()
    }

    fn check(&self) {
        match &*self.kind {
            "counter" => assert!(self.samples.iter().all(|sample| sample.value >= 0.0)),
            "histogram" => self.check_histograms(),
            _ => {}
        }
    }

    /// Checks that buckets are cumulative, ordered by their bounds, and that the last one contains everything.
    fn check_histograms(&self) {
        let ends_with = |sample: &&Sample, ending: &str| sample.name.ends_with(ending);
        let counts = self.samples.iter().filter(|sample| ends_with(sample, "_count"));
        let mut buckets = self.samples.iter().filter(|sample| ends_with(sample, "_bucket"));
        for count in counts {
            let mut last = (f64::NEG_INFINITY, 0.0);
            while last.0 < f64::INFINITY {
                let bucket = buckets.next().unwrap();
                let ((name, bound), labels) = bucket.labels.split_first().unwrap();
                let bound: f64 = bound.parse().unwrap();
                assert_eq!((name.as_str(), labels), ("le", &*count.labels));
                assert!(bound > last.0 && bucket.value >= last.1, "{bucket:?} after {last:?}");
                last = (bound, bucket.value);
            }
            assert_eq!(last.1, count.value, "{count:?}");
        }
        assert_eq!(buckets.next(), None);
    }
}

impl Sample {
    fn parse(line: &str) -> Self {
        let (named, value) = line.rsplit_once(' ').unwrap();
        let (name, labels) = match named.split_once('{') {
            Some((name, labels)) => (name, labels.strip_suffix('}').unwrap()),
            None => (named, ""),
        };
        let is_letter = |c: char| c.is_ascii_lowercase() || c == '_';
        assert!(name.starts_with("svc_") && name.chars().all(is_letter), "{line}");
        let mut rest = labels;
        let mut labels = Vec::new();
        while !rest.is_empty() {
            let (label, after) = rest.split_once("=\"").unwrap();
            let (value, after) = after.split_once('"').unwrap();
            assert!(label.chars().all(is_letter) && !value.contains('\\'), "{line}");
            labels.push((label.to_owned(), value.to_owned()));
            rest = match after.strip_prefix(',') {
                Some(more) => {
                    assert!(!more.is_empty(), "{line}");
                    more
                }
                None => {
                    assert_eq!(after, "", "{line}");
                    after
                }
            };
        }
        Self { name: name.to_owned(), labels, value: value.parse().unwrap() }
    }
}
