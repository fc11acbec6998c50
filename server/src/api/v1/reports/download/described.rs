use model::Report;
use schemars::JsonSchema;
use serde_json::json;

use super::PARAMETERS;
use crate::{
    openapi::{Operation, Schemas, examples},
    problem::Code,
};

/// Properties of a report on a map.
#[derive(JsonSchema)]
#[expect(dead_code, reason = "describes what is written by hand")]
struct FeatureProperties {
    #[schemars(flatten)]
    report: Report,
    /// Kind of place that the position is of: `city`, `region` or `country`. Only if the position is known.
    precision: Option<String>,
}

fn operation(
    path: &'static str,
    id: &'static str,
    summary: &'static str,
    about: &'static str,
) -> Operation {
    Operation::read(path, id, summary).about(about).parameters(PARAMETERS).problems(&[
        Code::InvalidSince,
        Code::InvalidPeriod,
        Code::InvalidParameter,
    ])
}

pub(in crate::api::v1) fn described() -> [Operation; 3] {
    [
        operation(
            "/api/v1/reports.csv",
            "downloadReportsAsCsv",
            "All reports as CSV",
            "In the order of the list, from one state of the data. The columns are those of an import, so the file can \
                be imported into another service. Texts that a spreadsheet could take for formulas begin with an \
                apostrophe. A file counts as one request, and as one more for each 10,000 reports, but at most as the whole quota. It must be read \
                within ten minutes. A connection that ends early means that the file is incomplete.",
        )
        .answers_with("The file", |_: &mut Schemas| {
            let rows = "\u{FEFF}id,type,city,region,country,peopleCount,eventDate,createdAt\r\n\
                rep_1f0c,spirit,Campinas,S\u{e3}o Paulo,Brazil,12,2026-03-01,2026-03-01T10:00:00.000Z\r\n";
            json!({ "text/csv": { "schema": { "type": "string" }, "example": rows } })
        }),
        operation(
            "/api/v1/reports.geojson",
            "downloadReportsAsGeoJson",
            "All reports as GeoJSON",
            "A feature for each report (RFC 7946), with the position of its city or, with that `precision`, of its \
                region or country; never that of the report itself. Where no position is known, `geometry` is null. \
                Otherwise as for CSV.",
        )
        .answers_with("The file", |schemas: &mut Schemas| {
            let properties = schemas.response::<FeatureProperties>();
            let feature = json!({
                "type": "object",
                "required": ["type", "id", "geometry", "properties"],
                "properties": {
                    "type": { "type": "string" },
                    "id": { "type": "string" },
                    "geometry": {
                        "anyOf": [
                            {
                                "type": "object",
                                "required": ["type", "coordinates"],
                                "properties": {
                                    "type": { "type": "string" },
                                    "coordinates": { "type": "array", "items": { "type": "number" } },
                                },
                            },
                            { "type": "null" },
                        ],
                    },
                    "properties": properties,
                },
            });
            let schema = json!({
                "type": "object",
                "required": ["type", "features"],
                "properties": {
                    "type": { "type": "string" },
                    "features": { "type": "array", "items": feature },
                },
            });
            let mut report = examples::reports()["reports"][0].clone();
            report["precision"] = "city".into();
            let example = json!({
                "type": "FeatureCollection",
                "features": [{
                    "type": "Feature",
                    "id": "rep_1f0c",
                    "geometry": { "type": "Point", "coordinates": [-47.06, -22.91] },
                    "properties": report,
                }],
            });
            json!({ "application/geo+json": { "schema": schema, "example": example } })
        }),
        operation(
            "/api/v1/reports.ndjson",
            "downloadReportsAsNdjson",
            "All reports as lines of JSON",
            "A report on each line, as in the list. Otherwise as for CSV.",
        )
        .answers_with("The file", |_: &mut Schemas| {
            let line = format!("{}\n", examples::reports()["reports"][0]);
            json!({ "application/x-ndjson": { "schema": { "type": "string" }, "example": line } })
        }),
    ]
}
