//! `svc config`.

use serde_json::json;

use super::{
    Exit,
    invocation::{Origin, Setting},
    output,
};
use crate::config::{Output, SecretKeys};

/// What stands where a setting has no value.
const NONE: &str = "–";

/// Writes the settings that `svc serve` with the same flags, variables and file has.
pub(super) fn run(output: Output, settings: &[Setting]) -> anyhow::Result<Exit> {
    // The one setting without a flag: everybody on the machine can read command lines.
    let key = SecretKeys::variable().map(|_| Setting {
        name: "secret-key".to_owned(),
        variable: "SVC_SECRET_KEY".to_owned(),
        value: Some("…".to_owned()),
        from: Origin::Variable,
    });
    let settings = settings.iter().chain(&key);
    if output.json {
        output::json(&json!({ "settings": settings.collect::<Vec<_>>() }))?;
        return Ok(Exit::Done);
    }
    let rows: Vec<_> = settings
        .map(|setting| {
            let from = match &setting.from {
                Origin::Variable => format!("variable {}", setting.variable),
                other => other.to_string(),
            };
            let value = setting.value.clone().unwrap_or_else(|| NONE.to_owned());
            vec![setting.name.clone(), value, from]
        })
        .collect();
    output::table(&["SETTING", "VALUE", "FROM"], &rows)?;
    Ok(Exit::Done)
}
