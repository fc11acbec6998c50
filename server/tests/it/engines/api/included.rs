use domain::tier::Tier;
use model::ReportType::{Spirit, Water};
use serde_json::{Value, json};

use crate::harness::{But, Running, report};

const ALL: &str = "countryCode,region,eventDate,position,typeLabel";

async fn with_reports() -> Running {
    let running = Running::new().await;
    let mut known = report("known", Spirit).at("Campinas", "São Paulo", "Brasil").on("2026-02-27");
    // The API never returns the position of a report.
    known.position = Some((1.0, 2.0));
    running.publish(&[known, report("unknown", Water).at("Deep", "", "Atlantis")]).await;
    running
}

fn found<'b>(body: &'b Value, id: &str) -> &'b Value {
    body["reports"].as_array().unwrap().iter().find(|report| report["id"] == id).unwrap()
}

#[tokio::test]
async fn a_list_has_more_members_on_request_as_far_as_they_are_known() {
    let running = with_reports().await;
    let plain = running.json("/api/v1/reports").await;
    let body = running.json(&format!("/api/v1/reports?include={ALL}")).await;
    let mut expected = found(&plain, "unknown").clone();
    expected["eventDate"] = "2026-03-01".into();
    expected["typeLabel"] = "Water".into();
    assert_eq!(found(&body, "unknown"), &expected);
    let known = found(&body, "known");
    assert_eq!(
        ["countryCode", "region", "eventDate", "typeLabel", "country"].map(|name| &known[name]),
        ["BR", "São Paulo", "2026-02-27", "Spirit", "Brasil"]
    );
    let position = &known["position"];
    assert_eq!(position["precision"], "city");
    let near = |degrees: &Value, expected: f64| (degrees.as_f64().unwrap() - expected).abs() < 0.3;
    assert!(near(&position["lat"], -22.9) && near(&position["lng"], -47.06), "{position}");
    let some = running.json("/api/v1/reports?include=region,region").await;
    let mut expected = found(&plain, "known").clone();
    expected["region"] = "São Paulo".into();
    assert_eq!(found(&some, "known"), &expected);
}

#[tokio::test]
async fn members_that_do_not_exist_are_refused_with_the_one_that_is_meant() {
    let running = Running::new().await;
    for (include, detail) in [
        ("countrycode", "\"include\" is \"countrycode\": did you mean \"countryCode\"?"),
        ("region,postion", "\"include\" is \"region,postion\": did you mean \"position\"?"),
        (
            "id",
            "\"include\" is \"id\": give some of countryCode, region, eventDate, position and typeLabel, separated by \
             commas.",
        ),
    ] {
        for path in ["reports", "reports/x", "reports.csv"] {
            let refused = running.get(&format!("/api/v1/{path}?include={include}")).await;
            let body = refused.json();
            assert_eq!(
                (refused.status, &body["code"]),
                (400, &json!("INVALID_PARAMETER")),
                "{path}"
            );
            assert_eq!(body["detail"], detail, "{path}");
        }
    }
    let misspelt = running.get("/api/v1/reports?types=spirt").await.json();
    assert_eq!(misspelt["detail"], "\"types\" is \"spirt\": did you mean \"spirit\"?");
}

#[tokio::test]
async fn events_about_reports_have_them_too_and_their_bytes_otherwise() {
    let running = with_reports().await;
    running.withdraw("known").await;
    let key = running.key("Aid", Tier::Partner).await;
    let bearer = format!("Bearer {}", key.as_str());
    let read = async |query: &str| {
        let path = format!("/api/v1/events?{query}");
        running.get_with(&path, &[("authorization", &bearer)]).await
    };
    let plain = read("").await.json();
    let form = read(&format!("include={ALL}&lang=de")).await.json();
    for (one, other) in
        plain["events"].as_array().unwrap().iter().zip(form["events"].as_array().unwrap())
    {
        let mut expected = one.clone();
        let data = expected["data"].as_object_mut().unwrap();
        for name in ["eventDate", "countryCode", "region", "position", "typeLabel", "country"] {
            if let Some(value) = other["data"].get(name) {
                data.insert(name.to_owned(), value.clone());
            }
        }
        assert_eq!(*other, expected);
        if one["data"]["id"] == "known" {
            let data = &other["data"];
            let members = ["country", "countryCode", "region", "typeLabel", "eventDate"];
            assert_eq!(
                members.map(|name| data[name].as_str().unwrap()),
                ["Brasilien", "BR", "São Paulo", "Geist", "2026-02-27"]
            );
        }
    }
    let names = |body: &Value| -> Vec<String> {
        let events = body["events"].as_array().unwrap().iter();
        let about = |event: &Value| event["data"]["id"].as_str().unwrap_or("-").to_owned();
        events
            .map(|event| format!("{} {}", event["event"].as_str().unwrap(), about(event)))
            .collect()
    };
    let of_water = read("types=water&events=report.created,report.withdrawn").await.json();
    assert_eq!(names(&of_water), ["report.created unknown"]);
    let of_both = read("types=both").await.json();
    assert_eq!(names(&of_both), ["metrics.updated -", "metrics.updated -"]);
}
