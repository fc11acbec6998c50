//! Reads a service with the client that progenitor generates from its OpenAPI document.

use chrono::NaiveDate;

progenitor::generate_api!(spec = "openapi-3.0.json", interface = Builder);

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let base = std::env::args().nth(1).ok_or("the URL of the service is missing")?;
    let client = Client::new(&base);
    let metrics = client.get_metrics().send().await?;
    let list = client.get_reports().limit(std::num::NonZeroU64::MIN).send().await?;
    let (from, to) = (NaiveDate::from_ymd_opt(2026, 2, 1), NaiveDate::from_ymd_opt(2026, 1, 1));
    let refused = client.get_metrics().from(from.ok_or("date")?).to(to.ok_or("date")?).send().await;
    let code = match refused {
        Err(progenitor::progenitor_client::Error::ErrorResponse(problem)) => problem.into_inner().code,
        other => return Err(format!("{other:?}").into()),
    };
    println!("{} {} {code}", metrics.total, list.reports[0].id);
    Ok(())
}
