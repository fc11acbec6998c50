//! Reads a service with the client that progenitor generates from its OpenAPI document.

use std::{env, num::NonZeroU64};

use chrono::NaiveDate;
use futures_util::TryStreamExt;

progenitor::generate_api!(spec = "openapi-3.0.json", interface = Builder);

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let base = env::args().nth(1).ok_or("the URL of the service is missing")?;
    let client = Client::new(&base);
    let metrics = client.get_metrics().send().await?;
    let list = client.get_reports().limit(NonZeroU64::MIN).send().await?;
    let (from, to) = (NaiveDate::from_ymd_opt(2026, 2, 1), NaiveDate::from_ymd_opt(2026, 1, 1));
    let period = client.get_metrics().from(from.ok_or("no date")?).to(to.ok_or("no date")?);
    let code = match period.send().await {
        // progenitor reads only `application/json`; problems have a type of their own.
        Err(Error::ErrorResponse(response)) => {
            let body: Vec<_> = response.into_inner().into_inner().try_collect().await?;
            serde_json::from_slice::<types::Problem>(&body.concat())?.code
        }
        other => return Err(format!("{other:?}").into()),
    };
    println!("{} {} {code}", metrics.total, list.reports[0].id);
    Ok(())
}
